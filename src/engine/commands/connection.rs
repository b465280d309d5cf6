//! Connection commands: PING, ECHO, HELLO, SELECT, AUTH, RESET, QUIT, and CLIENT.

use crate::args::{is, syntax};
use crate::conn::{Bytes0, Conn, Seen};
use crate::context::{Ctx, Fail, Reply};
use crate::unobserved::Unobserved;
use ground::resp::{Bytes, Proto, Value, number};

use super::keys::db_index;

pub fn ping(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if argv.len() > 2 {
        return crate::args::arity("ping");
    }
    let message = argv.get(1).map(|arg| Value::Bulk(arg.clone()));
    if cx.this().in_pubsub() && !cx.resp3() {
        let message = message.unwrap_or_else(|| Value::bulk(""));
        return Ok(Value::Array(vec![Value::bulk("pong"), message]));
    }
    Ok(message.unwrap_or_else(Value::pong))
}

pub fn echo(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::Bulk(argv[1].clone()))
}

pub fn select(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let db = db_index(cx, &argv[1], "ERR value is not an integer or out of range")?;
    cx.db = db;
    if !cx.in_script {
        cx.this_mut().db = db;
    }
    Ok(Value::ok())
}

pub fn quit(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    cx.inst.close(cx.conn);
    Ok(Value::ok())
}

pub fn reset(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let conn = cx.conn;
    cx.inst.let_go(conn);
    let this = cx.this_mut();
    let seen: Unobserved<Seen> = std::mem::take(&mut this.seen);
    let is_redirected_to = this.is_redirected_to;
    *this = Conn { id: this.id, seen, is_redirected_to, ..Conn::default() };
    Ok(Value::status("RESET"))
}

/// Checks user and password: the only user is `default`, without a password.
fn check_password(user: &[u8]) -> Result<(), Fail> {
    if user == b"default" {
        return Ok(());
    }
    Err("WRONGPASS invalid username-password pair or user is disabled.".into())
}

pub fn auth(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match argv {
        [_, _] => Err("ERR AUTH <password> called without any password configured for the \
                       default user. Are you sure your configuration is correct?"
            .into()),
        [_, user, _] => check_password(user).map(|()| Value::ok()),
        _ => syntax(),
    }
}

/// Checks that CLIENT LIST can show a name: printable, without spaces.
fn check_name(name: &[u8], what: &str) -> Result<(), Fail> {
    if name.iter().all(|b| (b'!'..=b'~').contains(b)) {
        return Ok(());
    }
    Err(format!("ERR {what} cannot contain spaces, newlines or special characters.").into())
}

pub fn hello(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut proto = cx.this().proto;
    if let Some(arg) = argv.get(1) {
        let text = "ERR Protocol version is not an integer or out of range";
        proto = match number::parse_int(arg).ok_or(text)? {
            2 => Proto::Resp2,
            3 => Proto::Resp3,
            _ => return Err("NOPROTO unsupported protocol version".into()),
        };
    }
    let mut name = None;
    let mut rest = argv.get(2..).unwrap_or_default();
    loop {
        match rest {
            [] => break,
            [word, user, _, tail @ ..] if is(word, "AUTH") => {
                check_password(user)?;
                rest = tail;
            }
            [word, new, tail @ ..] if is(word, "SETNAME") => {
                check_name(new, "Client names")?;
                name = Some(new.clone());
                rest = tail;
            }
            [word, ..] => {
                let word = String::from_utf8_lossy(word);
                return Err(format!("ERR Syntax error in HELLO option '{word}'").into());
            }
        }
    }
    let this = cx.this_mut();
    this.proto = proto;
    if let Some(name) = name {
        this.name = Bytes0(name);
    }
    cx.proto = proto;
    let id = i64::from(cx.conn);
    let (product, version) = cx.version().product();
    let pair = |key: &str, value: Value| (Value::bulk(key), value);
    Ok(cx.map(vec![
        pair("server", Value::bulk(product)),
        pair("version", Value::bulk(version)),
        pair("proto", Value::Int(if proto == Proto::Resp3 { 3 } else { 2 })),
        pair("id", Value::Int(id)),
        pair("mode", Value::bulk("standalone")),
        pair("role", Value::bulk("master")),
        pair("modules", Value::Array(vec![])),
    ]))
}

pub fn client_setname(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    check_name(&argv[2], "Client names")?;
    cx.this_mut().name = Bytes0(argv[2].clone());
    Ok(Value::ok())
}

pub fn client_getname(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let name = &cx.this().name.0;
    Ok(if name.is_empty() { Value::NilBulk } else { Value::Bulk(name.clone()) })
}

pub fn client_id(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Int(cx.conn.into()))
}
