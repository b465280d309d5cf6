//! Replies as redis-cli prints them on a terminal, and as one line for labels.
//!
//! Both are to be read by people: a string of more than [`SHOWN_MAX`] bytes is cut before it is
//! escaped, with its length behind it, and what is printed ends soon after [`PRINTED_MAX`]. A
//! value of 16 MiB would else be 64 MiB of text, which ends the page that is to show it.

use std::borrow::Cow;

use super::{Value, number};

/// Bytes of one string that are printed.
pub const SHOWN_MAX: usize = 16 << 10;

/// From this length on a text gets no further elements.
pub const PRINTED_MAX: usize = 64 << 10;

impl Value {
    /// As redis-cli prints it, without the final newline.
    pub fn to_cli(&self) -> String {
        let mut out = String::new();
        self.cli_lines("", &mut out);
        out.pop();
        out
    }

    fn cli_lines(&self, prefix: &str, out: &mut String) {
        let (name, separator, count) = match self {
            Value::Array(items) => ("array", ')', items.len()),
            Value::Push(items) => ("push", ')', items.len()),
            Value::Set(items) => ("set", '~', items.len()),
            Value::Map(pairs) => ("hash", '#', pairs.len()),
            _ => {
                out.push_str(&self.to_cli_short());
                out.push('\n');
                return;
            }
        };
        if count == 0 {
            out.push_str(&format!("(empty {name})\n"));
            return;
        }
        let width = count.to_string().len();
        let deeper = format!("{prefix}{}", " ".repeat(width + 2));
        let index = |i: usize, out: &mut String| {
            // The first element stands on the line of its parent's index.
            let lead = if i == 0 { "" } else { prefix };
            out.push_str(&format!("{lead}{:>width$}{separator} ", i + 1));
        };
        match self {
            Value::Array(items) | Value::Push(items) | Value::Set(items) => {
                for (i, item) in items.iter().enumerate() {
                    if out.len() > PRINTED_MAX {
                        out.push_str(prefix);
                        out.push_str("…\n");
                        break;
                    }
                    index(i, out);
                    item.cli_lines(&deeper, out);
                }
            }
            Value::Map(pairs) => {
                for (i, (key, value)) in pairs.iter().enumerate() {
                    if out.len() > PRINTED_MAX {
                        out.push_str(prefix);
                        out.push_str("…\n");
                        break;
                    }
                    index(i, out);
                    key.cli_lines(&deeper, out);
                    out.pop();
                    out.push_str(" => ");
                    if value.has_items() {
                        out.push('\n');
                        out.push_str(&deeper);
                    }
                    value.cli_lines(&deeper, out);
                }
            }
            _ => {}
        }
    }

    /// An aggregate that is not empty.
    fn has_items(&self) -> bool {
        match self {
            Value::Array(items) | Value::Push(items) | Value::Set(items) => !items.is_empty(),
            Value::Map(pairs) => !pairs.is_empty(),
            _ => false,
        }
    }

    /// As redis-cli prints it where its output is no terminal, without the final newline.
    pub fn to_cli_raw(&self) -> String {
        let mut out = String::new();
        self.raw_lines(&mut out);
        out
    }

    fn raw_lines(&self, out: &mut String) {
        match self {
            Value::Bulk(bytes) => out.push_str(&lossy(bytes)),
            Value::NilBulk | Value::NilArray | Value::Null => {}
            Value::Error(text) => {
                out.push_str(&lossy(text));
                out.push('\n');
            }
            Value::Int(number) => out.push_str(&number.to_string()),
            Value::Double(double) => out.push_str(&number::double_g17(*double)),
            Value::Array(items) | Value::Push(items) | Value::Set(items) => {
                list(items, "\n", PRINTED_MAX, out, |item, out| item.raw_lines(out));
            }
            Value::Map(pairs) => list(pairs, "\n", PRINTED_MAX, out, |(key, value), out| {
                key.raw_lines(out);
                out.push(' ');
                value.raw_lines(out);
            }),
            other => other.short_to(out, PRINTED_MAX),
        }
    }

    /// One line: scalars as redis-cli prints them, aggregates in brackets.
    pub fn to_cli_short(&self) -> String {
        self.to_cli_within(PRINTED_MAX)
    }

    /// The same, but no more of an aggregate than begins within `max` bytes.
    pub fn to_cli_within(&self, max: usize) -> String {
        let mut out = String::new();
        self.short_to(&mut out, max);
        out
    }

    fn short_to(&self, out: &mut String, max: usize) {
        let items = |brackets: [char; 2], items: &[Value], out: &mut String| {
            out.push(brackets[0]);
            list(items, ", ", max, out, |item, out| item.short_to(out, max));
            out.push(brackets[1]);
        };
        match self {
            Value::Status(text) => out.push_str(&lossy(text)),
            Value::Error(text) => {
                out.push_str("(error) ");
                out.push_str(&lossy(text));
            }
            Value::Int(n) => out.push_str(&format!("(integer) {n}")),
            Value::Bulk(bytes) if bytes.len() > SHOWN_MAX => {
                out.push_str(&quoted(&bytes[..SHOWN_MAX]));
                out.push_str(&cut_note(bytes.len()));
            }
            Value::Bulk(bytes) => out.push_str(&quoted(bytes)),
            Value::NilBulk | Value::NilArray | Value::Null => out.push_str("(nil)"),
            Value::Array(all) | Value::Push(all) => items(['[', ']'], all, out),
            Value::Set(all) => items(['{', '}'], all, out),
            Value::Map(pairs) => {
                out.push('{');
                list(pairs, ", ", max, out, |(key, value), out| {
                    key.short_to(out, max);
                    out.push_str(" => ");
                    value.short_to(out, max);
                });
                out.push('}');
            }
            Value::Double(d) => out.push_str(&format!("(double) {}", number::double_g17(*d))),
            Value::Bool(b) => out.push_str(if *b { "(true)" } else { "(false)" }),
            Value::BigNumber(text) | Value::Verbatim { text, .. } => out.push_str(&lossy(text)),
        }
    }
}

/// As many of `items` as begin within `max` bytes.
fn list<T>(
    items: &[T],
    between: &str,
    max: usize,
    out: &mut String,
    each: impl Fn(&T, &mut String),
) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(between);
        }
        if out.len() > max {
            out.push('…');
            break;
        }
        each(item, out);
    }
}

/// Follows the part of a string that is shown.
fn cut_note(len: usize) -> String {
    format!("… ({len} bytes)")
}

/// `bytes` as text, cut.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.len() <= SHOWN_MAX {
        return String::from_utf8_lossy(bytes);
    }
    let mut shown = String::from_utf8_lossy(&bytes[..SHOWN_MAX]).into_owned();
    shown.push_str(&cut_note(bytes.len()));
    shown.into()
}

/// `bytes` in double quotes with everything unprintable escaped: `sdscatrepr`.
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for &b in bytes {
        match b {
            b'\\' | b'"' => {
                out.push('\\');
                out.push(b.into());
            }
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            7 => out.push_str("\\a"),
            8 => out.push_str("\\b"),
            b' '..=b'~' => out.push(b.into()),
            _ => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push('"');
    out
}
