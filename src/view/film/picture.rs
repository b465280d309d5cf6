//! Films differences that are only visible in the diagrams of two neighbouring frames: race
//! windows, and the earlier step that a broken one collides with.

use std::rc::Rc;

use crate::view::stage::chips::Chip;
use crate::view::stage::diagram::{Band, Diagram};

use super::{Film, How, Move, Place, RowPart, times};

/// Adds the differences between the diagrams before and after it to the film.
pub fn pictures(film: &mut Film, before: &Diagram, after: &Diagram) {
    let grown = film.moves.iter().filter(|one| one.how == How::Extend).map(|one| one.t1).max();
    let grown = grown.unwrap_or(film.ms);
    let end = film.ms;
    let (comes, grows) = ((end.saturating_sub(60), end), (0, grown));
    let written = written(film).unwrap_or(comes);
    let mut add = |what, how, (t0, t1)| film.moves.push(Move::plain(what, how, t0, t1));
    for window in after.windows.iter() {
        let known = before.windows.iter().find(|one| one.id() == window.id());
        let place = Place::window(window);
        match known {
            Some(known) if known.bottom == window.bottom => {}
            Some(_) => add(place, How::Extend, grows),
            None => add(place, How::Show, comes),
        }
        if window.stale_from.is_some() {
            let red = Place::window_red(window);
            match known {
                Some(known) if known.stale_from.is_some() => add(red, How::Extend, grows),
                Some(_) => add(red, How::Extend, written),
                None => add(red, How::Show, comes),
            }
        }
    }
    for band in after.bands.iter() {
        let same = |one: &&Rc<Band>| {
            (one.kind, &one.whose, one.from) == (band.kind, &band.whose, band.from)
        };
        let known = before.bands.iter().find(same);
        let kind = band.kind.word();
        if band.red_from.is_some() {
            let red = Place::band_red(kind, &band.whose, band.from);
            let was_red = known.is_some_and(|known| known.red_from.is_some());
            add(red, How::Extend, if was_red { grows } else { written });
        }
        let marked = known.map_or(0, |known| known.notches.len());
        for number in marked..band.notches.len() {
            let notch = Place::band_notch(kind, &band.whose, band.from, number);
            add(notch, How::Show, if known.is_some() { written } else { comes });
        }
    }
    let Some((earlier, _)) = after.join.filter(|_| after.join != before.join) else { return };
    let blame = |one: &&Move| one.what.kind() == "row" && one.what.name().ends_with(":blame");
    let Some(times) = film.moves.iter().find(blame).map(|one| (one.t0, one.t1)) else { return };
    let place = Place::row(earlier, RowPart::Blame);
    if film.moves.iter().all(|one| one.what != place) {
        film.moves.push(Move::plain(place, How::Show, times.0, times.1));
    }
}

/// Turns the chips that look different, and of which the film knows nothing: after everything else,
/// with those that it turns.
pub fn claims(film: &mut Film, before: &[Chip], after: &[Chip]) {
    let turns = film.moves.iter().find(|one| one.how == How::Turn).map(|one| (one.t0, one.t1));
    let (t0, t1) = turns.unwrap_or((film.ms, film.ms + times::VERDICT));
    for (number, (was, is)) in before.iter().zip(after).enumerate() {
        let place = Place::claim(number);
        if was.state != is.state && film.moves.iter().all(|one| one.what != place) {
            film.moves.push(Move::plain(place, How::Turn, t0, t1));
            film.ms = film.ms.max(t1);
        }
    }
}

/// Returns the times of the film's last change of a key.
fn written(film: &Film) -> Option<(u32, u32)> {
    let of_key = |one: &&Move| matches!(one.what.kind(), "key" | "value" | "ttl");
    let changes = |one: &&Move| {
        matches!(one.how, How::Roll | How::Appear | How::Fall | How::Swap | How::Show)
    };
    let last = film.moves.iter().rev().find(|one| of_key(one) && changes(one))?;
    Some((last.t0, last.t1))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::rc::Rc;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::link::Link;
    use crate::session::{Msg, Session};
    use crate::text::Lang;
    use crate::view::film::film;
    use crate::view::stage::diagram::{Space, diagram};

    fn moves(step: usize) -> Vec<String> {
        let (known, film) = completed(step);
        film.moves[known..].iter().map(|one| format!("{} {:?}", one.what, one.how)).collect()
    }

    /// Returns the film of a step, and the number of its moves that need no pictures.
    fn completed(step: usize) -> (usize, Film) {
        let lesson = read_folder(Path::new("static/lessons/lost-update")).unwrap();
        let link = Link::parse("mode=schedule&schedule=A1.B1.A2.B2");
        let (mut session, _) = Session::open(Rc::new(lesson), &link).unwrap();
        let mut film = film(session.timeline(), step).unwrap();
        let known = film.moves.len();
        let mut at = |step| {
            session.update(Msg::Seek(step));
            diagram(session.timeline(), Space { hides_future: true, ..Space::default() }, Lang::En)
        };
        let (before, after) = (at(step - 1), at(step));
        pictures(&mut film, &before, &after);
        assert!(film.moves.iter().all(|one| one.t0 <= one.t1 && one.t1 <= film.ms));
        (known, film)
    }

    #[test]
    fn a_lane_turns_red_when_the_value_that_was_read_is_written_over() {
        let (_, film) = completed(3);
        let find = |what: &str| film.moves.iter().find(|one| one.what.name() == what).unwrap();
        let (red, rolls) = (find("red:window:B:2"), find("value:0:balance"));
        assert_eq!((red.how, red.t0, red.t1), (How::Extend, rolls.t0, rolls.t1));
        assert_eq!(find("written:0:balance:3").t0, rolls.t0);
        assert_eq!(find("band:window:B:2").t0, 0, "its calm part grows with the rows");
    }

    #[test]
    fn a_window_opens_when_the_read_is_over_and_grows_with_the_rows() {
        assert_eq!(moves(1), ["band:window:A:1 Show"]);
        assert!(moves(2).contains(&"band:window:A:1 Extend".to_owned()));
    }

    #[test]
    fn the_step_that_is_collided_with_is_blamed_with_the_one_that_breaks() {
        assert!(moves(4).contains(&"row:3:blame Show".to_owned()), "{:?}", moves(4));
    }
}
