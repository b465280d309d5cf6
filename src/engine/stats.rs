//! Counters for INFO. They are no part of an instance's state, see `Unobserved`.

use ground::resp::Bytes;

#[derive(Debug, Clone, Default)]
pub struct Stats {
    pub commands: u64,
    /// The work so far, in VM instructions; see [`super::Instance::work`].
    pub work: u64,
    pub connections: u64,
    pub rejected_connections: u64,
    pub expired_keys: u64,
    pub evicted_keys: u64,
    pub keyspace_hits: u64,
    pub keyspace_misses: u64,
    pub error_replies: u64,
    /// Statistics by index in the command table, sorted; only commands that have been called.
    pub by_command: Vec<(u16, CommandStats)>,
    /// Counts by the first word of the error, in order of appearance.
    pub by_error: Vec<(Bytes, u64)>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct CommandStats {
    pub calls: u64,
    pub rejected: u64,
    pub failed: u64,
}

impl Stats {
    pub fn command(&mut self, index: u16) -> &mut CommandStats {
        let at = match self.by_command.binary_search_by_key(&index, |(i, _)| *i) {
            Ok(at) => at,
            Err(at) => {
                self.by_command.insert(at, (index, CommandStats::default()));
                at
            }
        };
        &mut self.by_command[at].1
    }

    pub fn error(&mut self, text: &[u8]) {
        self.error_replies += 1;
        let word = text.split(|b| *b == b' ').next().unwrap_or_default();
        let kinds = self.by_error.len();
        match self.by_error.iter_mut().find(|(name, _)| **name == *word) {
            Some((_, count)) => *count += 1,
            // Redis stops tracking at 128 kinds.
            None if kinds < 128 => self.by_error.push((word.into(), 1)),
            None => {}
        }
    }
}
