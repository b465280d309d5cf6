//! Runs each client of a scenario by itself: finds the error with which its program ends, and its
//! line, so that it can be shown while the program is being written.
//!
//! A client alone runs as far as it can without the others and without faults, at most
//! `STEPS_MAX` steps. A client that waits for another one makes no error. Clients that do the
//! same are tried once.

use crate::engine::Lacking;
use crate::scenario::lacking_words;
use crate::sim::{Action, Client, ClientId, Scenario, State, World, endless_line};

use crate::text::Lang;

use super::{Definition, Part};

/// The most steps of a client alone: this ends a loop that polls forever.
const STEPS_MAX: usize = 200;

/// An error that a program ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub part: Part,
    /// The line; 0 if it is not known.
    pub line: u32,
    pub client: ClientId,
    /// The message, without the line.
    pub message: String,
    /// What the instance lacks that refused the last command.
    pub lacking: Option<Lacking>,
}

impl Trouble {
    /// Parses an error as a client reports it: `count.lua:3: …`, `line 3: …`.
    pub fn new(
        own: &Definition,
        client: ClientId,
        message: &str,
        lacking: Option<Lacking>,
    ) -> Option<Trouble> {
        let part = Part::Program(own.clients.get(client.index())?.program);
        let (line, message) = placed(message);
        Some(Trouble { part, line, client, message: message.to_owned(), lacking })
    }

    /// Returns the error, and what to do where a version lacks the command.
    pub fn words(&self, lang: Lang) -> String {
        let lacking = self.lacking.as_ref().map(|one| format!(". {}", lacking_words(one, lang)));
        self.message.clone() + &lacking.unwrap_or_default()
    }
}

/// Returns the clients that end with an error when they run alone, and the error. Of two clients
/// that run the same program in the same way only the first is listed.
pub fn alone(own: &Definition, scenario: &Scenario) -> Vec<Trouble> {
    let Ok((start, _)) = World::start(scenario) else { return Vec::new() };
    let mut found: Vec<Trouble> = Vec::new();
    for (at, client) in own.clients.iter().enumerate() {
        if own.clients[..at].contains(client) {
            continue;
        }
        let id = ClientId(at as u16);
        let trouble = ends_with(scenario, &start, id);
        found.extend(
            trouble.and_then(|(message, lacking)| Trouble::new(own, id, &message, lacking)),
        );
        // Loops without an end take long, each.
        if found.last().is_some_and(|one| endless_line(&one.message).is_some()) {
            break;
        }
    }
    found
}

/// Returns the world after the clients have run one after another, as far as that is possible.
pub fn one_after_another(scenario: &Scenario) -> Option<World> {
    let (mut world, _) = World::start(scenario).ok()?;
    for id in world.ids() {
        run(&mut world, id);
    }
    Some(world)
}

/// Steps a client as far as it goes without the others.
fn run(world: &mut World, id: ClientId) {
    let _ = (0..STEPS_MAX).all(|_| step(world, id));
}

/// Makes the next step of a client; if it waits, lets time pass or a replica catch up. False if
/// neither is possible.
fn step(world: &mut World, id: ClientId) -> bool {
    if world.client(id).is_none_or(Client::is_over) {
        return false;
    }
    let all = world.enabled();
    let is_its = |action: &&Action| action.runs() == Some(id);
    let next = all.iter().find(is_its).or_else(|| {
        all.iter().find(|action| matches!(action, Action::Advance | Action::Replicate(_)))
    });
    next.is_some_and(|next| world.apply_unseen(*next).is_ok())
}

/// Returns the error with which a client ends alone, and what its last command lacked.
fn ends_with(
    scenario: &Scenario,
    start: &World,
    id: ClientId,
) -> Option<(String, Option<Lacking>)> {
    let mut world = start.clone();
    let mut last = None;
    for _ in 0..STEPS_MAX {
        last = world.client(id).and_then(Client::call).cloned().or(last);
        if !step(&mut world, id) {
            break;
        }
    }
    let State::Failed(message) = world.client(id)?.state() else { return None };
    let expected = scenario.clients.get(id.index())?.expect_error.as_ref();
    let is_expected = expected.is_some_and(|text| message.contains(text));
    let is_reply = message.contains("ERR unknown") || message.contains("ERR syntax");
    let lacking = last.filter(|_| is_reply).and_then(|call| world.lacking(&call));
    (!is_expected).then(|| (message.to_string(), lacking))
}

/// Splits a message into its line and the rest.
fn placed(message: &str) -> (u32, &str) {
    let number = |text: &str| text.parse::<u32>().ok();
    let after_line = message.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
    let of_file = || {
        let (file, rest) = message.split_once(".lua:")?;
        let (line, rest) = rest.split_once(": ")?;
        (!file.contains(' ')).then_some((line, rest))
    };
    let found = after_line.or_else(of_file);
    found.and_then(|(line, rest)| Some((number(line)?, rest))).unwrap_or((0, message))
}

#[cfg(test)]
mod tests {
    use super::super::Client;
    use super::*;
    use crate::engine::Version;

    fn troubles(own: &Definition) -> Vec<(u32, String, String)> {
        let lesson = own.lesson().expect("no mistake");
        let found = alone(own, &lesson.scenario(0).expect("a scenario"));
        found.into_iter().map(|one| (one.line, one.client.name(), one.message)).collect()
    }

    fn with(text: &str) -> Definition {
        let mut own = Definition::first();
        own.programs[0].text = text.to_owned();
        own
    }

    #[test]
    fn an_error_stands_at_its_line_and_is_told_once() {
        assert_eq!(troubles(&Definition::first()), []);
        let own = with("local n = redis.call(\"GET\", \"other\")\nn = n + 1\n");
        let found = troubles(&own);
        assert_eq!(found.len(), 1, "both clients run it: {found:?}");
        assert_eq!((found[0].0, found[0].1.as_str()), (2, "A"));
        assert!(found[0].2.contains("arithmetic"), "{found:?}");
        let own = with("redis.call(\"SET\", \"n\", 1)\n\nredis.call(\"LPUSH\", \"n\", 1)\n");
        let found = troubles(&own);
        assert_eq!(found[0].0, 3, "{found:?}");
        assert!(found[0].2.contains("WRONGTYPE"), "{found:?}");
    }

    #[test]
    fn a_command_of_a_later_version_says_what_to_write() {
        let words = |own: &Definition, lang: Lang| {
            let lesson = own.lesson().expect("no mistake");
            let found = alone(own, &lesson.scenario(0).expect("a scenario"));
            found.first().map(|one| one.words(lang)).unwrap_or_default()
        };
        let since = |text: &str, version: Option<Version>| {
            let said = words(&Definition { version, ..with(text) }, Lang::En);
            said.rsplit_once(". ").map(|(_, said)| said.to_owned()).unwrap_or(said)
        };
        let field = "redis.call('HSET', 'h', 'f', 1)\n\
                     redis.call('HPEXPIRE', 'h', 100, 'FIELDS', 1, 'f')";
        assert_eq!(since(field, None), "HPEXPIRE exists since Redis 7.4: write version = \"7.4\".");
        let said = words(&with(field), Lang::Zh);
        assert!(said.ends_with("Redis 7.4 起才有 HPEXPIRE：请写 version = \"7.4\"。"), "{said}");
        assert!(said.starts_with("ERR unknown command 'HPEXPIRE'"), "Redis's own words: {said}");
        assert_eq!(since(field, Some(Version::V7_4)), "");
        let valkey = since(field, Some(Version::Valkey8));
        assert_eq!(valkey, "HPEXPIRE exists since Valkey 9: write version = \"valkey9\".");
        let set = "redis.call('SET', 'n', 1, 'IFEQ', 'n')";
        assert!(since(set, None).starts_with("SET IFEQ exists since Redis 8.4"));
        // What is wrong in any version is no matter of versions.
        assert_eq!(since("redis.call('SET', 'n', 1, 'NN')", None).matches("exists").count(), 0);
        let own =
            Definition { setup: "HEXPIRE h 1 FIELDS 1 f\n".to_owned(), ..Definition::first() };
        let mistakes = own.lesson().expect_err("it is refused");
        let said = mistakes[0].text(&own, Lang::En);
        assert!(said.contains("HEXPIRE exists since Redis 7.4"), "{said}");
    }

    #[test]
    fn who_waits_who_polls_and_who_may_fail_does_nothing_wrong() {
        assert_eq!(troubles(&with("redis.call(\"BLPOP\", \"jobs\", 0)\n")), []);
        let polls = "while not redis.call(\"GET\", \"go\") do end\n";
        assert_eq!(troubles(&with(polls)), []);
        let mut own = with("error(\"no\")\n");
        own.clients.iter_mut().for_each(|one| one.expect_error = "no".to_owned());
        assert_eq!(troubles(&own), []);
        own.clients.push(Client::default());
        assert_eq!(troubles(&own)[0].1, "C");
    }

    #[test]
    fn a_loop_without_an_end_has_its_line() {
        let found =
            troubles(&with("redis.call(\"GET\", \"n\")\nlocal n = 0\nwhile true do n = 1 end"));
        assert_eq!(found[0].0, 3, "{found:?}");
    }
}
