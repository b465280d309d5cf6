//! Scripts against their reference: each program of `tests/lua/scripts` is run by a real Redis
//! through EVAL, and here with its calls sent to the same Redis; the replies must be equal, byte
//! for byte.
//!
//! A program may start with a line `-- KEYS …` or `-- ARGV …`, and run several times.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;

use interleave::lua::convert::{failure_reply, from_reply, from_reply3, to_argv, to_reply};
use interleave::lua::{Chunk, Data, Limits, Pause, Profile, ProfileKind, Vm, compile, sha1};
use interleave::resp::{Bytes, Proto, Value, decode_reply};

static PROFILE: Profile =
    Profile { host: &["redis.call", "redis.pcall", "redis.setresp"], kind: ProfileKind::Script };

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

    fn words(&mut self, words: &[&str]) -> Value {
        let words: Vec<Bytes> = words.iter().map(|word| word.as_bytes().into()).collect();
        self.command(&words)
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

fn by_redis(redis: &mut Redis, script: &Script) -> Value {
    let mut words: Vec<Bytes> = vec![b"EVAL".as_slice().into(), script.source.as_slice().into()];
    words.push(script.keys.len().to_string().into_bytes().into());
    words.extend(script.keys.iter().chain(&script.argv).map(|word| word.as_bytes().into()));
    redis.command(&words)
}

fn by_us(redis: &mut Redis, script: &Script, chunk: &Rc<Chunk>, random: &mut u64) -> Value {
    let mut vm = Vm::new(chunk, &PROFILE, Limits::default());
    vm.set_random(*random);
    vm.set_global("KEYS", &Data::list(script.keys.iter().map(Data::str)));
    vm.set_global("ARGV", &Data::list(script.argv.iter().map(Data::str)));
    let mut fuel = 100_000_000;
    let mut resp3 = false;
    loop {
        let pause = vm.run(&mut fuel, None);
        *random = vm.random();
        match pause {
            Pause::Call { host: 2, args } => {
                resp3 = args.first() == Some(&Data::Num(3.0));
                redis.words(&["HELLO", if resp3 { "3" } else { "2" }]);
                vm.answer(Ok(Vec::new()));
            }
            Pause::Call { host, args } => vm.answer(call(redis, host == 0, &args, resp3)),
            Pause::Done(values) => {
                redis.words(&["HELLO", "2"]);
                return to_reply(values.first().unwrap_or(&Data::Nil), false);
            }
            Pause::Failed(failure) => {
                redis.words(&["HELLO", "2"]);
                return failure_reply(&failure, &sha1::hex(&script.source));
            }
            Pause::OutOfFuel => panic!("{} does not end", script.name),
        }
    }
}

fn call(redis: &mut Redis, raises: bool, args: &[Data], resp3: bool) -> Result<Vec<Data>, Data> {
    let reply = match to_argv(args) {
        Ok(words) => redis.command(&words),
        Err(error) if raises => return Err(error),
        Err(error) => return Ok(vec![error]),
    };
    let data = if resp3 { from_reply3(&reply) } else { from_reply(&reply) };
    if raises && reply.is_error() { Err(data) } else { Ok(vec![data]) }
}

#[test]
fn scripts_answer_as_in_redis() {
    let mut redis = Redis::start();
    let mut complaints = Vec::new();
    let scripts = scripts();
    // Redis has one generator for all scripts; it starts from this.
    let mut random = 0x1234_abcd_330e;
    for script in &scripts {
        // Twice each, for scripts that find what they left.
        let mut expected = Vec::new();
        redis.words(&["FLUSHALL"]);
        for _ in 0..2 {
            expected.push(by_redis(&mut redis, script));
        }
        redis.words(&["FLUSHALL"]);
        let mut found = Vec::new();
        for _ in 0..2 {
            found.push(match compile(&script.source, "user_script") {
                Ok(chunk) => by_us(&mut redis, script, &chunk, &mut random),
                Err(error) => {
                    Value::error(format!("ERR Error compiling script (new function): {error}"))
                }
            });
        }
        let bytes = |replies: &[Value]| -> Vec<_> {
            replies.iter().map(|reply| reply.to_bytes(Proto::Resp2)).collect()
        };
        if bytes(&expected) != bytes(&found) {
            complaints.push(format!("{}\n  Redis: {expected:?}\n  here:  {found:?}", script.name));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(scripts.len() > 100, "only {} scripts", scripts.len());
}
