//! Above the page: drafts that wait for a decision, and that what is written is not stored.

use yew::prelude::*;

use crate::app::input::{Input, KeptInput};
use crate::app::shell::Offered;
use crate::playground::kept::{Offer, described};
use crate::text::{KeptWord, Key, Lang, fill, kept, tr};

/// The values that every banner needs.
#[derive(Clone, Copy)]
struct Around<'a> {
    lang: Lang,
    on: &'a Callback<Input>,
}

#[inline(never)]
pub fn offers(offered: &Offered<'_>, lang: Lang, on: &Callback<Input>) -> Html {
    let around = Around { lang, on };
    let word = |word| kept(lang, word);
    let later = (tr(lang, Key::Later), "later", KeptInput::Later);
    html! {
        <section class="offers" role="status">
            if offered.unkept {
                { banner("unkept", word(KeptWord::Unkept).to_owned(), vec![
                    (word(KeptWord::Save), "save", KeptInput::SaveMine),
                    later.clone(),
                ], around) }
            }
            if offered.unrun {
                { banner("unrun", word(KeptWord::TextOnly).to_owned(), vec![
                    (word(KeptWord::Run), "run", KeptInput::Run),
                    (word(KeptWord::Save), "save", KeptInput::SaveMine),
                ], around) }
            }
            { for offered.offers.iter().map(|one| offer(one, offered, later.clone(), around)) }
        </section>
    }
}

type Way = (&'static str, &'static str, KeptInput);

fn offer(one: &Offer, among: &Offered<'_>, later: Way, around: Around<'_>) -> Html {
    let word = |word| kept(around.lang, word);
    let said = if one.stopped { KeptWord::Stopped } else { KeptWord::Other };
    let said = fill(word(said), &[&described(&one.text, among.own, around.lang)]);
    let sure = among.sure == Some(one.slot);
    let discard = if sure { KeptWord::DiscardSure } else { KeptWord::Discard };
    let mut ways = vec![(word(KeptWord::Open), "open", KeptInput::Open(one.slot))];
    // An exercise runs nothing that is only opened.
    if one.stopped && among.own {
        ways.push((word(KeptWord::OpenText), "text", KeptInput::OpenText(one.slot)));
    }
    ways.push((word(KeptWord::Save), "save", KeptInput::Save(one.slot)));
    let id = if sure { "discard-sure" } else { "discard" };
    ways.push((word(discard), id, KeptInput::Discard(one.slot)));
    if !one.stopped {
        ways.push(later);
    }
    banner(if one.stopped { "stopped" } else { "other" }, said, ways, around)
}

fn banner(id: &'static str, said: String, ways: Vec<Way>, around: Around<'_>) -> Html {
    let button = |(label, way, input): Way| {
        let onclick = around.on.reform(move |_: MouseEvent| Input::Kept(input.clone()));
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
