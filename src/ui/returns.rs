//! Where the list of lessons was left: who comes back to it by "Back" finds it there.
//!
//! The browser keeps the place of each entry of the history, too, but sets it before the list is
//! drawn again. An entry has a number, in its `history.state`, and the places stay until the page
//! is loaded anew.

use wasm_bindgen::JsValue;

use super::browser::window;

#[derive(Default)]
pub struct Returns {
    /// How far each entry that showed the list was scrolled, in px.
    tops: Vec<f64>,
    /// The entry that is shown, if it shows the list.
    at: Option<usize>,
}

impl Returns {
    /// Notes the place, before another page is drawn.
    pub fn leave(&mut self) {
        let top = window().and_then(|window| window.scroll_y().ok());
        if let (Some(noted), Some(top)) = (self.at.and_then(|at| self.tops.get_mut(at)), top) {
            *noted = top;
        }
    }

    /// Goes to the place, once the list is drawn again.
    pub fn drawn(&mut self, is_list: bool) {
        if is_list == self.at.is_some() {
            return;
        }
        self.at = None;
        let Some((window, history)) =
            window().and_then(|it| Some((it.clone(), it.history().ok()?)))
        else {
            return;
        };
        if !is_list {
            return;
        }
        let state = history.state().ok().and_then(|state| state.as_f64());
        let known = state.map(|number| number as usize).filter(|at| *at < self.tops.len());
        match known {
            Some(at) => window.scroll_to_with_x_and_y(0.0, self.tops[at]),
            None => {
                let number = JsValue::from_f64(self.tops.len() as f64);
                let _ = history.replace_state(&number, "");
                self.tops.push(0.0);
            }
        }
        self.at = known.or(Some(self.tops.len() - 1));
    }
}
