//! Shorter labels: times of the run's clock as times since its start, scripts by the variable that
//! holds them in the program, and a call in four forms ([`forms`]), of which each place shows the
//! longest that fits ([`fitting`]). A view with such a label has the exact text in its tooltip.
//! Absent: texts that are copied or exported, which are exact.

use std::rc::Rc;

use crate::resp::Bytes;
use crate::sim::{Call, CallKind, ClientId, Frame, Timeline};

use crate::session::spelling::{argument_text, call_text, chars_wide, shortened};

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

/// A call, ever shorter: everything; without what is the same each time; without the client's own
/// token; verb and key.
pub type Forms = [String; 4];

/// Returns the forms of a client's call: scripts by their names, times since the start.
pub fn forms(timeline: &Timeline, client: ClientId, call: &Call) -> Forms {
    let forms = match &call.kind {
        CallKind::Redis { argv, .. } => {
            let program = timeline.scenario().clients.get(client.index()).map(|def| &def.program);
            let source = program.map(|program| String::from_utf8_lossy(program.source()));
            let words = words(argv, &source.unwrap_or_default(), client);
            std::array::from_fn(|form| {
                let kept = words.iter().filter(|(_, last)| *last > form);
                kept.map(|(word, _)| &**word).collect::<Vec<&str>>().join(" ")
            })
        }
        CallKind::Sql(statement) => of_sql(statement.to_string()),
        CallKind::Resource { .. } | CallKind::Lock { .. } => {
            let text = call_text(call);
            let verb = text.split('(').next().unwrap_or_default().to_owned();
            [text.clone(), text.clone(), text, verb]
        }
        _ => std::array::from_fn(|_| call_text(call)),
    };
    let began_ms = began_ms(timeline.frames());
    forms.map(|text| with_times(&text, began_ms).unwrap_or(text))
}

/// Returns the words of a command, each with the number of forms that it stands in.
fn words(argv: &[Bytes], source: &str, client: ClientId) -> Vec<(String, usize)> {
    let [verb, first, rest @ ..] = argv else {
        return argv.iter().map(|word| (argument_text(word), 4)).collect();
    };
    let is_own = |word: &[u8]| {
        let letter = client.letter() as u32;
        word.first().is_some_and(|c| u32::from(c.to_ascii_uppercase()) == letter)
            && matches!(word.get(1), None | Some(b'-' | b':'))
    };
    let is = |word: &[u8], names: &[&str]| {
        names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()))
    };
    let is_clock = |word: &[u8]| word.len() >= CLOCK_DIGITS && word.iter().all(u8::is_ascii_digit);
    let mut words = Vec::new();
    if is(verb, &["EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO", "FCALL", "FCALL_RO"]) {
        let named = std::str::from_utf8(first).ok().and_then(|script| kept_in(source, script));
        match named {
            Some(name) => words.push((name.to_owned(), 4)),
            None => words.extend([(argument_text(verb), 4), (argument_text(first), 1)]),
        }
        let keys = rest.first().and_then(|count| std::str::from_utf8(count).ok()?.parse().ok());
        let keys: usize = keys.unwrap_or_default();
        for (at, word) in rest.iter().skip(1).enumerate() {
            let forms = match () {
                () if at < keys || is_clock(word) => 1,
                () if is_own(word) => 2,
                () => 3,
            };
            words.push((argument_text(word), forms));
        }
        return words;
    }
    words.extend([(argument_text(verb), 4), (argument_text(first), 4)]);
    // Options with a value or two.
    let mut of_option = 0_usize;
    for (at, word) in rest.iter().enumerate() {
        let values = match () {
            () if at == 0 => 0,
            () if is(word, &["PX", "EX", "PXAT", "EXAT"]) => 2,
            () if is(word, &["LIMIT"]) => 3,
            () => 0,
        };
        of_option = values.max(of_option);
        let forms = match of_option {
            0 if is_own(word) => 2,
            0 => 3,
            _ => 1,
        };
        of_option = of_option.saturating_sub(1);
        words.push((argument_text(word), forms));
    }
    words
}

/// Returns the forms of a statement: the row that it is about is the same each time.
#[inline(never)]
fn of_sql(text: String) -> Forms {
    let (head, conditions) = text.split_once(" WHERE ").unwrap_or((&text, ""));
    let names_row = |one: &&str| {
        one.split_once(" = ").is_some_and(|(column, _)| column == "id" || column.ends_with("_id"))
    };
    let conditions = conditions.split(" AND ").filter(|one| !one.is_empty() && !names_row(one));
    let conditions = conditions.collect::<Vec<&str>>().join(" AND ");
    let whole = |head: &str| match conditions.is_empty() {
        true => head.to_owned(),
        false => [head, " WHERE ", &conditions].concat(),
    };
    let short = match head.split_once(" SET ").filter(|_| head.starts_with("UPDATE ")) {
        Some((_, set)) => ["UPDATE ", set].concat(),
        None => head.split(" FROM ").next().unwrap_or_default().to_owned(),
    };
    let verb = head.split(' ').next().unwrap_or_default().to_owned();
    [text.clone(), whole(head), whole(&short), verb]
}

/// Returns a call as it stands on one line of the board: in the slot, in an inbox, and on the token
/// on its way there.
pub fn on_line(timeline: &Timeline, client: ClientId, call: &Call) -> String {
    const CHARS: usize = 32;
    shortened(fitting(&forms(timeline, client, call), 1, CHARS), CHARS)
}

/// Returns the longest of these forms that fits into so many lines of so many characters; the
/// shortest if none does.
pub fn fitting(forms: &[String], lines: usize, chars: usize) -> &str {
    let found = forms.iter().find(|text| fits(text, lines, chars)).or(forms.last());
    found.map_or("", |text| text)
}

/// Returns true if `text` fits into so many lines of so many characters. It breaks at spaces, also
/// at those without a width.
pub fn fits(text: &str, lines: usize, chars: usize) -> bool {
    let (mut line, mut used, mut gap) = (1, 0, 0);
    for word in text.split_inclusive([' ', '\u{200b}']) {
        let next = usize::from(word.ends_with(' '));
        let wide = chars_wide(word.trim_end_matches([' ', '\u{200b}']));
        if wide > chars {
            return false;
        }
        let joined = used + gap + wide;
        (line, used) = if joined > chars { (line + 1, wide) } else { (line, joined) };
        gap = next;
    }
    line <= lines
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
    fn a_command_has_four_forms() {
        let source = "local draw = [[\na\nb]]";
        let said = |text: &str| {
            let argv = |word: &str| Bytes::from(word.replace('_', "\n").as_bytes());
            let argv: Vec<Bytes> = text.split(' ').map(argv).collect();
            let words = words(&argv, source, ClientId(0));
            [0, 1, 2, 3].map(|form| {
                let kept = words.iter().filter(|(_, last)| *last > form);
                kept.map(|(word, _)| &**word).collect::<Vec<&str>>().join(" ")
            })
        };
        assert_eq!(
            said("SET lock a-1 NX PX 30"),
            ["SET lock a-1 NX PX 30", "SET lock a-1 NX", "SET lock NX", "SET lock"]
        );
        assert_eq!(said("GET balance"), ["GET balance"; 4]);
        assert_eq!(said("EXEC"), ["EXEC"; 4]);
        assert_eq!(
            said("EVAL a_b 2 owners times a-1 5"),
            ["draw owners times a-1 5", "draw a-1 5", "draw 5", "draw"]
        );
    }

    #[test]
    fn a_statement_has_four_forms() {
        let said = |text: &str| of_sql(text.to_owned());
        assert_eq!(
            said("UPDATE act SET num = 2 WHERE act_id = 1 AND num = 1"),
            [
                "UPDATE act SET num = 2 WHERE act_id = 1 AND num = 1",
                "UPDATE act SET num = 2 WHERE num = 1",
                "UPDATE num = 2 WHERE num = 1",
                "UPDATE"
            ]
        );
        let select = "SELECT num FROM act WHERE act_id = 1";
        assert_eq!(said(select), [select, "SELECT num FROM act", "SELECT num", "SELECT"]);
    }

    #[test]
    fn a_place_shows_the_longest_form_that_fits() {
        let forms = ["SET lock a-1 NX".to_owned(), "SET lock NX".to_owned(), "SET".to_owned()];
        assert_eq!(fitting(&forms, 1, 15), forms[0]);
        assert_eq!(fitting(&forms, 1, 14), forms[1]);
        assert_eq!(fitting(&forms, 2, 8), forms[0], "SET lock / a-1 NX");
        assert_eq!(fitting(&forms, 2, 2), "SET", "none fits");
        assert!(!fits("GET hits:10.0.0.7:176", 2, 14));
        assert!(fits("GET hits:\u{200b}10.0.0.7:\u{200b}176", 2, 14));
    }

    #[test]
    fn a_script_goes_by_its_variable() {
        let source = "local unlock = [[\n  if x then\n  end]]\nlocal n, draw = 1, [==[\na\nb]==]";
        assert_eq!(kept_in(source, "  if x then\n  end"), Some("unlock"));
        assert_eq!(kept_in(source, "a\nb"), None, "one of several");
        assert_eq!(kept_in(source, "absent\n"), None);
    }
}
