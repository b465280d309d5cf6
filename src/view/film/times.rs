//! The durations of movements, in ms at speed 1. A step of a client is leave, travel, enter, run,
//! reply, go: about a second.

/// The line lights up and the command lifts off.
pub const LEAVE: u32 = 80;
/// A command travels from the line of code to the instance.
pub const TRAVEL: u32 = 280;
/// A command enters the slot.
pub const ENTER: u32 = 60;
/// A command runs.
pub const RUN: u32 = 160;
/// A reply travels from the slot back to the line of code.
pub const REPLY: u32 = 280;
/// The marker goes on to the next call.
pub const GO: u32 = 100;
/// Something comes into being, or goes out.
pub const FADE: u32 = 20;

/// A command inside of a script.
pub const INNER: u32 = 240;
/// The folder of a script opens, and shuts.
pub const FOLDER: u32 = 80;
/// A script of very many commands.
pub const SLOW: u32 = 900;
/// A command of a transaction's burst: long enough to be read.
pub const BURST: u32 = 360;
/// A queue falls to dust.
pub const DUST: u32 = 440;

/// A refusing place shakes.
pub const SHAKE: u32 = 220;
/// A refused token bounces.
pub const BOUNCE: u32 = 300;
/// A command is laid on the shelf.
pub const REST: u32 = 200;
/// A key falls off.
pub const FALL: u32 = 240;
/// The others in a line move up.
pub const MOVE_UP: u32 = 160;
/// A verdict turns, a line joins two steps.
pub const VERDICT: u32 = 240;
/// The sentence changes.
pub const SAY: u32 = 120;
/// A client or an instance changes its look.
pub const LOOK: u32 = 260;

/// A lane freezes.
pub const FREEZE: u32 = 360;

/// The longest film; a longer one is played faster.
pub const FILM_MAX: u32 = 6000;

/// Returns the duration of passing time.
pub fn passing(ms: u64) -> u32 {
    u32::try_from(ms.saturating_mul(15)).unwrap_or(u32::MAX).saturating_add(500).min(1200)
}
