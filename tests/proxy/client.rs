//! A proxy as a process, a real Redis beside it, and a WebSocket client that can also misbehave.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use interleave::resp::{Value, decode_reply};
use serde_json::Value as Json;

/// Whatever is waited for comes within this time, however busy the machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The redis-server of these tests; another with `REDIS_SERVER=/path`.
pub fn redis_program() -> String {
    std::env::var("REDIS_SERVER").unwrap_or_else(|_| "redis-server".into())
}

/// The proxy as cargo has built it: it stands one folder above the programs of tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().unwrap().with_file_name("proxy");
    assert!(program.is_file(), "{}: cargo build --bin proxy", program.display());
    program
}

/// Waits for `what` to become true.
pub fn wait_for(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < PATIENCE, "this did not happen: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn is_alive(pid: u32) -> bool {
    // A zombie is dead, and waits for its parent only.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}

pub fn signal(name: &str, pid: u32) {
    let status = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "kill {name} {pid}");
}

/// Where a proxy's log goes, in the folder of its page.
const LOG: &str = "log";

fn folder(name: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("proxy-test-{}-{n}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

// ---- A proxy ------------------------------------------------------------------------------------

pub struct Proxy {
    child: Child,
    pub port: u16,
    pub printed: Vec<String>,
    pub dir: PathBuf,
    /// The head of the last answer to a handshake.
    pub heads: std::sync::Mutex<String>,
}

impl Proxy {
    /// The words with which it does not start.
    pub fn fails(options: &[&str]) -> String {
        let dir = folder("page");
        std::fs::write(dir.join("index.html"), "<!doctype html>").unwrap();
        let mut command = Command::new(program());
        command.args(["--listen", "127.0.0.1:0", "--dir"]).arg(&dir).args(options);
        let output = command.output().unwrap();
        let _ = std::fs::remove_dir_all(&dir);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    pub fn start(options: &[&str]) -> Proxy {
        Self::start_at("127.0.0.1:0", options)
    }

    pub fn start_at(listen: &str, options: &[&str]) -> Proxy {
        Self::begin(listen, |_| {}, options)
    }

    /// With more in the folder of its page.
    pub fn start_with(page: impl FnOnce(&Path), options: &[&str]) -> Proxy {
        Self::begin("127.0.0.1:0", page, options)
    }

    fn begin(listen: &str, page: impl FnOnce(&Path), options: &[&str]) -> Proxy {
        let dir = folder("page");
        page(&dir);
        std::fs::write(dir.join("index.html"), "<!doctype html>").unwrap();
        // As many files as the system allows: 500 WebSockets take 1000.
        let shell = "ulimit -n $(ulimit -H -n); exec \"$0\" \"$@\"";
        let mut child = Command::new("sh")
            .args(["-c", shell])
            .arg(program())
            .args(["--listen", listen, "--dir"])
            .arg(&dir)
            .args(["--server", &redis_program()])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(match std::env::var_os("PROXY_LOG") {
                Some(_) => Stdio::inherit(),
                None => std::fs::File::create(dir.join(LOG)).unwrap().into(),
            })
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().expect("the proxy ended before it listened").unwrap();
        let address = first.split("http://").nth(1).unwrap().split('/').next().unwrap();
        let port = address.rsplit(':').next().unwrap().parse().unwrap();
        let mut printed = vec![first];
        // Beyond this machine two more lines follow, and where a host is allowed, one.
        let more = match listen.starts_with("0.0.0.0") {
            true => 2,
            false => usize::from(options.contains(&"--allow-host")),
        };
        printed.extend(lines.by_ref().take(more).map(Result::unwrap));
        Proxy { child, port, printed, dir, heads: Default::default() }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.dir.join(LOG)).unwrap()
    }

    /// A WebSocket that is ready.
    pub fn socket(&self, visitor: &str, node: usize) -> Socket {
        let mut socket = self.open(&format!("visitor={visitor}&node={node}"));
        let ready = socket.event();
        assert_eq!(ready["event"], "ready", "{ready}");
        socket
    }

    /// A WebSocket with these words in its address.
    pub fn open(&self, query: &str) -> Socket {
        let host = format!("127.0.0.1:{}", self.port);
        match self.shake(query, &host, Some(&format!("http://{host}"))) {
            Ok(socket) => socket,
            Err(answer) => panic!("no WebSocket: {answer}"),
        }
    }

    /// A handshake; an error is the whole answer to it.
    pub fn shake(&self, query: &str, host: &str, origin: Option<&str>) -> Result<Socket, String> {
        let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
        self.shake_with(query, host, &origin)
    }

    /// A handshake with these lines in its head.
    pub fn shake_with(&self, query: &str, host: &str, origin: &str) -> Result<Socket, String> {
        let mut stream = self.connect();
        let head = format!(
            "GET /ws?{query} HTTP/1.1\r\nHost: {host}\r\n{origin}Upgrade: websocket\r\n\
             Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") {
            match stream.read(&mut byte) {
                Ok(1) => answer.push(byte[0]),
                other => panic!("{other:?} after {:?}", String::from_utf8_lossy(&answer)),
            }
        }
        let text = String::from_utf8_lossy(&answer).into_owned();
        *self.heads.lock().unwrap() = text.clone();
        if !text.starts_with("HTTP/1.1 101 ") {
            let lower = text.to_ascii_lowercase();
            let length = lower.split("content-length: ").nth(1).unwrap_or("0");
            let length = length.split("\r\n").next().unwrap().parse().unwrap();
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            return Err(text + &String::from_utf8_lossy(&body));
        }
        Ok(Socket { stream, bytes: Vec::new(), inbox: VecDeque::new(), replies: Vec::new() })
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// The whole answer to `GET path`.
    pub fn get(&self, path: &str) -> String {
        let mut stream = self.connect();
        let host = format!("127.0.0.1:{}", self.port);
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        // One that is cut off has no answer.
        let _ = stream.write_all(head.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    pub fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics");
        let start = format!("interleave_proxy_{name} ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("{name} in {text}")).trim().parse().unwrap()
    }

    /// Megabytes of memory in use.
    pub fn memory_mb(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }

    /// Asks it to end and waits until it has.
    pub fn end(&mut self) {
        signal("-TERM", self.pid());
        let child = &mut self.child;
        let mut status = None;
        wait_for("the proxy ends when asked to", || {
            status = child.try_wait().unwrap();
            status.is_some()
        });
        assert!(status.unwrap().success());
    }

    /// Ends it as nothing can be prepared for.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

// ---- A WebSocket --------------------------------------------------------------------------------

#[derive(Debug, Clone, PartialEq)]
pub enum Frame {
    Binary(Vec<u8>),
    Text(String),
    Close(u16, String),
    /// The connection was cut without a word.
    Cut,
}

pub struct Socket {
    pub stream: TcpStream,
    bytes: Vec<u8>,
    inbox: VecDeque<Frame>,
    replies: Vec<u8>,
}

/// Words, those with blanks in double quotes.
pub fn words(line: &str) -> Vec<String> {
    let quoted = |(at, part): (usize, &str)| match at % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    };
    line.split('"').enumerate().flat_map(quoted).collect()
}

/// A command on the wire.
pub fn wire(line: &str) -> Vec<u8> {
    let words = words(line).iter().map(Value::bulk).collect();
    Value::Array(words).to_bytes(Default::default())
}

impl Socket {
    /// Sends one frame, as a browser would.
    pub fn frame(&mut self, opcode: u8, payload: &[u8]) {
        let mut out = vec![0x80 | opcode];
        match payload.len() {
            n @ 0..126 => out.push(0x80 | n as u8),
            n @ 126..65536 => {
                out.push(0x80 | 126);
                out.extend((n as u16).to_be_bytes());
            }
            n => {
                out.push(0x80 | 127);
                out.extend((n as u64).to_be_bytes());
            }
        }
        let mask = [7, 1, 9, 4];
        out.extend(mask);
        out.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        // Who has been cut off sees it when reading.
        let _ = self.stream.write_all(&out);
    }

    pub fn send(&mut self, line: &str) {
        self.frame(2, &wire(line));
    }

    /// One command and its reply, as redis-cli prints it.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.reply()
    }

    /// An order and the event that answers it.
    pub fn order(&mut self, text: &str) -> Json {
        self.frame(1, text.as_bytes());
        self.event()
    }

    /// The next frame, pings answered; `None` if none comes in this time.
    pub fn next_within(&mut self, time: Duration) -> Option<Frame> {
        if let Some(frame) = self.inbox.pop_front() {
            return Some(frame);
        }
        let until = Instant::now() + time;
        loop {
            if let Some((opcode, payload)) = self.take_frame() {
                return Some(match opcode {
                    1 => Frame::Text(String::from_utf8(payload).unwrap()),
                    2 => Frame::Binary(payload),
                    8 => {
                        let code = payload.get(..2).map_or(0, |c| u16::from_be_bytes([c[0], c[1]]));
                        let why = payload.get(2..).unwrap_or_default();
                        Frame::Close(code, String::from_utf8_lossy(why).into_owned())
                    }
                    9 => {
                        self.frame(10, &payload);
                        continue;
                    }
                    _ => continue,
                });
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            self.stream.set_read_timeout(Some(left)).unwrap();
            let mut piece = [0; 65536];
            match self.stream.read(&mut piece) {
                Ok(0) => return Some(Frame::Cut),
                Ok(n) => self.bytes.extend(&piece[..n]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return Some(Frame::Cut),
            }
        }
    }

    fn take_frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let [first, second, rest @ ..] = &self.bytes[..] else { return None };
        let (skip, len) = match second & 127 {
            126 => (2, u64::from(u16::from_be_bytes(rest.get(..2)?.try_into().unwrap()))),
            127 => (8, u64::from_be_bytes(rest.get(..8)?.try_into().unwrap())),
            n => (0, u64::from(n)),
        };
        let end = 2 + skip + len as usize;
        let opcode = first & 15;
        let payload = self.bytes.get(2 + skip..end)?.to_vec();
        self.bytes.drain(..end);
        Some((opcode, payload))
    }

    pub fn next(&mut self) -> Frame {
        self.next_within(PATIENCE).expect("nothing came")
    }

    /// The next reply, while text messages wait.
    pub fn reply(&mut self) -> String {
        self.value().to_cli()
    }

    pub fn value(&mut self) -> Value {
        let mut aside = Vec::new();
        loop {
            if let Some((value, len)) = decode_reply(&self.replies).unwrap() {
                self.replies.drain(..len);
                for frame in aside.into_iter().rev() {
                    self.inbox.push_front(frame);
                }
                return value;
            }
            match self.next() {
                Frame::Binary(bytes) => self.replies.extend(bytes),
                text @ Frame::Text(_) => aside.push(text),
                other => panic!("instead of a reply: {other:?} {aside:?}"),
            }
        }
    }

    /// The next text message, while replies wait.
    pub fn event(&mut self) -> Json {
        loop {
            match self.next() {
                Frame::Text(text) => return serde_json::from_str(&text).unwrap(),
                Frame::Binary(bytes) => self.replies.extend(bytes),
                other => panic!("instead of an event: {other:?}"),
            }
        }
    }

    /// Reads until the proxy closes; the code and the reason.
    pub fn closed(&mut self) -> (u16, String) {
        loop {
            match self.next() {
                Frame::Close(code, why) => return (code, why),
                Frame::Cut => return (0, "cut".into()),
                Frame::Binary(bytes) => self.replies.extend(bytes),
                Frame::Text(_) => {}
            }
        }
    }
}

// ---- A Redis that others use --------------------------------------------------------------------

pub struct Redis {
    child: Child,
    pub port: u16,
    dir: PathBuf,
}

impl Redis {
    pub fn start(options: &[&str]) -> Redis {
        let free = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let dir = folder("redis");
        let redis = Redis { child: run(port, &dir, options), port, dir };
        redis.listens();
        redis
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    fn listens(&self) {
        wait_for("redis-server listens", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The same address, nothing in it.
    pub fn start_again(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.child = run(self.port, &self.dir, &[]);
        self.listens();
    }

    /// One command on a connection of its own.
    pub fn ask(&self, line: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(&wire(line)).unwrap();
        let (mut bytes, mut piece) = (Vec::new(), [0; 65536]);
        loop {
            let n = stream.read(&mut piece).unwrap();
            assert!(n > 0, "closed after {line}");
            bytes.extend(&piece[..n]);
            if let Some((value, _)) = decode_reply(&bytes).unwrap() {
                return value.to_cli();
            }
        }
    }
}

fn run(port: u16, dir: &Path, options: &[&str]) -> Child {
    Command::new(redis_program())
        .args(["--port", &port.to_string(), "--save", "", "--appendonly", "no"])
        .args(["--maxmemory", "512mb", "--dir"])
        .arg(dir)
        .args(options)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
