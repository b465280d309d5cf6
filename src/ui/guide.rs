//! The guide to a decision: one question at a time, then an advice with the verdicts behind it.

use yew::prelude::*;

use crate::app::input::Input;
use crate::lesson::{Advice, Guide, Lesson, Question};
use crate::text::{Key, Lang, tr};
use crate::view::learn::guide::{GuidePlace, Trail};

use super::rich;

pub fn guide(
    lesson: &Lesson,
    guide: &Guide,
    trail: &Trail,
    lang: Lang,
    on: &Callback<Input>,
) -> Html {
    let answered = trail.answered(guide).into_iter().map(|(question, answer)| {
        let answer = question.answers.get(answer).map(|answer| answer.text.get(lang).clone());
        html! {
            <li key={question.id.clone()}>{ question.text.get(lang).clone() }{ " " }
                <strong>{ answer.unwrap_or_default() }</strong></li>
        }
    });
    html! {
        <main class="guide">
            <section>
                <p class="goal-line">{ rich::inlines(lesson.goal.get(lang)) }</p>
                if trail.is_start() { { rich::blocks(lesson.intro.get(lang)) } }
                <ol class="answered">{ for answered }</ol>
                <div class="place" aria-live="polite">
                    { match trail.place(guide) {
                        Some(GuidePlace::Question(question)) => self::question(question, lang, on),
                        Some(GuidePlace::Advice(advice)) => self::advice(advice, lang),
                        None => Html::default(),
                    } }
                </div>
                if !trail.is_start() {
                    <div class="turn">
                        <button type="button" onclick={on.reform(|_| Input::GuideBack)}>
                            { tr(lang, Key::GuideBack) }</button>
                        <button type="button" onclick={on.reform(|_| Input::GuideStart)}>
                            { tr(lang, Key::GuideAgain) }</button>
                    </div>
                }
            </section>
            if let Some(reading) = &lesson.reading {
                <section data-section="reading">
                    <h2>{ reading.label.get(lang).clone() }</h2>
                    { rich::blocks(reading.body.get(lang)) }
                </section>
            }
        </main>
    }
}

fn question(question: &Question, lang: Lang, on: &Callback<Input>) -> Html {
    let answers = question.answers.iter().enumerate().map(|(number, answer)| {
        let onclick = on.reform(move |_| Input::GuideAnswer(number));
        html! {
            <button key={number} type="button" class="choice" {onclick}>
                { answer.text.get(lang).clone() }</button>
        }
    });
    html! {
        <>
            <h2 data-question={question.id.clone()}>{ question.text.get(lang).clone() }</h2>
            <div class="choices" role="group">{ for answers }</div>
        </>
    }
}

fn advice(advice: &Advice, lang: Lang) -> Html {
    let link = |lesson: &str, more: &str| format!("#lesson={lesson}{more}&lang={}", lang.tag());
    let because = advice.because.iter().map(|one| {
        let (class, mark) = if one.holds { ("ok", "✓") } else { ("bad", "✕") };
        let href = link(&one.lesson, &format!("&variant={}&mode=find", one.variant));
        html! {
            <li class={class}>
                <span class="mark" aria-hidden="true">{ mark }</span>
                <a {href}>{ one.title.get(lang).clone() }{ " · " }
                    { one.variant_label.get(lang).clone() }</a>
                { ": " }{ one.label.get(lang).clone() }{ " " }
                <span class="verdict">{ tr(lang, verdict(&one.kind, one.holds)) }</span>
            </li>
        }
    });
    html! {
        <>
            <h2 data-advice={advice.id.clone()}>{ advice.title.get(lang).clone() }</h2>
            { rich::blocks(advice.text.get(lang)) }
            if !advice.because.is_empty() {
                <h3>{ tr(lang, Key::GuideBecause) }</h3>
                <ul class="because">{ for because }</ul>
            }
            <a class="main" href={link(&advice.lesson, "")}>{ tr(lang, Key::GuideLesson) }</a>
        </>
    }
}

fn verdict(kind: &str, holds: bool) -> Key {
    match (kind, holds) {
        ("always", true) => Key::EvidenceAlways,
        ("always", false) => Key::EvidenceBroken,
        ("sometimes", true) => Key::EvidenceSometimes,
        ("sometimes", false) => Key::EvidenceNever,
        (_, true) => Key::EvidenceEventually,
        (_, false) => Key::EvidenceNotEventually,
    }
}
