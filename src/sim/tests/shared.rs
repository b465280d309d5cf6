//! Connections that the clients of a process share. The truth of each scenario was derived by hand,
//! and is asked of both searches.

use super::super::oracle::Oracle;
use super::contract::{breaks, with};
use super::*;

/// Puts A and B into one process; C, if there is one, is on its own.
fn pair(scenario: &mut Scenario) {
    scenario.nodes = with_setup(&["SET name ann", "SET stock 2"]);
    scenario.clients[..2].iter_mut().for_each(|one| one.process = Some("app".to_owned()));
}

/// The program on the connection that both share, and on the client's own.
fn both(program: &str) -> [String; 2] {
    let shared = format!("local c = connect('redis', {{ shared = 'pool' }}) {program}");
    [shared, format!("local c = connect('redis') {program}")]
}

/// Returns what a property's violation takes on a shared connection, and on two.
fn found(programs: [&str; 2], other: &[&str], asked: &str) -> [Option<usize>; 2] {
    let [a, b] = programs.map(both);
    [0, 1].map(|at| {
        let own = [&*a[at], &*b[at]].into_iter();
        let programs: Vec<&str> = own.chain(other.iter().copied()).collect();
        breaks(&with(&programs, &[asked], pair))[0]
    })
}

/// Returns the fewest steps after which no client can go on, though one is not at its end.
fn stuck(programs: [&str; 2], other: &[&str], change: fn(&mut Scenario)) -> [Option<u32>; 2] {
    let [a, b] = programs.map(both);
    [0, 1].map(|at| {
        let own = [&*a[at], &*b[at]].into_iter();
        let programs: Vec<&str> = own.chain(other.iter().copied()).collect();
        let scenario = with(&programs, &[], |scenario| {
            pair(scenario);
            change(scenario);
        });
        let stuck = Oracle::explore(&scenario, 20_000).expect("it starts").stuck();
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        assert!(check.is_deadlock_decided());
        assert_eq!(check.deadlock().map(|run| run.len() as u32), stuck);
        stuck
    })
}

const MULTI: &str = "c:call('MULTI') c:call('INCR', 'paid') c:call('EXEC')";
const TAKE: &str = "c:call('WATCH', 'stock') local n = tonumber(c:call('GET', 'stock')) \
                    c:call('MULTI') c:call('SET', 'stock', n - 1) sold = c:call('EXEC') and 1";

/// After A1 (MULTI), B's GET is queued.
#[test]
fn a_command_falls_into_the_transaction_of_another_client() {
    let asked = "not done('B') or global('B', 'x') == 'ann'";
    assert_eq!(found([MULTI, "x = c:call('GET', 'name')"], &[], asked), [Some(2), None]);
}

/// Both watch and read, A takes one in five steps, its EXEC ends B's watch, and B takes the same
/// one: each of the ten steps is needed for both to be done.
#[test]
fn the_first_exec_ends_the_watches_of_both() {
    let asked = "not all_done() or number('stock') == 2 - sum('sold')";
    assert_eq!(found([TAKE, TAKE], &[], asked), [Some(10), None]);
}

/// A1.B1: B writes into the database that A has chosen.
#[test]
fn the_database_is_that_of_the_connection() {
    let asked = "not done('B') or redis.call('EXISTS', 'k') == 1";
    assert_eq!(
        found(["c:call('SELECT', 1)", "c:call('SET', 'k', 1)"], &[], asked),
        [Some(2), None]
    );
}

/// A1 waits for a job, and B, which would push it, waits for the connection.
#[test]
fn a_blocking_command_keeps_the_other_client_off() {
    let programs = ["c:call('BLPOP', 'jobs', 0)", "c:call('RPUSH', 'jobs', 'j')"];
    assert_eq!(stuck(programs, &[], |_| {}), [Some(1), None]);
    // C pushes one, so both go on. B1.A1.
    assert_eq!(stuck(programs, &["redis.call('RPUSH', 'jobs', 'k')"], |_| {}), [None, None]);
    assert_eq!(found(programs, &[], "not all_over()"), [Some(2), Some(2)]);
    // Time ends the wait, and then B's push comes too late. A1.T1.B1.
    let programs = ["x = c:call('BLPOP', 'jobs', 0.01) or 0", programs[1]];
    let asked = "not all_over() or global('A', 'x') ~= 0";
    assert_eq!(found(programs, &[], asked), [Some(3), None]);
}

/// A1.C1.B1: what A has subscribed to, B receives.
#[test]
fn messages_are_for_whoever_asks_for_them() {
    let programs = ["c:call('SUBSCRIBE', 'ch')", "m = c:receive(5)"];
    let publish = ["redis.call('PUBLISH', 'ch', 'm')"];
    assert_eq!(found(programs, &publish, "count('m') == 0"), [Some(3), None]);
}

/// A1.crashA.C1: the command that A has left behind takes what C pushes, and its reply is dropped.
/// Then B goes on. With the whole process the connection goes.
#[test]
fn a_client_that_crashes_alone_leaves_its_connection_open() {
    let crash = |scenario: &mut Scenario| scenario.faults.crash = 1;
    let crash_a = |scenario: &mut Scenario| {
        scenario.faults = Faults { crash: 1, crash_of: 1, ..Faults::default() };
    };
    let (pop, get) = ("c:call('BLPOP', 'q', 0)", "c:call('GET', 'name')");
    let push = "redis.call('RPUSH', 'q', 'e')";
    let [a, b] = [pop, get].map(both);
    let asked = |condition: &str| {
        let lost = format!("not ({condition}) or not done('C') or redis.call('LLEN', 'q') == 1");
        [0, 1].map(|at| {
            breaks(&with(&[&a[at], &b[at], push], &[&lost], |scenario| {
                pair(scenario);
                crash(scenario);
            }))[0]
        })
    };
    assert_eq!(asked("crashed('A')"), [Some(3), None]);
    assert_eq!(asked("crashed('A') and done('B')"), [Some(4), None]);
    assert_eq!(asked("crashed('A') and crashed('B')"), [None, None]);
    assert_eq!(stuck([pop, get], &[push], crash_a), [None, None]);
}

/// An instance that fails cuts the connection once, and what was left behind on it is gone.
#[test]
fn an_instance_that_fails_cuts_the_connection_of_both() {
    let (a, b) = ("c:pcall('MULTI') c:pcall('INCR', 'n')", "x = c:pcall('GET', 'name')");
    let [a, b] = [a, b].map(both);
    let asked = ["not done('B') or global('B', 'x') == 'ann'", "number('n') ~= 1"];
    let cut = |at: usize| {
        breaks(&with(&[&a[at], &b[at]], &asked, |scenario| {
            pair(scenario);
            scenario.faults.down = 1;
        }))
    };
    // A cut between MULTI and INCR: A1.down-redis.up-redis.A2. B's own GET fails by
    // down-redis.A1.B1.T1.
    assert_eq!(cut(0), [Some(2), Some(4)]);
    assert_eq!(cut(1), [Some(4), Some(4)]);
}

/// In wire mode calls are executed, and replies arrive, in the order of sending.
#[test]
fn calls_on_one_connection_stay_in_order_on_the_wire() {
    let program = both("x = c:call('INCR', 'n')");
    for (at, is_shared) in [(0, true), (1, false)] {
        let scenario = with(&[&program[at], &program[at]], &["number('n') ~= 2"], |scenario| {
            pair(scenario);
            scenario.wire = true;
        });
        let (mut world, _) = World::start(&scenario).expect("it starts");
        let [a, b] = [0, 1].map(ClientId);
        let mut apply = |action| world.apply(action).is_ok();
        assert!(apply(Action::Send(a)) && apply(Action::Send(b)));
        assert_eq!(apply(Action::Execute(b)), !is_shared);
        assert!(apply(Action::Execute(a)));
        assert_eq!(apply(Action::Execute(b)), is_shared);
        assert_eq!(apply(Action::Reply(b)), !is_shared);
        assert!(apply(Action::Reply(a)));
        assert_eq!(apply(Action::Reply(b)), is_shared);
        // Both are sent and executed.
        assert_eq!(breaks(&scenario), [Some(4)]);
    }
}

#[test]
fn a_shared_connection_is_for_threads_of_a_process() {
    let errors = [
        ("connect('redis', { shared = 'pool' })", "needs threads of a process"),
        ("connect('redis', { share = 'pool' })", "takes shared and timeout_ms"),
        ("connect('redis', { shared = '' })", "a string of 1 to 64 bytes"),
    ];
    for (program, error) in errors {
        let scenario = with(&[program, "redis.call('PING')"], &[], |_| {});
        let (world, _) = World::start(&scenario).expect("it starts");
        let state = world.client(ClientId(0)).map(Client::state);
        assert!(matches!(state, Some(State::Failed(why)) if why.contains(error)), "{state:?}");
    }
    let twice = "connect('redis', { shared = 'pool' }) connect('redis', { shared = 'pool' })";
    let scenario = with(&[twice, "redis.call('PING')"], &[], pair);
    let (world, _) = World::start(&scenario).expect("it starts");
    // Its own one, and one that is shared.
    assert_eq!(world.client(ClientId(0)).map(|client| client.connections().len()), Some(2));
}

// ---- Calls that are given up --------------------------------------------------------------------

const SHARED: &str = "local c = connect('redis', { shared = 'pool' })";
/// Gives up quietly; `{}` stands for what the program does then.
const GIVES_UP: &str = "local got = c:pcall('GET', 'name') if type(got) == 'table' then {} end";
const OWN_REPLY: &str = "not done('B') or global('B', 'x') == '2'";

/// A asks for the name and may be cancelled, B asks for the stock.
fn cancelled(a: &str, b: &str, further: &[&str], asked: &str) -> Scenario {
    let own = [a, b].map(|program| format!("{SHARED} {program}"));
    let programs: Vec<&str> =
        own.iter().map(String::as_str).chain(further.iter().copied()).collect();
    with(&programs, &[asked], |scenario| {
        pair(scenario);
        (scenario.faults.cancel, scenario.faults.cancel_of) = (1, Faults::mask("A"));
    })
}

/// Plays a run, and returns what B has got.
fn got_by_b(scenario: Scenario, run: &str) -> lua::Data {
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    schedule::play(&mut timeline, run).expect("it plays");
    assert_eq!(timeline.schedule(), run);
    timeline.world().client(ClientId(1)).expect("there").global("x")
}

/// cancelA1.B1: B gets the name for the stock, also where it asks for a number. Its own reply comes
/// one call later.
#[test]
fn the_reply_to_a_cancelled_call_is_read_by_the_next_one() {
    let a = GIVES_UP.replace("{}", "");
    let get = "x = c:call('GET', 'stock')";
    let broken = || cancelled(&a, get, &[], OWN_REPLY);
    assert_eq!(breaks(&broken()), [Some(2)]);
    assert_eq!(got_by_b(broken(), "cancelA1.B1"), lua::Data::str("ann"));
    let length =
        || cancelled(&a, "x = c:call('STRLEN', 'stock')", &[], "global('B', 'x') ~= 'ann'");
    assert_eq!(breaks(&length()), [Some(2)]);
    let twice = || cancelled(&a, "c:call('GET', 'stock') x = c:call('PING')", &[], "true");
    assert_eq!(got_by_b(twice(), "cancelA1.B1.B2"), lua::Data::str("2"));
    // On a connection of its own there is nothing to be read by another client.
    let own = |_: &str| cancelled(&a, "x = redis.call('GET', 'stock')", &[], OWN_REPLY);
    assert_eq!(breaks(&own(get)), [None]);
    // The break of the connection takes the reply with it.
    let mut down = broken();
    down.faults.down = 1;
    let run = "cancelA1.down-redis.up-redis.B1";
    assert_eq!(got_by_b(down, run), lua::Data::str("2"));
}

/// A1.cancelA2.B1.B2, where A1 and B1 take the mutex: a pool lends the connection to one at a time.
#[test]
fn closing_the_connection_or_reading_the_reply_keeps_it_from_the_next_call() {
    let within = |text: &str| format!("synchronized('pool', function() {text} end)");
    let get = "x = c:call('GET', 'stock')";
    let found = |then: &str, is_lent: bool| {
        let a = GIVES_UP.replace("{}", then);
        let [a, b] = match is_lent {
            true => [within(&a), within(get)],
            false => [a, get.to_owned()],
        };
        breaks(&cancelled(&a, &b, &[], OWN_REPLY))[0]
    };
    assert_eq!(found("", true), Some(4));
    assert_eq!(found("c:close()", true), None);
    assert_eq!(found("c:receive(0)", true), None);
    // B comes between the error and the handler's step.
    assert_eq!(found("c:close()", false), Some(2));
    // What A reads is its own reply.
    let read = GIVES_UP.replace("{}", "y = c:receive(0)");
    assert_eq!(breaks(&cancelled(&read, get, &[], "global('A', 'y') ~= 'ann'")), [Some(2)]);
}

/// A's BLPOP is given up, and Redis holds on to it: B waits until C pushes, and gets the job.
#[test]
fn a_blocking_command_that_is_cancelled_keeps_the_others_off() {
    let (pop, get) = ("c:pcall('BLPOP', 'jobs', 0)", "x = c:call('GET', 'name')");
    let push = ["redis.call('RPUSH', 'jobs', 'j')"];
    let asked = "not done('B') or global('B', 'x') == 'ann'";
    assert_eq!(breaks(&cancelled(pop, get, &push, asked)), [Some(3)]);
    let stuck = |then: &str| {
        let a = format!("local got = {pop} if got.err then {then} end");
        let scenario = cancelled(&a, get, &[], "true");
        let stuck = Oracle::explore(&scenario, 20_000).expect("it starts").stuck();
        let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
        check.run();
        assert_eq!(check.deadlock().map(|run| run.len() as u32), stuck);
        let mut closed = World::start(&scenario).expect("it starts").0;
        closed.apply(Action::Cancel(ClientId(0))).expect("it can be cancelled");
        (stuck, closed.possible(Action::Step(ClientId(1))).is_ok())
    };
    // Without the fault, A waits forever (A1, then B); with it B does.
    assert_eq!(stuck(""), (Some(1), false));
    assert_eq!(stuck("c:close()"), (Some(1), false));
    let closes = format!("local got = {pop} if got.err then c:close() end");
    assert_eq!(breaks(&cancelled(&closes, get, &[], "not done('B')")), [Some(1)]);
    // While it waits, time passes: A1.T1.cancelA1.
    let late = format!("local began = now() {pop} x = now() - began");
    let late = cancelled(&late, "sleep(5)", &[], "(global('A', 'x') or 0) < 5");
    assert_eq!(breaks(&late), [Some(3)]);
    let run = "cancelA1.A2.B1";
    let x = got_by_b(cancelled(&closes, get, &[], "true"), run);
    assert_eq!(x, lua::Data::str("ann"));
}

/// sendA1.sendB1.execA1.execB1.cancelA1.replyB1: the reply that B was about to read is A's.
#[test]
fn on_the_wire_a_cancelled_reply_goes_to_the_call_behind_it() {
    let a = GIVES_UP.replace("{}", "");
    let broken = || {
        let mut scenario = cancelled(&a, "x = c:call('GET', 'stock')", &[], OWN_REPLY);
        scenario.wire = true;
        scenario
    };
    assert_eq!(breaks(&broken()), [Some(6)]);
    let run = "sendA1.sendB1.execA1.execB1.cancelA1.replyB1";
    assert_eq!(got_by_b(broken(), run), lua::Data::str("ann"));
}
