//! The frames of a run. Going back moves a cursor; choosing differently there makes a fork, and the
//! former run is kept as a [`Branch`].

use std::rc::Rc;

use super::action::{Action, ClientId, Impossible};
use super::console::Typed;
use super::property::{Kind, Property};
use super::scenario::{Scenario, StartError};
use super::schedule::{self, Token};
use super::world::{Event, Ran, Seen, World};
use super::{MAX_STEPS, RUN_BYTES_MAX};
use crate::engine::{Entry, EntryValue, Lacking};
use crate::hash::fingerprint;
use crate::resp::Value;

/// The most former runs that are kept; the oldest goes first.
const BRANCHES_MAX: usize = 12;

/// The most characters of a run's name.
pub const NAME_MAX: usize = 40;

/// The world after one step, and the step.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The step as text; `None` in frame 0.
    pub token: Option<Token>,
    /// The typed line, if the step is a console's.
    pub typed: Option<Typed>,
    pub world: World,
    pub seen: Seen,
    /// For each property, in the scenario's order: the truth of its condition in this frame. An
    /// error (a mistake in the property) counts as false.
    pub truths: Vec<bool>,
    /// For each property, the step up to this frame at which it was decided: for `always` the first
    /// one at which it is broken, for the others the first at which it is true.
    pub decided: Vec<Option<usize>>,
    /// The fingerprint of the world, which names this state in tests and displays.
    pub fingerprint: u64,
    /// The bytes that this frame and those before it hold, roughly; see [`RUN_BYTES_MAX`].
    pub(super) held: u64,
}

impl Frame {
    /// Returns true if a client has given up its call in this step.
    pub fn gives_up(&self) -> bool {
        matches!(self.token, Some(Token { action: Action::Cancel(_), .. }))
    }

    /// Returns true if the call of this step got a reply that another client had left on the
    /// connection.
    pub fn got_older_reply(&self) -> bool {
        match &self.seen.event {
            Event::Call { client, call, reply: Some(_), lost: false } => {
                !call.argv().is_empty() && self.world.leaves_unread(*client, call)
            }
            _ => false,
        }
    }

    fn new(
        scenario: &Scenario,
        (token, typed): (Option<Token>, Option<Typed>),
        world: World,
        seen: Seen,
        before: Option<(usize, &Frame)>,
    ) -> Frame {
        let holds = |property: &Property| property.holds(&mut world.facts()).unwrap_or(false);
        let truths: Vec<bool> = scenario.properties.iter().map(holds).collect();
        let step = before.map_or(0, |(step, _)| step + 1);
        let decided = scenario.properties.iter().zip(&truths).enumerate();
        let decided = decided.map(|(index, (property, truth))| {
            let known = before.and_then(|(_, frame)| *frame.decided.get(index)?);
            known.or((*truth == (property.kind != Kind::Always)).then_some(step))
        });
        let decided = decided.collect();
        let fingerprint = fingerprint(&world);
        let held = before.map_or(0, |(_, frame)| frame.held) + bytes_kept(&world, &seen);
        Frame { held, token, typed, world, seen, truths, decided, fingerprint }
    }
}

/// Returns the bytes that a frame keeps beyond the one before it: words and values long enough to
/// matter, and what the programs that ran have allocated.
pub(super) fn bytes_kept(world: &World, seen: &Seen) -> u64 {
    /// The bytes below which a program is not counted: it shares them with the frame before, or
    /// they matter little.
    const PROGRAM: u64 = 128 << 10;
    let entry = |entry: &Option<Entry>| entry.as_ref().map_or(0, entry_bytes);
    // The value after the step is kept twice: in the instance, and as a change.
    let changes = seen.changes.iter().map(|one| entry(&one.before) + 2 * entry(&one.after));
    let words = match &seen.event {
        Event::Call { call, reply, .. } | Event::Execute { call, reply, .. } => {
            Some((call, reply.as_ref()))
        }
        Event::Send { call, .. } | Event::Unheard { call, .. } => Some((call, None)),
        Event::Reply { call, reply, .. } => Some((call, Some(reply))),
        _ => None,
    };
    let words = words.map_or(0, |(call, reply)| {
        let argv: usize = call.argv().iter().map(|word| word.len()).sum();
        argv as u64 + reply.map_or(0, Value::bytes)
    });
    let sent = seen.heard.iter().map(|(_, value)| value.bytes());
    let late = seen.late.iter().map(|(.., value)| value.bytes());
    let program = |ran: &Ran| {
        let live = world.client(ran.client).map_or(0, |client| client.vm().live_bytes());
        (live as u64).saturating_sub(PROGRAM)
    };
    let programs = seen.ran.iter().map(program);
    changes.sum::<u64>() + words + sent.chain(late).chain(programs).sum::<u64>()
}

fn entry_bytes(entry: &Entry) -> u64 {
    const ITEM: usize = 32;
    let bytes = match &entry.value {
        // The world keeps all of it.
        EntryValue::Str(bytes) => bytes.len() + entry.rest.map_or(0, |rest| rest.bytes),
        // The members themselves are shared, and those beyond the first are not kept.
        EntryValue::List(items) | EntryValue::Set(items) => items.len() * ITEM,
        EntryValue::Hash(pairs) => pairs.len() * 2 * ITEM,
        EntryValue::ZSet(members) => members.len() * ITEM,
        EntryValue::Stream(entries) => entries.len() * 3 * ITEM,
    };
    (ITEM + bytes) as u64
}

/// Frames 0 to the end. Cheap to clone.
pub type Run = Rc<Vec<Rc<Frame>>>;

/// Returns the number of frames that two runs have in common at their beginning. A frame belongs to
/// one predecessor, so runs that share a frame share all before it.
pub fn shared_frames(ours: &[Rc<Frame>], theirs: &[Rc<Frame>]) -> usize {
    let (mut from, mut to) = (0, ours.len().min(theirs.len()));
    while from < to {
        let middle = from + (to - from) / 2;
        match Rc::ptr_eq(&ours[middle], &theirs[middle]) {
            true => from = middle + 1,
            false => to = middle,
        }
    }
    from
}

/// A run that was left by choosing differently: all its frames. The first ones are shared with the
/// other run (the same allocations).
#[derive(Debug, Clone)]
pub struct Branch {
    /// The run's number in its timeline, from 1.
    pub id: u32,
    /// The learner's name for it; empty if it has none.
    pub name: String,
    pub frames: Run,
}

impl Branch {
    /// Returns the number of steps it has in common with the run in `frames`.
    pub fn shared_steps(&self, frames: &[Rc<Frame>]) -> usize {
        shared_frames(&self.frames, frames).saturating_sub(1)
    }

    /// Returns the branch as text, `A1.B1.A2.B2`.
    pub fn schedule(&self) -> String {
        written(&self.frames)
    }
}

/// A run, a position in it, and the runs left on the way.
#[derive(Debug, Clone)]
pub struct Timeline {
    scenario: Rc<Scenario>,
    frames: Run,
    cursor: usize,
    branches: Vec<Branch>,
    /// The id and name of the run shown, as in [`Branch`].
    id: u32,
    name: String,
    last_id: u32,
}

impl Timeline {
    /// Starts with frame 0 of the scenario; the error is [`World::start`]'s.
    pub fn start(scenario: Rc<Scenario>) -> Result<Timeline, StartError> {
        let (world, seen) = World::start(&scenario)?;
        let first = Rc::new(Frame::new(&scenario, (None, None), world, seen, None));
        let (frames, branches, name) = (Rc::new(vec![first]), Vec::new(), String::new());
        Ok(Timeline { scenario, frames, cursor: 0, branches, id: 1, name, last_id: 1 })
    }

    /// Starts with frame 0 of another scenario; the numbers of this one's runs stay free.
    pub fn restart(&self, scenario: Rc<Scenario>) -> Result<Timeline, StartError> {
        Ok(Timeline { last_id: self.last_id, ..Timeline::start(scenario)? })
    }

    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Returns frames 0 to the end of the run, including those after the cursor.
    pub fn frames(&self) -> &[Rc<Frame>] {
        &self.frames
    }

    /// The same, as a shared pointer.
    pub fn run(&self) -> &Run {
        &self.frames
    }

    /// Returns what the last command of a client up to frame `at` lacked, if it was refused.
    pub fn lacking(&self, client: ClientId, at: usize) -> Option<Lacking> {
        let mut back = self.frames.iter().take(at + 1).rev();
        let (frame, call, reply) = back.find_map(|frame| {
            let (by, call, reply) = frame.seen.event.executed()?;
            (by == client).then_some((frame, call, reply?))
        })?;
        reply.is_error().then(|| frame.world.lacking(call)).flatten()
    }

    /// Returns the frame shown.
    pub fn frame(&self) -> &Frame {
        &self.frames[self.cursor]
    }

    pub fn world(&self) -> &World {
        &self.frame().world
    }

    /// Returns the index of the frame shown, which is also the number of steps done.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Returns the number of steps of the whole run.
    pub fn len(&self) -> usize {
        self.frames.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.frames.len() == 1
    }

    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Returns the number of the run shown, as in [`Branch::id`].
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns the learner's name for the run shown; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names the run with this number.
    pub fn set_name(&mut self, id: u32, name: &str) {
        let name: String = name.chars().take(NAME_MAX).collect();
        match self.branches.iter_mut().find(|branch| branch.id == id) {
            Some(branch) => branch.name = name,
            None if self.id == id => self.name = name,
            None => {}
        }
    }

    /// Forgets a kept run.
    pub fn remove_branch(&mut self, id: u32) {
        self.branches.retain(|branch| branch.id != id);
    }

    /// Shows frame `step`, or the last one if there are fewer.
    pub fn seek(&mut self, step: usize) {
        self.cursor = step.min(self.len());
    }

    pub fn back(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    pub fn forward(&mut self) {
        self.seek(self.cursor + 1);
    }

    /// Applies `action` at the cursor. If the run already continues with it, only the cursor moves;
    /// otherwise the old future is kept as a branch. At [`MAX_STEPS`] nothing happens.
    pub fn step(&mut self, action: Action) -> Result<(), Impossible> {
        self.go(action, None)
    }

    /// The same for a line typed at a console.
    pub fn type_line(&mut self, typed: &Typed) -> Result<(), Impossible> {
        self.go(Action::Step(typed.console), Some(typed))
    }

    fn go(&mut self, action: Action, typed: Option<&Typed>) -> Result<(), Impossible> {
        let is_it = |frame: &Rc<Frame>| {
            let token = frame.token.is_some_and(|token| token.action == action);
            token && frame.typed.as_ref() == typed
        };
        if self.frames.get(self.cursor + 1).is_some_and(is_it) {
            self.cursor += 1;
            return Ok(());
        }
        if self.is_full() {
            return Ok(());
        }
        let next = match typed.map_or_else(|| self.known(action), |_| None) {
            Some(next) => {
                debug_assert!(self.leads_to(action, &next), "a kept run went elsewhere from here");
                next
            }
            None => {
                let mut world = self.world().clone();
                let seen = match typed {
                    Some(typed) => world.type_line(typed)?,
                    None => world.apply(action)?,
                };
                debug_assert!(typed.is_some() || self.lists(action), "{action:?} was not enabled");
                let step = (Some(self.token_for(action)), typed.cloned());
                let before = Some((self.cursor, self.frame()));
                Rc::new(Frame::new(&self.scenario, step, world, seen, before))
            }
        };
        self.keep_future();
        Rc::make_mut(&mut self.frames).push(next);
        self.cursor += 1;
        Ok(())
    }

    /// Returns the frame that `action` leads to, if a kept run has been there.
    fn known(&self, action: Action) -> Option<Rc<Frame>> {
        let here = &self.frames[self.cursor];
        let mut next = self.branches.iter().filter_map(|branch| {
            let same = Rc::ptr_eq(branch.frames.get(self.cursor)?, here);
            branch.frames.get(self.cursor + 1).filter(|_| same)
        });
        next.find(|frame| frame.token.is_some_and(|token| token.action == action)).cloned()
    }

    /// Returns true if a frame is the one after `action` at the cursor, for a check.
    fn leads_to(&self, action: Action, frame: &Frame) -> bool {
        let mut world = self.world().clone();
        world.apply_unseen(action).is_ok() && fingerprint(&world) == frame.fingerprint
    }

    /// Returns true if `action` is enabled at the cursor, for a check. Draws by the seed, parts of
    /// a wait, and that a console hangs up are possible too.
    fn lists(&self, action: Action) -> bool {
        use Action::{Disconnect, Execute, Step, Tick};
        let is_unlisted = matches!(action, Step(_) | Execute(_) | Tick(_) | Disconnect(_));
        is_unlisted || self.world().enabled().contains(&action)
    }

    /// Returns true if the bound on steps or bytes forbids another step at the cursor.
    pub fn is_full(&self) -> bool {
        self.cursor >= MAX_STEPS || self.holds_too_much()
    }

    /// Returns true if the run up to the cursor and the former runs have reached the bound on
    /// bytes.
    pub fn holds_too_much(&self) -> bool {
        let left = self.branches.iter().map(|branch| {
            let shared = &branch.frames[branch.shared_steps(&self.frames)];
            branch.frames.last().map_or(0, |last| last.held - shared.held)
        });
        let here = self.frame().held;
        here >= RUN_BYTES_MAX || here + left.sum::<u64>() >= 2 * RUN_BYTES_MAX
    }

    fn keep_future(&mut self) {
        if self.cursor == self.len() {
            return;
        }
        if self.branches.len() == BRANCHES_MAX {
            self.branches.remove(0);
        }
        self.last_id += 1;
        let id = std::mem::replace(&mut self.id, self.last_id);
        let name = std::mem::take(&mut self.name);
        self.branches.push(Branch { id, name, frames: self.frames.clone() });
        self.frames = Rc::new(self.frames[..=self.cursor].to_vec());
        let is_own = |branch: &Branch| branch.id != self.id;
        debug_assert!(self.branches.iter().all(is_own), "two runs have the number {}", self.id);
    }

    /// Gives the run shown a number that is free, as in [`Timeline::restart`], and a name. What
    /// follows the cursor is kept before. Goes to the start.
    pub fn keep_as(&mut self, id: u32, name: &str) {
        self.keep_future();
        self.id = id;
        self.set_name(id, name);
        self.cursor = 0;
    }

    /// Forgets the steps after `last`, and all former runs.
    pub fn cut(&mut self, last: usize) {
        self.seek(last);
        self.frames = Rc::new(self.frames[..=self.cursor].to_vec());
        self.branches.clear();
    }

    /// Starts over; the run is kept as a branch.
    pub fn reset(&mut self) {
        self.cursor = 0;
        self.keep_future();
    }

    /// Makes branch `number` the run again, and keeps the present run in its place. The cursor goes
    /// to the last common step, so that the learner sees where they part.
    pub fn take_branch(&mut self, number: usize) {
        let Some(branch) = self.branches.get_mut(number) else { return };
        self.cursor = branch.shared_steps(&self.frames);
        std::mem::swap(&mut self.frames, &mut branch.frames);
        std::mem::swap(&mut self.id, &mut branch.id);
        std::mem::swap(&mut self.name, &mut branch.name);
        debug_assert!(self.cursor <= self.len(), "the runs part after the end of one");
    }

    /// Returns the token of `action` if it were the next step.
    pub fn token_for(&self, action: Action) -> Token {
        let frames = || self.frames[1..=self.cursor].iter();
        let before = || frames().filter_map(|frame| frame.token);
        // The calls of a client are counted, however they are made.
        let calls = |id: ClientId| {
            let calls = [Action::Step(id), Action::Send(id), Action::LoseReply(id)];
            let wire = self.scenario.wire;
            let draws = |one: Action| matches!(one, Action::Draw(of, _) if of == id && !wire);
            // One that was under way is counted already.
            let is_call = |frame: &&Rc<Frame>| {
                let action = frame.token.map(|token| token.action);
                let begins = || matches!(frame.seen.event, Event::Call { .. });
                // In wire mode, a command that is lost was sent before.
                let lost = || match &frame.seen.event {
                    Event::Unheard { call, .. } => !wire || call.argv().is_empty(),
                    _ => false,
                };
                action.is_some_and(|one| calls.contains(&one) || draws(one))
                    || action == Some(Action::Cancel(id)) && begins()
                    || action == Some(Action::LoseRequest(id)) && lost()
            };
            frames().filter(is_call).count() as u32
        };
        let on_its_way = |id: ClientId| {
            let client = self.world().client(id);
            client.is_some_and(|client| client.ready().is_none())
        };
        let ordinal = match action {
            Action::Advance => before().filter(|token| token.action == action).count() as u32 + 1,
            Action::Execute(id) | Action::Reply(id) => calls(id),
            Action::Draw(id, _) if on_its_way(id) => calls(id),
            // In wire mode, of a call that was sent already.
            Action::LoseReply(id) | Action::LoseRequest(id) | Action::Cancel(id)
                if on_its_way(id) =>
            {
                calls(id)
            }
            Action::Step(id)
            | Action::Draw(id, _)
            | Action::Send(id)
            | Action::LoseReply(id)
            | Action::LoseRequest(id)
            | Action::Cancel(id) => calls(id) + 1,
            _ => return Token { action, ordinal: None },
        };
        // A typed line is its own name.
        let ordinal = Some(ordinal).filter(|_| !action.client().is_some_and(ClientId::is_console));
        Token { action, ordinal }
    }

    /// Returns the whole run as text, `A1.B1.A2.B2`.
    pub fn schedule(&self) -> String {
        written(&self.frames)
    }

    /// Returns the step at which property `index` was decided, up to the cursor.
    pub fn decided(&self, index: usize) -> Option<usize> {
        self.frame().decided.get(index).copied().flatten()
    }

    /// Returns a number for the whole run, made of the fingerprints of its worlds in order. It is
    /// equal on every target for the same schedule.
    pub fn digest(&self) -> u64 {
        let worlds: Vec<u64> = self.frames.iter().map(|frame| frame.fingerprint).collect();
        fingerprint(&worlds)
    }
}

fn written(frames: &[Rc<Frame>]) -> String {
    let tokens = frames.iter().filter_map(|frame| {
        let setting = frame.world.setting();
        Some(match &frame.typed {
            Some(typed) => typed.write(setting),
            None => schedule::write(frame.token?, setting),
        })
    });
    let tokens: Vec<String> = tokens.collect();
    debug_assert_eq!(tokens.len() + 1, frames.len(), "each frame but the first has its step");
    tokens.join(".")
}
