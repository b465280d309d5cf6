//! The engine behind a TCP port, for redis-cli, client libraries, redis-benchmark and conformance
//! tests (native). One thread, one event loop, as in Redis: read what has come, run it, write what
//! is due.

pub mod options;

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine::{ConnId, Instance, Outcome};
use ground::resp::{Bytes, Decoder, Value};
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};
use socket2::{Domain, Socket, Type};

use options::Options;

const LISTENER: Token = Token(usize::MAX - 1);
const STOP: Token = Token(usize::MAX);
/// Ms between two rounds of active expiry, of keys that no client asks for.
const CRON_MS: u64 = 100;
/// Instructions of a busy script between two looks at the connections.
const SCRIPT_FUEL: u64 = 2_000_000;
/// With these words begins what a browser sends. Redis takes them for an attack from a web page and
/// closes.
const OF_THE_WEB: [&[u8]; 2] = [b"POST", b"host:"];
/// Bytes of a blocked client's next requests, beyond which no more of them are read.
const INPUT_MAX: usize = 1024 * 1024;
/// Connections that wait to be accepted, as in Redis. With the system's 128, a crowd waits a second
/// for each of those beyond.
const QUEUE: i32 = 511;
/// Bytes waiting for a client that does not read, beyond which it is closed whatever its limit.
const OUTPUT_MAX: usize = 256 * 1024 * 1024;
/// Bytes of output that count against no limit, as in Redis, which has a buffer of this size.
const OUTPUT_FREE: usize = 16 * 1024;

struct Client {
    stream: TcpStream,
    id: ConnId,
    decoder: Decoder,
    /// Bytes read since all requests had been carried out.
    held: usize,
    /// Not read on, as it is blocked and enough of it is held.
    stopped: bool,
    out: Vec<u8>,
    /// Everything of `out` before this has been written.
    written: usize,
    /// Waiting for the socket to take more.
    wants_write: bool,
    closing: bool,
    /// Since when more is waiting than its soft limit, in ms since 1970.
    over_since_ms: Option<u64>,
    /// When something came from it last, in ms since 1970.
    heard_ms: u64,
}

struct Server {
    poll: Poll,
    instance: Instance,
    clients: Vec<Option<Client>>,
    free: Vec<usize>,
    by_id: HashMap<ConnId, usize>,
    now_ms: u64,
    /// Clients to read on from, that were blocked.
    resumed: Vec<usize>,
    /// SHUTDOWN, or Ctrl-C.
    stop: Arc<AtomicBool>,
    /// `client-output-buffer-limit`, and when it was read.
    limits: (u64, OutputLimits),
    /// The bytes just read: one buffer for all clients, as clearing 64 KB for each read costs more
    /// than a command.
    piece: Vec<u8>,
}

/// A class's limits of unread output: hard, soft, and the ms for which the soft one may be passed.
/// 0 is none.
#[derive(Clone, Copy, Default)]
struct OutputLimit {
    hard: u64,
    soft: u64,
    ms: u64,
}

#[derive(Clone, Copy, Default)]
struct OutputLimits {
    normal: OutputLimit,
    pubsub: OutputLimit,
}

impl OutputLimits {
    /// Reads `normal 0 0 0 slave … pubsub 33554432 8388608 60`.
    fn read(text: &str) -> OutputLimits {
        let words: Vec<&str> = text.split(' ').collect();
        let of = |class: &str| {
            let at = words.iter().position(|word| *word == class);
            let number = |offset: usize| {
                at.and_then(|at| words.get(at + offset)?.parse().ok()).unwrap_or_default()
            };
            let seconds: u64 = number(3);
            OutputLimit { hard: number(1), soft: number(2), ms: seconds.saturating_mul(1000) }
        };
        OutputLimits { normal: of("normal"), pubsub: of("pubsub") }
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis() as u64)
}

/// Serves until Ctrl-C.
pub fn run(options: &Options) -> Result<(), String> {
    let address = SocketAddr::from(([127, 0, 0, 1], options.port));
    let mut listener = listen(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => format!("port {} is taken; choose another: --port", options.port),
        _ => format!("cannot listen on {address}: {error}"),
    })?;
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    let poll = Poll::new().map_err(|error| error.to_string())?;
    let registry = poll.registry();
    registry
        .register(&mut listener, LISTENER, Interest::READABLE)
        .map_err(|error| error.to_string())?;
    let stop = stop_on_signal(&poll)?;
    let config = options.config();
    let version = config.version.number();
    say(&format!("resp: Redis {version} on {bound} (port {}); Ctrl-C ends", bound.port()));
    let mut server = Server {
        poll,
        instance: Instance::new(config),
        clients: Vec::new(),
        free: Vec::new(),
        by_id: HashMap::new(),
        resumed: Vec::new(),
        now_ms: now_ms(),
        stop,
        limits: (0, OutputLimits::default()),
        piece: vec![0; 64 * 1024],
    };
    server.serve(&listener).map_err(|error| error.to_string())?;
    say("resp: bye");
    Ok(())
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(QUEUE)?;
    Ok(TcpListener::from_std(socket.into()))
}

/// Prints for the parent process, which may have closed its end.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// A thread of its own waits for Ctrl-C and wakes the loop. It is waiting when this returns.
fn stop_on_signal(poll: &Poll) -> Result<Arc<AtomicBool>, String> {
    let waker = Waker::new(poll.registry(), STOP).map_err(|error| error.to_string())?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let (waits, is_waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let pressed = runtime.block_on(async {
            let mut pressed = std::pin::pin!(tokio::signal::ctrl_c());
            tokio::select! {
                biased;
                pressed = &mut pressed => return pressed,
                // Polled once, the line above has registered for the signal.
                () = std::future::ready(()) => drop(waits.send(())),
            }
            pressed.await
        });
        if pressed.is_ok() {
            flag.store(true, Ordering::Relaxed);
            let _ = waker.wake();
        }
    });
    let _ = is_waiting.recv();
    Ok(stop)
}

/// Returns whether SHUTDOWN, which the engine does not know, says NOSAVE; `None` of other commands.
fn shutdown(argv: &[Bytes]) -> Option<bool> {
    let is = |word: &Bytes, name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let words = ["NOSAVE", "SAVE", "NOW", "FORCE"];
    let (name, rest) = argv.split_first()?;
    let is_known = |word: &Bytes| words.iter().any(|name| is(word, name));
    (is(name, "SHUTDOWN") && rest.iter().all(is_known))
        .then(|| rest.iter().any(|word| is(word, "NOSAVE")))
}

impl Server {
    fn serve(&mut self, listener: &TcpListener) -> std::io::Result<()> {
        let mut events = Events::with_capacity(1024);
        let mut cron_ms = self.now_ms;
        while !self.stop.load(Ordering::Relaxed) {
            let timeout = self.timeout();
            match self.poll.poll(&mut events, Some(timeout)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other?,
            }
            self.now_ms = now_ms();
            for event in &events {
                match event.token() {
                    LISTENER => self.accept(listener),
                    STOP => {}
                    Token(at) => {
                        if event.is_writable() {
                            self.flush(at);
                        }
                        let stopped = self.client(at).is_some_and(|client| client.stopped);
                        if event.is_read_closed() && stopped {
                            // Its end would not be read before it is unblocked.
                            self.close(at);
                        } else if event.is_readable() || event.is_read_closed() {
                            self.read(at);
                        }
                    }
                }
            }
            let due = self.instance.next_deadline().is_some_and(|at| at <= self.now_ms);
            if due || self.now_ms.abs_diff(cron_ms) >= CRON_MS {
                cron_ms = self.now_ms;
                self.instance.advance(self.now_ms);
                self.deliver();
                self.close_idle();
                self.close_slow();
            }
            if self.instance.busy_script().is_some() {
                self.instance.continue_script(SCRIPT_FUEL);
                self.deliver();
            }
            while let Some(at) = self.resumed.pop() {
                self.read(at);
            }
        }
        Ok(())
    }

    fn timeout(&self) -> Duration {
        if self.instance.busy_script().is_some() {
            return Duration::ZERO;
        }
        let until =
            self.instance.next_deadline().map_or(CRON_MS, |at| at.saturating_sub(self.now_ms));
        Duration::from_millis(until.clamp(1, CRON_MS))
    }

    fn accept(&mut self, listener: &TcpListener) {
        let clients_max = self.number("maxclients");
        while let Ok((mut stream, _)) = listener.accept() {
            if self.by_id.len() as u64 >= clients_max {
                let _ = stream.write_all(b"-ERR max number of clients reached\r\n");
                continue;
            }
            let _ = stream.set_nodelay(true);
            let at = self.free.pop().unwrap_or_else(|| {
                self.clients.push(None);
                self.clients.len() - 1
            });
            let interest = Interest::READABLE;
            if self.poll.registry().register(&mut stream, Token(at), interest).is_err() {
                self.free.push(at);
                continue;
            }
            let id = self.instance.connect();
            self.by_id.insert(id, at);
            self.clients[at] = Some(Client {
                stream,
                id,
                decoder: Decoder::default(),
                held: 0,
                stopped: false,
                out: Vec::new(),
                written: 0,
                wants_write: false,
                closing: false,
                over_since_ms: None,
                heard_ms: self.now_ms,
            });
        }
    }

    /// Returns a parameter that is a number.
    fn number(&self, name: &str) -> u64 {
        self.instance.setting(name).and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// Closes clients that have sent nothing for `timeout` seconds, unless they wait or subscribe.
    fn close_idle(&mut self) {
        let timeout_ms = self.number("timeout").saturating_mul(1000);
        if timeout_ms == 0 {
            return;
        }
        for at in 0..self.clients.len() {
            let Some(client) = &self.clients[at] else { continue };
            let waits =
                self.instance.is_blocked(client.id) || self.instance.is_subscribed(client.id);
            if !waits && self.now_ms.saturating_sub(client.heard_ms) >= timeout_ms {
                self.close(at);
            }
        }
    }

    /// Returns true if more is waiting for a client than it may.
    fn is_over(&mut self, at: usize) -> bool {
        let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return false };
        let waiting = client.out.len() - client.written;
        if waiting <= OUTPUT_FREE {
            client.over_since_ms = None;
            return false;
        }
        // Once for each round of the loop: a setting is slow to read.
        if self.limits.0 != self.now_ms {
            let text = self.instance.setting("client-output-buffer-limit").unwrap_or_default();
            self.limits = (self.now_ms, OutputLimits::read(&text));
        }
        let limit = match self.instance.is_subscribed(client.id) {
            true => self.limits.1.pubsub,
            false => self.limits.1.normal,
        };
        let passes = |limit: u64| limit > 0 && waiting as u64 > limit;
        if !passes(limit.soft) {
            client.over_since_ms = None;
        }
        // The computer's clock may be set back.
        let since = |from: u64| self.now_ms.saturating_sub(from);
        let is_long = passes(limit.soft)
            && since(*client.over_since_ms.get_or_insert(self.now_ms)) > limit.ms;
        waiting > OUTPUT_MAX || passes(limit.hard) || is_long
    }

    /// Closes clients that have been over their soft limit for too long.
    fn close_slow(&mut self) {
        for at in 0..self.clients.len() {
            if self.is_over(at) {
                self.close(at);
            }
        }
    }

    /// Runs a script alone for as long as Redis would: `lua-time-limit` ms, and without an end if
    /// that is 0. Then others are told that it is busy.
    fn run_alone(&mut self) {
        let limit_ms = self.number("lua-time-limit");
        let began = std::time::Instant::now();
        while self.instance.busy_script().is_some()
            && (limit_ms == 0 || began.elapsed().as_millis() < u128::from(limit_ms))
            && !self.stop.load(Ordering::Relaxed)
        {
            self.instance.continue_script(SCRIPT_FUEL);
        }
    }

    fn client(&mut self, at: usize) -> Option<&mut Client> {
        self.clients.get_mut(at)?.as_mut()
    }

    fn close(&mut self, at: usize) {
        let Some(mut client) = self.clients.get_mut(at).and_then(Option::take) else { return };
        let _ = self.poll.registry().deregister(&mut client.stream);
        self.by_id.remove(&client.id);
        self.free.push(at);
        self.instance.disconnect(client.id);
    }

    /// Reads what is there, runs it, and writes the replies.
    fn read(&mut self, at: usize) {
        loop {
            let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return };
            client.stopped = client.held > INPUT_MAX && self.instance.is_blocked(client.id);
            if client.stopped {
                break;
            }
            match client.stream.read(&mut self.piece) {
                Ok(0) => return self.close(at),
                Ok(n) => {
                    client.heard_ms = self.now_ms;
                    client.held += n;
                    client.decoder.feed(&self.piece[..n]);
                    self.work(at);
                    if n < self.piece.len() {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return self.close(at),
            }
        }
        self.deliver();
        self.flush(at);
    }

    /// Runs requests that have come in full, until one waits.
    fn work(&mut self, at: usize) {
        loop {
            let now = self.now_ms;
            let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return };
            if client.closing || self.instance.is_blocked(client.id) {
                return;
            }
            let argv = match client.decoder.next_request() {
                Ok(Some(argv)) => argv,
                Ok(None) => {
                    client.held = 0;
                    return;
                }
                Err(error) => {
                    let reply = Value::error(error.to_string());
                    reply.encode(self.instance.proto(client.id), &mut client.out);
                    client.closing = true;
                    return;
                }
            };
            let is_of_web =
                |name: &Bytes| OF_THE_WEB.iter().any(|word| name.eq_ignore_ascii_case(word));
            if argv.first().is_some_and(is_of_web) {
                client.closing = true;
                return;
            }
            let was_busy = self.instance.busy_script().is_some();
            let argv = match shutdown(&argv) {
                // During a script only with NOSAVE: else it hears what any command does.
                Some(nosave) if nosave || !was_busy => {
                    return self.stop.store(true, Ordering::Relaxed);
                }
                Some(_) => vec![Bytes::from(*b"PING")],
                None => argv,
            };
            let outcome = self.instance.execute(client.id, &argv, now);
            if !was_busy && self.instance.busy_script().is_some() {
                self.run_alone();
            }
            let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return };
            if let Outcome::Reply(reply) = outcome {
                reply.encode(self.instance.proto(client.id), &mut client.out);
            }
            if self.is_over(at) {
                return self.close(at);
            }
            if self.instance.has_pushes() {
                self.deliver();
            }
            let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return };
            client.closing |= self.instance.is_closed(client.id);
        }
    }

    /// Hands out messages and late replies; who waited goes on with its next requests.
    fn deliver(&mut self) {
        while self.instance.has_pushes() {
            let mut receivers = Vec::new();
            for (id, reply) in self.instance.take_pushes() {
                let proto = self.instance.proto(id);
                let Some(at) = self.by_id.get(&id).copied() else { continue };
                let Some(client) = self.client(at) else { continue };
                reply.encode(proto, &mut client.out);
                if !receivers.contains(&at) {
                    receivers.push(at);
                }
            }
            for at in receivers {
                self.work(at);
                self.flush(at);
                if self.client(at).is_some_and(|client| client.stopped) {
                    self.resumed.push(at);
                }
            }
        }
        for id in self.instance.take_closed() {
            if let Some(at) = self.by_id.get(&id).copied() {
                if let Some(client) = self.client(at) {
                    client.closing = true;
                }
                self.flush(at);
            }
        }
    }

    /// Writes as much as the socket takes.
    fn flush(&mut self, at: usize) {
        let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return };
        let mut failed = false;
        while client.written < client.out.len() {
            match client.stream.write(&client.out[client.written..]) {
                Ok(n) => client.written += n,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
        let done = client.written == client.out.len();
        if done {
            client.out.clear();
            client.written = 0;
        }
        if failed || (done && client.closing) || self.is_over(at) {
            return self.close(at);
        }
        let Some(client) = self.clients.get_mut(at).and_then(Option::as_mut) else { return };
        if done == client.wants_write {
            client.wants_write = !done;
            let interest = match done {
                true => Interest::READABLE,
                false => Interest::READABLE | Interest::WRITABLE,
            };
            let _ = self.poll.registry().reregister(&mut client.stream, Token(at), interest);
        }
    }
}

/// The example of README.md, which `cargo test --doc` runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct ReadMe;
