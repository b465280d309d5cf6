//! The pages of a lesson, one per mode, put together from their parts.

use std::rc::Rc;

use yew::prelude::*;

use crate::text::{Key, Lang, tr};
use crate::view::cards::{Card, FLOW, Face, LUA, faces};
use crate::view::challenge::challenge;
use crate::view::chips::chips;
use crate::view::compare::comparison;
use crate::view::crowd::View;
use crate::view::diagram::{BandKind, Diagram, Space};
use crate::view::explain::explain_with;
use crate::view::faults::{self, Group};
use crate::view::find::{Panel, hint};
use crate::view::flow::charts;
use crate::view::gauges::gauges;
use crate::view::redis::panel;
use crate::view::review::review;
use crate::view::session::{Mode, Msg, Session};
use crate::view::strip::{self, Strip};

use super::app::{App, Dialog, Event, Input, OwnInput};
use super::cards::{Cards, step_button};
use super::compare::{self, Runs};
use super::diagram::DiagramPane;
use super::faults::Faults;
use super::find::{self, FindProps, Hint};
use super::fix::FixProps;
use super::gauges as instruments;
use super::header::{GoalProps, goal};
use super::lazy::{Same, memo};
use super::redis::redis;
use super::searches::Searches;
use super::story::{StoryProps, Told, story};
use super::transport::{TransportProps, transport};
use super::{browser, crowd, fix, own, review as reviewing, story as words};

impl App {
    /// The page of the mode.
    pub(super) fn lesson(
        &self,
        ctx: &Context<Self>,
        session: &Session,
        on: &Callback<Input>,
    ) -> Html {
        match session.mode() {
            Mode::Edit => match self.playground() {
                Some(play) => own::own(play, self.lang, on),
                None => Html::default(),
            },
            Mode::Watch | Mode::Schedule | Mode::Break => self.stepping(ctx, session, on),
            Mode::Find => self.finding(session, on),
            Mode::Fix => self.fixing(session, on),
            Mode::Crowd => self.crowding(session, on),
            Mode::Review => self.reviewing(session, on),
        }
    }

    #[inline(never)]
    fn crowding(&self, session: &Session, on: &Callback<Input>) -> Html {
        let view = self.crowds.get().map(|at| View::new(at, browser::is_touch(), self.lang));
        html! {
            <>
                { self.playground().map(|play| own::stale(&play.mistakes, self.lang, on))
                    .unwrap_or_default() }
                { plain_goal(session, self.lang) }
                { view.map(|view| crowd::crowd(&view, self.lang, on)).unwrap_or_default() }
            </>
        }
    }

    #[inline(never)]
    fn reviewing(&self, session: &Session, on: &Callback<Input>) -> Html {
        let review = review(session.lesson(), &self.answers, self.lang);
        let review = if session.part().exam { review.withheld() } else { review };
        html! {
            <>
                { plain_goal(session, self.lang) }
                { reviewing::review(&review, self.lang, on) }
            </>
        }
    }

    fn stepping(&self, ctx: &Context<Self>, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let lesson = session.lesson();
        let timeline = session.timeline();
        let (step, steps) = (timeline.cursor(), timeline.len());
        let send = |make: fn(usize) -> Msg| on.reform(move |n: usize| Input::Session(make(n)));
        let say = |msg: Msg| on.reform(move |()| Input::Session(msg.clone()));
        let faces = faces(session);
        let face = match faces.iter().find(|face| face.id == self.face) {
            Some(face) => face.id.as_str(),
            None => LUA,
        };
        let cards: Rc<[Rc<Card>]> = self.deck.borrow_mut().cards(session, face, lang).into();
        let dared = challenge(session, self.progress.best, lang);
        let watching = session.mode() == Mode::Watch;
        let hint = watching.then(|| AttrValue::from(tr(lang, Key::WatchOnly)));
        let told = watching.then(|| self.told(session));
        let play = self.playground();
        // The playground has but one, without a name.
        let variants = if play.is_some() { Vec::new() } else { self.variants(session) };
        let space = Space {
            width: self.room.0,
            height: self.room.1,
            // A story's run is there from the start.
            total: if watching { steps } else { Space::GROWING },
            hides_future: watching,
        };
        let menu = faults::menu(session, lang);
        let mut plan = self.plan.borrow_mut();
        let said = explain_with(session, &plan.races(timeline), lang);
        let drawn = plan.diagram(timeline, space, lang);
        let beside = comparison(session, &mut self.followers.borrow_mut(), lang);
        let variant_name = variants.get(session.variant()).cloned().unwrap_or_default();
        let world = format!("{:016x}", timeline.frame().fingerprint);
        let run = format!("{:016x}", timeline.digest());
        html! {
            <>
                { play.map(|play| own::stale(&play.mistakes, lang, on)).unwrap_or_default() }
                { memo(GoalProps {
                    lang,
                    lesson: Same(lesson.clone()),
                    variants,
                    variant: session.variant(),
                    chips: chips(session, lang),
                    on: on.clone(),
                }, goal) }
                <main class={classes!("lesson", beside.is_some().then_some("comparing"))}
                    data-fingerprint={world} data-digest={run}
                    data-step-now={step.to_string()} data-clients={cards.len().to_string()}>
                    <div class="words-pane">
                        { match &dared {
                            Some(dared) => {
                                words::challenge(dared, said, lang, on)
                            }
                            None => story(&StoryProps {
                            lang,
                            step,
                            steps,
                            told,
                            said,
                            on_walk: send(Msg::Walk),
                            on_back: say(Msg::Back),
                            on_next: say(Msg::Forward),
                            on_free: say(Msg::Mode(Mode::Schedule)),
                        }),
                        } }
                        { find::hint(&hint_words(session, &self.searches, lang), lang, on) }
                        if session.mode() == Mode::Schedule && play.is_none() {
                            <button type="button" class="hint" data-own="here"
                                onclick={on.reform(|_| Input::Own(OwnInput::FromLesson))}>
                                { tr(lang, Key::OwnHere) }</button>
                        }
                        { self.real_button(session, on) }
                    </div>
                    if let Some(beside) = &beside {
                        { compare::comparison(beside, lang, on) }
                    }
                    <section class="programs" aria-label={tr(lang, Key::Clients)}>
                        <header>
                            <h2>{ tr(lang, Key::Clients) }</h2>
                            { self::faces_switch(&faces, face, lang, on) }
                        </header>
                        if face == FLOW {
                            { flows(session, &cards, &hint, lang, on) }
                        } else {
                            <Cards cards={cards.clone()} {lang} hint={hint.clone()} {step} {on} />
                        }
                    </section>
                    <section class="time" aria-label={tr(lang, Key::Time)}>
                        { time_head(&drawn, plan.is_open(), lang, on) }
                        <DiagramPane diagram={drawn} {lang} {step}
                            on_seek={send(Msg::Seek)}
                            on_size={ctx.link().callback(Event::Room)} />
                    </section>
                    <section class="redis" aria-label={tr(lang, Key::Redis)}>
                        { redis(&panel(timeline, lang),
                            instruments::gauges(&gauges(&lesson.panels, timeline), lang), lang) }
                    </section>
                </main>
                { self.console_panel(session, on, play.is_some() && self.embed.is_none()) }
                if self.real.is_some() { { self.real_panel(on) } }
                { transport(&TransportProps {
                    lang,
                    mode: session.mode(),
                    step,
                    steps,
                    strip: Strip::new(timeline),
                    kept: strip::kept(timeline),
                    cards,
                    hint,
                    playing: self.playing.is_some(),
                    speed: self.speed,
                    advance: faults::advance_label(timeline.world(), lang),
                    faults: !menu.is_empty(),
                    runs: self.can_compare(session),
                    wire: session.wire(),
                    console: self.console.open,
                    on: on.clone(),
                }) }
                if self.met(Dialog::Faults, self.faults) { { self.fault_dialog(menu, on) } }
                if self.met(Dialog::Runs, self.runs) {
                    { self.runs_dialog(session, variant_name, on) }
                }
            </>
        }
    }

    #[inline(never)]
    fn fault_dialog(&self, groups: Vec<Group>, on: &Callback<Input>) -> Html {
        html! { <Faults lang={self.lang} open={self.faults} {groups} {on} /> }
    }

    #[inline(never)]
    fn runs_dialog(&self, session: &Session, variant: String, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        html! {
            <Runs {lang} open={self.runs} runs={compare::entries(session.timeline())}
                variants={compare::choices(session, lang)} {variant} {on} />
        }
    }

    #[inline(never)]
    fn finding(&self, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let lesson = session.lesson();
        let variants = self.variants(session);
        let variant = session.variant();
        let label = lesson.variants.get(variant).map(|shown| shown.label.get(lang).clone());
        let panel = Panel::new(lesson, variant, self.searches.of(session), lang);
        let play = self.playground();
        html! {
            <>
                { play.map(|play| own::stale(&play.mistakes, lang, on)).unwrap_or_default() }
                { goal(&GoalProps {
                    lang,
                    lesson: Same(lesson.clone()),
                    variants,
                    variant,
                    // They speak of a run; here all runs are meant.
                    chips: Vec::new(),
                    on: on.clone(),
                }) }
                { find::find(&FindProps {
                    lang,
                    variant: label.unwrap_or_default(),
                    panel: &panel,
                    on: on.clone(),
                }) }
            </>
        }
    }

    /// The labels of the variants to choose from; nothing where there is no choice.
    fn variants(&self, session: &Session) -> Vec<String> {
        let variants = session.lesson().variants.iter();
        let labels = variants.map(|variant| variant.label.get(self.lang).clone());
        if session.can(&Msg::Variant(usize::MAX)) { labels.collect() } else { Vec::new() }
    }

    fn told(&self, session: &Session) -> Told {
        let lesson = session.lesson();
        let walk = session.walk();
        let titles = || {
            let titles = lesson.walks.iter().map(|walk| walk.title.get(self.lang).clone());
            titles.enumerate()
        };
        let of_variant = |(number, _): &(usize, String)| {
            lesson.walks.get(*number).is_some_and(|walk| walk.variant == session.variant())
        };
        let free = session.can(&Msg::Walk(walk));
        let others: Vec<(usize, String)> = titles().filter(of_variant).collect();
        Told {
            words: lesson.walk_step(walk, session.timeline().cursor(), self.lang).to_vec(),
            title: titles().nth(walk).map(|(_, title)| title).unwrap_or_default(),
            others: if others.len() > 1 && free { others } else { Vec::new() },
            walk,
            next: titles().nth(walk + 1).filter(|_| free),
        }
    }

    #[inline(never)]
    fn fixing(&self, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let lesson = session.lesson();
        let variant = session.answer_shown().map(|_| session.variant());
        let finding = variant.and_then(|_| self.searches.of(session));
        let panel = variant.map(|variant| Panel::new(lesson, variant, finding, lang));
        let Some(view) = self.fix.view(lesson, finding, lang) else { return Html::default() };
        html! {
            <>
                { plain_goal(session, lang) }
                { fix::fix(&FixProps {
                    lang,
                    fix: view,
                    panel: panel.as_ref(),
                    sure: self.sure,
                    on: on.clone(),
                }) }
            </>
        }
    }
}

/// The diagram's title, what its bands mean, and the switch that opens scripts and transactions.
fn time_head(drawn: &Diagram, open: bool, lang: Lang, on: &Callback<Input>) -> Html {
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
    let onclick = on.reform(move |_: MouseEvent| Input::Inside(!open));
    html! {
        <header class="time-head">
            <h2>{ tr(lang, Key::Time) }<span aria-hidden="true">{ " ↓" }</span></h2>
            <ul class="legend">{ for legend }</ul>
            if drawn.has_inside {
                <button type="button" class={classes!("inside", open.then_some("on"))} {onclick}
                    aria-pressed={open.to_string()}>{ tr(lang, Key::Inside) }</button>
            }
        </header>
    }
}

#[inline(never)]
fn flows(
    session: &Session,
    cards: &[Rc<Card>],
    hint: &Option<AttrValue>,
    lang: Lang,
    on: &Callback<Input>,
) -> Html {
    html! {
        <>
            <div class="flows">
                { for charts(session, lang).iter().map(|chart| instruments::flow(chart, lang)) }
            </div>
            <div class="flow-steps">
                { for cards.iter().map(|card| {
                    step_button(card, hint.clone(), on)
                }) }
            </div>
        </>
    }
}

/// The languages of the programs, where there is more than one.
fn faces_switch(faces: &[Face], shown: &str, lang: Lang, on: &Callback<Input>) -> Html {
    if faces.len() < 2 {
        return Html::default();
    }
    let buttons = faces.iter().map(|face| {
        let pressed = face.id == shown;
        let id = face.id.clone();
        let onclick = on.reform(move |_| Input::Face(id.clone()));
        let label = if face.id == FLOW { tr(lang, Key::FlowChart) } else { face.label };
        html! {
            <button key={face.id.clone()} type="button" class={classes!(pressed.then_some("on"))}
                aria-pressed={pressed.to_string()} {onclick}>{ label }</button>
        }
    });
    html! {
        <div class="segments faces" role="group" aria-label={tr(lang, Key::Faces)}>
            { for buttons }
        </div>
    }
}

/// The goal alone, where no variant is at work.
fn plain_goal(session: &Session, lang: Lang) -> Html {
    goal(&GoalProps {
        lang,
        lesson: Same(session.lesson().clone()),
        variants: Vec::new(),
        variant: 0,
        chips: Vec::new(),
        on: Callback::noop(),
    })
}

/// The hint below the words of a free run: `None` where there is none to ask for.
fn hint_words(session: &Session, searches: &Searches, lang: Lang) -> Hint {
    match (session.mode(), searches.hints()) {
        (mode, true) if mode.is_free() => Hint::Said(hint(session, searches.near(), lang)),
        (mode, false) if mode.is_free() => Hint::Offered,
        _ => Hint::Absent,
    }
}
