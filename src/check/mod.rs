//! The `check` tool (native only): verdicts for lessons and scenarios, every mistake of an author,
//! and the compiled form of lessons.
//!
//! [`run`] takes the arguments. To add a subcommand, add an arm there, a file of its own and a line
//! to [`USAGE`]. To add an option of a search, add a field to `Request`, an arm to `Request::parse`
//! and a line to [`USAGE`]. Absent: clocks, which the caller passes in.

/// Prints a line, as std's, which panics where the reader has gone: `check --all | head`.
macro_rules! println {
    ($($words:tt)*) => { crate::check::print(std::io::stdout(), format_args!($($words)*)) };
}

/// The same for what is told beside the results.
macro_rules! eprintln {
    ($($words:tt)*) => { crate::check::print(std::io::stderr(), format_args!($($words)*)) };
}

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
mod split;
mod stamp;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use crate::json::Json;
use crate::lesson::source::{Written, read_all, read_written};
use crate::lesson::{Claim, Diagnostic, Lesson};
use crate::playground::disk::{self, OnDisk};
use crate::playground::example;
use crate::session::digests as stories;
use crate::sim::{Faults, Limits, Scenario, TimeMode};
use crate::view::console::source::docs;
use crate::view::home::race;

use kept::Kept;
pub use report::{report, report_answers};
use split::split;
use stamp::stamp;

const LESSONS: &str = "static/lessons";

const USAGE: &str = "\
check [OPTIONS] FOLDER...  searches every schedule of these lessons or scenarios, and prints the
                           verdicts; grades the answers to a lesson's exercise
check [OPTIONS] --all      the same for all lessons of the syllabus (static/lessons)
check --crowd [OPTIONS] FOLDER...
                           runs a crowd of their clients under seeded latencies: how often it goes
                           wrong, and what it costs
check compile SRC [OUT]    writes lessons as the page loads them; OUT is by default the folder
                           lessons in what Trunk is building (TRUNK_STAGING_DIR)
check stamp NAME           gives a worker's files, in what Trunk is building, names with a hash, and
                           names them in the page's head
check finish               what is left to do when Trunk has built the page: stamp search,
                           split app, first paint, the policy's hashes, files for the offline copy
check split NAME           divides the program that Trunk built: what a first visit runs, and what
                           comes later; --sizes: what the functions of the last one weigh;
                           --record: writes it so that it marks what runs
check scorm [--base URL] [--lesson ID | --chapter ID | --all] [--lang en|zh]
            [--query PARAMETERS] [OUT]
                           a lesson as packages for course platforms (SCORM 1.2, xAPI), or the
                           lessons of a chapter or of all chapters as one (SCORM 1.2), into OUT
                           (target/scorm); with a URL they load the page from there, without one
                           they hold it (dist/)
check oembed URL [OUT]     oEmbed for every lesson and language of the page served at URL, into OUT
                           (dist/oembed)
check oracle [--programs N] [--seed S] [--worlds N] [--differences N] [--show]
                           random scenarios through this search and through one that shares nothing
                           with it; prints where they disagree, cut down, as a folder. By default
                           300 programs from seed 0, 1000 worlds each, until 10 disagree; --show
                           prints the scenario of the seed
check challenge [--runs N] [--seed S]
                           what the lessons claim about every run, held against so many random runs
                           of each variant (10000) with its faults
check digests              one line per story: fingerprints of its frames

Options:
  --format FORMAT    text; json: one object per property and line; junit: a test case per property;
                     github: annotations of what is not as claimed
  --json             the same as --format json
  -v, --verbose      prints the figures of each search, too: states, transitions, time, memory
  --slower           asks besides whether what holds still does where clients are slower
  --max-states N     give up beyond so many states (default 20000000)
  --max-depth N      look at nothing that is farther than so many steps from the start
  --max-memory N     give up beyond so many MiB for one search (default 4096)
  --max-seconds N    give up a search that takes longer
  --faults LIST      allow faults, such as crash=1,pause=1, in place of those of the lesson; kinds:
                     crash pause lose jump down restart failover early jump_ms; or all: each
                     thing that can go wrong once, beside what the lesson allows; no exercise then
  --set NAME=VALUE   a parameter of a scenario folder
  --seeds N, --clients N, --plan LIST
                     of --crowd: runs, clients, and whatever else differs from the lesson's plan, as
                     requests=100,arrival=poisson,rate=2000 (a wrong name gets the list of all)
  --census           count the schedules, the really different ones, and where they end
  --no-por           never leave out orders of steps that commute
  --no-budgets       never take states for one that differ in what may still go wrong
  --no-late          never let faults wait until a client can meet them
  --no-unseen        never leave out of a state what no step reads any more
  --no-symmetry      never take clients that run the same program for interchangeable
  --no-id-orders     take the ids of uuid() to be in the order of the clients' letters

A folder with a scenario.toml is a scenario, any other one a lesson; a file is a scenario of the
playground (.json, .zip) or one of its examples (.toml).
Exit status: 0 where all is as claimed (the properties of a folder or a file hold, unless they say
expect = \"breaks\"; no client gets stuck, unless it says expect_deadlock = true), 1 where a
verdict differs or a file has a mistake, 2 where the call is wrong.";

/// A function that returns the seconds since some moment.
pub type Clock<'c> = &'c dyn Fn() -> f64;

/// Runs the tool with the arguments after its name.
pub fn run(arguments: &[String], clock: Clock<'_>) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["compile", source] => compile(Path::new(source), staging().map(|dir| dir.join("lessons"))),
        ["compile", source, out] => compile(Path::new(source), Some(out.into())),
        ["stamp", name] => stamp(name),
        ["scorm", words @ ..] => course::packages(words),
        ["oembed", words @ ..] => course::oembed(words),
        ["split", words @ ..] => split(words),
        // Trunk calls its hooks all at once, and these write the same file.
        ["finish"] => stamp("search").and_then(|_| split(&["app"])).and_then(|_| finish::built()),
        ["digests"] => digests(Path::new(LESSONS)),
        ["oracle", words @ ..] => match oracle::run(words, clock) {
            Ok(agree) => Ok(agree),
            Err(why) => return wrong_call(&why),
        },
        ["challenge", words @ ..] => match challenge::run(words, clock) {
            Ok(agree) => Ok(agree),
            Err(why) => return wrong_call(&why),
        },
        [] | ["--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        words => match Request::parse(words) {
            Ok(request) => request.items().and_then(|items| match &request.crowd {
                Some(asked) => crowd::report(&items, &request, asked, clock),
                None => Ok(report::report_all(&items, &request, clock)),
            }),
            Err(why) => return wrong_call(&why),
        },
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            eprintln!("{}", count(problems.len() as u64, "mistake"));
            ExitCode::FAILURE
        }
    }
}

fn wrong_call(why: &str) -> ExitCode {
    eprintln!("check: {why}\n\n{USAGE}");
    ExitCode::from(2)
}

/// The faults that replace a lesson's own.
#[derive(Debug, Clone, Copy)]
enum Allowed {
    These(Faults),
    All,
}

/// The format of the verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
    Junit,
    Github,
}

impl Format {
    fn named(name: &str) -> Result<Format, String> {
        Ok(match name {
            "text" => Format::Text,
            "json" => Format::Json,
            "junit" => Format::Junit,
            "github" => Format::Github,
            _ => return Err(format!("--format {name}: text, json, junit and github are known")),
        })
    }
}

/// The default bound on the memory of one search, in MiB.
const MEMORY_MAX: usize = 4096;

/// The parsed command line.
#[derive(Debug, Default)]
struct Request {
    folders: Vec<PathBuf>,
    all: bool,
    format: Format,
    slower: bool,
    /// Print the figures of each search, too.
    verbose: bool,
    census: bool,
    limits: Limits,
    /// The time limit of one search, in seconds.
    seconds_max: Option<u32>,
    faults: Option<Allowed>,
    set: Vec<(String, i64)>,
    crowd: Option<crowd::Asked>,
}

impl Request {
    fn parse(words: &[&str]) -> Result<Request, String> {
        let limits = Limits {
            states_max: 20_000_000,
            bytes_max: MEMORY_MAX << 20,
            census: false,
            ..Limits::default()
        };
        let mut request = Request { limits, ..Request::default() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
            match *word {
                "--all" => request.all = true,
                "--json" => request.format = Format::Json,
                "--format" => request.format = Format::named(value()?)?,
                "--slower" => request.slower = true,
                "-v" | "--verbose" => request.verbose = true,
                "--crowd" => {
                    request.crowd.get_or_insert_default();
                }
                "--seeds" | "--clients" | "--plan" => {
                    let (value, asked) = (*value()?, request.crowd.get_or_insert_default());
                    asked.take(word, value)?;
                }
                "--census" => (request.census, request.limits.census) = (true, true),
                "--no-por" => request.limits.partial_order = false,
                "--no-budgets" => request.limits.budgets = false,
                "--no-late" => request.limits.late_faults = false,
                "--no-unseen" => request.limits.unseen = false,
                "--no-symmetry" => request.limits.symmetry = false,
                "--no-id-orders" => request.limits.id_orders = false,
                "--max-states" => {
                    request.limits.states_max = number(value()?)?;
                }
                "--max-depth" => request.limits.depth_max = number(value()?)?,
                "--max-memory" => {
                    request.limits.bytes_max = number::<usize>(value()?)?.saturating_mul(1 << 20);
                }
                "--max-seconds" => request.seconds_max = Some(number(value()?)?),
                "--set" => {
                    let value = value()?;
                    let (name, number) = assignment(value)?;
                    request.set.push((name.to_owned(), number));
                }
                "--faults" => {
                    request.faults = Some(match *value()? {
                        "all" => Allowed::All,
                        list => Allowed::These(faults(list)?),
                    });
                }
                option if option.starts_with('-') => return Err(format!("there is no {option}")),
                folder => request.folders.push(folder.into()),
            }
        }
        match request.all || !request.folders.is_empty() {
            true => Ok(request),
            false => Err("name a folder, or --all".to_owned()),
        }
    }

    /// Reads everything that is to be searched. `Err` lists the mistakes in the files.
    fn items(&self) -> Result<Vec<Item>, Vec<Diagnostic>> {
        let (mut items, mut problems) = (Vec::new(), Vec::new());
        if self.all {
            let course = read_all(Path::new(LESSONS))?;
            items.extend(course.lessons.into_iter().map(Item::of_lesson));
        }
        for folder in &self.folders {
            let is_scenario = folder.is_file() || folder.join(disk::MANIFEST).exists();
            let found = match is_scenario {
                true => disk::read(folder, &self.set).map(Item::of_scenario),
                false => read_written(folder).map(Item::of_lesson),
            };
            match found {
                Ok(Item { lesson: Some(_), .. }) if !self.set.is_empty() => {
                    let why = "a lesson has no parameters".to_owned();
                    problems.extend(problem(folder, why, "--set is for scenario folders"));
                }
                Ok(found) => items.push(found),
                Err(found) => problems.extend(found),
            }
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

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.replace('_', "").parse().map_err(|_| format!("{text} is no number, or too large"))
}

fn assignment(text: &str) -> Result<(&str, i64), String> {
    let wrong = || format!("{text}: NAME=NUMBER is wanted");
    let (name, number) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name, number.parse().map_err(|_| wrong())?))
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

/// A lesson or a scenario.
#[derive(Debug)]
struct Item {
    jobs: Vec<Job>,
    lesson: Option<Written>,
}

impl Item {
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
            deadlock: def.expect_deadlock,
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
