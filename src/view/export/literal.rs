//! Text in the files of exported tests: as a literal, or as a comment to the end of its line.
//!
//! Titles, names, arguments, replies, errors and SQL are a stranger's. No template of [`super`]
//! puts one into a file by itself: here they become data, whatever they hold. Two rules are the
//! template's: a comment with such text is in neither of the first two lines of a Python file,
//! where `coding:` would change how the file is read, and no docstring holds such text, which
//! doctest would run. Absent: bytes that are not UTF-8; they become U+FFFD. To add a language, add
//! its two functions, and its export to `tests/clients/hostile.rs`.

use std::fmt::Write;

/// The most UTF-16 units of a Java literal: a constant has at most 65,535 bytes, a unit up to 3.
const JAVA_UNITS_MAX: usize = 16_000;

/// Returns true for characters that a reader does not see as they are: controls, those that turn
/// the direction of writing, so that code would look like text, and those that XML forbids.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns the text on one line, without characters that are not seen.
pub fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || is_unseen(c));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Writes the escapes that Python and Java share. Returns false for other characters.
fn escape(out: &mut String, c: char) -> bool {
    match c {
        '"' => *out += "\\\"",
        '\\' => *out += "\\\\",
        '\n' => *out += "\\n",
        '\r' => *out += "\\r",
        '\t' => *out += "\\t",
        _ => return false,
    }
    true
}

/// Returns a `str`.
pub fn python_literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            c if escape(&mut out, c) => {}
            // Writing to a String cannot fail, here and below. All of these have four digits.
            c if is_unseen(c) => _ = write!(out, "\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Returns a comment.
pub fn python_comment(text: &str) -> String {
    format!("# {}", one_line(text))
}

/// Writes a character in ASCII: javac 17 reads a file in the system's charset, and in GBK or
/// Shift_JIS the last byte of a character may take the backslash or the quote behind it.
fn java_ascii(out: &mut String, c: char) {
    if c == ' ' || c.is_ascii_graphic() {
        return out.push(c);
    }
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// Returns a `String`, in pieces if it is long.
pub fn java_literal(bytes: &[u8]) -> String {
    let (mut out, mut units, mut pieces) = (String::from("\""), 0, 1);
    for c in String::from_utf8_lossy(bytes).chars() {
        if units >= JAVA_UNITS_MAX {
            out += "\", \"";
            (units, pieces) = (0, pieces + 1);
        }
        units += c.len_utf16();
        if !escape(&mut out, c) {
            java_ascii(&mut out, c);
        }
    }
    match pieces {
        1 => out + "\"",
        _ => format!("String.join(\"\", {out}\")"),
    }
}

/// Returns a comment. Java reads `\u000a` as a line end in comments too, but not behind an odd
/// number of backslashes.
pub fn java_comment(text: &str) -> String {
    let mut out = String::from("// ");
    for c in one_line(text).chars() {
        if c == '\\' {
            out.push(c);
        }
        java_ascii(&mut out, c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_literals_and_comments() {
        let text = "a\"\\\n\0\u{2028}中😀\\u000a";
        let python = r#""a\"\\\n\u0000\u2028中😀\\u000a""#;
        let java = r#""a\"\\\n\u0000\u2028\u4e2d\ud83d\ude00\\u000a""#;
        assert_eq!(python_literal(text.as_bytes()), python);
        assert_eq!(java_literal(text.as_bytes()), java);
        assert_eq!(python_comment(text), r#"# a"\ 中😀\u000a"#);
        assert_eq!(java_comment(text), r#"// a"\\ \u4e2d\ud83d\ude00\\u000a"#);
        assert_eq!(python_literal(b"\xed\xa0\x80"), "\"\u{fffd}\u{fffd}\u{fffd}\"");
        assert_eq!(java_literal(&[b'x'; 16_000]).len(), 16_002);
        assert_eq!(java_literal(&[b'x'; 32_001]).matches("\", \"").count(), 3);
    }
}
