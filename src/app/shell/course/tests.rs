use std::path::Path;

use super::*;
use crate::lesson::source::read_folder;
use crate::view::embed::goal::Question;
use crate::view::embed::message::{goal, hear};
use crate::view::learn::review::Answered;

/// A lesson's session as a link opens it.
fn open(fragment: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/lost-update");
    let lesson = Rc::new(read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}")));
    Session::open(lesson, &Link::parse(fragment)).expect("a lesson that runs").0
}

/// What a `goal` says, a later `resume` says again; and a platform's stored text may be anything.
#[test]
fn another_visit_goes_on_where_one_left() {
    let mut session = open("mode=watch&walk=lost");
    let lesson = session.lesson().clone();
    let (step, right) = session.stop().map(|(stop, _)| (stop.step, stop.right)).expect("a stop");
    session.update(Msg::Seek(step - 1));
    session.update(Msg::Foretell(right));
    let mut answers = Answers::new(&lesson);
    answers.tick(&lesson, 0, lesson.quizzes[0].right[0]);
    let quiz = format!("review.{}", lesson.quizzes[0].id);
    let met = questions(&session, &answers);
    let one = |id: &str, choice: usize| Question {
        id: id.to_owned(),
        answer: Some(vec![choice]),
        right: true,
    };
    assert_eq!(met, [one("watch.lost", right), one(&quiz, lesson.quizzes[0].right[0])]);
    let done = Progress::read("watched best=4");
    let (embed, _) = Embed::parse("embed").expect("it says embed");
    let score =
        Score { questions: met.clone(), ..score(&embed, &session, done, Answered::default()) };
    let said = goal(&session, &score).to_string().replace("\"goal\"", "\"resume\"");
    let Some(Ok(Command::Resume(kept))) = hear(&said).map(|heard| heard.command) else {
        panic!("{said}")
    };
    assert_eq!((&*kept.lesson, kept.progress), ("lost-update", done));
    let recalled = |kept: &Kept| {
        let mut session = open("");
        let mut answers = Answers::new(&lesson);
        recall(&mut session, &mut answers, kept);
        questions(&session, &answers)
    };
    assert_eq!(recalled(&kept), met);
    // What the lesson does not have is nothing.
    let quiz_of = |choices: Vec<usize>| (quiz.clone(), Some(choices));
    let strange = [
        ("watch.nope".to_owned(), None),
        ("watch.lost".to_owned(), Some(vec![99])),
        ("watch.lost".to_owned(), Some(vec![0, 1])),
        ("lost".to_owned(), None),
        (quiz.clone(), None),
        quiz_of(vec![]),
        quiz_of(vec![usize::MAX]),
    ];
    for question in strange {
        let kept = Kept { questions: vec![question.clone()], ..(*kept).clone() };
        assert_eq!(recalled(&kept), [], "{question:?}");
    }
}
