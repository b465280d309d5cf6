//! Scenario folders: a world to be searched, without a lesson around it. `scenario.toml` beside the
//! programs says what a lesson's variant would say, and may have parameters:
//!
//! ```toml
//! setup = ["SET stock 3"]
//! [parameters]        # whole numbers; `check --set N=6` changes them, programs see them as locals
//! N = 3
//! [[client]]
//! program = "buy.lua"
//! count = "N"         # a number or a parameter
//! [[property]]
//! id = "sold"
//! kind = "always"
//! check = 'number("sold") <= 3'
//! expect = "holds"    # or "breaks"; holds, unless said otherwise
//! ```
//!
//! In place of `kind` and `check` a property may be `ready`: `"mutual-exclusion"`, `"at-most-once"`
//! and `"not-lost"` of a global (`of = "holding"`), `"no-lost-update"` of a counter at a `key` to
//! which the programs add what their global `of` says, and `"frees-only-its-own"` of a global that
//! says what a client removed, where its global `me` is what it had written.
//!
//! Besides, as in a lesson: `sql`, `wire`, `slow_ms`, `[[instance]]`s, and of a client `process`,
//! `clock_ms`, `expect_error` and `again`. Two properties are always checked: no program ends with
//! an error, and no client gets stuck (`expect_deadlock = true`: in some order one does). The page
//! reads such a folder, too: `playground::scenario`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::lesson::Diagnostic;
use crate::lua;
use crate::resp::{Bytes, split_inline};
use crate::sim::{ClientDef, Faults, Kind, NodeDef, Property, READY, Ready, Scenario, TimeMode};

use super::manifest;

/// The name of the file that makes a folder a scenario's.
pub const FILE: &str = "scenario.toml";

/// `scenario.toml`. It has at most as many clients as a world.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(default)]
    setup: Vec<String>,
    #[serde(default)]
    sql: Vec<String>,
    #[serde(default)]
    time: TimeMode,
    #[serde(default)]
    slow_ms: u32,
    #[serde(default)]
    wire: bool,
    /// True if the author expects that a client gets stuck in some order.
    #[serde(default)]
    expect_deadlock: bool,
    #[serde(default, rename = "instance")]
    instances: Vec<InstanceRow>,
    #[serde(default)]
    parameters: BTreeMap<String, i64>,
    #[serde(default)]
    faults: toml::Table,
    #[serde(rename = "client")]
    clients: Vec<ClientRow>,
    #[serde(default, rename = "property")]
    properties: Vec<PropertyRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientRow {
    program: String,
    #[serde(default)]
    count: Option<Number>,
    #[serde(default)]
    process: Option<String>,
    #[serde(default)]
    clock_ms: i64,
    /// The text of an error with which its program may end.
    expect_error: Option<String>,
    /// True if its program begins again when it has ended.
    #[serde(default)]
    again: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InstanceRow {
    name: String,
    #[serde(default)]
    setup: Vec<String>,
    replica_of: Option<String>,
    #[serde(default)]
    clock_ms: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyRow {
    id: toml::Spanned<String>,
    kind: Option<Kind>,
    check: Option<String>,
    /// The name of a ready-made condition, which replaces kind and check.
    ready: Option<String>,
    of: Option<String>,
    key: Option<String>,
    #[serde(default)]
    expect: Expect,
}

impl PropertyRow {
    /// Returns the kind and the condition; the error is a mistake and its remedy.
    fn asked(&self) -> Result<(Kind, String), (String, String)> {
        let known = || {
            let names: Vec<&str> = READY.iter().map(|ready| ready.name).collect();
            format!("a property has a kind and a check, or is ready: {}", names.join(", "))
        };
        match (&self.ready, self.kind, &self.check) {
            (None, Some(kind), Some(check)) => Ok((kind, check.clone())),
            (Some(name), None, None) => {
                let ready = Ready::named(name)
                    .ok_or_else(|| (format!("no property is called {name}"), known()))?;
                let check = ready.check(self.of.as_deref(), self.key.as_deref());
                let remedy = "of and key are plain names".to_owned();
                let check = check.ok_or(("a quotation mark in a name".to_owned(), remedy))?;
                Ok((ready.kind, check))
            }
            _ => Err(("what is asked is not clear".to_owned(), known())),
        }
    }
}

/// The verdict that an author expects for a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expect {
    #[default]
    Holds,
    Breaks,
}

/// A number, or the name of a parameter.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(i64),
    Parameter(String),
}

/// A scenario with the names of its properties.
#[derive(Debug)]
pub struct Named {
    pub name: String,
    pub file: String,
    pub scenario: Scenario,
    pub properties: Vec<Asked>,
    /// True if the author expects that a client gets stuck.
    pub deadlock: bool,
}

/// A property, for the report.
#[derive(Debug)]
pub struct Asked {
    pub id: String,
    /// Its line in the file.
    pub line: usize,
    /// True if the author expects it to hold.
    pub holds: bool,
}

/// Reads the folder; `set` overrides parameters.
pub fn read_scenario(folder: &Path, set: &[(String, i64)]) -> Result<Named, Vec<Diagnostic>> {
    let file = folder.join(FILE);
    let at = |file: &Path, line: usize, message: String, remedy: &str| {
        let file = file.display().to_string();
        vec![Diagnostic { file, line, message, remedy: remedy.to_owned() }]
    };
    let text = fs::read_to_string(&file)
        .map_err(|error| at(&file, 0, error.to_string(), "a scenario folder has this file"))?;
    let mut manifest: Manifest = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count() + 1);
        at(&file, line, error.message().to_owned(), "see the comment in an existing scenario")
    })?;
    for (name, value) in set {
        match manifest.parameters.get_mut(name) {
            Some(known) => *known = *value,
            None => {
                let known: Vec<&str> = manifest.parameters.keys().map(String::as_str).collect();
                let message = format!("there is no parameter {name}");
                return Err(at(&file, 0, message, &format!("there are: {}", known.join(", "))));
            }
        }
    }
    let number = |number: &Number| match number {
        Number::Plain(n) => Ok(*n),
        Number::Parameter(name) => manifest.parameters.get(name).copied().ok_or_else(|| {
            at(&file, 0, format!("there is no parameter {name}"), "list it under [parameters]")
        }),
    };
    let mut scenario = Scenario::simple(Vec::new(), Vec::new());
    let commands = |lines: &[String]| -> Result<Vec<Vec<Bytes>>, Vec<Diagnostic>> {
        let words = |line: &String| {
            split_inline(line.as_bytes())
                .map_err(|_| at(&file, 0, format!("unbalanced quotes in {line}"), "close them"))
        };
        lines.iter().map(words).collect()
    };
    if !manifest.instances.is_empty() {
        scenario.nodes.clear();
    }
    for row in &manifest.instances {
        scenario.nodes.push(NodeDef {
            name: row.name.clone(),
            setup: commands(&row.setup)?,
            replica_of: row.replica_of.clone(),
            clock_ms: row.clock_ms,
        });
    }
    let own = std::mem::take(&mut scenario.nodes[0].setup);
    scenario.nodes[0].setup = commands(&manifest.setup)?.into_iter().chain(own).collect();
    scenario.sql.clone_from(&manifest.sql);
    (scenario.wire, scenario.slow_ms) = (manifest.wire, manifest.slow_ms);
    for row in &manifest.clients {
        let path = folder.join(&row.program);
        let source = fs::read_to_string(&path)
            .map_err(|error| at(&path, 0, error.to_string(), "a client's program lies here"))?;
        let chunk =
            lua::compile(with_parameters(&source, &manifest.parameters).as_bytes(), &row.program)
                .map_err(|error| {
                at(&path, error.line as usize, error.message, "the program is Lua 5.1")
            })?;
        let count = row.count.as_ref().map_or(Ok(1), number)?;
        for _ in 0..count.clamp(0, crate::sim::MAX_CLIENTS as i64 + 1) {
            let (process, expect_error) = (row.process.clone(), row.expect_error.clone());
            let ClientRow { clock_ms, again, .. } = *row;
            let program = chunk.clone();
            let client = ClientDef { program, process, clock_ms, expect_error, again };
            scenario.clients.push(client);
        }
    }
    let line_of = |row: &PropertyRow| manifest::line_of(&text, row.id.span().start);
    for row in &manifest.properties {
        let wrong = |message: String, remedy: &str| at(&file, line_of(row), message, remedy);
        let (kind, check) = row.asked().map_err(|(message, remedy)| wrong(message, &remedy))?;
        let property = Property::new(kind, &check, row.id.get_ref()).map_err(|error| {
            at(&file, line_of(row), error.message, "a check is a Lua expression")
        })?;
        scenario.properties.push(property);
    }
    let mut faults = manifest.faults.clone();
    for (_, value) in &mut faults {
        if let toml::Value::String(name) = value {
            *value = toml::Value::Integer(number(&Number::Parameter(name.clone()))?);
        }
    }
    scenario.faults = faults.try_into::<Faults>().map_err(|error| {
        at(&file, 0, error.message().to_owned(), "see static/lessons/README.md for the faults")
    })?;
    scenario.time = manifest.time;
    Ok(Named {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        properties: manifest
            .properties
            .iter()
            .map(|row| Asked {
                id: row.id.get_ref().clone(),
                line: line_of(row),
                holds: row.expect == Expect::Holds,
            })
            .collect(),
        file: file.display().to_string(),
        deadlock: manifest.expect_deadlock,
        scenario: scenario.asked_for_errors(),
    })
}

/// Returns the program with the parameters as locals in front of its first line, so that lines keep
/// their numbers.
fn with_parameters(source: &str, parameters: &BTreeMap<String, i64>) -> String {
    let locals = parameters.iter().map(|(name, value)| format!("local {name} = {value} "));
    locals.chain([source.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn read(name: &str, manifest: &str) -> Result<Named, Vec<Diagnostic>> {
        let folder = env::temp_dir().join(format!("scenario-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(FILE), manifest).expect("a manifest");
        fs::write(folder.join("a.lua"), "redis.call('INCR', 'n')").expect("a program");
        let read = read_scenario(&folder, &[]);
        fs::remove_dir_all(&folder).expect("the folder");
        read
    }

    #[test]
    fn everything_that_a_world_has_can_be_said() {
        let named = read(
            "whole",
            r#"
            setup = ["SET n 0"]
            sql = ["CREATE TABLE t (n INT)"]
            slow_ms = 30
            wire = true
            faults = { pause = { client = "B", at_most_ms = 200 }, crash = "C" }
            parameters = { C = 2 }
            client = [{ program = "a.lua", clock_ms = 5, expect_error = "no", again = true }]
            instance = [{ name = "r1", setup = ["SET m 1"] }, { name = "r2", replica_of = "r1" }]
            [[property]]
            id = "one"
            ready = "mutual-exclusion"
            of = "mine"
            [[property]]
            id = "two"
            kind = "always"
            check = "true"
            expect = "breaks"
            "#,
        );
        let Named { scenario, properties, .. } = named.expect("no mistake");
        assert_eq!((scenario.slow_ms, scenario.wire, scenario.sql.len()), (30, true, 1));
        assert_eq!((scenario.faults.pause_of, scenario.faults.pause_ms), (2, 200));
        assert_eq!(scenario.faults.crash, 2);
        assert!(scenario.clients[0].again && scenario.clients[0].expect_error.is_some());
        assert_eq!((scenario.nodes.len(), scenario.nodes[0].setup.len()), (2, 2));
        assert_eq!(scenario.properties[0].expression(), "count(\"mine\") <= 1");
        assert!(scenario.properties[2].is_no_errors());
        let asked: Vec<(usize, bool)> = properties.iter().map(|p| (p.line, p.holds)).collect();
        assert_eq!(asked, [(11, true), (15, false)]);
    }

    #[test]
    fn a_mistake_names_its_line() {
        let client = "client = [{ program = \"a.lua\" }]\n[[property]]\nid = \"one\"\n";
        for rest in ["ready = \"nothing\"", "kind = \"always\"", "kind = \"always\"\ncheck = \"(\""]
        {
            let problems = read("wrong", &format!("{client}{rest}")).expect_err(rest);
            assert_eq!(problems[0].line, 3, "{rest}: {problems:?}");
        }
    }
}
