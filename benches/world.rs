//! What a step, a look and a search cost: `cargo bench --bench world`.

use std::path::Path;
use std::rc::Rc;

use interleave::hash::fingerprint;
use interleave::lesson::Lesson;
use interleave::lesson::source::read_folder;
use interleave::lesson::verify::verify;
use interleave::session::link::Link;
use interleave::session::{Msg, Session};
use interleave::sim::{Action, ClientId, Limits, World};
use interleave::text::Lang;
use interleave::view::stage::cards::cards;
use interleave::view::stage::diagram::{Space, diagram};
use interleave::view::stage::readings::LUA;

fn main() {
    divan::main();
}

fn lesson(id: &str) -> Rc<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
    Rc::new(read_folder(&folder).expect("a lesson of the syllabus"))
}

fn world() -> World {
    let scenario = lesson("oversell").scenario(0).expect("a scenario");
    World::start(&scenario).expect("it starts").0
}

#[divan::bench]
fn start_a_world_of_three_clients(bencher: divan::Bencher<'_, '_>) {
    let scenario = lesson("oversell").scenario(0).expect("a scenario");
    bencher.bench_local(|| World::start(&scenario));
}

#[divan::bench]
fn clone_a_world(bencher: divan::Bencher<'_, '_>) {
    let world = world();
    bencher.bench_local(|| world.clone());
}

#[divan::bench]
fn fingerprint_a_world(bencher: divan::Bencher<'_, '_>) {
    let world = world();
    bencher.bench_local(|| fingerprint(&world));
}

#[divan::bench]
fn clone_and_step(bencher: divan::Bencher<'_, '_>) {
    let world = world();
    bencher.bench_local(|| {
        let mut next = world.clone();
        next.apply(Action::Step(ClientId(0))).map(|_| next)
    });
}

/// All schedules of three buyers, each state judged by both properties.
#[divan::bench]
fn search_oversell(bencher: divan::Bencher<'_, '_>) {
    let lesson = lesson("oversell");
    bencher.bench_local(|| verify(&lesson, 0, Limits::default()));
}

fn long_run(steps: usize) -> Session {
    let mut lesson = (*lesson("lost-update")).clone();
    for program in &mut lesson.programs {
        program.source = format!("for i = 1, {} do\n{}end\n", steps / 4, program.source);
    }
    lesson.walks.clear();
    let (mut session, _) = Session::open(Rc::new(lesson), &Link::default()).expect("it runs");
    session.update(Msg::Random(1));
    session
}

/// What the page computes for one step of a run this long.
#[divan::bench(args = [20, 400])]
fn lay_out_a_run(bencher: divan::Bencher<'_, '_>, steps: usize) {
    let session = long_run(steps);
    let space = Space::default();
    bencher.bench_local(|| {
        (diagram(session.timeline(), space, Lang::En), cards(&session, LUA, Lang::En))
    });
}
