//! Conditions to choose from, for learners who do not want to write one: each is an ordinary
//! condition, with the names and numbers of the scenario in it as far as they can be guessed. The
//! text of a condition shows which choice it is, so the list needs no memory.
//!
//! To add one, add its row to [`CHOICES`], and its words to `text::live`. The ones that fit every
//! scenario are [`crate::sim::READY`]'s, by their names.

use crate::sim::{Kind, Property, Ready, World};
use crate::text::LiveWord;

use super::Definition;
use super::alone::one_after_another;

/// A condition with placeholders for names and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub id: &'static str,
    asks: Asks,
    pub word: LiveWord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// The ready-made condition of this name.
    Ready,
    /// A pattern. `{key}`: a key in which the programs count; `{first}`: its number at the start;
    /// `{serial}`: its number after the clients have run one after another; `{nobody}`: no client
    /// has failed.
    This(Kind, &'static str),
}

/// All choices.
pub const CHOICES: [Choice; 9] = [
    Choice { id: "mutual-exclusion", asks: Asks::Ready, word: LiveWord::ChooseExclusion },
    Choice {
        id: "no-lost-update",
        asks: Asks::This(Kind::Always, "not all_done() or number(\"{key}\") == {serial}"),
        word: LiveWord::ChooseNoLost,
    },
    Choice { id: "frees-only-its-own", asks: Asks::Ready, word: LiveWord::ChooseFreesOwn },
    Choice {
        id: "sold-at-most-stock",
        asks: Asks::This(Kind::Always, "sum(\"sold\") <= {first}"),
        word: LiveWord::ChooseStock,
    },
    Choice {
        id: "never-below-zero",
        asks: Asks::This(Kind::Always, "(number(\"{key}\") or 0) >= 0"),
        word: LiveWord::ChooseZero,
    },
    Choice {
        id: "nobody-fails",
        asks: Asks::This(Kind::Always, "not (failed({nobody}))"),
        word: LiveWord::ChooseNobodyFails,
    },
    Choice { id: "at-most-once", asks: Asks::Ready, word: LiveWord::ChooseOnce },
    Choice { id: "not-lost", asks: Asks::Ready, word: LiveWord::ChooseNotLost },
    Choice {
        id: "all-can-finish",
        asks: Asks::This(Kind::Sometimes, "all_done()"),
        word: LiveWord::ChooseFinish,
    },
];

impl Choice {
    /// Returns when it must be true, and the condition with its placeholders.
    fn pattern(&self) -> (Kind, String) {
        match self.asks {
            Asks::This(kind, check) => (kind, check.to_owned()),
            Asks::Ready => {
                let ready = Ready::named(self.id);
                let check = ready.and_then(|ready| ready.check(None, None)).unwrap_or_default();
                (ready.map_or(Kind::Always, |ready| ready.kind), check)
            }
        }
    }

    pub fn kind(&self) -> Kind {
        self.pattern().0
    }

    /// Returns the condition for this scenario.
    pub fn check(&self, own: &Definition) -> String {
        let (key, first) = counted(own);
        let (_, pattern) = self.pattern();
        let mut check = pattern.replace("{key}", &key).replace("{first}", &first);
        if check.contains("{serial}") {
            check = check.replace("{serial}", &serial(own, &key));
        }
        let letter = |at: usize| char::from(b'A' + at as u8);
        let failed: Vec<String> =
            (0..own.clients.len()).map(|at| format!("\"{}\"", letter(at))).collect();
        check.replace("{nobody}", &failed.join(") or failed("))
    }

    /// Returns the choice whose condition this is, with any names; `None` for an author's own
    /// condition.
    pub fn of(kind: Kind, check: &str) -> Option<usize> {
        CHOICES.iter().position(|one| {
            let (of, pattern) = one.pattern();
            of == kind && fits(&pattern, check.trim())
        })
    }
}

/// Returns true if the text is the pattern with something in its placeholders.
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

/// Returns the key that is most likely meant, and its number at the start: the first that the setup
/// sets to a number, or the first that a program names.
fn counted(own: &Definition) -> (String, String) {
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

/// Returns true if it can stand in quotation marks.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['"', '\\', '{'])
}

/// Returns the number of a key after the clients have run one after another.
fn serial(own: &Definition, key: &str) -> String {
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

    #[test]
    fn each_is_a_condition_about_the_scenario_and_is_known_again() {
        let own = Definition::first();
        for (at, choice) in CHOICES.iter().enumerate() {
            let check = choice.check(&own);
            assert!(!check.contains('{'), "{check}");
            let known = Choice::of(choice.kind(), &check);
            assert_eq!(known, Some(at), "{check}");
            let mut asks = own.clone();
            asks.properties[0].kind = choice.kind();
            asks.properties[0].check = check;
            asks.lesson().unwrap_or_else(|why| panic!("{}: {why:?}", choice.id));
            let is_ready = Ready::named(choice.id).is_some();
            assert!(choice.asks != Asks::Ready || is_ready, "{}", choice.id);
        }
        assert_eq!(Choice::of(Kind::Always, "number(\"n\") == 3"), None);
        assert_eq!(Choice::of(Kind::Sometimes, "count(\"holding\") <= 1"), None);
        assert_eq!(Choice::of(Kind::Always, "sum(\"sold\") <= 1 + x"), None);
    }

    #[test]
    fn names_and_numbers_are_those_of_the_scenario() {
        let mut own = Definition::first();
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
