//! Packages for course platforms: SCORM 1.2 and xAPI, which turn a lesson's goals into a score, and
//! oEmbed, a page and a JSON per lesson and language (an address's fragment never reaches a
//! server).
//!
//! A SCORM package has a page and an item for each of its lessons, and the built page once.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::call::languages;
use super::first::{PICTURES, without_pictures};
use super::{LESSONS, Outcome, files_below, problem};
use crate::lesson::source::{read_all, read_chapters, read_folder};
use crate::lesson::{Lesson, plain};
use crate::playground::zip;
use crate::session::link::Link;
use crate::text::Lang;
use crate::view::embed::Embed;
use crate::view::embed::snippet::{Recipe, escaped};

/// The folder of the built page.
const PAGE: &str = "dist";
/// The frame's own files.
const DOOR: [&str; 3] = ["embed/index.html", "embed/door.css", "embed/door.js"];
const FRAME_WIDTH: u32 = 800;

/// What course platforms take.
#[derive(Debug, clap::Subcommand)]
pub enum Packages {
    /// Lessons as packages for course platforms (in a checkout)
    ///
    /// A lesson as SCORM 1.2 and xAPI, or the lessons of a chapter or of all chapters as one (SCORM
    /// 1.2).
    Scorm(Wanted),
    /// oEmbed for every lesson and language of a page (in a checkout)
    Oembed {
        /// The address of the page
        #[arg(value_name = "URL", value_parser = base)]
        base: String,
        /// Where to write
        #[arg(default_value = "dist/oembed")]
        out: PathBuf,
    },
}

impl Packages {
    pub fn write(self) -> Outcome {
        match self {
            Packages::Scorm(wanted) => packages(wanted),
            Packages::Oembed { base, out } => oembed(&base, &out),
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct Wanted {
    /// The address of the page, which the packages load; without one they hold it (dist/)
    #[arg(long, value_name = "URL", value_parser = base)]
    base: Option<String>,
    #[arg(long, value_name = "ID", conflicts_with_all = ["chapter", "all"])]
    lesson: Option<String>,
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    chapter: Option<String>,
    /// All chapters
    #[arg(long)]
    all: bool,
    #[arg(long, value_name = "LANGUAGE", value_parser = languages())]
    lang: Option<Lang>,
    /// Parameters of the embedded lesson, as in its address
    #[arg(long, value_name = "PARAMETERS", default_value = "", hide_default_value = true)]
    query: String,
    /// Where to write
    #[arg(default_value = "target/scorm")]
    out: PathBuf,
}

/// Checks an address, and makes it end with a slash.
fn base(given: &str) -> Result<String, String> {
    let web = given.starts_with("https://") || given.starts_with("http://");
    let plain = |c: char| c.is_ascii_graphic() && !"\"<>?#'".contains(c);
    if !web || !given.chars().all(plain) {
        return Err(format!("{given}: an address is wanted, as in https://course.example/redis/"));
    }
    Ok(format!("{}/", given.trim_end_matches('/')))
}

fn wrong(message: String) -> Vec<crate::lesson::Diagnostic> {
    problem(Path::new("check"), message, "interleave export scorm --help")
}

fn failed(path: &Path, error: &std::io::Error) -> Vec<crate::lesson::Diagnostic> {
    problem(path, error.to_string(), "make build makes the page; is the folder writable?")
}

/// What goes into a package.
struct Packed {
    /// The beginning of its file's name.
    name: String,
    title: String,
    /// The chapters: title and lessons.
    chapters: Vec<(String, Vec<Lesson>)>,
}

impl Packed {
    fn lessons(&self) -> impl Iterator<Item = &Lesson> {
        self.chapters.iter().flat_map(|(_, lessons)| lessons)
    }
}

/// `check scorm`: writes `NAME-scorm12.zip`, and for one lesson `NAME-xapi.zip`: such a package
/// starts one activity.
fn packages(wanted: Wanted) -> Outcome {
    let lang = wanted.lang.unwrap_or_default();
    let packed = packed(&wanted, lang)?;
    let (mut embed, bad) = Embed::parse(&format!("embed&{}", wanted.query)).unwrap_or_default();
    if let Some(bad) = bad.first() {
        let why = format!("--query: {}={} is none of {}", bad.name, bad.value, bad.accepted);
        return Err(wrong(why));
    }
    embed.lang = wanted.lang.or(embed.lang);
    let base = wanted.base.clone().unwrap_or_default();
    let common = match wanted.base {
        None => {
            page_files(Path::new(PAGE), &packed).map_err(|error| failed(Path::new(PAGE), &error))?
        }
        Some(_) => Vec::new(),
    };
    let out = wanted.out;
    fs::create_dir_all(&out).map_err(|error| failed(&out, &error))?;
    for (kind, standard) in [("scorm", "scorm12"), ("xapi", "xapi")] {
        let mut files = Vec::new();
        let mut page = String::new();
        for file in [&format!("{kind}.html"), "score.js", "score.css", &format!("{kind}.js")] {
            let path = Path::new("static/embed").join(file);
            let bytes = fs::read(&path).map_err(|error| failed(&path, &error))?;
            match file.ends_with(".html") {
                true => page = String::from_utf8_lossy(&bytes).into_owned(),
                false => files.push((format!("embed/{file}"), bytes)),
            }
        }
        files.extend(common.iter().cloned());
        // Each has its own frame, whatever the platform adds to its address.
        let pages = packed.lessons().map(|lesson| {
            let recipe = recipe(lesson, lang, base.clone(), embed.clone());
            let address = recipe.address();
            let address = address.strip_prefix("embed/").unwrap_or(&address);
            let baked = format!("data-frame=\"{}\"", escaped(address));
            (start(kind, lesson), page.replacen("data-frame=\"\"", &baked, 1).into_bytes())
        });
        let pages: Vec<_> = pages.collect();
        let (name, text) = match (kind, packed.lessons().next()) {
            ("scorm", _) => ("imsmanifest.xml", manifest(&packed, lang, &files)),
            (_, Some(lesson)) if pages.len() == 1 => ("tincan.xml", tincan(lesson, lang)),
            _ => continue,
        };
        files.splice(0..0, [(name.to_owned(), text.into_bytes())].into_iter().chain(pages));
        let path = out.join(format!("{}-{standard}.zip", packed.name));
        let bytes = zip::write_with(&files, deflated);
        fs::write(&path, &bytes).map_err(|error| failed(&path, &error))?;
        println!("{}: {} files, {} bytes", path.display(), files.len(), bytes.len());
    }
    Ok(true)
}

fn deflated(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < content.len())
}

/// The file of a package that starts a lesson.
fn start(kind: &str, lesson: &Lesson) -> String {
    format!("embed/{kind}-{}.html", lesson.id)
}

fn packed(wanted: &Wanted, lang: Lang) -> Result<Packed, Vec<crate::lesson::Diagnostic>> {
    if !wanted.all && wanted.chapter.is_none() {
        let lesson = lesson(wanted.lesson.as_deref())?;
        let title = lesson.title.get(lang).clone();
        let chapters = vec![(title.clone(), vec![lesson])];
        return Ok(Packed { name: chapters[0].1[0].id.clone(), title, chapters });
    }
    let mut listed = read_chapters(Path::new(LESSONS))?;
    if let Some(id) = &wanted.chapter {
        let known: Vec<String> = listed.iter().map(|chapter| chapter.id.clone()).collect();
        listed.retain(|chapter| chapter.id == *id);
        if listed.is_empty() {
            return Err(unknown("chapter", id, &known));
        }
    }
    let mut chapters = Vec::new();
    for chapter in listed {
        let lessons = chapter.lessons.iter().map(|id| read_folder(&Path::new(LESSONS).join(id)));
        chapters.push((chapter.title.get(lang).clone(), lessons.collect::<Result<_, _>>()?));
    }
    Ok(match &wanted.chapter {
        Some(id) => {
            Packed { name: format!("chapter-{id}"), title: chapters[0].0.clone(), chapters }
        }
        None => Packed { name: "all".to_owned(), title: "Interleave".to_owned(), chapters },
    })
}

/// The error that names the id that is nearest, and all.
fn unknown(what: &str, id: &str, known: &[String]) -> Vec<crate::lesson::Diagnostic> {
    let nearest =
        known.iter().min_by_key(|one| strsim::damerau_levenshtein(id, one)).map_or("", |one| one);
    let all = known.join(", ");
    wrong(format!("there is no {what} {id}; the nearest is {nearest}; there are: {all}"))
}

/// Returns the lesson called `id`, or the first one.
fn lesson(id: Option<&str>) -> Result<Lesson, Vec<crate::lesson::Diagnostic>> {
    let folder = |id: &str| Path::new(LESSONS).join(id);
    if let Some(folder) = id.map(folder).filter(|folder| folder.is_dir()) {
        return read_folder(&folder);
    }
    let listed = read_chapters(Path::new(LESSONS))?;
    let known: Vec<String> = listed.into_iter().flat_map(|chapter| chapter.lessons).collect();
    match (id, known.first()) {
        (None, Some(first)) => read_folder(&folder(first)),
        _ => Err(unknown("lesson", id.unwrap_or(""), &known)),
    }
}

fn recipe(lesson: &Lesson, lang: Lang, base: String, embed: Embed) -> Recipe {
    Recipe {
        base,
        embed,
        link: Link { lesson: Some(lesson.id.clone()), ..Link::default() },
        title: lesson.title.get(lang).clone(),
        poster: false,
    }
}

/// Returns the files of the built page, without other lessons and files that only a website needs.
fn page_files(folder: &Path, packed: &Packed) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let kept: Vec<String> = ["index", "glossary"]
        .into_iter()
        .chain(packed.lessons().map(|lesson| &*lesson.id))
        .map(|id| format!("lessons/{id}.json"))
        .collect();
    let mut files = Vec::new();
    for path in files_below(folder)? {
        let is_other = path.starts_with("lessons/") && !kept.contains(&path)
            || path.starts_with("embed/") && !DOOR.contains(&&*path);
        let is_website =
            |part: &str| part.starts_with(['.', '_']) || ["oembed", PICTURES].contains(&part);
        let is_copy = path.ends_with(".br") || path.ends_with(".gz");
        if !is_other && !is_copy && !path.split('/').any(is_website) {
            let mut bytes = fs::read(folder.join(&path))?;
            if path == "index.html" {
                bytes = without_pictures(&String::from_utf8_lossy(&bytes)).into_bytes();
            }
            files.push((path, bytes));
        }
    }
    Ok(files)
}

/// Returns SCORM 1.2's manifest of the package: an item and a file to start for each lesson, and
/// `files` that all of them need.
fn manifest(packed: &Packed, lang: Lang, files: &[(String, Vec<u8>)]) -> String {
    let file = |path: &str| format!("\n      <file href=\"{}\"/>", escaped(path));
    let (mut items, mut resources) = (String::new(), String::new());
    for (at, (title, lessons)) in packed.chapters.iter().enumerate() {
        let is_heading = packed.chapters.len() > 1;
        if is_heading {
            let title = escaped(title);
            items += &format!(
                "\n      <item identifier=\"chapter-{at}\">\n        <title>{title}</title>"
            );
        }
        for lesson in lessons {
            let (id, title) = (&lesson.id, escaped(lesson.title.get(lang)));
            let start = start("scorm", lesson);
            items += &format!(
                r#"
      <item identifier="item-{id}" identifierref="sco-{id}" isvisible="true">
        <title>{title}</title>
      </item>"#
            );
            resources += &format!(
                r#"
    <resource identifier="sco-{id}" type="webcontent" adlcp:scormtype="sco" href="{start}">{}
      <dependency identifierref="page"/>
    </resource>"#,
                file(&start)
            );
        }
        if is_heading {
            items += "\n      </item>";
        }
    }
    let (name, title) = (&packed.name, escaped(&packed.title));
    let common: String = files.iter().map(|(path, _)| file(path)).collect();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="interleave-{name}" version="1.0"
    xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd
      http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="interleave">
    <organization identifier="interleave">
      <title>{title}</title>{items}
    </organization>
  </organizations>
  <resources>{resources}
    <resource identifier="page" type="webcontent" adlcp:scormtype="asset">{common}
    </resource>
  </resources>
</manifest>
"#
    )
}

/// Returns the manifest for platforms that read xAPI ("Tin Can").
fn tincan(lesson: &Lesson, lang: Lang) -> String {
    let (id, title) = (&lesson.id, escaped(lesson.title.get(lang)));
    let about = escaped(&plain(lesson.goal.get(lang)));
    let tag = lang.html();
    let start = start("xapi", lesson);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<tincan xmlns="http://projecttincan.com/tincan.xsd">
  <activities>
    <activity id="urn:interleave:{id}" type="http://adlnet.gov/expapi/activities/lesson">
      <name lang="{tag}">{title}</name>
      <description lang="{tag}">{about}</description>
      <launch lang="{tag}">{start}</launch>
    </activity>
  </activities>
</tincan>
"#
    )
}

/// `check oembed BASE [OUT]`: writes for each lesson and language `ID.LANG.json`, and the page that
/// names it and leads to the lesson.
fn oembed(base: &str, out: &Path) -> Outcome {
    fs::create_dir_all(out).map_err(|error| failed(out, &error))?;
    let lessons = read_all(Path::new(LESSONS))?.lessons;
    for lesson in lessons.iter().map(|written| &written.lesson) {
        for lang in Lang::ALL {
            let name = format!("{}.{}", lesson.id, lang.tag());
            for (kind, text) in [
                ("json", oembed_json(lesson, lang, base)),
                ("html", oembed_page(lesson, lang, base)),
            ] {
                let path = out.join(format!("{name}.{kind}"));
                fs::write(&path, text).map_err(|error| failed(&path, &error))?;
            }
        }
    }
    println!("{}: {} lessons in {} languages", out.display(), lessons.len(), Lang::ALL.len());
    Ok(true)
}

fn in_lang(lesson: &Lesson, lang: Lang, base: &str) -> Recipe {
    let embed = Embed { lang: Some(lang), ..Embed::default() };
    recipe(lesson, lang, base.to_owned(), embed)
}

fn oembed_json(lesson: &Lesson, lang: Lang, base: &str) -> String {
    let recipe = in_lang(lesson, lang, base);
    // WordPress takes the style away, and keeps this.
    let frame = recipe.frame(lang).replacen("<iframe ", "<iframe frameborder=\"0\" ", 1);
    serde_json::json!({
        "version": "1.0",
        "type": "rich",
        "provider_name": "Interleave",
        "provider_url": base,
        "title": recipe.title,
        "html": frame,
        "width": FRAME_WIDTH,
        "height": crate::view::embed::snippet::FRAME_HEIGHT,
        "cache_age": 86_400,
    })
    .to_string()
}

fn oembed_page(lesson: &Lesson, lang: Lang, base: &str) -> String {
    let Recipe { title, link, .. } = in_lang(lesson, lang, base);
    let (title, tag) = (escaped(&title), lang.tag());
    let about = escaped(&plain(lesson.goal.get(lang)));
    let json = format!("{}oembed/{}.{tag}.json", escaped(base), lesson.id);
    let way = escaped(&format!("../#{}&lang={tag}", link.write()));
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
         <title>{title} · Interleave</title>\n\
         <meta name=\"description\" content=\"{about}\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:description\" content=\"{about}\">\n\
         <link rel=\"alternate\" type=\"application/json+oembed\" href=\"{json}\"\n  \
         title=\"{title}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={way}\">\n\
         <p><a href=\"{way}\">{title}</a></p>\n</html>\n",
        lang.html(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::deflate::inflate;

    fn out(name: &str) -> PathBuf {
        let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp").join(name);
        let _ = fs::remove_dir_all(&out);
        out
    }

    /// The texts of a package, by name.
    fn texts(path: &Path) -> Vec<(String, String)> {
        let bytes = fs::read(path).unwrap();
        let mut files = Vec::new();
        let mut at = 0;
        while bytes[at..].starts_with(b"PK\x03\x04") {
            let number = |from: usize, to: usize| {
                bytes[at + from..at + to]
                    .iter()
                    .rev()
                    .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
            };
            let (method, packed, size, name) =
                (number(8, 10), number(18, 22), number(22, 26), number(26, 28));
            let start = at + 30 + name;
            let content = &bytes[start..start + packed];
            let content = match method {
                8 => inflate(content, size).unwrap(),
                _ => content.to_vec(),
            };
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            files.push((text(&bytes[at + 30..start]), text(&content)));
            at = start + packed;
        }
        files
    }

    fn text<'a>(files: &'a [(String, String)], name: &str) -> &'a str {
        files.iter().find(|(path, _)| path == name).map_or("", |(_, text)| text)
    }

    /// Writes what these words ask for. The error is one of the call, or the mistakes.
    fn written(words: &[&str]) -> Result<bool, String> {
        #[derive(clap::Parser)]
        struct Line {
            #[command(subcommand)]
            packages: Packages,
        }
        let line: Line = clap::Parser::try_parse_from([&["export"], words].concat())
            .map_err(|wrong| wrong.to_string())?;
        line.packages.write().map_err(|problems| problems[0].message.clone())
    }

    #[test]
    fn a_package_has_its_frame_and_its_manifest() {
        let out = out("scorm");
        let folder = out.display().to_string();
        let words = "scorm --base https://x.example/r --lesson oversell --query tabs=break";
        let words: Vec<&str> = words.split(' ').chain([&*folder]).collect();
        assert_eq!(written(&words), Ok(true));
        let files = texts(&out.join("oversell-scorm12.zip"));
        assert!(text(&files, "imsmanifest.xml").contains("<title>Oversell</title>"));
        let frame =
            "data-frame=\"https://x.example/r/embed/index.html?tabs=break#lesson=oversell\"";
        assert!(text(&files, "embed/scorm-oversell.html").contains(frame));
        let files = texts(&out.join("oversell-xapi.zip"));
        let launch = "<launch lang=\"en\">embed/xapi-oversell.html";
        assert!(text(&files, "tincan.xml").contains(launch));
        for wrong in [
            &["--base", "x"][..],
            &["--lesson", "nope"],
            &["--query", "tabs=nope"],
            &["--lang", "xx"],
            &["--nope"],
            &["--base"],
            &["--all", "--chapter", "lock"],
        ] {
            assert!(written(&[&["scorm"], wrong].concat()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_chapter_is_one_package_with_a_part_for_each_lesson() {
        let out = out("scorm-chapter");
        let folder = out.display().to_string();
        let base = ["--base", "https://x.example/r", "--lang", "zh", &folder];
        assert_eq!(written(&[&["scorm", "--chapter", "race"], &base[..]].concat()), Ok(true));
        let files = texts(&out.join("chapter-race-scorm12.zip"));
        let xml = text(&files, "imsmanifest.xml");
        let lessons = ["lost-update", "sign-up", "oversell", "synchronized", "mix-race"];
        assert_eq!(xml.matches("<item ").count(), lessons.len(), "{xml}");
        for id in lessons {
            let page = format!("embed/scorm-{id}.html");
            assert!(xml.contains(&format!("adlcp:scormtype=\"sco\" href=\"{page}\"")), "{xml}");
            assert!(text(&files, &page).contains(&format!("#lesson={id}\"")), "{page}");
        }
        for (name, _) in files.iter().filter(|(name, _)| name != "imsmanifest.xml") {
            assert_eq!(xml.matches(&format!("<file href=\"{name}\"/>")).count(), 1, "{name}");
        }
        assert!(xml.contains("<title>竞态</title>") && xml.contains("<title>丢失更新</title>"));
        assert!(!out.join("chapter-race-xapi.zip").exists());
        let why = written(&["scorm", "--chapter", "locks"]).unwrap_err();
        assert!(why.contains("there is no chapter locks; the nearest is lock;"));
    }

    #[test]
    fn oembed_names_the_frame_and_the_page_names_it() {
        let out = out("oembed");
        let folder = out.display().to_string();
        assert_eq!(written(&["oembed", "https://x.example/r/", &folder]), Ok(true));
        let json = fs::read_to_string(out.join("lost-update.zh.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((json["version"].as_str(), json["type"].as_str()), (Some("1.0"), Some("rich")));
        let frame = json["html"].as_str().unwrap_or_default();
        let address = "src=\"https://x.example/r/embed/index.html?lang=zh#lesson=lost-update\"";
        assert!(frame.contains(address) && frame.contains("frameborder=\"0\""), "{frame}");
        let page = fs::read_to_string(out.join("lost-update.en.html")).unwrap();
        assert!(page.contains("href=\"https://x.example/r/oembed/lost-update.en.json\""), "{page}");
        assert!(page.contains("url=../#lesson=lost-update&amp;lang=en"), "{page}");
        assert!(written(&["oembed", "ftp://x"]).is_err());
    }
}
