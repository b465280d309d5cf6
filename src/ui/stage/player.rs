//! Plays a film: finds its places in the page and moves what is there.
//!
//! Contract: the page is drawn as the frame *after*; what has not arrived yet is hidden, and
//! revealed at its time. Only `transform` and `opacity` are animated. All animations of a film last
//! as long as the film and share one time, so that it can be paused, sought, reversed and ended by
//! setting that. Tokens and ghosts (copies of what is gone or has changed) are elements of the
//! film's own layer, which the page's drawing never sees. A place that is not in the page moves
//! nothing.
//!
//! A layer that scrolls with the page, as on the front page, is moved to the window's corner when a
//! film begins: places are told from there.
//!
//! Measuring reads the layout twice a film: in the frame before, and in the frame after. To add a
//! kind of movement, add an arm to `Reel::act`.

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::NodeRef;

use crate::view::film::Film;

use super::before::Before;
use super::reel::{Animations, Reel};

#[derive(Default)]
pub struct Player {
    layer: Option<HtmlElement>,
    before: Before,
    film: Option<Rc<Film>>,
    animations: Animations,
    /// Called when the film has ended.
    ended: Option<Closure<dyn FnMut()>>,
}

impl Player {
    pub fn is_of(&self, film: &Rc<Film>) -> bool {
        self.film.as_ref().is_some_and(|one| Rc::ptr_eq(one, film))
    }

    pub fn is_loaded(&self) -> bool {
        self.film.is_some()
    }

    /// Measures the frame before, while the page shows it.
    pub fn measure(&mut self, film: &Film, layer: &NodeRef) {
        self.layer = layer.cast::<HtmlElement>();
        self.before = Before::measure(film);
        if let Some(layer) = &self.layer {
            to_corner(layer);
        }
    }

    /// Makes the film's animations, to be played or sought at once, while the page shows the frame
    /// after.
    pub fn load(&mut self, film: &Rc<Film>, back: bool, ended: impl FnMut() + 'static) {
        self.stop();
        let Some(layer) = self.layer.clone() else { return };
        let mut reel = Reel::new(film, layer, std::mem::take(&mut self.before));
        reel.clear();
        reel.all(film, back);
        let ended = Closure::new(ended);
        self.animations = reel.into_animations();
        if let Some(clock) = self.animations.moving.last() {
            clock.set_onfinish(Some(ended.as_ref().unchecked_ref()));
        }
        self.ended = Some(ended);
        self.film = Some(film.clone());
    }

    /// Plays from the current position, backwards if the rate is negative.
    pub fn play(&self, rate: f64) {
        let from = if rate < 0.0 { Some(self.ms()) } else { None };
        for one in &self.animations.still {
            one.set_playback_rate(rate);
        }
        for one in &self.animations.moving {
            if let Some(from) = from {
                one.set_current_time(Some(from));
            }
            if rate != 1.0 {
                one.set_playback_rate(rate);
            }
            let _ = one.play();
        }
    }

    /// Pauses at a part of the film, from 0 to 1.
    pub fn seek(&self, part: f64) {
        let at = part.clamp(0.0, 1.0) * self.ms();
        for one in &self.animations.moving {
            let _ = one.pause();
            one.set_current_time(Some(at));
        }
    }

    /// Plays the film to its end, after the finger that held it was lifted.
    pub fn let_go(&self, speed: f64) {
        for one in &self.animations.moving {
            one.set_playback_rate(if speed.is_finite() { speed } else { 4.0 });
            let _ = one.play();
        }
    }

    /// Ends the film: the page shows the frame that is drawn.
    pub fn finish(&mut self) {
        self.clear();
        self.before = Before::default();
    }

    /// Ends the film, for another one that is made at once: what moved is taken away with that.
    pub fn stop(&mut self) {
        let Animations { moving, still } = std::mem::take(&mut self.animations);
        for one in moving.into_iter().chain(still) {
            one.set_onfinish(None);
            one.cancel();
        }
        (self.film, self.ended) = (None, None);
    }

    fn clear(&mut self) {
        self.stop();
        if let Some(layer) = &self.layer {
            layer.set_text_content(None);
        }
    }

    fn ms(&self) -> f64 {
        self.film.as_ref().map_or(0.0, |film| f64::from(film.ms.max(1)))
    }
}

/// Moves the layer's corner to the window's.
fn to_corner(layer: &HtmlElement) {
    let style = layer.style();
    let _ = style.remove_property("transform");
    let rect = layer.get_bounding_client_rect();
    if (rect.left(), rect.top()) != (0.0, 0.0) {
        let shift = format!("translate({}px,{}px)", -rect.left(), -rect.top());
        let _ = style.set_property("transform", &shift);
    }
}
