//! Packages for course platforms: SCORM 1.2 and xAPI, which turn a lesson's goals into a score, and
//! oEmbed, a page and a JSON per lesson and language (an address's fragment never reaches a
//! server).

use std::fs;
use std::path::{Path, PathBuf};

use super::{LESSONS, Outcome, files_below, problem};
use crate::lesson::source::{read_all, read_folder};
use crate::lesson::{Lesson, plain};
use crate::playground::zip;
use crate::session::link::Link;
use crate::text::Lang;
use crate::view::embed::Embed;
use crate::view::embed::snippet::{Recipe, escaped};

/// The folder of the built page.
const PAGE: &str = "dist";
const PACKAGES: &str = "target/scorm";
const FRAME_WIDTH: u32 = 800;

/// The options of `check scorm`.
#[derive(Debug, Default)]
struct Wanted {
    /// The address of the page; `None`: it goes into the package.
    base: Option<String>,
    lesson: Option<String>,
    lang: Option<Lang>,
    /// Parameters of the embedded lesson, as in its address.
    query: String,
    out: Option<PathBuf>,
}

impl Wanted {
    fn parse(words: &[&str]) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
            match *word {
                "--base" => wanted.base = Some(base(value()?)?),
                "--lesson" => wanted.lesson = Some((*value()?).to_owned()),
                "--lang" => {
                    let tag = value()?;
                    let lang = Lang::from_tag(tag);
                    wanted.lang = Some(lang.ok_or_else(|| format!("--lang {tag}: en or zh"))?);
                }
                "--query" => wanted.query = (*value()?).to_owned(),
                option if option.starts_with('-') => return Err(format!("there is no {option}")),
                out if wanted.out.is_none() => wanted.out = Some(out.into()),
                more => return Err(format!("{more}: one folder to write to is enough")),
            }
        }
        Ok(wanted)
    }
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
    problem(Path::new("check"), message, "check --help")
}

fn failed(path: &Path, error: &std::io::Error) -> Vec<crate::lesson::Diagnostic> {
    problem(path, error.to_string(), "make build makes the page; is the folder writable?")
}

/// `check scorm`: writes `ID-scorm12.zip` and `ID-xapi.zip`.
pub fn packages(words: &[&str]) -> Outcome {
    let wanted = Wanted::parse(words).map_err(wrong)?;
    let lesson = lesson(wanted.lesson.as_deref())?;
    let lang = wanted.lang.unwrap_or_default();
    let (mut embed, bad) = Embed::parse(&format!("embed&{}", wanted.query)).unwrap_or_default();
    if let Some(bad) = bad.first() {
        let why = format!("--query: {}={} is none of {}", bad.name, bad.value, bad.accepted);
        return Err(wrong(why));
    }
    embed.lang = wanted.lang.or(embed.lang);
    let recipe = recipe(&lesson, lang, wanted.base.clone().unwrap_or_default(), embed);
    let common = match wanted.base {
        None => page_files(Path::new(PAGE), &lesson.id)
            .map_err(|error| failed(Path::new(PAGE), &error))?,
        Some(_) => Vec::new(),
    };
    let out = wanted.out.unwrap_or_else(|| PACKAGES.into());
    fs::create_dir_all(&out).map_err(|error| failed(&out, &error))?;
    for (kind, page, about) in [
        ("scorm12", "scorm.html", manifest as fn(&Lesson, Lang) -> (&'static str, String)),
        ("xapi", "xapi.html", tincan),
    ] {
        let (name, text) = about(&lesson, lang);
        let mut files = vec![(name.to_owned(), text.into_bytes())];
        for file in [page, "score.js", "score.css", &page.replace(".html", ".js")] {
            let path = Path::new("static/embed").join(file);
            let bytes = fs::read(&path).map_err(|error| failed(&path, &error))?;
            files.push((format!("embed/{file}"), bytes));
        }
        // Its own frame, whatever the platform adds to its address.
        let address = recipe.address();
        let address = address.strip_prefix("embed/").unwrap_or(&address);
        let baked = format!("data-frame=\"{}\"", escaped(address));
        let text = String::from_utf8_lossy(&files[1].1).replacen("data-frame=\"\"", &baked, 1);
        files[1].1 = text.into_bytes();
        let ours = |name: &str| files.iter().any(|(own, _)| own == name);
        let rest: Vec<_> = common.iter().filter(|(name, _)| !ours(name)).cloned().collect();
        files.extend(rest);
        let path = out.join(format!("{}-{kind}.zip", lesson.id));
        fs::write(&path, zip::write(&files)).map_err(|error| failed(&path, &error))?;
        println!("{}: {} files", path.display(), files.len());
    }
    Ok(true)
}

/// Returns the lesson called `id`, or the first one.
fn lesson(id: Option<&str>) -> Result<Lesson, Vec<crate::lesson::Diagnostic>> {
    let folder = id.map(|id| Path::new(LESSONS).join(id)).filter(|folder| folder.is_dir());
    if let Some(folder) = folder {
        return read_folder(&folder);
    }
    let lessons = read_all(Path::new(LESSONS))?.lessons;
    let ids: Vec<String> = lessons.iter().map(|written| written.lesson.id.clone()).collect();
    let found = lessons.into_iter().find(|one| id.is_none_or(|id| one.lesson.id == id));
    found.map(|written| written.lesson).ok_or_else(|| {
        wrong(format!("there is no lesson {}; there are: {}", id.unwrap_or(""), ids.join(", ")))
    })
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
fn page_files(folder: &Path, lesson: &str) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let kept = ["index.json", "glossary.json", &format!("{lesson}.json")];
    let mut files = Vec::new();
    for path in files_below(folder)? {
        let is_other = path.strip_prefix("lessons/").is_some_and(|name| !kept.contains(&name));
        let is_website = |part: &str| part.starts_with(['.', '_']) || part == "oembed";
        if !is_other && !path.ends_with(".md") && !path.split('/').any(is_website) {
            let bytes = fs::read(folder.join(&path))?;
            files.push((path, bytes));
        }
    }
    Ok(files)
}

/// Returns SCORM 1.2's manifest of the package, with one item and one file to start: its name and
/// text.
fn manifest(lesson: &Lesson, lang: Lang) -> (&'static str, String) {
    let (id, title) = (&lesson.id, escaped(lesson.title.get(lang)));
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="interleave-{id}" version="1.0"
    xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="interleave">
    <organization identifier="interleave">
      <title>{title}</title>
      <item identifier="lesson" identifierref="page" isvisible="true">
        <title>{title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="embed/scorm.html">
      <file href="embed/scorm.html"/>
    </resource>
  </resources>
</manifest>
"#
    );
    ("imsmanifest.xml", text)
}

/// Returns the manifest for platforms that read xAPI ("Tin Can"): its name and text.
fn tincan(lesson: &Lesson, lang: Lang) -> (&'static str, String) {
    let (id, title) = (&lesson.id, escaped(lesson.title.get(lang)));
    let about = escaped(&plain(lesson.goal.get(lang)));
    let tag = lang.html();
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<tincan xmlns="http://projecttincan.com/tincan.xsd">
  <activities>
    <activity id="urn:interleave:{id}" type="http://adlnet.gov/expapi/activities/lesson">
      <name lang="{tag}">{title}</name>
      <description lang="{tag}">{about}</description>
      <launch lang="{tag}">embed/xapi.html</launch>
    </activity>
  </activities>
</tincan>
"#
    );
    ("tincan.xml", text)
}

/// `check oembed BASE [OUT]`: writes for each lesson and language `ID.LANG.json`, and the page that
/// names it and leads to the lesson.
pub fn oembed(words: &[&str]) -> Outcome {
    let (address, out) = match words {
        [address] => (address, Path::new(PAGE).join("oembed")),
        [address, out] => (address, PathBuf::from(out)),
        _ => return Err(wrong("oembed wants the page's address".to_owned())),
    };
    let base = base(address).map_err(wrong)?;
    fs::create_dir_all(&out).map_err(|error| failed(&out, &error))?;
    let lessons = read_all(Path::new(LESSONS))?.lessons;
    for lesson in lessons.iter().map(|written| &written.lesson) {
        for lang in Lang::ALL {
            let name = format!("{}.{}", lesson.id, lang.tag());
            for (kind, text) in [
                ("json", oembed_json(lesson, lang, &base)),
                ("html", oembed_page(lesson, lang, &base)),
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
    serde_json::json!({
        "version": "1.0",
        "type": "rich",
        "provider_name": "Interleave",
        "provider_url": base,
        "title": recipe.title,
        "html": recipe.frame(lang),
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

    fn out(name: &str) -> PathBuf {
        let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp").join(name);
        let _ = fs::remove_dir_all(&out);
        out
    }

    #[test]
    fn a_package_has_its_frame_and_its_manifest() {
        let out = out("scorm");
        let folder = out.display().to_string();
        let words =
            ["--base", "https://x.example/r", "--lesson", "oversell", "--query", "tabs=break"];
        assert_eq!(packages(&[&words[..], &[&folder]].concat()), Ok(true));
        let bytes = fs::read(out.join("oversell-scorm12.zip")).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("<title>Oversell</title>"));
        let frame =
            "data-frame=\"https://x.example/r/embed/index.html?tabs=break#lesson=oversell\"";
        assert!(text.contains(frame));
        let bytes = fs::read(out.join("oversell-xapi.zip")).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains("<launch lang=\"en\">embed/xapi.html"));
        for wrong in [
            &["--base", "x"][..],
            &["--lesson", "nope"],
            &["--query", "tabs=nope"],
            &["--lang", "xx"],
            &["--nope"],
            &["--base"],
        ] {
            assert!(packages(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn oembed_names_the_frame_and_the_page_names_it() {
        let out = out("oembed");
        let folder = out.display().to_string();
        assert_eq!(oembed(&["https://x.example/r/", &folder]), Ok(true));
        let json = fs::read_to_string(out.join("lost-update.zh.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((json["version"].as_str(), json["type"].as_str()), (Some("1.0"), Some("rich")));
        let frame = json["html"].as_str().unwrap_or_default();
        let address = "src=\"https://x.example/r/embed/index.html?lang=zh#lesson=lost-update\"";
        assert!(frame.contains(address), "{frame}");
        let page = fs::read_to_string(out.join("lost-update.en.html")).unwrap();
        assert!(page.contains("href=\"https://x.example/r/oembed/lost-update.en.json\""), "{page}");
        assert!(page.contains("url=../#lesson=lost-update&amp;lang=en"), "{page}");
        assert!(oembed(&["ftp://x"]).is_err());
    }
}
