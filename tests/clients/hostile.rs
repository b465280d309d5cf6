//! A stranger's scenario, exported as tests: its title, names, keys, values, SQL and errors are
//! data in the file, whatever they hold. The files are run against a real redis-server, the Python
//! ones by pytest with redis-py, the Java ones with stand-ins for JUnit and Jedis
//! (`tests/clients/java`).
//!
//! A text that became code would make the file [`MARK`], or break its program. To add an attack,
//! add it to [`texts`].

use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use interleave::playground::{Client, Definition, Property, Script};
use interleave::session::Session;
use interleave::session::link::Link;
use interleave::sim::Kind;
use interleave::text::Lang;
use interleave::view::export::{Form, export};

use super::exported::Server;

const MARK: &str = "MARK";
const PYTHON: &str = "open(\"MARK\", \"w\")";
const JAVA: &str = "new java.io.File(\"MARK\").mkdir();";

/// Attacks; the first text is harmless.
fn texts() -> Vec<String> {
    let both = |before: &str, after: &str| {
        vec![format!("x{before}{PYTHON}{after}#"), format!("x{before} {JAVA} {after}//")]
    };
    let mut texts = vec!["A title".to_owned()];
    for end in ["\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
        texts.extend(both(end, end));
    }
    // Java reads these before it knows what is a comment or a string.
    for end in [r"\u000a", r"\\u000a", r"\\\u000a", r"\uuu000d", r"\u005cu000a", "中\\u000a"] {
        texts.extend(both(end, end));
    }
    for quote in ["\"\"\"", "'''", "\"", "'", "\\\"", "\\\\\"", r"\u0022", "é\"", "中\""] {
        texts.extend(both(&format!("{quote}\n"), &format!("\n{quote}")));
        texts.push(format!("x{quote}); {JAVA} //"));
        texts.push(format!("x{quote}) + str({PYTHON}) #"));
    }
    texts.push(format!("x */ {JAVA} /* {JAVA}"));
    texts.push(format!(r"x \u002a\u002f {JAVA} \u002f\u002a"));
    texts.push(format!("x\n>>> {PYTHON}\n"));
    texts.push(format!("coding: utf-7 +AAo-{PYTHON}+AAo-"));
    texts.push(format!("{{{PYTHON}}} {{}} {{0}} {{{{ %s %(x)s ${{x}} $x"));
    for text in ["</text></title><script>x</script>", "\"><img src=x onerror=x>", "]]><!--&lt;x"] {
        texts.push(text.to_owned());
    }
    texts.push("%%{init: {'securityLevel': 'loose'}}%% %%{wrap}%%; x->>R0: y <br/>".to_owned());
    for text in ["x\\", r"\u", r"\u12", r"\uzzzz", "\\N{BULLET} \\x41 \\101", "\"", "#", "//"] {
        texts.push(text.to_owned());
    }
    texts.push("\0 \u{1b}[2J \u{7} \u{8} \u{1a} \u{7f} \u{9b} \0".to_owned());
    texts.push("\u{feff} \u{202e} \u{2066} \u{ffff} \u{fffe} \u{10ffff} 😀 e\u{301}".to_owned());
    texts
}

/// A Lua string of any bytes.
fn lua(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().map(|byte| format!("\\{byte:03}")).collect();
    format!("\"{escaped}\"")
}

/// Returns a run of a scenario that has the text wherever one can be.
fn session(id: &str, text: &str) -> Session {
    let program = format!(
        "local t = {}
        redis.call('SET', t, t)
        redis.call('GET', t)
        redis.call('EVAL', 'return redis.sha1hex(KEYS[1])', 1, t)
        redis.pcall('EVAL', 'return redis.error_reply(ARGV[1])', 0, 'ERR ' .. t)
        redis.call('SET', 'long', string.rep(t, {}))
        redis.call('STRLEN', 'long')
        redis.call('SET', 'surrogate', '\\237\\160\\128')
        sql('UPDATE stock SET n = 1 WHERE name = ' .. {})
        sql('UPDATE stock SET n = 2 WHERE name = ?', t)
        resource(t:sub(1, 64)):write(t)
        process.x = t
        synchronized(t:sub(1, 64), function() redis.call('INCRBY', 'n', 1234567) end)",
        lua(text.as_bytes()),
        // Longer than a constant of Java may be.
        if text.contains('😀') { 2_000 } else { 1 },
        lua(format!("'{}'", text.replace('\'', "")).as_bytes()),
    );
    let setup: String = text.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    let mut property = Property::new(Kind::Always, "(number('n') or 0) < 1".to_owned());
    property.name = text.to_owned();
    let own = Definition {
        title: text.to_owned(),
        programs: vec![Script { name: "p".to_owned(), text: program }],
        clients: vec![Client::default(); 2],
        scripts: vec![Script { name: "s".to_owned(), text: format!("--[==[{text}]==] return 1") }],
        setup: format!("SET \"{setup}\" \"{setup}\"\n"),
        sql: "CREATE TABLE stock (name TEXT, n INT)\nINSERT INTO stock VALUES ('x', 0)".to_owned(),
        properties: vec![property],
        ..Definition::default()
    };
    let mut lesson = own.lesson().unwrap_or_else(|mistakes| panic!("{text:?}: {mistakes:?}"));
    // Java's class is named after it.
    lesson.id = id.to_owned();
    let steps: Vec<String> = (1..=12).map(|step| format!("A{step}")).collect();
    let link = Link { schedule: Some(steps.join(".")), ..Link::default() };
    let (session, notices) = Session::open(Rc::new(lesson), &link).expect("it opens");
    assert!(notices.is_empty(), "{text:?}: {notices:?}");
    session
}

/// An empty folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("interleave-{name}-{}", std::process::id()));
        std::fs::create_dir(&path).expect("a folder");
        Folder(path)
    }

    /// Runs a program in the folder. Returns true if it succeeds, and what it printed.
    fn run(&self, program: &Path, arguments: &[String], server: &Server) -> (bool, String) {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&self.0)
            .env("REDIS_PORTS", server.port.to_string())
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let words = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&words).into_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Writes the export of every text, once as it is and once with an expectation that is wrong.
/// Returns the names of the files.
fn write(folder: &Folder, form: Form, last: &str, wrong: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, text) in texts().iter().enumerate() {
        let id = format!("h{at}");
        let test = export(&session(&id, text), form, Lang::En);
        assert!(test.contains("It breaks: "), "{text:?}");
        assert_eq!(test.matches(last).count(), 1, "{text:?}");
        let class = format!("class H{at}");
        let other = test.replace(last, wrong).replace(&class, &format!("{class}Wrong"));
        for (id, test) in [(id.clone(), test), (id + "-wrong", other)] {
            names.push(form.file(&id));
            std::fs::write(folder.0.join(form.file(&id)), test).expect("it is written");
        }
    }
    names
}

/// Checks that each test ran, with the verdict of a harmless title, and did nothing else. `line`
/// makes the start of a line of `said` from a test's name and from whether it should pass.
fn ended(folder: &Folder, names: &[String], said: &str, line: impl Fn(&str, bool) -> String) {
    assert!(!folder.0.join(MARK).exists(), "a text became code");
    let texts = texts();
    for (at, name) in names.iter().enumerate() {
        let (text, line) = (&texts[at / 2], line(name, at % 2 == 0));
        let is_said = said.lines().any(|said| said.starts_with(&line));
        assert!(is_said, "{text:?}: no \"{line}\" in\n{said}");
    }
}

#[test]
fn no_text_becomes_code_of_a_python_test() {
    let (server, folder) = (Server::start(), Folder::new("hostile-python"));
    let names = write(&folder, Form::Pytest, "assert reply == 1234567, ", "assert reply == 2, ");
    // A docstring can be run, too.
    let options = ["-m", "pytest", "-rA", "--tb=no", "-p", "no:cacheprovider", "--doctest-modules"];
    let options = options.map(str::to_owned).to_vec();
    let (_, said) = folder.run(&super::python(), &[options, names.clone()].concat(), &server);
    ended(&folder, &names, &said, |name, passes| match passes {
        true => format!("PASSED {name}::test_schedule"),
        false => format!("FAILED {name}::test_schedule - AssertionError"),
    });
}

#[test]
fn no_text_becomes_code_of_a_java_test() {
    if Command::new("javac").arg("-version").output().is_err() {
        println!("not run: there is no JDK here: .ci/setup java");
        return;
    }
    let (server, folder) = (Server::start(), Folder::new("hostile-java"));
    let names = write(&folder, Form::JUnit, "assertEquals(1234567L, ", "assertEquals(2L, ");
    let standins = super::folder().join("java").display().to_string();
    let run = format!("{standins}/standin/Run.java");
    let options = ["-proc:none", "-d", ".", "-sourcepath", &standins, &run];
    let options = options.map(str::to_owned).to_vec();
    let (compiles, words) =
        folder.run(Path::new("javac"), &[options, names.clone()].concat(), &server);
    assert!(compiles, "{words}");
    let class = |name: &str| name.trim_end_matches(".java").to_owned();
    let classes = names.iter().map(|name| class(name)).collect();
    let options = ["-cp", ".", "standin.Run"].map(str::to_owned).to_vec();
    let (_, said) = folder.run(Path::new("java"), &[options, classes].concat(), &server);
    ended(&folder, &names, &said, |name, passes| match passes {
        true => format!("{} passed", class(name)),
        false => format!("{} failed: java.lang.AssertionError: expected: 2", class(name)),
    });
    for name in &names {
        let source = std::fs::read(folder.0.join(name)).expect("it is there");
        assert!(source.is_ascii(), "{name}: in GBK a character may take the backslash behind it");
    }
}

#[test]
fn no_text_becomes_markup_or_a_line() {
    let of = |form, text: &str| export(&session("playground", text), form, Lang::En);
    let is_end = |c: char| matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let lines = |text: &str| text.chars().filter(|c| is_end(*c)).count();
    let forms = [Form::Text, Form::Mermaid, Form::Pytest, Form::JUnit];
    let harmless = forms.map(|form| lines(&of(form, "A title")));
    let folder = Folder::new("hostile-pictures");
    for (at, text) in texts().iter().enumerate() {
        let files = forms.map(|form| of(form, text));
        assert_eq!(files.each_ref().map(|file| lines(file)), harmless, "{text:?}");
        let hidden = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert_eq!(files.each_ref().map(|file| file.contains(hidden)), [false; 4], "{text:?}");
        let mermaid = &files[1];
        for line in mermaid.lines().filter(|line| line.contains(": ")) {
            let (_, words) = line.split_once(": ").expect("a message");
            let mut plain = words.to_owned();
            for code in [35, 37, 38, 58, 59, 60, 62] {
                plain = plain.replace(&format!("#{code};"), "");
            }
            assert!(!plain.contains(['#', '%', '&', ':', ';', '<', '>']), "{text:?}: {line}");
        }
        let picture = of(Form::Animated, text);
        std::fs::write(folder.0.join(format!("{at}.svg")), picture).expect("it is written");
    }
    let parse = "import sys, xml.etree.ElementTree as tree
for path in sys.argv[1:]:
    for one in tree.parse(path).iter():
        words = [one.tag.removeprefix('{http://www.w3.org/2000/svg}'), *one.attrib]
        assert words[0] in 'svg title desc style rect g path text circle'.split(), words
        assert not [word for word in words if word.startswith('on') or 'href' in word], words";
    let files = (0..texts().len()).map(|at| format!("{at}.svg"));
    let arguments = ["-c".to_owned(), parse.to_owned()].into_iter().chain(files);
    let output = Command::new(super::python()).args(arguments).current_dir(&folder.0).output();
    let output = output.expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
