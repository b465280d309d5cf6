//! Which server the engine answers as.

/// Redis 7.0.15 unless told otherwise. What a version does not know, it refuses as unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Version {
    #[default]
    V7_0,
    V7_2,
    /// Valkey 8 left Redis after 7.2: it knows neither HEXPIRE nor DELEX.
    Valkey8,
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
            "valkey8" | "valkey-8" | "valkey" => Version::Valkey8,
            _ => return None,
        })
    }

    /// As INFO and HELLO give it.
    pub fn number(self) -> &'static str {
        match self {
            Version::V7_0 => "7.0.15",
            // Valkey tells clients the last Redis version it is compatible with.
            Version::V7_2 | Version::Valkey8 => "7.2.4",
            Version::V7_4 => "7.4.0",
            Version::V8_0 => "8.0.0",
            Version::V8_4 => "8.4.0",
        }
    }

    fn level(self) -> (u8, u8) {
        match self {
            Version::V7_0 => (7, 0),
            Version::V7_2 | Version::Valkey8 => (7, 2),
            Version::V7_4 => (7, 4),
            Version::V8_0 => (8, 0),
            Version::V8_4 => (8, 4),
        }
    }

    /// Whether a command that came with version `since` exists.
    pub fn has(self, since: &str) -> bool {
        let mut parts = since.split('.').map(|part| part.parse().unwrap_or(0));
        let wanted = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
        wanted <= self.level()
    }
}
