//! The dock at the foot of the stage, whose buttons never move: a button for each client, back and
//! forward, the strip, the speed. Everything else is in the menu.

use yew::prelude::*;

use crate::app::input::{Input, OwnInput, RealInput};
use crate::app::run::{SPEED_NAMES, SPEEDS};
use crate::app::stage::{Hint, Picture, Say, StageView};
use crate::session::Msg as Run;
use crate::session::progress::Onward;
use crate::text::{Key, Lang, RealWord, fill, real, tr};
use crate::ui::browser;
use crate::ui::cards::client_class;
use crate::ui::map::next_two;
use crate::ui::review::onward;
use crate::ui::strip::{StripProps, strip};
use crate::view::console::Do;
use crate::view::film::Place;
use crate::view::map::Around;
use crate::view::stage::cards::Card;

use super::{Msg, Offers, legend, of_steps};

pub struct DockProps<'v> {
    pub view: &'v StageView,
    pub on_front: bool,
    pub offers: Offers,
    pub embed: bool,
    pub onward: Option<&'v Onward>,
    /// The next two steps, if they may be shown.
    pub around: Option<&'v Around>,
    /// The picture that is drawn.
    pub picture: &'v Picture,
    pub on: &'v Callback<Input>,
    pub drag: Callback<Msg>,
    /// True if the menu was opened once; from then on its entries are drawn.
    pub has_menu: bool,
}

/// The most clients whose buttons stand beside each other; more are reached by scrolling.
const FIT: usize = 8;

pub fn dock(props: &DockProps<'_>) -> Html {
    let DockProps { view, on, .. } = props;
    let lang = view.lang;
    // The buttons are those of the step that the run is at, also while a film shows another one.
    let cards = view.picture.cards.iter();
    let hint = (!view.mode.is_free()).then(|| tr(lang, Key::WatchOnly));
    let at_end = view.step == view.steps;
    let waits = view.picture.cards.iter().all(|card| !card.button.enabled);
    let forward = classes!((!at_end && waits).then_some("main"));
    html! {
        <footer class="dock">
            <div class={classes!("steps", (view.picture.cards.len() > FIT).then_some("many"))}>
                { for cards.map(|card| step_button(view, card, hint, on)) }
                { advance(view, on) }
                { faults(view, on) }
            </div>
            { move_button(view, "back", Key::Back, Run::Back, view.step > 0, Classes::new(), on) }
            if props.on_front {
                <span class="hint">{ tr(lang, Key::FrontKeys) }</span>
            } else {
                { move_button(view, "forward", Key::Forward, Run::Forward, !at_end, forward, on) }
                { tools(props) }
                { props.onward.map(|one| onward(one, on)) }
            }
        </footer>
    }
}

/// Draws the tools to the right of the step buttons.
fn tools(props: &DockProps<'_>) -> Html {
    let DockProps { view, on, .. } = props;
    html! {
        <>
            { strip(&StripProps {
                lang: view.lang,
                step: view.step,
                steps: view.steps,
                places: view.places,
                strip: view.strip.clone(),
                kept: view.kept.clone(),
                drag: props.drag.reform(Msg::Drag),
                on: (*on).clone(),
            }) }
            { speed(view, on) }
            <button type="button" class="menu-button" popovertarget="menu" data-move="more"
                aria-haspopup="true">{ tr(view.lang, Key::More) }</button>
            <div class="menu" id="menu" popover="auto" ontoggle={props.drag.reform(|_| Msg::Menu)}>
                if props.has_menu { { menu(props) } }
            </div>
        </>
    }
}

/// Returns the handler of a button of the dock. A disabled button stays focusable, so that a step
/// that disables it does not lose the focus; its words say why.
fn press(enabled: bool, msg: Run, on: &Callback<Input>) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| {
        if enabled {
            on.emit(Input::Session(msg.clone()));
        }
    })
}

fn off(enabled: bool) -> Option<&'static str> {
    (!enabled).then_some("true")
}

/// Draws the button that steps a client, with its next command or the reason why it cannot step.
fn step_button(
    view: &StageView,
    card: &Card,
    hint: Option<&'static str>,
    on: &Callback<Input>,
) -> Html {
    let (id, lang) = (card.client, view.lang);
    let onclick = press(card.button.enabled, Run::Step(id), on);
    let name = fill(tr(lang, Key::StepClient), &[&id.name()]);
    let going = card.command.is_some();
    // What it sends, or why it cannot.
    let label = &card.button.label;
    let title = match (card.button.enabled, hint) {
        (false, Some(hint)) if going => hint.to_owned(),
        _ => view.command_shown(card).unwrap_or_else(|| label.clone()),
    };
    let what = view.button_words(card, browser::window_size().0);
    // In wire mode the label says which part of the call comes.
    let name = if going { label.clone() } else { name };
    html! {
        <button key={id.index()} class={classes!("step", client_class(id))} type="button" {onclick}
            {title} aria-disabled={off(card.button.enabled)}
            data-client={id.letter().to_string()}>
            <span class="who">{ name }</span>
            <code translate="no" data-place={Place::next(id).to_string()}>{ what }</code>
        </button>
    }
}

/// Draws the button that lets time pass, if time passes anywhere in the run.
#[inline(never)]
fn advance(view: &StageView, on: &Callback<Input>) -> Html {
    let Some(advance) = &view.advance else { return Html::default() };
    let onclick = press(advance.enabled, Run::Advance, on);
    html! {
        <button type="button" class="step time" {onclick} aria-disabled={off(advance.enabled)}
            data-move="advance" title={advance.forms.first().cloned()}>
            <span class="who">{ tr(view.lang, Key::Time) }</span>
            <code>{ view.on_button(&advance.forms, browser::window_size().0) }</code>
        </button>
    }
}

/// Draws the button of the faults, if the lesson tells of faults.
fn faults(view: &StageView, on: &Callback<Input>) -> Html {
    if !view.offers_faults() {
        return Html::default();
    }
    let onclick = on.reform(|_| Input::Faults(true));
    let label = tr(view.lang, Key::Faults);
    html! {
        <button type="button" class="go" {onclick} aria-haspopup="dialog" data-move="faults"
            title={tr(view.lang, Key::FaultsHint)}>{ label }</button>
    }
}

fn move_button(
    view: &StageView,
    id: &'static str,
    label: Key,
    msg: Run,
    enabled: bool,
    class: Classes,
    on: &Callback<Input>,
) -> Html {
    let onclick = press(enabled, msg, on);
    html! {
        <button type="button" class={classes!("go", class)} {onclick} data-move={id}
            aria-disabled={off(enabled)}>
            { tr(view.lang, label) }
        </button>
    }
}

fn speed_name(number: usize, lang: Lang) -> String {
    SPEED_NAMES
        .get(number)
        .map_or_else(|| tr(lang, Key::SpeedInstant).to_owned(), |name| (*name).into())
}

fn speed(view: &StageView, on: &Callback<Input>) -> Html {
    let lang = view.lang;
    let onchange = on.reform(|event: Event| {
        let select: Option<web_sys::HtmlSelectElement> = event.target_dyn_into();
        Input::Speed(select.map_or(0, |select| select.selected_index().max(0) as usize))
    });
    let speeds = (0..SPEEDS.len()).map(|number| {
        html! {
            <option key={number} selected={number == view.speed}>
                { speed_name(number, lang) }
            </option>
        }
    });
    html! {
        <select class="speed" aria-label={tr(lang, Key::Speed)} title={tr(lang, Key::Speed)}
            {onchange}>{ for speeds }</select>
    }
}

/// An entry of the menu: its words and its action.
struct Entry {
    id: &'static str,
    label: String,
    about: Option<Key>,
    input: Input,
    pressed: Option<bool>,
}

fn entry(id: &'static str, label: Key, lang: Lang, input: Input) -> Entry {
    Entry { id, label: tr(lang, label).to_owned(), about: None, input, pressed: None }
}

#[inline(never)]
fn menu(props: &DockProps<'_>) -> Html {
    let DockProps { view, offers, embed, picture, on, .. } = props;
    let lang = view.lang;
    let free = view.mode.is_free();
    let mut run = vec![
        Entry {
            pressed: Some(view.playing),
            ..entry("play", if view.playing { Key::Pause } else { Key::Play }, lang, Input::Play)
        },
        entry("first", Key::First, lang, Input::Session(Run::Seek(0))),
        entry("last", Key::Last, lang, Input::Session(Run::Seek(usize::MAX))),
    ];
    if free {
        run.push(entry("random", Key::Random, lang, Input::Random));
        for card in view.picture.cards.iter().filter(|card| card.command.is_some()) {
            let id = card.client;
            run.push(Entry {
                label: fill(tr(lang, Key::RunUntil), &[&id.letter().to_string()]),
                ..entry("run", Key::RunUntil, lang, Input::Session(Run::RunClient(id)))
            });
        }
    }
    run.push(entry("reset", Key::Reset, lang, Input::Session(Run::Reset)));
    let mut more = Vec::new();
    if free && view.has_faults && !view.tells_of_faults {
        more.push(Entry {
            about: Some(Key::FaultsHint),
            ..entry("faults", Key::Faults, lang, Input::Faults(true))
        });
    }
    if free {
        more.push(Entry {
            about: Some(Key::WireHint),
            pressed: Some(view.wire),
            ..entry("wire", Key::Wire, lang, Input::Session(Run::Wire(!view.wire)))
        });
    }
    if picture.diagram.has_inside {
        let open = picture.is_open;
        more.push(Entry {
            pressed: Some(open),
            ..entry("inside", Key::Inside, lang, Input::Inside(!open))
        });
    }
    let console = Input::Console(Do::Open(!offers.console));
    more.push(Entry {
        about: Some(Key::ConsoleTitle),
        pressed: Some(offers.console),
        ..entry("console", Key::Console, lang, console)
    });
    if view.can_compare {
        more.push(Entry {
            about: Some(Key::RunsHint),
            ..entry("runs", Key::Runs, lang, Input::Runs(true))
        });
    }
    if view.hint == Hint::Offered {
        more.push(entry("hint", Key::HintAsk, lang, Input::Hints(true)));
    }
    if offers.own {
        more.push(entry("own", Key::OwnHere, lang, Input::Own(OwnInput::FromLesson)));
    }
    if offers.real {
        more.push(Entry {
            label: real(lang, RealWord::Open).to_owned(),
            ..entry("real", Key::OwnHere, lang, Input::Real(RealInput::Dialog(true)))
        });
    }
    let mut page = vec![entry("keys", Key::Help, lang, Input::Help(true))];
    if !embed {
        page.insert(0, entry("present", Key::Present, lang, Input::Present(true)));
        page.insert(0, entry("share", Key::Share, lang, Input::ShareOpen(true)));
        page.push(entry("theme", Key::Theme, lang, Input::Theme));
    }
    html! {
        <>
            <p class="of">{ of_steps(view) }</p>
            { group(stories(view), lang, on) }
            { group(run, lang, on) }
            { speed(view, on) }
            { group(more, lang, on) }
            { props.around.map(|one| next_two(one, lang)) }
            { legend(&picture.diagram, lang) }
            { group(page, lang, on) }
        </>
    }
}

/// Returns the menu entries of the variant's stories, if there are several.
fn stories(view: &StageView) -> Vec<Entry> {
    let Say::Told(told) = &view.say else { return Vec::new() };
    let story = |(number, title): &(usize, String)| Entry {
        label: title.clone(),
        pressed: Some(*number == told.walk),
        ..entry("story", Key::ModeWatch, view.lang, Input::Session(Run::Walk(*number)))
    };
    told.others.iter().map(story).collect()
}

fn group(entries: Vec<Entry>, lang: Lang, on: &Callback<Input>) -> Html {
    if entries.is_empty() {
        return Html::default();
    }
    let entries = entries.into_iter().map(|one| {
        let input = one.input;
        // What stays open shows at once what it does.
        let stays = matches!(input, Input::Speed(_) | Input::Theme);
        let onclick = on.reform(move |_: MouseEvent| {
            // First, so that the focus is on the menu's button again, and comes back to it from the
            // dialog that opens now.
            if !stays {
                browser::hide_popover("menu");
            }
            input.clone()
        });
        let pressed = one.pressed.map(|pressed| pressed.to_string());
        html! {
            <button key={one.label.clone()} type="button" {onclick} data-move={one.id}
                aria-pressed={pressed}>
                { one.label }
                if let Some(about) = one.about { <small>{ tr(lang, about) }</small> }
            </button>
        }
    });
    html! { <div class="entries">{ for entries }</div> }
}
