//! The lessons as they stand in static/lessons: no reduction of the search changes an answer, each
//! answer to an exercise is graded, and the two languages tell of the same things. That each claim
//! is what a search over all schedules finds, src/app/search/finding/tests.rs says.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;

use interleave::check::{report, report_answers};
use interleave::lesson::source::{Course, Written, read_all, read_chapters};
use interleave::lesson::{Block, Lesson};
use interleave::sim::{Check, Faults, Kind, Limits, Scenario};
use interleave::text::Lang;
use interleave::view::learn::review::{Answers, review, situation};
use interleave::view::stage::readings::LUA;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> Course {
    read_all(&folder(name)).unwrap_or_else(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"));
    })
}

fn course() -> &'static Course {
    static COURSE: OnceLock<Course> = OnceLock::new();
    COURSE.get_or_init(|| read("static/lessons"))
}

fn lessons() -> impl Iterator<Item = &'static Lesson> {
    course().lessons.iter().map(|written| &written.lesson)
}

/// Does `work` with every item, on as many threads as there are processors; what it returns is a
/// complaint.
fn for_all<T: Sync>(items: &[T], work: impl Fn(&T) -> Option<String> + Sync) {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaint = work(item);
                    complaints.lock().expect("no worker panics").extend(complaint);
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no worker panicked");
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// What a search makes do with less by, each by itself and all together. Where a reduction has
/// nothing to take away, its search would be the one that sees everything, once more.
fn reductions(whole: Limits, scenario: &Scenario) -> Vec<(&'static str, Limits)> {
    // It gives up at once to see everything.
    let few = Limits { plain_max: 2, plain_max_with_faults: 2, ..whole };
    let all = Limits { plain_max: 2, plain_max_with_faults: 2, census: false, ..Limits::default() };
    let (faults, clients) = (scenario.faults.any(), &scenario.clients);
    let eventually = scenario.properties.iter().any(|one| one.kind == Kind::Eventually);
    // Who is exchanged runs the same program.
    let alike = |at: usize| clients[..at].iter().any(|one| one.program == clients[at].program);
    let symmetric = (0..clients.len()).any(alike);
    // Cycles are looked for in the whole graph.
    let is_reduced = faults || !eventually;
    [
        (symmetric, "symmetry", Limits { symmetry: true, ..few }),
        (faults, "budgets", Limits { budgets: true, ..few }),
        (faults, "late faults", Limits { late_faults: true, ..few }),
        (true, "unseen", Limits { unseen: true, ..few }),
        // A fault that may strike at any time commutes with nothing.
        (!faults, "partial order", Limits { partial_order: true, ..few }),
    ]
    .into_iter()
    .filter_map(|(applies, how, limits)| (applies && is_reduced).then_some((how, limits)))
    .chain([("all", all)])
    .collect()
}

/// Complains where a search with less answers otherwise than one that sees everything. Counts the
/// searches that had to make do with less.
fn compare(
    name: &str,
    scenario: &Scenario,
    states_max: u32,
    count: &AtomicUsize,
) -> Option<String> {
    let whole = Limits {
        states_max,
        plain_max: u32::MAX,
        plain_max_with_faults: u32::MAX,
        partial_order: false,
        symmetry: false,
        budgets: false,
        late_faults: false,
        unseen: false,
        census: false,
        // Each order of ids is a search of its own: all of them are tried with all reductions.
        id_orders: false,
        ..Limits::default()
    };
    let found = |limits: Limits| {
        let mut check = Check::new(scenario, limits).expect("it starts");
        check.run();
        check
    };
    let mut full = found(whole);
    if !full.is_complete() {
        return None;
    }
    let length = |trace: &Option<Vec<_>>| trace.as_ref().map(Vec::len);
    for (how, limits) in reductions(whole, scenario) {
        if limits.id_orders {
            full = found(Limits { id_orders: true, ..whole });
            if !full.is_complete() {
                return None;
            }
        }
        let mut reduced = found(limits);
        // A condition that cannot be evaluated ends a search.
        match (full.mistake().is_some(), reduced.mistake().is_some()) {
            (false, false) => {}
            (true, true) => continue,
            // What was decided before is asked no more.
            (true, false) if full.mistaken().is_some_and(|(at, _)| reduced.is_decided(at)) => {
                continue;
            }
            _ => return Some(format!("{name} by {how}: one search names a mistake")),
        }
        if !reduced.is_complete() {
            return Some(format!("{name} by {how}: not complete"));
        }
        count.fetch_add(usize::from(reduced.is_reduced()), Ordering::Relaxed);
        for index in 0..scenario.properties.len() {
            let (full, reduced) = (full.verdict(index), reduced.verdict(index));
            // The same run need not be found of those that go on for ever.
            let same_length = !reduced.is_shortest
                || scenario.properties[index].kind == Kind::Eventually
                || length(&full.trace) == length(&reduced.trace);
            if full.holds != reduced.holds || !same_length {
                return Some(format!("{name} by {how}, property {index}: {full:?}, {reduced:?}"));
            }
        }
        if full.deadlock().is_some() != reduced.deadlock().is_some() {
            return Some(format!("{name} by {how}: deadlock"));
        }
    }
    None
}

fn variants() -> Vec<(&'static Lesson, usize)> {
    let of = |lesson: &'static Lesson| (0..lesson.variants.len()).map(move |at| (lesson, at));
    lessons().flat_map(of).collect()
}

#[test]
fn no_reduction_changes_an_answer() {
    let (variants, count) = (variants(), AtomicUsize::new(0));
    for_all(&variants, |(lesson, variant)| {
        let name = format!("{}/{}", lesson.id, lesson.variants[*variant].id);
        compare(&name, &lesson.scenario(*variant).expect("a scenario"), u32::MAX, &count)
    });
    let count = count.into_inner();
    assert!(count > variants.len(), "only {count} searches had to be reduced");
}

/// The same with more that can go wrong, where that is not too much to see all of it.
#[test]
fn no_reduction_changes_an_answer_with_faults() {
    let states_max = interleave::share(1_500) as u32;
    let (variants, count) = (variants(), AtomicUsize::new(0));
    for_all(&variants, |(lesson, variant)| {
        let name = format!("{}/{}", lesson.id, lesson.variants[*variant].id);
        let mut scenario = lesson.scenario(*variant).expect("a scenario");
        let faults = scenario.faults;
        let few = [
            Faults { crash: 1, jump: 1, jump_ms: 50, ..faults },
            Faults { pause: 1, lose: 1, ..faults },
            Faults { down: 1, restart: 1, ..faults },
            Faults { evict: 1, ..faults },
        ];
        few.into_iter().find_map(|faults| {
            scenario.faults = faults;
            compare(&format!("{name} {faults:?}"), &scenario, states_max, &count)
        })
    });
    let count = count.into_inner();
    assert!(count > variants.len(), "only {count} searches had to be reduced");
}

#[test]
fn every_answer_to_an_exercise_is_graded_as_its_author_says() {
    let lessons: Vec<&Written> = course().lessons.iter().collect();
    for_all(&lessons, |written| {
        let (text, agreed) = report_answers(written);
        (!agreed).then(|| format!("{}\n{text}", written.lesson.id))
    });
}

/// The teacher's tables of anomalies and tools say of each variant what its lesson claims.
#[test]
fn the_teachers_tables_say_what_the_lessons_claim() {
    for paper in ["docs/teaching.md", "docs/zh/teaching.md"] {
        let text = std::fs::read_to_string(folder(paper)).expect("the paper");
        let rows = text.lines().filter(|line| line.starts_with('|'));
        let mut said = 0;
        for part in rows.flat_map(|row| row.split(['|', ';', '；'])) {
            let Some(mark) = part.find(['✓', '✗']) else { continue };
            let mut between = part.split('`').skip(1);
            while let (Some(code), Some(after)) = (between.next(), between.next()) {
                let Some((lesson, variant)) = code.split_once('/') else { continue };
                let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let name = after.trim_start().split(|c| !is_of_name(c)).next().unwrap_or_default();
                let claim = lessons().find(|one| one.id == lesson).and_then(|lesson| {
                    let property = lesson.properties.iter().position(|one| one.id == name)?;
                    let variant = lesson.variants.iter().find(|one| one.id == variant)?;
                    variant.claims.iter().find(|claim| claim.property == property)
                });
                let holds = claim.map(|claim| claim.holds);
                assert_eq!(holds, Some(part[mark..].starts_with('✓')), "{paper}: {code} {name}");
                said += 1;
            }
        }
        assert!(said >= 90, "{paper}: only {said} verdicts");
    }
}

#[test]
fn every_variant_has_a_story_and_a_claim_that_could_fail() {
    for lesson in lessons().filter(|lesson| lesson.guide.is_none()) {
        for (number, variant) in lesson.variants.iter().enumerate() {
            let name = format!("{}/{}", lesson.id, variant.id);
            let is_told = lesson.walk_of(number).is_some() || lesson.is_mixed();
            assert!(is_told, "{name}: no story tells of it");
            assert!(!variant.about.en.is_empty() && !variant.about.zh.is_empty(), "{name}: about");
        }
        // A lesson in which nothing can go wrong teaches nothing.
        let claims = lesson.variants.iter().flat_map(|variant| &variant.claims);
        assert!(claims.clone().any(|claim| !claim.holds), "{}: nothing breaks", lesson.id);
        assert!(claims.clone().any(|claim| claim.holds), "{}: nothing holds", lesson.id);
    }
}

#[test]
fn every_lesson_in_which_something_breaks_is_whole() {
    for written in &course().lessons {
        let lacks = written.lacks();
        assert!(lacks.is_empty(), "{} lacks {}", written.lesson.id, lacks.join(", "));
    }
}

#[test]
fn every_chapter_ends_with_an_exercise_that_shows_its_variants_and_asks_about_them() {
    let listed = read_chapters(&folder("static/lessons")).expect("it is read with the lessons");
    for (listed, chapter) in listed.iter().zip(&course().index.chapters) {
        let Some(card) = &chapter.exercise else {
            assert_eq!(listed.id, "recipes", "only the appendix may be without an exercise");
            continue;
        };
        let lesson = lessons().find(|lesson| lesson.id == card.id).expect("it is compiled");
        assert_eq!(card.parts.first().map(String::as_str), Some("situation"), "{}", card.id);
        let answers = Answers::new(lesson);
        for lang in Lang::ALL {
            let shown = situation(lesson, LUA, lang).programs;
            for variant in &lesson.variants {
                let label = Some(variant.label.get(lang));
                assert!(shown.iter().any(|one| one.of.as_ref() == label), "{label:?}");
            }
            let asked = review(lesson, &answers, LUA, lang).quizzes;
            let mut asked = asked.iter().filter(|quiz| quiz.variant.is_none());
            let quiz = asked.next().expect("a question about the variants");
            assert_eq!(quiz.choices.len(), lesson.variants.len(), "{}", lesson.id);
            assert!(quiz.several && quiz.cells.is_empty() && quiz.keys.is_empty());
        }
        let cut = lesson.programs.iter().find(|one| one.source.lines().count() > 24);
        assert!(cut.is_none(), "{}: the end of {cut:?} would not be seen", lesson.id);
    }
}

/// A situation is a person's trouble, in two sentences, and a question; then come the facts.
#[test]
fn readme_and_manual_count_the_lessons() {
    let exercises = course().lessons.iter().filter(|one| one.lesson.is_mixed()).count();
    let count = course().lessons.len() - exercises;
    let tens = ["Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
    let ones =
        ["", "-one", "-two", "-three", "-four", "-five", "-six", "-seven", "-eight", "-nine"];
    let english = format!("{}{} lessons", tens[count / 10 - 4], ones[count % 10]).to_lowercase();
    let digits: Vec<char> = "零一二三四五六七八九".chars().collect();
    let ten = digits[count / 10];
    let chinese = match count % 10 {
        0 => format!("{ten}十课"),
        one => format!("{ten}十{}课", digits[one]),
    };
    let files = ["README.md", "docs/manual.md", "docs/zh/README.md", "docs/zh/manual.md"];
    for (file, words) in files.into_iter().zip([&english, &english, &chinese, &chinese]) {
        let text = std::fs::read_to_string(folder(file)).expect("it is there").to_lowercase();
        assert!(text.contains(words.as_str()), "{file}: there are {words}");
    }
}

#[test]
fn every_situation_is_told_as_a_trouble_and_a_question() {
    let mut told = 0;
    for lesson in lessons().filter(|one| one.has_situation() && !one.is_mixed()) {
        for lang in [Lang::En, Lang::Zh] {
            let texts: Vec<String> = lesson.intro.get(lang).iter().map(Block::plain).collect();
            let [first, second, question, _facts, ..] = &texts[..] else {
                panic!("{} {lang:?}: {} paragraphs", lesson.id, texts.len());
            };
            let ends = |text: &str| text.matches(['.', '。', '?', '？']).count();
            let (full, asked) = (['.', '。'], ['?', '？']);
            for (text, end) in [(first, full), (second, full), (question, asked)] {
                let is_one = text.ends_with(end) && ends(text) == 1;
                assert!(is_one, "{} {lang:?}: one sentence each: {text}", lesson.id);
            }
        }
        told += 1;
    }
    assert!(told >= 33, "{told} lessons");
}

#[test]
fn both_languages_say_as_much() {
    for written in &course().lessons {
        let (lesson, uneven) = (&written.lesson, written.uneven());
        assert!(uneven.is_empty(), "{}: paragraphs, lists: {}", lesson.id, uneven.join(", "));
        let words = lesson.challenge.iter().map(|challenge| &challenge.words);
        let words = words.chain(lesson.exercise.iter().map(|exercise| &exercise.words));
        let words = words.chain(lesson.quizzes.iter().map(|quiz| &quiz.words));
        let free = [&lesson.misconception, &lesson.notes, &lesson.reading];
        for words in words.chain(free.into_iter().flatten()) {
            let label = &words.label.zh;
            let is_chinese = label.chars().any(|c| c as u32 >= 0x2e80);
            assert!(is_chinese, "{}: \"{label}\" is not Chinese", lesson.id);
        }
    }
}

#[test]
fn a_wrong_claim_is_found_out() {
    let mut lesson = course().lessons[0].lesson.clone();
    let claim = &mut lesson.variants[0].claims[0];
    claim.holds = !claim.holds;
    let (text, agreed) = report(&lesson, 0);
    assert!(!agreed && text.contains('≠'), "{text}");
}
