//! The conditions of a verdict in one sentence: which faults may happen and how often, how slow a
//! client may be. Computed from the scenario, so that the sentence says what the search did. To add
//! a kind of fault, add its row here and its words in `text::verdict`.

use crate::checker::Bound;
use crate::engine::Version;
use crate::jobs::find::IdsShown;
use crate::playground::FAULTS;
use crate::resp::Value;
use crate::session::spelling::reply_text;
use crate::sim::{
    Assumed, Assumption, EVICTABLE_MAX, Faults, Never, NodeDef, OUTCOMES_MAX, Scenario, Slower,
    TimeMode, Unfollowed,
};
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};

/// Returns a sentence such as "This covers every order of the steps, with at most 1 pause, and if
/// no timer runs out while a client can go on." Where clients may be held up, it names the tick
/// (`tick_ms`); and it names what the search `assumed` of the steps that it met.
pub fn conditions(scenario: &Scenario, tick_ms: u32, assumed: Assumed, lang: Lang) -> String {
    let say = |word: VerdictWord, values: &[&str]| fill(verdict(lang, word), values);
    let given = scenario.faults;
    let counts = [
        (given.pause, VerdictWord::IfPause),
        (given.crash, VerdictWord::IfCrash),
        (given.lose, VerdictWord::IfLose),
        (given.drop, VerdictWord::IfDrop),
        (given.cancel, VerdictWord::IfCancel),
        (given.jump, VerdictWord::IfJump),
        (given.down, VerdictWord::IfDown),
        (given.restart, VerdictWord::IfRestart),
        (given.rewind, VerdictWord::IfRewind),
        (given.failover, VerdictWord::IfFailover),
        (given.evict, VerdictWord::IfEvict),
    ];
    let allowed = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| {
        let values = [count.to_string(), given.jump_ms.to_string()];
        let values = values.each_ref().map(String::as_str);
        say(word, &values) + &aim(given, word, lang)
    });
    let allowed: Vec<String> = allowed.collect();
    let faults = match allowed.is_empty() {
        true => say(VerdictWord::IfNothing, &[]),
        false => {
            let list = allowed.join(verdict(lang, VerdictWord::IfComma));
            say(VerdictWord::IfFaults, &[&list])
        }
    };
    let time = match (scenario.slow_ms, scenario.time) {
        (0, TimeMode::Any) => say(VerdictWord::IfEarly, &[&given.early.to_string()]),
        (0, TimeMode::Prompt) => say(VerdictWord::IfPrompt, &[]),
        (ms, _) => say(VerdictWord::IfSlow, &[&ms.to_string()]),
    };
    let time = match scenario.starts_within_ms {
        0 => time,
        ms => say(VerdictWord::IfWithin, &[&time, &ms.to_string()]),
    };
    let time = match tick_ms {
        0 => time,
        1 => say(VerdictWord::IfWholeMs, &[&time]),
        ms => say(VerdictWord::IfSteps, &[&time, &ms.to_string(), &(ms * 2).to_string()]),
    };
    let is_one = scenario.clients.len() < 2 || scenario.starts_within_ms > 0;
    let words = [
        (Assumption::Starts, VerdictWord::IfTogether),
        (Assumption::Threads, VerdictWord::IfThreads),
        (Assumption::Order, VerdictWord::IfListed),
        (Assumption::Ties, VerdictWord::IfTies),
        (Assumption::Messages, VerdictWord::IfMessages),
        (Assumption::Expiry, VerdictWord::IfExpiry),
        (Assumption::Micros, VerdictWord::IfMicros),
        (Assumption::Isolation, VerdictWord::IfIsolation),
    ];
    let met = words
        .into_iter()
        .filter(|(one, _)| assumed.has(*one) && !(is_one && *one == Assumption::Starts));
    let time = met.fold(time, |text, (_, word)| say(word, &[&text]));
    let time = match versions(scenario, lang) {
        Some(servers) => say(VerdictWord::IfVersion, &[&time, &servers]),
        None => time,
    };
    say(VerdictWord::Conditions, &[&say(VerdictWord::IfAnd, &[&faults, &time])])
}

/// Names the version of the servers, of each if they differ; `None` if all have the default.
fn versions(scenario: &Scenario, lang: Lang) -> Option<String> {
    let of = |node: &NodeDef| node.version.unwrap_or_default();
    let first = of(scenario.nodes.first()?);
    let is_one = scenario.nodes.iter().all(|node| of(node) == first);
    let each = scenario.nodes.iter().map(|node| {
        let aim = fill(verdict(lang, VerdictWord::Aim), &[&node.name]);
        of(node).label() + &aim
    });
    match is_one {
        true => (first != Version::default()).then(|| first.label()),
        false => Some(each.collect::<Vec<_>>().join(verdict(lang, VerdictWord::IfComma))),
    }
}

/// Says which clients faults of this kind strike, and for how long, if that is limited.
fn aim(faults: Faults, word: VerdictWord, lang: Lang) -> String {
    let (of, ms) = match word {
        VerdictWord::IfPause => (faults.pause_of, faults.pause_ms),
        VerdictWord::IfCrash => (faults.crash_of, 0),
        VerdictWord::IfCancel => (faults.cancel_of, 0),
        VerdictWord::IfLose => (faults.lose_of, 0),
        VerdictWord::IfDrop => (faults.drop_of, 0),
        _ => (0, 0),
    };
    let letters: Vec<String> = Faults::letters(of).chars().map(String::from).collect();
    let mut aimed = Vec::new();
    if of != 0 {
        aimed.push(fill(verdict(lang, VerdictWord::AimOnly), &[&letters.join(", ")]));
    }
    if ms != 0 {
        aimed.push(fill(verdict(lang, VerdictWord::AimMs), &[&ms.to_string()]));
    }
    match aimed.is_empty() {
        true => String::new(),
        false => {
            let comma = verdict(lang, VerdictWord::IfComma);
            fill(verdict(lang, VerdictWord::Aim), &[&aimed.join(comma)])
        }
    }
}

/// Says whether the properties hold for slower clients, and for clients that begin later; `name` is
/// that of a property that breaks.
pub fn slower(answer: &Slower, name: impl Fn(usize) -> String, lang: Lang) -> String {
    let say = |word: VerdictWord, values: &[&str]| fill(verdict(lang, word), values);
    let ms = multiples(answer.tick_ms, answer.slow_ms);
    let slow = match (&answer.breaks, answer.is_open, answer.slow_ms) {
        (Some((at, _)), ..) => {
            say(VerdictWord::SlowBreaks, &[&answer.slow_ms.to_string(), &name(*at)])
        }
        (None, true, 0) => say(VerdictWord::SlowOpen, &[]),
        (None, true, _) => say(VerdictWord::SlowHoldsSoFar, &[&ms]),
        (None, false, _) => say(VerdictWord::SlowHolds, &[&ms]),
    };
    let is_decided = answer.breaks.is_none() && !answer.is_open;
    let late = answer.late.as_ref().and_then(|late| match &late.breaks {
        Some((at, _)) => {
            let begins = late.begins.iter();
            let begins =
                begins.map(|(id, ms)| say(VerdictWord::LateBegins, &[&id.name(), &ms.to_string()]));
            let begins: Vec<String> = begins.collect();
            let begins = begins.join(verdict(lang, VerdictWord::LateAnd));
            Some(say(VerdictWord::LateBreaks, &[&begins, &name(*at)]))
        }
        // A client that is held up before its first step begins later.
        None if late.is_open || is_decided => None,
        None => Some(say(VerdictWord::LateHolds, &[&late.within_ms.to_string()])),
    });
    let all: Vec<String> = late.into_iter().chain([slow]).collect();
    all.join(verdict(lang, VerdictWord::NeverComma))
}

/// Lists the delays that were tried: "10, 20 … 50".
fn multiples(tick_ms: u32, most_ms: u32) -> String {
    match most_ms.checked_div(tick_ms) {
        None | Some(0 | 1) => most_ms.to_string(),
        Some(2) => format!("{tick_ms}, {most_ms}"),
        Some(3) => format!("{tick_ms}, {}, {most_ms}", tick_ms * 2),
        Some(_) => format!("{tick_ms}, {} … {most_ms}", tick_ms * 2),
    }
}

/// Says what other orders of unique ids have shown.
pub fn ids(shown: &IdsShown, lang: Lang) -> String {
    let say = |words: &[VerdictWord]| {
        let words: Vec<&str> = words.iter().map(|word| verdict(lang, *word)).collect();
        words.join(if lang == Lang::En { " " } else { "" })
    };
    match shown {
        IdsShown::Other(order) => fill(verdict(lang, VerdictWord::IdsOther), &[order]),
        IdsShown::Written => say(&[VerdictWord::IdsWritten]),
        IdsShown::Read => say(&[VerdictWord::IdsRead]),
        IdsShown::Open => say(&[VerdictWord::IdsOpen]),
        IdsShown::Every => say(&[VerdictWord::IdsEvery]),
        IdsShown::EveryOrder => say(&[VerdictWord::IdsEvery, VerdictWord::IdsText]),
        IdsShown::EveryLetter => say(&[VerdictWord::IdsEvery, VerdictWord::IdsLetter]),
        IdsShown::Letter => say(&[VerdictWord::IdsLetter]),
        IdsShown::Text => say(&[VerdictWord::IdsText]),
    }
}

/// Says why a search ended early, by its bound and what it did not follow, and what it covers: the
/// states, and the steps that it went.
pub fn ended_early(
    (bound, unfollowed): (Bound, Option<&Unfollowed>),
    states: &str,
    depth: u32,
    lang: Lang,
) -> String {
    let why = why_ended(bound, unfollowed, lang);
    if depth == 0 {
        return fill(verdict(lang, VerdictWord::EndedAtStart), &[&why]);
    }
    fill(tr(lang, Key::Bounded), &[&why, states, &depth.to_string()])
}

fn why_ended(bound: Bound, unfollowed: Option<&Unfollowed>, lang: Lang) -> String {
    let say = |word: VerdictWord, values: &[&str]| fill(verdict(lang, word), values);
    let key = match (bound, unfollowed) {
        (Bound::States, _) => Key::BoundStates,
        (Bound::Depth, _) => Key::BoundDepth,
        (Bound::Bytes, _) => Key::BoundBytes,
        (Bound::Time, _) => Key::BoundTime,
        (Bound::Width, _) => Key::BoundWidth,
        (Bound::Moves, None) => Key::BoundMoves,
        (Bound::Moves, Some(Unfollowed::Draw(command))) => {
            return say(VerdictWord::UnfollowedDraw, &[command, &OUTCOMES_MAX.to_string()]);
        }
        (Bound::Moves, Some(Unfollowed::Random)) => {
            return verdict(lang, VerdictWord::UnfollowedRandom).to_owned();
        }
        (Bound::Moves, Some(Unfollowed::Counters(command))) => {
            return say(VerdictWord::UnfollowedCounters, &[command]);
        }
        (Bound::Moves, Some(Unfollowed::Evicted)) => {
            return say(VerdictWord::UnfollowedEvicted, &[&EVICTABLE_MAX.to_string()]);
        }
    };
    tr(lang, key).to_owned()
}

/// Says in one sentence what happens in no order; `None` if nothing of that kind is known.
pub fn never(list: &[Never], lang: Lang) -> Option<String> {
    let say = |word: VerdictWord, values: &[&str]| fill(verdict(lang, word), values);
    let fault = |kind: usize| {
        let name = Faults::NAMES.get(kind)?;
        FAULTS.iter().find(|(fault, _)| fault == name).map(|(_, key)| tr(lang, *key))
    };
    let words = list.iter().filter_map(|never| {
        Some(match never {
            Never::Runs { program, first, last } if first == last => {
                say(VerdictWord::NeverLine, &[program, &first.to_string()])
            }
            Never::Runs { program, first, last } => {
                say(VerdictWord::NeverLines, &[program, &first.to_string(), &last.to_string()])
            }
            Never::Fault(kind) => say(VerdictWord::NeverFault, &[fault(*kind)?]),
            Never::Expires(key) => {
                say(VerdictWord::NeverExpires, &[&reply_text(&Value::Bulk(key.clone()))])
            }
            Never::True(part) => say(VerdictWord::NeverTrue, &[part]),
            Never::TrueAfter(part, kind) => say(VerdictWord::NeverAfter, &[part, fault(*kind)?]),
            Never::Set(global) => say(VerdictWord::NeverSet, &[global]),
        })
    });
    let words: Vec<String> = words.collect();
    let comma = verdict(lang, VerdictWord::NeverComma);
    (!words.is_empty()).then(|| fill(verdict(lang, VerdictWord::Never), &[&words.join(comma)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Check, Limits};

    /// What a search takes for granted is a condition only where some step rests on it: observed,
    /// not read from the programs' texts.
    #[test]
    fn what_is_assumed_is_named_where_a_step_rests_on_it() {
        let programs = [
            ("redis.call('PING', 'process')", [false, false]),
            ("if not process.taken then redis.call('PING') end", [true, false]),
            ("_G['pro' .. 'cess'].taken = true", [true, false]),
            ("redis.call('SADD', 's', 'a') redis.call('SMEMBERS', 's')", [false, false]),
            ("redis.call('SADD', 's', 'a', 'b') redis.call('SMEMBERS', 's')", [false, true]),
            ("redis.call('HSET', 'h', 'f', 1) redis.call('HGETALL', 'h')", [false, false]),
            ("redis.call('HSET', 'h', 'f', 1, 'g', 2) redis.call('HVALS', 'h')", [false, true]),
            ("redis.call('MSET', 'a', 1, 'b', 2) redis.call('SC' .. 'AN', 0)", [false, true]),
            ("redis.call('MSET', 'a', 1, 'b', 2) redis.call('SCAN', 0, 'COUNT', 1)", [false, true]),
            (
                "redis.call('SADD', 's', 'a', 'b') redis.call('SORT', 's', 'BY', 'nosort')",
                [false, true],
            ),
            ("redis.call('SADD', 's', 'a', 'b') redis.call('SORT', 's', 'ALPHA')", [false, false]),
            ("redis.call('SADD', 's', 'a', 'b') redis.call('SRANDMEMBER', 's', 2)", [false, true]),
            ("redis.call('SADD', 's', 'a') redis.call('SRANDMEMBER', 's', 2)", [false, false]),
            ("redis.call('HSET', 'h', 'f', 1, 'g', 2) redis.call('HSCAN', 'h', 0)", [false, true]),
            (
                "redis.call('SUBSCRIBE', 'a', 'b') connect('redis'):call('PUBSUB', 'CHANNELS')",
                [false, true],
            ),
            (
                "redis.call('GEOADD', 'g', 1, 1, 'a', 1, 1, 'b') \
                redis.call('GEOSEARCH', 'g', 'FROMMEMBER', 'a', 'BYRADIUS', 1, 'm')",
                [false, true],
            ),
            (
                "redis.call('EVAL', [[redis.call('MSET', 'a', 1, 'b', 2) \
                redis.call('KEYS', '*')]], 0)",
                [false, true],
            ),
        ];
        for (program, named) in programs {
            let compiled = crate::lua::compile(program.as_bytes(), "a.lua").expect("Lua");
            let scenario = Scenario::simple(Vec::new(), vec![compiled]);
            let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
            check.run();
            let told = conditions(&scenario, check.tick_ms(), check.assumed(), Lang::En);
            let is_named =
                ["switch only at calls", "list their elements"].map(|is| told.contains(is));
            assert_eq!(is_named, named, "{program}: {told}");
        }
    }

    #[test]
    fn the_isolation_level_is_said_where_there_is_a_transaction() {
        for (program, is_said) in [("sql('BEGIN')", true), ("pcall(sql, 'SELECT a FROM b')", false)]
        {
            let compiled = crate::lua::compile(program.as_bytes(), "a.lua").expect("Lua");
            let scenario = Scenario::simple(Vec::new(), vec![compiled]);
            let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
            check.run();
            let told = conditions(&scenario, check.tick_ms(), check.assumed(), Lang::En);
            assert_eq!(told.contains("READ COMMITTED"), is_said, "{told}");
        }
    }

    #[test]
    fn the_version_is_said_where_it_is_not_the_default() {
        let compiled = crate::lua::compile(b"redis.call('PING')", "a.lua").expect("Lua");
        let mut scenario = Scenario::simple(Vec::new(), vec![compiled]);
        let said = |scenario: &Scenario, lang| {
            let whole = conditions(scenario, 0, Assumed::default(), lang);
            whole.split([',', '，']).next_back().unwrap_or_default().to_owned()
        };
        assert!(!said(&scenario, Lang::En).contains("Redis"));
        scenario.nodes[0].version = Some(Version::V8_2);
        assert_eq!(said(&scenario, Lang::En), " and on Redis 8.2.");
        assert_eq!(said(&scenario, Lang::Zh), "并且服务器是 Redis 8.2。");
        scenario.nodes.push(NodeDef { name: "b".to_owned(), ..NodeDef::default() });
        let both = conditions(&scenario, 0, Assumed::default(), Lang::En);
        assert!(both.ends_with(", and on Redis 8.2 (redis), Redis 7.0 (b)."), "{both}");
    }

    /// That all begin at once is a condition only where something may run out meanwhile.
    #[test]
    fn that_all_begin_at_once_is_said_where_there_are_timers() {
        let set = "redis.call('SET', 'k', 1, 'PX', 5)";
        let asked = |programs: &[&str], within_ms: u32| {
            let compiled = programs
                .iter()
                .map(|program| crate::lua::compile(program.as_bytes(), "a.lua").expect("Lua"));
            let mut scenario = Scenario::simple(Vec::new(), compiled.collect());
            scenario.starts_within_ms = within_ms;
            let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
            check.run();
            conditions(&scenario, check.tick_ms(), check.assumed(), Lang::En)
        };
        let is_said = |programs: &[&str]| asked(programs, 0).contains("begin at the same moment");
        assert!(
            is_said(&[set, "redis.call('PING')"])
                && is_said(&["sleep(5)", "redis.call('GET', 'k')"])
        );
        assert!(!is_said(&["redis.call('SET', 'k', 1)"; 2]) && !is_said(&[set]));
        let told = asked(&[set; 2], 20);
        assert!(told.contains("begin within 20 ms") && !told.contains("same moment"), "{told}");
    }

    /// What the server's clock and ties at one moment take for granted, likewise.
    #[test]
    fn what_is_assumed_of_time_is_named_where_a_step_rests_on_it() {
        const WORDS: [&str; 3] =
            ["whole milliseconds", "as soon as it runs out", "before clients wake"];
        let subscribed = "local s = connect('redis') s:call('PSUBSCRIBE', '__key*') ";
        let events = "redis.call('CONFIG', 'SET', 'notify-keyspace-events', 'Ex') ";
        let expired = format!("{events}{subscribed}redis.call('SET', 'k', 1, 'PX', 5) sleep(9)");
        let cases: [(&[&str], &str); 9] = [
            (&["redis.call('TIME')"], "whole milliseconds"),
            (&["redis.call('SET', 'k', 1, 'PX', 5) redis.call('DBSIZE')"], "as soon as"),
            (&["redis.call('SET', 'k', 1) redis.call('DBSIZE')"], ""),
            (&[&expired], "as soon as"),
            (&["redis.call('SET', 'k', 1, 'PX', 5) sleep(5)"], "before clients wake"),
            (&["redis.call('SET', 'k', 1, 'PX', 5) sleep(6)"], ""),
            (&["redis.call('BLPOP', 'q', 0.05)", "sleep(50)"], "before clients wake"),
            (
                &["local c = connect('redis') c:call('SUBSCRIBE', 'c') c:receive(50)", "sleep(50)"],
                "before clients wake",
            ),
            (&["sleep(50)", "sleep(50)"], ""),
        ];
        for (programs, named) in cases {
            let compiled = programs
                .iter()
                .map(|program| crate::lua::compile(program.as_bytes(), "a.lua").expect("Lua"));
            let mut scenario = Scenario::simple(Vec::new(), compiled.collect());
            for wire in [false, true] {
                scenario.wire = wire;
                let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
                check.run();
                let told = conditions(&scenario, check.tick_ms(), check.assumed(), Lang::En);
                let is_named = WORDS.map(|words| told.contains(words));
                let expected = WORDS.map(|words| !named.is_empty() && words.contains(named));
                assert_eq!(is_named, expected, "{programs:?}: {told}");
            }
        }
    }

    /// Messages are under way for a while, but not those of a shared connection.
    #[test]
    fn a_message_that_comes_at_once_on_the_wire_is_named() {
        for (options, wire) in [("", true), (", {shared = 's'}", false), (", {shared = 's'}", true)]
        {
            let listen = format!("local s = connect('redis'{options}) s:call('SUBSCRIBE', 'c')");
            let programs = [&*listen, "redis.call('PUBLISH', 'c', 'x')"];
            let compiled = programs.map(|one| crate::lua::compile(one.as_bytes(), "a.lua"));
            let compiled = compiled.map(|program| program.expect("Lua")).to_vec();
            let mut scenario = Scenario::simple(Vec::new(), compiled);
            scenario.clients.iter_mut().for_each(|client| client.process = Some("p".to_owned()));
            scenario.wire = wire;
            let mut check = Check::new(&scenario, Limits::default()).expect("it starts");
            check.run();
            let told = conditions(&scenario, check.tick_ms(), check.assumed(), Lang::En);
            assert_eq!(told.contains("never later"), wire && !options.is_empty(), "{told}");
        }
    }
}
