//! Publish and subscribe. Acknowledgements and messages are pushes: a command that only
//! acknowledges answers nothing itself.

use crate::context::{Ctx, Reply};
use crate::glob::glob_match;
use crate::pubsub::Scope;
use ground::resp::{Bytes, Value};

/// Pushes to the client itself: `[kind, name, subscriptions left]`.
fn acknowledge(cx: &mut Ctx<'_>, kind: &str, name: Value, scope: Scope) {
    let this = cx.this();
    let count = match scope {
        Scope::Shard => this.shard_channels.len(),
        _ => this.subscriptions(),
    };
    let conn = cx.conn;
    cx.inst.pushes.push((conn, Value::Push(vec![Value::bulk(kind), name, Value::int(count)])));
    cx.silent = true;
}

fn subscribe_to(cx: &mut Ctx<'_>, names: &[Bytes], scope: Scope, kind: &str) -> Reply {
    // A RESP2 client in EXEC or a script could not tell acknowledgements from replies.
    if cx.deny_blocking && cx.in_script {
        return Err(format!("ERR {} isn't allowed here", cx.command.name).into());
    }
    for name in names {
        let conn = cx.conn;
        cx.inst.subscribe(conn, scope, name);
        acknowledge(cx, kind, Value::Bulk(name.clone()), scope);
    }
    Ok(Value::Null)
}

fn unsubscribe_from(cx: &mut Ctx<'_>, names: &[Bytes], scope: Scope, kind: &str) -> Reply {
    let all: Vec<Bytes> = match scope {
        Scope::Channel => cx.this().channels.iter().cloned().collect(),
        Scope::Pattern => cx.this().patterns.iter().cloned().collect(),
        Scope::Shard => cx.this().shard_channels.iter().cloned().collect(),
    };
    let names = if names.is_empty() { &all } else { names };
    for name in names {
        let conn = cx.conn;
        cx.inst.unsubscribe(conn, scope, name);
        acknowledge(cx, kind, Value::Bulk(name.clone()), scope);
    }
    if names.is_empty() {
        acknowledge(cx, kind, Value::NilBulk, scope);
    }
    Ok(Value::Null)
}

pub fn subscribe(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    subscribe_to(cx, &argv[1..], Scope::Channel, "subscribe")
}

pub fn psubscribe(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    subscribe_to(cx, &argv[1..], Scope::Pattern, "psubscribe")
}

pub fn ssubscribe(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    subscribe_to(cx, &argv[1..], Scope::Shard, "ssubscribe")
}

pub fn unsubscribe(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    unsubscribe_from(cx, &argv[1..], Scope::Channel, "unsubscribe")
}

pub fn punsubscribe(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    unsubscribe_from(cx, &argv[1..], Scope::Pattern, "punsubscribe")
}

pub fn sunsubscribe(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    unsubscribe_from(cx, &argv[1..], Scope::Shard, "sunsubscribe")
}

pub fn publish(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.inst.publish(&argv[1], &argv[2])))
}

pub fn spublish(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.inst.publish_shard(&argv[1], &argv[2])))
}

fn channels(cx: &mut Ctx<'_>, argv: &[Bytes], scope: Scope) -> Reply {
    if argv.len() > 3 {
        let sub = String::from_utf8_lossy(&argv[1]).into_owned();
        return Err(format!(
            "ERR unknown subcommand or wrong number of arguments for '{sub}'. Try PUBSUB HELP."
        )
        .into());
    }
    let fits = |name: &Bytes| argv.get(2).is_none_or(|pattern| glob_match(pattern, name, false));
    let names = cx.inst.pubsub.names(scope).filter(|(name, _)| fits(name));
    let names: Vec<Value> = names.map(|(name, _)| Value::Bulk(name.clone())).collect();
    cx.has_no_order(names.len());
    Ok(Value::Array(names))
}

pub fn pubsub_channels(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    channels(cx, argv, Scope::Channel)
}

pub fn pubsub_shardchannels(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    channels(cx, argv, Scope::Shard)
}

fn numbers(cx: &mut Ctx<'_>, names: &[Bytes], scope: Scope) -> Reply {
    let count = |name: &Bytes| Value::int(cx.inst.pubsub.count(scope, name));
    Ok(Value::Array(names.iter().flat_map(|n| [Value::Bulk(n.clone()), count(n)]).collect()))
}

pub fn pubsub_numsub(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    numbers(cx, &argv[2..], Scope::Channel)
}

pub fn pubsub_shardnumsub(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    numbers(cx, &argv[2..], Scope::Shard)
}

pub fn pubsub_numpat(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.inst.pubsub.names(Scope::Pattern).count()))
}
