//! The presenter view: the sentence of the step, programs, diagram and Redis, as large as one reads
//! them from the back of a hall. Its layout is in static/present.css; here are its size, what
//! stands around the stage, and the dark screen.

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::stage::StageView;
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};

use super::browser;
use super::diagram::PRESENT;

/// Windows from this size on have three columns, as in present.css.
const WIDE: (f64, f64) = (1600.0, 860.0);

/// Returns how much larger than on the page everything is. Type has one size whatever is shown:
/// what does not fit scrolls to the present step.
fn zoom(width: f64, height: f64) -> f64 {
    /// In its own enlarged pixels.
    const NARROW_WIDTH: f64 = 683.0;
    const WIDE_SIZE: (f64, f64) = (1097.0, 617.0);
    if width >= WIDE.0 && height >= WIDE.1 {
        (width / WIDE_SIZE.0).min(height / WIDE_SIZE.1).max(1.75)
    } else {
        (width / NARROW_WIDTH).clamp(1.0, 1.5)
    }
}

/// Gives the view the size that the window has room for, and shows the present row and line.
#[inline(never)]
pub fn fit() {
    let (width, height) = browser::window_size();
    let zoom = zoom(f64::from(width), f64::from(height));
    browser::set_root_style("--zoom", &format!("{zoom:.3}"));
    // They went to the present row and line when they had another size.
    browser::scroll_to(".presenting .diagram", &[PRESENT]);
    browser::scroll_to(".presenting .redis", &[".key.changed", ".changed"]);
}

/// Draws what stands around the stage: which step it is, how one leaves, the keys; and the dark
/// screen.
#[inline(never)]
pub fn overlay(
    dark: bool,
    view: Option<&StageView>,
    title: String,
    lang: Lang,
    on: &Callback<Input>,
) -> Html {
    let leave = on.reform(|_: MouseEvent| Input::Present(false));
    let light = on.reform(|_: MouseEvent| Input::Dark(false));
    let steps = view.map(|view| [view.step, view.steps].map(|number| number.to_string()));
    let is_free = view.is_some_and(|view| view.mode.is_free());
    let letters = ("A B C …", screen(lang, ScreenWord::PresentStep));
    let keys = [
        ("→ PageDown", screen(lang, ScreenWord::PresentOn)),
        ("← PageUp", screen(lang, ScreenWord::PresentBack)),
        (".", screen(lang, ScreenWord::PresentDark)),
        ("?", screen(lang, ScreenWord::PresentKeys)),
    ];
    let ask = view.and_then(|view| view.ask.as_ref()).map(|ask| ask.choices.len());
    let digits = ask.map(|count| (1..=count).map(|number| number.to_string()).collect::<Vec<_>>());
    let digits = digits.map(|digits| digits.join(" "));
    let answers = digits.as_deref().map(|keys| (keys, screen(lang, ScreenWord::PresentAnswer)));
    let keys = answers.into_iter().chain(is_free.then_some(letters)).chain(keys);
    html! {
        <>
            <header class="podium">
                // The head, which is not shown, has the other one.
                <h1 class="sr">{ title }</h1>
                if let Some([step, of]) = steps {
                    <span>{ fill(screen(lang, ScreenWord::StepOf), &[&step, &of]) }</span>
                }
                <button type="button" class="leave" onclick={leave}
                    title={tr(lang, Key::PresentLeave)}>
                    { screen(lang, ScreenWord::PresentExit) }{ " " }<kbd>{ "Esc" }</kbd>
                </button>
            </header>
            <aside class="by-hand">
                { for keys.map(|(key, says)| html! {
                    <span key={key.to_owned()}><kbd>{ key.to_owned() }</kbd>{ says }</span>
                }) }
            </aside>
            <div class={classes!("dark", dark.then_some("on"))} onclick={light}
                role="status">
                if dark { <span class="sr">{ tr(lang, Key::PresentBlank) }</span> }
            </div>
        </>
    }
}
