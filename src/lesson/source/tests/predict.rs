//! The stops of stories: what is asked, and that the answers come from the orders themselves.

use super::super::predict::{Met, stop};
use crate::lesson::source::read_folder;
use crate::lesson::{Lesson, Stop};
use crate::sim::{Timeline, schedule};
use std::rc::Rc;

fn lessons() -> Vec<Lesson> {
    let folders = std::fs::read_dir("static/lessons").unwrap();
    let folders = folders.map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> =
        folders.filter(|folder| folder.join("lesson.toml").exists()).collect();
    folders.sort();
    folders.iter().map(|folder| read_folder(folder).unwrap()).collect()
}

fn told(lesson: &Lesson, walk: usize) -> Timeline {
    let walk = &lesson.walks[walk];
    let scenario = lesson.scenario(walk.variant).unwrap();
    let mut timeline = Timeline::start(Rc::new(scenario)).unwrap();
    schedule::play(&mut timeline, &walk.schedule).unwrap();
    timeline
}

#[test]
fn every_lesson_with_a_story_asks_and_the_step_gives_the_answer() {
    let mut silent = Vec::new();
    for lesson in lessons().iter().filter(|lesson| !lesson.walks.is_empty()) {
        let stops: Vec<(usize, &Stop)> = lesson
            .walks
            .iter()
            .enumerate()
            .filter_map(|(walk, told)| Some((walk, told.stop.as_ref()?)))
            .collect();
        if stops.is_empty() {
            silent.push(lesson.id.clone());
        }
        for (walk, stop) in stops {
            let name = format!("{}/{}", lesson.id, lesson.walks[walk].id);
            assert!((2..=5).contains(&stop.choices.len()), "{name}: {:?}", stop.choices);
            let mut once = stop.choices.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), stop.choices.len(), "{name}: {:?}", stop.choices);
            // Read off the run itself, another way than the choices were made.
            let timeline = told(lesson, walk);
            let frame = &timeline.frames()[stop.step];
            let given = match &stop.asked.key {
                Some(key) => {
                    let entries = frame.world.redis().entries(0, frame.world.now_ms());
                    let entry = entries.into_iter().find(|entry| *entry.key == *key.as_bytes());
                    entry.map_or("(nil)".to_owned(), |entry| match entry.value {
                        crate::engine::EntryValue::Str(value) => {
                            String::from_utf8_lossy(&value).into_owned()
                        }
                        other => panic!("{name}: {other:?}"),
                    })
                }
                None => {
                    let short = frame.seen.event.executed().unwrap().2.unwrap().to_cli_short();
                    // Of entries, [["job", [["1-1", ["state", "done"]]]]], the ids.
                    let ids = short.split("[\"").skip(2).step_by(2);
                    let ids: Vec<&str> = ids.filter_map(|id| id.split('"').next()).collect();
                    if stop.asked.command.starts_with("XREAD") && !ids.is_empty() {
                        ids.join(", ")
                    } else {
                        short
                    }
                }
            };
            assert_eq!(stop.choices[stop.right], given, "{name}");
        }
    }
    assert!(silent.is_empty(), "these ask nothing: {silent:?}");
}

#[test]
fn every_choice_is_what_some_order_gives() {
    let lesson = lessons().into_iter().find(|lesson| lesson.id == "lost-update").unwrap();
    // All six orders, played out.
    let (mut open, mut values) = (vec![told(&lesson, 0)], Vec::new());
    open[0].reset();
    while let Some(timeline) = open.pop() {
        let entries = timeline.world().redis().entries(0, 0);
        values.extend(entries.into_iter().map(|entry| format!("{:?}", entry.value)));
        for action in timeline.world().enabled() {
            let mut next = timeline.clone();
            next.step(action).unwrap();
            open.push(next);
        }
    }
    values.sort();
    values.dedup();
    let story = told(&lesson, 0);
    let stop = stop(&story, &Met::from(&story.frames()[0].world)).unwrap();
    assert_eq!(stop.choices, ["10", "20", "30"]);
    assert_eq!(values.len(), stop.choices.len(), "{values:?}");
}
