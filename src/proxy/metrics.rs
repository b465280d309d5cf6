//! Counters for Prometheus, and the log: one line of `name=value` per event on standard error.
//! Visitors decide what happens, so a value is cut and an event that is repeated is counted.
//! Neither contains a command's argument, a token or a visitor's id.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Declares every counter with its help text: this is the only list of them.
macro_rules! counters {
    ($($name:ident $kind:literal $help:literal;)*) => {
        /// The values since the start; a gauge goes down too.
        #[derive(Debug, Default)]
        pub struct Metrics { $(pub $name: AtomicU64,)* }

        impl Metrics {
            /// Returns them in Prometheus's text format.
            pub fn text(&self) -> String {
                let mut out = String::new();
                $(
                    let name = concat!("interleave_proxy_", stringify!($name));
                    let value = self.$name.load(Relaxed);
                    // Writing to a String cannot fail.
                    let _ = writeln!(
                        out,
                        concat!("# HELP {} ", $help, "\n# TYPE {} ", $kind, "\n{} {}"),
                        name, name, name, value
                    );
                )*
                out
            }
        }
    };
}

counters! {
    sockets "gauge" "Open HTTP connections, until they become WebSockets.";
    websockets "gauge" "Open WebSockets.";
    websockets_total "counter" "WebSockets opened.";
    visitors "gauge" "Visitors whose keys or servers are kept.";
    upstreams "gauge" "Open connections to Redis.";
    buffered_bytes "gauge" "Bytes under way, beyond each connection's own.";
    no_room_total "counter" "Connections cut because all that may be buffered was.";
    over_quota_total "counter" "Commands refused because the visitor's keys take too much.";
    crowded_total "counter" "Connections refused because their address had too many.";
    servers "gauge" "Throw-away servers that run.";
    servers_total "counter" "Throw-away servers started.";
    servers_memory_bytes "gauge" "Memory of the throw-away servers that run.";
    servers_cpu_ms "gauge" "Processor time of the throw-away servers that run.";
    servers_file_bytes "gauge" "Files of the throw-away servers that run.";
    links "gauge" "Replicas that follow a throw-away server.";
    commands_total "counter" "Commands sent to Redis.";
    replies_total "counter" "Replies and pushed messages that came back.";
    bytes_to_redis_total "counter" "Bytes of commands.";
    bytes_from_redis_total "counter" "Bytes of replies.";
    refused_handshakes_total "counter" "WebSockets refused: origin, host, token, limits.";
    refused_commands_total "counter" "Commands that the policy refused.";
    rate_limited_total "counter" "Commands over a visitor's rate.";
    malformed_total "counter" "Messages that were no commands, or too large.";
    slow_readers_total "counter" "WebSockets closed for not reading.";
    idle_closed_total "counter" "WebSockets closed for being idle.";
    upstream_lost_total "counter" "Connections to Redis lost.";
    scripts_stopped_total "counter" "Scripts stopped for running too long.";
    faults_total "counter" "Faults made on request.";
    keys_cleaned_total "counter" "Keys of visitors removed from a shared server.";
}

impl Metrics {
    pub fn add(counter: &AtomicU64, n: usize) {
        counter.fetch_add(n as u64, Relaxed);
    }

    pub fn one(counter: &AtomicU64) {
        counter.fetch_add(1, Relaxed);
    }
}

/// A gauge that counts 1 as long as it lives.
#[derive(Debug)]
pub struct Gauge<T: AsRef<Metrics>> {
    metrics: T,
    which: fn(&Metrics) -> &AtomicU64,
}

impl<T: AsRef<Metrics>> Gauge<T> {
    pub fn new(metrics: T, which: fn(&Metrics) -> &AtomicU64) -> Self {
        which(metrics.as_ref()).fetch_add(1, Relaxed);
        Self { metrics, which }
    }
}

impl<T: AsRef<Metrics>> Drop for Gauge<T> {
    fn drop(&mut self) {
        (self.which)(self.metrics.as_ref()).fetch_sub(1, Relaxed);
    }
}

static QUIET: AtomicBool = AtomicBool::new(false);

/// Switches the log off (`--quiet`).
pub fn be_quiet() {
    QUIET.store(true, Relaxed);
}

/// The most characters of a value in the log.
const VALUE_MAX: usize = 200;
/// The most lines of one event in this time; the others are counted.
const LINES_MAX: u64 = 20;
const LINES_EVERY: Duration = Duration::from_secs(10);

/// How often an event has happened since its first line of this time.
#[derive(Debug)]
struct Repeated {
    began: Instant,
    times: u64,
}

static REPEATED: Mutex<BTreeMap<&'static str, Repeated>> = Mutex::new(BTreeMap::new());

/// Logs an event. Values are quoted if needed.
pub fn event(level: &str, event: &'static str, values: &[(&str, &dyn std::fmt::Display)]) {
    if QUIET.load(Relaxed) {
        return;
    }
    let mut repeated = REPEATED.lock().unwrap_or_else(PoisonError::into_inner);
    let (speaks, silent) = count(&mut repeated, event, Instant::now());
    drop(repeated);
    if silent > 0 {
        say(&line("warn", "not-logged", &[("of", &event), ("times", &silent)]));
    }
    if speaks {
        say(&line(level, event, values));
    }
}

/// Writes a line of the log, whose reader may be gone: visitors stay.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns whether an event has a line of its own, and how many before it had none.
fn count(
    repeated: &mut BTreeMap<&'static str, Repeated>,
    event: &'static str,
    now: Instant,
) -> (bool, u64) {
    let seen = repeated.entry(event).or_insert(Repeated { began: now, times: 0 });
    let mut silent = 0;
    if now.duration_since(seen.began) >= LINES_EVERY {
        silent = seen.times.saturating_sub(LINES_MAX);
        *seen = Repeated { began: now, times: 0 };
    }
    seen.times += 1;
    (seen.times <= LINES_MAX, silent)
}

fn line(level: &str, event: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut out =
        format!("ts={}.{:03} level={level} event={event}", now.as_secs(), now.subsec_millis());
    for (name, value) in values {
        let value = cut(&value.to_string(), VALUE_MAX);
        let plain = !value.is_empty()
            && value.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\' | b'='));
        let _ = match plain {
            true => write!(out, " {name}={value}"),
            // Debug escapes line ends too: one event stays one line.
            false => write!(out, " {name}={value:?}"),
        };
    }
    out
}

/// Returns at most this many characters of a text from outside.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line() {
        let text = line("info", "refused", &[("why", &"two\nlines \"x\""), ("n", &7)]);
        assert!(
            text.ends_with(r#" level=info event=refused why="two\nlines \"x\"" n=7"#),
            "{text}"
        );
    }

    #[test]
    fn what_is_repeated_is_counted_and_what_is_long_is_cut() {
        let text = line("info", "refused", &[("why", &"\"".repeat(200_000))]);
        assert!(text.len() < 600, "{} bytes", text.len());
        let (mut repeated, now) = (BTreeMap::new(), Instant::now());
        let lines = (0..1000).filter(|_| count(&mut repeated, "refused", now).0).count();
        assert_eq!(lines as u64, LINES_MAX);
        assert_eq!(count(&mut repeated, "lost", now), (true, 0));
        assert_eq!(count(&mut repeated, "refused", now + LINES_EVERY), (true, 1000 - LINES_MAX));
        assert_eq!(count(&mut repeated, "refused", now + 2 * LINES_EVERY), (true, 0));
    }

    #[test]
    fn a_gauge_counts_what_lives() {
        let metrics = std::sync::Arc::new(Metrics::default());
        let gauge = Gauge::new(metrics.clone(), |m| &m.websockets);
        assert!(metrics.text().contains("\ninterleave_proxy_websockets 1\n"));
        drop(gauge);
        assert!(metrics.text().contains("\ninterleave_proxy_websockets 0\n"));
    }
}
