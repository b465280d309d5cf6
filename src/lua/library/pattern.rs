//! Pattern matching, after `lstrlib.c`.
//!
//! Backtracking is PUC's, with two more bounds: on the depth of recursion and on the steps of one
//! match.

use crate::number::is_space;
use crate::state::{State, Thrown, cost_of};
use crate::value::Value;

const CAPTURES_MAX: usize = 32;
/// The most pattern items that may wait for the items after them; PUC 5.2's limit.
// DIFFERENCE: 5.1 has no limit and can lose its C stack.
const DEPTH_MAX: usize = 200;
/// The most steps of one match.
const STEPS_MAX: usize = 3_000_000;
/// A set of so many bytes takes a step more for each byte of the text.
const LONG_SET: usize = 64;
const ESCAPE: u8 = b'%';

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Unfinished,
    Position,
    Bytes(usize),
}

/// A match under way.
pub(crate) struct Matcher<'a> {
    pub text: &'a [u8],
    pattern: &'a [u8],
    captures: Vec<(usize, Length)>,
    depth: usize,
    /// The number of steps taken, which cost fuel.
    pub steps: usize,
}

type Matched = Result<Option<usize>, &'static str>;

impl<'a> Matcher<'a> {
    /// Creates a matcher; as in PUC the pattern ends at its first zero byte.
    pub fn new(text: &'a [u8], pattern: &'a [u8]) -> Self {
        let pattern = pattern.split(|&c| c == 0).next().unwrap_or(pattern);
        let steps = cost_of(pattern.len());
        Self { text, pattern, captures: Vec::new(), depth: 0, steps }
    }

    /// Returns the error of a match, which costs its steps too.
    pub fn failed(&self, state: &mut State, message: &str) -> Thrown {
        state.spend(self.steps);
        state.lib_error(message)
    }

    /// Matches the pattern from `p` at exactly `start`; returns the end of the match.
    pub fn match_at(&mut self, start: usize, p: usize) -> Matched {
        self.captures.clear();
        self.depth = 0;
        self.run(start, p)
    }

    fn at(&self, p: usize) -> u8 {
        self.pattern.get(p).copied().unwrap_or(0)
    }

    fn deeper(&mut self, s: usize, p: usize) -> Matched {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err("pattern too complex");
        }
        let end = self.run(s, p);
        self.depth -= 1;
        end
    }

    fn step(&mut self) -> Result<(), &'static str> {
        self.steps(1)
    }

    fn steps(&mut self, count: usize) -> Result<(), &'static str> {
        self.steps += count;
        if self.steps > STEPS_MAX { Err("pattern too complex") } else { Ok(()) }
    }

    fn run(&mut self, mut s: usize, mut p: usize) -> Matched {
        loop {
            self.step()?;
            match self.at(p) {
                b'(' if self.at(p + 1) == b')' => {
                    return self.start_capture(s, p + 2, Length::Position);
                }
                b'(' => return self.start_capture(s, p + 1, Length::Unfinished),
                b')' => return self.end_capture(s, p + 1),
                0 if p >= self.pattern.len() => return Ok(Some(s)),
                b'$' if p + 1 == self.pattern.len() => {
                    return Ok((s == self.text.len()).then_some(s));
                }
                ESCAPE => match self.at(p + 1) {
                    b'b' => match self.balance(s, p + 2)? {
                        Some(end) => (s, p) = (end, p + 4),
                        None => return Ok(None),
                    },
                    b'f' => {
                        p += 2;
                        if self.at(p) != b'[' {
                            return Err("missing '[' after '%f' in pattern");
                        }
                        let end = self.class_end(p)?;
                        self.steps((end - p) / LONG_SET)?;
                        let before = if s == 0 { 0 } else { self.text[s - 1] };
                        let here = self.text.get(s).copied().unwrap_or(0);
                        if self.in_set(before, p, end - 1) || !self.in_set(here, p, end - 1) {
                            return Ok(None);
                        }
                        p = end;
                    }
                    digit @ b'0'..=b'9' => match self.back_reference(s, digit)? {
                        Some(end) => (s, p) = (end, p + 2),
                        None => return Ok(None),
                    },
                    _ => match self.single(s, p)? {
                        Next::Go(next, after) => (s, p) = (next, after),
                        Next::End(end) => return Ok(end),
                    },
                },
                _ => match self.single(s, p)? {
                    Next::Go(next, after) => (s, p) = (next, after),
                    Next::End(end) => return Ok(end),
                },
            }
        }
    }

    /// Matches one character class with its quantifier.
    fn single(&mut self, s: usize, p: usize) -> Result<Next, &'static str> {
        let end = self.class_end(p)?;
        let fits = self.fits(s, p, end)?;
        Ok(match self.at(end) {
            b'?' => {
                if fits && let Some(found) = self.deeper(s + 1, end + 1)? {
                    return Ok(Next::End(Some(found)));
                }
                Next::Go(s, end + 1)
            }
            b'*' => Next::End(self.most(s, p, end)?),
            b'+' if fits => Next::End(self.most(s + 1, p, end)?),
            b'+' => Next::End(None),
            b'-' => Next::End(self.least(s, p, end)?),
            _ if fits => Next::Go(s + 1, end),
            _ => Next::End(None),
        })
    }

    fn fits(&mut self, s: usize, p: usize, end: usize) -> Result<bool, &'static str> {
        self.steps((end - p) / LONG_SET)?;
        let Some(&c) = self.text.get(s) else { return Ok(false) };
        Ok(match self.at(p) {
            b'.' => true,
            ESCAPE => in_class(c, self.at(p + 1)),
            b'[' => self.in_set(c, p, end - 1),
            literal => literal == c,
        })
    }

    fn most(&mut self, s: usize, p: usize, end: usize) -> Matched {
        let mut count = 0;
        while self.fits(s + count, p, end)? {
            count += 1;
        }
        self.steps += count / 8;
        loop {
            self.step()?;
            if let Some(found) = self.deeper(s + count, end + 1)? {
                return Ok(Some(found));
            }
            if count == 0 {
                return Ok(None);
            }
            count -= 1;
        }
    }

    fn least(&mut self, mut s: usize, p: usize, end: usize) -> Matched {
        loop {
            self.step()?;
            if let Some(found) = self.deeper(s, end + 1)? {
                return Ok(Some(found));
            }
            if !self.fits(s, p, end)? {
                return Ok(None);
            }
            s += 1;
        }
    }

    fn class_end(&self, mut p: usize) -> Result<usize, &'static str> {
        let first = self.at(p);
        p += 1;
        match first {
            ESCAPE if p >= self.pattern.len() => Err("malformed pattern (ends with '%')"),
            ESCAPE => Ok(p + 1),
            b'[' => {
                if self.at(p) == b'^' {
                    p += 1;
                }
                loop {
                    if p >= self.pattern.len() {
                        return Err("malformed pattern (missing ']')");
                    }
                    let escaped = self.at(p) == ESCAPE && p + 1 < self.pattern.len();
                    p += 1 + usize::from(escaped);
                    if self.at(p) == b']' {
                        return Ok(p + 1);
                    }
                }
            }
            _ => Ok(p),
        }
    }

    /// Returns true if `c` is in the set that starts at `p` and whose ']' is at `end`.
    fn in_set(&self, c: u8, mut p: usize, end: usize) -> bool {
        let mut found = true;
        if self.at(p + 1) == b'^' {
            found = false;
            p += 1;
        }
        p += 1;
        while p < end {
            if self.at(p) == ESCAPE {
                p += 1;
                if in_class(c, self.at(p)) {
                    return found;
                }
            } else if self.at(p + 1) == b'-' && p + 2 < end {
                if self.at(p) <= c && c <= self.at(p + 2) {
                    return found;
                }
                p += 2;
            } else if self.at(p) == c {
                return found;
            }
            p += 1;
        }
        !found
    }

    fn balance(&mut self, s: usize, p: usize) -> Matched {
        if p + 1 >= self.pattern.len() {
            return Err("unbalanced pattern");
        }
        let (open, close) = (self.at(p), self.at(p + 1));
        if self.text.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1;
        for at in s + 1..self.text.len() {
            let c = self.text[at];
            if c == close {
                depth -= 1;
                if depth == 0 {
                    self.steps += (at - s) / 8;
                    return Ok(Some(at + 1));
                }
            } else if c == open {
                depth += 1;
            }
        }
        self.steps += (self.text.len() - s) / 8;
        self.step()?;
        Ok(None)
    }

    fn start_capture(&mut self, s: usize, p: usize, length: Length) -> Matched {
        if self.captures.len() >= CAPTURES_MAX {
            return Err("too many captures");
        }
        self.captures.push((s, length));
        let level = self.captures.len();
        let end = self.deeper(s, p)?;
        if end.is_none() {
            self.captures.truncate(level - 1);
        }
        Ok(end)
    }

    fn end_capture(&mut self, s: usize, p: usize) -> Matched {
        let open = self.captures.iter().rposition(|(_, length)| *length == Length::Unfinished);
        let at = open.ok_or("invalid pattern capture")?;
        self.captures[at].1 = Length::Bytes(s - self.captures[at].0);
        let end = self.deeper(s, p)?;
        if end.is_none() {
            self.captures[at].1 = Length::Unfinished;
        }
        Ok(end)
    }

    fn back_reference(&mut self, s: usize, digit: u8) -> Matched {
        let at = usize::from(digit).wrapping_sub(usize::from(b'1'));
        let (start, length) = match self.captures.get(at) {
            Some((start, Length::Bytes(length))) => (*start, *length),
            // A position capture has a length nothing is as long as.
            Some((_, Length::Position)) => return Ok(None),
            _ => return Err("invalid capture index"),
        };
        let wanted = &self.text[start..start + length];
        let found = self.text[s..].starts_with(wanted);
        self.steps += length / 8;
        Ok(found.then_some(s + length))
    }

    /// Returns the number of values of a match; without captures the whole match counts.
    pub fn capture_count(&self) -> usize {
        self.captures.len().max(1)
    }

    pub fn has_captures(&self) -> bool {
        !self.captures.is_empty()
    }

    /// Returns the `index`th capture (from 0) of the match `start..end`.
    pub fn capture(
        &self,
        state: &mut State,
        index: usize,
        start: usize,
        end: usize,
    ) -> Result<Value, Thrown> {
        let Some(&(from, length)) = self.captures.get(index) else {
            if index == 0 {
                return Ok(state.new_str(&self.text[start..end]));
            }
            return Err(state.lib_error("invalid capture index"));
        };
        match length {
            Length::Bytes(length) => Ok(state.new_str(&self.text[from..from + length])),
            Length::Position => Ok(Value::Num((from + 1) as f64)),
            Length::Unfinished => Err(state.lib_error("unfinished capture")),
        }
    }

    /// Pushes all captures of the match, or the whole match.
    pub fn push_captures(
        &self,
        state: &mut State,
        start: usize,
        end: usize,
    ) -> Result<usize, Thrown> {
        for index in 0..self.capture_count() {
            let value = self.capture(state, index, start, end)?;
            state.push(value);
        }
        Ok(self.capture_count())
    }
}

enum Next {
    Go(usize, usize),
    End(Option<usize>),
}

/// Returns true if `c` is in C's class in the C locale; an upper-case letter means the complement.
fn in_class(c: u8, class: u8) -> bool {
    let found = match class.to_ascii_lowercase() {
        b'a' => c.is_ascii_alphabetic(),
        b'c' => c.is_ascii_control(),
        b'd' => c.is_ascii_digit(),
        b'l' => c.is_ascii_lowercase(),
        b'p' => c.is_ascii_punctuation(),
        b's' => is_space(c),
        b'u' => c.is_ascii_uppercase(),
        b'w' => c.is_ascii_alphanumeric(),
        b'x' => c.is_ascii_hexdigit(),
        b'z' => c == 0,
        _ => return class == c,
    };
    found != class.is_ascii_uppercase()
}
