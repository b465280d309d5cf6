//! The rules of this house that a compiler does not know, checked with the other tests.
//!
//! Each rule is a function from a file to its problems, each problem a sentence that says what to
//! do. Deliberately simple: lines and words, no parsing of Rust. The words that a rule looks for
//! are put together with `concat!`, so that this file passes its own rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[path = "tidy/bounds.rs"]
mod bounds;
#[path = "tidy/readers.rs"]
mod readers;

/// The crates below the library, the servers and the divider; the compiler holds what each may use.
const MEMBERS: [&str; 7] = ["ground", "lua", "engine", "checker", "proxy", "server", "divide"];

/// The layers of `lib.rs`, from the bottom up: a module may use only what stands before it.
const LAYERS: [&str; 15] = [
    "text",
    "sim",
    "load",
    "scenario",
    "lesson",
    "session",
    "playground",
    "real",
    "jobs",
    "worker",
    "view",
    "app",
    "ui",
    "check",
    "program",
];

/// What the order alone would allow.
const FORBIDDEN: [(&str, &[&str], &str); 2] = [
    ("sim", &["text"], "nothing below `lesson` is localised"),
    ("load", &["text"], "nothing below `lesson` is localised"),
];

/// Layers that may meet the page, the clock and the network.
const OUTER: [&str; 5] = ["worker", "ui", "proxy", "server", "program"];

/// What the repository's first page may hold, beside dotfiles and what is built.
const TOP_LEVEL: [&str; 20] = [
    "src",
    "docs",
    "build.rs",
    "static",
    "tests",
    "benches",
    // Where cargo-fuzz looks for a package of its own.
    "fuzz",
    "index.html",
    "Cargo.toml",
    "Cargo.lock",
    "Trunk.toml",
    "Makefile",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "dist",
    "target",
];

/// Tables, one row to a line however long its texts are: broken up they could not be compared.
const TABLES: [&str; 13] = [
    "src/engine/rows/",
    "src/text/strings.rs",
    "src/text/lessons.rs",
    "src/text/later.rs",
    "src/text/cause.rs",
    "src/text/class.rs",
    "src/text/real.rs",
    "src/text/kept.rs",
    "src/text/live.rs",
    "src/text/map.rs",
    "src/text/screen.rs",
    "src/text/crowd.rs",
    "src/text/verdict.rs",
];

/// Functions that are longer than the others may be, with their lines: the list may only shrink.
const LONG_FUNCTIONS: [(&str, &str, usize); 33] = [
    ("src/app/search.rs", "hear", 77),
    ("src/app/shell/press.rs", "other_input", 151),
    ("src/app/shell/real.rs", "real_input", 99),
    ("src/check/report.rs", "in_json", 91),
    ("src/check/report.rs", "in_lines", 81),
    ("src/divide/cut.rs", "module", 81),
    ("src/divide/data.rs", "read", 98),
    ("src/engine/commands/geo.rs", "parse", 75),
    ("src/engine/commands/info.rs", "section", 100),
    ("src/lua/exec.rs", "exec", 421),
    ("src/lua/library/structs.rs", "unpack", 72),
    ("src/playground/edit.rs", "edit", 72),
    ("src/proxy/relay.rs", "serve", 152),
    ("src/session/rest.rs", "a_bit", 74),
    ("src/sim/components/links.rs", "data_moves", 78),
    ("src/sim/components/steps.rs", "other_moves", 75),
    ("src/sim/property.rs", "answer", 76),
    ("src/ui/app.rs", "draw", 81),
    ("src/ui/console.rs", "pane", 108),
    ("src/ui/editor.rs", "Editor", 72),
    ("src/ui/embed/dialog.rs", "Maker", 71),
    ("src/ui/embed/dialog.rs", "result", 76),
    ("src/ui/embed/dialog.rs", "what", 80),
    ("src/ui/import.rs", "form", 71),
    ("src/ui/review.rs", "quiz", 77),
    ("src/ui/stage/reel.rs", "act", 222),
    ("src/ui/stage/reel.rs", "token", 101),
    ("src/view/crowd/form.rs", "groups", 76),
    ("src/view/crowd/panel.rs", "histograms", 91),
    ("src/view/export/animated.rs", "row", 89),
    ("src/view/export/mod.rs", "junit", 83),
    ("src/view/export/mod.rs", "pytest", 80),
    ("src/view/stage/diagram/rows.rs", "row_kind", 96),
];

const LINES_MAX: usize = 800;
const FUNCTION_LINES_MAX: usize = 70;
const COLUMNS_MAX: usize = 100;

// ---- The rules ----------------------------------------------------------------------------------

#[test]
fn files_can_be_read_in_a_sitting() {
    check(&["rs", "mjs", "js"], |file, problems| {
        let lines = file.text.lines().count();
        if lines > LINES_MAX {
            problems.push(format!(
                "{}: {lines} lines, at most {LINES_MAX}: give one of its ideas a file of its own",
                file.path
            ));
        }
    });
}

/// A function is read without scrolling.
#[test]
fn functions_can_be_read_at_a_glance() {
    let mut found = Vec::new();
    check(&["rs"], |file, problems| {
        if file.is_test() || !file.path.starts_with("src/") {
            return;
        }
        let lines: Vec<_> = file.code_before_tests().map(|(_, line)| line).collect();
        for (start, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let Some((before, after)) = line.split_once("fn ") else { continue };
            let is_one = |word| matches!(word, "const" | "async" | "unsafe") || is_pub(word);
            if !before.split_whitespace().all(is_one) {
                continue;
            }
            let end = format!("{}}}", " ".repeat(indent));
            let rest = lines[start..].iter();
            let len =
                1 + rest.take_while(|line| **line != end && !is_declared(line, indent)).count();
            if len > FUNCTION_LINES_MAX {
                let name = first_name(after);
                let known =
                    LONG_FUNCTIONS.iter().find(|(at, of, _)| *at == file.path && *of == name);
                match known {
                    Some((.., lines)) if *lines >= len => {}
                    known => problems.push(format!(
                        "{}:{}: {name} has {len} lines, at most {}: give one of its ideas a \
                         function of its own",
                        file.path,
                        start + 1,
                        known.map_or(FUNCTION_LINES_MAX, |(.., lines)| *lines)
                    )),
                }
                found.push((file.path.clone(), name, len));
            }
        }
    });
    let is_there = |(path, name, lines): &(&str, &str, usize)| {
        found.iter().any(|(at, of, len)| at == path && of == name && len == lines)
    };
    let shorter: Vec<_> = LONG_FUNCTIONS.iter().filter(|one| !is_there(one)).collect();
    assert!(shorter.is_empty(), "shorter now: correct LONG_FUNCTIONS: {shorter:?}");
}

/// Is this word `pub`, or `pub(super)` and the like?
fn is_pub(word: &str) -> bool {
    word.starts_with("pub")
}

/// Does this line end a function without a body, which begins at `indent`?
fn is_declared(line: &str, indent: usize) -> bool {
    line.ends_with(';') && line.len() - line.trim_start().len() == indent
}

#[test]
fn lines_fit_beside_each_other() {
    check(&["rs"], |file, problems| {
        for (at, line) in file.lines() {
            let columns = line.chars().count();
            if columns > COLUMNS_MAX && !TABLES.iter().any(|table| file.path.starts_with(table)) {
                problems.push(format!("{at}: {columns} columns, at most {COLUMNS_MAX}: break it"));
            }
            if line.contains('\t') {
                problems.push(format!("{at}: a tab: write spaces, or \\t in a string"));
            }
        }
    });
}

/// A class that nothing is drawn with is the rest of something that went.
#[test]
fn style_sheets_name_only_what_is_drawn() {
    let mut files = Vec::new();
    collect(Path::new("."), &mut files);
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let drawn: BTreeSet<&str> = files
        .iter()
        .filter(|file| ["src/", "static/", "index.html"].iter().any(|at| file.path.starts_with(at)))
        .filter(|file| !file.path.ends_with(".css"))
        .flat_map(|file| file.text.split(|c| !is_name(c)))
        .collect();
    check(&["css"], |file, problems| {
        for (number, line) in file.text.lines().enumerate() {
            // What is in braces or a comment is no selector.
            if line.contains(": ") && line.ends_with(';') || line.trim_start().starts_with("/*") {
                continue;
            }
            for (start, _) in line.match_indices('.') {
                let class = line[start + 1..].split(|c| !is_name(c)).next().unwrap_or_default();
                let made = class.trim_end_matches(|c: char| c.is_ascii_digit());
                let is_class = class.starts_with(|c: char| c.is_ascii_alphabetic());
                if is_class && !drawn.contains(class) && !drawn.contains(made) {
                    problems.push(format!(
                        "{}:{}: nothing has the class {class}",
                        file.path,
                        number + 1
                    ));
                }
            }
        }
    });
}

#[test]
fn nothing_is_left_unfinished() {
    let macros = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("db", "g!(")];
    check(&["rs"], |file, problems| {
        for (at, line) in file.code() {
            for name in macros.iter().filter(|name| has_word(line, name)) {
                problems
                    .push(format!("{at}: {name}…): finish it, or return an error that says so"));
            }
        }
    });
}

#[test]
fn the_core_never_meets_a_clock_a_socket_or_the_page() {
    let words = [
        ("Instant", "take the time as an argument"),
        ("SystemTime", "take the time as an argument"),
        ("web_sys", "return plain data; `ui` shows it"),
        ("js_sys", "return plain data; `ui` shows it"),
        ("wasm_bindgen", "return plain data; `ui` shows it"),
        ("thread_rng", "take a seed as an argument"),
        ("rand::rng", "take a seed as an argument"),
        ("std::net", "take and return values; `proxy` has the sockets"),
    ];
    check(&["rs"], |file, problems| {
        let Some(layer) = file.layer().filter(|layer| !OUTER.contains(layer)) else { return };
        for (at, line) in file.code() {
            for (word, remedy) in words.iter().filter(|(word, _)| has_word(line, word)) {
                problems.push(format!("{at}: `{layer}` may not use {word}: {remedy}"));
            }
        }
    });
}

#[test]
fn modules_use_only_what_stands_above_them() {
    check(&["rs"], |file, problems| {
        let Some(layer) = file.layer().filter(|layer| !MEMBERS.contains(layer)) else { return };
        let height = |name: &str| LAYERS.iter().position(|layer| *layer == name);
        let Some(own) = height(layer) else {
            problems.push(format!(
                "{}: `{layer}` is no layer yet: give it its place in LAYERS, in tests/tidy.rs",
                file.path
            ));
            return;
        };
        let code: String = file.code().flat_map(|(_, line)| [line, "\n"]).collect();
        for used in names_after("crate::", &code) {
            if height(&used).is_some_and(|used| used > own) {
                problems.push(format!(
                    "{}: `{layer}` uses crate::{used}, which stands below it in src/lib.rs: \
                     pass in what it needs, or move the code down",
                    file.path
                ));
            }
            for (_, names, why) in FORBIDDEN.iter().filter(|(name, ..)| *name == layer) {
                if names.contains(&used.as_str()) {
                    problems.push(format!("{}: `{layer}` uses crate::{used}: {why}", file.path));
                }
            }
        }
    });
}

/// The order is that of `src/view/mod.rs`. Tests may use every room.
#[test]
fn rooms_of_the_view_use_only_what_stands_above_them() {
    let view = read("src/view/mod.rs");
    let rooms: Vec<&str> = declared(&view).collect();
    let changing = ["&mut Session", "&mut Timeline", "&mut World"];
    check(&["rs"], |file, problems| {
        let Some(below) = file.path.strip_prefix("src/view/").filter(|_| !file.is_test()) else {
            return;
        };
        let room = below.split(['/', '.']).next().unwrap_or_default();
        let height = |name: &str| rooms.iter().position(|room| *room == name);
        let code: String = file.code_before_tests().flat_map(|(_, line)| [line, "\n"]).collect();
        let depth = below.matches('/').count() + usize::from(!below.ends_with("mod.rs"));
        let up = "super::".repeat(depth);
        let used = names_after("crate::view::", &code).into_iter().chain(names_after(&up, &code));
        for used in used.filter(|_| depth > 0) {
            if height(&used) > height(room) {
                problems.push(format!(
                    "{}: `{room}` uses view::{used}, which stands below it in src/view/mod.rs: \
                     pass in what it needs, or move the code down",
                    file.path
                ));
            }
        }
        for (at, line) in file.code_before_tests() {
            for word in changing.iter().filter(|word| line.contains(**word)) {
                problems.push(format!("{at}: {word}: `view` only draws; `app` changes"));
            }
        }
    });
}

/// The modules that a file declares, in their order.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
}

#[test]
fn lib_rs_lists_the_layers_in_their_order() {
    let lib = read("src/lib.rs");
    let listed: Vec<&str> = declared(&lib).collect();
    let ordered: Vec<&str> = LAYERS.into_iter().filter(|layer| listed.contains(layer)).collect();
    assert_eq!(
        listed, ordered,
        "src/lib.rs (left) must list its modules in the order of LAYERS in tests/tidy.rs (right)"
    );
}

#[test]
fn the_outer_layers_do_not_panic_on_what_they_meet() {
    check(&["rs"], |file, problems| {
        if !file.layer().is_some_and(|layer| OUTER.contains(&layer)) || file.is_test() {
            return;
        }
        for (at, line) in file.code_before_tests() {
            for call in [concat!(".unw", "rap()"), concat!(".exp", "ect(")] {
                if line.contains(call) {
                    problems.push(format!(
                        "{at}: {call}: input, the page and storage may fail; handle it"
                    ));
                }
            }
        }
    });
}

#[test]
fn differences_from_redis_are_marked_alike() {
    let marker = concat!("DIFFER", "ENCE");
    check(&["rs"], |file, problems| {
        for (at, line) in file.lines() {
            let Some((before, after)) = line.split_once(marker) else { continue };
            // Prose about the marker quotes it.
            if before.ends_with('`') {
                continue;
            }
            let in_comment = before.contains("//");
            let reason = after.strip_prefix(": ").unwrap_or_default();
            if !in_comment || reason.split_whitespace().count() < 3 {
                problems
                    .push(format!("{at}: write `// {marker}: what differs, and why` in a comment"));
            }
        }
    });
}

#[test]
fn every_dependency_has_its_reason() {
    let mut problems = Vec::new();
    let folders = MEMBERS.map(|member| format!("src/{member}/"));
    for folder in ["", "fuzz/"].into_iter().chain(folders.iter().map(String::as_str)) {
        let path = format!("{folder}Cargo.toml");
        let manifest = read(&path);
        let (mut inside, mut above) = (false, "");
        for (number, line) in manifest.lines().enumerate() {
            if line.starts_with('[') {
                inside = line.ends_with("dependencies]");
            } else if inside && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
                let name = line.split([' ', '=', '.']).next().unwrap_or_default();
                if !above.starts_with('#') {
                    let number = number + 1;
                    problems.push(format!("{path}:{number}: say above what {name} is needed for"));
                }
            }
            above = line;
        }
    }
    report(&problems);
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    let paths = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/tmp/", "il-")];
    check(&[], |file, problems| {
        for (at, line) in file.lines() {
            for path in paths.iter().filter(|path| line.contains(**path)) {
                problems.push(format!("{at}: {path} is a path of one machine: make it relative"));
            }
        }
    });
}

#[test]
fn tools_have_the_version_that_the_page_is_built_with() {
    let value = |file: &str, name: &str| {
        let text = read(file);
        let line = text.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{file} has no line that starts with `{name}`"))
    };
    let binaryen = value(".ci/versions", "BINARYEN=");
    let in_trunk = value("Trunk.toml", "wasm_opt = ");
    assert_eq!(
        in_trunk,
        format!("\"version_{binaryen}\""),
        "wasm_opt of Trunk.toml (left) and BINARYEN of .ci/versions (right) must be one version"
    );

    let lock = read("tests/browser/package-lock.json");
    assert!(
        !lock.contains("\"resolved\""),
        "tests/browser/package-lock.json names download addresses: run `npm install` in that \
         folder, where .npmrc leaves them out"
    );
}

/// The page's address and the version stand where tools and readers look for them, and are alike.
#[test]
fn a_release_is_called_the_same_everywhere() {
    let of = |file: &str, start: &str| {
        let text = read(file);
        let line = text.lines().find_map(|line| line.trim().strip_prefix(start)).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{file} has no line that starts with `{start}`"))
    };
    let page = of("README.md", "[page]: ");
    assert_eq!(of("docs/zh/README.md", "[page]: "), page, "[page] of README.md sets the address");
    let version = of("Cargo.toml", "version = ").trim_matches('"').to_owned();
    let npm = of("static/npm/package.json", "\"version\": ");
    assert_eq!(npm, format!("\"{version}\","), "static/npm/package.json and Cargo.toml");
    let logged = of("CHANGELOG.md", "## ");
    assert!(logged.starts_with(&version), "CHANGELOG.md begins with {logged}, not with {version}");
}

#[test]
fn the_first_page_of_the_repository_stays_short() {
    let mut problems = Vec::new();
    for name in names_in(Path::new(".")) {
        if !name.starts_with('.') && !TOP_LEVEL.contains(&name.as_str()) {
            problems.push(format!("{name}: belongs into src, static, tests or .ci"));
        }
    }
    report(&problems);
}

/// What a visit to a lesson runs comes early because it was recorded. A lesson that is new or runs
/// other commands may need what comes late, and the page begin again.
#[test]
fn visits_to_all_lessons_are_recorded_as_they_are() {
    let list = read("src/divide/unused.txt");
    let line = list.lines().find_map(|line| line.strip_prefix("# Recorded with: "));
    let recorded: BTreeSet<&str> = line.unwrap_or_default().split(' ').collect();
    let mut problems = Vec::new();
    for id in names_in(Path::new("static/lessons")).iter().filter(|id| !id.contains('.')) {
        let folder = format!("static/lessons/{id}");
        let mut files = names_in(Path::new(&folder));
        files.retain(|name| name.ends_with(".toml") || name.ends_with(".lua"));
        files.sort();
        let text: String = files.iter().map(|name| read(&format!("{folder}/{name}"))).collect();
        // FNV-1a, as in tests/browser/visits.mjs.
        let add = |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = text.bytes().fold(0x811c_9dc5, add);
        if !recorded.contains(format!("{id}:{hash:08x}").as_str()) {
            let say = format!("{folder}: its visit is not recorded; `make record LESSON={id}`");
            problems.push(say);
        }
    }
    report(&problems);
}

/// docs/authoring.md says how a lesson's minutes are counted; the teacher's pages repeat them.
#[test]
fn lessons_say_their_minutes_by_one_rule() {
    let pages = ["docs/teaching.md", "docs/zh/teaching.md"].map(|page| (page, read(page)));
    let mut problems = Vec::new();
    for id in names_in(Path::new("static/lessons")) {
        if id.contains('.') {
            continue;
        }
        let manifest = read(&format!("static/lessons/{id}/lesson.toml"));
        let minutes = (seconds(&manifest) + 30) / 60;
        if !manifest.lines().any(|line| line == format!("minutes = {minutes}")) {
            problems.push(format!("static/lessons/{id}/lesson.toml: minutes = {minutes}"));
        }
        for (page, text) in &pages {
            let said = [format!("`{id}`, {minutes}"), format!("`{id}`，{minutes}")];
            let is_digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
            let says = |said: &String| text.split(said).skip(1).any(|rest| !is_digit(rest));
            if !said.iter().any(says) {
                problems.push(format!("{page}: {}", said[0]));
            }
        }
    }
    report(&problems);
}

/// Counts what a reader of the lesson with this manifest steps, reads and answers.
fn seconds(manifest: &str) -> usize {
    let (mut seconds, mut table, mut variants) = (0, "", 0);
    let mut programs = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            table = line.trim_end();
            seconds += match table {
                "[[quiz]]" | "[challenge]" => 60,
                "[exercise]" => 180,
                "[[question]]" => 30,
                _ => 0,
            };
            variants += usize::from(table == "[[variant]]");
        }
        let value = line.split(" #").next().unwrap_or_default();
        if table == "[[walk]]" && value.starts_with("schedule = ") {
            seconds += 10 * value.split('.').count();
        }
        if table == "[[variant]]" && !value.starts_with('#') {
            programs.extend(value.split('"').filter(|word| word.ends_with(".lua")));
        }
        // A mixed exercise's question about its variants.
        if table == "[[quiz]]" && value.starts_with("keep = ") {
            seconds = seconds - 60 + 30 * variants;
        }
    }
    seconds + 30 * programs.len()
}

// ---- Files --------------------------------------------------------------------------------------

/// A text file of the repository; `path` is relative to it, with `/`.
struct File {
    path: String,
    text: String,
}

impl File {
    /// The module of `lib.rs` that it belongs to.
    fn layer(&self) -> Option<&str> {
        let below = self.path.strip_prefix("src/")?;
        let layer = below.split('/').next()?;
        let layer = layer.strip_suffix(".rs").unwrap_or(layer);
        (!matches!(layer, "lib" | "bin")).then_some(layer)
    }

    fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// Every line, with its place.
    fn lines(&self) -> impl Iterator<Item = (String, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (format!("{}:{}", self.path, index + 1), line))
    }

    /// Every line without its comment.
    fn code(&self) -> impl Iterator<Item = (String, &str)> {
        self.lines().map(|(at, line)| (at, line.split("//").next().unwrap_or_default()))
    }

    /// Tests stand at the end of a file, in a module; one with a file of its own may stand before.
    fn code_before_tests(&self) -> impl Iterator<Item = (String, &str)> {
        let is_tests = |(start, _): &(usize, &str)| {
            let mut after = self.text[*start..].lines().skip(1);
            after.next().is_some_and(|next| next.trim().starts_with("mod ") && next.ends_with('{'))
        };
        let tests = self.text.match_indices("#[cfg(test)]\n").find(is_tests);
        let end = tests.map_or(self.text.len(), |(start, _)| start);
        self.code().take(self.text[..end].lines().count())
    }
}

/// Applies a rule to all files with one of the `extensions` (none given: to every text file).
fn check(extensions: &[&str], mut rule: impl FnMut(&File, &mut Vec<String>)) {
    let mut files = Vec::new();
    collect(Path::new("."), &mut files);
    assert!(files.iter().any(|file| file.path == "src/lib.rs"), "the files are not found");
    let mut problems = Vec::new();
    for file in &files {
        let extension = file.path.rsplit('.').next().unwrap_or_default();
        if extensions.is_empty() || extensions.contains(&extension) {
            rule(file, &mut problems);
        }
    }
    report(&problems);
}

fn report(problems: &[String]) {
    assert!(problems.is_empty(), "\n\n{}\n\n", problems.join("\n"));
}

/// Every file below `folder` that is UTF-8 text. Binary files have no lines to judge.
fn collect(folder: &Path, files: &mut Vec<File>) {
    for name in names_in(folder) {
        if matches!(name.as_str(), ".git" | "target" | "dist" | "node_modules" | "shots") {
            continue;
        }
        let path = folder.join(&name);
        let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path);
        if full.is_dir() {
            collect(&path, files);
        } else if let Ok(text) = fs::read_to_string(&full) {
            let path = path.components().skip(1).map(|part| part.as_os_str().to_string_lossy());
            files.push(File { path: path.collect::<Vec<_>>().join("/"), text });
        }
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(path: &str) -> String {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(full).unwrap_or_else(|error| panic!("{path}: {error}"))
}

// ---- Words --------------------------------------------------------------------------------------

/// Does `word` stand in `line`, not as a part of a longer one?
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(start, _)| {
        let (before, after) = (&line[..start], &line[start + word.len()..]);
        !before.ends_with(part) && (word.ends_with('(') || !after.starts_with(part))
    })
}

/// The first names after a path such as `crate::`, also those in braces: `crate::{a::b, c}` has `a`
/// and `c`.
fn names_after(path: &str, code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (start, found) in code.match_indices(path) {
        if code[..start].ends_with(|c: char| c.is_alphanumeric() || "_$:".contains(c)) {
            continue;
        }
        let after = &code[start + found.len()..];
        let Some(inside) = after.strip_prefix('{') else {
            names.push(first_name(after));
            continue;
        };
        let mut depth = 0;
        let mut begin = 0;
        for (index, c) in inside.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    names.push(first_name(&inside[begin..index]));
                    begin = index + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn first_name(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn words_and_paths_are_found() {
    assert!(has_word("use std::time::{Duration, Instant};", "Instant"));
    assert!(!has_word("an Instantiation, or MyInstant", "Instant"));
    assert!(!has_word("undo!(x)", "do!("));

    let paths = |code: &str| names_after("crate::", code).join(" ");
    assert_eq!(paths("use crate::resp::Value;"), "resp");
    assert_eq!(paths("use crate::{resp::{Value, Error}, hash, lua::Vm,\n};"), "resp hash lua");
    assert_eq!(paths("pub(crate) fn f(x: &crate::sim::World)"), "sim");
    assert_eq!(paths("$crate::hash::x, mycrate::sim::y"), "");
}
