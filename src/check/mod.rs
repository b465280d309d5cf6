//! The `check` tool (native only): verdicts for lessons and scenarios, every mistake of an author,
//! and the compiled form of lessons.
//!
//! [`Call`] is the command line. To add a subcommand, add it to `call::What` and an arm to
//! `Call::run`; to add an option of a search, add a field to `call::Request`. Absent: clocks, which
//! the caller passes in.

/// Prints a line, as std's, which panics where the reader has gone: `check --all | head`.
macro_rules! println {
    ($($words:tt)*) => { crate::check::print(std::io::stdout(), format_args!($($words)*)) };
}

/// The same for what is told beside the results.
macro_rules! eprintln {
    ($($words:tt)*) => { crate::check::print(std::io::stderr(), format_args!($($words)*)) };
}

mod call;
mod challenge;
mod course;
mod crowd;
mod exercise;
mod failed;
mod finish;
mod first;
mod format;
mod kept;
mod oracle;
#[cfg(all(feature = "page", not(test)))]
mod pictures;
mod report;
mod sha256;
mod slower;
mod stamp;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::engine::Version;
use crate::json::Json;
use crate::lesson::source::{Written, read_all, read_written};
use crate::lesson::{Claim, Diagnostic, Lesson};
use crate::playground::disk::{self, OnDisk};
use crate::playground::example;
use crate::session::digests as stories;
use crate::sim::{Faults, Scenario, TimeMode};
use crate::view::console::source::docs;
use crate::view::home::race;

pub use call::{Call, Export};
use call::{Request, assignment};
use kept::Kept;
pub use report::{report, report_answers};
use stamp::stamp;

const LESSONS: &str = "static/lessons";

/// A function that returns the seconds since some moment.
pub type Clock<'c> = &'c dyn Fn() -> f64;

/// The faults that replace a lesson's own.
#[derive(Debug, Clone, Copy)]
enum Allowed {
    These(Faults),
    All,
}

/// The format of the verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    /// One object per property and line
    Json,
    /// A test case per property
    Junit,
    /// Annotations of what is not as claimed
    Github,
}

impl Request {
    /// Reads everything that is to be searched. `Err` lists the mistakes in the files.
    fn items(&self) -> Result<Vec<Item>, Vec<Diagnostic>> {
        let (mut items, mut problems) = (Vec::new(), Vec::new());
        if self.all {
            let course = read_all(Path::new(LESSONS))?;
            items.extend(course.lessons.into_iter().map(Item::of_lesson));
        }
        for folder in &self.folders {
            match Item::read(folder, &self.set, self.version) {
                Ok(Item { lesson: Some(_), .. }) if !self.set.is_empty() => {
                    let why = "a lesson has no parameters".to_owned();
                    problems.extend(problem(folder, why, "--set is for scenario folders"));
                }
                Ok(found) => items.push(found),
                Err(found) => problems.extend(found),
            }
        }
        if let Some(version) = self.version {
            items.iter_mut().flat_map(|item| &mut item.jobs).for_each(|job| job.ask_at(version));
        }
        if let Some(faults) = self.faults {
            let jobs = items.iter_mut().flat_map(|item| &mut item.jobs);
            jobs.filter_map(|job| job.scenario.as_mut().ok()).for_each(|scenario| {
                scenario.faults = match faults {
                    Allowed::These(faults) => faults,
                    Allowed::All => scenario.faults.with_all_once(),
                };
                if scenario.faults.early > 0 {
                    scenario.time = TimeMode::Any;
                }
            });
        }
        if problems.is_empty() { Ok(items) } else { Err(problems) }
    }
}

/// Parses `crash=1,pause=1`, with the names of lesson.toml.
fn faults(text: &str) -> Result<Faults, String> {
    let mut table = toml::Table::new();
    for one in text.split(',').filter(|one| !one.is_empty()) {
        let (name, number) = assignment(one)?;
        table.insert(name.to_owned(), toml::Value::Integer(number));
    }
    table.try_into().map_err(|error| error.message().to_owned())
}

fn is_scenario(path: &Path) -> bool {
    path.is_file() || path.join(disk::MANIFEST).exists()
}

/// A lesson or a scenario.
#[derive(Debug)]
struct Item {
    jobs: Vec<Job>,
    lesson: Option<Written>,
}

impl Item {
    fn read(
        folder: &Path,
        set: &[(String, i64)],
        version: Option<Version>,
    ) -> Result<Item, Vec<Diagnostic>> {
        match is_scenario(folder) {
            true => disk::read_at(folder, set, version).map(Item::of_scenario),
            false => read_written(folder).map(Item::of_lesson),
        }
    }

    fn of_lesson(written: Written) -> Item {
        let lesson = &written.lesson;
        let variants = 0..lesson.variants.len();
        let jobs = variants.map(|variant| Job::of_variant(lesson, variant)).collect();
        Item { jobs, lesson: Some(written) }
    }

    fn of_scenario(read: OnDisk) -> Item {
        for left_out in &read.left_out {
            eprintln!("{left_out}");
        }
        let job = Job::of_variant(&read.lesson, 0);
        let (lesson, variant) = (read.name, String::new());
        let job = Job { lesson, variant, file: read.file, lines: read.lines, ..job };
        Item { jobs: vec![job], lesson: None }
    }
}

/// One world to search, with the claims about it.
#[derive(Debug)]
pub(crate) struct Job {
    lesson: String,
    variant: String,
    scenario: Result<Scenario, String>,
    /// The file that has the claims, and the lines of the properties; 0 if not known.
    file: String,
    lines: Vec<usize>,
    /// The names of the properties, each with its claim.
    properties: Vec<(String, Option<Claim>)>,
    /// The number of states, if the lesson pins it.
    states: Option<u64>,
    /// True if the author expects a deadlock: in some order no client can go on, and not all have
    /// ended.
    deadlock: bool,
}

impl Job {
    pub(crate) fn of_variant(lesson: &Lesson, variant: usize) -> Job {
        let def = &lesson.variants[variant];
        let named =
            |claim: &Claim| (lesson.properties[claim.property].id.clone(), Some(claim.clone()));
        Job {
            lesson: lesson.id.clone(),
            variant: def.id.clone(),
            file: format!("{LESSONS}/{}/lesson.toml", lesson.id),
            lines: Vec::new(),
            scenario: lesson.scenario(variant),
            properties: def.claims.iter().map(named).chain([no_errors()]).collect(),
            states: def.states,
            deadlock: def.world.expect_deadlock,
        }
    }

    /// Gives the instances that name no version this one; says which others there are.
    fn ask_at(&mut self, version: Version) {
        let Ok(scenario) = &mut self.scenario else { return };
        let mut own = Vec::new();
        for node in &mut scenario.nodes {
            let asked = *node.version.get_or_insert(version);
            if asked != version {
                own.push(format!("{} is {}", node.name, asked.label()));
            }
        }
        if !own.is_empty() {
            let own = own.join(", ");
            eprintln!("{}: --version {} is not asked: {own}", self.name(), version.word());
        }
    }

    fn name(&self) -> String {
        match self.variant.as_str() {
            "" => self.lesson.clone(),
            variant => format!("{}/{variant}", self.lesson),
        }
    }
}

/// Returns the property that every scenario has besides its own: no program ends with an error.
fn no_errors() -> (String, Option<Claim>) {
    let claim = Claim { property: usize::MAX, holds: true, steps: None };
    (report::NO_ERRORS.to_owned(), Some(claim))
}

type Outcome = Result<bool, Vec<Diagnostic>>;

/// What a shell says of a program that a broken pipe has ended (128 + SIGPIPE).
const NO_READER: i32 = 141;

/// Prints a line, or ends the program: nobody reads what it has to say.
fn print(mut to: impl io::Write, line: std::fmt::Arguments<'_>) {
    if to.write_fmt(format_args!("{line}\n")).is_err() {
        std::process::exit(NO_READER);
    }
}

fn staging() -> Option<PathBuf> {
    env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from)
}

/// Returns every file below `folder`, in order, with `/` between the parts of its path. The
/// compressed copies that `make build` puts beside the page's files are left out.
fn files_below(folder: &Path) -> io::Result<Vec<String>> {
    fn collect(folder: &Path, below: &str, paths: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(folder.join(below))? {
            let entry = entry?;
            let path = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                collect(folder, &format!("{path}/"), paths)?;
            } else {
                paths.push(path);
            }
        }
        Ok(())
    }
    let mut paths = Vec::new();
    collect(folder, "", &mut paths)?;
    paths.retain(|path| !path.ends_with(".br") && !path.ends_with(".gz"));
    paths.sort();
    Ok(paths)
}

fn problem(file: &Path, message: String, remedy: &str) -> Vec<Diagnostic> {
    let file = file.display().to_string();
    vec![Diagnostic { file, line: 0, message, remedy: remedy.to_owned() }]
}

fn compile(source: &Path, out: Option<PathBuf>) -> Outcome {
    let Some(out) = out else {
        let message = "where to write is not said".to_owned();
        return Err(problem(source, message, "check compile SRC OUT"));
    };
    let kept = Kept::of(source);
    let failed = |error: std::io::Error| problem(&out, error.to_string(), "is it writable?");
    fs::create_dir_all(&out).map_err(failed)?;
    if kept.as_ref().is_some_and(|kept| kept.copied(&out)) {
        return Ok(true);
    }
    let course = read_all(source)?;
    let write = |name: String, json: serde_json::Result<String>| {
        let json = json.map_err(|error| problem(&out, error.to_string(), ""))?;
        fs::write(out.join(name), json).map_err(failed)
    };
    write("index.json".into(), serde_json::to_string(&course.index))?;
    let lessons = course.lessons.iter().map(|written| &written.lesson);
    let pictures = race::file(lessons).map_err(|why| problem(source, why, "does it run?"))?;
    fs::write(out.join("pictures.svg"), pictures).map_err(failed)?;
    write("glossary.json".into(), serde_json::to_string(&course.glossary))?;
    write("commands.json".into(), serde_json::to_string(&docs()))?;
    let examples = examples(&source.with_file_name("examples"))?;
    fs::write(out.join("examples.json"), examples).map_err(failed)?;
    for lesson in course.lessons.iter().map(|written| &written.lesson) {
        write(format!("{}.json", lesson.id), serde_json::to_string(lesson))?;
    }
    if let Some(kept) = kept {
        kept.keep(&out);
    }
    Ok(true)
}

/// Returns the examples of the playground, in the order of their files' names.
fn examples(folder: &Path) -> Result<String, Vec<Diagnostic>> {
    // Other lessons than ours come without any.
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().map(|one| one.path()));
    let mut files: Vec<PathBuf> = entries.map(Iterator::collect).unwrap_or_default();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| problem(file, e.to_string(), ""))?;
        let remedy = "look at another example: title, about and [scenario], in both languages";
        all.push(example::compile(&text).map_err(|(line, message)| {
            let mut problems = problem(file, message, remedy);
            problems[0].line = line as usize;
            problems
        })?);
    }
    Ok(Json::Object(vec![("examples".to_owned(), Json::List(all))]).to_string())
}

/// Prints the fingerprints of every story's frames, which the browser must have for the same steps.
fn digests(source: &Path) -> Outcome {
    for written in read_all(source)?.lessons {
        let lesson = std::rc::Rc::new(written.lesson);
        let lines = stories::digests(&lesson)
            .map_err(|why| problem(source, format!("{}: {why}", lesson.id), ""))?;
        lines.iter().for_each(|line| println!("{line}"));
    }
    Ok(true)
}

fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
