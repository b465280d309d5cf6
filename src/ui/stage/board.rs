//! Redis drawn as a place: for each instance an inbox, a slot and keys, with waiting clients
//! visible.

use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use crate::text::{Key as Word, Lang, tr};
use crate::ui::browser;
use crate::ui::cards::client_class;
use crate::ui::gauges as instruments;
use crate::ui::lazy::memo;
use crate::view::film::board::{Board, Conn, Instance, Item, Key, Thread};
use crate::view::film::{Film, Place};
use crate::view::stage::gauges::Gauges;
use crate::view::stage::redis::{Panel, ResourcePanel, TablePanel, Written};

pub fn board(board: &Board, panel: &Panel, gauges: &Gauges, lang: Lang) -> Html {
    let many = board.instances.len() > 1;
    let spots: usize = board.instances.iter().map(|one| one.keys.len()).sum();
    let beside = !panel.tables.is_empty() || !panel.resources.is_empty();
    // Three connections leave no room for a big value.
    let crowded = many || beside || board.wire || board.shelf > 0 || board.conns.len() > 2;
    let class = classes!(
        "board",
        many.then_some("many"),
        (board.instances.len() > 2).then_some("three"),
        (board.instances.len() > 3).then_some("four"),
        board.has_peers().then_some("peers"),
        board.wire.then_some("wire"),
        board.is_sql.then_some("sql"),
        (!board.conns.is_empty()).then_some("with-conns"),
        (spots == 1 && !many && !beside).then_some("one-key"),
        (spots > 2 || crowded).then_some("low"),
    );
    let rooms = Rooms {
        arrivals: if board.wire { board.places.max(1) } else { 1 },
        tray: board.tray,
        shelf: board.shelf,
        queue: board.queue,
        many,
    };
    html! {
        <div {class}>
            { instruments::tally(gauges, lang) }
            <div class="instances">
                { for board.instances.iter().enumerate().map(|(at, one)| {
                    let conns = if at == 0 { board.conns.clone() } else { Vec::new() };
                    html! {
                        <section key={one.id.0.to_string()} data-node={one.name.clone()}
                            class={classes!("inst", (!one.up).then_some("off"))}
                            style={many.then(|| format!("--name:{}", one.name.chars().count()))}
                            data-place={Place::instance(one.id).to_string()}>
                            { memo((one.clone(), conns, rooms, lang), instance) }
                        </section>
                    }
                }) }
            </div>
            { instruments::ttl(gauges, lang) }
            { for panel.tables.iter().map(|one| table(one, lang)) }
            { for panel.resources.iter().map(|one| resource(one, lang)) }
            if board.has_mutexes { { mutexes(panel, lang) } }
            <div class="threads" aria-hidden="true">{ for board.threads.iter().map(thread) }</div>
        </div>
    }
}

#[inline(never)]
fn mutexes(panel: &Panel, lang: Lang) -> Html {
    let mutex = |(id, name, words): &(crate::sim::ClientId, String, String)| {
        html! {
            <li class={client_class(*id)} translate="no"
                data-place={Place::mutex(name).to_string()}>
                <span class="tag">{ id.name() }</span>{ " " }{ words.clone() }
            </li>
        }
    };
    html! {
        <section class="mutexes">
            <h2>{ tr(lang, Word::Mutexes) }</h2>
            <ul class="held">{ for panel.mutexes.iter().map(mutex) }</ul>
        </section>
    }
}

#[inline(never)]
fn thread(one: &Thread) -> Html {
    let class = classes!("thread", client_class(one.client), one.dirty.then_some("dirty"));
    html! {
        <i key={format!("{} {}", one.client.index(), one.key)} {class}
            data-place={one.place().to_string()}
            data-from={Place::conn(one.client).to_string()}
            data-to={Place::key(one.node, &one.key).to_string()}
            data-lane={(one.client.index() % LANES).to_string()}></i>
    }
}

/// The lanes for threads on the left of keys, one for each of the first clients.
const LANES: usize = 4;

/// The room that an instance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rooms {
    arrivals: usize,
    tray: usize,
    shelf: usize,
    queue: usize,
    many: bool,
}

fn crown() -> Html {
    html! {
        <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true">
            <path d="M1 2l3.5 3L8 0l3.5 5L15 2l-1.5 9h-11z" fill="currentColor" />
        </svg>
    }
}

fn instance((one, conns, rooms, lang): &(Instance, Vec<Conn>, Rooms, Lang)) -> Html {
    let (lang, id) = (*lang, one.id);
    let notes = match one.notes.is_empty() && !rooms.many {
        true => tr(lang, Word::OneAtATime).to_owned(),
        false => one.notes.join(" · "),
    };
    html! {
        <>
            <h3 aria-level="2">
                if one.is_master || one.follows.is_some() {
                    <span class="crown" data-place={Place::crown(id).to_string()}>
                        if one.is_master { { crown() } }
                    </span>
                }
                <span translate="no">{ one.name.clone() }</span>
                <small data-place={Place::role(id).to_string()}>{ notes }</small>
                if one.follows.is_some() { { link(one) } }
            </h3>
            <div class="body">
                <div class="inbox" style={format!("--n:{}", rooms.arrivals)}>
                    <i class="road door" data-place={Place::inbox(id).to_string()}></i>
                    <span class="cap">{ tr(lang, Word::Inbox) }</span>
                    { items(&one.inbox, |client| Place::arrived(id, client)) }
                </div>
                <div class="slot" data-place={Place::slot(id).to_string()}>
                    <i class="glow"></i>
                    <span class="cap">{ tr(lang, Word::RunsNow) }</span>
                </div>
                if rooms.tray > 0 { { tray(one, rooms.tray, lang) } }
                if !conns.is_empty() { { connections(conns, rooms.queue, lang) } }
                <div class={classes!("keys", (one.keys.len() == 1).then_some("alone"))}>
                    { for one.keys.iter().map(|one| key(one, id, lang)) }
                    if one.keys.is_empty() {
                        <p class="none">{ tr(lang, Word::NoKeys) }</p>
                    }
                    if one.more > 0 { <p class="none">{ format!("+{}", one.more) }</p> }
                </div>
                if rooms.shelf > 0 { { shelf(one, rooms.shelf, lang) } }
            </div>
        </>
    }
}

/// Draws the entries on their way to a replica.
#[inline(never)]
fn link(one: &Instance) -> Html {
    let entry = |(at, words): (usize, &String)| {
        html! {
            <span key={at} class="entry" data-place={Place::entry(one.id, at).to_string()}>
                { words.clone() }</span>
        }
    };
    html! {
        <span class="link" aria-hidden="true" data-place={Place::link(one.id).to_string()}>
            { for one.behind.iter().enumerate().map(entry) }
        </span>
    }
}

#[inline(never)]
fn tray(one: &Instance, room: usize, lang: Lang) -> Html {
    html! {
        <div class="tray" style={format!("--n:{room}")}>
            <span class="cap">{ tr(lang, Word::Replies) }</span>
            { items(&one.replied, |client| Place::replied(one.id, client)) }
        </div>
    }
}

#[inline(never)]
fn connections(conns: &[Conn], queue: usize, lang: Lang) -> Html {
    html! {
        <div class="conns" style={format!("--queue:{queue}")}>
            <span class="cap">{ tr(lang, Word::Connections) }</span>
            { for conns.iter().map(|one| conn(one, lang)) }
        </div>
    }
}

#[inline(never)]
fn shelf(one: &Instance, room: usize, lang: Lang) -> Html {
    html! {
        <div class="shelf" style={format!("--n:{room}")}>
            <span class="cap">{ tr(lang, Word::Shelf) }</span>
            { items(&one.held, |client| Place::held(one.id, client)) }
        </div>
    }
}

#[inline(never)]
fn items(items: &[Item], place: impl Fn(crate::sim::ClientId) -> Place) -> Html {
    let item = |one: &Item| {
        html! {
            <li key={one.client.index()} class={classes!("waits", client_class(one.client))}
                translate="no" title={one.text.clone()}
                data-place={place(one.client).to_string()}>
                <span class="tag">{ one.client.name() }</span>
                <span class="words">{ one.text.clone() }</span>
            </li>
        }
    };
    html! { <ul>{ for items.iter().map(item) }</ul> }
}

#[inline(never)]
fn conn(one: &Conn, lang: Lang) -> Html {
    let words = if one.in_multi { Word::InMulti } else { Word::NoMulti };
    html! {
        <div key={one.client.index()} class={classes!("conn", client_class(one.client),
            (!one.shared.is_empty()).then_some("shared"))}>
            <h4 class={classes!(one.in_multi.then_some("multi"))}
                data-place={Place::conn(one.client).to_string()}>
                <span class="tag">{ one.client.name() }</span>
                { for one.shared.iter().map(|name| html! {
                    <small translate="no">{ format!("⇄ {name}") }</small>
                }) }
                <small>{ tr(lang, words) }</small>
            </h4>
            { for one.queued.iter().enumerate().map(|(at, text)| html! {
                <span key={at} class="queued" translate="no" title={text.clone()}
                    data-place={Place::queued(one.client, at).to_string()}>{ text.clone() }</span>
            }) }
            if one.more > 0 { <small>{ format!("+{}", one.more) }</small> }
        </div>
    }
}

/// Draws a place of the board, with the key that is there.
fn key(one: &Key, id: crate::sim::NodeId, lang: Lang) -> Html {
    let name = &one.name;
    let row = one.row.as_ref();
    let class = classes!(
        "key",
        row.and_then(|row| row.by).map(client_class),
        row.is_none().then_some("empty"),
        row.is_some_and(|row| row.changed).then_some("changed"),
    );
    html! {
        <div key={name.clone()} {class} data-key={name.clone()}
            data-place={Place::key(id, name).to_string()}>
            <i class="glow"></i>
            <span class="name" translate="no" title={name.clone()}>{ name.clone() }
                if let Some(row) = row.filter(|row| row.kind != "string") {
                    <small>{ row.kind }</small>
                }
            </span>
            // Read as "balance: 20"; stage.css shows it below the name.
            <span class="sr">{ ": " }</span>
            { value(one, id, lang) }
            <span class="meta">
                if let Some(ttl_ms) = row.and_then(|row| row.ttl_ms) {
                    { ttl(ttl_ms, one.lease_ms, Place::ttl(id, name)) }
                }
                <span class="by" data-place={Place::by(id, name).to_string()}>
                    if let Some(by) = row.and_then(|row| row.by) {
                        <span class="tag">{ by.name() }</span>
                    }
                </span>
            </span>
            { history(&one.history, |step| Some(Place::written(id, name, step).to_string())) }
        </div>
    }
}

/// Draws what was written, oldest first; `place` is that of a step's value, if films move it. The
/// table of the run says it to those who hear the page.
fn history(written: &[Written], place: impl Fn(usize) -> Option<String>) -> Html {
    if written.is_empty() {
        return Html::default();
    }
    let values = written.iter().map(|value| {
        html! {
            <span key={value.step} class={classes!(value.by.map(client_class))}
                data-place={place(value.step)}>
                if let Some(by) = value.by { <span class="tag">{ by.name() }</span> }
                { value.text.clone() }
            </span>
        }
    });
    html! { <span class="history" translate="no" aria-hidden="true">{ for values }</span> }
}

fn value(one: &Key, id: crate::sim::NodeId, lang: Lang) -> Html {
    let place = Place::value(id, &one.name).to_string();
    let Some(row) = &one.row else {
        return html! {
            <span class="val none" data-place={place}>{ tr(lang, Word::NoKey) }</span>
        };
    };
    let items = row.items.iter().enumerate().filter_map(|(at, item)| {
        let now = item.now.as_ref()?;
        Some((item, now, one.short.get(at).and_then(Option::as_ref).unwrap_or(now)))
    });
    let items: Vec<_> = items.collect();
    if let [(item, now, shown)] = items.as_slice()
        && item.name.is_none()
    {
        let long = (shown.chars().count() > 6).then_some("long");
        return html! {
            <span class={classes!("val", long)} translate="no" title={(*now).clone()}
                data-place={place}><span class="now">{ (*shown).clone() }</span></span>
        };
    }
    html! {
        <span class="val members" translate="no" data-place={place}>
            { for items.iter().enumerate().map(|(at, (item, now, shown))| html! {
                <span key={at} class="item" title={(*now).clone()}>
                    if let Some(name) = &item.name { <small>{ name.clone() }</small> }
                    <span class="now">{ (*shown).clone() }</span>
                </span>
            }) }
            if row.more > 0 { <small>{ format!("+{}", row.more) }</small> }
        </span>
    }
}

#[inline(never)]
fn ttl(ttl_ms: u64, lease_ms: u64, place: Place) -> Html {
    html! {
        <span class="ttl" data-place={place.to_string()}>
            { ring(ttl_ms, lease_ms) }
            <small>{ format!("{ttl_ms} ms") }</small>
        </span>
    }
}

/// Draws the time left of a lease, as two turned halves of a ring.
fn ring(left_ms: u64, lease_ms: u64) -> Html {
    let part = left_ms as f64 / lease_ms.max(left_ms).max(1) as f64;
    html! {
        <span class="ring" style={format!("--f:{part:.3}")}>
            <i><b></b></i><i><b></b></i>
        </span>
    }
}

#[inline(never)]
fn table(table: &TablePanel, lang: Lang) -> Html {
    let place = match table.heading {
        Word::Variables => Place::variables(&table.name),
        _ => Place::table(&table.name),
    };
    let heads = table.columns.iter().map(|name| html! { <th scope="col">{ name.clone() }</th> });
    let rows = table.rows.iter().map(|row| {
        html! { <tr>{ for row.iter().map(|cell| html! { <td>{ cell.clone() }</td> }) }</tr> }
    });
    html! {
        <section key={place.to_string()} class="beside"
            data-table={table.name.clone()} data-place={place.to_string()}>
            <i class="glow"></i>
            <h2>{ tr(lang, table.heading) }<small>{ table.name.clone() }</small></h2>
            <table class={classes!("keys-table", table.changed.then_some("changed"),
                (table.rows.len() == 1).then_some("one-row"))}
                translate="no">
                <thead><tr>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
            { history(&table.history, |_| None) }
        </section>
    }
}

#[inline(never)]
fn resource(resource: &ResourcePanel, lang: Lang) -> Html {
    html! {
        <section key={format!("resource {}", resource.name)} class="beside"
            data-resource={resource.name.clone()}>
            <h2>{ tr(lang, Word::Resources) }</h2>
            <div class="gate" data-place={Place::gate(&resource.name).to_string()}>
                <i class="glow"></i>
                <b translate="no">{ resource.name.clone() }</b>
                <small>{ resource.token.clone().unwrap_or_default() }</small>
            </div>
            <ul class="held">
                { for resource.writes.iter().map(|(id, value)| html! {
                    <li class={client_class(*id)} translate="no">
                        <span class="tag">{ id.name() }</span>{ " " }{ value.clone() }
                    </li>
                }) }
            </ul>
        </section>
    }
}

/// Scrolls Redis, where it has no room for all its keys, to the last one that the step touches:
/// that of the film, or without one that which has changed. Connections stand above all keys, and
/// what they queue or watch is followed from there.
pub fn show_touched(root: &Element, film: Option<&Film>) {
    let Ok(Some(pane)) = root.query_selector(".redis") else { return };
    if pane.scroll_height() <= pane.client_height() {
        return;
    }
    let moves = film.iter().flat_map(|film| &film.moves);
    let places = moves.flat_map(|one| [Some(&one.what), one.from.as_ref()]).flatten();
    if places.clone().any(|place| matches!(place.kind(), "conn" | "queued" | "thread")) {
        return pane.set_scroll_top(0);
    }
    let is_touched = |key: &Element| match key.get_attribute("data-place") {
        Some(key) if film.is_some() => places.clone().any(|place| place.is_of_key(&key)),
        _ => film.is_none() && key.class_list().contains("changed"),
    };
    let Ok(keys) = pane.query_selector_all(".key") else { return };
    let mut keys =
        (0..keys.length()).rev().filter_map(|at| keys.get(at)?.dyn_into::<Element>().ok());
    let Some(key) = keys.find(is_touched) else { return };
    // The slot may stay in sight, before the keys.
    let slot = pane.query_selector(".slot").ok().flatten();
    let covered = slot.map_or(0.0, |slot| slot.get_bounding_client_rect().bottom());
    browser::scroll_to_show(&pane, &key, covered);
}

/// Draws threads from connections to the keys that they watch, at their current positions: each
/// leaves its card at the bottom, and comes to the key on the left of all keys, over no words.
pub fn lay_threads(root: &Element) {
    let Ok(threads) = root.query_selector_all(".thread") else { return };
    let Ok(Some(around)) = root.query_selector(".board") else { return };
    let frame = around.get_bounding_client_rect();
    for at in 0..threads.length() {
        let thread = threads.get(at).and_then(|one| one.dyn_into::<web_sys::HtmlElement>().ok());
        let Some(thread) = thread else { continue };
        let end = |name: &str, around: &str| {
            let place = thread.get_attribute(name)?;
            let found = root.query_selector(&format!("[data-place~=\"{place}\"]")).ok()??;
            let around = found.closest(around).ok()??.get_bounding_client_rect();
            Some((found.get_bounding_client_rect(), around))
        };
        let Some((from, to)) = end("data-from", ".conn").zip(end("data-to", ".keys")) else {
            continue;
        };
        let ((tag, card), (key, keys)) = (from, to);
        let lane = thread.get_attribute("data-lane").and_then(|at| at.parse().ok());
        let lane: f64 = lane.unwrap_or_default();
        let left = keys.left() - 5.0 - 4.0 * lane;
        let gap = (keys.top() - card.bottom()) / (LANES + 1) as f64;
        let top = card.bottom() + gap * (lane + 1.0);
        let style = thread.style();
        let set = |name: &str, px: f64| drop(style.set_property(name, &format!("{px:.1}px")));
        set("left", left - frame.left());
        set("top", top - frame.top());
        set("width", key.left() - left);
        // Beside those of the other lanes.
        let end = f64::midpoint(key.top(), key.bottom()) + 7.0 * (lane - 1.5);
        set("height", (end - top).max(0.0));
        set("--from", tag.left() + 10.0 - left);
        set("--up", top - card.bottom());
    }
}
