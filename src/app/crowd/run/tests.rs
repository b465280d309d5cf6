use std::path::Path;
use std::rc::Rc;

use super::*;
use crate::jobs::Request;
use crate::jobs::crowd::Work;
use crate::jobs::crowd::wire::packed;
use crate::lesson::Lesson;
use crate::lesson::source::read_folder;
use crate::load::{Plan, Run};
use crate::session::link::Link;
use crate::session::{Mode, Msg, Session};
use crate::sim::Kind::Always;
use crate::text::Lang;
use crate::view::crowd::{Kind, View, csv};

fn lesson(id: &str) -> Rc<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
    Rc::new(read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// The crowd of a lesson, its form as a link has it.
fn crowding(id: &str, form: &str) -> CrowdRun {
    let mut crowd = CrowdRun::new(&lesson(id));
    let (lesson, offered) = (crowd.shown.lesson().clone(), crowd.shown.offered());
    assert_eq!(crowd.shown.form.read(form, &lesson, &offered), []);
    crowd
}

fn text(crowd: &CrowdRun) -> String {
    serde_json::to_string(&**crowd.shown.lesson()).unwrap()
}

/// A worker, every message to and from it as text.
struct Worker(Work);

impl Worker {
    fn new(begin: Begin) -> Worker {
        let sent = Request::Crowd(Box::new(begin)).write();
        let Ok(Request::Crowd(begin)) = Request::read(&sent) else { panic!("what was sent") };
        Worker(Work::start(&begin).unwrap())
    }

    fn give(&mut self, task: Task) {
        let Ok(Request::Task(task)) = Request::read(&Request::Task(task).write()) else {
            panic!("what was sent")
        };
        self.0.take(task);
    }

    /// Works until a run is over.
    fn answer(&mut self) -> Answer {
        loop {
            if let Some(ran) = self.0.advance(999).unwrap() {
                return Answer::read(&Answer::Ran(Box::new(ran)).write()).unwrap();
            }
        }
    }
}

/// Runs it on two workers that take turns.
fn run(crowd: &mut CrowdRun, which: Which) {
    run_in_turns(crowd, which, [1, 1]);
}

/// Runs it on two workers; in each of its turns a worker ends `turns` of its runs.
fn run_in_turns(crowd: &mut CrowdRun, which: Which, turns: [usize; 2]) {
    let text = text(crowd);
    let begin = crowd.begin(1, &text, which, 0).expect("a form that is right");
    let mut workers = [Worker::new(begin.clone()), Worker::new(begin)];
    let mut over = false;
    let mut now_ms = 0;
    while !over {
        for (hand, worker) in workers.iter_mut().enumerate() {
            for _ in 0..turns[hand] {
                crowd.next_for(hand).into_iter().for_each(|task| worker.give(task));
                if worker.0.is_working() {
                    now_ms += 10;
                    over |= crowd.hear(hand, worker.answer(), now_ms) == Heard::Over;
                }
            }
        }
    }
    assert_eq!(crowd.shown.phase, Phase::Done);
}

#[test]
fn which_worker_is_quicker_changes_no_file() {
    let saved = |turns| {
        let mut crowd = crowding("watch", "seeds:1,clients:5");
        run_in_turns(&mut crowd, Which::Form, turns);
        csv::csv(&crowd.shown, Which::Form)
    };
    let even = saved([1, 1]);
    assert_eq!(even, saved([1, 3]));
    assert_eq!(even, saved([3, 1]));
    let variants: Vec<&str> = even.lines().skip(1).filter_map(|l| l.split(',').nth(1)).collect();
    assert_eq!(variants, ["naive", "watch-late", "watch-once", "watch-retry"]);
}

#[test]
fn the_form_says_what_is_wrong_and_links_carry_what_is_right() {
    let mut crowd = crowding("oversell", "clients:50,seeds:3,variants:naive.lua,arrival:poisson");
    assert_eq!(crowd.shown.form.changes(), "clients=50,arrival=poisson");
    assert_eq!((crowd.shown.seeds(), crowd.shown.form.variants.len()), (3, 2));
    let written = crowd.shown.form.write(&crowd.shown).unwrap();
    let again = crowding("oversell", &written);
    assert_eq!(again.shown.form, crowd.shown.form);
    // Only an open stream has a rate, so the form asks for it only then.
    let names = |crowd: &CrowdRun| -> Vec<&str> {
        let groups = crowd.shown.form.groups(&crowd.shown, Lang::En);
        groups.iter().flat_map(|group| group.controls.iter().map(|one| one.name)).collect()
    };
    assert!(names(&crowd).contains(&"rate") && !names(&crowd).contains(&"ramp_ms"));

    crowd.shown.form.set("clients", "many");
    let problem = |crowd: &CrowdRun, lang| crowd.shown.form.problem(&crowd.shown, lang).unwrap();
    assert!(problem(&crowd, Lang::En).contains("from 1 to 1,000"));
    assert!(problem(&crowd, Lang::Zh).contains("1 到 1,000"));
    assert!(crowd.begin(1, "", Which::Form, 0).is_none(), "what is wrong is not run");
    crowd.shown.form.set("clients", "");
    assert!(crowd.shown.form.is_right(&crowd.shown), "nothing is what the lesson proposes");
    crowd.shown.form.set("clients", "1000");
    crowd.shown.form.set("requests", "10000");
    assert!(problem(&crowd, Lang::En).contains("1,000,000"));
    crowd.shown.form.set("requests", "1");
    crowd.shown.form.variants.clear();
    assert!(!crowd.shown.form.is_right(&crowd.shown));
}

#[test]
fn what_a_link_asks_in_vain_is_named() {
    let mut crowd = CrowdRun::new(&lesson("oversell"));
    let (lesson, offered) = (crowd.shown.lesson().clone(), crowd.shown.offered());
    let found =
        crowd.shown.form.read("clients:0,x,seeds:2,variants:nobody,who:3", &lesson, &offered);
    let named: Vec<&str> = found.iter().map(|one| one.0.as_str()).collect();
    assert_eq!(named, ["clients:0", "x", "variants:nobody", "who:3"]);
    assert_eq!(crowd.shown.seeds(), 2, "the rest is taken");
    assert_eq!(crowd.shown.form.variants, crowd.shown.offered());
}

#[test]
fn variants_that_propose_different_numbers_show_both() {
    let crowd = CrowdRun::new(&lesson("synchronized"));
    let groups = crowd.shown.form.groups(&crowd.shown, Lang::En);
    let all = groups.iter().flat_map(|group| &group.controls);
    let processes = all.into_iter().find(|control| control.name == "processes").unwrap();
    let Kind::Number { text, ghost, .. } = &processes.kind else { panic!("{processes:?}") };
    assert_eq!((text.as_str(), ghost.as_str()), ("", "1 / 3"));
}

#[test]
fn a_tally_travels_whole() {
    let crowd = crowding("watch", "clients:9,crash_ppm:50000");
    let (_, job) = crowd.shown.lesson().crowd_of(0).unwrap();
    let mut run = Run::new(&crowd.shown.plan(0).unwrap(), &job, 4).unwrap();
    while !run.advance(1_000) {}
    let tally = run.finish().unwrap();
    assert!(tally.response.count() > 0);
    assert_eq!(unpacked(&packed(&tally)), Some(tally.clone()));
    for cut in 0..packed(&tally).len() {
        assert_eq!(unpacked(&packed(&tally)[..cut]), None, "cut at {cut}");
    }
}

#[test]
fn the_lesson_is_seen_in_the_table_and_in_the_bars() {
    let mut crowd = crowding("oversell", "seeds:4");
    run(&mut crowd, Which::Form);
    for lang in Lang::ALL {
        let view = View::new(&crowd.shown, false, lang);
        let names: Vec<&str> = crowd
            .shown
            .form
            .variants
            .iter()
            .map(|at| crowd.shown.lesson().variants[*at].id.as_str())
            .collect();
        assert_eq!(names, ["naive", "decr-check", "lua"]);
        let oversold = &view.rows[0].cells;
        assert!(oversold[0].bad && !oversold[1].bad && !oversold[2].bad, "{oversold:?}");
        assert!(!oversold[0].more.is_empty());
        for bars in &view.histograms {
            assert_eq!(bars.bars.iter().map(|bar| bar.count).sum::<usize>(), 4);
            assert!(bars.bars.iter().all(|bar| bar.height <= 100.0));
        }
        let highest = view.histograms.iter().flat_map(|bars| &bars.bars);
        assert!(highest.clone().any(|bar| bar.height == 100.0));
        // A bar that is not 0 is bad, and has a run to show.
        assert!(view.histograms[0].bars.iter().any(|bar| bar.bad && bar.count > 0));
        assert!(view.histograms[1].bars.iter().all(|bar| !bar.bad || bar.count == 0));
    }
    let narrow = View::new(&crowd.shown, true, Lang::En);
    assert!(narrow.histograms.iter().all(|bars| bars.bars.len() <= 7));
    // Workers do not finish in order; what is shown is in order.
    let seeds: Vec<u64> =
        crowd.shown.cells(Which::Form)[0].summary.runs.iter().map(|run| run.seed).collect();
    assert_eq!(seeds, [1, 2, 3, 4]);

    let table = csv::csv(&crowd.shown, Which::Form);
    assert_eq!(table.lines().count(), 1 + 3 * 4);
    let columns = |line: &str| line.split(',').count();
    let mut lines = table.lines();
    let head = columns(lines.next().unwrap());
    // The plan has commas, and so stands in quotes.
    assert!(lines.all(|line| columns(line.split('"').next().unwrap()) == head), "{table}");
}

#[test]
fn a_bar_leads_to_a_few_requests_that_show_it() {
    let mut crowd = crowding("oversell", "seeds:1,variants:naive");
    run(&mut crowd, Which::Form);
    let text = text(&crowd);
    let (begin, task) = crowd.reduce(2, &text, 0, 1).unwrap();
    assert_eq!(crowd.shown.reducing(), Some(1));
    assert!(crowd.reduce(3, &text, 0, 1).is_none(), "one after the other");
    let mut worker = Worker::new(begin);
    worker.give(task);
    let Heard::Reduced(variant, schedule) = crowd.hear(0, worker.answer(), 0) else {
        panic!("nothing shows it")
    };
    let (mut session, _) = Session::open(crowd.shown.lesson().clone(), &Link::default()).unwrap();
    assert_eq!(session.update(Msg::OpenIn { variant, schedule, to_end: true }), None);
    assert_eq!(session.mode(), Mode::Schedule);
    let timeline = session.timeline();
    assert!(timeline.len() <= 8, "as few steps as the checker needs, about");
    let truths = timeline.scenario().properties.iter().zip(&timeline.frame().truths);
    let mut broken = truths.filter(|(property, holds)| property.kind == Always && !**holds);
    assert!(broken.next().is_some(), "{}", timeline.schedule());

    // Where nothing goes wrong there is nothing to show, and that is said.
    let mut safe = crowding("oversell", "seeds:1,variants:lua");
    run(&mut safe, Which::Form);
    let lua = safe.shown.form.variants[0];
    let (begin, task) = safe.reduce(2, &text, lua, 1).unwrap();
    let mut worker = Worker::new(begin);
    worker.give(task);
    assert_eq!(safe.hear(0, worker.answer(), 0), Heard::News);
    assert!(View::new(&safe.shown, false, Lang::En).note.unwrap().contains("seed 1"));
}

#[test]
fn what_is_stopped_takes_nothing_more() {
    let mut crowd = crowding("oversell", "seeds:3");
    let text = text(&crowd);
    let begin = crowd.begin(1, &text, Which::Form, 0).unwrap();
    let mut worker = Worker::new(begin);
    crowd.next_for(0).into_iter().for_each(|task| worker.give(task));
    assert_ne!(crowd.hear(0, worker.answer(), 5), Heard::Nothing);
    crowd.stop();
    assert_eq!(crowd.hear(0, worker.answer(), 6), Heard::Nothing);
    assert_eq!((crowd.shown.done(), crowd.shown.phase.clone()), (1, Phase::Stopped));
    assert!(crowd.next_for(0).is_empty());
    assert!(View::new(&crowd.shown, false, Lang::En).said.contains("1 of 9"));
}

#[test]
fn it_ends_when_it_takes_too_long() {
    let mut crowd = crowding("oversell", "seeds:3");
    let text = text(&crowd);
    let mut worker = Worker::new(crowd.begin(1, &text, Which::Form, 0).unwrap());
    crowd.next_for(0).into_iter().for_each(|task| worker.give(task));
    assert_eq!(crowd.hear(0, worker.answer(), TIME_MS_MAX + 1), Heard::Over);
    assert_eq!(crowd.shown.phase, Phase::TimeUp);
}

#[test]
fn a_sweep_ranks_the_guards_of_a_market() {
    let mut crowd = crowding("lock-grain", "seeds:1,requests:2,variants:lock-market.lua");
    run(&mut crowd, Which::Clients);
    let view = View::new(&crowd.shown, false, Lang::En);
    let [sweep] = view.sweeps.as_slice() else { panic!("one sweep") };
    let chart = sweep.charts.iter().find(|chart| chart.title.contains("per second")).unwrap();
    assert_eq!(chart.lines.len(), 2);
    for line in &chart.lines {
        assert_eq!(line.points.len(), SWEEP.len());
        assert!(line.points.is_sorted_by(|a, b| a.0 < b.0));
    }
    // Upwards is less in a picture: with many clients the script is far above the lock.
    let at_end = |line: usize| chart.lines[line].points.last().unwrap().1;
    assert!(at_end(1) < at_end(0), "{chart:?}");
    assert_eq!(sweep.rows.len(), 1 + 2 * SWEEP.len());
    assert_eq!(csv::csv(&crowd.shown, Which::Clients).lines().count(), 1 + 2 * SWEEP.len());
    assert_eq!(crowd.shown.cells(Which::Form).len(), 0);
}

/// The numbers of a sweep are those of a crowd with so many instances down.
#[test]
fn a_sweep_takes_instances_away_one_by_one() {
    let form = "seeds:3,requests:3,variants:three-keys.redlock";
    let mut crowd = crowding("redlock", form);
    assert!(View::new(&crowd.shown, false, Lang::En).has_down);
    assert!(
        !View::new(&crowding("oversell", "").shown, false, Lang::En).has_down,
        "there is but one"
    );
    run(&mut crowd, Which::Down);
    // One instance, and three.
    assert_eq!(crowd.shown.cells(Which::Down).len(), 2 + 4);
    for cell in crowd.shown.cells(Which::Down) {
        let Spot::Down(down) = cell.spot else { panic!("{:?}", cell.spot) };
        let mut single = crowding("redlock", &format!("{form},down:{down}"));
        run(&mut single, Which::Form);
        let mut others = single.shown.cells(Which::Form).iter();
        let other = others.find(|other| other.variant == cell.variant).unwrap();
        // By their bits: if no client gets the lock, its mean time is NaN.
        let bits = |cell: &Cell| cell.summary.runs.iter().map(packed).collect::<Vec<_>>();
        assert_eq!(bits(cell), bits(other), "{down} down");
    }
    for lang in Lang::ALL {
        let view = View::new(&crowd.shown, false, lang);
        let [sweep] = view.sweeps.as_slice() else { panic!("one sweep") };
        assert_eq!((sweep.which, sweep.rows.len()), (Which::Down, 1 + 2 + 4));
        let chart = &sweep.charts[0];
        let ticks: Vec<&str> = chart.below.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["0", "1", "2", "3"]);
        assert_eq!(chart.lines.iter().map(|line| line.points.len()).sum::<usize>(), 6);
        let places: Vec<f64> = chart.lines[1].points.iter().map(|(x, _)| *x).collect();
        let ticks: Vec<f64> = chart.below.iter().map(|(x, _)| *x).collect();
        assert_eq!(places, ticks, "a point stands over its tick");
    }
    let redlock = crowd.shown.form.variants[1];
    let in_vain = |down: u32| {
        let is_it = |cell: &&Cell| (cell.variant, cell.spot) == (redlock, Spot::Down(down));
        let cell = crowd.shown.cells(Which::Down).iter().find(is_it).unwrap();
        cell.summary.runs.iter().map(|run| run.values[1]).sum::<f64>()
    };
    let chart = View::new(&crowd.shown, false, Lang::En);
    let waits = &chart.sweeps[0].charts[2].lines[1].points;
    assert_eq!(waits.len(), 2, "{waits:?}");
    assert!(waits[1].1 < waits[0].1, "patience with one that is down takes its time: {waits:?}");
    // A majority is enough; without it no client gets the lock.
    assert!(in_vain(1) < in_vain(2));
    assert_eq!((in_vain(2), in_vain(3)), (45.0, 45.0));
    assert_eq!(csv::csv(&crowd.shown, Which::Down).lines().count(), 1 + 3 * 6);
    // The other sweep stands beside it.
    assert!(
        crowd.shown.cells(Which::Form).is_empty() && crowd.shown.cells(Which::Clients).is_empty()
    );
}

/// A crowd of a lesson's own is proposed in its own numbers, and every one of them can be run.
#[test]
fn every_crowd_of_the_syllabus_can_be_begun() {
    for id in ["oversell", "synchronized", "lua-script", "watch", "lock-grain", "redlock"] {
        let mut crowd = crowding(id, "seeds:1");
        assert!(Mode::of(crowd.shown.lesson()).any(|mode| mode == Mode::Crowd), "{id}");
        assert!(crowd.shown.offered().len() > 1, "{id}");
        let text = text(&crowd);
        assert!(crowd.begin(1, &text, Which::Form, 0).is_some(), "{id}");
        let plan = crowd.shown.plan(crowd.shown.form.variants[0]).unwrap();
        assert_eq!(Plan::read(&plan.write(&Plan::default()), &Plan::default()), Ok(plan));
    }
}
