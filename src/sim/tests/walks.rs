//! Random runs through everything that can happen.

use super::*;

/// Statements of random programs; some of them fail, some wait, some are caught.
const STATEMENTS: &[&str] = &[
    "redis.call('INCR', 'n')",
    "redis.call('SET', 'lock', uuid(), 'NX', 'PX', 30)",
    "redis.pcall('GET', 'lock')",
    "redis.pcall('BLPOP', 'jobs', 0.02)",
    "redis.pcall('RPUSH', 'jobs', 'j')",
    "redis.pcall('WATCH', 'n')",
    "redis.pcall('MULTI')",
    "redis.pcall('EXEC')",
    "redis.pcall('WAIT', 1, 25)",
    "r1:pcall('SET', 'far', now())",
    "r2:pcall('GET', 'n')",
    "r2:pcall('SUBSCRIBE', 'ch')",
    "redis.pcall('PUBLISH', 'ch', 'hello')",
    "pcall(function() r2:receive(15) end)",
    "redis.pcall('EVAL', 'return redis.call(\"INCR\", KEYS[1])', 1, 'n')",
    "pcall(synchronized, 'm', function() redis.call('INCR', 'n') synchronized('m', uuid) end)",
    "pcall(sql, 'UPDATE t SET n = n + 1 WHERE id = ?', 1)",
    "pcall(sql, 'INSERT INTO t VALUES (2, 2)')",
    "resource('disk'):write(now(), 1)",
    "sleep(10)",
    "holding = not holding",
    "process.n = (process.n or 0) + 1",
    "if process.n == 2 then process.n = nil end",
    "log('here')",
];

fn random_scenario(random: &mut ChaCha8Rng) -> Scenario {
    let clients = random.random_range(1..=3u32);
    let programs: Vec<String> = (0..clients)
        .map(|_| {
            let lines = random.random_range(1..=6u32);
            let line = |_| STATEMENTS[random.random_range(0..STATEMENTS.len() as u32) as usize];
            let lines: Vec<&str> = (0..lines).map(line).collect();
            let connect = "r1 = connect('r1', 20) r2 = connect('r2', 0) ";
            connect.to_owned() + &lines.join("\n")
        })
        .collect();
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    let mut scenario = Scenario { nodes: nodes(&["redis", "r1", "r2"]), ..cast(&programs) };
    scenario.nodes[2].replica_of = Some("redis".into());
    let sql = ["CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 0)"];
    scenario.sql = sql.map(str::to_owned).to_vec();
    scenario.wire = random.random_range(0..2u32) == 0;
    scenario.time =
        if random.random_range(0..2u32) == 0 { TimeMode::Any } else { TimeMode::Prompt };
    scenario.clients.iter_mut().take(2).for_each(|client| client.process = Some("vm".into()));
    let one = 1;
    scenario.faults = Faults {
        crash: one,
        pause: one,
        lose: one,
        jump: one,
        down: one,
        restart: one,
        failover: one,
        evict: one,
        drop: one,
        rewind: one,
        early: one,
        jump_ms: [25, -25][random.random_range(0..2u32) as usize],
        ..Faults::default()
    };
    scenario
}

/// Puts a world together from the components of another one.
fn rebuilt(from: &World, onto: &World) -> World {
    let mut world = onto.clone();
    world.set_now_ms(from.now_ms());
    for id in from.setting().node_ids() {
        world.set_node(id, from.node(id).expect("a node").clone());
    }
    for (id, client) in from.ids().zip(from.clients()) {
        world.set_client(id, client.clone());
    }
    world.set_links(from.links().to_vec());
    world.set_routes(from.routes());
    world.set_mutexes(from.mutexes().clone());
    world.set_variables(from.variables().clone());
    world.set_sql(from.sql().clone());
    world.set_resources(from.resources().clone());
    world.set_budget(from.budget());
    world
}

#[test]
fn whatever_is_enabled_can_happen_and_happens_again_the_same() {
    for seed in 0..300 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let scenario = random_scenario(&mut random);
        let mut timeline = begin(scenario.clone());
        let first = timeline.world().clone();
        while timeline.len() < 40 {
            let world = timeline.world().clone();
            let enabled = world.enabled();
            assert!(enabled.is_sorted(), "seed {seed}: a fixed order: {enabled:?}");
            assert!(world.choices().iter().all(|action| enabled.contains(action)));
            for action in &enabled {
                let (mut seen, mut unseen) = (world.clone(), world.clone());
                seen.apply(*action).expect("enabled lists only what can happen");
                unseen.apply_unseen(*action).expect("enabled lists only what can happen");
                assert!(seen == unseen, "seed {seed}: eyes change nothing");
                assert_eq!(fingerprint(&seen), fingerprint(&unseen));
                // Written and read again.
                let token = timeline.token_for(*action);
                let text = schedule::write(token, world.setting());
                assert_eq!(schedule::parse_token(&text, world.setting()), Some(token), "{text}");
            }
            assert!(rebuilt(&world, &first) == world, "seed {seed}: a world is its components");
            if enabled.is_empty() {
                break;
            }
            let action = enabled[random.random_range(0..enabled.len() as u32) as usize];
            timeline.step(action).expect("an enabled action");
        }
        let mut again = begin(scenario);
        play(&mut again, &timeline.schedule());
        assert_eq!(timeline.digest(), again.digest(), "seed {seed}: {}", timeline.schedule());
        let ends = (timeline.world(), again.world());
        assert!(ends.0 == ends.1, "seed {seed}");
    }
}

#[test]
fn what_is_impossible_changes_nothing() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(1_000 + seed);
        let mut timeline = begin(random_scenario(&mut random));
        for _ in 0..10 {
            let world = timeline.world().clone();
            let enabled = world.enabled();
            for action in all_actions() {
                let mut other = world.clone();
                let done = other.apply(action).is_ok();
                assert_eq!(done, enabled.contains(&action), "seed {seed}: {action:?}");
                assert!(done || other == world);
            }
            let Some(action) = enabled.get(random.random_range(0..8u32) as usize) else { break };
            timeline.step(*action).expect("an enabled action");
        }
    }
}

/// Every action of four clients, four processes and four instances, most of them not there.
fn all_actions() -> Vec<Action> {
    let mut all = vec![Action::Advance];
    for n in 0..4 {
        let (client, process, node) = (ClientId(n), ProcessId(n), NodeId(n as u8));
        all.extend([
            Action::Step(client),
            Action::Send(client),
            Action::Execute(client),
            Action::Reply(client),
            Action::Resume(client),
            Action::LoseReply(client),
            Action::LoseRequest(client),
            Action::Pause(client),
            Action::Crash(client),
            Action::JumpClient(client),
        ]);
        all.extend([
            Action::ResumeProcess(process),
            Action::PauseProcess(process),
            Action::CrashProcess(process),
        ]);
        all.extend([
            Action::Up(node),
            Action::Replicate(node),
            Action::JumpNode(node),
            Action::Down(node),
            Action::Restart(node),
            Action::Failover(node),
            Action::Rewind(node),
        ]);
    }
    all
}

#[test]
fn a_step_leaves_what_it_does_not_touch() {
    let programs = ["connect('r1'):call('SET', 'k', 1)", "redis.call('PING')"];
    let scenario = Scenario { nodes: nodes(&["redis", "r1"]), ..cast(&programs) };
    let before = begin(scenario).world().clone();
    let mut after = before.clone();
    after.apply_unseen(A).expect("A can step");
    assert!(Rc::ptr_eq(&before.nodes()[0], &after.nodes()[0]));
    assert!(Rc::ptr_eq(&before.clients()[1], &after.clients()[1]));
    assert!(Rc::ptr_eq(before.mutexes(), after.mutexes()));
    assert!(!Rc::ptr_eq(&before.nodes()[1], &after.nodes()[1]));
}

#[test]
fn connecting_in_another_order_makes_no_difference() {
    let program = "local r1 = connect('r1') r1:call('INCR', 'n')";
    let scenario = Scenario { nodes: nodes(&["redis", "r1"]), ..cast(&[program, program]) };
    let (mut one, mut other) = (begin(scenario.clone()), begin(scenario));
    play(&mut one, "A1.B1");
    play(&mut other, "B1.A1");
    assert!(one.world() == other.world());
}

#[test]
fn hostile_tokens_are_errors() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let scenario = random_scenario(&mut random);
    let setting = begin(scenario).world().setting().clone();
    let pieces = [
        "A", "T", "1", "0", "-", "pause", "crash", "vm", "redis", "lose", "Q", "é", "down", "evict",
    ];
    for _ in 0..5_000 {
        let parts = random.random_range(0..5u32);
        let piece = |_| pieces[random.random_range(0..pieces.len() as u32) as usize];
        let text: String = (0..parts).map(piece).collect();
        if let Some(token) = schedule::parse_token(&text, &setting) {
            assert_eq!(schedule::write(token, &setting), text, "only one way to write it");
        }
    }
    for text in ["pause-", "-redis", "down-r9", "crashQ", "pauseA1", "TA", "T-", "A1-redis", "aA"] {
        assert_eq!(schedule::parse_token(text, &setting), None, "{text}");
    }
}
