mod parts;
mod predict;

use super::*;
use crate::lesson::{Block, Inline, plain};
use crate::text::Lang;

/// A small whole lesson; `change` makes it a wrong one.
fn lesson_with(change: impl FnOnce(&mut Files)) -> Result<Lesson, Vec<Diagnostic>> {
    let mut files = Files::new();
    let mut add = |name: &str, text: &str| files.insert(name.to_owned(), text.to_owned());
    add(
        "lesson.toml",
        r#"minutes = 2
setup = ["SET n 1"]
[[property]]
id = "big"
kind = "always"
check = 'number("n") >= 1'
[[property]]
id = "end"
kind = "sometimes"
check = "all_done()"
[[variant]]
id = "incr"
clients = ["incr.lua", "incr.lua"]
expect = { big = { verdict = "holds" }, end = { verdict = "holds", steps = 2 } }
[[walk]]
id = "both"
variant = "incr"
schedule = "A.B"
"#,
    );
    add("incr.lua", "local n = redis.call('INCR', 'n')\n");
    add(
        "en.md",
        "# Count\n> To **three**.\n\nIntro,\ntwo lines.\n\n## property big: n ≥ 1\n\
         ## property end: both end\n## variant incr: INCR\nAbout.\n## walk both: Both\n\
         ### 0\nn is {key n}.\n### 1\nA got {reply}, so {A.n}.\n### 2\n- `{key n}`\n",
    );
    add(
        "zh.md",
        "# 计数\n> 数到**三**。\n\n引言，\n两行。\n\n## property big：n ≥ 1\n\
         ## property end: 都结束\n## variant incr: INCR\n说明。\n## walk both: 一起\n\
         ### 0\nn 是 {key n}。\n### 1\nA 得到 {reply}。\n### 2\n现在是 {key n}。\n",
    );
    change(&mut files);
    compile("count", "lessons/count", &files)
}

fn replace(files: &mut Files, name: &str, from: &str, to: &str) {
    let text = files.get_mut(name).expect("a file of the lesson");
    assert!(text.contains(from), "{name} has no {from}");
    *text = text.replace(from, to);
}

/// The diagnostics of a lesson in which `from` was replaced by `to`, as an author sees them.
fn wrong(name: &str, from: &str, to: &str) -> String {
    let problems =
        lesson_with(|files| replace(files, name, from, to)).expect_err("must be refused");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn says(found: &str, wanted: &[&str]) {
    for part in wanted {
        assert!(found.contains(part), "no {part:?} in:\n{found}");
    }
}

#[test]
fn a_whole_lesson_compiles_with_its_values_filled_in() {
    let lesson = lesson_with(|_| {}).unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!((lesson.title.en.as_str(), lesson.title.zh.as_str()), ("Count", "计数"));
    assert_eq!(plain(&lesson.goal.en), "To three.");
    assert_eq!(lesson.intro.en[0].plain(), "Intro, two lines.");
    assert_eq!(lesson.intro.zh[0].plain(), "引言，两行。", "no space between Chinese lines");
    assert_eq!(lesson.properties[0].label.zh, "n ≥ 1", "a full-width colon will do");
    let walk = &lesson.walks[0];
    assert_eq!(walk.schedule, "A1.B1", "written out in full");
    let words = |lang: Lang, step: usize| lesson.walk_step(0, step, lang)[0].plain();
    assert_eq!(words(Lang::En, 0), "n is 1.");
    assert_eq!(words(Lang::En, 1), "A got 2, so 2.");
    assert_eq!(
        lesson.walk_step(0, 2, Lang::En),
        [Block::List(vec![vec![Inline::Code("3".into())]])]
    );
    assert_eq!(words(Lang::Zh, 2), "现在是 3。");
}

#[test]
fn what_is_compiled_survives_its_journey() {
    let lesson = lesson_with(|_| {}).unwrap_or_else(|problems| panic!("{problems:?}"));
    let json = serde_json::to_string(&lesson).expect("plain data");
    assert_eq!(crate::json::read::<Lesson>(&json).expect("the same"), lesson);
}

#[test]
fn mistakes_in_the_manifest_are_named_with_line_and_remedy() {
    says(&wrong("lesson.toml", "minutes", "minuets"), &["lesson.toml:1", "minuets"]);
    says(&wrong("lesson.toml", "minutes = 2", "minutes = "), &["lesson.toml:1"]);
    says(
        &wrong("lesson.toml", "SET n 1", "SET 'n 1"),
        &["lesson.toml:2", "quotation marks are not balanced", "Close each"],
    );
    says(&wrong("lesson.toml", "SET n 1", "SAT n 1"), &["lesson.toml:2", "no command “SAT”"]);
    says(&wrong("lesson.toml", ">= 1", ">="), &["lesson.toml:6", "Lua expression"]);
    says(&wrong("lesson.toml", "sometimes", "eventually"), &["needs an always and a sometimes"]);
    says(&wrong("lesson.toml", "\"incr.lua\", \"incr.lua\"", "\"x.lua\""), &["no program “x.lua”"]);
    says(
        &wrong("lesson.toml", "\"incr.lua\", \"incr.lua\"", ""),
        &["0 clients", "a program file for each"],
    );
    says(&wrong("lesson.toml", "{ big", "{ bog"), &["no property bog", "big, end"]);
    says(&wrong("lesson.toml", "end = { v", "ond = { v"), &["an always and a sometimes"]);
    says(&wrong("lesson.toml", "variant = \"incr\"", "variant = \"decr\""), &["no variant decr"]);
    says(&wrong("lesson.toml", "A.B", "A.A"), &["lesson.toml:18", "step 2", "as far as A1"]);
    says(&wrong("lesson.toml", "A.B", "A.7"), &["step 2, 7, is no step"]);
    says(&wrong("lesson.toml", "A.B", "A.B2"), &["written B2", "it would be B1"]);
}

#[test]
fn mistakes_in_the_prose_are_named_with_line_and_remedy() {
    says(&wrong("en.md", "# Count\n", ""), &["en.md", "title or the goal"]);
    says(
        &wrong("zh.md", "variant incr", "variant inkr"),
        &["zh.md:9: \"variant inkr\" is nothing here", "no section for variant incr"],
    );
    says(&wrong("en.md", ": both end", ""), &["no section for property end, or it has no label"]);
    says(
        &wrong("zh.md", "### 2\n现在是 {key n}。\n", ""),
        &["zh.md:11", "2 steps", "### 0 to ### 2"],
    );
    says(&wrong("en.md", "### 1", "### 5"), &["step \"5\" stands where 1 should"]);
    says(&wrong("en.md", "{key n}.", "{key m}."), &["{key m} has no value"]);
    says(&wrong("en.md", "{A.n}", "{B.x}"), &["{B.x} has no value"]);
    says(&wrong("en.md", "About.", "<b>About</b>"), &["en.md:10", "HTML cannot be shown"]);
    says(&wrong("en.md", "About.", "## variant incr: again"), &["a second section"]);
}

#[test]
fn missing_files_and_idle_ones_are_named() {
    let problems = |change: fn(&mut Files)| {
        let problems = lesson_with(change).expect_err("must be refused");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    says(&problems(|files| drop(files.remove("zh.md"))), &["zh.md: the file is missing"]);
    says(
        &problems(|files| drop(files.remove("lesson.toml"))),
        &["lesson.toml: the file is missing"],
    );
    says(
        &problems(|files| drop(files.insert("old.lua".into(), String::new()))),
        &["old.lua", "no client"],
    );
    says(&wrong("incr.lua", "local n =", "local n = ="), &["incr.lua:1", "Lua 5.1"]);
    let named =
        compile("Bad Name", "lessons/Bad Name", &Files::new()).expect_err("must be refused");
    assert!(named.iter().any(|problem| problem.message.contains("\"Bad Name\"")));
}

/// The small lesson with these lines before its first property, and its variant's clients as given.
fn with_cast(head: &str, clients: &str) -> Result<Lesson, Vec<Diagnostic>> {
    lesson_with(|files| {
        replace(files, "lesson.toml", "setup = [\"SET n 1\"]\n", &format!("{head}\n"));
        replace(files, "lesson.toml", "[\"incr.lua\", \"incr.lua\"]", clients);
        let program = "local n = redis.call('INCR', 'n')\nfor _ = 1, 0 do connect('r1') end\n";
        files.insert("incr.lua".into(), program.into());
    })
}

const CAST: &str = r#"
sql = ["CREATE TABLE t (id INT)"]
time = "any"
wire = false
faults = { crash = 1, jump = 1, jump_ms = -50, early = 2, failover = 1 }
[[instance]]
name = "redis"
setup = ["SET n 1"]
clock_ms = 5
[[instance]]
name = "r1"
replica_of = "redis""#;

const CLIENTS: &str = r#"["incr.lua", { program = "incr.lua", process = "shop", clock_ms = -10 }]"#;

#[test]
fn instances_processes_tables_and_faults_become_a_scenario() {
    let lesson = with_cast(CAST, CLIENTS);
    let lesson = lesson.unwrap_or_else(|problems| panic!("{problems:?}"));
    let scenario = lesson.scenario(0).expect("a scenario");
    assert_eq!(scenario.nodes[0].clock_ms, 5);
    assert_eq!(scenario.nodes[1].replica_of.as_deref(), Some("redis"));
    assert_eq!(scenario.clients[0].process, None);
    assert_eq!(scenario.clients[1].process.as_deref(), Some("shop"));
    assert_eq!(scenario.clients[1].clock_ms, -10);
    assert_eq!((scenario.faults.crash, scenario.faults.jump_ms), (1, -50));
    assert_eq!((scenario.time, scenario.sql.len()), (crate::sim::TimeMode::Any, 1));
    let json = serde_json::to_string(&lesson).expect("plain data");
    assert_eq!(crate::json::read::<Lesson>(&json).expect("the same"), lesson);
}

#[test]
fn mistakes_in_the_cast_are_named_with_line_and_remedy() {
    let wrong = |from: &str, to: &str| {
        let head = CAST;
        assert!(head.contains(from) || CLIENTS.contains(from), "{from}");
        let problems = with_cast(&head.replace(from, to), &CLIENTS.replace(from, to));
        let problems = problems.expect_err("must be refused");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    says(&wrong("crash = 1", "crsh = 1"), &["lesson.toml:6", "crsh", "crash"]);
    says(&wrong(", jump_ms = -50", ""), &["lesson.toml:6", "by how much", "jump_ms = 5000"]);
    says(&wrong("\"any\"", "\"prompt\""), &["lesson.toml:6", "time can pass early only if"]);
    says(&wrong("\"any\"", "\"slow\""), &["lesson.toml:4", "prompt", "any"]);
    says(&wrong("replica_of = \"redis\"", "clock_ms = 1"), &["failover needs a replica"]);
    says(
        &wrong("= \"redis\"\nset", "= \"r.1\"\nset"),
        &["lesson.toml:8", "“r.1” cannot be a name"],
    );
    says(&wrong("name = \"r1\"", "name = \"redis\""), &["two called “redis”"]);
    says(&wrong("of = \"redis\"", "of = \"r7\""), &["lesson.toml:13", "r1 cannot replicate “r7”"]);
    says(&wrong("CREATE TABLE t (id INT)", "CREATE t"), &["lesson.toml:3", "TABLE should stand"]);
    says(&wrong("\"shop\"", "\"My Shop\""), &["“My Shop” cannot be a name", "lower-case"]);
    says(&wrong("clock_ms = -10", "clock = -10"), &["called “clock” here", "clock_ms"]);
    says(&wrong("program = \"incr.lua\"", "program = \"x.lua\""), &["no program “x.lua”"]);
}
