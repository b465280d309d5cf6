//! The reference of the commands (native only): `check compile` writes it to
//! `lessons/commands.json`, from which the page's consoles load it.

use crate::engine;

use super::docs::{Doc, Docs};

/// A line for each command: its name, and after a colon its arguments.
const SYNTAX: &str = include_str!("syntax.txt");

/// Returns the documentation of the commands that the page's instances know.
pub fn docs() -> Docs {
    let doc = |command: &engine::Command| {
        let name = command.name.replace('|', " ").to_ascii_uppercase();
        let syntax = syntax(&name).unwrap_or_default().to_owned();
        Doc {
            name,
            syntax,
            summary: command.summary().to_owned(),
            group: command.group.name().to_owned(),
        }
    };
    Docs { commands: engine::commands().iter().map(doc).collect() }
}

fn syntax(name: &str) -> Option<&'static str> {
    let lines = SYNTAX.lines().filter(|line| !line.starts_with('#'));
    let mut pairs = lines.filter_map(|line| line.split_once(':'));
    pairs.find(|(known, _)| *known == name).map(|(_, syntax)| syntax.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_table_has_its_line_and_every_line_its_command() {
        // Redis 7.0 does not say what these take.
        let untold = ["COMMAND GETKEYS", "COMMAND GETKEYSANDFLAGS", "DEBUG"];
        for command in engine::commands() {
            let name = command.name.replace('|', " ").to_ascii_uppercase();
            let syntax = syntax(&name).unwrap_or_else(|| panic!("{name} has no line"));
            let takes = command.arity.unsigned_abs() as usize > name.split(' ').count();
            let says =
                !syntax.is_empty() || command.is_container || untold.contains(&name.as_str());
            assert!(!takes || says, "{name} takes something");
        }
        for line in SYNTAX.lines().filter(|line| !line.starts_with('#')) {
            let name = line.split(':').next().unwrap_or_default();
            let name = name.replace(' ', "|");
            assert!(engine::lookup(name.as_bytes()).is_some(), "{name} is no command");
        }
    }
}
