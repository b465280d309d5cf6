//! Inline commands: a line typed by hand, split into arguments by the rules of `sdssplitargs`.

use super::Bytes;

/// The line ends inside quotes, or a closing quote is not followed by space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnbalancedQuotes;

/// Splits `line` into arguments. Double quotes know `\n \r \t \b \a \xHH` and `\` before any
/// other character; single quotes know only `\'`.
pub fn split_inline(line: &[u8]) -> Result<Vec<Bytes>, UnbalancedQuotes> {
    let mut args = Vec::new();
    // The C code reads a NUL-terminated string: a NUL ends the line.
    let line = &line[..line.iter().position(|&b| b == 0).unwrap_or(line.len())];
    let mut at = 0;
    loop {
        while line.get(at).is_some_and(|b| is_space(*b)) {
            at += 1;
        }
        if at == line.len() {
            return Ok(args);
        }
        let (word, next) = split_word(line, at)?;
        args.push(word.into());
        at = next;
    }
}

fn split_word(line: &[u8], mut at: usize) -> Result<(Vec<u8>, usize), UnbalancedQuotes> {
    let mut word = Vec::new();
    loop {
        match line.get(at) {
            None => return Ok((word, at)),
            Some(&b) if is_space(b) => return Ok((word, at)),
            Some(&quote @ (b'"' | b'\'')) => {
                at = quoted_part(line, at + 1, quote, &mut word)?;
                // A closing quote must be followed by a space or nothing at all.
                return match line.get(at) {
                    Some(&b) if !is_space(b) => Err(UnbalancedQuotes),
                    _ => Ok((word, at)),
                };
            }
            Some(&b) => {
                word.push(b);
                at += 1;
            }
        }
    }
}

/// Reads up to the closing quote; the place behind it is the result.
fn quoted_part(
    line: &[u8],
    mut at: usize,
    quote: u8,
    word: &mut Vec<u8>,
) -> Result<usize, UnbalancedQuotes> {
    loop {
        let rest = &line[at.min(line.len())..];
        match (quote, rest) {
            (_, []) => return Err(UnbalancedQuotes),
            (b'"', [b'\\', b'x', high, low, ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                word.push(hex(*high) * 16 + hex(*low));
                at += 4;
            }
            (b'"', [b'\\', escaped, ..]) => {
                word.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'a' => 7,
                    other => *other,
                });
                at += 2;
            }
            (b'\'', [b'\\', b'\'', ..]) => {
                word.push(b'\'');
                at += 2;
            }
            (_, [b, ..]) if *b == quote => return Ok(at + 1),
            (_, [b, ..]) => {
                word.push(*b);
                at += 1;
            }
        }
    }
}

/// C's isspace in the "C" locale.
fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit.wrapping_sub(b'A').wrapping_add(10) & 15,
    }
}
