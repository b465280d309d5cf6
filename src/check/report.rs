//! Prints verdicts as text for people, or as JSON for programs.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::jobs::find;
use crate::lesson::source::Written;
use crate::lesson::{Lesson, verify};
use crate::scenario::lacking_words;
use crate::sim::{
    Action, AskVacuous, Assumption, Check, Event, Kind, Limits, Property, Scenario, Slower,
    Timeline, Verdict, error_after, is_zeno,
};
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};
use crate::view::find::conditions::{self, ids, never};
use crate::view::stage::explain::row_words;
use crate::view::stage::why::why;

use super::failed::{BEFORE_ALL, Failed};
use super::format::{self, Case};
use super::{Clock, Format, Item, Job, Request, count, exercise, slower};

pub(super) fn report_all(items: &[Item], request: &Request, clock: Clock<'_>) -> bool {
    let started = clock();
    let mut agreed = true;
    let (mut variants, mut verdicts, mut answers) = (0, 0, 0);
    let mut cases = Vec::new();
    for item in items {
        for job in &item.jobs {
            let mut found = Found::of(job, request.limits(), request.seconds_max, clock);
            // Of the whole course it would take as long again.
            let is_asked = request.slower || !request.all;
            if is_asked && matches!(request.format(), Format::Json | Format::Text) {
                found.ask_slower(job, request.slower);
            }
            match request.format() {
                Format::Json => say(&found.in_json(job)),
                Format::Text => say(&found.in_lines(job, request.verbose)),
                Format::Junit | Format::Github => cases.extend(found.cases(job)),
            }
            if request.census && request.format() == Format::Text {
                say(&found.census(job));
            }
            if request.format() == Format::Text {
                let told = found.slower.as_ref().zip(job.scenario.as_ref().ok());
                let lines = told.map(|(answer, of)| slower::lines(answer, of, job, request.slower));
                say(&lines.unwrap_or_default());
            }
            variants += 1;
            verdicts += job.properties.len() as u64;
            agreed &= found.agrees(job);
        }
        // Its claims are about the faults that the lesson allows, and its version.
        let is_claimed = request.faults.is_none() && request.version.is_none();
        let Some(written) = item.lesson.as_ref().filter(|_| is_claimed) else {
            continue;
        };
        for tried in exercise::try_all(written, request.limits()) {
            match request.format() {
                Format::Json => say(&tried.in_json()),
                Format::Text => say(&tried.in_lines()),
                Format::Junit | Format::Github => cases.push(tried.case()),
            }
            answers += 1;
            agreed &= tried.agrees();
        }
        if request.format() == Format::Text {
            say(&exercise::quizzes(&written.lesson));
            say(&exercise::unfinished(written));
        }
    }
    match request.format() {
        Format::Junit => say(&format::junit(&cases)),
        Format::Github => say(&format::github(&cases)),
        _ => {}
    }
    if request.format() == Format::Text {
        let verdict =
            if agreed { "all as claimed" } else { "not as claimed: see the lines with ≠" };
        say(&format!(
            "{}, {}, {}: {verdict} ({:.1} s)\n",
            count(variants, "variant"),
            count(verdicts, "verdict"),
            count(answers, "graded answer"),
            clock() - started,
        ));
    }
    agreed
}

/// Writes to stdout; a closed pipe is no error.
fn say(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Returns the verdicts of one variant as text, and true if they are what the lesson claims.
pub fn report(lesson: &Lesson, variant: usize) -> (String, bool) {
    let job = Job::of_variant(lesson, variant);
    let found = Found::of(&job, Limits::default(), None, &|| 0.0);
    (found.in_lines(&job, false), found.agrees(&job))
}

/// Grades a lesson's answers to its exercise; returns the results as text, and true if all are as
/// the author expects.
pub fn report_answers(written: &Written) -> (String, bool) {
    let mut text = String::new();
    let mut agreed = true;
    for tried in exercise::try_all(written, Limits::default()) {
        text.push_str(&tried.in_lines());
        agreed &= tried.agrees();
    }
    (text, agreed)
}

/// The name of the verdict that no program ends with an error, which every scenario has.
pub(super) const NO_ERRORS: &str = "no-errors";

/// The name of the verdict that no client gets stuck, which every scenario has.
const NO_DEADLOCK: &str = "no-deadlock";

/// The results of a search, or the reason why there are none.
struct Found {
    result: Result<Answer, Failed>,
    seconds: f64,
    /// The answer for slower clients, if that was asked and there are timers.
    slower: Option<Slower>,
}

struct Answer {
    check: std::cell::RefCell<Check>,
    verdicts: Vec<Verdict>,
    /// For each property, the seconds after which its verdict was final.
    decided: Vec<f64>,
    deadlock: Option<Vec<Action>>,
    /// For each property, true if it holds only because what it asks for never has a value.
    empty: Vec<bool>,
}

impl Answer {
    /// Returns true if a client can get stuck; `None` if that is not decided.
    fn is_stuck(&self) -> Option<bool> {
        match self.deadlock.is_some() {
            true => Some(true),
            false => self.check.borrow().is_deadlock_decided().then_some(false),
        }
    }

    /// Returns the verdict that no client gets stuck, in the form of a verdict on a property.
    fn on_deadlock(&self) -> Verdict {
        let holds = self.is_stuck().map(|stuck| !stuck);
        let trace = self.deadlock.clone();
        Verdict { holds, trace, cycle: Vec::new(), is_shortest: !self.check.borrow().is_reduced() }
    }

    /// Returns the verdict in words.
    fn words(&self, scenario: &Scenario, index: usize) -> String {
        let breaks = self.verdicts[index].holds == Some(false);
        let check = self.check.borrow();
        let other = find::ids_of_other(&check, index).filter(|_| breaks);
        let by_text = check.ids().is_some_and(|ids| ids.by_text.get(index) == Some(&true));
        match (self.empty[index], other) {
            (true, _) => verdict(Lang::En, VerdictWord::SaysNothing).to_owned(),
            (_, Some(order)) => fill(verdict(Lang::En, VerdictWord::IdsBreaks), &[&order]),
            _ if by_text && breaks => verdict(Lang::En, VerdictWord::IdsWrittenBreaks).to_owned(),
            _ => words(scenario, scenario.properties[index].kind, &self.verdicts[index]),
        }
    }
}

/// The states between two checks for new verdicts.
pub(super) const STATES_BETWEEN: u32 = 1 << 12;
/// The seconds between two lines that say how far a long search is.
const PROGRESS_BETWEEN: f64 = 5.0;
/// The most steps of a run that is described step by step.
const STEPS_TOLD: usize = 60;
/// The seconds from which the report of a search says when each verdict was final.
const LONG: f64 = 1.0;

impl Found {
    fn of(job: &Job, limits: Limits, seconds_max: Option<u32>, clock: Clock<'_>) -> Found {
        let started = clock();
        let scenario = job.scenario.clone();
        let result = scenario.map_err(Failed::from);
        let result = result.and_then(|scenario| answer(&scenario, limits, seconds_max, clock));
        Found { result, seconds: clock() - started, slower: None }
    }

    fn agrees(&self, job: &Job) -> bool {
        let (Ok(answer), Ok(scenario)) = (&self.result, &job.scenario) else { return false };
        let check = answer.check.borrow();
        let states = check.counts().states;
        let pinned = job.states.is_none_or(|pinned| pinned == states || check.is_reduced());
        let mut verdicts = answer.verdicts.iter().zip(&job.properties).zip(&scenario.properties);
        check.is_complete()
            && pinned
            && answer.is_stuck() == Some(job.deadlock)
            && verdicts.all(|((verdict, (_, claim)), property)| {
                claim.as_ref().is_none_or(|claim| verify::agrees(property.kind, claim, verdict))
            })
    }

    fn in_lines(&self, job: &Job, verbose: bool) -> String {
        let mut text = String::new();
        let (answer, scenario) = match (&self.result, &job.scenario) {
            (Ok(answer), Ok(scenario)) => (answer, scenario),
            (Err(failed), _) => return format!("{}\n≠ {}", job.name(), failed.words(job)),
            (_, Err(why)) => return format!("{}\n≠ {why}\n", job.name()),
        };
        let check = answer.check.borrow();
        let counts = check.counts();
        let _ = writeln!(text, "{}", job.name());
        // What makes a verdict say little comes before it.
        let cut = ended_early(&check);
        if let Some(words) = &cut {
            let _ = writeln!(text, "  ≠ {words}");
        }
        if job.variant.is_empty() {
            text.push_str(&vacuous(&check, scenario));
        }
        let rows = job.properties.iter().zip(&scenario.properties).zip(&answer.verdicts);
        let rows = rows.zip(&answer.decided).enumerate();
        let mut told_of: Vec<(&str, &Verdict)> = Vec::new();
        for (index, ((((name, claim), property), verdict), decided)) in rows {
            let same =
                claim.as_ref().is_none_or(|claim| verify::agrees(property.kind, claim, verdict));
            let mark = if same { ' ' } else { '≠' };
            let words = answer.words(scenario, index);
            let when = match self.seconds >= LONG {
                true => format!(", decided after {decided:.3} s"),
                false => String::new(),
            };
            let _ = writeln!(text, "{mark} {} {name}: {words}{when}", property.kind.word());
            if let Some(error) = error_at_end(scenario, property, verdict) {
                let _ = writeln!(text, "    {error}");
            }
            // A lesson tells its runs itself.
            if (job.variant.is_empty() || !same) && property.kind != Kind::Sometimes {
                let same = |known: &&(&str, &Verdict)| {
                    (&known.1.trace, &known.1.cycle) == (&verdict.trace, &verdict.cycle)
                };
                match told_of.iter().find(same).filter(|_| verdict.trace.is_some()) {
                    Some((first, _)) => {
                        let _ = writeln!(text, "    the same run as of {first}");
                    }
                    None => text.push_str(&told(scenario, verdict)),
                }
                told_of.push((name, verdict));
            }
            if let (false, Some(claim)) = (same, claim) {
                let claimed = if claim.holds { "holds" } else { "breaks" };
                let steps = claim.steps.map(|n| format!(", {}", count(n as u64, "step")));
                let steps = steps.unwrap_or_default();
                let _ = writeln!(text, "    {} expects: {claimed}{steps}", job.file);
            }
        }
        text.push_str(&deadlock(answer, scenario, job));
        if let Some(pinned) = job.states.filter(|n| *n != counts.states && !check.is_reduced()) {
            let _ = writeln!(text, "  ≠ lesson.toml pins {pinned} states, not {}", counts.states);
        }
        if cut.is_none() {
            let _ = writeln!(text, "  {}", under(&check, scenario));
        }
        if check.has_chance() {
            let _ = writeln!(text, "  {}", verdict(Lang::En, VerdictWord::Chance));
        }
        if let Some(shown) = find::ids_shown(&check) {
            let _ = writeln!(text, "  {}", ids(&shown, Lang::En));
        }
        if verbose {
            let _ = writeln!(
                text,
                "  {}, {}, {:.3} s, {:.2} M states/s, {} bytes/state{}",
                count(counts.states, "distinct state"),
                count(counts.transitions, "transition"),
                self.seconds,
                counts.states as f64 / self.seconds.max(1e-9) / 1e6,
                counts.bytes as u64 / counts.states.max(1),
                if check.is_reduced() { ", reduced" } else { "" },
            );
        }
        text
    }

    /// Returns a case for each property.
    fn cases(&self, job: &Job) -> Vec<Case> {
        let case = |name: &str, line: usize, agrees: bool, words: String| Case {
            suite: job.name(),
            name: name.to_owned(),
            file: job.file.clone(),
            line,
            agrees,
            words,
            seconds: self.seconds,
        };
        let (answer, scenario) = match (&self.result, &job.scenario) {
            (Ok(answer), Ok(scenario)) => (answer, scenario),
            (Err(failed), _) => {
                let name = failed.name(job).unwrap_or("search");
                return vec![case(name, failed.line(job), false, failed.words(job))];
            }
            (_, Err(why)) => return vec![case("search", 0, false, why.clone())],
        };
        let is_complete = answer.check.borrow().is_complete();
        let under = {
            let check = answer.check.borrow();
            ended_early(&check).unwrap_or_else(|| under(&check, scenario))
        };
        let of_ids = find::ids_shown(&answer.check.borrow());
        let of_ids = of_ids.map_or(String::new(), |shown| format!("\n{}", ids(&shown, Lang::En)));
        let rows = job.properties.iter().zip(&scenario.properties).zip(&answer.verdicts);
        let lines = job.lines.iter().copied().chain(std::iter::repeat(0));
        let rows = rows.zip(lines).enumerate();
        let cases = rows.map(|(index, ((((name, claim), property), verdict), line))| {
            let same =
                claim.as_ref().is_none_or(|claim| verify::agrees(property.kind, claim, verdict));
            let mut words = answer.words(scenario, index);
            if let Some(error) = error_at_end(scenario, property, verdict) {
                words += &format!("\n{error}");
            }
            words += &format!("\n{under}{of_ids}\n{}", told(scenario, verdict));
            case(name, line, same && is_complete, words)
        });
        let agrees = answer.is_stuck() == Some(job.deadlock);
        let words = deadlock(answer, scenario, job);
        let words = words.trim_start_matches(['≠', ' ']).to_owned();
        let stuck = case(NO_DEADLOCK, 0, agrees && is_complete, words);
        cases.chain([stuck]).collect()
    }

    /// Asks whether properties still hold where clients are slower, or begin later.
    fn ask_slower(&mut self, job: &Job, at_length: bool) {
        let (Ok(answer), Ok(scenario)) = (&self.result, &job.scenario) else { return };
        let holds: Vec<bool> =
            answer.verdicts.iter().map(|verdict| verdict.holds == Some(true)).collect();
        if answer.check.borrow().assumed().has(Assumption::Starts) {
            self.slower = slower::ask(scenario, &holds, at_length);
        }
    }

    fn census(&self, job: &Job) -> String {
        let (Ok(answer), Ok(scenario)) = (&self.result, &job.scenario) else {
            return String::new();
        };
        let check = answer.check.borrow();
        let Some(counted) = check.count() else {
            return "  census: runs can go on for ever, or were not all searched\n".to_owned();
        };
        let classes = counted.classes.as_ref().map_or("?".to_owned(), |n| n.to_string());
        let mut text =
            format!("  {} schedules, {classes} of them really different\n", counted.schedules);
        for outcome in &counted.outcomes {
            let truths = job.properties.iter().zip(&outcome.truths);
            let truths: Vec<String> =
                truths.map(|((name, _), truth)| format!("{name}: {truth}")).collect();
            let broken = job.properties.iter().zip(outcome.broke.iter().zip(&outcome.truths));
            let broken = broken.filter(|(_, (broke, truth))| **broke && **truth);
            let broken: Vec<String> =
                broken.map(|((name, _), _)| format!(", {name} broken on the way")).collect();
            let stuck = if outcome.stuck { ", a client stuck" } else { "" };
            let schedule = schedule(scenario, &outcome.witness);
            let _ = writeln!(
                text,
                "    {} end with {}{}{stuck}, as {schedule} does",
                outcome.schedules,
                truths.join(", "),
                broken.concat()
            );
        }
        text
    }

    /// Returns one object per property, each on its line.
    fn in_json(&self, job: &Job) -> String {
        let mut text = String::new();
        let (answer, scenario) = match (&self.result, &job.scenario) {
            (Ok(answer), Ok(scenario)) => (answer, scenario),
            (Err(failed), Ok(scenario)) => {
                let error = serde_json::json!({
                    "lesson": job.lesson,
                    "variant": job.variant,
                    "property": failed.name(job),
                    "place": failed.property.map(|_| failed.place(job)),
                    "error": failed.why,
                    "schedule": failed.run.as_ref().map(|run| schedule(scenario, run)),
                });
                return format!("{error}\n");
            }
            (_, Err(why)) => {
                let error = serde_json::json!({
                    "lesson": job.lesson, "variant": job.variant, "error": why,
                });
                return format!("{error}\n");
            }
        };
        let check = answer.check.borrow();
        let counts = check.counts();
        let cut = ended_early(&check);
        // A search that ended early covers no order whole.
        let under = cut.is_none().then(|| under(&check, scenario));
        let slower = self.slower.as_ref().map(|answer| slower::in_json(answer, scenario, job));
        // What concerns the search stands in every line.
        let search = serde_json::json!({
            "lesson": job.lesson,
            "variant": job.variant,
            "distinct_states": counts.states,
            "transitions": counts.transitions,
            "seconds": self.seconds,
            "bound": check.bound().map(|bound| format!("{bound:?}").to_lowercase()),
            "ended_early": cut,
            "under": under,
            "slower": slower,
            "reduced": check.is_reduced(),
        });
        let mut say = |own: serde_json::Value| {
            let mut line = search.clone();
            if let (Some(line), serde_json::Value::Object(own)) = (line.as_object_mut(), own) {
                line.extend(own);
            }
            let _ = writeln!(text, "{line}");
        };
        let rows = job.properties.iter().zip(&scenario.properties).zip(&answer.verdicts);
        let rows = rows.zip(&answer.decided).zip(&answer.empty);
        for (((((name, claim), property), verdict), decided), empty) in rows {
            say(serde_json::json!({
                "property": name,
                "kind": property.kind.word(),
                "expected": claim.as_ref().map(|claim| match claim.holds {
                    true => "holds",
                    false => "breaks",
                }),
                "verdict": match verdict.holds {
                    Some(true) => "holds",
                    Some(false) => "breaks",
                    None => "undecided",
                },
                "says_nothing": empty,
                "id_order": format::id_order(find::ids_shown(&check)),
                "zeno": verdict.trace.as_ref().is_some_and(|trace| {
                    is_zeno(scenario, trace, &verdict.cycle)
                }),
                "decided_seconds": decided,
                "bytes": counts.bytes,
                "asked": counts.asked,
                "error": error_at_end(scenario, property, verdict),
                "trace_len": verdict.trace.as_ref().map(Vec::len),
                "schedule": verdict.trace.as_ref().map(|trace| schedule(scenario, trace)),
            }));
        }
        let trace = answer.deadlock.as_ref();
        say(serde_json::json!({
            "property": NO_DEADLOCK,
            "kind": "always",
            "expected": if job.deadlock { "breaks" } else { "holds" },
            "verdict": match answer.is_stuck() {
                Some(false) => "holds",
                Some(true) => "breaks",
                None => "undecided",
            },
            "trace_len": trace.map(Vec::len),
            "schedule": trace.map(|trace| schedule(scenario, trace)),
        }));
        text
    }
}

/// Says why a search ended before it had met every state; `None` if it has.
fn ended_early(check: &Check) -> Option<String> {
    let (why, counts) = ((check.bound()?, check.unfollowed()), check.counts());
    Some(conditions::ended_early(why, &counts.states.to_string(), counts.depth, Lang::En))
}

/// Returns the conditions of the verdicts: those of a search that has met every state.
fn under(check: &Check, scenario: &Scenario) -> String {
    conditions::conditions(scenario, check.tick_ms(), check.assumed(), Lang::En)
}

/// Says whether a client gets stuck; empty for a lesson in which that is as expected.
fn deadlock(answer: &Answer, scenario: &Scenario, job: &Job) -> String {
    let stuck = answer.is_stuck();
    let mark = if stuck == Some(job.deadlock) { ' ' } else { '≠' };
    let words = match (&answer.deadlock, stuck) {
        (Some(trace), _) => {
            let steps = count(trace.len() as u64, "step");
            let schedule = schedule(scenario, trace);
            format!("breaks (no client can go on after {steps}: {schedule})")
        }
        (None, Some(_)) if job.deadlock => "holds, and a deadlock is expected".to_owned(),
        (None, Some(_)) if !job.variant.is_empty() => return String::new(),
        (None, Some(_)) => "holds".to_owned(),
        (None, None) => "not decided".to_owned(),
    };
    format!("{mark} always {NO_DEADLOCK}: {words}\n{}", told(scenario, &answer.on_deadlock()))
}

/// Says what happens in no order; empty if that is not known.
fn vacuous(check: &Check, scenario: &Scenario) -> String {
    let Ok(mut asked) = AskVacuous::new(scenario) else { return String::new() };
    while !asked.advance(STATES_BETWEEN) {}
    let told: Vec<_> = find::never_set(check, scenario).chain(asked.answer()).collect();
    never(&told, Lang::En).map_or(String::new(), |words| format!("  {words}\n"))
}

/// Returns the error with which a program ends on the run that shows it, in words.
fn error_at_end(scenario: &Scenario, property: &Property, verdict: &Verdict) -> Option<String> {
    let trace = verdict.trace.as_ref().filter(|_| property.is_no_errors())?;
    let (client, message) = error_after(scenario, trace)?;
    let mut words = format!("{} ends with an error: {message}", client.name());
    let mut timeline = Timeline::start(scenario.clone().into()).ok()?;
    trace.iter().try_for_each(|action| timeline.step(*action).map(drop)).ok()?;
    if let Some(lacking) = timeline.lacking(client, timeline.len()) {
        words += &format!("\n    {}", lacking_words(&lacking, Lang::En));
    }
    Some(words)
}

fn answer(
    scenario: &Scenario,
    limits: Limits,
    seconds_max: Option<u32>,
    clock: Clock<'_>,
) -> Result<Answer, Failed> {
    let started = clock();
    let mut check = Check::new(scenario, limits).map_err(|why| why.to_string())?;
    let mut decided = vec![f64::NAN; scenario.properties.len()];
    let mut next_line = PROGRESS_BETWEEN;
    loop {
        let mut is_over = check.advance(STATES_BETWEEN);
        if clock() - started > next_line && !is_over {
            next_line += PROGRESS_BETWEEN;
            let counts = check.counts();
            eprintln!(
                "{} so far, {} deep, {} MiB, {:.0} s",
                count(counts.states, "state"),
                count(counts.depth.into(), "step"),
                counts.bytes >> 20,
                clock() - started
            );
        }
        if seconds_max.is_some_and(|max| clock() - started > f64::from(max)) && !is_over {
            check.give_up();
            is_over = true;
        }
        for (index, at) in decided.iter_mut().enumerate().filter(|(_, at)| at.is_nan()) {
            if is_over || check.is_decided(index) {
                *at = clock() - started;
            }
        }
        if is_over {
            break;
        }
    }
    if let Some(mistake) = check.mistake() {
        let why = mistake.to_owned();
        let (property, run) = check.mistaken().unzip();
        return Err(Failed { why, property, run: run.flatten() });
    }
    let verdicts = (0..scenario.properties.len()).map(|index| check.verdict(index)).collect();
    let deadlock = check.deadlock();
    let empty = (0..scenario.properties.len()).map(|index| check.says_nothing(index)).collect();
    Ok(Answer { check: check.into(), verdicts, decided, deadlock, empty })
}

pub(super) fn words(scenario: &Scenario, kind: Kind, verdict: &Verdict) -> String {
    let holds = match verdict.holds {
        Some(true) => "holds",
        Some(false) => "breaks",
        None => return "not decided".to_owned(),
    };
    let Some(trace) = &verdict.trace else {
        return match (kind, verdict.holds) {
            (Kind::Sometimes, Some(false)) => "never happens, in no order".to_owned(),
            _ => holds.to_owned(),
        };
    };
    let found = match kind {
        Kind::Always => "broken",
        Kind::Sometimes => "reached",
        Kind::Eventually => "never on a run of",
    };
    if trace.is_empty() && verdict.cycle.is_empty() {
        return match kind {
            Kind::Eventually => format!("{holds} (it does not happen, and no client can move)"),
            _ => format!("{holds} ({found} {BEFORE_ALL})"),
        };
    }
    let schedule = schedule(scenario, trace);
    let steps = count(trace.len() as u64, "step");
    let whole: Vec<Action> = trace.iter().chain(&verdict.cycle).copied().collect();
    let whole = self::schedule(scenario, &whole);
    let repeats: Vec<&str> = whole.split('.').skip(trace.len()).collect();
    let cycle = match repeats.is_empty() {
        true => String::new(),
        false => format!(", then forever {}", repeats.join(".")),
    };
    match kind {
        Kind::Eventually => format!("{holds} ({found} {steps}: {schedule}{cycle})"),
        _ => format!("{holds} ({found} after {steps}: {schedule})"),
    }
}

/// Describes the run that shows a verdict, a line for each step, and why it went wrong, in the
/// page's words.
pub(super) fn told(scenario: &Scenario, verdict: &Verdict) -> String {
    let Some(trace) = &verdict.trace else { return String::new() };
    let Ok(mut timeline) = Timeline::start(scenario.clone().into()) else { return String::new() };
    let steps = trace.iter().chain(&verdict.cycle);
    if steps.clone().count() > STEPS_TOLD {
        return String::new();
    }
    for action in steps {
        if timeline.step(*action).is_err() {
            return String::new();
        }
    }
    let mut text = String::new();
    // A delay of several steps is told once, where it ends.
    let (mut first, mut passed) = (1, 0);
    let frames = timeline.frames();
    for (number, frame) in frames.iter().enumerate().skip(1) {
        let is_turn = number == trace.len() + 1;
        let forever = if is_turn { " (from here on, forever)" } else { "" };
        let mut words = row_words(frame, Lang::En);
        if let Event::Advance { from_ms, to_ms } = frame.seen.event {
            let said = |ms: u64| fill(tr(Lang::En, Key::SaidAdvance), &[&ms.to_string()]);
            let rest = words.strip_prefix(&said(to_ms - from_ms)).map(str::to_owned);
            passed += to_ms - from_ms;
            let next = frames.get(number + 1).map(|next| &next.seen.event);
            let goes_on = matches!(next, Some(Event::Advance { .. })) && number != trace.len();
            if goes_on && !is_turn && rest.as_deref() == Some("") {
                continue;
            }
            words = rest.map_or(words, |rest| said(passed) + &rest);
        }
        let numbers = match first == number {
            true => format!("{number:2}"),
            false => format!("{first:2}-{number}"),
        };
        let _ = writeln!(text, "    {numbers}. {words}{forever}");
        (first, passed) = (number + 1, 0);
    }
    if is_zeno(scenario, trace, &verdict.cycle) {
        let _ = writeln!(text, "        {}", self::verdict(Lang::En, VerdictWord::Zeno));
    }
    for sentence in why(&timeline, Lang::En) {
        let _ = writeln!(text, "        {sentence}");
    }
    text
}

/// Writes a run with the code that writes links, so that it can be pasted into one.
pub(super) fn schedule(scenario: &Scenario, trace: &[Action]) -> String {
    let written = Timeline::start(scenario.clone().into()).ok().and_then(|mut timeline| {
        trace.iter().try_for_each(|action| timeline.step(*action)).ok()?;
        Some(timeline.schedule())
    });
    written.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lua;

    /// Each waits forever for a list that no client fills: a deadlock.
    #[test]
    fn a_deadlock_is_a_verdict_in_every_form() {
        let waits = |key: &str| {
            let source = format!("redis.call('BLPOP', '{key}', 0)");
            lua::compile(source.as_bytes(), "a.lua").expect("a program")
        };
        let scenario = Scenario::simple(Vec::new(), vec![waits("q"), waits("p")]);
        for expected in [false, true] {
            let job = Job {
                lesson: "stuck".to_owned(),
                variant: String::new(),
                scenario: Ok(scenario.clone().asked_for_errors()),
                file: "scenario.toml".to_owned(),
                lines: Vec::new(),
                properties: vec![super::super::no_errors()],
                states: None,
                deadlock: expected,
            };
            let found = Found::of(&job, Limits::default(), None, &|| 0.0);
            assert_eq!(found.agrees(&job), expected);
            let mark = if expected { ' ' } else { '≠' };
            let words = "always no-deadlock: breaks (no client can go on after 2 steps: A1.B1)";
            assert!(found.in_lines(&job, false).contains(&format!("\n{mark} {words}\n")));
            let json = found.in_json(&job);
            let line = json.lines().find(|line| line.contains(NO_DEADLOCK)).expect("its line");
            for field in ["under", "seconds", "distinct_states"] {
                assert!(line.contains(&format!("\"{field}\":")), "{line}");
            }
            assert!(line.contains("\"verdict\":\"breaks\""), "{line}");
            let cases = found.cases(&job);
            let last = cases.last().expect("its case");
            assert_eq!((last.name.as_str(), last.agrees), (NO_DEADLOCK, expected));
            let annotation = format::github(&cases);
            assert_eq!(annotation.contains(words), !expected, "{annotation}");
        }
    }

    fn job(scenario: &Scenario, names: &[(&str, bool)], lines: &[usize]) -> Job {
        let claim = |(at, (name, holds)): (usize, &(&str, bool))| {
            let claim = crate::lesson::Claim { property: at, holds: *holds, steps: None };
            ((*name).to_owned(), Some(claim))
        };
        Job {
            lesson: "words".to_owned(),
            variant: String::new(),
            scenario: Ok(scenario.clone()),
            file: "scenario.toml".to_owned(),
            lines: lines.to_vec(),
            properties: names.iter().enumerate().map(claim).collect(),
            states: None,
            deadlock: false,
        }
    }

    fn asked(program: &str, properties: &[(Kind, &str)]) -> Scenario {
        let program = lua::compile(program.as_bytes(), "a.lua").expect("a program");
        let mut scenario = Scenario::simple(Vec::new(), vec![program]);
        let property = |(kind, check): &(Kind, &str)| Property::new(*kind, check, "p").expect("ok");
        scenario.properties = properties.iter().map(property).collect();
        scenario
    }

    fn lines(job: &Job) -> String {
        let found = Found::of(job, Limits::default(), None, &|| 0.0);
        found.in_lines(job, false)
    }

    /// What an engineer reads of a run without steps, of what never happens, and of a delay.
    #[test]
    fn verdicts_say_what_they_mean() {
        let asks = [(Kind::Always, "all_done()"), (Kind::Sometimes, "number('n') == 7")];
        let scenario = asked("redis.call('INCR', 'n')", &asks);
        let text = lines(&job(&scenario, &[("p", false), ("q", false)], &[]));
        let start = "always p: breaks (broken at the start, before any client sends a command)\n";
        assert!(text.contains(start), "{text}");
        assert!(text.contains("sometimes q: never happens, in no order\n"), "{text}");
        let late = "local t = now() redis.call('PING') late = now() - t > 7";
        let mut scenario = asked(late, &[(Kind::Always, "not global('A', 'late')")]);
        scenario.slow_ms = 10;
        let text = lines(&job(&scenario, &[("p", false)], &[]));
        let passed: Vec<&str> = text.lines().filter(|line| line.contains("ms passed")).collect();
        assert_eq!(passed.len(), 1, "{text}");
        assert!(text.contains("to its next call"), "{text}");
    }

    /// What is otherwise where unique ids are in another order is told with that order.
    #[test]
    fn another_order_of_ids_is_named() {
        let first = "not all_done() or redis.call('ZRANGE', 'q', 0, 0)[1] == global('A', 'me')";
        let join = "me = uuid() redis.call('ZADD', 'q', 0, me)";
        let mut scenario = asked(join, &[(Kind::Always, first)]);
        scenario.clients.push(scenario.clients[0].clone());
        let job = job(&scenario, &[("p", true)], &[]);
        let found = Found::of(&job, Limits::default(), None, &|| 0.0);
        let text = found.in_lines(&job, false);
        assert!(
            text.contains("always p: breaks where the unique ids are in the order B, A"),
            "{text}"
        );
        let json = found.in_json(&job);
        assert!(json.contains("\"verdict\":\"breaks\"") && json.contains("B, A"), "{json}");
    }

    /// A condition that fails during the search has its name, its place and the run to there.
    #[test]
    fn a_condition_that_fails_is_told_with_its_place_and_run() {
        let check = "not all_done() or redis.call('PUBSUB', 'CHANNELS')[1] == 's'";
        let scenario = asked("redis.call('PING')", &[(Kind::Always, check)]);
        let job = job(&scenario, &[("p", true)], &[7]);
        let found = Found::of(&job, Limits::default(), None, &|| 0.0);
        let text = found.in_lines(&job, false);
        let said = "words\n≠ always p: cannot be evaluated: ";
        assert!(text.starts_with(said) && text.contains("PUBSUB CHANNELS"), "{text}");
        assert!(text.contains("\n    scenario.toml:7, after 1 step: A1\n     1. "), "{text}");
        assert!(found.in_json(&job).contains("\"place\":\"scenario.toml:7\""));
        let cases = found.cases(&job);
        assert_eq!((cases[0].name.as_str(), cases[0].line, cases[0].agrees), ("p", 7, false));
    }
}
