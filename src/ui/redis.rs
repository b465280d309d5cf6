//! The Redis panel: who stands ready, the execution slot, the keys.

use yew::prelude::*;

use crate::sim::ClientId;
use crate::text::{Key, Lang, tr};
use crate::view::redis::{Item, KeyRow, NodePanel, Panel, ResourcePanel, TablePanel};

use super::cards::client_class;
use super::lazy::memo;

/// `gauges` are the lesson's instruments: they come before the keys, so that they are in sight.
pub fn redis(panel: &Panel, gauges: Html, lang: Lang) -> Html {
    html! {
        <>
            <h2>{ tr(lang, Key::Redis) }</h2>
            { memo((panel.ready.clone(), lang), queue) }
            <div class="slot">
                if let Some(slot) = &panel.slot {
                    <span class={classes!("sent", client_class(slot.client))} translate="no">
                        <b>{ slot.client.name() }</b>{ " " }{ slot.command.clone() }
                    </span>
                    if let Some(reply) = &slot.reply {
                        <span class={classes!("reply", slot.is_error.then_some("error"))}
                            translate="no">{ reply.clone() }</span>
                    }
                } else {
                    <span class="idle">{ tr(lang, Key::SlotIdle) }</span>
                }
            </div>
            <p class="slot-note">{ tr(lang, Key::SlotNote) }</p>
            { gauges }
            { for panel.nodes.iter().map(|node| html! {
                <section key={node.name.clone()} data-node={node.name.clone()}
                    class={classes!("node", (!node.up).then_some("down"))}>
                    { memo((node.clone(), lang), self::node) }
                </section>
            }) }
            { for panel.tables.iter().map(|table| self::table(table, lang)) }
            { for panel.resources.iter().map(|resource| self::resource(resource, lang)) }
            if !panel.mutexes.is_empty() {
                <h2>{ tr(lang, Key::Mutexes) }</h2>
                <ul class="held">
                    { for panel.mutexes.iter().map(|(id, words)| tagged(*id, words)) }
                </ul>
            }
        </>
    }
}

/// Whose commands stand ready.
fn queue((ready, lang): &(Vec<(ClientId, String)>, Lang)) -> Html {
    let commands = ready.iter().map(|(id, command)| {
        html! {
            <li key={id.index()} class={client_class(*id)} translate="no">
                <b>{ id.name() }</b>{ " " }{ command.clone() }
            </li>
        }
    });
    html! {
        <div class="queue">
            <span>{ tr(*lang, Key::ReadyToSend) }</span>
            <ul>
                if ready.is_empty() {
                    <li class="nobody">{ tr(*lang, Key::NobodyWaits) }</li>
                } else {
                    { for commands }
                }
            </ul>
        </div>
    }
}

/// The keys of an instance, and where there are several what is special about it.
fn node((node, lang): &(NodePanel, Lang)) -> Html {
    let lang = *lang;
    let title = if node.name.is_empty() { tr(lang, Key::Keys) } else { &node.name };
    let notes = node.notes.join(" · ");
    html! {
        <>
            <h2>
                { title }
                if !notes.is_empty() { <small>{ notes }</small> }
            </h2>
            { keys(&node.keys, lang) }
        </>
    }
}

fn table(table: &TablePanel, lang: Lang) -> Html {
    let heads = table.columns.iter().map(|name| html! { <th scope="col">{ name.clone() }</th> });
    let rows = table.rows.iter().map(|row| {
        html! { <tr>{ for row.iter().map(|cell| html! { <td>{ cell.clone() }</td> }) }</tr> }
    });
    html! {
        <section key={format!("sql {}", table.name)} data-table={table.name.clone()}>
            <h2>{ tr(lang, Key::Tables) }<small>{ table.name.clone() }</small></h2>
            <table class={classes!("keys", table.changed.then_some("changed"))} translate="no">
                <thead><tr>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </section>
    }
}

fn resource(resource: &ResourcePanel, lang: Lang) -> Html {
    let token = resource.token.clone().map(|token| format!(" · {token}"));
    html! {
        <section key={format!("resource {}", resource.name)} data-resource={resource.name.clone()}>
            <h2>
                { tr(lang, Key::Resources) }
                <small>{ resource.name.clone() }{ token }</small>
            </h2>
            <ul class="held">
                { for resource.writes.iter().map(|(id, value)| tagged(*id, value)) }
            </ul>
        </section>
    }
}

fn tagged(id: ClientId, words: &str) -> Html {
    html! {
        <li class={client_class(id)} translate="no">
            <span class="tag">{ id.name() }</span>{ " " }{ words.to_owned() }
        </li>
    }
}

fn keys(rows: &[KeyRow], lang: Lang) -> Html {
    let with_ttl = rows.iter().any(|row| row.ttl_ms.is_some());
    let body = rows.iter().map(|row| key_row(row, with_ttl, lang));
    html! {
        <table class="keys">
            <thead><tr>
                <th scope="col">{ tr(lang, Key::ColKey) }</th>
                <th scope="col">{ tr(lang, Key::ColValue) }</th>
                if with_ttl { <th scope="col">{ tr(lang, Key::ColTtl) }</th> }
                <th scope="col">{ tr(lang, Key::ColBy) }</th>
            </tr></thead>
            <tbody translate="no">
                if rows.is_empty() {
                    <tr><td colspan="4" class="none">{ tr(lang, Key::NoKeys) }</td></tr>
                } else {
                    { for body }
                }
            </tbody>
        </table>
    }
}

fn key_row(row: &KeyRow, with_ttl: bool, lang: Lang) -> Html {
    let items = row.items.iter().enumerate().map(|(number, item)| self::item(number, item));
    let class = classes!(
        row.changed.then_some("changed"),
        row.gone.then_some("gone"),
        row.by.map(client_class)
    );
    let ttl = row.ttl_ms.map_or(tr(lang, Key::NoTtl).to_owned(), |ms| format!("{ms} ms"));
    html! {
        <tr key={row.key.clone()} {class}>
            <td><span class="key">{ row.key.clone() }</span><small>{ row.kind }</small></td>
            <td>
                { for items }
                if row.more > 0 { <span class="more">{ format!("+{}", row.more) }</span> }
                if row.gone { <em>{ tr(lang, Key::Gone) }</em> }
            </td>
            if with_ttl { <td class="ttl">{ ttl }</td> }
            <td>
                if let Some(id) = row.by {
                    <span class="tag">{ id.name() }</span>
                } else {
                    <span class="none">{ tr(lang, Key::Setup) }</span>
                }
            </td>
        </tr>
    }
}

fn item(number: usize, item: &Item) -> Html {
    html! {
        <span class="item" key={number}>
            if let Some(name) = &item.name { <span class="name">{ name.clone() }</span> }
            if let Some(before) = &item.before {
                <s>{ before.clone() }</s>
                if item.now.is_some() { <span class="to">{ "→" }</span> }
            }
            if let Some(now) = &item.now { <span class="now">{ now.clone() }</span> }
        </span>
    }
}
