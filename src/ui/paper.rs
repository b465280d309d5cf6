//! The lesson on paper. It is in the page only while that is printed, before everything else, which
//! print.css hides then; so the names of patterns and rows mean the paper's.

use yew::prelude::*;

use crate::text::{Key, Lang, ScreenWord, screen, tr};
use crate::view::learn::handout::{Handout, Kept, Step};
use crate::view::learn::review::Running;
use crate::view::short::with_times;
use crate::view::stage::redis::{ResourcePanel, TablePanel};

use super::cards::{client_class, pieces};
use super::diagram::{cells, piece};
use super::header::verdict;
use super::{browser, rich};

#[inline(never)]
pub fn paper(sheet: &Handout, lang: Lang) -> Html {
    let words = |word| screen(lang, word);
    let (diagram, run) = (&sheet.diagram, [&*sheet.variant, &*sheet.run]);
    let run: Vec<&str> = run.into_iter().filter(|name| !name.is_empty()).collect();
    let is_empty = sheet.keys.is_empty() && sheet.tables.is_empty() && sheet.resources.is_empty();
    html! {
        <article class="paper">
            <header>
                <b>{ "interleave" }</b>
                <span>{ browser::page_with(&sheet.fragment) }</span>
            </header>
            <h1>{ sheet.title.clone() }</h1>
            <p class="goal">{ rich::inlines(&sheet.goal) }</p>
            if !sheet.claims.is_empty() {
                <section class="claims">
                    <h2>{ words(ScreenWord::PaperClaims) }</h2>
                    <ul>{ for sheet.claims.iter().map(verdict) }</ul>
                </section>
            }
            <section class="programs-shown">
                <h2>{ words(ScreenWord::PaperProgram) }</h2>
                { for sheet.programs.iter().map(|one| program(one, lang)) }
            </section>
            <section class="run">
                <h2>{ words(ScreenWord::PaperRun) }<small>{ run.join(" · ") }</small></h2>
                { rich::blocks(&sheet.start) }
                { for sheet.pieces.iter().map(|one| piece(diagram, one)) }
            </section>
            <section class="steps">
                <table>
                    <caption>{ words(ScreenWord::PaperSteps) }</caption>
                    <thead><tr>
                        <th scope="col">{ tr(lang, Key::ColStep) }</th>
                        <th scope="col">{ tr(lang, Key::ColClient) }</th>
                        <th scope="col">{ tr(lang, Key::ColCommand) }</th>
                        <th scope="col">{ tr(lang, Key::ColReply) }</th>
                        <th scope="col">{ tr(lang, Key::ColSaid) }</th>
                    </tr></thead>
                    <tbody>
                        { for sheet.steps.iter().map(|one| step(one, sheet.began_ms, lang)) }
                    </tbody>
                </table>
            </section>
            <section class="at-end">
                <h2>{ words(ScreenWord::PaperKeys) }</h2>
                if is_empty { <p>{ tr(lang, Key::NoKeys) }</p> }
                if !sheet.keys.is_empty() { { keys(&sheet.keys) } }
                { for sheet.tables.iter().map(|one| table(one, lang)) }
                { for sheet.resources.iter().map(|one| resource(one, lang)) }
            </section>
        </article>
    }
}

fn program(one: &Running, lang: Lang) -> Html {
    html! {
        <figure>
            <figcaption>{ one.words(lang) }</figcaption>
            <ol translate="no">
                { for one.lines.iter().map(|line| html! { <li>{ pieces(line) }</li> }) }
            </ol>
        </figure>
    }
}

fn step(one: &Step, began_ms: u64, lang: Lang) -> Html {
    let row = &one.row;
    let cells = cells(row, lang);
    let from_start = |text: String| with_times(&text, began_ms).unwrap_or(text);
    let client = row.client().map(client_class);
    html! {
        <tr class={classes!(row.breaks.then_some("breaks"))}>
            <td>{ row.step }</td>
            <td class={classes!(client)}>
                if !cells.client.is_empty() { <b class="tag">{ cells.client }</b> }
            </td>
            <td class="code">{ from_start(cells.command) }</td>
            <td class="code">{ from_start(cells.reply) }</td>
            <td>
                if one.words.is_empty() {
                    <p>{ row.words.clone() }</p>
                } else {
                    { rich::blocks(&one.words) }
                }
                if !cells.remarks.is_empty() { <small>{ cells.remarks }</small> }
            </td>
        </tr>
    }
}

fn keys(keys: &[Kept]) -> Html {
    let many = keys.iter().any(|one| !one.node.is_empty());
    let row = |one: &Kept| {
        html! {
            <tr>
                if many { <th scope="row">{ one.node.clone() }</th> }
                <th scope="row">{ one.key.clone() }</th>
                <td>{ for one.values.iter().map(|text| html! { <div>{ text.clone() }</div> }) }</td>
                <td>{ one.ttl_ms.map(|ms| format!("TTL {ms} ms")).unwrap_or_default() }</td>
            </tr>
        }
    };
    html! { <table translate="no"><tbody>{ for keys.iter().map(row) }</tbody></table> }
}

fn table(one: &TablePanel, lang: Lang) -> Html {
    let heads = one.columns.iter().map(|name| html! { <th scope="col">{ name.clone() }</th> });
    let row = |row: &Vec<String>| {
        html! { <tr>{ for row.iter().map(|cell| html! { <td>{ cell.clone() }</td> }) }</tr> }
    };
    html! {
        <table translate="no">
            <caption>{ tr(lang, one.heading) }{ " " }{ one.name.clone() }</caption>
            <thead><tr>{ for heads }</tr></thead>
            <tbody>{ for one.rows.iter().map(row) }</tbody>
        </table>
    }
}

fn resource(one: &ResourcePanel, lang: Lang) -> Html {
    let token = one.token.iter().map(|token| ["token ", token].concat());
    let writes = one.writes.iter().map(|(id, value)| [&*id.name(), ": ", value].concat());
    let all: Vec<String> = token.chain(writes).collect();
    html! {
        <p>{ tr(lang, Key::Resources) }{ " " }<b>{ one.name.clone() }</b>{ ": " }
            { all.join(", ") }</p>
    }
}
