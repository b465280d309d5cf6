//! "Fix it": the task, the editor, and what the checker says of the program.

use yew::prelude::*;

use crate::app::input::Input;
use crate::text::{Key, Lang, fill, tr};
use crate::view::find::fix::{DiffLine, FixView, Grade, Sign};
use crate::view::find::{Panel, Question};

use super::cards::pieces;
use super::editor::Editor;
use super::parts::off;
use super::{find, rich};

pub struct FixProps<'p> {
    pub lang: Lang,
    pub fix: FixView,
    /// The verdicts on the learner's program.
    pub panel: Option<&'p Panel>,
    /// True if the reset was pressed once.
    pub sure: bool,
    /// True if a program passed once: what leads on is then the button to press.
    pub is_done: bool,
    pub on: Callback<Input>,
}

pub fn fix(props: &FixProps) -> Html {
    let FixProps { lang, fix, on, .. } = props;
    let lang = *lang;
    let mistake = fix.mistake.as_ref().map(|mistake| {
        fill(tr(lang, Key::FixLine), &[&mistake.line.to_string(), &mistake.message])
    });
    html! {
        <main class="fix" data-grade={grade_id(fix.grade)}>
            <section class="bench" aria-labelledby="fix-task">
                <h2 id="fix-task">{ fix.task.clone() }</h2>
                { rich::blocks(&fix.about) }
                <p class="file" translate="no">
                    { fix.file.clone() }<span class="language">{ "Lua" }</span>
                </p>
                <Editor label={fill(tr(lang, Key::FixEditor), &[&fix.file])}
                    source={fix.draft.clone()} lines={fix.lines.clone()}
                    wrong={fix.mistake.iter().map(|mistake| mistake.line).collect::<Vec<_>>()}
                    described="fix-mistake fix-keys" on_input={on.reform(Input::Draft)}
                    on_submit={on.reform(|()| Input::Grade)} />
                <p id="fix-mistake" class="failure" role="status">
                    { mistake.unwrap_or_default() }
                </p>
                <div class="turn">
                    { check_button(props) }
                    <button type="button" disabled={fix.mistake.is_some()}
                        onclick={on.reform(|_| Input::StepAnswer)} data-fix="step">
                        { tr(lang, Key::FixStep) }
                    </button>
                    { more(props) }
                </div>
                <p id="fix-keys" class="keys-note keyboard">{ tr(lang, Key::FixKeys) }</p>
            </section>
            <section class="graded">
                { grade(props) }
                if let Some(answer) = &fix.answer { { self::answer(answer, props) } }
            </section>
        </main>
    }
}

/// Draws the button that starts or stops the search.
fn check_button(props: &FixProps) -> Html {
    let FixProps { lang, fix, on, .. } = props;
    let running = props.panel.is_some_and(|panel| panel.running);
    let (input, label) = match running {
        true => (Input::FindStop, Key::FindStop),
        false => (Input::Grade, Key::FixCheck),
    };
    html! {
        <button type="button" class={classes!((!props.is_done).then_some("main"))}
            data-fix={if running { "stop" } else { "check" }}
            disabled={fix.mistake.is_some()} onclick={on.reform(move |_| input.clone())}>
            { tr(*lang, label) }
        </button>
    }
}

fn grade_id(grade: Grade) -> &'static str {
    match grade {
        Grade::None => "none",
        Grade::Running => "running",
        Grade::Passed => "passed",
        Grade::Failed => "failed",
        Grade::Error => "error",
        Grade::Unknown => "unknown",
    }
}

/// Draws the reset, which asks first, and the answer, which is shown on request.
fn more(props: &FixProps) -> Html {
    let FixProps { lang, fix, on, sure, .. } = props;
    let reset = if *sure { Key::FixResetSure } else { Key::FixReset };
    let shown = fix.answer.is_some();
    let show = if shown { Key::FixHide } else { Key::FixShow };
    let back = |redo: bool| on.reform(move |_| Input::UndoDraft(redo));
    html! {
        <>
            <button type="button" data-fix="undo" aria-disabled={off(fix.can_undo)}
                onclick={back(false)}>
                { tr(*lang, Key::OwnUndo) }</button>
            <button type="button" data-fix="redo" aria-disabled={off(fix.can_redo)}
                onclick={back(true)}>
                { tr(*lang, Key::OwnRedo) }</button>
            if !fix.is_starter {
                <button type="button" class={classes!(sure.then_some("sure"))} data-fix="reset"
                    onclick={on.reform(|_| Input::ResetDraft)}>{ tr(*lang, reset) }</button>
            }
            <button type="button" data-fix="answer" aria-expanded={shown.to_string()}
                onclick={on.reform(move |_| Input::ShowAnswer(!shown))}>{ tr(*lang, show) }</button>
        </>
    }
}

fn grade(props: &FixProps) -> Html {
    let FixProps { lang, fix, .. } = props;
    let class = match fix.grade {
        Grade::None | Grade::Running | Grade::Unknown => "open",
        Grade::Passed => "ok",
        Grade::Failed | Grade::Error => "bad",
    };
    let panel = props.panel.filter(|_| fix.grade != Grade::None);
    // What holds of a program that ends with an error says nothing of its fix.
    let told = |one: &&Question| fix.grade != Grade::Error || one.id == "errors";
    let questions = panel.iter().flat_map(|panel| &panel.questions).filter(told);
    html! {
        <>
            <div role="status">
                <p class={classes!("grade", class)}>{ fix.said.clone() }</p>
                // To be read out; it stands below, with its run.
                { for fix.error.iter().map(|why| html! { <p class="sr">{ why.clone() }</p> }) }
            </div>
            if let Some(panel) = panel {
                <ul class="questions">
                    { for questions.map(|one| find::question(one, *lang, &props.on)) }
                </ul>
                <section class="numbers">{ find::numbers(panel) }</section>
            }
        </>
    }
}

fn answer(answer: &[DiffLine], props: &FixProps) -> Html {
    let lines = answer.iter().enumerate().map(|(number, line)| {
        let (class, sign) = match line.sign {
            Sign::Same => ("same", " "),
            Sign::Added => ("added", "+"),
            Sign::Removed => ("removed", "−"),
        };
        html! {
            <li key={number} class={class}>
                <span class="sign">{ sign }</span>
                <span class="text">{ pieces(&line.pieces) }</span>
            </li>
        }
    });
    html! {
        <section class="answer" aria-labelledby="fix-answer">
            <h2 id="fix-answer">{ tr(props.lang, Key::FixAnswer) }</h2>
            <ol class="diff" translate="no" lang="en">{ for lines }</ol>
            <button type="button" onclick={props.on.reform(|_| Input::TakeAnswer)}>
                { tr(props.lang, Key::FixTake) }
            </button>
        </section>
    }
}
