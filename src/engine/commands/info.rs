//! INFO, with its sections.

use crate::Instance;
use crate::args::is;
use crate::context::{Ctx, Reply};
use crate::version::Version;
use ground::resp::{Bytes, Value};
use ground::sorted::SortedSet;

/// The sections of plain INFO, then the others.
const SECTIONS: &[&str] = &[
    "server",
    "clients",
    "memory",
    "persistence",
    "stats",
    "replication",
    "cpu",
    "modules",
    "errorstats",
    "cluster",
    "keyspace",
    "commandstats",
    "latencystats",
];
const DEFAULT_SECTIONS: usize = 11;

/// Returns what is first in the section on the server.
fn product(version: Version) -> Vec<(&'static str, &'static str)> {
    let compatible = ("redis_version", version.number());
    match version.product() {
        ("valkey", own) => vec![
            compatible,
            ("server_name", "valkey"),
            ("valkey_version", own),
            ("server_mode", "standalone"),
        ],
        _ => vec![compatible, ("redis_mode", "standalone")],
    }
}

pub fn info(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let asked = &argv[1..];
    let wants = |at: usize, name: &str| {
        let by_default = at < DEFAULT_SECTIONS;
        asked.iter().any(|arg| {
            is(arg, name)
                || is(arg, "all")
                || is(arg, "everything")
                || (is(arg, "default") && by_default)
        }) || (asked.is_empty() && by_default)
    };
    cx.visits(cx.inst.kept() as usize)?;
    let mut text = String::new();
    for (at, name) in SECTIONS.iter().enumerate() {
        if wants(at, name) {
            if !text.is_empty() {
                text += "\r\n";
            }
            text += &section(cx, name);
        }
    }
    let text: Bytes = text.as_bytes().into();
    Ok(match cx.resp3() {
        true => Value::Verbatim { format: *b"txt", text },
        false => Value::Bulk(text),
    })
}

fn human(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..1_048_576 => format!("{:.2}K", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.2}M", bytes as f64 / 1_048_576.0),
        _ => format!("{:.2}G", bytes as f64 / 1_073_741_824.0),
    }
}

fn section(cx: &Ctx<'_>, name: &str) -> String {
    let inst = &*cx.inst;
    let title = match name {
        "cpu" => "CPU".to_string(),
        _ => name[..1].to_ascii_uppercase() + &name[1..],
    };
    let mut out = format!("# {title}\r\n");
    let mut put = |key: &str, value: &dyn std::fmt::Display| {
        out += &format!("{key}:{value}\r\n");
    };
    match name {
        "server" => {
            let of = product(inst.settings.version);
            of.into_iter().for_each(|(key, value)| put(key, &value));
            put("os", &"interleave");
            put("arch_bits", &64);
            put("process_id", &1);
            put("run_id", &"0000000000000000000000000000000000000000");
            put("tcp_port", &6379);
            put("server_time_usec", &(cx.now() * 1000));
            put("uptime_in_seconds", &0);
            put("uptime_in_days", &0);
            put("hz", &10);
        }
        "clients" => {
            put("connected_clients", &inst.conns.len());
            put("maxclients", &inst.settings.maxclients);
            put("blocked_clients", &inst.waiting_clients());
            put("tracking_clients", &inst.trackers);
            put("pubsub_clients", &inst.conns.iter().filter(|(_, c)| c.in_pubsub()).count());
        }
        "memory" => {
            let used = inst.used_memory();
            put("used_memory", &used);
            put("used_memory_human", &human(used));
            put("maxmemory", &inst.settings.maxmemory);
            put("maxmemory_human", &human(inst.settings.maxmemory));
            let policy = inst.settings.kept.get("maxmemory-policy");
            put("maxmemory_policy", &policy.map_or("noeviction", |policy| policy));
            put("mem_allocator", &"rust");
        }
        "persistence" => {
            put("loading", &0);
            put("rdb_changes_since_last_save", &inst.dirty);
            put("rdb_bgsave_in_progress", &0);
            put("aof_enabled", &0);
        }
        "stats" => {
            put("total_connections_received", &inst.stats.connections);
            put("total_commands_processed", &inst.stats.commands);
            put("rejected_connections", &inst.stats.rejected_connections);
            put("expired_keys", &inst.stats.expired_keys);
            put("evicted_keys", &inst.stats.evicted_keys);
            put("keyspace_hits", &inst.stats.keyspace_hits);
            put("keyspace_misses", &inst.stats.keyspace_misses);
            let scopes = |scope| inst.pubsub.names(scope).count();
            put("pubsub_channels", &scopes(crate::pubsub::Scope::Channel));
            put("pubsub_patterns", &scopes(crate::pubsub::Scope::Pattern));
            put("pubsubshard_channels", &scopes(crate::pubsub::Scope::Shard));
            put("tracking_total_keys", &inst.tracking.keys());
            put("tracking_total_items", &inst.tracking.items());
            let mut prefixes = SortedSet::default();
            for (_, tracker) in inst.tracking_conns() {
                for prefix in &tracker.prefixes {
                    prefixes.insert(prefix);
                }
            }
            put("tracking_total_prefixes", &prefixes.len());
            put("total_error_replies", &inst.stats.error_replies);
        }
        "replication" => {
            put("role", &"master");
            put("connected_slaves", &0);
            put("master_repl_offset", &0);
        }
        "cpu" => put("used_cpu_user", &"0.000000"),
        "errorstats" => {
            for (kind, count) in &inst.stats.by_error {
                let key = format!("errorstat_{}", String::from_utf8_lossy(kind));
                put(&key, &format!("count={count}"));
            }
        }
        "cluster" => put("cluster_enabled", &0),
        "keyspace" => keyspace(inst, cx.now(), &mut put),
        "commandstats" => {
            for (index, stats) in &inst.stats.by_command {
                let name = crate::commands()[usize::from(*index)].name;
                let calls = stats.calls;
                // DIFFERENCE: there is no clock, so commands take no time.
                let value = format!(
                    "calls={calls},usec=0,usec_per_call=0.00,rejected_calls={},failed_calls={}",
                    stats.rejected, stats.failed
                );
                put(&format!("cmdstat_{name}"), &value);
            }
        }
        _ => {}
    }
    out
}

fn keyspace(inst: &Instance, now: u64, put: &mut dyn FnMut(&str, &dyn std::fmt::Display)) {
    for (index, db) in inst.dbs.iter().enumerate().filter(|(_, db)| !db.is_empty()) {
        let value =
            format!("keys={},expires={},avg_ttl={}", db.len(), db.expiring(), db.mean_ttl(now));
        put(&format!("db{index}"), &value);
    }
}
