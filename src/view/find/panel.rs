//! The panel of Find, as plain data, in both languages.

use std::rc::Rc;

use crate::checker::Natural;
use crate::jobs::find::{Near, Outcome, Progress, Report};
use crate::lesson::{Lesson, PropertyDef};
use crate::scenario::lacking_words;
use crate::session::Session;
use crate::session::spelling::{grouped, thousands};
use crate::sim::{self, Event, Frame, Kind, Timeline, endless_line};
use crate::text::{CauseWord, KeptWord, Key, Lang, VerdictWord, cause, fill, kept, tr, verdict};
use crate::view::find::conditions;
use crate::view::learn::challenge;
use crate::view::map::words::orders_wrong;
use crate::view::stage::explain::row_words;
use crate::view::stage::strip::{Cell, strip};
use crate::view::stage::why::why;

use super::{Phase, Results, Shown};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panel {
    pub running: bool,
    /// True if there are answers, at least some.
    pub begun: bool,
    pub questions: Vec<Question>,
    /// Names and values: states, transitions …
    pub counts: Vec<(&'static str, String)>,
    /// What makes the answers say little: why the search ended early, what happens in no order.
    pub caveats: Vec<String>,
    /// Remarks on the search: its conditions, what it left out, and so on.
    pub notes: Vec<String>,
    /// A mistake in the lesson, or of the checker; then there are no answers.
    pub mistake: Option<String>,
    pub counted: Option<Counted>,
    /// The state in one sentence, read out when it changes.
    pub status: String,
}

/// A property, or deadlock freedom, with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub id: String,
    pub label: String,
    /// The requirement: "must hold in every state".
    pub asked: &'static str,
    pub tone: Tone,
    /// The answer; empty if there is none yet.
    pub words: String,
    pub run: Option<RunView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Open,
    Good,
    Bad,
}

impl Tone {
    /// Returns its class, which tests read too.
    pub fn id(self) -> &'static str {
        match self {
            Tone::Open => "open",
            Tone::Good => "ok",
            Tone::Bad => "bad",
        }
    }

    pub fn mark(self) -> &'static str {
        match self {
            Tone::Open => "○",
            Tone::Good => "✓",
            Tone::Bad => "✕",
        }
    }
}

/// A run as a strip, with its explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunView {
    pub schedule: String,
    pub cells: Vec<Cell>,
    /// The first step of those that repeat forever.
    pub loop_from: Option<usize>,
    pub why: Vec<String>,
}

/// The number of schedules, and their outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// "Of 66 orders 40 go wrong."
    pub headline: String,
    /// What the headline leaves out, if that goes wrong: what should happen in the end.
    pub aside: String,
    /// The number of orders that go wrong: the sum of the outcomes that are marked so. `None` if
    /// it is not known what breaks before the end.
    pub wrong: Option<Natural>,
    pub words: String,
    pub bars: Vec<Bar>,
    /// About outcomes that are not listed; empty if all are.
    pub more: String,
}

/// An outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// The words that tell it from other outcomes, as in the lesson, and what broke on the way;
    /// empty if there are none.
    pub said: String,
    pub left: String,
    /// True if no `always` was broken, and no client got stuck.
    pub good: bool,
    pub schedules: String,
    /// "33.3 %"
    pub percent: String,
    /// The share in millionths.
    pub share: u32,
    pub witness: String,
}

const RATE_AFTER_MS: u64 = 200;

impl Panel {
    /// Builds the panel: the questions about a variant, and the answers of `results`, if any.
    pub fn new(lesson: &Lesson, variant: usize, results: Option<&Results>, lang: Lang) -> Panel {
        let results = results.filter(|results| results.variant == variant);
        let report = results.and_then(|results| results.report.as_ref());
        let mistake = match results.map(|results| &results.phase) {
            Some(Phase::Failed(why)) => Some(why.clone()),
            _ => report.and_then(|report| report.mistake.clone()),
        };
        let mistake = match results.map(|results| &results.phase) {
            Some(Phase::Ended) => Some(kept(lang, KeptWord::CheckerEnded).to_owned()),
            _ => mistake.map(|why| fill(tr(lang, Key::FindMistake), &[&why])),
        };
        // A mistake in a property makes all answers meaningless.
        let trusted = results.filter(|_| mistake.is_none());
        let properties = lesson.properties_of(variant).enumerate();
        let mut questions: Vec<Question> =
            properties.map(|(at, property)| question(at, property, trusted, lang)).collect();
        questions.extend(errors(questions.len(), trusted, lang));
        questions.extend(trusted.and_then(|results| stuck(results, lang)));
        let slow = trusted.and_then(|results| slower(lesson, variant, results, lang));
        questions.extend(slow);
        tell_once(&mut questions, lang);
        let mut unmet =
            lesson.properties_of(variant).zip(&questions).filter(|(property, question)| {
                property.kind == Kind::Eventually && question.tone == Tone::Bad
            });
        let unmet = unmet.next().map(|(_, question)| question.label.as_str());
        let counted = trusted.and_then(|_| counted(lesson, variant, report?, unmet, lang));
        Panel {
            running: results.is_some_and(Results::is_running),
            begun: results.is_some(),
            counts: results.map(|results| counts(&results.progress, lang)).unwrap_or_default(),
            caveats: trusted.map(|results| caveats(results, lang)).unwrap_or_default(),
            notes: trusted.map(|results| notes(results, lang)).unwrap_or_default(),
            counted,
            status: status(results, &questions, mistake.as_deref(), lang),
            mistake,
            questions,
        }
    }
}

/// Tells a run that answers several questions once: the others name the first.
fn tell_once(questions: &mut [Question], lang: Lang) {
    for at in 1..questions.len() {
        let (before, rest) = questions.split_at_mut(at);
        let Some(run) = rest[0].run.as_mut().filter(|run| !run.why.is_empty()) else { continue };
        let is_same = |known: &&Question| {
            let known = known.run.as_ref().filter(|known| !known.why.is_empty());
            known.is_some_and(|known| {
                (&known.schedule, known.loop_from) == (&run.schedule, run.loop_from)
            })
        };
        if let Some(first) = before.iter().find(is_same) {
            run.why = vec![fill(cause(lang, CauseWord::SameRun), &[&first.label])];
        }
    }
}

fn question(at: usize, property: &PropertyDef, results: Option<&Results>, lang: Lang) -> Question {
    let asked = match property.kind {
        Kind::Always => Key::AskedAlways,
        Kind::Sometimes => Key::AskedSometimes,
        Kind::Eventually => Key::AskedEventually,
    };
    let (tone, mut words) = results
        .map(|results| answer(at, property.kind, results, lang))
        .unwrap_or((Tone::Open, String::new()));
    let shown = results.and_then(|results| results.runs.get(at)?.as_ref());
    if shown.is_some_and(takes_no_time) {
        words.push_str(if lang == Lang::Zh { "。" } else { ". " });
        words.push_str(verdict(lang, VerdictWord::Zeno));
    }
    let explained = Some(at).filter(|_| property.kind != Kind::Sometimes);
    let mut run = shown.map(|shown| run_view(shown, explained, lang));
    if let (Some(run), Some(shown), Kind::Always) = (&mut run, shown, property.kind)
        && run.why.is_empty()
    {
        run.why = last_steps(&shown.timeline, lang);
    }
    Question {
        id: property.id.clone(),
        label: property.label.get(lang).clone(),
        asked: tr(lang, asked),
        tone,
        words,
        run,
    }
}

/// Says what the last steps of a run did, where nothing else explains it.
fn last_steps(timeline: &Timeline, lang: Lang) -> Vec<String> {
    const STEPS: usize = 3;
    let frames = timeline.frames().iter().enumerate().skip(1);
    let last = frames.skip(timeline.len().saturating_sub(STEPS));
    last.map(|(step, frame)| {
        let words = [step.to_string(), row_words(frame, lang)];
        fill(verdict(lang, VerdictWord::AtStep), &words.each_ref().map(String::as_str))
    })
    .collect()
}

/// Returns true if the run repeats forever while no time passes, although something is due. As
/// [`sim::is_zeno`], but for existing frames, because it is called for each picture.
fn takes_no_time(shown: &Shown) -> bool {
    let frames = shown.timeline.frames();
    let round = frames.iter().rev().take(shown.run.repeats);
    let moves = |frame: &Rc<Frame>| matches!(frame.seen.event, Event::Advance { .. });
    shown.run.repeats > 0
        && !round.clone().any(moves)
        && frames.last().is_some_and(|last| last.world.next_deadline_ms().is_some())
}

/// Returns the verdict in words.
fn answer(at: usize, kind: Kind, results: &Results, lang: Lang) -> (Tone, String) {
    let run = results.runs.get(at).and_then(Option::as_ref).map(|shown| &shown.run);
    let verdict = results.report.as_ref().and_then(|report| report.verdicts.get(at));
    let settled = results.settled(Some(at));
    let holds = match (verdict, run) {
        (Some(verdict), _) => verdict.holds,
        (None, Some(_)) => Some(kind == Kind::Sometimes),
        (None, None) => settled.map(|stands| stands.holds),
    };
    let reduced = match &results.report {
        Some(report) => report.reduced,
        None => settled.is_some_and(|stands| stands.reduced),
    };
    let shortest = verdict.is_none_or(|verdict| verdict.shortest);
    let states = thousands(results.progress.states);
    let steps = run.map(|run| steps(run.steps, lang)).unwrap_or_default();
    let say = |key: Key, values: &[&str]| fill(tr(lang, key), values);
    match (kind, holds) {
        (_, None) if results.is_running() => (Tone::Open, String::new()),
        (_, None) => (Tone::Open, say(Key::Undecided, &[&states])),
        (_, Some(true)) if verdict.is_some_and(|verdict| verdict.empty) => {
            (Tone::Open, self::verdict(lang, VerdictWord::SaysNothing).to_owned())
        }
        (Kind::Always, Some(true)) if reduced => (Tone::Good, say(Key::HoldsReduced, &[&states])),
        (Kind::Always, Some(true)) => (Tone::Good, say(Key::HoldsAlways, &[&states])),
        (Kind::Always, Some(false)) if shortest => (Tone::Bad, say(Key::BreaksShortest, &[&steps])),
        (Kind::Always, Some(false)) => (Tone::Bad, say(Key::Breaks, &[&steps])),
        (Kind::Sometimes, Some(true)) if shortest => {
            (Tone::Good, say(Key::HappensShortest, &[&steps]))
        }
        (Kind::Sometimes, Some(true)) => (Tone::Good, say(Key::Happens, &[&steps])),
        (Kind::Sometimes, Some(false)) => (Tone::Bad, say(Key::NeverHappens, &[&states])),
        (Kind::Eventually, Some(true)) => (Tone::Good, say(Key::HappensInTheEnd, &[&states])),
        (Kind::Eventually, Some(false)) => match run.filter(|run| run.repeats > 0) {
            Some(run) => {
                let stem = self::steps(run.steps - run.repeats.min(run.steps), lang);
                (Tone::Bad, say(Key::LoopsForEver, &[&stem, &self::steps(run.repeats, lang)]))
            }
            None => (Tone::Bad, say(Key::EndsWithoutIt, &[&steps])),
        },
    }
}

impl Results {
    /// Returns the error that was found, in words; `None` if there is none.
    pub fn error_words(&self, lang: Lang) -> Option<String> {
        let (client, message) = self.error()?;
        let at = self.scenario.properties.iter().position(|one| one.is_no_errors())?;
        let shown = self.runs.get(at)?.as_ref()?;
        let words = error_words(shown.run.steps, &client.name(), &message, lang);
        let lacking = self.lacking(client).map(|lacking| lacking_words(&lacking, lang));
        Some([words].into_iter().chain(lacking).collect::<Vec<_>>().join(" "))
    }
}

/// Describes the error that ends a client's program after some steps.
fn error_words(count: usize, client: &str, message: &str, lang: Lang) -> String {
    let say = |word: VerdictWord, values: &[&str]| fill(verdict(lang, word), values);
    let many = steps(count, lang);
    match (count, endless_line(message).map(|line| line.to_string())) {
        (0, Some(line)) => say(VerdictWord::EndlessStart, &[client, &line]),
        (_, Some(line)) => say(VerdictWord::Endless, &[client, &many, &line]),
        (0, None) => say(VerdictWord::ErrorsStart, &[client, message]),
        (_, None) => say(VerdictWord::Errors, &[&many, client, message]),
    }
}

/// Returns the question whether no program ends with an error. It is asked of every variant, after
/// its properties.
fn errors(at: usize, results: Option<&Results>, lang: Lang) -> Option<Question> {
    let results = results?;
    let (mut tone, mut words) = answer(at, Kind::Always, results, lang);
    let shown = results.runs.get(at)?.as_ref();
    if let Some(said) = results.error_words(lang) {
        (tone, words) = (Tone::Bad, said);
    }
    Some(Question {
        id: "errors".to_owned(),
        label: verdict(lang, VerdictWord::NoErrors).to_owned(),
        asked: verdict(lang, VerdictWord::AskedErrors),
        tone,
        words,
        run: shown.map(|shown| run_view(shown, None, lang)),
    })
}

/// Returns the question whether properties still hold where clients are slower. It is asked
/// automatically.
fn slower(lesson: &Lesson, variant: usize, results: &Results, lang: Lang) -> Option<Question> {
    let slow = results.report.as_ref()?.slower.as_ref()?;
    let name = |at: usize| match lesson.properties_of(variant).nth(at) {
        Some(property) => property.label.get(lang).clone(),
        None => verdict(lang, VerdictWord::NoErrors).to_owned(),
    };
    let answer = slow.answer();
    let is_good = answer.breaks.is_none() && !answer.is_open;
    let property = slow.shown().map(|(at, _)| at);
    Some(Question {
        id: "slower".to_owned(),
        label: verdict(lang, VerdictWord::Slower).to_owned(),
        asked: verdict(lang, VerdictWord::AskedSlower),
        // The properties hold for the scenario as it is, so this is no verdict about it.
        tone: if is_good { Tone::Good } else { Tone::Open },
        words: conditions::slower(&answer, name, lang),
        run: results.slower.as_ref().map(|shown| run_view(shown, property, lang)),
    })
}

/// Returns the question whether all clients reach their end. It is asked of every variant. `None`
/// while it is open.
fn stuck(results: &Results, lang: Lang) -> Option<Question> {
    let complete = match &results.report {
        Some(report) => report.bound.is_none(),
        None => results.settled(None).is_some(),
    };
    let (tone, words) = match &results.deadlock {
        Some(shown) => (Tone::Bad, fill(tr(lang, Key::Deadlock), &[&steps(shown.run.steps, lang)])),
        None if complete => (Tone::Good, tr(lang, Key::NoDeadlock).to_owned()),
        None => return None,
    };
    Some(Question {
        id: "deadlock".to_owned(),
        label: tr(lang, Key::NobodyStuck).to_owned(),
        asked: tr(lang, Key::AskedDeadlock),
        tone,
        words,
        run: results.deadlock.as_ref().map(|shown| run_view(shown, None, lang)),
    })
}

fn run_view(shown: &Shown, property: Option<usize>, lang: Lang) -> RunView {
    let repeats = shown.run.repeats;
    RunView {
        schedule: shown.run.schedule.clone(),
        cells: strip(&shown.timeline),
        loop_from: (repeats > 0).then(|| shown.run.steps + 1 - repeats.min(shown.run.steps)),
        why: property.map(|_| why(&shown.timeline, lang)).unwrap_or_default(),
    }
}

fn counts(progress: &Progress, lang: Lang) -> Vec<(&'static str, String)> {
    let row = |key: Key, value: String| (tr(lang, key), value);
    let mut rows = vec![
        row(Key::CountStates, thousands(progress.states)),
        row(Key::CountTransitions, thousands(progress.transitions)),
        row(Key::CountDepth, progress.depth.to_string()),
        row(Key::CountWaiting, thousands(progress.waiting)),
        row(Key::CountMemory, bytes(progress.bytes)),
    ];
    // Shorter than this the clock says nothing.
    if progress.elapsed_ms >= RATE_AFTER_MS {
        rows.push(row(Key::CountRate, thousands(progress.rate())));
    }
    rows.push(row(Key::CountTime, format!("{:.2} s", progress.elapsed_ms as f64 / 1e3)));
    rows
}

fn bytes(count: usize) -> String {
    match count {
        0..1_000_000 => format!("{} KB", count.div_ceil(1_000)),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

fn caveats(results: &Results, lang: Lang) -> Vec<String> {
    let Some(report) = &results.report else { return Vec::new() };
    let bound = report.bound.map(|bound| {
        let (states, depth) = (thousands(results.progress.states), results.progress.depth);
        conditions::ended_early((bound, report.unfollowed.as_ref()), &states, depth, lang)
    });
    bound.into_iter().chain(conditions::never(&report.never, lang)).collect()
}

fn notes(results: &Results, lang: Lang) -> Vec<String> {
    let states = thousands(results.progress.states);
    let depth = results.progress.depth.to_string();
    let mut notes = Vec::new();
    if results.phase == Phase::Stopped {
        notes.push(fill(tr(lang, Key::StoppedAt), &[&states, &depth]));
    }
    let Some(report) = &results.report else { return notes };
    let assumed = sim::Assumed::of_bits(report.assumed);
    if report.bound.is_none() {
        notes.push(conditions::conditions(&results.scenario, report.tick, assumed, lang));
    }
    if report.chance {
        notes.push(verdict(lang, VerdictWord::Chance).to_owned());
    }
    notes.extend(report.ids.iter().map(|shown| conditions::ids(shown, lang)));
    if report.bound.is_none() {
        notes.push(fill(tr(lang, Key::Complete), &[&states, &depth]));
    }
    if report.reduced {
        notes.push(tr(lang, Key::Reduced).to_owned());
    }
    if report.endless {
        notes.push(tr(lang, Key::NotCounted).to_owned());
    } else if report.census.is_none() && report.bound.is_none() {
        notes.push(tr(lang, Key::TooManyToCount).to_owned());
    }
    notes
}

fn counted(
    lesson: &Lesson,
    variant: usize,
    report: &Report,
    unmet: Option<&str>,
    lang: Lang,
) -> Option<Counted> {
    let census = report.census.as_ref()?;
    let properties = lesson.properties_of(variant);
    let asked = properties.map(|property| (property.kind, property.label.get(lang).as_str()));
    // What is asked of every variant comes last.
    let errors = (Kind::Always, verdict(lang, VerdictWord::NoErrors));
    let asked: Vec<(Kind, &str)> = asked.chain([errors]).collect();
    let bars = census.outcomes.iter().map(|outcome| Bar {
        said: told_apart(outcome, &census.outcomes, &asked, lang),
        left: match outcome.left.is_empty() {
            true => tr(lang, Key::NothingLeft).to_owned(),
            false => outcome.left.join(" · "),
        },
        good: !is_wrong(outcome),
        schedules: grouped(&outcome.schedules),
        percent: match outcome.share {
            1_000_000 => "100 %".to_owned(),
            share @ 0..1_000 => format!("{:.4} %", f64::from(share) / 1e4),
            share => format!("{:.1} %", f64::from(share) / 1e4),
        },
        share: outcome.share,
        witness: outcome.witness.schedule.clone(),
    });
    let number = |digits: &str| Natural::parse(digits).unwrap_or_default();
    let mut wrong = number(&census.more_wrong);
    let listed = census.outcomes.iter().filter(|outcome| is_wrong(outcome));
    listed.for_each(|outcome| wrong.add(&number(&outcome.schedules)));
    let wrong = Some(wrong).filter(|_| census.split);
    let schedules = grouped(&census.schedules);
    let mut words = match &census.classes {
        Some(classes) => fill(tr(lang, Key::Counted), &[&schedules, &grouped(classes)]),
        None => fill(tr(lang, Key::CountedAll), &[&schedules]),
    };
    if wrong.is_none() {
        words.push_str(verdict(lang, VerdictWord::EndsAlone));
    }
    let all = number(&census.schedules);
    let more = [census.more.to_string(), grouped(&census.more_wrong)];
    Some(Counted {
        headline: wrong
            .as_ref()
            .map(|wrong| orders_wrong(&all, wrong, unmet.is_some(), lang))
            .unwrap_or_default(),
        aside: unmet
            .map(|label| fill(verdict(lang, VerdictWord::NotCounted), &[label]))
            .unwrap_or_default(),
        wrong,
        words,
        bars: bars.collect(),
        more: match (census.more, more[1].as_str()) {
            (0, _) => String::new(),
            (_, "0") => fill(tr(lang, Key::MoreOutcomes), &[&more[0]]),
            _ => fill(verdict(lang, VerdictWord::MoreWrong), &[&more[0], &more[1]]),
        },
    })
}

fn is_wrong(outcome: &Outcome) -> bool {
    outcome.stuck || outcome.broke.contains(&true)
}

/// Names the properties that are true in some outcomes and false in others, with their truth in
/// this one, and those that it broke.
fn told_apart(one: &Outcome, all: &[Outcome], asked: &[(Kind, &str)], lang: Lang) -> String {
    let truths = &one.truths;
    let broke = |at: usize| one.broke.get(at) == Some(&true);
    let differs = |at: usize| all.iter().any(|other| other.truths.get(at) != truths.get(at));
    let places = 0..truths.len().min(asked.len());
    let on_the_way = |at: &usize| truths[*at] && broke(*at);
    let told = places.clone().filter(|at| (differs(*at) || broke(*at)) && !on_the_way(at));
    let told = told.map(|at| match (truths[at], asked[at]) {
        (true, (_, label)) => ["✓ ", label].concat(),
        (false, (Kind::Always, label)) => ["✕ ", label].concat(),
        (false, (_, label)) => ["– ", label].concat(),
    });
    let stuck = one.stuck.then(|| ["✕ ", tr(lang, Key::NobodyStuck)].concat());
    let earlier: Vec<&str> = places.filter(on_the_way).map(|at| asked[at].1).collect();
    let earlier = (!earlier.is_empty())
        .then(|| fill(verdict(lang, VerdictWord::BrokeOnTheWay), &[&earlier.join(" · ")]));
    told.chain(stuck).chain(earlier).collect::<Vec<_>>().join(" · ")
}

fn status(
    results: Option<&Results>,
    questions: &[Question],
    mistake: Option<&str>,
    lang: Lang,
) -> String {
    let Some(results) = results else { return String::new() };
    if let Some(mistake) = mistake {
        return mistake.to_owned();
    }
    // The worst first.
    let bad = questions.iter().find(|question| question.tone == Tone::Bad);
    let said = bad.map(|question| format!("{}: {}", question.label, question.words));
    match &results.phase {
        Phase::Running => said.unwrap_or_else(|| match results.spoken.states {
            0 => tr(lang, Key::Searching).to_owned(),
            states => fill(tr(lang, Key::SearchingAt), &[&thousands(states)]),
        }),
        Phase::Stopped => {
            let depth = results.progress.depth.to_string();
            fill(tr(lang, Key::StoppedAt), &[&thousands(results.progress.states), &depth])
        }
        _ => said.unwrap_or_else(|| {
            let is_open = |one: &Question| one.tone == Tone::Open && one.id != "slower";
            let states = thousands(results.progress.states);
            let says_nothing = results.report.as_ref().is_some_and(|report| {
                report.bound.is_none() && report.verdicts.iter().any(|verdict| verdict.empty)
            });
            match questions.iter().any(is_open) {
                true if says_nothing => fill(verdict(lang, VerdictWord::NothingSaid), &[&states]),
                true => fill(tr(lang, Key::NothingFound), &[&states]),
                false => fill(tr(lang, Key::AllHolds), &[&states]),
            }
        }),
    }
}

/// Describes the distance from the end of the run to a violation.
pub fn hint(session: &Session, near: Option<&Near>, lang: Lang) -> String {
    let timeline = session.timeline();
    let goal = challenge::property(session);
    let asked = |index: usize| goal.is_none_or(|goal| goal == index);
    let properties = session.lesson().properties_of(session.variant()).enumerate();
    let broken = |(index, property): (usize, &PropertyDef)| {
        let wanted = property.kind == Kind::Always || goal.is_some();
        asked(index) && wanted && timeline.decided(index).is_some()
    };
    if properties.into_iter().any(broken) {
        return tr(lang, Key::HintNow).to_owned();
    }
    match near {
        None => tr(lang, Key::HintSearching).to_owned(),
        Some(near) if !near.known => tr(lang, Key::HintUnknown).to_owned(),
        Some(near) => match near
            .steps
            .iter()
            .enumerate()
            .filter(|(index, _)| asked(*index))
            .filter_map(|(_, away)| *away)
            .min()
        {
            Some(away) => fill(tr(lang, Key::HintSteps), &[&steps(away as usize, lang)]),
            None => tr(lang, Key::HintNever).to_owned(),
        },
    }
}

fn steps(count: usize, lang: Lang) -> String {
    fill(tr(lang, Key::Steps), &[&count.to_string()])
}
