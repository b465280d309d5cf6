//! The film of a step: what moves between two frames, as plain data.
//!
//! A film is a list of movements; each says what moves, how, from where to where, and from when to
//! when, in milliseconds at speed 1. It names [`Place`]s and knows no pixels: the page
//! (`ui::player`) finds the places and plays the film. What a film does not mention stands as in
//! the frame after, in which everything is drawn before the film begins.

mod place;

pub use place::{Place, RowPart};

use crate::sim::ClientId;

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
    /// A row of the time grows downwards.
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
