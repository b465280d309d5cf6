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
//! Besides, as in a lesson: `sql`, `version`, `wire`, `slow_ms`, `starts_within_ms`, `time`,
//! `faults` (whose numbers may be parameters), `[[instance]]`s, and of a client `process`,
//! `clock_ms`, `expect_error`, `again` and `with`, which gives the program values as locals.
//! Two properties are always checked: no program ends with an error, and no client gets stuck
//! (`expect_deadlock = true`: in some order one does).
//!
//! [`as_lesson`] makes such a manifest that of a lesson with one variant, which [`super::folder`]
//! reads; the page and `check` read it by that alone. Parameters become locals in front of each
//! program's first line, so that lines keep their numbers.

use crate::scenario::manifest::plain;
use crate::scenario::tree::{Tree, Value};
use crate::scenario::with::{is_variable, not_variable};

use super::folder::Files;

/// The name of the file that makes a folder a scenario's.
pub const MANIFEST: &str = "scenario.toml";
/// What it has besides the fields of a [`Definition`](super::Definition) that every manifest has.
const FIELDS: [&str; 6] = ["setup", "sql", "instance", "parameters", "client", "property"];

/// A mistake: its line, the field, and what is wrong with it.
pub(super) struct Wrong {
    pub line: u32,
    pub field: &'static str,
    pub why: String,
}

/// The parameters of a scenario, with their values.
struct Parameters(Vec<(String, i64)>);

/// Says that there is no such parameter.
pub(super) fn no_parameter(name: &str, known: &[&str]) -> String {
    match known {
        [] => format!("there is no parameter {name}, nor any other"),
        _ => format!("there is no parameter {name}; there are: {}", known.join(", ")),
    }
}

impl Parameters {
    /// Reads the parameters, and gives some of them other values.
    fn read(item: Option<&Tree>, set: &[(String, i64)]) -> Result<Parameters, Wrong> {
        let mut parameters = Parameters(Vec::new());
        for (name, item) in item.map(Tree::entries).unwrap_or_default() {
            let Value::Number(value) = item.value else {
                let why = format!("{name} is no whole number");
                return Err(Wrong { line: item.line, field: "parameters", why });
            };
            if !is_variable(name) {
                let why = not_variable(name);
                return Err(Wrong { line: item.line, field: "parameters", why });
            }
            parameters.0.push((name.clone(), value));
        }
        for (name, value) in set {
            let Some(known) = parameters.0.iter_mut().find(|(known, _)| known == name) else {
                let why = parameters.missing(name);
                return Err(Wrong { line: 0, field: "parameters", why });
            };
            known.1 = *value;
        }
        Ok(parameters)
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    fn missing(&self, name: &str) -> String {
        let known: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        no_parameter(name, &known)
    }

    /// Returns the number that `item` is or names.
    fn number(&self, item: &Tree, field: &'static str) -> Result<i64, Wrong> {
        let wrong = |why: String| Wrong { line: item.line, field, why };
        match &item.value {
            Value::Number(number) => Ok(*number),
            Value::Text(name) => {
                let found = self.0.iter().find(|(known, _)| known == name);
                let value = found.map(|(_, value)| *value);
                value.ok_or_else(|| wrong(self.missing(name)))
            }
            _ => Err(wrong("a number or the name of a parameter should be there".to_owned())),
        }
    }
}

/// Returns the manifest of a lesson with one variant that is this scenario, and the files with the
/// parameters in its programs; `set` gives parameters other values.
pub(super) fn as_lesson(
    root: &Tree,
    files: &Files,
    set: &[(String, i64)],
) -> Result<(Tree, Files), Wrong> {
    let parameters = Parameters::read(root.get("parameters"), set)?;
    let (mut lesson, mut variant) = (Vec::new(), Vec::new());
    for (name, item) in root.entries() {
        match name.as_str() {
            "client" | "parameters" => {}
            "expect_deadlock" => variant.push((name.clone(), item.clone())),
            "faults" => lesson.push((name.clone(), faults(item, &parameters)?)),
            known if FIELDS.contains(&known) || plain().any(|name| name == known) => {
                lesson.push((name.clone(), item.clone()))
            }
            _ => {
                let known: Vec<&str> = FIELDS.into_iter().chain(plain()).collect();
                let why = format!("{name} is none of its fields: {}", known.join(", "));
                return Err(Wrong { line: item.line, field: MANIFEST, why });
            }
        }
    }
    let mut clients = Vec::new();
    for row in root.get("client").map(Tree::items).unwrap_or_default() {
        let count = row.get("count").map_or(Ok(1), |item| parameters.number(item, "count"))?;
        // One more than there may be is refused, as are more.
        let fields = row.entries().iter().filter(|(name, _)| name != "count").cloned().collect();
        let given = row.get("with").map(Tree::entries).unwrap_or_default();
        if let Some((name, item)) = given.iter().find(|(name, _)| parameters.has(name)) {
            let why = format!("{name} is a parameter of the scenario");
            return Err(Wrong { line: item.line, field: "with", why });
        }
        let client = table(row.line, fields);
        clients.extend((0..count.clamp(0, super::MANY_MAX as i64 + 1)).map(|_| client.clone()));
    }
    variant.push(("clients".to_owned(), list(root.line, clients)));
    let variant = table(root.line, variant);
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
fn faults(item: &Tree, parameters: &Parameters) -> Result<Tree, Wrong> {
    let number = |(name, one): &(String, Tree)| match one.value {
        Value::Text(_) => {
            let value = Value::Number(parameters.number(one, "faults")?);
            Ok((name.clone(), Tree { line: one.line, value }))
        }
        _ => Ok((name.clone(), one.clone())),
    };
    Ok(table(item.line, item.entries().iter().map(number).collect::<Result<_, _>>()?))
}

fn table(line: u32, fields: Vec<(String, Tree)>) -> Tree {
    Tree { line, value: Value::Table(fields) }
}

fn list(line: u32, items: Vec<Tree>) -> Tree {
    Tree { line, value: Value::List(items) }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    use crate::lesson::Diagnostic;
    use crate::playground::disk::{self, OnDisk};
    use crate::playground::{Definition, folder, zip};
    use crate::text::Lang;

    fn opened(files: &[(&str, &str)]) -> Result<Definition, String> {
        let files: Vec<(String, String)> =
            files.iter().map(|(name, text)| (format!("mine/{name}"), (*text).to_owned())).collect();
        let said = |mistakes: Vec<crate::playground::Mistake>| {
            let own = Definition::default();
            mistakes.iter().map(|one| one.text(&own, Lang::En)).collect::<Vec<_>>().join("\n")
        };
        let read = folder::open("mine.zip", &zip::write(&files), Lang::En);
        read.map(|(own, _)| own).map_err(said)
    }

    /// Reads a folder with these files, or the one file of that name.
    fn read(files: &[(&str, &str)], set: &[(&str, i64)]) -> Result<OnDisk, Vec<Diagnostic>> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("scenario-{}-{count}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("a file");
        }
        let path = match files {
            [(name, _)] => folder.join(name),
            _ => folder.clone(),
        };
        let set: Vec<(String, i64)> = set.iter().map(|(name, n)| ((*name).into(), *n)).collect();
        let read = disk::read(&path, &set);
        fs::remove_dir_all(&folder).expect("the folder");
        read
    }

    /// A folder, its zip, the playground's JSON and zip of it: one scenario with the same claims.
    #[test]
    fn every_form_of_a_scenario_says_the_same() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models");
        let folders = fs::read_dir(models).expect("the models");
        let folders: Vec<PathBuf> = folders
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.join(super::MANIFEST).exists())
            .collect();
        assert!(folders.len() >= 3);
        for path in folders {
            let of_folder = disk::read(&path, &[]).expect("no mistake").lesson;
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
            let mut lesson = own.lesson().expect("no mistake");
            let of_json = Definition::read(&own.write(), "own.json").expect("what was written");
            assert_eq!(of_json, own);
            let of_zip = folder::open("own.zip", &folder::write_zip(&own), Lang::En);
            let mut of_zip = of_zip.expect("no mistake").0;
            // A lesson must have a property of either kind.
            of_zip.properties.truncate(own.properties.len());
            assert_eq!(of_zip, own);
            lesson.title.clone_from(&of_folder.title);
            lesson.variants[0].label.clone_from(&of_folder.variants[0].label);
            assert_eq!(lesson, of_folder);
        }
    }

    #[test]
    fn what_an_author_expects_is_part_of_every_form() {
        let manifest = "expect_deadlock = true\nclient = [{ program = \"a.lua\" }]\n\
            [[property]]\nid = \"one\"\nkind = \"always\"\ncheck = \"true\"\n\
            [[property]]\nid = \"two\"\nready = \"mutual-exclusion\"\nexpect = \"breaks\"\n";
        let program = ("a.lua", "redis.call('INCR', 'n')");
        let found = read(&[("scenario.toml", manifest), program], &[]).expect("no mistake");
        assert_eq!(found.lines, [4, 8]);
        // Its path, as another folder may have the same last name.
        assert!(found.file.starts_with(&found.name), "{found:?}");
        let claims = |found: &OnDisk| {
            let variant = &found.lesson.variants[0];
            let ids: Vec<_> = found.lesson.properties.iter().map(|one| one.id.clone()).collect();
            let holds: Vec<bool> = variant.claims.iter().map(|claim| claim.holds).collect();
            (ids, holds, variant.world.expect_deadlock)
        };
        let wanted = (vec!["one".to_owned(), "two".to_owned()], vec![true, false], true);
        assert_eq!(claims(&found), wanted);
        let json = r#"{ "programs": [{ "name": "a", "text": "redis.call('INCR', 'n')" }],
            "properties": [{ "id": "one", "kind": "always", "check": "true" },
                           { "id": "two", "ready": "mutual-exclusion", "expect": "breaks" }],
            "expect_deadlock": true }"#;
        assert_eq!(claims(&read(&[("own.json", json)], &[]).expect("no mistake")), wanted);
        let own = Definition::read(json, "own.json").expect("no mistake");
        let zip = folder::open("own.zip", &folder::write_zip(&own), Lang::En);
        let mut zip = zip.expect("no mistake").0;
        zip.title.clear();
        assert_eq!((&zip.properties[..2], zip.expect_deadlock), (&own.properties[..], true));
        let example = format!(
            "title = {{ en = \"a\", zh = \"b\" }}\nabout = {{ en = \"c\", zh = \"d\" }}\n\
             [scenario]\nexpect_deadlock = true\n\
             programs = [{{ name = \"a\", text = \"redis.call('INCR', 'n')\" }}]\n\
             {}",
            "[[scenario.properties]]\nid = \"one\"\nkind = \"always\"\ncheck = \"true\"\n\
             [[scenario.properties]]\nid = \"two\"\nready = \"mutual-exclusion\"\n\
             expect = \"breaks\"\n"
        );
        let found = read(&[("example.toml", &example)], &[]).expect("no mistake");
        assert_eq!((claims(&found), found.lines), (wanted, vec![7, 11]));
    }

    #[test]
    fn parameters_have_other_values_where_they_are_set() {
        let manifest = "parameters = { N = 1 }\nclient = [{ program = \"a.lua\", count = \"N\" }]";
        let files = [("scenario.toml", manifest), ("a.lua", "redis.call('INCRBY', 'n', N)")];
        let clients = |set: &[(&str, i64)]| {
            read(&files, set).map(|found| found.lesson.variants[0].world.clients.len())
        };
        assert_eq!((clients(&[]), clients(&[("N", 3)])), (Ok(1), Ok(3)));
        let wrong = clients(&[("M", 3)]).expect_err("no such parameter");
        assert!(wrong[0].message.contains("no parameter M; there are: N"), "{wrong:?}");
    }

    #[test]
    fn nothing_in_a_file_is_ignored_without_a_word() {
        let program = "\"programs\": [{ \"name\": \"a\", \"text\": \"\" }]";
        let client = "client = [{ program = \"a.lua\" }]\n";
        let many = "{},".repeat(17);
        for (name, text, said) in [
            ("own.json", format!("{{ {program}, \"expct\": 1 }}"), "called “expct” here"),
            (
                "own.json",
                format!("{{ {program}, \"properties\": [{{ \"check\": \"true\" }}] }}"),
                "a property has a kind and a check, or is ready: mutual-exclusion",
            ),
            (
                "own.json",
                format!(
                    "{{ {program}, \"properties\": [{{ \"kind\": \"always\", \
                     \"check\": \"true\", \"expect\": \"maybe\" }}] }}"
                ),
                "expect cannot be read: maybe where holds or breaks should be",
            ),
            (
                "own.json",
                format!("{{ {program}, \"faults\": {{ \"crush\": 1 }} }}"),
                "called “crush” here",
            ),
            (
                "own.json",
                format!("{{ {program}, \"faults\": {{ \"crash\": {{ \"client\": \"a\" }} }} }}"),
                "client cannot be read: letters of clients, such as A or AB, not \"a\"",
            ),
            (
                "own.json",
                format!("{{ {program}, \"faults\": {{ \"down\": {{ \"client\": \"A\" }} }} }}"),
                "down cannot be read: client is for pause, crash, lose, drop and cancel",
            ),
            (
                "own.json",
                format!("{{ {program}, \"faults\": {{ \"crash\": {{ \"client\": \"B\" }} }} }}"),
                "there is no client B here, only A",
            ),
            (
                "own.json",
                format!("{{ {program}, \"clients\": [{{ \"program\": 1 }}] }}"),
                "program cannot be read: a number below 1 should be there",
            ),
            (
                "own.json",
                format!("{{ {program}, \"clients\": [{}] }}", many.trim_end_matches(',')),
                "clients cannot be read: there are 17, and there may be at most 16",
            ),
            ("scenario.toml", format!("minutes = 5\n{client}"), "minutes is none of its fields"),
            ("scenario.toml", format!("{client}[[variant]]\n"), "variant is none of its fields"),
            ("scenario.toml", client.replace(".lua\"", ".lua\", cont = 2"), "called “cont” here"),
            ("scenario.toml", format!("{client}[[instance]]\nclock_ms = 1"), "name cannot be read"),
            (
                "scenario.toml",
                format!("{client}[[property]]\nkind = \"always\""),
                "id cannot be read",
            ),
            (
                "scenario.toml",
                format!("{client}[[property]]\nid = \"a\"\nkind = \"always\""),
                "a property has a kind and a check",
            ),
            (
                "scenario.toml",
                format!("{client}[[property]]\nid = \"a b\"\nkind = \"always\"\ncheck = \"true\""),
                "“a b” cannot be a name here",
            ),
        ] {
            let files = [(name, text.as_str()), ("a.lua", "return")];
            let files = if name == "own.json" { &files[..1] } else { &files[..] };
            let wrong = read(files, &[]).expect_err(&text);
            assert!(wrong[0].message.contains(said), "{text}: {wrong:?}");
            assert!(wrong[0].file.ends_with(name), "{text}: {wrong:?}");
        }
    }

    #[test]
    fn a_mistake_of_a_program_is_in_its_file() {
        let manifest = "parameters = { N = 1 }\nclient = [{ program = \"a.lua\" }]";
        let files = [("scenario.toml", manifest), ("a.lua", "local n = N\nif n the")];
        let wrong = read(&files, &[]).expect_err("no Lua");
        assert!(wrong[0].file.ends_with("a.lua") && wrong[0].line == 2, "{wrong:?}");
        let manifest = "client = [{ program = \"a.lua\" }]\n[[property]]\nid = \"a\"\n\
                        kind = \"always\"\ncheck = \"(\"";
        let wrong = read(&[("scenario.toml", manifest), files[1]], &[]).expect_err("no Lua");
        assert_eq!(wrong.iter().map(|one| one.line).collect::<Vec<_>>(), [2, 3], "{wrong:?}");
    }

    #[test]
    fn everything_that_a_scenario_folder_says_is_read() {
        let manifest = r#"
            setup = ["SET n 0"]
            sql = ["CREATE TABLE t (n INT)"]
            slow_ms = 0x1E
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
        // Some editors begin a file with a byte order mark.
        let manifest = format!("\u{feff}{manifest}");
        let own = opened(&[("scenario.toml", &manifest), ("a.lua", program)]).expect("no mistake");
        assert_eq!((own.clients.len(), own.programs.len(), own.instances.len()), (2, 1, 2));
        assert!(own.clients.iter().all(|one| one.again && one.process == "p"));
        assert_eq!(own.programs[0].text, format!("local N = 2 {program}"));
        assert_eq!((own.faults.crash, own.faults.pause_of, own.faults.pause_ms), (2, 2, 200));
        assert_eq!((own.slow_ms, own.wire, own.sql.trim()), (30, true, "CREATE TABLE t (n INT)"));
        let ids: Vec<(&str, bool)> =
            own.properties.iter().map(|one| (one.label(), one.breaks())).collect();
        assert_eq!(ids, [("one", false), ("two", true)]);
        assert!(own.expect_deadlock);
        assert!(own.properties[0].check.contains("each(\"freed\")"));
        own.lesson().expect("no mistake");
    }

    #[test]
    fn a_mistake_in_it_is_named_with_its_line() {
        for (rest, said) in [
            ("faults = { crash = \"M\" }", "there is no parameter M"),
            ("[[property]]\nid = \"one\"\nready = \"nothing\"", "no property is called nothing"),
            ("clock = 1", "clock"),
            ("setup = [", "docs/authoring.md explains every field"),
            ("[[client]]\nprogram = \"a.lua\"\ncount = 17", "clients"),
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
