//! Above the page: drafts that wait for a decision, and that what is written is not stored.

use yew::prelude::*;

use crate::app::input::{Input, KeptInput};
use crate::text::{KeptWord, Key, Lang, fill, kept, tr};
use crate::view::kept::{Offer, described};

pub struct OffersProps<'p> {
    pub lang: Lang,
    pub offers: &'p [Offer],
    /// They are scenarios of the playground.
    pub own: bool,
    /// This one's removal was pressed once.
    pub sure: Option<u8>,
    pub unkept: bool,
    /// Only the text of the draft is open.
    pub unrun: bool,
    pub on: Callback<Input>,
}

#[inline(never)]
pub fn offers(props: &OffersProps) -> Html {
    let word = |word| kept(props.lang, word);
    let later = (tr(props.lang, Key::Later), "later", KeptInput::Later);
    html! {
        <section class="offers" role="status">
            if props.unkept {
                { banner("unkept", word(KeptWord::Unkept).to_owned(), vec![
                    (word(KeptWord::Save), "save", KeptInput::SaveMine),
                    later.clone(),
                ], props) }
            }
            if props.unrun {
                { banner("unrun", word(KeptWord::TextOnly).to_owned(), vec![
                    (word(KeptWord::Run), "run", KeptInput::Run),
                    (word(KeptWord::Save), "save", KeptInput::SaveMine),
                ], props) }
            }
            { for props.offers.iter().map(|one| offer(one, later.clone(), props)) }
        </section>
    }
}

type Way = (&'static str, &'static str, KeptInput);

fn offer(one: &Offer, later: Way, props: &OffersProps) -> Html {
    let word = |word| kept(props.lang, word);
    let said = if one.stopped { KeptWord::Stopped } else { KeptWord::Other };
    let said = fill(word(said), &[&described(&one.text, props.own, props.lang)]);
    let sure = props.sure == Some(one.slot);
    let discard = if sure { KeptWord::DiscardSure } else { KeptWord::Discard };
    let mut ways = vec![(word(KeptWord::Open), "open", KeptInput::Open(one.slot))];
    // An exercise runs nothing that is only opened.
    if one.stopped && props.own {
        ways.push((word(KeptWord::OpenText), "text", KeptInput::OpenText(one.slot)));
    }
    ways.push((word(KeptWord::Save), "save", KeptInput::Save(one.slot)));
    let id = if sure { "discard-sure" } else { "discard" };
    ways.push((word(discard), id, KeptInput::Discard(one.slot)));
    if !one.stopped {
        ways.push(later);
    }
    banner(if one.stopped { "stopped" } else { "other" }, said, ways, props)
}

fn banner(id: &'static str, said: String, ways: Vec<Way>, props: &OffersProps) -> Html {
    let button = |(label, way, input): Way| {
        let onclick = props.on.reform(move |_: MouseEvent| Input::Kept(input.clone()));
        let class = classes!((way == "discard-sure").then_some("sure"));
        html! {
            <button key={way} type="button" {class} data-way={way} {onclick}>{ label }</button>
        }
    };
    html! {
        <div class="banner offer" data-offer={id}>
            <div><p>{ said }</p></div>
            <div class="ways-on">{ for ways.into_iter().map(button) }</div>
        </div>
    }
}
