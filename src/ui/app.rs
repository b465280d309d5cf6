//! The page as a component: it hands what arrives to [`Shell`], has the effects carried out, and
//! draws the state.

use wasm_bindgen::prelude::*;
use web_sys::KeyboardEvent;
use yew::prelude::*;

use crate::app::banner::Banner;
use crate::app::effect::Timer;
use crate::app::event::Event;
use crate::app::input::Input;
use crate::app::route::Page;
use crate::app::shell::Shell;
use crate::text::{Key, tr};
use crate::view::embed::Embed;
use crate::view::learn::handout::Handout;

use super::class::{class_page, progress_page};
use super::focus::Focus;
use super::front::Kept;
use super::glossary::glossary;
use super::guide::guide;
use super::header::{BannersProps, HeaderProps, banners, header};
use super::home::{Home, home};
use super::lazy::memo;
use super::own::open_file;
use super::paper::paper;
use super::present::{fit, overlay};
use super::returns::Returns;
use super::runtime::{HOST, Runtime};
use super::{browser, dialogs, kept, offline, pages};

/// A message to the component.
pub enum Msg {
    Event(Event),
    Key(KeyboardEvent),
    /// The page begins to be printed, or has been.
    Print(bool),
}

pub struct App {
    shell: Shell,
    runtime: Runtime,
    /// Always the same ones, so that what is drawn from them can be compared.
    on: Callback<Input>,
    on_room: Callback<(i32, i32)>,
    /// The run on the front page.
    front: Kept,
    /// True while the page is printed.
    prints: bool,
    returns: Returns,
    focus: Focus,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> App {
        let link = ctx.link();
        listen(ctx);
        let asked = Embed::parse(&browser::query());
        if let Some((asked, _)) = &asked {
            browser::set_root("data-embed", "fixed");
            for (name, value) in asked.attributes() {
                browser::set_root(name, &value);
            }
        }
        let runtime =
            Runtime::new(asked.as_ref().map(|(asked, _)| asked), link.callback(Msg::Event));
        let mut app = App {
            shell: Shell::new(HOST, asked),
            runtime,
            on: link.callback(|input| Msg::Event(Event::Input(input))),
            on_room: link.callback(|(width, height)| Msg::Event(Event::Room(width, height))),
            front: Kept::default(),
            prints: false,
            returns: Returns::default(),
            focus: Focus::default(),
        };
        app.carry_out();
        if let Some(word) = offline::word() {
            app.hear(Event::Offline(word));
        }
        app
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        let is_moved = matches!(msg, Msg::Event(Event::Moved));
        self.focus.note(is_moved);
        match msg {
            Msg::Event(event) => {
                if is_moved {
                    self.returns.leave();
                }
                self.hear(event)
            }
            Msg::Print(prints) => {
                self.prints = prints;
                true
            }
            Msg::Key(event) => {
                match self.shell.pressed(&browser::key_press(&event), event.repeat()) {
                    Some(input) => {
                        event.prevent_default();
                        self.hear(Event::Input(input))
                    }
                    None => false,
                }
            }
        }
    }

    fn rendered(&mut self, _: &Context<Self>, first: bool) {
        self.returns.drawn(self.shell.at_list());
        std::mem::take(&mut self.focus).keep();
        if self.shell.is_marked() {
            self.runtime.time(Timer::Drawn, Some(0));
        }
        if first {
            self.runtime.observe();
        }
        if self.shell.lesson.presenter.is_some() && self.shell.lesson.run.session.is_some() {
            fit();
        }
    }

    fn view(&self, _: &Context<Self>) -> Html {
        draw(&self.shell, &self.on, &self.on_room, &self.front, self.prints)
    }
}

/// Draws the whole page. Natively, too (see `paint`).
#[inline(always)]
pub fn draw(
    shell: &Shell,
    on: &Callback<Input>,
    on_room: &Callback<(i32, i32)>,
    front: &Kept,
    prints: bool,
) -> Html {
    let lang = shell.lang;
    let title = shell.lesson_shown().map(|lesson| lesson.title.get(lang).clone());
    let title = match shell.playground() {
        Some(_) => title
            .filter(|title| !title.is_empty())
            .or_else(|| Some(tr(lang, Key::Playground).to_owned())),
        None => title,
    };
    let podium = shell.lesson.presenter.map(|dark| {
        let view = shell.lesson.run.view().map(|view| &**view);
        overlay(dark, view, title.clone().unwrap_or_default(), lang, on)
    });
    let session = shell.lesson.run.session.as_ref();
    let modes = session.map(|session| (session.modes(), session.mode()));
    html! {
        <div class={classes!("page", session.is_some().then_some("in-lesson"),
            shell.lesson.presenter.is_some().then_some("presenting"))}>
            { if prints { printed(shell) } else { Html::default() } }
            <button type="button" class="skip"
                onclick={|_: MouseEvent| browser::skip_to(CONTENT)}>
                { tr(lang, Key::SkipTo) }</button>
            { memo(HeaderProps {
                lang,
                theme: shell.theme,
                title,
                modes,
                done: shell.lesson.progress,
                embed: shell.course.is_some(),
                on: on.clone(),
            }, header) }
            { banners(&BannersProps {
                lang,
                banners: shell.banner_texts(),
                retry: shell.banners.iter().any(Banner::can_retry),
                nearest: shell.nearest().cloned(),
                dismiss: !shell.is_bare(),
                on: on.clone(),
            }) }
            { offline::news(shell.has_news, lang, on) }
            { shell.offered().map(|offered| kept::offers(&offered, lang, on)) }
            { match session {
                Some(session) => pages::lesson(shell, session, on, on_room),
                None if shell.guide.is_some() => guiding(shell, on),
                None if shell.wanted.is_some() => html! {
                    <main class="loading">
                        <p role="status">{ tr(lang, Key::Loading) }</p>
                    </main>
                },
                None if shell.page == Page::Glossary => {
                    glossary(shell.glossary.as_ref(), &shell.filter, lang, on)
                }
                None if shell.page == Page::Embed => dialogs::embed_page(shell, on),
                None if shell.is_bare() => html! { <main/> },
                None if shell.page == Page::Progress => progress_page(shell, on),
                None if shell.page == Page::Class => class_page(shell, on),
                None => home(&Home {
                    index: shell.index.as_ref(),
                    done: shell.done.as_ref(),
                    front,
                    lang,
                }),
            } }
            <p class="toast" role="status">
                if shell.copied == Some("run") { { tr(lang, Key::Shared) } }
            </p>
            { dialogs::share(shell, on) }
            { session.map(|session| dialogs::embed(shell, session, on)) }
            if shell.real.is_some() { { dialogs::real(shell, on) } }
            { podium }
            { dialogs::help(shell, on) }
            { session.map(|session| dialogs::goal(shell, session, on)) }
        </div>
    }
}

/// Where the first Tab can lead: the first button that steps, or else the page's content.
const CONTENT: [&str; 2] = [".dock .step, .dock button", "main"];

impl App {
    /// Handles an event, and has carried out what follows from it. Returns whether there is
    /// something new to show.
    fn hear(&mut self, event: Event) -> bool {
        self.shell.workers = self.runtime.workers();
        let shows = self.shell.hear(event);
        self.carry_out() || shows
    }

    /// Carries out what is to be done. Returns whether there is something new to show.
    fn carry_out(&mut self) -> bool {
        let came = self.runtime.carry_out(self.shell.take_effects());
        if let Some(fragment) = came.written {
            self.shell.is_written(fragment);
        }
        came.is_moved && self.hear(Event::Moved)
    }
}

#[inline(never)]
fn guiding(shell: &Shell, on: &Callback<Input>) -> Html {
    let found = shell.guide.as_ref().and_then(|one| Some((one, one.lesson.guide.as_ref()?)));
    let Some((one, found)) = found else { return Html::default() };
    guide(&one.lesson, found, &one.trail, shell.lang, on)
}

/// Draws the lesson for paper; nothing where the page is printed as it stands.
#[inline(never)]
fn printed(shell: &Shell) -> Html {
    let sheet = shell.lesson.run.session.as_ref();
    let sheet = sheet.and_then(|one| Handout::of(one, &shell.lesson.run.face, shell.lang));
    sheet.map(|sheet| paper(&sheet, shell.lang)).unwrap_or_default()
}

/// Keys, printing, the address, the offline copy and files that are dropped, for as long as the
/// page lives.
fn listen(ctx: &Context<App>) {
    type Listener<E> = Closure<dyn Fn(E)>;
    let link = ctx.link().clone();
    let on_key = Listener::<KeyboardEvent>::new(move |event| link.send_message(Msg::Key(event)));
    browser::listen("keydown", on_key.as_ref().unchecked_ref());
    on_key.forget();
    // The browser lays the pages out as soon as these have returned, and what they asked for is
    // drawn before that.
    for (event, prints) in [("beforeprint", true), ("afterprint", false)] {
        let link = ctx.link().clone();
        let on_print = Closure::<dyn Fn()>::new(move || link.send_message(Msg::Print(prints)));
        browser::listen(event, on_print.as_ref().unchecked_ref());
        on_print.forget();
    }
    let hear = ctx.link().callback(Msg::Event);
    let on_move = {
        let hear = hear.clone();
        Closure::<dyn Fn()>::new(move || hear.emit(Event::Moved))
    };
    browser::listen("hashchange", on_move.as_ref().unchecked_ref());
    on_move.forget();
    let on_word = Closure::<dyn Fn()>::new(move || {
        hear.emit(Event::Offline(offline::word().unwrap_or_default()));
    });
    browser::listen(offline::HEARD, on_word.as_ref().unchecked_ref());
    on_word.forget();
    let over = Listener::<web_sys::Event>::new(|event: web_sys::Event| {
        if browser::drags_files(&event) {
            event.prevent_default();
        }
    });
    browser::listen("dragover", over.as_ref().unchecked_ref());
    over.forget();
    let on = ctx.link().callback(|input| Msg::Event(Event::Input(input)));
    let drop = Listener::<web_sys::Event>::new(move |event: web_sys::Event| {
        if browser::drags_files(&event) {
            event.prevent_default();
        }
        if let Some((name, file)) = browser::dropped(&event) {
            open_file(name, file, &on);
        }
    });
    browser::listen("drop", drop.as_ref().unchecked_ref());
    drop.forget();
}
