//! A lesson's race as a picture for its card.
//!
//! If two clients have so few orders that each can be a line, it is the lattice of all orders, as
//! in the map: A's steps to the right and B's downwards, red from the step from which every order
//! breaks, green from the one from which none does. Else it is the first story that breaks
//! something, as dots on the lanes of its clients, time to the right: a filled dot is a step that
//! wrote, a hollow one a step that did not; a diamond is a fault, a dashed line is time that
//! passes, and the step that breaks something is red.
//!
//! The colours are the page's CSS variables: `check compile` writes all pictures into one file,
//! from which the front page shows each by its lesson's name. Absent: words; the card has them. To
//! add a kind of mark, edit `mark`.

use std::fmt::Write;
use std::rc::Rc;

use crate::checker::map::{Kind, LATTICE_MAX};
use crate::lesson::Lesson;
use crate::sim::{Action, AskMap, Frame};
use crate::text::Lang;

use crate::jobs::map::{Atlas, room};
use crate::session::Session;
use crate::session::link::Link;
use crate::view::map::{self, Look, Shape};
use crate::view::stage::strip::first_broken;

/// The size of a picture, in px.
pub const WIDTH: f64 = 120.0;
pub const HEIGHT: f64 = 76.0;
/// The distance from an edge to the first mark, and to the last one.
const MARGIN: f64 = 10.0;
/// The radius of a dot, if there is room.
const DOT: f64 = 4.5;
/// The states of the search between two looks at how many they are.
const SLICE: u32 = 500;
/// If there are more orders, those that differ only by exchanging the clients share a line.
const LINES_MAX: usize = 8;
/// The largest distance between marks.
const STEP_MAX: f64 = 22.0;

/// Returns all pictures as one file, each a symbol named after its lesson.
pub fn file<'l>(lessons: impl Iterator<Item = &'l Lesson>) -> Result<String, String> {
    let mut out = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n".to_owned();
    for lesson in lessons.filter(|lesson| !lesson.walks.is_empty()) {
        let said = |why| format!("{}: {why}", lesson.id);
        let lesson = Rc::new(lesson.clone());
        let shapes = match lattice(&lesson).map_err(said)? {
            Some(shapes) => shapes,
            None => race(&lesson).map_err(said)?,
        };
        let _ = writeln!(
            out,
            "<symbol id=\"{}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">{shapes}</symbol>",
            lesson.id
        );
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// Returns the shapes of all orders of the variant that comes first, if each can be a line. The
/// error says why a lesson cannot run.
fn lattice(lesson: &Lesson) -> Result<Option<String>, String> {
    let scenario = Rc::new(lesson.scenario(0)?);
    if scenario.clients.len() != 2 {
        return Ok(None);
    }
    let mut asked = AskMap::new(&scenario).map_err(|why| why.to_string())?;
    loop {
        match asked.advance(SLICE) {
            Ok(true) => break,
            Ok(false) if asked.met() <= LATTICE_MAX as u64 => {}
            _ => return Ok(None),
        }
    }
    if let Some(mistake) = asked.mistake() {
        return Err(mistake);
    }
    let atlas = Atlas::new(asked.finish(), room(WIDTH));
    let sheet = atlas.sheet();
    if sheet.view.kind != Kind::Lattice || sheet.view.paths.is_empty() {
        return Ok(None);
    }
    let fold = sheet.view.paths.len() > LINES_MAX;
    let drawing = map::draw(sheet, &Look { fold, ..Look::new(WIDTH, HEIGHT, Lang::En) });
    Ok(Some(drawing.shapes.iter().filter_map(line).collect()))
}

/// Returns a line of the lattice with its colours in it; `None` for the rest, which has words.
fn line(shape: &Shape) -> Option<String> {
    let class = shape.class.as_str();
    let (colour, width) = match class.strip_prefix("way w-") {
        Some("open") => ("var(--muted)", 1.5),
        Some("bad") => ("var(--bad)", 1.5),
        Some("ok") => ("var(--ok)", 1.5),
        _ if class == "grid" => ("var(--line)", 1.0),
        _ => return None,
    };
    let path = shape.path()?;
    Some(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"))
}

/// Returns the shapes of the story that breaks something, or else of the first one. The error says
/// why a lesson cannot run.
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
    use crate::view::stage::tests::lesson;

    #[test]
    fn the_lost_update_has_six_orders_of_which_four_end_wrong() {
        let shapes = lattice(&lesson("lost-update")).expect("it runs").expect("few orders");
        let count = |what: &str| shapes.matches(what).count();
        assert_eq!((count("var(--bad)"), count("var(--ok)"), count("var(--line)")), (4, 2, 1));
    }

    #[test]
    fn more_clients_or_more_orders_have_no_lattice() {
        for id in ["semaphore", "watchdog"] {
            assert_eq!(lattice(&lesson(id)), Ok(None), "{id}");
        }
    }

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
