//! The reference of the commands: help, the hint after the cursor, and completion. The page loads
//! it when a console is opened; `check compile` writes it.

use serde::Serialize;

use crate::engine::{self, Begin, Command, Find, Lacking, Version};
use crate::from_json;
use crate::resp::{Bytes, split_inline};
use crate::scenario::mistakes::lacking_words;
use crate::text::{Key, Lang, tr};

/// A console is offered what the version of its instance has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Docs {
    /// The commands of all versions, sorted by name.
    pub commands: Vec<Doc>,
}

from_json!(Docs { commands });

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Doc {
    /// The name, such as `CONFIG GET`.
    pub name: String,
    /// The arguments, such as `parameter [parameter ...]`, with the options of all versions.
    pub syntax: String,
    pub summary: String,
    pub group: String,
}

from_json!(Doc { name, syntax, summary, group });

impl Doc {
    /// Returns its row in the table of commands, if this version has it.
    fn row(&self, version: Version) -> Option<&'static Command> {
        let row = engine::lookup(self.name.replace(' ', "|").as_bytes())?;
        version.has(row.since).then_some(row)
    }

    /// Returns the arguments as this version takes them.
    fn syntax(&self, version: Version) -> String {
        let command = self.name.to_ascii_lowercase();
        let has = |choice: &str| {
            let word = choice.split(' ').next().unwrap_or_default();
            !version.lacks_option(&command, word.as_bytes())
        };
        let kept = parts(&self.syntax).into_iter().filter_map(|part| {
            let Some(inner) = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')) else {
                return Some(part.to_owned());
            };
            let kept: Vec<&str> = inner.split('|').filter(|choice| has(choice)).collect();
            (!kept.is_empty()).then(|| format!("[{}]", kept.join("|")))
        });
        kept.collect::<Vec<_>>().join(" ")
    }
}

/// The most completions that are offered.
const OFFERED_MAX: usize = 100;

impl Docs {
    /// Returns the commands that this version has.
    fn known(&self, version: Version) -> impl Iterator<Item = (&Doc, &'static Command)> {
        self.commands.iter().filter_map(move |doc| Some((doc, doc.row(version)?)))
    }

    /// Returns the output of `help` about a command (`set`, `config get`) or a group (`@string`),
    /// or how to ask. Of a command that only later versions have it says so.
    pub fn help(&self, about: &[String], version: Version, lang: Lang) -> String {
        let Some(first) = about.first() else { return tr(lang, Key::ConsoleHelp).to_owned() };
        let mut out = String::new();
        for (doc, row) in self.known(version) {
            let is_it = match first.strip_prefix('@') {
                Some(group) => doc.group.eq_ignore_ascii_case(group),
                None => {
                    let mut words = doc.name.split(' ');
                    about.iter().all(|asked| {
                        words.next().is_some_and(|word| word.eq_ignore_ascii_case(asked))
                    })
                }
            };
            if !is_it {
                continue;
            }
            out += &format!("\n  {} {}\n", doc.name, doc.syntax(version));
            let group = if first.starts_with('@') { "" } else { &doc.group };
            for (what, text) in [
                ("summary", doc.summary.as_str()),
                ("since", row.since.text(version)),
                ("group", group),
            ] {
                if !text.is_empty() {
                    out += &format!("  {what}: {text}\n");
                }
            }
        }
        if out.is_empty() {
            let asked: Vec<Bytes> = about.iter().map(|word| word.as_bytes().into()).collect();
            let lacking = Lacking::of(&asked, version);
            return lacking.map(|it| lacking_words(&it, lang)).unwrap_or_default();
        }
        out
    }

    /// Returns the arguments of the command that begins with these words (of `CONFIG GET` and
    /// `CONFIG` the longer one), and the number of words in its name.
    fn find(&self, words: &[String], version: Version) -> Option<(String, usize)> {
        let named = |count: usize| {
            let name = words.get(..count)?.join(" ");
            let doc = self.commands.iter().find(|doc| doc.name.eq_ignore_ascii_case(&name))?;
            doc.row(version).map(|_| (doc.syntax(version), count))
        };
        named(2).or_else(|| named(1))
    }

    /// Returns the arguments that may follow `text`, to be shown after it.
    pub fn hint(&self, text: &str, version: Version) -> String {
        let Some(words) = words(text) else { return String::new() };
        let Some((syntax, named)) = self.find(&words, version) else { return String::new() };
        let left = left(&syntax, &words[named..]);
        match left.is_empty() || text.ends_with(' ') {
            true => left,
            false => format!(" {left}"),
        }
    }

    /// Returns the texts to which `text` may be completed.
    pub fn complete(&self, text: &str, keys: &[String], version: Version) -> Vec<String> {
        let begun = text.rsplit(' ').next().unwrap_or_default();
        let before = &text[..text.len() - begun.len()];
        let Some(words) = words(before) else { return Vec::new() };
        let starts = |one: &str| {
            one.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun))
        };
        let mut found: Vec<String> = Vec::new();
        let mut offer = |one: &str| {
            if starts(one) && !found.iter().any(|known| known == one) {
                found.push(one.to_owned());
            }
        };
        let first = words.first().map(|word| word.to_ascii_lowercase());
        let names = || self.known(version).map(|(doc, _)| doc.name.as_str());
        match first.as_deref() {
            None => names().filter_map(|name| name.split(' ').next()).for_each(offer),
            Some("help" | "?") if words.len() == 1 => {
                names().for_each(&mut offer);
                let groups = self.commands.iter().map(|doc| format!("@{}", doc.group));
                groups.for_each(|group| offer(&group));
            }
            Some(first) => {
                if words.len() == 1 {
                    let subs = names().filter_map(|name| name.split_once(' '));
                    let subs = subs.filter(|(name, _)| name.eq_ignore_ascii_case(first));
                    subs.for_each(|(_, sub)| offer(sub));
                }
                if may_be_key(&words) {
                    let quote = |key: &String| super::line::joined(&[key.as_bytes().into()]);
                    keys.iter().for_each(|key| offer(&quote(key)));
                }
                let found = self.find(&words, version).filter(|_| !begun.is_empty());
                if let Some((syntax, named)) = found {
                    let left = left(&syntax, &words[named.min(words.len())..]);
                    tokens(&left).for_each(&mut offer);
                }
            }
        }
        found.truncate(OFFERED_MAX);
        found.into_iter().map(|one| format!("{before}{one}")).collect()
    }
}

/// Splits a typed line into words; `None` inside open quotes.
fn words(text: &str) -> Option<Vec<String>> {
    let words = split_inline(text.as_bytes()).ok()?;
    Some(words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect())
}

/// Returns true if the word after `words` may be a key.
fn may_be_key(words: &[String]) -> bool {
    let sub = words.get(1).and_then(|sub| engine::lookup(format!("{}|{sub}", words[0]).as_bytes()));
    let Some(command) = sub.or_else(|| engine::lookup(words[0].as_bytes())) else { return false };
    let place = words.len();
    command.keys.iter().any(|spec| match (spec.begin, spec.find) {
        (Begin::Index(first), Find::Range { last, step, .. }) => {
            let ends = if last < 0 { usize::MAX } else { first + last as usize };
            (first..=ends).contains(&place) && (place - first).is_multiple_of(step.max(1))
        }
        _ => place > 1,
    })
}

/// Returns the words in capitals: those that are typed as they are.
fn tokens(syntax: &str) -> impl Iterator<Item = &str> {
    let words = syntax.split([' ', '[', ']', '|']);
    words.filter(|word| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()))
}

/// Splits a syntax into arguments, each with its brackets: `key`, `[NX|XX]`, `[EX seconds|PX ms]`.
fn parts(syntax: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, c) in syntax.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                parts.push(&syntax[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&syntax[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the rest of `syntax` after these arguments.
fn left(syntax: &str, args: &[String]) -> String {
    let mut parts = parts(syntax);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        // The options that come next, in any order; then what must follow them.
        let options = parts.iter().take_while(|part| part.starts_with('[')).count();
        let chosen = parts[..options].iter().position(|part| takes(part, arg));
        match chosen {
            Some(at) => {
                let more = words_of_choice(parts[at], arg);
                args.by_ref().take(more).for_each(drop);
                if !parts[at].contains("...") {
                    parts.remove(at);
                }
            }
            None if options < parts.len() => drop(parts.drain(..=options)),
            None => {
                // Only options are left, and it is none that is known by its name.
                let open = parts.iter().position(|part| {
                    part.contains("...") || part[1..].starts_with(|c: char| c.is_ascii_lowercase())
                });
                match open {
                    Some(at) if parts[at].contains("...") => drop(parts.drain(..at)),
                    Some(at) => drop(parts.remove(at)),
                    None => return String::new(),
                }
            }
        }
    }
    parts.join(" ")
}

/// Returns the choices of an option, each as its words: `[EX seconds|PX milliseconds]`.
fn choices(part: &str) -> impl Iterator<Item = std::str::Split<'_, char>> {
    let inner = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')).unwrap_or(part);
    inner.split('|').map(|choice| choice.split(' '))
}

/// Returns true if an option may begin with `arg`.
fn takes(part: &str, arg: &str) -> bool {
    choices(part).any(|mut choice| choice.next().is_some_and(|word| word.eq_ignore_ascii_case(arg)))
}

/// Returns how many words follow the first one of the choice `arg`.
fn words_of_choice(part: &str, arg: &str) -> usize {
    let chosen = choices(part).find_map(|mut choice| {
        choice.next().filter(|word| word.eq_ignore_ascii_case(arg)).map(|_| choice)
    });
    chosen.map_or(0, |choice| choice.filter(|word| !word.contains(['[', ']', '.'])).count())
}
