//! A run on a real Redis: the WebSockets to the proxy, the dialog that asks for them, and the panel
//! that shows what came of each step. What is sent and compared is [`crate::real`]'s.

pub mod dialog;
pub mod panel;
pub mod wires;
