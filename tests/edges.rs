//! What a stranger may hand the page: the address of a link, the text of a draft, a file or folder
//! with a lesson. Nothing panics; what opens is shown at every step, and can be written and read
//! again. The body of the fuzz targets `links`, `drafts` and `folders`, and of bounded tests.
//!
//! What takes too long or too much memory is for the fuzzer to say (`-timeout`, `-rss_limit_mb`).

use std::path::{Path, PathBuf};
use std::rc::Rc;

use interleave::app::run::{Outside, RunState};
use interleave::app::stage::Hint;
use interleave::lesson::source::{Files, compile, read_all};
use interleave::lesson::{Lesson, OWN};
use interleave::playground::{Definition, folder};
use interleave::session::link::Link;
use interleave::session::mode::Mode;
use interleave::session::{Msg, Session};
use interleave::text::Lang;
use interleave::view::embed::Embed;

/// The lesson of a link that names none.
const FIRST: &str = "lost-update";

fn lesson(id: &str) -> Option<Lesson> {
    thread_local! {
        static LESSONS: Vec<Lesson> = lessons();
    }
    LESSONS.with(|lessons| lessons.iter().find(|one| one.id == id).cloned())
}

fn course() -> PathBuf {
    // The fuzzer's package stands in a folder of the page's.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = folders.map(|one| one.join("static/lessons"));
    folders.find(|one| one.is_dir()).expect("the lessons")
}

fn lessons() -> Vec<Lesson> {
    let course = read_all(&course()).expect("lessons without a mistake");
    course.lessons.into_iter().map(|written| written.lesson).collect()
}

/// Looks at what was opened as a reader does: where it stands, at the end, a step back, and at what
/// each client would do next.
fn look(session: Session, lang: Lang) {
    let is_own = session.lesson().id == OWN;
    let mut run = RunState::new(String::new());
    run.session = Some(session);
    let (hint, best, outlook) = (Hint::Offered, None, None);
    let passes = None;
    let outside = Outside { lang, calm: false, is_own, hint, best, passes, outlook };
    run.refresh(&outside);
    let steps = run.session.as_ref().map_or(0, |one| one.timeline().len());
    // Whatever a link asks for, a story is that of its lesson.
    if let Some(one) = run.session.as_ref().filter(|one| one.mode() == Mode::Watch) {
        assert_eq!(one.timeline().schedule(), one.lesson().walks[one.walk()].schedule);
    }
    let ids = run.session.iter().flat_map(|one| one.timeline().world().ids()).take(4);
    let turns: Vec<Msg> = ids.map(Msg::Step).collect();
    let seen = [Msg::Seek(steps), Msg::Back, Msg::Back, Msg::Forward, Msg::Seek(0), Msg::Forward];
    for msg in seen.into_iter().chain(turns) {
        if let Some(session) = &mut run.session {
            session.update(msg);
        }
        run.refresh(&outside);
    }
    let Some(session) = run.session else { return };
    let (written, _) = session.link(lang).write_within();
    let read = Link::parse(&written);
    assert_eq!(read.schedule, session.link(lang).schedule, "{written}");
}

/// A fragment of an address.
pub fn link(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let link = Link::parse(text);
    let again = Link::parse(&link.write());
    assert_eq!(again, link, "read, written and read again");
    let lang = link.lang.as_deref().and_then(Lang::from_tag).unwrap_or(Lang::En);
    if let Some(lesson) = lesson(link.lesson.as_deref().unwrap_or(FIRST))
        && let Ok((session, notices)) = Session::open(Rc::new(lesson), &link)
    {
        for notice in notices {
            assert!(!notice.text(lang, &session).is_empty());
        }
        look(session, lang);
    }
    if let Some(scenario) = &link.scenario
        && let Ok(own) = Definition::unpack(scenario)
    {
        opened(&own, &link);
    }
    if let Some((embed, _)) = Embed::parse(text) {
        embed.write();
    }
}

/// The text of a draft, or of a file with a scenario.
pub fn draft(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(own) = Definition::read(text, "") {
        opened(&own, &Link::default());
    }
}

fn opened(own: &Definition, link: &Link) {
    let again = Definition::read(&own.write(), "").expect("what was written is read");
    assert_eq!(again, *own);
    assert_eq!(Definition::unpack(&own.pack()).expect("what was packed is read"), *own);
    match own.lesson() {
        Ok(lesson) => {
            let (session, _) = Session::open(Rc::new(lesson), link).expect("what is fine runs");
            look(session, Lang::En);
        }
        Err(mistakes) => {
            for mistake in mistakes {
                assert!(!mistake.text(own, Lang::Zh).is_empty());
            }
        }
    }
}

/// A file that is opened: what begins as a zip file or as JSON is one, anything else is a folder,
/// its files after each other, each begun by a line `== NAME`.
pub fn files(input: &[u8]) {
    let (own, shown) = match std::str::from_utf8(input) {
        Ok(text) if text.starts_with("== ") => {
            let mut files = Files::new();
            for part in text.split("== ").skip(1).take(20) {
                let (name, content) = part.split_once('\n').unwrap_or((part, ""));
                files.insert(name.to_owned(), content.to_owned());
            }
            // An author's tool reads the same folder.
            if let Ok(lesson) = compile("own", "own", &files)
                && let Ok((session, _)) = Session::open(Rc::new(lesson), &Link::default())
            {
                look(session, Lang::En);
            }
            (folder::read(&files.into_iter().collect(), "own", Lang::En, &[]), "own")
        }
        _ => (folder::open("own.zip", input, Lang::En), "own.zip"),
    };
    match own {
        Ok((own, _)) => opened(&own, &Link::default()),
        Err(mistakes) => assert!(!mistakes.is_empty(), "{shown}: refused without a word"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// What is put into a text somewhere: what a number, a name or a line can be at its worst.
    const PIECES: &[&str] = &[
        "",
        "0",
        "-1",
        "1",
        "255",
        "65536",
        "4294967296",
        "18446744073709551616",
        "1e400",
        "nan",
        "\"",
        "{",
        "}",
        "[",
        "]",
        "&",
        "=",
        "%",
        "%00",
        "%ff",
        "%F0%9F%A6%80",
        "\u{202e}",
        "\n",
        ".",
        ".A1",
        ".B1.",
        ".c1-",
        "c1-SETRANGE_big_16000000_x",
        "c1-SETBIT_big_4294967295_1",
        "c1-LCS_big_big_IDX",
        "c1-EVAL_'while true do end'_0",
        "c1-MULTI",
        "c1-SUBSCRIBE_x",
        "A-crash",
        "A-pause",
        "pause-A",
        "tick",
        "T",
        "+1000",
        "lesson=redlock",
        "variant=",
        "mode=find",
        "walk=",
        "step=9999999",
        "compare=A1.B1",
        "beside=naive",
        "wire=1",
        "lang=zh",
        "\"clients\":[]",
        "\"programs\":[]",
        "\"nodes\":999",
        "null",
        "true",
        "while true do end",
        "string.rep('x', 1e9)",
        "redis.call('BLPOP', 'x', 0)",
    ];

    /// `text`, changed in one to four places.
    fn spoilt(text: &str, rng: &mut ChaCha8Rng) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..rng.random_range(1..5) {
            let at = rng.random_range(0..chars.len() + 1);
            let end = (at + rng.random_range(0..8)).min(chars.len());
            let piece = PIECES[rng.random_range(0..PIECES.len())].chars();
            let piece: Vec<char> = match rng.random_range(0..3) {
                0 => Vec::new(),
                1 => chars[at..end].to_vec(),
                _ => piece.collect(),
            };
            let end = if rng.random() { end } else { at };
            chars.splice(at..end, piece);
        }
        chars.into_iter().collect()
    }

    fn each_spoilt(texts: &[String], rounds: usize, seed: u64, open: impl Fn(&[u8])) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for text in texts {
            open(text.as_bytes());
        }
        for _ in 0..rounds {
            let text = &texts[rng.random_range(0..texts.len())];
            open(spoilt(text, &mut rng).as_bytes());
        }
    }

    #[test]
    fn any_link_opens_or_is_refused() {
        let of = |lesson: &Lesson| -> Vec<String> {
            let variant = |at: usize| lesson.variants[at].id.clone();
            let link = |(walk, mode): (&interleave::lesson::Walk, &str)| Link {
                lesson: Some(lesson.id.clone()),
                variant: Some(variant(walk.variant)),
                mode: Some(mode.to_owned()),
                schedule: Some(walk.schedule.clone()),
                ..Link::default()
            };
            lesson.walks.iter().zip(["schedule", "watch"]).map(|one| link(one).write()).collect()
        };
        let links: Vec<String> = lessons().iter().flat_map(of).collect();
        each_spoilt(&links, 400, 1, link);
    }

    #[test]
    fn any_draft_opens_or_is_refused() {
        let own =
            |lesson: &Lesson| Definition::of_lesson(lesson, 0, Lang::En).map(|own| own.write());
        let mut drafts: Vec<String> = lessons().iter().filter_map(own).collect();
        drafts.push(Definition::first().write());
        each_spoilt(&drafts, 300, 2, draft);
    }

    #[test]
    fn any_folder_opens_or_is_refused() {
        let text_of = |folder: &Path| {
            let mut text = String::new();
            for file in fs::read_dir(folder).expect("a folder") {
                let file = file.expect("a file").path();
                if let (Some(name), Ok(content)) = (file.file_name(), fs::read_to_string(&file)) {
                    text += &format!("== {}\n{content}\n", name.to_string_lossy());
                }
            }
            text
        };
        let folders =
            ["lost-update", "owner-token", "redlock"].map(|id| text_of(&course().join(id)));
        each_spoilt(&folders, 200, 3, super::files);
        let zipped = |lesson: &Lesson| Definition::of_lesson(lesson, 0, Lang::En);
        let zips = lessons();
        let zips = zips.iter().filter_map(zipped).map(|own| folder::write_zip(&own));
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for zip in zips {
            super::files(&zip);
            for _ in 0..10 {
                let mut zip = zip.clone();
                for _ in 0..rng.random_range(1..6) {
                    let at = rng.random_range(0..zip.len());
                    zip[at] = rng.random();
                }
                super::files(&zip);
            }
        }
    }
}
