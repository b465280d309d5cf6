//! The `resp` binary beside a real redis-server: redis-benchmark against both, turn by turn in one
//! run, so that whatever else the machine does meets both alike. Medians, and their ratio; beside
//! it the ratio of the processor time that the two servers took for it, which a busy machine
//! disturbs far less (Linux).
//!
//! `cargo bench --bench server`, or with words (`-- set evalsha`) for some tests only.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// As `redis-benchmark -t` names them, and the titles it gives them.
const TESTS: &[(&str, &str)] = &[
    ("set", "SET"),
    ("get", "GET"),
    ("incr", "INCR"),
    ("lpush", "LPUSH"),
    ("rpop", "RPOP"),
    ("sadd", "SADD"),
    ("hset", "HSET"),
    ("zadd", "ZADD"),
    ("mset", "MSET"),
];
/// Pipelined commands, requests per turn, the least ratio wanted.
const DEPTHS: &[(u32, u32, f64)] = &[(1, 20_000, 0.95), (16, 200_000, 0.9)];
const SCRIPT_GOAL: f64 = 0.5;
const TURNS: usize = 5;

/// The release of a lock, as every client of Redis does it.
const RELEASE: &str = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) \
                       else return 0 end";

struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(program: &str, options: &[&str]) -> Result<Server, String> {
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    let port = free.map_err(|error| error.to_string())?.port();
    let child = Command::new(program)
        .args(["--port", &port.to_string()])
        .args(options)
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let server = Server { child, port };
    let began = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        if began.elapsed() > Duration::from_secs(5) {
            return Err(format!("{program} does not listen"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(server)
}

/// What the command-line `tool` of Redis says to these words.
fn ask(tool: &str, port: u16, words: &[&str]) -> Result<String, String> {
    let output = Command::new(tool).args(["-p", &port.to_string()]).args(words).output();
    let output = output.map_err(|error| format!("{tool}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

impl Server {
    /// Nanoseconds that the server has run so far; 0 where the system does not say.
    fn busy_ns(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/schedstat", self.child.id()));
        let first = stat.ok().and_then(|text| text.split(' ').next()?.parse().ok());
        first.unwrap_or_default()
    }
}

/// Requests per second of one turn, and per second of the server's own time; `words` choose the
/// test.
fn turn(
    server: &Server,
    (depth, requests): (u32, u32),
    words: &[&str],
) -> Result<[f64; 2], String> {
    let before = server.busy_ns();
    let rate = rate(server.port, depth, requests, words)?;
    Ok([rate, f64::from(requests) * 1e9 / (server.busy_ns() - before)])
}

fn rate(port: u16, depth: u32, requests: u32, words: &[&str]) -> Result<f64, String> {
    let (depth, requests) = (depth.to_string(), requests.to_string());
    let mut all = vec!["--csv", "-P", &depth, "-n", &requests];
    all.extend(words);
    let csv = ask("redis-benchmark", port, &all)?;
    // A line of titles, then `"SET","81300.81",…`.
    let line = csv.lines().nth(1).unwrap_or_default();
    let number = line.split("\",\"").nth(1);
    number.and_then(|text| text.parse().ok()).ok_or_else(|| format!("redis-benchmark said {csv}"))
}

fn median(rates: impl Iterator<Item = f64>) -> f64 {
    let mut rates: Vec<f64> = rates.collect();
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

struct Row {
    name: String,
    ratio: f64,
    by_time: f64,
    goal: f64,
}

fn compare(
    (ours, theirs): (&Server, &Server),
    name: &str,
    (depth, requests, goal): (u32, u32, f64),
    words: &[&str],
) -> Result<Row, String> {
    let (mut mine, mut real) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        mine.push(turn(ours, (depth, requests), words)?);
        real.push(turn(theirs, (depth, requests), words)?);
    }
    let of = |turns: &[[f64; 2]], what: usize| median(turns.iter().map(|turn| turn[what]));
    // Turns stand side by side, so their ratios are compared, not the rates of different moments.
    let ratio_of = |what: usize| median(mine.iter().zip(&real).map(|(a, b)| a[what] / b[what]));
    let (ratio, by_time) = (ratio_of(0), ratio_of(1));
    let (mine, real) = (of(&mine, 0), of(&real, 0));
    let verdict = match (ratio >= goal, by_time >= goal) {
        (true, _) => "",
        (false, true) => "  below, but not by time",
        (false, false) => "  BELOW",
    };
    println!(
        "{name:<8} {depth:>6} {mine:>12.0} {real:>12.0} {ratio:>8.2} {by_time:>8.2} {goal:>6.2}\
         {verdict}"
    );
    Ok(Row { name: format!("{name} -P {depth}"), ratio, by_time, goal })
}

fn run() -> Result<(), String> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    let ours = start(env!("CARGO_BIN_EXE_resp"), &[])?;
    let theirs = start("redis-server", &["--save", "", "--appendonly", "no"])?;
    println!("requests per second, medians of {TURNS} turns");
    println!("test         -P         resp redis-server    ratio  by time   goal");
    let mut rows = Vec::new();
    for &depth in DEPTHS {
        for (test, title) in TESTS.iter().filter(|(test, _)| chosen(test)) {
            rows.push(compare((&ours, &theirs), title, depth, &["-t", test])?);
        }
    }
    if chosen("evalsha") {
        let sha = ask("redis-cli", ours.port, &["SCRIPT", "LOAD", RELEASE])?;
        ask("redis-cli", theirs.port, &["SCRIPT", "LOAD", RELEASE])?;
        let words = ["EVALSHA", sha.trim(), "1", "lock", "token"];
        for &(depth, requests, _) in DEPTHS {
            let how = (depth, requests / 2, SCRIPT_GOAL);
            rows.push(compare((&ours, &theirs), "EVALSHA", how, &words)?);
        }
    }
    let below: Vec<&str> = rows
        .iter()
        .filter(|row| row.ratio.max(row.by_time) < row.goal)
        .map(|row| &*row.name)
        .collect();
    match below.is_empty() {
        true => println!("every goal is met"),
        false => println!("below their goal: {}", below.join(", ")),
    }
    Ok(())
}

fn main() {
    if let Err(text) = run() {
        eprintln!("server: {text} (redis-server and redis-benchmark are needed: .ci/setup redis)");
        std::process::exit(1);
    }
}
