//! Reads the files of the page that Trunk made, and replaces them by those of the divided page.

use std::path::{Path, PathBuf};
use std::{fs, io};

use ground::hash::fingerprint;
use ground::{from_json, json};

use super::PARTS;
use super::cut::{Cut, FIRST, LOAD};
use super::module::Wasm;
use super::names::brief;

/// The name of the undivided program where it is kept.
pub const WASM: &str = "whole.wasm";
const SCRIPT: &str = "whole.js";
const HTML: &str = "whole.html";
/// The script that starts the page, and loads the later modules.
const LOADER: &str = include_str!("loader.js");

pub struct Page {
    folder: PathBuf,
    name: String,
    /// The start of the names of its files, with Trunk's hash of the compiler's output.
    stem: String,
    html: String,
    script: String,
    pub wasm: Vec<u8>,
}

impl Page {
    pub fn read(folder: &Path, name: &str) -> Result<Page, String> {
        let read = |file: &str| fs::read(folder.join(file)).map_err(|why| format!("{file}: {why}"));
        let text = |file: &str| {
            String::from_utf8(read(file)?).map_err(|_| format!("{file} is not a text"))
        };
        let html = text("index.html")?;
        let stem = stem(&html, name).ok_or("index.html does not name the program")?;
        Ok(Page {
            folder: folder.to_owned(),
            name: name.to_owned(),
            script: text(&format!("{stem}.js"))?,
            wasm: read(&format!("{stem}_bg.wasm"))?,
            html,
            stem,
        })
    }

    /// Keeps a copy of everything, for work after the build.
    pub fn keep(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join(WASM), &self.wasm)?;
        fs::write(folder.join(SCRIPT), &self.script)?;
        fs::write(folder.join(HTML), &self.html)?;
        fs::write(folder.join("stem"), &self.stem)
    }

    /// Returns short names for the imports and exports shared by the script and the program.
    pub fn brief_names(&self, wasm: &Wasm<'_>) -> Renaming {
        let mut names = (0..).map(brief);
        let mut fresh = |old: &str| {
            // Short ones stay, and those that the script does not know.
            let known = old.len() > 8 && has_word(&self.script, old);
            known.then(|| names.next()).flatten().unwrap_or_else(|| old.to_owned())
        };
        Renaming {
            imports: wasm.imports.iter().map(|import| fresh(import.name)).collect(),
            exports: wasm.exports.iter().map(|export| fresh(export.name)).collect(),
        }
    }

    /// Writes the modules and their script in place of the one module.
    pub fn write(&self, cut: &Cut, wasm: &Wasm<'_>, renaming: &Renaming) -> Result<(), String> {
        let module = wasm.imports.first().map_or("", |import| import.module);
        let mut script = self.script.clone();
        let old = wasm.imports.iter().map(|import| import.name);
        let old = old.chain(wasm.exports.iter().map(|export| export.name));
        for (old, new) in old.zip(renaming.imports.iter().chain(&renaming.exports)) {
            script = with_word(&script, old, new);
        }
        let start = renaming.of_export(wasm, "__wbindgen_start");
        let script = with_loader(&trimmed(&script), module, start)?;
        let script = script + &trimmed(LOADER).replace("START", start);
        let hash = fingerprint(&((&script, &cut.modules), &first_lesson(&self.folder)));
        let stem = format!("{}-{hash:016x}", self.name);
        let file = |part: usize| match part {
            0 => format!("{stem}_bg.wasm"),
            _ => format!("{}-{}-{hash:016x}.wasm", self.name, PARTS[part]),
        };
        let files: Vec<String> =
            (0..cut.modules.len()).map(|part| format!("{:?}", file(part))).collect();
        let script = script
            .replace("FILES", &files.join(","))
            .replace("FIRST-LESSON", &first_lesson(&self.folder))
            .replace("LESSON-IDS", &lesson_ids(&self.folder).join(" "));
        let html = with_script(&with_links(&self.html), &self.stem, &stem)?;
        let write = |file: &str, bytes: &[u8]| {
            fs::write(self.folder.join(file), bytes).map_err(|why| format!("{file}: {why}"))
        };
        for (part, module) in cut.modules.iter().enumerate() {
            write(&file(part), module)?;
        }
        write(&format!("{stem}.js"), script.as_bytes())?;
        write("index.html", html.as_bytes())?;
        for old in [format!("{}.js", self.stem), format!("{}_bg.wasm", self.stem)] {
            fs::remove_file(self.folder.join(&old)).map_err(|why| format!("{old}: {why}"))?;
        }
        Ok(())
    }
}

/// The new names of imports and exports, in their order.
pub struct Renaming {
    pub imports: Vec<String>,
    pub exports: Vec<String>,
}

impl Renaming {
    /// Returns the module with the new names.
    pub fn apply<'a>(&'a self, mut wasm: Wasm<'a>) -> Wasm<'a> {
        for (import, name) in wasm.imports.iter_mut().zip(&self.imports) {
            import.name = name;
        }
        for (export, name) in wasm.exports.iter_mut().zip(&self.exports) {
            export.name = name;
        }
        wasm
    }

    fn of_export<'a>(&'a self, wasm: &Wasm<'_>, old: &'a str) -> &'a str {
        let place = wasm.exports.iter().position(|export| export.name == old);
        place.map_or(old, |place| &self.exports[place])
    }
}

/// Returns `app-0123456789abcdef` from a page that mentions `app-0123456789abcdef_bg.wasm`.
fn stem(html: &str, name: &str) -> Option<String> {
    let start = format!("/{name}-");
    let mut found = html.match_indices(&start).filter_map(|(place, _)| {
        let rest = &html[place + 1..];
        let (stem, _) = rest.split_once("_bg.wasm")?;
        stem.chars().all(|c| is_word(c) || c == '-').then(|| stem.to_owned())
    });
    found.next()
}

/// The styles of a first visit, and the print style, which delays nothing; all others are loaded
/// with the later modules.
const STYLES: [&str; 7] = ["style", "learn", "home", "diagram", "stage", "embed", "print"];

/// Replaces the `rel` of links by one that browsers ignore. The loader restores it for styles, and
/// loads the program itself when the readable part of the page has been painted.
fn with_links(html: &str) -> String {
    let mut parts = html.split("<link ");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (link, rest) = part.split_once('>').unwrap_or((part, ""));
        let is_first = STYLES.iter().any(|name| link.contains(&format!("/{name}-")));
        let link = match is_first || !link.contains(".css") {
            true if link.contains("_bg.wasm") => link.replace("preload", "program"),
            true => link.to_owned(),
            false => link.replace("stylesheet", "later-style"),
        };
        all += &format!("<link {link}>{rest}");
    }
    all
}

/// Removes the inline script that starts the page, which a strict policy of the server would block:
/// the loader starts the page itself.
fn with_script(html: &str, old: &str, new: &str) -> Result<String, String> {
    let missing = || "index.html does not start the page as it used to".to_owned();
    let import = html.find(&format!("./{old}.js'")).or(html.find(&format!("./{old}.js\"")));
    let inline = html.match_indices("<script").map(|(start, _)| start);
    let found = inline.filter_map(|start| {
        let end = start + html[start..].find("</script>")?;
        html[start..end].contains("import").then_some((start, end))
    });
    let (start, end) = found.last().filter(|_| import.is_some()).ok_or_else(missing)?;
    let script = format!("<script type=\"module\" src=\"./{new}.js\">");
    Ok(format!("{}{script}{}", &html[..start], &html[end..]).replace(old, new))
}

/// Makes the script pass the loader's functions to the program, and leaves starting it to the
/// loader.
fn with_loader(script: &str, module: &str, start: &str) -> Result<String, String> {
    let missing = |what: &str| format!("the script of wasm-bindgen has no {what} where it used to");
    let key = format!("\"{module}\":");
    let place = script.find(&key).ok_or_else(|| missing("imports"))? + key.len();
    let place = place + script[place..].len() - script[place..].trim_start().len();
    let end = place + identifier(&script[place..]);
    if end == place || !script[end..].trim_start().starts_with([',', '}']) {
        return Err(missing("imports"));
    }
    let (imports, (of_load, load)) = (&script[place..end], LOAD);
    let before = &script[..place];
    let after = &script[end..];
    let script = format!("{before}laterImports={imports},{of_load}:{{{load}:laterLoad}}{after}");

    let call = format!(".{start}()");
    let place = script.find(&call).ok_or_else(|| missing("start"))?;
    let object = script[..place].len() - identifier_before(&script[..place]);
    let after = script[place + call.len()..].trim_start();
    let after = after.strip_prefix([';', ',']).unwrap_or(after);
    let script = format!("{}{after}", &script[..object]);

    let place = script.rfind(" as default").ok_or_else(|| missing("default export"))?;
    let init = &script[place - identifier_before(&script[..place])..place];
    Ok(format!(
        "{script}\nconst laterInit={init},laterModuleName={module:?},laterFirst={FIRST:?};\n"
    ))
}

/// Returns the length in bytes of the identifier at the beginning of `text`; or, below, at its end.
fn identifier(text: &str) -> usize {
    text.find(|c: char| !is_word(c)).unwrap_or(text.len())
}

fn identifier_before(text: &str) -> usize {
    text.len() - text.rfind(|c: char| !is_word(c)).map_or(0, |place| place + 1)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn has_word(text: &str, word: &str) -> bool {
    words(text, word).next().is_some()
}

fn words(text: &str, word: &str) -> impl Iterator<Item = usize> {
    let length = word.len();
    text.match_indices(word).map(|(start, _)| start).filter(move |start| {
        !text[..*start].ends_with(is_word) && !text[start + length..].starts_with(is_word)
    })
}

fn with_word(text: &str, old: &str, new: &str) -> String {
    let mut result = String::new();
    let mut rest = 0;
    for start in words(text, old) {
        result += &text[rest..start];
        result += new;
        rest = start + old.len();
    }
    result + &text[rest..]
}

/// Returns a script without comments of whole lines and without indentation, for scripts that Trunk
/// cannot minify. In ours and in wasm-bindgen's, no text goes over several lines.
fn trimmed(script: &str) -> String {
    let lines = script.lines().map(str::trim);
    let lines: Vec<&str> =
        lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    lines.join("\n")
}

/// What is read of the list of lessons.
struct Index {
    chapters: Vec<Chapter>,
}

struct Chapter {
    lessons: Vec<Lesson>,
}

struct Lesson {
    id: String,
}

from_json!(Index { chapters });
from_json!(Chapter { lessons });
from_json!(Lesson { id });

/// Returns the lesson that a first visit opens.
fn first_lesson(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join("lessons/index.json")).unwrap_or_default();
    let index: Option<Index> = json::read(&text).ok();
    let lessons = index.into_iter().flat_map(|index| index.chapters).flat_map(|one| one.lessons);
    lessons.map(|lesson| lesson.id).next().unwrap_or_default()
}

/// Returns the lessons that a link can name: each has a file of its own.
fn lesson_ids(folder: &Path) -> Vec<String> {
    /// Files that are no lessons.
    const OTHERS: [&str; 4] = ["commands", "examples", "glossary", "index"];
    let files = fs::read_dir(folder.join("lessons")).into_iter().flatten().flatten();
    let name = |file: fs::DirEntry| {
        let name = file.file_name().into_string().ok()?;
        name.strip_suffix(".json").map(str::to_owned)
    };
    let mut ids: Vec<String> = files.filter_map(name).collect();
    ids.retain(|id| !OTHERS.contains(&id.as_str()));
    ids.sort();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "function g(){return{__proto__:null,\n\"./app_bg.js\": i,\n}}\n\
        function f(e){w = e.exports;\nw.__wbindgen_start();\nreturn w}\n\
        export { initSync, init as default };";

    #[test]
    fn the_script_is_given_the_loader() {
        let script = with_loader(SCRIPT, "./app_bg.js", "__wbindgen_start").unwrap();
        assert!(script.contains("\"./app_bg.js\": laterImports=i,later:{load:laterLoad},\n}"));
        assert!(script.contains("w = e.exports;\n\nreturn w}"), "{script}");
        assert!(script.contains("laterInit=init,"), "{script}");
        assert!(with_loader("", "./app_bg.js", "s").is_err());
        assert!(!trimmed(LOADER).contains("//"));
    }

    #[test]
    fn words_are_renamed_whole() {
        assert_eq!(with_word("ab.abc ab_a ab", "ab", "x"), "x.abc ab_a x");
        assert!(has_word("w.__wb_a()", "__wb_a") && !has_word("w.__wb_ab()", "__wb_a"));
    }

    #[test]
    fn the_page_starts_by_a_script_of_its_own() {
        let html = "<link href=./style-1.css rel=stylesheet><link href=./more-2.css \
            rel=stylesheet><script type=module>import init from './app-3.js';x</script><link \
            href=./app-3_bg.wasm rel=preload>";
        assert_eq!(stem(html, "app").as_deref(), Some("app-3"));
        let page = with_script(&with_links(html), "app-3", "app-4").unwrap();
        assert_eq!(
            page,
            "<link href=./style-1.css rel=stylesheet><link href=./more-2.css rel=later-style>\
             <script type=\"module\" src=\"./app-4.js\"></script><link href=./app-4_bg.wasm \
             rel=program>"
        );
    }
}
