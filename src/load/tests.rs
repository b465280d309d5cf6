//! The simulator held to what theory says.

use std::rc::Rc;

use super::*;
use crate::lua::compile;
use crate::resp::Bytes;
use crate::sim::Scenario;

fn job(setup: &str, programs: &[&str], measures: &[(&str, &str)]) -> Rc<Job> {
    let argv = |line: &str| line.split(' ').map(|word| Bytes::from(word.as_bytes())).collect();
    let setup = setup.split(';').filter(|line| !line.is_empty()).map(argv).collect();
    let compiled = programs.iter().map(|source| compile(source.as_bytes(), "program").unwrap());
    let measures = measures.iter().map(|(id, check)| Measure::new(id, check).unwrap()).collect();
    Rc::new(Job::new(Scenario::simple(setup, Vec::new()), compiled.collect(), measures))
}

fn tally(plan: &str, job: &Rc<Job>, seed: u64) -> Tally {
    let base = Plan { rtt_us: 0, jitter_us: 0, ..Plan::default() };
    let plan = Plan::read(plan, &base).unwrap();
    let mut run = Run::new(&plan, job, seed).unwrap();
    while !run.advance(100_000) {}
    run.finish().unwrap()
}

fn within(found: f64, expected: f64, percent: f64) {
    let off = (found - expected).abs() / expected * 100.0;
    assert!(off <= percent, "{found} is {off:.2} % off {expected}");
}

/// Poisson arrivals, constant service of 10 µs, one thread: the mean wait is ρS ÷ 2(1 − ρ).
#[test]
fn waiting_for_redis_is_that_of_a_queue_of_kind_m_d_1() {
    let ping = job("", &["redis.call('PING')"], &[]);
    for (rate, rho, seeds) in [(50_000, 0.5, 1), (80_000, 0.8, 4)] {
        let plan = format!("arrival=poisson,rate={rate},clients=50,requests=5000");
        let (mut queueing, mut busy) = (Histogram::default(), 0.0);
        for seed in 1..=seeds {
            let tally = tally(&plan, &ping, seed);
            assert_eq!(tally.finished, 250_000);
            queueing.merge(&tally.queueing);
            busy += tally.utilisation() / seeds as f64;
        }
        within(queueing.mean(), rho * 10_000.0 / (2.0 * (1.0 - rho)), 2.0);
        within(busy, rho, 1.0);
    }
}

/// As many are under way on average as come in a second times the seconds each stays.
#[test]
fn littles_law() {
    let program = job("", &["redis.call('PING') sleep(3) redis.call('PING')"], &[]);
    for plan in [
        "arrival=poisson,rate=20000,clients=1000,requests=100,rtt_us=500,jitter_us=200",
        "clients=50,requests=500,think_ms=5,rtt_us=1000,spread=uniform,jitter_us=100",
    ] {
        let tally = tally(plan, &program, 3);
        let rate = tally.finished as f64 / tally.end_ns as f64;
        within(tally.presence / tally.end_ns as f64, rate * tally.response.mean(), 0.001);
    }
}

/// A lock that is held over two round trips and two commands lets no more pass than one holder
/// after the other; a mutex, whose next holder is there already, reaches that.
#[test]
fn a_lock_lets_one_pass_after_the_other() {
    let program = "synchronized('m', function() redis.call('GET', 'x') redis.call('PING') end)";
    let held_ns = 2.0 * (1_000_000.0 + 10_000.0);
    let plan = "clients=40,requests=50,processes=1,rtt_us=1000";
    let mutex = tally(plan, &job("", &[program], &[]), 1);
    assert!(mutex.throughput() <= 1e9 / held_ns * 1.000_001);
    within(mutex.throughput(), 1e9 / held_ns, 0.1);

    let lock = "while not redis.call('SET', 'l', '1', 'NX') do sleep(1) end redis.call('DEL', 'l')";
    let lock = tally(plan, &job("", &[lock], &[]), 1);
    assert_eq!(lock.finished, 2_000);
    // From one SET to the next: its reply, DEL's way there, and at best a SET right behind it.
    assert!(lock.throughput() <= 1e9 / 1_010_000.0);
}

/// Two clients, each reads and writes back; at a constant round trip they read at once, so exactly
/// one update is lost. With latencies drawn alike and independent for each way there are six orders
/// of the four calls to come in, and the ones that lose an update are those in which both read
/// before either writes: enumerated here, weighed by drawing the times alone.
#[test]
fn lost_updates_of_two_clients_are_as_many_as_enumeration_says() {
    let program = "local n = redis.call('GET', 'x') redis.call('SET', 'x', n + 1)";
    let add = job("SET x 0", &[program], &[("lost", "2 - number('x')")]);
    assert_eq!(tally("clients=2,requests=1,rtt_us=1000", &add, 1).values, [1.0]);

    // One way takes X, drawn anew each time; reads come in at X1 and Y1, writes at X1+X2+X3 and
    // Y1+Y2+Y3. By symmetry P(lost) = 1 − 2·P(X1+X2+X3 < Y1). For X exponential of mean 1, X1+X2+X3
    // is Erlang(3): P = 1/8, so 3/4 of the runs lose one.
    let plan = "clients=2,requests=1,rtt_us=1000000,jitter_us=707107,command_ns=0,instruction_ns=0";
    let runs = 4_000;
    let lost: f64 = (1..=runs).map(|seed| tally(plan, &add, seed).values[0]).sum();
    within(lost / runs as f64, 0.75, 3.0);
}

#[test]
fn one_process_loses_nothing_and_three_do() {
    let buy = "synchronized('stock', function()
        local n = tonumber(redis.call('GET', 'stock'))
        if n > 0 then redis.call('SET', 'stock', n - 1) sold = 1 end
      end)";
    let measures = [("left", "number('stock')"), ("sold", "sum('sold')")];
    let shop = job("SET stock 300", &[buy], &measures);
    let one = tally("clients=300,requests=1,processes=1,rtt_us=500,jitter_us=100", &shop, 1);
    assert_eq!(one.values, [0.0, 300.0]);
    let three = tally("clients=300,requests=1,processes=3,rtt_us=500,jitter_us=100", &shop, 1);
    assert_eq!(three.values[1], 300.0);
    assert!(three.values[0] > 100.0, "{:?}", three.values);
}

#[test]
fn a_long_script_makes_everybody_wait() {
    let script = |loops: u32| {
        format!("redis.call('EVAL', 'local n = 0 for i = 1, {loops} do n = n + i end', 0)")
    };
    let other = "redis.call('PING')";
    let mean = |loops| {
        let programs = [script(loops), other.to_owned()];
        let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
        tally("clients=20,requests=50", &job("", &programs, &[]), 1).queueing.mean()
    };
    assert!(mean(5_000) > 10.0 * mean(5), "{} {}", mean(5_000), mean(5));
}

#[test]
fn who_waits_is_served_by_who_comes() {
    let pop = "got = redis.call('BLPOP', 'list', 0) and 1";
    let push = "sleep(5) redis.call('RPUSH', 'list', 'x')";
    let meet = job("", &[pop, push], &[("got", "sum('got')")]);
    let tally_ = tally("clients=10,requests=20", &meet, 1);
    assert_eq!((tally_.finished, tally_.stuck), (200, 0));
    assert_eq!(tally_.values, [100.0]);
    let alone = tally("clients=3,requests=1", &job("", &[pop], &[]), 1);
    assert_eq!((alone.stuck, alone.deadlocked), (3, true));
    let in_vain = job("", &["got = redis.call('BLPOP', 'list', 0.05) and 1"], &[]);
    let in_vain = tally("clients=3,requests=1", &in_vain, 1);
    assert_eq!((in_vain.finished, in_vain.end_ns / 1_000_000), (3, 50));
}

#[test]
fn places_begin_anew_and_their_ids_do_not() {
    let program = "redis.call('WATCH', 'x') redis.call('MULTI') redis.call('SADD', 'ids', uuid())";
    let ids = job("", &[program], &[("ids", "redis.call('SCARD', 'ids')")]);
    // MULTI is given up with each run, so no id is ever added …
    assert_eq!(tally("clients=3,requests=5", &ids, 1).values, [0.0]);
    // … and where they are, no two are the same.
    let ids =
        job("", &["redis.call('SADD', 'ids', uuid())"], &[("n", "redis.call('SCARD', 'ids')")]);
    assert_eq!(tally("clients=60,requests=5", &ids, 1).values, [300.0]);
    let twice = tally("arrival=poisson,rate=100000,clients=60,requests=5,rtt_us=3000", &ids, 1);
    assert_eq!(twice.values, [300.0]);
}

#[test]
fn crashes_leave_locks_and_pauses_outlast_leases() {
    let lock = "while not redis.call('SET', 'l', uuid(), 'NX') do sleep(1) end
      redis.call('GET', 'x') redis.call('DEL', 'l')";
    // A client that dies with the lock never releases it: the others try until they die too.
    let dead = tally("clients=10,requests=10,crash_ppm=20000", &job("", &[lock], &[]), 2);
    assert_eq!(dead.ended(), 100);
    assert!(dead.crashed > 50 && dead.sleeps > 1_000, "{} {}", dead.crashed, dead.sleeps);
    let lease = "while not redis.call('SET', 'l', '1', 'NX', 'PX', 20) do sleep(1) end
      holding = true redis.call('GET', 'x') holding = nil redis.call('DEL', 'l')";
    let lease = job("", &[lease], &[("most", "peak(\"holding\")")]);
    let calm = tally("clients=20,requests=10", &lease, 1);
    assert_eq!(calm.values, [1.0]);
    let paused = tally("clients=20,requests=20,pause_ppm=20000,pause_ms=100", &lease, 1);
    assert!(paused.values[0] > 1.0, "{paused:?}");
}

#[test]
fn time_until_a_request_has_something_first() {
    let program =
        "sleep(7) redis.call('GET', 'x') got = true sleep(9) got = nil sleep(1) got = true";
    let of = |which: &str| job("", &[program, "sleep(100)"], &[("t", which)]);
    let tally_ =
        tally("clients=4,requests=3,command_ns=0,instruction_ns=0", &of("time_to(\"got\")"), 1);
    assert_eq!(tally_.values, [7.0]);
    assert_eq!(tally("clients=4,requests=3", &of("peak(\"got\")"), 1).values, [2.0]);
    let never = tally("clients=4,requests=3", &of("time_to(\"other\")"), 1);
    assert!(never.values[0].is_nan());
}

#[test]
fn instances_that_are_down_cost_patience() {
    let program = "local n = connect('redis', 5) ok = n:pcall('PING').ok and 1";
    let ping = job("", &[program], &[("ok", "sum('ok')")]);
    let down = tally("clients=2,requests=1,down=1", &ping, 1);
    assert_eq!((down.values[0], down.end_ns), (0.0, 5_000_000));
}

#[test]
fn threads_are_waited_for_and_time_has_an_end() {
    let slow = job("", &["sleep(10)"], &[]);
    let two = tally("clients=10,requests=1,processes=1,threads=2", &slow, 1);
    assert_eq!((two.finished, two.end_ns), (10, 50_000_000));
    let cut = tally("clients=10,requests=1,processes=1,threads=2,limit_ms=25", &slow, 1);
    assert_eq!((cut.finished, cut.stuck, cut.cut), (4, 6, true));
}

#[test]
fn a_crowd_has_no_transactions() {
    let refused = "if not pcall(sql, 'BEGIN') then error('refused') end";
    let failed = |program: &str| tally("clients=2,requests=1", &job("", &[program], &[]), 1).failed;
    assert_eq!((failed(refused), failed("pcall(sql, 'SELECT a FROM b')")), (2, 0));
}

#[test]
fn two_requests_of_a_crowd_show_what_it_shows() {
    let program = "local n = tonumber(redis.call('GET', 'stock'))
      if n > 0 then redis.call('SET', 'stock', n - 1) sold = 1 end";
    let crowd = job("SET stock 20", &[program], &[]);
    let plan = Plan { clients: 50, requests: 1, ..Plan::default() };
    let mut run = Run::new(&plan, &crowd, 1).unwrap().recording();
    while !run.advance(1_000) {}
    let property =
        crate::sim::Property::new(crate::sim::Kind::Always, "sum('sold') <= 1", "sold").unwrap();
    let setup = vec![["SET", "stock", "1"].map(|word| Bytes::from(word.as_bytes())).to_vec()];
    let chunk = crowd.programs[0].clone();
    let small = Scenario::simple(setup, vec![chunk.clone(), chunk.clone(), chunk]);
    let (world, _) = crate::sim::World::start(&small).unwrap();
    let found = reduce(run.calls(), &world, &[property], &[0, 0, 0]).unwrap();
    assert_eq!((found.requests.len(), found.actions.len()), (2, 4));
}

/// Pins the results of these seeds, on every target (tests/browser/harness.test.mjs: in wasm).
#[test]
fn seeds_give_what_they_gave() {
    let retry = "tries = 0
      repeat
        tries = tries + 1
        redis.call('WATCH', 'n')
        local n = redis.call('GET', 'n')
        redis.call('MULTI')
        redis.call('SET', 'n', n + 1)
      until redis.call('EXEC')";
    let watch = job("SET n 0", &[retry], &[("n", "number('n')"), ("tries", "sum('tries')")]);
    let mut said = String::new();
    for (spread, arrival) in [
        ("constant", "at-once"),
        ("uniform", "ramp"),
        ("exponential", "poisson"),
        ("lognormal", "at-once"),
    ] {
        let plan = format!(
            "clients=12,requests=4,rtt_us=400,jitter_us=90,think_ms=2,crash_ppm=2000,\
             pause_ppm=3000,pause_ms=9,skew_ms=5,spread={spread},arrival={arrival}"
        );
        let tally = tally(&plan, &watch, 5);
        let [n, tries] = [tally.values[0], tally.values[1]];
        let (events, crashed, end) = (tally.events, tally.crashed, tally.end_ns);
        let p95 = tally.response.percentile(95.0);
        said += &format!("{spread} {arrival}: {n} {tries} {crashed} {events} {end} {p95}\n");
    }
    expect_test::expect![[r#"
        constant at-once: 45 376 3 3786 95722330 54263807
        uniform ramp: 48 48 0 529 928804279 2424831
        exponential poisson: 45 347 3 3515 91678388 40316253
        lognormal at-once: 47 351 1 3559 101873627 51642367
    "#]]
    .assert_eq(&said);
}

/// Programs that are remembered do what they would have done: in loops, in closures and coroutines,
/// with numbers of their own, with errors and with what only they were told; scripts too.
#[test]
fn what_is_remembered_changes_nothing() {
    let shop = "local n = tonumber(redis.call('GET', 'n'))
        if n > 0 then redis.call('SET', 'n', n - 1) sold = 1 end";
    let lock = "local id = uuid() tries = 0
        while not redis.call('SET', 'l', id, 'NX', 'PX', 30) do tries = tries + 1 sleep(1) end
        local from = now() redis.call('INCR', 'n')
        if redis.call('GET', 'l') == id then redis.call('DEL', 'l') end held = now() - from";
    let errors = "local function again() return redis.call('INCR', 'text') end
        failed = pcall(again) and 0 or 1
        local reply = redis.pcall('LPUSH', 'n', 'x') kind = #reply.err
        if redis.call('INCR', 'odd') % 3 == 0 then error({err = 'odd'}) end
        local all = {} for word in ('a b c'):gmatch('%a') do
            all[#all + 1] = redis.call('APPEND', 'words', word) end
        local co = coroutine.wrap(function(x) coroutine.yield(redis.call('STRLEN', x)) end)
        length = co('words') last = #all";
    let mutex = "synchronized('m', function()
        local other = connect('redis', 5) other:call('INCR', 'n')
        synchronized('m', function() best = tonumber(other:call('GET', 'n')) end)
        if best % 5 == 0 then error('five') end end)";
    let script = "local code = [[local n = redis.call('DECR', KEYS[1])
          if n % 7 == 0 then return redis.error_reply('SEVEN') end
          return {n, redis.pcall('GET', KEYS[1]), math.random(3), tostring({}) == ARGV[1]}]]
        local reply = redis.pcall('EVAL', code, 1, 'n', 'x')
        got = reply.err and 1 or reply[3]";
    let listen = "local inbox = connect('redis') inbox:call('SUBSCRIBE', 'news')
        redis.call('PUBLISH', 'news', 'n' .. now() % 3)
        local message = inbox:receive(3) heard = message and #message.payload or 0";
    let of = |name: &str| (name.to_owned(), format!("sum('{name}')"));
    let names =
        ["sold", "tries", "held", "failed", "kind", "length", "last", "best", "got", "heard"];
    let measures: Vec<(String, String)> = names.into_iter().map(of).collect();
    let measures: Vec<(&str, &str)> =
        measures.iter().map(|(id, check)| (id.as_str(), check.as_str())).collect();
    let all = [shop, lock, errors, mutex, script, listen];
    let mut sets: Vec<Vec<&str>> = all.iter().map(|one| vec![*one]).collect();
    sets.push(all.to_vec());
    for programs in sets {
        let job = job("SET n 900;SET text x", &programs, &measures);
        for plan in [
            "clients=30,requests=30,processes=3,rtt_us=300,jitter_us=100,skew_ms=4",
            "clients=60,requests=20,rtt_us=300,crash_ppm=3000,pause_ppm=3000,pause_ms=20",
        ] {
            let plan = Plan::read(plan, &Plan::default()).unwrap();
            let finish = |mut run: Run| {
                while !run.advance(1_000) {}
                let calls = run.calls().to_vec();
                let instance = run.world().redis().clone();
                (run.finish().unwrap(), calls, instance)
            };
            let remembered = finish(Run::new(&plan, &job, 3).unwrap().recording());
            let forgotten = finish(Run::new(&plan, &job, 3).unwrap().recording().forgetting());
            assert!(remembered.0.finished + remembered.0.failed > 600, "{:?}", remembered.0);
            assert_eq!(remembered, forgotten, "{programs:?}");
        }
    }
}

#[test]
fn a_seed_is_a_run() {
    let buy = "local n = tonumber(redis.call('GET', 'stock'))
        if n > 0 then redis.call('SET', 'stock', n - 1) sold = 1 end";
    let shop = job("SET stock 50", &[buy], &[("sold", "sum('sold')")]);
    for spread in ["constant", "uniform", "exponential", "lognormal"] {
        let plan =
            format!("clients=40,requests=5,think_ms=2,rtt_us=400,jitter_us=90,spread={spread}");
        assert_eq!(tally(&plan, &shop, 9), tally(&plan, &shop, 9));
    }
    let plan = "clients=40,requests=5,rtt_us=400,jitter_us=90";
    assert_ne!(tally(plan, &shop, 1).end_ns, tally(plan, &shop, 2).end_ns);
}
