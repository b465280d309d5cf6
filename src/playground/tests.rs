use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::edit::{Edit, Row};
use super::example::{Example, compile};
use super::*;
use crate::lesson::source;
use crate::lesson::{Lesson, verify};
use crate::scenario::fields::Field;
use crate::scenario::toml;
use crate::session::link::Link;
use crate::session::{Mode, Msg, Session};
use crate::sim::{AskVacuous, Faults, Limits, Never, TimeMode};
use crate::text::Lang;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn examples() -> Vec<(String, Example)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder("static/examples"))
        .expect("the examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("readable");
        let json = compile(&text).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        (name, crate::json::read(&json.to_string()).expect("what was written"))
    };
    files.into_iter().map(read).collect()
}

fn lessons() -> Vec<Lesson> {
    let course = source::read_all(&folder("static/lessons")).expect("the lessons");
    course.lessons.into_iter().map(|written| written.lesson).collect()
}

/// Returns the message of each mistake, a line each.
fn wrong(own: &Definition) -> String {
    let mistakes = own.lesson().expect_err("there is a mistake");
    mistakes.iter().map(|one| one.text(own, Lang::En)).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn says(found: &str, wanted: &[&str]) {
    for part in wanted {
        assert!(found.contains(part), "no {part:?} in:\n{found}");
    }
}

fn verdicts(lesson: &Lesson) -> Vec<Option<bool>> {
    let found = verify::verify(lesson, 0, Limits::default()).expect("it can be searched");
    found.verdicts.iter().map(|verdict| verdict.holds).collect()
}

#[test]
fn the_first_scenario_runs_and_breaks() {
    let lesson = Definition::first().lesson().expect("no mistake");
    // Behind what it asks: no program ends with an error.
    assert_eq!(verdicts(&lesson), [Some(false), Some(true)]);
}

#[test]
fn what_is_written_is_read_back_and_fits_a_link() {
    for (name, example) in examples() {
        let own = example.scenario.zh;
        assert_eq!(Definition::read(&own.write(), "x.json").expect(&name), own);
        let code = own.pack();
        assert!(code.len() < 1_200, "{name}: {} bytes", code.len());
        assert_eq!(Definition::unpack(&code).expect(&name), own);
    }
}

#[test]
fn examples_say_what_they_show() {
    let examples = examples();
    assert!((12..=18).contains(&examples.len()));
    let mut breaking = 0;
    let templates = examples.iter().filter(|(_, example)| example.template == Some(true));
    assert_eq!(templates.count(), 5);
    for (name, example) in &examples {
        let lesson = example.scenario.en.lesson().expect("no mistake");
        let mut found = verdicts(&lesson);
        assert_eq!(found.pop(), Some(Some(true)), "{name}: a program ends with an error");
        let own = &example.scenario.en;
        let expected: Vec<_> = own.properties.iter().map(|one| Some(!one.breaks())).collect();
        assert_eq!(found, expected, "{name}");
        let breaks = own.properties.iter().filter(|one| one.breaks());
        assert!(breaks.clone().all(|one| one.kind == Kind::Always), "{name}");
        breaking += usize::from(breaks.count() > 0);
        assert_ne!(example.title.en, example.title.zh);
        assert_eq!(example.scenario.zh.title, example.title.zh);
    }
    assert_eq!(breaking, 12, "examples in which something goes wrong");
}

#[test]
fn exam_scenarios_end_as_the_teachers_key_says() {
    let files: Vec<_> = fs::read_dir(folder("docs/exam")).expect("the folder").collect();
    assert!(files.len() >= 50);
    for file in files {
        let path = file.expect("an entry").path();
        let name = path.display().to_string();
        let own =
            Definition::read(&fs::read_to_string(&path).expect("readable"), &name).expect(&name);
        let lesson = own.lesson().unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let mut found = verdicts(&lesson);
        found.truncate(own.properties.len());
        let expected: Vec<_> = own.properties.iter().map(|one| Some(!one.breaks())).collect();
        assert_eq!(found, expected, "{name}");
    }
}

/// The addresses in the teacher's pages lead to what there is.
#[test]
fn addresses_in_the_papers_are_understood() {
    let lessons = lessons();
    for paper in ["docs/teaching.md", "docs/zh/teaching.md", "docs/manual.md", "docs/embedding.md"]
    {
        let text = fs::read_to_string(folder(paper)).expect("the paper");
        let mut last = String::new();
        let codes =
            text.split('`').filter(|code| code.starts_with("#lesson=") || code.starts_with('&'));
        for code in codes {
            // One that begins with & changes the one before it.
            last = match code.strip_prefix('#') {
                Some(_) => code.to_owned(),
                None if last.is_empty() => continue,
                None => format!("{last}{code}"),
            };
            let link = Link::parse(&last);
            let id = link.lesson.as_deref().unwrap_or_default();
            let lesson = lessons
                .iter()
                .find(|lesson| lesson.id == id)
                .unwrap_or_else(|| panic!("{paper}: {last}"));
            let has = |named: &Option<String>, has: &dyn Fn(&str) -> bool| {
                named.as_deref().is_none_or(has)
            };
            assert!(
                has(&link.variant, &|id| lesson.variants.iter().any(|one| one.id == id)),
                "{paper}: {last}"
            );
            assert!(
                has(&link.walk, &|id| lesson.walks.iter().any(|one| one.id == id)),
                "{paper}: {last}"
            );
            assert!(
                has(&link.mode, &|name| Mode::ALL.iter().any(|mode| mode.id() == name)),
                "{paper}: {last}"
            );
        }
    }
}

#[test]
fn the_scenario_of_the_manual_is_one() {
    let manual = fs::read_to_string(folder("docs/authoring.md")).expect("the manual");
    let (_, rest) = manual.split_once("```json\n").expect("a scenario");
    let (json, _) = rest.split_once("```").expect("its end");
    let own = Definition::read(json, "authoring.md").expect("no mistake");
    own.lesson().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert!(own.properties[0].breaks() && own.clients[1].again && own.faults.pause_ms == 200);
}

/// The folder as `check` sees it.
fn checked(own: &Definition) -> Lesson {
    let files = folder::write(own);
    let files: BTreeMap<String, String> =
        files.into_iter().filter(|(name, _)| !name.starts_with("unused/")).collect();
    source::compile(&folder::id(own), "folder", &files).unwrap_or_else(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        panic!("{}\n{:#?}", lines.join("\n"), files);
    })
}

/// The commands of a lesson's setup, each with its instance.
fn setup(lesson: &Lesson) -> Vec<(usize, Vec<String>)> {
    let commands = lesson.variants[0].world.commands().0.into_iter();
    commands.map(|command| (command.node, command.argv)).collect()
}

#[test]
fn a_saved_folder_passes_check_and_is_opened_again() {
    for (name, example) in examples() {
        let own = example.scenario.en;
        let lesson = own.lesson().expect("no mistake");
        let saved = checked(&own);
        for claim in &saved.variants[0].claims {
            let holds = verify::verify(&saved, 0, Limits::default()).expect("searched").verdicts
                [claim.property]
                .holds;
            assert_eq!(holds, Some(claim.holds), "{name}");
        }
        assert_eq!(setup(&saved), setup(&lesson), "{name}");
        let bytes = folder::write_zip(&own);
        let (opened, left_out) = folder::open("my.zip", &bytes, Lang::En)
            .unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"));
        assert!(left_out.is_empty(), "{name}: {left_out:?}");
        assert_eq!(opened, own, "{name}");
    }
}

/// A scenario in which every field has a value that is not its default, as has one added later.
fn full() -> Definition {
    let mut own = Definition::other();
    for at in 0..2 {
        (own.programs[at].name, own.programs[at].text) = (format!("p{at}"), "return 1".into());
        own.scripts[at].name = format!("script{}", at + 1);
        own.scripts[at].text = format!("return {at}");
        own.clients[at].program = at;
        own.clients[at].process = "app".into();
        own.instances[at].name = format!("r{at}");
        own.instances[at].replica_of = if at > 0 { "r0".into() } else { String::new() };
        (own.properties[at].id, own.properties[at].check) = (format!("id{at}"), "true".into());
    }
    own.instances.push(Instance { name: "alone".into(), ..Instance::other() });
    own.instances[2].replica_of.clear();
    own.setup = "SET n 0\n".into();
    own.sql = "CREATE TABLE t (id INT PRIMARY KEY)\n".into();
    own
}

#[test]
fn every_field_is_part_of_every_form() {
    let own = full();
    let lesson = own.lesson().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    assert_eq!(Definition::of_lesson(&lesson, 0, Lang::En).expect("a variant"), own);
    assert_eq!(Definition::unpack(&own.pack()).expect("what was packed"), own);
    let open = |bytes: &[u8]| folder::open("x.zip", bytes, Lang::En).expect("no mistake").0;
    assert_eq!(open(&folder::write_zip(&own)), own);
    // A lesson has a property of each kind.
    let mut checked = Definition::of_lesson(&checked(&own), 0, Lang::En).expect("a variant");
    checked.properties.truncate(own.properties.len());
    assert_eq!(checked, own);
    let files = folder::write_scenario(&own).into_iter();
    let files: Vec<_> = files.map(|(name, text)| (format!("x/{name}"), text)).collect();
    assert_eq!(open(&zip::write(&files)), own);
}

/// Clients that run one file with values of their own run different programs, which are one file
/// where lines are told of.
#[test]
fn clients_give_one_program_their_own_values() {
    let text = "for i = 1, n do\n  redis.call('INCR', key)\nend\n\
                if key == 'b' then\n  redis.call('SET', 'seen', key)\nend\n\
                if n > 5 then\n  redis.call('DEL', key)\nend";
    let open = |manifest: &str| {
        let files = [("x/scenario.toml", manifest), ("x/w.lua", text)];
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        folder::open("x.zip", &zip::write(&files), Lang::En).map(|(own, _)| own)
    };
    let check = "not all_done() or number('a') == 1 and number('b') == 3 \
                 and redis.call('GET', 'seen') == 'b'";
    let manifest = format!(
        "[[client]]\nprogram = \"w.lua\"\nwith = {{ key = 'a', n = 1 }}\n\
         [[client]]\nprogram = \"w.lua\"\nwith = {{ key = 'b', n = 3 }}\n\
         [[property]]\nid = \"all\"\nkind = \"always\"\ncheck = \"{check}\""
    );
    let own = open(&manifest).expect("no mistake");
    assert_eq!((own.programs.len(), own.clients.len()), (1, 2));
    let lesson = own.lesson().expect("no mistake");
    assert_eq!(verdicts(&lesson), [Some(true); 2]);
    let mut asked = AskVacuous::new(&lesson.scenario(0).expect("a scenario")).expect("it starts");
    while !asked.advance(50) {}
    let never = Never::Runs { program: "w.lua".to_owned(), first: 8, last: 8 };
    assert_eq!(asked.answer(), [never]);
    for (rest, line, said) in [
        ("\nwith = { key = [] }", 6, "key is no text"),
        ("with = { N = 1 }", 5, "N is a parameter of the scenario"),
    ] {
        let manifest = format!("[parameters]\nN = 1\n[[client]]\nprogram = \"w.lua\"\n{rest}");
        let found = open(&manifest).expect_err(rest);
        assert_eq!(found[0].line, line, "{rest}");
        says(&found[0].text(&own, Lang::En), &[said]);
    }
    let found = open("[parameters]\nN = 1\nend = 2\n").expect_err("no name");
    assert_eq!(found[0].line, 3);
    says(&found[0].text(&own, Lang::En), &["end cannot be the name of a variable in Lua"]);
    let mut own = own;
    own.edit(Edit::Field(Row::Client(1), "with", "key = ".to_owned()));
    assert_eq!(Definition::unpack(&own.pack()).expect("what was packed"), own);
    says(&wrong(&own), &["Client B", "with cannot be read: key = \"a\", n = 2 should be there"]);
}

#[test]
fn whatever_is_typed_can_be_saved_and_opened() {
    let mut own = Definition::first();
    own.title = "A *title*: #1 <b> & \\ [x](y) `z`".into();
    own.properties[0].name = "n < 3 * 2 _x_ {0}".into();
    own.properties[0].check = "(function()\n  return 'its' ~= \"\\n\"\nend)()".into();
    own.setup = "SET n 0\nSET 'a b' \"x\\ty\\x01\"\nSET 中文 '它''s'\n".into();
    own.setup = own.setup.replace("'它''s'", "\"它's\"");
    own.programs.push(Script { name: "unused".into(), text: "return 1".into() });
    own.clients[1].process = "shop".into();
    own.clients[1].clock_ms = -5;
    own.faults = Faults { pause: 2, jump: 1, jump_ms: -50, early: 1, ..Faults::default() };
    own.time = TimeMode::Any;
    own.wire = true;
    own.sql =
        "CREATE TABLE act (id INT PRIMARY KEY, num INT)\nINSERT INTO act VALUES (1, 5)\n".into();
    own.lesson().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    checked(&own);
    let (opened, _) = folder::open("x", &folder::write_zip(&own), Lang::Zh).expect("opened");
    let [there, here] = [&opened, &own].map(|own| setup(&own.lesson().expect("no mistake")));
    assert_eq!(there, here, "quoted in another way, perhaps");
    assert_eq!(Definition { setup: own.setup.clone(), ..opened }, own);
    // A line for an instance that is not there stays a mistake.
    for of_lesson in [true, false] {
        let own = Definition { setup: "r9> SET n 1".into(), ..own.clone() };
        let files = if of_lesson { folder::write(&own) } else { folder::write_scenario(&own) };
        let found = folder::read(&files, "x", Lang::En, &[]).expect_err("no such instance");
        says(&found[0].text(&own, Lang::En), &["r9>"]);
    }
}

#[test]
fn every_variant_of_every_lesson_can_be_opened_and_runs_alike() {
    for lesson in lessons() {
        for variant in 0..lesson.variants.len() {
            let name = format!("{}/{}", lesson.id, lesson.variants[variant].id);
            let own = Definition::of_lesson(&lesson, variant, Lang::Zh).expect(&name);
            let mine = own.lesson().unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"));
            let open = |lesson: &Lesson, variant: usize| {
                let id = lesson.variants[variant].id.clone();
                let link = Link { variant: Some(id), ..Link::default() };
                let (mut session, _) = Session::open(lesson.clone().into(), &link).expect(&name);
                session.update(Msg::Mode(Mode::Schedule));
                session.update(Msg::Reset);
                session.update(Msg::Random(7));
                (session.timeline().schedule(), session.timeline().frame().fingerprint)
            };
            let (theirs, ours) = (open(&lesson, variant), open(&mine, 0));
            // Server scripts and names aside, it is the same world.
            assert_eq!(theirs.0, ours.0, "{name}");
            assert!(own.write().len() < WHOLE_MAX);
            checked(&own);
        }
    }
}

#[test]
fn folders_of_lessons_are_opened() {
    for lesson in lessons().iter().filter(|lesson| lesson.guide.is_none()) {
        let path = folder("static/lessons").join(&lesson.id);
        let read = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            Some((format!("{}/{name}", lesson.id), fs::read_to_string(path).ok()?))
        };
        let files: Vec<(String, String)> =
            fs::read_dir(path).expect("the lesson").filter_map(read).collect();
        let bytes = zip::write(&files);
        let (own, _) = folder::open("lesson.zip", &bytes, Lang::En)
            .unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", lesson.id));
        own.lesson().unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", lesson.id));
        let mut from_lesson = Definition::of_lesson(lesson, 0, Lang::En).expect("a variant");
        from_lesson.title.clone_from(&own.title);
        assert_eq!(own, from_lesson, "{}", lesson.id);
    }
}

#[test]
fn our_toml_is_the_same_as_everybodys() {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder("static/lessons")).expect("lessons") {
        files.push(entry.expect("an entry").path().join("lesson.toml"));
    }
    for name in ["static/lessons/index.toml", "static/lessons/glossary.toml"] {
        files.push(folder(name));
    }
    let mut seen = 0;
    for path in files.iter().filter(|path| path.is_file()) {
        let text = fs::read_to_string(path).expect("readable");
        let ours = toml::parse(&text).unwrap_or_else(|wrong| panic!("{path:?}: {wrong:?}"));
        let theirs: serde_json::Value = ::toml::from_str(&text).expect("valid");
        let ours: serde_json::Value =
            serde_json::from_str(&ours.to_json().to_string()).expect("valid");
        assert_eq!(ours, theirs, "{path:?}");
        seen += 1;
    }
    assert!(seen > 30);
    for text in [
        "a.b = 1\na.c = [ 1, # one\n 2,\n]\n[x.y]\nz = '''\nlong ''q'''' \n[[l.m]]\nn=\"\\u00e9\"",
        "s = \"\"\"a \\\n   b \"\" c\"\"\"\nt = ''\nu = { p = -1_000, q = [{}, {r = true}] }",
        "\"quoted key\" = 1\r\n[t]\r\nv = 2\r\n",
        "\u{feff}a = 0x1F\nb = 0o17\nc = 0b1_0\nd = -0\ne = +7\n",
    ] {
        let theirs: serde_json::Value = ::toml::from_str(text).expect("valid");
        let ours = toml::parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}")).to_json();
        let ours: serde_json::Value = serde_json::from_str(&ours.to_string()).expect("valid");
        assert_eq!(ours, theirs, "{text}");
    }
}

#[test]
fn malformed_toml_is_named_with_its_line() {
    for (text, line, what) in [
        ("a = 1\nb = ", 2, Key::TomlNoValue),
        ("a = 1.5", 1, Key::TomlNumber),
        ("a = 0x", 1, Key::TomlNumber),
        ("a = 0x-1", 1, Key::TomlNumber),
        ("a = 0b2", 1, Key::TomlNumber),
        ("\n\na = \"open", 3, Key::TomlString),
        ("a = [1, 2", 1, Key::TomlNoBracket),
        ("[a\nb = 1", 1, Key::TomlNoBracket),
        ("a = 1 2", 1, Key::TomlMore),
        ("= 1", 1, Key::TomlNoKey),
        ("a 1", 1, Key::TomlNoEquals),
        ("a = 1\na = 2", 2, Key::TomlTwice),
        ("a = 1\n[a]\nb = 2", 2, Key::TomlTwice),
        ("a = \"\\q\"", 1, Key::TomlEscape),
        ("a = \"\\u+041\"", 1, Key::TomlEscape),
        (&format!("a = {}", "[".repeat(5000)), 1, Key::TomlDeep),
    ] {
        let wrong = toml::parse(text).expect_err(text);
        assert_eq!((wrong.line, wrong.what), (line, what), "{text}");
    }
    let whole = "a = [\"x\", { b = '''c''' }]\n[t]\nd = -1 # e\n[[l]]\nf = \"\\u00e9\"\n";
    for end in 0..whole.len() {
        let _ = toml::parse(&whole[..end]);
        let _ = toml::parse(&whole[end..]);
    }
}

#[test]
fn mistakes_are_named_with_field_and_line() {
    let mut own = Definition::first();
    own.programs[0].text = "local n = 1\nif n then".into();
    says(&wrong(&own), &["count.lua, line 2: this is not Lua", "Lua 5.1"]);

    let mut own = Definition::first();
    own.setup = "SET n 0\n# fine\nSTE a 1\nSET 'open\nr9> GET a\n".into();
    says(
        &wrong(&own),
        &[
            "Setup, line 3: Redis has no command “STE”",
            "Setup, line 4: the quotation marks are not balanced",
            "Setup, line 5: there is no instance r9. There are: redis.",
        ],
    );
    own.setup = "SET n 0\nLPUSH n 1\n".into();
    says(&wrong(&own), &["Setup, line 2: Redis refuses it: WRONGTYPE"]);
    own.setup = "SET n 0\n\nSET n\n".into();
    says(&wrong(&own), &["Setup, line 3: Redis refuses it: ERR wrong number of arguments"]);

    let mut own = Definition::first();
    own.scripts.push(Script { name: "take".into(), text: "local a\nreturn (1".into() });
    says(&wrong(&own), &["take.lua, line 2: Redis refuses it", "KEYS and ARGV"]);
    own.scripts[0].text = "#!lua name=x\nlocal a\nreturn (1".into();
    says(&wrong(&own), &["take.lua, line 3: Redis refuses it"]);
    own.scripts[0] = Script { name: "1-x".into(), text: "return 1".into() };
    says(&wrong(&own), &["1-x.lua: “1-x” cannot be a name here. Use 1 to 24"]);

    let mut own = Definition::first();
    own.properties[0].check = "number('n' >= 0".into();
    says(&wrong(&own), &["Condition 1: the check fails", "A check is a Lua expression"]);
    own.properties[0].check = "number('missing') >= 0".into();
    says(&wrong(&own), &["Condition 1: the check fails", "(number(\"stock\") or 0)"]);
    own.properties[0].check = " ".into();
    says(&wrong(&own), &["Condition 1: there is no check"]);

    let mut own = Definition::first();
    own.faults = Faults { failover: 1, jump: 1, early: 1, cancel: 1, ..Faults::default() };
    says(&wrong(&own), &["a failover needs a replica", "does not say by how much", "Allow that"]);
    says(&wrong(&own), &["no two clients have the same process"]);

    let mut own = Definition::first();
    let one = |name: &str, master: &str| Instance {
        name: name.into(),
        replica_of: master.into(),
        clock_ms: 0,
        version: None,
    };
    own.instances = vec![one("redis", ""), one("r1", "nobody"), one("R", ""), one("redis", "")];
    own.sql = "CREATE TABLE a (id INT PRIMARY KEY)\nDROP a\n".into();
    own.clients[0].process = "My Shop".into();
    says(
        &wrong(&own),
        &[
            "Client A: “My Shop” cannot be a name",
            "Instance r1: r1 cannot replicate “nobody”",
            "Instance R: “R” cannot be a name",
            "there are two called “redis”",
            "SQL tables, line 2: the statement is refused",
        ],
    );
    own.instances = vec![one("redis", ""), one("r1", "redis")];
    own.setup = "r1> SET a 1".into();
    says(&wrong(&own), &["Setup, line 1: r1 is a replica"]);
}

#[test]
fn edits_do_what_they_say_and_never_more() {
    let mut own = Definition::first();
    for _ in 0..20 {
        for edit in [Edit::AddClient, Edit::AddProgram, Edit::AddScript, Edit::AddProperty] {
            assert!(own.edit(edit));
        }
        own.edit(Edit::AddInstance);
    }
    let many = [own.clients.len(), own.programs.len(), own.scripts.len(), own.properties.len()];
    assert_eq!((many, own.instances.len()), ([MANY_MAX; 4], MANY_MAX));
    let names: std::collections::BTreeSet<&str> =
        own.programs.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), MANY_MAX);
    own.edit(Edit::ClientProgram(7, 7));
    own.edit(Edit::Remove(Part::Program(0)));
    assert_eq!(own.clients[7].program, 6, "it still runs its program");
    own.edit(Edit::Field(Row::Property(0), "expect", "breaks".into()));
    own.edit(Edit::Field(Row::World, "expect_deadlock", "true".into()));
    own.edit(Edit::Field(Row::World, "slow_ms", " 30".into()));
    own.edit(Edit::Field(Row::World, "slow_ms_too", "1".into()));
    assert_eq!(own.slow_ms, 30);
    own.edit(Edit::Field(Row::World, "slow_ms", "-5".into()));
    assert_eq!((own.slow_ms, own.clients.len()), (0, MANY_MAX));
    assert!(own.properties[0].breaks() && own.expect_deadlock);
    own.edit(Edit::Field(Row::Instance(1), "replica_of", "redis".into()));
    own.edit(Edit::InstanceName(0, "main".into()));
    assert_eq!(own.instances[1].replica_of, "main");
    // Letter by letter.
    for name in ["mai", "ma", "m", "mo", "mon", "main"] {
        own.edit(Edit::InstanceName(0, name.into()));
        assert_eq!(own.instances[1].replica_of, name);
    }
    // Another's name is no name to follow under, and no name is none.
    let taken = own.instances[1].name.clone();
    for name in [taken.as_str(), ""] {
        own.edit(Edit::InstanceName(0, name.into()));
        assert_eq!(own.instances[1].replica_of, "main");
        own.edit(Edit::InstanceName(0, "main".into()));
    }
    for _ in 0..20 {
        own.edit(Edit::Remove(Part::Program(0)));
        own.edit(Edit::RemoveClient(0));
        own.edit(Edit::RemoveInstance(1));
        own.edit(Edit::RemoveProperty(9));
    }
    assert_eq!((own.clients.len(), own.programs.len()), (1, 1), "the last one stays");
    assert_eq!(own.clients[0].program, 0);
    own.edit(Edit::Fault("pause", "300".into()));
    own.edit(Edit::Fault("crash", "x".into()));
    own.edit(Edit::Field(Row::Client(0), "clock_ms", "-20".into()));
    assert_eq!((own.faults.pause, own.faults.crash, own.clients[0].clock_ms), (9, 0, -20));
    assert!(!own.edit(Edit::Text(Part::Setup, "x".repeat(TEXT_MAX + 1))));
    // A file's text may be longer, and can be shortened.
    own.setup = "x".repeat(TEXT_MAX + 9);
    assert!(own.edit(Edit::Text(Part::Setup, "x".repeat(TEXT_MAX + 8))));
    assert!(own.edit(Edit::Text(Part::Program(99), "x".into())), "nothing happens");
}

#[test]
fn hostile_files_are_refused_in_words() {
    let open = |bytes: &[u8]| match folder::open("x.zip", bytes, Lang::En) {
        Ok(_) => "opened".to_owned(),
        Err(mistakes) => mistakes[0].text(&Definition::first(), Lang::En),
    };
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    says(&open(b"GIF89a"), &["x.zip: this is neither a zip nor JSON"]);
    says(&open(b"{\n \"programs\": [\n}"), &["x.zip, line 3: this is not a scenario"]);
    says(&open(b"{}"), &["programs cannot be read: a list with at least one program"]);
    says(&open(b"PK\x03\x04 and no more"), &["the zip is damaged"]);
    let none = "there is neither a lesson.toml nor a scenario.toml in it";
    says(&open(&zip::write(&[file("a.md", "x")])), &[none]);
    let two = [file("a/lesson.toml", ""), file("b/lesson.toml", "")];
    says(&open(&zip::write(&two)), &["more than one lesson.toml"]);
    says(&open(&zip::write(&[file("../lesson.toml", "")])), &["leads out of the folder"]);
    says(&open(&zip::write(&[file("/lesson.toml", "")])), &["leads out of the folder"]);
    says(&open(&zip::write(&[file("C:\\lesson.toml", "")])), &["leads out of the folder"]);
    let many: Vec<_> = (0..300).map(|n| file(&format!("{n}.md"), "")).collect();
    says(&open(&zip::write(&many)), &["more than 200 files"]);
    let big = file("lesson.toml", &"#".repeat(200_000));
    says(&open(&zip::write(&[big])), &["larger than a lesson may be"]);
    says(&open(&zip::write(&[file("lesson.toml", "minutes = 1.5")])), &["lesson.toml, line 1"]);
    let toml = "minutes = 1\n[[variant]]\nclients = [\"../a.lua\"]\nexpct = 1\n";
    let found = open(&zip::write(&[file("l/lesson.toml", toml)]));
    says(&found, &["lesson.toml, line 4: nothing is called “expct” here", "clients"]);

    let property = "[[property]]\nid = \"p\"\nkind = \"always\"\ncheck = \"true\"\n";
    for (rest, said) in [
        ("[variant.expect]\nq = { verdict = \"holds\" }\n", "called “q” here"),
        ("[variant.expect]\np = { verdict = \"brakes\" }\n", "brakes where holds or breaks"),
        ("[variant.expect]\np = {}\n", "verdict cannot be read"),
        ("instances = [\"r9\"]\n", "there is no instance r9"),
        ("[[instance]]\nclock_ms = 1\n[[instance]]\nname = \"b\"\n", "name cannot be read"),
    ] {
        let toml = format!("{property}[[variant]]\nclients = [\"a.lua\"]\n{rest}");
        let files = [file("l/lesson.toml", &toml), file("l/a.lua", "return")];
        says(&open(&zip::write(&files)), &[said]);
    }

    // Every byte of a whole zip spoilt, or the rest of it missing.
    let good = folder::write_zip(&Definition::first());
    assert_eq!(open(&good), "opened");
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        let _ = open(&bad);
        let _ = open(&good[..at]);
    }

    // A bomb: it says that it is small, and is not.
    let packed = crate::session::deflate::deflate(&vec![b'#'; 4_000_000]);
    let mut bomb = zip::write(&[file("lesson.toml", "")]);
    let head = 30 + "lesson.toml".len();
    bomb.splice(head..head, packed.iter().copied());
    let directory = head + packed.len();
    let end = bomb.len() - 22;
    let size = (packed.len() as u32).to_le_bytes();
    bomb[directory + 10..directory + 12].copy_from_slice(&8_u16.to_le_bytes());
    bomb[directory + 20..directory + 24].copy_from_slice(&size);
    bomb[directory + 24..directory + 28].copy_from_slice(&1000_u32.to_le_bytes());
    bomb[end + 16..end + 20].copy_from_slice(&(directory as u32).to_le_bytes());
    says(&open(&bomb), &["lesson.toml: this file of the zip is damaged"]);
}

#[test]
fn zips_of_others_are_opened() {
    // The file as `zip -9` writes it: deflated, with extra fields.
    let text = "SET a 1\n".repeat(50);
    let packed = crate::session::deflate::deflate(text.as_bytes());
    let stored = zip::write(&[("a.md".to_owned(), text.clone())]);
    let crc = &stored[14..18];
    let mut whole = Vec::new();
    let head = |out: &mut Vec<u8>| {
        out.extend([20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0]);
        out.extend(crc);
        out.extend((packed.len() as u32).to_le_bytes());
        out.extend((text.len() as u32).to_le_bytes());
        out.extend([4, 0, 5, 0]);
    };
    whole.extend(b"PK\x03\x04");
    head(&mut whole);
    whole.extend(b"a.md\x55\x54\x01\x00\x00");
    whole.extend(&packed);
    let start = whole.len() as u32;
    whole.extend(b"PK\x01\x02\x1e\x03");
    head(&mut whole);
    whole.extend([0; 14]);
    whole.extend(b"a.md\x55\x54\x01\x00\x00");
    let size = whole.len() as u32 - start;
    whole.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    whole.extend(size.to_le_bytes());
    whole.extend(start.to_le_bytes());
    whole.extend([3, 0, b'h', b'e', b'y']);
    assert_eq!(zip::read(&whole), Ok(vec![("a.md".to_owned(), text)]));
}
