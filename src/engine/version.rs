//! The server version that the engine imitates.
//!
//! To add a version, add a variant to [`Version`] with its arms here, and its name to the usage
//! text of `resp` (src/server/options.rs). The rows' `since` says which commands it has.

/// A server version, by default Redis 7.0.15. Commands that a version lacks are refused as unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Version {
    #[default]
    V7_0,
    V7_2,
    /// Valkey forked from Redis after 7.2: 8 (8.1) has neither HEXPIRE nor DELEX, but SET with
    /// IFEQ.
    Valkey8,
    /// Valkey 9 adds the HEXPIRE family and DELIFEQ.
    Valkey9,
    V7_4,
    V8_0,
    V8_4,
}

impl Version {
    pub fn parse(text: &str) -> Option<Version> {
        Some(match text {
            "7.0" | "7.0.15" => Version::V7_0,
            "7.2" | "7.2.0" => Version::V7_2,
            "7.4" | "7.4.0" => Version::V7_4,
            "8.0" | "8.0.0" => Version::V8_0,
            "8.4" | "8.4.0" => Version::V8_4,
            "valkey8" | "valkey-8" => Version::Valkey8,
            "valkey9" | "valkey-9" | "valkey" => Version::Valkey9,
            _ => return None,
        })
    }

    /// Returns the version number as in INFO and HELLO.
    pub fn number(self) -> &'static str {
        match self {
            Version::V7_0 => "7.0.15",
            // Valkey tells clients the last Redis version it is compatible with.
            Version::V7_2 | Version::Valkey8 | Version::Valkey9 => "7.2.4",
            Version::V7_4 => "7.4.0",
            Version::V8_0 => "8.0.0",
            Version::V8_4 => "8.4.0",
        }
    }

    /// Returns the number within its own project.
    fn level(self) -> Level {
        match self {
            Version::V7_0 => (7, 0),
            Version::V7_2 => (7, 2),
            Version::V7_4 => (7, 4),
            Version::V8_0 => (8, 0),
            Version::V8_4 => (8, 4),
            Version::Valkey8 => (8, 1),
            Version::Valkey9 => (9, 0),
        }
    }

    fn is_valkey(self) -> bool {
        matches!(self, Version::Valkey8 | Version::Valkey9)
    }

    /// Returns true if this version has what came with `since`.
    pub fn has(self, since: Since) -> bool {
        let level = if self.is_valkey() { since.valkey } else { since.redis };
        level.is_some_and(|level| level <= self.level())
    }
}

/// Major and minor number.
type Level = (u8, u8);

/// The level at which Valkey forked: it has everything of Redis 7.2.
const SHARED: Level = (7, 2);

/// The first version of Redis that has a command, and the first of Valkey, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Since {
    redis: Option<Level>,
    valkey: Option<Level>,
    text: &'static str,
}

impl Since {
    /// Parses `7.4.0` for Redis alone (unless Valkey began with it), `7.4.0/9.0.0` for both,
    /// `/9.0.0` for Valkey alone.
    pub const fn new(text: &'static str) -> Since {
        let bytes = text.as_bytes();
        let mut slash = 0;
        while slash < bytes.len() && bytes[slash] != b'/' {
            slash += 1;
        }
        let redis = level_at(bytes, 0);
        let valkey = match redis {
            _ if slash < bytes.len() => level_at(bytes, slash + 1),
            Some((major, minor)) if major < SHARED.0 || minor <= SHARED.1 && major == SHARED.0 => {
                redis
            }
            _ => None,
        };
        Since { redis, valkey, text }
    }

    /// Returns the version number that COMMAND DOCS of `version` shows.
    pub fn text(&self, version: Version) -> &'static str {
        let (redis, valkey) = self.text.split_once('/').unwrap_or((self.text, self.text));
        if version.is_valkey() { valkey } else { redis }
    }
}

/// Parses `major.minor` from there on; the numbers are single digits.
const fn level_at(text: &[u8], at: usize) -> Option<Level> {
    if at + 2 < text.len() && text[at].is_ascii_digit() && text[at + 2].is_ascii_digit() {
        return Some((text[at] - b'0', text[at + 2] - b'0'));
    }
    None
}
