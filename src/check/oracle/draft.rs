//! A scenario as source text: generated, shrunk while the searches still disagree, printed as a
//! folder.
//!
//! To extend generated scenarios, add a field here, its part of `Draft::scenario` and of the printed text, and a way to
//! remove it when shrinking.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::lua;
use crate::sim::{ClientDef, Faults, Kind, NodeDef, Property, Scenario, TimeMode};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The instances. The first one is the default; the others follow it, or are independent.
    pub nodes: Vec<Server>,
    pub clients: Vec<Program>,
    pub sql: Vec<String>,
    pub faults: Faults,
    pub early: bool,
    pub slow_ms: u32,
    pub wire: bool,
    pub properties: Vec<(Kind, String)>,
    /// True if the scenario also has the property that no program ends with an error.
    pub asks_errors: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Server {
    pub name: String,
    pub follows: Option<String>,
    pub clock_ms: i64,
    /// The setup commands, each as its words.
    pub setup: Vec<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    pub lines: Vec<String>,
    pub process: Option<String>,
    pub clock_ms: i64,
    pub expect_error: Option<String>,
    pub again: bool,
}

impl Draft {
    /// Returns the scenario; `None` if a program is not Lua, or the setup is refused.
    pub fn scenario(&self) -> Option<Scenario> {
        let bytes = |word: &String| word.as_bytes().into();
        let node = |server: &Server| NodeDef {
            name: server.name.clone(),
            setup: server.setup.iter().map(|words| words.iter().map(bytes).collect()).collect(),
            replica_of: server.follows.clone(),
            clock_ms: server.clock_ms,
        };
        let mut clients: Vec<ClientDef> = Vec::new();
        for (at, client) in self.clients.iter().enumerate() {
            // Equal clients run one program.
            let same = self.clients[..at].iter().position(|one| one.lines == client.lines);
            let program = match same {
                Some(same) => clients[same].program.clone(),
                None => compile(&client.lines)?,
            };
            let Program { process, clock_ms, expect_error, again, .. } = client.clone();
            clients.push(ClientDef { program, process, clock_ms, expect_error, again });
        }
        let property = |(kind, text): &(Kind, String)| Property::new(*kind, text, "p").ok();
        let scenario = Scenario {
            nodes: self.nodes.iter().map(node).collect(),
            clients,
            sql: self.sql.clone(),
            faults: self.faults,
            time: if self.early { TimeMode::Any } else { TimeMode::Prompt },
            slow_ms: self.slow_ms,
            ids: Default::default(),
            wire: self.wire,
            properties: self.properties.iter().map(property).collect::<Option<_>>()?,
        };
        Some(if self.asks_errors { scenario.asked_for_errors() } else { scenario })
    }

    /// Returns drafts with a little less in them, the smallest first.
    fn smaller(&self) -> Vec<Draft> {
        let mut all = Vec::new();
        let mut with = |change: &dyn Fn(&mut Draft)| {
            let mut draft = self.clone();
            change(&mut draft);
            if draft != *self {
                all.push(draft);
            }
        };
        for at in 0..self.clients.len() {
            with(&|draft| drop(draft.clients.remove(at)));
        }
        for at in 1..self.nodes.len() {
            with(&|draft| drop(draft.nodes.remove(at)));
        }
        for at in 0..self.properties.len() {
            with(&|draft| drop(draft.properties.remove(at)));
        }
        for kind in 0..Faults::NAMES.len() {
            with(&|draft| *draft.faults.left_mut(kind) = 0);
        }
        with(&|draft| draft.early = false);
        with(&|draft| draft.wire = false);
        with(&|draft| draft.slow_ms = 0);
        with(&|draft| draft.asks_errors = false);
        with(&|draft| (draft.faults.pause_ms, draft.faults.pause_of) = (0, 0));
        with(&|draft| draft.sql.clear());
        for at in 0..self.nodes.len() {
            for command in 0..self.nodes[at].setup.len() {
                with(&|draft| drop(draft.nodes[at].setup.remove(command)));
            }
            with(&|draft| draft.nodes[at].clock_ms = 0);
        }
        for at in 0..self.clients.len() {
            for line in 0..self.clients[at].lines.len() {
                with(&|draft| drop(draft.clients[at].lines.remove(line)));
                // Of clients that run the same program.
                with(&|draft| {
                    let lines = self.clients[at].lines.clone();
                    let same = draft.clients.iter_mut().filter(|one| one.lines == lines);
                    same.for_each(|one| drop(one.lines.remove(line)));
                });
            }
            with(&|draft| draft.clients[at].clock_ms = 0);
            with(&|draft| draft.clients[at].process = None);
            with(&|draft| draft.clients[at].expect_error = None);
            with(&|draft| draft.clients[at].again = false);
        }
        all
    }

    /// Shrinks the draft, one removal after the other, as long as `is_still_so`.
    pub fn cut_down(self, is_still_so: impl Fn(&Draft) -> bool) -> Draft {
        let mut draft = self;
        while let Some(less) = draft.smaller().into_iter().find(|less| is_still_so(less)) {
            draft = less;
        }
        draft
    }

    /// Returns the files of a scenario folder, one after the other, each under its name. Parts that
    /// a folder cannot have (instances, clocks, tables, wire mode) are written as comments.
    pub fn folder(&self) -> String {
        let mut text = String::from("--- scenario.toml\n");
        // Writing to a String cannot fail.
        if let Some(first) = self.nodes.first().filter(|first| !first.setup.is_empty()) {
            let lines = first.setup.iter().map(|words| toml_string(&inline(words)));
            let _ = writeln!(text, "setup = [\n  {},\n]", lines.collect::<Vec<_>>().join(",\n  "));
        }
        for server in self.nodes.iter().skip(1) {
            let _ = writeln!(text, "# {server:?}");
        }
        for (server, client) in self.nodes.iter().zip(&self.clients) {
            if server.clock_ms != 0 || client.clock_ms != 0 {
                let _ = writeln!(text, "# clocks: {}, {}", server.clock_ms, client.clock_ms);
            }
        }
        for line in &self.sql {
            let _ = writeln!(text, "# sql: {line}");
        }
        if self.wire {
            text.push_str("# wire = true\n");
        }
        if self.early {
            text.push_str("time = \"any\"\n");
        }
        if self.slow_ms > 0 {
            let _ = writeln!(text, "slow_ms = {}", self.slow_ms);
        }
        for (at, client) in self.clients.iter().enumerate() {
            let _ = writeln!(text, "[[client]]\nprogram = \"{}.lua\"", letter(at));
            if let Some(process) = &client.process {
                let _ = writeln!(text, "process = \"{process}\"");
            }
            if let Some(error) = &client.expect_error {
                let _ = writeln!(text, "expect_error = {}", toml_string(error));
            }
            if client.again {
                text.push_str("again = true\n");
            }
        }
        for (at, (kind, check)) in self.properties.iter().enumerate() {
            let kind = format!("{kind:?}").to_lowercase();
            let check = toml_string(check);
            let _ =
                writeln!(text, "[[property]]\nid = \"p{at}\"\nkind = \"{kind}\"\ncheck = {check}");
        }
        let counts = (0..Faults::NAMES.len())
            .map(|kind| (Faults::NAMES[kind], *{ self.faults }.left_mut(kind)));
        let counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
        if !counts.is_empty() {
            text.push_str("[faults]\n");
            for (kind, count) in counts {
                let _ = match (kind, self.faults.pause_of, self.faults.pause_ms) {
                    ("pause", of, ms) if of > 0 || ms > 0 => {
                        let of = if of > 0 { Faults::letters(of) } else { "ABC".to_owned() };
                        let at_most = format!("at_most_ms = {ms}");
                        writeln!(text, "pause = {{ count = {count}, client = {of:?}, {at_most} }}")
                    }
                    _ => writeln!(text, "{kind} = {count}"),
                };
            }
            let _ = writeln!(text, "jump_ms = {}", self.faults.jump_ms);
        }
        for (at, client) in self.clients.iter().enumerate() {
            let _ = writeln!(text, "--- {}.lua\n{}", letter(at), client.lines.join("\n"));
        }
        text
    }
}

fn compile(lines: &[String]) -> Option<Rc<lua::Chunk>> {
    lua::compile(lines.join("\n").as_bytes(), "p.lua").ok()
}

fn letter(at: usize) -> char {
    char::from(b'a' + at as u8)
}

/// Returns the words of a command on one line, as redis-cli reads it.
fn inline(words: &[String]) -> String {
    let plain = |word: &&String| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_graphic() && !b"\"'\\".contains(&b))
    };
    let written = words.iter().map(|word| match Some(word).filter(plain) {
        Some(word) => word.clone(),
        None => format!("{word:?}"),
    });
    written.collect::<Vec<_>>().join(" ")
}

fn toml_string(text: &str) -> String {
    toml::Value::from(text).to_string()
}
