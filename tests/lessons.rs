//! The lessons as they stand in static/lessons: each claim is computed over all schedules, and the
//! two languages tell of the same things.

use std::path::Path;

use interleave::check::report;
use interleave::lesson::Lesson;
use interleave::lesson::source::read_all;

fn lessons() -> Vec<Lesson> {
    read("static/lessons")
}

fn read(folder: &str) -> Vec<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (_, lessons) = read_all(&folder).unwrap_or_else(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"));
    });
    lessons
}

#[test]
fn every_verdict_is_as_claimed() {
    for lesson in lessons().into_iter().chain(read("tests/scenarios")) {
        for variant in 0..lesson.variants.len() {
            let (text, agreed) = report(&lesson, variant);
            assert!(agreed, "{text}");
        }
    }
}

#[test]
fn every_variant_has_a_story_and_a_claim_that_could_fail() {
    for lesson in lessons() {
        for (number, variant) in lesson.variants.iter().enumerate() {
            let name = format!("{}/{}", lesson.id, variant.id);
            assert!(lesson.walk_of(number).is_some(), "{name}: no story tells of it");
            assert!(!variant.about.en.is_empty() && !variant.about.zh.is_empty(), "{name}: about");
        }
        // A lesson in which nothing can go wrong teaches nothing.
        let claims = lesson.variants.iter().flat_map(|variant| &variant.claims);
        assert!(claims.clone().any(|claim| !claim.holds), "{}: nothing breaks", lesson.id);
        assert!(claims.clone().any(|claim| claim.holds), "{}: nothing holds", lesson.id);
    }
}

#[test]
fn a_wrong_claim_is_found_out() {
    let mut lesson = lessons().remove(0);
    let claim = &mut lesson.variants[0].claims[0];
    claim.holds = !claim.holds;
    let (text, agreed) = report(&lesson, 0);
    assert!(!agreed && text.contains('≠'), "{text}");
}
