//! The checker on the models of benches/models: states per second, bytes per state, and the time to
//! the first violation. Beside it SPIN, where it is installed, on a Promela model of the same.
//!
//! `cargo bench --bench checker`; with numbers after `--` only these numbers of clients of model A.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use interleave::checker::{Options, Search, Status};
use interleave::playground::disk;
use interleave::sim::{Scenario, WorldComponents};

fn model(name: &str, set: &[(&str, i64)]) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models").join(name);
    let set: Vec<(String, i64)> = set.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    let read = disk::read(&folder, &set).unwrap_or_else(|problems| panic!("{problems:?}"));
    read.scenario().expect("it starts")
}

/// One search: prints a line, and gives states per second.
fn run(name: &str, set: &[(&str, i64)], options: Options) -> f64 {
    let scenario = model(name, set);
    let started = Instant::now();
    let Ok(model) = WorldComponents::new(&scenario) else { return 0.0 };
    let mut search = Search::new(model, options);
    let mut violation = None;
    let mut longest_slice = 0.0_f64;
    while search.status() == Status::Running {
        let slice = Instant::now();
        search.advance(1 << 12);
        longest_slice = longest_slice.max(slice.elapsed().as_secs_f64());
        if violation.is_none() && search.first(0, false).is_some() {
            violation = Some(started.elapsed().as_secs_f64());
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let counts = search.counts();
    let set: Vec<String> = set.iter().map(|(name, n)| format!("{name}={n}")).collect();
    let how = match (options.symmetry, options.partial_order) {
        (false, false) => "plain",
        (true, false) => "symmetry",
        (false, true) => "partial order",
        (true, true) => "both",
    };
    println!(
        "{name:<10} {:<12} {how:<13} {:>10} {:>11} {seconds:>8.3} s {:>6.2} M/s {:>5} B/state \
         {:>6} asked, longest slice {:>5.1} ms, violation {}",
        set.join(" "),
        counts.states,
        counts.transitions - counts.stutters,
        counts.states as f64 / seconds / 1e6,
        counts.bytes as u64 / counts.states,
        counts.asked,
        longest_slice * 1e3,
        violation.map_or("none".into(), |at| format!("{:.1} ms", at * 1e3)),
    );
    counts.states as f64 / seconds
}

/// Model A in SPIN: breadth-first and depth-first, exact, without its reductions, with a table that
/// is large enough. Prints how many times its states per second ours are.
fn spin(n: i64, ours: f64) {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models/oversell/oversell.pml");
    let folder = std::env::temp_dir().join(format!("interleave-spin-{}", std::process::id()));
    let quietly = |program: &str, words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).current_dir(&folder).stdin(Stdio::null()).output().ok()
    };
    let (clients, model) = (format!("-DN={n}"), model.display().to_string());
    let _ = std::fs::create_dir_all(&folder);
    // SPIN's own resetting of dead variables (off by -o2) takes different states of this model for
    // one; the model resets them itself.
    if quietly("spin", &["-o2", &clients, "-DR=2", "-a", &model]).is_none() {
        println!("spin       is not installed: nothing to compare with");
        return;
    }
    for (how, flags) in [("BFS", &["-DBFS"][..]), ("DFS", &[][..])] {
        let common = ["-O3", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8000", "-o", how, "pan.c"];
        let Some(_) = quietly("gcc", &[&common, flags].concat()) else { continue };
        let started = Instant::now();
        let pan = folder.join(how).display().to_string();
        let Some(found) = quietly(&pan, &["-E", "-n", "-w24", "-m1000000"]) else { continue };
        let seconds = started.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        let number = |what: &str| {
            let line = text.lines().find(|line| line.contains(what))?;
            line.split_whitespace().find_map(|word| word.parse::<f64>().ok())
        };
        let states = number("states, stored").unwrap_or(0.0);
        println!(
            "spin {how}   N={n} R=2      {:<13} {states:>10} {:>11} {seconds:>8.3} s {:>6.2} M/s: \
             ours is {:.1} times as fast",
            "exact",
            number("transitions (=").unwrap_or(0.0),
            states / seconds / 1e6,
            ours * seconds / states,
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
}

fn main() {
    let numbers = std::env::args().filter_map(|word| word.parse::<i64>().ok());
    let only: Vec<i64> = numbers.collect();
    println!("model, parameters, how, distinct states, transitions, ...");
    let plain = Options::default();
    let partial_order = Options { partial_order: true, ..plain };
    let symmetry = Options { symmetry: true, ..plain };
    let both = Options { symmetry: true, ..partial_order };
    for n in if only.is_empty() { vec![4, 5, 6] } else { only.clone() } {
        let ours = run("oversell", &[("N", n), ("R", 2)], plain);
        spin(n, ours);
    }
    if !only.is_empty() {
        return;
    }
    run("lock", &[("N", 6), ("R", 1), ("E", 1)], plain);
    run("lock", &[("N", 5), ("R", 2), ("E", 2)], plain);
    for options in [plain, symmetry, partial_order, both] {
        run("commuting", &[("N", 4), ("R", 1)], options);
    }
    for n in [6, 8] {
        run("oversell", &[("N", n), ("R", 1)], symmetry);
        run("oversell", &[("N", n), ("R", 2)], symmetry);
    }
}
