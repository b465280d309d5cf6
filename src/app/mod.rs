//! The page without a browser: what it knows, what a press does to it, and what is to be drawn.
//!
//! Contract: nothing here knows of the document, of storage, of timers; all of it is tested
//! natively. [`input`] is everything that can be pressed, [`keys`] what a key presses. [`route`] is
//! where an address leads, [`banner`] what is said above the page. [`run`] is the run that is
//! stepped, and [`stage`] what its stage shows, as plain data.
//! [`search`] and [`crowd`] know what the workers find, and leave what they are to be asked as
//! [`effect`]s.
//! Absent so far: exercises and the playground, whose state `ui::app` still has.

pub mod banner;
pub mod crowd;
pub mod effect;
pub mod input;
pub mod keys;
pub mod path;
pub mod route;
pub mod run;
pub mod search;
pub mod stage;
