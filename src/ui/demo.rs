//! The run on the front page: it plays by itself, slowly, where the reader allows motion; it can be
//! paused, stepped and clicked as any other. Elsewhere it shows how it ends.

use std::rc::Rc;

use gloo_timers::callback::Interval;
use yew::html::Scope;
use yew::prelude::*;

use crate::json;
use crate::lesson::Lesson;
use crate::text::{Key, Lang, fill, tr};
use crate::view::chips::{ChipState, chips};
use crate::view::diagram::{HEAD, Space, diagram};
use crate::view::front::{FIRST_LESSON, play_on, shown};
use crate::view::session::{Msg, Session};

use super::app::{App, Event};
use super::diagram::DiagramPane;
use super::header::chip;
use super::{browser, icons, rich};

/// Between two steps; the last one stays for several of these.
const STEP_MS: u32 = 1_900;
const LAST_STAYS: u8 = 3;

/// The height of a row.
const ROW: i32 = 58;

/// What happens to the run.
#[derive(Debug)]
pub enum Turn {
    Loaded(Box<Result<Lesson, String>>),
    Tick,
    /// Plays, or pauses.
    Play,
    Seek(usize),
    Width(i32),
}

#[derive(Default)]
pub struct Demo {
    session: Option<Session>,
    asked: bool,
    playing: Option<Interval>,
    /// Ticks since the end was reached.
    stayed: u8,
    /// The reader has taken over.
    touched: bool,
    width: i32,
}

impl Demo {
    /// The front page is shown, or no longer.
    pub fn show(&mut self, is_shown: bool, link: &Scope<App>) {
        if !is_shown {
            self.playing = None;
        } else if !self.asked {
            self.asked = true;
            self.width = 460;
            link.send_future(async {
                let text = browser::load(format!("lessons/{FIRST_LESSON}.json")).await;
                let lesson = text.and_then(|text| json::read(&text));
                Event::Demo(Turn::Loaded(Box::new(lesson)))
            });
        } else if self.playing.is_none() && !self.touched {
            self.start(link);
        }
    }

    /// Plays where motion is welcome; else shows the end.
    fn start(&mut self, link: &Scope<App>) {
        let Some(session) = &mut self.session else { return };
        if browser::matches("(prefers-reduced-motion: reduce)") {
            session.update(Msg::Seek(usize::MAX));
        } else {
            self.play(link);
        }
    }

    fn play(&mut self, link: &Scope<App>) {
        let link = link.clone();
        let tick = move || link.send_message(Event::Demo(Turn::Tick));
        self.playing = Some(Interval::new(STEP_MS, tick));
    }

    pub fn update(&mut self, turn: Turn, link: &Scope<App>) {
        if let Turn::Loaded(lesson) = turn {
            // Without it the page still has everything else; the lesson itself says what is wrong.
            self.session = lesson.ok().and_then(|lesson| shown(Rc::new(lesson)));
            return self.start(link);
        }
        let Some(session) = &mut self.session else { return };
        match turn {
            Turn::Loaded(_) => {}
            Turn::Width(width) => self.width = width.max(200),
            Turn::Tick => {
                let timeline = session.timeline();
                let at_end = timeline.cursor() == timeline.len();
                self.stayed = if at_end { self.stayed + 1 } else { 0 };
                if !at_end || self.stayed >= LAST_STAYS {
                    play_on(session);
                }
            }
            Turn::Play if self.playing.is_some() => {
                (self.playing, self.touched) = (None, true);
            }
            Turn::Play => {
                play_on(session);
                self.play(link);
            }
            Turn::Seek(step) => {
                session.update(Msg::Seek(step));
                (self.playing, self.touched) = (None, true);
            }
        }
    }

    pub fn view(&self, lang: Lang, on: &Callback<Turn>) -> Html {
        let Some(session) = &self.session else { return html! { <div class="demo"></div> } };
        let timeline = session.timeline();
        let (step, steps) = (timeline.cursor(), timeline.len());
        let chips = chips(session, lang);
        let chips = chips
            .iter()
            .filter(|chip| matches!(chip.state, ChipState::Holds | ChipState::Broken(_)));
        let words = session.lesson().walk_step(session.walk(), step, lang);
        let space = Space {
            width: self.width,
            // Its box is as high as the picture.
            height: HEAD + ROW * steps as i32,
            total: steps,
            hides_future: true,
        };
        let on_size = on.reform(|(width, _)| Turn::Width(width));
        let (icon, label) = match self.playing.is_some() {
            true => (icons::pause(), Key::Pause),
            false => (icons::play(), Key::Play),
        };
        let play = on.reform(|_: MouseEvent| Turn::Play);
        let back = step.checked_sub(1);
        let next = Some(step + 1).filter(|next| *next <= steps);
        let of = fill(tr(lang, Key::StepOf), &[&step.to_string(), &steps.to_string()]);
        let own = format!("#lesson={FIRST_LESSON}&mode=schedule&lang={}", lang.tag());
        html! {
            <section class="demo" aria-label={tr(lang, Key::DemoTitle)}
                data-step-now={step.to_string()}>
                <header>
                    <h2>{ tr(lang, Key::DemoTitle) }</h2>
                    <ul class="chips">{ for chips.map(chip) }</ul>
                </header>
                <DiagramPane diagram={diagram(timeline, space, lang)} {lang} {step}
                    on_seek={on.reform(Turn::Seek)} {on_size} />
                <div class="words">{ rich::blocks(words) }</div>
                <div class="moves">
                    { seek(back, Key::Back, icons::back(), lang, on) }
                    <button type="button" onclick={play} aria-label={tr(lang, label)}
                        title={tr(lang, label)} data-demo="play">{ icon }</button>
                    { seek(next, Key::Forward, icons::forward(), lang, on) }
                    <span class="of">{ of }</span>
                    <a href={own}>{ tr(lang, Key::DemoOpen) }</a>
                </div>
            </section>
        }
    }
}

fn seek(to: Option<usize>, label: Key, icon: Html, lang: Lang, on: &Callback<Turn>) -> Html {
    let onclick = on.reform(move |_: MouseEvent| Turn::Seek(to.unwrap_or_default()));
    let label = tr(lang, label);
    html! {
        <button type="button" {onclick} disabled={to.is_none()} aria-label={label} title={label}>
            { icon }
        </button>
    }
}
