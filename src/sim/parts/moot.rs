//! States from which every open question has the same answer, whatever comes.
//!
//! "Never more than one holds the lock" is true for good where only one client is left that may
//! ever say that it does: the others have come to their ends, or to a place in their programs from
//! which no line leads on that sets the global. "The file was written in order" stays as it is once
//! nobody can write any more. From there a search need not go on: what breaks the property is on no
//! run through such a state.

use super::super::client::{Client, State};
use super::super::facts::Fate;
use super::super::property::{Kind, Property};
use super::super::scenario::Scenario;
use super::words::has_word;
use super::{WorldParts, lens};
use crate::checker::View;
use crate::lua::{Chunk, Vm};

/// What a property asks for, where it can be told that the answer will stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// How many clients count by a global, see
    /// [`Facts::counts`](super::super::facts::Facts::counts).
    Count {
        /// By its place in [`WorldParts::globals`].
        global: usize,
        /// As long as there are no more than so many, the property is what it is at first.
        most: usize,
    },
    /// What was written to resources.
    Resources,
}

/// The name of the global, and how many may count by it before the property is another one.
fn count_of(property: &Property) -> Option<(String, usize)> {
    let text = property.expression();
    let (asked, compared) = text.trim().strip_prefix("count(")?.split_once(')')?;
    let quoted = asked.trim().strip_prefix(['"', '\''])?;
    let name = quoted.strip_suffix(['"', '\''])?;
    let compared = compared.trim();
    let operator = compared.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let number: usize = compared[operator.len()..].parse().ok()?;
    let operator = operator.trim_end();
    let most = match (property.kind, operator) {
        (Kind::Always, "<=") | (Kind::Sometimes, ">") => number,
        (Kind::Always, "==") if number == 0 => 0,
        (Kind::Always, "<") | (Kind::Sometimes, ">=" | "==") => number.checked_sub(1)?,
        _ => return None,
    };
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then(|| (name.to_owned(), most))
}

/// Does the property look at nothing but resources?
fn asks_resources(property: &Property) -> bool {
    let text = property.expression();
    let words = Property::functions().flat_map(|name| name.split(['.', ':']));
    let mut others = words.filter(|word| !matches!(*word, "" | "resource"));
    has_word(text.as_bytes(), "resource") && !others.any(|word| has_word(text.as_bytes(), word))
}

/// Does a client count by this global?
pub(super) fn counts(client: &Client, name: &str) -> bool {
    Fate::of(client) != Fate::Crashed && client.global(name).truthy()
}

impl WorldParts {
    /// Before the search begins: can it be told of states that all open questions are moot?
    pub fn look_for_moot(&mut self, scenario: &Scenario) -> bool {
        let settled = self.settled.iter().chain(std::iter::repeat(&false));
        let open = self.properties.iter().zip(settled).filter(|(_, settled)| !**settled);
        let question = |(property, _)| {
            if asks_resources(property) {
                return Some(Question::Resources);
            }
            let (name, most) = count_of(property)?;
            let global = self.globals.iter().position(|own| *own == name)?;
            Some(Question::Count { global, most })
        };
        let questions: Option<Vec<Question>> = open.map(question).collect();
        self.programs = scenario.clients.iter().map(|client| client.program.clone()).collect();
        self.moot = questions.unwrap_or_default();
        !self.moot.is_empty()
    }

    pub(super) fn is_question_moot(&mut self, question: Question, view: &mut View) -> bool {
        let Question::Count { global, most } = question else {
            return !view.any(self, lens::MAY_WRITE);
        };
        let mut left = most;
        for at in 0..self.start.clients.len() {
            let home = self.client_slot(at);
            if view.fact(self, lens::of_global(lens::MAY_COUNT, global), home) != 0 {
                match left.checked_sub(1) {
                    Some(fewer) => left = fewer,
                    None => return false,
                }
            }
        }
        true
    }

    /// Does a client count by this global, or may it still come to?
    pub(super) fn may_count(&self, client: &Client, name: &str) -> bool {
        counts(client, name) || self.may(client, |program, vm| program.may_set(vm, name))
    }

    /// May a client still write to a resource?
    pub(super) fn may_write(&self, client: &Client) -> bool {
        self.may(client, |program, vm| program.may_call(vm, "write"))
    }

    /// Does a client go on, and may its program do this?
    fn may(&self, client: &Client, does: impl Fn(&Chunk, &Vm) -> bool) -> bool {
        match client.state() {
            State::Idle => true,
            _ if client.is_over() => false,
            _ => does(&self.programs[client.id.index()], client.vm()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    use super::super::tests::{check_verdicts, random_programs, scenario};
    use super::*;
    use crate::sim::{Check, Faults, Limits};

    #[test]
    fn how_many_may_count_before_it_matters() {
        let most = |kind, text| {
            let property = Property::new(kind, text, "p").unwrap();
            count_of(&property).map(|(name, most)| format!("{name} {most}"))
        };
        let always = |text| most(Kind::Always, text);
        let sometimes = |text| most(Kind::Sometimes, text);
        assert_eq!(always("count(\"holding\") <= 1").as_deref(), Some("holding 1"));
        assert_eq!(always(" count( 'x' )<12 ").as_deref(), Some("x 11"));
        assert_eq!(always("count('x') == 0").as_deref(), Some("x 0"));
        assert_eq!(always("count('x') == 1"), None);
        assert_eq!(sometimes("count('x') == 2").as_deref(), Some("x 1"));
        assert_eq!(sometimes("count('x') > 2").as_deref(), Some("x 2"));
        assert_eq!(sometimes("count('x') >= 0"), None);
        assert_eq!(sometimes("count('x') <= 2"), None);
        assert_eq!(always("count('x') <= 1 + 1"), None);
        assert_eq!(always("count('x') <= 1 and done('A')"), None);
        assert_eq!(always("count('x y') <= 1"), None);
        assert_eq!(always("count(x) <= 1"), None);
    }

    #[test]
    fn who_asks_for_nothing_but_resources() {
        let asks = |text| asks_resources(&Property::new(Kind::Always, text, "p").unwrap());
        assert!(asks("resource('disk').value ~= '2'"));
        assert!(asks("(function() return #resource('disk').writes < 2 end)()"));
        assert!(!asks("resource('disk').value == redis.call('GET', 'k')"));
        assert!(!asks("resource('disk').value == nil or done('A')"));
        assert!(!asks("resource('disk').value == on('r1'):number('n')"));
        assert!(!asks("count('x') < 2"));
    }

    /// Nothing is missed behind the states that are not gone on from.
    #[test]
    fn random_programs_with_foregone_ends() {
        const LINES: [&str; 17] = [
            "x = redis.call('GET', 'a')",
            "x = redis.call('SET', 'lock', uuid(), 'NX', 'PX', 5)",
            "if redis.call('SET', 'b', 1, 'NX') then y = true else return end",
            "if redis.call('INCR', 'n') % 2 == 0 then x = true end",
            "y = false",
            "x = nil",
            "redis.call('SET', 'a', 1)",
            "redis.call('DEL', 'lock', 'b')",
            "for i = 1, 2 do y = redis.call('INCR', 'n') == 2 end",
            "pcall(function() y = redis.call('GET', 'a') or error('none') end)",
            "sleep(4)",
            "if redis.call('EXISTS', 'lock') == 0 then error('lost') end",
            "y = redis.call('GET', 'lock') and true or false",
            "while not redis.call('GET', 'b') do sleep(3) if x then break end end",
            "resource('r'):write('v', redis.call('INCR', 'n'))",
            "local r = resource('r') if redis.call('DEL', 'b') == 1 then r:write('w') end",
            "if redis.call('GET', 'a') then pcall(function() resource('r'):write('u') end) end",
        ];
        let (mut compared, mut fewer) = (0, 0);
        for seed in 0..80 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let programs = random_programs(&mut rng, &LINES, 2..4, 2..5);
            let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
            let mut scenario = scenario(&[], &programs, &[]);
            let questions = [
                (Kind::Always, "count('x') <= 1"),
                (Kind::Always, "count('y') < 3"),
                (Kind::Always, "count('y') < 2"),
                (Kind::Sometimes, "count('x') == 2"),
                (Kind::Sometimes, "count('y') >= 2"),
                (Kind::Always, "#resource('r').writes < 2"),
                (Kind::Sometimes, "resource('r').value == 'w' and #resource('r').writes > 1"),
            ];
            let some = questions.iter().filter(|_| rng.random_range(0..2) == 0);
            let property = |(kind, text): &(Kind, &str)| Property::new(*kind, text, "p").unwrap();
            scenario.properties = some.map(property).collect();
            let mut budget = |one_in: u32| u8::from(rng.random_range(0..one_in) == 0);
            scenario.faults = Faults {
                crash: budget(2),
                pause: budget(2),
                lose: budget(3),
                restart: budget(4),
                ..Faults::default()
            };
            let what = format!("{seed}: {programs:#?} {:?}", scenario.faults);
            if scenario.faults.any() && check_verdicts(&scenario, &what) {
                compared += 1;
                let few = Limits { plain_max_with_faults: 3, ..Limits::default() };
                let [with, without] = [true, false].map(|moot| {
                    let mut check = Check::new(&scenario, Limits { moot, ..few }).unwrap();
                    check.run();
                    check.counts().states
                });
                fewer += usize::from(with < without);
            }
        }
        assert!(compared > 40 && fewer > 10, "{compared}, {fewer}");
    }
}
