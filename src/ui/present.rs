//! The presenter view: the sentence of the step, programs, diagram and Redis, as large as they
//! have room for. Its layout is in static/present.css; here are its size and the dark screen.

use yew::prelude::*;

use crate::app::input::Input;
use crate::text::{Key, Lang, tr};

use super::diagram::PRESENT;
use super::{browser, icons};

/// In tenths: how much larger than on the page everything may be.
const ZOOM_MAX: u32 = 30;
const ZOOM_MIN: u32 = 13;
/// Of the window, in its own enlarged pixels.
const WIDTH_MIN: u32 = 980;
/// Must hold what is in it. (At the smallest size a long program, and the diagram at any, scrolls
/// to the present step by itself.)
const WHOLE: &str = ".presenting .lines, .presenting .flows, .presenting .redis, \
                     .presenting .story, .presenting .goal";

/// The size of the presenter view.
#[derive(Debug)]
pub struct Fit {
    zoom: u32,
    /// The window's size that `zoom` was found for, and what was shown.
    fitted: (i32, i32, String),
}

impl Fit {
    pub fn new() -> Fit {
        Fit { zoom: ZOOM_MAX, fitted: (0, 0, String::new()) }
    }

    /// Makes everything as large as it may be. `shown` names the programs and the story: while
    /// they stay, it only becomes smaller, so that nothing jumps from step to step.
    pub fn fit(&mut self, shown: String) {
        let (width, height) = browser::window_size();
        let now = (width, height, shown);
        if self.fitted != now {
            // The diagram needs some room to spell its commands out.
            let widest = u32::try_from(width).unwrap_or_default() * 10 / WIDTH_MIN;
            (self.fitted, self.zoom) = (now, widest.clamp(ZOOM_MIN, ZOOM_MAX));
        }
        loop {
            let zoom = format!("{}.{}", self.zoom / 10, self.zoom % 10);
            browser::set_root_style("--zoom", &zoom);
            if self.zoom <= ZOOM_MIN || !browser::overflows(WHOLE) {
                break;
            }
            self.zoom -= 1;
        }
        // They went to the present row and line when they had another size.
        let scale = f64::from(self.zoom) / 10.0;
        browser::scroll_to(".presenting .diagram", &[PRESENT], scale);
        browser::scroll_to(".presenting .lines", &[".next", ".ran"], scale);
    }
}

#[inline(never)]
pub fn overlay(dark: bool, title: String, lang: Lang, on: &Callback<Input>) -> Html {
    let leave = on.reform(|_: MouseEvent| Input::Present(false));
    let light = on.reform(|_: MouseEvent| Input::Dark(false));
    let label = tr(lang, Key::PresentLeave);
    html! {
        <>
            // The head, which is not shown, has the other one.
            <h1 class="sr">{ title }</h1>
            <button type="button" class="leave" onclick={leave} aria-label={label}
                title={label}>{ icons::screen() }</button>
            <div class={classes!("dark", dark.then_some("on"))} onclick={light}
                role="status">
                if dark { <span class="sr">{ tr(lang, Key::PresentBlank) }</span> }
            </div>
        </>
    }
}
