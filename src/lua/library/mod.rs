//! The library: tables of functions, one file each.
//!
//! A function reads its [`Args`](super::call::Args), pushes its results and returns their number. A
//! function that calls back pushes a frame instead; its continuation is in the same file.

pub(super) mod args;
pub(super) mod base;
pub(super) mod bit;
pub(super) mod cjson;
pub(super) mod cmsgpack;
pub(super) mod coroutine;
pub(super) mod format;
pub(super) mod gsub;
pub(super) mod guard;
mod json_read;
pub(super) mod math;
pub(super) mod pattern;
pub(super) mod redis;
pub(super) mod sort;
pub(super) mod string;
pub(super) mod structs;
pub(super) mod table;

use super::call::Native;
use super::table::Table;
use super::value::{NativeId, Str, Value};

pub(super) use math::RANDOM_START;

/// A named table of functions; the name of the globals is empty.
pub(super) struct Library {
    pub name: &'static str,
    pub functions: &'static [(&'static str, Native)],
    /// True if only Redis scripts have it.
    pub script_only: bool,
}

/// All libraries. A function is identified by its position here, so new ones go to the end.
pub(super) const LIBRARIES: &[Library] = &[
    Library { name: "", functions: base::FUNCTIONS, script_only: false },
    Library { name: "string", functions: string::FUNCTIONS, script_only: false },
    Library { name: "table", functions: table::FUNCTIONS, script_only: false },
    Library { name: "math", functions: math::FUNCTIONS, script_only: false },
    Library { name: "coroutine", functions: coroutine::FUNCTIONS, script_only: false },
    Library { name: "redis", functions: redis::FUNCTIONS, script_only: true },
    Library { name: "cjson", functions: cjson::FUNCTIONS, script_only: true },
    Library { name: "cmsgpack", functions: cmsgpack::FUNCTIONS, script_only: true },
    Library { name: "struct", functions: structs::FUNCTIONS, script_only: true },
    Library { name: "bit", functions: bit::FUNCTIONS, script_only: true },
];

/// Functions without a name, which only other functions return.
pub(super) const HIDDEN: &[(&str, Native)] = &[
    ("ipairs iterator", base::ipairs_next),
    ("__index of a script's globals", base::no_such_global),
];
pub(super) const IPAIRS_NEXT: NativeId = NativeId(0xff00);
pub(super) const NO_SUCH_GLOBAL: NativeId = NativeId(0xff01);

/// The globals that Redis removes.
pub(super) const SCRIPT_LACKS: &[&str] = &["getfenv", "setfenv"];

/// Returns the code of a library function.
pub(super) fn native(id: NativeId) -> Native {
    let (library, row) = (usize::from(id.0 >> 8), usize::from(id.0 & 0xff));
    match LIBRARIES.get(library) {
        Some(library) => library.functions[row].1,
        None => HIDDEN[row].1,
    }
}

/// Adds to a library its constants, and Lua 5.0's names for some of its functions.
pub(super) fn constants(library: &str, table: &mut Table) {
    let alias = |table: &mut Table, old: &str, name: &str| {
        let key = Str::new(name.as_bytes());
        let function = table.get_str(&key).cloned().unwrap_or_default();
        put(table, old, function);
    };
    match library {
        "math" => {
            math::constants(table);
            alias(table, "mod", "fmod");
        }
        "string" => alias(table, "gfind", "gmatch"),
        "redis" => redis::constants(table),
        "cjson" => cjson::constants(table),
        "cmsgpack" => cmsgpack::constants(table),
        _ => {}
    }
}

/// Adds a named value to a library.
pub(super) fn put(table: &mut Table, name: &str, value: Value) {
    let key = Value::str(name.as_bytes());
    table.set(super::table::Key { value: &key, identity: 0 }, value);
}
