//! A visitor's own keys. On a server that others use, their names are noted in a set of that server
//! before a command can make them. So nothing of ours looks through everybody's keys.
//!
//! Contract: a key of the visitor stands in the visitor's set, and the visitor in the set of all
//! visitors, until the key is removed. Both sets are on the Redis itself: the next proxy finds them
//! there if this one is killed. Absent: names that a script makes up from its `KEYS`. Only
//! `--scripts` lets such a script run; its visitor's keys are searched for by their prefix.
//!
//! The bytes of these keys have a bound, `--quota`: what each command may add is counted before it
//! goes, and where the count is over the bound, the keys are measured.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::metrics::Metrics;
use super::super::policy::Keys;
use super::super::upstream::{Answer, Upstream};
use super::growth::Growth;
use super::{Hub, LISTED_MAX, MARK, Node, SCAN_ROUNDS_MAX, Visitor, lock, scan, sscan, text};
use engine::{Command, Flags, Group};

/// The most names of one visitor on one server, and the most bytes of a name.
const NAMES_MAX: usize = 10_000;
const NAME_BYTES_MAX: usize = 4096;
/// What a command counts for that stores what it makes of other keys, where there is hardly any.
const COPY_BYTES_MIN: u64 = 1024;
/// What going through names, and measuring their keys, takes of Redis's time. Not as measured here:
/// visitors who go through theirs at once wait for each other.
const PER_NAME: Duration = Duration::from_micros(20);
const PER_MEGABYTE: Duration = Duration::from_micros(500);
/// The set of all visitors with keys on a server: `RUN:VISITOR`.
pub(super) const VISITORS: &str = "interleave.visitors";

/// What is known of a visitor's keys on one shared server.
#[derive(Debug, Default)]
pub(super) struct Own {
    hasher: RandomState,
    /// The hashes of the names that stand in the visitor's set.
    noted: HashSet<u64>,
    /// Those that stay there though no such key exists: a command that waits may make it later.
    kept: HashSet<u64>,
    /// True if a script has run that may make up names.
    scripts: bool,
    /// The most bytes that the keys may take, as counted; and the part of it that open transactions
    /// have not done yet.
    bytes: u64,
    queued: u64,
    /// True if the count is not known to be enough.
    unsure: bool,
}

/// What a command for a shared server may write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Write {
    /// The names of its keys, without prefix.
    pub names: Vec<Vec<u8>>,
    /// True if it is carried out later than it is sent.
    pub later: bool,
    pub script: bool,
    pub growth: Growth,
    /// True inside MULTI.
    pub queued: bool,
}

/// What a command of an open transaction may add, until the transaction ends.
#[derive(Debug)]
pub struct Queued(Arc<Visitor>, usize, u64);

impl Drop for Queued {
    fn drop(&mut self) {
        let mut own = lock(&self.0.own[self.1]);
        own.queued = own.queued.saturating_sub(self.2);
    }
}

impl Write {
    /// Reads a command with its keys at `positions`; `None` if it writes nothing.
    pub fn of(command: &Command, argv: &[&[u8]], positions: &[usize], multi: bool) -> Option<Self> {
        let script = command.group == Group::Scripting && command.name.starts_with("eval");
        if !(script || command.flags.has(Flags::WRITE)) {
            return None;
        }
        let names = positions.iter().map(|at| argv[*at].to_vec()).collect();
        let later = multi || command.flags.has(Flags::BLOCKING);
        Some(Self { names, later, script, growth: Growth::of(command, argv), queued: multi })
    }
}

/// Returns the name of the set of a visitor's keys; `entry` is `RUN:VISITOR`.
fn set_of(entry: &str) -> String {
    format!("{MARK}.keys:{entry}")
}

fn words(first: &[&str], rest: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let first = first.iter().map(|word| word.as_bytes().to_vec());
    first.chain(rest.iter().cloned()).collect()
}

fn exists(key: &[u8]) -> Vec<Vec<u8>> {
    words(&["EXISTS"], &[key.to_vec()])
}

/// Reads the answer to EXISTS.
pub(super) fn is_there(exists: &Answer) -> bool {
    exists.0 != b":0\r\n"
}

fn prefixed(prefix: &str, name: &[u8]) -> Vec<u8> {
    [prefix.as_bytes(), name].concat()
}

impl Hub {
    /// Asks a shared server, over a connection with the operator's rights that is kept.
    async fn ask_at(&self, node: usize, commands: &[Vec<Vec<u8>>]) -> Result<Vec<Answer>, String> {
        let Some(Node::Shared { url, desk, .. }) = self.nodes.get(node) else {
            return Err("this server is not a shared one".into());
        };
        let mut kept = desk.lock().await;
        // Taken out while it is used: after one that was given up, no answer is left in it.
        if let Some(mut upstream) = kept.take()
            && let Ok(answers) = upstream.ask(commands).await
        {
            *kept = Some(upstream);
            return Ok(answers);
        }
        let mut upstream = Upstream::logged_in(url, &self.tls).await?;
        let answers = upstream.ask(commands).await?;
        *kept = Some(upstream);
        Ok(answers)
    }

    fn is_shared(&self, node: usize) -> bool {
        matches!(self.nodes.get(node), Some(Node::Shared { .. }))
            && self.policy.keys == Keys::Visitor
    }

    /// Notes the keys that a command may make, and what it may add to their bytes, in the visitor's
    /// turn; an error refuses it.
    pub(super) async fn note(
        &self,
        visitor: &Arc<Visitor>,
        node: usize,
        write: &Write,
    ) -> Result<Option<Queued>, String> {
        if !self.is_shared(node) {
            return Ok(None);
        }
        self.note_names(visitor, node, write).await?;
        let added = self.count(visitor, node, write.growth).await?;
        if !write.queued {
            return Ok(None);
        }
        lock(&visitor.own[node]).queued += added;
        Ok(Some(Queued(visitor.clone(), node, added)))
    }

    /// Returns what a command may add, and counts it; an error refuses it.
    async fn count(&self, visitor: &Visitor, node: usize, growth: Growth) -> Result<u64, String> {
        let quota = self.limits.quota;
        let needs = match growth {
            Growth::None => return Ok(0),
            Growth::Bytes(bytes) => bytes,
            Growth::Copies => 0,
        };
        let fits = |own: &Own| !own.unsure && own.bytes.saturating_add(needs) <= quota;
        if !fits(&lock(&visitor.own[node])) {
            let measured = self.measure_keys(visitor, node).await?;
            let mut own = lock(&visitor.own[node]);
            (own.bytes, own.unsure) = (measured + own.queued, false);
            if !fits(&own) {
                Metrics::one(&self.metrics.over_quota_total);
                return Err(format!(
                    "your keys take {} bytes here, of {quota}: delete some first",
                    own.bytes
                ));
            }
        }
        let mut own = lock(&visitor.own[node]);
        let added = match growth {
            Growth::None | Growth::Bytes(_) => needs,
            Growth::Copies => own.bytes.max(COPY_BYTES_MIN),
        };
        own.bytes = own.bytes.saturating_add(added);
        Ok(added)
    }

    /// Asks Redis what the visitor's keys take, and their names.
    async fn measure_keys(&self, visitor: &Visitor, node: usize) -> Result<u64, String> {
        let usage = |key: &[u8]| {
            let key = [key.to_vec(), b"SAMPLES".to_vec(), b"0".to_vec()];
            words(&["MEMORY", "USAGE"], &key)
        };
        let number = |answer: &Answer| match answer.error() {
            None => Ok(answer.text().parse::<u64>().unwrap_or(0)),
            Some(error) => Err(format!("what your keys take cannot be measured: {error}")),
        };
        let set = set_of(&visitor.entry);
        let own = self.ask_at(node, &[usage(set.as_bytes())]).await?;
        let mut sum = own.first().map_or(Ok(0), number)?;
        let mut cursor = b"0".to_vec();
        loop {
            let (next, found) = self.some(visitor, node, cursor, usage).await?;
            for (_, answer) in &found {
                sum += number(answer)?;
            }
            cursor = next;
            if cursor == b"0" {
                let megabytes = u32::try_from(sum >> 20).unwrap_or(u32::MAX);
                self.charge(visitor, PER_MEGABYTE.saturating_mul(megabytes));
                self.charge_names(visitor, node);
                return Ok(sum);
            }
        }
    }

    /// Charges for having gone through a visitor's names.
    fn charge_names(&self, visitor: &Visitor, node: usize) {
        let names = u32::try_from(lock(&visitor.own[node]).noted.len()).unwrap_or(u32::MAX);
        self.charge(visitor, PER_NAME.saturating_mul(names));
    }

    async fn note_names(
        &self,
        visitor: &Visitor,
        node: usize,
        write: &Write,
    ) -> Result<(), String> {
        if write.names.iter().any(|name| name.len() > NAME_BYTES_MAX) {
            return Err(format!("a key's name has at most {NAME_BYTES_MAX} bytes here"));
        }
        let new = {
            let mut own = lock(&visitor.own[node]);
            own.scripts |= write.script && self.scripts.allows_any();
            let hashed = write.names.iter().map(|name| (own.hasher.hash_one(name), name.clone()));
            let hashed: Vec<(u64, Vec<u8>)> = hashed.collect();
            if write.later {
                own.kept.extend(hashed.iter().map(|(hash, _)| *hash));
            }
            let is_new = |(hash, _): &(u64, _)| !own.noted.contains(hash);
            hashed.into_iter().filter(is_new).collect::<Vec<_>>()
        };
        if new.is_empty() {
            return Ok(());
        }
        let count = || lock(&visitor.own[node]).noted.len() + new.len();
        if count() > NAMES_MAX {
            self.prune(visitor, node).await?;
            if count() > NAMES_MAX {
                return Err(format!("you have {NAMES_MAX} keys here: delete some first"));
            }
        }
        let (hashes, names): (Vec<u64>, Vec<Vec<u8>>) = new.into_iter().unzip();
        let set = set_of(&visitor.entry);
        let both =
            [words(&["SADD", VISITORS, &visitor.entry], &[]), words(&["SADD", &set], &names)];
        for answer in self.ask_at(node, &both).await? {
            answer.ok("the key's name cannot be noted")?;
        }
        lock(&visitor.own[node]).noted.extend(hashes);
        Ok(())
    }

    /// Returns the next cursor, and some of the visitor's names, each with the answer to a question
    /// about its key.
    async fn some(
        &self,
        visitor: &Visitor,
        node: usize,
        cursor: Vec<u8>,
        question: impl Fn(&[u8]) -> Vec<Vec<u8>>,
    ) -> Result<(Vec<u8>, Vec<(Vec<u8>, Answer)>), String> {
        let set = set_of(&visitor.entry);
        let answer = self.ask_at(node, &[sscan(&set, cursor)]).await?.pop();
        let answer = answer.ok_or("Redis does not answer")?;
        let (next, names) = answer.scan().ok_or("the keys cannot be listed")?;
        let ask = |name: &Vec<u8>| question(&prefixed(&visitor.prefix, name));
        let asked: Vec<_> = names.iter().map(ask).collect();
        let answers = self.ask_at(node, &asked).await?;
        Ok((next, names.into_iter().zip(answers).collect()))
    }

    /// Forgets names without a key.
    async fn prune(&self, visitor: &Visitor, node: usize) -> Result<(), String> {
        self.charge_names(visitor, node);
        let (set, mut cursor) = (set_of(&visitor.entry), b"0".to_vec());
        loop {
            let (next, names) = self.some(visitor, node, cursor, exists).await?;
            let mut gone: Vec<Vec<u8>> =
                names.into_iter().filter(|(_, is)| !is_there(is)).map(|(name, _)| name).collect();
            {
                let mut own = lock(&visitor.own[node]);
                let own = &mut *own;
                gone.retain(|name| {
                    let hash = own.hasher.hash_one(name);
                    !own.kept.contains(&hash) && own.noted.remove(&hash)
                });
            }
            if !gone.is_empty() {
                self.ask_at(node, &[words(&["SREM", &set], &gone)]).await?;
            }
            cursor = next;
            if cursor == b"0" {
                return Ok(());
            }
        }
    }

    // ---- Orders ---------------------------------------------------------------------------------

    /// Returns the visitor's keys on a node, without prefix; the flag is true if there may be more.
    pub async fn keys(
        &self,
        visitor: &Visitor,
        node: usize,
    ) -> Result<(Vec<String>, bool), String> {
        let _alone = visitor.chores[node].lock().await;
        self.charge_names(visitor, node);
        let mut upstream = match self.is_shared(node) {
            true => None,
            false => Some(self.admin(visitor, node).await?),
        };
        let (mut keys, mut cursor) = (Vec::new(), b"0".to_vec());
        for _ in 0..SCAN_ROUNDS_MAX {
            let (next, found) = match &mut upstream {
                Some(upstream) => scan(upstream, cursor, "").await?,
                None => {
                    let (next, found) = self.some(visitor, node, cursor, exists).await?;
                    let there = found.into_iter().filter(|(_, is)| is_there(is));
                    (next, there.map(|(name, _)| name).collect())
                }
            };
            keys.extend(found.iter().map(|key| text(key)));
            cursor = next;
            if cursor == b"0" || keys.len() >= LISTED_MAX {
                break;
            }
        }
        let more = cursor != b"0" || keys.len() > LISTED_MAX;
        keys.sort_unstable();
        keys.dedup();
        keys.truncate(LISTED_MAX);
        Ok((keys, more))
    }

    /// Removes the visitor's keys from a node.
    pub async fn clean(&self, visitor: &Visitor, node: usize) -> Result<(), String> {
        if let Node::Spawned = self.nodes[node] {
            // A replica's keys are its master's.
            self.promote(visitor, node).await?;
            self.dismiss(visitor, node).await;
        } else if !self.is_shared(node) {
            return Err("the keys are not only yours: remove them by name".into());
        }
        let _alone = visitor.chores[node].lock().await;
        let mut upstream = self.admin(visitor, node).await?;
        if let Node::Spawned = self.nodes[node] {
            return upstream.say(&["FLUSHALL"]).await?.ok("the keys are not removed");
        }
        self.charge_names(visitor, node);
        let outcome = self.sweep(visitor, node, &mut upstream).await;
        lock(&visitor.own[node]).unsure = true;
        outcome
    }

    /// Removes the visitor's keys from a shared server; the names stay noted.
    pub(super) async fn sweep(
        &self,
        visitor: &Visitor,
        node: usize,
        upstream: &mut Upstream,
    ) -> Result<(), String> {
        self.unlink(upstream, &visitor.entry).await?;
        if !lock(&visitor.own[node]).scripts {
            return Ok(());
        }
        let began = Instant::now();
        let mut cursor = b"0".to_vec();
        loop {
            let (next, mut found) = scan(upstream, cursor, &visitor.prefix).await?;
            found.retain(|key| key.starts_with(visitor.prefix.as_bytes()));
            self.unlink_all(upstream, &found).await?;
            cursor = next;
            if cursor == b"0" {
                self.charge(visitor, began.elapsed());
                return Ok(());
            }
        }
    }

    /// Removes the keys whose names are noted; `entry` is `RUN:VISITOR`.
    async fn unlink(&self, upstream: &mut Upstream, entry: &str) -> Result<(), String> {
        let (prefix, set, mut cursor) = (format!("{MARK}:{entry}:"), set_of(entry), b"0".to_vec());
        loop {
            let answer = upstream.ask(&[sscan(&set, cursor)]).await?.pop();
            let found = answer.and_then(|answer| answer.scan());
            let (next, names) = found.ok_or("the keys cannot be listed")?;
            let keys: Vec<_> = names.iter().map(|name| prefixed(&prefix, name)).collect();
            self.unlink_all(upstream, &keys).await?;
            cursor = next;
            if cursor == b"0" {
                return Ok(());
            }
        }
    }

    async fn unlink_all(&self, upstream: &mut Upstream, keys: &[Vec<u8>]) -> Result<(), String> {
        if keys.is_empty() {
            return Ok(());
        }
        let answer = upstream.ask(&[words(&["UNLINK"], keys)]).await?.pop();
        let number = answer.and_then(|answer| answer.text().parse().ok());
        Metrics::add(&self.metrics.keys_cleaned_total, number.unwrap_or(0));
        Ok(())
    }

    /// Removes a visitor's noted keys and their names, for one that has gone.
    pub(super) async fn forget_keys(
        &self,
        upstream: &mut Upstream,
        entry: &str,
    ) -> Result<(), String> {
        self.unlink(upstream, entry).await?;
        upstream.say(&["DEL", &set_of(entry)]).await?.ok("the names stay")?;
        upstream.say(&["SREM", VISITORS, entry]).await?.ok("the visitor's name stays")
    }
}
