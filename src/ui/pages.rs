//! The pages of a lesson, one per mode, put together from their parts.

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::search::SearchStore;
use crate::app::stage::Hint;
use crate::lesson::OWN;
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::view::crowd::View;
use crate::view::faults;
use crate::view::find::{Panel, hint};
use crate::view::progress::{Goal, Onward, Progress, next_part};
use crate::view::review::{review, situation};
use crate::view::session::{Mode, Msg, Session};

use super::app::App;
use super::compare::{self, RunsProps};
use super::faults::FaultsProps;
use super::find::{self, FindProps};
use super::fix::FixProps;
use super::header::{GoalProps, goal};
use super::home::lesson_link;
use super::lazy::Same;
use super::parts::dialog::{Frame, dialog};
use super::stage::{Offers, Stage};
use super::{browser, crowd, fix, own, review as reviewing};

impl App {
    /// The page of the mode.
    pub(super) fn lesson(&self, session: &Session, on: &Callback<Input>) -> Html {
        let page = match session.mode() {
            Mode::Edit => self.editing(session, on),
            Mode::Watch | Mode::Schedule | Mode::Break => return self.stepping(session, on),
            Mode::Situation => self.beginning(session),
            Mode::Find => self.finding(session, on),
            Mode::Fix => self.fixing(session, on),
            Mode::Crowd => self.crowding(session, on),
            Mode::Review => self.reviewing(session, on),
        };
        html! {
            <>
                { page }
                { self.onward(session).map(|one| reviewing::foot(&one, on)) }
            </>
        }
    }

    /// What comes after the part that is shown: another one, then the next lesson. Nothing where
    /// there is nowhere to go on to.
    fn onward(&self, session: &Session) -> Option<Onward> {
        let (lang, lesson) = (self.lang, session.lesson());
        let modes = session.modes();
        if lesson.id == OWN || modes.len() < 2 {
            return None;
        }
        let is_done = self.progress.has_done(session.mode());
        if let Some(part) = next_part(&modes, session.mode()) {
            let label = tr(lang, part.label()).to_owned();
            return Some(Onward { label, to: Goal::Part(part), is_done });
        }
        if self.embed.is_some() {
            return None;
        }
        let mut lessons = self.index.iter().flat_map(|index| index.lessons());
        let next = lessons.find(|card| card.id == lesson.id).and_then(|_| lessons.next());
        let (label, to) = match next {
            Some(card) => (
                fill(screen(lang, ScreenWord::NextLesson), &[card.title.get(lang)]),
                lesson_link(card, Progress::default(), lang),
            ),
            None => {
                (screen(lang, ScreenWord::AllLessons).to_owned(), format!("#lang={}", lang.tag()))
            }
        };
        Some(Onward { label, to: Goal::Address(to), is_done })
    }

    #[inline(never)]
    fn editing(&self, session: &Session, on: &Callback<Input>) -> Html {
        let Some(play) = self.playground() else { return Html::default() };
        let beside = self.searches.beside(session);
        let asked = own::Asked { beside, troubles: self.troubles(play) };
        own::own(play, &asked, self.lang, on)
    }

    #[inline(never)]
    fn beginning(&self, session: &Session) -> Html {
        html! {
            <>
                { plain_goal(session, self.lang) }
                { reviewing::situation(&situation(session.lesson(), self.lang), self.lang) }
            </>
        }
    }

    #[inline(never)]
    fn crowding(&self, session: &Session, on: &Callback<Input>) -> Html {
        let view = self.crowds.get().map(|at| View::new(at, browser::is_touch(), self.lang));
        let world = view.as_ref().and_then(|view| view.world.clone());
        html! {
            <>
                { self.playground().map(|play| own::stale(&play.mistakes, self.lang, on))
                    .unwrap_or_default() }
                { match world {
                    Some(world) => html! { <div class="goal"><p tabindex="-1">{ world }</p></div> },
                    None => plain_goal(session, self.lang),
                } }
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
                { reviewing::review(&review, self.progress, self.lang, on) }
            </>
        }
    }

    fn stepping(&self, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let Some(view) = self.run.view() else { return Html::default() };
        let play = self.playground();
        let free = session.mode().is_free();
        let offers = Offers {
            console: self.console.open,
            own: session.mode() == Mode::Schedule && play.is_none(),
            real: free && !self.is_real(),
        };
        html! {
            <>
                { play.map(|play| own::stale(&play.mistakes, lang, on)).unwrap_or_default() }
                if self.question.is_some() { { reviewing::asked(lang, on) } }
                <Stage view={Same(view.clone())} embed={self.embed.is_some()} {offers} {on}
                    onward={self.onward(session)} orders={self.searches.orders(session)}
                    on_room={self.on_room.clone()} />
                { self.console_panel(session, on, play.is_some() && self.embed.is_none()) }
                if self.real.is_some() { { self.real_panel(on) } }
                { self.fault_dialog(session, on) }
                { self.runs_dialog(session, on) }
            </>
        }
    }

    fn fault_dialog(&self, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let frame = Frame {
            class: "faults",
            label: tr(lang, Key::Faults),
            on_close: on.reform(|()| Input::Faults(false)),
            forgets: false,
        };
        let groups = self.faults.then(|| faults::menu(session, lang));
        let props = groups.map(|groups| FaultsProps { lang, groups, on: on.clone() });
        dialog(frame, props, super::faults::faults)
    }

    fn runs_dialog(&self, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let frame = Frame {
            class: "runs-dialog",
            label: tr(lang, Key::RunsTitle),
            on_close: on.reform(|()| Input::Runs(false)),
            forgets: false,
        };
        let shown = session.lesson().variants.get(session.variant());
        let props = self.runs.then(|| RunsProps {
            lang,
            runs: compare::entries(session.timeline()),
            variants: compare::choices(session, lang),
            variant: shown.map(|one| one.label.get(lang).clone()).unwrap_or_default(),
            on: on.clone(),
        });
        dialog(frame, props, compare::runs)
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
                    staged: false,
                    on: on.clone(),
                }) }
                { find::find(&FindProps {
                    lang,
                    variant: label.unwrap_or_default(),
                    panel: &panel,
                    sheet: self.searches.map_of(session),
                    pointed: self.searches.pointed(),
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

/// The goal alone, where no variant is at work.
fn plain_goal(session: &Session, lang: Lang) -> Html {
    goal(&GoalProps {
        lang,
        lesson: Same(session.lesson().clone()),
        variants: Vec::new(),
        variant: 0,
        chips: Vec::new(),
        staged: false,
        on: Callback::noop(),
    })
}

/// How far the run is from breaking something: absent where there is nothing to ask for.
pub(super) fn hint_words(session: &Session, searches: &SearchStore, lang: Lang) -> Hint {
    match (session.mode(), searches.hints()) {
        (mode, true) if mode.is_free() => Hint::Said(hint(session, searches.near(), lang)),
        (mode, false) if mode.is_free() => Hint::Offered,
        _ => Hint::Absent,
    }
}
