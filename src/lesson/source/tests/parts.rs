//! Challenge, exercise, quizzes, lenses, flow charts, guides, and all lessons together.

use super::*;
use crate::lesson::grade::grade;
use crate::lesson::{Block, FlowKind, plain};
use crate::sim::Limits;

const MANIFEST: &str = r#"minutes = 2
setup = ["SET n 1"]
[[property]]
id = "total"
kind = "always"
check = 'not all_done() or number("n") == 3'
[[property]]
id = "end"
kind = "sometimes"
check = "all_done()"
[[variant]]
id = "naive"
clients = ["add.lua", "add.lua"]
expect = { total = { verdict = "breaks", steps = 4 }, end = { verdict = "holds" } }
[challenge]
variant = "naive"
property = "total"
[exercise]
variant = "naive"
program = "add.lua"
solution = "exercise/incr.lua"
reject = ["exercise/wrong.lua"]
properties = ["total", "end"]
[[quiz]]
id = "read"
variant = "naive"
schedule = "A1"
then = "A2.B1"
answer = "{reply}"
choices = ['"1"', '"2"', '"3"']
[[quiz]]
id = "can"
variant = "naive"
schedule = "A1.A2"
possible = 'number("n") == 3'
[[quiz]]
id = "who"
variant = "naive"
schedule = "A1.A2"
who = 'not done(me)'
[[lens]]
program = "add.lua"
file = "lens/add.py"
label = "redis-py"
[panels]
ttl = "n"
[flow]
program = "add.lua"
[[flow.node]]
id = "get"
lines = [1, 1]
kind = "start"
text = { en = "GET", zh = "读" }
next = [{ to = "odd" }]
[[flow.node]]
id = "odd"
kind = "decision"
text = { en = "odd?", zh = "奇数？" }
next = [
  { to = "set", when = { en = "yes", zh = "是" } },
  { to = "set", when = { en = "no", zh = "否" } },
]
[[flow.node]]
id = "set"
lines = [2, 2]
kind = "end"
text = { en = "SET", zh = "写" }
"#;

const PROSE: &str = r#"# Count 计数
> To three.

Intro.

## property total: n = 3
## property end: both end
## variant naive: GET / SET
About.
## challenge: Lose one
Try.
## exercise: Mend it
Change it.
## quiz read: n is {key n}. Then?
{reply}, {redis STRLEN n}, {on redis GET n}, {now}.
## quiz can: Can it be three?
See.
## quiz who: Who is under way?
See.
## misconception: Nothing happens in between
It does.
## notes: Elsewhere
- a [link](https://redis.io/)

```redis
> SET a 1
OK
> INCR a
(integer) 2
```
"#;

/// A whole small lesson; `change` makes it a wrong one.
fn whole_with(change: impl FnOnce(&mut Files)) -> Result<Written, Vec<Diagnostic>> {
    let program =
        "local n = tonumber(redis.call(\"GET\", \"n\"))\nredis.call(\"SET\", \"n\", n + 1)\n";
    let lens = "n = int(r.get(\"n\"))  #@1\nr.set(\"n\", n + 1)  #@2\n\nprint(n)\n";
    let files = [
        ("lesson.toml", MANIFEST),
        ("en.md", PROSE),
        ("zh.md", PROSE),
        ("add.lua", program),
        ("exercise/incr.lua", "redis.call(\"INCR\", \"n\")\n"),
        ("exercise/wrong.lua", program),
        ("lens/add.py", lens),
    ];
    let mut files: Files = files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    change(&mut files);
    build::build("count", "lessons/count", &files)
}

fn refused(change: impl FnOnce(&mut Files)) -> String {
    let problems = whole_with(change).expect_err("must be refused");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn wrong(name: &str, from: &str, to: &str) -> String {
    refused(|files| replace(files, name, from, to))
}

fn whole() -> Written {
    whole_with(|_| {}).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn the_parts_are_there_and_their_answers_computed() {
    let Written { lesson, attempts, .. } = whole();
    assert_eq!(lesson.challenge.expect("a challenge").steps, 4);
    let exercise = lesson.exercise.expect("an exercise");
    assert_eq!(exercise.starter, lesson.programs[0].source, "the program itself");
    assert_eq!(exercise.properties, [0, 1]);
    let roles: Vec<Role> = attempts.iter().map(|attempt| attempt.role).collect();
    assert_eq!(roles, [Role::Starter, Role::Solution, Role::Reject]);
    let [read, can, who] = lesson.quizzes.as_slice() else { panic!("three quizzes") };
    assert_eq!((read.schedule.as_str(), read.right.as_slice()), ("A1", [1].as_slice()));
    assert_eq!(read.shows.as_deref(), Some("A1.A2.B1"));
    assert_eq!(read.words.label.en, "n is 1. Then?");
    assert_eq!(read.words.body.en[0].plain(), "\"2\", 1, \"2\", 1767225600000.");
    assert_eq!((can.right.as_slice(), can.shows.as_deref()), ([0].as_slice(), Some("A1.A2.B1.B2")));
    assert_eq!(can.choices[1].zh, "不可能");
    assert!(who.several && who.choices[1].en == "B" && who.right == [1]);
    let lens = &lesson.lenses[0];
    assert_eq!(lens.source, "n = int(r.get(\"n\"))\nr.set(\"n\", n + 1)\n\nprint(n)\n");
    assert_eq!(lens.lines, [vec![1], vec![2], vec![], vec![]]);
    assert_eq!(lesson.flows[0].nodes[1].kind, FlowKind::Decision);
    assert_eq!((lesson.flows[0].nodes[1].first, lesson.flows[0].nodes[1].next[0].to), (0, 2));
    assert_eq!(lesson.panels.ttl.as_deref(), Some("n"));
    assert_eq!(lesson.notes.expect("notes").body.zh.len(), 2);
}

/// An answer to several programs is one text with a line before each.
#[test]
fn an_exercise_may_replace_several_programs() {
    let incr = "redis.call(\"INCR\", \"n\")\n";
    let several = |change: fn(&mut Files)| {
        whole_with(|files| {
            let program = files["add.lua"].clone();
            files.insert("b.lua".to_owned(), program.clone());
            let clients = "clients = [\"add.lua\", \"b.lua\"]";
            replace(files, "lesson.toml", "clients = [\"add.lua\", \"add.lua\"]", clients);
            let both = "programs = [\"add.lua\", \"b.lua\"]\nsol";
            replace(files, "lesson.toml", "program = \"add.lua\"\nsol", both);
            for (file, other) in [("incr", incr), ("wrong", &program)] {
                let text = format!("-- b.lua\n{incr}\n-- add.lua\n{other}");
                files.insert(format!("exercise/{file}.lua"), text);
            }
            change(files);
        })
    };
    let Written { lesson, attempts, .. } = several(|_| ()).expect("no mistake");
    let exercise = lesson.exercise.as_ref().expect("an exercise");
    assert_eq!(exercise.programs.len(), 2);
    assert!(exercise.starter.starts_with("-- add.lua\nlocal n"), "{}", exercise.starter);
    assert!(exercise.starter.contains("\n-- b.lua\nlocal n"), "{}", exercise.starter);
    for attempt in &attempts {
        let graded = grade(&lesson, &attempt.source, Limits::default()).expect("Lua");
        assert_eq!(graded.is_solved(), Some(attempt.role.solves()), "{attempt:?}");
        let answered = lesson.with_answer(&attempt.source).expect("Lua");
        assert_eq!(answered.answer().as_deref(), Some(attempt.source.as_str()));
        assert_eq!(answered.program(1, 1).expect("a program").file, "b.lua");
        assert_eq!(answered.without_answer(), lesson);
    }
    let why = lesson.with_answer(incr).expect_err("two are wanted");
    assert_eq!(why, "add.lua is missing: it begins after the line -- add.lua");
    let wrong = |change: fn(&mut Files)| {
        let found = several(change).expect_err("must be refused");
        found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let no_lua = wrong(|files| replace(files, "exercise/wrong.lua", "n + 1", "n +"));
    says(&no_lua, &["exercise/wrong.lua:6", "Lua 5.1"]);
    let lacks = wrong(|files| replace(files, "exercise/incr.lua", "-- add.lua", "-- add"));
    says(&lacks, &["exercise/incr.lua:1", "add.lua is missing"]);
    let both = wrong(|files| replace(files, "lesson.toml", "sol", "program = \"add.lua\"\nsol"));
    says(&both, &["an exercise has a program, or several programs"]);
}

#[test]
fn what_a_lesson_lacks_is_said() {
    let lacks = ["another solution to accept", "three wrong answers to reject"];
    assert_eq!(whole().lacks(), [lacks[0], lacks[1], "reading"]);
    assert!(whole().uneven().is_empty());
    let uneven = whole_with(|files| replace(files, "zh.md", "Change it.", "Change.\n\nIt."));
    assert_eq!(uneven.expect("no mistake").uneven(), ["exercise"]);
}

#[test]
fn mistakes_in_challenge_and_exercise_are_named() {
    let toml = |from: &str, to: &str| wrong("lesson.toml", from, to);
    says(&toml("property = \"total\"", "property = \"end\""), &["end is no always", "toml:17"]);
    says(&toml("property = \"total\"", "property = \"sum\""), &["no property sum", "total, end"]);
    says(&toml(", steps = 4", ""), &["toml:17", "pins no steps", "total = {"]);
    says(&toml("program = \"add.lua\"\nsol", "program = \"x.lua\"\nsol"), &["no program x.lua"]);
    says(&toml("exercise/incr.lua", "incr.lua"), &["no file incr.lua", "nothing names this file"]);
    says(&toml("\"exercise/wrong.lua\"", ""), &["exercise/wrong.lua: nothing names this file"]);
    says(&toml("reject = [", "accept = [\"exercise/wrong.lua\"]\nreject = ["), &["named twice"]);
    says(&toml("[\"total\", \"end\"]", "[\"total\"]"), &["toml:23", "always and a sometimes"]);
    says(&wrong("exercise/incr.lua", "INCR\"", "INCR"), &["exercise/incr.lua:1", "Lua 5.1"]);
    says(&wrong("zh.md", "## exercise: Mend it", "## exercise:"), &["zh.md", "has no label"]);
    says(&wrong("zh.md", "Change it.", ""), &["zh.md:12: there is nothing under exercise"]);
    says(&wrong("en.md", "Change it.", "n is {key n}."), &["en.md:12", "no state to take it from"]);
    says(&wrong("en.md", "Try.", "### 0\nTry."), &["stands under challenge", "only a walk"]);
    says(&toml("[challenge]\n", "[challange]\n"), &["challange"]);
    says(&toml("id = \"naive\"", "id = \"yours\""), &["toml:12: \"yours\" cannot be an id"]);
}

#[test]
fn mistakes_in_quizzes_are_named() {
    let toml = |from: &str, to: &str| wrong("lesson.toml", from, to);
    says(&toml("'\"2\"'", "'\"4\"'"), &["toml:30", "the answer, \"2\", is not among the choices"]);
    says(&toml("'\"3\"'", "'\"1\"'"), &["toml:30", "\"1\" is there twice"]);
    says(&toml("variant = \"naive\"\nschedule = \"A1\"\n", ""), &["toml:25", "about a state"]);
    says(&toml("choices", "#"), &["toml:29", "nothing to choose; the answer is \"2\""]);
    says(&toml("{reply}", "OK"), &["toml:29", "computed, not written"]);
    says(&toml("{reply}", "{A.m}"), &["toml:29", "{A.m} has no value there"]);
    says(&toml("A2.B1", "A3"), &["toml:28", "step 1 is written A3; it would be A2"]);
    says(&toml("possible =", "answer = \"{reply}\"\npossible ="), &["toml:32", "one of answer"]);
    says(&toml("possible =", "choices = [\"a\"]\npossible ="), &["made by themselves"]);
    says(&toml("'number(\"n\") == 3'", "'nimber(\"n\")'"), &["toml:35", "nimber", "is Lua"]);
    says(&toml("'not done(me)'", "'not done('"), &["toml:40", "unexpected"]);
    says(&toml("'not done(me)'", "'not done(you)'"), &["toml:40", "a string is missing"]);
    says(&toml("id = \"can\"", "id = \"read\""), &["a second read"]);
    says(&wrong("en.md", "{on redis GET n}", "{on r1 GET n}"), &["{on r1 GET n} has no value"]);
    says(&wrong("en.md", "{redis STRLEN n}", "{redis DEL n}"), &["{redis DEL n} has no value"]);
    says(&wrong("en.md", "n is {key n}", "n is {key m}"), &["{key m} has no value there"]);
}

/// The lesson with a second variant, and a question about both.
fn mixed_with(change: impl FnOnce(&mut Files)) -> Result<Written, Vec<Diagnostic>> {
    whole_with(|files| {
        mix(files, "");
        change(files);
    })
}

fn mix(files: &mut Files, folder: &str) {
    let variant = "[[variant]]\nid = \"incr\"\nclients = [\"incr.lua\", \"incr.lua\"]\n\
                   expect = { total = { verdict = \"holds\" }, end = { verdict = \"holds\" } }\n";
    let asked = "[[quiz]]\nid = \"tools\"\nkeep = [\"total\", \"end\"]\n";
    let name = |file: &str| format!("{folder}{file}");
    let first = "[[variant]]\nid = \"naive\"";
    replace(files, &name("lesson.toml"), first, &format!("{asked}{variant}{first}"));
    files.insert(name("incr.lua"), "redis.call(\"INCR\", \"n\")\n".to_owned());
    for prose in ["en.md", "zh.md"].map(name) {
        let words = "## variant incr: INCR\nAbout.\n## quiz tools: Which?\nSee.\n### naive\n\
                     Two `commands`.\n### incr\nOne command.\n## variant naive";
        replace(files, &prose, "## variant naive", words);
    }
}

#[test]
fn a_question_about_all_variants_is_answered_by_their_claims() {
    let written = mixed_with(|_| {}).unwrap_or_else(|problems| panic!("{problems:?}"));
    let lesson = &written.lesson;
    assert!(lesson.is_mixed() && lesson.has_situation());
    assert_eq!(lesson.card().parts, ["situation", "break", "find", "fix", "review"]);
    let quiz = &lesson.quizzes[0];
    let labels: Vec<&str> = quiz.choices.iter().map(|choice| choice.en.as_str()).collect();
    assert_eq!((labels, quiz.right.as_slice()), (vec!["INCR", "GET / SET"], [0].as_slice()));
    assert!(quiz.several && quiz.variant.is_none());
    let [Block::Paragraph(_), Block::List(why)] = quiz.words.body.en.as_slice() else {
        panic!("{:?}", quiz.words.body.en)
    };
    assert_eq!(plain(&why[0]), "✓ INCR: One command.");
    assert_eq!(plain(&why[1]), "✕ GET / SET, broken in 4 steps: Two commands.");
    let Block::List(why) = &quiz.words.body.zh[1] else { panic!("a list") };
    assert_eq!(plain(&why[1]), "✕ GET / SET，4 步出错：Two commands.");
    // Of a mixed exercise less is wanted.
    let lacks = ["another solution to accept", "three wrong answers to reject"];
    assert_eq!(written.lacks(), lacks);
}

#[test]
fn mistakes_in_a_question_about_all_variants_are_named() {
    let wrong = |name: &str, from: &str, to: &str| {
        let problems = mixed_with(|files| replace(files, name, from, to)).expect_err("refused");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let toml = |from: &str, to: &str| wrong("lesson.toml", from, to);
    says(&toml("keep = [\"total\"", "keep = [\"sum\""), &["there is no property sum"]);
    says(&toml("keep = [\"total\", ", "keep = ["), &["toml:13", "do not differ"]);
    says(&toml("keep =", "variant = \"naive\"\nkeep ="), &["toml:12", "leave out variant"]);
    says(&toml("keep = [\"total\", \"end\"]", ""), &["\"naive\" stands under quiz tools"]);
    let claim = "expect = { total = { verdict = \"holds\" }";
    let other =
        "[[property]]\nid = \"more\"\nkind = \"always\"\ncheck = 'true'\n[[quiz]]\nid = \"t";
    let unclaimed = mixed_with(|files| {
        replace(files, "lesson.toml", claim, "expect = { more = { verdict = \"holds\" }");
        replace(files, "lesson.toml", "[[quiz]]\nid = \"t", other);
        for file in ["en.md", "zh.md"] {
            replace(files, file, "## property end", "## property more: more\n## property end");
        }
    });
    let problems = unclaimed.expect_err("refused");
    says(&problems[0].to_string(), &["incr claims nothing of total"]);
    says(&wrong("en.md", "### incr", "### inc"), &["no variant inc", "does not say why of incr"]);
    says(&wrong("zh.md", "One command.", "- One."), &["zh.md:10", "does not say why of incr"]);
    says(&wrong("en.md", "See.\n### naive", "### naive"), &["there is nothing under quiz tools"]);
}

#[test]
fn a_quiz_does_not_search_for_ever() {
    let endless = |files: &mut Files| {
        let program = "n = 0\nwhile true do\n  redis.call('INCR', 'n')\n  n = n + 1\nend\n";
        files.insert("add.lua".into(), program.into());
        files.insert("lens/add.py".into(), "r.incr('n')  #@3\n".into());
        replace(files, "lesson.toml", "lines = [2, 2]", "lines = [3, 3]");
        replace(files, "lesson.toml", "'number(\"n\") == 3'", "'number(\"n\") < 0'");
    };
    says(&refused(endless), &["toml:35", "more than 30000 states can come after"]);
}

#[test]
fn mistakes_in_lenses_panels_and_charts_are_named() {
    let toml = |from: &str, to: &str| wrong("lesson.toml", from, to);
    says(&wrong("lens/add.py", "#@1", ""), &["lens/add.py", "what line 1 of the Lua does", "#@1"]);
    says(
        &wrong("lens/add.py", "#@2", "#@2-3"),
        &["lens/add.py:2", "has no line 3", "lines 1 to 2"],
    );
    says(&wrong("lens/add.py", "#@2", "#@two"), &["lens/add.py:2", "cannot be read"]);
    says(&wrong("lens/add.py", "print(n)", &"x\n".repeat(50)), &["53 lines; there may be 45"]);
    says(&toml("redis-py", "Jedis"), &["toml:44", "Jedis", "Redisson, MyBatis"]);
    says(&refused(|files| drop(files.insert("lens/b.go".into(), "".into()))), &["lens/b.go"]);
    says(&toml("ttl = \"n\"", "ttl = \"lock\""), &["toml:46", "no program speaks of a key lock"]);
    let quorum = "quorum = { key = \"n\", owner = \"token\", until = \"n\" }\n[flow]";
    says(&toml("[flow]", quorum), &["a global token", "a quorum is of several instances"]);
    says(&toml("to = \"odd\"", "to = \"even\""), &["no node even", "nothing leads to odd"]);
    says(&toml("lines = [2, 2]", "lines = [2, 3]"), &["no lines 2 to 3", "the lines 1 to 2"]);
    says(&toml("lines = [2, 2]", "lines = [1, 2]"), &["it shares lines with get"]);
    says(&toml("lines = [2, 2]\n", ""), &["line 2 of add.lua calls and belongs to no node"]);
    says(&toml(", when = { en = \"no\", zh = \"否\" }", ""), &["does not say when"]);
    says(&toml("kind = \"decision\"", "kind = \"action\""), &["several ways lead on"]);
    says(&toml("kind = \"end\"", ""), &["it ends here, and is no end"]);
    says(&toml("id = \"odd\"", "id = \"get\""), &["a second get"]);
}

#[test]
fn code_and_links_in_the_prose_are_looked_at() {
    let answer = wrong("zh.md", "(integer) 2", "(integer) 3");
    says(&answer, &["zh.md:28: Redis answers INCR a with", "(integer) 2"]);
    says(&wrong("en.md", "```redis", "```reids"), &["en.md:25", "reids is no language"]);
    let lua = "```lua\nlocal x = 1\nlocal y =\n```\n";
    says(
        &wrong("en.md", "See.\n## quiz who", &format!("{lua}## quiz who")),
        &["en.md:20", "Lua 5.1"],
    );
    says(&wrong("en.md", "https://redis.io/", "redis.io"), &["en.md:23", "leads to redis.io"]);
    says(&wrong("en.md", "## notes", "## remarks"), &["\"remarks\" is nothing here", "notes"]);
    says(&wrong("en.md", "## notes", "## reading"), &["no section for notes", "for reading"]);
}

// ---- A guide, and all lessons together ----------------------------------------------------------

const GUIDE: &str = r#"minutes = 1
[[question]]
id = "start"
text = { en = "What?", zh = "什么？" }
answers = [
  { text = { en = "A number", zh = "数" }, to = "counter" },
  { text = { en = "More", zh = "更多" }, to = "more" },
]
[[question]]
id = "more"
text = { en = "More?", zh = "更多？" }
[[question.answers]]
text = { en = "Yes", zh = "是" }
to = "counter"
[[question.answers]]
text = { en = "No", zh = "否" }
to = "start"
[[advice]]
id = "counter"
lesson = "count"
because = [{ lesson = "count", variant = "naive", property = "total" }]
"#;

const GUIDE_PROSE: &str = "# Which 选择\n> To choose.\n\n## advice counter: INCR 计数\nUse it, \
                           see [there](#lesson=count&variant=naive).\n";

fn guide_with(from: &str, to: &str) -> Result<Written, Vec<Diagnostic>> {
    let files = [
        ("lesson.toml", GUIDE.replace(from, to)),
        ("en.md", GUIDE_PROSE.to_owned()),
        ("zh.md", GUIDE_PROSE.to_owned()),
    ];
    let files: Files = files.map(|(name, text)| (name.to_owned(), text)).into();
    build::build("which", "lessons/which", &files)
}

#[test]
fn a_guide_leads_from_every_question_to_advice() {
    let guide = guide_with("", "").unwrap_or_else(|problems| panic!("{problems:?}"));
    let guide = guide.lesson.guide.expect("a guide");
    assert_eq!((guide.questions.len(), guide.questions[1].answers[0].to.as_str()), (2, "counter"));
    assert_eq!(guide.advice[0].title.en, "INCR 计数");
    let wrong = |from: &str, to: &str| {
        let problems = guide_with(from, to).expect_err("must be refused");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    says(&wrong("to = \"more\"", "to = \"start\""), &["toml:10", "nothing leads to more"]);
    says(&wrong("to = \"more\"", "to = \"less\""), &["toml:7", "no question or advice less"]);
    says(&wrong("id = \"counter\"", "id = \"more\""), &["a second more", "advice counter"]);
    says(&wrong("  { text = { en = \"More\"", "#"), &["fewer than two answers"]);
    let questions = GUIDE.split("[[advice]]").next().expect("what stands before");
    says(&wrong(questions, "minutes = 1\n"), &["no variant", "no question that leads to it"]);
}

/// A folder of lessons in the system's folder for passing things; gone with the value.
struct Shelf(std::path::PathBuf);

impl Shelf {
    fn new(name: &str, files: &[(&str, &str)]) -> Shelf {
        let shelf = Shelf(std::env::temp_dir().join(format!("{name}-{}", std::process::id())));
        for (file, text) in files {
            let path = shelf.0.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        shelf
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const INDEX: &str = r#"[[chapter]]
id = "a"
title = { en = "a", zh = "b" }
about = { en = "c", zh = "d" }
lessons = ["count", "which"]
[[start]]
know = { en = "a", zh = "b" }
lesson = "count"
"#;

const GLOSSARY: &str = "[[term]]\nid = \"z\"\nname = { en = \"zero\", zh = \"零\" }\n\
                        pinyin = \"ling\"\n\
                        about = { en = \"`0`\", zh = \"`0`\" }\n\
                        [[term]]\nid = \"a\"\nname = { en = \"Atomic\", zh = \"原子\" }\n\
                        pinyin = \"yuan zi\"\n\
                        about = { en = \"Whole.\", zh = \"整个。\" }\nlesson = \"count\"\n";

fn course(name: &str, file: &str, from: &str, to: &str) -> Result<Course, Vec<Diagnostic>> {
    let add = "local n = tonumber(redis.call('GET', 'n'))\nredis.call('SET', 'n', n + 1)\n";
    let manifest = MANIFEST.split("[challenge]").next().expect("what stands before");
    let prose = PROSE.split("## challenge").next().expect("what stands before");
    let mut files = [
        ("index.toml", INDEX.to_owned()),
        ("glossary.toml", GLOSSARY.to_owned()),
        ("README.md", "For authors.\n".to_owned()),
        ("count/lesson.toml", manifest.to_owned()),
        ("count/add.lua", add.to_owned()),
        ("count/en.md", prose.to_owned()),
        ("count/zh.md", prose.to_owned()),
        ("which/lesson.toml", GUIDE.to_owned()),
        ("which/en.md", GUIDE_PROSE.to_owned()),
        ("which/zh.md", GUIDE_PROSE.to_owned()),
    ];
    for (_, text) in files.iter_mut().filter(|(name, _)| *name == file) {
        *text = text.replace(from, to);
    }
    let mut files: Files = files.map(|(name, text)| (name.to_owned(), text)).into();
    if to.contains("exercise = \"count\"") {
        mix(&mut files, "count/");
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    read_all(&Shelf::new(name, &files).0)
}

#[test]
fn lessons_testify_for_each_other() {
    let course = course("course", "", "", "").unwrap_or_else(|problems| panic!("{problems:?}"));
    let names: Vec<&str> = course.glossary.terms.iter().map(|term| term.name.en.as_str()).collect();
    assert_eq!(names, ["Atomic", "zero"], "by their English names");
    let places: Vec<u32> = course.glossary.terms.iter().map(|term| term.zh).collect();
    assert_eq!(places, [1, 0], "their places by the Chinese names, ling before yuan zi");
    assert_eq!(course.index.chapters[0].about.zh, "d");
    assert_eq!(course.index.starts[0].lesson, "count");
    let guide = course.lessons[1].lesson.guide.as_ref().expect("a guide");
    let evidence = &guide.advice[0].because[0];
    assert!(!evidence.holds);
    assert_eq!((evidence.kind.as_str(), evidence.label.en.as_str()), ("always", "n = 3"));
    assert_eq!(evidence.variant_label.en, "GET / SET");
}

#[test]
fn a_chapter_ends_with_its_mixed_exercise() {
    let lessons = "lessons = [\"count\", \"which\"]";
    let made = "lessons = [\"which\"]\nexercise = \"count\"";
    let course = course("mixed", "index.toml", lessons, made)
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let chapter = &course.index.chapters[0];
    let card = chapter.exercise.as_ref().expect("a mixed exercise");
    assert_eq!((card.id.as_str(), card.goal.en.len(), chapter.lessons.len()), ("count", 0, 1));
    let order: Vec<&str> = course.index.lessons().map(|card| card.id.as_str()).collect();
    assert_eq!(order, ["which", "count"]);
    let order = course.lessons.iter().map(|written| written.lesson.id.as_str());
    assert_eq!(order.collect::<Vec<_>>(), ["which", "count"]);
    let text = serde_json::to_string(&course.index).expect("JSON");
    assert_eq!(crate::json::read::<crate::lesson::Index>(&text), Ok(course.index));
}

#[test]
fn what_is_said_of_other_lessons_must_be_there() {
    let wrong = |name: &str, file: &str, from: &str, to: &str| {
        let problems = course(name, file, from, to).expect_err("must be refused");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let link = wrong("link", "which/en.md", "=count&", "=coint&");
    says(&link, &["which/en.md:5: there is no lesson coint"]);
    let advice = wrong("advice", "which/lesson.toml", "lesson = \"count\"\n", "lesson = \"x\"\n");
    says(&advice, &["which/lesson.toml:20: there is no lesson x"]);
    let property = wrong("property", "which/lesson.toml", "\"total\"", "\"sum\"");
    says(&property, &["which/lesson.toml:21", "naive of count claims nothing of sum"]);
    let variant = wrong("variant", "which/lesson.toml", "\"naive\"", "\"other\"");
    says(&variant, &["count has no variant other"]);
    let start = wrong("start", "index.toml", "lesson = \"count\"", "lesson = \"x\"");
    says(&start, &["index.toml:8: there is no lesson x"]);
    let about = wrong("about", "index.toml", "about", "abuot");
    says(&about, &["index.toml:4", "abuot"]);
    let none = wrong("none", "index.toml", ", \"which\"]", "]\nexercise = \"which\"");
    says(&none, &["index.toml:6: which asks nothing about its variants"]);
    let folder = wrong("folder", "index.toml", ", \"which\"", "");
    says(&folder, &["the folder which is in no chapter"]);
    let term = wrong("term", "glossary.toml", "\"count\"", "\"x\"");
    says(&term, &["glossary.toml:11: there is no lesson x"]);
    let words = wrong("words", "glossary.toml", "Whole.", "- a list");
    says(&words, &["glossary.toml:10", "the en of a is not a line of words"]);
    let moved = |variant: &str, lesson: &str| {
        format!("minutes = 1\n[[moved]]\nvariant = \"{variant}\"\nlesson = \"{lesson}\"\n")
    };
    let lesson = wrong("moved", "which/lesson.toml", "minutes = 1\n", &moved("old", "x"));
    says(&lesson, &["which/lesson.toml:4: there is no lesson x"]);
    let gone = wrong("moved-to", "which/lesson.toml", "minutes = 1\n", &moved("old", "count"));
    says(&gone, &["which/lesson.toml:4: count has no variant old"]);
    let here = "[[moved]]\nvariant = \"naive\"\nlesson = \"which\"\n[[variant]]\n";
    let here = wrong("moved-not", "count/lesson.toml", "[[variant]]\n", here);
    says(&here, &["count/lesson.toml:12: the variant naive stands in this lesson, too"]);
    let twice = wrong("twice", "glossary.toml", "\"z\"", "\"a\"");
    says(&twice, &["glossary.toml:7", "a second a"]);
}
