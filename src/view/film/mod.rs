//! The film of a step: the movements between two frames, as plain data.
//!
//! A film is a list of movements; each says what moves, how, from where to where, and from when to
//! when, in milliseconds at speed 1. It names [`Place`]s and knows no pixels: the page
//! (`ui::player`) finds the places and plays the film. Things that no movement mentions are as in
//! the frame after, which is drawn before the film begins.
//!
//! [`between`] makes it. The kind of the event decides which module films it first:
//! - `call` is a command on its way, `run` its execution in the slot (with `script` and
//!   `transaction`), `wire` the three parts of that way;
//! - `beside` is a call that does not go to Redis, `woken` a client that another's step wakes;
//! - `time`, `faults` and `servers` are steps that no client makes.
//!
//! Then `follow` marks every difference between the frames that was not mentioned, and adds the
//! consequences of any step. So every step has a film, and a new kind of event has a plain one
//! before it has its own. To add a kind, film it in `events` and leave the rest to `follow`.

mod beside;
pub mod board;
mod call;
mod faults;
mod follow;
mod keys;
pub(in crate::view) mod look;
mod picture;
mod place;
mod reel;
mod run;
mod script;
mod servers;
mod time;
mod times;
mod transaction;
mod wire;
mod woken;

#[cfg(test)]
mod tests;

pub use picture::{claims, pictures};
pub use place::{Place, RowPart};

use crate::sim::{Action, ClientId, Event, Frame, Timeline};
use crate::view::stage::spans::{Finder, Span};

use reel::Reel;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Film {
    pub ms: u32,
    pub moves: Vec<Move>,
}

/// One movement. The movements of one token follow each other: each begins where the last one
/// ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    pub what: Place,
    pub how: How,
    pub t0: u32,
    pub t1: u32,
    pub from: Option<Place>,
    pub to: Option<Place>,
    /// Places on the way.
    pub via: Vec<Place>,
    /// The text of a token, or the old text at the place.
    pub text: String,
    /// The client whose colour it has.
    pub client: Option<ClientId>,
    /// The token with which a line is drawn.
    pub with: Option<Place>,
    /// The share of a lease that is left, in thousandths, before and after.
    pub left: Option<(u16, u16)>,
}

impl Move {
    /// A movement with only the thing, the kind and the times. It does not end before it begins.
    pub(super) fn plain(what: Place, how: How, t0: u32, t1: u32) -> Move {
        Move {
            what,
            how,
            t0,
            t1: t1.max(t0),
            from: None,
            to: None,
            via: Vec::new(),
            text: String::new(),
            client: None,
            with: None,
            left: None,
        }
    }
}

/// The kind of a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    // Tokens.
    /// Appears at `from`.
    Lift,
    /// Travels from `from` along `via` to `to`.
    Fly,
    /// Goes into the slot and unfolds there.
    Enter,
    /// Is laid down at `to`.
    Rest,
    /// Turns into the thing at `to`.
    Land,
    /// Fades on its way.
    Lose,
    /// Is refused, and bounces.
    Bounce,
    /// Disappears at `from`.
    Gone,
    // What is drawn.
    /// A line grows as the token `with` passes.
    Draw,
    /// Lights up and goes dark again.
    Light,
    /// Is occupied until the command has left.
    Busy,
    /// The old value turns into the new one.
    Roll,
    /// Appears.
    Appear,
    /// Falls off and is gone.
    Fall,
    /// Shakes because it refuses.
    Shake,
    /// Is visible from now on.
    Show,
    /// Is no longer visible.
    Leave,
    /// The old look fades into the new one.
    Swap,
    /// Comes from `from`.
    Arrive,
    /// Moves from its old place to its new one.
    Shift,
    /// Falls to pieces.
    Dust,
    Break,
    /// A lease runs down from `left.0` to `left.1`.
    Drain,
    /// The row of a step of time grows downwards.
    Grow,
    /// A lane or a band grows from its old length to its new one.
    Extend,
    /// A thread is spun from the connection to the key.
    Spin,
    Redden,
    Flash,
    /// A script's folder opens, fills its bar, shuts.
    Open,
    Fill,
    Shut,
    /// A line is drawn between two steps.
    Join,
    /// A verdict turns over.
    Turn,
}

/// What a film needs besides its two frames.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    pub timeline: &'a Timeline,
    /// The spans of the whole run.
    pub spans: &'a [Span],
}

/// Returns the film that leads to frame `step`; `None` for the first frame and beyond the last.
pub fn film(timeline: &Timeline, step: usize) -> Option<Film> {
    let mut finder = Finder::default();
    finder.follow(timeline);
    film_with(timeline, step, finder.spans())
}

/// The same for a caller that has the run's spans.
pub fn film_with(timeline: &Timeline, step: usize, spans: &[Span]) -> Option<Film> {
    let frames = timeline.frames().get(..=step)?;
    let [.., before, after] = frames else { return None };
    Some(between(before, after, step, &Around { timeline, spans }))
}

/// Returns the film from one frame to the next, which is the frame of this step.
pub fn between(before: &Frame, after: &Frame, step: usize, around: &Around<'_>) -> Film {
    let mut reel = Reel::new(before, after, step, around);
    events(&mut reel, &after.seen.event);
    follow::rest(&mut reel);
    follow::page(&mut reel);
    reel.film()
}

/// Adds each event's own movements.
fn events(reel: &mut Reel<'_>, event: &Event) {
    match event {
        Event::Start => reel.plain(),
        Event::Call { client, call, reply, lost } => {
            call::call(reel, *client, call, reply.as_ref(), *lost);
        }
        Event::Send { client, call } => wire::send(reel, *client, call),
        Event::Execute { client, call, reply } => {
            wire::execute(reel, *client, call, reply.as_ref());
        }
        Event::Reply { client, call, reply } => wire::reply(reel, *client, call, reply),
        Event::Unheard { client, call } => faults::lose_request(reel, *client, call),
        Event::Advance { from_ms, to_ms } => time::advance(reel, *from_ms, *to_ms),
        Event::Other(action) => match *action {
            Action::Pause(_) | Action::PauseProcess(_) => faults::pause(reel),
            Action::Resume(_) | Action::ResumeProcess(_) => faults::resume(reel),
            Action::Crash(_) | Action::CrashProcess(_) => faults::crash(reel),
            Action::JumpClient(id) => faults::jump(reel, id),
            Action::LoseReply(id) => faults::lose_reply(reel, id),
            Action::Cancel(id) => faults::cancel(reel, id),
            Action::Disconnect(id) => faults::disconnect(reel, id),
            Action::Down(id) => servers::down(reel, id),
            Action::Up(id) => servers::up(reel, id),
            Action::Restart(id) | Action::Rewind(id) => servers::restart(reel, id),
            Action::Evict(id, _) => servers::evict(reel, id),
            Action::Arrive(..) => woken::arrive(reel),
            Action::JumpNode(id) => servers::jump(reel, id),
            Action::Replicate(id) => servers::replicate(reel, id),
            Action::Failover(id) => servers::failover(reel, id),
            // These have events of their own; where one could not happen, nothing moved.
            Action::Step(_)
            | Action::Draw(..)
            | Action::Send(_)
            | Action::Execute(_)
            | Action::Reply(_)
            | Action::LoseRequest(_)
            | Action::Advance
            | Action::Tick(_) => reel.plain(),
        },
    }
}
