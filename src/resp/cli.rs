//! Replies as redis-cli prints them on a terminal, and as one line for labels.

use super::{Value, number};

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
                    index(i, out);
                    item.cli_lines(&deeper, out);
                }
            }
            Value::Map(pairs) => {
                for (i, (key, value)) in pairs.iter().enumerate() {
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
        let lines =
            |items: &[Value]| items.iter().map(Value::to_cli_raw).collect::<Vec<_>>().join("\n");
        match self {
            Value::Bulk(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Value::NilBulk | Value::NilArray | Value::Null => String::new(),
            Value::Error(text) => format!("{}\n", String::from_utf8_lossy(text)),
            Value::Int(number) => number.to_string(),
            Value::Double(double) => number::double_g17(*double),
            Value::Array(items) | Value::Push(items) | Value::Set(items) => lines(items),
            Value::Map(pairs) => {
                let pair = |(key, value): &(Value, Value)| {
                    format!("{} {}", key.to_cli_raw(), value.to_cli_raw())
                };
                pairs.iter().map(pair).collect::<Vec<_>>().join("\n")
            }
            other => other.to_cli_short(),
        }
    }

    /// One line: scalars as redis-cli prints them, aggregates in brackets.
    pub fn to_cli_short(&self) -> String {
        let list =
            |items: &[Value]| items.iter().map(Value::to_cli_short).collect::<Vec<_>>().join(", ");
        match self {
            Value::Status(text) => String::from_utf8_lossy(text).into_owned(),
            Value::Error(text) => format!("(error) {}", String::from_utf8_lossy(text)),
            Value::Int(n) => format!("(integer) {n}"),
            Value::Bulk(bytes) => quoted(bytes),
            Value::NilBulk | Value::NilArray | Value::Null => "(nil)".into(),
            Value::Array(items) | Value::Push(items) => format!("[{}]", list(items)),
            Value::Set(items) => format!("{{{}}}", list(items)),
            Value::Map(pairs) => {
                let pair = |(k, v): &(Value, Value)| {
                    format!("{} => {}", k.to_cli_short(), v.to_cli_short())
                };
                format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            Value::Double(d) => format!("(double) {}", number::double_g17(*d)),
            Value::Bool(b) => if *b { "(true)" } else { "(false)" }.into(),
            Value::BigNumber(text) | Value::Verbatim { text, .. } => {
                String::from_utf8_lossy(text).into_owned()
            }
        }
    }
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
