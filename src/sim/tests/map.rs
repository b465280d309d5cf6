//! The map against plain recursion over whole worlds, on random small programs.

use super::*;
use crate::checker::Natural;
use crate::checker::map::{Counted, Fate};

const CALLS: [&str; 8] = [
    "n = tonumber(redis.call('GET', 'n')) or 0",
    "redis.call('SET', 'n', (n or 0) + 1)",
    "redis.call('INCR', 'm')",
    "redis.call('SET', 'l', 'x', 'NX', 'PX', 5)",
    "redis.call('DEL', 'l')",
    "sleep(3)",
    "if redis.call('EXISTS', 'l') == 1 then redis.call('INCR', 'n') end",
    "redis.call('SET', 'm', n or 0)",
];
const CONDITIONS: [&str; 4] = [
    "number('n') ~= 2",
    "not all_done() or number('n') == 2",
    "not all_done() or number('m') == 1",
    "not all_done() or number('n') + number('m') < 3",
];

fn random_program(random: &mut ChaCha8Rng) -> String {
    let calls = 1 + random.random_range(0..3);
    let lines = (0..calls).map(|_| CALLS[random.random_range(0..CALLS.len())]);
    lines.collect::<Vec<_>>().join("\n")
}

fn random_case(seed: u64) -> Rc<Scenario> {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let own = random_program(random);
    let other = if random.random_bool(0.5) { own.clone() } else { random_program(random) };
    let condition = CONDITIONS[random.random_range(0..CONDITIONS.len())];
    let condition = (Kind::Always, condition);
    let mut case = (*scenario(&["SET n 0", "SET m 0"], &[&own, &other], &[condition])).clone();
    if random.random_bool(0.3) {
        case.faults = Faults { crash: 1, ..Faults::default() };
    }
    if random.random_bool(0.3) {
        case.faults = Faults { pause: 1, ..case.faults };
    }
    Rc::new(case)
}

fn is_broken(scenario: &Scenario, world: &World) -> bool {
    let is_true = |property: &Property| property.holds(&mut world.facts()).expect("a condition");
    let may_stop = |action: &Action| action.is_fault() || matches!(action, Action::Up(_));
    let is_stuck = world.choices().iter().all(may_stop) && !world.all_over();
    is_stuck || !scenario.properties.iter().all(is_true)
}

/// What is known of a world by going through all runs from it, one by one: how many, how many of
/// them break, and the fewest steps to a break. What the map says of it must be the same.
fn check(
    scenario: &Scenario,
    mapped: &Mapped,
    world: &World,
    run: &mut Vec<Action>,
    fuel: &mut u32,
) -> Option<(u64, u64, Option<u16>)> {
    *fuel = fuel.checked_sub(1)?;
    let broken = is_broken(scenario, world);
    let (mut all, mut wrong) = (0, 0);
    let mut near = broken.then_some(0);
    let choices = world.choices();
    for action in &choices {
        let mut next = world.clone();
        next.apply_unseen(*action).expect("it was listed");
        run.push(*action);
        let (runs, bad, steps) = check(scenario, mapped, &next, run, fuel)?;
        run.pop();
        (all, wrong) = (all + runs, wrong + bad);
        near = near.into_iter().chain(steps.map(|steps| steps + 1)).min();
    }
    if choices.is_empty() {
        all = 1;
    }
    if broken {
        wrong = all;
    }
    let states = mapped.follow(run.iter().copied());
    assert_eq!(states.len(), run.len() + 1, "the map has every run: {run:?}");
    let state = *states.last()?;
    let fates = &mapped.fates;
    assert_eq!(fates.distance(state), near, "{run:?}");
    let fate = match () {
        () if broken => Fate::Broken,
        () if wrong == all => Fate::Doomed,
        () if wrong > 0 => Fate::Open,
        () if choices.is_empty() => Fate::Right,
        () => Fate::Safe,
    };
    assert_eq!(fates.fate[state as usize], fate, "{run:?}");
    if fates.counted == Counted::All {
        assert_eq!(fates.from[state as usize], Natural::from(all), "{run:?}");
        assert_eq!(fates.wrong[state as usize], Natural::from(wrong), "{run:?}");
    }
    Some((all, wrong, near))
}

#[test]
fn a_map_is_what_plain_recursion_over_worlds_finds() {
    let (mut whole, mut broken, mut with_faults) = (0, 0, 0);
    for seed in 0..150 {
        let case = random_case(seed);
        let mapped = AskMap::new(&case).expect("it starts").run().expect("it is small");
        let (start, _) = World::start(&case).expect("it starts");
        let found = check(&case, &mapped, &start, &mut Vec::new(), &mut 3_000);
        let Some((_, wrong, _)) = found else { continue };
        whole += 1;
        broken += u32::from(wrong > 0);
        with_faults += u32::from(case.faults.any());
    }
    assert!(whole > 50 && broken > 20 && with_faults > 3, "{whole} {broken} {with_faults}");
}

#[test]
fn clients_stand_at_calls_and_a_retry_keeps_its_place() {
    let program = "while not redis.call('SET', 'l', 'x', 'NX') do sleep(2) end
redis.call('INCR', 'n')
redis.call('DEL', 'l')";
    let case = scenario(&[], &[program, program], &[(Kind::Always, "number('n') <= 2")]);
    let mapped = AskMap::new(&case).expect("it starts").run().expect("it is small");
    let lattice = mapped.lattice.as_ref().expect("two clients");
    let lines: Vec<u32> = lattice.sites[0].iter().map(|site| site.line).collect();
    assert_eq!(lines, [1, 2, 3]);
    let steps = [
        Action::Step(ClientId(0)),
        Action::Step(ClientId(1)),
        Action::Step(ClientId(0)),
        Action::Step(ClientId(0)),
        Action::Advance,
    ];
    let states = mapped.follow(steps);
    let places: Vec<(u16, u16)> =
        states.iter().map(|state| lattice.places[*state as usize]).collect();
    assert_eq!(places, [(0, 0), (1, 0), (1, 0), (2, 0), (3, 0), (3, 0)]);
}

#[test]
fn a_client_that_is_stuck_has_not_ended_right() {
    let case = scenario(&[], &["redis.call('BLPOP', 'q', 0)", "redis.call('GET', 'q')"], &[]);
    let mapped = AskMap::new(&case).expect("it starts").run().expect("it is small");
    assert_eq!(mapped.fates.wrong[0], mapped.fates.from[0]);
    assert!(!mapped.fates.fate.contains(&Fate::Right));
}

#[test]
fn too_many_states_are_a_value() {
    let program = "for i = 1, 40 do redis.call('INCR', 'n') end";
    let case = scenario(&[], &[program, program, program], &[(Kind::Always, "number('n') < 9")]);
    let asked = AskMap::new(&case).expect("it starts").run();
    assert_eq!(asked.err(), Some(crate::checker::map::NoMap::TooLarge));
}
