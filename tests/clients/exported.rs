//! Runs exported as tests: the Python ones are run, against a real redis-server.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use interleave::lesson::source::read_folder;
use interleave::session::Session;
use interleave::session::link::Link;
use interleave::text::Lang;
use interleave::view::export::{Form, export};

/// A redis-server on a free port.
pub struct Server {
    child: Child,
    pub port: u16,
}

impl Server {
    pub fn start() -> Server {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = free.expect("a free port").port();
        let child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--save", "", "--bind", "127.0.0.1"])
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server runs: .ci/setup redis");
        let until = Instant::now() + Duration::from_secs(20);
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "redis-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Server { child, port }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn session(lesson: &str, link: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(lesson);
    let lesson = read_folder(&folder).expect("the lesson is right");
    let (session, notices) = Session::open(Rc::new(lesson), &Link::parse(link)).expect("it opens");
    assert!(notices.is_empty(), "{notices:?}");
    session
}

/// Runs the exported test; true where it passes.
fn passes(server: &Server, test: &str) -> (bool, String) {
    let output = Command::new(super::python())
        .args(["-c", &format!("{test}\n\ntest_schedule()\n")])
        .env("REDIS_PORTS", server.port.to_string())
        .output()
        .expect("Python runs");
    let words = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&words).into_owned())
}

const LOST: &str = "variant=naive&schedule=A1.B1.A2.B2";

#[test]
fn a_run_passes_as_a_python_test_on_a_real_server() {
    let server = Server::start();
    for link in [LOST, "variant=naive&schedule=A1.A2.B1.B2", "variant=incrby&schedule=B1.A1"] {
        let session = session("static/lessons/lost-update", link);
        let test = export(&session, Form::Pytest, Lang::En);
        let (passed, words) = passes(&server, &test);
        assert!(passed, "{test}\n{words}");
        // Another reply than the engine's is noticed.
        let other = test.replace("\"10\".encode()", "\"11\".encode()");
        if other != test {
            assert!(!passes(&server, &other).0, "{other}");
        }
    }
}

#[test]
fn every_form_has_every_command() {
    let session = session("static/lessons/lost-update", LOST);
    let count = |form, what: &str| export(&session, form, Lang::En).matches(what).count();
    assert_eq!((count(Form::Text, "GET balance"), count(Form::Text, "SET balance 20")), (2, 2));
    assert_eq!(count(Form::Text, "✕"), 1, "the step that breaks is marked");
    assert_eq!(count(Form::Mermaid, "->>R0: GET balance"), 2);
    assert_eq!(count(Form::Mermaid, "-->>"), 4);
    assert_eq!(count(Form::JUnit, "\"SET\", \"balance\", \"20\""), 2);
    assert_eq!(count(Form::JUnit, "{"), count(Form::JUnit, "}"));
}
