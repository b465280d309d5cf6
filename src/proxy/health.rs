//! Whether visitors can work: what is wrong with the servers that they share.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::hub::{Hub, Node};
use super::upstream::Upstream;
use super::url::Url;

/// The beginning of the error that this server may use all memory.
const NO_BOUND: &str = "this Redis may use all memory (maxmemory 0), so one visitor can end it";
/// The time for Redis to answer whether it is well.
const HEALTH: Duration = Duration::from_secs(1);

impl Hub {
    /// Returns an error where a shared server may use all of its machine's memory.
    pub(super) async fn check_memory(&self, url: &Url, bounded: &AtomicBool) -> Result<(), String> {
        if bounded.load(Relaxed) {
            return Ok(());
        }
        let mut upstream = Upstream::logged_in(url, self.tls()).await?;
        let info = upstream.say(&["INFO", "memory"]).await?.text();
        let most = info.lines().find_map(|line| line.strip_prefix("maxmemory:"));
        if most.is_some_and(|most| most.trim() == "0") {
            return Err(format!("{NO_BOUND}: set maxmemory, or start the proxy with --any-memory"));
        }
        bounded.store(true, Relaxed);
        Ok(())
    }

    /// Returns what is wrong with the servers that all visitors share, a line each. The flag
    /// marks a mistake of the operator's, which waiting does not fix.
    pub async fn wrong(&self) -> Vec<(bool, String)> {
        let mut wrong = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Node::Shared { url, bounded, .. } = node else { continue };
            let asking = async {
                self.check_memory(url, bounded).await?;
                let mut upstream = Upstream::logged_in(url, self.tls()).await?;
                upstream.say(&["PING"]).await?.ok("Redis does not answer PING")
            };
            let outcome = match timeout(HEALTH, asking).await {
                Ok(outcome) => outcome,
                Err(_) => Err("Redis does not answer".into()),
            };
            if let Err(why) = outcome {
                wrong.push((why.starts_with(NO_BOUND), format!("node {at}: {why}")));
            }
        }
        wrong
    }

    /// Returns the same, asked anew at most once a second for all who ask.
    pub async fn health(&self) -> Vec<String> {
        let mut health = self.health.lock().await;
        if health.0.is_none_or(|asked| asked.elapsed() >= HEALTH) {
            let wrong = self.wrong().await;
            *health = (Some(Instant::now()), wrong.into_iter().map(|(_, why)| why).collect());
        }
        health.1.clone()
    }
}
