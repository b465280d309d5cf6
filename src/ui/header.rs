//! The head of the page, the goal with its chips, banners and the list of keys.

use yew::prelude::*;

use crate::app::input::{Input, Theme};
use crate::app::shell::OfflineCopy;
use crate::lesson::{Card, Lesson};
use crate::session::progress::{LINE, Progress};
use crate::session::{Mode, Msg};
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::view::film::Place;
use crate::view::stage::chips::{self, Chip, ChipState};

use super::goal::opener;
use super::lazy::Same;
use super::menu::MENU;
use super::{browser, icons, offline, rich};

#[derive(PartialEq)]
pub struct HeaderProps {
    pub lang: Lang,
    pub theme: Theme,
    /// The lesson's title, if one is open.
    pub title: Option<String>,
    /// Its modes, and the one it is in.
    pub modes: Option<(Vec<Mode>, Mode)>,
    /// The work done on the lesson.
    pub done: Progress,
    /// True in a course page, where nothing here leads out of the lesson.
    pub embed: bool,
    pub on: Callback<Input>,
}

pub fn header(props: &HeaderProps) -> Html {
    let lang = props.lang;
    let on = &props.on;
    let press = |input: Input| on.reform(move |_: MouseEvent| input.clone());
    let theme = tr(lang, props.theme.label());
    html! {
        <header class="head">
            if !props.embed {
                <a class="mark" href={format!("#lang={}", lang.tag())} title={tr(lang, Key::Home)}
                    aria-label="interleave" translate="no">{ "inter" }<i>{ "leave" }</i></a>
            }
            if let Some(title) = &props.title {
                <h1 title={title.clone()}>{ title.clone() }</h1>
            }
            if let Some((modes, mode)) = props.modes.as_ref().filter(|(modes, _)| modes.len() > 1) {
                { parts(modes, *mode, props) }
            }
            <div class="tools">
                if props.modes.as_ref().is_some_and(|(_, mode)| *mode != Mode::Edit) {
                    <button type="button" class="goal-button" aria-haspopup="dialog"
                        onclick={press(Input::Goal(true))} data-move="goal-low">
                        { tr(lang, Key::Goal) }</button>
                }
                if props.modes.is_none() {
                    <a class="page-link" href={format!("#page=playground&lang={}", lang.tag())}>
                        { tr(lang, Key::Playground) }</a>
                }
                <button type="button" class="lang" onclick={press(Input::Lang(lang.other()))}
                    lang={lang.other().html()}>{ tr(lang, Key::SwitchLang) }</button>
                if !props.embed {
                    <button type="button" class="tool" onclick={press(Input::Theme)}
                        aria-label={theme} title={theme}>
                        { icons::theme() }<span>{ tr(lang, Key::Theme) }</span></button>
                }
                if props.modes.is_some() {
                    if !props.embed {
                        <button type="button" class="tool share"
                            onclick={press(Input::ShareOpen(true))}
                            aria-label={tr(lang, Key::Share)} title={tr(lang, Key::Share)}>
                            { icons::link() }<span>{ tr(lang, Key::Share) }</span></button>
                    }
                    <button type="button" class="menu-button" popovertarget={MENU}
                        data-move="more" aria-haspopup="true">{ tr(lang, Key::More) }</button>
                }
            </div>
        </header>
    }
}

/// The popover's id of the list of parts, which is one where the parts have no room beside each
/// other.
const PARTS: &str = "parts";

/// Draws the parts of the lesson, first those in a line; and the button that lists them.
fn parts(modes: &[Mode], mode: Mode, props: &HeaderProps) -> Html {
    let HeaderProps { lang, done, on, .. } = props;
    let is_beside = |one: &Mode| !LINE.contains(one) && !modes.contains(&Mode::Edit);
    let (beside, line): (Vec<Mode>, Vec<Mode>) = modes.iter().partition(|one| is_beside(one));
    let place = line.iter().position(|one| *one == mode);
    let count = place.map(|place| format!("{}/{}", place + 1, line.len()));
    let marks = line.iter().map(|one| {
        let class = classes!(done.has_done(*one).then_some("done"), (*one == mode).then_some("on"));
        html! { <i key={one.id()} {class}></i> }
    });
    let tab = |one: &Mode| mode_tab(*one, *one == mode, done.has_done(*one), *lang, on);
    html! {
        <>
            <button type="button" class="parts" popovertarget={PARTS} aria-haspopup="true">
                <b>{ tr(*lang, mode.label()) }</b>
                { for count.map(|count| html! { <span>{ count }</span> }) }
                <i aria-hidden="true">{ "▾" }</i>
            </button>
            <nav class="modes" id={PARTS} popover="auto">
                { for line.iter().map(tab) }
                if !beside.is_empty() { <hr /> }
                { for beside.iter().map(tab) }
            </nav>
            <div class="marks" aria-hidden="true">{ for marks }</div>
        </>
    }
}

fn mode_tab(one: Mode, pressed: bool, done: bool, lang: Lang, on: &Callback<Input>) -> Html {
    let onclick = on.reform(move |_| {
        browser::hide_popover(PARTS);
        Input::Session(Msg::Mode(one))
    });
    let name = tr(lang, one.label());
    html! {
        <button key={one.id()} type="button" class={classes!(pressed.then_some("on"))}
            aria-pressed={pressed.to_string()} {onclick} data-mode={one.id()} data-name={name}>
            { name }
            if done { <i aria-label={screen(lang, ScreenWord::PartDone)}>{ "✓" }</i> }
        </button>
    }
}

#[derive(PartialEq)]
pub struct GoalProps {
    pub lang: Lang,
    /// The lesson whose goal is shown.
    pub lesson: Same<Lesson>,
    pub variants: Vec<String>,
    pub variant: usize,
    pub chips: Vec<Chip>,
    /// The name of the run shown; empty if it has none.
    pub run_name: String,
    /// True if the goal is above a stage, where it has one line in small windows.
    pub staged: bool,
    pub on: Callback<Input>,
}

pub fn goal(props: &GoalProps) -> Html {
    let goal = props.lesson.goal.get(props.lang);
    let between = if goal.is_empty() { "" } else { " · " };
    html! {
        <section class={classes!("goal", props.staged.then_some("staged"))}
            aria-label={tr(props.lang, Key::Goal)}>
            { opener(props.lang, &props.on) }
            <p tabindex="-1">
                if !props.run_name.is_empty() {
                    <strong class="run-name">{ props.run_name.clone() }</strong>{ between }
                }
                { rich::inlines(goal) }
            </p>
            { variants(props) }
            <ul class="chips">
                { for props.chips.iter().enumerate().map(|(at, one)| claim(at, one)) }
                { more(&props.chips, props.lang) }
            </ul>
        </section>
    }
}

/// Draws the choice of variants.
fn variants(props: &GoalProps) -> Html {
    let label = tr(props.lang, Key::Variant);
    if props.variants.is_empty() {
        return Html::default();
    }
    let onchange = props.on.reform(|event: Event| {
        let select: Option<web_sys::HtmlSelectElement> = event.target_dyn_into();
        let number = select.map_or(0, |select| select.selected_index().max(0) as usize);
        Input::Session(Msg::Variant(number))
    });
    let options = props.variants.iter().enumerate().map(|(number, name)| {
        html! {
            <option key={number} selected={number == props.variant}>{ name.clone() }</option>
        }
    });
    html! { <select class="variants" aria-label={label} {onchange}>{ for options }</select> }
}

/// Draws the number of conditions that the presenter view has no room for, which that alone shows.
fn more(chips: &[Chip], lang: Lang) -> Html {
    let more = chips::left_out(chips);
    if more == 0 {
        return Html::default();
    }
    let words = fill(screen(lang, ScreenWord::MoreClaims), &[&more.to_string()]);
    html! { <li class="more" title={words.clone()}>{ format!("+{more}") }</li> }
}

/// Draws a chip that takes part in the film.
fn claim(number: usize, one: &Chip) -> Html {
    html! {
        <li key={one.id.clone()} class="claim" data-place={Place::claim(number).to_string()}>
            <ul>{ chip(one) }</ul>
        </li>
    }
}

/// Returns the class and the mark of a condition's state.
pub fn sign(state: ChipState) -> (&'static str, &'static str) {
    match state {
        ChipState::Holds | ChipState::Reached(_) => ("ok", "✓"),
        ChipState::Broken(_) => ("bad", "✕"),
        ChipState::Open | ChipState::NotYet => ("open", "○"),
        ChipState::NotHere => ("open", "–"),
    }
}

/// Draws a chip in words, for printing.
pub fn verdict(chip: &Chip) -> Html {
    let (class, mark) = sign(chip.state);
    html! {
        <li key={chip.id.clone()} class={class}>
            { format!("{mark} {}: {}", chip.label, chip.words) }
        </li>
    }
}

pub fn chip(chip: &Chip) -> Html {
    let (class, mark) = sign(chip.state);
    html! {
        <li key={chip.id.clone()} class={classes!("chip", class)} title={chip.words.clone()}
            data-chip={chip.id.clone()}>
            <span aria-hidden="true">{ mark }</span>
            { chip.label.clone() }
            <span class="sr">{ ": " }{ chip.words.clone() }</span>
        </li>
    }
}

pub struct BannersProps {
    pub lang: Lang,
    pub banners: Vec<String>,
    /// True if something can be tried again.
    pub retry: bool,
    /// The lesson that a misspelt link may mean.
    pub nearest: Option<Card>,
    /// True if they can be put away.
    pub dismiss: bool,
    pub on: Callback<Input>,
}

pub fn banners(props: &BannersProps) -> Html {
    let lang = props.lang;
    let dismiss = props.on.reform(|_| Input::Dismiss);
    let retry = props.on.reform(|_| Input::Retry);
    html! {
        <div class="banners" role="alert">
            if !props.banners.is_empty() {
                <div class="banner">
                    <div>
                        { for props.banners.iter().map(|text| html! { <p>{ text.clone() }</p> }) }
                        { for props.nearest.iter().map(|card| html! {
                            <p>{ tr(lang, Key::NearestLesson) }{ " " }
                                <a href={format!("#lesson={}", card.id)}>
                                    { card.title.get(lang).clone() }</a></p>
                        }) }
                    </div>
                    if props.retry {
                        <button type="button" onclick={retry}>{ tr(lang, Key::Retry) }</button>
                    }
                    if props.dismiss {
                        <button type="button" onclick={dismiss}>{ tr(lang, Key::Dismiss) }</button>
                    }
                </div>
            }
        </div>
    }
}

#[derive(PartialEq)]
pub struct HelpProps {
    pub lang: Lang,
    /// The state of the page's offline copy.
    pub copy: OfflineCopy,
    pub letters: bool,
    pub on: Callback<Input>,
}

#[inline(never)]
pub fn help(props: &HelpProps) -> Html {
    let lang = props.lang;
    let rows = [
        ("Space", Key::HelpSpace),
        ("← →", Key::HelpArrows),
        ("Home End", Key::HelpHomeEnd),
        ("1 … 9", Key::HelpDigits),
        ("W", Key::HelpFaults),
        ("V", Key::HelpCompare),
        ("X", Key::HelpRandom),
        ("S", Key::HelpFind),
        ("R", Key::HelpReset),
        ("P", Key::HelpPresent),
        ("PageUp PageDown", Key::HelpClicker),
        (".", Key::HelpBlank),
        ("/", Key::HelpConsole),
        ("?", Key::HelpHelp),
    ];
    let rows = rows.map(|(keys, says)| (keys, tr(lang, says)));
    let more = [
        ("A B C …", ScreenWord::HelpLetters),
        ("Shift + A B C …", ScreenWord::HelpShiftLetters),
        ("T", ScreenWord::HelpTime),
        ("N", ScreenWord::HelpNext),
        ("G", ScreenWord::HelpGoal),
        ("M", ScreenWord::HelpMore),
    ];
    let rows = more.map(|(keys, says)| (keys, screen(lang, says))).into_iter().chain(rows);
    let rows = rows.map(|(keys, says)| {
        html! { <tr key={keys}><td><kbd>{ keys }</kbd></td><td>{ says }</td></tr> }
    });
    let letters = props.letters;
    let onchange = props.on.reform(move |_: Event| Input::Letters(!letters));
    html! {
        <>
            <table><tbody>{ for rows }</tbody></table>
            <label class="letters">
                <input type="checkbox" checked={letters} {onchange} />
                { screen(lang, ScreenWord::Letters) }
            </label>
            { offline::switch(props.copy, lang, &props.on) }
        </>
    }
}
