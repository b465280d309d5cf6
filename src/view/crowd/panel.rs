//! The page of a crowd: its words and numbers.

use crate::jobs::crowd::{SWEEP_EVENTS, Which};
use crate::lesson::MeasureDef;
use crate::load::{Histogram, Summary, Tally};
use crate::session::spelling::{shortened, thousands};
use crate::text::{CrowdWord, KeptWord, Lang, crowd, fill, kept};

use super::chart::{Chart, ticks};
use super::dots::Dots;
use super::form::Group;
use super::{Cell as CrowdCell, Crowding, Phase, RealState};
use crate::real::crowd::RealRun;

/// The most characters of the setup that are shown.
const SETUP_CHARS_MAX: usize = 80;
/// The most words of one command in it.
const WORDS_MAX: usize = 6;
/// The most bars of a histogram: on a phone each is as wide as a finger.
const BARS_MAX: usize = 20;
const BARS_MAX_TOUCH: usize = 7;

/// A variant that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub variant: usize,
    pub label: String,
    pub on: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub text: String,
    /// Further text below the value.
    pub more: Vec<String>,
    /// The share of the row's greatest value, in percent.
    pub share: Option<f64>,
    pub bad: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub label: String,
    pub cells: Vec<Cell>,
    /// The heading, if it begins a part of the table.
    pub part: Option<&'static str>,
}

/// One bar of a histogram: the runs whose value is between two values.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub says: String,
    pub count: usize,
    /// Its share of the variant's runs, in percent of the greatest such share.
    pub height: f64,
    /// The same for runs on real servers.
    pub real: Option<f64>,
    pub bad: bool,
    /// The seed of the first run in it.
    pub seed: u64,
}

/// The histogram of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    pub variant: usize,
    pub label: String,
    pub bars: Vec<Bar>,
    /// The labels of the axis' ends.
    pub ends: [String; 2],
}

/// The whole page.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub running: bool,
    pub begun: bool,
    pub groups: Vec<Group>,
    pub choices: Vec<Choice>,
    pub is_proposed: bool,
    /// The first error in the form.
    pub problem: Option<String>,
    pub size: String,
    /// A description of the crowd's world, in place of the lesson's goal; `None` if the form has
    /// errors.
    pub world: Option<String>,
    /// The number of finished runs, and of all runs.
    pub progress: Option<(usize, usize)>,
    pub said: String,
    pub failed: bool,
    /// The main result; `None` if the lesson counts nothing that goes wrong.
    pub dots: Option<Dots>,
    /// The columns of the table: names of variants, and their indices among the choices.
    pub heads: Vec<(usize, String)>,
    pub rows: Vec<Row>,
    pub seeds: String,
    pub measures: Vec<String>,
    pub measure: usize,
    pub histograms: Vec<Bars>,
    /// A note on the run that is being reduced.
    pub note: Option<String>,
    /// Notes on the crowd on real servers; and below, true while it is under way.
    pub real: Vec<String>,
    pub on_real: bool,
    /// True if a sweep over instances down makes sense.
    pub has_down: bool,
    pub sweeps: Vec<Sweep>,
}

/// A function from a run and its response times to a value.
type ValueOf<'m> = Box<dyn Fn(&Tally, &[u64; 4]) -> f64 + 'm>;

/// A number of a run that can be counted.
pub(super) struct Measured<'m> {
    pub label: String,
    pub bad: bool,
    /// True if it is about the end of the run.
    pub at_end: bool,
    /// True if there is nothing to show when it is 0 everywhere.
    pub idle: bool,
    pub of: ValueOf<'m>,
}

/// Returns the measures of the lesson, and those that every run has.
pub(super) fn measured(defs: &[MeasureDef], lang: Lang) -> Vec<Measured<'_>> {
    let of_lesson = defs.iter().enumerate().map(|(at, def)| Measured {
        label: def.label.get(lang).clone(),
        bad: def.bad,
        at_end: true,
        idle: false,
        of: Box::new(move |run, _| run.values.get(at).copied().unwrap_or(f64::NAN)),
    });
    let word = |word| crowd(lang, word).to_owned();
    let mut all: Vec<Measured<'_>> = of_lesson.collect();
    all.push(Measured {
        label: word(CrowdWord::P95),
        bad: false,
        at_end: false,
        idle: false,
        of: Box::new(|_, response| response[2] as f64 / 1e6),
    });
    all.push(Measured {
        label: word(CrowdWord::Throughput),
        bad: false,
        at_end: false,
        idle: false,
        of: Box::new(|run, _| run.throughput()),
    });
    all.push(Measured {
        label: word(CrowdWord::Retries),
        bad: false,
        at_end: false,
        idle: true,
        of: Box::new(|run, _| run.sleeps as f64 / run.arrived.max(1) as f64),
    });
    all
}

/// Formats a number with three digits, or fewer if it has fewer.
pub(super) fn short(number: f64) -> String {
    if !number.is_finite() {
        return "—".to_owned();
    }
    let size = number.abs();
    let decimals = match size {
        _ if number.fract() == 0.0 && size < 1e15 => 0,
        _ if size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{size:.decimals$}");
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), thousands);
    let sign = if number < 0.0 { "−" } else { "" };
    [sign, &whole, if part.is_empty() { "" } else { "." }, part].concat()
}

fn ms(ns: f64) -> String {
    match ns > 0.0 && ns < 1e5 {
        true => [&short(ns / 1e3), " µs"].concat(),
        false => [&short(ns / 1e6), " ms"].concat(),
    }
}

impl View {
    pub fn new(of: &Crowding, touch: bool, lang: Lang) -> View {
        let lesson = of.lesson();
        let label = |at: usize| {
            lesson
                .variants
                .get(at)
                .map(|variant| variant.label.get(lang).clone())
                .unwrap_or_default()
        };
        let choice = |variant| Choice {
            variant,
            label: label(variant),
            on: of.form.variants.contains(&variant),
        };
        let defs = lesson.crowd.as_ref().map_or(&[][..], |def| &def.measures);
        let measures = measured(defs, lang);
        let measure = of.measure.min(measures.len() - 1);
        let cells = of.cells(Which::Form);
        let heads = cells.iter().map(|cell| (cell.variant, label(cell.variant))).collect();
        let seeds = cells.iter().map(|cell| cell.summary.runs.len()).max().unwrap_or(0);
        let problem = of.form.problem(of, lang);
        let note = match (of.reducing(), of.in_vain) {
            (Some(seed), _) => Some((CrowdWord::Reducing, seed)),
            (None, Some(seed)) => Some((CrowdWord::NotReduced, seed)),
            _ => None,
        };
        View {
            running: of.is_running(),
            begun: of.phase != Phase::Idle,
            groups: of.form.groups(of, lang),
            choices: of.offered().into_iter().map(choice).collect(),
            is_proposed: of.form.is_proposed(),
            size: if problem.is_none() { size(of, lang) } else { String::new() },
            world: if problem.is_none() { world(of, lang) } else { None },
            problem,
            progress: of.is_running().then(|| (of.done(), of.asked().tasks)),
            said: said(of, lang),
            failed: matches!(of.phase, Phase::Failed(_) | Phase::Ended),
            dots: Dots::new(cells, defs, &label, lang),
            rows: rows(of, cells, defs, lang),
            heads,
            seeds: fill(crowd(lang, CrowdWord::SeedsShown), &[&seeds.to_string()]),
            histograms: {
                // Of what every run has, real ones are not asked.
                let real = Some(measure).filter(|at| *at < defs.len());
                let of_real = |variant| real_values(of.real.of(variant), real);
                histograms(cells, &measures[measure], touch, &of_real, &label, lang)
            },
            measures: measures.iter().map(|one| one.label.clone()).collect(),
            measure,
            note: note.map(|(word, seed)| fill(crowd(lang, word), &[&seed.to_string()])),
            real: real_said(of, &label, lang),
            on_real: matches!(of.real.state, RealState::Connecting | RealState::Running(..)),
            has_down: of.has_several_instances(),
            sweeps: [Which::Clients, Which::Down]
                .into_iter()
                .filter(|which| !of.cells(*which).is_empty())
                .map(|which| Sweep::new(of, which, &measures, &label, lang))
                .collect(),
        }
    }
}

/// Describes the size of the crowd.
fn size(of: &Crowding, lang: Lang) -> String {
    let total = of.form.variants.first().and_then(|at| of.plan(*at)).map_or(0, |plan| plan.total());
    let variants = of.form.variants.len().to_string();
    let seeds = of.seeds().to_string();
    fill(crowd(lang, CrowdWord::Choosing), &[&variants, &seeds, &thousands(total)])
}

/// Returns a command; of a long row of words the first and the last.
fn in_short(command: &[String]) -> String {
    match command {
        [first @ .., last] if first.len() > WORDS_MAX => {
            format!("{} … {last}", first[..WORDS_MAX - 1].join(" "))
        }
        _ => command.join(" "),
    }
}

/// Describes the world that the crowd works on, which is not that of the lesson's few clients.
fn world(of: &Crowding, lang: Lang) -> Option<String> {
    let plan = of.form.variants.first().and_then(|at| of.plan(*at))?;
    let own = of.lesson().crowd.as_ref().map(|def| def.setup.clone());
    let of_variant = || {
        let variant = of.lesson().variants.get(*of.form.variants.first()?)?;
        let commands = variant.world.commands().0.into_iter();
        Some(commands.filter(|one| one.node == 0).map(|one| one.argv).collect())
    };
    let setup = own.filter(|setup| !setup.is_empty()).or_else(of_variant)?;
    let setup: Vec<String> = setup.iter().map(|command| in_short(command)).collect();
    let begins = match setup.is_empty() {
        true => crowd(lang, CrowdWord::WorldEmpty).to_owned(),
        false => {
            let setup = shortened(&setup.join("; "), SETUP_CHARS_MAX);
            fill(crowd(lang, CrowdWord::WorldBegins), &[&setup])
        }
    };
    let (clients, total) = (thousands(plan.clients.into()), thousands(plan.total()));
    Some(fill(crowd(lang, CrowdWord::World), &[&clients, &total, &begins]))
}

/// Describes the state of the crowd in a sentence.
fn said(of: &Crowding, lang: Lang) -> String {
    let (done, tasks) = (thousands(of.done() as u64), thousands(of.asked().tasks as u64));
    let ended = thousands(of.ended);
    let seconds = short((of.elapsed_ms as f64 / 100.0).round() / 10.0);
    let rate = thousands(of.ended * 1_000 / of.elapsed_ms.max(1));
    let (word, values): (_, Vec<&str>) = match &of.phase {
        Phase::Idle => return String::new(),
        Phase::Ended => return kept(lang, KeptWord::CrowdEnded).to_owned(),
        Phase::Running => (CrowdWord::Progress, vec![&done, &tasks, &ended, &rate]),
        Phase::Done => (CrowdWord::Done, vec![&done, &ended, &seconds]),
        Phase::Stopped => (CrowdWord::Stopped, vec![&done, &tasks]),
        Phase::TimeUp => (CrowdWord::TimeUp, vec![&done, &tasks, &seconds]),
        Phase::Failed(why) => (CrowdWord::Failed, vec![why]),
    };
    fill(crowd(lang, word), &values)
}

fn rows(of: &Crowding, cells: &[CrowdCell], defs: &[MeasureDef], lang: Lang) -> Vec<Row> {
    if cells.is_empty() {
        return Vec::new();
    }
    let word = |word| crowd(lang, word);
    let mut rows = Vec::new();
    for (at, def) in defs.iter().enumerate() {
        let real = |cell: &CrowdCell| real_values(of.real.of(cell.variant), Some(at));
        let of = cells.iter().map(|cell| outcome(&cell.summary, at, def.bad, real(cell), lang));
        let part = (at == 0).then(|| word(CrowdWord::Measure));
        rows.push(Row { label: def.label.get(lang).clone(), cells: of.collect(), part });
    }
    let first = rows.len();
    let number = |label: String, write: fn(f64) -> String, of: &dyn Fn(&Summary) -> f64| {
        let values: Vec<f64> = cells.iter().map(|cell| of(&cell.summary)).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let cell = |value: &f64| Cell {
            text: write(*value),
            more: Vec::new(),
            share: (most > 0.0).then(|| value / most * 100.0),
            bad: false,
        };
        Row { label, cells: values.iter().map(cell).collect(), part: None }
    };
    let per_cent = |value: f64| [&short((value * 1_000.0).round() / 10.0), " %"].concat();
    let name = |key| word(key).to_owned();
    rows.push(number(name(CrowdWord::Throughput), short, &|all| all.mean(Tally::throughput)));
    let mut times = |mean: CrowdWord, within: CrowdWord, of: fn(&Summary) -> &Histogram| {
        rows.push(number(name(mean), ms, &|all| of(all).mean()));
        for percent in [50, 95, 99] {
            let label = fill(word(within), &[&percent.to_string()]);
            rows.push(number(label, ms, &|all| of(all).percentile(f64::from(percent)) as f64));
        }
    };
    times(CrowdWord::Response, CrowdWord::Percentile, |all| &all.response);
    times(CrowdWord::Waiting, CrowdWord::WaitingWithin, |all| &all.waiting);
    rows.push(number(name(CrowdWord::Queueing), ms, &|all| all.queueing.mean()));
    let retries = |all: &Summary| all.mean(|run| run.sleeps as f64 / run.arrived.max(1) as f64);
    rows.push(number(name(CrowdWord::Retries), short, &retries));
    let commands = |all: &Summary| all.mean(Tally::commands_per_request);
    rows.push(number(name(CrowdWord::Commands), short, &commands));
    rows.push(number(name(CrowdWord::Busy), per_cent, &|all| all.mean(Tally::utilisation)));
    rows.push(number(name(CrowdWord::Fairness), short, &|all| all.mean(|run| run.fairness)));
    rows.extend(accidents(cells, lang));
    rows[first].part = Some(word(CrowdWord::Cost));
    rows
}

/// Returns rows for the requests and runs that went wrong; empty if none did.
fn accidents(cells: &[CrowdCell], lang: Lang) -> Vec<Row> {
    let ended = |run: &Tally| [run.failed, run.crashed, run.stuck];
    type Flag = (CrowdWord, fn(&Tally) -> bool);
    let flags: [Flag; 2] =
        [(CrowdWord::Deadlocked, |run| run.deadlocked), (CrowdWord::Cut, |run| run.cut)];
    let mut rows = Vec::new();
    let plain = |text: String, bad| Cell { text, more: Vec::new(), share: None, bad };
    if cells.iter().any(|cell| cell.summary.runs.iter().any(|run| ended(run) != [0; 3])) {
        let three = |cell: &CrowdCell| {
            let mean = |at: usize| cell.summary.mean(|run| ended(run)[at] as f64);
            let texts = [0, 1, 2].map(|at| short((mean(at) * 10.0).round() / 10.0));
            plain(texts.join(" / "), texts.iter().any(|text| text != "0"))
        };
        let label = crowd(lang, CrowdWord::Ended).to_owned();
        rows.push(Row { label, cells: cells.iter().map(three).collect(), part: None });
    }
    for (word, is_it) in flags {
        let count = |cell: &CrowdCell| cell.summary.runs.iter().filter(|run| is_it(run)).count();
        if cells.iter().any(|cell| count(cell) > 0) {
            let of = cells.iter().map(|cell| plain(count(cell).to_string(), count(cell) > 0));
            let label = crowd(lang, word).to_owned();
            rows.push(Row { label, cells: of.collect(), part: None });
        }
    }
    rows
}

/// Returns a measure over all runs of a variant.
fn outcome(all: &Summary, at: usize, is_bad: bool, mut real: Vec<f64>, lang: Lang) -> Cell {
    let values = all.runs.iter().filter_map(|run| run.values.get(at)).copied();
    // NaN in runs in which no client got so far.
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let some = values.iter().filter(|value| **value != 0.0).count();
    let range = |sorted: &[f64], always: CrowdWord, range: CrowdWord| {
        let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
        if least == most {
            return fill(crowd(lang, always), &[&short(least)]);
        }
        let parts = [short(least), short(most), short(sorted[(sorted.len() - 1) / 2])];
        fill(crowd(lang, range), &parts.each_ref().map(String::as_str))
    };
    if values.is_empty() {
        return Cell { text: short(f64::NAN), more: Vec::new(), share: None, bad: false };
    }
    let text = range(&values, CrowdWord::AlwaysThis, CrowdWord::RangeOf);
    let (some_text, runs) = (some.to_string(), all.runs.len().to_string());
    let mut more = Vec::new();
    if is_bad && some > 0 {
        more.push(fill(crowd(lang, CrowdWord::InRuns), &[&some_text, &runs]));
    }
    real.sort_by(f64::total_cmp);
    if !real.is_empty() {
        more.push(range(&real, CrowdWord::RealAlways, CrowdWord::RealRange));
    }
    Cell { text, more, share: None, bad: is_bad && some > 0 }
}

fn histograms(
    cells: &[CrowdCell],
    of: &Measured<'_>,
    touch: bool,
    real: &dyn Fn(usize) -> Vec<f64>,
    label: &dyn Fn(usize) -> String,
    lang: Lang,
) -> Vec<Bars> {
    let values_of = |cell: &CrowdCell| -> Vec<f64> {
        let runs = cell.summary.runs.iter().zip(&cell.responses);
        runs.map(|(run, response)| (of.of)(run, response)).collect()
    };
    let finite = |value: &f64| value.is_finite();
    let both = |cell: &CrowdCell| [values_of(cell), real(cell.variant)].concat();
    let all: Vec<f64> = cells.iter().flat_map(both).filter(finite).collect();
    let (least, most) = all
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    if all.is_empty() {
        return Vec::new();
    }
    let bars = if touch { BARS_MAX_TOUCH } else { BARS_MAX };
    let whole = all.iter().all(|value| value.fract() == 0.0);
    let (from, width, count) = division(least, most, whole, bars);
    let place = |value: f64| (((value - from) / width) as usize).min(count - 1);
    let mut found: Vec<Vec<Vec<usize>>> = Vec::new();
    for cell in cells {
        let mut places = vec![Vec::new(); count];
        for (run, value) in values_of(cell).into_iter().enumerate() {
            if value.is_finite() {
                places[place(value)].push(run);
            }
        }
        found.push(places);
    }
    let runs = |cell: &CrowdCell| cell.summary.runs.len().max(1) as f64;
    let mut highest = f64::MIN_POSITIVE;
    let mut reals = Vec::new();
    for (cell, places) in cells.iter().zip(&found) {
        let most = places.iter().map(Vec::len).max().unwrap_or(0) as f64;
        highest = f64::max(highest, most / runs(cell));
        let values = real(cell.variant);
        let mut counts = vec![0_usize; count];
        values.iter().filter(|one| finite(one)).for_each(|one| counts[place(*one)] += 1);
        let most = counts.iter().copied().max().unwrap_or(0) as f64;
        highest = f64::max(highest, most / values.len().max(1) as f64);
        reals.push((counts, values.len()));
    }
    let range = |at: usize| {
        let low = from + at as f64 * width;
        match whole && width == 1.0 {
            true => short(low),
            false => {
                let high = low + width - if whole { 1.0 } else { 0.0 };
                [&short(low), "–", &short(high)].concat()
            }
        }
    };
    type Places = (Vec<Vec<usize>>, (Vec<usize>, usize));
    let draw = |(cell, (places, (counts, all))): (&CrowdCell, Places)| {
        let part = |many: usize, of: f64| many as f64 / of / highest * 100.0;
        let of_runs = runs(cell);
        let runs = cell.summary.runs.len().to_string();
        let (label, values) = (label(cell.variant), values_of(cell));
        let bar = |(at, runs_of): (usize, Vec<usize>)| {
            let many = runs_of.len().to_string();
            let parts = [label.as_str(), &range(at), &many, &runs];
            let mut says = fill(crowd(lang, CrowdWord::BarOf), &parts);
            if all > 0 {
                let parts = [says.as_str(), &counts[at].to_string(), &all.to_string()];
                says = fill(crowd(lang, CrowdWord::RealBar), &parts);
            }
            Bar {
                says,
                real: (counts[at] > 0).then(|| part(counts[at], all as f64)),
                height: part(runs_of.len(), of_runs),
                bad: of.bad && runs_of.iter().any(|run| values[*run] != 0.0),
                seed: runs_of.first().map_or(0, |run| cell.summary.runs[*run].seed),
                count: runs_of.len(),
            }
        };
        let bars = places.into_iter().enumerate().map(bar).collect();
        Bars {
            variant: cell.variant,
            label: label.clone(),
            bars,
            ends: [range(0), range(count - 1)],
        }
    };
    cells.iter().zip(found.into_iter().zip(reals)).map(draw).collect()
}

/// Returns a measure of runs on real servers.
fn real_values(runs: &[RealRun], measure: Option<usize>) -> Vec<f64> {
    let Some(at) = measure else { return Vec::new() };
    let values = runs.iter().filter_map(|run| run.values.get(at)).copied();
    values.filter(|value| value.is_finite()).collect()
}

/// Describes the state of the crowd on real servers.
fn real_said(of: &Crowding, label: &dyn Fn(usize) -> String, lang: Lang) -> Vec<String> {
    let word = |word| crowd(lang, word);
    let mut said = Vec::new();
    if let Some((clients, requests)) = of.real.bounded {
        let parts = [clients.to_string(), thousands(requests)];
        said.push(fill(word(CrowdWord::RealBounds), &parts.each_ref().map(String::as_str)));
    }
    said.push(match &of.real.state {
        RealState::Absent => return said,
        RealState::Connecting => word(CrowdWord::RealConnecting).to_owned(),
        RealState::Running(variant, run, runs) => {
            let parts = [label(*variant), run.to_string(), runs.to_string()];
            fill(word(CrowdWord::RealRunning), &parts.each_ref().map(String::as_str))
        }
        RealState::Done => {
            let runs = of.real.runs.iter().map(|(_, runs)| runs.len()).max().unwrap_or(0);
            fill(word(CrowdWord::RealDone), &[&runs.to_string()])
        }
        RealState::Stopped(why) => fill(word(CrowdWord::RealStopped), &[why]),
    });
    said
}

/// Returns the start of the first bar, the width of bars, and their number.
fn division(least: f64, most: f64, whole: bool, bars: usize) -> (f64, f64, usize) {
    let span = most - least;
    if whole && span < bars as f64 {
        return (least, 1.0, span as usize + 1);
    }
    if span <= 0.0 {
        return (least, 1.0, 1);
    }
    let mut width = ticks(span / bars as f64);
    if whole {
        width = width.max(1.0).ceil();
    }
    let mut from = (least / width).floor() * width;
    while ((most - from) / width) as usize + 1 > bars {
        width = ticks(width * 1.01);
        from = (least / width).floor() * width;
    }
    (from, width, ((most - from) / width) as usize + 1)
}

/// A sweep, as charts and as a table with the same numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    pub which: Which,
    /// True if it was requested last.
    pub is_last: bool,
    pub title: &'static str,
    pub hint: &'static str,
    pub charts: Vec<Chart>,
    pub rows: Vec<Vec<String>>,
    pub note: Option<String>,
}

impl Sweep {
    fn new(
        of: &Crowding,
        which: Which,
        measures: &[Measured<'_>],
        label: &dyn Fn(usize) -> String,
        lang: Lang,
    ) -> Sweep {
        let cells = of.cells(which);
        let down = which == Which::Down;
        let words = match down {
            true => [CrowdWord::DownTitle, CrowdWord::DownHint, CrowdWord::Down],
            false => [CrowdWord::SweepTitle, CrowdWord::SweepHint, CrowdWord::SweepClients],
        };
        let [title, hint, axis] = words.map(|word| crowd(lang, word));
        let mut variants: Vec<usize> = cells.iter().map(|cell| cell.variant).collect();
        variants.dedup();
        // A run that was cut off has no end, so measures taken at the end leave it out.
        let mean = |one: &Measured<'_>, cell: &CrowdCell| {
            let runs = cell.summary.runs.iter().zip(&cell.responses);
            let whole = runs.filter(|(run, _)| !(one.at_end && run.cut));
            let values = whole.map(|(run, response)| (one.of)(run, response));
            let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        let chart = |one: &Measured<'_>| {
            let line = |variant: &usize| {
                let own = cells.iter().filter(|cell| cell.variant == *variant);
                let points = own.map(|cell| (cell.spot.number(), mean(one, cell))).collect();
                (*variant, label(*variant), points)
            };
            Chart::new(&one.label, variants.iter().map(line).collect(), down, lang)
        };
        let mut head = vec![axis.to_owned(), String::new()];
        head.extend(measures.iter().map(|one| one.label.clone()));
        let mut rows = vec![head];
        let mut sorted: Vec<&CrowdCell> = cells.iter().collect();
        sorted.sort_by_key(|cell| (cell.spot, cell.variant));
        for cell in sorted {
            let mut row = vec![thousands(cell.spot.number().into()), label(cell.variant)];
            row.extend(measures.iter().map(|one| short(mean(one, cell))));
            rows.push(row);
        }
        let told = |one: &&Measured<'_>| !one.idle || cells.iter().any(|at| mean(one, at) > 0.0);
        let charts = measures.iter().filter(told).map(chart).collect();
        let is_cut = |cell: &&CrowdCell| cell.summary.runs.iter().any(|run| run.cut);
        let cut = cells.iter().filter(|cell| !down && is_cut(cell)).map(|cell| cell.spot.number());
        let note = cut.min().map(|clients| {
            let parts = [thousands(SWEEP_EVENTS), thousands(clients.into())];
            let parts = parts.each_ref().map(String::as_str);
            fill(crowd(lang, CrowdWord::SweepCut), &parts)
        });
        Sweep { which, is_last: of.which == which, title, hint, charts, rows, note }
    }
}
