//! The `resp` binary, as client programs and libraries meet it: redis-cli, redis-py, ioredis and
//! redis-rs in their typical uses. `.ci/setup redis clients` gets the first three.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

#[path = "../conformance/cli.rs"]
mod cli;
pub mod exported;
mod hostile;
mod redis_rs;

use cli::redis_cli;

/// Our server on a free port, for one test.
struct Resp {
    child: Child,
    port: u16,
    stdout: BufReader<ChildStdout>,
}

impl Resp {
    fn start() -> Resp {
        let mut child = Command::new(env!("CARGO_BIN_EXE_resp"))
            .args(["--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the resp binary starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("a start-up line");
        let port = line.split("(port ").nth(1).and_then(|rest| rest.split(')').next());
        let port = port.and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line:?}"));
        Resp { child, port, stdout }
    }
}

impl Drop for Resp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// Runs a client's own script against a fresh server.
fn smoke(program: &Path, script: &str) {
    let server = Resp::start();
    let output = Command::new(program)
        .arg(folder().join(script))
        .arg(server.port.to_string())
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
}

/// The interpreter that has redis-py.
fn python() -> PathBuf {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home);
    let python = cache.unwrap_or_default().join("interleave/redis-py/bin/python");
    assert!(python.exists(), "redis-py is not there: .ci/setup clients");
    python
}

#[test]
fn redis_py_works() {
    smoke(&python(), "smoke.py");
}

#[test]
fn ioredis_works() {
    let there = folder().join("node_modules/ioredis").exists();
    assert!(there, "ioredis is not there: .ci/setup clients");
    smoke(Path::new("node"), "smoke.mjs");
}

/// What redis-cli prints, not being on a terminal, unless told otherwise.
fn cli(server: &Resp, options: &[&str], input: &str) -> String {
    let port = server.port.to_string();
    redis_cli(&[&["-p", &port], options].concat(), input).trim_end().to_owned()
}

#[test]
fn redis_cli_works() {
    let server = Resp::start();
    let is = |options: &[&str], input: &str, output: &str| {
        assert_eq!(cli(&server, options, input), output, "{options:?} {input}");
    };
    is(&["SET", "k", "v"], "", "OK");
    is(&["--no-raw", "GET", "k"], "", "\"v\"");
    is(&["--no-raw", "GET", "none"], "", "(nil)");
    is(&["--no-raw", "LPUSH", "k", "v"], "", {
        "(error) WRONGTYPE Operation against a key holding the wrong kind of value"
    });
    is(&["-r", "3", "INCR", "n"], "", "1\n2\n3");
    is(&["-n", "1", "GET", "k"], "", "");
    is(&["-x", "SET", "stdin"], "from a pipe", "OK");
    is(&["STRLEN", "stdin"], "", "11");
    is(&["--no-raw", "-3", "HSET", "h", "f", "1"], "", "(integer) 1");
    is(&["--no-raw", "-3", "HGETALL", "h"], "", "1# \"f\" => \"1\"");
    is(&["EVAL", "return {KEYS[1], ARGV[1]}", "1", "a", "b"], "", "a\nb");
    is(&["--scan", "--pattern", "st*"], "", "stdin");
    is(&[], "MULTI\nSET t 1\nINCR t\nEXEC\n", "OK\nQUEUED\nQUEUED\nOK\n2");
    is(&["--json", "HGETALL", "h"], "", "{\"f\":\"1\"}");
    let fed = "*3\r\n$3\r\nSET\r\n$1\r\np\r\n$1\r\n1\r\n".repeat(1000);
    assert!(cli(&server, &["--pipe"], &fed).contains("errors: 0, replies: 1000"));
    assert!(cli(&server, &["INFO", "server"], "").contains("redis_version:7.0.15"));
}

#[test]
fn the_server_says_its_port_and_ends_on_ctrl_c() {
    let mut server = Resp::start();
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().is_ok_and(|s| s.success()));
    let mut rest = String::new();
    server.stdout.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "resp: bye\n");
    assert!(server.child.wait().expect("it ends").success());
}

/// Sends bytes and returns what comes until the server closes, which it has to.
fn until_closed(server: &Resp, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    stream.write_all(bytes).expect("sent");
    let mut all = Vec::new();
    // One that was sent more than it reads resets the connection.
    let _ = stream.read_to_end(&mut all);
    String::from_utf8_lossy(&all).into_owned()
}

/// A web page can send a form to a port of its reader's machine.
#[test]
fn what_a_browser_sends_is_no_command() {
    let server = Resp::start();
    let form = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nSET k 1\r\n";
    assert_eq!(until_closed(&server, form.as_bytes()), "");
    let other = "PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nSET k 1\r\n";
    let said = until_closed(&server, other.as_bytes());
    assert!(said.starts_with("-ERR unknown command 'PUT'") && !said.contains("OK"), "{said}");
    assert_eq!(cli(&server, &["EXISTS", "k"], ""), "0");
}

#[test]
fn settings_of_connections_and_clocks_hold_or_are_refused() {
    let server = Resp::start();
    let set = |name: &str, value: &str| cli(&server, &["CONFIG", "SET", name, value], "");
    assert!(set("requirepass", "secret").contains("this server knows no passwords"));
    assert_eq!(set("requirepass", ""), "OK");

    assert_eq!(set("maxclients", "1"), "OK");
    let mut first = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    first.write_all(b"PING\r\n").expect("sent");
    let mut reply = [0; 7];
    first.read_exact(&mut reply).expect("a reply");
    assert_eq!(&reply, b"+PONG\r\n");
    assert_eq!(until_closed(&server, b""), "-ERR max number of clients reached\r\n");

    // Who is silent is closed, who has subscribed is not.
    first.write_all(b"CONFIG SET maxclients 9 timeout 1\r\nSUBSCRIBE c\r\n").expect("sent");
    assert_eq!(until_closed(&server, b"PING\r\n"), "+PONG\r\n");
    assert_eq!(cli(&server, &["PUBLISH", "c", "m"], ""), "1");
}

/// A client that does not read is closed once more waits for it than its class may have.
#[test]
fn limits_of_output_hold() {
    let server = Resp::start();
    let name = "client-output-buffer-limit";
    let set = |value: &str| cli(&server, &["CONFIG", "SET", name, value], "");
    let get = || cli(&server, &["CONFIG", "GET", name], "");
    assert!(get().contains("normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"));
    assert!(set("normal 1mb").contains("Wrong number of arguments in buffer limit"));
    assert!(set("master 1mb 0 0").contains("Invalid client class specified in buffer limit"));
    assert!(set("normal x 0 0").contains("Error in hard, soft or soft_seconds setting"));
    assert_eq!(set("normal 1mb 0 0 replica 1 2 3"), "OK");
    assert!(get().contains("normal 1048576 0 0 slave 1 2 3 pubsub 33554432 8388608 60"));

    let ask = |line: &str| {
        let mut client = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
        client.write_all(line.as_bytes()).expect("sent");
        client
    };
    // Replies: as many as the limit, and one more than fits the socket's buffers.
    cli(&server, &["SETRANGE", "k", "499999", "x"], "");
    let read = |mut client: TcpStream| {
        client.set_read_timeout(Some(std::time::Duration::from_secs(2))).expect("a timeout");
        let mut all = Vec::new();
        let end = client.read_to_end(&mut all).map_err(|error| error.kind());
        let open = matches!(end, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut));
        (all.len(), open)
    };
    assert_eq!(read(ask(&"GET k\r\n".repeat(2))), (2 * (500_000 + 11), true));
    let (n, open) = read(ask(&"GET k\r\n".repeat(60)));
    assert!(n < 2_000_000 && !open, "{n} {open}");
    // Messages, with another limit; a soft one first.
    assert_eq!(set("normal 0 0 0 pubsub 40mb 1mb 6"), "OK");
    assert_eq!(read(ask(&"GET k\r\n".repeat(60))), (60 * (500_000 + 11), true));
    let publish = |times: usize| {
        let message = format!("PUBLISH c {}\r\n", "m".repeat(500_000));
        cli(&server, &[], &message.repeat(times))
    };
    let slow = ask("SUBSCRIBE c\r\n");
    while cli(&server, &["PUBSUB", "NUMSUB", "c"], "") != "c\n1" {}
    publish(30);
    assert_eq!(cli(&server, &["PUBSUB", "NUMSUB", "c"], ""), "c\n1");
    while cli(&server, &["PUBSUB", "NUMSUB", "c"], "") != "c\n0" {}
    drop(slow);
    let _slow = ask("SUBSCRIBE c\r\n");
    while cli(&server, &["PUBSUB", "NUMSUB", "c"], "") != "c\n1" {}
    publish(200);
    assert_eq!(cli(&server, &["PUBSUB", "NUMSUB", "c"], ""), "c\n0");
}

/// Redis lets a script run alone for `lua-time-limit` ms before others hear of it.
#[test]
fn a_script_runs_alone_until_its_time_limit() {
    let server = Resp::start();
    let script = "for i = 1, 20000000 do end return 'ran'";
    let mut runs = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    runs.write_all(format!("EVAL \"{script}\" 0\r\n").as_bytes()).expect("sent");
    assert_eq!(cli(&server, &["PING"], ""), "PONG");
    let mut reply = [0; 9];
    runs.read_exact(&mut reply).expect("a reply");
    assert_eq!(&reply, b"$3\r\nran\r\n");

    assert_eq!(cli(&server, &["CONFIG", "SET", "lua-time-limit", "1"], ""), "OK");
    runs.write_all(b"EVAL \"while true do end\" 0\r\n").expect("sent");
    // Until the script is busy, other commands are answered.
    while !cli(&server, &["PING"], "").starts_with("BUSY") {}
    assert!(cli(&server, &["SHUTDOWN"], "").starts_with("BUSY"));
    assert_eq!(cli(&server, &["SHUTDOWN", "NOSAVE"], ""), "");
}

/// What a blocked client sends is carried out when it goes on; until then little of it is kept.
#[test]
fn the_input_of_a_blocked_client_is_bounded() {
    let server = Resp::start();
    let memory_mb = || {
        let path = format!("/proc/{}/status", server.child.id());
        let status = std::fs::read_to_string(path).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
    };
    let mut blocked = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    blocked.write_all(b"BLPOP gate 0\r\n").expect("sent");
    let mut writes = blocked.try_clone().expect("the same connection");
    let (times, sets) = (6000, format!("SET k {}\r\n", "x".repeat(10_000)));
    let writer = std::thread::spawn(move || {
        for _ in 0..times {
            writes.write_all(sets.as_bytes()).expect("sent");
        }
    });
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(memory_mb() < 40, "{} MB of 60 MB", memory_mb());
    assert_eq!(cli(&server, &["RPUSH", "gate", "x"], ""), "1");
    let mut head = [0; 23];
    blocked.read_exact(&mut head).expect("its reply");
    assert_eq!(&head, b"*2\r\n$4\r\ngate\r\n$1\r\nx\r\n+O");
    // All of it was carried out.
    let mut left = times * 5 - 2;
    let mut piece = vec![0; 65536];
    while left > 0 {
        left -= blocked.read(&mut piece).expect("replies");
    }
    writer.join().expect("all was sent");

    // One that leaves meanwhile is gone.
    let mut leaves = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    leaves.write_all(b"BLPOP gate 0\r\n").expect("sent");
    leaves.write_all(&b"PING\r\n".repeat(300_000)).expect("sent");
    let clients = || cli(&server, &["INFO", "clients"], "");
    let has = |n: usize| clients().contains(&format!("connected_clients:{n}\r"));
    assert!(has(3) || clients().contains("connected_clients:3"), "{}", clients());
    drop((leaves, blocked));
    for _ in 0..100 {
        if clients().contains("connected_clients:1") {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{}", clients());
}

/// As many as in Redis can wait while the server is busy.
#[test]
fn five_hundred_connections_wait_to_be_accepted() {
    let server = Resp::start();
    let pid = server.child.id().to_string();
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &pid]).status().is_ok_and(|s| s.success()));
    };
    signal("-STOP");
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], server.port));
    let wait = std::time::Duration::from_millis(900);
    let all: Vec<_> = (0..500).map(|_| TcpStream::connect_timeout(&address, wait)).collect();
    signal("-CONT");
    let failed = all.iter().filter(|stream| stream.is_err()).count();
    assert_eq!(failed, 0, "of 500");
}

#[test]
fn shutdown_ends_the_server() {
    let mut server = Resp::start();
    cli(&server, &["SHUTDOWN"], "");
    assert!(server.child.wait().expect("it ends").success());
}
