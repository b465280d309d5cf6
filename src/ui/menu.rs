//! *More*, in the head of every part of a lesson: what is needed now and then, in four groups.
//!
//! Its entries are drawn once it was opened. An entry is named by `data-move`, by which course
//! pages leave entries out (static/embed.css) and the tests press it. To add one: its row in the
//! group that it belongs to.

use std::rc::Rc;

use yew::prelude::*;

use crate::app::console::Do;
use crate::app::input::{Input, OwnInput, RealInput};
use crate::app::run::{SPEED_NAMES, SPEEDS};
use crate::app::stage::{Hint, Say, StageView};
use crate::jobs::map::Around;
use crate::session::Msg as Run;
use crate::text::{
    ClassWord, Key, Lang, RealWord, ScreenWord, class as word, fill, real, screen, tr,
};
use crate::view::stage::diagram::{BandKind, Diagram};

use super::browser;
use super::lazy::Same;
use super::map::next_two;

/// The popover's id, by which the button in the head opens it.
pub const MENU: &str = "menu";

#[derive(Properties, PartialEq)]
pub struct MenuProps {
    pub lang: Lang,
    /// The run that is stepped; `None` in a part that steps none.
    #[prop_or_default]
    pub view: Option<Same<StageView>>,
    #[prop_or_default]
    pub offers: Offers,
    /// The next two steps, if they may be shown.
    #[prop_or_default]
    pub around: Option<Rc<Around>>,
    /// True in a course page, where the lesson has no way out.
    pub embed: bool,
    pub on: Callback<Input>,
}

/// The further entries about a run that are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offers {
    /// True if the consoles are open.
    pub console: bool,
    /// True if the menu offers to open the run in the playground.
    pub own: bool,
    /// True if the menu offers to run it on a real Redis.
    pub real: bool,
}

pub struct Menu {
    was_opened: bool,
}

impl Component for Menu {
    type Message = ();
    type Properties = MenuProps;

    fn create(_: &Context<Self>) -> Menu {
        Menu { was_opened: false }
    }

    fn update(&mut self, _: &Context<Self>, (): ()) -> bool {
        !std::mem::replace(&mut self.was_opened, true)
    }

    fn changed(&mut self, _: &Context<Self>, _: &MenuProps) -> bool {
        self.was_opened
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let name = tr(ctx.props().lang, Key::More);
        html! {
            <section class="menu" id={MENU} popover="auto" aria-label={name}
                ontoggle={ctx.link().callback(|_| ())}>
                if self.was_opened { { groups(ctx.props()) } }
            </section>
        }
    }
}

/// What an entry does.
enum Way {
    Press(Input),
    /// Leads to an address.
    Go(String),
}

struct Entry {
    id: &'static str,
    label: String,
    about: Option<Key>,
    /// The key that does the same.
    key: &'static str,
    way: Way,
    pressed: Option<bool>,
}

fn entry(id: &'static str, label: &str, key: &'static str, input: Input) -> Entry {
    let way = Way::Press(input);
    Entry { id, label: label.to_owned(), about: None, key, way, pressed: None }
}

#[inline(never)]
fn groups(props: &MenuProps) -> Html {
    let MenuProps { lang, view, .. } = props;
    let lang = *lang;
    html! {
        <>
            if let Some(view) = view {
                { group(ScreenWord::MenuRun, lang, html! {
                    <>
                        <p class="of">{ of_steps(view) }</p>
                        { entries(stories(view), props) }
                        { entries(steps(view), props) }
                        { speed(view, &props.on) }
                        { entries(run(view, props.offers), props) }
                        // Its place is there before it comes: else entries were drawn anew
                        // when it does, and the keyboard would lose the one that it is on.
                        { props.around.as_ref().map(|one| next_two(one, lang)).unwrap_or_default() }
                    </>
                }) }
            }
            { group(ScreenWord::MenuLook, lang, html! {
                <>
                    { entries(look(props), props) }
                    if let Some(view) = view {
                        { legend(&view.picture.diagram, lang) }
                    }
                </>
            }) }
            if !props.embed || props.offers.own {
                { group(ScreenWord::MenuUse, lang, entries(elsewhere(props), props)) }
            }
            { group(ScreenWord::MenuHelp, lang, entries(help(props), props)) }
        </>
    }
}

fn group(title: ScreenWord, lang: Lang, content: Html) -> Html {
    let title = screen(lang, title);
    html! {
        <section role="group" aria-label={title}><h2 aria-hidden="true">{ title }</h2>
            { content }</section>
    }
}

/// Returns the entries that move in the run.
fn steps(view: &StageView) -> Vec<Entry> {
    let lang = view.lang;
    let word = |key| tr(lang, key);
    let play = if view.playing { Key::Pause } else { Key::Play };
    let mut steps = vec![
        entry("forward", word(Key::Forward), "→", Input::Session(Run::Forward)),
        Entry { pressed: Some(view.playing), ..entry("play", word(play), "", Input::Play) },
        entry("first", word(Key::First), "Home", Input::Session(Run::Seek(0))),
        entry("last", word(Key::Last), "End", Input::Session(Run::Seek(usize::MAX))),
    ];
    if view.mode.is_free() {
        steps.push(entry("random", word(Key::Random), "X", Input::Random));
        for card in view.picture.cards.iter().filter(|card| card.command.is_some()) {
            let id = card.client;
            let label = fill(word(Key::RunUntil), &[&id.letter().to_string()]);
            steps.push(entry("run", &label, "", Input::Session(Run::RunClient(id))));
        }
    }
    steps.push(entry("reset", word(Key::Reset), "R", Input::Session(Run::Reset)));
    steps
}

/// Returns the entries that say more of the run, or change what may happen in it.
fn run(view: &StageView, offers: Offers) -> Vec<Entry> {
    let lang = view.lang;
    let word = |key| tr(lang, key);
    let free = view.mode.is_free();
    // In low windows the row that opens it has no room.
    let mut run = vec![entry("goal", word(Key::Goal), "G", Input::Goal(true))];
    if view.can_compare {
        let about = Some(Key::RunsHint);
        run.push(Entry { about, ..entry("runs", word(Key::Runs), "V", Input::Runs(true)) });
    }
    if free && view.has_faults && !view.tells_of_faults {
        let about = Some(Key::FaultsHint);
        run.push(Entry { about, ..entry("faults", word(Key::Faults), "W", Input::Faults(true)) });
    }
    if free {
        run.push(Entry {
            about: Some(Key::WireHint),
            pressed: Some(view.wire),
            ..entry("wire", word(Key::Wire), "", Input::Session(Run::Wire(!view.wire)))
        });
    }
    run.push(Entry {
        about: Some(Key::ConsoleTitle),
        pressed: Some(offers.console),
        ..entry("console", word(Key::Console), "/", Input::Console(Do::Open(!offers.console)))
    });
    if view.hint == Hint::Offered {
        run.push(entry("hint", word(Key::HintAsk), "", Input::Hints(true)));
    }
    if offers.real {
        let input = Input::Real(RealInput::Dialog(true));
        run.push(entry("real", real(lang, RealWord::Open), "", input));
    }
    run
}

fn look(props: &MenuProps) -> Vec<Entry> {
    let lang = props.lang;
    let mut look = Vec::new();
    if !props.embed {
        look.push(entry("theme", tr(lang, Key::Theme), "", Input::Theme));
        look.push(entry("print", screen(lang, ScreenWord::Print), "", Input::Print));
    }
    let other = lang.other();
    look.push(entry("lang", tr(lang, Key::SwitchLang), "", Input::Lang(other)));
    if let Some(view) = &props.view {
        if !props.embed {
            look.push(entry("present", tr(lang, Key::Present), "P", Input::Present(true)));
        }
        if view.picture.diagram.has_inside {
            let open = view.picture.is_open;
            look.push(Entry {
                pressed: Some(open),
                ..entry("inside", tr(lang, Key::Inside), "", Input::Inside(!open))
            });
        }
    }
    look
}

fn elsewhere(props: &MenuProps) -> Vec<Entry> {
    let lang = props.lang;
    let mut elsewhere = Vec::new();
    if !props.embed {
        let words = screen(lang, ScreenWord::MenuShare);
        elsewhere.push(entry("share", words, "", Input::ShareOpen(true)));
        elsewhere.push(entry("embed", tr(lang, Key::WayEmbed), "", Input::EmbedOpen(true)));
        elsewhere.push(page("class", word(lang, ClassWord::ClassMenu), lang));
    }
    if props.offers.own {
        let input = Input::Own(OwnInput::FromLesson);
        elsewhere.push(entry("own", tr(lang, Key::OwnHere), "", input));
    }
    elsewhere
}

fn help(props: &MenuProps) -> Vec<Entry> {
    let lang = props.lang;
    let mut help = vec![entry("keys", tr(lang, Key::Help), "?", Input::Help(true))];
    if !props.embed {
        help.push(page("glossary", tr(lang, Key::Glossary), lang));
        help.push(page("playground", tr(lang, Key::Playground), lang));
        help.push(page("progress", word(lang, ClassWord::Progress), lang));
    }
    help
}

/// Returns the entry that leads to a page.
fn page(id: &'static str, label: &str, lang: Lang) -> Entry {
    let way = Way::Go(format!("#page={id}&lang={}", lang.tag()));
    Entry { way, ..entry(id, label, "", Input::Dismiss) }
}

/// Returns the entries of the variant's stories, if there are several.
fn stories(view: &StageView) -> Vec<Entry> {
    let Say::Told(told) = &view.say else { return Vec::new() };
    let story = |(number, title): &(usize, String)| Entry {
        pressed: Some(*number == told.walk),
        ..entry("story", title, "", Input::Session(Run::Walk(*number)))
    };
    told.others.iter().map(story).collect()
}

fn entries(entries: Vec<Entry>, props: &MenuProps) -> Html {
    if entries.is_empty() {
        return Html::default();
    }
    let entries = entries.into_iter().map(|one| {
        let words = html! {
            <>
                <span>{ one.label.clone() }
                    if let Some(about) = one.about { <small>{ tr(props.lang, about) }</small> }
                </span>
                if !one.key.is_empty() { <kbd aria-hidden="true">{ one.key }</kbd> }
            </>
        };
        let input = match one.way {
            Way::Press(input) => input,
            Way::Go(href) => {
                return html! { <a key={one.label} {href} data-move={one.id}>{ words }</a> };
            }
        };
        // What stays open shows at once what it does.
        let stays = matches!(input, Input::Theme | Input::Session(Run::Forward));
        let onclick = props.on.reform(move |_: MouseEvent| {
            // First, so that the focus is on the menu's button again, and comes back to it from the
            // dialog that opens now.
            if !stays {
                browser::hide_popover(MENU);
            }
            input.clone()
        });
        let pressed = one.pressed.map(|pressed| pressed.to_string());
        html! {
            <button key={one.label} type="button" {onclick} data-move={one.id}
                aria-pressed={pressed}>{ words }</button>
        }
    });
    html! { <div class="entries">{ for entries }</div> }
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
        <label class="of-speed">{ tr(lang, Key::Speed) }
            <select class="speed" {onchange}>{ for speeds }</select>
        </label>
    }
}

/// Draws the legend of the diagram's bands.
fn legend(drawn: &Diagram, lang: Lang) -> Html {
    let has = |kind: BandKind| drawn.bands.iter().any(|band| band.kind == kind);
    let legend = [
        (!drawn.windows.is_empty(), "window", Key::LegendWindow),
        (has(BandKind::Lease), "lease", Key::LegendLease),
        (has(BandKind::Belief), "belief", Key::LegendBelief),
        (has(BandKind::Watch), "watch", Key::LegendWatch),
    ];
    let legend = legend.into_iter().filter(|(there, ..)| *there).map(|(_, class, key)| {
        html! { <li key={class}><i class={class}></i>{ tr(lang, key) }</li> }
    });
    html! { <ul class="legend">{ for legend }</ul> }
}

/// Returns "step 3 of 7".
fn of_steps(view: &StageView) -> String {
    fill(tr(view.lang, Key::StepOf), &[&view.step.to_string(), &view.steps.to_string()])
}
