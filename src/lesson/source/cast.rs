//! Reads the cast of a variant: instances, processes, tables, and the faults that may happen.
//! [`check_cast`](Definition::check_cast) finds what is wrong with it; here that gets its line.

use toml::Spanned;

use crate::lesson::{Instance, Lesson, Role};
use crate::scenario::checks::check_sql;
use crate::scenario::{self, Definition, Place};
use crate::sim::{Faults, TimeMode, World};
use crate::text::Key;

use super::build::Builder;
use super::manifest::{ClientRow, InstanceRow, Manifest, VariantRow};

/// Returns the roles of the clients; empty if all are plain. `error` is the error that clients may
/// end with if they do not name one themselves.
pub fn roles<'r>(rows: impl Iterator<Item = &'r ClientRow>, error: Option<&String>) -> Vec<Role> {
    let role = |row: &ClientRow| Role {
        process: row.process().cloned(),
        clock_ms: row.clock_ms(),
        expect_error: row.expect_error().or(error).cloned(),
        again: row.again(),
    };
    let roles: Vec<Role> = rows.map(role).collect();
    if roles.iter().all(|role| *role == Role::default()) { Vec::new() } else { roles }
}

impl Builder<'_> {
    /// Returns the rows of the instances of a variant, in the order in which it names them.
    pub fn taking_part<'m>(
        &mut self,
        row: &VariantRow,
        manifest: &'m Manifest,
    ) -> Vec<&'m InstanceRow> {
        let Some(names) = &row.instances else { return manifest.instances.iter().collect() };
        let named = |name: &Spanned<String>| {
            manifest.instances.iter().find(|row| row.name.get_ref() == name.get_ref())
        };
        let known: Vec<&str> =
            manifest.instances.iter().map(|row| row.name.get_ref().as_str()).collect();
        for name in names.iter().filter(|name| named(name).is_none()) {
            let values = [name.get_ref().as_str(), &known.join(", ")];
            self.wrong(name.span(), Key::OwnNoInstance, &values, Key::OwnNoInstanceRemedy);
        }
        names.iter().filter_map(named).collect()
    }

    pub fn instance(&mut self, row: &InstanceRow) -> Instance {
        if let Some(command) = row.setup.first().filter(|_| row.replica_of.is_some()) {
            let (what, remedy) = (Key::OwnToReplica, Key::OwnToReplicaRemedy);
            self.wrong(command.span(), what, &[row.name.get_ref()], remedy);
        }
        Instance {
            name: row.name.get_ref().clone(),
            setup: self.setup(&row.setup),
            replica_of: row.replica_of.as_ref().map(|master| master.get_ref().clone()),
            clock_ms: row.clock_ms,
        }
    }

    /// Reads SQL statements; executes them, to report an error at its line.
    pub fn sql(&mut self, statements: &[Spanned<String>]) -> Vec<String> {
        let numbered = (0..).zip(statements).map(|(at, one)| (at, one.get_ref().as_str()));
        for mistake in check_sql(numbered) {
            self.mistake(statements[mistake.line as usize].span(), &mistake);
        }
        statements.iter().map(|statement| statement.get_ref().clone()).collect()
    }

    /// Notes the mistakes in the cast of a variant where its author made them.
    pub fn cast(
        &mut self,
        row: &VariantRow,
        instances: &[&InstanceRow],
        faults: Option<&Spanned<Faults>>,
        time: TimeMode,
    ) {
        let client = |row: &Spanned<ClientRow>| scenario::Client {
            process: row.get_ref().process().cloned().unwrap_or_default(),
            ..Default::default()
        };
        let instance = |row: &&InstanceRow| scenario::Instance {
            name: row.name.get_ref().clone(),
            replica_of: row
                .replica_of
                .as_ref()
                .map(|one| one.get_ref().clone())
                .unwrap_or_default(),
            ..Default::default()
        };
        let world = Definition {
            clients: row.clients.get_ref().iter().map(client).collect(),
            instances: instances.iter().map(instance).collect(),
            faults: faults.map(|faults| *faults.get_ref()).unwrap_or_default(),
            time,
            ..Definition::default()
        };
        for mistake in world.check_cast() {
            let span = match mistake.place {
                Place::Client(at) => row.clients.get_ref()[at].span(),
                Place::Instance(at) => match &instances[at].replica_of {
                    Some(master) if mistake.is(Key::OwnBadMaster) => master.span(),
                    _ => instances[at].name.span(),
                },
                _ => faults.map_or(row.id.span(), Spanned::span),
            };
            self.mistake(span, &mistake);
        }
    }

    /// Checks that the variant's world starts.
    pub fn starts(
        &mut self,
        lesson: &Lesson,
        manifest: &Manifest,
        variant: usize,
        row: &VariantRow,
    ) {
        let started = lesson.scenario(variant).and_then(|scenario| {
            let (world, _) = World::start(&scenario).map_err(|why| why.to_string())?;
            Ok((scenario, world))
        });
        let (scenario, world) = match started {
            Ok(started) => started,
            Err(message) => {
                let remedy = "mend the variant's setup, instances or programs";
                return self.in_manifest(row.id.span(), message, remedy);
            }
        };
        // A check that fails at the start fails in every search of it.
        let rows = lesson.properties_of(variant).map(|property| {
            manifest.properties.iter().find(|row| *row.id.get_ref() == property.id)
        });
        for (property, row) in scenario.properties.iter().zip(rows) {
            if let (Err(message), Some(row)) = (property.holds(&mut world.facts()), row) {
                let remedy = "a check may use number(key), sum(name), global(client, name) …; \
                              a key that is missing is nil: (number(\"stock\") or 0)";
                self.in_manifest(row.check.span(), message, remedy);
            }
        }
    }
}
