//! "In your own code": the calls of the client libraries, one language at a time.
//!
//! They are the program of a variant that keeps every condition, in that language, and what the
//! notes say of its library. In the notes an item, or a sentence of it, belongs to a library if it
//! begins with the library's name. What belongs to none is for every reader, and stays where it is.

use std::cmp::Reverse;

use crate::lesson::{Block, Inline, Lesson, Variant, plain};
use crate::view::highlight::Kind;
use crate::view::stage::readings::{self, Face, Faces, LANGUAGES};

/// The libraries by which the notes name them, and the languages.
const LIBRARIES: [(&str, &str); 7] = [
    ("Spring Data Redis", "java"),
    ("Redisson", "java"),
    ("redis-py", "py"),
    ("ioredis", "mjs"),
    ("go-redis", "go"),
    ("StackExchange.Redis", "cs"),
    ("redis-rs", "rs"),
];

/// What a sentence ends with, as far as another library may follow.
const ENDS: [char; 4] = ['.', ';', '。', '；'];

/// The calls in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Calls {
    /// The languages that there are, and the one shown.
    pub faces: Faces,
    /// The library and its version.
    pub library: String,
    /// The program, in its colours; empty if there is none.
    pub lines: Vec<Vec<(Kind, String)>>,
    pub notes: Vec<Vec<Inline>>,
    /// What "Copy" copies.
    pub text: String,
}

/// Takes the calls out of the notes. `face` is the language asked for. Returns `None`, and leaves
/// the notes as they are, if there are not two languages to choose from.
pub fn take(lesson: &Lesson, notes: &mut [Block], face: &str) -> Option<Calls> {
    let program = program(lesson);
    let lens = |face| program.and_then(|program| readings::lens(lesson, program, face));
    let said: Vec<(&str, Vec<Inline>)> = items(notes).flat_map(calls_of).collect();
    let is_there =
        |one: &Face| lens(one.id).is_some() || said.iter().any(|(face, _)| *face == one.id);
    let all: Vec<Face> = LANGUAGES.into_iter().filter(is_there).collect();
    if all.len() < 2 {
        return None;
    }
    let shown = all.iter().find(|one| one.id == face).or(all.first())?.id;
    for block in notes.iter_mut() {
        if let Block::List(items) = block {
            items.retain(|item| calls_of(item).is_empty());
        }
    }
    let (lens, said) = (lens(shown), said.into_iter().filter(|(face, _)| *face == shown));
    let notes: Vec<Vec<Inline>> = said.map(|(_, words)| words).collect();
    let source = lens.map_or("", |lens| &lens.source);
    Some(Calls {
        faces: Faces { all: all.into(), shown },
        library: lens.map(|lens| lens.label.clone()).unwrap_or_default(),
        lines: lens.map(readings::lines).unwrap_or_default(),
        text: if source.is_empty() { codes(&notes) } else { source.to_owned() },
        notes,
    })
}

/// Returns the program, of a variant that keeps every condition, that most languages have; of
/// several the first.
fn program(lesson: &Lesson) -> Option<usize> {
    let keeps = lesson.variants.iter().filter(|one| one.claims.iter().all(|claim| claim.holds));
    let lenses =
        |program: usize| lesson.lenses.iter().filter(|lens| lens.program == program).count();
    let programs = keeps.flat_map(Variant::programs).filter(|program| lenses(*program) > 0);
    programs.min_by_key(|program| Reverse(lenses(*program)))
}

fn items(notes: &[Block]) -> impl Iterator<Item = &[Inline]> {
    notes.iter().flat_map(|block| match block {
        Block::List(items) => items.iter().map(Vec::as_slice).collect(),
        _ => Vec::new(),
    })
}

/// Returns the parts of an item and the language of each; nothing if the item is for all.
fn calls_of(item: &[Inline]) -> Vec<(&'static str, Vec<Inline>)> {
    let mut calls: Vec<(&str, Vec<Inline>)> = Vec::new();
    let mut is_start = true;
    for (at, piece) in item.iter().enumerate() {
        match piece {
            Inline::Text(text) => {
                let mut rest = text.as_str();
                while !rest.is_empty() {
                    let found = is_start.then(|| language_of(rest)).flatten();
                    if let Some((face, name)) = found
                        && (calls.is_empty() || rest[name.len()..].starts_with([':', '：']))
                    {
                        calls.push((face, Vec::new()));
                    }
                    let (sentence, more) = sentence(rest);
                    is_start = !more.is_empty() || sentence.trim_end().ends_with(ENDS);
                    let Some((_, words)) = calls.last_mut() else { return Vec::new() };
                    words.push(Inline::Text(sentence.to_owned()));
                    rest = more;
                }
                continue;
            }
            Inline::Strong(words) if is_start => {
                let name = plain(words);
                let name = name.trim_end_matches([':', '：']);
                let known = LIBRARIES.iter().find(|(library, _)| *library == name);
                // Several names in a row are one sentence about all of them.
                let next = item.get(at + 1..).map(plain).unwrap_or_default();
                let is_alone = !next.starts_with([',', '、']);
                if let Some((_, face)) = known.filter(|_| is_alone) {
                    calls.push((face, Vec::new()));
                }
            }
            _ => {}
        }
        let Some((_, words)) = calls.last_mut() else { return Vec::new() };
        words.push(piece.clone());
        is_start = false;
    }
    for (_, words) in &mut calls {
        trim(words);
    }
    calls
}

/// Returns the language of the library whose name the text begins with, and the name.
fn language_of(text: &str) -> Option<(&'static str, &'static str)> {
    let known = LIBRARIES.iter().find(|(library, _)| text.starts_with(library));
    known.map(|(library, face)| (*face, *library))
}

/// Splits a text behind its first sentence that another one follows.
fn sentence(text: &str) -> (&str, &str) {
    let ends = text.char_indices().filter(|(_, c)| ENDS.contains(c));
    let mut ends = ends.map(|(at, c)| at + c.len_utf8());
    let next = |end: &usize| language_of(text[*end..].trim_start()).is_some();
    match ends.find(next) {
        Some(end) => {
            let more = text[end..].trim_start();
            (&text[..text.len() - more.len()], more)
        }
        None => (text, ""),
    }
}

/// Takes the blank away, and the semicolon, behind which the next library followed.
fn trim(words: &mut [Inline]) {
    if let Some(Inline::Text(last)) = words.last_mut() {
        *last = last.trim_end().to_owned();
        if let Some(kept) = last.strip_suffix([';', '；']) {
            *last = [kept, if last.ends_with(';') { "." } else { "。" }].concat();
        }
    }
}

/// Returns what is written as code, one piece a line.
fn codes(notes: &[Vec<Inline>]) -> String {
    let codes = notes.iter().flatten().filter_map(|piece| match piece {
        Inline::Code(code) => Some(code.as_str()),
        _ => None,
    });
    codes.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::text::Lang;

    fn calls(id: &str, face: &str, lang: Lang) -> (Option<Calls>, Vec<Block>) {
        let lesson = read_folder(&Path::new("static/lessons").join(id)).unwrap();
        let mut notes = lesson.notes.as_ref().unwrap().body.get(lang).clone();
        (take(&lesson, &mut notes, face), notes)
    }

    fn words(notes: &[Vec<Inline>]) -> Vec<String> {
        notes.iter().map(|one| plain(one)).collect()
    }

    #[test]
    fn a_list_in_one_item_is_told_apart() {
        for (lang, said) in [
            (Lang::En, "go-redis: rdb.IncrBy(ctx, \"balance\", 10)."),
            (Lang::Zh, "go-redis：rdb.IncrBy(ctx, \"balance\", 10)。"),
        ] {
            let (calls, notes) = calls("lost-update", "go", lang);
            let calls = calls.unwrap();
            let labels: Vec<&str> = calls.faces.all.iter().map(|one| one.label).collect();
            assert_eq!(labels, ["Java", "Python", "Node.js", "Go", "C#", "Rust"]);
            assert_eq!(words(&calls.notes), [said]);
            assert!(calls.text.contains("rdb.IncrBy"), "{}", calls.text);
            assert!(items(&notes).all(|item| !plain(item).contains("go-redis")), "{notes:?}");
            assert!(items(&notes).any(|item| plain(item).contains("MULTI")), "{notes:?}");
        }
    }

    #[test]
    fn an_item_of_its_own_is_found_by_its_name() {
        let (calls, notes) = calls("setnx-lock", "rs", Lang::En);
        let said = words(&calls.unwrap().notes);
        assert!(matches!(&said[..], [one] if one.starts_with("redis-rs: con.set_nx")), "{said:?}");
        assert!(items(&notes).any(|item| plain(item).starts_with("Each retry")), "{notes:?}");
    }

    /// What is about several libraries at once is for all readers.
    #[test]
    fn several_names_are_no_call() {
        let (calls, notes) = calls("lease-too-short", "py", Lang::En);
        let said = words(&calls.unwrap().notes);
        assert!(matches!(&said[..], [one] if one.starts_with("redis-py: lock.extend")), "{said:?}");
        assert!(items(&notes).any(|item| plain(item).starts_with("Spring Data Redis, go-redis")));
    }

    /// Of sign-up's two programs that keep every condition, the first is there in Java only.
    #[test]
    fn the_program_is_the_one_that_most_languages_have() {
        let (calls, _) = calls("sign-up", "py", Lang::En);
        let text = calls.unwrap().text;
        assert!(text.contains("r.incr(\"num\")"), "{text}");
    }

    /// Without a language that was chosen, the first one there is.
    #[test]
    fn lua_is_none_of_them() {
        let (calls, _) = calls("rate-limit", "lua", Lang::En);
        assert_eq!(calls.unwrap().faces.shown, "java");
    }
}
