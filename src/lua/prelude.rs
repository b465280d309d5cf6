//! The library that every program starts with: built once per profile and thread, then shared.

use std::cell::RefCell;
use std::rc::Rc;

use super::library::{self, LIBRARIES, Library};
use super::state::{EVENTS, Event, GLOBALS, STRING_META};
use super::table::{Key, Table};
use super::value::{NativeId, Str, TableId, Value};
use super::{Profile, ProfileKind};

/// The initial contents of a new program.
#[derive(Debug)]
pub(super) struct Prelude {
    pub profile: &'static Profile,
    /// The arena of tables: globals, the strings' metatable, libraries.
    pub tables: Vec<Rc<Table>>,
    events: Vec<Str>,
    /// The name "__index", the most frequent event.
    pub index: Str,
    /// The function `next`, which `pairs` returns even if the global was changed.
    pub next: Value,
    /// `cjson`'s settings.
    pub json: Rc<library::cjson::Config>,
}

impl Prelude {
    pub fn event(&self, event: Event) -> &Str {
        &self.events[event as usize]
    }

    /// Returns true if `table`, at `id`, is still as it was at the start.
    pub fn holds(&self, id: usize, table: &Rc<Table>) -> bool {
        self.tables.get(id).is_some_and(|original| Rc::ptr_eq(original, table))
    }
}

/// The preludes built so far.
type Built = RefCell<Vec<Rc<Prelude>>>;

thread_local! {
    static BUILT: Built = const { RefCell::new(Vec::new()) };
}

/// The prelude of `profile`.
pub(super) fn prelude(profile: &'static Profile) -> Rc<Prelude> {
    BUILT.with_borrow_mut(|built| {
        let is_it = |p: &Profile| std::ptr::eq(p, profile) || *p == *profile;
        match built.iter().find(|prelude| is_it(prelude.profile)) {
            Some(prelude) => prelude.clone(),
            None => {
                let prelude = Rc::new(build(profile));
                built.push(prelude.clone());
                prelude
            }
        }
    })
}

fn put(table: &mut Table, name: &str, value: Value) {
    let key = Value::str(name.as_bytes());
    table.set(Key { value: &key, identity: 0 }, value);
}

fn build(profile: &'static Profile) -> Prelude {
    let mut globals = Table::default();
    let mut tables = vec![Rc::new(Table::default()), Rc::new(Table::default())];
    let script = profile.kind == ProfileKind::Script;
    for (at, library) in LIBRARIES.iter().enumerate().filter(|(_, l)| script || !l.script_only) {
        let mut rows = fill(at, library, script);
        if library.name.is_empty() {
            for node in rows.nodes.iter().filter(|node| !node.value.is_nil()) {
                globals.set(node.as_key(), node.value.clone());
            }
            continue;
        }
        library::constants(library.name, &mut rows);
        put(&mut globals, library.name, Value::Table(tables.len() as TableId));
        tables.push(Rc::new(rows));
    }
    for (index, path) in profile.host.iter().enumerate() {
        if path.starts_with(':') {
            continue;
        }
        let (path, host) = match path.strip_suffix("[]") {
            Some(name) => (name, Value::Object(index as u16)),
            None => (path.strip_suffix("()").unwrap_or(path), Value::Host(index as u16)),
        };
        match path.split_once('.') {
            None => put(&mut globals, path, host),
            Some((library, name)) => {
                let key = Str::new(library.as_bytes());
                let id = match globals.get_str(&key) {
                    Some(Value::Table(id)) => *id as usize,
                    _ => {
                        put(&mut globals, library, Value::Table(tables.len() as TableId));
                        tables.push(Rc::new(Table::default()));
                        tables.len() - 1
                    }
                };
                put(Rc::make_mut(&mut tables[id]), name, host);
            }
        }
    }
    let next = globals.get_str(&Str::new(b"next")).cloned().unwrap_or_default();
    put(&mut globals, "_G", Value::Table(GLOBALS));
    put(&mut globals, "_VERSION", Value::str(b"Lua 5.1"));
    if let Some(Value::Table(string)) = globals.get_str(&Str::new(b"string")) {
        put(Rc::make_mut(&mut tables[STRING_META as usize]), "__index", Value::Table(*string));
    }
    let mut shell = Table::default();
    shell.base = Some(Rc::new(globals));
    if script {
        // Redis protects its globals and libraries, and answers for names that are not there.
        let mut meta = Table::default();
        put(&mut meta, "__index", Value::Native(library::NO_SUCH_GLOBAL));
        tables.push(Rc::new(meta));
        shell.meta = tables.len() as TableId - 1;
        for table in &mut tables {
            Rc::make_mut(table).read_only = true;
        }
        shell.read_only = true;
    }
    tables[GLOBALS as usize] = Rc::new(shell);
    let events = EVENTS.iter().map(|name| Str::new(name.as_bytes())).collect();
    Prelude { profile, tables, events, index: Str::new(b"__index"), next, json: Rc::default() }
}

fn fill(at: usize, library: &Library, script: bool) -> Table {
    let mut rows = Table::default();
    for (row, (name, _)) in library.functions.iter().enumerate() {
        if script && library::SCRIPT_LACKS.contains(name) && library.name.is_empty() {
            continue;
        }
        let id = NativeId(((at as u16) << 8) | row as u16);
        put(&mut rows, name, Value::Native(id));
    }
    rows
}
