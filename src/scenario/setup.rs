//! The setup of a world: from its text and its scripts to commands ([`Definition::commands`]), and
//! back ([`Definition::set_up`]). Programs read the digest of a script as `SHA.name`:
//! [`Definition::program`] puts the digests into a program, [`without_digests`] takes them out.

use crate::lua;
use crate::sim::{DEFAULT_NODE, is_name};
use crate::text::Key;

use super::{Definition, Instance, Mistake, MistakePlace, Part, Script, checks};

/// The code before and after the digests of scripts that a program uses. It stands on the program's
/// first line, so that lines keep their numbers.
const DIGESTS: (&str, &str) = ("local SHA = { ", " } ");

/// Commands, each as its arguments.
pub type Commands = Vec<Vec<String>>;

/// A command of the setup and where it was written.
#[derive(Debug)]
pub struct SetUp {
    /// The index of its instance.
    pub node: usize,
    pub place: MistakePlace,
    pub line: u32,
    pub argv: Vec<String>,
}

impl Definition {
    /// Returns whether a client runs the program.
    pub fn runs(&self, at: usize) -> bool {
        self.clients.iter().any(|client| client.program == at)
    }

    /// Returns the program as a client runs it.
    pub fn program(&self, at: usize) -> String {
        let Some(script) = self.programs.get(at) else { return String::new() };
        let plain = |one: &&Script| !is_library(&one.text) && is_word(&one.name);
        let digest =
            |one: &Script| format!("{} = \"{}\"", one.name, lua::sha1::hex(one.text.as_bytes()));
        let digests: Vec<String> = self.scripts.iter().filter(plain).map(digest).collect();
        match script.text.contains("SHA.") && !digests.is_empty() {
            true => format!("{}{}{}{}", DIGESTS.0, digests.join(", "), DIGESTS.1, script.text),
            false => script.text.clone(),
        }
    }

    /// Returns the commands of the setup, each instance's in their order, and what is wrong with
    /// the others. The scripts are loaded first, on every instance that is no replica.
    pub fn commands(&self) -> (Vec<SetUp>, Vec<Mistake>) {
        let (mut commands, mut found) = (Vec::new(), Vec::new());
        for (at, script) in self.scripts.iter().enumerate() {
            let container = if is_library(&script.text) { "FUNCTION" } else { "SCRIPT" };
            for node in (0..self.instances.len().max(1)).filter(|node| !self.is_replica(*node)) {
                let argv = vec![container.to_owned(), "LOAD".to_owned(), script.text.clone()];
                let place = MistakePlace::Text(Part::Script(at));
                commands.push(SetUp { node, place, line: 0, argv });
            }
        }
        for (line, text) in (1..).zip(self.setup.lines().map(str::trim)) {
            if !text.is_empty() && !text.starts_with('#') {
                match self.command(line, text) {
                    Ok(command) => commands.extend(command),
                    Err(mistake) => found.push(mistake),
                }
            }
        }
        (commands, found)
    }

    /// Reads a line of the setup.
    fn command(&self, line: u32, text: &str) -> Result<Option<SetUp>, Mistake> {
        let place = || MistakePlace::Text(Part::Setup);
        let wrong = |what: Key, values: &[&str], remedy: Key| {
            Err(Mistake::new(place(), line, what, values, remedy))
        };
        let named = |name: &str| self.instances.iter().position(|one| one.name == name);
        let (node, command) = match prompt(text) {
            None => (0, text),
            Some((DEFAULT_NODE, command)) if self.instances.is_empty() => (0, command),
            Some((name, command)) => match named(name) {
                Some(node) => (node, command),
                None => {
                    let names: Vec<&str> =
                        self.instances.iter().map(|one| one.name.as_str()).collect();
                    let known = match names.is_empty() {
                        true => DEFAULT_NODE.to_owned(),
                        false => names.join(", "),
                    };
                    return wrong(Key::OwnNoInstance, &[name, &known], Key::OwnNoInstanceRemedy);
                }
            },
        };
        if self.is_replica(node) {
            let name = &self.instances[node].name;
            return wrong(Key::OwnToReplica, &[name], Key::OwnToReplicaRemedy);
        }
        let argv = checks::command(command, place(), line)?;
        Ok((!argv.is_empty()).then(|| SetUp { node, place: place(), line, argv }))
    }

    fn is_replica(&self, node: usize) -> bool {
        let is_replica = |one: &Instance| !one.replica_of.is_empty();
        self.instances.get(node).is_some_and(is_replica)
    }

    /// Returns the SQL statements, with their lines.
    pub fn statements(&self) -> Vec<(u32, &str)> {
        let lines = (1..).zip(self.sql.lines());
        let lines = lines.map(|(line, text)| (line, text.trim().trim_end_matches(';')));
        let is_said =
            |text: &str| text.is_empty() || text.starts_with("--") || text.starts_with('#');
        lines.filter(|(_, text)| !is_said(text)).collect()
    }

    /// Adopts the setup commands of the whole, which the first instance executes, and of each
    /// instance. A script that each instance but the replicas loads becomes a script of the
    /// scenario, which is loaded so.
    pub fn set_up(
        &mut self,
        mut first: Commands,
        mut setups: Vec<Commands>,
        digests: &[(String, String)],
    ) {
        match setups.first_mut() {
            Some(own) => {
                first.append(own);
                *own = first;
            }
            None => setups.push(first),
        }
        let is_everywhere = |argv: &Vec<String>| {
            (0..setups.len()).all(|at| self.is_replica(at) || setups[at].contains(argv))
        };
        let (mut lines, mut scripts) = (String::new(), Vec::new());
        for (at, setup) in setups.iter().enumerate() {
            for argv in setup {
                if let Some(text) = loaded(argv).filter(|_| is_everywhere(argv)) {
                    scripts.push(text);
                    continue;
                }
                if at > 0 {
                    lines += &format!("{}> ", self.instances[at].name);
                }
                let words: Vec<String> = argv.iter().map(|argument| quoted(argument)).collect();
                lines += &words.join(" ");
                lines.push('\n');
            }
        }
        self.setup += &lines;
        scripts.into_iter().for_each(|text| self.add_script(text, digests));
    }

    fn add_script(&mut self, text: &str, digests: &[(String, String)]) {
        if self.scripts.iter().any(|one| one.text == text) {
            return;
        }
        let sha = lua::sha1::hex(text.as_bytes());
        let called =
            digests.iter().find(|(_, digest)| *digest == sha).map(|(name, _)| name.clone());
        let head = text.lines().next().unwrap_or_default();
        let library = head.split("name=").nth(1).map(|name| name.trim().to_owned());
        let name = called.or(library.filter(|_| is_library(text)));
        let name = name.unwrap_or_else(|| format!("script{}", self.scripts.len() + 1));
        self.scripts.push(Script { name, text: text.to_owned() });
    }
}

/// Splits `r1> SET a 1` into the name of the instance and the command.
pub fn prompt(line: &str) -> Option<(&str, &str)> {
    let (name, command) = line.split_once('>')?;
    (is_name(name) && command.starts_with(' ')).then_some((name, command.trim()))
}

/// Returns true for a library of functions, which FUNCTION LOAD takes.
pub fn is_library(text: &str) -> bool {
    text.starts_with("#!")
}

/// Returns the text of the script or the library that a command loads.
fn loaded(argv: &[String]) -> Option<&String> {
    let [container, load, text] = argv else { return None };
    let loads = |name: &str| container.eq_ignore_ascii_case(name);
    let library = loads("FUNCTION") && is_library(text);
    (load.eq_ignore_ascii_case("LOAD") && (library || loads("SCRIPT"))).then_some(text)
}

/// Splits a program into its table of digests and the rest.
pub fn without_digests(source: &str) -> (Vec<(String, String)>, &str) {
    let found = source.strip_prefix(DIGESTS.0).and_then(|rest| rest.split_once(DIGESTS.1));
    let Some((table, text)) = found.filter(|(table, _)| !table.contains('\n')) else {
        return (Vec::new(), source);
    };
    let pair = |entry: &str| {
        let (name, digest) = entry.split_once(" = ")?;
        Some((name.to_owned(), digest.trim_matches('"').to_owned()))
    };
    (table.split(", ").filter_map(pair).collect(), text)
}

/// Quotes an argument as in redis-cli.
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'\\".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) && !argument.starts_with('#') {
        return argument.to_owned();
    }
    let mut out = String::from("\"");
    for c in argument.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out += &format!("\\x{:02x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Returns true for a valid file name.
pub fn is_file(name: &str) -> bool {
    is_plain(name, 24)
}

/// Returns true for 1 to `most` ASCII letters, digits, hyphens and underscores.
pub fn is_plain(name: &str, most: usize) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=most).contains(&name.len()) && name.bytes().all(plain)
}

/// Returns true for a Lua identifier.
pub fn is_word(name: &str) -> bool {
    is_file(name) && !name.contains('-') && !name.starts_with(|c: char| c.is_ascii_digit())
}
