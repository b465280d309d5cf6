//! Results without a server: a learner's code, the page of a class, progress as a file.

use super::*;
use crate::app::input::{ClassInput, Unread};
use crate::view::class::TEXT_MAX;
use crate::view::class::code::{Code, Entry, read};

fn press(tab: &mut Tab, input: ClassInput) {
    tab.press(Input::Class(input));
}

/// The code that the dialog shows.
fn code(tab: &Tab) -> Code {
    let link = tab.shell.result().unwrap().link;
    assert!(link.starts_with("http://here/#page=class&result=IL1."), "{link}");
    read(&Link::parse(link.split_once('#').unwrap().1).result.unwrap()).unwrap()
}

fn saved(tab: &mut Tab, file: &str) -> Vec<u8> {
    let saved = tab.news().into_iter().find_map(|effect| match effect {
        Effect::Save { name, bytes, .. } if name == file => Some(bytes),
        _ => None,
    });
    saved.unwrap()
}

/// A list of two lessons, in which the real one comes last.
fn with_list(tab: &mut Tab) {
    let card = |id: &str| {
        format!(
            r#"{{"id":"{id}","title":{{"en":"{id} en","zh":"{id} zh"}},"goal":{{"en":[],"zh":[]}},
            "minutes":5,"variants":1,"parts":["situation","watch","break","find","fix","review"]}}"#
        )
    };
    let lessons = [card("redlock"), card("lost-update")].join(",");
    let both = r#"{"en":"","zh":""}"#;
    let text = format!(
        r#"{{"format":{FORMAT},"starts":[],
        "chapters":[{{"title":{both},"about":{both},"lessons":[{lessons}]}}]}}"#
    );
    tab.hear(Event::Loaded(Wanted::Index, Ok(text)));
}

#[test]
fn the_end_of_a_lesson_gives_a_code_of_what_was_reached() {
    STORED.with_borrow_mut(|all| {
        all.insert(
            "progress.lost-update".to_owned(),
            "read watched predicted=50 best=4".to_owned(),
        );
        all.insert("progress.redlock".to_owned(), "read fixed".to_owned());
    });
    let mut tab = Tab::open("#lesson=lost-update&mode=review&lang=en");
    with_list(&mut tab);
    press(&mut tab, ClassInput::Result(true));
    assert!(tab.shell.is_open(Window::Result));
    press(&mut tab, ClassInput::Name("李明 Ann".to_owned()));
    let goals = vec![Mode::Watch, Mode::Break, Mode::Fix, Mode::Review];
    let of = |lesson: &str, reached: &[Mode], score| Entry {
        lesson: lesson.to_owned(),
        goals: goals.clone(),
        reached: reached.to_vec(),
        score,
    };
    let mine = of("lost-update", &[Mode::Watch, Mode::Break], 37);
    let expected = Code {
        name: "李明 Ann".to_owned(),
        day: "2026-11-28".to_owned(),
        lessons: vec![mine.clone()],
    };
    assert_eq!(code(&tab), expected);
    assert_eq!(tab.shell.result().unwrap().all, Some((2, false)));
    // Questions that are answered count at once, as far as they are right.
    let quizzes = tab.shell.lesson.run.session.as_ref().unwrap().lesson().quizzes.clone();
    for (at, quiz) in quizzes.iter().enumerate() {
        for choice in &quiz.right {
            tab.press(Input::Tick(at, *choice));
        }
        tab.press(Input::GiveAnswer(at));
        let share = 100 * (at as u32 + 1) / quizzes.len() as u32;
        assert_eq!(code(&tab).lessons[0].score, (50 + 100 + share) / 4);
    }
    press(&mut tab, ClassInput::All(true));
    let all = code(&tab).lessons;
    assert_eq!(all[1], of("redlock", &[Mode::Fix], 25));
    assert_eq!(all[0], of("lost-update", &[Mode::Watch, Mode::Break, Mode::Review], 62));
    press(&mut tab, ClassInput::Copy);
    let copied = tab.news().into_iter().find_map(|effect| match effect {
        Effect::Copy("result", text) => Some(text),
        _ => None,
    });
    assert_eq!(copied, tab.shell.result().map(|view| view.link));
    // In the next visit the name is there, and what was answered still counts.
    let mut tab = Tab::open("#lesson=lost-update&mode=review&lang=en");
    press(&mut tab, ClassInput::Result(true));
    assert_eq!((code(&tab).name.as_str(), code(&tab).lessons[0].score), ("李明 Ann", 62));
}

#[test]
fn a_course_page_has_no_codes() {
    let mut tab = Tab::asked("#lesson=lost-update&mode=review", "?embed");
    press(&mut tab, ClassInput::Result(true));
    assert!(!tab.shell.is_open(Window::Result));
}

#[test]
fn links_of_a_class_become_a_table() {
    let entry = |score| Entry {
        lesson: "lost-update".to_owned(),
        goals: vec![Mode::Watch],
        reached: vec![Mode::Watch],
        score,
    };
    let code = |name: &str, score| {
        let (name, day) = (name.to_owned(), "2026-11-28".to_owned());
        Code { name, day, lessons: vec![entry(score)] }.write()
    };
    let (ann, bo) = (code("Ann", 50), code("Bo", 100));
    let mut tab = Tab::open(&format!("#page=class&result={bo}&lang=en"));
    with_list(&mut tab);
    let names = |tab: &Tab| -> Vec<String> {
        tab.shell.class_table().rows.into_iter().map(|row| row.name).collect()
    };
    assert_eq!(names(&tab), ["Bo"]);
    // What a student wrote is no part of the teacher's address.
    assert_eq!(fragment(), "#page=class&lang=en");
    // A second link in the same tab adds to the first; again, it adds nothing.
    for _ in 0..2 {
        FRAGMENT.set(format!("#page=class&result={ann}"));
        tab.hear(Event::Moved);
    }
    assert_eq!(names(&tab), ["Ann", "Bo"]);
    assert_eq!(tab.shell.class.text, format!("{bo}\n{ann}\n"));
    tab.news();
    press(&mut tab, ClassInput::SaveCsv);
    let csv = String::from_utf8(saved(&mut tab, "class.csv")).unwrap();
    let lines = "Ann,2026-11-28,50,Watch\r\nBo,2026-11-28,100,Watch\r\n";
    let head = "Name,Day,lost-update en (%),lost-update en: goals reached\r\n";
    assert_eq!(csv, format!("\u{feff}{head}{lines}"));
    let long = "é".repeat(TEXT_MAX);
    press(&mut tab, ClassInput::Text(long));
    assert!(tab.shell.class.is_cut && tab.shell.class.text.len() <= TEXT_MAX);
    press(&mut tab, ClassInput::Text(String::new()));
    assert!(names(&tab).is_empty() && !tab.shell.class.is_cut);
}

#[test]
fn progress_that_is_opened_is_added_to_what_is_there() {
    STORED.with_borrow_mut(|all| {
        all.insert("progress.lost-update".to_owned(), "watched best=4 right=50".to_owned());
    });
    let mut tab = Tab::open("#page=progress&lang=en");
    with_list(&mut tab);
    tab.news();
    press(&mut tab, ClassInput::SaveProgress);
    let file = saved(&mut tab, "interleave-progress.json");
    // In another browser, which has got further in one thing.
    let other = [("progress.lost-update", "fixed best=6"), ("progress.redlock", "read")];
    STORED.with_borrow_mut(|all| {
        *all = other.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    });
    let open = |tab: &mut Tab, file: Result<Vec<u8>, Unread>| {
        press(tab, ClassInput::OpenProgress("mine.json".to_owned(), file));
        tab.shell.progress_opened().unwrap()
    };
    let (text, is_opened) = open(&mut tab, Ok(file.clone()));
    assert!(is_opened && text.contains("1 lesson; 1 of them"), "{text}");
    let stored = |id: &str| Memory.get(&format!("progress.{id}"));
    assert_eq!(stored("lost-update").as_deref(), Some("watched fixed best=4 right=50"));
    assert_eq!(stored("redlock").as_deref(), Some("read"));
    let scores: Vec<(String, u32)> =
        tab.shell.results().into_iter().map(|(title, entry)| (title, entry.score)).collect();
    let expected = [("redlock en", 0), ("lost-update en", 87)];
    assert_eq!(scores, expected.map(|(title, score)| (title.to_owned(), score)));
    // Again, it is nothing new; and what is no such file changes nothing, and says so.
    assert!(open(&mut tab, Ok(file.clone())).0.contains("1 lesson; 0 of them"));
    for file in [Ok(b"PK".to_vec()), Err(Unread::TooBig), Err(Unread::Failed("away".to_owned()))] {
        let (text, is_opened) = open(&mut tab, file);
        assert!(!is_opened && text.contains("mine.json"), "{text}");
    }
    assert_eq!(stored("lost-update").as_deref(), Some("watched fixed best=4 right=50"));
    // A browser that stores nothing.
    STORED.with_borrow_mut(BTreeMap::clear);
    IS_FULL.set(true);
    let (text, is_opened) = open(&mut tab, Ok(file));
    assert!(!is_opened && text.contains("could not be added"), "{text}");
}
