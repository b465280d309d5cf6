//! The meaning of verdicts: errors, slowness, pauses that end, clients that begin anew. Each is
//! compared with a search over whole worlds that shares nothing with the checker's.

use super::super::oracle::Oracle;
use super::*;

/// The fewest steps to each property's violation, over every order, or `None`.
fn by_worlds(scenario: &Scenario) -> Vec<Option<usize>> {
    let oracle = Oracle::explore(scenario, 20_000).expect("it starts");
    assert!(oracle.is_complete(), "too many worlds for a test");
    let first = |property: &Property| oracle.first(&oracle.truths(property), false);
    scenario.properties.iter().map(|one| first(one).map(|steps| steps as usize)).collect()
}

/// Returns the fewest steps to each violation, and checks that the search finds the same, plain and
/// with every reduction, as whole worlds do.
pub(super) fn breaks(scenario: &Scenario) -> Vec<Option<usize>> {
    let expected = by_worlds(scenario);
    let reduced = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
    for limits in [Limits::default(), reduced] {
        let mut check = Check::new(scenario, limits).expect("it starts");
        check.run();
        assert_eq!(check.mistake(), None);
        for (index, steps) in expected.iter().enumerate() {
            let verdict = check.verdict(index);
            assert_eq!(verdict.holds, Some(steps.is_none()), "{index} {limits:?} {verdict:?}");
            if verdict.is_shortest {
                assert_eq!(verdict.trace.map(|trace| trace.len()), *steps, "{index}");
            }
        }
    }
    expected
}

pub(super) fn with(
    programs: &[&str],
    properties: &[&str],
    change: impl FnOnce(&mut Scenario),
) -> Scenario {
    let property = |check: &&str| Property::new(Kind::Always, check, "check").expect("compiles");
    let mut scenario = cast(programs);
    scenario.properties = properties.iter().map(property).collect();
    change(&mut scenario);
    scenario
}

#[test]
fn a_program_that_dies_is_found_by_its_error() {
    let dies = [
        ("redis.call('SET', 'a', 1) redis.cal('GET', 'a')", 1),
        ("redis.call('SET', 'a', 1) local n = redis.call('GET', 'a') if n GTE 1 then end", 0),
        ("redis.call('SET', 'a', 1) redis.call('HGET', 'a', 'f')", 2),
        ("redis.call('SET', 'a', 1) while true do end", 1),
        ("connect('nowhere')", 0),
        ("redis.call('PING') os.time()", 1),
    ];
    for (program, steps) in dies {
        // A program that is not Lua does not even start.
        if lua::compile(program.as_bytes(), "a.lua").is_err() {
            continue;
        }
        let scenario = with(&[program, "redis.call('PING')"], &["not done('A')"], |_| {});
        let found = breaks(&scenario.asked_for_errors());
        assert_eq!(found, [None, Some(steps)], "{program}");
    }
}

#[test]
fn an_error_that_is_expected_breaks_nothing_and_another_one_does() {
    let program = "redis.call('SET', 'a', 1) redis.call('HGET', 'a', 'f')";
    let expecting = |text: &str| {
        let scenario = with(&[program], &["not all_over()"], |scenario| {
            scenario.clients[0].expect_error = Some(text.to_owned());
        });
        breaks(&scenario.asked_for_errors())
    };
    assert_eq!(expecting("WRONGTYPE"), [Some(2), None]);
    assert_eq!(expecting("NOSCRIPT \"]==]"), [Some(2), Some(2)]);
}

/// A lease of 50 ms, taken by A and looked at in its next step.
const LEASE: &str = "
redis.call('SET', 'lease', 'A', 'PX', 50)
redis.call('PING')
mine = redis.call('GET', 'lease') == 'A'
";

#[test]
fn a_client_is_slower_than_its_lease_only_where_it_may_be() {
    let mine = "not done('A') or global('A', 'mine')";
    let slow = |ms: u32| breaks(&with(&[LEASE], &[mine], |scenario| scenario.slow_ms = ms))[0];
    assert_eq!(slow(0), None);
    // Held up before two steps: twice 24 ms are less than the lease, twice 25 ms are not.
    assert_eq!(slow(24), None);
    assert_eq!(slow(25), Some(5));
    // The lease runs out between two steps.
    assert_eq!(slow(50), Some(4));
}

#[test]
fn slowness_adds_up_over_deadlines_until_the_client_goes_on() {
    // B's naps are deadlines on the way; A may be held up for four of them, not for five.
    let naps = "for i = 1, 5 do sleep(10) end napped = true";
    let first = "redis.call('PING') went = true";
    let overtaken = "not global('B', 'napped') or global('A', 'went')";
    let slow =
        |ms: u32| breaks(&with(&[first, naps], &[overtaken], |scenario| scenario.slow_ms = ms))[0];
    assert_eq!(slow(0), None);
    assert_eq!(slow(45), None);
    // Each nap has an end, and B wakes.
    assert_eq!(slow(50), Some(10));
}

#[test]
fn who_waits_for_a_mutex_is_not_held_up() {
    let lock = "synchronized('m', function() redis.call('PING') sleep(30) end) redis.call('PING')";
    let scenario = with(&[lock, lock], &["not all_done()", "not failed('A')"], |scenario| {
        scenario.slow_ms = 10;
        for client in &mut scenario.clients {
            client.process = Some("shop".to_owned());
        }
    });
    // A's 30 ms pass though B could have been waiting for longer than 10.
    assert!(breaks(&scenario)[0].is_some());
}

/// A lease as a number in a value: only time ends it.
const NUMBER: &str = "
redis.call('SET', 'until', now() + 100)
local till = tonumber(redis.call('GET', 'until'))
late = now() >= till
";

#[test]
fn a_pause_that_ends_lets_time_pass_for_what_is_stored_as_a_number() {
    let pause = |ms: u32, of: u32| {
        let faults = Faults { pause: 1, pause_ms: ms, pause_of: of, ..Faults::default() };
        let asked = ["not global('A', 'late')", "not (done('A') and was_paused('A'))"];
        breaks(&with(&[NUMBER, "redis.call('PING')"], &asked, |scenario| scenario.faults = faults))
    };
    // Nothing has a deadline: time does not move.
    assert_eq!(pause(0, 0)[0], None);
    assert_eq!(pause(99, 0)[0], None);
    assert!(pause(100, 0)[0].is_some());
    // Only B is struck.
    assert_eq!(pause(100, Faults::mask("B")), [None, None]);
    assert!(pause(100, Faults::mask("A")).iter().all(Option::is_some));
}

#[test]
fn clients_that_begin_anew_keep_coming_in_finitely_many_states() {
    let take = "
        local n = redis.call('INCR', 'n')
        if n > 2 then redis.call('SET', 'n', 0) end";
    let scenario = with(&[take, "redis.call('PING')"], &["number('n') ~= 4"], |scenario| {
        scenario.clients[0].again = true;
        scenario.clients[1].again = true;
    });
    assert_eq!(breaks(&scenario), [None]);
    let idle = with(&["local n = 1"], &["not failed('A')"], |s| s.clients[0].again = true);
    assert_eq!(breaks(&idle), [Some(0)]);
}

#[test]
fn faults_are_aimed_as_authors_write_them() {
    let read = |text: &str| toml::from_str::<Faults>(text);
    let aimed = read("pause = { client = \"AC\", at_most_ms = 200 }\ncrash = 2").expect("faults");
    assert_eq!((aimed.pause, aimed.pause_of, aimed.pause_ms), (1, 0b101, 200));
    assert_eq!((aimed.crash, aimed.crash_of), (2, 0));
    assert!(read("pause = { whom = \"A\" }").is_err());
    assert_eq!(Faults::letters(aimed.pause_of), "AC");
    assert_eq!([2, 3, 40].map(|clients| aimed.strangers(clients)), ["C", "", ""]);
}

/// A reply may be lost where a program asks a table only; where it asks nothing there is none.
#[test]
fn a_reply_of_a_table_may_be_lost() {
    for (program, told) in
        [("pcall(sql, 'SELECT n FROM t')", vec![]), ("sleep(1)", vec![Never::Fault(2)])]
    {
        let scenario = with(&[program], &[], |scenario| {
            scenario.sql = vec!["CREATE TABLE t (n INT)".to_owned()];
            scenario.faults.lose = 1;
        });
        assert_eq!(never(&scenario), told, "{program}");
    }
}

/// Returns the events that happen in no order.
fn never(scenario: &Scenario) -> Vec<Never> {
    let mut asked = AskVacuous::new(scenario).expect("it starts");
    while !asked.advance(50) {}
    asked.answer()
}

#[test]
fn of_worlds_that_hold_too_much_nothing_is_told() {
    let told = |bytes: u32| {
        let program = format!(
            "
if redis.call('GET', 'nothing') then
  redis.call('SET', 'a', 1)
  redis.call('SET', 'b', 1)
end
for i = 1, 9 do redis.call('SETRANGE', 'big', {bytes}, tostring(i)) end"
        );
        never(&with(&[&program], &[], |_| ()))
    };
    let runs = Never::Runs { program: "0.lua".to_owned(), first: 3, last: 4 };
    assert_eq!(told(10), [runs]);
    // 9 worlds of 12 MB.
    assert_eq!(told(12_000_000), []);
}

/// A's last command is ECHO if it comes before B, else PING; A and B leave the same behind in both
/// orders. C, which comes last, finds out by CLIENT LIST which it was: each of its lines runs. So
/// it does by the number of commands that INFO shows; that is not followed, and nothing is said.
#[test]
fn lines_that_run_by_what_a_connection_was_used_for_do_run() {
    let a = "
local function last()
  if redis.call('GET', 'k') then redis.call('PING') else redis.call('ECHO', 'x') end
end
last()";
    let b = "redis.call('SET', 'k', 1)";
    let c = |is: &str, list: &str| {
        format!(
            "
if redis.call('GET', 'k') and redis.call({list}):find('{is}') then
  redis.call('SET', 'found', 1)
end"
        )
    };
    let found = |is: &str, list: &str| never(&with(&[a, b, &c(is, list)], &[], |_| {}));
    for is in ["cmd=echo", "cmd=ping"] {
        assert_eq!(found(is, "'CLIENT', 'LIST'"), [], "{is}");
    }
    let never = Never::Runs { program: "2.lua".to_owned(), first: 3, last: 3 };
    assert_eq!(found("cmd=lpush", "'CLIENT', 'LIST'"), [never]);
    assert_eq!(found("cmdstat_lpush", "'INFO', 'commandstats'"), []);
}

#[test]
fn what_happens_in_no_order_is_told() {
    let program = "
if redis.call('SET', 'lock', 1, 'NX', 'PX', 50) then
  if redis.call('GET', 'nothing') then
    redis.call('SET', 'a', 1)
    redis.call('SET', 'b', 1)
  else
    redis.call('SET', 'c', 1)
  end
  redis.call('DEL', 'lock')
end
redis.cal('GET')";
    let asked = "not all_done() or number('c') == 1";
    let scenario = |program: &str| {
        with(&[program, program], &[asked], |scenario| {
            scenario.faults.failover = 1;
            scenario.clients[1].program = scenario.clients[0].program.clone();
        })
    };
    let runs = |first: u32, last: u32| Never::Runs { program: "0.lua".to_owned(), first, last };
    let failover = Never::Fault(6);
    assert_eq!(Faults::NAMES[6], "failover");
    assert_eq!(
        never(&scenario(program)),
        [
            runs(4, 5),
            failover.clone(),
            Never::Expires(b"lock".as_slice().into()),
            Never::True("all_done()".to_owned()),
        ]
    );
    // The twin: it ends, sleeps longer than its lease, and each of its lines runs.
    let lively = "
if redis.call('SET', 'lock', 1, 'NX', 'PX', 50) then
  sleep(60)
else
  redis.call('SET', 'c', 1)
end
for i = 1, 2 do
  if i == 2 then break end
end
local function one() return 1 end
redis.call('SET', 'c', one())";
    assert_eq!(never(&scenario(lively)), [failover]);
}

#[test]
fn of_what_was_not_looked_at_nothing_is_said() {
    let counts = "for i = 1, 100 do redis.call('INCR', 'n') end if false then error('no') end";
    assert_eq!(never(&with(&[counts, counts], &[], |_| {})), []);
    // A die shows one number in this search, any in truth.
    let die = "redis.call('PING')\nif math.random(1, 6) == 6 then\nerror('six')\nend";
    assert_eq!(never(&with(&[&format!("{die}\n{die}\n{die}")], &[], |_| {})), []);
}

/// A condition that waits for A's end is asked of no run in which A has crashed, and that is said;
/// one that waits for the end of all is asked there. Both are asked after a pause.
#[test]
fn a_condition_that_is_never_asked_after_a_fault_is_named() {
    let lock = "redis.call('SETNX', 'lock', 1) redis.call('EXPIRE', 'lock', 10)";
    let asked = |waits: &str| {
        let check = format!("not {waits} or redis.call('TTL', 'lock') ~= -1");
        never(&with(&[lock], &[&check], |scenario| {
            (scenario.faults.crash, scenario.faults.pause) = (1, 1);
        }))
    };
    let after = Never::TrueAfter("done(\"A\")".to_owned(), Faults::CRASH);
    assert_eq!(asked("done('A')"), [after]);
    assert_eq!(asked("all_done()"), []);
}

/// Each of two clients ends well when the other has crashed. That Lua does not ask for the second
/// end where the first has not come says nothing of it.
#[test]
fn an_end_that_and_leaves_out_is_looked_at_all_the_same() {
    let asked = |check: &str, twice: bool| {
        let program = "redis.call('INCR', 'n')";
        let programs = [program, program];
        let programs = if twice { &programs[..] } else { &programs[..1] };
        never(&with(programs, &[check], |scenario| scenario.faults.crash = 1))
    };
    for both in ["done('A') and done('B')", "done('B') and done('A')", "over('A') and done('B')"] {
        assert_eq!(asked(&format!("not ({both}) or number('n') == 2"), true), [], "{both}");
    }
    // One that crashes alone has no other, and A never ends well after its crash.
    let after = Never::TrueAfter("done(\"A\")".to_owned(), Faults::CRASH);
    assert_eq!(asked("not (done('A') and number('n') ~= 1)", false), [after]);
}

/// `not all_done()` keeps the condition from being asked before A has sent its only command. So it
/// fails after one step, whatever kind of condition it is.
#[test]
fn a_condition_that_fails_during_the_search_names_itself_and_its_run() {
    let kinds = [
        (Kind::Always, "not all_done() or redis.call('XINFO', 'GROUPS', 's')[1] == 1"),
        (Kind::Sometimes, "all_done() and redis.call('XINFO', 'GROUPS', 's')[1] == 1"),
        (Kind::Always, "not all_done() or #redis.call('GET', 's') == 1"),
    ];
    // The state is also met just before a search with more reductions begins.
    let soon = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
    for ((kind, check), (limits, crash)) in
        kinds.iter().flat_map(|one| [(one, (Limits::default(), 0)), (one, (soon, 1))])
    {
        let mut scenario = with(&["redis.call('PING')"], &["true"], |it| it.faults.crash = crash);
        scenario.properties.push(Property::new(*kind, check, "lag").expect("compiles"));
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        assert!(check.mistake().is_some_and(|why| why.starts_with("lag:")), "{check:?}");
        let (property, run) = check.mistaken().expect("it is in a condition");
        assert_eq!((property, run.map(|run| run.len())), (1, Some(1)));
        assert_eq!(check.verdict(1).holds, None);
    }
}

/// Five steps: beyond the bound, whether it happens in the end is asked by a search of its own.
#[test]
fn an_eventually_that_fails_in_its_own_search_is_no_verdict() {
    let mut scenario =
        with(&["for i = 1, 5 do redis.call('PING') end"], &["true"], |it| it.faults.crash = 1);
    let check = "all_done() and redis.call('XINFO', 'GROUPS', 's')[1] == 1";
    scenario.properties.push(Property::new(Kind::Eventually, check, "lag").expect("compiles"));
    let limits = Limits { plain_max: 2, plain_max_with_faults: 2, ..Limits::default() };
    let mut check = Check::new(&scenario, limits).expect("it starts");
    check.run();
    assert_eq!(check.mistaken().map(|(property, _)| property), Some(1));
}

/// Nobody has come to its end: what asks for ends alone is true for that reason, in whatever words.
#[test]
fn a_condition_may_be_true_because_ends_have_not_come() {
    let waits = [
        ("not all_done() or number('n') == 2", true),
        ("not (done('A') and over('B')) or number('n') == 2", true),
        ("all_over() ~= true or number('n') == 2", true),
        ("number('n') == nil or not all_done()", false),
        ("not failed('A') or number('n') == 2", false),
        ("1 == 1", false),
        ("all_done()", false),
    ];
    let asked = waits.map(|(condition, _)| condition);
    let scenario = with(&["redis.call('INCR', 'n')"; 2], &asked, |_| {});
    let (mut world, _) = World::start(&scenario).expect("it starts");
    for (property, (condition, waits)) in scenario.properties.iter().zip(waits) {
        assert_eq!(property.waits_for_ends(&world), waits, "{condition}");
    }
    for id in [ClientId(0), ClientId(1)] {
        world.apply(Action::Step(id)).expect("it is possible");
    }
    let at_the_end = scenario.properties.iter().filter(|one| one.waits_for_ends(&world));
    assert_eq!(at_the_end.count(), 0);
}
