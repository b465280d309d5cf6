//! Reads programs in other languages beside the Lua. Markers at the ends of lines, `//@3-5`, name
//! the corresponding Lua lines; they are removed.

use std::collections::BTreeSet;

use crate::lesson::{Lens, Lesson, Panels, Quorum};
use crate::lua;

use super::build::Builder;
use super::manifest::{LensRow, PanelsRow};
use toml::Spanned;

const LINES_MAX: usize = 45;

const LANGUAGES: [&str; 6] = ["java", "py", "mjs", "go", "cs", "rs"];

/// The libraries, each with the version that its lenses are written for; the page shows both.
const LIBRARIES: [(&str, &str); 8] = [
    ("Spring Data Redis", "4"),
    ("Redisson", "4"),
    ("MyBatis", "3"),
    ("redis-py", "8"),
    ("ioredis", "5"),
    ("go-redis", "9"),
    ("StackExchange.Redis", "3"),
    ("redis-rs", "1"),
];

impl Builder<'_> {
    pub fn lens(&mut self, lesson: &Lesson, row: &LensRow) -> Option<Lens> {
        let text = self.file_in("lens", &row.file);
        let program = self.program_called(lesson, &row.program)?;
        let (text, name) = (text?, row.file.get_ref());
        let label = row.label.get_ref();
        let known = LIBRARIES.iter().find(|(library, _)| library == label);
        if known.is_none() {
            let message = format!("{label} is none of the libraries that readers can choose");
            let remedy = format!("there are: {}", LIBRARIES.map(|(library, _)| library).join(", "));
            self.in_manifest(row.label.span(), message, &remedy);
        }
        let version = known.map_or("", |(_, version)| version);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if !LANGUAGES.contains(&extension) {
            let remedy = format!("there are: {}", LANGUAGES.join(", "));
            self.in_manifest(row.file.span(), format!("{name} is in no language"), &remedy);
        }
        let marker = if extension == "py" { "#@" } else { "//@" };
        let source = &lesson.programs[program].source;
        let last = source.lines().count() as u32;
        let (mut shown, mut lines) = (Vec::new(), Vec::new());
        for (number, line) in text.trim_end().lines().enumerate() {
            let (code, marked) = match cut(line, marker) {
                Ok(cut) => cut,
                Err(()) => {
                    let remedy = format!("a line ends with {marker}3, {marker}3-5 or {marker}3,7");
                    let message = "the marker cannot be read".to_owned();
                    self.problem(name, number + 1, message, &remedy);
                    continue;
                }
            };
            if let Some(past) = marked.iter().find(|line| **line == 0 || **line > last) {
                let message = format!("{} has no line {past}", row.program.get_ref());
                self.problem(name, number + 1, message, &format!("it has the lines 1 to {last}"));
            }
            shown.push(code);
            lines.push(marked);
        }
        if shown.len() > LINES_MAX {
            let message = format!("{} lines; there may be {LINES_MAX}", shown.len());
            self.problem(
                name,
                0,
                message,
                "it is read beside the Lua: leave out what is not needed",
            );
        }
        for call in
            call_lines(source).into_iter().filter(|call| !lines.iter().flatten().any(|l| l == call))
        {
            let message = format!("no line of it says what line {call} of the Lua does");
            self.problem(name, 0, message, &format!("end the line that does with {marker}{call}"));
        }
        let file = name.strip_prefix("lens/").unwrap_or(name).to_owned();
        let source = shown.join("\n") + "\n";
        let label = format!("{label} {version}");
        Some(Lens { program, file, label, source, lines })
    }

    /// Reads the panels, and checks that the lesson mentions the keys and globals they show.
    pub fn panels(&mut self, lesson: &Lesson, row: &PanelsRow) -> Panels {
        if let Some(ttl) = &row.ttl {
            self.mentioned(lesson, ttl, "key");
        }
        if let Some(quorum) = &row.quorum {
            self.mentioned(lesson, &quorum.key, "key");
            self.mentioned(lesson, &quorum.owner, "global");
            self.mentioned(lesson, &quorum.until, "global");
            if lesson.variants.iter().all(|variant| variant.world.instances.len() < 2) {
                let message = "a quorum is of several instances, and there is one".to_owned();
                self.in_manifest(quorum.key.span(), message, "add [[instance]] tables");
            }
        }
        for name in row.quorum.iter().flat_map(|quorum| &quorum.on) {
            let mut instances = lesson.variants.iter().flat_map(|variant| &variant.world.instances);
            if !instances.any(|instance| instance.name == *name.get_ref()) {
                let message = format!("there is no instance {}", name.get_ref());
                self.in_manifest(name.span(), message, "on names [[instance]] tables");
            }
        }
        for key in row.quorum.iter().flat_map(|quorum| &quorum.keys) {
            self.mentioned(lesson, key, "key");
        }
        let text = |name: &Spanned<String>| name.get_ref().clone();
        Panels {
            ttl: row.ttl.as_ref().map(text),
            quorum: row.quorum.as_ref().map(|quorum| Quorum {
                key: text(&quorum.key),
                owner: text(&quorum.owner),
                until: text(&quorum.until),
                on: quorum.on.iter().map(text).collect(),
                keys: quorum.keys.iter().map(text).collect(),
            }),
        }
    }

    fn mentioned(&mut self, lesson: &Lesson, name: &Spanned<String>, what: &str) {
        let word = name.get_ref().as_str();
        let mut sources = lesson.programs.iter().map(|program| program.source.as_str());
        let setups = lesson.variants.iter().flat_map(|variant| variant.world.commands().0);
        let mut setups = setups.flat_map(|command| command.argv);
        if word.is_empty() || !(sources.any(|s| s.contains(word)) || setups.any(|s| s == word)) {
            let message = format!("no program speaks of a {what} {word}");
            self.in_manifest(name.span(), message, "write it as the programs do");
        }
    }
}

/// Splits a line into its code and the lines that its marker names.
fn cut(line: &str, marker: &str) -> Result<(String, Vec<u32>), ()> {
    let Some((code, list)) = line.rsplit_once(marker) else {
        return Ok((line.trim_end().to_owned(), Vec::new()));
    };
    let mut lines = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ());
        let (first, last) = (number(first)?, number(last)?);
        if first > last || last - first > 1_000 {
            return Err(());
        }
        lines.extend(first..=last);
    }
    Ok((code.trim_end().to_owned(), lines))
}

/// Returns the lines of a program that wait for something outside of it; empty for a source that is
/// not Lua.
pub fn call_lines(source: &str) -> BTreeSet<u32> {
    let tokens = lua::tokens(source.as_bytes()).unwrap_or_default();
    let text = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |(_, t)| t.as_str());
    let mut lines = BTreeSet::new();
    for (at, (line, token)) in tokens.iter().enumerate() {
        let (before, after) = (text(at.checked_sub(1)), text(Some(at + 1)));
        let called = after == "(" || after.starts_with(['"', '\'', '[', '{']);
        let is_call = match token.as_str() {
            "call" | "pcall" if before == "." => text(at.checked_sub(2)) == "redis",
            "call" | "pcall" | "receive" | "write" => before == ":" && called,
            "sleep" | "sql" | "synchronized" => called && ![".", ":", "function"].contains(&before),
            _ => false,
        };
        if is_call {
            lines.insert(*line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_cut_off_and_read() {
        assert_eq!(cut("x = 1  //@3", "//@"), Ok(("x = 1".into(), vec![3])));
        assert_eq!(cut("y //@3-5,9", "//@"), Ok(("y".into(), vec![3, 4, 5, 9])));
        assert_eq!(cut("plain // text ", "//@"), Ok(("plain // text".into(), vec![])));
        assert_eq!(cut("z #@", "#@"), Err(()));
        assert_eq!(cut("z #@5-3", "#@"), Err(()));
        assert_eq!(cut("z #@1-4000000000", "#@"), Err(()));
    }

    #[test]
    fn calls_are_found_by_their_line() {
        let source = "local function sleep(n) end\nlocal s = [[\nredis.call('GET')]]\n\
                      redis.call(\n  'SET', 'a', 1)\n-- redis.call()\nlocal c = connect('r1')\n\
                      c:call('GET', 'a')\nsleep(5)\npcall(redis.call, 'GET', 'a')\n";
        assert_eq!(call_lines(source).into_iter().collect::<Vec<_>>(), [4, 8, 9, 10]);
    }
}
