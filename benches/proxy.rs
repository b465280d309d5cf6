//! What the proxy costs: round trips through it beside a direct connection to the same
//! redis-server, turn by turn in one run, so that whatever else the machine does meets both alike.
//!
//! `cargo bench --bench proxy`. One client sends a command and waits for its reply; a hundred send
//! one each and then wait for all.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TURNS: usize = 7;
/// (clients, rounds of a turn)
const LOADS: &[(usize, usize)] = &[(1, 5000), (100, 100)];
/// At the median, with one client.
const ADDED_GOAL_US: f64 = 100.0;

const COMMANDS: &[(&str, &[u8], &[u8])] = &[
    ("GET", b"*2\r\n$3\r\nGET\r\n$5\r\nstock\r\n", b"$-1\r\n"),
    ("PING", b"*1\r\n$4\r\nPING\r\n", b"+PONG\r\n"),
];

/// A process that ends with this one.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

type Result<T> = std::result::Result<T, String>;

fn words(what: &str) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{what}: {error}")
}

fn redis() -> Result<(Process, u16)> {
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    let port = free.map_err(words("no port"))?.port();
    let child = Command::new("redis-server")
        .args(["--port", &port.to_string(), "--save", "", "--appendonly", "no"])
        .stdout(Stdio::null())
        .spawn()
        .map_err(words("redis-server (.ci/setup redis)"))?;
    let process = Process(child);
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if began.elapsed() > Duration::from_secs(10) {
            return Err("redis-server does not listen".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok((process, port))
}

fn proxy(redis: u16) -> Result<(Process, u16)> {
    let dir = std::env::temp_dir().join(format!("proxy-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(words("a folder"))?;
    std::fs::write(dir.join("index.html"), "").map_err(words("a page"))?;
    let mut child = Command::new(env!("CARGO_BIN_EXE_proxy"))
        .args(["--listen", "127.0.0.1:0", "--rate", "0", "--connections", "200", "--quiet"])
        .args(["--any-memory", "--redis", &format!("redis://127.0.0.1:{redis}"), "--dir"])
        .arg(&dir)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(words("proxy"))?;
    let out = child.stdout.take();
    let process = Process(child);
    let mut line = String::new();
    if let Some(out) = out {
        BufReader::new(out).read_line(&mut line).map_err(words("proxy"))?;
    }
    let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next());
    let port = port.and_then(|port| port.parse().ok()).ok_or("the proxy does not listen")?;
    let _ = std::fs::remove_dir_all(&dir);
    Ok((process, port))
}

/// One connection: what is sent for a command and how many bytes answer it.
struct Client {
    stream: TcpStream,
    framed: bool,
}

impl Client {
    fn direct(port: u16) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).map_err(words("redis-server"))?;
        stream.set_nodelay(true).map_err(words("redis-server"))?;
        Ok(Self { stream, framed: false })
    }

    fn through(port: u16) -> Result<Self> {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).map_err(words("proxy"))?;
        stream.set_nodelay(true).map_err(words("proxy"))?;
        let head = format!(
            "GET /ws?visitor=bench-0123456789 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).map_err(words("proxy"))?;
        // The answer, and the event that says ready.
        let mut seen = Vec::new();
        let mut byte = [0];
        while !seen.ends_with(b"}") {
            stream.read_exact(&mut byte).map_err(words("proxy"))?;
            seen.push(byte[0]);
        }
        let seen = String::from_utf8_lossy(&seen);
        match seen.contains("\"event\":\"ready\"") {
            true => Ok(Self { stream, framed: true }),
            false => Err(format!("the proxy said {seen}")),
        }
    }

    fn send(&mut self, command: &[u8]) -> Result<()> {
        let mut out = Vec::with_capacity(command.len() + 6);
        if self.framed {
            // A masked binary frame; a mask of zeros leaves the bytes as they are.
            out.extend([0x82, 0x80 | command.len() as u8, 0, 0, 0, 0]);
        }
        out.extend_from_slice(command);
        self.stream.write_all(&out).map_err(words("sending"))
    }

    fn receive(&mut self, reply: &[u8]) -> Result<()> {
        let mut bytes = [0; 64];
        let head = if self.framed { 2 } else { 0 };
        let bytes = &mut bytes[..head + reply.len()];
        self.stream.read_exact(bytes).map_err(words("receiving"))?;
        match &bytes[head..] == reply {
            true => Ok(()),
            false => Err(format!("an unexpected reply: {:?}", String::from_utf8_lossy(bytes))),
        }
    }
}

/// Round trips per second, and the median time of one round in µs.
fn turn(clients: &mut [Client], rounds: usize, command: &[u8], reply: &[u8]) -> Result<[f64; 2]> {
    let mut times = Vec::with_capacity(rounds);
    let began = Instant::now();
    for _ in 0..rounds {
        let round = Instant::now();
        for client in clients.iter_mut() {
            client.send(command)?;
        }
        for client in clients.iter_mut() {
            client.receive(reply)?;
        }
        times.push(round.elapsed().as_secs_f64() * 1e6);
    }
    let rate = (rounds * clients.len()) as f64 / began.elapsed().as_secs_f64();
    Ok([rate, median(times)])
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

fn run() -> Result<()> {
    let (_redis, redis) = redis()?;
    let (_proxy, proxy) = proxy(redis)?;
    println!("round trips per second, medians of {TURNS} turns; times of one round in µs");
    println!("command clients      proxy     direct    ratio  proxy µs direct µs  added µs");
    for &(clients, rounds) in LOADS {
        let direct: Result<Vec<Client>> = (0..clients).map(|_| Client::direct(redis)).collect();
        let through: Result<Vec<Client>> = (0..clients).map(|_| Client::through(proxy)).collect();
        let (mut direct, mut through) = (direct?, through?);
        for &(name, command, reply) in COMMANDS {
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            for _ in 0..TURNS {
                ours.push(turn(&mut through, rounds, command, reply)?);
                theirs.push(turn(&mut direct, rounds, command, reply)?);
            }
            let of = |turns: &[[f64; 2]], what: usize| {
                median(turns.iter().map(|turn| turn[what]).collect())
            };
            // Turns stand side by side: their ratios are compared, not different moments.
            let pairs = || ours.iter().zip(&theirs);
            let ratio = median(pairs().map(|(a, b)| a[0] / b[0]).collect());
            let added = median(pairs().map(|(a, b)| a[1] - b[1]).collect());
            let verdict = match clients {
                1 if added <= ADDED_GOAL_US => "  goal met",
                1 => "  ABOVE the goal of 100",
                _ => "",
            };
            println!(
                "{name:<7} {clients:>7} {:>10.0} {:>10.0} {ratio:>8.2} {:>9.1} {:>9.1} \
                 {added:>9.1}{verdict}",
                of(&ours, 0),
                of(&theirs, 0),
                of(&ours, 1),
                of(&theirs, 1),
            );
        }
    }
    Ok(())
}

fn main() {
    if let Err(text) = run() {
        eprintln!("proxy: {text}");
        std::process::exit(1);
    }
}
