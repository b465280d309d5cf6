//! Reads and checks the cast of a variant: instances, processes, tables, and the faults that may
//! happen. A fault that has no effect without something else is refused here.

use toml::Spanned;

use crate::lesson::{Instance, Lesson, Role};
use crate::sim::sql::{Prepared, Tables};
use crate::sim::{Faults, MAX_NODES, TimeMode, World, is_name};

use super::build::Builder;
use super::manifest::{ClientRow, InstanceRow, Manifest, VariantRow};

const NAMES: &str = "names are 1 to 16 of a-z, 0-9 and hyphens: they stand in schedules";

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
    /// Returns the instances of a variant, in the order in which it names them.
    pub fn instances(&mut self, row: &VariantRow, manifest: &Manifest) -> Vec<Instance> {
        let mut rows: Vec<&InstanceRow> = manifest.instances.iter().collect();
        if let Some(names) = &row.instances {
            let named = |name: &Spanned<String>| {
                manifest.instances.iter().find(|row| row.name.get_ref() == name.get_ref())
            };
            let known: Vec<&str> =
                manifest.instances.iter().map(|row| row.name.get_ref().as_str()).collect();
            for name in names.iter().filter(|name| named(name).is_none()) {
                let message = format!("there is no instance {}", name.get_ref());
                let remedy = format!("the [[instance]] tables name: {}", known.join(", "));
                self.in_manifest(name.span(), message, &remedy);
            }
            rows = names.iter().filter_map(named).collect();
        }
        let taking_part: Vec<&str> = rows.iter().map(|row| row.name.get_ref().as_str()).collect();
        rows.iter().map(|row| self.instance(row, &taking_part)).collect()
    }

    fn instance(&mut self, row: &InstanceRow, taking_part: &[&str]) -> Instance {
        let name = row.name.get_ref();
        if !is_name(name) {
            self.in_manifest(row.name.span(), format!("\"{name}\" is no name"), NAMES);
        }
        if taking_part.iter().filter(|other| *other == name).count() > 1 {
            let message = format!("two instances are named {name}");
            self.in_manifest(row.name.span(), message, "give each a name of its own");
        }
        if taking_part.len() > MAX_NODES {
            let message = format!("{} instances; there may be {MAX_NODES}", taking_part.len());
            self.in_manifest(row.name.span(), message, "a Redlock needs three or five");
        }
        if let Some(master) = &row.replica_of {
            if !taking_part.contains(&master.get_ref().as_str()) || master.get_ref() == name {
                let message = format!("there is no instance {} to replicate", master.get_ref());
                let remedy = format!("the instances are: {}", taking_part.join(", "));
                self.in_manifest(master.span(), message, &remedy);
            }
            if let Some(command) = row.setup.first() {
                let remedy = "put the commands into its master's setup";
                let message = "a replica gets its data from its master".to_owned();
                self.in_manifest(command.span(), message, remedy);
            }
        }
        Instance {
            name: name.clone(),
            setup: self.setup(&row.setup),
            replica_of: row.replica_of.as_ref().map(|master| master.get_ref().clone()),
            clock_ms: row.clock_ms,
        }
    }

    /// Reads SQL statements; executes them, to report an error at its line.
    pub fn sql(&mut self, statements: &[Spanned<String>]) -> Vec<String> {
        let mut tables = Tables::default();
        for statement in statements {
            let done = Prepared::new(statement.get_ref().as_bytes(), &[])
                .and_then(|prepared| tables.execute(&prepared));
            if let Err(why) = done {
                let remedy = "CREATE TABLE act (id INT PRIMARY KEY, num INT), then INSERT INTO act";
                self.in_manifest(statement.span(), why, remedy);
            }
        }
        statements.iter().map(|statement| statement.get_ref().clone()).collect()
    }

    /// Checks the names of processes, and refuses faults that could never happen.
    pub fn cast(
        &mut self,
        row: &VariantRow,
        manifest: &Manifest,
        faults: Option<&Spanned<Faults>>,
        time: TimeMode,
    ) {
        for client in row.clients.get_ref() {
            if let Some(process) = client.get_ref().process().filter(|name| !is_name(name)) {
                self.in_manifest(client.span(), format!("\"{process}\" is no name"), NAMES);
            }
        }
        let Some(spanned) = faults else { return };
        let faults = spanned.get_ref();
        let mut useless = |is: bool, message: &str, remedy: &str| {
            if is {
                self.in_manifest(spanned.span(), message.to_owned(), remedy);
            }
        };
        useless(
            faults.jump > 0 && faults.jump_ms == 0,
            "jump needs a jump_ms: by how much the clock jumps",
            "for instance { jump = 1, jump_ms = 5000 }; a negative one goes back",
        );
        useless(
            faults.early > 0 && time == TimeMode::Prompt,
            "early means nothing while time moves only when nobody can go on",
            "add time = \"any\", or leave early out",
        );
        let strangers = faults.strangers(row.clients.get_ref().len());
        useless(
            !strangers.is_empty(),
            &format!("no client is called {strangers}"),
            "client = \"A\" names the clients that a fault strikes",
        );
        let replicas = manifest.instances.iter().any(|row| row.replica_of.is_some());
        useless(
            faults.failover > 0 && !replicas,
            "failover needs a replica that can take over",
            "add an [[instance]] with replica_of",
        );
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
