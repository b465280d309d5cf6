//! The glossary: every term in both languages.

use web_sys::{HtmlInputElement, InputEvent};
use yew::prelude::*;

use crate::app::input::Input;
use crate::lesson::{Glossary, Term, plain};
use crate::text::{Key, Lang, tr};

use super::rich;

/// `filter` is what was typed, in either language.
#[inline(never)]
pub fn glossary(
    glossary: Option<&Glossary>,
    filter: &str,
    lang: Lang,
    on: &Callback<Input>,
) -> Html {
    let oninput = on.reform(|event: InputEvent| {
        let field: Option<HtmlInputElement> = event.target_dyn_into();
        Input::Filter(field.map(|field| field.value()).unwrap_or_default())
    });
    let wanted = filter.trim().to_lowercase();
    let mut terms: Vec<&Term> = glossary
        .map(|glossary| glossary.terms.iter().filter(|term| has(term, &wanted)).collect())
        .unwrap_or_default();
    if lang == Lang::Zh {
        terms.sort_by_key(|term| term.zh);
    }
    html! {
        <main class="glossary">
            <h1>{ tr(lang, Key::Glossary) }</h1>
            <p>{ tr(lang, Key::GlossaryIntro) }</p>
            <input type="search" value={filter.to_owned()} {oninput}
                placeholder={tr(lang, Key::GlossaryFilter)}
                aria-label={tr(lang, Key::GlossaryFilter)} />
            <dl>{ for terms.iter().map(|term| self::term(term, lang)) }</dl>
            if terms.is_empty() && glossary.is_some() {
                <p role="status">{ tr(lang, Key::GlossaryNone) }</p>
            }
        </main>
    }
}

fn has(term: &Term, wanted: &str) -> bool {
    let in_it = |text: &str| text.to_lowercase().contains(wanted);
    Lang::ALL.into_iter().any(|lang| {
        in_it(term.name.get(lang))
            || term.also.get(lang).iter().any(|also| in_it(also))
            || in_it(&plain(term.about.get(lang)))
    })
}

fn term(term: &Term, lang: Lang) -> Html {
    let other = lang.other();
    let also = [lang, other].into_iter().flat_map(|lang| term.also.get(lang).iter());
    let also = also.cloned().collect::<Vec<_>>().join(" · ");
    html! {
        <div key={term.id.clone()} data-term={term.id.clone()}>
            <dt>
                { term.name.get(lang).clone() }{ " " }
                <span lang={other.html()}>{ term.name.get(other).clone() }</span>
                if !also.is_empty() { <small>{ also }</small> }
            </dt>
            <dd>
                { rich::inlines(term.about.get(lang)) }
                if let Some(lesson) = &term.lesson {
                    { " " }
                    <a href={format!("#lesson={lesson}&lang={}", lang.tag())}>
                        { tr(lang, Key::GlossaryLesson) }</a>
                }
            </dd>
        </div>
    }
}
