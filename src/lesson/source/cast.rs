//! Reads the cast of a variant: instances, processes, tables, and the faults that may happen.
//! [`check_cast`](Definition::check_cast) finds what is wrong with it; here that gets its line.

use toml::Spanned;

use crate::lesson::{Lesson, Program};
use crate::scenario::checks::check_sql;
use crate::scenario::setup::without_digests;
use crate::scenario::{Client, Definition, Instance, Place};
use crate::sim::World;
use crate::text::Key;

use super::build::Builder;
use super::manifest::{ClientRow, InstanceRow, Manifest, VariantRow};

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

    /// Returns the world of a variant, and notes the mistakes in it where its author made them.
    pub fn world(
        &mut self,
        row: &VariantRow,
        manifest: &Manifest,
        programs: &[Program],
    ) -> Definition {
        let error = row.expect_error.as_ref().or(manifest.expect_error.as_ref());
        let faults = row.faults.as_ref().or(manifest.faults.as_ref());
        let instances = self.taking_part(row, manifest);
        let client = |row: &ClientRow| Client {
            program: programs.iter().position(|p| p.file == row.program()).unwrap_or_default(),
            process: row.process().cloned().unwrap_or_default(),
            clock_ms: row.clock_ms(),
            expect_error: row.expect_error().or(error).cloned().unwrap_or_default(),
            again: row.again(),
        };
        let instance = |row: &&InstanceRow| Instance {
            name: row.name.get_ref().clone(),
            replica_of: row
                .replica_of
                .as_ref()
                .map(|one| one.get_ref().clone())
                .unwrap_or_default(),
            clock_ms: row.clock_ms,
        };
        let mut world = Definition {
            clients: row.clients.get_ref().iter().map(|row| client(row.get_ref())).collect(),
            instances: instances.iter().map(instance).collect(),
            sql: self.sql(row.sql.as_ref().unwrap_or(&manifest.sql)),
            faults: faults.map(|faults| *faults.get_ref()).unwrap_or_default(),
            time: row.time.or(manifest.time).unwrap_or_default(),
            slow_ms: row.slow_ms.or(manifest.slow_ms).unwrap_or_default(),
            wire: row.wire.or(manifest.wire).unwrap_or_default(),
            expect_deadlock: row.expect_deadlock,
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
        let setup = self.setup(row.setup.as_ref().unwrap_or(&manifest.setup));
        let mut setups = Vec::new();
        for row in instances {
            if let Some(command) = row.setup.first().filter(|_| row.replica_of.is_some()) {
                let (what, remedy) = (Key::OwnToReplica, Key::OwnToReplicaRemedy);
                self.wrong(command.span(), what, &[row.name.get_ref()], remedy);
            }
            setups.push(self.setup(&row.setup));
        }
        let digests = programs.iter().flat_map(|one| without_digests(&one.source).0);
        world.set_up(setup, setups, &digests.collect::<Vec<_>>());
        world
    }

    /// Reads SQL statements; executes them, to report an error at its line.
    fn sql(&mut self, statements: &[Spanned<String>]) -> String {
        let numbered = (0..).zip(statements).map(|(at, one)| (at, one.get_ref().as_str()));
        for mistake in check_sql(numbered) {
            self.mistake(statements[mistake.line as usize].span(), &mistake);
        }
        statements.iter().map(|one| one.get_ref().replace('\n', " ") + "\n").collect()
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
