//! A scenario as source text: generated, shrunk while the searches still disagree, printed as a
//! folder.
//!
//! To extend generated scenarios, add a field here, its part of `Draft::written`, and a way to
//! remove it when shrinking.

use std::rc::Rc;

use crate::engine::Version;
use crate::lua::{self, Chunk};
use crate::playground::{self, Client, Instance, Own, Script, folder};
use crate::scenario::With;
use crate::scenario::setup::quoted;
use crate::sim::{Faults, Kind, Property, Scenario, TimeMode};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The instances. The first one is the default; the others follow it, or are independent.
    pub nodes: Vec<Server>,
    /// The server version of all instances.
    pub version: Option<Version>,
    pub clients: Vec<Program>,
    pub sql: Vec<String>,
    pub faults: Faults,
    pub early: bool,
    pub slow_ms: u32,
    pub starts_within_ms: u32,
    pub wire: bool,
    pub properties: Vec<(Kind, String)>,
    /// True if the scenario also has the property that no program ends with an error.
    pub asks_errors: bool,
    /// The order of the ids that `uuid()` gives, up to [`Draft::ID_ORDERS`]; 0 is that of the
    /// letters. A folder cannot say it.
    pub ids: u8,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Server {
    pub name: String,
    pub follows: Option<String>,
    pub clock_ms: i64,
    /// Its version, if it is another than that of all.
    pub version: Option<Version>,
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
    pub const ID_ORDERS: u8 = 3;

    /// Returns the scenario; `None` if a program is not Lua, or the setup is refused.
    pub fn scenario(&self) -> Option<Scenario> {
        let own = self.written();
        // Equal clients run one program.
        let mut known: Vec<(&str, Rc<Chunk>)> = Vec::new();
        let compiled = |at: usize, _: &With| {
            let text = own.programs[at].text.as_str();
            if let Some((_, chunk)) = known.iter().find(|(one, _)| *one == text) {
                return Ok(chunk.clone());
            }
            let chunk = lua::compile(text.as_bytes(), "p.lua").map_err(|why| why.to_string())?;
            known.push((text, chunk.clone()));
            Ok(chunk)
        };
        let property = |(kind, text): &(Kind, String)| Property::new(*kind, text, "p").ok();
        let properties = self.properties.iter().map(property).collect::<Option<_>>()?;
        let mut scenario = own.start(compiled, properties).ok()?;
        if self.ids & 1 > 0 {
            scenario.ids.places = (0..scenario.clients.len() as u8).rev().collect();
        }
        scenario.ids.falls = self.ids & 2 > 0;
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
        with(&|draft| draft.version = None);
        with(&|draft| draft.ids = 0);
        with(&|draft| draft.early = false);
        with(&|draft| draft.wire = false);
        with(&|draft| draft.slow_ms = 0);
        with(&|draft| draft.starts_within_ms = 0);
        with(&|draft| draft.asks_errors = false);
        with(&|draft| (draft.faults.pause_ms, draft.faults.pause_of) = (0, 0));
        with(&|draft| (draft.faults.cancel_of, draft.faults.lose_of) = (0, 0));
        with(&|draft| draft.faults.drop_of = 0);
        with(&|draft| draft.faults.crash_of = 0);
        with(&|draft| draft.sql.clear());
        for at in 0..self.nodes.len() {
            for command in 0..self.nodes[at].setup.len() {
                with(&|draft| drop(draft.nodes[at].setup.remove(command)));
            }
            with(&|draft| draft.nodes[at].clock_ms = 0);
            with(&|draft| draft.nodes[at].version = None);
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

    /// Returns the files of a scenario folder, one after the other, each under its name.
    pub fn folder(&self) -> String {
        let files = folder::write_scenario(&self.written()).into_iter();
        files.map(|(name, text)| format!("--- {name}\n{text}\n")).collect()
    }

    /// Returns the scenario as people write it; each client has a program of its own.
    fn written(&self) -> Own {
        let program = |(at, client): (usize, &Program)| Script {
            name: char::from(b'a' + at as u8).to_string(),
            text: client.lines.join("\n"),
        };
        let client = |(program, one): (usize, &Program)| Client {
            program,
            process: one.process.clone().unwrap_or_default(),
            clock_ms: one.clock_ms,
            expect_error: one.expect_error.clone().unwrap_or_default(),
            again: one.again,
            with: With::default(),
        };
        let instance = |server: &Server| Instance {
            name: server.name.clone(),
            replica_of: server.follows.clone().unwrap_or_default(),
            clock_ms: server.clock_ms,
            version: server.version,
        };
        let mut setup = String::new();
        for server in &self.nodes {
            for words in &server.setup {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                setup += &format!("{}> {}\n", server.name, words.join(" "));
            }
        }
        let property =
            |(kind, check): &(Kind, String)| playground::Property::new(*kind, check.clone());
        Own {
            programs: self.clients.iter().enumerate().map(program).collect(),
            clients: self.clients.iter().enumerate().map(client).collect(),
            setup,
            version: self.version,
            sql: self.sql.iter().map(|statement| format!("{statement}\n")).collect(),
            instances: self.nodes.iter().map(instance).collect(),
            properties: self.properties.iter().map(property).collect(),
            faults: self.faults,
            time: self.time(),
            slow_ms: self.slow_ms,
            starts_within_ms: self.starts_within_ms,
            wire: self.wire,
            ..Own::default()
        }
    }

    fn time(&self) -> TimeMode {
        if self.early { TimeMode::Any } else { TimeMode::Prompt }
    }
}
