//! Films differences that are only visible in the diagrams of two neighbouring frames: race
//! windows, and the earlier step that a broken one collides with.

use crate::view::stage::diagram::Diagram;

use super::{Film, How, Move, Place, RowPart};

/// Adds the differences between the diagrams before and after it to the film.
pub fn pictures(film: &mut Film, before: &Diagram, after: &Diagram) {
    let grown = film.moves.iter().filter(|one| one.how == How::Extend).map(|one| one.t1).max();
    let grown = grown.unwrap_or(film.ms);
    let end = film.ms;
    for window in after.windows.iter() {
        let known = before
            .windows
            .iter()
            .find(|one| one.client == window.client && one.read_step == window.read_step);
        let place = Place::band("window", &window.client.name(), window.read_step);
        match known {
            Some(known) if known.bottom == window.bottom => {}
            Some(_) => film.moves.push(Move::plain(place, How::Extend, 0, grown)),
            None => {
                film.moves.push(Move::plain(place, How::Show, end.saturating_sub(60), end));
            }
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
        film.moves[known..].iter().map(|one| format!("{} {:?}", one.what, one.how)).collect()
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
