//! The page without a browser: what it knows, what a press does to it, and what is to be drawn.
//!
//! Contract: nothing here knows of the document, of storage, of timers; all of it is tested
//! natively. [`shell`] is the state of the whole page: it takes [`event`]s and leaves [`effect`]s,
//! which `ui::runtime` carries out. [`host`] is what can be asked of the browser at once.
//! [`input`] is everything that can be pressed, [`keys`] what a key presses. [`route`] is
//! where an address leads, [`banner`] what is said above the page, [`done`] the work done on the
//! lessons. [`run`] is the run that is stepped, and [`stage`] what its stage shows, as plain data.
//! [`search`] and [`crowd`] know what the workers find.
//! Absent: anything that is drawn, and all sizes.

pub mod banner;
pub mod crowd;
pub mod done;
pub mod effect;
pub mod event;
pub mod host;
pub mod input;
pub mod keys;
pub mod path;
pub mod route;
pub mod run;
pub mod search;
pub mod shell;
pub mod stage;
