//! Counters for Prometheus. None contains a command's argument, a token or a visitor's id.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_counts_what_lives() {
        let metrics = std::sync::Arc::new(Metrics::default());
        let gauge = Gauge::new(metrics.clone(), |m| &m.websockets);
        assert!(metrics.text().contains("\ninterleave_proxy_websockets 1\n"));
        drop(gauge);
        assert!(metrics.text().contains("\ninterleave_proxy_websockets 0\n"));
    }
}
