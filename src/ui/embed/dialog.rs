//! The options of an embed, the snippet that they give, and a live preview: a dialog at a lesson's
//! "Share", and a page of its own.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::app::input::Input;
use crate::json;
use crate::lesson::{Index, Lesson};
use crate::session::link::Link;
use crate::session::mode::Mode;
use crate::text::{ClassWord, Key, Lang, ScreenWord, class, screen, tr};
use crate::ui::browser;
use crate::view::embed::snippet::{FRAME_HEIGHT, Recipe};
use crate::view::embed::{CONSOLE, Embed, MAP, Names, THEMES};

#[derive(Properties, Clone, PartialEq)]
pub struct MakerProps {
    pub lang: Lang,
    /// A page, on which the lesson is chosen too.
    #[prop_or_default]
    pub page: bool,
    #[prop_or_default]
    pub index: Option<Index>,
    /// The view to be embedded, and its lesson.
    #[prop_or_default]
    pub link: Option<Link>,
    #[prop_or_default]
    pub lesson: Option<Rc<Lesson>>,
    pub on: Callback<Input>,
}

/// The options chosen.
#[derive(Debug, Clone, PartialEq, Default)]
struct Choice {
    embed: Embed,
    link: Link,
    poster: bool,
    /// The index of the snippet that is shown.
    kind: usize,
    /// It was copied.
    copied: bool,
}

/// Changes what is chosen.
type Change = Callback<Box<dyn FnOnce(&mut Choice)>>;

#[component]
pub fn Maker(props: &MakerProps) -> Html {
    let lang = props.lang;
    let chosen = use_mut_ref(Choice::default);
    let redraw = use_force_update();
    let found = use_state(|| None::<Rc<Lesson>>);
    let change: Change = {
        let chosen = chosen.clone();
        Callback::from(move |change: Box<dyn FnOnce(&mut Choice)>| {
            {
                let mut choice = chosen.borrow_mut();
                choice.copied = false;
                change(&mut choice);
            }
            redraw.force_update();
        })
    };
    {
        let change = change.clone();
        use_effect_with(props.link.clone(), move |link| {
            if let Some(link) = link.clone() {
                let link = Link { lang: None, ..link };
                change.emit(Box::new(move |c| *c = Choice { link, ..Choice::default() }));
            }
        });
    }
    let choice = chosen.borrow().clone();
    // On a page of its own: the first lesson, until another one is chosen.
    let first =
        props.index.iter().flat_map(|index| &index.chapters).find_map(|c| c.lessons.first());
    let wanted = choice.link.lesson.clone().or_else(|| first.map(|card| card.id.clone()));
    {
        let (change, found) = (change.clone(), found.clone());
        let wanted = wanted.filter(|_| props.page);
        use_effect_with(wanted, move |wanted| {
            let Some(id) = wanted.clone() else { return };
            spawn_local(async move {
                let text = browser::load(format!("lessons/{id}.json")).await;
                let Ok(lesson) = text.and_then(|text| json::read::<Lesson>(&text)) else { return };
                let link = begin(&lesson, 0);
                found.set(Some(Rc::new(lesson)));
                change.emit(Box::new(move |choice| choice.link = link));
            });
        });
    }
    let lesson = props.lesson.clone().or_else(|| (*found).clone());
    let body = match &lesson {
        Some(lesson) => html! {
            <div class="maker">
                <div class="choices-pane">
                    { what(props, &choice, lesson, &change) }
                    { may(lang, &choice, &change) }
                    { look(lang, &choice, &change) }
                </div>
                <div class="result-pane">{ result(props, &choice, lesson, &change) }</div>
            </div>
        },
        None => html! { <div class="maker"></div> },
    };
    if props.page {
        return html! {
            <main class="maker-page">
                <h1>{ tr(lang, Key::Embed) }</h1>
                <p class="intro">{ tr(lang, Key::EmbedIntro) }{ " " }
                    <a href={format!("#page=class&lang={}", lang.tag())}>
                        { class(lang, ClassWord::Collect) }</a></p>
                { body }
            </main>
        };
    }
    body
}

/// The ways into a lesson: its stories, its variants, its other modes. The situation comes last, as
/// the course page around has words of its own.
fn ways(lesson: &Lesson) -> Vec<(Mode, usize)> {
    let mut ways = Vec::new();
    let mut modes: Vec<Mode> = Mode::of(lesson).collect();
    modes.sort_by_key(|mode| *mode == Mode::Situation);
    for mode in modes {
        let many = match mode {
            Mode::Watch => lesson.walks.len(),
            Mode::Schedule => lesson.variants.len(),
            _ => 1,
        };
        ways.extend((0..many).map(|number| (mode, number)));
    }
    ways
}

/// The link that a way in stands for.
fn begin(lesson: &Lesson, way: usize) -> Link {
    let (mode, number) = ways(lesson).get(way).copied().unwrap_or((Mode::Schedule, 0));
    let walk = lesson.walks.get(number).filter(|_| mode == Mode::Watch);
    let variant = lesson.variants.get(number).filter(|_| mode == Mode::Schedule);
    Link {
        lesson: Some(lesson.id.clone()),
        mode: Some(mode.id().to_owned()),
        walk: walk.map(|walk| walk.id.clone()),
        variant: variant.map(|variant| variant.id.clone()),
        ..Link::default()
    }
}

// ---- What is chosen -----------------------------------------------------------------------------

fn what(props: &MakerProps, choice: &Choice, lesson: &Lesson, change: &Change) -> Html {
    let lang = props.lang;
    let lessons = props.index.iter().flat_map(|index| &index.chapters).map(|chapter| {
        html! {
            <optgroup label={chapter.title.get(lang).clone()}>
                { for chapter.cards().filter(|card| card.variants > 0).map(|card| html! {
                    <option value={card.id.clone()} selected={card.id == lesson.id}>
                        { card.title.get(lang).clone() }</option>
                }) }
            </optgroup>
        }
    });
    let choose = change.reform(|event: Event| {
        let id = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
        Box::new(move |choice: &mut Choice| {
            choice.link = Link { lesson: id, ..Link::default() };
            (choice.embed.from, choice.embed.to) = (0, None);
        }) as Box<dyn FnOnce(&mut Choice)>
    });
    let now = begin_of(choice, lesson);
    let starts = ways(lesson).into_iter().enumerate().map(|(at, (mode, number))| {
        let name = match mode {
            Mode::Watch => lesson.walks.get(number).map(|walk| walk.title.get(lang)),
            Mode::Schedule => lesson.variants.get(number).map(|variant| variant.label.get(lang)),
            _ => None,
        };
        let name = name.map(|name| format!(" · {name}")).unwrap_or_default();
        html! {
            <option key={at} value={at.to_string()} selected={Some(at) == now}>
                { tr(lang, mode.label()) }{ name }</option>
        }
    });
    let links: Vec<Link> = (0..ways(lesson).len()).map(|way| begin(lesson, way)).collect();
    let start = change.reform(move |event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        let at = select.map_or(0, |select| select.selected_index().max(0) as usize);
        let link = links.get(at).cloned().unwrap_or_default();
        Box::new(move |choice: &mut Choice| {
            choice.link = link;
            (choice.embed.from, choice.embed.to) = (0, None);
        }) as Box<dyn FnOnce(&mut Choice)>
    });
    let steps = lesson.walks.iter().find(|walk| Some(&walk.id) == choice.link.walk.as_ref());
    let last = steps.map(|walk| walk.schedule.split('.').count());
    html! {
        <fieldset>
            <legend>{ tr(lang, Key::EmbedWhat) }</legend>
            if props.page {
                <label>{ tr(lang, Key::EmbedLesson) }
                    <select data-embed-field="lesson" onchange={choose}>{ for lessons }</select>
                </label>
                <label>{ tr(lang, Key::EmbedStart) }
                    <select data-embed-field="start" onchange={start}>{ for starts }</select>
                </label>
            }
            if let Some(last) = last {
                <div class="pair">
                    { number(lang, Key::EmbedFrom, "from", (0, last), Some(choice.embed.from),
                        change,
                        |choice, from| choice.embed.from = from.unwrap_or(0)) }
                    { number(lang, Key::EmbedTo, "to", (0, last), choice.embed.to, change,
                        |choice, to| choice.embed.to = to) }
                </div>
            }
            { names(lang, Key::EmbedTabs, "tabs", &tabs_of(lesson), &choice.embed.tabs, change,
                |embed| &mut embed.tabs) }
            { names(lang, Key::EmbedPanels, "panels", &[("code", Key::EmbedCode),
                ("diagram", Key::EmbedDiagram), ("redis", Key::Redis)], &choice.embed.panels,
                change,
                |embed| &mut embed.panels) }
            { alone(lang, ScreenWord::EmbedMap, MAP, Mode::Find, choice, lesson, change) }
            { alone(lang, ScreenWord::EmbedConsole, CONSOLE, Mode::Schedule, choice, lesson,
                change) }
            { names(lang, Key::EmbedControls, "controls", &[("step", Key::EmbedControlStep),
                ("scrub", Key::EmbedControlScrub), ("play", Key::EmbedControlPlay),
                ("more", Key::EmbedControlMore)], &choice.embed.controls, change,
                |embed| &mut embed.controls) }
        </fieldset>
    }
}

/// The box that leaves nothing but one panel, of a mode that the lesson may not have.
fn alone(
    lang: Lang,
    word: ScreenWord,
    panel: &'static str,
    mode: Mode,
    choice: &Choice,
    lesson: &Lesson,
    change: &Change,
) -> Html {
    if !mode.is_in(lesson) {
        return Html::default();
    }
    checkbox(screen(lang, word), panel, choice.embed.is_alone(panel), change, move |choice, on| {
        let only = |name: &'static str| on.then(|| vec![name]);
        choice.embed.tabs = only(mode.id());
        choice.embed.panels = only(panel);
        choice.link.mode = on.then(|| mode.id().to_owned());
    })
}

fn begin_of(choice: &Choice, lesson: &Lesson) -> Option<usize> {
    (0..ways(lesson).len()).find(|way| begin(lesson, *way) == choice.link)
}

fn tabs_of(lesson: &Lesson) -> Vec<(&'static str, Key)> {
    Mode::of(lesson).map(|mode| (mode.id(), mode.label())).collect()
}

fn may(lang: Lang, choice: &Choice, change: &Change) -> Html {
    let embed = &choice.embed;
    html! {
        <fieldset>
            <legend>{ tr(lang, Key::EmbedMay) }</legend>
            { flag(lang, Key::EmbedReadonly, "readonly", embed.readonly, change,
                |choice, on| choice.embed.readonly = on) }
            { flag(lang, Key::EmbedRepeat, "repeat", embed.repeat, change,
                |choice, on| choice.embed.repeat = on) }
            { flag(lang, Key::EmbedNoHints, "hints", !embed.hints, change,
                |choice, on| choice.embed.hints = !on) }
            { flag(lang, Key::EmbedNoKeys, "keys", !embed.keys, change,
                |choice, on| choice.embed.keys = !on) }
            { flag(lang, Key::EmbedExam, "answers", !embed.answers, change,
                |choice, on| choice.embed.answers = !on) }
            if !embed.answers { <p class="note">{ tr(lang, Key::EmbedExamNote) }</p> }
        </fieldset>
    }
}

/// The place of the element among the kinds of snippets.
const ELEMENT: usize = 1;

fn look(lang: Lang, choice: &Choice, change: &Change) -> Html {
    let embed = &choice.embed;
    let langs = [("", Key::EmbedReader), ("en", Key::EmbedReader), ("zh", Key::EmbedReader)];
    let langs = langs.map(|(tag, key)| {
        let name = match tag {
            "en" => "English",
            "zh" => "简体中文",
            _ => tr(lang, key),
        };
        let selected = embed.lang.map_or("", Lang::tag) == tag;
        html! { <option key={tag} value={tag} {selected}>{ name }</option> }
    });
    let on_lang = select(change, |choice, value| choice.embed.lang = Lang::from_tag(value));
    // Unless it is told, an element has the theme of the page around it, a frame the system's.
    let untold = if choice.kind == ELEMENT { Key::EmbedThemeHost } else { Key::EmbedThemeAuto };
    let keys = [Key::EmbedThemeAuto, Key::EmbedThemeLight, Key::EmbedThemeDark];
    let told = THEMES.into_iter().zip(keys).filter(|(_, key)| *key != untold);
    let themes = [("", untold)].into_iter().chain(told).map(|(theme, key)| {
        let selected = embed.theme.unwrap_or_default() == theme;
        html! { <option key={theme} value={theme} {selected}>{ tr(lang, key) }</option> }
    });
    let on_theme = select(change, |choice, value| {
        choice.embed.theme = THEMES.into_iter().find(|theme| *theme == value);
    });
    let on_origin = change.reform(|event: Event| {
        let text = value(&event);
        Box::new(move |choice: &mut Choice| {
            // As the address would be read.
            let read = Embed::parse(&format!("embed&origin={}", text.trim()));
            choice.embed.origin =
                read.filter(|(_, bad)| bad.is_empty()).and_then(|(e, _)| e.origin);
        }) as Box<dyn FnOnce(&mut Choice)>
    });
    html! {
        <fieldset>
            <legend>{ tr(lang, Key::EmbedLook) }</legend>
            <div class="pair">
                <label>{ tr(lang, Key::EmbedLang) }
                    <select data-embed-field="lang" onchange={on_lang}>{ for langs }</select>
                </label>
                <label>{ tr(lang, Key::EmbedTheme) }
                    <select data-embed-field="theme" onchange={on_theme}>{ for themes }</select>
                </label>
            </div>
            { number(lang, Key::EmbedHeight, "height", (120, 10_000), embed.height, change,
                |choice, height| choice.embed.height = height) }
            { flag(lang, Key::EmbedPoster, "poster", choice.poster, change,
                |choice, on| choice.poster = on) }
            <label>{ tr(lang, Key::EmbedOrigin) }
                <input type="url" placeholder="https://course.example" data-embed-field="origin"
                    value={embed.origin.clone().unwrap_or_default()} onchange={on_origin} />
            </label>
        </fieldset>
    }
}

fn value(event: &Event) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

fn select(change: &Change, set: fn(&mut Choice, &str)) -> Callback<Event> {
    change.reform(move |event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        let value = select.map(|select| select.value()).unwrap_or_default();
        Box::new(move |choice: &mut Choice| set(choice, &value)) as Box<dyn FnOnce(&mut Choice)>
    })
}

fn flag(
    lang: Lang,
    label: Key,
    name: &'static str,
    on: bool,
    change: &Change,
    set: fn(&mut Choice, bool),
) -> Html {
    checkbox(tr(lang, label), name, on, change, set)
}

fn checkbox(
    label: &'static str,
    name: &'static str,
    on: bool,
    change: &Change,
    set: impl Fn(&mut Choice, bool) + Copy + 'static,
) -> Html {
    let onchange = change.reform(move |_: Event| {
        Box::new(move |choice: &mut Choice| set(choice, !on)) as Box<dyn FnOnce(&mut Choice)>
    });
    html! {
        <label class="check">
            <input type="checkbox" checked={on} {onchange} data-embed-field={name} />
            { label }
        </label>
    }
}

fn number(
    lang: Lang,
    label: Key,
    name: &'static str,
    (min, max): (usize, usize),
    now: Option<u32>,
    change: &Change,
    set: fn(&mut Choice, Option<u32>),
) -> Html {
    let onchange = change.reform(move |event: Event| {
        let number = value(&event).parse::<u32>().ok();
        let number = number.map(|number| number.clamp(min as u32, max as u32));
        Box::new(move |choice: &mut Choice| set(choice, number)) as Box<dyn FnOnce(&mut Choice)>
    });
    html! {
        <label>{ tr(lang, label) }
            <input type="number" min={min.to_string()} max={max.to_string()} {onchange}
                value={now.map(|now| now.to_string()).unwrap_or_default()}
                data-embed-field={name} />
        </label>
    }
}

/// One tick for each name; all of them is the same as none said.
fn names(
    lang: Lang,
    label: Key,
    group: &'static str,
    all: &[(&'static str, Key)],
    now: &Names,
    change: &Change,
    field: fn(&mut Embed) -> &mut Names,
) -> Html {
    let ids: Vec<&'static str> = all.iter().map(|(id, _)| *id).collect();
    let ticks = all.iter().map(|(id, key)| {
        let on = now.as_ref().is_none_or(|names| names.contains(id));
        let (id, ids, before) = (*id, ids.clone(), now.clone());
        let onchange = change.reform(move |_: Event| {
            let before = before.clone().unwrap_or_else(|| ids.clone());
            let wanted = |one: &&'static str| before.contains(one) != (*one == id);
            let after: Vec<&'static str> = ids.iter().copied().filter(wanted).collect();
            let after = (after.len() < ids.len()).then_some(after);
            Box::new(move |choice: &mut Choice| *field(&mut choice.embed) = after)
                as Box<dyn FnOnce(&mut Choice)>
        });
        html! {
            <label key={id} class="check">
                <input type="checkbox" checked={on} {onchange}
                    data-embed-field={format!("{group}-{id}")} />
                { tr(lang, *key) }
            </label>
        }
    });
    html! {
        <div class="ticks" role="group" aria-label={tr(lang, label)}>
            <span aria-hidden="true">{ tr(lang, label) }</span>{ for ticks }
        </div>
    }
}

// ---- What comes of it ---------------------------------------------------------------------------

fn result(props: &MakerProps, choice: &Choice, lesson: &Lesson, change: &Change) -> Html {
    let lang = props.lang;
    // The dialog has a heading of its own, below the page's.
    let level = if props.page { "2" } else { "3" };
    let recipe = Recipe {
        base: base(),
        embed: choice.embed.clone(),
        link: choice.link.clone(),
        title: lesson.title.get(choice.embed.lang.unwrap_or(lang)).clone(),
        poster: choice.poster,
    };
    let words = choice.embed.lang.unwrap_or(lang);
    let kinds = [
        ("frame", Key::KindFrame, Key::EmbedFrame),
        ("element", Key::KindElement, Key::EmbedElement),
        ("link", Key::KindLink, Key::EmbedLink),
        ("address", Key::KindAddress, Key::EmbedAddress),
    ];
    let (id, _, about) = kinds[choice.kind.min(kinds.len() - 1)];
    let text = match id {
        "frame" => recipe.frame(words),
        "element" => recipe.element(words),
        "link" => recipe.plain(words),
        _ => recipe.address(),
    };
    let kinds = kinds.iter().enumerate().map(|(at, (id, label, _))| {
        let pressed = at == choice.kind;
        let onclick = change.reform(move |_: MouseEvent| {
            Box::new(move |choice: &mut Choice| choice.kind = at) as Box<dyn FnOnce(&mut Choice)>
        });
        html! {
            <button key={*id} type="button" class={classes!(pressed.then_some("on"))} {onclick}
                aria-pressed={pressed.to_string()} data-kind={*id}>{ tr(lang, *label) }</button>
        }
    });
    let onclick = {
        let (change, text) = (change.clone(), text.clone());
        Callback::from(move |_: MouseEvent| {
            let (change, text) = (change.clone(), text.clone());
            spawn_local(async move {
                let done = browser::copy(text).await;
                change.emit(Box::new(move |choice: &mut Choice| choice.copied = done));
            });
        })
    };
    let key = if choice.copied { Key::ShareCopied } else { Key::ShareCopy };
    let preview = Recipe { base: String::new(), ..recipe };
    let address = preview.address();
    let height = choice.embed.height.unwrap_or(FRAME_HEIGHT);
    html! {
        <>
            <h3 aria-level={level}>{ tr(lang, Key::EmbedPaste) }</h3>
            <div class="segments" role="group" aria-label={tr(lang, Key::EmbedPaste)}>
                { for kinds }
            </div>
            // Where copying is refused, it can be selected.
            <div class="snippet" data-snippet={id}>
                <label>{ tr(lang, about) }
                    <textarea readonly=true rows="5" value={text} spellcheck="false"
                        translate="no" />
                </label>
                <button type="button" class="main" {onclick}>{ tr(lang, key) }</button>
            </div>
            <p class="sr" role="status">
                if choice.copied { { tr(lang, Key::ShareCopied) } }
            </p>
            <p class="more-ways">
                <a href="embed/README.md" target="_blank">{ tr(lang, Key::EmbedRecipes) }</a>
                <a href="embed/course.html" target="_blank">{ tr(lang, Key::EmbedCourse) }</a>
            </p>
            <h3 aria-level={level}>{ tr(lang, Key::EmbedPreview) }</h3>
            <iframe key={address.clone()} class="preview" title={tr(lang, Key::EmbedPreview)}
                src={address} height={height.to_string()} loading="lazy"></iframe>
        </>
    }
}

/// The address of the page up to its last slash.
fn base() -> String {
    let address = browser::address();
    let page = address.split(['#', '?']).next().unwrap_or_default();
    page.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default()
}
