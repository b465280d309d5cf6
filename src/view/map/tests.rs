//! Maps of the lessons: their counts, pictures at every size, words and tables.

use std::collections::HashMap;
use std::path::Path;

use super::table::ROWS_MAX;
use super::words::{After, all_orders, leads_to, number, sentence};
use super::*;
use crate::checker::Natural;
use crate::checker::map::{Counted, Fate, Kind};
use crate::jobs::map::wire::{Ask, Made, Plan};
use crate::jobs::map::{Atlas, Nearby, Work, room};
use crate::jobs::{Answer, Request};
use crate::lesson::Lesson;
use crate::lesson::source::read_folder;
use crate::sim::{Action, AskMap, Check, Kind as Asks, Limits, Mapped, Property, Scenario, World};
use crate::sim::{Timeline, schedule};

/// States up to which a variant is drawn here; the test is not optimised.
const STATES_MAX: u64 = 5_000;
const SIZES: [(f64, f64); 7] = [
    (120.0, 76.0),
    (190.0, 112.0),
    (360.0, 400.0),
    (480.0, 320.0),
    (800.0, 460.0),
    (1000.0, 320.0),
    (1200.0, 460.0),
];

fn lessons() -> Vec<Lesson> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    let folders = std::fs::read_dir(root).expect("lessons").flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = folders.filter(|path| path.join("lesson.toml").exists()).collect();
    folders.sort();
    folders.iter().map(|path| read_folder(path).expect("the lesson is right")).collect()
}

fn lesson(id: &str) -> Lesson {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    read_folder(&root.join(id)).expect("the lesson is right")
}

fn mapped(scenario: &Scenario) -> Option<Mapped> {
    let mut asked = AskMap::new(scenario).expect("it starts");
    while !asked.advance(512).ok()? {
        if asked.met() > STATES_MAX {
            return None;
        }
    }
    Some(asked.finish())
}

fn of_variant(id: &str, variant: &str) -> (Scenario, Mapped) {
    let lesson = lesson(id);
    let at = lesson.variant(variant).unwrap_or_else(|| panic!("{id} has no {variant}"));
    let scenario = lesson.scenario(at).expect("it is right");
    let mapped = mapped(&scenario).expect("it is small");
    (scenario, mapped)
}

fn atlas(id: &str, variant: &str, width: f64) -> Atlas {
    Atlas::new(of_variant(id, variant).1, room(width))
}

type Known = HashMap<World, Option<(f64, f64)>>;

/// All orders from a world and those that break, by recursion over whole worlds. `None` where they
/// go round or there are too many worlds.
#[allow(clippy::mutable_key_type)] // A world's cells only cache fingerprints.
fn orders(always: &[&Property], world: &World, deep: u32, known: &mut Known) -> Option<(f64, f64)> {
    if let Some(known) = known.get(world) {
        return *known;
    }
    if known.len() > 2_000 || deep > 100 {
        return None;
    }
    // A second visit while it is open has gone round.
    known.insert(world.clone(), None);
    let choices = world.choices();
    let holds = |property: &&Property| property.holds(&mut world.facts()).unwrap_or(false);
    let must_stop = choices.iter().all(|action| action.is_fault());
    let broken = !always.iter().all(holds) || must_stop && !world.all_over();
    let (mut all, mut wrong) = (0.0, 0.0);
    for action in &choices {
        let mut next = world.clone();
        next.apply(*action).ok()?;
        let (own, bad) = orders(always, &next, deep + 1, known)?;
        (all, wrong) = (all + own, wrong + bad);
    }
    if choices.is_empty() {
        all = 1.0;
    }
    let found = Some((all, if broken { all } else { wrong }));
    known.insert(world.clone(), found);
    found
}

#[test]
#[allow(clippy::mutable_key_type)] // A world's cells only cache fingerprints.
fn counts_of_every_lesson_are_those_of_the_census_and_of_whole_worlds() {
    let (mut maps, mut counted, mut by_worlds) = (0, 0, 0);
    for lesson in lessons() {
        for (at, variant) in lesson.variants.iter().enumerate() {
            let name = format!("{} {}", lesson.id, variant.id);
            let scenario = lesson.scenario(at).expect("it is right");
            let Some(mapped) = mapped(&scenario) else { continue };
            maps += 1;
            let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
            check.run();
            if check.is_complete() && !check.is_reduced() {
                assert_eq!(mapped.space.len() as u64, check.counts().states, "{name}");
                assert_eq!(mapped.space.steps() as u64, check.counts().transitions, "{name}");
                match check.count() {
                    Some(count) => {
                        assert_eq!(mapped.fates.from.first(), Some(&count.schedules), "{name}");
                        assert_eq!(mapped.fates.wrong.first(), count.wrong().as_ref(), "{name}");
                        counted += 1;
                    }
                    None => assert_ne!(mapped.fates.counted, Counted::All, "{name}"),
                }
                check_shortest(&scenario, &mut check, &mapped, &name);
            }
            let always: Vec<&Property> =
                scenario.properties.iter().filter(|one| one.kind == Asks::Always).collect();
            let (start, _) = World::start(&scenario).expect("it starts");
            // Where clients may be held up, time passes in ticks that end where a search can end
            // them; whole worlds have each of them, and do not find out that smaller ones are met.
            let same_ticks = || {
                let limits = Limits { finer: false, ..Limits::default() };
                let mut check = Check::new(&scenario, limits).expect("it starts");
                check.run();
                check.tick_ms() == start.setting().ticks.unit_ms
            };
            let is_prompt = scenario.slow_ms == 0;
            let whole = (is_prompt && (scenario.faults.pause_ms == 0 || same_ticks()))
                .then(|| orders(&always, &start, 0, &mut Known::new()))
                .flatten();
            if let Some((all, wrong)) = whole {
                assert_eq!(mapped.fates.from[0].to_f64(), all, "{name}");
                assert_eq!(mapped.fates.wrong[0].to_f64(), wrong, "{name}");
                by_worlds += 1;
            }
        }
    }
    assert!(maps > 60 && counted > 30 && by_worlds > 15, "{maps} {counted} {by_worlds}");
}

/// The nearest break is as near as the shortest counterexample.
fn check_shortest(scenario: &Scenario, check: &mut Check, mapped: &Mapped, name: &str) {
    let mut steps = check.deadlock().map(|trace| trace.len());
    for (at, property) in scenario.properties.iter().enumerate() {
        if property.kind == Asks::Always {
            let trace = check.verdict(at).trace.map(|trace| trace.len());
            steps = steps.into_iter().chain(trace).min();
        }
    }
    assert_eq!(mapped.fates.distance(0).map(usize::from), steps, "{name}");
}

fn inside(drawing: &Drawing, shapes: &[Shape], name: &str) {
    let half = 0.6;
    for shape in shapes {
        let [left, top, right, low] = shape.bounds();
        let fits = left >= -half
            && top >= -half
            && right <= drawing.width + half
            && low <= drawing.height + half;
        assert!(fits, "{name} {}x{}: {shape:?}", drawing.width, drawing.height);
    }
}

#[test]
fn pictures_of_all_lessons_are_small_and_inside_their_boxes() {
    let (mut lattices, mut terrains, mut most) = (0, 0, 0);
    for lesson in lessons() {
        for (at, variant) in lesson.variants.iter().enumerate() {
            let scenario = lesson.scenario(at).expect("it is right");
            let Some(mapped) = mapped(&scenario) else { continue };
            let run = mapped.space.way_to_break(&mapped.fates, 0);
            let run: Vec<Action> = run.into_iter().map(|(action, _)| action).collect();
            for (width, height) in SIZES {
                let atlas = Atlas::new(mapped.clone(), room(width));
                let sheet = atlas.sheet();
                match sheet.view.kind {
                    Kind::Lattice => lattices += 1,
                    Kind::Terrain => terrains += 1,
                }
                let name = format!("{} {}", lesson.id, variant.id);
                for lang in [Lang::En, Lang::Zh] {
                    let look = Look { hover: Some(0), ..Look::new(width, height, lang) };
                    let drawing = draw(sheet, &look);
                    let spots = atlas.spots(&run);
                    let line = super::run(sheet, &look, &spots);
                    let count = drawing.shapes.len() + line.len();
                    most = most.max(count);
                    assert!(count <= 700, "{name} {width}x{height}: {count} elements");
                    assert!(drawing.svg("h").len() < 90_000, "{name} {width}x{height}");
                    inside(&drawing, &drawing.shapes, &name);
                    inside(&drawing, &line, &name);
                    assert_eq!(spots.len(), run.len() + 1, "{name}");
                }
                check_table(sheet);
            }
        }
    }
    assert!(lattices > 100 && terrains > 100 && most > 200, "{lattices} {terrains} {most}");
}

/// The table has all states of the picture, by fate.
fn check_table(sheet: &Sheet) {
    let table = table(sheet, Lang::En);
    assert!(table.rows.len() <= ROWS_MAX && !table.rows.is_empty());
    assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
    let sum = |column: usize| -> u32 {
        let digits = |row: &Vec<String>| row[column].replace(',', "");
        table.rows.iter().map(|row| digits(row).parse().unwrap_or(0)).sum()
    };
    assert_eq!(sum(2), sheet.view.states);
    let of = |fate: Fate| sheet.view.blocks.iter().map(|block| block.of(fate)).sum::<u32>();
    let fates = [Fate::Open, Fate::Safe, Fate::Right, Fate::Doomed, Fate::Broken];
    for (at, fate) in fates.into_iter().enumerate() {
        assert_eq!(sum(3 + at), of(fate));
    }
}

#[test]
fn the_lost_update_is_six_paths_of_which_four_are_red() {
    let atlas = atlas("lost-update", "naive", 600.0);
    let Sheet { view, met, calls, clients, .. } = atlas.sheet();
    assert_eq!((*met, view.states, view.blocks.len(), view.paths.len()), (12, 12, 9, 6));
    assert_eq!((view.kind, view.columns, view.rows), (Kind::Lattice, 3, 3));
    assert_eq!(calls[0], ["GET balance", "SET balance"]);
    assert_eq!(clients[1], "B");
    let drawing = draw(atlas.sheet(), &Look::new(600.0, 320.0, Lang::En));
    let count = |class: &str| drawing.shapes.iter().filter(|one| one.class == class).count();
    assert_eq!((count("way w-bad"), count("way w-ok"), count("way w-open")), (4, 2, 6));
    // Symmetric paths lie on each other: two are red, one is green.
    let folded = Look { fold: true, ..Look::new(600.0, 320.0, Lang::En) };
    let drawing = draw(atlas.sheet(), &folded);
    let count = |class: &str| drawing.shapes.iter().filter(|one| one.class == class).count();
    assert_eq!((count("way w-bad"), count("way w-ok")), (2, 1));
}

fn run_of(scenario: &Scenario, written: &str) -> Vec<Action> {
    let mut timeline = Timeline::start(scenario.clone().into()).expect("it starts");
    schedule::play(&mut timeline, written).expect("a run");
    timeline.frames().iter().skip(1).filter_map(|frame| Some(frame.token?.action)).collect()
}

#[test]
fn what_the_map_says_in_both_languages() {
    let (scenario, mapped) = of_variant("lost-update", "naive");
    let atlas = Atlas::new(mapped, room(600.0));
    let sheet = atlas.sheet();
    let spots = atlas.spots(&run_of(&scenario, "A1.B1.A2.B2"));
    let after = Some(After { client: "A", command: "GET" });
    assert_eq!(
        sentence(sheet, Some(&spots[1]), after, true, Lang::En),
        "Of 6 orders 4 go wrong. After A’s GET, 2 of 3 break it. \
         The nearest break is 3 steps away."
    );
    assert_eq!(
        sentence(sheet, Some(&spots[1]), after, true, Lang::Zh),
        "6 种顺序里，4 种出错。A 的 GET 之后，3 种顺序里，2 种出错。离最近的出错还有 3 步。"
    );
    assert_eq!(
        sentence(sheet, Some(&spots[1]), after, false, Lang::En),
        "Of 6 orders 4 go wrong. After A’s GET, 2 of 3 break it.",
        "where it is a hint"
    );
    let fates: Vec<Fate> = spots.iter().map(|spot| spot.fate).collect();
    assert_eq!(fates, [Fate::Open, Fate::Open, Fate::Doomed, Fate::Doomed, Fate::Broken]);
    assert_eq!(
        sentence(sheet, Some(&spots[2]), None, true, Lang::En),
        "Of 6 orders 4 go wrong. Every order that is left breaks it: all 2. \
         The nearest break is 2 steps away."
    );
    let fine = atlas.spots(&run_of(&scenario, "A1.A2"));
    assert_eq!(
        sentence(sheet, fine.last(), None, true, Lang::En),
        "Of 6 orders 4 go wrong. No order that is left can break it."
    );
}

#[test]
fn large_numbers_are_said_in_three_digits() {
    let natural = |text: &str| {
        text.bytes().fold(Natural::default(), |sum, digit| {
            let mut next = Natural::default();
            (0..10).for_each(|_| next.add(&sum));
            next.add(&Natural::from(u64::from(digit - b'0')));
            next
        })
    };
    for (digits, en, zh) in [
        ("0", "0", "0"),
        ("260280", "260,280", "260,280"),
        ("999999", "999,999", "999,999"),
        ("1234567", "1.23 million", "123万"),
        ("99999999", "100 million", "1亿"),
        ("796123456789", "796 billion", "7960亿"),
        ("999999999999", "1 trillion", "1万亿"),
        ("20000000000000", "20 trillion", "20万亿"),
        ("1230000000000000000", "1.2e+18", "1.2e+18"),
    ] {
        let number_of = natural(digits);
        assert_eq!(number_of.to_string(), digits);
        assert_eq!(number(&number_of, Lang::En), en, "{digits}");
        assert_eq!(number(&number_of, Lang::Zh), zh, "{digits}");
    }
}

#[test]
fn sizes_of_the_lessons_that_the_design_names() {
    let sheet = |id: &str, variant: &str| atlas(id, variant, 800.0).sheet().clone();
    let oversell = sheet("oversell", "naive");
    let owner = sheet("owner-token", "get-del");
    let redlock = sheet("redlock", "redlock");
    let sizes = [&oversell, &owner, &redlock].map(|one| (one.met, one.view.blocks.len()));
    assert_eq!(sizes, [(45, 11), (198, 25), (4_434, 37)]);
    assert_eq!(all_orders(&owner, Lang::En), "Of 630 orders 192 go wrong.");
    // It holds at every step, and need not come to a good end.
    let said = all_orders(&sheet("job-queue", "move"), Lang::En);
    assert_eq!(said, "None of 15 orders goes wrong on the way.");
    assert_eq!([owner.view.kind, redlock.view.kind], [Kind::Lattice, Kind::Terrain]);
}

/// What the page is told, after it has travelled.
fn travelled(answer: Answer) -> Answer {
    let read = Answer::read(&answer.write()).expect("it can be read");
    assert_eq!(read, answer);
    read
}

fn made(id: &str, variant: &str) -> (Work, Made) {
    let lesson = lesson(id);
    let variant = lesson.variant(variant).expect("a variant");
    let lesson = serde_json::to_string(&lesson).expect("it can be written");
    let plan = Plan { id: 3, lesson, variant, width: 600, ..Plan::default() };
    let request = Request::Map(Box::new(plan));
    let Ok(Request::Map(plan)) = Request::read(&request.write()) else { panic!("no plan") };
    let mut work = Work::start(&plan).expect("it starts");
    loop {
        assert!(work.is_working());
        if let Some(made) = work.advance(100).expect("no mistake") {
            let Answer::Map(made) = travelled(Answer::Map(Box::new(made))) else { panic!() };
            return (work, *made);
        }
    }
}

#[test]
fn a_map_is_asked_for_made_and_sent_back() {
    for (id, variant) in [
        ("lost-update", "naive"),
        ("lost-update", "incrby"),
        ("oversell", "naive"),
        ("owner-token", "get-del"),
        ("redlock", "redlock"),
    ] {
        let (work, made) = made(id, variant);
        let own = atlas(id, variant, 600.0);
        assert_eq!(made.sheet.as_ref(), Some(own.sheet()), "{id}");
        assert!(!work.is_working());
        let ask = Ask { id: 3, schedule: "A1".into(), block: None };
        assert_eq!(
            Request::read(&Request::Along(ask.clone()).write()),
            Ok(Request::Along(ask.clone()))
        );
        let along = work.along(&ask).expect("there is a map");
        let Answer::Along(along) = travelled(Answer::Along(Box::new(along))) else { panic!() };
        assert_eq!(along.spots.len(), 2, "{id}");
        let instead = along.instead.as_deref();
        let [before, after] = [0, 1].map(|at: usize| along.spots[at].fate.is_saved());
        assert_eq!(instead.is_some(), after && !before, "{id}: {instead:?}");
        // The way leads where it should: to a break, if there is one.
        let ends_broken = along.way_spots.last().map(|spot| spot.fate) == Some(Fate::Broken);
        assert_eq!(ends_broken, along.spots[1].distance.is_some(), "{id}");
        for block in 0..own.sheet().view.blocks.len() as u16 {
            let ask = Ask { block: Some(block.into()), ..ask.clone() };
            let along = work.along(&ask).expect("there is a map");
            assert_eq!(along.way_spots.last().and_then(|spot| spot.block), Some(block), "{id}");
        }
    }
}

#[test]
fn the_next_two_steps_are_those_of_the_world_nearest_to_a_break_first() {
    let (work, made) = made("lost-update", "naive");
    let around = |schedule: &str| {
        let ask = Ask { id: made.id, schedule: schedule.to_owned(), block: None };
        let along = work.along(&ask).expect("there is a map");
        let Answer::Along(along) = travelled(Answer::Along(Box::new(along))) else { panic!() };
        along.around.expect("the search has the run")
    };
    let said = |list: &[Nearby]| -> Vec<String> {
        let words = |one: &Nearby| format!("{}: {}", one.label, leads_to(&one.spot, Lang::En));
        list.iter().map(words).collect()
    };
    let one = around("A1");
    assert_eq!(
        said(&one.next),
        ["B GET balance: nothing can save it", "A SET balance 20: can no longer break",]
    );
    let doomed = "nothing can save it";
    assert_eq!(
        said(&one.after),
        [
            format!("A SET balance 20: {doomed}"),
            format!("B SET balance 20: {doomed}"),
            "B GET balance: can no longer break".to_owned(),
        ]
    );
    assert_eq!((one.next_count, one.after_count), (2, 3));
    let start = around("");
    assert_eq!(said(&start.next)[0], "A GET balance: break 3 away · 2 of 3 orders break it");
    let end = around("A1.B1.A2.B2");
    assert_eq!((end.next.len(), end.after.len()), (0, 0));
}

#[test]
fn a_run_with_steps_that_no_map_has_is_nowhere_on_it() {
    let (work, made) = made("lost-update", "naive");
    for schedule in ["A1.c1-set_balance_50.B1", "c1-set_balance_50", "sendA1.execA1"] {
        let ask = Ask { id: made.id, schedule: schedule.to_owned(), block: None };
        let along = work.along(&ask).expect("there is a map");
        assert!(along.spots.is_empty() && along.way.is_empty(), "{schedule}");
        assert_eq!((along.around, along.instead), (None, None), "{schedule}");
    }
}

/// Along a run the steps that are shown can be made, and the first one is on the way to the break.
#[test]
fn the_first_of_the_next_steps_leads_to_the_nearest_break() {
    for id in ["owner-token", "semaphore", "multi-exec"] {
        let lesson = lesson(id);
        let variant = &lesson.variants[0].id;
        let (work, made) = made(id, variant);
        let scenario = Rc::new(lesson.scenario(0).expect("a scenario"));
        let mut timeline = Timeline::start(scenario).expect("it starts");
        for step in 0..12 {
            let ask = Ask { id: made.id, schedule: timeline.schedule(), block: None };
            let along = work.along(&ask).expect("there is a map");
            let Some(around) = along.around else { break };
            let choices = timeline.world().enabled();
            assert!(around.next_count as usize <= choices.len(), "{id} {step}");
            let here = along.spots.last().and_then(|spot| spot.distance).filter(|far| *far > 0);
            let next = around.next.first().and_then(|one| one.spot.distance);
            assert_eq!(here.map(|far| far - 1), next.filter(|_| here.is_some()), "{id} {step}");
            let runs: Vec<&Action> = choices.iter().filter(|one| one.runs().is_some()).collect();
            let Some(action) = runs.get(step % runs.len().max(1)) else { break };
            timeline.step(**action).expect("it is possible");
        }
        assert!(timeline.len() > 2, "{id}");
    }
}

#[test]
fn what_is_no_map_is_refused() {
    let (_, made) = made("oversell", "naive");
    let text = Answer::Map(Box::new(made)).write();
    assert!(Answer::read(&text).is_ok());
    for (part, other) in [
        ("\"Terrain\"", "\"Globe\""),
        ("\"blocks\":[[", "\"blocks\":[[70000,"),
        ("\"blocks\":[[0,", "\"blocks\":[[99,"),
        ("\"ribbons\":[[", "\"ribbons\":[[999,"),
        ("\"ribbons\":[[0,", "\"ribbons\":[[77,"),
        ("\"sizes\":[", "\"sizes\":[1,"),
    ] {
        let wrong = text.replacen(part, other, 1);
        assert_ne!(wrong, text, "{part}");
        assert!(Answer::read(&wrong).is_err(), "{part}");
    }
}

#[test]
fn a_legend_says_what_the_axes_and_the_marks_mean() {
    let of = |lesson: &str, variant: &str, lang: Lang| {
        super::words::axes(atlas(lesson, variant, 600.0).sheet(), lang).join(" · ")
    };
    let lattice = of("lost-update", "naive", Lang::En);
    assert_eq!(lattice, "→ A’s steps · ↓ B’s steps · each line is one order");
    let terrain = "→ steps taken · ↑ steps to the nearest break · thicker line: more orders · \
                   larger block: more states";
    assert_eq!(of("oversell", "naive", Lang::En), terrain);
    let terrain = "→ 已执行的步数 · ↑ 离最近出错的步数 · 线越粗，顺序越多 · 块越大，状态越多";
    assert_eq!(of("oversell", "naive", Lang::Zh), terrain);
}

/// On a phone `GET balance` and `SET balance` stood beside each other without a space.
#[test]
fn names_of_calls_stand_apart() {
    let atlas = atlas("lost-update", "naive", 340.0);
    let drawing = draw(atlas.sheet(), &Look::new(340.0, 240.0, Lang::En));
    let names = drawing.shapes.iter().filter(|shape| shape.class == "ax a");
    let ends = names.map(|shape| match &shape.form {
        Form::Text { x, text, .. } => {
            let half = shapes::width_of(text) / 2.0;
            (x - half, x + half)
        }
        other => panic!("{other:?}"),
    });
    let ends: Vec<(f64, f64)> = ends.collect();
    assert!(ends.len() == 2 && ends[1].0 - ends[0].1 >= 7.0, "{ends:?}");
}

#[test]
fn arrow_keys_lead_from_block_to_block() {
    let atlas = atlas("lost-update", "naive", 600.0);
    let view = &atlas.sheet().view;
    let place = |block: Option<u16>| block.and_then(|at| view.block(at)).map(|one| (one.x, one.y));
    let first = next_block(view, None, (1, 0));
    assert_eq!(place(first), Some((0, 0)));
    let right = next_block(view, first, (1, 0));
    assert_eq!(place(right), Some((1, 0)));
    assert_eq!(place(next_block(view, right, (0, 1))), Some((1, 1)));
    assert_eq!(place(next_block(view, right, (-1, 0))), Some((0, 0)));
    assert_eq!(next_block(view, first, (-1, 0)), None);
    for number in 0..view.blocks.len() as u16 {
        for lang in [Lang::En, Lang::Zh] {
            assert!(!super::words::block(atlas.sheet(), number, lang).is_empty());
        }
    }
    let said = |lang| super::words::block(atlas.sheet(), 0, lang);
    let (en, zh) = (said(Lang::En), said(Lang::Zh));
    assert!(en.ends_with(". 1 state: may still break"), "{en}");
    assert!(zh.ends_with("。1 个状态：还可能出错"), "{zh}");
}
