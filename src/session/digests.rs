//! The stories of a lesson as numbers: a fingerprint for each frame. Two builds that print the same
//! lines take the same steps; `check digests` prints them natively, and a browser test compares
//! them with those of the wasm.

use std::rc::Rc;

use super::link::Link;
use super::{Msg, Session};
use crate::lesson::Lesson;

/// Returns a line for each story: lesson, variant, story, schedule (`-` for none), the fingerprint
/// of the whole run, and those of its frames, with spaces between them. The error says why a lesson
/// cannot run.
pub fn digests(lesson: &Rc<Lesson>) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for walk in &lesson.walks {
        let link = Link { walk: Some(walk.id.clone()), ..Link::default() };
        let (mut session, _) = Session::open(lesson.clone(), &link)?;
        let variant = &lesson.variants[walk.variant].id;
        let schedule = if walk.schedule.is_empty() { "-" } else { walk.schedule.as_str() };
        let digest = session.timeline().digest();
        let mut line = format!("{} {variant} {} {schedule} {digest:016x}", lesson.id, walk.id);
        for step in 0..=session.timeline().len() {
            session.update(Msg::Seek(step));
            line.push_str(&format!(" {:016x}", session.timeline().frame().fingerprint));
        }
        lines.push(line);
    }
    Ok(lines)
}
