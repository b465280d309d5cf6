//! The command line of `interleave check` and `interleave export`: each option once.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand};

use super::{
    Allowed, Clock, Format, LESSONS, Outcome, challenge, compile, count, course, crowd, digests,
    faults, finish, is_scenario, oracle, problem, report, staging, stamp,
};
use crate::engine::Version;
use crate::lesson::source::read_folder;
use crate::playground::disk;
use crate::session::Session;
use crate::session::link::Link;
use crate::sim::Limits;
use crate::text::Lang;
use crate::view::export::{self, Form};

const ABOUT: &str = "\
Search every order of a scenario's commands, and print the verdicts

Searches every schedule of these lessons or scenarios; grades the answers to a lesson's exercise.";

const AFTER: &str = "\
A folder with a scenario.toml is a scenario, any other one a lesson; a file is a scenario of the
playground (.json, .zip) or one of its examples (.toml).

Exit status: 0 where all is as claimed (the properties of a folder or a file hold, unless they say
expect = \"breaks\"; no client gets stuck, unless it says expect_deadlock = true), 1 where a
verdict differs or a file has a mistake, 2 where the call is wrong.";

/// The command line after `check`.
#[derive(Debug, Parser)]
#[command(name = "check", about = ABOUT.lines().next(), long_about = ABOUT, after_help = AFTER)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Call {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    request: Request,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Write lessons as the page loads them
    Compile {
        source: PathBuf,
        /// By default the folder lessons in what Trunk is building (TRUNK_STAGING_DIR)
        out: Option<PathBuf>,
    },
    /// Give a worker's files, in what Trunk is building, names with a hash, and name them in the
    /// page's head
    Stamp { name: String },
    /// Do what is left when Trunk has built the page: stamp search, divide app, first paint, the
    /// policy's hashes, files for the offline copy
    // Trunk calls its hooks all at once, and these write the same file.
    Finish,
    #[command(flatten)]
    Course(course::Packages),
    /// Run random scenarios through this search and through one that shares nothing with it
    ///
    /// Prints where they disagree, cut down, as a folder.
    Oracle(oracle::OracleArgs),
    /// Hold what the lessons claim about every run against random runs of each variant with its
    /// faults
    Challenge(challenge::ChallengeArgs),
    /// Print one line per story: fingerprints of its frames
    Digests,
}

/// What is to be searched, and how.
#[derive(Debug, Args)]
pub(super) struct Request {
    /// Lessons and scenarios
    #[arg(value_name = "FOLDER", required_unless_present = "all")]
    pub folders: Vec<PathBuf>,
    /// All lessons of the syllabus (static/lessons)
    #[arg(long)]
    pub all: bool,
    /// How verdicts are printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The same as --format json
    #[arg(long)]
    json: bool,
    /// Print the figures of each search, too: states, transitions, time, memory
    #[arg(long, short)]
    pub verbose: bool,
    /// Ask at length whether what holds still does where clients are slower or begin later, and
    /// tell the runs
    #[arg(long)]
    pub slower: bool,
    /// Give up beyond so many states
    #[arg(long, value_name = "N", default_value = "20_000_000", value_parser = number::<u32>)]
    max_states: u32,
    /// Look at nothing that is farther than so many steps from the start
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    max_depth: Option<u32>,
    /// Give up beyond so many MiB for one search
    #[arg(long, value_name = "N", default_value = "4096", value_parser = number::<usize>)]
    max_memory: usize,
    /// Give up a search that takes longer
    #[arg(long = "max-seconds", value_name = "N", value_parser = number::<u32>)]
    pub seconds_max: Option<u32>,
    /// Allow faults, such as crash=1,pause=1, in place of those of the lesson; or all: each thing
    /// that can go wrong once, beside what the lesson allows; no exercise then
    ///
    /// Kinds: crash pause lose drop cancel jump down restart rewind failover evict early jump_ms.
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "LIST", value_parser = allowed)]
    pub faults: Option<Allowed>,
    /// A parameter of a scenario folder
    #[arg(long, value_name = "NAME=VALUE", value_parser = set)]
    pub set: Vec<(String, i64)>,
    /// The servers' version, where the scenario names none; no exercise then
    #[arg(long, value_name = "VERSION", value_parser = Version::of_word)]
    pub version: Option<Version>,
    /// Count the schedules, the really different ones, and where they end
    #[arg(long)]
    pub census: bool,
    /// Never leave out orders of steps that commute
    #[arg(long = "no-por", action = ArgAction::SetFalse)]
    partial_order: bool,
    /// Never take states for one that differ in what may still go wrong
    #[arg(long = "no-budgets", action = ArgAction::SetFalse)]
    budgets: bool,
    /// Never let faults wait until a client can meet them
    #[arg(long = "no-late", action = ArgAction::SetFalse)]
    late_faults: bool,
    /// Never leave out of a state what no step reads any more
    #[arg(long = "no-unseen", action = ArgAction::SetFalse)]
    unseen: bool,
    /// Never take clients that run the same program for interchangeable
    #[arg(long = "no-symmetry", action = ArgAction::SetFalse)]
    symmetry: bool,
    /// Take the ids of uuid() to be in the order of the clients' letters
    #[arg(long = "no-id-orders", action = ArgAction::SetFalse)]
    id_orders: bool,
    #[command(flatten)]
    pub crowd: crowd::CrowdArgs,
}

impl Request {
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            states_max: self.max_states,
            depth_max: self.max_depth.unwrap_or(usual.depth_max),
            bytes_max: self.max_memory.saturating_mul(1 << 20),
            census: self.census,
            partial_order: self.partial_order,
            budgets: self.budgets,
            late_faults: self.late_faults,
            unseen: self.unseen,
            symmetry: self.symmetry,
            id_orders: self.id_orders,
            ..usual
        }
    }
}

impl Call {
    /// Does what was asked, by a clock.
    pub fn run(self, clock: Clock<'_>) -> ExitCode {
        told(match self.what {
            None => self.request.items().and_then(|items| match self.request.crowd.is_asked() {
                true => crowd::report(&items, &self.request, clock),
                false => Ok(report::report_all(&items, &self.request, clock)),
            }),
            Some(What::Compile { source, out }) => {
                compile(&source, out.or_else(|| staging().map(|dir| dir.join("lessons"))))
            }
            Some(What::Stamp { name }) => stamp(&name),
            Some(What::Finish) => stamp("search").and_then(|_| finish::built()),
            Some(What::Course(packages)) => packages.write(),
            Some(What::Oracle(asked)) => Ok(oracle::run(&asked, clock)),
            Some(What::Challenge(asked)) => challenge::run(&asked, clock),
            Some(What::Digests) => digests(Path::new(LESSONS)),
        })
    }
}

/// Write a run as a test, a diagram or a table; lessons as packages for course platforms
#[derive(Debug, Args)]
pub struct Export {
    #[command(subcommand)]
    what: Exported,
}

#[derive(Debug, Subcommand)]
enum Exported {
    /// A run of a lesson or a scenario, on standard output
    Run(Run),
    #[command(flatten)]
    Course(course::Packages),
}

#[derive(Debug, Args)]
struct Run {
    /// A lesson or a scenario, as for check
    folder: PathBuf,
    /// The run, as check prints it: A1.B1.A2.B2
    schedule: Option<String>,
    /// The variant of the lesson [default: its first]
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// The form
    #[arg(long = "as", value_name = "FORM", default_value = "pytest", value_parser = forms())]
    form: Form,
    /// Of the words in it
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = languages())]
    lang: Lang,
}

impl Export {
    /// Writes what was asked.
    pub fn run(self) -> ExitCode {
        told(match self.what {
            Exported::Run(run) => run.print(),
            Exported::Course(packages) => packages.write(),
        })
    }
}

impl Run {
    fn print(self) -> Outcome {
        let wrong = |why: String| problem(&self.folder, why, "interleave check FOLDER prints runs");
        let lesson = match is_scenario(&self.folder) {
            true => disk::read(&self.folder, &[])?.lesson,
            false => read_folder(&self.folder)?,
        };
        let link = Link { variant: self.variant, schedule: self.schedule, ..Link::default() };
        let (session, notices) = Session::open(Rc::new(lesson), &link).map_err(wrong)?;
        if let Some(notice) = notices.first() {
            return Err(wrong(notice.text(self.lang, &session)));
        }
        println!("{}", export::export(&session, self.form, self.lang).trim_end());
        Ok(true)
    }
}

fn forms() -> impl TypedValueParser<Value = Form> {
    let of = |id: String| Form::ALL.into_iter().find(|form| form.id() == id).ok_or("no such form");
    PossibleValuesParser::new(Form::ALL.map(Form::id)).try_map(of)
}

pub(super) fn languages() -> impl TypedValueParser<Value = Lang> {
    let of = |tag: String| Lang::from_tag(&tag).ok_or("no such language");
    PossibleValuesParser::new(Lang::ALL.map(Lang::tag)).try_map(of)
}

/// Prints the mistakes, and says how it went: 0, or 1.
fn told(outcome: Outcome) -> ExitCode {
    match outcome {
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

/// Parses a number that may be written 20_000_000.
pub(super) fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.replace('_', "").parse().map_err(|_| "no number, or too large".to_owned())
}

pub(super) fn assignment(text: &str) -> Result<(&str, i64), String> {
    let wrong = || format!("{text}: NAME=NUMBER is wanted");
    let (name, number) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name, number.parse().map_err(|_| wrong())?))
}

fn set(text: &str) -> Result<(String, i64), String> {
    assignment(text).map(|(name, number)| (name.to_owned(), number))
}

fn allowed(text: &str) -> Result<Allowed, String> {
    match text {
        "all" => Ok(Allowed::All),
        list => faults(list).map(Allowed::These),
    }
}
