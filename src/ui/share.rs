//! The share dialog: the link to exactly this view, and the run in other forms.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::app::input::Input;
use crate::session::link::LeftOut;
use crate::sim::NAME_MAX;
use crate::text::{Key, Lang, LiveWord, live, tr};
use crate::view::export::Form;

#[derive(PartialEq)]
pub struct ShareProps {
    pub lang: Lang,
    /// True if there is a run to export.
    pub run: bool,
    pub address: String,
    /// The part of the view that the link leaves out.
    pub left_out: Option<LeftOut>,
    /// The name of the run shown; `None` where no run of the learner's is shown.
    pub run_name: Option<String>,
    /// The name of the text copied last: `link`, or a form's id.
    pub copied: Option<&'static str>,
    pub on: Callback<Input>,
}

#[inline(never)]
pub fn share(props: &ShareProps) -> Html {
    let lang = props.lang;
    let copied = |id: &str| {
        let done = props.copied == Some(id);
        tr(lang, if done { Key::ShareCopied } else { Key::ShareCopy })
    };
    let done = props.copied.as_ref().map(|_| tr(lang, Key::ShareCopied));
    let forms = Form::ALL.map(|form| {
        let id = form.id();
        html! {
            <li key={id} data-export={id}>
                <span>{ form.label(lang) }</span>
                <button type="button" onclick={props.on.reform(move |_| Input::ExportCopy(form))}>
                    { copied(id) }</button>
                <button type="button" onclick={props.on.reform(move |_| Input::ExportSave(form))}>
                    { tr(lang, Key::ShareSave) }</button>
            </li>
        }
    });
    let pictures = [(false, Key::ExportSvg, "svg"), (true, Key::ExportPng, "png")];
    let pictures = pictures.map(|(png, label, id)| {
        html! {
            <li key={id} data-export={id}>
                <span>{ tr(lang, label) }</span>
                <button type="button" onclick={props.on.reform(move |_| Input::Picture(png))}>
                    { tr(lang, Key::ShareSave) }</button>
            </li>
        }
    });
    html! {
        <>
            if let Some(name) = &props.run_name {
                <label>{ live(lang, LiveWord::RunName) }
                    <input type="text" data-export="name" maxlength={NAME_MAX.to_string()}
                        value={name.clone()} oninput={props.on.reform(named)} />
                </label>
            }
            <label>{ tr(lang, Key::ShareLink) }
                <input type="text" readonly=true value={props.address.clone()} />
            </label>
            if let Some(what) = props.left_out {
                <p class="failure left-out" role="status">{ what.text(lang) }</p>
            }
            <div class="turn">
                <button type="button" class="main" data-export="link" autofocus=true
                    onclick={props.on.reform(|_| Input::Share)}>{ copied("link") }</button>
                <button type="button" data-export="embed" aria-haspopup="dialog"
                    onclick={props.on.reform(|_| Input::EmbedOpen(true))}>
                    { tr(lang, Key::Embed) }</button>
            </div>
            if props.run {
                <ul class="exports">{ for forms }{ for pictures }</ul>
            }
            <p class="sr" role="status">{ done.unwrap_or_default() }</p>
        </>
    }
}

fn named(event: InputEvent) -> Input {
    let input: Option<HtmlInputElement> = event.target_dyn_into();
    Input::NameRun(input.map(|input| input.value()).unwrap_or_default())
}
