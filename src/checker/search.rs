//! The search: breadth-first over packed states, in batches, so that the first state that breaks a
//! condition is a nearest one, and the counts are exact.
//!
//! Contract: [`Search::advance`] looks at a given number of states and returns; each bound of
//! [`Options`] that ended it is its [`Status`]. Absent: clocks, depth-first order, and
//! approximation: two states are one only if they are equal, never because their hashes are.

use super::ample::Ample;
use super::batch::{Batch, Due};
use super::components::{Components, Move, View, check_moves};
use super::layout::{Layout, by_width};
use super::memo::{Leaf, Memo};
use super::recent::Recent;
use super::store::{self, NONE, Store};
use super::turns::{Turn, Turns};
use ground::mutant::{Mutant, is_on};
use symmetry::Symmetry;
use widen::{MOVED_PER_STATE, Moving};

mod symmetry;
mod widen;

/// The options of a search: what it looks for, how far, with which reductions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub states_max: u32,
    /// The most steps from the start.
    pub depth_max: u32,
    /// The most bytes for states and memoised answers.
    pub bytes_max: usize,
    /// Symmetry: take states that differ by a renaming of equal actors for one.
    pub symmetry: bool,
    /// Partial order: leave out orders of steps that commute. Keeps verdicts and deadlocks, but not
    /// the shortest length of a run that breaks an `always`.
    pub partial_order: bool,
    /// Budgets: take a state for one met before that differs only in budgets
    /// ([`Components::is_budget`]) and has no less in any. Keeps verdicts, shortest lengths and
    /// deadlocks, but not counts.
    pub budgets: bool,
    /// Do not go on from states in which this condition is true.
    pub goal: Option<usize>,
    /// The number of states searched without partial-order reduction first, to learn the actors'
    /// moves.
    pub learning: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            states_max: store::STATES_MAX,
            depth_max: u32::MAX,
            bytes_max: usize::MAX,
            symmetry: false,
            partial_order: false,
            budgets: false,
            goal: None,
            learning: 5_000,
        }
    }
}

/// The bound that ended a search before it had seen everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    States,
    Depth,
    Bytes,
    /// The caller gave up ([`Search::give_up`]).
    Time,
    /// A state is wider than the search can pack.
    Width,
    /// A state had more moves than were followed: [`Components::is_partial`].
    Moves,
}

ground::json_enum!(Bound { States, Depth, Bytes, Time, Width, Moves });

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// There are states left to look at.
    Running,
    /// Every reachable state was seen.
    Complete,
    /// A bound ended the search.
    Bounded(Bound),
}

/// Counts so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Distinct states, the initial one included.
    pub states: u64,
    /// Pairs of a state and a move possible in it.
    pub transitions: u64,
    /// The transitions among them that lead back to the same state, as polling does.
    pub stutters: u64,
    /// The number of steps to the farthest state.
    pub depth: u32,
    /// States met and not yet looked at.
    pub waiting: u64,
    /// Bytes held.
    pub bytes: usize,
    /// The number of questions put to the model; all other answers came from memory.
    pub asked: u64,
}

/// The number of a state, in the order in which states are met. 0 is the initial state.
pub type StateId = u32;

/// A search under way. [`Search::advance`] continues it; results so far can be read at any time.
#[derive(Debug)]
pub struct Search<C: Components> {
    pub(super) model: C,
    pub(super) memo: Memo<C::Action>,
    pub(super) layout: Layout,
    pub(super) store: Store,
    pub(super) turns: Turns,
    moving: Option<Box<Moving>>,
    recent: Recent,
    options: Options,
    status: Status,
    transitions: u64,
    stutters: u64,
    /// The state that is being expanded, and how many of its actors had their turn.
    at: StateId,
    turn: usize,
    /// [`Search::advance`] stops before this state.
    until: StateId,
    here: Here,
    /// First state of each layer that was begun: layer n is n steps from the start.
    layers: Vec<StateId>,
    /// The first state after the last of these layers.
    layer_end: StateId,
    /// For each condition, the first state where it is false, and the first where it is true.
    first: Vec<[Option<StateId>; 2]>,
    first_deadlock: Option<StateId>,
    first_stop: Option<StateId>,
    ends: u64,
    ample: Option<Ample>,
    /// Partial order may be used: `learning` states were seen.
    learned: bool,
    symmetry: Symmetry,
}

/// The moves found so far of the state that is being expanded.
#[derive(Debug, Clone, Copy, Default)]
struct Here {
    moves: u32,
    /// The number of them that fair actors make.
    fair: u32,
    stutters: u32,
}

/// An error: the layout has no room for a component that the model just returned.
#[derive(Debug)]
pub(super) struct NoRoom;

impl<C: Components> Search<C> {
    pub fn new(mut model: C, options: Options) -> Search<C> {
        let initial = model.initial();
        let (actors, conditions) = (model.actors(), model.conditions());
        let mut search = Search {
            memo: Memo::new(actors + conditions + 1),
            layout: Layout::default(),
            store: Store::new(1, false),
            turns: Turns::default(),
            moving: None,
            recent: Recent::default(),
            options,
            status: Status::Running,
            transitions: 0,
            stutters: 0,
            at: 0,
            turn: 0,
            until: 0,
            here: Here::default(),
            layers: Vec::new(),
            layer_end: 0,
            first: vec![[None; 2]; conditions],
            first_deadlock: None,
            first_stop: None,
            ends: 0,
            ample: options.partial_order.then(|| Ample::new(actors)),
            learned: !options.partial_order,
            symmetry: Symmetry::default(),
            model,
        };
        search.begin(initial);
        search
    }

    fn begin(&mut self, mut initial: Vec<u32>) {
        self.options.symmetry &= self.model.is_symmetric();
        if self.options.symmetry {
            self.model.canonical(&mut initial, &mut Vec::new());
        }
        if self.lay_out().is_some() {
            self.dispatch(Work::Begin(&initial));
        }
    }

    /// Makes an empty store and a layout for the components there are now, and returns the old
    /// ones. `None` where a state is too wide.
    fn lay_out(&mut self) -> Option<(Store, Layout)> {
        let model = &self.model;
        let Some(layout) = Layout::new((0..model.slots()).map(|slot| model.components(slot)))
        else {
            self.status = Status::Bounded(Bound::Width);
            return None;
        };
        // Whether a move leads back is asked by numbers.
        let store = Store::new(layout.words(), self.options.partial_order);
        self.memo.repack(&self.model, &layout);
        self.turns = Turns::new(&self.model, &layout);
        let store = std::mem::replace(&mut self.store, store);
        let layout = std::mem::replace(&mut self.layout, layout);
        self.set_budgets();
        Some((store, layout))
    }

    fn set_budgets(&mut self) {
        if self.options.budgets {
            let slots = (0..self.layout.slots()).filter(|slot| self.model.is_budget(*slot));
            self.store.set_budgets(&self.layout, &slots.collect::<Vec<_>>());
        }
    }

    /// Looks at up to this number of further `states`, and returns the search's status.
    pub fn advance(&mut self, states: u32) -> Status {
        self.until = self.at.saturating_add(states);
        while self.status == Status::Running && self.at < self.until {
            match self.moving.is_some() {
                _ if self.model.is_outdated() => break,
                true if !self.move_on(states.saturating_mul(MOVED_PER_STATE)) => break,
                true => {}
                false => self.dispatch(Work::Run),
            }
        }
        // Also at the end of the search, so that no outdated result is shown.
        if self.model.is_outdated() {
            self.begin_anew();
        }
        self.status
    }

    /// Runs to the end or to a bound.
    pub fn run(&mut self) -> Status {
        while self.advance(u32::MAX) == Status::Running {}
        self.status
    }

    /// Ends a search that takes too long.
    pub fn give_up(&mut self) {
        if self.model.is_outdated() {
            self.begin_anew();
        }
        if self.status == Status::Running {
            self.status = Status::Bounded(Bound::Time);
        }
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn counts(&self) -> Counts {
        Counts {
            states: self.met().into(),
            transitions: self.transitions,
            stutters: self.stutters,
            depth: self.met().checked_sub(1).map_or(0, |last| self.depth(last)),
            waiting: (self.met() - self.at).into(),
            bytes: self.bytes(),
            asked: self.memo.asked,
        }
    }

    /// The number of states met.
    fn met(&self) -> StateId {
        self.moving.as_ref().map_or(self.store.len(), |moving| moving.store.len())
    }

    fn bytes(&self) -> usize {
        let moving = self.moving.as_ref().map_or(0, |moving| moving.store.bytes());
        self.store.bytes() + moving + self.memo.bytes()
    }

    /// Returns the first state found in which the condition is `truth`; no such state is nearer to
    /// the start. `None` if none was found.
    pub fn first(&self, condition: usize, truth: bool) -> Option<StateId> {
        self.first[condition][usize::from(truth)]
    }

    /// The first deadlock found: no fair actor can move, and the run may not end here.
    pub fn first_deadlock(&self) -> Option<StateId> {
        self.first_deadlock
    }

    /// Returns the first state found in which no fair actor can move, goal states aside; the run
    /// may be allowed to end there or not.
    pub fn first_stop(&self) -> Option<StateId> {
        self.first_stop
    }

    /// The number of states without moves.
    pub fn ends(&self) -> u64 {
        self.ends
    }

    /// The number of steps from the start.
    pub fn depth(&self, state: StateId) -> u32 {
        let begun = self.layers.partition_point(|first| *first <= state) as u32;
        // The layer after the last one begun is still being met.
        if state >= self.layer_end { begun } else { begun - 1 }
    }

    pub fn options(&self) -> Options {
        self.options
    }

    pub fn model(&self) -> &C {
        &self.model
    }

    pub fn model_mut(&mut self) -> &mut C {
        &mut self.model
    }

    /// Returns true if the condition is true in a state that was met. Condition number
    /// [`Components::conditions`] is "a run may end here".
    pub fn is_true(&mut self, condition: usize, state: StateId) -> bool {
        self.settle();
        let words = self.store.words(state).to_vec();
        let tree = self.model.actors() + condition;
        match self.memo.look_any(tree, &words) {
            Some(answer) => answer == 1,
            None => self.ask_truth(condition, &words),
        }
    }

    /// Returns the components of a state that was met.
    pub fn state(&mut self, state: StateId) -> Vec<u32> {
        self.settle();
        let mut components = Vec::new();
        self.layout.unpack(self.store.words(state), &mut components);
        components
    }

    // ---- The loop, compiled once for each width of states --------------------------------------

    fn dispatch(&mut self, work: Work) {
        by_width!(self.layout, self.work(work))
    }

    fn work<const W: usize>(&mut self, work: Work) {
        let mut batch = Batch::<W>::new();
        self.symmetry.forget();
        match work {
            Work::Begin(initial) => {
                let mut words = [0; W];
                self.layout.pack(initial, &mut words);
                self.recent = Recent::new(W);
                batch.push(Due { state: words, parent: NONE }, 1);
                self.flush(&mut batch);
            }
            Work::Run => {
                let result = self.explore(&mut batch);
                self.flush(&mut batch);
                if let Err(NoRoom) = result {
                    self.widen();
                }
            }
        }
    }

    /// Expands states up to `until`. Returns an error where the layout has become too small; the
    /// actor at which that happened is asked again.
    fn explore<const W: usize>(&mut self, batch: &mut Batch<W>) -> Result<(), NoRoom> {
        while self.at < self.until && self.status == Status::Running {
            if self.model.is_outdated() {
                return Ok(());
            }
            if self.at == self.layer_end {
                self.flush(batch);
                self.next_layer();
                continue;
            }
            if !self.learned && self.at == self.options.learning {
                self.flush(batch);
                self.learned = true;
                self.ample.as_mut().map(Ample::refine);
                self.restart();
                return Ok(());
            }
            let state = self.store.get::<W>(self.at);
            self.memo.turn_to_another();
            if self.is_goal(&state) {
                self.at += 1;
                continue;
            }
            self.depart(&state);
            if self.ample.is_some() {
                self.push_ample(&state, batch)?;
            } else {
                let mut here = self.here;
                let result = self.push_all(&state, &mut here, batch);
                self.here = here;
                result?;
            }
            if self.here.fair == 0 {
                self.note_end(&state);
            }
            debug_assert!(self.here.fair <= self.here.moves);
            self.transitions += u64::from(self.here.moves);
            self.stutters += u64::from(self.here.stutters);
            (self.turn, self.here) = (0, Here::default());
            self.at += 1;
        }
        Ok(())
    }

    /// Begins the next layer: all states one step nearer have been expanded.
    fn next_layer(&mut self) {
        let met = self.store.len();
        if self.status == Status::Running && met == self.at {
            self.end_pass();
        } else if self.layers.len() as u32 >= self.options.depth_max {
            self.status = Status::Bounded(Bound::Depth);
        } else if self.bytes() > self.options.bytes_max {
            self.status = Status::Bounded(Bound::Bytes);
        } else {
            debug_assert!(self.layers.last() < Some(&self.at), "a layer has no states");
            self.layers.push(self.at);
            self.layer_end = met;
            self.recent.grow(self.layout.words(), met);
        }
    }

    /// Ends a pass. With partial-order reduction another pass follows if this one relied on too
    /// little.
    fn end_pass(&mut self) {
        let refine = |ample: &mut Ample| ample.refine() && !is_on(Mutant::AmpleUnverified);
        if self.learned && self.ample.as_mut().is_some_and(refine) {
            self.restart();
        } else if self.model.is_partial() {
            self.status = Status::Bounded(Bound::Moves);
        } else {
            self.status = Status::Complete;
        }
    }

    /// [`Components::is_outdated`]. To be asked after questions about states of a finished search.
    pub fn is_outdated(&self) -> bool {
        self.model.is_outdated()
    }

    /// Begins again with other slots and components, and forgets all that was known of the old
    /// ones.
    pub fn begin_anew(&mut self) {
        self.forget();
        self.status = Status::Running;
        self.restart();
    }

    /// Forgets everything about the model.
    fn forget(&mut self) {
        let trees = self.model.actors() + self.model.conditions() + 1;
        self.memo = Memo::new(trees);
        self.ample = self.options.partial_order.then(|| Ample::new(self.model.actors()));
        self.learned = !self.options.partial_order;
        (self.moving, self.layout) = (None, Layout::default());
    }

    /// Begins again with what was learned of the model, or with nothing if slots and components
    /// have changed. (A condition that is asked of the last states may have read something new.)
    fn restart(&mut self) {
        if self.model.is_outdated() {
            self.forget();
        }
        let initial = self.model.initial();
        // A caller that asked for so many states has not asked for all of them once more.
        (self.at, self.turn, self.until, self.here) = (0, 0, 0, Here::default());
        (self.transitions, self.stutters, self.ends, self.layer_end) = (0, 0, 0, 0);
        self.layers.clear();
        self.first.fill([None; 2]);
        (self.first_deadlock, self.first_stop) = (None, None);
        self.begin(initial);
    }

    /// Returns the leaf with the moves of `actor`: from memory, or by asking the model.
    #[inline(always)]
    pub(super) fn leaf<const W: usize>(
        &mut self,
        actor: usize,
        state: &[u64; W],
    ) -> Result<u32, NoRoom> {
        match self.memo.look(actor, state) {
            Some(leaf) => Ok(leaf),
            None => self.ask(actor, state),
        }
    }

    /// [`Search::leaf`] for a state that was expanded, so that its answers have room.
    pub(super) fn known_leaf(&mut self, actor: usize, state: &[u64]) -> Option<u32> {
        match self.memo.look_any(actor, state) {
            Some(leaf) => Some(leaf),
            None => self.ask(actor, state).ok(),
        }
    }

    fn ask(&mut self, actor: usize, state: &[u64]) -> Result<u32, NoRoom> {
        let mut components = Vec::new();
        self.layout.unpack(state, &mut components);
        // Often it is only a fact about a new component that is missing.
        if self.memo.learn_facts(&mut self.model, &self.layout)
            && let Some(leaf) = self.memo.look_any(actor, state)
        {
            return Ok(leaf);
        }
        let (moves, mut reads) = loop {
            let epoch = self.model.epoch();
            let mut view = View::new(&components);
            let mut moves = Vec::new();
            self.model.moves(actor, &mut view, &mut moves);
            debug_assert!(self.model.epoch() >= epoch, "the model's epoch went back");
            if self.model.epoch() == epoch || is_on(Mutant::EpochIgnored) {
                break (moves, view.into_reads());
            }
            self.memo.forget();
        };
        check_moves(&self.model, actor, &components, &moves);
        if is_on(Mutant::ReadForgotten) && reads.len() > 1 {
            reads.pop();
        }
        self.memo.note_lenses(&reads);
        self.memo.learn_facts(&mut self.model, &self.layout);
        // Without room the answer is thrown away; asked again after widening, the model says the
        // same.
        let mut writes = moves.iter().flat_map(|Move { writes, .. }| writes);
        if !writes.all(|(slot, component)| self.layout.has_room(*slot, *component)) {
            return Err(NoRoom);
        }
        let is_fair = self.model.is_fair(actor);
        let leaf = self.memo.add_leaf(moves, is_fair, &reads, &self.layout);
        self.memo.learn(actor, &reads, leaf, &self.layout);
        debug_assert_eq!(
            self.memo.look_any(actor, state),
            Some(leaf),
            "{actor} is not found again"
        );
        if let Some(ample) = &mut self.ample {
            ample.learn(&self.model, &self.memo, actor, &reads, leaf);
        }
        Ok(leaf)
    }

    /// Follows the moves of every actor that has a turn.
    #[inline(always)]
    fn push_all<const W: usize>(
        &mut self,
        state: &[u64; W],
        here: &mut Here,
        batch: &mut Batch<W>,
    ) -> Result<(), NoRoom> {
        let list = self.turns.of(state);
        loop {
            if W <= 2 && !self.options.symmetry {
                self.push_known(list, state, here, batch);
            }
            let Some(&Turn { actor, gives_way }) = self.turns.list(list).get(self.turn) else {
                return Ok(());
            };
            if !gives_way || here.fair == 0 {
                let leaf = self.leaf(actor, state)?;
                let repeats = self.repeats(actor);
                self.push(leaf, repeats, state, here, batch)?;
            } else if cfg!(debug_assertions) {
                let leaf = self.leaf(actor, state)?;
                assert_eq!(self.memo.leaves[leaf as usize].count, 0, "others can act");
            }
            self.turn += 1;
        }
    }

    /// Follows the next actors in turn for as long as a short cut leads to their answer and that
    /// has at most one move: a loop without calls and with few unpredictable branches.
    #[inline(always)]
    fn push_known<const W: usize>(
        &mut self,
        list: usize,
        state: &[u64; W],
        here: &mut Here,
        batch: &mut Batch<W>,
    ) {
        let memo = &self.memo;
        let turns = self.turns.list(list);
        while let Some(&Turn { actor, gives_way }) = turns.get(self.turn)
            && (!gives_way || here.fair == 0)
            && let Some(leaf) = memo.at_hand(actor, state)
            && let Leaf { count, fair, masks, .. } = memo.leaves[leaf as usize]
            && count <= 1
            && !batch.is_full()
        {
            // Whether there is a move cannot be foretold; doing nothing is as soon done.
            let next = memo.after_masks(masks as usize, state);
            here.stutters += u32::from(next == *state) & count;
            here.moves += count;
            here.fair += fair;
            batch.push(Due { state: next, parent: self.at }, count);
            self.turn += 1;
        }
    }

    /// Partial-order reduction: follows one actor alone if that is sound, else all.
    fn push_ample<const W: usize>(
        &mut self,
        state: &[u64; W],
        batch: &mut Batch<W>,
    ) -> Result<(), NoRoom> {
        let actors = 0..self.model.actors();
        let leaves =
            actors.map(|actor| self.leaf(actor, state)).collect::<Result<Vec<u32>, _>>()?;
        // Until something is known of the actors there is nothing to rely on.
        let alone = match &self.ample {
            Some(ample) if self.learned => {
                let component = |slot: usize| self.layout.get(state, slot);
                let candidates = ample.choose(&mut self.model, &self.memo, &leaves, component);
                // A move back to a state that was already looked at could put the others off for
                // ever (the "ignoring problem"; Bošnački and Holzmann 2005 for breadth-first
                // search).
                candidates.into_iter().find(|&actor| self.leads_on(leaves[actor], state))
            }
            _ => None,
        };
        // After a want of room all are asked again.
        let mut here = Here::default();
        match alone {
            Some(actor) => self.push(leaves[actor], false, state, &mut here, batch)?,
            None => {
                for (actor, leaf) in leaves.into_iter().enumerate() {
                    let repeats = self.repeats(actor);
                    self.push(leaf, repeats, state, &mut here, batch)?;
                }
            }
        }
        self.here = here;
        Ok(())
    }

    /// Returns true if every move of this leaf leads to a state that was not expanded yet.
    fn leads_on<const W: usize>(&mut self, leaf: u32, state: &[u64; W]) -> bool {
        let Leaf { first, count, .. } = self.memo.leaves[leaf as usize];
        (first..first + count).all(|at| {
            let mut next = self.memo.after(at as usize, state);
            if self.options.symmetry && self.make_canonical(&mut next, at as usize).is_err() {
                return true;
            }
            let hash = self.store.hash(&next);
            let number = self.store.number_of(&next, hash);
            number.is_none_or(|number| number > self.at) || is_on(Mutant::AmpleIgnoring)
        })
    }

    /// Puts the successors by a leaf's moves into the batch, unless they only repeat those of
    /// another actor.
    #[inline(always)]
    fn push<const W: usize>(
        &mut self,
        leaf: u32,
        repeats: bool,
        state: &[u64; W],
        here: &mut Here,
        batch: &mut Batch<W>,
    ) -> Result<(), NoRoom> {
        let Leaf { first, count, fair, .. } = self.memo.leaves[leaf as usize];
        let mut stutters = 0;
        for at in first as usize..(first + count) as usize {
            let mut next = self.memo.after(at, state);
            stutters += u32::from(next == *state);
            if repeats {
                continue;
            }
            if self.options.symmetry {
                self.make_canonical(&mut next, at)?;
            }
            if batch.is_full() {
                self.flush(batch);
            }
            batch.push(Due { state: next, parent: self.at }, 1);
        }
        here.moves += count;
        here.fair += fair;
        here.stutters += stutters;
        Ok(())
    }

    /// Looks the batch up: a first pass brings the table's lines into the cache, a second one
    /// enters the states.
    fn flush<const W: usize>(&mut self, batch: &mut Batch<W>) {
        batch.sift(&self.store, &mut self.recent);
        std::hint::black_box(self.store.touch::<W>(batch.hashes().iter().copied()));
        for (Due { state, parent }, hash) in batch.due() {
            if self.store.len() >= self.options.states_max {
                // A state met before is still known; a new one is the first too many.
                if !self.store.knows(state, hash) {
                    self.status = Status::Bounded(Bound::States);
                }
                continue;
            }
            if let Some(number) = self.store.insert(state, hash, *parent) {
                self.judge(number, state);
            }
        }
        batch.clear();
        // The state whose moves are looked at comes next again.
        self.memo.turn_to_another();
    }

    /// Evaluates the undecided conditions in a new state.
    #[inline(always)]
    fn judge<const W: usize>(&mut self, number: StateId, state: &[u64; W]) {
        self.memo.turn_to_another();
        for condition in 0..self.first.len() {
            if let [Some(_), Some(_)] = self.first[condition] {
                continue;
            }
            let truth = usize::from(self.truth(condition, state));
            self.first[condition][truth].get_or_insert(number);
        }
    }

    /// [`Search::is_true`] for a state given by its words.
    #[inline(always)]
    fn truth<const W: usize>(&mut self, condition: usize, state: &[u64; W]) -> bool {
        let tree = self.model.actors() + condition;
        match self.memo.look(tree, state) {
            Some(answer) => answer == 1,
            None => self.ask_truth(condition, state),
        }
    }

    fn ask_truth(&mut self, condition: usize, state: &[u64]) -> bool {
        let mut components = Vec::new();
        self.layout.unpack(state, &mut components);
        let tree = self.model.actors() + condition;
        if self.memo.learn_facts(&mut self.model, &self.layout)
            && let Some(answer) = self.memo.look_any(tree, state)
        {
            return answer == 1;
        }
        let mut view = View::new(&components);
        let truth = match condition.checked_sub(self.model.conditions()) {
            None => self.model.holds(condition, &mut view),
            Some(_) => self.model.may_end(&mut view),
        };
        let reads = view.into_reads();
        self.memo.note_lenses(&reads);
        self.memo.learn_facts(&mut self.model, &self.layout);
        self.memo.learn(tree, &reads, truth.into(), &self.layout);
        debug_assert_eq!(
            self.memo.look_any(tree, state),
            Some(truth.into()),
            "it is not found again"
        );
        // Whether a run may end is asked where no actor can move; such a state is met by any order.
        if condition < self.model.conditions()
            && let Some(ample) = &mut self.ample
        {
            ample.see(&reads);
        }
        truth
    }

    /// Returns true if the search does not go on from this state.
    #[inline(always)]
    pub(super) fn is_goal<const W: usize>(&mut self, state: &[u64; W]) -> bool {
        match self.options.goal {
            None => false,
            Some(condition) => self.truth(condition, state),
        }
    }

    fn note_end<const W: usize>(&mut self, state: &[u64; W]) {
        self.ends += u64::from(self.here.moves == 0);
        self.first_stop.get_or_insert(self.at);
        if self.first_deadlock.is_none() && !self.truth(self.first.len(), state) {
            self.first_deadlock = Some(self.at);
        }
    }
}

enum Work<'i> {
    Begin(&'i [u32]),
    Run,
}
