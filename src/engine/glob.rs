//! Glob-style patterns of KEYS, SCAN and PSUBSCRIBE (`stringmatchlen`).

use std::cell::Cell;

/// Patterns with many stars backtrack; matching gives up (no match) after this many steps, or this
/// many for each byte, so that no pattern can stop the server.
const STEPS_MAX: usize = 1_000_000;
const STEPS_PER_BYTE: usize = 16;

/// More stars than this match nothing, as in Redis, where each is a call within the one before.
const NESTING_MAX: usize = 1000;

/// Returns true if `text` matches `pattern`: `*`, `?`, `[a-z^]` and `\`.
pub fn glob_match(pattern: &[u8], text: &[u8], ignore_case: bool) -> bool {
    match_counted(pattern, text, ignore_case, &mut 0)
}

/// The same; adds the steps to `steps`.
fn match_counted(pattern: &[u8], text: &[u8], ignore_case: bool, steps: &mut usize) -> bool {
    // The classic two-pointer walk: on a mismatch, the last star takes one more byte.
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    let mut nesting = 0;
    let most = STEPS_MAX.max(text.len().saturating_mul(STEPS_PER_BYTE)).saturating_add(*steps);
    while *steps < most {
        // A class is read byte by byte.
        let is_class = pattern.get(p) == Some(&b'[');
        *steps += 1 + if is_class { (pattern.len() - p) / 16 } else { 0 };
        if pattern.get(p) == Some(&b'*') {
            while pattern.get(p) == Some(&b'*') {
                p += 1;
            }
            if p == pattern.len() {
                return true;
            }
            nesting += usize::from(t < text.len());
            if nesting > NESTING_MAX {
                return false;
            }
            retry = Some((p, t));
            continue;
        }
        if t == text.len() && p == pattern.len() {
            return true;
        }
        if let (Some(&b), true) = (text.get(t), p < pattern.len())
            && let Some(next) = match_one(pattern, p, b, ignore_case)
        {
            (p, t) = (next, t + 1);
            continue;
        }
        match retry {
            Some((star, from)) if from < text.len() => {
                retry = Some((star, from + 1));
                (p, t) = (star, from + 1);
            }
            _ => return false,
        }
    }
    false
}

/// A pattern for many texts, which counts its steps.
#[derive(Debug)]
pub struct Counted<'a> {
    pattern: &'a [u8],
    /// The steps so far; nothing matches any more once they are `most`.
    steps: Cell<usize>,
    most: usize,
}

impl<'a> Counted<'a> {
    pub fn new(pattern: &'a [u8], is_bounded: bool) -> Counted<'a> {
        let most = if is_bounded { 16 * STEPS_MAX } else { usize::MAX };
        Counted { pattern, steps: Cell::new(0), most }
    }

    pub fn matches(&self, text: &[u8]) -> bool {
        let mut steps = self.steps.get();
        let found = steps < self.most && match_counted(self.pattern, text, false, &mut steps);
        self.steps.set(steps);
        found
    }

    /// Returns the steps as elements that a command looks at; too many if it gave up.
    pub fn visits(&self) -> usize {
        let steps = self.steps.get();
        steps / 8 + usize::from(steps >= self.most)
    }
}

/// Returns the position of the next element of the pattern if the one at `p` matches `b`.
fn match_one(pattern: &[u8], p: usize, b: u8, ignore_case: bool) -> Option<usize> {
    let fold = |x: u8| if ignore_case { x.to_ascii_lowercase() } else { x };
    match pattern[p] {
        b'?' => Some(p + 1),
        b'[' => match_class(pattern, p + 1, b, ignore_case),
        b'\\' if p + 1 < pattern.len() => (fold(pattern[p + 1]) == fold(b)).then_some(p + 2),
        other => (fold(other) == fold(b)).then_some(p + 1),
    }
}

fn match_class(pattern: &[u8], mut p: usize, b: u8, ignore_case: bool) -> Option<usize> {
    let fold = |x: u8| if ignore_case { x.to_ascii_lowercase() } else { x };
    let negated = pattern.get(p) == Some(&b'^');
    p += usize::from(negated);
    let mut found = false;
    loop {
        match &pattern[p.min(pattern.len())..] {
            // An unclosed class ends with the pattern.
            [] => break,
            [b']', ..] => {
                p += 1;
                break;
            }
            [b'\\', escaped, ..] => {
                found |= fold(*escaped) == fold(b);
                p += 2;
            }
            [low, b'-', high, ..] => {
                let (low, high) = (fold(*low.min(high)), fold(*low.max(high)));
                found |= (low..=high).contains(&fold(b));
                p += 3;
            }
            [one, ..] => {
                found |= fold(*one) == fold(b);
                p += 1;
            }
        }
    }
    (found != negated).then_some(p)
}

#[cfg(test)]
mod tests {
    use super::glob_match;

    #[test]
    fn patterns() {
        for (pattern, text, want) in [
            ("h?llo", "hello", true),
            ("h[ae]llo", "hallo", true),
            ("h[^e]llo", "hello", false),
            ("h[b-a]llo", "hallo", true),
            ("h\\*llo", "h*llo", true),
            ("h\\*llo", "hello", false),
            ("*", "", true),
            ("a*b*c", "a__b__b_c", true),
            ("a*b*c", "a__b__b_", false),
            ("[abc", "b", true),
            ("", "", true),
            ("", "x", false),
            ("**a", "bba", true),
            ("a\\", "a\\", true),
        ] {
            assert_eq!(glob_match(pattern.as_bytes(), text.as_bytes(), false), want, "{pattern}");
        }
        assert!(glob_match(b"AB*", b"abc", true));
        let stars = "a*".repeat(50);
        assert!(!glob_match(stars.as_bytes(), "a".repeat(49).as_bytes(), false));
        let (deep, text) = ("a*".repeat(1001), "a".repeat(3000));
        assert!(glob_match(deep.as_bytes(), text.as_bytes(), false));
        assert!(!glob_match(format!("{deep}a").as_bytes(), text.as_bytes(), false));
        let long = [&vec![b'a'; 2_000_000][..], b"b"].concat();
        assert!(glob_match(b"*b", &long, false));
    }
}
