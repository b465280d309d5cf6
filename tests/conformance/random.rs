//! Seeded random command sequences on our engine and on a real server, compared reply by reply
//! and, every few hundred commands, keyspace by keyspace.
//!
//! `RANDOM_COMMANDS` and `RANDOM_SEED` change the amount and the sequence; a failure names the
//! seed and shows the last commands on the keys concerned. Nothing here depends on the clock or
//! on chance inside the servers: deadlines are absolute and far, stream ids explicit, random
//! replies left out.

use std::collections::BTreeMap;

use interleave::resp::{Value, split_inline};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value as Json;

use super::case::{command, describe};
use super::ours::Ours;
use super::real::Real;
use super::{Server, Wait};

/// Commands per round; then the keyspaces are compared.
const ROUND: usize = 250;

/// Templates, with their placeholders in [`fill`]. A leading `~` marks replies without order.
const TEMPLATES: &str = include_str!("random.txt");

#[test]
fn random_commands_do_the_same_on_both() {
    play_rounds(interleave::share(200_000), false);
}

/// WATCH sees a change exactly where Redis's does: a command, changed keys or unchanged ones,
/// between WATCH of a key that it names and EXEC.
#[test]
fn random_commands_touch_the_same_watched_keys() {
    play_rounds(interleave::share(60_000), true);
}

/// CLIENT TRACKING tells a change exactly where Redis tells one: by BCAST, and of keys that were
/// read before.
#[test]
fn random_commands_tell_the_same_changes() {
    let mut real = Real::start();
    real.call("a", &["CONFIG", "SET", "hz", "500"]);
    let mut ours = Ours::default();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let templates = templates();
    for line in ["t HELLO 3", "t CLIENT TRACKING ON BCAST", "r HELLO 3", "r CLIENT TRACKING ON"] {
        let (conn, line) = line.split_once(' ').expect("two words");
        for server in [&mut real as &mut dyn Server, &mut ours] {
            server.send(conn, &command(&words(line)));
            server.receive(conn, Wait::ForReply);
        }
    }
    let mut steps = Vec::new();
    for _ in 0..interleave::share(20_000) {
        let line = templates[rng.random_range(0..templates.len())].trim_start_matches('~');
        let argv = words(&fill(line, &mut rng));
        let keys = argv[1..].iter().filter(|word| is_key(word)).cloned();
        let reads: Vec<Vec<u8>> = [b"EXISTS".to_vec()].into_iter().chain(keys).collect();
        steps.push(Step { argv: argv.clone(), unordered: false });
        let told = [&mut real as &mut dyn Server, &mut ours].map(|server| {
            if reads.len() > 1 {
                server.send("r", &command(&reads));
                server.receive("r", Wait::ForReply);
            }
            server.send("a", &command(&argv));
            server.receive("a", Wait::ForReply);
            ["t", "r"].map(|conn| {
                server.send(conn, &command(&words("PING")));
                let next = || describe(server.receive(conn, Wait::ForReply));
                let told = std::iter::repeat_with(next);
                told.take_while(|reply| reply.get("push").is_some()).collect::<Vec<_>>()
            })
        });
        let [theirs, mine] = told;
        assert_eq!(mine, theirs, "{}\n{}", text(&argv), history(&steps, &argv[1..]));
    }
}

fn words(line: &str) -> Vec<Vec<u8>> {
    let argv = split_inline(line.as_bytes()).expect("a template");
    argv.iter().map(|arg| arg.to_vec()).collect()
}

fn play_rounds(usual: u64, watched: bool) {
    let from_env = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let commands = from_env("RANDOM_COMMANDS").unwrap_or(usual);
    let seed = from_env("RANDOM_SEED").unwrap_or(1);
    let mut real = Real::start();
    // Timeouts are noticed as often as the cron runs.
    real.call("a", &["CONFIG", "SET", "hz", "500"]);
    let mut ours = Ours::default();
    let mut failures = Vec::new();
    let rounds = commands.div_ceil(ROUND as u64);
    for round in 0..rounds {
        // Several rounds on one keyspace, so that values grow.
        if round % 8 == 0 {
            real.reset();
            ours.reset();
        }
        if let Err(message) = play(seed * 1_000_003 + round, watched, &mut real, &mut ours) {
            failures.push(format!("seed {seed}, round {round}: {message}"));
            if failures.len() >= 12 {
                break;
            }
            real.reset();
            ours.reset();
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

pub fn templates() -> Vec<&'static str> {
    TEMPLATES.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")).collect()
}

struct Step {
    argv: Vec<Vec<u8>>,
    unordered: bool,
}

/// True for a word that [`fill_word`] writes for a key.
fn is_key(word: &[u8]) -> bool {
    matches!(word, [b's' | b'l' | b'h' | b't' | b'z' | b'x' | b'q' | b'w' | b'a', b'0'..=b'2'])
}

fn play(seed: u64, watched: bool, real: &mut Real, ours: &mut Ours) -> Result<(), String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut templates = templates();
    if watched {
        let transaction = ["MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "RESET"];
        templates.retain(|line| !transaction.iter().any(|name| line.starts_with(name)));
    }
    let plain = |line: &str| Step {
        argv: line.split(' ').map(|word| word.as_bytes().to_vec()).collect(),
        unordered: false,
    };
    let mut steps: Vec<Step> = Vec::with_capacity(ROUND);
    for _ in 0..ROUND {
        let template = templates[rng.random_range(0..templates.len())];
        let unordered = template.starts_with('~');
        let line = fill(template.trim_start_matches('~'), &mut rng);
        let argv = split_inline(line.as_bytes()).map_err(|_| format!("bad template {template}"))?;
        let argv: Vec<Vec<u8>> = argv.iter().map(|arg| arg.to_vec()).collect();
        let keys: Vec<&Vec<u8>> = argv[1..].iter().filter(|word| is_key(word)).collect();
        if watched && !keys.is_empty() {
            let key = keys[rng.random_range(0..keys.len())].clone();
            steps.push(Step { argv: vec![b"WATCH".to_vec(), key], unordered: false });
        }
        steps.push(Step { argv, unordered });
        if watched {
            steps.extend(["MULTI", "PING", "EXEC"].map(plain));
        }
    }
    if let Some((at, message)) = compare(&steps, real, ours).into_iter().next() {
        return Err(format!(
            "{message}\n  after\n{}",
            history(&steps[..=at], &steps[at].argv[1..])
        ));
    }
    let Some((key, message)) = compare_keyspaces(real, ours) else { return Ok(()) };
    Err(format!("{message}\n  after\n{}", history(&steps, &[key.into_bytes()])))
}

fn text(argv: &[Vec<u8>]) -> String {
    argv.iter().map(|arg| interleave::resp::quoted(arg)).collect::<Vec<_>>().join(" ")
}

/// The last steps that share an argument (a key, most likely) with `args`.
fn history(steps: &[Step], args: &[Vec<u8>]) -> String {
    if args.is_empty() {
        // EXEC: everything since WATCH.
        let from = steps.iter().rposition(|step| step.argv[0] == b"WATCH").unwrap_or(0);
        return steps[from..]
            .iter()
            .map(|step| text(&step.argv))
            .collect::<Vec<_>>()
            .join("\n    ");
    }
    let related = |step: &&Step| step.argv[1..].iter().any(|arg| args.contains(arg));
    let related: Vec<String> =
        steps.iter().filter(related).map(|step| format!("    {}", text(&step.argv))).collect();
    related[related.len().saturating_sub(60)..].join("\n")
}

/// Runs the steps on both; where the replies differ.
fn compare(steps: &[Step], real: &mut Real, ours: &mut Ours) -> Vec<(usize, String)> {
    let wire: Vec<u8> = steps.iter().flat_map(|step| command(&step.argv)).collect();
    real.send("a", &wire);
    let mut differences = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        ours.send("a", &command(&step.argv));
        let mine = ours.receive("a", Wait::ForReply);
        let theirs = real.receive("a", Wait::ForReply);
        let unordered = step.unordered || step.argv[0] == b"EXEC";
        let (mine, theirs) = (canonical(mine, unordered), canonical(theirs, unordered));
        if mine != theirs && differences.is_empty() {
            let what = text(&step.argv);
            differences.push((at, format!("{what}\n  real {theirs}\n  ours {mine}")));
        }
    }
    differences
}

fn canonical(reply: Option<Value>, unordered: bool) -> Json {
    let mut reply = describe(reply);
    if unordered {
        sort_deep(&mut reply);
    }
    reply
}

/// Sorts arrays, and those inside them (EXEC answers for unordered commands too).
fn sort_deep(reply: &mut Json) {
    if let Some(items) = reply.get_mut("array").and_then(Json::as_array_mut) {
        items.iter_mut().filter(|item| item.get("array").is_some()).for_each(|item| {
            sort_deep(item);
        });
        items.sort_by_key(Json::to_string);
    }
}

fn ask(server: &mut dyn Server, line: &str) -> Json {
    let argv: Vec<Vec<u8>> =
        split_inline(line.as_bytes()).unwrap_or_default().iter().map(|arg| arg.to_vec()).collect();
    server.send("a", &command(&argv));
    describe(server.receive("a", Wait::ForReply))
}

/// Everything the keys hold, as text.
fn picture(server: &mut dyn Server) -> BTreeMap<String, String> {
    // Out of a transaction that a round has left open.
    ask(server, "DISCARD");
    ask(server, "UNWATCH");
    let keys: Vec<String> = match ask(server, "KEYS *")["array"].as_array() {
        Some(keys) => keys.iter().filter_map(|key| Some(key["bulk"].as_str()?.into())).collect(),
        None => Vec::new(),
    };
    let mut picture = BTreeMap::new();
    for key in keys {
        let kind = ask(server, &format!("TYPE {key}"));
        let mut ask_of = |command: &str| ask(server, &command.replace('$', &key));
        let contents = match kind["status"].as_str().unwrap_or_default() {
            "string" => ask_of("GET $"),
            "list" => ask_of("LRANGE $ 0 -1"),
            "set" => ask_of("SORT $ ALPHA"),
            "zset" => ask_of("ZRANGE $ 0 -1 WITHSCORES"),
            "hash" => {
                let mut pairs = ask_of("HGETALL $");
                let table = ask_of("OBJECT ENCODING $")["bulk"] == "hashtable";
                if let (true, Some(items)) = (table, pairs["array"].as_array_mut()) {
                    let mut sorted: Vec<Vec<Json>> =
                        items.chunks(2).map(<[Json]>::to_vec).collect();
                    sorted.sort_by_key(|pair| pair[0].to_string());
                    *items = sorted.concat();
                }
                pairs
            }
            "stream" => {
                let groups = ask_of("XINFO GROUPS $");
                let entries = ask_of("XRANGE $ - +");
                serde_json::json!([entries, groups])
            }
            _ => Json::Null,
        };
        let encoding = ask_of("OBJECT ENCODING $");
        let expiry = ask_of("PEXPIRETIME $");
        picture.insert(key, format!("{kind} {encoding} {expiry} {contents}"));
    }
    picture
}

/// The first key that differs, and how.
fn compare_keyspaces(real: &mut Real, ours: &mut Ours) -> Option<(String, String)> {
    let (theirs, mine) = (picture(real), picture(ours));
    let keys = theirs.keys().chain(mine.keys());
    let key = keys.into_iter().find(|key| theirs.get(*key) != mine.get(*key))?;
    let show = |picture: &BTreeMap<String, String>| picture.get(key).cloned().unwrap_or_default();
    let (theirs, mine) = (show(&theirs), show(&mine));
    Some((key.clone(), format!("{key} differs:\n  real {theirs}\n  ours {mine}")))
}

/// Replaces the placeholders of a template: `$s` a string key, `$l` list, `$h` hash, `$t` set,
/// `$z` sorted set, `$x` stream, `$k` any key; `$v` value, `$m` member, `$i` small integer,
/// `$n` any integer, `$f` double, `$b` score bound, `$y` lexicographical bound, `$d` stream id,
/// `$q`, `$w`, `$a` keys of one use, `$g` group, `$c` consumer, `$p` pattern, `$o` bit offset. A
/// `*` behind one repeats it.
pub fn fill(template: &str, rng: &mut ChaCha8Rng) -> String {
    let mut out = Vec::new();
    for word in template.split(' ') {
        let (word, times) = match word.strip_suffix('*').filter(|w| w.starts_with('$')) {
            Some(word) => (word, rng.random_range(1..=4)),
            None => (word, 1),
        };
        for _ in 0..times {
            // `$m:$v` makes two words of one repeated unit.
            let unit: Vec<String> = word.split(':').map(|part| fill_word(part, rng)).collect();
            out.push(unit.join(" "));
        }
    }
    out.join(" ")
}

fn pick<'a>(choices: &[&'a str], rng: &mut ChaCha8Rng) -> &'a str {
    choices[rng.random_range(0..choices.len())]
}

fn fill_word(word: &str, rng: &mut ChaCha8Rng) -> String {
    let Some(placeholder) = word.strip_prefix('$') else { return word.into() };
    // Now and then the wrong type.
    let key = |letter: &str, rng: &mut ChaCha8Rng| {
        let letter = if rng.random_range(0..30) == 0 {
            pick(&["s", "l", "h", "t", "z", "x", "none"], rng).to_string()
        } else {
            letter.to_string()
        };
        format!("{letter}{}", rng.random_range(0..3))
    };
    match placeholder {
        "s" | "l" | "h" | "t" | "z" | "x" => key(placeholder, rng),
        "k" => {
            let letter = pick(&["s", "l", "h", "t", "z", "x", "none"], rng);
            key(letter, rng)
        }
        "v" => match rng.random_range(0..8) {
            0 => rng.random_range(-20..2000i64).to_string(),
            1 => pick(&["\"\"", "abc", "3.0", "1e3", "\" 12\"", "0x1F", "-0", "007"], rng).into(),
            2 => format!("\"{}\"", "x".repeat(rng.random_range(30..80))),
            3 => "\"\\x00\\xff\\r\\n\"".into(),
            4 => rng.random_range(0..i64::MAX).to_string(),
            _ => format!("v{}", rng.random_range(0..12)),
        },
        "m" => match rng.random_range(0..12) {
            0 => rng.random_range(-3..12i64).to_string(),
            1 => format!("\"{}\"", "m".repeat(rng.random_range(60..70))),
            2 => "\"\"".into(),
            _ => format!("m{}", rng.random_range(0..14)),
        },
        "j" => rng.random_range(-4..300i64).to_string(),
        "i" => rng.random_range(-6..8i64).to_string(),
        "u" => rng.random_range(0..6u8).to_string(),
        "n" => match rng.random_range(0..10) {
            0 => pick(
                &[
                    "9223372036854775807",
                    "-9223372036854775808",
                    "9223372036854775808",
                    "x",
                    "1.5",
                    "+1",
                ],
                rng,
            )
            .into(),
            _ => rng.random_range(-100..100i64).to_string(),
        },
        "f" => match rng.random_range(0..10) {
            0 => pick(&["inf", "-inf", "nan", "x", "1e400", "1e-400", "0x10", "1e308"], rng).into(),
            1 => rng.random_range(-1e9..1e9f64).to_string(),
            2 => format!("{:e}", rng.random_range(-1e3..1e3f64)),
            3 => format!("{:.3}", rng.random_range(-10.0..10.0f64)),
            _ => rng.random_range(-9..10i64).to_string(),
        },
        "b" => match rng.random_range(0..8) {
            0 => pick(&["-inf", "+inf", "(1.5", "x", "((1", "(-inf"], rng).into(),
            1 | 2 => format!("({}", rng.random_range(-9..10i64)),
            _ => rng.random_range(-9..10i64).to_string(),
        },
        "y" => match rng.random_range(0..8) {
            0 => pick(&["-", "+", "x", "(", "["], rng).into(),
            1..4 => format!("(m{}", rng.random_range(0..14)),
            _ => format!("[m{}", rng.random_range(0..14)),
        },
        "d" => match rng.random_range(0..12) {
            0 => pick(
                &["0", "0-0", "0-1", "x", "5-*", "3-x", "-", "+", "18446744073709551615-1"],
                rng,
            )
            .into(),
            1..4 => format!("{}", rng.random_range(1..30)),
            _ => format!("{}-{}", rng.random_range(1..30), rng.random_range(0..4)),
        },
        "g" => format!("g{}", rng.random_range(0..2)),
        "c" => format!("c{}", rng.random_range(0..3)),
        "p" => pick(&["*", "s*", "?0", "m[0-5]", "[^m]*", "m1*", "v?"], rng).into(),
        "o" => match rng.random_range(0..12) {
            0 => pick(&["-1", "x", "4294967296", "1.5"], rng).into(),
            _ => rng.random_range(0..200u32).to_string(),
        },
        "e" => format!("{}", 33_000_000_000_000i64 + rng.random_range(0..1000i64)),
        "r" => pick(&["LEFT", "RIGHT"], rng).into(),
        // A key whose members all have one score, as ranges by member need it.
        "q" => format!("q{}", rng.random_range(0..3)),
        // A key of places alone.
        "w" => format!("w{}", rng.random_range(0..2)),
        // A HyperLogLog that nothing edits bit by bit.
        "a" => format!("a{}", rng.random_range(0..3)),
        "0" => "0".into(),
        other => format!("${other}"),
    }
}
