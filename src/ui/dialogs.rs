//! The dialogs of the page, each open or closed as its state says.

use yew::prelude::*;

use crate::app::input::{Input, RealInput};
use crate::app::shell::{Shell, Window};
use crate::session::{Msg, Session};
use crate::text::{Key, Lang, RealWord, real as real_words, tr};
use crate::view::stage::chips::chips;
use crate::view::stage::faults as menu;

use super::browser;
use super::compare::{self, Runs, RunsProps};
use super::embed::dialog::{Maker, MakerProps};
use super::faults::FaultsProps;
use super::goal::SheetProps;
use super::header::HelpProps;
use super::lazy::Same;
use super::parts::dialog::{Frame, dialog};
use super::real::dialog::{RealForm, RealFormProps};
use super::share::ShareProps;

pub fn share(shell: &Shell, on: &Callback<Input>) -> Html {
    let frame = Frame {
        class: "share-dialog",
        lang: shell.lang,
        label: tr(shell.lang, Key::ShareTitle),
        on_close: on.reform(|()| Input::ShareOpen(false)),
        forgets: false,
    };
    let props = shell.is_open(Window::Share).then(|| share_props(shell, on));
    dialog(frame, props, super::share::share)
}

#[inline(never)]
fn share_props(shell: &Shell, on: &Callback<Input>) -> ShareProps {
    let session = shell.lesson.run.session.as_ref();
    let naming = Msg::NameRun(0, String::new());
    ShareProps {
        lang: shell.lang,
        run: session.is_some_and(|session| session.mode().is_stepped()),
        address: browser::address(),
        run_name: session
            .filter(|session| session.mode().is_free() && session.can(&naming))
            .map(|session| session.run_name().to_owned()),
        left_out: shell.lesson.left_out,
        copied: shell.copied,
        on: on.clone(),
    }
}

/// The one that makes a snippet for course pages.
pub fn embed(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let frame = Frame {
        class: "maker-dialog",
        lang: shell.lang,
        label: tr(shell.lang, Key::Embed),
        on_close: on.reform(|()| Input::EmbedOpen(false)),
        // The lesson in it would go on.
        forgets: true,
    };
    let props = shell.is_open(Window::Embed).then(|| maker_props(shell, session, on));
    dialog(frame, props, |props| html! { <Maker ..props.clone() /> })
}

#[inline(never)]
fn maker_props(shell: &Shell, session: &Session, on: &Callback<Input>) -> MakerProps {
    MakerProps {
        lang: shell.lang,
        page: false,
        index: None,
        link: Some(shell.link_of(session.link(shell.lang))),
        lesson: Some(session.lesson().clone()),
        on: on.clone(),
    }
}

/// The same as a page.
#[inline(never)]
pub fn embed_page(shell: &Shell, on: &Callback<Input>) -> Html {
    html! { <Maker lang={shell.lang} page=true index={shell.index.clone()} {on} /> }
}

pub fn help(shell: &Shell, on: &Callback<Input>) -> Html {
    let frame = Frame {
        class: "help",
        lang: shell.lang,
        label: tr(shell.lang, Key::Help),
        on_close: on.reform(|()| Input::Help(false)),
        forgets: false,
    };
    let props = shell.is_open(Window::Help).then(|| HelpProps {
        lang: shell.lang,
        copy: shell.copy,
        letters: shell.letters,
        on: on.clone(),
    });
    dialog(frame, props, super::header::help)
}

/// The goal in full.
pub fn goal(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let frame = Frame {
        class: "goal-dialog",
        lang: shell.lang,
        label: tr(shell.lang, Key::Goal),
        on_close: on.reform(|()| Input::Goal(false)),
        forgets: true,
    };
    let props = shell.is_open(Window::Goal).then(|| goal_props(shell, session, on));
    dialog(frame, props, super::goal::sheet)
}

#[inline(never)]
fn goal_props(shell: &Shell, session: &Session, on: &Callback<Input>) -> SheetProps {
    SheetProps {
        lang: shell.lang,
        lesson: Same(session.lesson().clone()),
        mode: session.mode(),
        chips: chips(session, shell.lang),
        variant: session.variant(),
        chooses: session.can(&Msg::Variant(usize::MAX)),
        on: on.clone(),
    }
}

pub fn faults(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let frame = Frame {
        class: "faults",
        lang,
        label: tr(lang, Key::Faults).trim_end_matches('…'),
        on_close: on.reform(|()| Input::Faults(false)),
        forgets: false,
    };
    let props = shell.is_open(Window::Faults).then(|| fault_props(session, lang, on));
    dialog(frame, props, super::faults::faults)
}

#[inline(never)]
fn fault_props(session: &Session, lang: Lang, on: &Callback<Input>) -> FaultsProps {
    FaultsProps { lang, groups: menu::menu(session, lang), on: on.clone() }
}

pub fn runs(shell: &Shell, session: &Session, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let frame = Frame {
        class: "runs-dialog",
        lang,
        label: tr(lang, Key::RunsTitle),
        on_close: on.reform(|()| Input::Runs(false)),
        // What is chosen there and not shown.
        forgets: true,
    };
    let props = shell.is_open(Window::Runs).then(|| runs_props(session, lang, on));
    dialog(frame, props, |props| html! { <Runs ..props.clone() /> })
}

#[inline(never)]
fn runs_props(session: &Session, lang: Lang, on: &Callback<Input>) -> RunsProps {
    let shown = session.lesson().variants.get(session.variant());
    RunsProps {
        lang,
        runs: compare::entries(session.timeline()),
        variants: compare::choices(session, lang),
        variant: shown.map(|one| one.label.get(lang).clone()).unwrap_or_default(),
        on: on.clone(),
    }
}

#[inline(never)]
pub fn real(shell: &Shell, on: &Callback<Input>) -> Html {
    let Some(it) = &shell.real else { return Html::default() };
    let frame = Frame {
        class: "real-dialog",
        lang: shell.lang,
        label: real_words(shell.lang, RealWord::Title),
        on_close: on.reform(|()| Input::Real(RealInput::Dialog(false))),
        forgets: false,
    };
    let props = shell.is_open(Window::Real).then(|| RealFormProps {
        lang: shell.lang,
        address: it.address.clone(),
        pace: it.pace,
        crowd: it.crowd,
        wrong: it.wrong.clone(),
        on: on.clone(),
    });
    dialog(frame, props, |props| html! { <RealForm ..props.clone() /> })
}
