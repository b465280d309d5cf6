//! The first part of a lesson, the situation, and the last one: the rule, one's own code, a common
//! belief, questions, further reading; and the button that leads from part to part.

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::shell::Shell;
use crate::session::Msg;
use crate::session::progress::{Goal, Onward, Progress};
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::view::learn::calls::Calls;
use crate::view::learn::review::{QuizView, Review, Running, Section, Situation};

use super::cards::{client_class, language, pieces};
use super::parts::off;
use super::rich;

/// The lines that are shown of a longer program until one asks for all; learn.css hides the others.
const LINES_SHOWN: usize = 12;

/// `mixed`: the questions of the lesson, where those about its variants belong here.
pub fn situation(
    situation: &Situation,
    mixed: &[QuizView],
    lang: Lang,
    on: &Callback<Input>,
) -> Html {
    let is_mixed = !mixed.is_empty();
    let running = |one: &Running| {
        let lines = one.lines.len();
        html! {
            <figure>
                <figcaption>
                    <span>
                        if let Some(of) = &one.of { <strong>{ of.clone() }</strong>{ " · " } }
                        { one.words(lang) }
                    </span>
                    { language(&one.faces, lang, on) }
                </figcaption>
                <pre tabindex="0" translate="no"><ol>
                    { for one.lines.iter().map(|line| html! {
                        <li>{ pieces(line) }</li>
                    }) }
                </ol></pre>
                // Programs that are to be compared are there whole.
                if lines > LINES_SHOWN && !is_mixed {
                    <details><summary>
                        <span class="more-lines">
                            { fill(screen(lang, ScreenWord::ShowAllLines), &[&lines.to_string()]) }
                        </span>
                        <span class="fewer-lines">
                            { screen(lang, ScreenWord::ShowFewerLines) }
                        </span>
                    </summary></details>
                }
            </figure>
        }
    };
    html! {
        <main class={classes!("situation", is_mixed.then_some("mixed"))}>
            <section>{ rich::blocks(&situation.intro) }</section>
            <div class="programs-shown">{ for situation.programs.iter().map(running) }</div>
            { for mixed.iter().enumerate().filter(|(_, one)| one.variant.is_none())
                .map(|(at, one)| quiz(at, one, "2", lang, on)) }
        </main>
    }
}

/// Draws the button that leads to the next part or the next lesson.
pub fn onward(one: &Onward, on: &Callback<Input>) -> Html {
    let class = classes!("onward", one.is_done.then_some("main"));
    let words = html! {
        <>
            <span>{ one.label.clone() }</span><span class="brief" aria-hidden="true">
                { one.brief.clone() }</span>
            <i aria-hidden="true">{ "→" }</i>
        </>
    };
    let (label, title) = (one.label.clone(), one.label.clone());
    match &one.to {
        Goal::Part(part) => {
            let part = *part;
            let onclick = on.reform(move |_: MouseEvent| Input::Session(Msg::Mode(part)));
            html! {
                <button type="button" {class} {onclick} aria-label={label} {title} data-move="next">
                    { words }</button>
            }
        }
        Goal::Address(address) => {
            let href = address.clone();
            // A phone shows the short form, which has to be part of the name.
            let label = match label.contains(&one.brief) {
                true => label,
                false => [one.brief.as_str(), &label].join(" "),
            };
            html! { <a {class} {href} aria-label={label} {title} data-move="next">{ words }</a> }
        }
    }
}

/// Draws that button at the foot of a part that has no dock, and the other ways on before it.
pub fn foot(one: &Onward, ways: Html, on: &Callback<Input>) -> Html {
    html! { <footer class="foot"><div class="ways">{ ways }</div>{ onward(one, on) }</footer> }
}

/// Draws the work done on the lesson, in one line.
fn so_far(done: Progress, lang: Lang) -> Html {
    let mut marks: Vec<String> = Vec::new();
    let mut mark = |is: bool, words: &str| marks.extend(is.then(|| words.to_owned()));
    mark(done.watched, tr(lang, Key::DoneWatched));
    if let Some(best) = done.best {
        mark(true, &fill(tr(lang, Key::DoneBroken), &[&best.to_string()]));
    }
    mark(done.found, screen(lang, ScreenWord::SearchedAll));
    mark(done.fixed, tr(lang, Key::DoneFixed));
    mark(done.answered, tr(lang, Key::DoneAnswered));
    if marks.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="so-far" aria-label={screen(lang, ScreenWord::SoFar)}>
            { for marks.into_iter().map(|one| html! { <li>{ "✓ " }{ one }</li> }) }
        </ul>
    }
}

pub fn review(review: &Review, shell: &Shell, on: &Callback<Input>) -> Html {
    let (lang, done) = (shell.lang, shell.lesson.progress);
    let is_copied = shell.copied == Some("call");
    let calls = review.calls.as_ref().map(|one| calls(one, is_copied, lang, on));
    let (notes, more): (Vec<&Section>, Vec<&Section>) =
        review.more.iter().partition(|one| one.id == "notes");
    let quizzes = review.quizzes.iter().enumerate().map(|(at, one)| quiz(at, one, "3", lang, on));
    html! {
        <main class="review">
            if !review.rule.is_empty() {
                <section class="rule" data-section="rule">
                    { so_far(done, lang) }
                    <h2>{ screen(lang, ScreenWord::RuleTitle) }</h2>
                    <p>{ rich::inlines(&review.rule) }</p>
                </section>
            }
            { for notes.into_iter().map(|one| section(one, calls.clone().unwrap_or_default())) }
            if !review.intro.is_empty() {
                <section>
                    <h2>{ tr(lang, Key::ReviewIntro) }</h2>
                    { rich::blocks(&review.intro) }
                </section>
            }
            if let Some(belief) = &review.misconception {
                <section data-section={belief.id}>
                    <h2>{ tr(lang, Key::ReviewBelief) }</h2>
                    <blockquote>{ belief.label.clone() }</blockquote>
                    { rich::blocks(&belief.body) }
                </section>
            }
            if !review.quizzes.is_empty() {
                <section data-section="quizzes">
                    <h2>{ tr(lang, Key::ReviewQuestions) }</h2>
                    { for quizzes }
                    { some_wrong(&review.quizzes, lang) }
                </section>
            }
            { for more.into_iter().map(|one| section(one, Html::default())) }
        </main>
    }
}

/// Says what is left to do once every question has an answer, but not every answer is right.
fn some_wrong(quizzes: &[QuizView], lang: Lang) -> Html {
    let (right, of) = (quizzes.iter().filter(|quiz| quiz.is_right).count(), quizzes.len());
    if right == of || !quizzes.iter().all(|quiz| quiz.done && !quiz.withheld) {
        return Html::default();
    }
    let words = screen(lang, ScreenWord::SomeWrong);
    html! { <p role="status">{ fill(words, &[&right.to_string(), &of.to_string()]) }</p> }
}

/// Draws the way back to the question, above the run that it is about.
#[inline(never)]
pub fn asked(lang: Lang, on: &Callback<Input>) -> Html {
    html! {
        <div class="banner asked-from" role="status">
            <div><p>{ screen(lang, ScreenWord::FromQuestion) }</p></div>
            <button type="button" onclick={on.reform(|_| Input::ToQuestion)}>
                { screen(lang, ScreenWord::ToQuestion) }</button>
        </div>
    }
}

/// Draws the calls of one language.
fn calls(calls: &Calls, is_copied: bool, lang: Lang, on: &Callback<Input>) -> Html {
    let text = calls.text.clone();
    let onclick = on.reform(move |_: MouseEvent| Input::CopyCall(text.clone()));
    let word = tr(lang, if is_copied { Key::ShareCopied } else { Key::ShareCopy });
    html! {
        <div class="calls" data-calls={calls.faces.shown}>
            <header>
                { language(&calls.faces, lang, on) }
                <span translate="no">{ calls.library.clone() }</span>
                if !calls.text.is_empty() {
                    <button type="button" {onclick} data-calls="copy">{ word }</button>
                }
                <span class="sr" role="status">{ if is_copied { word } else { "" } }</span>
            </header>
            if !calls.lines.is_empty() {
                <pre tabindex="0" translate="no" lang="en"><ol>
                    { for calls.lines.iter().map(|line| html! { <li>{ pieces(line) }</li> }) }
                </ol></pre>
            }
            if !calls.notes.is_empty() {
                <ul>{ for calls.notes.iter().map(|one| html! {
                    <li>{ rich::inlines(one) }</li>
                }) }</ul>
            }
        </div>
    }
}

/// `before` stands above its text.
fn section(section: &Section, before: Html) -> Html {
    html! {
        <section key={section.id} data-section={section.id}>
            <h2>{ section.label.clone() }</h2>
            { before }
            { rich::blocks(&section.body) }
        </section>
    }
}

/// Draws a question. `level` is that of its heading.
fn quiz(at: usize, quiz: &QuizView, level: &'static str, lang: Lang, on: &Callback<Input>) -> Html {
    let after = if quiz.cells.is_empty() { Key::QuizAtStart } else { Key::QuizAfter };
    let (class, verdict) = match quiz.is_right {
        true => ("ok", Key::QuizRight),
        false => ("bad", Key::QuizWrong),
    };
    let open = |schedule: &str, to_end: bool| {
        let (id, schedule) = (quiz.id.clone(), schedule.to_owned());
        let variant = quiz.variant.unwrap_or_default();
        on.reform(move |_: MouseEvent| {
            let msg = Msg::OpenIn { variant, schedule: schedule.clone(), to_end };
            Input::LookAt(id.clone(), msg)
        })
    };
    let has_run = quiz.variant.is_some();
    html! {
        <article key={quiz.id.clone()} class="quiz" data-quiz={quiz.id.clone()}>
            <h3 aria-level={level}>{ quiz.question.clone() }</h3>
            if has_run {
                <p class="after">{ fill(tr(lang, after), &[&quiz.variant_label]) }</p>
            }
            if !quiz.cells.is_empty() {
                <ol class="steps">
                    { for quiz.cells.iter().zip(&quiz.said).map(|(one, said)| html! {
                        <li key={one.step}>
                            <b class={classes!("tag", one.client.map(client_class))}>
                                { one.mark }</b>
                            <span>{ said.clone() }</span>
                        </li>
                    }) }
                </ol>
            }
            if !quiz.keys.is_empty() {
                <dl class="kept-keys" translate="no">
                    { for quiz.keys.iter().map(|(key, value)| html! {
                        <div key={key.clone()}>
                            <dt>{ key.clone() }</dt><dd>{ value.clone() }</dd>
                        </div>
                    }) }
                </dl>
            }
            { choices(at, quiz, lang, on) }
            if quiz.done && quiz.withheld {
                <p class="told" role="status">{ tr(lang, Key::ExamRecorded) }</p>
            } else if quiz.done {
                <div class="told" role="status">
                    <p class={class}><strong>{ tr(lang, verdict) }</strong></p>
                    { rich::blocks(&quiz.explanation) }
                </div>
            }
            <div class="turn">
                if quiz.several && !quiz.done {
                    <button type="button" class="give"
                        onclick={on.reform(move |_| Input::GiveAnswer(at))}>
                        { tr(lang, Key::QuizGive) }</button>
                }
                if quiz.done {
                    if let Some(shows) = &quiz.shows {
                        <button type="button" class="to-schedule"
                            onclick={open(shows, false)}>
                            { tr(lang, Key::QuizShows) }</button>
                    }
                    if !quiz.withheld {
                        <button type="button"
                            onclick={on.reform(move |_| Input::AnswerAgain(at))}>
                            { tr(lang, Key::QuizAgain) }</button>
                    }
                }
                if has_run {
                    <button type="button" class="to-schedule"
                        onclick={open(&quiz.schedule, true)}>
                        { tr(lang, Key::QuizState) }</button>
                }
            </div>
        </article>
    }
}

fn choices(at: usize, quiz: &QuizView, lang: Lang, on: &Callback<Input>) -> Html {
    let choices = quiz.choices.iter().enumerate().map(|(number, choice)| {
        let onclick = on.reform(move |_| Input::Tick(at, number));
        let (class, mark) = match (choice.right, choice.ticked) {
            (Some(true), _) => ("ok", "✓"),
            (Some(false), true) => ("bad", "✕"),
            (Some(false), false) => ("rest", ""),
            (None, true) => ("on", "✓"),
            (None, false) => ("", ""),
        };
        html! {
            <button key={number} type="button" class={classes!("choice", class)} {onclick}
                aria-disabled={off(!quiz.done)} aria-pressed={choice.ticked.to_string()}>
                <span class="mark" aria-hidden="true">{ mark }</span>
                <span translate="no">{ choice.label.clone() }</span>
            </button>
        }
    });
    html! {
        <div class="choices" role="group" aria-label={quiz.question.clone()}>
            { for choices }
            if quiz.several && !quiz.done { <small>{ tr(lang, Key::QuizSeveral) }</small> }
        </div>
    }
}
