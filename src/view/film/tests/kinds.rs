//! The films that each kind of step must have.

use super::*;
use reel::{command, reply};

const READ_THEN_WRITE: &str = "local n = redis.call('GET', 'balance')
n = n + 10
redis.call('SET', 'balance', n)
";

fn lost_update(text: &str) -> Film {
    shot(&["SET balance 10"], &[READ_THEN_WRITE, READ_THEN_WRITE], text)
}

#[test]
fn a_command_travels_runs_and_its_reply_lands_beside_its_line() {
    let film = lost_update("A1");
    let legs = of(&film, &command());
    let times: Vec<_> = legs.iter().map(|one| (one.how, one.t0, one.t1)).collect();
    assert_eq!(
        times,
        [(How::Lift, 0, 80), (How::Fly, 80, 360), (How::Enter, 360, 420), (How::Gone, 560, 580),]
    );
    assert_eq!((legs[0].text.as_str(), legs[0].client), ("GET balance", Some(A)));
    let names = |places: &[Place]| places.iter().map(Place::to_string).collect::<Vec<_>>();
    let road = ["line:A:1:end", "row:1:in", "row:1:client", "row:1:server", "row:1:out"];
    assert_eq!(names(&legs[1].via), road);
    assert_eq!(legs[1].to, Some(Place::inbox(REDIS)));
    assert_eq!(legs[2].to, Some(Place::slot(REDIS)));
    let drawn = one(&film, &Place::row(1, RowPart::Request), How::Draw);
    assert_eq!((drawn.t0, drawn.t1, drawn.with), (80, 360, Some(command())));
    one(&film, &Place::key(REDIS, "balance"), How::Light);
    let legs = of(&film, &reply());
    assert_eq!(hows(&film, &reply()), [How::Lift, How::Fly, How::Land]);
    assert_eq!((legs[0].text.as_str(), legs[0].from.clone()), ("10", Some(Place::slot(REDIS))));
    let road = ["row:1:out:back", "row:1:server:back", "row:1:client:back", "row:1:in:back"];
    assert_eq!(names(&legs[1].via), road);
    assert_eq!(legs[2].from, Some(Place::line_end(A, 1)));
    assert_eq!(legs[2].to, Some(Place::chip(A, "n")));
    one(&film, &Place::chip(A, "n"), How::Show);
    let marker = one(&film, &Place::marker(A), How::Shift);
    assert_eq!((marker.from, marker.to), (Some(Place::line(A, 1)), Some(Place::line(A, 3))));
    let next = one(&film, &Place::next(A), How::Roll);
    assert_eq!(next.text, "GET balance");
    assert_eq!(film.ms, 960);
}

#[test]
fn a_write_rolls_the_old_value_into_the_new_one() {
    let film = lost_update("A1.B1.A2");
    let rolls = one(&film, &Place::value(REDIS, "balance"), How::Roll);
    assert_eq!((rolls.text.as_str(), rolls.client), ("10", Some(A)));
    let enters = one(&film, &command(), How::Enter);
    assert!(enters.t1 <= rolls.t0 && rolls.t1 <= one(&film, &reply(), How::Lift).t0);
    one(&film, &Place::by(REDIS, "balance"), How::Swap);
    one(&film, &Place::lane_end(A), How::Show);
    assert_eq!(one(&film, &Place::marker(A), How::Shift).to, Some(Place::line(A, 0)));
    // Written as it was, it is written.
    let film = lost_update("A1.B1.A2.B2");
    assert_eq!(one(&film, &Place::value(REDIS, "balance"), How::Roll).text, "20");
}

#[test]
fn what_a_step_breaks_is_seen_after_everything_else() {
    let check = "not all_done() or number('balance') == 30";
    let broken = crate::sim::Property::new(Kind::Always, check, "check").expect("a condition");
    let mut made = scenario(&["SET balance 10"], &[READ_THEN_WRITE, READ_THEN_WRITE]);
    made.properties.push(broken);
    let mut timeline = begin(made);
    play(&mut timeline, "A1.B1.A2.B2");
    let film = last(&timeline);
    let landed = one(&film, &reply(), How::Land).t1;
    let turns = one(&film, &Place::claim(0), How::Turn);
    assert!(turns.t0 >= landed);
    assert!(one(&film, &Place::join(), How::Join).t0 >= landed);
    assert!(one(&film, &Place::row(4, RowPart::Blame), How::Show).t0 >= landed);
    assert_eq!(of(&super::film(&timeline, 3).expect("a film"), &Place::join()), [&turns; 0]);
    play(&mut timeline, "c1-GET_balance");
    one(&last(&timeline), &Place::join(), How::Leave);
}

#[test]
fn a_new_key_appears_and_a_deleted_one_falls() {
    let program = "redis.call('SET', 'k', 'v', 'PX', '50')\nredis.call('DEL', 'k')";
    let key = Place::key(REDIS, "k");
    assert_eq!(hows(&shot(&[], &[program], "A1"), &key), [How::Appear]);
    let film = shot(&[], &[program], "A1.A2");
    assert_eq!(one(&film, &key, How::Fall).text, "v");
    assert_eq!(one(&film, &Place::band("lease", "A", 1), How::Extend).t0, 0);
}

#[test]
fn a_refused_write_lights_and_shakes_its_key() {
    let program = "local ok = redis.call('SET', 'lock', 'a', 'NX')\nredis.call('PING')";
    let film = shot(&["SET lock b"], &[program], "A1");
    let key = Place::key(REDIS, "lock");
    assert_eq!(hows(&film, &key), [How::Light, How::Shake]);
    let shakes = one(&film, &key, How::Shake);
    assert_eq!(shakes.t1 - shakes.t0, 220);
    assert!(one(&film, &reply(), How::Lift).t0 >= shakes.t1);
    assert_eq!(one(&film, &reply(), How::Lift).text, "(nil)");
}

#[test]
fn an_error_shakes_the_slot_and_comes_back() {
    let program = "pcall(redis.call, 'LPUSH', 's', 'x')\nredis.call('PING')";
    let film = shot(&["SET s 1"], &[program], "A1");
    one(&film, &Place::slot(REDIS), How::Shake);
    assert!(one(&film, &reply(), How::Lift).text.contains("WRONGTYPE"));
}

#[test]
fn a_script_opens_as_a_folder_with_its_commands_inside() {
    let script = "if redis.call('GET', KEYS[1]) == ARGV[1] then \
                  return redis.call('DEL', KEYS[1]) else return 0 end";
    let program = format!("redis.call('EVAL', \"{script}\", 1, 'lock', 'me')");
    let film = shot(&["SET lock me"], &[&program], "A1");
    let folder = Place::folder();
    assert_eq!(hows(&film, &folder), [How::Open, How::Shut]);
    let (get, del) = (Place::folder_line(0), Place::folder_line(1));
    assert_eq!(one(&film, &get, How::Show).text, "GET lock");
    assert_eq!(one(&film, &del, How::Show).text, "DEL lock");
    assert_eq!(one(&film, &del, How::Show).t0 - one(&film, &get, How::Show).t0, 240);
    let falls = one(&film, &Place::key(REDIS, "lock"), How::Fall);
    assert!(falls.t0 > one(&film, &del, How::Show).t0);
    assert!(one(&film, &folder, How::Shut).t1 <= one(&film, &reply(), How::Lift).t0);
    // Somebody else's: it looks, and leaves it.
    let film = shot(&["SET lock you"], &[&program], "A1");
    assert!(of(&film, &del).is_empty());
    one(&film, &Place::key(REDIS, "lock"), How::Shake);
}

const WATCHES: &str = "redis.call('WATCH', 'n')
redis.call('MULTI')
redis.call('SET', 'n', '5')
redis.call('INCR', 'n')
local done = redis.call('EXEC')
redis.call('PING')
";

#[test]
fn multi_stacks_commands_at_the_connection_and_exec_runs_them() {
    let film = shot(&["SET n 1"], &[WATCHES], "A1.A2");
    one(&film, &Place::conn(A), How::Swap);
    let film = shot(&["SET n 1"], &[WATCHES], "A1.A2.A3.A4");
    let queued = Place::queued(A, 1);
    assert_eq!(one(&film, &command(), How::Rest).to, Some(queued.clone()));
    one(&film, &queued, How::Show);
    assert_eq!(one(&film, &reply(), How::Lift).text, "QUEUED");
    assert!(of(&film, &Place::value(REDIS, "n")).is_empty());

    let film = shot(&["SET n 1"], &[WATCHES], "A1.A2.A3.A4.A5");
    let tokens = [Place::token("queued:0"), Place::token("queued:1")];
    for (number, token) in tokens.iter().enumerate() {
        assert_eq!(hows(&film, token), [How::Lift, How::Fly, How::Enter, How::Gone]);
        one(&film, &Place::queued(A, number), How::Leave);
    }
    assert_eq!(one(&film, &tokens[1], How::Lift).t0 - one(&film, &tokens[0], How::Lift).t0, 360);
    let texts = tokens.each_ref().map(|token| one(&film, token, How::Lift).text);
    assert_eq!(texts, ["SET n 5", "INCR n"]);
    // Each has its words for as long as one reads them, and the next comes after it.
    let enters = tokens.each_ref().map(|token| one(&film, token, How::Enter));
    let leaves = tokens.each_ref().map(|token| one(&film, token, How::Gone).t1);
    for (entered, left) in enters.iter().zip(leaves) {
        assert_eq!(entered.to, Some(Place::slot(REDIS)));
        assert!(left - entered.t1 >= 250, "{} ms", left - entered.t1);
    }
    assert!(leaves[0] <= enters[1].t0);
    let rolls = one(&film, &Place::value(REDIS, "n"), How::Roll);
    assert_eq!(rolls.text, "1");
    assert!(rolls.t0 >= enters[1].t1, "with the last that writes it");
    one(&film, &Place::thread(A, REDIS, "n"), How::Leave);
    one(&film, &Place::conn(A), How::Swap);
}

#[test]
fn a_watch_is_spun_reddens_and_refuses() {
    let writer = "redis.call('SET', 'n', '9')";
    let thread = Place::thread(A, REDIS, "n");
    let film = shot(&["SET n 1"], &[WATCHES, writer], "A1");
    let spins = one(&film, &thread, How::Spin);
    assert_eq!((spins.from, spins.to), (Some(Place::conn(A)), Some(Place::key(REDIS, "n"))));
    one(&film, &Place::band("watch", "A", 1), How::Show);

    let film = shot(&["SET n 1"], &[WATCHES, writer], "A1.A2.A3.A4.B1");
    let reddens = one(&film, &thread, How::Redden);
    assert!(reddens.t0 >= one(&film, &Place::value(REDIS, "n"), How::Roll).t0);
    assert_eq!(reddens.client, Some(A));

    let film = shot(&["SET n 1"], &[WATCHES, writer], "A1.A2.A3.A4.B1.A5");
    one(&film, &thread, How::Flash);
    for number in 0..2 {
        let dust = one(&film, &Place::queued(A, number), How::Dust);
        assert_eq!(dust.t1 - dust.t0, 440);
    }
    assert_eq!(one(&film, &reply(), How::Lift).text, "(nil)");
    assert!(of(&film, &Place::value(REDIS, "n")).is_empty());
}

const POPS: &str = "local job = redis.call('BLPOP', 'jobs', 0)\nredis.call('PING')";
const PUSHES: &str = "redis.call('RPUSH', 'jobs', 'j1')\nredis.call('PING')";

#[test]
fn a_blocked_command_rests_on_the_shelf_until_a_push_wakes_it() {
    let shelf = Place::held(REDIS, A);
    let film = shot(&[], &[POPS, PUSHES], "A1");
    assert_eq!(one(&film, &command(), How::Rest).to, Some(shelf.clone()));
    one(&film, &shelf, How::Show);
    one(&film, &Place::row(1, RowPart::Stub), How::Show);
    one(&film, &Place::client(A), How::Swap);
    assert!(of(&film, &reply()).is_empty());

    let film = shot(&[], &[POPS, PUSHES], "A1.B1");
    let woken = Place::token("woken:A");
    assert_eq!(hows(&film, &woken), [How::Lift, How::Fly, How::Land]);
    let legs = of(&film, &woken);
    // There never is a list that it could come from.
    assert_eq!((legs[0].from.clone(), legs[0].client), (Some(shelf.clone()), Some(A)));
    assert!(legs[0].text.contains("j1"), "{}", legs[0].text);
    assert_eq!(legs[2].to, Some(Place::chip(A, "job")));
    one(&film, &shelf, How::Leave);
    // Both replies are on their way at the same time.
    let own = one(&film, &reply(), How::Fly);
    assert!(legs[1].t0 < own.t1 && own.t0 < legs[1].t1);
    let served = one(&film, &Place::row(2, RowPart::Served), How::Show);
    assert_eq!((served.t0, served.t1), (legs[1].t0, legs[1].t1));
    one(&film, &Place::row(2, RowPart::Reply), How::Draw);
    assert_eq!(one(&film, &Place::marker(A), How::Shift).to, Some(Place::line(A, 2)));

    // Of two that are pushed one stays at the key.
    let two = PUSHES.replace("'j1'", "'j1', 'j2'");
    let film = shot(&[], &[POPS, &two], "A1.B1");
    assert_eq!(hows(&film, &woken), [How::Lift, How::Rest, How::Fly, How::Land]);
    assert_eq!(of(&film, &woken)[0].from, Some(Place::key(REDIS, "jobs")));
}

#[test]
fn who_cannot_take_what_it_waited_for_finds_it_in_the_tray() {
    let (woken, tray) = (Place::token("woken:A"), Place::replied(REDIS, A));
    let mut wire = with_faults(&[POPS, PUSHES], true);
    for action in [Action::Send(A), Action::Execute(A), Action::Send(B), Action::Execute(B)] {
        wire.step(action).expect("a part of a call");
        last(&wire);
    }
    let film = last(&wire);
    assert_eq!(hows(&film, &woken), [How::Lift, How::Rest, How::Gone]);
    one(&film, &tray, How::Show);

    let mut timeline = with_faults(&[POPS, PUSHES], false);
    play(&mut timeline, "A1.pauseA.B1");
    assert_eq!(of(&last(&timeline), &woken)[1].to, Some(tray.clone()));
    timeline.step(Action::Resume(A)).expect("it is paused");
    let film = last(&timeline);
    let reply = Place::token("reply:A");
    assert_eq!(one(&film, &reply, How::Lift).from, Some(tray.clone()));
    assert_eq!(one(&film, &reply, How::Land).to, Some(Place::chip(A, "job")));
    one(&film, &tray, How::Leave);
    assert_eq!(hows(&film, &Place::marker(A)), [How::Swap, How::Shift]);

    let mut console = begin(scenario(&[], &[PUSHES]));
    play(&mut console, "c1-BLPOP_jobs_0.A1");
    let id = ClientId::console(1).expect("a console");
    let landed = one(&last(&console), &Place::token("woken:c1"), How::Land);
    assert_eq!(landed.to, Some(Place::client(id)));
}

#[test]
fn what_waits_in_vain_is_told_at_the_end_of_its_time() {
    let program = "local job = redis.call('BLPOP', 'jobs', 1)\nredis.call('PING')";
    let film = shot(&[], &[program], "A1.T1");
    let woken = Place::token("woken:A");
    assert_eq!(hows(&film, &woken), [How::Lift, How::Fly, How::Land]);
    assert_eq!(one(&film, &woken, How::Lift).from, Some(Place::held(REDIS, A)));
    one(&film, &Place::row(1, RowPart::Stub), How::Leave);

    let mut timeline = with_faults(&[READ_THEN_WRITE], false);
    timeline.step(Action::Down(REDIS)).expect("it may go");
    play(&mut timeline, "A1.T1");
    one(&last(&timeline), &Place::row(2, RowPart::Stub), How::Leave);
}

#[test]
fn time_drains_leases_and_drops_keys_at_their_moment() {
    let program = "sleep(40)\nlocal a = redis.call('GET', 'x')";
    let film = shot(&["SET x 1 PX 100", "SET y 1 PX 40"], &[program], "T1");
    // 500 and 15 for each of 40 ms.
    let ring = one(&film, &Place::ttl(REDIS, "x"), How::Drain);
    assert_eq!((ring.t0, ring.t1, ring.left), (0, 1100, Some((1000, 600))));
    let ring = one(&film, &Place::ttl(REDIS, "y"), How::Drain);
    assert_eq!((ring.t1, ring.left), (1100, Some((1000, 0))));
    let falls = one(&film, &Place::key(REDIS, "y"), How::Fall);
    assert_eq!((falls.t0, falls.t1), (1100, 1340));
    assert_eq!(one(&film, &Place::clock(), How::Roll).text, "0 ms");
    one(&film, &Place::row(1, RowPart::All), How::Grow);
    // The chart shows the end of the time when it has come.
    let trace = one(&film, &Place::trace(), How::Swap);
    assert_eq!((trace.t0, trace.t1), (1040, 1100));
    let wakes = one(&film, &Place::client(A), How::Swap);
    assert_eq!((wakes.t0, wakes.t1, film.ms), (1100, 1220, 1340));
    assert_eq!(one(&film, &Place::marker(A), How::Shift).to, Some(Place::line(A, 2)));
    let film = shot(&["SET x 1 PX 100", "SET y 1 PX 40"], &[program], "T1.T2");
    let ring = one(&film, &Place::ttl(REDIS, "x"), How::Drain);
    assert_eq!(ring.left, Some((600, 0)), "of the whole lease");
}

#[test]
fn a_mutex_keeps_others_out_from_its_taking_to_its_release() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/synchronized");
    let lesson = lesson(&folder);
    let variant = lesson.variants.iter().position(|one| one.id == "one-process").expect("it");
    let mut timeline = start(&lesson, variant);
    play(&mut timeline, "A1");
    let film = last(&timeline);
    let mutex = |film: &Film, how| {
        let of = |one: &&Move| one.what.kind() == "mutex" && one.how == how;
        film.moves.iter().find(of).cloned().expect("a mutex")
    };
    let (hangs, blocked) = (mutex(&film, How::Show), one(&film, &Place::client(B), How::Swap));
    assert!(blocked.t0 >= one(&film, &command(), How::Fly).t1 && blocked.t1 <= hangs.t1);
    play(&mut timeline, "A2.A3");
    let film = last(&timeline);
    let (released, ready) = (mutex(&film, How::Leave), one(&film, &Place::client(B), How::Swap));
    assert!(released.t0 >= one(&film, &reply(), How::Fly).t1, "by a program that goes on");
    assert!(ready.t0 >= released.t1 && ready.t1 - ready.t0 >= 100);
}

#[test]
fn a_clock_that_jumps_turns_and_then_drains_the_leases() {
    let faults = Faults { jump: 1, jump_ms: 60, ..Faults::default() };
    let setup = ["SET x 1 PX 100", "SET y 1 PX 40"];
    let mut timeline = begin(Scenario { faults, ..scenario(&setup, &["redis.call('PING')"]) });
    timeline.step(Action::JumpNode(REDIS)).expect("it may jump");
    let film = last(&timeline);
    let turns = one(&film, &Place::role(REDIS), How::Roll);
    let ring = one(&film, &Place::ttl(REDIS, "x"), How::Drain);
    assert_eq!(ring.left, Some((1000, 400)));
    assert!(turns.t0 < ring.t0 && ring.t1 - ring.t0 >= 500, "{ring:?}");
    let (empty, falls) = (
        one(&film, &Place::ttl(REDIS, "y"), How::Drain),
        one(&film, &Place::key(REDIS, "y"), How::Fall),
    );
    assert!(empty.t1 < ring.t1 && falls.t0 == empty.t1);
    // One copy: the instance does not fade over.
    assert!(of(&film, &Place::instance(REDIS)).is_empty());
    assert!((900..1200).contains(&film.ms), "{} ms", film.ms);
}

#[test]
fn a_client_goes_to_sleep_after_its_call() {
    let film = shot(&[], &["redis.call('PING')\nsleep(10)\nredis.call('PING')"], "A1");
    one(&film, &Place::client(A), How::Swap);
    assert_eq!(one(&film, &Place::marker(A), How::Shift).to, Some(Place::line(A, 2)));
    assert_eq!(one(&film, &Place::next(A), How::Roll).text, "PING");
}

fn with_faults(programs: &[&str], wire: bool) -> Timeline {
    let faults =
        Faults { crash: 1, pause: 1, lose: 1, down: 1, jump: 1, jump_ms: 5, ..Faults::default() };
    begin(Scenario { faults, wire, ..scenario(&["SET balance 10"], programs) })
}

#[test]
fn a_pause_takes_the_colour_and_a_crash_breaks_the_card() {
    let mut timeline = with_faults(&[READ_THEN_WRITE], false);
    play(&mut timeline, "A1.pauseA");
    let film = last(&timeline);
    for place in [Place::client(A), Place::marker(A), Place::chip(A, "n")] {
        let swap = one(&film, &place, How::Swap);
        assert_eq!((swap.t0, swap.t1), (60, 320), "{place}");
    }
    let freezes = one(&film, &Place::band("paused", "A", 2), How::Extend);
    assert!(freezes.t0 >= 320 && freezes.t1 - freezes.t0 >= 300, "{freezes:?}");
    timeline.step(Action::Resume(A)).expect("it is paused");
    one(&last(&timeline), &Place::client(A), How::Swap);
    timeline.step(Action::Crash(A)).expect("it may crash");
    let film = last(&timeline);
    let breaks = one(&film, &Place::client(A), How::Break);
    assert_eq!((breaks.t0, breaks.t1), (80, 520));
    one(&film, &Place::marker(A), How::Leave);
    one(&film, &Place::lane_end(A), How::Show);
}

#[test]
fn a_lost_reply_fades_half_way() {
    let mut timeline = with_faults(&[READ_THEN_WRITE], false);
    timeline.step(Action::LoseReply(A)).expect("it may be lost");
    let film = last(&timeline);
    assert_eq!(hows(&film, &reply()), [How::Lift, How::Lose]);
    assert_eq!(one(&film, &reply(), How::Lose).to, Some(Place::row(1, RowPart::Half)));
    one(&film, &Place::row(1, RowPart::Half), How::Show);
    one(&film, &Place::client(A), How::Swap);
}

#[test]
fn at_an_instance_that_is_down_a_command_fades_at_the_door() {
    let mut timeline = with_faults(&[READ_THEN_WRITE], false);
    timeline.step(Action::Down(REDIS)).expect("it may go");
    let film = last(&timeline);
    one(&film, &Place::instance(REDIS), How::Swap);
    one(&film, &Place::server_lane(REDIS), How::Swap);
    timeline.step(Action::Step(A)).expect("it can be asked");
    let film = last(&timeline);
    assert_eq!(hows(&film, &command()), [How::Lift, How::Fly, How::Lose]);
    assert!(of(&film, &reply()).is_empty() && of(&film, &Place::slot(REDIS)).is_empty());
    one(&film, &Place::client(A), How::Swap);
    one(&film, &Place::row(2, RowPart::Stub), How::Show);
}

#[test]
fn on_the_wire_a_call_is_three_films() {
    let mut timeline = with_faults(&[READ_THEN_WRITE, READ_THEN_WRITE], true);
    for action in [Action::Send(A), Action::Send(B)] {
        timeline.step(action).expect("it can be sent");
    }
    let film = last(&timeline);
    let arrived = Place::arrived(REDIS, B);
    assert_eq!(hows(&film, &command()), [How::Lift, How::Fly, How::Gone]);
    assert_eq!(one(&film, &command(), How::Fly).to, Some(arrived.clone()));
    one(&film, &arrived, How::Show);

    timeline.step(Action::Execute(A)).expect("it has arrived");
    let film = last(&timeline);
    assert_eq!(hows(&film, &command()), [How::Lift, How::Enter, How::Gone]);
    assert_eq!(one(&film, &command(), How::Lift).from, Some(Place::arrived(REDIS, A)));
    one(&film, &arrived, How::Shift);
    let tray = one(&film, &Place::replied(REDIS, A), How::Arrive);
    assert_eq!((tray.text.as_str(), tray.from), ("10", Some(Place::slot(REDIS))));

    timeline.step(Action::Execute(B)).expect("it has arrived");
    timeline.step(Action::Reply(A)).expect("it is answered");
    let film = last(&timeline);
    assert_eq!(hows(&film, &reply()), [How::Lift, How::Fly, How::Land]);
    assert_eq!(one(&film, &reply(), How::Lift).from, Some(Place::replied(REDIS, A)));
    one(&film, &Place::replied(REDIS, B), How::Shift);
    one(&film, &Place::chip(A, "n"), How::Show);

    timeline.step(Action::LoseReply(B)).expect("it may be lost");
    assert_eq!(hows(&last(&timeline), &reply()), [How::Lift, How::Lose]);
}

#[test]
fn what_is_typed_comes_from_the_console() {
    let film = shot(&["SET k 1"], &[READ_THEN_WRITE], "c1-INCR_k");
    let id = ClientId::console(1).expect("a console");
    assert_eq!(one(&film, &command(), How::Lift).from, Some(Place::client(id)));
    assert_eq!(one(&film, &reply(), How::Land).to, Some(Place::client(id)));
    assert_eq!(one(&film, &Place::value(REDIS, "k"), How::Roll).text, "1");
    assert!(!film.moves.iter().any(|one| matches!(one.what.kind(), "line" | "marker")));
}

#[test]
fn a_replica_gets_an_entry_and_then_the_crown() {
    let mut timeline = begin(troubles(false));
    play(&mut timeline, "A1");
    let replica = NodeId(1);
    one(&last(&timeline), &Place::entry(replica, 0), How::Arrive);
    timeline.step(Action::Replicate(replica)).expect("there is an entry");
    let film = last(&timeline);
    let entry = Place::token("entry");
    assert_eq!(hows(&film, &entry), [How::Lift, How::Rest, How::Gone]);
    assert_eq!(one(&film, &entry, How::Lift).text, "lock");
    one(&film, &Place::entry(replica, 0), How::Leave);
    one(&film, &Place::key(replica, "lock"), How::Appear);

    timeline.step(Action::Step(B)).expect("a step");
    timeline.step(Action::Step(A)).expect("a step");
    timeline.step(Action::Failover(REDIS)).expect("it may fail");
    let film = last(&timeline);
    let crown = Place::token("crown");
    assert_eq!(hows(&film, &crown), [How::Lift, How::Fly, How::Gone]);
    let flies = one(&film, &crown, How::Fly);
    assert_eq!((flies.from, flies.to), (Some(Place::crown(REDIS)), Some(Place::crown(replica))));
    one(&film, &Place::role(replica), How::Swap);
    one(&film, &Place::instance(REDIS), How::Swap);
    // The name leads to the new master.
    timeline.step(Action::Step(B)).expect("a step");
    assert_eq!(one(&last(&timeline), &command(), How::Enter).to, Some(Place::slot(replica)));
    timeline.step(Action::Up(REDIS)).expect("it is down");
    one(&last(&timeline), &Place::instance(REDIS), How::Swap);
}

#[test]
fn a_gate_lets_a_number_through_and_turns_a_lower_one_away() {
    let program = |token: u32| {
        format!("local r = resource('disk')\nlocal ok = r:write('x', {token})\nredis.call('PING')")
    };
    let (gate, programs) = (Place::gate("disk"), [program(2), program(1)]);
    let programs = programs.each_ref().map(String::as_str);
    let film = shot(&[], &programs, "A1");
    assert_eq!(hows(&film, &gate), [How::Light, How::Swap]);
    let film = shot(&[], &programs, "A1.B1");
    assert_eq!(hows(&film, &gate), [How::Shake]);
    assert_eq!(hows(&film, &command()), [How::Lift, How::Fly, How::Bounce, How::Gone]);
    assert_eq!(one(&film, &reply(), How::Lift).from, Some(gate));
}

#[test]
fn a_message_flies_to_everybody_who_listens() {
    let reader = "local c = connect('redis')
c:call('SUBSCRIBE', 'news')
local m = c:receive(100)
redis.call('PING')";
    let writer = "redis.call('PUBLISH', 'news', 'hello')";
    let mut timeline = begin(scenario(&[], &[reader, reader, writer]));
    play(&mut timeline, "A1.A2.B1");
    let film = super::film(&timeline, 2).expect("a film");
    assert_eq!(one(&film, &command(), How::Rest).to, Some(Place::conn(A)));
    play(&mut timeline, "C1");
    let film = last(&timeline);
    let (reads, lies) = (Place::token("message:A:0"), Place::token("message:B:1"));
    assert_eq!(one(&film, &reads, How::Land).to, Some(Place::chip(A, "m")));
    assert_eq!(one(&film, &lies, How::Land).to, Some(Place::conn(B)));
    assert_eq!(one(&film, &reads, How::Fly).t0, one(&film, &lies, How::Fly).t0);
    timeline.step(Action::Step(B)).expect("a message is there");
    assert_eq!(one(&last(&timeline), &reply(), How::Lift).from, Some(Place::conn(B)));
}

#[test]
fn tables_and_mutexes_have_places_of_their_own() {
    let program = "synchronized('m', function()
sql('UPDATE t SET n = 2 WHERE id = 1')
end)
";
    let mut made = scenario(&[], &[program, program]);
    made.sql = ["CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 1)"]
        .map(str::to_owned)
        .to_vec();
    let mut timeline = begin(made);
    play(&mut timeline, "A1");
    let film = last(&timeline);
    assert_eq!(one(&film, &command(), How::Land).to, Some(Place::mutex("m")));
    one(&film, &Place::mutex("m"), How::Show);
    play(&mut timeline, "A2");
    let film = last(&timeline);
    assert_eq!(one(&film, &command(), How::Fly).to, Some(Place::table("t")));
    assert_eq!(hows(&film, &Place::table("t")), [How::Light, How::Swap]);
    one(&film, &Place::mutex("m"), How::Leave);
}

#[test]
fn the_lost_reply_of_a_table_fades_half_way() {
    let mut made = scenario(&[], &["pcall(sql, 'INSERT INTO t VALUES (1)')"]);
    made.sql = vec!["CREATE TABLE t (n INT)".to_owned()];
    made.faults.lose = 1;
    let mut timeline = begin(made);
    timeline.step(Action::LoseReply(A)).expect("it may be lost");
    let film = last(&timeline);
    assert_eq!(hows(&film, &Place::table("t")), [How::Light, How::Swap]);
    assert_eq!(hows(&film, &reply()), [How::Lift, How::Lose]);
    assert_eq!(one(&film, &reply(), How::Lift).from, Some(Place::table("t")));
}

/// A queue that never runs falls to dust: given up, or with the connection that it stood at.
#[test]
fn a_queue_that_never_runs_falls_to_dust() {
    let gives_up = "redis.call('WATCH', 'n')\nredis.call('MULTI')\nredis.call('INCR', 'n')\n\
                    redis.call('DISCARD')";
    let film = shot(&["SET n 1"], &[gives_up], "A1.A2.A3.A4");
    let dust = one(&film, &Place::queued(A, 0), How::Dust);
    assert_eq!(dust.t1 - dust.t0, 440);
    one(&film, &Place::thread(A, REDIS, "n"), How::Leave);
    assert!(of(&film, &Place::value(REDIS, "n")).is_empty());

    let mut console = begin(scenario(&["SET n 1"], &["redis.call('GET', 'n')"]));
    play(&mut console, "c1-MULTI.c1-INCR_n.close-c1");
    let id = ClientId::console(1).expect("a console");
    one(&last(&console), &Place::queued(id, 0), How::Dust);

    let queues = "redis.call('MULTI')\nredis.call('INCR', 'n')\nredis.call('EXEC')";
    let kills = "redis.call('CLIENT', 'KILL', 'SKIPME', 'yes')";
    let film = shot(&["SET n 1"], &[queues, kills], "A1.A2.B1");
    one(&film, &Place::queued(A, 0), How::Dust);
    one(&film, &Place::conn(A), How::Swap);
}

/// The clock on a client's card turns; no lease moves.
#[test]
fn a_client_whose_clock_jumps_shows_how_far_it_is_ahead() {
    let mut scenario = scenario(&["SET n 1 PX 50"], &["redis.call('GET', 'n')"]);
    (scenario.faults.jump, scenario.faults.jump_ms) = (2, 25);
    let mut timeline = begin(scenario);
    for was in ["+0 ms", "+25 ms"] {
        timeline.step(Action::JumpClient(A)).expect("a jump");
        let film = last(&timeline);
        assert_eq!(one(&film, &Place::client_clock(A), How::Roll).text, was);
        one(&film, &Place::client(A), How::Light);
        assert!(of(&film, &Place::ttl(REDIS, "n")).is_empty());
    }
}
