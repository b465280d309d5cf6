//! The settings that CONFIG reads and writes.

use ground::sorted::SortedMap;

use super::Config;
use super::notify::NotifyFlags;
use super::value::Limits;
use super::version::Version;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Settings {
    pub version: Version,
    pub limits: Limits,
    pub notify: NotifyFlags,
    pub proto_max_bulk_len: usize,
    /// The most bytes of estimated memory; 0 is no limit.
    pub maxmemory: u64,
    pub maxclients: usize,
    /// The most keys in the table of CLIENT TRACKING; 0 is no limit.
    pub tracking_keys_max: usize,
    pub script_budget: u64,
    pub active_expire: bool,
    /// Parameters that are stored and change nothing.
    pub kept: SortedMap<&'static str, String>,
}

impl Settings {
    pub fn new(config: &Config) -> Settings {
        let mut limits = Limits::default();
        if config.version >= Version::V7_2 {
            limits.set_entries = 128;
        }
        let mut kept = SortedMap::default();
        if config.version.is_valkey() {
            for name in ["lazyfree-lazy-expire", "lazyfree-lazy-user-del"] {
                kept.insert(name, "yes".to_owned());
            }
        }
        Settings {
            version: config.version,
            limits,
            notify: NotifyFlags::default(),
            proto_max_bulk_len: 512 * 1024 * 1024,
            maxmemory: 0,
            maxclients: config.max_clients,
            tracking_keys_max: 1_000_000,
            script_budget: config.script_budget,
            active_expire: true,
            kept,
        }
    }
}
