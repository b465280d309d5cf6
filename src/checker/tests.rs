//! The search against published counts, against a plain breadth-first search over whole states, and
//! against brute force.

use std::collections::{BTreeMap, HashMap, HashSet};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::models::{Code, DieHard, Increment, Peterson, Philosophers, Programs, TwoPhaseCommit};
use super::*;

fn search<M: Model>(model: M, options: Options) -> Search<Whole<M>> {
    let mut search = Search::new(Whole::new(model), options);
    search.run();
    search
}

fn whole<M: Model>(model: M) -> Search<Whole<M>> {
    search(model, Options::default())
}

fn symmetric<M: Model>(model: M) -> Search<Whole<M>> {
    search(model, Options { symmetry: true, ..Options::default() })
}

fn states<C: Components>(search: &Search<C>) -> u64 {
    assert_eq!(search.status(), Status::Complete);
    search.counts().states
}

#[test]
fn two_increments_have_thirteen_states_and_lose_an_update_in_four_steps() {
    let mut plain = whole(Increment { threads: 2 });
    assert_eq!(states(&plain), 13);
    let lost = plain.first(0, false).unwrap();
    assert_eq!(plain.trace(lost), [0, 1, 0, 1]);
    let mut symmetric = symmetric(Increment { threads: 2 });
    assert_eq!(states(&symmetric), 8);
    let lost = symmetric.first(0, false).unwrap();
    let trace = symmetric.trace(lost);
    assert_eq!(replay(&Increment { threads: 2 }, &trace).map(|s| holds(0, &s)), Some(false));
    assert_eq!(trace.len(), 4);
}

fn holds(index: usize, state: &<Increment as Model>::State) -> bool {
    Increment { threads: 2 }.holds(index, state)
}

fn replay<M: Model>(model: &M, trace: &[M::Action]) -> Option<M::State> {
    let mut state = model.initial();
    for action in trace {
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        assert!(actions.contains(action), "{action:?} is not possible in {state:?}");
        state = model.next(&state, *action)?;
    }
    Some(state)
}

#[test]
fn two_phase_commit_has_the_published_counts() {
    for (managers, count) in [(3, 288), (5, 8_832)] {
        let search = whole(TwoPhaseCommit { managers });
        assert_eq!(states(&search), count);
        assert_eq!(search.first(0, false), None, "consistent");
        assert!(search.first(1, true).is_some() && search.first(2, true).is_some());
    }
    let search = symmetric(TwoPhaseCommit { managers: 5 });
    assert_eq!(states(&search), orbits(&TwoPhaseCommit { managers: 5 }));
}

/// How many classes of states there are up to renaming, counted from the whole space.
fn orbits(model: &TwoPhaseCommit) -> u64 {
    let (mut seen, mut todo, mut orbits) = (HashSet::new(), vec![model.initial()], HashSet::new());
    while let Some(state) = todo.pop() {
        orbits.insert(model.canonical(&state, &mut Vec::new()));
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        for action in actions {
            let next = model.next(&state, action).unwrap();
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    orbits.len() as u64
}

#[test]
fn four_litres_take_six_steps() {
    let mut search = whole(DieHard);
    assert_eq!(states(&search), 16);
    let four = search.first(0, false).unwrap();
    assert_eq!(search.depth(four), 6);
    let trace = search.trace(four);
    assert_eq!(replay(&DieHard, &trace), Some((3, 4)));
}

#[test]
fn philosophers_deadlock_unless_one_is_left_handed() {
    for seats in 2..=6 {
        let mut table = whole(Philosophers { seats, one_is_left_handed: false });
        let deadlock = table.first_deadlock().expect("all hold one fork");
        assert_eq!(table.trace(deadlock).len(), seats);
        let table = whole(Philosophers { seats, one_is_left_handed: true });
        assert_eq!(table.first_deadlock(), None);
        assert_eq!(table.ends(), 0);
    }
}

#[test]
fn peterson_excludes_and_lets_in() {
    let mut search = whole(Peterson { polite: true });
    assert_eq!(search.first(0, false), None);
    let graph = Graph::whole(&mut search).unwrap();
    let inside = truths(&mut search, 1);
    // Weak fairness is enough: an actor that waits is let in as soon as the other wants again.
    assert_eq!(never(&mut search, &graph, |state| inside[state as usize]), None);

    let mut rude = whole(Peterson { polite: false });
    let both = rude.first(0, false).map(|state| rude.trace(state).len());
    assert!(both.is_some() || !truths(&mut rude, 1).contains(&true));
}

fn truths<C: Components>(search: &mut Search<C>, condition: usize) -> Vec<bool> {
    (0..search.counts().states as u32).map(|state| search.is_true(condition, state)).collect()
}

#[test]
fn a_philosopher_can_starve_fairly() {
    // No deadlock, and yet: the neighbours can take turns so that one never finds both forks free.
    // Weak fairness does not forbid it, because the fork is not free all the time.
    let model = Philosophers { seats: 3, one_is_left_handed: true };
    let mut search = whole(model);
    let graph = Graph::whole(&mut search).unwrap();
    let eats = truths(&mut search, 0);
    let lasso = never(&mut search, &graph, |state| eats[state as usize]).expect("it can starve");
    assert!(!lasso.cycle.is_empty());
    check_lasso(&Philosophers { seats: 3, one_is_left_handed: true }, &lasso, 0);
}

/// The lasso is a run, never satisfies the condition, comes back, and is fair.
fn check_lasso<M: Model>(model: &M, lasso: &Lasso<M::Action>, condition: usize) {
    let start = replay(model, &lasso.stem).unwrap();
    let mut state = start.clone();
    let mut content = vec![false; model.actors()];
    for action in &lasso.cycle {
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        assert!(actions.contains(action));
        assert!(!model.holds(condition, &state));
        content[model.actor(*action)] = true;
        for (actor, content) in content.iter_mut().enumerate() {
            *content |= actions.iter().all(|action| model.actor(*action) != actor);
        }
        state = model.next(&state, *action).unwrap();
    }
    assert_eq!(state, start);
    if lasso.cycle.is_empty() {
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        assert!(actions.is_empty() && !model.holds(condition, &state));
    } else {
        assert!(content.iter().all(|content| *content), "unfair: {lasso:?}");
    }
}

#[test]
fn bounds_are_said() {
    let bounded = |options: Options| {
        let search = search(TwoPhaseCommit { managers: 3 }, options);
        (search.status(), search.counts())
    };
    let (status, counts) = bounded(Options { states_max: 10, ..Options::default() });
    assert_eq!((status, counts.states), (Status::Bounded(Bound::States), 10));
    let (status, counts) = bounded(Options { depth_max: 2, ..Options::default() });
    assert_eq!((status, counts.depth), (Status::Bounded(Bound::Depth), 2));
    let (status, _) = bounded(Options { bytes_max: 100, ..Options::default() });
    assert_eq!(status, Status::Bounded(Bound::Bytes));
    let (status, counts) = bounded(Options { states_max: 288, ..Options::default() });
    assert_eq!((status, counts.states), (Status::Complete, 288));
}

#[test]
fn advancing_in_slices_gives_the_same() {
    let mut slices = Search::new(Whole::new(TwoPhaseCommit { managers: 4 }), Options::default());
    while slices.advance(7) == Status::Running {}
    let all_at_once = whole(TwoPhaseCommit { managers: 4 });
    let without_bytes = |counts: Counts| Counts { bytes: 0, ..counts };
    assert_eq!(without_bytes(slices.counts()), without_bytes(all_at_once.counts()));
}

// ---- Random programs
// ------------------------------------------------------------------------------

pub(super) fn random_programs(seed: u64) -> Programs {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let variables = rng.random_range(2..5);
    let clients = rng.random_range(2..5);
    let mut program = || {
        let len = rng.random_range(1..6);
        let mut code = |_| {
            let variable = rng.random_range(0..variables);
            match rng.random_range(0..12) {
                0..3 => Code::Load(variable),
                3..6 => Code::Store(variable),
                6..9 => Code::Add(variable, rng.random_range(1..3)),
                9 => Code::Await(variable, rng.random_range(0..2)),
                10 => Code::Branch(rng.random_range(0..len + 1)),
                _ => Code::Jump(rng.random_range(0..len + 1)),
            }
        };
        (0..len).map(&mut code).collect()
    };
    Programs::new((0..clients).map(|_| program()).collect(), variables)
}

/// The results of a plain breadth-first search over whole states.
#[derive(Debug, PartialEq)]
struct Plain {
    states: u64,
    transitions: u64,
    ends: HashSet<Vec<(u8, u8)>>,
    /// Depth of the first state where a condition is false, and where it is true.
    first: Vec<[Option<u32>; 2]>,
    deadlock: Option<u32>,
}

fn plain(model: &Programs) -> Plain {
    let mut depths = HashMap::from([(Model::initial(model), 0)]);
    let mut queue = vec![Model::initial(model)];
    let mut plain = Plain {
        states: 0,
        transitions: 0,
        ends: HashSet::new(),
        first: vec![[None; 2]; 3],
        deadlock: None,
    };
    let mut at = 0;
    while at < queue.len() {
        let state = queue[at].clone();
        at += 1;
        let depth = depths[&state];
        for (index, first) in plain.first.iter_mut().enumerate() {
            first[usize::from(Model::holds(model, index, &state))].get_or_insert(depth);
        }
        let mut actions = Vec::new();
        model.actions(&state, &mut actions);
        if actions.is_empty() {
            plain.ends.insert(state.clone());
            if !Model::may_end(model, &state) {
                plain.deadlock.get_or_insert(depth);
            }
        }
        for action in actions {
            plain.transitions += 1;
            let next = model.next(&state, action).unwrap();
            if !depths.contains_key(&next) {
                depths.insert(next.clone(), depth + 1);
                queue.push(next);
            }
        }
    }
    plain.states = queue.len() as u64;
    plain
}

fn in_components(model: &Programs, options: Options) -> Search<Programs> {
    let mut search = Search::new(model.clone(), options);
    assert_eq!(search.run(), Status::Complete);
    search
}

#[test]
fn packed_and_remembered_is_the_same_as_plain() {
    for seed in 0..400 {
        let model = random_programs(seed);
        let plain = plain(&model);
        let mut search = in_components(&model, Options::default());
        let counts = search.counts();
        assert_eq!(
            (counts.states, counts.transitions),
            (plain.states, plain.transitions),
            "{seed}"
        );
        for condition in 0..3 {
            for truth in [false, true] {
                let first = search.first(condition, truth);
                let depth = first.map(|state| search.depth(state));
                assert_eq!(depth, plain.first[condition][usize::from(truth)], "{seed}");
                if let Some(state) = first {
                    let trace = search.trace(state);
                    let end = replay(&model, &trace).unwrap();
                    assert_eq!(Model::holds(&model, condition, &end), truth, "{seed}");
                }
            }
        }
        let deadlock = search.first_deadlock().map(|state| search.depth(state));
        assert_eq!(deadlock, plain.deadlock, "{seed}");
        assert_eq!(search.ends(), plain.ends.len() as u64);
    }
}

#[test]
fn partial_order_keeps_verdicts_and_ends() {
    let (mut all, mut reduced) = (0, 0);
    for seed in 0..2_000 {
        let model = random_programs(seed);
        let plain = plain(&model);
        for learning in [1, 5, 40] {
            let options = Options { partial_order: true, learning, ..Options::default() };
            let search = in_components(&model, options);
            for condition in 0..3 {
                for truth in [false, true] {
                    let first = search.first(condition, truth).is_some();
                    let expected = plain.first[condition][usize::from(truth)].is_some();
                    assert_eq!(first, expected, "{seed} {learning} {condition} {model:?}");
                }
            }
            assert_eq!(search.ends(), plain.ends.len() as u64, "{seed} {learning} {model:?}");
            let deadlock = search.first_deadlock().map(|state| search.depth(state));
            assert_eq!(deadlock, plain.deadlock, "{seed}: the shortest one");
            all += plain.states;
            reduced += search.counts().states;
        }
    }
    assert!(reduced < all, "{reduced} of {all}: it reduces nothing");
}

#[test]
fn never_is_right() {
    let (mut rounds, mut ends) = (0, 0);
    for seed in 0..1_000 {
        let model = random_programs(seed);
        let mut search = in_components(&model, Options::default());
        let graph = Graph::whole(&mut search).unwrap();
        for condition in 0..3 {
            let truth = truths(&mut search, condition);
            match never(&mut search, &graph, |state| truth[state as usize]) {
                Some(lasso) => {
                    check_lasso(&model, &lasso, condition);
                    if lasso.cycle.is_empty() { ends += 1 } else { rounds += 1 }
                }
                None => assert!(!can_avoid(&graph, &truth, model.code.len()), "{seed}"),
            }
        }
    }
    assert!(rounds > 50 && ends > 50, "{rounds} {ends}");
}

/// By brute force: is there an end, or a fair round, that can be reached without the condition?
/// Rounds are looked for as sets: all states that can be reached from each other.
fn can_avoid(graph: &Graph, truth: &[bool], actors: usize) -> bool {
    let reach = |from: u32| {
        let (mut seen, mut todo) = (HashSet::new(), vec![from]);
        while let Some(state) = todo.pop() {
            for edge in graph.of(state) {
                if !truth[edge.to as usize] && seen.insert(edge.to) {
                    todo.push(edge.to);
                }
            }
        }
        seen
    };
    if truth[0] {
        return false;
    }
    let mut all = reach(0);
    all.insert(0);
    if all.iter().any(|state| graph.of(*state).is_empty()) {
        return true;
    }
    let reached: HashMap<u32, HashSet<u32>> = all.iter().map(|s| (*s, reach(*s))).collect();
    all.iter().filter(|s| reached[s].contains(s)).any(|s| {
        let round: Vec<u32> =
            reached[s].iter().copied().filter(|t| reached[t].contains(s)).collect();
        (0..actors as u16).all(|actor| {
            round.iter().any(|state| {
                let mut own = graph.of(*state).iter().filter(|edge| edge.actor == actor);
                own.clone().next().is_none() || own.any(|edge| round.contains(&edge.to))
            })
        })
    })
}

#[test]
fn the_census_counts_what_enumeration_counts() {
    let (mut counted, mut split) = (0, 0);
    for seed in 0..600 {
        let model = random_programs(seed);
        let mut search = in_components(&model, Options::default());
        let graph = Graph::whole(&mut search).unwrap();
        let Some(census) = Census::take(&mut search, &graph, vec![0, 1]) else { continue };
        let Some(runs) = all_runs(&graph, 3_000) else { continue };
        counted += 1;
        assert_eq!(census.schedules, Natural::from(runs.len() as u64), "{seed}");
        let classes = classes_by_swapping(&search, &graph, &runs);
        assert_eq!(census.classes, Some(Natural::from(classes)), "{seed} {model:?}");
        let broken = [0, 1, 3].map(|condition| truths(&mut search, condition));
        let mut ends: BTreeMap<(StateId, u64), (u64, u32)> = BTreeMap::new();
        for run in &runs {
            let (state, broke) = broken_by(&graph, &broken, run);
            let (runs, steps) = ends.entry((state, broke)).or_insert((0, u32::MAX));
            (*runs, *steps) = (*runs + 1, (*steps).min(run.len() as u32));
            split += u32::from(broke != broken_by(&graph, &broken, &[]).1);
        }
        assert!(census.is_split);
        for end in &census.ends {
            let known = ends.remove(&(end.state, end.broke));
            let (runs, steps) = known.unwrap_or_else(|| panic!("{seed}: {end:?}"));
            assert_eq!((&end.runs, end.steps), (&Natural::from(runs), steps), "{seed}");
            let mut run = Vec::new();
            let mut at = 0;
            for action in census.run_to(&mut search, end) {
                let is_it = |edge: &Edge| search.action(edge) == action;
                run.push(graph.of(at).iter().position(is_it).expect("a step"));
                at = graph.of(at)[run[run.len() - 1]].to;
            }
            assert_eq!(run.len() as u32, steps, "{seed}");
            assert_eq!(broken_by(&graph, &broken, &run), (end.state, end.broke), "{seed}");
        }
        assert!(ends.is_empty(), "{seed}: {ends:?}");
        let whole = Census::take(&mut search, &graph, vec![0; 64]).expect("it has no cycle");
        assert!(!whole.is_split && whole.ends.iter().all(|end| end.broke == 0));
        assert_eq!((whole.schedules, whole.classes), (census.schedules, census.classes));
    }
    assert!(counted > 200 && split > 1_000, "{counted} {split}");
}

/// The end of a run, and what it breaks on the way: the two conditions, and that it is stuck.
fn broken_by(graph: &Graph, truths: &[Vec<bool>; 3], run: &[usize]) -> (StateId, u64) {
    let (mut state, mut broke) = (0, 0);
    for step in run.iter().map(Some).chain([None]) {
        let at = state as usize;
        let is_stuck = graph.of(state).is_empty() && !truths[2][at];
        let broken = [!truths[0][at], !truths[1][at], is_stuck];
        broke |= broken.iter().enumerate().map(|(bit, is)| u64::from(*is) << bit).sum::<u64>();
        state = step.map_or(state, |step| graph.of(state)[*step].to);
    }
    (state, broke)
}

/// Every run as the list of its edges' places.
fn all_runs(graph: &Graph, max: usize) -> Option<Vec<Vec<usize>>> {
    let (mut runs, mut todo) = (Vec::new(), vec![(0, Vec::new())]);
    while let Some((state, run)) = todo.pop() {
        let edges = graph.of(state);
        if edges.is_empty() {
            runs.push(run);
            if runs.len() > max {
                return None;
            }
            continue;
        }
        for (at, edge) in edges.iter().enumerate() {
            let mut longer = run.clone();
            longer.push(at);
            todo.push((edge.to, longer));
        }
    }
    Some(runs)
}

/// How many classes remain when runs are joined that differ by one swap of independent steps.
fn classes_by_swapping(search: &Search<Programs>, graph: &Graph, runs: &[Vec<usize>]) -> u64 {
    let by_actions = |run: &[usize]| {
        let mut state = 0;
        let mut edges = Vec::new();
        for at in run {
            edges.push((state, graph.of(state)[*at]));
            state = graph.of(state)[*at].to;
        }
        edges
    };
    let runs: Vec<_> = runs.iter().map(|run| by_actions(run)).collect();
    let words: Vec<Vec<usize>> =
        runs.iter().map(|run| run.iter().map(|(_, edge)| search.action(edge)).collect()).collect();
    let number: HashMap<&Vec<usize>, usize> = words.iter().zip(0..).collect();
    let mut class: Vec<usize> = (0..runs.len()).collect();
    fn root(class: &[usize], mut at: usize) -> usize {
        while class[at] != at {
            at = class[at];
        }
        at
    }
    for (at, run) in runs.iter().enumerate() {
        for i in 0..run.len().saturating_sub(1) {
            let (state, first) = run[i];
            let second = run[i + 1].1;
            let other = graph.of(state).iter().find(|edge| edge.actor == second.actor);
            if let Some(other) = other
                && search.independent(&first, other)
            {
                let mut swapped = words[at].clone();
                swapped.swap(i, i + 1);
                let (one, two) = (root(&class, at), root(&class, number[&swapped]));
                class[one] = two;
            }
        }
    }
    (0..class.len()).filter(|at| class[*at] == *at).count() as u64
}

#[test]
fn distances_and_polished_traces() {
    for seed in 0..200 {
        let model = random_programs(seed);
        let mut search = in_components(&model, Options::default());
        let graph = Graph::whole(&mut search).unwrap();
        let truth = truths(&mut search, 0);
        let Some(first) = search.first(0, false) else { continue };
        let is_wrong = |state: StateId| !truth[state as usize];
        let mut distances = Distances::new(&graph);
        while !distances.advance(&graph, is_wrong, 1 + seed as u32) {}
        let distances = distances.finish();
        assert_eq!(distances[0], search.depth(first));
        for state in 0..graph.len() as StateId {
            let next = graph.of(state).iter().map(|edge| distances[edge.to as usize]).min();
            let by_steps = next.map_or(u32::MAX, |next| next.saturating_add(1));
            let expected = if is_wrong(state) { 0 } else { by_steps };
            assert_eq!(distances[state as usize], expected, "seed {seed}, state {state}");
        }
        let mut choice = Polish::new(search.depth(first));
        let mut slices = 1;
        while !choice.advance(&mut search, &graph, |_, state| is_wrong(state), 2) {
            slices += 1;
        }
        assert!(slices > search.depth(first), "seed {seed}: {slices} slices");
        let polished = choice.finish(&search).unwrap();
        assert_eq!(polished.len() as u32, search.depth(first));
        let end = replay(&model, &polished).unwrap();
        assert!(!Model::holds(&model, 0, &end));
        let switches = |trace: &[usize]| trace.windows(2).filter(|w| w[0] != w[1]).count();
        assert!(switches(&polished) <= switches(&search.trace(first)));
    }
}

/// A search that does not go on from where it happens finds the same.
#[test]
fn never_without_the_rest_is_the_same() {
    let (mut found, mut fewer) = (0, 0);
    for seed in 0..400 {
        let mut whole = in_components(&random_programs(seed), Options::default());
        let graph = Graph::whole(&mut whole).unwrap();
        for condition in 0..3 {
            let truth = truths(&mut whole, condition);
            let expected = never(&mut whole, &graph, |state| truth[state as usize]);
            let options = Options { goal: Some(condition), ..Options::default() };
            let mut search = in_components(&random_programs(seed), options);
            let mut rounds = Graph::of_rounds();
            assert_eq!(rounds.advance(&mut search, u32::MAX), Some(true));
            let truth = truths(&mut search, condition);
            let happens = |state: StateId| truth[state as usize];
            let mut asked = Never::of_search(&rounds, happens);
            while !asked.advance(&search, &rounds, happens, 5) {}
            let lasso = asked.finish(&mut search, &rounds);
            let lengths = |lasso: &Lasso<_>| (lasso.stem.len(), lasso.cycle.is_empty());
            assert_eq!(lasso.as_ref().map(lengths), expected.as_ref().map(lengths), "seed {seed}");
            found += usize::from(lasso.is_some());
            fewer += usize::from(search.counts().states < whole.counts().states);
        }
    }
    assert!(found > 100 && fewer > 100, "{found}, {fewer}");
}

#[test]
fn what_is_asked_of_the_graph_is_answered_in_slices_too() {
    for seed in 0..200 {
        let mut search = Search::new(random_programs(seed), Options::default());
        search.run();
        let Some(graph) = Graph::whole(&mut search) else { continue };
        let mut counting = Counting::new(&graph, vec![0, 1]);
        let mut slices = 1;
        while !counting.advance(&mut search, &graph, 3) {
            slices += 1;
        }
        let census = counting.finish();
        let slices_min = if census.is_some() { graph.len() / 3 } else { 1 };
        assert!(slices >= slices_min, "seed {seed}: {slices} slices");
        let whole = Census::take(&mut search, &graph, vec![0, 1]);
        assert_eq!(census, whole, "seed {seed}");
        let goal = |state: StateId| state % 7 == 6;
        let mut asked = Never::new(&graph, goal);
        while !asked.advance(&search, &graph, goal, 3) {}
        assert_eq!(
            asked.finish(&mut search, &graph),
            never(&mut search, &graph, goal),
            "seed {seed}"
        );
    }
}
