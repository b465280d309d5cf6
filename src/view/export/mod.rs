//! A run in other forms: a plain table, a Mermaid sequence diagram, an animated picture, and tests
//! that replay it against a real Redis with one connection per client.
//!
//! A replay issues the run's commands in the run's order, without the programs between them.
//! Time that passes becomes a sleep, and faults become comments.
//!
//! What a scenario holds may be a stranger's, and reaches a file as data: in tests through
//! `literal`, in Mermaid through `mermaid_text`, in SVG through `escaped`. To add a form, add it
//! to [`Form`] and say here how it writes text.

mod animated;
mod literal;

use std::fmt::Write;

use crate::resp::{Bytes, Value};
use crate::sim::{Call, CallKind, ClientId, Event, Frame, Kind, Timeline};
use crate::text::{Key, Lang, ScreenWord, VerdictWord, screen, tr, verdict};

use self::literal::{java_comment, java_literal, one_line, python_comment, python_literal};
use super::stage::faults;
use crate::session::Session;
use crate::session::spelling::{call_text_at, lanes};

/// A form of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Mermaid,
    Animated,
    Pytest,
    JUnit,
}

impl Form {
    pub const ALL: [Form; 5] =
        [Form::Animated, Form::Text, Form::Mermaid, Form::Pytest, Form::JUnit];

    pub fn id(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Mermaid => "mermaid",
            Form::Animated => "animated",
            Form::Pytest => "pytest",
            Form::JUnit => "junit",
        }
    }

    pub fn label(self, lang: Lang) -> &'static str {
        match self {
            Form::Text => tr(lang, Key::ExportText),
            Form::Mermaid => tr(lang, Key::ExportMermaid),
            Form::Animated => screen(lang, ScreenWord::ExportAnimated),
            Form::Pytest => tr(lang, Key::ExportPytest),
            Form::JUnit => tr(lang, Key::ExportJUnit),
        }
    }

    /// Returns the MIME type of the file.
    pub fn mime(self) -> &'static str {
        match self {
            Form::Animated => "image/svg+xml",
            _ => "text/plain;charset=utf-8",
        }
    }

    /// Returns the file name.
    pub fn file(self, lesson: &str) -> String {
        match self {
            Form::Text => format!("{lesson}.txt"),
            Form::Mermaid => format!("{lesson}.mmd"),
            Form::Animated => format!("{lesson}-animated.svg"),
            Form::Pytest => format!("test_{}.py", lesson.replace('-', "_")),
            Form::JUnit => format!("{}Test.java", class_name(lesson)),
        }
    }
}

/// Exports the run shown, to its end.
pub fn export(session: &Session, form: Form, lang: Lang) -> String {
    match form {
        Form::Text => text(session.timeline(), lang),
        Form::Mermaid => mermaid(session.timeline(), lang),
        Form::Animated => animated::animated(session, lang),
        Form::Pytest => pytest(session),
        Form::JUnit => junit(session),
    }
}

/// A step as a row: the client, the command, and the reply.
struct Row {
    who: String,
    what: String,
    reply: String,
}

fn row(frame: &Frame, lang: Lang) -> Row {
    let world = &frame.world;
    let of = |client: ClientId, call: &Call, reply: String| Row {
        who: client.name(),
        what: call_text_at(call, world),
        reply,
    };
    let short = |reply: &Option<Value>| reply.as_ref().map(Value::to_cli_short).unwrap_or_default();
    match &frame.seen.event {
        Event::Call { client, call, lost: true, .. } => {
            let said = match frame.gives_up() {
                true => verdict(lang, VerdictWord::ExportCancelled),
                false => tr(lang, Key::ExportLost),
            };
            of(*client, call, said.to_owned())
        }
        Event::Call { client, call, reply, .. } => of(*client, call, short(reply)),
        Event::Execute { client, call, reply } => of(*client, call, short(reply)),
        Event::Send { client, call } => of(*client, call, "→".to_owned()),
        Event::Unheard { client, call } => {
            of(*client, call, verdict(lang, VerdictWord::ExportUnheard).to_owned())
        }
        Event::Reply { client, call, reply } => of(*client, call, reply.to_cli_short()),
        Event::Advance { from_ms, to_ms } => {
            let what = format!("+{} ms", to_ms - from_ms);
            Row { who: String::new(), what, reply: String::new() }
        }
        Event::Other(action) => {
            let what = faults::said(*action, frame, lang);
            Row { who: String::new(), what, reply: String::new() }
        }
        Event::Start => Row { who: String::new(), what: String::new(), reply: String::new() },
    }
}

fn text(timeline: &Timeline, lang: Lang) -> String {
    let broken = |step: usize| {
        let properties = timeline.scenario().properties.iter().enumerate();
        let mut broken = properties.filter(|(index, property)| {
            property.kind == Kind::Always && first_false(timeline, *index) == Some(step)
        });
        broken.next().is_some()
    };
    let head = [Key::ColStep, Key::ColClient, Key::ColCommand, Key::ColReply];
    let mut rows = vec![head.map(|key| tr(lang, key).to_owned())];
    for (step, frame) in timeline.frames().iter().enumerate().skip(1) {
        let Row { who, what, reply } = row(frame, lang);
        let mark = if broken(step) { " ✕" } else { "" };
        rows.push([format!("{step}{mark}"), who, one_line(&what), one_line(&reply)]);
    }
    let width = |text: &str| text.chars().map(|c| if (c as u32) < 0x1100 { 1 } else { 2 }).sum();
    let mut widths = [0; 4];
    for row in &rows {
        for (most, cell) in widths.iter_mut().zip(row) {
            *most = (*most).max(width(cell));
        }
    }
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (wide, cell) in widths.iter().zip(row) {
            line += cell;
            line += &" ".repeat(wide - width(cell) + 2);
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

fn first_false(timeline: &Timeline, index: usize) -> Option<usize> {
    timeline.frames().iter().position(|frame| frame.truths.get(index) == Some(&false))
}

/// Returns a sequence diagram, <https://mermaid.js.org/syntax/sequenceDiagram.html>.
fn mermaid(timeline: &Timeline, lang: Lang) -> String {
    let setting = timeline.world().setting().clone();
    let mut out = String::from("sequenceDiagram\n");
    let lanes = lanes(timeline);
    for id in &lanes {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(out, "    participant {}", id.name());
    }
    let names: Vec<&str> = setting.nodes.iter().map(String::as_str).collect();
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(out, "    participant R{number} as {}", mermaid_text(name));
    }
    let last = names.len().saturating_sub(1);
    let over = match lanes.first() {
        Some(first) => format!("{},R{last}", first.name()),
        None => format!("R{last}"),
    };
    for frame in timeline.frames().iter().skip(1) {
        let Row { what, reply, .. } = row(frame, lang);
        let (what, reply) = (mermaid_text(&one_line(&what)), mermaid_text(&one_line(&reply)));
        let call = match &frame.seen.event {
            Event::Call { client, call, .. }
            | Event::Send { client, call }
            | Event::Execute { client, call, .. }
            | Event::Reply { client, call, .. } => Some((client.name(), call)),
            _ => None,
        };
        let Some((who, call)) = call else {
            let _ = writeln!(out, "    Note over {over}: {what}");
            continue;
        };
        let Some(node) = call.node() else {
            let kind = match call.kind {
                CallKind::Sql(_) => "SQL ",
                CallKind::Resource { .. } => "resource ",
                CallKind::Lock { .. } => "mutex ",
                _ => "",
            };
            let _ = writeln!(out, "    Note over {who}: {kind}{what}");
            continue;
        };
        let node = node.index();
        let (asks, answers) = match frame.seen.event {
            Event::Send { .. } => (true, false),
            Event::Reply { .. } => (false, true),
            _ => (true, !reply.is_empty()),
        };
        if asks {
            let _ = writeln!(out, "    {who}->>R{node}: {what}");
        }
        if answers {
            let _ = writeln!(out, "    R{node}-->>{who}: {reply}");
        }
    }
    out
}

/// Escapes the characters that would end a message or begin an entity, a tag or a directive
/// (`%%{init: …}%%`, which Mermaid looks for in messages too).
fn mermaid_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let _ = match c {
            '#' | ';' | ':' | '<' | '>' | '&' | '%' => write!(out, "#{};", u32::from(c)),
            c => out.write_char(c),
        };
    }
    out
}

/// One action of a test.
enum Act<'t> {
    Command { client: ClientId, node: usize, argv: Vec<&'t Bytes>, reply: Option<&'t Value> },
    Sleep(u64),
    Remark(String),
}

fn acts(timeline: &Timeline) -> Vec<Act<'_>> {
    let mut acts = Vec::new();
    for frame in timeline.frames().iter().skip(1) {
        match &frame.seen.event {
            Event::Call { client, call, reply, .. } | Event::Execute { client, call, reply }
                if !call.argv().is_empty() =>
            {
                let node = call.node().map_or(0, |node| node.index());
                let (client, argv) = (*client, call.argv().iter().collect());
                acts.push(Act::Command { client, node, argv, reply: reply.as_ref() });
            }
            Event::Call { client, call, .. } => {
                let words = format!("{}: {}", client.name(), call_text_at(call, &frame.world));
                acts.push(Act::Remark(words));
            }
            Event::Advance { from_ms, to_ms } => acts.push(Act::Sleep(to_ms - from_ms)),
            Event::Other(action) => {
                acts.push(Act::Remark(faults::said(*action, frame, Lang::En)));
            }
            _ => {}
        }
    }
    acts
}

fn setup_of(session: &Session) -> Vec<(usize, Vec<Bytes>)> {
    let nodes = session.timeline().scenario().nodes.iter().enumerate();
    nodes.flat_map(|(at, node)| node.setup.iter().map(move |argv| (at, argv.clone()))).collect()
}

/// Returns the description of the run, for a comment of a test.
fn about(session: &Session) -> String {
    let lesson = session.lesson();
    let variant = lesson.variants.get(session.variant()).map(|v| v.label.en.as_str());
    let timeline = session.timeline();
    let broken = session.lesson().properties_of(session.variant()).enumerate();
    let broken = broken
        .filter(|(index, property)| {
            property.kind == Kind::Always && first_false(timeline, *index).is_some()
        })
        .map(|(_, property)| property.label.en.clone())
        .collect::<Vec<_>>();
    let breaks = match broken.is_empty() {
        true => String::new(),
        false => format!(" It breaks: {}.", broken.join("; ")),
    };
    format!(
        "{} ({}), schedule {}.{breaks}",
        lesson.title.en,
        variant.unwrap_or_default(),
        timeline.schedule()
    )
}

/// Returns the clients' names in tests, in the order of their lanes.
fn names(timeline: &Timeline) -> Vec<String> {
    lanes(timeline).into_iter().map(ClientId::name).collect()
}

const PYTHON_HEAD: &str = r#""""Replays a run against a real Redis.

Needs: pip install pytest redis. REDIS_PORTS names throw-away servers: they are
emptied. Put your own calls in place of a client's commands; keep its turns.
"""
"#;

const PYTHON_TURNS: &str = r#"
class Turns:
    """Lets one step through at a time, in order."""

    def __init__(self):
        self.now = 1
        self.changed = threading.Condition()

    def take(self, step, work):
        with self.changed:
            assert self.changed.wait_for(lambda: self.now == step, timeout=10), step
            try:
                return work()
            finally:
                self.now += 1
                self.changed.notify_all()

    def begin(self, step, work):
        """Of a command that waits for another client."""
        replies = []
        thread = threading.Thread(target=lambda: replies.append(work()))
        self.take(step, lambda: (thread.start(), time.sleep(0.05)))
        thread.join()
        return replies[0]


def call(connection, *argv):
    try:
        return connection.execute_command(*argv)
    except redis.ResponseError as error:
        return error


"#;

const JAVA_TURNS: &str = r#"
  private int now = 1;

  /** Lets one step through at a time, in order. */
  synchronized <T> T take(int step, Callable<T> work) throws Exception {
    long until = System.currentTimeMillis() + 10_000;
    while (now != step) {
      long left = until - System.currentTimeMillis();
      assertTrue(left > 0, "step " + step + " was never reached");
      wait(left);
    }
    try {
      return work.call();
    } finally {
      now++;
      notifyAll();
    }
  }

  /** The same of a command that waits for another client. */
  Object begin(int step, Callable<Object> work) throws Exception {
    FutureTask<Object> task = new FutureTask<>(work);
    take(step, () -> { new Thread(task).start(); Thread.sleep(50); return null; });
    return task.get();
  }

  static Object call(Jedis r, String... argv) {
    ProtocolCommand command = () -> argv[0].getBytes(StandardCharsets.UTF_8);
    String[] rest = Arrays.copyOfRange(argv, 1, argv.length);
    try {
      Object reply = r.sendCommand(command, rest);
      return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : reply;
    } catch (JedisDataException error) {
      return error;
    }
  }

  static Jedis[] connect() {
    String[] ports = System.getenv().getOrDefault("REDIS_PORTS", PORTS).split(",");
    Jedis[] r = new Jedis[ports.length];
    for (int at = 0; at < r.length; at++) {
      r[at] = new Jedis("127.0.0.1", Integer.parseInt(ports[at]));
    }
    return r;
  }

"#;

/// Returns a pytest file. Each client is a thread with its own connections. A turnstile lets one
/// command through at a time, in the run's order, which chance would seldom produce.
fn pytest(session: &Session) -> String {
    let timeline = session.timeline();
    let mut out = String::from(PYTHON_HEAD);
    let _ = writeln!(out, "{}\n", python_comment(&about(session)));
    out += "import os\nimport threading\nimport time\n\nimport redis\n\n";
    let _ = writeln!(
        out,
        "PORTS = [int(port) for port in os.environ.get(\"REDIS_PORTS\", \"{}\").split(\",\")]\n",
        ports(timeline)
    );
    out += PYTHON_TURNS;
    let acts = acts(timeline);
    for name in names(timeline) {
        let _ = writeln!(out, "def client_{}(turns, r):", name.to_ascii_lowercase());
        let mut any = false;
        for (number, act) in acts.iter().enumerate() {
            let Act::Command { client, node, argv, reply } = act else { continue };
            if client.name() != name {
                continue;
            }
            any = true;
            let _ = writeln!(
                out,
                "    reply = turns.{}({}, lambda: call(r[{node}], {}))",
                if reply.is_some() { "take" } else { "begin" },
                number + 1,
                arguments(argv.iter().copied(), python_literal)
            );
            if let Some(expected) = reply.and_then(python_value) {
                let _ = writeln!(out, "    assert reply == {expected}, reply");
            } else if let Some(Value::Error(text)) = reply {
                let _ = writeln!(out, "    {}", python_comment(&String::from_utf8_lossy(text)));
                let _ = writeln!(out, "    assert isinstance(reply, redis.ResponseError), reply");
            }
        }
        if !any {
            out += "    pass\n";
        }
        out += "\n\n";
    }
    out += "def test_schedule():\n    flush = [redis.Redis(port=port) for port in PORTS]\n";
    out += "    for one in flush:\n        one.flushall()\n";
    for (node, argv) in setup_of(session) {
        let _ = writeln!(
            out,
            "    flush[{node}].execute_command({})",
            arguments(&argv, python_literal)
        );
    }
    out += "    turns, failures = Turns(), []\n\n    def run(client):\n        try:\n";
    out += "            client(turns, [redis.Redis(port=port) for port in PORTS])\n";
    out += "        except BaseException as error:\n            failures.append(error)\n\n";
    let clients: Vec<String> =
        names(timeline).iter().map(|n| format!("client_{}", n.to_ascii_lowercase())).collect();
    let _ = writeln!(
        out,
        "    threads = [threading.Thread(target=run, args=(c,)) for c in ({},)]",
        clients.join(", ")
    );
    out += "    for thread in threads:\n        thread.start()\n";
    for (number, act) in acts.iter().enumerate() {
        match act {
            Act::Sleep(ms) => {
                let _ = writeln!(
                    out,
                    "    turns.take({}, lambda: time.sleep({}))",
                    number + 1,
                    f64::from(u32::try_from(*ms).unwrap_or(u32::MAX)) / 1000.0
                );
            }
            Act::Remark(words) => {
                let words = python_comment(words);
                let _ = writeln!(out, "    turns.take({}, lambda: None)  {words}", number + 1);
            }
            Act::Command { .. } => {}
        }
    }
    out += "    for thread in threads:\n        thread.join()\n    assert not failures, failures\n";
    out
}

/// Returns the arguments of a command as literals.
fn arguments<'a>(
    argv: impl IntoIterator<Item = &'a Bytes>,
    literal: fn(&[u8]) -> String,
) -> String {
    argv.into_iter().map(|argument| literal(argument)).collect::<Vec<_>>().join(", ")
}

/// Returns a port for each instance, from Redis's default on.
fn ports(timeline: &Timeline) -> String {
    let ports = (0..timeline.scenario().nodes.len()).map(|at| (6379 + at).to_string());
    ports.collect::<Vec<_>>().join(",")
}

/// Returns a reply as redis-py's `execute_command` does; `None` for replies that it converts by
/// command.
fn python_value(reply: &Value) -> Option<String> {
    Some(match reply {
        Value::Int(number) => number.to_string(),
        Value::Bulk(bytes) => format!("{}.encode()", python_literal(bytes)),
        Value::NilBulk | Value::NilArray | Value::Null => "None".to_owned(),
        _ => return None,
    })
}

fn class_name(lesson: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    };
    lesson.split('-').map(word).collect()
}

fn junit(session: &Session) -> String {
    let timeline = session.timeline();
    let acts = acts(timeline);
    let mut out = String::from("// Replays a run against a real Redis.\n");
    out += "// Needs JUnit 5 and Jedis. REDIS_PORTS names throw-away servers: they are emptied.\n";
    out += "// Put your own calls in place of a client's commands; keep its turns.\n";
    let _ = writeln!(out, "{}", java_comment(&about(session)));
    for name in [
        "static org.junit.jupiter.api.Assertions.assertEquals",
        "static org.junit.jupiter.api.Assertions.assertTrue",
        "java.nio.charset.StandardCharsets",
        "java.util.ArrayList",
        "java.util.Arrays",
        "java.util.List",
        "java.util.concurrent.Callable",
        "java.util.concurrent.ExecutorService",
        "java.util.concurrent.Executors",
        "java.util.concurrent.Future",
        "java.util.concurrent.FutureTask",
        "org.junit.jupiter.api.Test",
        "redis.clients.jedis.Jedis",
        "redis.clients.jedis.commands.ProtocolCommand",
        "redis.clients.jedis.exceptions.JedisDataException",
    ] {
        let _ = writeln!(out, "import {name};");
    }
    let _ = writeln!(out, "\nclass {}Test {{", class_name(&session.lesson().id));
    let _ = writeln!(out, "  static final String PORTS = \"{}\";", ports(timeline));
    out += JAVA_TURNS;
    for name in names(timeline) {
        let _ = writeln!(out, "  Void client{name}() throws Exception {{");
        out += "    Jedis[] r = connect();\n";
        for (number, act) in acts.iter().enumerate() {
            let Act::Command { client, node, argv, reply } = act else { continue };
            if client.name() != name {
                continue;
            }
            let turn = if reply.is_some() { "take" } else { "begin" };
            let (step, argv) = (number + 1, arguments(argv.iter().copied(), java_literal));
            let call = format!("{turn}({step}, () -> call(r[{node}], {argv}))");
            let _ = match reply {
                Some(Value::Int(n)) => writeln!(out, "    assertEquals({n}L, {call});"),
                Some(Value::Bulk(text)) => {
                    writeln!(out, "    assertEquals({}, {call});", java_literal(text))
                }
                Some(Value::NilBulk | Value::NilArray | Value::Null) => {
                    writeln!(out, "    assertEquals(null, {call});")
                }
                Some(Value::Error(_)) => {
                    writeln!(out, "    assertTrue({call} instanceof JedisDataException);")
                }
                _ => writeln!(out, "    {call};"),
            };
        }
        out += "    return null;\n  }\n\n";
    }
    out += "  @Test\n  void schedule() throws Exception {\n    Jedis[] r = connect();\n";
    out += "    for (Jedis one : r) one.flushAll();\n";
    for (node, argv) in setup_of(session) {
        let _ = writeln!(out, "    call(r[{node}], {});", arguments(&argv, java_literal));
    }
    out += "    ExecutorService threads = Executors.newCachedThreadPool();\n";
    out += "    List<Future<Void>> clients = new ArrayList<>();\n";
    for name in names(timeline) {
        let _ = writeln!(out, "    clients.add(threads.submit(this::client{name}));");
    }
    for (number, act) in acts.iter().enumerate() {
        let _ = match act {
            Act::Sleep(ms) => writeln!(
                out,
                "    take({}, () -> {{ Thread.sleep({ms}); return null; }});",
                number + 1
            ),
            Act::Remark(words) => {
                writeln!(out, "    take({}, () -> null); {}", number + 1, java_comment(words))
            }
            Act::Command { .. } => Ok(()),
        };
    }
    out +=
        "    for (Future<Void> client : clients) client.get();\n    threads.shutdown();\n  }\n}\n";
    out
}
