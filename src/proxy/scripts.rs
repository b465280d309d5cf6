//! The scripts that visitors may run on a shared server: those of the lessons, by their digest.
//!
//! A script is one command to Redis, which does nothing else meanwhile. One that loops, fills its
//! log or searches with a hard pattern harms everybody there, and Redis can end only some of them.
//! The lessons' own are known; any other needs `--scripts`.

use std::collections::HashSet;

use serde_json::Value as Json;

use engine::Command;
use lua::{sha1, tokens};

use super::page::Page;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scripts {
    /// True with `--scripts`.
    any: bool,
    known: HashSet<String>,
}

impl Scripts {
    /// Allows every script.
    pub fn any() -> Self {
        Self { any: true, known: HashSet::new() }
    }

    pub fn allows_any(&self) -> bool {
        self.any
    }

    /// Reads the lessons of a built page. Without them nothing is known.
    pub fn of_page(page: &Page) -> Self {
        let mut known = HashSet::new();
        for name in page.names("lessons").iter().filter(|name| name.ends_with(".json")) {
            if let Ok(json) = serde_json::from_str(&page.text(&format!("lessons/{name}"))) {
                of_json(&json, &mut known);
            }
        }
        Self { any: false, known }
    }

    /// Returns the reason why a command may not run on a shared server; `None` if it may.
    pub fn refuses(&self, command: &Command, argv: &[&[u8]]) -> Option<String> {
        let digest = match command.name {
            "eval" | "eval_ro" => sha1::hex(argv.get(1)?),
            "script|load" => sha1::hex(argv.get(2)?),
            "evalsha" | "evalsha_ro" => String::from_utf8_lossy(argv.get(1)?).to_ascii_lowercase(),
            "fcall" | "fcall_ro" | "function|load" | "function|restore" => String::new(),
            _ => return None,
        };
        if self.any || self.known.contains(&digest) {
            return None;
        }
        let words = "this script is none of the lessons', and others use the server: only those \
                     run here, unless the proxy was started with --scripts";
        Some(words.into())
    }
}

/// Collects the digests of the scripts in every text that is a program.
fn of_json(json: &Json, known: &mut HashSet<String>) {
    match json {
        Json::String(text) if text.contains("redis.") => of_program(text, known),
        Json::Array(all) => all.iter().for_each(|json| of_json(json, known)),
        Json::Object(all) => all.values().for_each(|json| of_json(json, known)),
        _ => {}
    }
}

/// A script stands in a program as one string.
fn of_program(text: &str, known: &mut HashSet<String>) {
    let words = tokens(text.as_bytes()).unwrap_or_default();
    let is_script = |word: &str| word.contains("redis.call") || word.contains("redis.pcall");
    for (_, word) in words.iter().filter(|(_, word)| is_script(word)) {
        known.extend(content(word).map(|script| sha1::hex(script.as_bytes())));
    }
}

/// Returns what a string of Lua holds, as the lexer spells it: between quotes, or long brackets.
fn content(word: &str) -> Option<String> {
    if let Some(quote) = word.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return Some(word.strip_prefix(quote)?.strip_suffix(quote)?.to_owned());
    }
    let level = word.strip_prefix('[')?.find('[')?;
    let inside = word.get(level + 2..word.len().checked_sub(level + 2)?)?.replace("\r\n", "\n");
    // The end of the first line is no part of it.
    Some(inside.strip_prefix('\n').unwrap_or(&inside).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::resolve;

    fn why(scripts: &Scripts, argv: &[&str]) -> Option<String> {
        let argv: Vec<&[u8]> = argv.iter().map(|word| word.as_bytes()).collect();
        scripts.refuses(resolve(&argv).unwrap(), &argv)
    }

    #[test]
    fn a_lessons_script_is_known_by_its_digest() {
        let script = "return redis.call('get', KEYS[1])";
        let quoted = "return redis.call(\"del\", KEYS[1]) -- 删";
        let program =
            format!("local a = [==[\n{script}]==]\nlocal b = {quoted:?}\nredis.call('EVAL', a)");
        let json = serde_json::json!({ "variants": [{ "clients": [program] }] });
        let mut scripts = Scripts::default();
        of_json(&json, &mut scripts.known);
        let sha = sha1::hex(script.as_bytes());
        for known in [["EVAL", script], ["EVAL", quoted], ["EVALSHA", &sha.to_uppercase()]] {
            assert_eq!(why(&scripts, &[known[0], known[1], "0"]), None, "{known:?}");
        }
        assert_eq!(why(&scripts, &["SCRIPT", "LOAD", script]), None);
        assert_eq!(why(&scripts, &["GET", "k"]), None);
        let other = format!("{script} ");
        for unknown in
            [["EVAL", &other], ["EVAL_RO", &other], ["EVALSHA", &sha[1..]], ["FCALL", "f"]]
        {
            let refused = why(&scripts, &[unknown[0], unknown[1], "0"]);
            assert!(refused.is_some_and(|words| words.contains("--scripts")), "{unknown:?}");
            assert_eq!(why(&Scripts::any(), &[unknown[0], unknown[1], "0"]), None);
        }
        assert!(why(&scripts, &["SCRIPT", "LOAD", &other]).is_some());
    }

    /// Every program that runs a script has it as one string, and so it is found.
    #[test]
    fn the_lessons_have_scripts_that_are_found() {
        let lessons = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/lessons");
        let (mut programs, mut all) = (0, HashSet::new());
        for lesson in std::fs::read_dir(lessons).unwrap().flatten() {
            let own = std::fs::read_dir(lesson.path()).into_iter().flatten().flatten();
            for file in own.filter(|file| file.path().extension().is_some_and(|ext| ext == "lua")) {
                let text = std::fs::read_to_string(file.path()).unwrap();
                if text.contains("call(\"EVAL\"") {
                    let mut known = HashSet::new();
                    of_program(&text, &mut known);
                    assert!(!known.is_empty(), "{}", file.path().display());
                    programs += 1;
                    all.extend(known);
                }
            }
        }
        assert!(programs >= 10 && all.len() >= 5, "{programs} programs, {} scripts", all.len());
    }
}
