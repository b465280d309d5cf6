//! Sentences for commands whose arguments and reply the general sentences do not tell well: random
//! draws and pops by what they gave, stream entries by their fields, and who has taken over what.
//!
//! To tell another command, add it to [`told`] (and to [`words`], which keeps others out), and its
//! sentence to `text::verdict`.

use crate::resp::{Bytes, Value};
use crate::session::spelling::{command_text, reply_text, shortened};
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};

use super::explain::text;

/// The most entries of a stream that are named.
const ENTRIES_MAX: usize = 3;
/// The most characters of a list of entries or members.
const CHARS_MAX: usize = 60;

/// Returns the sentence for a command that `who` sent; `None` if the general ones tell it.
pub(super) fn words(lang: Lang, who: &str, argv: &[Bytes], reply: &Value) -> Option<String> {
    let name = argv.first()?;
    let is_of_stream = name.first().is_some_and(|first| first.eq_ignore_ascii_case(&b'X'));
    let may_be_draw = name.len() >= "RANDOMKEY".len();
    let pops = matches!(&name[..], [_, rest @ ..] if rest.eq_ignore_ascii_case(b"POP"));
    if is_of_stream || may_be_draw || pops { told(lang, who, argv, reply) } else { None }
}

/// A function of its own: few runs need it.
#[inline(never)]
fn told(lang: Lang, who: &str, argv: &[Bytes], reply: &Value) -> Option<String> {
    let say = |word: VerdictWord, values: &[&str]| Some(fill(verdict(lang, word), values));
    let read = |stream: &str, got: &str| fill(tr(lang, Key::SaidRead), &[who, stream, got]);
    let name = argv.first()?.to_ascii_uppercase();
    let key = || argv.get(1).map(text);
    match name.as_slice() {
        b"SRANDMEMBER" | b"HRANDFIELD" | b"ZRANDMEMBER" => {
            say(VerdictWord::SaidDrew, &[who, &drawn(reply)?, &key()?])
        }
        b"LPOP" | b"RPOP" => say(VerdictWord::SaidTook, &[who, &drawn(reply)?, &key()?]),
        b"SPOP" => say(VerdictWord::SaidPopped, &[who, &drawn(reply)?, &key()?]),
        b"RANDOMKEY" => say(VerdictWord::SaidDrewKey, &[who, &drawn(reply)?]),
        b"XADD" => {
            let Value::Bulk(id) = reply else { return None };
            // The fields follow the id, which stands for itself or ends in a star.
            let is_id = |word: &Bytes| word == id || matches!(&word[..], [.., b'*']);
            let at = argv.iter().skip(2).position(is_id)? + 2;
            let id = text(id);
            let fields = shortened(&command_text(argv.get(at + 1..)?), CHARS_MAX);
            say(VerdictWord::SaidAppended, &[who, &fields, &key()?, &id])
        }
        b"XRANGE" | b"XREVRANGE" => Some(read(&key()?, &entries(reply)?)),
        b"XREAD" => {
            let (stream, got) = first_stream(reply)?;
            Some(read(&stream, &got))
        }
        b"XREADGROUP" => {
            let (group, consumer) = (argv.get(2).map(text)?, argv.get(3).map(text)?);
            match first_stream(reply) {
                Some((stream, got)) => {
                    say(VerdictWord::SaidGot, &[who, &got, &stream, &consumer, &group])
                }
                None => say(VerdictWord::SaidGotNothing, &[who, &consumer, &group]),
            }
        }
        b"XAUTOCLAIM" | b"XCLAIM" => {
            let (group, consumer) = (argv.get(2).map(text)?, argv.get(3).map(text)?);
            let claimed = match reply {
                Value::Array(parts) if *name == *b"XAUTOCLAIM" => parts.get(1)?,
                other => other,
            };
            match entries(claimed) {
                Some(got) => {
                    say(VerdictWord::SaidClaimed, &[who, &got, &key()?, &consumer, &group])
                }
                None => say(VerdictWord::SaidClaimedNothing, &[who, &key()?, &group]),
            }
        }
        b"XACK" => {
            let (group, ids) = (argv.get(2).map(text)?, command_text(argv.get(3..)?));
            let ids = shortened(&ids, CHARS_MAX);
            let word = match reply {
                Value::Int(0) => VerdictWord::SaidAckNothing,
                _ => VerdictWord::SaidAck,
            };
            say(word, &[who, &ids, &key()?, &group])
        }
        _ => None,
    }
}

/// Returns what a draw gave; `None` if that is nothing.
fn drawn(reply: &Value) -> Option<String> {
    match reply {
        Value::Bulk(_) => Some(reply_text(reply)),
        Value::Array(items) | Value::Set(items) if !items.is_empty() => {
            let items: Vec<String> = items.iter().take(ENTRIES_MAX * 4).map(reply_text).collect();
            Some(shortened(&items.join(", "), CHARS_MAX))
        }
        _ => None,
    }
}

/// Returns the first stream of a reply of XREAD or XREADGROUP, and its entries.
fn first_stream(reply: &Value) -> Option<(String, String)> {
    let stream = match reply {
        Value::Array(streams) => match streams.first()? {
            Value::Array(pair) => (pair.first()?, pair.get(1)?),
            _ => return None,
        },
        Value::Map(streams) => streams.first().map(|(name, entries)| (name, entries))?,
        _ => return None,
    };
    Some((reply_text(stream.0), entries(stream.1)?))
}

/// Returns entries of a stream, each by its id and fields (JUSTID gives ids only); `None` if there
/// are none.
fn entries(reply: &Value) -> Option<String> {
    let Value::Array(all) = reply else { return None };
    let named = all.iter().take(ENTRIES_MAX).map(|entry| match entry {
        Value::Array(entry) => {
            let fields = match entry.get(1) {
                Some(Value::Array(fields)) => fields.as_slice(),
                _ => &[],
            };
            let id = entry.first().map(reply_text).unwrap_or_default();
            let fields: Vec<String> = fields.iter().take(8).map(reply_text).collect();
            [id, fields.join(" ")].join(" ").trim_end().to_owned()
        }
        other => reply_text(other),
    });
    let mut named: Vec<String> = named.collect();
    if named.is_empty() {
        return None;
    }
    if all.len() > ENTRIES_MAX {
        named.push("…".to_owned());
    }
    Some(shortened(&named.join(", "), CHARS_MAX))
}
