//! CLIENT TRACKING and its siblings.

use crate::ConnId;
use crate::args::{int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::tracking::{Mode, Tracker};
use ground::resp::{Bytes, Value};

#[derive(Debug, Default)]
struct Options {
    redirect: Option<ConnId>,
    broadcast: bool,
    opt_in: bool,
    opt_out: bool,
    no_loop: bool,
    prefixes: Vec<Bytes>,
}

fn options(cx: &Ctx<'_>, mut words: &[Bytes]) -> Result<Options, Fail> {
    let mut options = Options::default();
    loop {
        words = match words {
            [] => return Ok(options),
            [word, id, rest @ ..] if is(word, "REDIRECT") => {
                if options.redirect.is_some() {
                    return Err("ERR A client can only redirect to a single other client".into());
                }
                let id = ConnId::try_from(int(id)?).ok();
                let id = id.filter(|id| cx.inst.conn_index(*id).is_some());
                let text = "ERR The client ID you want redirect to does not exist";
                options.redirect = Some(id.ok_or(text)?);
                rest
            }
            [word, prefix, rest @ ..] if is(word, "PREFIX") => {
                options.prefixes.push(prefix.clone());
                rest
            }
            [word, rest @ ..] => {
                match () {
                    () if is(word, "BCAST") => options.broadcast = true,
                    () if is(word, "OPTIN") => options.opt_in = true,
                    () if is(word, "OPTOUT") => options.opt_out = true,
                    () if is(word, "NOLOOP") => options.no_loop = true,
                    () => return Err(crate::context::SYNTAX.into()),
                }
                rest
            }
        };
    }
}

/// Refuses options that do not go together, or not with what is on already.
fn check(options: &Options, now: Option<&Tracker>) -> Result<(), Fail> {
    let mode = now.map(|tracker| tracker.mode);
    if !options.broadcast && !options.prefixes.is_empty() {
        return Err("ERR PREFIX option requires BCAST mode to be enabled".into());
    }
    if mode.is_some_and(|mode| (mode == Mode::Broadcast) != options.broadcast) {
        return Err("ERR You can't switch BCAST mode on/off before disabling tracking for this \
                    client, and then re-enabling it with a different mode."
            .into());
    }
    if options.broadcast && (options.opt_in || options.opt_out) {
        return Err("ERR OPTIN and OPTOUT are not compatible with BCAST".into());
    }
    if options.opt_in && options.opt_out {
        return Err("ERR You can't specify both OPTIN mode and OPTOUT mode".into());
    }
    if options.opt_in && mode == Some(Mode::OptOut) || options.opt_out && mode == Some(Mode::OptIn)
    {
        return Err("ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this \
                    client, and then re-enabling it with a different mode."
            .into());
    }
    check_prefixes(&options.prefixes, now)
}

/// Refuses prefixes of which one begins with another.
fn check_prefixes(prefixes: &[Bytes], now: Option<&Tracker>) -> Result<(), Fail> {
    let overlap = |a: &Bytes, b: &Bytes| a.starts_with(b) || b.starts_with(a);
    let refused = |prefix: &Bytes, what: &str, other: &Bytes| {
        let what = format!("' overlaps with {what} prefix '");
        let end = b"'. Prefixes for a single client must not overlap.";
        let text = [b"ERR Prefix '", &prefix[..], what.as_bytes(), other, end];
        Err(Fail(text.concat().into()))
    };
    for (at, prefix) in prefixes.iter().enumerate() {
        let mut known = now.iter().flat_map(|tracker| tracker.prefixes.iter());
        if let Some(other) = known.find(|other| overlap(prefix, other)) {
            return refused(prefix, "an existing", other);
        }
        if let Some(other) = prefixes[at + 1..].iter().find(|other| overlap(prefix, other)) {
            return refused(prefix, "another provided", other);
        }
    }
    Ok(())
}

pub fn client_tracking(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let options = options(cx, &argv[3..])?;
    let conn = cx.conn;
    match &argv[2] {
        word if is(word, "ON") => {
            let now = cx.this().tracking.clone();
            check(&options, now.as_deref())?;
            cx.take_room_of(options.prefixes.iter())?;
            let mut prefixes = now.map(|now| now.prefixes.clone()).unwrap_or_default();
            if options.broadcast && options.prefixes.is_empty() {
                prefixes.insert(Bytes::from(b"".as_slice()));
            }
            for prefix in options.prefixes {
                prefixes.insert(prefix);
            }
            let mode = match () {
                () if options.broadcast => Mode::Broadcast,
                () if options.opt_in => Mode::OptIn,
                () if options.opt_out => Mode::OptOut,
                () => Mode::Read,
            };
            let Options { redirect, no_loop, .. } = options;
            let tracker = Tracker { mode, no_loop, redirect, is_broken: false, prefixes };
            cx.inst.track(conn, tracker);
        }
        word if is(word, "OFF") => cx.inst.untrack(conn),
        _ => return syntax(),
    }
    Ok(Value::ok())
}

pub fn client_caching(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let Some(mode) = cx.this().tracking.as_ref().map(|tracker| tracker.mode) else {
        return Err("ERR CLIENT CACHING can be called only when the client is in tracking mode \
                    with OPTIN or OPTOUT mode enabled"
            .into());
    };
    let (mode_needed, text) = match &argv[2] {
        word if is(word, "YES") => (
            Mode::OptIn,
            "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.",
        ),
        word if is(word, "NO") => (
            Mode::OptOut,
            "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.",
        ),
        _ => return syntax(),
    };
    if mode != mode_needed {
        return Err(text.into());
    }
    cx.this_mut().caches_next = true;
    Ok(Value::ok())
}

/// Returns the number of the connection that is told in its place; 0 is itself, -1 that tracking
/// is off.
pub fn redirection(tracker: Option<&Tracker>) -> i64 {
    tracker.map_or(-1, |tracker| tracker.redirect.unwrap_or(0).into())
}

pub fn client_getredir(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Int(redirection(cx.this().tracking.as_deref())))
}

pub fn client_trackinginfo(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let this = cx.this();
    let tracker = this.tracking.clone();
    let mode = tracker.as_ref().map(|tracker| tracker.mode);
    let caches = this.caches_next;
    let flags = [
        (tracker.is_none(), "off"),
        (tracker.is_some(), "on"),
        (mode == Some(Mode::Broadcast), "bcast"),
        (mode == Some(Mode::OptIn), "optin"),
        (mode == Some(Mode::OptIn) && caches, "caching-yes"),
        (mode == Some(Mode::OptOut), "optout"),
        (mode == Some(Mode::OptOut) && caches, "caching-no"),
        (tracker.as_ref().is_some_and(|tracker| tracker.no_loop), "noloop"),
        (tracker.as_ref().is_some_and(|tracker| tracker.is_broken), "broken_redirect"),
    ];
    let flags = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| Value::bulk(*name));
    let redirect = redirection(tracker.as_deref());
    let prefixes = tracker.iter().flat_map(|tracker| tracker.prefixes.iter());
    let prefixes = prefixes.map(|prefix| Value::Bulk(prefix.clone())).collect();
    let pair = |key: &str, value: Value| (Value::bulk(key), value);
    Ok(cx.map(vec![
        pair("flags", cx.set(flags.collect())),
        pair("redirect", Value::Int(redirect)),
        pair("prefixes", Value::Array(prefixes)),
    ]))
}
