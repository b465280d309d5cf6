//! `check --crowd`: runs crowds of lessons and scenarios, and prints the results as text or JSON.

use std::path::Path;

use crate::lesson::{job_of, processes};
use crate::load::{Crowd, Plan, SEEDS_MAX, Summary};

use super::{Clock, Format, Item, Outcome, Request, problem};

/// The events between two checks of the time.
const SLICE: u64 = 1_000_000;

/// The options of `--crowd`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A crowd of their clients")]
pub struct CrowdArgs {
    /// Run it under seeded latencies: how often it goes wrong, and what it costs. The other options
    /// of a crowd ask for it, too
    #[arg(verbatim_doc_comment)]
    #[arg(long)]
    crowd: bool,
    /// Runs [default: as the lesson says]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(SEEDS_MAX)))]
    seeds: Option<u32>,
    /// Clients [default: as the lesson says]
    #[arg(long, value_name = "N", value_parser = clients)]
    clients: Option<String>,
    /// What else differs from the lesson's plan, as requests=100,arrival=poisson,rate=2000 (a wrong
    /// name gets the list of all)
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "LIST", value_parser = plan)]
    plan: Vec<String>,
}

impl CrowdArgs {
    pub fn is_asked(&self) -> bool {
        let parts = self.clients.is_some() || !self.plan.is_empty();
        self.crowd || self.seeds.is_some() || parts
    }

    fn plan(&self) -> String {
        let parts: Vec<&str> = self.clients.iter().chain(&self.plan).map(String::as_str).collect();
        parts.join(",")
    }
}

fn clients(number: &str) -> Result<String, String> {
    plan(&format!("clients={number}"))
}

fn plan(part: &str) -> Result<String, String> {
    Plan::read(part, &Plan::default()).map(|_| part.to_owned())
}

pub fn report(items: &[Item], request: &Request, clock: Clock<'_>) -> Outcome {
    let asked = &request.crowd;
    for item in items {
        for (variant, job) in item.jobs.iter().enumerate() {
            let lesson = item.lesson.as_ref().map(|written| &written.lesson);
            let wanted = lesson.and_then(|lesson| lesson.crowd.as_ref());
            if wanted.is_some_and(|def| !def.variants.contains(&variant)) {
                continue;
            }
            let found = match lesson {
                Some(lesson) => lesson.crowd_of(variant),
                None => job.scenario.clone().map(|scenario| {
                    let plan = Plan { processes: processes(&scenario), ..Plan::default() };
                    (plan, job_of(scenario, Vec::new()))
                }),
            };
            let name = job.name();
            let wrong = |why: String| problem(Path::new(&name), why, "see --help");
            let (plan, of) = found.map_err(wrong)?;
            let plan = Plan::read(&asked.plan(), &plan).map_err(wrong)?;
            let seeds = asked.seeds.or(wanted.map(|def| def.seeds as u32)).unwrap_or(20);
            let begin = clock();
            let mut crowd = Crowd::new(&plan, &of, seeds);
            while !crowd.advance(SLICE).map_err(wrong)? {}
            let events = crowd.events_so_far();
            let summary = crowd.into_summary();
            let seconds = clock() - begin;
            let ids: Vec<&str> = of.measures.iter().map(|measure| measure.id.as_str()).collect();
            match request.format() == Format::Json {
                true => println!("{}", in_json(&job.name(), &plan, &ids, &summary, events)),
                false => {
                    println!("{}", in_lines(&job.name(), &plan, &ids, &summary));
                    let rate = events as f64 / seconds.max(1e-9);
                    println!("  {events} events in {seconds:.2} s ({rate:.0}/s)\n");
                }
            }
        }
    }
    Ok(true)
}

fn ms(ns: f64) -> f64 {
    ns / 1e6
}

fn in_lines(name: &str, plan: &Plan, measures: &[&str], summary: &Summary) -> String {
    let runs = summary.runs.len();
    let total = plan.total();
    let mean = |of: fn(&crate::load::Tally) -> f64| summary.mean(of);
    let at = |percent| ms(summary.response.percentile(percent) as f64);
    let mut out = format!("{name}: {runs} seeds × {total} requests");
    let differs = plan.write(&Plan::default());
    if !differs.is_empty() {
        out += &format!(" ({differs})");
    }
    for (number, id) in measures.iter().enumerate() {
        let mut values: Vec<f64> = summary.runs.iter().map(|run| run.values[number]).collect();
        values.sort_by(f64::total_cmp);
        let (least, most) = (values[0], values[runs - 1]);
        let middle = values[(runs - 1) / 2];
        let some = values.iter().filter(|value| **value != 0.0).count();
        out += &format!(
            "\n  {id}: {least} to {most}, median {middle}; not 0 in {some} of {runs} runs"
        );
    }
    out += &format!(
        "\n  throughput {:.1}/s, response {:.3} ms (p50 {:.3}, p95 {:.3}, p99 {:.3}), \
         waiting {:.3} ms, Redis busy {:.1} %",
        mean(|run| run.throughput()),
        ms(summary.response.mean()),
        at(50.0),
        at(95.0),
        at(99.0),
        ms(summary.waiting.mean()),
        mean(|run| run.utilisation()) * 100.0,
    );
    out += &format!(
        "\n  {:.2} commands and {:.2} sleeps per request, fairness {:.3}; failed {:.1}, \
         crashed {:.1}, never ended {:.1} per run",
        mean(|run| run.commands_per_request()),
        mean(|run| run.sleeps as f64 / run.arrived.max(1) as f64),
        mean(|run| run.fairness),
        mean(|run| run.failed as f64),
        mean(|run| run.crashed as f64),
        mean(|run| run.stuck as f64),
    );
    out
}

fn in_json(name: &str, plan: &Plan, measures: &[&str], summary: &Summary, events: u64) -> String {
    let runs = summary.runs.iter().map(|run| {
        let values = measures.iter().zip(&run.values);
        let values: serde_json::Map<_, _> =
            values.map(|(id, value)| ((*id).to_owned(), serde_json::json!(value))).collect();
        serde_json::json!({
            "seed": run.seed,
            "measures": values,
            "finished": run.finished,
            "failed": run.failed,
            "crashed": run.crashed,
            "stuck": run.stuck,
            "deadlocked": run.deadlocked,
            "cut": run.cut,
            "end_ns": run.end_ns,
            "commands": run.commands,
            "sleeps": run.sleeps,
            "throughput": run.throughput(),
            "utilisation": run.utilisation(),
            "fairness": run.fairness,
        })
    });
    let times = |of: &crate::load::Histogram| {
        serde_json::json!({
            "count": of.count(),
            "mean_ns": of.mean(),
            "p50_ns": of.percentile(50.0),
            "p95_ns": of.percentile(95.0),
            "p99_ns": of.percentile(99.0),
            "max_ns": of.max(),
        })
    };
    serde_json::json!({
        "crowd": name,
        "plan": plan.write(&Plan::default()),
        "requests": plan.total(),
        "events": events,
        "response": times(&summary.response),
        "waiting": times(&summary.waiting),
        "queueing": times(&summary.queueing),
        "runs": runs.collect::<Vec<_>>(),
    })
    .to_string()
}
