//! The pages of a lesson, one per mode, put together from their parts.

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::shell::Shell;
use crate::session::{Mode, Msg, Session};
use crate::text::{Key, Lang, ScreenWord, screen, tr};
use crate::view::console::Pane;
use crate::view::crowd::View;
use crate::view::find::{Panel, Tone};
use crate::view::learn::review::{Review, review, situation};

use super::console::Console;
use super::find::{self, FindProps};
use super::fix::FixProps;
use super::header::{GoalProps, goal};
use super::lazy::Same;
use super::menu::{Menu, Offers};
use super::real::panel::{PanelProps, panel};
use super::stage::Stage;
use super::stage::say::way;
use super::{browser, class, crowd, dialogs, fix, own, review as reviewing};

/// Draws the page of the session's mode.
pub fn lesson(
    shell: &Shell,
    session: &Session,
    on: &Callback<Input>,
    on_room: &Callback<(i32, i32)>,
) -> Html {
    let mut ways = Html::default();
    let page = match session.mode() {
        Mode::Edit => editing(shell, session, on),
        Mode::Watch | Mode::Schedule | Mode::Break => return stepping(shell, session, on, on_room),
        Mode::Situation => beginning(shell, session, on),
        Mode::Find => {
            let found = shell.lesson.searches.of(session);
            let panel = Panel::new(session.lesson(), session.variant(), found, shell.lang);
            ways = from_find(&panel, session, shell.lang, on);
            finding(shell, session, &panel, on)
        }
        Mode::Fix => fixing(shell, session, on),
        Mode::Crowd => crowding(shell, session, on),
        Mode::Review => {
            // A course page hears of the score by itself.
            if shell.course.is_none() {
                ways = class::way_to_result(shell.lang, on);
            }
            reviewing(shell, session, on)
        }
    };
    html! {
        <>
            <Menu lang={shell.lang} embed={shell.course.is_some()} {on} />
            { page }
            { shell.onward().map(|one| reviewing::foot(&one, ways, on)) }
        </>
    }
}

/// Draws the other ways on from Find: links beside the button that leads on.
#[inline(never)]
fn from_find(panel: &Panel, session: &Session, lang: Lang, on: &Callback<Input>) -> Html {
    let broken = panel.questions.iter().find(|one| one.tone == Tone::Bad);
    let play = broken.and_then(|one| one.run.as_ref()).map(|run| Msg::Open(run.schedule.clone()));
    let play = play.filter(|msg| session.can(msg));
    let has_crowd = session.modes().contains(&Mode::Crowd);
    html! {
        <>
            if let Some(msg) = play {
                { way(screen(lang, ScreenWord::PlayBreak), "to-schedule", Input::Session(msg), on) }
            }
            if has_crowd {
                { way(screen(lang, ScreenWord::MeasureCrowd), "to-crowd",
                    Input::Session(Msg::Mode(Mode::Crowd)), on) }
            }
        </>
    }
}

#[inline(never)]
fn editing(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let Some(play) = shell.playground() else { return Html::default() };
    let beside = shell.lesson.searches.beside(session);
    let verdicts = own::Verdicts { beside, troubles: shell.troubles(play) };
    own::own(play, &verdicts, shell.lang, on)
}

#[inline(never)]
fn beginning(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let (lesson, lang) = (session.lesson(), shell.lang);
    // Asked before a search can tell.
    let mixed = match lesson.is_mixed() {
        true => reviewed(shell, session).quizzes,
        false => Vec::new(),
    };
    let shown = situation(lesson, &shell.lesson.run.face, lang);
    html! {
        <>
            { plain_goal(session, lang, on) }
            { reviewing::situation(&shown, &mixed, lang, on) }
        </>
    }
}

#[inline(never)]
fn reviewed(shell: &Shell, session: &Session) -> Review {
    let at = &shell.lesson;
    let review = review(session.lesson(), &at.review.answers, &at.run.face, shell.lang);
    if session.part().exam { review.withheld() } else { review }
}

#[inline(never)]
fn crowding(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let view = shell.lesson.crowds.get().map(|at| View::new(at, browser::is_touch(), shell.lang));
    let by_itself = shell.lesson.crowds.is_by_itself();
    let world = view.as_ref().and_then(|view| view.world.clone());
    html! {
        <>
            { shell.playground().map(|play| own::stale(&play.mistakes, shell.lang, on))
                .unwrap_or_default() }
            { match world {
                Some(world) => html! {
                    <section class="goal" aria-label={tr(shell.lang, Key::Goal)}>
                        <p tabindex="-1">{ world }</p>
                    </section>
                },
                None => plain_goal(session, shell.lang, on),
            } }
            { view.map(|view| crowd::crowd(&view, by_itself, shell.lang, on)).unwrap_or_default() }
        </>
    }
}

#[inline(never)]
fn reviewing(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    html! {
        <>
            { plain_goal(session, shell.lang, on) }
            { reviewing::review(&reviewed(shell, session), shell, on) }
            if shell.course.is_none() { { class::result_dialog(shell, on) } }
        </>
    }
}

fn stepping(
    shell: &Shell,
    session: &Session,
    on: &Callback<Input>,
    on_room: &Callback<(i32, i32)>,
) -> Html {
    let lang = shell.lang;
    let Some(view) = shell.lesson.run.view() else { return Html::default() };
    let play = shell.playground();
    let console = match &shell.course {
        Some(course) => course.asked.has_console(),
        None => play.is_some(),
    };
    let free = session.mode().is_free();
    // The map would answer the question of the rule whose state is looked at.
    let asked = shell.lesson.review.question.is_some();
    let orders = shell.lesson.searches.orders(session).filter(|_| !asked);
    let around = orders.as_ref().and_then(|one| one.around.clone());
    let offers = Offers {
        console: shell.lesson.console.panel.open,
        own: session.mode() == Mode::Schedule && play.is_none(),
        real: free && !shell.is_real(),
    };
    html! {
        <>
            <Menu {lang} view={Same(view.clone())} {offers} {around}
                embed={shell.course.is_some()} {on} />
            { play.map(|play| own::stale(&play.mistakes, lang, on)).unwrap_or_default() }
            if asked { { reviewing::asked(lang, on) } }
            <Stage view={Same(view.clone())} {on} onward={shell.onward()} {orders}
                has_map={crate::app::search::has_map_beside(session)} {on_room} />
            { console_panel(shell, session, on, console) }
            if shell.real.is_some() { { real_panel(shell, on) } }
            { dialogs::faults(shell, session, on) }
            { dialogs::runs(shell, session, on) }
        </>
    }
}

#[inline(never)]
fn finding(shell: &Shell, session: &Session, panel: &Panel, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let lesson = session.lesson();
    let variants = variants(shell, session);
    let variant = session.variant();
    let label = lesson.variants.get(variant).map(|shown| shown.label.get(lang).clone());
    let play = shell.playground();
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
                run_name: String::new(),
                staged: false,
                on: on.clone(),
            }) }
            { find::find(&FindProps {
                lang,
                variant: label.unwrap_or_default(),
                panel,
                sheet: shell.lesson.searches.map_of(session),
                pointed: shell.lesson.searches.pointed(session),
                by_itself: shell.lesson.searches.is_by_itself(),
                is_done: shell.lesson.progress.has_done(Mode::Find),
                opens: session.can(&Msg::Open(String::new())),
                on: on.clone(),
            }) }
        </>
    }
}

/// Returns the labels of the variants to choose from; empty if there is no choice.
fn variants(shell: &Shell, session: &Session) -> Vec<String> {
    let variants = session.lesson().variants.iter();
    let labels = variants.map(|variant| variant.label.get(shell.lang).clone());
    if session.can(&Msg::Variant(usize::MAX)) { labels.collect() } else { Vec::new() }
}

#[inline(never)]
fn fixing(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let lesson = session.lesson();
    let variant = session.answer_shown().map(|_| session.variant());
    let results = variant.and_then(|_| shell.lesson.searches.of(session));
    let panel = variant.map(|variant| Panel::new(lesson, variant, results, lang));
    let Some(view) = shell.lesson.exercise.fix.view(lesson, results, lang) else {
        return Html::default();
    };
    html! {
        <>
            { plain_goal(session, lang, on) }
            { fix::fix(&FixProps {
                lang,
                fix: view,
                panel: panel.as_ref(),
                sure: shell.lesson.exercise.sure,
                is_done: shell.lesson.progress.has_done(Mode::Fix),
                on: on.clone(),
            }) }
        </>
    }
}

/// Draws the consoles of the run shown, if they are open or `always` is true.
fn console_panel(shell: &Shell, session: &Session, on: &Callback<Input>, always: bool) -> Html {
    match (always || shell.lesson.console.panel.open) && session.mode().is_stepped() {
        true => open_console(shell, session, on, always),
        false => Html::default(),
    }
}

#[inline(never)]
fn open_console(shell: &Shell, session: &Session, on: &Callback<Input>, always: bool) -> Html {
    let (timeline, panel) = (session.timeline(), &shell.lesson.console.panel);
    let Some(at) = panel.at(timeline) else { return Html::default() };
    let panes = panel.ids(timeline).into_iter();
    let panes: Vec<Pane> = panes.map(|id| shell.real_pane(panel.pane(session, id))).collect();
    let nodes = &timeline.world().setting().nodes;
    html! {
        <Console lang={shell.lang} {at} closable={!always} focus={shell.lesson.console.focus}
            {panes} real={shell.real_console()}
            can_add={panel.can_add(timeline)}
            nodes={if nodes.len() > 1 { nodes.clone() } else { Vec::new() }}
            docs={shell.lesson.console.docs().cloned()} history={panel.history.clone()}
            on={on.clone()} />
    }
}

#[inline(never)]
fn real_panel(shell: &Shell, on: &Callback<Input>) -> Html {
    let Some(it) = &shell.real else { return Html::default() };
    let Some(at) = &it.at else { return Html::default() };
    panel(&PanelProps {
        lang: shell.lang,
        runner: &at.runner,
        address: &at.address,
        open: it.open,
        on,
    })
}

/// Draws the goal alone, where no variant is at work.
fn plain_goal(session: &Session, lang: Lang, on: &Callback<Input>) -> Html {
    goal(&GoalProps {
        lang,
        lesson: Same(session.lesson().clone()),
        variants: Vec::new(),
        variant: 0,
        chips: Vec::new(),
        run_name: String::new(),
        staged: false,
        on: on.clone(),
    })
}
