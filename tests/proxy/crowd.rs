//! A crowd on a real Redis, by the machine that the page has: what a lesson says of its variants is
//! so there too, and a proxy with its usual limits lets it through.

use std::path::Path;

use interleave::lesson::source::read_folder;
use interleave::load::Plan;
use interleave::real::Heard;
use interleave::real::crowd::{RealCrowd, RealPhase, RealRun, bounded};

use super::client::Proxy;
use super::host::Host;

/// The measures of a lesson's variant in two runs.
fn crowd(proxy: &Proxy, id: &str, variant: &str, plan: &str) -> Vec<Vec<f64>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
    let lesson = read_folder(&folder).unwrap_or_else(|_| panic!("check says what is wrong"));
    let (own, job) = lesson.crowd_of(lesson.variant(variant).unwrap()).unwrap();
    let plan = bounded(&Plan::read(plan, &own).unwrap(), job.scenario.nodes.len());
    let machine = RealCrowd::new(&plan, &job, 2, 0, 1).unwrap();
    let mut host = Host::of(proxy, &format!("crowd-{id}-{variant}-0123456789"), machine);
    host.go_on();
    assert_eq!(*host.machine.phase(), RealPhase::Done, "{id} {variant}");
    let (found, runs) = host.machine.found();
    assert_eq!(found.len(), runs as usize);
    let total = plan.total();
    for RealRun { finished, mistake, cut, response, .. } in found {
        assert_eq!((*finished, *cut), (total, false), "{id} {variant}: {mistake}");
        assert_eq!(response.count(), total);
    }
    found.iter().map(|run| run.values.clone()).collect()
}

#[test]
fn a_crowd_on_a_real_redis_finds_what_the_lessons_say() {
    // As the page's own server is started: 200 commands per second, 32 connections.
    let proxy = Proxy::start(&["--spawn", "5"]);
    let naive = crowd(&proxy, "oversell", "naive", "");
    assert!(naive.iter().all(|run| run[0] > 0.0), "nothing was oversold: {naive:?}");
    let script = crowd(&proxy, "oversell", "lua", "");
    assert!(script.iter().all(|run| run[0] == 0.0), "{script:?}");

    // A mutex of a process: the simulator's affair, but what it guards is real.
    let one = crowd(&proxy, "synchronized", "one-process", "requests=1,clients=28");
    assert!(one.iter().all(|run| run[1] == 28.0 && run[0] == 272.0), "{one:?}");
    let three = crowd(&proxy, "synchronized", "three-processes", "requests=1,clients=28");
    assert!(three.iter().all(|run| run[0] > 272.0), "no update was lost: {three:?}");

    // Five instances, several connections of each client.
    let locked = crowd(&proxy, "redlock", "redlock", "clients=3,requests=2,think_ms=0");
    // On a slow machine leases of a few ms run out before they are all taken: then nobody has it.
    assert!(locked.iter().all(|run| run[0] <= 1.0), "two held the lock: {locked:?}");
}

#[test]
fn what_keeps_a_crowd_from_real_servers_is_said() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/redlock");
    let lesson = read_folder(&folder).unwrap_or_else(|_| panic!("check says what is wrong"));
    let (plan, job) = lesson.crowd_of(lesson.variant("redlock").unwrap()).unwrap();
    let mut machine = RealCrowd::new(&plan, &job, 1, 0, 1).unwrap();
    machine.hear(1, Heard::Closed("there is no node 2".into()), 2);
    assert_eq!(*machine.phase(), RealPhase::Stopped("there is no node 2".into()));
    assert!(machine.found().0.is_empty());
}
