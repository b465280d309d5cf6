//! `check challenge`: tests a lesson's claims about every run with random runs of the world, with
//! the faults that the lesson allows. It uses no search: a run is made of [`choices`] and
//! `World::apply` alone.
//!
//! A run that breaks a claim is a mistake of the search or of the lesson. Random runs prove
//! nothing, but they can meet what a wrong proof has left out.

use std::path::Path;

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::lesson::Lesson;
use crate::lesson::source::read_all;
use crate::sim::oracle::{choices, unit_ms};
use crate::sim::{Action, Kind, Property, Scenario, World};

use super::call::number;
use super::report::schedule;
use super::{Clock, LESSONS, Outcome};

/// The most steps of one run: a program that polls never ends.
const STEPS_MAX: usize = 500;

/// The numbers of claims, runs and steps tried.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tried {
    /// The claims about every run.
    pub claims: usize,
    pub runs: u64,
    /// The runs that came to an end.
    pub ended: u64,
    pub steps: u64,
    /// The steps that were faults.
    pub faults: u64,
}

/// The style in which a random run chooses.
struct Style {
    /// One of this many possible faults is taken.
    fault_in: u32,
    /// Of 8 steps, this many are made by the same client as the one before, if it can go on.
    stays: u32,
}

/// Tests every claim of a variant about all runs with this number of runs. The error is the claim
/// that breaks, and the run.
pub fn challenge(lesson: &Lesson, variant: usize, runs: u64, seed: u64) -> Result<Tried, String> {
    let scenario = lesson.scenario(variant)?;
    let claims = lesson.variants[variant].claims.iter().map(|claim| claim.holds);
    // "Sometimes" that does not hold is "never".
    let is_asked =
        |(property, holds): (&Property, bool)| holds != (property.kind == Kind::Sometimes);
    let asked: Vec<bool> = scenario.properties.iter().zip(claims).map(is_asked).collect();
    let mut tried =
        Tried { claims: asked.iter().filter(|asked| **asked).count(), ..Tried::default() };
    let (start, _) = World::start(&scenario).map_err(|why| why.to_string())?;
    let unit_ms = unit_ms(&scenario);
    for run in 0..runs {
        let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(run));
        run_once(&scenario, unit_ms, &asked, start.clone(), &mut rng, &mut tried)?;
    }
    Ok(tried)
}

fn run_once(
    scenario: &Scenario,
    unit_ms: u32,
    asked: &[bool],
    mut world: World,
    rng: &mut ChaCha8Rng,
    tried: &mut Tried,
) -> Result<(), String> {
    let style = Style {
        fault_in: [1, 4, 16][rng.random_range(0..3)],
        stays: [0, 4, 7][rng.random_range(0..3)],
    };
    let mut happened = vec![false; asked.len()];
    let mut trace: Vec<Action> = Vec::new();
    tried.runs += 1;
    loop {
        let choices = choices(&world, unit_ms);
        let must_go_on =
            choices.iter().any(|action| !action.is_fault() && !matches!(action, Action::Up(_)));
        let properties = scenario.properties.iter().zip(asked).zip(&mut happened);
        for ((property, _), happened) in properties.filter(|((_, asked), _)| **asked) {
            let is_true = property.holds(&mut world.facts()).unwrap_or(false);
            *happened |= is_true;
            let breaks = match property.kind {
                Kind::Always => !is_true,
                Kind::Sometimes => is_true,
                Kind::Eventually => !must_go_on && !*happened,
            };
            if breaks {
                let (kind, text) = (property.kind, property.expression());
                return Err(format!("{kind:?} {text} breaks: {}", schedule(scenario, &trace)));
            }
        }
        let Some(action) = choose(&choices, trace.last().copied(), &style, rng) else {
            tried.ended += 1;
            return Ok(());
        };
        if trace.len() == STEPS_MAX {
            return Ok(());
        }
        world.apply_unseen(action).map_err(|why| format!("{action:?}: {why:?}"))?;
        trace.push(action);
        tried.steps += 1;
        tried.faults += u64::from(action.is_fault());
    }
}

fn choose(
    choices: &[Action],
    last: Option<Action>,
    style: &Style,
    rng: &mut ChaCha8Rng,
) -> Option<Action> {
    if let Some(last) = last.filter(|_| rng.random_range(0..8) < style.stays)
        && last.runs().is_some()
        && let Some(same) = choices.iter().find(|action| action.runs() == last.runs())
    {
        return Some(*same);
    }
    let others = choices.iter().copied().filter(|action| !action.is_fault());
    let others: Vec<Action> = others.collect();
    let wants_fault = rng.random_range(0..style.fault_in) == 0;
    let all = if wants_fault || others.is_empty() { choices } else { &others };
    all.choose(rng).copied()
}

/// The options of `check challenge`.
#[derive(Debug, clap::Args)]
pub(super) struct ChallengeArgs {
    /// Runs of each variant
    #[arg(long, value_name = "N", default_value = "10_000", value_parser = number::<u64>)]
    runs: u64,
    #[arg(long, value_name = "S", default_value = "0", value_parser = number::<u64>)]
    seed: u64,
}

/// Tests every lesson; true if nothing breaks.
pub(super) fn run(asked: &ChallengeArgs, clock: Clock<'_>) -> Outcome {
    let course = read_all(Path::new(LESSONS))?;
    let started = clock();
    let (mut all, mut variants, mut broken) = (Tried::default(), 0, 0);
    for written in &course.lessons {
        for (variant, def) in written.lesson.variants.iter().enumerate() {
            variants += 1;
            let name = format!("{}/{}", written.lesson.id, def.id);
            match challenge(&written.lesson, variant, asked.runs, asked.seed) {
                Ok(tried) => {
                    let Tried { claims, ended, steps, faults, .. } = tried;
                    println!("{name:44} {claims:2} claims {ended:6} runs ended {steps:9} steps");
                    all.claims += claims;
                    all.runs += tried.runs;
                    all.ended += ended;
                    all.steps += steps;
                    all.faults += faults;
                }
                Err(why) => {
                    broken += 1;
                    println!("{name:44} ≠ {why}");
                }
            }
        }
    }
    println!(
        "{variants} variants, {} claims about every run, {} runs ({} to their end), {} steps, {} \
         of them faults: {broken} broken ({:.1} s)",
        all.claims,
        all.runs,
        all.ended,
        all.steps,
        all.faults,
        clock() - started
    );
    Ok(broken == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{ClientDef, Faults, Kind, Property};

    /// Of each variant so few that all together take some seconds; `check challenge` has more.
    const RUNS: u64 = 40;

    #[test]
    fn claims_of_lessons_survive_random_runs() {
        let course = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join(LESSONS)).unwrap();
        let lessons: Vec<&Lesson> = course.lessons.iter().map(|written| &written.lesson).collect();
        let try_all = |lessons: &[&Lesson]| {
            let variants = |lesson: &Lesson| 0..lesson.variants.len();
            for (lesson, variant) in
                lessons.iter().flat_map(|one| variants(one).map(move |v| (one, v)))
            {
                if let Err(why) = challenge(lesson, variant, RUNS, 1) {
                    panic!("{} {}: {why}", lesson.id, lesson.variants[variant].id);
                }
            }
        };
        let (one, other) = lessons.split_at(lessons.len() / 2);
        std::thread::scope(|scope| {
            scope.spawn(|| try_all(one));
            scope.spawn(|| try_all(other));
        });
    }

    /// Each kind of claim can break, and with a pause in it.
    #[test]
    fn a_false_claim_is_broken_by_some_run() {
        let program = "redis.call('SET', 'lock', 1, 'PX', 5) redis.call('GET', 'lock') ok = true";
        let chunk = crate::lua::compile(program.as_bytes(), "p.lua").unwrap();
        let mut scenario = Scenario::simple(Vec::new(), vec![]);
        scenario.clients = vec![ClientDef::new(chunk)];
        scenario.faults = Faults { pause: 1, ..Faults::default() };
        let claims = [
            (Kind::Always, "not paused('A')"),
            (
                Kind::Sometimes,
                "paused('A') and redis.call('EXISTS', 'lock') == 0 and not done('A')",
            ),
            (Kind::Eventually, "paused('A')"),
        ];
        let (start, _) = World::start(&scenario).unwrap();
        for (kind, text) in claims {
            scenario.properties = vec![Property::new(kind, text, "p").unwrap()];
            let unit_ms = unit_ms(&scenario);
            let breaks = (0..100).any(|seed| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                let mut tried = Tried::default();
                run_once(&scenario, unit_ms, &[true], start.clone(), &mut rng, &mut tried).is_err()
            });
            assert!(breaks, "{kind:?} {text}");
        }
    }
}
