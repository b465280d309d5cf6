//! The stage: the run that is stepped, drawn from plain data, and its films.
//!
//! One component. What is drawn is a [`Picture`] and what stands around it; the elements carry the
//! names of places in `data-place`. A film is played in steps that follow renders: the frame before
//! is drawn and measured, the frame after is drawn, and the player lets arrive what has not arrived
//! (see [`player`]). No film costs a render while it plays.

mod before;
mod board;
mod code;
mod dock;
mod places;
mod player;
mod reel;
pub mod say;

use std::collections::VecDeque;
use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use crate::app::input::Input;
use crate::app::run::SPEEDS;
use crate::app::stage::{Picture, StageView, Way};
use crate::session::progress::Onward;
use crate::session::{Mode, Msg as Run};
use crate::text::{Key, Lang, tr};
use crate::view::map::Orders;
use crate::view::stage::flow::Chart;
use crate::view::stage::readings::FLOW;

use self::player::Player;
use super::compare;
use super::diagram::DiagramPane;
use super::gauges as instruments;
use super::header::{GoalProps, goal};
use super::lazy::{Same, memo};
use super::map;
use super::strip::Drag;

#[derive(Properties, PartialEq)]
pub struct StageProps {
    pub view: Same<StageView>,
    /// True on the front page, where only the parts that step are shown.
    #[prop_or_default]
    pub on_front: bool,
    /// The target of the last button of the dock.
    #[prop_or_default]
    pub onward: Option<Onward>,
    /// The map of all orders, if it is known.
    #[prop_or_default]
    pub orders: Option<Orders>,
    /// True if it has its room, which is empty until it is known.
    #[prop_or_default]
    pub has_map: bool,
    pub on: Callback<Input>,
    pub on_room: Callback<(i32, i32)>,
}

/// An action to show a film; one is done after each render.
#[derive(Debug, Clone)]
enum Act {
    /// Draws this picture.
    Draw(Rc<Picture>),
    /// Measures the frame before.
    Measure,
    Play,
}

pub enum Msg {
    /// The film with this serial number has ended.
    Ended(u32),
    Drag(Drag),
    /// Does the next action to show a film.
    Next,
}

pub struct Stage {
    /// The picture that is drawn: during a film, the frame it leads to (or comes from, backwards).
    drawn: Rc<Picture>,
    acts: VecDeque<Act>,
    player: Player,
    /// True until Redis is scrolled to what has changed in a picture that no film led to: the one
    /// that a film went back to, too.
    is_new: bool,
    /// The serial number of the film shown last.
    serial: u32,
    root: NodeRef,
    layer: NodeRef,
}

impl Component for Stage {
    type Message = Msg;
    type Properties = StageProps;

    fn create(ctx: &Context<Self>) -> Stage {
        let view = &ctx.props().view;
        Stage {
            drawn: view.picture.clone(),
            acts: VecDeque::new(),
            player: Player::default(),
            is_new: true,
            serial: view.showing.as_ref().map_or(0, |one| one.serial),
            root: NodeRef::default(),
            layer: NodeRef::default(),
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &StageProps) -> bool {
        let view = &ctx.props().view;
        if *view == old.view {
            return true;
        }
        let showing = view.showing.as_ref();
        match showing {
            Some(showing) if showing.serial == self.serial => {
                // The film goes on; what has changed beside it waits for its end.
                if !self.player.is_loaded() && self.acts.is_empty() {
                    self.drawn = view.picture.clone();
                }
            }
            Some(showing) => {
                self.serial = showing.serial;
                let is_held =
                    self.player.is_of(&showing.film) && matches!(showing.way, Way::Hold(_));
                if let (Way::Hold(part), true) = (showing.way, is_held) {
                    self.player.seek(part);
                    return true;
                }
                self.player.stop();
                self.acts.clear();
                self.acts.push_back(Act::Draw(showing.after.clone()));
                self.acts.push_back(Act::Play);
                if self.is_drawn(&showing.before) {
                    self.measure(ctx);
                } else {
                    self.acts.push_front(Act::Measure);
                    self.acts.push_front(Act::Draw(showing.before.clone()));
                }
                if let Some(Act::Draw(picture)) = self.acts.pop_front() {
                    self.drawn = picture;
                }
            }
            None => {
                self.player.finish();
                self.acts.clear();
                self.is_new = !Rc::ptr_eq(&self.drawn, &view.picture);
                self.drawn = view.picture.clone();
                self.serial = 0;
            }
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Ended(serial) => {
                if serial != self.serial {
                    return false;
                }
                self.player.finish();
                let StageView { picture, showing, .. } = &*ctx.props().view;
                self.is_new = showing.as_ref().is_some_and(|one| one.way == Way::Back);
                let other = !Rc::ptr_eq(picture, &self.drawn);
                self.drawn = picture.clone();
                other || self.is_new
            }
            Msg::Drag(Drag::To(place)) => {
                ctx.props().on.emit(Input::Scrub(place));
                false
            }
            Msg::Next => true,
            Msg::Drag(Drag::Let) => {
                self.player.let_go(SPEEDS[ctx.props().view.speed]);
                false
            }
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, _first: bool) {
        if let Some(root) = self.root.cast::<Element>().filter(|_| self.has_threads()) {
            board::lay_threads(&root);
        }
        if std::mem::take(&mut self.is_new)
            && let Some(root) = self.root.cast::<Element>()
        {
            board::show_touched(&root, None);
        }
        loop {
            match self.acts.pop_front() {
                Some(Act::Measure) => self.measure(ctx),
                Some(Act::Play) => self.play(ctx),
                Some(Act::Draw(picture)) => {
                    self.drawn = picture;
                    // Drawn before the browser paints what is there now.
                    ctx.link().send_message(Msg::Next);
                    break;
                }
                None => break,
            }
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let StageProps { view, on_front, onward, orders, has_map, on, on_room } = ctx.props();
        let (lang, picture) = (view.lang, &*self.drawn);
        let beside = view.comparison.as_ref();
        html! {
            <>
                if !on_front {
                    { memo(GoalProps {
                        lang,
                        lesson: Same(view.lesson.clone()),
                        variants: view.variants.clone(),
                        variant: view.variant,
                        chips: picture.chips.clone(),
                        run_name: view.run_name.clone(),
                        staged: true,
                        on: on.clone(),
                    }, goal) }
                }
                <@{if *on_front { "div" } else { "main" }} ref={self.root.clone()}
                    class={classes!((!on_front).then_some("lesson"), "stage",
                        (picture.board.instances.len() > 1).then_some("many"),
                        view.showing.is_none().then_some("calm"),
                        (view.mode == Mode::Watch).then_some("watching"),
                        beside.map(|_| "comparing"))}
                    data-fingerprint={format!("{:016x}", view.world)}
                    data-digest={format!("{:016x}", view.digest)}
                    data-step-now={view.step.to_string()}
                    data-clients={picture.cards.len().to_string()}>
                    if let Some(beside) = beside { { compare::comparison(beside, lang, on) } }
                    <section class="programs" aria-label={tr(lang, Key::Clients)}>
                        if view.face == FLOW {
                            { flows(&picture.charts, lang, on) }
                        } else {
                            <code::Code cards={Same(picture.cards.clone())}
                                listings={Same(picture.listings.clone())} {lang} {on} />
                        }
                        // One node also without it, or the listing before it would be made anew.
                        { has_map.then(|| map::orders(orders.as_ref(), &picture.listings, lang))
                            .unwrap_or_default() }
                    </section>
                    <section class="time" aria-label={tr(lang, Key::Time)}>
                        <DiagramPane diagram={picture.diagram.clone()} {lang} step={picture.step}
                            on_seek={on.reform(|step| Input::Session(Run::Seek(step)))}
                            on_size={on_room.clone()} />
                    </section>
                    <section class="redis" tabindex="0" aria-label={tr(lang, Key::Redis)}>
                        { board::board(&picture.board, &picture.redis, &picture.gauges, lang) }
                    </section>
                </@>
                { say::say(view, *on_front, on) }
                { dock::dock(&dock::DockProps {
                    view,
                    on_front: *on_front,
                    onward: onward.as_ref(),
                    on,
                    drag: ctx.link().callback(|msg| msg),
                }) }
                <div class="film" ref={self.layer.clone()} aria-hidden="true"></div>
            </>
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        self.player.finish();
    }
}

impl Stage {
    fn has_threads(&self) -> bool {
        !self.drawn.board.threads.is_empty()
    }

    fn is_drawn(&self, picture: &Picture) -> bool {
        Rc::ptr_eq(&self.drawn.frame, &picture.frame) && self.drawn.step == picture.step
    }

    fn measure(&mut self, ctx: &Context<Self>) {
        if let Some(showing) = &ctx.props().view.showing {
            if let Some(root) = self.root.cast::<Element>() {
                board::show_touched(&root, Some(&showing.film));
            }
            self.player.measure(&showing.film, &self.layer);
        }
    }

    fn play(&mut self, ctx: &Context<Self>) {
        let view = &ctx.props().view;
        let Some(showing) = &view.showing else { return };
        let (link, serial) = (ctx.link().clone(), showing.serial);
        let ended = move || link.send_message(Msg::Ended(serial));
        self.player.load(&showing.film, showing.way == Way::Back, ended);
        match showing.way {
            Way::Forward => self.player.play(SPEEDS[view.speed]),
            Way::Back => self.player.play(-2.0 * SPEEDS[view.speed]),
            Way::Hold(part) => self.player.seek(part),
        }
    }
}

#[inline(never)]
fn flows(charts: &[Chart], lang: Lang, on: &Callback<Input>) -> Html {
    let charts = charts.iter().map(|one| instruments::flow(one, lang, on));
    html! { <div class="flows">{ for charts }</div> }
}
