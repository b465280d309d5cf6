//! The run on the front page: the stage itself, with two buttons. It moves when the reader presses
//! one of them, and never by itself.
//!
//! A component of its own, so that a press draws only the stage and what stands below it.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::app::input::Input;
use crate::app::keys::is_character;
use crate::app::run::{Outside, RunState};
use crate::app::stage::Hint;
use crate::json;
use crate::lesson::Lesson;
use crate::session::Msg as Run;
use crate::sim::ClientId;
use crate::text::{Key, Lang, tr};
use crate::view::home::front::{self, FIRST_LESSON, Orders, Outcome};

use super::browser;
use super::lazy::Same;
use super::stage::Stage;

/// A run, and what its orders come to, where they can be told.
pub struct Play {
    run: RunState,
    orders: Option<Orders>,
}

/// The run, for as long as another page is shown.
#[derive(Clone, Default)]
pub struct Kept(Rc<RefCell<Option<Play>>>);

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub struct FrontProps {
    pub lang: Lang,
    pub kept: Kept,
    /// The main way: in words, and its address.
    pub way: (String, String),
}

pub enum Msg {
    Loaded(Box<Result<Lesson, String>>),
    Input(Input),
    Key(KeyboardEvent),
    /// The room of the diagram, in px.
    Room((i32, i32)),
}

pub struct Front {
    play: Option<Play>,
    on: Callback<Input>,
    on_room: Callback<(i32, i32)>,
    on_key: Closure<dyn Fn(KeyboardEvent)>,
}

impl Component for Front {
    type Message = Msg;
    type Properties = FrontProps;

    fn create(ctx: &Context<Self>) -> Front {
        let link = ctx.link().clone();
        let on_key = Closure::new(move |event| link.send_message(Msg::Key(event)));
        browser::listen("keydown", on_key.as_ref().unchecked_ref());
        let play = ctx.props().kept.0.take();
        if play.is_none() {
            ctx.link().send_future(async {
                let text = browser::load(format!("lessons/{FIRST_LESSON}.json")).await;
                Msg::Loaded(Box::new(text.and_then(|text| json::read(&text))))
            });
        }
        let mut front = Front {
            play,
            on: ctx.link().callback(Msg::Input),
            on_room: ctx.link().callback(Msg::Room),
            on_key,
        };
        front.refresh(ctx, false);
        front
    }

    fn changed(&mut self, ctx: &Context<Self>, _: &FrontProps) -> bool {
        self.refresh(ctx, false);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let mut held = false;
        match msg {
            // Without it the page still has everything else; the lesson itself says what is wrong.
            Msg::Loaded(lesson) => self.play = lesson.ok().and_then(play),
            Msg::Input(Input::Session(msg)) => self.press(msg),
            Msg::Input(_) => return false,
            Msg::Key(event) => {
                let Some(msg) = self.key(&event) else { return false };
                event.prevent_default();
                held = event.repeat();
                self.press(msg);
            }
            Msg::Room(room) => {
                let Some(play) = self.play.as_mut().filter(|play| play.run.room != room) else {
                    return false;
                };
                if room.0 == 0 {
                    return false;
                }
                play.run.room = room;
            }
        }
        self.refresh(ctx, held);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let FrontProps { lang, way, .. } = ctx.props();
        let lang = *lang;
        let view = self.play.as_ref().and_then(|play| play.run.view());
        html! {
            <section class="front" aria-label={tr(lang, Key::FrontTitle)}>
                <div class="frame">
                    if let Some(view) = view {
                        <Stage view={Same(view.clone())} on_front=true on={self.on.clone()}
                            on_room={self.on_room.clone()} />
                    }
                </div>
                <div class="outcome">
                    { self.outcome(lang).map(words).unwrap_or_else(|| html! { <div></div> }) }
                    <a class="main" href={way.1.clone()}>{ way.0.clone() }{ "\u{a0}→" }</a>
                </div>
            </section>
        }
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        browser::unlisten("keydown", self.on_key.as_ref().unchecked_ref());
        *ctx.props().kept.0.borrow_mut() = self.play.take();
    }
}

/// Without readings in other languages: the frame has room for the few lines of the Lua.
fn play(lesson: Lesson) -> Option<Play> {
    let lesson = Lesson { lenses: Vec::new(), flows: Vec::new(), ..lesson };
    let session = front::session(Rc::new(lesson))?;
    let orders = front::orders(&session);
    let mut run = RunState::new(String::new());
    run.hides_future = true;
    run.session = Some(session);
    Some(Play { run, orders })
}

fn words(outcome: Outcome) -> Html {
    html! {
        <div data-kept={outcome.kept.map(|kept| kept.to_string())}>
            <h2>{ outcome.title }</h2>
            <p>{ outcome.about }</p>
        </div>
    }
}

impl Front {
    fn outcome(&self, lang: Lang) -> Option<Outcome> {
        let play = self.play.as_ref()?;
        Some(front::outcome(play.run.session.as_ref()?, play.orders?, lang))
    }

    #[inline(never)]
    fn press(&mut self, msg: Run) {
        let session = self.play.as_mut().and_then(|play| play.run.session.as_mut());
        if let Some(session) = session {
            session.update(msg);
        }
    }

    /// Makes what the stage shows. A key that is held down steps at full rate, without films.
    fn refresh(&mut self, ctx: &Context<Self>, held: bool) {
        let Some(play) = &mut self.play else { return };
        play.run.refresh(&Outside {
            passes: None,
            lang: ctx.props().lang,
            // Films come with the later part of the program.
            calm: held || browser::is_calm() || !browser::is_whole(),
            is_own: false,
            hint: Hint::Absent,
            best: None,
            outlook: None,
        });
    }

    /// A letter or a number steps its client, as in a lesson.
    fn key(&self, event: &KeyboardEvent) -> Option<Run> {
        let world = self.play.as_ref()?.run.session.as_ref()?.timeline().world();
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return None;
        }
        let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        let other = |element: &Element| {
            element.closest("dialog, input, textarea, select").ok().flatten().is_some()
        };
        if target.as_ref().is_some_and(other) {
            return None;
        }
        let name = event.key();
        if is_character(&name) && !browser::has_letters() {
            return None;
        }
        if name == "ArrowLeft" {
            return Some(Run::Back);
        }
        let code = event.code();
        let digit = code.strip_prefix("Digit").or(code.strip_prefix("Numpad"));
        let number: u16 = match digit {
            Some(digit) => digit.parse().ok()?,
            None => match name.as_bytes() {
                [letter] if letter.is_ascii_alphabetic() => {
                    u16::from(letter.to_ascii_uppercase() - b'A') + 1
                }
                _ => return None,
            },
        };
        let id = ClientId(number.checked_sub(1)?);
        world.next_of(id).is_some().then_some(Run::Step(id))
    }
}
