//! The policy for a visitor: the commands allowed, as Redis's ACL rules, and the keys visible.
//!
//! One list of rules has two uses. The proxy checks every command with it before sending, so that a
//! refusal can say why. And if the server lets us create users, the same answers become a user for
//! the visitor ([`Policy::acl`]), command by command from `-@all`, so that commands of a script,
//! which the proxy does not read, are held to them too.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use engine::{Command, commands, lookup};

/// Commands that no policy allows: each would affect others than the visitor, or break the relay.
const NEVER: &[(&str, &str)] = &[
    ("acl", "users are the operator's"),
    ("asking", "the proxy knows no cluster"),
    ("auth", "the proxy logs in for you"),
    ("bgrewriteaof", "it writes the server's files"),
    ("bgsave", "it writes the server's files"),
    ("client|kill", "it reaches other connections"),
    ("client|no-evict", "it reaches beyond your keys"),
    ("client|pause", "it stops every client of the server: use the fault \"pause\""),
    ("client|reply", "without replies nobody knows which command one belongs to"),
    ("client|unpause", "it reaches other clients"),
    ("cluster", "the proxy knows no cluster"),
    ("config|resetstat", "it changes the server"),
    ("config|rewrite", "it writes the server's files"),
    ("config|set", "it changes the server for everybody"),
    ("debug", "it can stop or crash the server"),
    ("failover", "it changes the server for everybody"),
    ("flushall", "it deletes everybody's keys: FLUSHDB is yours on a throw-away server"),
    ("latency", "it is about the whole server"),
    ("migrate", "it connects the server to another"),
    ("module", "it loads code into the server"),
    ("monitor", "it shows everybody's commands"),
    ("pfdebug", "it is for Redis's own tests"),
    ("pfselftest", "it is for Redis's own tests"),
    ("psync", "it makes a replica of this connection"),
    ("replconf", "it makes a replica of this connection"),
    ("replicaof", "it connects the server to another"),
    ("reset", "it would log out: open a new connection instead"),
    ("restore", "a made-up payload can crash the server"),
    ("restore-asking", "a made-up payload can crash the server"),
    ("save", "it writes the server's files"),
    ("script|debug", "it stops the server between the lines of a script"),
    ("shutdown", "it ends the server: use the fault \"down\""),
    ("slaveof", "it connects the server to another"),
    ("slowlog", "it shows everybody's commands"),
    ("swapdb", "it exchanges everybody's databases"),
    ("sync", "it makes a replica of this connection"),
];

/// Exceptions from the above: these report something and change nothing.
const YET: &[&str] = &["acl|cat", "acl|help", "acl|whoami", "acl|genpass"];

/// Commands that would reach the keys of other users where a prefix tells keys apart, or whose keys
/// could not be rewritten for certain.
const NOT_SHARED: &[(&str, &str)] = &[
    ("client|list", "it shows everybody's connections"),
    ("client|tracking", "the proxy cannot tell whose keys it would announce"),
    ("client|unblock", "it reaches other connections"),
    ("copy", "it may copy into another database"),
    ("dbsize", "it counts everybody's keys"),
    ("fcall", "functions belong to the whole server"),
    ("fcall_ro", "functions belong to the whole server"),
    ("flushdb", "it deletes everybody's keys"),
    ("function", "functions belong to the whole server"),
    ("georadius", "where its STORE points cannot be told for certain: use GEOSEARCHSTORE"),
    ("georadiusbymember", "where its STORE points cannot be told for certain: use GEOSEARCHSTORE"),
    ("info", "it is about the whole server"),
    ("keys", "it goes through everybody's keys"),
    ("lcs", "its time grows with the product of both lengths, and others wait for it"),
    ("memory", "it is about the whole server"),
    ("move", "it changes the database"),
    ("psubscribe", "a pattern may match everybody's channels: SUBSCRIBE to their names"),
    ("pubsub", "it shows everybody's channels"),
    ("punsubscribe", "a pattern may match everybody's channels"),
    ("randomkey", "it picks among everybody's keys"),
    ("scan", "it goes through everybody's keys"),
    ("script|flush", "scripts belong to the whole server"),
    ("script|kill", "it may stop somebody else's script"),
    ("select", "your keys are in one database"),
    ("sort", "its BY, GET and STORE name keys in patterns"),
    ("sort_ro", "its BY and GET name keys in patterns"),
];

/// Commands that harm all, where keys are plain: most empty what is everybody's. A
/// key is deleted by its name.
const NOT_PLAIN: &[(&str, &str)] = &[
    ("flushdb", "it deletes everybody's keys"),
    ("lcs", "its time grows with the product of both lengths, and others wait for it"),
    ("function|delete", "functions belong to the whole server"),
    ("function|flush", "functions belong to the whole server"),
    ("function|restore", "functions belong to the whole server"),
    ("script|flush", "scripts belong to the whole server"),
];

/// Commands that reveal the operator's secrets: only for the visitor's own servers.
const ONLY_OWN: &[(&str, &str)] = &[("config|get", "it shows the operator's settings")];

/// Commands that need a user of the visitor's own on the server: the proxy does not read scripts.
const NEEDS_USER: &[&str] =
    &["eval", "eval_ro", "evalsha", "evalsha_ro", "fcall", "fcall_ro", "function"];

const LESSONS: &[&str] = &[
    "+@all",
    "-@admin",
    "-@dangerous",
    "+config|get",
    "+flushdb",
    "+info",
    "+keys",
    "+role",
    "+client|list",
    "+client|unblock",
    "+sort",
    "+sort_ro",
];
const OPEN: &[&str] = &["+@all"];

/// The keys that a visitor sees on a shared server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// Only the visitor's own, behind a prefix that is hidden from them.
    Visitor,
    /// All keys, under their real names.
    Plain,
}

/// How a connection is confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// The server is the visitor's own.
    Own,
    /// Keys and channels have the visitor's prefix; `user` is true if the server's user for the
    /// visitor enforces it too.
    Prefix { user: bool },
    /// Keys are plain.
    Plain { user: bool },
}

#[derive(Debug, Clone)]
pub struct Policy {
    pub name: String,
    pub keys: Keys,
    rules: Vec<String>,
}

/// A policy's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default = "visitor")]
    keys: Keys,
}

fn visitor() -> Keys {
    Keys::Visitor
}

impl Policy {
    /// Returns the policy called `lessons` or `open`, or that of a file.
    pub fn named(name: &str) -> Result<Self, String> {
        let built = |rules: &[&str], keys| Policy {
            name: name.to_owned(),
            keys,
            rules: rules.iter().map(|rule| (*rule).to_owned()).collect(),
        };
        match name {
            "lessons" => Ok(built(LESSONS, Keys::Visitor)),
            "open" => Ok(built(OPEN, Keys::Plain)),
            path => {
                let text = std::fs::read_to_string(Path::new(path)).map_err(|error| {
                    format!("--policy {path} is neither lessons nor open, and as a file: {error}")
                })?;
                Self::read(path, &text)
            }
        }
    }

    /// Parses a policy from a file's text.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
        let mut rules: Vec<String> = Vec::new();
        for rule in file.commands {
            match rule.as_str() {
                "lessons" => rules.extend(LESSONS.iter().map(|rule| (*rule).to_owned())),
                _ => {
                    known(&rule).map_err(|what| format!("{name}: {rule:?}: {what}"))?;
                    rules.push(rule.to_ascii_lowercase());
                }
            }
        }
        Ok(Policy { name: name.to_owned(), keys: file.keys, rules })
    }

    /// Returns the reason why `command` is refused; `None` if it may pass.
    pub fn refuses(&self, command: &Command, ground: Ground) -> Option<String> {
        let shown = command.name.replace('|', " ").to_ascii_uppercase();
        let listed = |list: &[(&str, &'static str)]| {
            list.iter().find(|(name, _)| covers(name, command)).map(|(_, why)| *why)
        };
        if !YET.contains(&command.name)
            && let Some(why) = listed(NEVER)
        {
            return Some(format!("{shown} is never allowed: {why}"));
        }
        if let Ground::Prefix { .. } = ground
            && let Some(why) = listed(NOT_SHARED)
        {
            return Some(format!("{shown} is not allowed on a shared server: {why}"));
        }
        if let Ground::Plain { .. } = ground
            && let Some(why) = listed(NOT_PLAIN)
        {
            return Some(format!("{shown} is not allowed on a shared server: {why}"));
        }
        if ground != Ground::Own
            && let Some(why) = listed(ONLY_OWN)
        {
            return Some(format!("{shown} is not allowed on a shared server: {why}"));
        }
        if matches!(ground, Ground::Prefix { user: false } | Ground::Plain { user: false })
            && NEEDS_USER.iter().any(|name| covers(name, command))
        {
            let what = "the server does not let the proxy make a user for you (ACL SETUSER), which \
                        alone can hold a script to your keys and commands";
            return Some(format!("{shown} is not allowed here: {what}"));
        }
        match self.allows(command) {
            true => None,
            false => Some(format!("{shown} is not allowed by the policy {}", self.name)),
        }
    }

    /// Applies the rules alone: the last one about the command decides.
    fn allows(&self, command: &Command) -> bool {
        let speaks = |what: &str| match what.strip_prefix('@') {
            Some("all") => true,
            Some(_) => command.categories.contains(&what),
            None => covers(what, command),
        };
        let last = self.rules.iter().rev().find(|rule| rule.get(1..).is_some_and(speaks));
        last.is_some_and(|rule| rule.starts_with('+'))
    }

    /// Returns the rules for ACL SETUSER, without name and password. `prefix` confines keys and
    /// channels; `exists` returns true if the server knows a command.
    pub fn acl(
        &self,
        ground: Ground,
        prefix: Option<&str>,
        exists: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let within = prefix.unwrap_or_default();
        let mut rules = vec![format!("~{within}*"), format!("&{within}*"), "-@all".to_owned()];
        let passes = |command: &Command| self.refuses(command, ground).is_none();
        for command in commands().iter().filter(|command| !command.is_sub) {
            if !exists(command.name) {
                continue;
            }
            let whole = passes(command);
            if !command.is_container {
                if whole {
                    rules.push(format!("+{}", command.name));
                }
                continue;
            }
            let allowed: Vec<&Command> = command.subcommands().filter(|sub| passes(sub)).collect();
            if allowed.len() == command.subcommands().count() && whole {
                rules.push(format!("+{}", command.name));
            } else {
                rules.extend(allowed.iter().map(|sub| format!("+{}", sub.name)));
            }
        }
        // The login itself, and what the handshake of client libraries needs.
        rules.extend(["+auth".to_owned(), "+hello".to_owned()]);
        rules
    }
}

/// Returns true if `command` has this name, or is a subcommand of it.
fn covers(name: &str, command: &Command) -> bool {
    let rest = command.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('|'))
}

/// Checks that the command table can decide this rule.
fn known(rule: &str) -> Result<(), String> {
    let lower = rule.to_ascii_lowercase();
    let Some(what) = lower.strip_prefix(['+', '-']) else {
        return Err(
            "a rule is + or - with a command, as in +keys or -config|set, or a @category; \
                    or it is the word lessons"
                .into(),
        );
    };
    let found = match what.strip_prefix('@') {
        Some("all") => true,
        Some(_) => commands().iter().any(|command| command.categories.contains(&what)),
        None => lookup(what.as_bytes()).is_some(),
    };
    if found { Ok(()) } else { Err(format!("there is no {what}")) }
}

/// Returns the row of the command; an error says why there is none.
pub fn resolve(argv: &[&[u8]]) -> Result<&'static Command, String> {
    let name = argv.first().copied().unwrap_or_default();
    let shown = |words: &[&[u8]]| {
        let mut out = String::new();
        for word in words {
            let word = String::from_utf8_lossy(&word[..word.len().min(32)]).into_owned();
            let _ = write!(out, "{}{word}", if out.is_empty() { "" } else { " " });
        }
        out
    };
    // A name with a bar is no way around the container's row.
    let command = match name.contains(&b'|') {
        true => None,
        false => lookup(name),
    };
    let Some(command) = command else {
        return Err(format!("{:?} is no command that the proxy knows", shown(&argv[..1])));
    };
    match argv.get(1) {
        Some(sub) if command.is_container => lookup(&[command.name.as_bytes(), b"|", sub].concat())
            .ok_or_else(|| format!("{:?} is no command that the proxy knows", shown(&argv[..2]))),
        _ => Ok(command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(policy: &Policy, line: &str, ground: Ground) -> Option<String> {
        let argv: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
        match resolve(&argv) {
            Ok(command) => policy.refuses(command, ground),
            Err(why) => Some(why),
        }
    }

    const GROUNDS: [Ground; 5] = [
        Ground::Own,
        Ground::Prefix { user: true },
        Ground::Prefix { user: false },
        Ground::Plain { user: true },
        Ground::Plain { user: false },
    ];

    #[test]
    fn what_is_dangerous_is_refused_on_every_ground_by_every_policy() {
        for policy in ["lessons", "open"].map(|name| Policy::named(name).unwrap()) {
            for ground in GROUNDS {
                for line in [
                    "CONFIG SET maxmemory 1",
                    "shutdown",
                    "DEBUG SLEEP 1",
                    "FlushAll",
                    "MONITOR",
                    "REPLICAOF a 1",
                    "slaveof no one",
                    "MODULE LOAD x",
                    "ACL SETUSER x",
                    "SYNC",
                    "PSYNC ? -1",
                    "MIGRATE h 1 k 0 1",
                    "CLIENT REPLY OFF",
                    "CLIENT KILL x",
                    "RESET",
                    "AUTH x",
                    "SWAPDB 0 1",
                    "SAVE",
                    "BGSAVE",
                    "CLUSTER INFO",
                    "CONFIG",
                    "SCRIPT DEBUG YES",
                    "config|get x",
                    "ACL LIST",
                    "NOSUCH",
                    "CONFIG NOSUCH",
                ] {
                    let refused = why(&policy, line, ground).is_some();
                    // Bare containers do nothing but complain.
                    assert!(refused || line == "CONFIG", "{} {ground:?}: {line}", policy.name);
                }
                for line in ["GET x", "MULTI", "ACL WHOAMI", "HELLO 3", "COMMAND COUNT", "PING"] {
                    assert_eq!(why(&policy, line, ground), None, "{} {ground:?}", policy.name);
                }
            }
        }
    }

    #[test]
    fn keys_of_others_stay_out_of_sight() {
        let policy = Policy::named("lessons").unwrap();
        for line in ["KEYS *", "SCAN 0", "FLUSHDB", "SELECT 1", "INFO", "FUNCTION LIST", "SORT x"] {
            assert_eq!(why(&policy, line, Ground::Own), None, "{line}");
            let refused = why(&policy, line, Ground::Prefix { user: true });
            assert!(refused.unwrap().contains("on a shared server"), "{line}");
        }
        assert_eq!(why(&policy, "EVAL x 0", Ground::Prefix { user: true }), None);
        let refused = why(&policy, "EVAL x 0", Ground::Prefix { user: false });
        assert!(refused.unwrap().contains("ACL SETUSER"));
    }

    #[test]
    fn an_open_policy_lets_nobody_empty_what_is_everybodys() {
        let policy = Policy::named("open").unwrap();
        for line in
            ["FLUSHDB", "FLUSHDB ASYNC", "FUNCTION FLUSH", "FUNCTION DELETE x", "SCRIPT FLUSH"]
        {
            let refused = why(&policy, line, Ground::Plain { user: true });
            assert!(refused.unwrap().contains("on a shared server"), "{line}");
            assert_eq!(why(&policy, line, Ground::Own), None, "{line}");
        }
        for line in ["DEL x", "SELECT 5", "KEYS *", "SCRIPT LOAD x"] {
            assert_eq!(why(&policy, line, Ground::Plain { user: true }), None, "{line}");
        }
    }

    #[test]
    fn a_file_has_the_last_word_but_for_what_is_never_allowed() {
        let text = r#"commands = ["lessons", "-@scripting", "+eval", "+SHUTDOWN"]"#;
        let policy = Policy::read("x", text).unwrap();
        assert_eq!(policy.keys, Keys::Visitor);
        assert_eq!(why(&policy, "EVAL x 0", Ground::Own), None);
        assert!(why(&policy, "EVALSHA x 0", Ground::Own).unwrap().contains("the policy x"));
        assert!(why(&policy, "SHUTDOWN", Ground::Own).unwrap().contains("never"));
        for (text, what) in [
            (r#"commands = ["get"]"#, "a rule is + or -"),
            (r#"commands = ["+nosuch"]"#, "there is no nosuch"),
            (r#"commands = ["+@nosuch"]"#, "there is no @nosuch"),
            (r#"rules = []"#, "unknown field"),
            (r#"keys = "mine""#, "unknown variant"),
        ] {
            let error = Policy::read("x", text).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }

    #[test]
    fn the_server_is_told_the_same() {
        let policy = Policy::named("lessons").unwrap();
        let acl = policy.acl(Ground::Prefix { user: true }, Some("il:x:"), |_| true);
        let has = |rule: &str| acl.iter().any(|have| have == rule);
        assert!(has("~il:x:*") && has("&il:x:*") && has("-@all") && has("+get") && has("+eval"));
        assert!(has("+client|setname") && has("+script|load"));
        for absent in ["+client", "+script", "+keys", "+scan", "+config|set", "+acl", "+select"] {
            assert!(!has(absent), "{absent}");
        }
        let own = policy.acl(Ground::Own, None, |name| name != "get");
        assert!(own.contains(&"~*".into()) && own.contains(&"+keys".into()));
        assert!(!own.contains(&"+get".into()));
    }
}
