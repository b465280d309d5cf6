//! A picture without the steps after the present one, so that a story does not reveal its end.

use std::rc::Rc;

use super::{Band, Diagram, Window};

/// Removes everything that begins after the present step, and the ends of spans that last longer.
pub fn hide_future(diagram: &mut Diagram) {
    let (step, end) = (diagram.step, diagram.present.end);
    if step < diagram.rows.len() {
        Rc::make_mut(&mut diagram.rows).truncate(step);
    }
    let bands = diagram.bands.iter().filter(|band| band.from <= step);
    let bands = bands.map(|band| match band.to.is_none_or(|to| to > step) {
        true => Rc::new(band_until(band, end)),
        false => band.clone(),
    });
    diagram.bands = Rc::new(bands.collect());
    let windows = diagram.windows.iter().filter(|window| window.read_step <= step);
    let windows = windows.map(|window| match window.write_step.is_none_or(|write| write > step) {
        true => Rc::new(window_until(window, end)),
        false => window.clone(),
    });
    diagram.windows = Rc::new(windows.collect());
    for lane in &mut diagram.lanes {
        if lane.ends.is_some_and(|ends| ends > step) {
            (lane.ends, lane.failed, lane.bottom) = (None, false, diagram.bottom);
        }
    }
    diagram.has_inside = diagram.rows.iter().any(|row| row.is_whole());
}

fn band_until(band: &Band, end: i32) -> Band {
    let mut cut = Band { to: None, bottom: band.bottom.min(end), ..band.clone() };
    cut.notches.retain(|y| *y < end);
    cut.red_from = cut.red_from.filter(|y| *y < end);
    cut
}

fn window_until(window: &Window, end: i32) -> Window {
    let stale_from = window.stale_from.filter(|y| *y < end);
    Window {
        write_step: None,
        bottom: window.bottom.min(end),
        stale_from,
        intruder: window.intruder.filter(|_| stale_from.is_some()),
        ..window.clone()
    }
}
