//! What a crowd costs: `cargo bench --bench load`. Prints events and requests per second.

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use interleave::lesson::source::read_folder;
use interleave::load::{Job, Plan, Run};

fn main() {
    for (id, variant) in [("oversell", 0), ("oversell", 2), ("synchronized", 1), ("watch", 3)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
        let lesson = read_folder(&folder).expect("a lesson of the syllabus");
        let scenario = lesson.scenario(variant).expect("a scenario");
        let programs = scenario.clients.iter().map(|client| client.program.clone()).collect();
        let job = Rc::new(Job::new(scenario, programs, Vec::new()));
        let plan =
            Plan { clients: 1000, requests: 20, processes: 3, limit_ms: 2_000, ..Plan::default() };
        let begin = Instant::now();
        let mut run = Run::new(&plan, &job, 1).expect("it starts");
        while !run.advance(10_000) {}
        let tally = run.finish().expect("it measures");
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{id:14} {:20} {:8.0} requests/s {:9.0} events/s {:9.0} commands/s  ({:.2} s)",
            lesson.variants[variant].id,
            tally.ended() as f64 / seconds,
            tally.events as f64 / seconds,
            tally.commands as f64 / seconds,
            seconds,
        );
    }
}
