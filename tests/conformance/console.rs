//! The page's console prints what redis-cli prints, to the byte.

use std::collections::BTreeMap;
use std::rc::Rc;

use interleave::app::console::Do;
use interleave::lesson::{Lesson, Variant};
use interleave::session::Session;
use interleave::session::link::Link;
use interleave::sim::ClientId;
use interleave::text::Lang;
use interleave::view::console::source::docs;
use interleave::view::console::{EntryKind, Panel};

use super::cli::redis_cli;
use super::real::Real;

/// What redis-cli prints for these lines, as on a terminal unless `options` say otherwise.
fn printed(real: &Real, options: &[&str], lines: &[&str]) -> String {
    let socket = real.socket().display().to_string();
    let options = [&["-s", &socket], options].concat();
    let text = redis_cli(&options, &(lines.join("\n") + "\n")).replace('\r', "");
    // Colours.
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, code)) = rest.split_once("\x1b[") {
        plain += before;
        rest = code.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

/// What our console prints for them.
fn ours(lines: &[&str]) -> String {
    let id = ClientId::console(1).expect("a console");
    let variant = Variant { id: "empty".into(), ..Variant::default() };
    let lesson = Lesson { variants: vec![variant], ..Lesson::default() };
    let link = Link { mode: Some("schedule".into()), ..Link::default() };
    let (mut session, _) = Session::open(Rc::new(lesson), &link).expect("it runs");
    let (mut panel, docs) = (Panel::default(), docs());
    for line in lines {
        let what = Do::Submit(id, vec![(*line).to_owned()]);
        let notices = panel.act(&mut session, what, Some(&docs), Lang::En);
        assert_eq!(notices, [], "{line}");
    }
    let entries = panel.pane(&session, id).entries;
    let printed = entries.iter().filter(|entry| !matches!(entry.kind, EntryKind::Typed(_)));
    printed.map(|entry| entry.text.clone() + "\n").collect()
}

const LINES: &[&str] = &[
    "set k \"a\\x00b\\n\\\"\\\\ \\xe4\\xb8\\xad\"",
    "get k",
    "GET nosuch",
    "strlen 'k'",
    "  echo   'it\\'s'  ",
    "get \"k",
    "get 'k'x",
    "nonsense a b",
    "get",
    "lpush k 1",
    "5 INCR n",
    "0 INCR n",
    "-3 INCR n",
    "rpush l a b c d e f g h i j",
    "lrange l 0 -1",
    "lrange nosuch 0 -1",
    "hset h f1 v1 f2 v2",
    "hgetall h",
    "sadd s m",
    "smembers s",
    "zadd z 1.5 a 2 b inf c",
    "zrange z 0 -1 withscores",
    "config get maxmemory",
    "eval \"return {1,{2,{'x',{}},false},'y'}\" 0",
    "eval \"return redis.error_reply('MY error')\" 0",
    "eval \"return redis.status_reply('FINE')\" 0",
    "xadd x 1-1 a 1 b 2",
    "xadd x 2-1 c 3",
    "xrange x - +",
    "xread count 1 streams x 0",
    "multi",
    "incr n",
    "lpush n x",
    "get k",
    "exec",
    "multi",
    "wrong",
    "exec",
    "exec",
    "select 3",
    "get k",
    "select 99",
    "select 0",
    "blpop l 1",
    "help getdel",
    "help config get",
    "? nosuch",
    "hello 3",
    "hgetall h",
    "hgetall nosuch",
    "smembers s",
    "smembers nosuch",
    "zrange z 0 -1 withscores",
    "zscore z a",
    "zscore z nosuch",
    "zmscore z a c nosuch",
    "get nosuch",
    "eval \"redis.setresp(3) return redis.call('HGETALL', 'h')\" 0",
    "eval \"return {double=3.25}\" 0",
    "eval \"return {map={a=1}}\" 0",
    "eval \"return {set={a=true}}\" 0",
    "eval \"redis.setresp(3) return true\" 0",
    "xread count 1 streams x 0",
    "config get maxmemory",
    "hello 2",
    "hgetall h",
];

/// What differs by the connection and the server, and is no matter of form.
fn without_ids(text: String) -> String {
    let kept = text.lines().filter(|line| !line.contains("\"id\" =>") && !line.contains("id\""));
    kept.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn replies_look_as_in_redis_cli() {
    let mut real = Real::start();
    let lines: Vec<&str> =
        LINES.iter().copied().filter(|line| !line.starts_with("hello 2")).collect();
    for (ours, theirs) in without_ids(ours(&lines))
        .split('\n')
        .zip(without_ids(printed(&real, &["--no-raw"], &lines)).split('\n'))
    {
        assert_eq!(ours, theirs);
    }
    real.call("flush", &["FLUSHALL"]);
    let raw: Vec<&str> = LINES.iter().copied().filter(|line| !line.starts_with("hello")).collect();
    let ours = ours(&[["--raw"].as_slice(), raw.as_slice()].concat());
    assert_eq!(ours, printed(&real, &["--raw"], &raw));
}

/// Of help's output: for each command the lines about it.
fn by_command(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let is_head = !["  summary:", "  since:", "  group:"].iter().any(|w| line.starts_with(w));
        if is_head {
            let words = line.trim_start().split(' ');
            let capital = |word: &&str| {
                word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || "-_".contains(c))
            };
            // A command's name is its first word, or two where it is a subcommand.
            name = words.take(2).take_while(capital).collect::<Vec<_>>().join(" ");
        }
        all.entry(name.clone()).or_default().push(line.trim_end().to_owned());
    }
    all
}

#[test]
fn help_says_what_redis_cli_says() {
    let real = Real::start();
    let groups = [
        "generic",
        "string",
        "list",
        "set",
        "sorted-set",
        "hash",
        "pubsub",
        "transactions",
        "connection",
        "server",
        "scripting",
        "hyperloglog",
        "geo",
        "stream",
        "bitmap",
    ];
    for group in groups {
        let line = format!("help @{group}");
        let theirs = by_command(&printed(&real, &["--no-raw"], &[&line]));
        let ours = by_command(&ours(&[&line]));
        assert!(!ours.is_empty(), "{group}");
        for (name, lines) in &ours {
            assert_eq!(Some(lines), theirs.get(name), "{name}");
        }
    }
}
