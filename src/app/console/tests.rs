use std::rc::Rc;

use super::*;
use crate::engine::Version;
use crate::lesson::{Lesson, Program, Variant, Walk};
use crate::playground::{Client, Definition};
use crate::session::Mode;
use crate::session::link::Link;
use crate::view::console::import::import;
use crate::view::console::source::docs;
use crate::view::console::{Entry, Pane};

const V: Version = Version::V7_0;

/// A client that reads and writes, a story of it, and one console.
struct Desk {
    session: Session,
    panel: Panel,
    docs: Docs,
}

fn c(number: u8) -> ClientId {
    ClientId::console(number).expect("there is such a console")
}

impl Desk {
    fn new(link: &str) -> Desk {
        let source = "local n = redis.call('GET', 'n')\nredis.call('SET', 'n', n + 1)\n";
        let program = Program { file: "a.lua".into(), source: source.into() };
        let variant = Variant {
            id: "plain".into(),
            world: Definition {
                setup: "SET n 1".into(),
                clients: vec![Client::default()],
                ..Definition::default()
            },
            ..Variant::default()
        };
        let walk = Walk { id: "told".into(), schedule: "A1.A2".into(), ..Walk::default() };
        let lesson = Lesson {
            id: "x".into(),
            programs: vec![program],
            variants: vec![variant],
            walks: vec![walk],
            ..Lesson::default()
        };
        let (session, notices) =
            Session::open(Rc::new(lesson), &Link::parse(link)).expect("it runs");
        assert_eq!(notices, [], "{link}");
        Desk { session, panel: Panel::default(), docs: docs() }
    }

    fn act(&mut self, what: Do) -> Vec<Notice> {
        self.panel.act(&mut self.session, what, Some(&self.docs), Lang::En)
    }

    fn enter(&mut self, number: u8, text: &str) {
        let notices = self.act(Do::Submit(c(number), vec![text.to_owned()]));
        assert_eq!(notices, [], "{text}");
    }

    fn pane(&self, number: u8) -> Pane {
        self.panel.pane(&self.session, c(number))
    }

    /// Returns the text of a console, as a terminal shows it.
    fn screen(&self, number: u8) -> String {
        let pane = self.pane(number);
        let line = |entry: &Entry| match &entry.kind {
            EntryKind::Typed(prompt) => format!("{prompt}{}\n", entry.text),
            _ => format!("{}\n", entry.text),
        };
        let last = if pane.waiting { String::new() } else { pane.prompt };
        pane.entries.iter().map(line).collect::<String>() + &last
    }
}

#[test]
fn prompts_say_what_the_connection_is_in() {
    let mut desk = Desk::new("mode=schedule");
    assert_eq!(desk.screen(1), "c1> ");
    desk.enter(1, "watch n m");
    desk.enter(1, "multi");
    desk.enter(1, "incr n");
    desk.enter(1, "get \"n");
    desk.enter(1, "exec");
    desk.enter(1, "select 2");
    assert_eq!(
        desk.screen(1),
        "c1> watch n m\nOK\nc1 (WATCH 2)> multi\nOK\nc1 (TX, 0 queued)> incr n\nQUEUED\n\
         c1 (TX, 1 queued)> get \"n\nInvalid argument(s)\nc1 (TX, 1 queued)> exec\n\
         1) (integer) 2\nc1> select 2\nOK\nc1[2]> "
    );
    desk.session.update(Msg::Seek(3));
    assert!(
        desk.screen(1)
            .ends_with("c1 (TX, 1 queued)> get \"n\nInvalid argument(s)\nc1 (TX, 1 queued)> ")
    );
    desk.session.update(Msg::Seek(2));
    assert!(desk.screen(1).ends_with("multi\nOK\nc1 (TX, 0 queued)> "), "{}", desk.screen(1));
    desk.enter(1, "discard");
    assert!(!desk.screen(1).contains("Invalid"), "what was said later is gone");
    assert_eq!(desk.session.timeline().branches().len(), 1, "the run that was left is kept");
}

#[test]
fn what_waits_is_served_late_or_cancelled() {
    let mut desk = Desk::new("mode=schedule");
    desk.enter(1, "BLPOP q 2");
    assert!(desk.pane(1).waiting);
    assert_eq!(desk.screen(1), "c1> BLPOP q 2\n");
    desk.session.update(Msg::Advance);
    assert_eq!(desk.screen(1), "c1> BLPOP q 2\n(nil)\n(2.00s)\nc1> ");
    desk.enter(1, "BLPOP q 0");
    desk.enter(2, "RPUSH q \"a b\"");
    assert!(desk.screen(1).ends_with("BLPOP q 0\n1) \"q\"\n2) \"a b\"\nc1> "));
    desk.enter(1, "BLPOP q 0");
    desk.act(Do::Cancel(c(1)));
    assert!(desk.screen(1).ends_with("BLPOP q 0\nc1> ^C\nc1> "), "{}", desk.screen(1));
    desk.enter(2, "3 RPUSH q x");
    assert!(desk.screen(2).ends_with("(integer) 3\nc2> "));
    assert!(desk.session.timeline().schedule().ends_with("c2-RPUSH_q_x.c2-RPUSH_q_x.c2-RPUSH_q_x"));
}

#[test]
fn keys_of_every_database_are_shown() {
    let mut desk = Desk::new("mode=schedule");
    desk.enter(1, "select 2");
    desk.enter(1, "set m 1");
    let keys =
        crate::view::stage::redis::panel(desk.session.timeline(), Lang::En).nodes.remove(0).keys;
    let keys: Vec<_> = keys.iter().map(|row| (row.key.as_str(), row.by, row.changed)).collect();
    assert_eq!(keys, [("n", None, false), ("[2] m", Some(c(1)), true)]);
    assert_eq!(desk.pane(1).keys, ["m"], "of its own database for completion");
}

#[test]
fn listening_connections_say_so_until_they_are_closed() {
    let mut desk = Desk::new("mode=schedule");
    desk.enter(1, "subscribe news");
    desk.enter(2, "publish news hi");
    assert_eq!(
        desk.screen(1),
        "c1> subscribe news\nReading messages... (press Ctrl-C to quit)\n1) \"subscribe\"\n\
         2) \"news\"\n3) (integer) 1\n1) \"message\"\n2) \"news\"\n3) \"hi\"\n\
         c1 (subscribed mode)> "
    );
    assert!(desk.pane(1).listening && !desk.pane(2).listening);
    desk.act(Do::Cancel(c(1)));
    assert!(!desk.pane(1).listening);
    desk.enter(3, "monitor");
    desk.session.update(Msg::Step(ClientId(0)));
    assert!(desk.screen(3).contains("[0 127.0.0.1:50002] \"GET\" \"n\""), "{}", desk.screen(3));
    assert!(desk.pane(3).listening);
}

#[test]
fn the_client_does_some_things_by_itself() {
    let mut desk = Desk::new("mode=schedule");
    desk.enter(1, "help getdel");
    desk.enter(1, "? nosuch");
    let help = "c1> help getdel\n\n  GETDEL key\n  summary: Get the value of a key and delete the \
                key\n  since: 6.2.0\n  group: string\n\nc1> ? nosuch\n\nc1> ";
    assert_eq!(desk.screen(1), help);
    assert!(desk.session.timeline().is_empty(), "none of that is a step");
    desk.enter(1, "clear");
    assert_eq!(desk.screen(1), "c1> ");
    desk.enter(1, "set n \"a b\"");
    desk.enter(1, "--raw");
    assert_eq!(desk.screen(1), "c1> set n \"a b\"\nOK\nc1> --raw\nc1> ");
    desk.enter(1, "get n");
    assert!(desk.screen(1).ends_with("get n\na b\nc1> "));
    desk.enter(1, "--eval s.lua n , 2");
    assert!(desk.screen(1).contains("Can't open file 's.lua': No such file or directory"));
    let script = "return redis.call('SET', KEYS[1], ARGV[1])".to_owned();
    desk.act(Do::Script("s.lua".into(), script));
    desk.enter(1, "--eval s.lua n , 2");
    desk.enter(1, "get n");
    assert!(desk.screen(1).ends_with("get n\n2\nc1> "), "{}", desk.screen(1));
    desk.enter(1, "1000 PING");
    assert!(desk.screen(1).ends_with("Stopped after 100 of 1000.\nc1> "));
    desk.enter(1, &format!("SET k {}", "x".repeat(LINE_MAX)));
    assert!(desk.screen(1).ends_with("A line may be at most 4 KB long.\nc1> "));
    desk.enter(1, "quit");
    assert!(!desk.panel.open);
    assert_eq!(desk.panel.history.len(), 11);
}

#[test]
fn connections_are_opened_and_closed_up_to_a_bound() {
    let mut desk = Desk::new("mode=schedule");
    for number in 2..=8 {
        assert!(desk.panel.can_add(desk.session.timeline()));
        desk.act(Do::Add);
        assert_eq!(desk.panel.at(desk.session.timeline()), Some(c(number)));
    }
    assert!(!desk.panel.can_add(desk.session.timeline()));
    desk.enter(3, "multi");
    desk.act(Do::Close(c(3)));
    assert_eq!(desk.panel.ids(desk.session.timeline()).len(), 7);
    assert_eq!(desk.session.timeline().schedule(), "c3-multi.close-c3");
    desk.act(Do::Add);
    assert_eq!(desk.panel.at(desk.session.timeline()), Some(c(3)));
    desk.enter(3, "exec");
    assert!(desk.screen(3).ends_with("(error) ERR EXEC without MULTI\nc3> "));
}

#[test]
fn in_a_story_the_first_line_begins_a_run_of_ones_own() {
    let mut desk = Desk::new("mode=watch&step=1");
    desk.enter(1, "incr n");
    assert_eq!(desk.session.mode(), Mode::Schedule);
    assert_eq!(desk.session.timeline().schedule(), "A1.c1-incr_n");
    assert_eq!(desk.session.timeline().cursor(), 2);
    desk.session.update(Msg::Mode(Mode::Watch));
    assert_eq!(desk.session.timeline().schedule(), "A1.A2", "the story is as it was");
}

#[test]
fn links_bring_back_what_was_typed() {
    let mut desk = Desk::new("mode=schedule");
    desk.enter(2, "SET k \"1.5 & ~_#\"");
    desk.enter(1, "BLPOP q 0");
    desk.session.update(Msg::Wire(true));
    let fragment = desk.session.link(Lang::En).write();
    let again = Desk::new(&fragment);
    assert_eq!(again.session.timeline().digest(), desk.session.timeline().digest());
    assert_eq!(again.screen(2), desk.screen(2));
    assert!(again.pane(1).waiting);
    assert_eq!(again.panel.ids(again.session.timeline()), [c(1), c(2)]);
}

#[test]
fn a_run_too_long_for_a_link_says_so_and_stays() {
    let mut desk = Desk::new("mode=schedule");
    let line = format!("SET k {}", "x".repeat(4_000));
    desk.enter(1, &line);
    desk.enter(1, &line.replace('x', "y"));
    let told = desk.act(Do::Submit(c(1), vec![line.replace('x', "z")]));
    assert_eq!(told, [Notice::LinkLimit]);
    assert_eq!(desk.session.timeline().len(), 3);
    let link = desk.session.link(Lang::En).write();
    assert!(link.len() <= crate::session::link::LENGTH_MAX);
    let link = Link::parse(&link);
    assert_eq!(link.schedule.map(|text| text.matches(".c1-").count()), Some(1), "two steps");
}

#[test]
fn hints_show_what_may_follow() {
    let docs = docs();
    let hint = |text: &str| docs.hint(text, V);
    assert_eq!(hint("GET"), " key");
    assert_eq!(hint("get "), "key");
    assert_eq!(hint("get k"), "");
    assert_eq!(hint("set k "), docs.hint("set k", V).trim_start());
    assert!(hint("set k").starts_with(" value [NX|XX]"));
    assert_eq!(hint("set k v EX 10 nx"), " [GET]");
    assert_eq!(hint("mset a 1 "), "[key value ...]");
    assert_eq!(hint("config "), "");
    assert_eq!(hint("config get "), "parameter [parameter ...]");
    assert_eq!(hint("xadd s * "), "field value [field value ...]");
    assert_eq!(hint("zadd z nx "), "[GT|LT] [CH] [INCR] score member [score member ...]");
    assert_eq!(hint("nonsense "), "");
    assert_eq!(hint("get \"a"), "");
    for doc in &docs.commands {
        let words = format!("{} a b c d e f g h EX 1 LIMIT 2", doc.name);
        words.char_indices().for_each(|(at, _)| drop(docs.hint(&words[..at], V)));
    }
}

#[test]
fn completion_knows_commands_subcommands_keys_and_options() {
    let docs = docs();
    let keys = ["stock".to_owned(), "a b".to_owned()];
    let complete = |text: &str| docs.complete(text, &keys, V);
    assert_eq!(complete("getd"), ["GETDEL"]);
    assert_eq!(complete("config re"), ["config RESETSTAT", "config REWRITE"]);
    assert_eq!(complete("GET s"), ["GET stock"]);
    assert_eq!(complete("GET "), ["GET stock", "GET \"a b\""]);
    assert_eq!(complete("SET s s"), Vec::<String>::new(), "a value is no key");
    assert_eq!(complete("SET s v P"), ["SET s v PX", "SET s v PXAT"]);
    assert_eq!(complete("MGET stock s"), ["MGET stock stock"]);
    assert_eq!(complete("help @hy"), ["help @hyperloglog"]);
    assert_eq!(complete("nonsense x"), Vec::<String>::new());
    assert_eq!(complete("GET \"a"), ["GET \"a b\""]);
    assert!(complete("").len() <= 100);
}

#[test]
fn what_a_version_lacks_is_not_offered() {
    let docs = docs();
    assert_eq!(docs.complete("xackd", &[], V), Vec::<String>::new());
    assert_eq!(docs.complete("xackd", &[], Version::V8_2), ["XACKDEL"]);
    assert_eq!(docs.complete("help xackd", &[], V), Vec::<String>::new());
    assert_eq!(docs.hint("xackdel ", V), "");
    assert_eq!(docs.hint("set k v ", V).split(' ').next(), Some("[NX|XX]"));
    assert!(docs.hint("set k v ", Version::Valkey8).starts_with("[NX|XX|IFEQ ifeq-value] [GET]"));
    assert!(docs.hint("xadd s ", Version::V8_2).starts_with("[NOMKSTREAM] [KEEPREF|DELREF|ACKED]"));
    assert!(docs.hint("xadd s ", V).starts_with("[NOMKSTREAM] [MAXLEN|MINID"));
    let help = |line: &str, version, lang| {
        let about: Vec<String> = line.split(' ').map(str::to_owned).collect();
        docs.help(&about, version, lang)
    };
    let words = "XACKDEL exists since Redis 8.2: write version = \"8.2\".";
    assert_eq!(help("xackdel", V, Lang::En), words);
    let words = "Redis 8.4 起才有 DELEX：请写 version = \"8.4\"。";
    assert_eq!(help("delex", Version::Valkey9, Lang::Zh), words);
    assert!(help("delifeq", Version::Valkey9, Lang::En).contains("\n  since: 9.0.0\n"));
    assert!(help("@hash", Version::V7_4, Lang::En).contains("HEXPIRE "));
    assert!(!help("@hash", V, Lang::En).contains("HEXPIRE "));
    let mut desk = Desk::new("mode=schedule");
    desk.enter(1, "digest n");
    assert_eq!(
        desk.screen(1),
        "c1> digest n\n(error) ERR unknown command 'digest', with args beginning with: 'n' \n\
         DIGEST exists since Redis 8.4: write version = \"8.4\".\nc1> "
    );
}

#[test]
fn a_transcript_is_replayed_at_consoles() {
    let mut desk = Desk::new("mode=schedule");
    let imported = import("A> MULTI\nB> SET n 5\nA> INCR n\nA> EXEC\n");
    assert_eq!(desk.panel.replay(&mut desk.session, &imported), []);
    assert_eq!(desk.session.timeline().schedule(), "c1-MULTI.c2-SET_n_5.c1-INCR_n.c1-EXEC");
    assert!(desk.screen(1).ends_with("1) (integer) 6\nc1> "));
    assert!(desk.panel.open);
}
