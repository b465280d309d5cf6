//! Ready-made conditions that fit every lock or queue, by name: `ready = "mutual-exclusion"` in a
//! scenario folder, and in the playground's list. Each is an ordinary condition with placeholders
//! for a global and a key.

use super::property::Kind;

/// A condition with placeholders for names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    pub name: &'static str,
    pub kind: Kind,
    /// `{of}` is a global of the programs, `{key}` a key.
    check: &'static str,
    /// The default global.
    of: &'static str,
    /// The default key; empty if there is no key in it.
    key: &'static str,
}

/// All ready-made conditions.
pub const READY: [Ready; 5] = [
    Ready {
        name: "mutual-exclusion",
        kind: Kind::Always,
        check: "count(\"{of}\") <= 1",
        of: "holding",
        key: "",
    },
    Ready {
        name: "no-lost-update",
        kind: Kind::Always,
        check: "not all_over() or (number(\"{key}\") or 0) == sum(\"{of}\")",
        of: "added",
        key: "counter",
    },
    Ready {
        name: "at-most-once",
        kind: Kind::Always,
        check: "sum(\"{of}\") <= 1",
        of: "processed",
        key: "",
    },
    Ready {
        name: "not-lost",
        kind: Kind::Eventually,
        check: "sum(\"{of}\") >= 1",
        of: "processed",
        key: "",
    },
    // A client says in `me` what it wrote into the lock, and in the other global what it removed.
    Ready {
        name: "frees-only-its-own",
        kind: Kind::Always,
        check: "(function()\n  for client, value in pairs(each(\"{of}\")) do\n    if value and \
                value ~= global(client, \"me\") then return false end\n  end\n  return true\n\
                end)()",
        of: "removed",
        key: "",
    },
];

impl Ready {
    pub fn named(name: &str) -> Option<&'static Ready> {
        READY.iter().find(|ready| ready.name == name)
    }

    /// Returns the condition for this global and key, or for the defaults. `None` if a name cannot
    /// stand in quotation marks.
    pub fn check(&self, of: Option<&str>, key: Option<&str>) -> Option<String> {
        let (of, key) = (of.unwrap_or(self.of), key.unwrap_or(self.key));
        let is_plain = |name: &str| !name.contains(['"', '\'', '\\', '\n', '{']);
        let check = self.check.replace("{of}", of).replace("{key}", key);
        (is_plain(of) && is_plain(key)).then_some(check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Property;

    #[test]
    fn each_is_a_condition_about_the_names_given() {
        for ready in &READY {
            let check = ready.check(Some("sold"), Some("stock")).expect("plain names");
            let property = Property::new(ready.kind, &check, ready.name).expect("it compiles");
            assert!(property.names().contains(&"sold".to_owned()), "{check}");
            assert!(ready.check(Some("a\" or \""), None).is_none());
        }
        let exclusion = Ready::named("mutual-exclusion").and_then(|ready| ready.check(None, None));
        assert_eq!(exclusion.as_deref(), Some("count(\"holding\") <= 1"));
    }
}
