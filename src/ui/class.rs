//! Results without a server: the dialog of the learner's result code, the page of the learner's
//! progress, and the page that reads the codes of a class.

use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::app::carried::FILE_MAX;
use crate::app::input::{ClassInput, Input};
use crate::app::shell::{ResultView, Shell, Window};
use crate::text::{ClassWord, Lang, class as word, fill};
use crate::view::class::code::{Entry, NAME_MAX};
use crate::view::class::qr::{QUIET, Qr};
use crate::view::class::{CODES_MAX, Row, TEXT_MAX, Table, goals};

use super::browser;
use super::own::read_file;
use super::parts::dialog::{Frame, dialog};
use super::stage::say::way;

/// The most broken codes that are listed.
const WRONG_SHOWN: usize = 50;

// ---- The result code ----------------------------------------------------------------------------

/// The way to the result code, beside the button that leads on.
#[inline(never)]
pub fn way_to_result(lang: Lang, on: &Callback<Input>) -> Html {
    let open = Input::Class(ClassInput::Result(true));
    way(word(lang, ClassWord::Result), "to-result", open, on)
}

#[derive(PartialEq)]
struct ResultProps {
    lang: Lang,
    view: ResultView,
    is_copied: bool,
    on: Callback<Input>,
}

#[inline(never)]
pub fn result_dialog(shell: &Shell, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let frame = Frame {
        class: "result-dialog",
        lang,
        label: word(lang, ClassWord::ResultTitle),
        on_close: on.reform(|()| Input::Class(ClassInput::Result(false))),
        forgets: true,
    };
    let view = shell.is_open(Window::Result).then(|| shell.result()).flatten();
    let is_copied = shell.copied == Some("result");
    let props = view.map(|view| ResultProps { lang, view, is_copied, on: on.clone() });
    dialog(frame, props, result)
}

fn result(props: &ResultProps) -> Html {
    let ResultProps { lang, view, is_copied, on } = props;
    let (lang, say) = (*lang, |key| word(*lang, key));
    let on_name = on.reform(|event: InputEvent| {
        let field: Option<HtmlInputElement> = event.target_dyn_into();
        Input::Class(ClassInput::Name(field.map(|field| field.value()).unwrap_or_default()))
    });
    let lessons = view.lessons.iter().map(|(title, entry)| {
        let key = entry.lesson.clone();
        let words = reached(entry, ClassWord::OfGoals, lang);
        html! { <li {key}><b>{ title.clone() }</b>{ words }</li> }
    });
    html! {
        <>
            <p>{ say(ClassWord::ResultIntro) }</p>
            <div class="result">
                <div>
                    <label>{ say(ClassWord::NameLabel) }
                        <input type="text" class="name" data-result="name" autofocus=true
                            maxlength={NAME_MAX.to_string()} autocomplete="name"
                            value={view.name.clone()} oninput={on_name} />
                    </label>
                    { view.all.map(|(begun, all)| all_lessons(begun, all, lang, on)) }
                    <h3>{ say(ClassWord::Holds) }</h3>
                    <ul class="holds" tabindex={(view.lessons.len() > 2).then_some("0")}>
                        { for lessons }</ul>
                </div>
                { picture(view.picture.as_ref(), lang) }
                <div class="send">
                    <label>{ say(ClassWord::LinkLabel) }
                        <input type="text" readonly=true data-result="link"
                            value={view.link.clone()} />
                    </label>
                    <div class="turn">
                        <button type="button" class="main" data-result="copy"
                            onclick={on.reform(|_| Input::Class(ClassInput::Copy))}>
                            { say(if *is_copied { ClassWord::Copied } else { ClassWord::Copy }) }
                        </button>
                        <p class="limit">{ say(ClassWord::Limit) }</p>
                    </div>
                </div>
            </div>
            <p class="sr" role="status">
                if *is_copied { { say(ClassWord::Copied) } }
            </p>
        </>
    }
}

fn all_lessons(begun: usize, all: bool, lang: Lang, on: &Callback<Input>) -> Html {
    let onchange = on.reform(move |_: Event| Input::Class(ClassInput::All(!all)));
    html! {
        <label class="check">
            <input type="checkbox" checked={all} {onchange} data-result="all" />
            { fill(word(lang, ClassWord::AllLessons), &[&begun.to_string()]) }
        </label>
    }
}

/// Draws what was reached in a lesson: the score, and the number of goals in these words.
fn reached(entry: &Entry, words: ClassWord, lang: Lang) -> Html {
    let (met, of) = (entry.reached.len().to_string(), entry.goals.len().to_string());
    let counts = fill(word(lang, words), &[&met, &of]);
    html! {
        <>
            <strong>{ fill(word(lang, ClassWord::Score), &[&entry.score.to_string()]) }</strong>
            { " " }<span title={goals(entry, lang)}>{ counts }</span>
        </>
    }
}

/// Draws a QR code: dark on light in both themes, as scanners read it.
fn picture(picture: Option<&Qr>, lang: Lang) -> Html {
    let Some(Qr { size, path }) = picture else {
        return html! { <p class="no-picture">{ word(lang, ClassWord::NoPicture) }</p> };
    };
    let side = size + 2 * QUIET;
    html! {
        <svg class="qr" role="img" aria-label={word(lang, ClassWord::Picture)}
            viewBox={format!("-{QUIET} -{QUIET} {side} {side}")} shape-rendering="crispEdges">
            <rect x={format!("-{QUIET}")} y={format!("-{QUIET}")} width={side.to_string()}
                height={side.to_string()} fill="#fff" />
            <path d={path.clone()} fill="#000" />
        </svg>
    }
}

// ---- The learner's progress ---------------------------------------------------------------------

#[inline(never)]
pub fn progress_page(shell: &Shell, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let say = |key| word(lang, key);
    let done = shell.results();
    let rows = done.iter().map(|(title, entry)| {
        html! {
            <tr key={entry.lesson.clone()}>
                <th scope="row">
                    <a href={format!("#lesson={}&lang={}", entry.lesson, lang.tag())}>
                        { title.clone() }</a>
                </th>
                <td>
                    { fill(say(ClassWord::Score), &[&entry.score.to_string()]) }</td>
                <td>{ goals(entry, lang) }</td>
            </tr>
        }
    });
    let on_file = {
        let on = on.clone();
        Callback::from(move |event: Event| {
            let field: Option<HtmlInputElement> = event.target_dyn_into();
            let Some(field) = field else { return };
            let file = browser::first_file(&field);
            // The same one can be chosen again.
            field.set_value("");
            if let Some((name, file)) = file {
                let heard = on
                    .reform(move |read| Input::Class(ClassInput::OpenProgress(name.clone(), read)));
                read_file(file, FILE_MAX, heard);
            }
        })
    };
    let has_any = !done.is_empty();
    html! {
        <main class="results">
            <h1>{ say(ClassWord::Progress) }</h1>
            <p class="intro">{ say(ClassWord::ProgressIntro) }</p>
            <div class="turn">
                if has_any {
                    <button type="button" class="main" data-result="save"
                        onclick={on.reform(|_| Input::Class(ClassInput::SaveProgress))}>
                        { say(ClassWord::SaveProgress) }</button>
                }
                <label class="open-file">{ say(ClassWord::OpenProgress) }
                    <input type="file" accept=".json" data-result="open" onchange={on_file} />
                </label>
                if has_any {
                    <button type="button" data-result="code" aria-haspopup="dialog"
                        onclick={on.reform(|_| Input::Class(ClassInput::Result(true)))}>
                        { say(ClassWord::Result) }</button>
                }
            </div>
            <div role="status">
                { for shell.progress_opened().map(|(text, is_opened)| html! {
                    <p class={if is_opened { "told" } else { "failure" }}>{ text }</p>
                }) }
            </div>
            if has_any {
                <div class="sheet" tabindex="0" role="region" aria-label={say(ClassWord::Progress)}>
                    <table><tbody>{ for rows }</tbody></table>
                </div>
            } else {
                <p class="none">{ say(ClassWord::ProgressNone) }</p>
            }
            { result_dialog(shell, on) }
        </main>
    }
}

// ---- A class ------------------------------------------------------------------------------------

#[inline(never)]
pub fn class_page(shell: &Shell, on: &Callback<Input>) -> Html {
    let lang = shell.lang;
    let say = |key| word(lang, key);
    let at = &shell.class;
    let table = shell.class_table();
    let on_text = on.reform(|event: InputEvent| {
        let area: Option<HtmlTextAreaElement> = event.target_dyn_into();
        Input::Class(ClassInput::Text(area.map(|area| area.value()).unwrap_or_default()))
    });
    let counts = [at.read.codes.len(), table.rows.len(), table.lessons.len()];
    let counts = counts.map(|count| count.to_string());
    let counts: Vec<&str> = counts.iter().map(String::as_str).collect();
    let has_any = !table.rows.is_empty();
    let is_without = !at.text.trim().is_empty() && !has_any && at.read.wrong.is_empty();
    let note = |words: String| html! { <p class="note">{ words }</p> };
    let apart = if lang == Lang::Zh { "、" } else { ", " };
    html! {
        <main class="results class">
            <h1>{ say(ClassWord::Class) }</h1>
            <p class="intro">{ say(ClassWord::ClassIntro) }</p>
            <label class="paste">{ say(ClassWord::Paste) }
                <textarea rows="6" spellcheck="false" autocomplete="off" data-class="text"
                    placeholder="…#page=class&result=IL1.…" value={at.text.clone()}
                    oninput={on_text} />
            </label>
            <p class="limit">{ say(ClassWord::ClassPrivate) }</p>
            <p class="limit">{ say(ClassWord::ClassLimit) }</p>
            <div class="notes" role="status">
                if is_without { { note(say(ClassWord::NoCode).to_owned()) } }
                if at.is_cut {
                    { note(fill(say(ClassWord::TooMuch), &[&(TEXT_MAX >> 20).to_string()])) }
                }
                if at.read.is_full {
                    { note(fill(say(ClassWord::Full), &[&CODES_MAX.to_string()])) }
                }
                { wrong(shell) }
                if has_any { <p class="counts">{ fill(say(ClassWord::Counts), &counts) }</p> }
                if !table.twice.is_empty() {
                    { note(fill(say(ClassWord::Twice), &[&table.twice.join(apart)])) }
                }
            </div>
            if has_any {
                <div class="turn">
                    <button type="button" class="main" data-class="csv"
                        onclick={on.reform(|_| Input::Class(ClassInput::SaveCsv))}>
                        { say(ClassWord::SaveCsv) }</button>
                    <button type="button" data-class="print"
                        onclick={on.reform(|_| Input::Print)}>
                        { say(ClassWord::PrintTable) }</button>
                    <button type="button" data-class="clear"
                        onclick={on.reform(|_| Input::Class(ClassInput::Text(String::new())))}>
                        { say(ClassWord::Clear) }</button>
                </div>
                { sheet(&table, lang) }
                <p class="limit">{ say(ClassWord::InCells) }</p>
            }
            <p class="more">
                <a href={format!("#page=progress&lang={}", lang.tag())}>
                    { say(ClassWord::Progress) }</a>
            </p>
        </main>
    }
}

/// Draws the codes that could not be read, and why.
fn wrong(shell: &Shell) -> Html {
    let (lang, wrong) = (shell.lang, &shell.class.read.wrong);
    if wrong.is_empty() {
        return Html::default();
    }
    let lines = wrong.iter().take(WRONG_SHOWN).enumerate().map(|(at, one)| {
        let line = one.line.to_string();
        let words = fill(word(lang, ClassWord::WrongLine), &[&line, one.why.text(lang)]);
        html! { <li key={at}>{ words }<code translate="no">{ one.text.clone() }{ "…" }</code></li> }
    });
    html! {
        <section class="wrong">
            <h2>{ fill(word(lang, ClassWord::WrongTitle), &[&wrong.len().to_string()]) }</h2>
            <ul>{ for lines }</ul>
        </section>
    }
}

/// Draws the table of the class.
fn sheet(table: &Table, lang: Lang) -> Html {
    let heads = table.lessons.iter().map(|(id, title)| {
        html! { <th key={id.clone()} scope="col">{ title.clone() }</th> }
    });
    let row = |(at, row): (usize, &Row)| {
        let name = match row.name.as_str() {
            "" => word(lang, ClassWord::NoName),
            name => name,
        };
        let cells = row.cells.iter().enumerate().map(|(at, cell)| match cell {
            Some(entry) => html! {
                <td key={at}>{ reached(entry, ClassWord::OfGoalsBrief, lang) }</td>
            },
            None => html! { <td key={at} class="none">{ "–" }</td> },
        });
        html! {
            <tr key={at}>
                <th scope="row" class={row.name.is_empty().then_some("none")}>
                    { name.to_owned() }</th>
                { for cells }
                <td class="day">{ row.day.clone() }</td>
            </tr>
        }
    };
    html! {
        <div class="sheet" tabindex="0" role="region" aria-label={word(lang, ClassWord::Class)}>
            <table>
                <thead><tr>
                    <th scope="col">{ word(lang, ClassWord::Name) }</th>
                    { for heads }
                    <th scope="col">{ word(lang, ClassWord::Day) }</th>
                </tr></thead>
                <tbody>{ for table.rows.iter().enumerate().map(row) }</tbody>
            </table>
        </div>
    }
}
