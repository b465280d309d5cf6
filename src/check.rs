//! The `check` tool (native only): verdicts for lessons, every mistake of an author, and the form
//! in which lessons travel to the page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use crate::lesson::source::{read_all, read_folder};
use crate::lesson::verify::{Verdict, verdicts};
use crate::lesson::{Diagnostic, Lesson};
use crate::sim::{Kind, Timeline};
use crate::view::link::Link;
use crate::view::session::{Msg, Session};

const LESSONS: &str = "static/lessons";

const USAGE: &str = "\
check FOLDER...            searches every schedule of these lessons and prints the verdicts
check --all                the same for all lessons of the syllabus (static/lessons)
check compile SRC [OUT]    writes lessons as the page loads them; OUT is by default the folder
                           lessons in what Trunk is building (TRUNK_STAGING_DIR)
check digests              one line of JSON per story: fingerprints of its frames
Exit status: 0 where all is as claimed, 1 where a verdict differs or a file has a mistake, 2 where
the call is wrong.";

/// Runs the tool with the arguments after its name.
pub fn run(arguments: &[String]) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["compile", source] => compile(Path::new(source), staging()),
        ["compile", source, out] => compile(Path::new(source), Some(out.into())),
        ["digests"] => digests(Path::new(LESSONS)),
        ["--all"] => read_all(Path::new(LESSONS)).map(|(_, lessons)| report_all(&lessons)),
        [] | ["--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        folders if folders.iter().all(|word| !word.starts_with('-')) => check_folders(folders),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            eprintln!("{} to mend", count(problems.len(), "mistake"));
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<bool, Vec<Diagnostic>>;

fn staging() -> Option<PathBuf> {
    env::var_os("TRUNK_STAGING_DIR").map(|dir| PathBuf::from(dir).join("lessons"))
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
    let (index, lessons) = read_all(source)?;
    let failed = |error: std::io::Error| problem(&out, error.to_string(), "is it writable?");
    fs::create_dir_all(&out).map_err(failed)?;
    let write = |name: String, json: serde_json::Result<String>| {
        let json = json.map_err(|error| problem(&out, error.to_string(), ""))?;
        fs::write(out.join(name), json).map_err(failed)
    };
    write("index.json".into(), serde_json::to_string(&index))?;
    for lesson in &lessons {
        write(format!("{}.json", lesson.id), serde_json::to_string(lesson))?;
    }
    Ok(true)
}

fn check_folders(folders: &[&str]) -> Outcome {
    let mut lessons = Vec::new();
    let mut problems = Vec::new();
    for folder in folders {
        match read_folder(Path::new(folder)) {
            Ok(lesson) => lessons.push(lesson),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(report_all(&lessons)) } else { Err(problems) }
}

fn report_all(lessons: &[Lesson]) -> bool {
    let mut agreed = true;
    for lesson in lessons {
        for variant in 0..lesson.variants.len() {
            let (text, as_claimed) = report(lesson, variant);
            print!("{text}");
            agreed &= as_claimed;
        }
    }
    println!("{}", if agreed { "all as claimed" } else { "not as claimed: see the lines with ≠" });
    agreed
}

/// The verdicts of one variant in lines, and whether they are what the lesson claims.
pub fn report(lesson: &Lesson, variant: usize) -> (String, bool) {
    let mut text = String::new();
    let def = &lesson.variants[variant];
    let found = match verdicts(lesson, variant) {
        Ok(found) => found,
        Err(why) => return (format!("{}/{}: {why}\n", lesson.id, def.id), false),
    };
    let mut agreed =
        found.complete && def.states.is_none_or(|states| states == found.states as u64);
    let bound = if found.complete { "" } else { " (≠ bound reached, search incomplete)" };
    let (states, transitions) = (found.states, found.transitions);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{}/{}: {}, {}{bound}",
        lesson.id,
        def.id,
        count(states, "distinct state"),
        count(transitions, "transition"),
    );
    if let Some(pinned) = def.states.filter(|pinned| *pinned != states as u64) {
        let _ = writeln!(text, "  ≠ lesson.toml pins {pinned} states");
    }
    for (claim, verdict) in def.claims.iter().zip(&found.verdicts) {
        let property = &lesson.properties[claim.property];
        let steps = verdict.trace.as_ref().map(Vec::len);
        let same = claim.holds == verdict.holds && (claim.steps.is_none() || claim.steps == steps);
        agreed &= same;
        let mark = if same { ' ' } else { '≠' };
        let _ = writeln!(
            text,
            "{mark} {} {}: {}",
            kind_name(property.kind),
            property.id,
            verdict_words(lesson, variant, property.kind, verdict)
        );
        if !same {
            let claimed = if claim.holds { "holds" } else { "breaks" };
            let steps = claim.steps.map(|n| format!(", {}", count(n, "step"))).unwrap_or_default();
            let _ = writeln!(text, "    lesson.toml expects: {claimed}{steps}");
        }
    }
    (text, agreed)
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Always => "always",
        Kind::Sometimes => "sometimes",
        Kind::Eventually => "eventually",
    }
}

fn verdict_words(lesson: &Lesson, variant: usize, kind: Kind, verdict: &Verdict) -> String {
    let holds = if verdict.holds { "holds" } else { "breaks" };
    let Some(trace) = &verdict.trace else { return holds.to_owned() };
    // Written by the same code that writes links, so that it can be pasted into one.
    let schedule = lesson.scenario(variant).ok().and_then(|scenario| {
        let mut timeline = Timeline::start(scenario.into()).ok()?;
        trace.iter().try_for_each(|action| timeline.step(*action)).ok()?;
        Some(timeline.schedule())
    });
    let found = if kind == Kind::Always { "broken" } else { "reached" };
    let steps = count(trace.len(), "step");
    format!("{holds} ({found} after {steps}: {})", schedule.unwrap_or_default())
}

/// The fingerprints of every story's frames: what the browser must show for the same steps.
fn digests(source: &Path) -> Outcome {
    let (_, lessons) = read_all(source)?;
    for lesson in lessons {
        let lesson = std::rc::Rc::new(lesson);
        for walk in &lesson.walks {
            let link = Link { walk: Some(walk.id.clone()), ..Link::default() };
            let (mut session, _) = Session::open(lesson.clone(), &link)
                .map_err(|why| problem(source, format!("{}: {why}", lesson.id), ""))?;
            let mut frames = Vec::new();
            for step in 0..=session.timeline().len() {
                session.update(Msg::Seek(step));
                frames.push(format!("{:016x}", session.timeline().frame().fingerprint));
            }
            let line = serde_json::json!({
                "lesson": lesson.id,
                "variant": lesson.variants[walk.variant].id,
                "walk": walk.id,
                "schedule": walk.schedule,
                "frames": frames,
                "digest": format!("{:016x}", session.timeline().digest()),
            });
            println!("{line}");
        }
    }
    Ok(true)
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
