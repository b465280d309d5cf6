//! Fates against plain recursion over whole states, and what must hold of any picture.

use std::collections::HashMap;

use super::view::{LATTICE_MAX, NAMED_MAX};
use super::*;
use crate::models::{Increment, Programs};
use crate::tests::random_programs;
use crate::whole::{Model, Whole};
use crate::{Census, Natural};

const ROOM: Room = Room { columns: 40, distances: 12 };

fn mapped(programs: &Programs) -> Option<Space<usize>> {
    let mut mapping = Mapping::new(programs.clone(), vec![0, 1], true);
    mapping.run().ok()?;
    Some(mapping.space().clone())
}

type State = <Programs as Model>::State;

fn actions(programs: &Programs, state: &State) -> Vec<usize> {
    let mut actions = Vec::new();
    Model::actions(programs, state, &mut actions);
    actions
}

fn next(programs: &Programs, state: &State, action: usize) -> State {
    Model::next(programs, state, action).expect("it is possible")
}

fn is_broken(programs: &Programs, state: &State) -> bool {
    let holds = |condition| Model::holds(programs, condition, state);
    let is_stuck = actions(programs, state).is_empty() && !Model::may_end(programs, state);
    !holds(0) || !holds(1) || is_stuck
}

/// All runs from a state, one by one: how many, how many of them break, the fewest steps to a
/// break. `None` where a run goes round, or too much was looked at.
fn recursion(
    programs: &Programs,
    state: &State,
    path: &mut Vec<State>,
    fuel: &mut u32,
) -> Option<(u64, u64, Option<u16>)> {
    *fuel = fuel.checked_sub(1)?;
    if path.contains(state) {
        return None;
    }
    let is_broken = is_broken(programs, state);
    let mut near = is_broken.then_some(0);
    let (mut all, mut wrong) = (0, 0);
    path.push(state.clone());
    let actions = actions(programs, state);
    for action in &actions {
        let next = next(programs, state, *action);
        let (runs, bad, steps) = recursion(programs, &next, path, fuel)?;
        (all, wrong) = (all + runs, wrong + bad);
        near = near.into_iter().chain(steps.map(|steps| steps + 1)).min();
    }
    path.pop();
    all += u64::from(actions.is_empty());
    Some((all, if is_broken { all } else { wrong }, near))
}

/// Is there a run that never breaks: one that ends well, or one that goes round?
fn can_avoid(programs: &Programs, state: &State, path: &mut Vec<State>, fuel: &mut u32) -> bool {
    *fuel = fuel.saturating_sub(1);
    if is_broken(programs, state) || *fuel == 0 {
        return false;
    }
    if path.contains(state) {
        return true;
    }
    path.push(state.clone());
    let actions = actions(programs, state);
    let mut ways = actions.iter().map(|action| next(programs, state, *action));
    let avoids = actions.is_empty() || ways.any(|next| can_avoid(programs, &next, path, fuel));
    path.pop();
    avoids
}

/// Each state of the space with the whole state that the same actions lead to.
fn wholes(programs: &Programs, space: &Space<usize>) -> Vec<State> {
    let mut wholes: HashMap<StateId, State> = HashMap::from([(0, Model::initial(programs))]);
    for state in 0..space.len() as StateId {
        let whole = wholes[&state].clone();
        let possible: Vec<usize> = space.of(state).iter().map(|(action, _)| *action).collect();
        assert_eq!(possible, actions(programs, &whole));
        for (action, to) in space.of(state) {
            let next = next(programs, &whole, *action);
            assert_eq!(*wholes.entry(*to).or_insert_with(|| next.clone()), next);
        }
    }
    (0..space.len() as StateId).map(|state| wholes[&state].clone()).collect()
}

#[test]
fn fates_are_those_of_a_plain_recursion() {
    let (mut counted, mut endless, mut doomed) = (0, 0, 0);
    for seed in 0..400 {
        let programs = random_programs(seed);
        let Some(space) = mapped(&programs).filter(|space| space.len() <= 150) else { continue };
        let fates = Fates::of(&space);
        let mut known = Vec::new();
        for (state, whole) in wholes(&programs, &space).iter().enumerate() {
            let broken = is_broken(&programs, whole);
            assert_eq!(space.broken[state], broken, "{seed}, {state}");
            known.push(recursion(&programs, whole, &mut Vec::new(), &mut 20_000));
            let mut fuel = 20_000;
            let avoids = can_avoid(&programs, whole, &mut Vec::new(), &mut fuel);
            let fate = fates.fate[state];
            if fuel > 0 {
                assert_eq!(fate.is_lost(), !avoids, "{seed}, {state}");
                doomed += u32::from(fate == Fate::Doomed);
            }
            assert_eq!(fate == Fate::Broken, broken);
            assert_eq!(fate == Fate::Right, space.is_end(state as StateId) && !broken);
        }
        if fates.counted == Counted::Endless {
            assert!(known[0].is_none(), "{seed}");
            endless += 1;
            continue;
        }
        for (state, known) in known.into_iter().enumerate() {
            let Some((all, wrong, near)) = known else { continue };
            assert_eq!(fates.from[state], Natural::from(all), "{seed}, {state}");
            assert_eq!(fates.wrong[state], Natural::from(wrong), "{seed}, {state}");
            assert_eq!(fates.distance(state as StateId), near, "{seed}, {state}");
            assert_eq!(fates.fate[state].is_saved(), near.is_none());
            counted += 1;
        }
        check_ways(&space, &fates);
    }
    assert!(counted > 3_000 && endless > 20 && doomed > 300, "{counted} {endless} {doomed}");
}

/// Each order either breaks for the first time somewhere or ends well; and ways lead where they
/// should.
fn check_ways(space: &Space<usize>, fates: &Fates) {
    let states = 0..space.len() as StateId;
    let is_last = |state: &StateId| space.broken[*state as usize] || space.is_end(*state);
    let through = |state: StateId| fates.ways[state as usize] * fates.from[state as usize].to_f64();
    let sum: f64 = states.clone().filter(is_last).map(through).sum();
    assert_eq!(sum, fates.from[0].to_f64());
    for state in states {
        let way = space.way_to(state);
        assert_eq!(way.len(), usize::from(space.depth[state as usize]));
        assert_eq!(way.last().map_or(0, |(_, to)| *to), state);
        let to_break = space.way_to_break(fates, state);
        let near = fates.distance(state).map_or(0, usize::from);
        assert_eq!(to_break.len(), near);
        let last = to_break.last().map_or(state, |(_, to)| *to);
        assert_eq!(space.broken[last as usize], fates.distance(state).is_some());
    }
}

#[test]
fn counts_are_those_of_the_census() {
    let mut counted = 0;
    for seed in 0..300 {
        let programs = random_programs(seed);
        let Some(space) = mapped(&programs) else { continue };
        let fates = Fates::of(&space);
        let mut search = Search::new(programs, Options::default());
        search.run();
        let graph = Graph::whole(&mut search).expect("it is complete");
        let census = Census::take(&mut search, &graph, Vec::new());
        assert_eq!(space.len() as u64, search.counts().states);
        assert_eq!(space.steps() as u64, search.counts().transitions);
        match census {
            Some(census) => {
                assert_eq!(fates.from[0], census.schedules, "{seed}");
                counted += 1;
            }
            None => assert_eq!(fates.counted, Counted::Endless),
        }
    }
    assert!(counted > 100, "{counted}");
}

/// What must hold of any picture.
fn check_view(space: &Space<usize>, fates: &Fates, view: &MapView, of: &[u16]) {
    let before = fates.before.iter().filter(|before| **before).count() as u32;
    let sum: u32 = view.blocks.iter().map(Block::len).sum();
    assert_eq!((view.states, sum), (before, before));
    for (number, block) in view.blocks.iter().enumerate() {
        assert!(block.x < view.columns && block.y < view.rows, "{block:?}");
        assert!(block.states.len() <= NAMED_MAX.max(5) && !block.is_empty());
        let fates_of: Vec<Fate> =
            block.states.iter().map(|state| fates.fate[*state as usize]).collect();
        assert_eq!(fates_of, block.fates());
        assert!(block.states.iter().all(|state| of[*state as usize] == number as u16));
        check_flow(space, fates, view, of, number as u16);
    }
    for (state, block) in of.iter().enumerate() {
        assert_eq!(fates.before[state], *block != NO_BLOCK);
    }
}

/// As many orders go into a block as go out of it or end in it; broken states are ends.
fn check_flow(space: &Space<usize>, fates: &Fates, view: &MapView, of: &[u16], block: u16) {
    if fates.counted != Counted::All {
        return;
    }
    let sum = |pick: &dyn Fn(&Ribbon) -> bool, what: fn(&Ribbon) -> f64| -> f64 {
        view.ribbons.iter().filter(|ribbon| pick(ribbon)).map(what).sum()
    };
    let (mut start, mut ends) = ([0.0; 2], [0.0; 2]);
    if of[0] == block {
        start = [fates.from[0].to_f64(), fates.wrong[0].to_f64()];
    }
    for state in (0..space.len()).filter(|state| of[*state] == block) {
        if space.broken[state] || space.is_end(state as StateId) {
            ends[0] += fates.ways[state] * fates.from[state].to_f64();
            ends[1] += fates.ways[state] * fates.wrong[state].to_f64();
        }
    }
    for (at, what) in
        [(|one: &Ribbon| one.orders) as fn(&Ribbon) -> f64, |one| one.wrong].into_iter().enumerate()
    {
        let into = sum(&|one| one.to == block, what) + start[at];
        let out = sum(&|one| one.from == block, what) + ends[at];
        assert!((into - out).abs() <= 1e-9 * into.max(1.0), "{into} {out}");
    }
}

#[test]
fn any_picture_keeps_all_states_and_all_orders() {
    let (mut lattices, mut paths, mut terrains) = (0, 0, 0);
    for seed in 0..200 {
        let programs = random_programs(seed);
        let Some(space) = mapped(&programs) else { continue };
        let fates = Fates::of(&space);
        let clients = programs.code.len();
        let place = |state: &State| {
            let at = |client: usize| u16::from(state[programs.variables + client].0);
            (at(0), at(1))
        };
        let places: Vec<(u16, u16)> = wholes(&programs, &space).iter().map(place).collect();
        let given = Some(&places[..]).filter(|_| clients == 2);
        for columns in [2, 5, 40] {
            let (view, of) = MapView::of(&space, &fates, given, Room { columns, ..ROOM });
            check_view(&space, &fates, &view, &of);
            match view.kind {
                Kind::Lattice => {
                    assert!(clients == 2 && space.len() <= LATTICE_MAX);
                    lattices += 1;
                    if !view.paths.is_empty() {
                        assert_eq!(Some(Natural::from(view.paths.len() as u64)), view.orders);
                        let is_wrong = |path: &&Path| {
                            path.steps.last().is_some_and(|(_, fate)| *fate == Fate::Broken)
                                || fates.fate[0] == Fate::Broken
                        };
                        let wrong = view.paths.iter().filter(is_wrong).count() as u64;
                        assert_eq!(Some(Natural::from(wrong)), view.wrong, "{seed}");
                        paths += 1;
                    }
                }
                Kind::Terrain => {
                    assert!(view.columns <= columns, "{} {columns}", view.columns);
                    terrains += 1;
                }
            }
        }
    }
    assert!(lattices > 50 && paths > 20 && terrains > 100, "{lattices} {paths} {terrains}");
}

#[test]
fn two_increments_are_six_paths_that_lie_on_each_other() {
    let mut mapping = Mapping::new(Whole::new(Increment { threads: 2 }), vec![0], true);
    mapping.run().expect("it is small");
    let space = mapping.space().clone();
    let fates = Fates::of(&space);
    assert_eq!((space.len(), &fates.from[0]), (13, &Natural::from(6)));
    assert_eq!((&fates.wrong[0], fates.distance(0)), (&Natural::from(4), Some(4)));
    // The places follow from the steps that led there.
    let mut places = vec![(0, 0); space.len()];
    for state in 0..space.len() as StateId {
        let steps = space.way_to(state);
        let of = |who: usize| steps.iter().filter(|(actor, _)| *actor == who).count() as u16;
        places[state as usize] = (of(0), of(1));
    }
    let (view, _) = MapView::of(&space, &fates, Some(&places), ROOM);
    assert_eq!((view.kind, view.columns, view.rows), (Kind::Lattice, 3, 3));
    assert_eq!((view.blocks.len(), view.paths.len()), (9, 6));
    let mirrors: Vec<bool> = view.paths.iter().map(|path| path.mirror.is_some()).collect();
    assert_eq!(mirrors, [false, false, false, true, true, true]);
}

/// `n` walkers on a long way: many states, more orders than can be told.
#[derive(Debug)]
struct Walkers {
    count: usize,
    steps: u16,
}

impl Model for Walkers {
    type State = Vec<u16>;
    type Action = usize;

    fn initial(&self) -> Vec<u16> {
        vec![0; self.count]
    }
    fn actions(&self, state: &Vec<u16>, out: &mut Vec<usize>) {
        out.extend((0..self.count).filter(|at| state[*at] < self.steps));
    }
    fn next(&self, state: &Vec<u16>, at: usize) -> Option<Vec<u16>> {
        let mut next = state.clone();
        next[at] += 1;
        Some(next)
    }
    fn conditions(&self) -> usize {
        1
    }
    fn holds(&self, _: usize, state: &Vec<u16>) -> bool {
        state[0] < self.steps || state[1] > 0
    }
    fn actors(&self) -> usize {
        self.count
    }
    fn actor(&self, at: usize) -> usize {
        at
    }
}

fn walkers(count: usize, steps: u16) -> Result<Space<usize>, NoMap> {
    let mut mapping = Mapping::new(Whole::new(Walkers { count, steps }), vec![0], true);
    mapping.run()?;
    Ok(mapping.space().clone())
}

#[test]
fn what_is_too_large_is_said_to_be() {
    assert_eq!(walkers(2, 255).err(), Some(NoMap::TooLarge));
    let space = walkers(2, 230).expect("53,361 states");
    assert_eq!(Fates::of(&space).counted, Counted::All);
    // One walker is a chain: deep, and one order.
    let space = walkers(3, 30).expect("29,791 states");
    let fates = Fates::of(&space);
    assert_eq!(fates.counted, Counted::All);
    let (view, of) = MapView::of(&space, &fates, None, ROOM);
    check_view(&space, &fates, &view, &of);
    assert!(view.blocks.len() < 300, "{}", view.blocks.len());
}
