//! The part of the URL after `#`: the lesson, the variant, the run, and the position in it.
//!
//! `#lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&step=3&lang=zh` is a run of the
//! learner's; `mode=watch&walk=lost` a story; `page=glossary` another page. Unknown names are
//! ignored, so that later links open in earlier pages. A learner's own program is packed into
//! `code` (in earlier links it is plain, in `program`), a scenario of theirs into `scenario`. The
//! list of lessons is an empty link, or one with only a language.

use std::fmt::Write;

use super::deflate::{pack, unpack};
use crate::hexadecimal;
use crate::text::{Key, Lang, tr};

/// A link, parsed but not checked; it is checked where it is opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link {
    pub lesson: Option<String>,
    pub variant: Option<String>,
    pub mode: Option<String>,
    pub walk: Option<String>,
    pub schedule: Option<String>,
    /// The name that the learner gave the run.
    pub run: Option<String>,
    /// `1`: wire mode is on; `0`: it is off; `None`: as in the lesson.
    pub wire: Option<String>,
    pub step: Option<String>,
    /// Another run of the same variant, for comparison.
    pub compare: Option<String>,
    /// Other variants that follow the schedule, their ids separated by dots.
    pub beside: Option<String>,
    /// The learner's own program.
    pub program: Option<String>,
    /// A scenario of the learner's, packed.
    pub scenario: Option<String>,
    /// The differences from the crowd that the lesson proposes.
    pub crowd: Option<String>,
    /// The place in a guide: the id of a question or an advice.
    pub at: Option<String>,
    /// A page other than a lesson: `glossary`.
    pub page: Option<String>,
    /// A learner's result code, for the page of a class.
    pub result: Option<String>,
    /// `1`: the presenter view is on.
    pub present: Option<String>,
    pub lang: Option<String>,
}

/// A part that did not fit into a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The last steps of the run.
    Steps,
    /// The run it is compared with.
    Beside,
    /// The learner's program or scenario.
    Written,
}

impl LeftOut {
    pub fn text(self, lang: Lang) -> &'static str {
        let key = match self {
            LeftOut::Steps => Key::LinkLimit,
            LeftOut::Beside => Key::ShareNoBeside,
            LeftOut::Written => Key::ShareTooLong,
        };
        tr(lang, key)
    }
}

/// The bytes at which a longer fragment is cut before it is parsed.
pub const LENGTH_MAX: usize = 16 * 1024;

/// The most bytes of a learner's program.
pub const PROGRAM_BYTES_MAX: usize = 16 * 1024;

/// The most bytes of a schedule in a fragment, so that there is room for the rest.
pub const SCHEDULE_MAX: usize = 11 * 1024;

/// Returns the length of `value` in a link.
pub fn encoded_len(value: &str) -> usize {
    encode(value).len()
}

/// Returns the beginning of `schedule` that fits into a link, in whole steps.
pub fn fitting(mut schedule: String) -> String {
    let mut len = encoded_len(&schedule);
    while len > SCHEDULE_MAX {
        let cut = schedule.rfind('.').unwrap_or(0);
        len -= encoded_len(&schedule[cut..]).max(1);
        schedule.truncate(cut);
    }
    schedule
}

impl Link {
    /// Parses a fragment, with or without its `#`.
    pub fn parse(fragment: &str) -> Link {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        let mut end = fragment.len().min(LENGTH_MAX);
        while !fragment.is_char_boundary(end) {
            end -= 1;
        }
        let mut link = Link::default();
        for (name, value) in fragment[..end].split('&').filter_map(|pair| pair.split_once('=')) {
            if name == "code" {
                link.program = unpack(value, PROGRAM_BYTES_MAX).or(link.program);
            } else if let Some(field) = link.field(name) {
                *field = Some(decode(value)).filter(|value| !value.is_empty());
            }
        }
        link
    }

    pub fn field(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "lesson" => &mut self.lesson,
            "variant" => &mut self.variant,
            "mode" => &mut self.mode,
            "walk" => &mut self.walk,
            "schedule" => &mut self.schedule,
            "run" => &mut self.run,
            "wire" => &mut self.wire,
            "step" => &mut self.step,
            "compare" => &mut self.compare,
            "beside" => &mut self.beside,
            "program" => &mut self.program,
            "scenario" => &mut self.scenario,
            "crowd" => &mut self.crowd,
            "at" => &mut self.at,
            "page" => &mut self.page,
            "result" => &mut self.result,
            "present" => &mut self.present,
            "lang" => &mut self.lang,
            _ => return None,
        })
    }

    /// Returns the fragment without `#`, its parts in a fixed order.
    pub fn write(&self) -> String {
        let code = self.program.as_deref().map(pack);
        let parts = [
            ("lesson", &self.lesson),
            ("variant", &self.variant),
            ("mode", &self.mode),
            ("walk", &self.walk),
            ("schedule", &self.schedule),
            ("run", &self.run),
            ("step", &self.step),
            ("wire", &self.wire),
            ("compare", &self.compare),
            ("beside", &self.beside),
            ("code", &code),
            ("crowd", &self.crowd),
            ("at", &self.at),
            ("page", &self.page),
            ("result", &self.result),
            ("present", &self.present),
            ("lang", &self.lang),
            ("scenario", &self.scenario),
        ];
        let mut out = String::new();
        for (name, value) in parts {
            if let Some(value) = value {
                let and = if out.is_empty() { "" } else { "&" };
                // Writing to a String cannot fail.
                let _ = write!(out, "{and}{name}={}", encode(value));
            }
        }
        let is_long = out.len() > 512;
        debug_assert!(is_long || Link::parse(&out) == *self, "{out} reads as another link");
        out
    }
}

impl Link {
    /// The same within [`LENGTH_MAX`], and what was left out for that: first the comparison, then
    /// what the learner wrote.
    pub fn write_within(&self) -> (String, Option<LeftOut>) {
        let whole = self.write();
        if whole.len() <= LENGTH_MAX {
            return (whole, None);
        }
        let alone = Link { compare: None, ..self.clone() };
        let text = alone.write();
        if text.len() <= LENGTH_MAX {
            return (text, Some(LeftOut::Beside));
        }
        let without = Link { program: None, scenario: None, ..alone };
        (without.write(), Some(LeftOut::Written))
    }
}

/// Percent-encodes characters that would end a value or the fragment; the rest stays readable.
pub fn encode(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/,@*".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Undoes [`encode`]. A `%` that begins no code stands for itself.
pub fn decode(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let code = code.and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(hexadecimal) {
            Some(byte) => {
                out.push(byte as u8);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let link = Link {
            lesson: Some("lost-update".into()),
            schedule: Some("A1.B1.A2.B2".into()),
            step: Some("3".into()),
            walk: Some("a&b=c%中".into()),
            program: Some("if a < 1 then\n  b = '中&#'\nend\n".into()),
            compare: Some("A1.A2".into()),
            beside: Some("incrby.lua".into()),
            at: Some("shared".into()),
            crowd: Some("clients:50,seeds:3".into()),
            page: Some("glossary".into()),
            result: Some("IL1.q1YqSy0qzszPAwA.0123abcd".into()),
            scenario: Some("q1YqSy0qzszPAwA".into()),
            ..Link::default()
        };
        let text = link.write();
        assert!(text.starts_with("lesson=lost-update&"));
        assert!(text.contains("schedule=A1.B1.A2.B2&step=3"), "{text}");
        assert_eq!(Link::parse(&format!("#{text}")), link);
    }

    #[test]
    fn earlier_links_carry_programs_plainly() {
        let link = Link::parse("#lesson=x&program=a%20%3D%201%0A");
        assert_eq!(link.program.as_deref(), Some("a = 1\n"));
        assert!(!link.write().contains("program="));
        assert_eq!(Link::parse(&link.write()), link);
    }

    #[test]
    fn what_has_no_room_is_left_out() {
        let mut seed = 1_u32;
        let noise = |_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(32 + (seed >> 24) as u8 % 90)
        };
        let program: String = (0..16_000).map(noise).collect();
        let link = Link { lesson: Some("x".into()), program: Some(program), ..Link::default() };
        assert_eq!(link.write_within(), ("lesson=x".to_owned(), Some(LeftOut::Written)));
        let both = Link {
            schedule: Some("A1.".repeat(SCHEDULE_MAX / 3)),
            compare: Some("B1.".repeat(SCHEDULE_MAX / 3)),
            ..Link::default()
        };
        let (text, left) = both.write_within();
        assert!(text.len() <= LENGTH_MAX && !text.contains("compare"));
        assert_eq!(left, Some(LeftOut::Beside));
    }

    #[test]
    fn anything_can_be_parsed() {
        assert_eq!(decode("100%+5"), "100%+5");
        for fragment in ["", "#", "#&&=&x", "#lesson", "#lesson=%", "#lesson=%zz%f", "#step=%ff%fe"]
        {
            let _ = Link::parse(fragment);
        }
        assert_eq!(Link::parse("#future=1&lesson=x").lesson.as_deref(), Some("x"));
        let long = format!("#schedule={}", "中".repeat(20_000));
        assert!(Link::parse(&long).schedule.is_some_and(|s| s.len() <= LENGTH_MAX));
    }
}
