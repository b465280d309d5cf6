//! Shorter labels: times of the run's clock as times since its start, and scripts by the variable
//! that holds them in the program. A view with such a label has the exact text in its tooltip.
//! Absent: texts that are copied or exported, which are exact.

use std::rc::Rc;

use crate::resp::Bytes;
use crate::sim::{Call, CallKind, ClientId, Frame, Timeline};

use crate::session::spelling::{call_text, command_text};

/// The greatest distance in ms from the start of a time that belongs to the run.
const NEAR_MS: u64 = 10_000_000;
/// The number of digits of a time in ms.
const CLOCK_DIGITS: usize = 13;
/// The most bytes of a name.
const NAME_BYTES_MAX: usize = 40;

/// Returns `text` with each time of the run's clock replaced by the time since `began_ms`: `+15
/// ms`. `None` if there is no such time.
pub fn with_times(text: &str, began_ms: u64) -> Option<String> {
    // Most labels have no number that long, and no first visit has one.
    let mut digits = 0;
    let is_long = |byte: u8| {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        digits >= CLOCK_DIGITS
    };
    if !text.bytes().any(is_long) { None } else { replaced(text, began_ms) }
}

#[inline(never)]
fn replaced(text: &str, began_ms: u64) -> Option<String> {
    let length = began_ms.to_string().len();
    if length < CLOCK_DIGITS {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let (mut rest, mut found) = (text, false);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let length_of = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let (before, after) = (&rest[..start], &rest[start + length_of..]);
        let number = &rest[start..start + length_of];
        // A part of an id, such as `1767225600000-0`, is none. A sentence may end here.
        let after_dot = after.strip_prefix('.').unwrap_or(after);
        let ends = !after.starts_with(|c| is_part(c) || c == '-')
            && !after_dot.starts_with(|c: char| c.is_ascii_digit());
        let stands = ends && !before.chars().next_back().is_some_and(is_part);
        let at_ms = Some(number).filter(|_| length_of == length && stands);
        let at_ms = at_ms.and_then(|number| number.parse::<u64>().ok());
        out += before;
        match at_ms.filter(|at| at.abs_diff(began_ms) < NEAR_MS) {
            Some(at_ms) => {
                found = true;
                out.push(if at_ms < began_ms { '−' } else { '+' });
                out += &at_ms.abs_diff(began_ms).to_string();
                out += "\u{a0}ms";
            }
            None => out += number,
        }
        rest = after;
    }
    out += rest;
    found.then_some(out)
}

/// Returns the time at which a run of these frames began.
pub fn began_ms(frames: &[Rc<Frame>]) -> u64 {
    frames.first().map_or(0, |frame| frame.world.now_ms())
}

/// Returns a client's call as a label: scripts by their names, times since the start.
pub fn call_short(timeline: &Timeline, client: ClientId, call: &Call) -> String {
    let program = timeline.scenario().clients.get(client.index()).map(|def| &def.program);
    let source = program.map(|program| String::from_utf8_lossy(program.source()));
    let named = match (&call.kind, source) {
        (CallKind::Redis { argv, .. }, Some(source)) => {
            let is_script = |argument: &&[u8]| argument.contains(&b'\n');
            let script = argv.get(1).map(|argument| &argument[..]).filter(is_script);
            script.and_then(|script| by_name(argv, script, &source))
        }
        _ => None,
    };
    let text = named.unwrap_or_else(|| call_text(call));
    with_times(&text, began_ms(timeline.frames())).unwrap_or(text)
}

/// Returns a call of a script by the script's name.
#[inline(never)]
fn by_name(argv: &[Bytes], script: &[u8], source: &str) -> Option<String> {
    let name = kept_in(source, std::str::from_utf8(script).ok()?)?;
    let rest = command_text(&argv[2..]);
    let space = if rest.is_empty() { "" } else { " " };
    Some([&command_text(&argv[..1]), " ", name, space, &rest].concat())
}

/// Returns the variable to which a text in long brackets is assigned: `unlock` of `local unlock =
/// [[…]]`.
fn kept_in<'s>(source: &'s str, text: &str) -> Option<&'s str> {
    let before = &source[..source.find(text)?];
    // Lua leaves out a line break right after the bracket.
    let before = before.strip_suffix('\n').unwrap_or(before);
    let before = before.strip_suffix('[')?.trim_end_matches('=').strip_suffix('[')?;
    let before = before.trim_end().strip_suffix('=')?.trim_end();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = &before[before.trim_end_matches(is_name).len()..];
    let fits = (1..=NAME_BYTES_MAX).contains(&name.len());
    (fits && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_the_run_is_said_from_its_start() {
        let said = |text: &str| with_times(text, 1_767_225_600_000);
        assert_eq!(said("1767225600015").as_deref(), Some("+15\u{a0}ms"));
        assert_eq!(said("1767225599990").as_deref(), Some("−10\u{a0}ms"));
        let zadd = said("ZADD times 1767225600000 m:1767225600005");
        assert_eq!(zadd.as_deref(), Some("ZADD times +0\u{a0}ms m:+5\u{a0}ms"));
        assert_eq!(said("is 1767225600015.").as_deref(), Some("is +15\u{a0}ms."));
        for other in [
            "SET balance 20",
            "1767225600000-0",
            "1767225600000.5",
            "x1767225600000",
            "1967225600000",
            "时间",
        ] {
            assert_eq!(said(other), None, "{other}");
        }
        assert_eq!(with_times("15", 10), None, "no such clock");
    }

    #[test]
    fn a_script_goes_by_its_variable() {
        let source = "local unlock = [[\n  if x then\n  end]]\nlocal n, draw = 1, [==[\na\nb]==]";
        assert_eq!(kept_in(source, "  if x then\n  end"), Some("unlock"));
        assert_eq!(kept_in(source, "a\nb"), None, "one of several");
        assert_eq!(kept_in(source, "absent\n"), None);
    }
}
