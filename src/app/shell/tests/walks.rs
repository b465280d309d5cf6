//! Every lesson, walked without a browser: its exercise, its questions, its variants to their ends.
//!
//! A fault that lies in a lesson's data is found here, or in tests/lessons.rs, which grades every
//! answer. That the page draws what is walked here is for tests/browser, in a few lessons.

use std::sync::OnceLock;

use super::*;
use crate::lesson::grade::grade;
use crate::lesson::source::read_all;
use crate::lesson::{Lesson, Quiz};
use crate::session::RUN_STEPS_MAX;
use crate::session::progress::LINE;
use crate::sim::{Kind, Limits};
use crate::view::learn::review::review;
use crate::view::stage::readings::LUA;

fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| {
        let course = read_all(Path::new("static/lessons")).unwrap();
        course.lessons.into_iter().map(|written| written.lesson).collect()
    })
}

#[test]
fn every_exercise_begins_with_a_program_that_breaks() {
    let mut count = 0;
    for lesson in lessons() {
        let Some(exercise) = &lesson.exercise else { continue };
        let tab = Tab::open(&format!("#lesson={}&mode=fix&lang=en", lesson.id));
        let draft = tab.shell.lesson.exercise.fix.draft();
        assert_eq!(draft, exercise.starter, "{}", lesson.id);
        let graded = grade(lesson, draft, Limits::default()).unwrap();
        assert_eq!(graded.is_solved(), Some(false), "{}", lesson.id);
        count += 1;
    }
    assert!(count > 30, "{count} exercises");
}

/// After a story comes the challenge where there is one; no part is left out, none comes twice.
#[test]
fn the_way_on_leads_through_the_parts_in_their_order() {
    for lesson in lessons().iter().filter(|lesson| lesson.guide.is_none()) {
        let parts: Vec<Mode> = LINE.into_iter().filter(|part| part.is_in(lesson)).collect();
        let Some(first) = parts.first() else { continue };
        let mut tab = Tab::open(&format!("#lesson={}&mode={}&lang=en", lesson.id, first.id()));
        let mut walked = vec![*first];
        while let Some(Goal::Part(part)) = tab.shell.onward().map(|one| one.to) {
            tab.press(Input::Onward);
            assert_eq!(tab.shell.lesson.run.session.as_ref().unwrap().mode(), part);
            walked.push(part);
            assert!(walked.len() <= parts.len(), "{}: {walked:?}", lesson.id);
        }
        assert_eq!(walked, parts, "{}", lesson.id);
    }
}

#[test]
fn every_question_takes_the_right_answer_and_no_other() {
    let mut count = 0;
    for lesson in lessons() {
        let mut tab = Tab::open(&format!("#lesson={}&mode=review&lang=en", lesson.id));
        let shown = |tab: &Tab| {
            let quizzes = review(lesson, &tab.shell.lesson.review.answers, LUA, Lang::En).quizzes;
            assert_eq!(quizzes.len(), lesson.quizzes.len());
            lesson.quizzes.iter().zip(quizzes)
        };
        let wrong = |quiz: &Quiz| {
            let wrong = (0..quiz.choices.len()).filter(|at| !quiz.right.contains(at));
            wrong.take(if quiz.several { usize::MAX } else { 1 }).collect::<Vec<usize>>()
        };
        for (number, quiz) in lesson.quizzes.iter().enumerate() {
            answer(&mut tab, number, &wrong(quiz), quiz.several);
        }
        for (number, (quiz, view)) in shown(&tab).enumerate() {
            let name = format!("{}/{}", lesson.id, quiz.id);
            assert_eq!(view.choices.len(), quiz.choices.len(), "{name}");
            let steps = quiz.schedule.split('.').filter(|step| !step.is_empty()).count();
            assert_eq!(view.said.len(), steps, "{name}");
            // Where several can be right, it may be all of them, or none.
            let wrong = wrong(quiz);
            assert!(!wrong.is_empty() || quiz.several, "{name}: nothing is wrong");
            if !wrong.is_empty() {
                assert!(view.done && !view.is_right, "{name}: {wrong:?} is taken for right");
            }
            tab.press(Input::AnswerAgain(number));
        }
        for (number, quiz) in lesson.quizzes.iter().enumerate() {
            answer(&mut tab, number, &quiz.right, quiz.several);
        }
        for (quiz, view) in shown(&tab) {
            let name = format!("{}/{}", lesson.id, quiz.id);
            assert!(view.is_right && !view.explanation.is_empty(), "{name}");
            count += 1;
        }
    }
    assert!(count > 100, "{count} questions");
}

/// Ticks choices of a question; one alone is the answer at once.
fn answer(tab: &mut Tab, quiz: usize, choices: &[usize], several: bool) {
    for choice in choices {
        tab.press(Input::Tick(quiz, *choice));
    }
    if several {
        tab.press(Input::GiveAnswer(quiz));
    }
}

#[test]
fn every_variant_can_be_run_to_its_end() {
    let mut count = 0;
    for lesson in lessons() {
        for variant in &lesson.variants {
            let name = format!("{}/{}", lesson.id, variant.id);
            let link =
                format!("#lesson={}&variant={}&mode=schedule&lang=en", lesson.id, variant.id);
            let mut tab = Tab::open(&link);
            tab.press(Input::Random);
            while tab.shell.lesson.run.session.as_ref().unwrap().is_under_way() {
                tab.hear(Event::Time(Timer::GoOn));
            }
            let timeline = tab.shell.lesson.run.session.as_ref().unwrap().timeline();
            assert!(!timeline.is_empty(), "{name}: nothing happens");
            // A client that waits for a lock that is never freed waits without an end; a program
            // that goes on without one is left after so many steps.
            let is_stuck = variant.claims.iter().any(|claim| {
                !claim.holds && lesson.properties[claim.property].kind == Kind::Eventually
            });
            let is_over = timeline.world().clients().iter().all(|one| one.is_over());
            let ends = is_stuck || is_over || timeline.len() >= RUN_STEPS_MAX;
            assert!(ends, "{name} does not end: {}", timeline.schedule());
            count += 1;
        }
    }
    assert!(count > 150, "{count} variants");
}

/// Links are in slides and notes of others: what was split off is still found by them.
#[test]
fn a_link_to_a_variant_that_has_moved_leads_to_its_new_lesson() {
    let mut count = 0;
    for (lesson, moved) in
        lessons().iter().flat_map(|one| one.moved.iter().map(move |to| (one, to)))
    {
        let tab = Tab::open(&format!("#lesson={}&variant={}&lang=en", lesson.id, moved.variant));
        let session = tab.shell.lesson.run.session.as_ref().unwrap();
        let variant = &session.lesson().variants[session.variant()];
        assert_eq!((&session.lesson().id, &variant.id), (&moved.lesson, &moved.to));
        assert_eq!(tab.shell.banners, []);
        let now = format!("#lesson={}&variant={}&", moved.lesson, moved.to);
        assert!(fragment().starts_with(&now), "{}", fragment());
        count += 1;
    }
    assert!(count >= 8, "{count} variants");
    // With its story and step, also from a page that is open.
    let link = "#lesson=cache-aside&variant=lease&mode=watch&walk=lease-gone&step=3&lang=en";
    let mut tab = Tab::open("#lesson=cache-aside&lang=en");
    FRAGMENT.set(link.to_owned());
    tab.hear(Event::Moved);
    let session = tab.shell.lesson.run.session.as_ref().unwrap();
    assert_eq!((session.timeline().cursor(), &tab.shell.banners[..]), (3, &[][..]));
    assert_eq!(fragment(), link.replace("cache-aside", "cache-fill"));
    // A story that is not there is told.
    let tab = Tab::open("#lesson=once-per-user&variant=retry&mode=watch&walk=lost-mark&lang=en");
    assert_eq!(tab.shell.banners.len(), 1, "{:?}", tab.shell.banners);
}
