//! Finishes the page that Trunk has built: its program divided (src/divide), the first paint, the
//! policy's hashes, the list of files of the offline copy.
//!
//! It has to run last, because it hashes files. Trunk runs the hooks of a stage at the same time,
//! so it is no hook of its own but the end of `check finish`.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use super::first;
use super::sha256::source;
use super::{Outcome, files_below, problem, staging};

const HEADERS: &str = "_headers";
const WORKER: &str = "offline-worker.js";
/// The place in the policy for the inline scripts.
const SCRIPTS: &str = "{inline-scripts}";

/// Finishes the page that Trunk is building.
pub fn built() -> Outcome {
    let Some(folder) = staging() else {
        let message = "Trunk is not building anything".to_owned();
        return Err(problem(Path::new(HEADERS), message, "TRUNK_STAGING_DIR says where"));
    };
    let release = env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "release");
    if release {
        let remedy = "what does cargo run --bin divide say?";
        divide().map_err(|error| problem(Path::new("cargo"), error.to_string(), remedy))?;
    }
    let remedy = "is everything there that index.html names?";
    #[cfg(all(feature = "page", not(test)))]
    if release {
        super::pictures::write(&folder)
            .map_err(|error| problem(&folder, error.to_string(), "are the lessons compiled?"))?;
    }
    finish(&folder, release).map_err(|error| problem(&folder, error.to_string(), remedy))?;
    Ok(true)
}

/// Runs the divider, which finds the folder as this program did. Cargo compiles it where that has
/// not been done.
fn divide() -> io::Result<()> {
    let words = ["run", "--quiet", "--bin", "divide", "--", "app"];
    match Command::new("cargo").args(words).status()? {
        status if status.success() => Ok(()),
        status => Err(io::Error::other(format!("divide app: {status}"))),
    }
}

fn finish(folder: &Path, release: bool) -> io::Result<()> {
    let page = folder.join("index.html");
    let mut html = first::with_first_paint(&fs::read_to_string(&page)?);
    let worker = folder.join(WORKER);
    let offline = worker.is_file();
    if release {
        html = first::with_pictures(&without_comments(&html));
    }
    if offline && release {
        html = with_worker(&html);
    }
    fs::write(&page, &html)?;
    let headers = folder.join(HEADERS);
    if headers.is_file() {
        let hashes: Vec<String> =
            inline_scripts(&html).map(|text| format!("'{}'", source(text.as_bytes()))).collect();
        let text = fs::read_to_string(&headers)?.replace(SCRIPTS, &hashes.join(" "));
        fs::write(&headers, text)?;
    }
    match offline {
        true if release => list_files(folder, &html, &worker),
        // During development a service worker would only serve old copies of the page.
        true => fs::remove_file(worker),
        false => Ok(()),
    }
}

/// Removes the comments of inline scripts, which Trunk leaves unchanged.
fn without_comments(page: &str) -> String {
    const BEGIN: &str = "<script>";
    let mut scripts = page.split(BEGIN);
    let mut out = scripts.next().unwrap_or_default().to_owned();
    for rest in scripts {
        let (script, rest) = rest.split_at(rest.find("</script>").unwrap_or(rest.len()));
        let lines = script.lines().map(str::trim);
        let kept: Vec<&str> =
            lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
        out.push_str(BEGIN);
        out.push_str(&kept.join("\n"));
        out.push_str(rest);
    }
    out
}

/// Names the worker in the head, so that the page can load it.
fn with_worker(page: &str) -> String {
    let link = format!("<link rel=\"offline-worker\" href=\"./{WORKER}\">");
    match page.find("</head>") {
        Some(at) => format!("{}{link}{}", &page[..at], &page[at..]),
        None => page.replacen("<body", &format!("{link}<body"), 1),
    }
}

/// Returns the texts of the inline scripts, as a browser hashes them.
fn inline_scripts(page: &str) -> impl Iterator<Item = &str> {
    page.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let text = rest.split_once("</script>").map(|(text, _)| text)?;
        (!attributes.contains("src=") && !text.trim().is_empty()).then_some(text)
    })
}

/// Writes the list into the worker: first what the page needs to start.
fn list_files(folder: &Path, page: &str, worker: &Path) -> io::Result<()> {
    // A first visit has no copy yet.
    let pictures = format!("{}/", first::PICTURES);
    let ours = |name: &String| {
        name != HEADERS && name != WORKER && !name.ends_with(".md") && !name.starts_with(&pictures)
    };
    let paths: Vec<String> = files_below(folder)?.into_iter().filter(ours).collect();
    let is_core = |path: &str| {
        let of_checker = path.starts_with("search-");
        path == "index.html" || path == "lessons/index.json" || page.contains(path) && !of_checker
    };
    let (core, later): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| is_core(path));
    let mut files = Vec::new();
    for path in core.iter().chain(&later) {
        let hash = source(&fs::read(folder.join(path))?);
        let address = if path == "index.html" { "./" } else { path };
        files.push(serde_json::json!([address, hash]).to_string());
    }
    let files = files.join(",\n");
    let version = crate::hash::fingerprint(&files);
    let mut text = fs::read_to_string(worker)?;
    for (place, value) in [
        ("const FILES = [];", format!("const FILES = [\n{files}\n];")),
        ("const CORE = 0;", format!("const CORE = {};", core.len())),
        ("const VERSION = \"\";", format!("const VERSION = \"{version:016x}\";")),
    ] {
        if !text.contains(place) {
            let missing = format!("{WORKER} has no line `{place}`");
            return Err(io::Error::other(missing));
        }
        text = text.replacen(place, &value, 1);
    }
    fs::write(worker, text)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn built(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("finish-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("lessons")).unwrap();
        let page = "<head><script>\n  // why\n  a()\n</script><script src=./b.js></script></head>\
                    <body><div id=first></div><script type=module>c()</script></body>";
        let worker = "const FILES = [];\nconst CORE = 0;\nconst VERSION = \"\";\n";
        for (path, text) in [
            ("index.html", page),
            ("b.js", "b()"),
            ("search-1.js", "s()"),
            ("lessons/index.json", "{}"),
            ("lessons/x.json", "{}"),
            (HEADERS, "script-src 'self' {inline-scripts};"),
            (WORKER, worker),
        ] {
            fs::write(folder.join(path), text).unwrap();
        }
        folder
    }

    #[test]
    fn the_worker_knows_every_file_and_the_policy_every_inline_script() {
        let folder = built("release");
        finish(&folder, true).unwrap();
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
        let (page, worker, headers) = (read("index.html"), read(WORKER), read(HEADERS));
        fs::remove_dir_all(&folder).unwrap();
        assert!(page.contains("rel=\"offline-worker\""), "{page}");
        let [a, c] = [b"a()", b"c()"].map(|text| source(text));
        assert_eq!(headers, format!("script-src 'self' '{a}' '{c}';"));
        assert!(worker.contains("const CORE = 3;"), "{worker}");
        assert!(!worker.contains("VERSION = \"\""), "{worker}");
        let order = ["\"b.js\"", "\"./\"", "\"lessons/index.json\"", "\"lessons/x.json\""];
        let places = order.map(|path| worker.find(path).unwrap_or_else(|| panic!("{path}")));
        assert!(places.is_sorted(), "{worker}");
        assert!(worker.contains(&source(page.as_bytes())), "the page as it is in the end");
        assert!(!worker.contains(HEADERS), "{worker}");
    }

    #[test]
    fn a_page_that_is_worked_on_keeps_no_copies() {
        let folder = built("debug");
        finish(&folder, false).unwrap();
        let page = fs::read_to_string(folder.join("index.html")).unwrap();
        assert!(!folder.join(WORKER).exists());
        fs::remove_dir_all(&folder).unwrap();
        assert!(!page.contains("offline-worker"), "{page}");
    }
}
