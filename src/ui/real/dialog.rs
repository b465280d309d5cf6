//! The dialog that asks where a real Redis is and says what may be done with it.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::app::input::{Input, RealInput};
use crate::real::Pace;
use crate::text::{CrowdWord, Lang, RealWord, crowd, real};

#[derive(Properties, Clone, PartialEq)]
pub struct RealFormProps {
    pub lang: Lang,
    pub address: String,
    pub pace: Pace,
    /// It asks for a crowd's sake: nobody schedules there.
    pub crowd: bool,
    /// The reason why the last attempt failed.
    pub wrong: Option<String>,
    pub on: Callback<Input>,
}

#[component]
pub fn RealForm(props: &RealFormProps) -> Html {
    let lang = props.lang;
    let say = |word: RealWord| real(lang, word);
    let (address, token) = (use_node_ref(), use_node_ref());
    let pace = use_state(|| props.pace);
    let onsubmit = {
        let (on, address, token, pace) = (props.on.clone(), address.clone(), token.clone(), *pace);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let text = |field: &NodeRef| {
                let field = field.cast::<HtmlInputElement>();
                field.map(|field| field.value().trim().to_owned()).unwrap_or_default()
            };
            let (address, token) = (text(&address), text(&token));
            on.emit(Input::Real(RealInput::Connect { address, token, pace }));
        })
    };
    let choice = |one: Pace, word: RealWord, id: &'static str| {
        let to = pace.clone();
        html! {
            <label>
                <input type="radio" name="pace" value={id} checked={*pace == one}
                    onchange={Callback::from(move |_: Event| to.set(one))} />
                <span>{ say(word) }</span>
            </label>
        }
    };
    html! {
            <form {onsubmit}>
                <p>{ if props.crowd { crowd(lang, CrowdWord::RealAbout) }
                    else { say(RealWord::About) } }</p>
                <label>{ say(RealWord::Address) }
                    <input ref={address} type="text" inputmode="url" value={props.address.clone()}
                        spellcheck="false" autocapitalize="off" autocomplete="off" translate="no"
                        autofocus=true name="address" aria-describedby="real-address-hint" />
                </label>
                <p id="real-address-hint" class="small">{ say(RealWord::AddressHint) }</p>
                <label>{ say(RealWord::Token) }
                    <input ref={token} type="password" autocomplete="off" name="token" />
                </label>
                <fieldset hidden={props.crowd}>
                    <legend>{ say(RealWord::Pace) }</legend>
                    { choice(Pace::Schedule, RealWord::PaceSchedule, "schedule") }
                    { choice(Pace::Clock, RealWord::PaceClock, "clock") }
                </fieldset>
                <details>
                    <summary>{ say(RealWord::May) }</summary>
                    <ul>
                        <li>{ say(RealWord::MayKeys) }</li>
                        <li>{ say(RealWord::MayFaults) }</li>
                        <li>{ say(RealWord::MayCompare) }</li>
                    </ul>
                </details>
                <p class="wrong" role="alert">{ props.wrong.clone().unwrap_or_default() }</p>
                <div class="turn">
                    <button type="submit" class="main" data-real="connect">
                        { say(RealWord::Connect) }</button>
                </div>
            </form>
    }
}
