//! Adds a hash to the names of a worker's files. Trunk does not hash the names of worker files, so
//! a browser could run a cached old worker with a new page.

use std::path::Path;
use std::{fs, io};

use super::{Outcome, problem, staging};
use crate::hash::fingerprint;

/// Renames `NAME.js` and `NAME_bg.wasm`, and adds their new names to the head of the page.
pub fn stamp(name: &str) -> Outcome {
    let Some(folder) = staging() else {
        let message = "Trunk is not building anything".to_owned();
        return Err(problem(Path::new(name), message, "TRUNK_STAGING_DIR says where"));
    };
    let remedy = "is its link in index.html, with this data-bin?";
    rename(&folder, name).map_err(|error| problem(&folder, error.to_string(), remedy))?;
    Ok(true)
}

fn rename(folder: &Path, name: &str) -> io::Result<()> {
    let old = [folder.join(format!("{name}.js")), folder.join(format!("{name}_bg.wasm"))];
    let hash = fingerprint(&(fs::read(&old[0])?, fs::read(&old[1])?));
    let new = [format!("{name}-{hash:016x}.js"), format!("{name}-{hash:016x}_bg.wasm")];
    for (old, new) in old.iter().zip(&new) {
        fs::rename(old, folder.join(new))?;
    }
    let page = folder.join("index.html");
    let text = fs::read_to_string(&page)?;
    fs::write(page, with_links(&text, name, &new))
}

/// Adds links with a `rel` that browsers ignore, so that they load nothing.
fn with_links(page: &str, name: &str, [script, wasm]: &[String; 2]) -> String {
    let link = |what: &str, file: &str| format!("<link rel=\"{name}-{what}\" href=\"./{file}\">");
    let links = link("script", script) + &link("wasm", wasm);
    match page.find("</head>") {
        Some(at) => format!("{}{links}{}", &page[..at], &page[at..]),
        // Minified pages may leave the tag out; what comes before the body is the head.
        None => page.replacen("<body", &format!("{links}<body"), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_renamed_and_the_head_names_them() {
        let folder = std::env::temp_dir().join(format!("stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("w.js"), "1").unwrap();
        fs::write(folder.join("w_bg.wasm"), "2").unwrap();
        fs::write(folder.join("index.html"), "<head><title>x</title></head><body></body>").unwrap();
        rename(&folder, "w").unwrap();
        let page = fs::read_to_string(folder.join("index.html")).unwrap();
        let names: Vec<String> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != "index.html")
            .collect();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(names.len(), 2);
        for name in names {
            assert!(page.contains(&format!("href=\"./{name}\"")), "{page}");
        }
        assert!(page.find("w-script").unwrap() < page.find("</head>").unwrap());
        assert!(rename(&folder, "w").is_err());
    }
}
