use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use expect_test::{ExpectFile, expect, expect_file};

use super::*;
use crate::checker::Natural;
use crate::jobs::Request;
use crate::jobs::find::{Found, Near, Start, Work};
use crate::lesson::Lesson;
use crate::lesson::source::{read_all, read_folder};
use crate::lua;
use crate::session::link::Link;
use crate::session::{Mode, Msg, Session};
use crate::sim::{Action, Check, Faults, Kind, Limits, Property, Scenario, Timeline, schedule};
use crate::text::Lang;
use crate::view::find::fix::{Fix, Grade};
use crate::view::find::{Panel, Tone, hint};
use crate::view::map::words::number;
use crate::view::stage::why::why;

fn lesson(id: &str) -> Lesson {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
    read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn request(lesson: &Lesson, variant: usize) -> Start {
    let lesson = serde_json::to_string(lesson).expect("a lesson can be written");
    let lesson = Start { id: 1, lesson, variant, ..Start::default() };
    Start { states_max: 1_000_000, bytes_max: 1 << 28, ..lesson }
}

/// Searches as a worker does, at first a few states at a time, every message as text. Ends after
/// `chunks`; gives up what is asked after the search when it takes more than `after` chunks.
fn found_in(
    lesson: &Lesson,
    variant: usize,
    chunks: usize,
    mut after: usize,
) -> (Finding, Option<Work>) {
    let scenario = Rc::new(lesson.scenario(variant).expect("a lesson that runs"));
    let mut finding = Finding::begin(1, variant, scenario);
    let mut hear = |answer: Answer| {
        let answer = Answer::read(&answer.write()).expect("what was written");
        assert!(finding.receive(answer), "an answer to this search");
    };
    let sent = Request::Start(request(lesson, variant)).write();
    let Ok(Request::Start(start)) = Request::read(&sent) else { panic!("what was sent") };
    let mut work = match Work::start(&start) {
        Ok(work) => work,
        Err(why) => {
            hear(Answer::Failed(crate::jobs::Failure { id: 1, why }));
            return (finding, None);
        }
    };
    for chunk in 0..chunks {
        let mut done = work.advance(if chunk < 30 { 3 } else { 300 });
        if work.is_searched() && !done {
            if after == 0 {
                work.give_up();
                done = true;
            }
            after = after.saturating_sub(1);
        }
        work.news().into_iter().for_each(|found| hear(Answer::Found(found)));
        work.settled().into_iter().for_each(|stands| hear(Answer::Stands(stands)));
        if done {
            hear(Answer::Done(Box::new(work.report(20))));
            break;
        }
        hear(Answer::Progress(work.progress(chunk as u64)));
    }
    (finding, Some(work))
}

fn found(lesson: &Lesson, variant: usize) -> Finding {
    found_in(lesson, variant, usize::MAX, usize::MAX).0
}

/// The panel as text.
fn shown(panel: &Panel) -> String {
    let mut out = String::new();
    for question in &panel.questions {
        let mark = match question.tone {
            Tone::Open => '?',
            Tone::Good => '+',
            Tone::Bad => '-',
        };
        let _ = writeln!(out, "{mark} {} ({})", question.label, question.asked);
        let _ = writeln!(out, "  {}", question.words);
        if let Some(run) = &question.run {
            let _ = writeln!(out, "  [{}] {} cells", run.schedule, run.cells.len());
            run.why.iter().for_each(|why| out += &format!("  > {why}\n"));
        }
    }
    for (name, value) in panel.counts.iter().filter(|(_, value)| !value.ends_with('B')) {
        let _ = writeln!(out, "{name}: {value}");
    }
    panel.caveats.iter().for_each(|one| out += &format!("! {one}\n"));
    panel.notes.iter().for_each(|note| out += &format!("* {note}\n"));
    if let Some(counted) = &panel.counted {
        let _ = writeln!(out, "{}\n{}", counted.headline, counted.words);
        for bar in &counted.bars {
            let mark = if bar.good { '+' } else { '-' };
            let _ = writeln!(
                out,
                "{mark} {} | {} | {} | {} | {}",
                bar.said, bar.left, bar.schedules, bar.percent, bar.witness
            );
        }
    }
    let _ = writeln!(out, "~ {}", panel.status);
    out
}

fn golden(id: &str, variant: &str, lang: Lang, expected: ExpectFile) {
    let lesson = lesson(id);
    let variant = lesson.variant(variant).expect("a variant");
    let finding = found(&lesson, variant);
    expected.assert_eq(&shown(&Panel::new(&lesson, variant, Some(finding.results()), lang)));
}

#[test]
fn the_answers_in_words() {
    golden("oversell", "naive", Lang::En, expect_file!["goldens/find-oversell-en.txt"]);
    golden("oversell", "naive", Lang::Zh, expect_file!["goldens/find-oversell-zh.txt"]);
    golden("lost-update", "incrby", Lang::En, expect_file!["goldens/find-incrby-en.txt"]);
}

#[test]
fn a_run_that_breaks_two_conditions_is_told_once() {
    let mut lesson = lesson("oversell");
    let variant = lesson.variant("naive").expect("a variant");
    // The first condition, once more under another name.
    let mut claim = lesson.variants[variant].claims[0].clone();
    let mut twin = lesson.properties[claim.property].clone();
    twin.id = "twin".into();
    claim.property = lesson.properties.len();
    lesson.properties.push(twin);
    lesson.variants[variant].claims.push(claim);
    let panel = Panel::new(&lesson, variant, Some(found(&lesson, variant).results()), Lang::En);
    let told = |id: &str| panel.questions.iter().find(|one| one.id == id).expect("a question");
    let first = told(&lesson.properties[lesson.variants[variant].claims[0].property].id);
    let run = told("twin").run.as_ref().expect("a run");
    assert_eq!(Some(&run.schedule), first.run.as_ref().map(|run| &run.schedule));
    assert_eq!(run.why, [format!("The same run as of “{}”.", first.label)]);
}

#[test]
fn a_run_found_before_the_report_is_replayed_once() {
    let lesson = lesson("oversell");
    let variant = lesson.variant("naive").expect("a variant");
    let whole = found(&lesson, variant);
    let report = whole.results().report.clone().expect("a report");
    let mut finding = Finding::begin(1, variant, whole.results().scenario.clone());
    let runs = report.verdicts.iter().map(|verdict| verdict.run.clone());
    let (property, run) = runs.enumerate().find_map(|(at, run)| Some((at, run?))).expect("a run");
    assert!(finding.receive(Answer::Found(Found { id: 1, property: Some(property), run })));
    let frame = |finding: &Finding| {
        let shown = finding.results().runs[property].as_ref().expect("it is shown");
        shown.timeline.frames()[0].clone()
    };
    let before = frame(&finding);
    assert!(finding.receive(Answer::Done(Box::new(report))));
    assert!(Rc::ptr_eq(&before, &frame(&finding)));
}

#[test]
fn a_late_write_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/pause-lease");
    let lesson = read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}"));
    let finding = found(&lesson, 0);
    for (lang, expected) in [
        (Lang::En, expect_file!["goldens/find-late-en.txt"]),
        (Lang::Zh, expect_file!["goldens/find-late-zh.txt"]),
    ] {
        expected.assert_eq(&shown(&Panel::new(&lesson, 0, Some(finding.results()), lang)));
    }
}

/// The states up to which a search is run once more, to compare its counts with the report's.
const COUNTED_AGAIN: u64 = 1_000;
/// The chunks after which what is asked after a search is given up.
const AFTER: usize = 10;

#[test]
fn every_variant_is_answered_as_its_lesson_claims() {
    let (mut wrong_rows, mut broke_earlier) = (0, 0);
    for lesson in ["static/lessons", "tests/scenarios"].into_iter().flat_map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        read_all(&folder).expect("lessons without mistakes").lessons
    }) {
        let lesson = &lesson.lesson;
        for (number, variant) in lesson.variants.iter().enumerate() {
            let name = format!("{}/{}", lesson.id, variant.id);
            // Nothing is claimed of slower clients: that question has a small bound here.
            let (finding, _) = found_in(lesson, number, usize::MAX, AFTER);
            let report =
                finding.results().report.as_ref().unwrap_or_else(|| panic!("{name}: no report"));
            let counts = (report.progress.states, report.progress.transitions);
            if counts.0 <= COUNTED_AGAIN {
                let scenario = lesson.scenario(number).expect("a lesson that runs");
                let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
                check.run();
                assert_eq!(counts, (check.counts().states, check.counts().transitions), "{name}");
            }
            assert!(
                report.reduced || variant.states.is_none_or(|pinned| pinned == counts.0),
                "{name}"
            );
            assert_eq!((&report.bound, &report.mistake), (&None, &None), "{name}");
            assert_eq!(report.deadlock.is_some(), variant.world.expect_deadlock, "{name}");
            // One more: no program ends with an error.
            assert_eq!(report.verdicts.len(), variant.claims.len() + 1, "{name}");
            assert_eq!(report.verdicts.last().and_then(|one| one.holds), Some(true), "{name}");
            for (claim, verdict) in variant.claims.iter().zip(&report.verdicts) {
                assert_eq!(verdict.holds, Some(claim.holds), "{name}");
                let steps = verdict.run.as_ref().map(|run| run.steps);
                assert!(claim.steps.is_none() || claim.steps == steps, "{name}: {steps:?}");
            }
            let (rows, later) = check_rows(lesson, number, &finding, &name);
            (wrong_rows, broke_earlier) = (wrong_rows + rows, broke_earlier + later);
            for lang in Lang::ALL {
                let panel = Panel::new(lesson, number, Some(finding.results()), lang);
                assert!(panel.questions.iter().all(|q| !q.words.is_empty()), "{name}");
                let place = |n: i32| shown(&panel).contains(&format!("{{{n}"));
                assert!(!(0..9).any(place), "{name}: a place was not filled");
                let (missed, aside) = not_counted(lesson, number, &panel);
                assert_eq!(missed.is_some(), !aside.is_empty(), "{name}");
                assert!(aside.contains(missed.unwrap_or_default()), "{name}: {aside}");
            }
        }
    }
    assert!(wrong_rows > 60 && broke_earlier > 12, "{wrong_rows} {broke_earlier}");
}

/// What should happen in the end and need not, and what the panel says of that beside its count.
fn not_counted<'p>(
    lesson: &Lesson,
    variant: usize,
    panel: &'p Panel,
) -> (Option<&'p str>, &'p str) {
    let asked = lesson.properties_of(variant).zip(&panel.questions);
    let mut missed = asked.filter(|(property, question)| {
        property.kind == Kind::Eventually && question.tone == Tone::Bad
    });
    match &panel.counted {
        Some(counted) => (missed.next().map(|(_, one)| one.label.as_str()), &counted.aside),
        None => (None, ""),
    }
}

/// The rows that are marked wrong add up to the number in the headline, and each row's run breaks
/// on replay what its row says. Returns the number of those rows, and of those whose end shows
/// nothing of it.
fn check_rows(lesson: &Lesson, variant: usize, finding: &Finding, name: &str) -> (usize, usize) {
    let panel = Panel::new(lesson, variant, Some(finding.results()), Lang::En);
    let census = finding.results().report.as_ref().and_then(|report| report.census.as_ref());
    let (Some(counted), Some(census)) = (panel.counted, census) else { return (0, 0) };
    let natural = |text: &str| Natural::parse(&text.replace(',', "")).expect("a number");
    let mut sum = natural(&census.more_wrong);
    counted.bars.iter().filter(|bar| !bar.good).for_each(|bar| sum.add(&natural(&bar.schedules)));
    assert_eq!(counted.wrong.as_ref(), Some(&sum), "{name}");
    let all = natural(&census.schedules);
    let headline = &counted.headline;
    let is_said = match () {
        () if sum.is_zero() && !counted.aside.is_empty() => headline.ends_with("on the way."),
        () if sum.is_zero() => headline.ends_with("right."),
        () if all == Natural::from(1) => headline == "The only order goes wrong.",
        () => headline.contains(&number(&sum, Lang::En)) && headline.ends_with("wrong."),
    };
    assert!(is_said, "{name}: {headline} {sum}");
    let (mut wrong, mut earlier) = (0, 0);
    for (bar, outcome) in counted.bars.iter().zip(&census.outcomes) {
        let run = &outcome.witness.schedule;
        let mut timeline = Timeline::start(finding.results().scenario.clone()).expect("it starts");
        schedule::play(&mut timeline, run).unwrap_or_else(|_| panic!("{name}: {run}"));
        for (at, property) in finding.results().scenario.properties.iter().enumerate() {
            let broke = property.kind == Kind::Always && timeline.decided(at).is_some();
            assert_eq!(outcome.broke[at], broke, "{name}: {run}, property {at}");
            let last = timeline.frames().last().expect("the last one");
            let truth = property.holds(&mut last.world.facts());
            assert_eq!(truth, Ok(outcome.truths[at]), "{name}: {run}, property {at}");
        }
        let may_stop = |action: &Action| action.is_fault() || matches!(action, Action::Up(_));
        let stuck = timeline
            .frames()
            .iter()
            .any(|frame| frame.world.choices().iter().all(may_stop) && !frame.world.all_over());
        assert_eq!(outcome.stuck, stuck, "{name}: {run}");
        let broke = outcome.stuck || outcome.broke.contains(&true);
        assert_eq!(bar.good, !broke, "{name}: {run}");
        assert!(bar.good || bar.said.contains('✕'), "{name}: {run}: {}", bar.said);
        wrong += usize::from(broke);
        earlier += usize::from(bar.said.contains("broke on the way"));
    }
    (wrong, earlier)
}

#[test]
fn what_was_found_stays_when_it_is_stopped() {
    let lesson = lesson("oversell");
    // Far enough for the violation, not for the end.
    let (mut finding, _) = found_in(&lesson, 0, 12, usize::MAX);
    assert!(finding.is_running());
    finding.stop();
    let late = Answer::Done(Box::default());
    assert!(!finding.receive(late), "what comes late changes nothing");
    let panel = Panel::new(&lesson, 0, Some(finding.results()), Lang::En);
    assert_eq!(finding.results().phase, Phase::Stopped);
    assert!(!panel.running && panel.begun);
    assert_eq!(panel.questions[0].words, "breaks: here is a shortest run, 4 steps");
    assert!(panel.status.starts_with("Stopped after"), "{}", panel.status);
}

#[test]
fn before_the_search_the_questions_stand_open() {
    let lesson = lesson("oversell");
    let panel = Panel::new(&lesson, 0, None, Lang::En);
    assert!(!panel.begun && panel.counts.is_empty() && panel.status.is_empty());
    assert!(panel.questions.iter().all(|q| q.tone == Tone::Open && q.run.is_none()));
    let of_another = found(&lesson, 1);
    assert_eq!(Panel::new(&lesson, 0, Some(of_another.results()), Lang::En), panel);
}

#[test]
fn mistakes_of_authors_are_said_and_no_verdict_is() {
    let mut lesson = lesson("oversell");
    lesson.properties[0].check = "sum(7) <= 1".into();
    let finding = found(&lesson, 0);
    let panel = Panel::new(&lesson, 0, Some(finding.results()), Lang::En);
    let mistake = panel.mistake.expect("a mistake");
    assert!(mistake.contains("sum(name)"), "{mistake}");
    assert!(panel.questions.iter().all(|question| question.tone == Tone::Open));
    assert_eq!(panel.counted, None);

    let mut broken = request(&lesson, 0);
    broken.lesson = "{".into();
    assert!(Work::start(&broken).is_err());
    assert!(Work::start(&request(&lesson, 99)).is_err());
}

#[test]
fn a_bound_is_named_and_leaves_open_what_it_leaves_open() {
    let lesson = lesson("oversell");
    let scenario = Rc::new(lesson.scenario(1).expect("a lesson that runs"));
    let mut finding = Finding::begin(1, 1, scenario);
    let mut work = Work::start(&Start { bytes_max: 1, ..request(&lesson, 1) }).expect("it starts");
    while !work.advance(100) {}
    assert!(finding.receive(Answer::Done(Box::new(work.report(1)))));
    let panel = Panel::new(&lesson, 1, Some(finding.results()), Lang::En);
    assert!(panel.caveats[0].contains("all the memory"), "{:?}", panel.caveats);
    assert_eq!(panel.questions[0].tone, Tone::Open);
    assert!(panel.questions[0].words.starts_with("not decided"));
}

/// The answer to a question, found out in slices.
fn near(work: &mut Work, schedule: &str) -> Near {
    work.ask_near(schedule.to_owned());
    std::iter::repeat_with(|| work.near(100)).flatten().next().expect("it comes")
}

#[test]
fn a_hint_counts_the_steps_to_a_violation() {
    let lesson = lesson("lost-update");
    let (_, work) = found_in(&lesson, 0, usize::MAX, usize::MAX);
    let mut work = work.expect("a search");
    let rc = Rc::new(lesson);
    let mut said = |schedule: &str| {
        let near = near(&mut work, schedule);
        let fragment = format!("lesson=lost-update&mode=schedule&schedule={schedule}");
        let (session, _) = Session::open(rc.clone(), &Link::parse(&fragment)).expect("it opens");
        assert_eq!(session.run_so_far(), schedule);
        hint(&session, Some(&near), Lang::En)
    };
    assert_eq!(said(""), "4 steps from breaking it.");
    assert_eq!(said("A1.B1"), "2 steps from breaking it.");
    assert_eq!(said("A1.B1.A2"), "1 step from breaking it.");
    assert_eq!(said("A1.A2"), "It can no longer break from here: step back.");
    assert_eq!(said("A1.B1.A2.B2"), "It is broken.");
    assert_eq!(
        near(&mut work, "A1.nonsense"),
        Near { id: 1, schedule: "A1.nonsense".into(), ..Near::default() }
    );
}

/// In every challenge the hint counts down along a shortest run, and is about the goal alone.
#[test]
fn hints_lead_to_every_goal() {
    let lessons = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons"));
    let mut lost_ways = 0;
    for lesson in lessons.expect("lessons without mistakes").lessons {
        let lesson = lesson.lesson;
        let Some(goal) = lesson.challenge.clone() else { continue };
        let start = request(&lesson, goal.variant);
        let mut work = Work::start(&start).unwrap_or_else(|why| panic!("{}: {why}", lesson.id));
        // What is asked after the search says nothing of distances.
        while !work.advance(1_000) && !work.is_searched() {}
        let claims = &lesson.variants[goal.variant].claims;
        let place = claims.iter().position(|claim| claim.property == goal.property);
        let report = work.report(1);
        let run = place.and_then(|place| report.verdicts[place].run.clone());
        let run = run.unwrap_or_else(|| panic!("{}: the goal is never reached", lesson.id));
        assert_eq!(run.steps, goal.steps, "{}", lesson.id);
        let id = lesson.id.clone();
        let link = Link::parse(&format!("lesson={id}&mode=break&schedule={}", run.schedule));
        let (mut session, notices) = Session::open(Rc::new(lesson), &link).expect("it opens");
        assert_eq!((notices, session.mode()), (Vec::new(), Mode::Break), "{id}");
        for step in 0..=run.steps {
            session.update(Msg::Seek(step));
            let near = near(&mut work, &session.run_so_far());
            let said = hint(&session, Some(&near), Lang::En);
            let wanted = match run.steps - step {
                0 => "It is broken.".to_owned(),
                1 => "1 step from breaking it.".to_owned(),
                left => format!("{left} steps from breaking it."),
            };
            assert_eq!(said, wanted, "{id} after {step} steps");
        }
        // Whatever else is done, the hint either counts or says that there is no way any more.
        session.update(Msg::Reset);
        session.update(Msg::Random(5));
        let near = near(&mut work, &session.run_so_far());
        let said = hint(&session, Some(&near), Lang::En);
        lost_ways += usize::from(said.starts_with("It can no longer break"));
        assert!(said.contains("break") || said == "It is broken.", "{id}: {said}");
    }
    assert!(lost_ways > 5, "{lost_ways} random runs end where there is no way to the goal");
}

#[test]
fn a_found_run_opens_at_its_start_and_the_old_one_is_kept() {
    let link = Link::parse("lesson=oversell&variant=naive&schedule=C1.C2&step=2");
    let (mut session, _) = Session::open(Rc::new(lesson("oversell")), &link).expect("it opens");
    session.update(Msg::Mode(Mode::Find));
    assert_eq!(session.link(Lang::En).mode.as_deref(), Some("find"));
    session.update(Msg::Step(crate::sim::ClientId(0)));
    assert_eq!(session.timeline().schedule(), "C1.C2", "nobody steps in Find");
    assert_eq!(session.update(Msg::Open("A1.B1.A2.B2".into())), None);
    let timeline = session.timeline();
    assert_eq!((session.mode(), timeline.cursor(), timeline.len()), (Mode::Schedule, 0, 4));
    assert_eq!(timeline.branches()[0].schedule(), "C1.C2");
    let mut untold = lesson("oversell");
    untold.walks.clear();
    let link = Link::parse("lesson=oversell&mode=find");
    let (without_story, _) = Session::open(Rc::new(untold), &link).expect("it opens");
    assert_eq!(without_story.mode(), Mode::Find);
    let link = session.link_to_run("A1.B1", "", Lang::Zh).write();
    assert!(link.ends_with("mode=schedule&schedule=A1.B1&step=0&lang=zh"), "{link}");
    let link = session.link_to_run("A1.B1", "both read", Lang::Zh).write();
    assert!(link.contains("&schedule=A1.B1&run=both%20read&step=0"), "{link}");
}

#[test]
fn a_verdict_without_a_run_is_shown_before_everything_is_counted() {
    let lesson = lesson("lua-script");
    let variant = lesson.variants.iter().position(|variant| variant.id == "long").expect("it");
    let scenario = Rc::new(lesson.scenario(variant).expect("it runs"));
    let mut finding = Finding::begin(1, variant, scenario);
    let mut work = Work::start(&request(&lesson, variant)).expect("it starts");
    let mut good_counts = Vec::new();
    while !work.advance(3) {
        let news = work.news().into_iter().map(Answer::Found);
        let settled = work.settled().into_iter().map(Answer::Stands);
        assert!(news.chain(settled).all(|answer| finding.receive(answer)));
        let panel = Panel::new(&lesson, variant, Some(finding.results()), Lang::En);
        assert!(panel.running);
        let good = panel.questions.iter().filter(|question| question.tone == Tone::Good).count();
        good_counts.push((good, panel.questions.len()));
    }
    // Nothing at first; in the end all verdicts, that on deadlock too, while schedules are counted.
    assert_eq!(good_counts.first(), Some(&(0, good_counts[0].1)));
    let (good, questions) = good_counts.last().copied().expect("it takes a while");
    assert_eq!((good, questions), (good_counts[0].1 + 1, good_counts[0].1 + 1));
}

#[test]
fn ends_are_told_apart_in_the_words_of_the_lesson() {
    let lesson = lesson("lost-update");
    let said = |variant: usize| -> Vec<String> {
        let finding = found(&lesson, variant);
        let panel = Panel::new(&lesson, variant, Some(finding.results()), Lang::En);
        panel.counted.expect("they are counted").bars.into_iter().map(|bar| bar.said).collect()
    };
    let words = "balance = 30 when both have finished";
    assert_eq!(said(0), [format!("✕ {words}"), format!("✓ {words}")]);
    assert_eq!(said(1), [""], "there is one end");
}

/// Returns the grade, the words and the panel that Fix it shows for a program in "lost update".
fn fixed(program: &str) -> (Grade, String, Panel) {
    let lesson = lesson("lost-update").with_answer(program).expect("a program");
    let variant = lesson.variants.len() - 1;
    let finding = found(&lesson, variant);
    let mut fix = Fix::new(&lesson, Some(program.to_owned()));
    fix.grade();
    let view = fix.view(&lesson, Some(finding.results()), Lang::En).expect("an exercise");
    let said = [view.said, view.error.unwrap_or_default()].join("\n");
    (view.grade, said, Panel::new(&lesson, variant, Some(finding.results()), Lang::En))
}

#[test]
fn a_fix_that_does_not_stop_is_said_to_do_so() {
    let (grade, said, panel) = fixed("while true do end");
    assert_eq!(grade, Grade::Error);
    let loops = "runs 1,000,000 instructions without sending a command";
    let words = format!("A does not stop: its loop at line 1 {loops}");
    assert_eq!(said, format!("Not yet: the program does not stop.\n{words}"));
    let verdict = |id: &str| {
        let question = panel.questions.iter().find(|one| one.id == id).expect("a question");
        (question.tone, question.words.as_str())
    };
    assert_eq!(verdict("finish"), (Tone::Bad, "never happens, in none of 1 states"));
    assert_eq!(verdict("errors"), (Tone::Bad, words.as_str()));

    let (_, said, _) = fixed("redis.call('GET', 'balance') while true do end");
    let after = format!("A does not stop: after 1 step its loop at line 1 {loops}");
    assert_eq!(said, format!("Not yet: the program does not stop.\n{after}"));
    let (_, said, _) = fixed("local n = redis.call('GET', 'missing') + 1");
    let error = "after 1 step, A ends with an error: get-set.lua:1: attempt to perform";
    assert!(said.starts_with("Not yet: the program ends with an error."), "{said}");
    assert!(said.contains(error), "{said}");
}

#[test]
fn a_fix_in_which_a_client_leaves_without_its_part() {
    let program = "if redis.call('SETNX', 'lock', 1) == 1 then\n\
        local n = redis.call('GET', 'balance')\nredis.call('SET', 'balance', n + 10)\n\
        redis.call('DEL', 'lock')\nend";
    let (grade, said, panel) = fixed(program);
    assert_eq!(grade, Grade::Failed);
    let broken = "an order that breaks this: balance = 30 when both have finished.\n";
    assert!(said.ends_with(broken), "{said}");
    let runs = panel.questions.iter().flat_map(|one| &one.run);
    let why: Vec<&str> = runs.flat_map(|run| &run.why).map(String::as_str).collect();
    let left = "B changed no key: its last command was SETNX lock 1";
    assert_eq!(why, [format!("{left}, with the reply 0.")]);
}

#[test]
fn a_fix_that_waits_for_ever_is_said_to_come_to_no_end() {
    let (grade, said, _) = fixed("while true do redis.call('GET', 'balance') end");
    assert_eq!(grade, Grade::Failed);
    assert!(said.ends_with("no order in which this happens: both finish.\n"), "{said}");
}

// ---- Why a run went wrong -----------------------------------------------------------------------

/// Two clients that take a lock for 30 ms, and a property that asks who believes to hold it.
fn lock_run(program: &str, text: &str) -> Timeline {
    let program = lua::compile(program.as_bytes(), "lock.lua").expect("a program");
    let check = "count(\"holding\") <= 1";
    let property = Property::new(Kind::Always, check, "one").expect("a property");
    let scenario = Scenario {
        faults: Faults { pause: 1, ..Faults::default() },
        properties: vec![property],
        ..Scenario::simple(Vec::new(), vec![program.clone(), program])
    };
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    schedule::play(&mut timeline, text).expect("a schedule");
    timeline
}

const LOCK: &str = r#"
    local me = uuid()
    if redis.call("SET", "lock", me, "NX", "PX", 30) then
        holding = true
        sleep(20)
        redis.call("INCR", "work")
        redis.call("DEL", "lock")
        holding = false
    end
"#;

#[test]
fn a_lease_that_ran_out_during_a_pause() {
    let timeline = lock_run(LOCK, "A1.pauseA.T1.B1");
    assert_eq!(timeline.decided(0), Some(4));
    expect![[r#"
        A’s hold on lock ran out at step 3, while A was paused (since step 2).
        A still believes that it holds lock (holding = true), but since step 4 it is B’s."#]]
    .assert_eq(&why(&timeline, Lang::En).join("\n"));
    expect![[r#"
        A 对 lock 的持有在第 3 步到期，当时 A 正被暂停（自第 2 步起）。
        A 仍以为自己持有 lock（holding = true），但从第 4 步起它已属于 B。"#]]
    .assert_eq(&why(&timeline, Lang::Zh).join("\n"));
}

#[test]
fn a_lease_that_ran_out_in_sleep_and_a_lock_that_another_deleted() {
    let program = LOCK.replace("sleep(20)", "sleep(50)");
    let timeline = lock_run(&program, "A1.T1.B1.T2.A2.A3");
    expect![[r#"
        A’s hold on lock ran out at step 2, while A was asleep.
        A went on and changed work at step 5, although lock was no longer its own.
        A changed or deleted lock at step 6, although B had taken it at step 3.
        B still believes that it holds lock (holding = true), but since step 6 it is gone."#]]
    .assert_eq(&why(&timeline, Lang::En).join("\n"));
}

#[test]
fn a_lock_given_back_is_no_reason() {
    let timeline = lock_run(LOCK, "A1.T1.A2.A3.B1");
    assert_eq!(why(&timeline, Lang::En), Vec::<String>::new());
}
