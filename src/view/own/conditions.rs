//! Conditions to choose from, for who does not want to write one: each is an ordinary condition,
//! with the names and numbers of the scenario in it as far as they can be guessed. What is written
//! in its place shows which one it is, so that the list needs no memory.
//!
//! To add one: its row in [`CHOICES`], its words in `text::live`.

use crate::sim::{Kind, Property, World};
use crate::text::LiveWord;

use super::Own;
use super::alone::one_after_another;

/// A condition with places for names and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub id: &'static str,
    pub kind: Kind,
    /// `{key}`: a key that the programs count in; `{first}`: its number at the start; `{serial}`:
    /// the same where the clients run one after another; `{nobody}`: no client has failed.
    check: &'static str,
    pub word: LiveWord,
}

/// All of them. Those that `sim::READY` has, too, are the same.
pub const CHOICES: [Choice; 9] = [
    Choice {
        id: "mutual-exclusion",
        kind: Kind::Always,
        check: "count(\"holding\") <= 1",
        word: LiveWord::ChooseExclusion,
    },
    Choice {
        id: "no-lost-update",
        kind: Kind::Always,
        check: "not all_done() or number(\"{key}\") == {serial}",
        word: LiveWord::ChooseNoLost,
    },
    Choice {
        id: "frees-only-its-own",
        kind: Kind::Always,
        check: "(function()\n  for client, value in pairs(each(\"removed\")) do\n    if value \
                and value ~= global(client, \"me\") then return false end\n  end\n  \
                return true\nend)()",
        word: LiveWord::ChooseFreesOwn,
    },
    Choice {
        id: "sold-at-most-stock",
        kind: Kind::Always,
        check: "sum(\"sold\") <= {first}",
        word: LiveWord::ChooseStock,
    },
    Choice {
        id: "never-below-zero",
        kind: Kind::Always,
        check: "(number(\"{key}\") or 0) >= 0",
        word: LiveWord::ChooseZero,
    },
    Choice {
        id: "nobody-fails",
        kind: Kind::Always,
        check: "not (failed({nobody}))",
        word: LiveWord::ChooseNobodyFails,
    },
    Choice {
        id: "at-most-once",
        kind: Kind::Always,
        check: "sum(\"processed\") <= 1",
        word: LiveWord::ChooseOnce,
    },
    Choice {
        id: "not-lost",
        kind: Kind::Eventually,
        check: "sum(\"processed\") >= 1",
        word: LiveWord::ChooseNotLost,
    },
    Choice {
        id: "all-can-finish",
        kind: Kind::Sometimes,
        check: "all_done()",
        word: LiveWord::ChooseFinish,
    },
];

impl Choice {
    /// The condition, about this scenario.
    pub fn check(&self, own: &Own) -> String {
        let (key, first) = counted(own);
        let mut check = self.check.replace("{key}", &key).replace("{first}", &first);
        if check.contains("{serial}") {
            check = check.replace("{serial}", &serial(own, &key));
        }
        let letter = |at: usize| char::from(b'A' + at as u8);
        let failed: Vec<String> =
            (0..own.clients.len()).map(|at| format!("\"{}\"", letter(at))).collect();
        check.replace("{nobody}", &failed.join(") or failed("))
    }

    /// The one of which this is the condition, with whatever names; `None`: it is somebody's own.
    pub fn of(kind: Kind, check: &str) -> Option<usize> {
        CHOICES.iter().position(|one| one.kind == kind && fits(one.check, check.trim()))
    }
}

/// Is it the pattern, with something in its places?
fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('{').map(|piece| piece.split_once('}').map_or(piece, |it| it.1));
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    for piece in pieces {
        match rest.find(piece).filter(|_| !piece.is_empty()) {
            Some(at) => rest = &rest[at + piece.len()..],
            // A number stands at the end.
            None => return piece.is_empty() && is_number(rest),
        }
    }
    rest.is_empty()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// The key that is most likely meant, and its number at the start: the first that the setup sets to
/// a number, or the first that a program names.
fn counted(own: &Own) -> (String, String) {
    let set = own.setup.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_set = words.next()?.eq_ignore_ascii_case("SET");
        let (key, value) = (words.next()?.trim_matches('"'), words.next()?.trim_matches('"'));
        (is_set && is_number(value) && is_plain(key)).then(|| (key.to_owned(), value.to_owned()))
    });
    let named = || {
        own.programs.iter().find_map(|program| {
            let (_, call) = program.text.split_once("redis.call(")?;
            let key = call.split('"').nth(3)?;
            is_plain(key).then(|| (key.to_owned(), "0".to_owned()))
        })
    };
    set.or_else(named).unwrap_or_else(|| ("counter".to_owned(), "0".to_owned()))
}

/// It can stand in quotation marks.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['"', '\\', '{'])
}

/// The number that a key has when the clients have run one after another.
fn serial(own: &Own, key: &str) -> String {
    let number = |world: World| {
        let check = format!("number(\"{key}\")");
        let value = Property::new(Kind::Always, &check, "serial").ok()?.value(&mut world.facts());
        value.ok().map(|value| value.short()).filter(|text| is_number(text))
    };
    let scenario = own.lesson().ok().and_then(|lesson| lesson.scenario(0).ok());
    let world = scenario.and_then(|scenario| one_after_another(&scenario));
    world.and_then(number).unwrap_or_else(|| "0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Ready;

    #[test]
    fn each_is_a_condition_about_the_scenario_and_is_known_again() {
        let own = Own::first();
        for (at, choice) in CHOICES.iter().enumerate() {
            let check = choice.check(&own);
            assert!(!check.contains('{'), "{check}");
            let known = Choice::of(choice.kind, &check);
            assert_eq!(known, Some(at), "{check}");
            let mut asks = own.clone();
            asks.properties[0].kind = choice.kind;
            asks.properties[0].check = check;
            asks.lesson().unwrap_or_else(|why| panic!("{}: {why:?}", choice.id));
            if let Some(ready) = Ready::named(choice.id).filter(|_| choice.id != "no-lost-update") {
                assert_eq!(ready.check(None, None).as_deref(), Some(choice.check));
                assert_eq!(ready.kind, choice.kind);
            }
        }
        assert_eq!(Choice::of(Kind::Always, "number(\"n\") == 3"), None);
        assert_eq!(Choice::of(Kind::Sometimes, "count(\"holding\") <= 1"), None);
        assert_eq!(Choice::of(Kind::Always, "sum(\"sold\") <= 1 + x"), None);
    }

    #[test]
    fn names_and_numbers_are_those_of_the_scenario() {
        let mut own = Own::first();
        own.setup = "SET gold 7\n".to_owned();
        own.programs[0].text = "redis.call(\"DECRBY\", \"gold\", 3)\n".to_owned();
        let lost = CHOICES.iter().find(|one| one.id == "no-lost-update").expect("it is there");
        assert_eq!(lost.check(&own), "not all_done() or number(\"gold\") == 1");
        let stock = CHOICES.iter().find(|one| one.id == "sold-at-most-stock").expect("it is there");
        assert_eq!(stock.check(&own), "sum(\"sold\") <= 7");
        own.setup.clear();
        assert_eq!(lost.check(&own), "not all_done() or number(\"gold\") == -6");
    }
}
