//! MULTI, EXEC, DISCARD, WATCH, UNWATCH.

use crate::context::{Ctx, Reply};
use crate::dispatch::Origin;
use ground::resp::{Bytes, Value};

pub fn multi(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    if cx.this().in_multi {
        // The transaction goes on, and fails.
        cx.this_mut().dirty_exec = cx.this().dirty_exec;
        return Err("ERR MULTI calls can not be nested".into());
    }
    cx.this_mut().in_multi = true;
    Ok(Value::ok())
}

pub fn discard(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    if !cx.this().in_multi {
        return Err("ERR DISCARD without MULTI".into());
    }
    let conn = cx.conn;
    cx.inst.discard(conn);
    Ok(Value::ok())
}

pub fn watch(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if cx.this().in_multi {
        return Err("ERR WATCH inside MULTI is not allowed".into());
    }
    cx.inst.note_watched(cx.conn);
    // A key that has changed already fails the transaction until UNWATCH or EXEC, so there is no
    // need to watch more.
    if cx.this().dirty_cas {
        return Ok(Value::ok());
    }
    for key in &argv[1..] {
        let (conn, db, now) = (cx.conn, cx.db, cx.now_for_deadlines());
        cx.inst.watch(conn, db, key, now);
    }
    Ok(Value::ok())
}

pub fn unwatch(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let conn = cx.conn;
    cx.inst.unwatch_all(conn);
    cx.this_mut().dirty_cas = false;
    Ok(Value::ok())
}

pub fn exec(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let (conn, now) = (cx.conn, cx.now_for_deadlines());
    if !cx.this().in_multi {
        return Err("ERR EXEC without MULTI".into());
    }
    cx.inst.note_watched(conn);
    if cx.inst.watched_key_expired(conn, now) {
        cx.this_mut().dirty_cas = true;
    }
    let (dirty_exec, dirty_cas) = (cx.this().dirty_exec, cx.this().dirty_cas);
    let queued = std::mem::take(&mut cx.this_mut().queued);
    cx.inst.discard(conn);
    if dirty_exec {
        return Err("EXECABORT Transaction discarded because of previous errors.".into());
    }
    if dirty_cas {
        return Ok(Value::NilArray);
    }
    let mut replies = Vec::with_capacity(queued.len());
    let mut bytes = 0;
    for argv in queued {
        // The replies wait for each other: together they may be larger than all values.
        if let Err(fail) = cx.inst.check_reply(bytes) {
            replies.push(Value::Error(fail.0));
            continue;
        }
        // The row was found when the command was queued; CONFIG cannot take it away.
        let reply = match cx.inst.resolve(&argv) {
            Ok(command) => {
                let done = cx.inst.call(conn, command, &argv, now, Origin::Exec);
                if done.silent {
                    continue;
                }
                done.reply
            }
            Err(fail) => Value::Error(fail.0),
        };
        bytes += reply.bytes();
        replies.push(reply);
    }
    Ok(Value::Array(replies))
}
