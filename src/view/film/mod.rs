//! The film of a step: what moves between two frames, as plain data.
//!
//! A film is a list of movements; each says what moves, how, from where to where, and from when to
//! when, in milliseconds at speed 1. It names [`Place`]s and knows no pixels: the page
//! (`ui::player`) finds the places and plays the film. What a film does not mention stands as in
//! the frame after, in which everything is drawn before the film begins.
//!
//! [`between`] makes it. The kind of the event decides who films it first:
//! - [`call`] is a command on its way, [`run`] what happens in the slot (with [`script`] and
//!   [`transaction`]), [`wire`] the three parts of that way;
//! - [`beside`] is what does not go to Redis, [`woken`] who goes on by another client's step;
//! - [`time`], [`faults`] and [`servers`] are steps that no client makes.
//!
//! Then [`follow`] looks at everything that differs between the frames and was not mentioned, and
//! marks it; and adds what follows from any step. So a step always has a film, and a new kind of
//! event has a plain one before it has its own. To add a kind, film it in [`events`] and leave the
//! rest to `follow`.

mod beside;
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

pub use picture::pictures;
pub use place::{Place, RowPart};

use std::rc::Rc;

use crate::sim::{Action, ClientId, Event, Frame, Kind, Timeline};
use crate::view::spans::{Finder, Span};

use reel::Reel;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Film {
    pub ms: u32,
    pub moves: Vec<Move>,
}

/// One movement. Those of one token follow each other: each begins where the last one ended.
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
    /// What a token says, or what stood there before.
    pub text: String,
    /// Whose colour it has.
    pub client: Option<ClientId>,
    /// The token with which a line is drawn.
    pub with: Option<Place>,
    /// How much of a lease is left, in thousandths, before and after.
    pub left: Option<(u16, u16)>,
}

impl Move {
    /// Of which nothing is said but what, how and when. It does not end before it begins.
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

/// How something moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    // Tokens.
    /// Comes into being at `from`.
    Lift,
    /// Travels from `from` along `via` to `to`.
    Fly,
    /// Goes into the slot and unfolds there.
    Enter,
    /// Is laid down at `to`.
    Rest,
    /// Becomes what stands at `to`.
    Land,
    /// Fades on its way.
    Lose,
    /// Is turned away.
    Bounce,
    /// Goes out at `from`.
    Gone,
    // What is drawn.
    /// A line grows as the token `with` passes.
    Draw,
    /// Lights up, and goes out.
    Light,
    /// Is taken, until the command has left.
    Busy,
    /// The old value turns into the new one.
    Roll,
    /// Comes into being.
    Appear,
    /// Falls off.
    Fall,
    /// Refuses.
    Shake,
    /// Is there from now on.
    Show,
    /// Is there no longer.
    Leave,
    /// The old look fades into the new one.
    Swap,
    /// Comes from `from`.
    Arrive,
    /// Goes from where it stood to where it stands.
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

/// What a film must know beside its two frames.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// What lasts, in the whole run.
    pub spans: &'a [Span],
    /// The run up to the frame after.
    pub frames: &'a [Rc<Frame>],
    /// Of the scenario's properties.
    pub kinds: &'a [Kind],
}

/// The film that leads to frame `step`; there is none to the first frame, nor beyond the last.
pub fn film(timeline: &Timeline, step: usize) -> Option<Film> {
    let mut finder = Finder::default();
    finder.follow(timeline);
    film_with(timeline, step, finder.spans())
}

/// The same for who has followed the run already.
pub fn film_with(timeline: &Timeline, step: usize, spans: &[Span]) -> Option<Film> {
    let frames = timeline.frames().get(..=step)?;
    let [.., before, after] = frames else { return None };
    let kinds: Vec<Kind> = timeline.scenario().properties.iter().map(|one| one.kind).collect();
    Some(between(before, after, step, &Around { spans, frames, kinds: &kinds }))
}

/// The film from one frame to the next, which is the frame of this step.
pub fn between(before: &Frame, after: &Frame, step: usize, around: &Around<'_>) -> Film {
    let mut reel = Reel::new(before, after, step, around);
    events(&mut reel, &after.seen.event);
    follow::rest(&mut reel);
    follow::page(&mut reel);
    reel.film()
}

/// Each event's own movements.
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
        Event::Advance { from_ms, to_ms } => time::advance(reel, *from_ms, *to_ms),
        Event::Other(action) => match *action {
            Action::Pause(_) | Action::PauseProcess(_) => faults::pause(reel),
            Action::Resume(_) | Action::ResumeProcess(_) => faults::resume(reel),
            Action::Crash(_) | Action::CrashProcess(_) => faults::crash(reel),
            Action::JumpClient(id) => faults::jump(reel, id),
            Action::LoseReply(id) => faults::lose_reply(reel, id),
            Action::Disconnect(id) => faults::disconnect(reel, id),
            Action::Down(id) => servers::down(reel, id),
            Action::Up(id) => servers::up(reel, id),
            Action::Restart(id) => servers::restart(reel, id),
            Action::JumpNode(id) => servers::jump(reel, id),
            Action::Replicate(id) => servers::replicate(reel, id),
            Action::Failover(id) => servers::failover(reel, id),
            // These have events of their own; where one could not happen, nothing moved.
            Action::Step(_)
            | Action::Draw(..)
            | Action::Send(_)
            | Action::Execute(_)
            | Action::Reply(_)
            | Action::Advance
            | Action::Tick(_) => reel.plain(),
        },
    }
}
