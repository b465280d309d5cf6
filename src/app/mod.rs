//! The page without a browser: its state, its reaction to input, and the data that is drawn.
//!
//! Contract: nothing here knows the document, the storage or timers; all of it is tested natively.
//! [`shell`] is the state of the whole page: it takes [`event`]s and leaves [`effect`]s, which
//! `ui::runtime` carries out. [`host`] is the browser's synchronous functions. [`input`] lists
//! every input, and [`keys`] maps keys to inputs. [`route`] says which page an address leads to,
//! [`banner`] is the messages above the page, [`done`] the work done on the lessons, and
//! [`carried`] the same as a file. [`run`] is the run that is stepped, and [`stage`] the data its
//! stage shows. [`search`] and [`crowd`] ask the workers and hold their results, [`console`] has
//! what a typed line does; [`lesson`] binds these states to that of the lesson that is open.
//! Absent: anything that is drawn, and all sizes.

pub mod banner;
pub mod carried;
pub mod console;
pub mod crowd;
pub mod done;
pub mod effect;
pub mod event;
pub mod host;
pub mod input;
pub mod keys;
pub mod lesson;
pub mod path;
pub mod route;
pub mod run;
pub mod search;
pub mod shell;
pub mod stage;
