//! Other hosts' ways of being told a frame's height: LTI's `lti.frameResize`, and the handshake of
//! H5P's resizer. Both are asked for with `compat=`, and carry nothing of the learner's.

use crate::json::{Json, parse};

fn object(fields: &[(&str, Json)]) -> Json {
    Json::Object(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

pub fn lti_resize(height: u32) -> Json {
    object(&[("subject", text("lti.frameResize")), ("height", Json::Number(height.into()))])
}

fn h5p(action: &str, fields: &[(&str, Json)]) -> Json {
    let head = [("context", text("h5p")), ("action", text(action))];
    object(&[&head, fields].concat())
}

/// Asks whether there is a resizer.
pub fn h5p_hello() -> Json {
    h5p("hello", &[])
}

pub fn h5p_resize(height: u32) -> Json {
    // Older resizers read one of the two, newer ones the other.
    let height = Json::Number(height.into());
    h5p("resize", &[("scrollHeight", height.clone()), ("height", height)])
}

/// What a resizer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum H5p {
    /// It has just come: it waits for a greeting.
    Ready,
    /// It greets back, or its window has another size.
    Greets,
}

pub fn h5p_heard(message: &str) -> Option<H5p> {
    let mut json = parse(message).ok()?;
    let context: String = json.field("context").ok()?;
    let action: String = json.field("action").ok()?;
    match (context.as_str(), action.as_str()) {
        ("h5p", "ready") => Some(H5p::Ready),
        ("h5p", "hello" | "resize") => Some(H5p::Greets),
        _ => None,
    }
}
