//! Checks of a written world. Each mistake that an author can make in its clients, instances,
//! faults, tables and conditions is found and worded here, once; who reads a file knows its line.

use crate::engine;
use crate::resp::{Bytes, split_inline};
use crate::sim::sql::{Prepared, Tables};
use crate::sim::{self, Faults, Kind, TimeMode, is_name};
use crate::text::Key;

use super::{Definition, Instance, Mistake, MistakePlace, Part};

impl Definition {
    /// Returns the mistakes in the names of processes and instances, in what replicates what, and
    /// the faults that could never happen.
    pub fn check_cast(&self) -> Vec<Mistake> {
        let mut found = Vec::new();
        let mut note = |place: MistakePlace, what: Key, values: &[&str], remedy: Key| {
            found.push(Mistake::new(place, 0, what, values, remedy));
        };
        for (at, client) in self.clients.iter().enumerate() {
            let process = client.process.as_str();
            if !process.is_empty() && !is_name(process) {
                note(MistakePlace::Client(at), Key::OwnBadName, &[process], Key::OwnNameRemedy);
            }
            if let Some(why) = client.with.mistake() {
                let (what, remedy) = (Key::OwnBadField, Key::OwnFolderRemedy);
                note(MistakePlace::Client(at), what, &["with", &why], remedy);
            }
        }
        let names: Vec<&str> = self.instances.iter().map(|one| one.name.as_str()).collect();
        for (at, one) in self.instances.iter().enumerate() {
            let place = || MistakePlace::Instance(at);
            if !is_name(&one.name) {
                note(place(), Key::OwnBadName, &[&one.name], Key::OwnNameRemedy);
            } else if names[..at].contains(&one.name.as_str()) {
                note(place(), Key::OwnTwice, &[&one.name], Key::OwnTwiceRemedy);
            }
            let master = self.instances.iter().find(|other| other.name == one.replica_of);
            let fits = match master {
                Some(master) => master.replica_of.is_empty() && master.name != one.name && at > 0,
                None => one.replica_of.is_empty(),
            };
            if !fits {
                let values = [one.name.as_str(), &one.replica_of];
                note(place(), Key::OwnBadMaster, &values, Key::OwnBadMasterRemedy);
            }
        }
        let Faults { jump, jump_ms, early, failover, cancel, rewind, .. } = self.faults;
        let clients = self.clients.len();
        let strangers = self.faults.strangers(clients);
        if !strangers.is_empty() {
            let all: String = Faults::letters(u32::MAX).chars().take(clients).collect();
            let values = [strangers.as_str(), &all];
            note(MistakePlace::Faults, Key::NoSuchClient, &values, Key::OwnNoClientRemedy);
        }
        let replica = self.instances.iter().any(|one| !one.replica_of.is_empty());
        let is_linked = |one: &Instance| {
            let mut all = self.instances.iter();
            !one.replica_of.is_empty() || all.any(|other| other.replica_of == one.name)
        };
        let linked = !self.instances.is_empty() && self.instances.iter().all(is_linked);
        let prompt = self.time == TimeMode::Prompt;
        let shares = self.clients.iter().enumerate().any(|(at, one)| {
            let mut before = self.clients[..at].iter();
            !one.process.is_empty() && before.any(|other| other.process == one.process)
        });
        for (is_useless, what, remedy) in [
            (jump > 0 && jump_ms == 0, Key::OwnNoJump, Key::OwnNoJumpRemedy),
            (early > 0 && prompt, Key::OwnNoEarly, Key::OwnNoEarlyRemedy),
            (failover > 0 && !replica, Key::OwnNoReplica, Key::OwnNoReplicaRemedy),
            (rewind > 0 && linked, Key::OwnNoRewind, Key::OwnNoRewindRemedy),
            (cancel > 0 && !shares, Key::OwnNoShared, Key::OwnNoSharedRemedy),
        ] {
            if is_useless {
                note(MistakePlace::Faults, what, &[], remedy);
            }
        }
        found
    }
}

/// Executes SQL statements, each with its line, and returns those that are refused.
pub fn check_sql<'s>(statements: impl IntoIterator<Item = (u32, &'s str)>) -> Vec<Mistake> {
    let mut tables = Tables::default();
    let mut refused = |(line, text): (u32, &str)| {
        let done = Prepared::new(text.as_bytes(), &[]).and_then(|one| tables.execute(&one));
        let (place, what) = (MistakePlace::Text(Part::Sql), Key::OwnBadSql);
        done.err().map(|why| Mistake::new(place, line, what, &[&why], Key::OwnBadSqlRemedy))
    };
    statements.into_iter().filter_map(&mut refused).collect()
}

/// Compiles the check of the condition at a place.
pub fn check_condition(at: usize, kind: Kind, check: &str, id: &str) -> Option<Mistake> {
    let wrong = |what: Key, values: &[&str]| {
        Some(Mistake::new(MistakePlace::Property(at), 0, what, values, Key::OwnCheckRemedy))
    };
    if check.trim().is_empty() {
        return wrong(Key::OwnNoCheck, &[]);
    }
    if sim::compared_with_nil(check).is_some() {
        let (what, remedy) = (Key::OwnNilCheck, Key::OwnNilCheckRemedy);
        return Some(Mistake::new(MistakePlace::Property(at), 0, what, &[], remedy));
    }
    let why = sim::Property::new(kind, check, id).err()?;
    wrong(Key::OwnBadCheck, &[&why.message()])
}

/// Splits a command of the setup as it is typed into redis-cli.
pub fn command(text: &str, place: MistakePlace, line: u32) -> Result<Vec<String>, Mistake> {
    let wrong = |what: Key, value: &str, remedy: Key| {
        Err(Mistake::new(place.clone(), line, what, &[value], remedy))
    };
    let Ok(argv) = split_inline(text.as_bytes()) else {
        return wrong(Key::OwnQuotes, text, Key::OwnQuotesRemedy);
    };
    let argument = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
    let argv: Vec<String> = argv.iter().map(argument).collect();
    match argv.first() {
        Some(name) if engine::lookup(name.as_bytes()).is_none() => {
            wrong(Key::OwnNoCommand, name, Key::OwnNoCommandRemedy)
        }
        _ => Ok(argv),
    }
}
