//! A lesson's race as a picture for its card: the first story that breaks something, as dots on the
//! lanes of its clients, time to the right.
//!
//! A filled dot is a step that wrote, a hollow one a step that did not; a diamond is a fault, a
//! dashed line is time that passes, and the step that breaks something is red. The colours are the
//! page's CSS variables: `check compile` writes all pictures into one file, from which the front
//! page shows each by its lesson's name. Absent: words; the card has them. To add a kind of mark,
//! edit [`mark`].

use std::fmt::Write;
use std::rc::Rc;

use crate::lesson::Lesson;
use crate::sim::{Action, Frame};

use super::link::Link;
use super::session::Session;
use super::strip::first_broken;

/// The size of a picture, in px.
pub const WIDTH: f64 = 120.0;
pub const HEIGHT: f64 = 76.0;
/// The distance from an edge to the first mark, and to the last one.
const MARGIN: f64 = 10.0;
/// The radius of a dot, if there is room.
const DOT: f64 = 4.5;
/// The largest distance between marks.
const STEP_MAX: f64 = 22.0;

/// Returns all pictures as one file, each a symbol named after its lesson.
pub fn file<'l>(lessons: impl Iterator<Item = &'l Lesson>) -> Result<String, String> {
    let mut out = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n".to_owned();
    for lesson in lessons.filter(|lesson| !lesson.walks.is_empty()) {
        let said = |why| format!("{}: {why}", lesson.id);
        let shapes = race(&Rc::new(lesson.clone())).map_err(said)?;
        let _ = writeln!(
            out,
            "<symbol id=\"{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">{shapes}</symbol>",
            lesson.id
        );
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// Returns the shapes of one picture. The error says why a lesson cannot run.
fn race(lesson: &Rc<Lesson>) -> Result<String, String> {
    let mut shown = None;
    for walk in &lesson.walks {
        let link = Link { walk: Some(walk.id.clone()), ..Link::default() };
        let (session, _) = Session::open(lesson.clone(), &link)?;
        let broken = first_broken(session.timeline(), session.timeline().frames());
        let breaks = broken.iter().any(|step| *step > 0);
        if breaks || shown.is_none() {
            shown = Some((session, broken));
        }
        if breaks {
            break;
        }
    }
    let Some((session, broken)) = shown else { return Ok(String::new()) };
    let frames = session.timeline().frames();
    let clients = frames[0].world.clients().len();
    Ok(drawn(frames, clients, broken.iter().copied().filter(|step| *step > 0).min()))
}

fn drawn(frames: &[Rc<Frame>], clients: usize, broken: Option<usize>) -> String {
    // What comes after the break has no place in it.
    let steps = broken.unwrap_or(frames.len() - 1);
    let apart = ((WIDTH - 2.0 * MARGIN) / (steps.max(2) - 1) as f64).min(STEP_MAX);
    let radius = DOT.min(apart * 0.42).max(1.2);
    let first = (WIDTH - apart * (steps.max(1) - 1) as f64) / 2.0;
    let x = |step: usize| first + apart * (step - 1) as f64;
    let lane = |at: usize| HEIGHT * (at as f64 + 1.0) / (clients as f64 + 1.0);
    let mut out = String::new();
    for at in 0..clients {
        let _ = write!(
            out,
            "<path d=\"M4 {0:.1}H{1}\" stroke=\"var(--k{at})\" stroke-width=\"1.5\" \
             stroke-opacity=\".35\"/>",
            lane(at),
            WIDTH - 4.0
        );
    }
    for (step, frame) in frames.iter().enumerate().take(steps + 1).skip(1) {
        let at = frame.token.and_then(|token| token.action.client());
        let (x, y) = (x(step), at.map(|at| lane(at.index())));
        let is_break = broken == Some(step);
        let colour = match at {
            _ if is_break => "var(--bad)".to_owned(),
            Some(at) => format!("var(--k{})", at.index()),
            None => "var(--muted)".to_owned(),
        };
        let radius = if is_break { radius + 1.0 } else { radius };
        mark(&mut out, frame, is_break, (x, y, radius), &colour);
    }
    out
}

/// Draws the mark of a step. `y` is `None` if no client made it.
fn mark(
    out: &mut String,
    frame: &Frame,
    is_filled: bool,
    (x, y, r): (f64, Option<f64>, f64),
    colour: &str,
) {
    let action = frame.token.map(|token| token.action);
    let _ = match (action, y) {
        (Some(Action::Advance), _) => write!(
            out,
            "<path d=\"M{x:.1} 6V{:.1}\" stroke=\"{colour}\" stroke-dasharray=\"2 3\"/>",
            HEIGHT - 6.0
        ),
        (Some(Action::Step(_) | Action::Draw(..) | Action::Execute(_)), Some(y)) => {
            let fill = if is_filled || frame.seen.wrote { colour } else { "var(--panel)" };
            write!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{fill}\" \
                 stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            )
        }
        // On the wire: its going out, and its reply.
        (Some(Action::Send(_) | Action::Reply(_)), Some(y)) => {
            write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.5\" fill=\"{colour}\"/>")
        }
        _ => {
            let (y, r) = (y.unwrap_or(HEIGHT / 2.0), r + 0.5);
            write!(
                out,
                "<path d=\"M{:.1} {y:.1}l{r:.1} -{r:.1}l{r:.1} {r:.1}l-{r:.1} {r:.1}z\" \
                 fill=\"{colour}\"/>",
                x - r
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::lesson;

    #[test]
    fn the_lost_update_is_two_reads_and_two_writes() {
        let lesson = lesson("lost-update");
        let shapes = race(&lesson).expect("it runs");
        let count = |what: &str| shapes.matches(what).count();
        assert_eq!(count("<path"), 2, "a lane for each client");
        assert_eq!(count("fill=\"var(--panel)\""), 2, "both have read");
        assert_eq!(count("fill=\"var(--k"), 1, "one has written");
        assert!(
            shapes.contains("fill=\"var(--bad)\" stroke=\"var(--bad)\""),
            "the other breaks it"
        );
    }
}
