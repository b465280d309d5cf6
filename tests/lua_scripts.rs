//! Scripts against their reference: each program of `tests/lua/scripts` is run through EVAL by a
//! real Redis and by our engine; the replies must be equal, byte for byte.
//!
//! A program may start with a line `-- KEYS …` or `-- ARGV …`, and run several times.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use interleave::engine::{Config, ConnId, Instance, Outcome};
use interleave::resp::{Bytes, Proto, Value, decode_reply};

/// The clock of our engine; no script looks at it.
const NOW_MS: u64 = 1_767_225_600_000;

/// A Redis of our own, ended with the test.
struct Redis {
    child: Child,
    stream: UnixStream,
    buffer: Vec<u8>,
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Redis {
    fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("interleave-lua-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let socket = folder.join("redis.sock");
        let child = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(&socket)
            .arg("--dir")
            .arg(&folder)
            .stdout(Stdio::null())
            .spawn();
        let child = child.unwrap_or_else(|error| {
            panic!(
                "redis-server does not start ({error}); install it: apt-get install redis-server"
            )
        });
        let connect = || {
            std::thread::sleep(std::time::Duration::from_millis(10));
            UnixStream::connect(&socket).ok()
        };
        let stream = (0..1000).find_map(|_| connect()).expect("redis-server answers");
        Self { child, stream, buffer: Vec::new() }
    }

    fn command(&mut self, words: &[Bytes]) -> Value {
        let words = Value::Array(words.iter().cloned().map(Value::Bulk).collect());
        self.stream.write_all(&words.to_bytes(Proto::Resp2)).expect("Redis reads");
        loop {
            if let Ok(Some((reply, len))) = decode_reply(&self.buffer) {
                self.buffer.drain(..len);
                return reply;
            }
            let mut bytes = [0; 65536];
            let len = self.stream.read(&mut bytes).expect("Redis answers");
            assert!(len > 0, "Redis closed the connection");
            self.buffer.extend_from_slice(&bytes[..len]);
        }
    }
}

struct Script {
    name: String,
    source: Vec<u8>,
    keys: Vec<String>,
    argv: Vec<String>,
}

fn scripts() -> Vec<Script> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lua/scripts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the scripts")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut scripts: Vec<Script> = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for line in text.split_inclusive('\n') {
            if let Some(name) = line.strip_prefix("--- ") {
                scripts.push(Script {
                    name: format!("{stem}/{}", name.trim()),
                    source: Vec::new(),
                    keys: Vec::new(),
                    argv: Vec::new(),
                });
                continue;
            }
            let Some(script) = scripts.last_mut() else { continue };
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            match (line.strip_prefix("-- KEYS "), line.strip_prefix("-- ARGV ")) {
                (Some(keys), _) => script.keys = words(keys),
                (_, Some(argv)) => script.argv = words(argv),
                _ => script.source.extend_from_slice(line.as_bytes()),
            }
        }
    }
    scripts
}

fn eval(script: &Script) -> Vec<Bytes> {
    let mut words: Vec<Bytes> = vec![b"EVAL".as_slice().into(), script.source.as_slice().into()];
    words.push(script.keys.len().to_string().into_bytes().into());
    words.extend(script.keys.iter().chain(&script.argv).map(|word| word.as_bytes().into()));
    words
}

/// Our engine, asked as the page asks it.
struct Ours {
    instance: Instance,
    conn: ConnId,
}

impl Ours {
    fn command(&mut self, words: &[Bytes]) -> Value {
        match self.instance.execute(self.conn, words, NOW_MS) {
            Outcome::Reply(reply) => reply,
            other => panic!("a script is answered at once, not with {other:?}"),
        }
    }
}

#[test]
fn scripts_answer_as_in_redis() {
    let mut redis = Redis::start();
    let mut instance = Instance::new(Config::default());
    let conn = instance.connect();
    let mut ours = Ours { instance, conn };
    let mut complaints = Vec::new();
    let scripts = scripts();
    let flush: [Bytes; 1] = [b"FLUSHALL".as_slice().into()];
    for script in &scripts {
        redis.command(&flush);
        ours.command(&flush);
        // Twice each, for scripts that find what they left.
        for _ in 0..2 {
            let (expected, found) = (redis.command(&eval(script)), ours.command(&eval(script)));
            if expected.to_bytes(Proto::Resp2) != found.to_bytes(Proto::Resp2) {
                let name = &script.name;
                complaints.push(format!("{name}\n  Redis: {expected:?}\n  here:  {found:?}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(scripts.len() > 100, "only {} scripts", scripts.len());
}
