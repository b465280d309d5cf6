//! The log of `interleave serve`: a line of `name=value`, or of JSON, per event on standard error.
//! Events are those of `tracing`; an event's message is its name, as in
//! `warn!(visitor = %name, "slow-reader")`.
//! Visitors decide what happens, so a value is cut and an event that is repeated is counted.
//! No event may hold a command's argument, a token or a visitor's id.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// The most characters of a value.
const VALUE_MAX: usize = 200;
/// The most lines of one event in this time; the others are counted.
const LINES_MAX: u64 = 20;
const LINES_EVERY: Duration = Duration::from_secs(10);

/// Begins to log: what `levels` lets through, or everything from `info` on.
pub fn begin(levels: Option<&Targets>, json: bool) {
    let usual = || Targets::new().with_default(LevelFilter::INFO);
    let levels = levels.cloned().unwrap_or_else(usual);
    let log = Log::new(json, |line: &str| {
        // The log's reader may be gone: visitors stay.
        let _ = writeln!(std::io::stderr(), "{line}");
    });
    // Only the first call of a process counts.
    let _ = tracing::subscriber::set_global_default(subscriber(log, levels));
}

fn subscriber(log: Log<impl Fn(&str) + Send + Sync + 'static>, levels: Targets) -> impl Subscriber {
    tracing_subscriber::registry().with(log).with(levels)
}

/// Hands over each line that is to be written.
struct Log<F> {
    json: bool,
    /// By the events' places in the source.
    repeated: Mutex<BTreeMap<&'static str, Repeated>>,
    write: F,
}

/// How often an event has happened since its first line of this time.
struct Repeated {
    began: Instant,
    times: u64,
}

impl<F> Log<F> {
    fn new(json: bool, write: F) -> Self {
        Self { json, repeated: Mutex::default(), write }
    }
}

impl<S: Subscriber, F: Fn(&str) + 'static> Layer<S> for Log<F> {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let place = event.metadata().name();
        let mut repeated = self.repeated.lock().unwrap_or_else(PoisonError::into_inner);
        let (speaks, silent) = count(&mut repeated, place, Instant::now());
        drop(repeated);
        if !speaks {
            return;
        }
        let mut seen = Seen::default();
        event.record(&mut seen);
        if silent > 0 {
            let values = vec![("of", seen.event.clone().into()), ("times", silent.into())];
            (self.write)(&line(self.json, Level::WARN, "not-logged", &values));
        }
        (self.write)(&line(self.json, *event.metadata().level(), &seen.event, &seen.values));
    }
}

/// Returns whether an event has a line of its own, and how many before it had none.
fn count(
    repeated: &mut BTreeMap<&'static str, Repeated>,
    place: &'static str,
    now: Instant,
) -> (bool, u64) {
    let seen = repeated.entry(place).or_insert(Repeated { began: now, times: 0 });
    let mut silent = 0;
    if now.duration_since(seen.began) >= LINES_EVERY {
        silent = seen.times.saturating_sub(LINES_MAX);
        *seen = Repeated { began: now, times: 0 };
    }
    seen.times += 1;
    (seen.times <= LINES_MAX, silent)
}

/// What an event says.
#[derive(Default)]
struct Seen {
    event: String,
    values: Vec<(&'static str, Value)>,
}

impl Visit for Seen {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.values.push((field.name(), value.into()));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.values.push((field.name(), value.into()));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let text = cut(value, VALUE_MAX);
        match field.name() {
            "message" => self.event = text,
            name => self.values.push((name, text.into())),
        }
    }

    /// Also what is given by its `Display`, as with `%`.
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

fn line(json: bool, level: Level, event: &str, values: &[(&str, Value)]) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (ts, level) = (now.as_secs_f64(), level.as_str().to_ascii_lowercase());
    if json {
        let head = [("ts", ts.into()), ("level", level.into()), ("event", event.into())];
        let all = head.into_iter().chain(values.iter().cloned());
        return Value::Object(all.map(|(name, value)| (name.to_owned(), value)).collect())
            .to_string();
    }
    let mut out = format!("ts={ts:.3} level={level} event={event}");
    for (name, value) in values {
        // Writing to a String cannot fail.
        let _ = match value {
            // Debug escapes line ends too: one event stays one line.
            Value::String(text) if !is_plain(text) => write!(out, " {name}={text:?}"),
            Value::String(text) => write!(out, " {name}={text}"),
            value => write!(out, " {name}={value}"),
        };
    }
    out
}

fn is_plain(text: &str) -> bool {
    let fits = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\' | b'=');
    !text.is_empty() && text.bytes().all(fits)
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
    use std::sync::Arc;

    use tracing::{info, warn};

    use super::*;

    /// The lines that come of what is run.
    fn lines(levels: &str, json: bool, run: impl FnOnce()) -> Vec<String> {
        let all = Arc::new(Mutex::new(Vec::new()));
        let to = all.clone();
        let log = Log::new(json, move |line: &str| to.lock().unwrap().push(line.to_owned()));
        let levels = levels.parse().unwrap();
        tracing::subscriber::with_default(subscriber(log, levels), run);
        // Another thread may hold the subscriber for a moment, as it makes one of its own.
        std::mem::take(&mut *all.lock().unwrap())
    }

    #[test]
    fn an_event_is_one_line() {
        let run = || {
            let why = "two\nlines \"x\"";
            info!(%why, n = 7, to = "a.b", "refused");
            info!(target: "other", "left-out");
        };
        let plain = lines("proxy=info", false, run);
        let end = r#" level=info event=refused why="two\nlines \"x\"" n=7 to=a.b"#;
        assert!(plain.len() == 1 && plain[0].ends_with(end), "{plain:?}");
        let json = lines("proxy=info", true, run);
        let json: Value = serde_json::from_str(&json[0]).unwrap();
        assert_eq!(json["why"], "two\nlines \"x\"");
        assert!(json["level"] == "info" && json["event"] == "refused", "{json}");
        assert!(json["n"] == 7 && json["to"] == "a.b", "{json}");
        assert!(json["ts"].as_f64() > Some(1e9), "{json}");
        assert_eq!(lines("warn", false, run), [""; 0]);
    }

    #[test]
    fn what_is_repeated_is_counted_and_what_is_long_is_cut() {
        let long = "\"".repeat(200_000);
        let run = || (0..100).for_each(|_| warn!(why = %long, "refused"));
        for json in [false, true] {
            let lines = lines("info", json, run);
            assert_eq!(lines.len() as u64, LINES_MAX);
            assert!(lines.iter().all(|line| line.len() < 600), "{}", lines[0].len());
        }
        let (mut repeated, now) = (BTreeMap::new(), Instant::now());
        let spoke = (0..1000).filter(|_| count(&mut repeated, "refused", now).0).count();
        assert_eq!(spoke as u64, LINES_MAX);
        assert_eq!(count(&mut repeated, "lost", now), (true, 0));
        assert_eq!(count(&mut repeated, "refused", now + LINES_EVERY), (true, 1000 - LINES_MAX));
        assert_eq!(count(&mut repeated, "refused", now + 2 * LINES_EVERY), (true, 0));
    }
}
