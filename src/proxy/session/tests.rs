use super::*;
use crate::gate::Gate;
use crate::limits::Limits;
use crate::policy::Policy;
use crate::scripts::Scripts;
use crate::upstream::Tls;

fn session(ground: Ground) -> Session {
    let policy = Policy::named("lessons").unwrap();
    let limits = Limits { rate: 0, ..Limits::default() };
    let tls = Tls::new(None).unwrap();
    let may = (policy, Scripts::any());
    let hub = Hub::new(limits, may, Gate::default(), Vec::new(), (1, None), tls);
    let ticket = hub.enter("0123456789abcdef").unwrap();
    let mut session = Session::new(hub, ticket);
    session.connected(ground);
    session
}

/// The next command gets its turn.
fn go(session: &mut Session) {
    let (hub, visitor) = (session.hub.clone(), session.ticket.visitor.clone());
    let turn = hub.turn(&visitor, 0, session.next());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (turn, queued) = runtime.block_on(turn).unwrap();
    session.go(turn, queued.unwrap());
}

/// Sends a command; what Redis gets of it.
fn send(session: &mut Session, line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    session.take(&wire::command(&words)).unwrap();
    // As if those before had their replies.
    session.flight = None;
    while session.wants_turn() {
        go(session);
    }
    let sent = String::from_utf8(std::mem::take(&mut session.out)).unwrap();
    let words = sent.split("\r\n").filter(|part| !part.starts_with(['*', '$']));
    words.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Returns everything that the page has got since the last call.
fn got(session: &mut Session) -> String {
    session.flush();
    let text = |message: Message| match message {
        Message::Binary(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
        Message::Text(text) => text.to_string(),
        other => format!("{other:?}"),
    };
    std::mem::take(&mut session.outbox).into_iter().map(text).collect()
}

#[test]
fn each_command_has_one_answer_in_its_place() {
    let mut session = session(Ground::Own);
    assert_eq!(send(&mut session, "GET a"), "GET a");
    assert_eq!(send(&mut session, "FLUSHALL"), "");
    assert_eq!(send(&mut session, "GET b"), "GET b");
    assert_eq!(got(&mut session), "");
    session.receive(b"+a\r\n").unwrap();
    let refused = got(&mut session);
    assert!(refused.starts_with("+a\r\n-PROXY FLUSHALL is never allowed"), "{refused}");
    // Commands that wait get an error when the connection is lost; later ones are not sent.
    session.lost("gone");
    let lost = "-PROXY gone; whether this command was carried out is not known\r\n";
    assert_eq!(got(&mut session), lost);
    assert_eq!(send(&mut session, "GET c"), "");
    assert_eq!(got(&mut session), "-PROXY there is no connection to Redis: gone\r\n");
}

#[test]
fn a_transaction_without_one_of_its_commands_is_dropped() {
    let mut session = session(Ground::Own);
    for line in ["MULTI", "SET a 1"] {
        send(&mut session, line);
    }
    session.receive(b"+OK\r\n+QUEUED\r\n").unwrap();
    send(&mut session, "SHUTDOWN");
    got(&mut session);
    assert_eq!(send(&mut session, "EXEC"), "DISCARD");
    session.receive(b"+OK\r\n").unwrap();
    let aborted = "-EXECABORT Transaction discarded because of previous errors.\r\n";
    assert_eq!(got(&mut session), aborted);
    assert_eq!(send(&mut session, "GET a"), "GET a");
}

#[test]
fn confirmations_and_messages_are_no_answers_to_others() {
    let mut session = session(Ground::Own);
    send(&mut session, "SUBSCRIBE x y");
    send(&mut session, "FLUSHALL");
    let confirm = |what: &str, name: &str| {
        format!("*3\r\n${}\r\n{what}\r\n$1\r\n{name}\r\n:1\r\n", what.len())
    };
    let first = confirm("subscribe", "x");
    session.receive(first.as_bytes()).unwrap();
    assert_eq!(got(&mut session), first);
    let message = "*3\r\n$7\r\nmessage\r\n$1\r\nx\r\n$1\r\nm\r\n";
    session.receive(message.as_bytes()).unwrap();
    assert_eq!(got(&mut session), message);
    session.receive(confirm("subscribe", "y").as_bytes()).unwrap();
    assert!(got(&mut session).contains("never allowed"));
    // Both are confirmed, and only then comes the answer to PING.
    send(&mut session, "UNSUBSCRIBE");
    send(&mut session, "PING");
    send(&mut session, "SHUTDOWN");
    for name in ["x", "y"] {
        session.receive(confirm("unsubscribe", name).as_bytes()).unwrap();
    }
    assert!(!got(&mut session).contains("never"));
    session.receive(b"+PONG\r\n").unwrap();
    assert!(got(&mut session).starts_with("+PONG\r\n-PROXY SHUTDOWN"));
}

#[test]
fn a_prefix_goes_in_and_comes_off() {
    let mut session = session(Ground::Prefix { user: true });
    let prefix = session.ticket.visitor.prefix.clone();
    assert_eq!(send(&mut session, "GET a"), format!("GET {prefix}a"));
    assert_eq!(send(&mut session, "PUBLISH c m"), format!("PUBLISH {prefix}c m"));
    assert_eq!(send(&mut session, "PING a"), "PING a");
    assert_eq!(send(&mut session, "SCAN 0"), "");
    let key = format!("{prefix}a");
    session.receive(format!("${}\r\n{key}\r\n", key.len()).as_bytes()).unwrap();
    assert_eq!(got(&mut session), "$1\r\na\r\n");
}

#[test]
fn a_long_reply_is_passed_on_as_it_comes() {
    let mut session = session(Ground::Prefix { user: true });
    let prefix = session.ticket.visitor.prefix.clone();
    for line in ["LRANGE a 0 -1", "GET b", "SCAN 0", "GET c"] {
        send(&mut session, line);
    }
    let name = format!("${}\r\n{prefix}stock\r\n", prefix.len() + 5);
    let list = format!("*9000\r\n{}", name.repeat(9000));
    let value = format!("${}\r\n{}\r\n", 500_000, "x".repeat(500_000));
    let stream = [list.as_str(), &value, "+c\r\n"].concat();
    let (mut all, mut most) = (String::new(), 0);
    for piece in stream.as_bytes().chunks(16 * 1024) {
        session.receive(piece).unwrap();
        let came = got(&mut session);
        most = most.max(came.len());
        all += &came;
    }
    let short = format!("*9000\r\n{}", "$5\r\nstock\r\n".repeat(9000));
    let refused = all.strip_prefix(&(short + &value)).expect("both came whole");
    assert!(refused.starts_with("-PROXY SCAN") && refused.ends_with("\r\n+c\r\n"), "{refused}");
    assert!(most < 2 * PIECE_BYTES, "{most} at once");
    assert_eq!(session.hub.metrics.buffered_bytes.load(std::sync::atomic::Ordering::Relaxed), 0);
    // Half of one is all that comes: the page could not tell what is next.
    send(&mut session, "GET b");
    session.receive(&value.as_bytes()[..100_000]).unwrap();
    session.lost("gone");
    assert_eq!(session.torn.as_deref(), Some("gone"));
    // One that is announced too long is refused before any of it.
    let mut session = self::session(Ground::Own);
    send(&mut session, "GET b");
    let head = format!("${}\r\n{}", REPLY_BYTES_MAX + 1, "x".repeat(PIECE_BYTES));
    assert!(session.receive(head.as_bytes()).unwrap_err().contains("more than"));
    session.lost("gone");
    assert!(session.torn.is_none());
    assert!(got(&mut session).starts_with("-PROXY gone"));
}

/// On a shared server the next command goes when the last one has its reply.
#[test]
fn one_command_of_a_visitor_is_under_way() {
    let mut session = session(Ground::Plain { user: true });
    session.take(&wire::command(&["GET", "a"]).repeat(3)).unwrap();
    session.take(&wire::command(&["BLPOP", "b", "0"])).unwrap();
    assert!(session.out.is_empty() && session.wants_turn());
    let turns = session.ticket.visitor.turns[0].clone();
    for _ in 0..3 {
        go(&mut session);
        assert_eq!(std::mem::take(&mut session.out), wire::command(&["GET", "a"]));
        assert!(!session.wants_turn() && turns.available_permits() == 0);
        session.receive(b"+a\r\n").unwrap();
        assert!(session.wants_turn() && turns.available_permits() == 1);
    }
    // One that blocks keeps its connection waiting, and no other.
    go(&mut session);
    session.take(&wire::command(&["GET", "a"])).unwrap();
    assert!(!session.wants_turn() && turns.available_permits() == 1);
    session.lost("gone");
    assert!(!session.wants_turn() && session.waiting_bytes() == session.out.len());
}

#[test]
fn a_lost_reply_is_an_event_in_its_place() {
    let mut session = session(Ground::Own);
    session.lose_next();
    send(&mut session, "INCR n");
    send(&mut session, "GET n");
    session.receive(b":1\r\n$1\r\n1\r\n").unwrap();
    assert_eq!(got(&mut session), format!("{}$1\r\n1\r\n", control::reply_lost()));
}
