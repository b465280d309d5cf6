//! Cleaning up: visitors who have gone, and what a killed proxy left on a shared server.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use tracing::{info, warn};

use super::super::policy::Keys;
use super::super::spawn::{Server, Used};
use super::super::upstream::Upstream;
use super::super::url::Url;
use super::own::{VISITORS, is_there};
use super::{ALIVE_MS, Hub, MARK, Node, Visitor, is_true, lock, text};

impl Hub {
    /// Removes visitors that have been gone for long, and tells shared servers that this proxy is
    /// alive, until the proxy ends.
    pub async fn keep_house(self: Arc<Self>) {
        let mut closing = self.closing.subscribe();
        let mut beat = Instant::now();
        self.heartbeat().await;
        loop {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(500)) => {}
                () = is_true(&mut closing) => return,
            }
            for visitor in self.gone() {
                self.remove(&visitor).await;
            }
            self.measure();
            if beat.elapsed() > Duration::from_millis(ALIVE_MS / 3) {
                beat = Instant::now();
                self.heartbeat().await;
            }
        }
    }

    /// Counts what the throw-away servers take.
    fn measure(&self) {
        let mut all = Used::default();
        for visitor in lock(&self.visitors).values() {
            // One that is being started or stopped is counted the next time.
            for server in visitor.servers.iter().filter_map(|slot| slot.try_lock().ok()) {
                let used = server.as_ref().map(Server::used).unwrap_or_default();
                all.memory += used.memory;
                all.cpu_ms += used.cpu_ms;
                all.files += used.files;
            }
        }
        self.metrics.servers_memory_bytes.store(all.memory, Relaxed);
        self.metrics.servers_cpu_ms.store(all.cpu_ms, Relaxed);
        self.metrics.servers_file_bytes.store(all.files, Relaxed);
    }

    /// Removes from the list the visitors that have had no connection for long.
    fn gone(&self) -> Vec<Arc<Visitor>> {
        let linger = self.limits.linger;
        let mut visitors = lock(&self.visitors);
        let is_gone = |visitor: &Visitor| {
            let presence = lock(&visitor.presence);
            presence.connections == 0 && presence.left.elapsed() >= linger
        };
        let mut gone = std::mem::take(&mut *lock(&self.leaving));
        gone.extend(visitors.extract_if(|_, visitor| is_gone(visitor)).map(|(_, visitor)| visitor));
        gone
    }

    /// Removes a visitor's servers, users and keys.
    async fn remove(&self, visitor: &Visitor) {
        for (at, node) in self.nodes.iter().enumerate() {
            let outcome = match node {
                Node::Spawned => {
                    *visitor.links[at].lock().await = None;
                    if let Some(server) = visitor.servers[at].lock().await.take() {
                        server.end().await;
                    }
                    Ok(())
                }
                Node::Shared { url, no_users, .. } => {
                    self.forget((visitor, at), url, no_users).await
                }
            };
            if let Err(why) = outcome {
                warn!(visitor = %visitor.name, %why, "not-cleaned");
            }
        }
        info!(visitor = %visitor.name, "gone");
    }

    async fn forget(
        &self,
        (visitor, node): (&Visitor, usize),
        url: &Url,
        no_users: &AtomicBool,
    ) -> Result<(), String> {
        let mut upstream = Upstream::logged_in(url, &self.tls).await?;
        if !no_users.load(Relaxed) {
            // The user first, so that the visitor cannot write another key.
            upstream
                .say(&["ACL", "DELUSER", &visitor.user])
                .await?
                .ok("the user is not removed")?;
        }
        match self.policy.keys {
            Keys::Visitor => {
                self.sweep(visitor, node, &mut upstream).await?;
                self.forget_keys(&mut upstream, &visitor.entry).await
            }
            Keys::Plain => Ok(()),
        }
    }

    /// Tells each shared server that this proxy is alive, and removes what a killed proxy left
    /// there.
    async fn heartbeat(&self) {
        if self.policy.keys == Keys::Plain {
            return;
        }
        for node in &self.nodes {
            let Node::Shared { url, .. } = node else { continue };
            if let Err(why) = self.beat(url).await {
                warn!(redis = %url, %why, "no-heartbeat");
            }
        }
    }

    async fn beat(&self, url: &Url) -> Result<(), String> {
        let mut upstream = Upstream::logged_in(url, &self.tls).await?;
        let alive = format!("{MARK}.alive:{}", self.run);
        let ttl = ALIVE_MS.to_string();
        upstream.say(&["SET", &alive, "1", "PX", &ttl]).await?.ok("no sign of life")?;
        // Runs whose keys or users are there, though they give no sign of life.
        let mut dead: HashMap<String, bool> = HashMap::new();
        let users = upstream.say(&["ACL", "USERS"]).await?;
        // Without the right to ask there are none of ours.
        let users: Vec<String> = users.list().into_iter().map(text).collect();
        for user in users {
            let Some(run) = run_of(&user, '-').map(str::to_owned) else { continue };
            if is_dead(&mut upstream, &mut dead, &run).await? {
                upstream.say(&["ACL", "DELUSER", &user]).await?.ok("an old user stays")?;
            }
        }
        let visitors = upstream.say(&["SMEMBERS", VISITORS]).await?;
        let visitors: Vec<String> = visitors.list().into_iter().map(text).collect();
        for entry in visitors {
            let Some(run) = run_of(&format!("{MARK}:{entry}"), ':').map(str::to_owned) else {
                continue;
            };
            if is_dead(&mut upstream, &mut dead, &run).await? {
                self.forget_keys(&mut upstream, &entry).await?;
            }
        }
        Ok(())
    }

    /// Removes everything, when the proxy ends.
    pub async fn end(self: &Arc<Self>) {
        self.closing.send_replace(true);
        let mut everybody = std::mem::take(&mut *lock(&self.leaving));
        everybody.extend(lock(&self.visitors).drain().map(|(_, visitor)| visitor));
        // All at once: a Redis that does not answer keeps nobody else waiting.
        let mut removing = tokio::task::JoinSet::new();
        for visitor in everybody {
            let hub = self.clone();
            removing.spawn(async move { hub.remove(&visitor).await });
        }
        removing.join_all().await;
        if self.policy.keys == Keys::Visitor {
            for node in &self.nodes {
                let Node::Shared { url, .. } = node else { continue };
                let alive = format!("{MARK}.alive:{}", self.run);
                if let Ok(mut upstream) = Upstream::logged_in(url, &self.tls).await {
                    let _ = upstream.say(&["DEL", &alive]).await;
                }
            }
        }
    }
}

/// Returns the run that a key or a user of the proxy belongs to: `interleave:RUN:VISITOR`.
fn run_of(name: &str, separator: char) -> Option<&str> {
    let rest = name.strip_prefix(MARK)?.strip_prefix(separator)?;
    let (run, rest) = rest.split_once(separator)?;
    let visitor = rest.split(separator).next()?;
    let hex = |text: &str| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    (hex(run) && hex(visitor)).then_some(run)
}

async fn is_dead(
    upstream: &mut Upstream,
    dead: &mut HashMap<String, bool>,
    run: &str,
) -> Result<bool, String> {
    if let Some(known) = dead.get(run) {
        return Ok(*known);
    }
    let answer = upstream.say(&["EXISTS", &format!("{MARK}.alive:{run}")]).await?;
    let is_dead = !is_there(&answer);
    dead.insert(run.to_owned(), is_dead);
    Ok(is_dead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_of_a_proxy_are_taken_for_such() {
        let (run, visitor) = ("0123456789abcdef", "fedcba9876543210");
        assert_eq!(run_of(&format!("interleave:{run}:{visitor}:stock"), ':'), Some(run));
        assert_eq!(run_of(&format!("interleave-{run}-{visitor}"), '-'), Some(run));
        for foreign in [
            "interleave:stock".to_owned(),
            format!("interleave:{run}:stock"),
            format!("interleave:{visitor}x:{run}:a"),
            format!("my:interleave:{run}:{visitor}:a"),
            format!("interleave.alive:{run}"),
        ] {
            assert_eq!(run_of(&foreign, ':'), None, "{foreign}");
        }
    }
}
