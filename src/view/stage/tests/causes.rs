//! That sentences about causes are true, in every variant of every lesson: in its stories, and in
//! random runs.

use std::collections::BTreeSet;

use super::*;
use crate::engine::EntryValue;
use crate::lesson::source::read_all;
use crate::sim::sql::{ColumnKind, Prepared};
use crate::sim::{Call, CallKind, Frame, Typed};
use crate::text::{CauseWord, cause};
use crate::view::stage::basis::{Basis, basis};
use crate::view::stage::why::why;
use crate::view::stage::{stale, windows};

const RANDOM_RUNS: u64 = 6;
/// Of these, those in which commands and replies travel in steps of their own.
const WIRE_RUNS: u64 = 2;
const RANDOM_STEPS: usize = 40;

/// All stories, and for each variant some random runs; each with its name.
fn runs() -> Vec<(String, Timeline)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    let course = read_all(&root).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut runs = Vec::new();
    for lesson in course.lessons.iter().map(|written| &written.lesson) {
        for (number, variant) in lesson.variants.iter().enumerate() {
            let scenario = Rc::new(lesson.scenario(number).expect("a scenario"));
            let wired = Rc::new(Scenario { wire: true, ..(*scenario).clone() });
            let start = Timeline::start(scenario).expect("it starts");
            let name = format!("{} {}", lesson.id, variant.id);
            for walk in lesson.walks.iter().filter(|walk| walk.variant == number) {
                let mut run = start.clone();
                crate::sim::schedule::play(&mut run, &walk.schedule).expect("a story");
                runs.push((format!("{name} story {}", walk.id), run));
            }
            for seed in 0..RANDOM_RUNS {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                let mut run = match seed < WIRE_RUNS {
                    true => Timeline::start(wired.clone()).expect("it starts"),
                    false => start.clone(),
                };
                for _ in 0..RANDOM_STEPS {
                    let enabled = run.world().enabled();
                    if enabled.is_empty() {
                        break;
                    }
                    run.step(enabled[random.random_range(0..enabled.len())]).expect("enabled");
                }
                runs.push((format!("{name} {}", run.schedule()), run));
            }
        }
    }
    runs
}

/// Lines for a console that change what `argv` reads; empty if it is no GET or HGET.
fn other_values(frame: &Frame, node: NodeId, argv: &[crate::resp::Bytes]) -> Vec<String> {
    let quoted = |bytes: &[u8]| format!("\"{}\"", String::from_utf8_lossy(bytes));
    let name = argv[0].to_ascii_uppercase();
    let (set, delete) = match (name.as_slice(), argv.len()) {
        (b"GET", 2) => ("SET", "DEL"),
        (b"HGET", 3) => ("HSET", "HDEL"),
        _ => return Vec::new(),
    };
    let place: Vec<String> = argv[1..].iter().map(|word| quoted(word)).collect();
    let place = place.join(" ");
    let world = &frame.world;
    let Some(at) = world.node(node) else { return Vec::new() };
    let entry = at.instance.entry(0, &argv[1], at.now_ms(world.now_ms()));
    let now = match entry.map(|entry| entry.value) {
        None => None,
        Some(EntryValue::Str(text)) => Some(text),
        Some(EntryValue::Hash(fields)) => {
            let field = fields.iter().find(|(name, _)| *name == argv[2]);
            field.map(|(_, value)| value.clone())
        }
        Some(_) => return Vec::new(),
    };
    let text = now.as_ref().map(|now| String::from_utf8_lossy(now).into_owned());
    let number = text.as_ref().and_then(|text| text.parse::<i64>().ok());
    let next = |c: char| match c.to_digit(10) {
        Some(digit) => char::from_digit((digit + 1) % 10, 10).expect("a digit"),
        None => c,
    };
    let values = match (text, number) {
        (None, _) => vec!["1".to_owned(), "1000000".into(), "x".into()],
        (_, Some(number)) => vec![(number + 1).to_string(), "0".into(), "1000000".into()],
        (Some(text), None) => {
            let other: String = text.chars().map(next).collect();
            let other = if other == text { other + "x" } else { other };
            vec![other, "0".into(), "1000000".into()]
        }
    };
    let keep = if set == "SET" && now.is_some() { " KEEPTTL" } else { "" };
    let mut lines: Vec<String> =
        values.iter().map(|value| format!("{set} {place} \"{value}\"{keep}")).collect();
    lines.extend(now.is_some().then(|| format!("{delete} {place}")));
    lines
}

/// The same question, asked another way: the other value is written into Redis before the read, and
/// the whole schedule is repeated. `None` if it cannot be asked.
fn oracle(run: &Timeline, window: &windows::RaceWindow, write: usize) -> Option<Basis> {
    let frames = run.frames();
    let (id, read) = (window.client, window.read_step);
    let (_, call, _) = frames[read].seen.event.executed()?;
    let lines = other_values(&frames[read - 1], window.node, call.argv());
    let mut found = Vec::new();
    for line in lines {
        let mut world = frames[read - 1].world.clone();
        let console = ClientId::console_of("c8").or(ClientId::console_of("c1"))?;
        world.type_line(&Typed { console, node: window.node, line: line.into() }).ok()?;
        for frame in &frames[read..write] {
            let _ = world.apply_unseen(frame.token.expect("a step").action);
        }
        let is = world.client(id)?;
        if matches!(is.state(), crate::sim::State::Failed(_)) {
            continue;
        }
        found.push(basis_of(frames[write - 1].world.client(id)?.call()?, is.call()));
        if found.ends_with(&[Basis::Computed]) {
            break;
        }
    }
    strongest(&found)
}

/// What a call has to do with a value, where with another one the client was about to make `is`.
fn basis_of(was: &Call, is: Option<&Call>) -> Basis {
    match is {
        Some(is) if is == was => Basis::Neither,
        Some(is) if is.line == was.line && is.argv().first() == was.argv().first() => {
            Basis::Computed
        }
        _ => Basis::Decided,
    }
}

fn strongest(found: &[Basis]) -> Option<Basis> {
    let order = [Basis::Computed, Basis::Decided, Basis::Neither];
    order.into_iter().find(|basis| found.contains(basis))
}

#[test]
fn computed_is_said_only_where_another_value_in_the_store_changes_the_write() {
    let (mut asked, mut wrong) = ([0; 3], Vec::new());
    for (name, run) in runs() {
        let found = windows::find(&run);
        let mut computed = BTreeSet::new();
        for window in found.iter() {
            let Some(write) = window.write_step else { continue };
            let told = basis(&run, window.client, window.read_step, write);
            if told == Basis::Computed {
                computed.extend(stale::written(&run, window));
            }
            let Some(truth) = oracle(&run, window, write) else { continue };
            asked[truth as usize] += 1;
            if told != truth {
                wrong.push(format!("{name}: {window:?}: {told:?}, not {truth:?}"));
            }
        }
        let has_rows = !run.world().sql().is_empty();
        for step in 1..=run.len() {
            let said = stale::at_step(&run, &found, step, Lang::En).join(" ");
            if said.contains("computed") && !has_rows && !computed.contains(&step) {
                wrong.push(format!("{name}: step {step}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked.iter().all(|count| *count > 10), "asked too seldom: {asked:?}");
}

#[test]
fn a_key_expires_in_words_exactly_when_its_deadline_passes() {
    let (mut expired, mut wrong) = (0, Vec::new());
    for (name, run) in runs() {
        for (step, pair) in run.frames().windows(2).enumerate() {
            let (before, after) = (&pair[0], &pair[1]);
            let said = row_words(after, Lang::En);
            let mut gone = Vec::new();
            for (old, new) in before.world.nodes().iter().zip(after.world.nodes()) {
                let clock_ms = new.now_ms(after.world.now_ms());
                for entry in old.instance.entries(0, 0) {
                    let is_due = entry.expires_at.is_some_and(|due| due <= clock_ms);
                    if is_due && new.instance.entry(0, &entry.key, 0).is_none() {
                        gone.push(String::from_utf8_lossy(&entry.key).into_owned());
                    }
                }
            }
            expired += gone.len();
            let is_said = gone.iter().take(4).all(|key| said.contains(key.as_str()));
            if said.contains(" expired.") == gone.is_empty() || !is_said {
                wrong.push(format!("{name}: step {}: {said} {gone:?}", step + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(expired > 20, "{expired} keys");
}

#[test]
fn prose_has_no_time_of_the_clock_and_no_status_for_a_value() {
    let mut wrong = Vec::new();
    for (name, run) in runs() {
        let mut said: Vec<String> =
            run.frames().iter().map(|frame| row_words(frame, Lang::En)).collect();
        said.extend(why(&run, Lang::En));
        // Ids of streams have a time in them, and names of keys may.
        let clock = |words: &&String| {
            let mut words = words.split([' ', ',', ';', ':', '"', '\u{a0}']);
            words.any(|word| word.trim_end_matches('.').len() == 13 && word.starts_with("17672"))
        };
        let status = |words: &&String| words.contains(" read ") && words.ends_with(": OK.");
        wrong.extend(
            said.iter()
                .filter(|words| clock(words) || status(words))
                .map(|words| format!("{name}: {words}")),
        );
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Sentences of more words than are read at a glance. Words of commands and values count.
#[test]
fn closing_sentences_are_short() {
    const WORDS_MAX: usize = 20;
    let mut long = BTreeSet::new();
    let mut count = 0;
    for (name, run) in runs().iter().filter(|(name, _)| name.contains(" story ")) {
        for sentence in why(run, Lang::En) {
            let words = sentence.split_whitespace().count();
            count += 1;
            if words > WORDS_MAX {
                long.insert(format!("{words} {name}: {sentence}\n"));
            }
        }
    }
    let long: String = long.into_iter().collect();
    expect_file!["../goldens/long-sentences.txt"].assert_eq(&format!("of {count}\n{long}"));
}

/// Steps a scenario of these programs along a schedule, and returns the sentences of each step and
/// of its end, in both languages.
fn told(setup: &[&str], programs: &[&str], schedule: &str) -> String {
    let setup =
        setup.iter().map(|line| crate::resp::split_inline(line.as_bytes()).expect("a command"));
    let programs =
        programs.iter().map(|text| crate::lua::compile(text.as_bytes(), "a.lua").expect("Lua"));
    let scenario = Scenario::simple(setup.collect(), programs.collect());
    let mut run = Timeline::start(Rc::new(scenario)).expect("it starts");
    crate::sim::schedule::play(&mut run, schedule).expect("a schedule");
    let mut text = String::new();
    for lang in Lang::ALL {
        for (step, frame) in run.frames().iter().enumerate().skip(1) {
            text += &(row_words(frame, lang) + "\n");
            for words in stale::at_step(&run, &[], step, lang) {
                text += &format!("= {words}\n");
            }
        }
        for words in why(&run, lang) {
            text += &format!("> {words}\n");
        }
    }
    text
}

#[test]
fn what_became_of_a_time_to_live() {
    let count = r#"
        redis.call("SET", "rl", 2, "KEEPTTL")
        sleep(60)
        redis.call("SET", "rl", 1)
    "#;
    expect![[r#"
        A changed rl: 1 → 2.
        50 ms passed. rl expired.
        10 ms passed.
        A changed rl: (nil) → 1.
        > At step 4 A made rl anew, without a time to live.
        A 修改了 rl：1 → 2。
        时间过去了 50 ms。 rl 过期了。
        时间过去了 10 ms。
        A 修改了 rl：(nil) → 1。
        > 第 4 步，A 重新创建了 rl，但没有设置过期时间。
    "#]]
    .assert_eq(&told(&["SET rl 1 PX 50"], &[count], "A1.T1.T2.A2"));
    let lock = r#"redis.call("SET", "lock", "a")"#;
    let renew = r#"redis.call("PEXPIRE", "lock", 10)"#;
    expect![[r#"
        B sent PEXPIRE lock 10; the reply is 1. This command shortened the time to live of lock.
        A changed lock: x → a. This write took away the time to live of lock.
        > At step 2 A’s write took away the time to live of lock.
        B 发送 PEXPIRE lock 10，回复是 1。 这条命令缩短了 lock 的过期时间。
        A 修改了 lock：x → a。 这次写入清除了 lock 的过期时间。
        > 第 2 步，A 的写入清除了 lock 的过期时间。
    "#]]
    .assert_eq(&told(&["SET lock x PX 50"], &[lock, renew], "B1.A1"));
}

#[test]
fn a_push_that_a_waiting_client_takes() {
    let take = r#"job = redis.call("BRPOP", "q", 10)"#;
    let push = r#"redis.call("LPUSH", "q", "job")"#;
    let add = r#"redis.call("RPUSH", "q", "a", "b")"#;
    expect![[r#"
        A sent BRPOP q 10 and now waits for the reply.
        B pushed job; A, which was waiting, got it.
        A 发送 BRPOP q 10，正在等回复。
        B 推入 job，正在等待的 A 拿到了它。
    "#]]
    .assert_eq(&told(&[], &[take, push], "A1.B1"));
    expect![[r#"
        A sent BRPOP q 10 and now waits for the reply.
        B sent RPUSH q a b; the reply is 2. A, which was waiting, got ["q", "b"].
        A 发送 BRPOP q 10，正在等回复。
        B 发送 RPUSH q a b，回复是 2。 正在等待的 A 得到 ["q", "b"]。
    "#]]
    .assert_eq(&told(&[], &[take, add], "A1.B1"));
}

#[test]
fn a_write_that_was_refused_is_no_write() {
    let watch = r#"
        redis.call("WATCH", "n")
        local n = redis.call("GET", "n")
        redis.call("MULTI")
        redis.call("SET", "n", n + 1)
        redis.call("EXEC")
    "#;
    let set = r#"redis.call("SET", "n", 7)"#;
    expect![[r#"
        A sent WATCH n; the reply is OK.
        A read n: 1.
        B changed n: 1 → 7.
        A sent MULTI; the reply is OK.
        A sent SET n 2; the reply is QUEUED.
        A sent EXEC; the reply is (nil).
        = B changed n (step 3) after A had watched it (step 1): EXEC did nothing.
        > A changed no key: its last command was EXEC, with the reply (nil).
        A 发送 WATCH n，回复是 OK。
        A 读取 n，得到 1。
        B 修改了 n：1 → 7。
        A 发送 MULTI，回复是 OK。
        A 发送 SET n 2，回复是 QUEUED。
        A 发送 EXEC，回复是 (nil)。
        = A 在第 1 步 WATCH 了 n，之后 B 改了它（第 3 步）：EXEC 没有执行任何命令。
        > A 没有修改任何键就结束了：它的最后一条命令是 EXEC，回复是 (nil)。
    "#]]
    .assert_eq(&told(&["SET n 1"], &[watch, set], "A1.A2.B1.A3.A4.A5"));
    let check = r#"
        if redis.call("EXISTS", "n") == 0 then redis.call("SET", "n", 1) end
    "#;
    expect![[r#"
        A sent EXISTS n; the reply is 0.
        B changed n: (nil) → 7.
        A changed n: 7 → 1.
        > A decided on EXISTS n = 0 (step 1), but B had sent SET n 7 (step 2).
        A 发送 EXISTS n，回复是 0。
        B 修改了 n：(nil) → 7。
        A 修改了 n：7 → 1。
        > A 根据 EXISTS n = 0（第 1 步）做了判断，而 B 已执行 SET n 7（第 2 步）。
    "#]]
    .assert_eq(&told(&[], &[check, set], "A1.B1.A2"));
    assert!(cause(Lang::En, CauseWord::Computed).contains("computed"));
}

/// The oracle's question about rows: the table is another one from the read on. `None` if it cannot
/// be asked.
fn oracle_of_rows(run: &Timeline, id: ClientId, read: usize, write: usize) -> Option<Basis> {
    let frames = run.frames();
    let (_, call, _) = frames[read].seen.event.executed()?;
    let CallKind::Sql(select) = &call.kind else { return None };
    let name = select.table()?;
    let columns = frames[read - 1].world.sql().get(name)?.columns.iter();
    let columns = columns.filter(|one| !one.is_key && one.kind == ColumnKind::Int);
    let mut found = Vec::new();
    for (column, value) in columns.flat_map(|one| {
        let next = format!("{} + 1", one.name);
        [next, "0".to_owned(), "1000000".to_owned()].map(|value| (&one.name, value))
    }) {
        let mut world = frames[read - 1].world.clone();
        let mut tables = (**world.sql()).clone();
        let change = format!("UPDATE {name} SET {column} = {value}");
        let change = Prepared::new(change.as_bytes(), &[]).expect("a statement");
        tables.execute(&change).expect("it can be done");
        if tables.select(select) == world.sql().select(select) {
            continue;
        }
        world.set_sql(Rc::new(tables));
        for frame in &frames[read..write] {
            let _ = world.apply_unseen(frame.token.expect("a step").action);
        }
        let was = frames[write - 1].world.client(id)?.call()?;
        found.push(basis_of(was, world.client(id)?.call()));
        if found.ends_with(&[Basis::Computed]) {
            break;
        }
    }
    strongest(&found)
}

#[test]
fn what_rests_on_rows_that_were_changed_is_told_in_every_variant_with_a_table() {
    let (mut told, mut wrong) = (0, Vec::new());
    for (name, run) in runs().iter().filter(|(_, run)| !run.world().sql().is_empty()) {
        let frames = run.frames();
        let call = |step: usize| frames[step].seen.event.executed();
        for read in 1..=run.len() {
            let Some((id, asked, _)) = call(read) else { continue };
            let CallKind::Sql(select) = &asked.kind else { continue };
            let rows = |step: usize| frames[step].world.sql().select(select);
            let of_its = |step: &usize| call(*step).is_some_and(|(by, ..)| by == id);
            let again = (read + 1..=run.len())
                .find(|step| of_its(step) && call(*step).is_some_and(|it| it.1.kind == asked.kind));
            let until = again.unwrap_or(run.len() + 1);
            let changed = (read + 1..until).find(|step| rows(*step) != rows(*step - 1));
            let Some(changed) = changed.filter(|step| !of_its(step)) else { continue };
            let writes = |step: &usize| {
                let rows = |step: usize| frames[step].world.sql();
                of_its(step) && (frames[*step].seen.wrote || rows(*step) != rows(*step - 1))
            };
            let Some(write) = (changed + 1..until).find(writes) else { continue };
            let truth = oracle_of_rows(run, id, read, write);
            let words = match truth {
                Some(Basis::Computed) => format!("(step {write}) from "),
                Some(Basis::Decided) => "decided on ".to_owned(),
                _ => continue,
            };
            let said = stale::at_step(run, &windows::find(run), write, Lang::En).join(" ");
            told += 1;
            if !said.contains(&words) || !said.contains(&format!("(step {read})")) {
                wrong.push(format!("{name}: {read}, {changed}, {write}: {truth:?}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(told >= 5, "{told}");
}

/// Steps programs beside a table along a schedule, and returns what is said of its end.
fn told_of_rows(setup: &[&str], programs: &[&str], schedule: &str) -> String {
    let setup =
        setup.iter().map(|line| crate::resp::split_inline(line.as_bytes()).expect("a command"));
    let programs =
        programs.iter().map(|text| crate::lua::compile(text.as_bytes(), "a.lua").expect("Lua"));
    let mut scenario = Scenario::simple(setup.collect(), programs.collect());
    scenario.sql = vec![
        "CREATE TABLE goods (id INT PRIMARY KEY, price INT)".into(),
        "INSERT INTO goods (id, price) VALUES (1, 10)".into(),
    ];
    let mut run = Timeline::start(Rc::new(scenario)).expect("it starts");
    crate::sim::schedule::play(&mut run, schedule).expect("a schedule");
    let mut text = String::new();
    for lang in Lang::ALL {
        for step in 1..=run.len() {
            for words in stale::at_step(&run, &[], step, lang) {
                text += &format!("{step}. {words}\n");
            }
        }
    }
    text
}

#[test]
fn a_row_that_was_stale_when_it_was_written_to_the_cache() {
    let fill = r#"
        local row = sql("SELECT price FROM goods WHERE id = 1")[1]
        redis.call("SET", "price", row.price)
    "#;
    let raise = r#"
        sql("UPDATE goods SET price = 20 WHERE id = 1")
        redis.call("DEL", "price")
    "#;
    expect![[r#"
        4. B changed the row (step 2), but A computed its write (step 4) from price = 10 (step 1).
        4. B 改了这一行（第 2 步），而 A 写入的值（第 4 步）是用 price = 10（第 1 步）算出来的。
    "#]]
    .assert_eq(&told_of_rows(&[], &[fill, raise], "A1.B1.B2.A2"));
}

#[test]
fn a_value_of_redis_that_was_stale_when_it_was_written_to_a_table() {
    let save = r#"
        local price = redis.call("GET", "price")
        sql("UPDATE goods SET price = ? WHERE id = 1", price)
    "#;
    let raise = r#"redis.call("SET", "price", 20)"#;
    expect![[r#"
        3. B changed price to 20 (step 2), but A computed its write (step 3) from 10 (step 1).
        3. B 把 price 改成了 20（第 2 步），而 A 写入的值（第 3 步）是用 10（第 1 步）算出来的。
    "#]]
    .assert_eq(&told_of_rows(&["SET price 10"], &[save, raise], "A1.B1.A2"));
    // Read once more, it is fresh; without a row there is no write.
    expect![[""]].assert_eq(&told_of_rows(&["SET price 10"], &[save, raise], "B1.A1.A2"));
    let elsewhere = save.replace("id = 1", "id = 2");
    expect![[""]].assert_eq(&told_of_rows(&["SET price 10"], &[&elsewhere, raise], "A1.B1.A2"));
}

#[test]
fn a_decision_on_a_value_that_was_stale_when_a_table_was_written() {
    let sell = r#"
        if redis.call("GET", "open") == "1" then
          sql("INSERT INTO goods VALUES (?, 10)", 2)
        end
    "#;
    let close = r#"redis.call("SET", "open", 0)"#;
    expect![[r#"
        3. A decided on open = 1 (step 1), which B had changed to 0 (step 2).
        3. A 根据 open = 1（第 1 步）做了判断，而 B 已把它改成 0（第 2 步）。
    "#]]
    .assert_eq(&told_of_rows(&["SET open 1"], &[sell, close], "A1.B1.A2"));
    let add = r#"
        if #sql("SELECT * FROM goods WHERE id = 2") == 0 then
          redis.call("SET", "new", 1)
          sql("INSERT INTO goods VALUES (3, 10)")
        end
    "#;
    let other = r#"sql("INSERT INTO goods VALUES (2, 10)")"#;
    expect![[r#"
        3. A decided on no row (step 1), but B had changed the table goods (step 2).
        3. A 根据 查无此行（第 1 步）做了判断，而 B 已改了表 goods（第 2 步）。
    "#]]
    .assert_eq(&told_of_rows(&[], &[add, other], "A1.B1.A2.A3"));
    let cheap = r#"
        if sql("SELECT price FROM goods WHERE id = 1")[1].price < 15 then
          redis.call("RPUSH", "orders", "a")
        end
    "#;
    let raise = r#"sql("UPDATE goods SET price = 20 WHERE id = 1")"#;
    expect![[r#"
        3. A decided on price = 10 (step 1), but B had changed the row (step 2).
        3. A 根据 price = 10（第 1 步）做了判断，而 B 已改了这一行（第 2 步）。
    "#]]
    .assert_eq(&told_of_rows(&[], &[cheap, raise], "A1.B1.A2"));
}

/// A's GET is cancelled, B gets its reply, and closes the connection.
#[test]
fn a_cancelled_call_and_what_comes_of_it_are_told() {
    let program = |key: char| {
        let text = format!(
            "local c = connect('redis', {{ shared = 'pool' }}) c:pcall('GET', '{key}') c:close()"
        );
        crate::lua::compile(text.as_bytes(), "a.lua").expect("Lua")
    };
    let setup = ["SET a 1", "SET b 2"];
    let setup = setup.map(|line| crate::resp::split_inline(line.as_bytes()).expect("a command"));
    let mut scenario = Scenario::simple(setup.into(), vec![program('a'), program('b')]);
    scenario.clients.iter_mut().for_each(|client| client.process = Some("app".to_owned()));
    scenario.faults.cancel = 1;
    let mut run = Timeline::start(Rc::new(scenario)).expect("it starts");
    crate::sim::schedule::play(&mut run, "cancelA1.B1.B2").expect("a schedule");
    let rows = |lang| run.frames()[1..].iter().map(move |frame| row_words(frame, lang) + "\n");
    let told: String = Lang::ALL.into_iter().flat_map(rows).collect();
    expect_file!["../goldens/cancelled.txt"].assert_eq(&told);
}
