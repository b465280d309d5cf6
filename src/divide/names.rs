//! Names of functions: stable ones, which stay the same from build to build and are listed in
//! `unused.txt`, and short ones for display.

use ground::hash::fingerprint;
use rustc_demangle::try_demangle;

/// Returns a function's name without parts that change with other code: hashes, and the numbers by
/// which `wasm-opt` tells equal names apart. Long type parameters are replaced by a digest.
pub fn stable(symbol: &str) -> String {
    let unnumbered = symbol.trim_end_matches(|c: char| c.is_ascii_digit());
    let unnumbered = unnumbered.strip_suffix('_').unwrap_or(symbol);
    let found = try_demangle(symbol).or_else(|_| try_demangle(unnumbered));
    let name = found.map_or_else(|_| unnumbered.to_owned(), |name| format!("{name:#}"));
    let short = outline(&name);
    match short == name {
        true => short,
        false => format!("{short} {:06x}", fingerprint(&name) & 0xff_ffff),
    }
}

/// Returns the name without nested angle brackets, and not too long.
fn outline(name: &str) -> String {
    const LENGTH_MAX: usize = 100;
    let mut text = String::new();
    let mut depth = 0;
    let mut before = ' ';
    for c in name.chars() {
        // Of an arrow, `->`, it is no bracket.
        let closes = c == '>' && before != '-';
        if c == '<' {
            depth += 1;
        }
        if depth < 2 && text.len() < LENGTH_MAX {
            text.push(c);
        }
        if closes {
            depth -= 1;
        }
        before = c;
    }
    text
}

/// Returns the names a, b, … z, A, … Z, aa, ab, …
pub fn brief(number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let last = char::from(LETTERS[number % LETTERS.len()]);
    match number / LETTERS.len() {
        0 => last.to_string(),
        more => brief(more - 1) + &last.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_changes_is_left_out() {
        let same = |a: &str, b: &str| assert_eq!(stable(a), stable(b));
        same("_ZN3app4view17h0123456789abcdefE", "_ZN3app4view17hfedcba9876543210E");
        same("_RNvCs1234_3app4view", "_RNvCs5678_3app4view");
        same("_RNvCs1234_3app4view_12", "_RNvCs1234_3app4view");
        assert_eq!(stable("_RNvCs1234_3app4view"), "app::view");
        assert_eq!(stable("memcpy"), "memcpy");
        // app::view::<app::view::<u8>>, and of u16.
        let inner = |kind: &str| stable(&format!("_RINvCs1_3app4viewINtB2_3Box{kind}EE"));
        assert_eq!(inner("h").split(' ').next(), inner("t").split(' ').next());
        assert_ne!(inner("h"), inner("t"));
    }

    #[test]
    fn brief_names_differ() {
        let names: std::collections::BTreeSet<String> = (0..5_000).map(brief).collect();
        assert_eq!(names.len(), 5_000);
        assert_eq!([brief(0), brief(51), brief(52)].join(" "), "a Z aa");
    }
}
