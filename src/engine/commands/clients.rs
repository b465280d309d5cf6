//! CLIENT: lists connections, and acts on them.

use crate::ConnId;
use crate::args::{arity, int, int_or, is, syntax};
use crate::blocking::BlockedOn;
use crate::conn::{Bytes0, Conn, ReplyMode};
use crate::context::{Ctx, Fail, Reply};
use crate::tracking::Mode;
use crate::version::Version;
use ground::resp::{Bytes, Proto, Value};

use super::tracking::redirection;

/// One line of CLIENT LIST.
///
/// DIFFERENCE: addresses, file descriptors and buffer sizes are made up: the engine has no
/// sockets.
fn line(cx: &Ctx<'_>, conn: &Conn) -> String {
    let seconds = |since: u64| cx.now().saturating_sub(since) / 1000;
    let mut flags = String::new();
    let mut flag = |set: bool, letter: char| {
        if set {
            flags.push(letter);
        }
    };
    flag(conn.is_monitor, 'O');
    flag(conn.in_pubsub(), 'P');
    flag(conn.in_multi, 'x');
    flag(conn.blocked.is_some(), 'b');
    let tracker = conn.tracking.as_deref();
    flag(tracker.is_some(), 't');
    flag(tracker.is_some_and(|tracker| tracker.is_broken), 'R');
    flag(tracker.is_some_and(|tracker| tracker.mode == Mode::Broadcast), 'B');
    flag(conn.dirty_cas, 'd');
    flag(conn.no_evict, 'e');
    if flags.is_empty() {
        flags.push('N');
    }
    let multi = if conn.in_multi { conn.queued.len() as i64 } else { -1 };
    let name = String::from_utf8_lossy(&conn.name.0);
    let mut text = format!(
        "id={id} addr=127.0.0.1:{port} laddr=127.0.0.1:6379 fd={fd} name={name} age={age} \
         idle={idle} flags={flags} db={db} sub={sub} psub={psub} ssub={ssub} multi={multi} \
         qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=1024 rbp=0 obl=0 oll=0 omem=0 tot-mem=0 \
         events=r cmd={cmd} user=default redir={redir} resp={resp}",
        id = conn.id,
        port = 50_000 + conn.id % 10_000,
        fd = 7 + conn.id,
        age = seconds(conn.seen.created_ms),
        idle = seconds(conn.seen.last_ms),
        db = conn.db,
        sub = conn.channels.len(),
        psub = conn.patterns.len(),
        ssub = conn.shard_channels.len(),
        cmd = conn.seen.command.map_or("NULL", |command| command.name),
        redir = redirection(tracker),
        resp = if conn.proto == Proto::Resp3 { 3 } else { 2 },
    );
    if cx.version() >= Version::V7_2 {
        let (name, version) = &conn.library;
        let text_of = |bytes: &Bytes0| String::from_utf8_lossy(&bytes.0).into_owned();
        text += &format!(" lib-name={} lib-ver={}", text_of(name), text_of(version));
    }
    text
}

fn verbatim(cx: &Ctx<'_>, text: String) -> Value {
    let text: Bytes = text.as_bytes().into();
    match cx.resp3() {
        true => Value::Verbatim { format: *b"txt", text },
        false => Value::Bulk(text),
    }
}

pub fn client_info(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let text = line(cx, cx.this()) + "\n";
    Ok(verbatim(cx, text))
}

fn has_type(conn: &Conn, name: &[u8]) -> Result<bool, Fail> {
    match () {
        () if is(name, "normal") => Ok(!conn.in_pubsub()),
        () if is(name, "pubsub") => Ok(conn.in_pubsub()),
        () if is(name, "master") || is(name, "replica") || is(name, "slave") => Ok(false),
        () => {
            let name = String::from_utf8_lossy(name).into_owned();
            Err(format!("ERR Unknown client type '{name}'").into())
        }
    }
}

pub fn client_list(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let conns: Vec<&Conn> = cx.inst.conns.iter().map(|(_, conn)| &**conn).collect();
    let mut chosen = Vec::new();
    match &argv[2..] {
        [] => chosen = conns,
        [word, name] if is(word, "TYPE") => {
            for conn in conns {
                if has_type(conn, name)? {
                    chosen.push(conn);
                }
            }
        }
        [word, ids @ ..] if is(word, "ID") && !ids.is_empty() => {
            for id in ids {
                let id = int(id).map_err(|_| Fail::from("ERR Invalid client ID"))?;
                chosen.extend(conns.iter().filter(|conn| i64::from(conn.id) == id));
            }
        }
        _ => return syntax(),
    }
    let text = chosen.into_iter().map(|conn| line(cx, conn) + "\n").collect();
    Ok(verbatim(cx, text))
}

pub fn client_reply(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match &argv[2] {
        mode if is(mode, "ON") => {
            cx.this_mut().reply_mode = ReplyMode::On;
            return Ok(Value::ok());
        }
        mode if is(mode, "OFF") => cx.this_mut().reply_mode = ReplyMode::Off,
        mode if is(mode, "SKIP") => {
            if cx.this().reply_mode != ReplyMode::Off {
                cx.this_mut().reply_mode = ReplyMode::SkipNext;
            }
        }
        _ => return syntax(),
    }
    cx.silent = true;
    Ok(Value::Null)
}

/// Returns the address that CLIENT LIST shows.
fn address(conn: &Conn) -> String {
    format!("127.0.0.1:{}", 50_000 + conn.id % 10_000)
}

pub fn client_kill(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let conns: Vec<Conn> = cx.inst.conns.iter().map(|(_, conn)| (**conn).clone()).collect();
    if let [addr] = &argv[2..] {
        let found = conns.iter().find(|conn| address(conn).as_bytes() == &**addr);
        let Some(conn) = found else { return Err("ERR No such client".into()) };
        cx.inst.close(conn.id);
        return Ok(Value::ok());
    }
    let (mut skip_me, mut keep): (bool, Vec<Conn>) = (true, conns);
    let filters = argv[2..].chunks_exact(2);
    if !filters.remainder().is_empty() {
        return syntax();
    }
    for filter in filters {
        let value = &filter[1];
        match &filter[0] {
            word if is(word, "ID") => {
                let text = "ERR client-id should be greater than 0";
                let id = int(value).ok().filter(|id| *id > 0).ok_or(text)?;
                keep.retain(|conn| i64::from(conn.id) == id);
            }
            word if is(word, "TYPE") => {
                let mut of_type = Vec::new();
                for conn in keep {
                    if has_type(&conn, value)? {
                        of_type.push(conn);
                    }
                }
                keep = of_type;
            }
            word if is(word, "MAXAGE") && cx.version().has_option(cx.command.name, word) => {
                let age = int_or(value, "ERR maxage is not an integer or out of range")?;
                if age <= 0 {
                    return Err("ERR maxage should be greater than 0".into());
                }
                let old =
                    |conn: &Conn| (cx.now().saturating_sub(conn.seen.created_ms) / 1000) as i64;
                keep.retain(|conn| old(conn) >= age);
            }
            word if is(word, "ADDR") => keep.retain(|conn| address(conn).as_bytes() == &**value),
            word if is(word, "LADDR") => keep.retain(|_| &**value == b"127.0.0.1:6379"),
            word if is(word, "USER") => {
                if &**value != b"default" {
                    let user = String::from_utf8_lossy(value).into_owned();
                    return Err(format!("ERR No such user '{user}'").into());
                }
            }
            word if is(word, "SKIPME") => match () {
                () if is(value, "yes") => skip_me = true,
                () if is(value, "no") => skip_me = false,
                () => return syntax(),
            },
            _ => return syntax(),
        }
    }
    let me = cx.conn;
    keep.retain(|conn| !(skip_me && conn.id == me));
    for conn in &keep {
        cx.inst.close(conn.id);
    }
    Ok(Value::int(keep.len()))
}

pub fn client_unblock(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let with_error = match argv.get(3) {
        None => false,
        Some(mode) if is(mode, "TIMEOUT") => false,
        Some(mode) if is(mode, "ERROR") => true,
        Some(_) => {
            return Err("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR".into());
        }
    };
    let id = int(&argv[2])?;
    let id = ConnId::try_from(id).ok().filter(|id| cx.inst.conn_index(*id).is_some());
    let waits = |conn: &Conn| {
        let on = conn.blocked.as_ref().map(|blocked| blocked.on);
        on.is_some_and(|on| !matches!(on, BlockedOn::Script | BlockedOn::Pause))
    };
    let Some(id) = id.filter(|id| waits(cx.inst.conn_ref(*id))) else { return Ok(Value::Int(0)) };
    if let Some(blocked) = cx.inst.stop_waiting(id) {
        let text = "UNBLOCKED client unblocked via CLIENT UNBLOCK";
        let reply = if with_error { Value::error(text) } else { blocked.on_timeout };
        cx.inst.push_reply(id, reply);
    }
    Ok(Value::Int(1))
}

pub fn client_no_evict(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match &argv[2] {
        mode if is(mode, "ON") => cx.this_mut().no_evict = true,
        mode if is(mode, "OFF") => cx.this_mut().no_evict = false,
        _ => return syntax(),
    }
    Ok(Value::ok())
}

pub fn client_no_touch(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match &argv[2] {
        mode if is(mode, "ON") || is(mode, "OFF") => Ok(Value::ok()),
        _ => syntax(),
    }
}

pub fn client_setinfo(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let value = argv[3].clone();
    if value.iter().any(|b| !(b'!'..=b'~').contains(b)) {
        let name = String::from_utf8_lossy(&argv[2]).to_ascii_lowercase();
        return Err(
            format!("ERR {name} cannot contain spaces, newlines or special characters.").into()
        );
    }
    match &argv[2] {
        name if is(name, "LIB-NAME") => cx.this_mut().library.0 = Bytes0(value),
        name if is(name, "LIB-VER") => cx.this_mut().library.1 = Bytes0(value),
        name => {
            let name = String::from_utf8_lossy(name).into_owned();
            return Err(format!("ERR Unrecognized option '{name}'").into());
        }
    }
    Ok(Value::ok())
}

pub fn client_pause(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let text = "ERR timeout is not an integer or out of range";
    let ms = crate::args::int_or(&argv[2], text)?;
    let Ok(ms) = u64::try_from(ms) else { return Err("ERR timeout is negative".into()) };
    let all = match &argv[3..] {
        [] => true,
        [mode] if is(mode, "ALL") => true,
        [mode] if is(mode, "WRITE") => false,
        [_] => return Err("ERR CLIENT PAUSE mode must be WRITE or ALL".into()),
        _ => return arity(cx.command.name),
    };
    // Whether it ends later than a pause under way depends on both.
    let span_ms = i64::try_from(ms).unwrap_or(i64::MAX);
    let until = cx.now_and_span(span_ms).saturating_add(ms);
    cx.inst.pause(until, all);
    Ok(Value::ok())
}

pub fn client_unpause(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let now = cx.now_for_deadlines();
    cx.inst.unpause(now);
    Ok(Value::ok())
}
