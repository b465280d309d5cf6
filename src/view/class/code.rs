//! The result code: what a learner has reached in some lessons, as a short text that can be pasted
//! anywhere.
//!
//! `IL1.BODY.CHECK`: the number is the version, BODY is packed text (a line with the day, one with
//! the name, then a line for each lesson: its id, the letters of its goals, those of the goals that
//! were reached, the score), CHECK is the CRC-32 of what stands before it, in hexadecimal digits.
//! CHECK tells a code that was cut or mistyped from a whole one. It is no signature: a code can be
//! forged by anyone who reads this file.
//!
//! Contract: what [`Code::write`] writes is read back by [`read`]; a text of any kind is either a
//! code or one of [`Bad`]. To change the body: another version, and both are read.

use crate::lesson::is_id;
use crate::playground::zip::crc32;
use crate::session::deflate::{pack, unpack};
use crate::session::mode::Mode;
use crate::session::progress::GOALS;

/// The most characters of a name.
pub const NAME_MAX: usize = 60;
/// The most lessons of a code.
pub const LESSONS_MAX: usize = 100;
/// The most bytes of a code.
pub const CODE_MAX: usize = 4 * 1024;
/// The most bytes of what is packed in it.
const BODY_MAX: usize = 16 * 1024;
/// The most characters of a lesson's id.
const ID_MAX: usize = 64;
/// The start of every code; the number of its version follows.
const START: &str = "IL";
const VERSION: &str = "1";
/// The length of the checksum, in digits.
const CHECK: usize = 8;
/// The fewest characters of a body; a shorter text is another thing that looks alike.
const BODY_MIN: usize = 8;
/// The letters of [`GOALS`], in the same order.
const LETTERS: [char; 4] = ['w', 'b', 'f', 'r'];

/// What was reached in a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub lesson: String,
    /// The parts whose goals count.
    pub goals: Vec<Mode>,
    /// Those that are reached.
    pub reached: Vec<Mode>,
    /// 0 to 100.
    pub score: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// As it was typed, tidied: empty if none was.
    pub name: String,
    /// The day on which the code was made: `2026-11-28`.
    pub day: String,
    pub lessons: Vec<Entry>,
}

/// Why a text is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bad {
    /// Its end is missing.
    Cut,
    /// Its beginning is missing.
    Headless,
    /// Some character is not what was written.
    Damaged,
    /// It is of a version that this page does not know.
    Version,
    TooLong,
    /// It is whole, and says nothing that could have been written here.
    Meaning,
}

impl Code {
    pub fn write(&self) -> String {
        let mut body = format!("{}\n{}\n", self.day, tidy(&self.name));
        for one in self.lessons.iter().take(LESSONS_MAX) {
            let (goals, reached) = (letters(&one.goals), letters(&one.reached));
            body += &format!("{} {goals} {reached} {}\n", one.lesson, one.score);
        }
        let start = format!("{START}{VERSION}.{}", pack(&body));
        format!("{start}.{:08x}", crc32(start.as_bytes()))
    }
}

/// Reads a code that stands alone.
pub fn read(text: &str) -> Result<Code, Bad> {
    if text.len() > CODE_MAX {
        return Err(Bad::TooLong);
    }
    let rest = text.strip_prefix(START).ok_or(Bad::Headless)?;
    let (version, rest) = rest.split_once('.').ok_or(Bad::Cut)?;
    let (body, check) = rest.split_once('.').ok_or(Bad::Cut)?;
    if check.len() < CHECK {
        return Err(Bad::Cut);
    }
    // Digits of any version are checked alike, so that one that is cut is not called a later one.
    let start = &text[..text.len() - check.len() - 1];
    let is_whole = u32::from_str_radix(check, 16) == Ok(crc32(start.as_bytes()));
    if check.len() != CHECK || !is_whole {
        return Err(Bad::Damaged);
    }
    if version != VERSION {
        return Err(Bad::Version);
    }
    unpack(body, BODY_MAX).and_then(|body| meaning(&body)).ok_or(Bad::Meaning)
}

fn meaning(body: &str) -> Option<Code> {
    let mut lines = body.lines();
    let day = lines.next().filter(|day| is_day(day))?.to_owned();
    let name = tidy(lines.next()?);
    let lessons: Option<Vec<Entry>> = lines.map(entry).collect();
    let lessons = lessons.filter(|all| (1..=LESSONS_MAX).contains(&all.len()))?;
    Some(Code { name, day, lessons })
}

fn entry(line: &str) -> Option<Entry> {
    let [lesson, goals, reached, score] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    if lesson.is_empty() || lesson.len() > ID_MAX || !is_id(lesson) {
        return None;
    }
    let (goals, reached) = (modes(goals), modes(reached));
    if goals.is_empty() || !reached.iter().all(|one| goals.contains(one)) {
        return None;
    }
    let score = score.parse().ok().filter(|score| *score <= 100)?;
    Some(Entry { lesson: lesson.to_owned(), goals, reached, score })
}

/// Returns true for `2026-11-28`.
fn is_day(text: &str) -> bool {
    let is_right = |(at, c): (usize, char)| match at {
        4 | 7 => c == '-',
        _ => c.is_ascii_digit(),
    };
    text.len() == 10 && text.chars().enumerate().all(is_right)
}

/// Returns `-` for no mode, as an empty word would be lost.
fn letters(modes: &[Mode]) -> String {
    let letters = GOALS.iter().zip(LETTERS).filter(|(mode, _)| modes.contains(mode));
    let letters: String = letters.map(|(_, letter)| letter).collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

fn modes(letters: &str) -> Vec<Mode> {
    let modes = GOALS.into_iter().zip(LETTERS).filter(|(_, letter)| letters.contains(*letter));
    modes.map(|(mode, _)| mode).collect()
}

/// Makes a name one line without what is not seen: controls, and signs that turn the direction of
/// what follows.
pub fn tidy(name: &str) -> String {
    let is_seen = |c: &char| {
        !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}')
    };
    let plain: String = name
        .chars()
        .take(4 * NAME_MAX)
        .filter(is_seen)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(NAME_MAX).collect();
    name.trim_end().to_owned()
}

/// A code, or what looks like one, in a longer text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The number of its line, from 1.
    pub line: usize,
    pub text: String,
    pub code: Result<Code, Bad>,
}

/// The most lines over which a mail program has broken a code.
const PIECES_MAX: usize = 40;

/// Finds the codes in a text of any kind, at most `most`: links, mails, lists. A code that is
/// broken over lines, as mail programs do, is put together again.
pub fn find(text: &str, most: usize) -> Vec<Found> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    // The number of lines whose beginning belonged to a code before.
    let mut used = 0;
    for (at, line) in lines.iter().enumerate() {
        let mut runs: Vec<&str> = line.split(|c| !is_of_code(c)).collect();
        if used > 0 {
            used -= 1;
            runs.remove(runs.iter().position(|run| !run.is_empty()).unwrap_or(0));
        }
        let last = runs.iter().rposition(|run| !run.is_empty());
        for (place, run) in runs.iter().enumerate() {
            if found.len() >= most {
                return found;
            }
            let is_last = last == Some(place);
            let Some(start) = start_of(run) else {
                // Broken before its body began.
                if is_last && !run.is_empty() && format!("{START}{VERSION}").starts_with(run) {
                    let after = lines[at + 1..].iter().take(PIECES_MAX);
                    if let Some((text, code, pieces)) = joined(run, after) {
                        used = pieces;
                        found.push(Found { line: at + 1, text, code: Ok(code) });
                    }
                }
                if is_headless(run) {
                    let code = Err(Bad::Headless);
                    found.push(Found { line: at + 1, text: (*run).to_owned(), code });
                }
                continue;
            };
            let run = run[start..].trim_end_matches('.');
            let mut one = Found { line: at + 1, text: run.to_owned(), code: read(alone(run)) };
            if one.code.is_err() && is_last {
                let after = lines[at + 1..].iter().take(PIECES_MAX);
                if let Some((text, code, pieces)) = joined(run, after) {
                    (one.text, one.code, used) = (text, Ok(code), pieces);
                }
            }
            found.push(one);
        }
    }
    found
}

fn is_of_code(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.'
}

/// Returns where a code begins in a run of its characters. `IL` alone is a part of many words.
fn start_of(run: &str) -> Option<usize> {
    let starts = run.match_indices(START).map(|(at, _)| at);
    let is_start = |at: &usize| {
        let rest = &run[at + START.len()..];
        let Some((version, body)) = rest.split_once('.') else { return false };
        let is_number = (1..=3).contains(&version.len());
        let is_number = is_number && version.bytes().all(|digit| digit.is_ascii_digit());
        let body = body.split('.').next().unwrap_or_default();
        is_number && (version == VERSION || body.len() >= BODY_MIN)
    };
    starts.into_iter().find(is_start)
}

/// Leaves out a sentence's end that came to stand behind a code: `IL1.body.0123abcd.Regards`.
fn alone(run: &str) -> &str {
    let end = run.match_indices('.').nth(1).map(|(at, _)| at + 1 + CHECK);
    match end.and_then(|end| run.get(..end)) {
        Some(code) if run[code.len()..].starts_with('.') => code,
        _ => run,
    }
}

/// Returns true for a body with its checksum, without its beginning.
fn is_headless(run: &str) -> bool {
    let Some((body, check)) = run.trim_end_matches('.').rsplit_once('.') else { return false };
    let body = body.rsplit('.').next().unwrap_or_default();
    let is_check = check.len() == CHECK && check.bytes().all(|c| c.is_ascii_hexdigit());
    is_check && body.len() >= 3 * BODY_MIN
}

/// Puts the beginning of a code and the lines after it together, as long as they are nothing but
/// code. Returns its text, the code, and the number of lines.
fn joined<'l>(
    begun: &str,
    after: impl Iterator<Item = &'l &'l str>,
) -> Option<(String, Code, usize)> {
    let mut text = begun.to_owned();
    for (at, line) in after.enumerate() {
        // The mark of a quoted mail; and `=` at the end, by which mails break lines.
        let line = line.trim_start_matches(['>', ' ', '\t']);
        let piece = line.split(|c| !is_of_code(c)).next().unwrap_or_default();
        if piece.is_empty() || text.len() > CODE_MAX {
            return None;
        }
        text += piece;
        let whole = text.trim_end_matches('.');
        if let Ok(code) = read(alone(whole)) {
            return Some((whole.to_owned(), code, at + 1));
        }
        if piece.len() < line.trim_end().trim_end_matches('=').len() {
            return None;
        }
    }
    None
}
