//! The offline copy of the page, as the reader sees it: whether there is one, and that a new
//! version waits. A script beside the page (static/offline) does the work; both sides send events
//! that carry a word.

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::shell::OfflineCopy;
use crate::text::{Key, Lang, tr};

use super::browser;

/// The names of the events from the offline copy's script, and to it.
pub const HEARD: &str = "interleave-offline";
const ASKED: &str = "interleave-offline-ask";
/// The attribute of the root element with the last word received.
const ATTRIBUTE: &str = "data-offline";

/// Returns the last word of the offline copy's script, if there was one.
pub fn word() -> Option<String> {
    browser::root(ATTRIBUTE)
}

/// Switches to the new version, which reloads the page.
pub fn renew() {
    browser::tell(ASKED, "renew");
}

/// Keeps a copy from now on, or removes it.
pub fn keep_copy(keep: bool) {
    browser::tell(ASKED, if keep { "join" } else { "leave" });
}

/// Draws the bar that announces a new version.
pub fn news(is_new: bool, lang: Lang, on: &Callback<Input>) -> Html {
    let reload = on.reform(|_: MouseEvent| Input::Renew(true));
    let later = on.reform(|_: MouseEvent| Input::Renew(false));
    html! {
        <div class="news" role="status">
            if is_new {
                <p>{ tr(lang, Key::NewVersion) }</p>
                <button type="button" onclick={reload}>{ tr(lang, Key::Reload) }</button>
                <button type="button" onclick={later}>{ tr(lang, Key::Later) }</button>
            }
        </div>
    }
}

/// Draws, in the list of keys, whether there is a copy, and the button that changes it.
pub fn switch(copy: OfflineCopy, lang: Lang, on: &Callback<Input>) -> Html {
    let (words, label, keep) = match copy {
        OfflineCopy::Impossible => return html! { <p class="copy"></p> },
        OfflineCopy::Kept => (Key::CopyKept, Key::CopyRemove, false),
        OfflineCopy::None => (Key::CopyNone, Key::CopyKeep, true),
    };
    let onclick = on.reform(move |_: MouseEvent| Input::KeepCopy(keep));
    html! {
        <p class="copy">
            { tr(lang, words) }{ " " }
            <button type="button" {onclick}>{ tr(lang, label) }</button>
        </p>
    }
}
