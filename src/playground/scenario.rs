//! Scenario folders, as `check` reads them (`scenario.toml`, see `lesson::source::scenario`), made
//! into the manifest of a lesson with one variant, which [`super::folder`] reads.
//!
//! Parameters become locals in front of each program, `count` so many clients, and `ready` a kind
//! and a check. Absent: `expect` and `expect_deadlock`, which only say what an author expects.

use crate::sim::Ready;

use super::folder::Files;
use super::toml::{Item, Value};

pub(super) const MANIFEST: &str = "scenario.toml";
/// A mistake: its line, the field, and what is wrong with it.
pub(super) struct Wrong {
    pub line: u32,
    pub field: &'static str,
    pub why: String,
}

/// The parameters of a scenario, with their values.
struct Parameters(Vec<(String, i64)>);

impl Parameters {
    /// Returns the number that `item` is or names.
    fn number(&self, item: &Item, field: &'static str) -> Result<i64, Wrong> {
        let wrong = |why: String| Wrong { line: item.line, field, why };
        match &item.value {
            Value::Number(number) => Ok(*number),
            Value::Text(name) => {
                let found = self.0.iter().find(|(known, _)| known == name);
                let value = found.map(|(_, value)| *value);
                value.ok_or_else(|| wrong(format!("there is no parameter {name}")))
            }
            _ => Err(wrong("a number or the name of a parameter should be there".to_owned())),
        }
    }
}

/// Returns the manifest of a lesson with one variant that is this scenario, and the files with the
/// parameters in its programs.
pub(super) fn as_lesson(root: &Item, files: &Files) -> Result<(Item, Files), Wrong> {
    let Value::Table(fields) = &root.value else { return Ok((root.clone(), files.clone())) };
    let mut parameters = Parameters(Vec::new());
    for (name, item) in entries(root.get("parameters")) {
        parameters.0.push((name.clone(), Parameters(Vec::new()).number(item, "parameters")?));
    }
    let mut lesson = Vec::new();
    for (name, item) in fields {
        match name.as_str() {
            "client" | "parameters" | "expect_deadlock" => {}
            "faults" => lesson.push((name.clone(), faults(item, &parameters)?)),
            "property" => {
                let rows = item.items().iter().map(property).collect::<Result<_, _>>()?;
                lesson.push((name.clone(), list(item.line, rows)));
            }
            _ => lesson.push((name.clone(), item.clone())),
        }
    }
    let mut clients = Vec::new();
    for row in root.get("client").map(Item::items).unwrap_or_default() {
        let count = row.get("count").map_or(Ok(1), |item| parameters.number(item, "count"))?;
        // One more than there may be is refused, as are more.
        for _ in 0..count.clamp(0, super::MANY_MAX as i64 + 1) {
            clients.push(without(row, "count"));
        }
    }
    let variant = table(root.line, vec![("clients".to_owned(), list(root.line, clients))]);
    lesson.push(("variant".to_owned(), list(root.line, vec![variant])));
    let locals = parameters.0.iter().map(|(name, value)| format!("local {name} = {value} "));
    let locals: String = locals.collect();
    let with = |(name, text): &(String, String)| match name.ends_with(".lua") {
        true => (name.clone(), format!("{locals}{text}")),
        false => (name.clone(), text.clone()),
    };
    Ok((table(root.line, lesson), files.iter().map(with).collect()))
}

/// Returns the faults with numbers in place of the names of parameters.
fn faults(item: &Item, parameters: &Parameters) -> Result<Item, Wrong> {
    let number = |(name, one): &(String, Item)| match one.value {
        Value::Text(_) => {
            let value = Value::Number(parameters.number(one, "faults")?);
            Ok((name.clone(), Item { line: one.line, value }))
        }
        _ => Ok((name.clone(), one.clone())),
    };
    Ok(table(item.line, entries(Some(item)).iter().map(number).collect::<Result<_, _>>()?))
}

/// Returns a property with the kind and the check of the ready-made condition that it names.
fn property(row: &Item) -> Result<Item, Wrong> {
    let text = |name: &str| row.get(name).and_then(Item::text);
    let Some(name) = text("ready") else { return Ok(row.clone()) };
    let wrong = |why: String| Wrong { line: row.line, field: "ready", why };
    let ready = Ready::named(name);
    let ready = ready.ok_or_else(|| wrong(format!("no property is called {name}")))?;
    let check = ready.check(text("of"), text("key"));
    let check = check.ok_or_else(|| wrong("a quotation mark in a name".to_owned()))?;
    let said = |text: &str| Item { line: row.line, value: Value::Text(text.to_owned()) };
    let mut fields = entries(Some(row)).to_vec();
    fields.retain(|(name, _)| !["ready", "of", "key"].contains(&name.as_str()));
    fields.push(("kind".to_owned(), said(super::kind_name(ready.kind))));
    fields.push(("check".to_owned(), said(&check)));
    Ok(table(row.line, fields))
}

fn entries(item: Option<&Item>) -> &[(String, Item)] {
    match item.map(|item| &item.value) {
        Some(Value::Table(entries)) => entries,
        _ => &[],
    }
}

fn without(row: &Item, name: &str) -> Item {
    let fields = entries(Some(row)).iter().filter(|(known, _)| known != name);
    table(row.line, fields.cloned().collect())
}

fn table(line: u32, fields: Vec<(String, Item)>) -> Item {
    Item { line, value: Value::Table(fields) }
}

fn list(line: u32, items: Vec<Item>) -> Item {
    Item { line, value: Value::List(items) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use crate::lesson::source::scenario::read_scenario;
    use crate::playground::{Own, folder, zip};
    use crate::sim::{Check, Limits, Scenario};
    use crate::text::Lang;

    fn opened(files: &[(&str, &str)]) -> Result<Own, String> {
        let files: Vec<(String, String)> =
            files.iter().map(|(name, text)| (format!("mine/{name}"), (*text).to_owned())).collect();
        let said = |mistakes: Vec<crate::playground::Mistake>| {
            let own = Own::default();
            mistakes.iter().map(|one| one.text(&own, Lang::En)).collect::<Vec<_>>().join("\n")
        };
        let read = folder::open("mine.zip", &zip::write(&files), Lang::En);
        read.map(|(own, _)| own).map_err(said)
    }

    /// Returns the verdicts and the numbers of states and ends.
    fn found(scenario: &Scenario) -> String {
        let mut check = Check::new(scenario, Limits::default()).expect("it starts");
        check.run();
        let verdicts = (0..scenario.properties.len()).map(|at| check.verdict(at).holds);
        format!("{:?} {:?}", verdicts.collect::<Vec<_>>(), check.counts())
    }

    #[test]
    fn the_page_opens_what_check_reads() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models");
        let folders = fs::read_dir(models).expect("the models");
        let folders: Vec<PathBuf> = folders
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.join(super::MANIFEST).exists())
            .collect();
        assert!(folders.len() >= 3);
        for path in folders {
            let named = read_scenario(&path, &[]).expect("no mistake");
            let files: Vec<(String, String)> = fs::read_dir(&path)
                .expect("its files")
                .map(|entry| entry.expect("an entry").path())
                .filter_map(|path| {
                    let name = path.file_name()?.to_string_lossy().into_owned();
                    Some((name, fs::read_to_string(path).ok()?))
                })
                .collect();
            let files: Vec<(&str, &str)> =
                files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let own = opened(&files).expect("no mistake");
            assert_eq!(own.title, "mine");
            let scenario = own.lesson().expect("no mistake").scenario(0).expect("it starts");
            assert_eq!(found(&scenario), found(&named.scenario), "{}", named.name);
        }
    }

    #[test]
    fn everything_that_a_scenario_folder_says_is_read() {
        let manifest = r#"
            setup = ["SET n 0"]
            sql = ["CREATE TABLE t (n INT)"]
            slow_ms = 30
            wire = true
            faults = { pause = { client = "B", at_most_ms = 200 }, crash = "N" }
            parameters = { N = 2 }
            expect_deadlock = true
            instance = [{ name = "r1", setup = ["SET m 1"] }, { name = "r2", replica_of = "r1" }]
            [[client]]
            program = "a.lua"
            count = "N"
            process = "p"
            again = true
            [[property]]
            id = "one"
            ready = "frees-only-its-own"
            of = "freed"
            [[property]]
            id = "two"
            kind = "sometimes"
            check = "all_done()"
            expect = "breaks"
            "#;
        let program = "redis.call('INCRBY', 'n', N)";
        let own = opened(&[("scenario.toml", manifest), ("a.lua", program)]).expect("no mistake");
        assert_eq!((own.clients.len(), own.programs.len(), own.instances.len()), (2, 1, 2));
        assert!(own.clients.iter().all(|one| one.again && one.process == "p"));
        assert_eq!(own.programs[0].text, format!("local N = 2 {program}"));
        assert_eq!((own.faults.crash, own.faults.pause_of, own.faults.pause_ms), (2, 2, 200));
        assert_eq!((own.slow_ms, own.wire, own.sql.trim()), (30, true, "CREATE TABLE t (n INT)"));
        let names: Vec<&str> = own.properties.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert!(own.properties[0].check.contains("each(\"freed\")"));
        own.lesson().expect("no mistake");
    }

    #[test]
    fn a_mistake_in_it_is_named_with_its_line() {
        for (rest, said) in [
            ("faults = { crash = \"M\" }", "there is no parameter M"),
            ("[[property]]\nid = \"one\"\nready = \"nothing\"", "no property is called nothing"),
            ("clock = 1", "clock"),
            ("[[client]]\nprogram = \"a.lua\"\ncount = 9", "clients"),
        ] {
            let client = "[[client]]\nprogram = \"a.lua\"\n";
            let manifest = match rest.starts_with("[[") {
                true => format!("{client}{rest}"),
                false => format!("{rest}\n{client}"),
            };
            let files = [("scenario.toml", manifest.as_str()), ("a.lua", "return")];
            let why = opened(&files).expect_err(rest);
            assert!(why.contains("scenario.toml") && why.contains(said), "{rest}: {why}");
        }
    }
}
