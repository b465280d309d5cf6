//! The only way from a written world to the [`Scenario`] that is run and searched.

use std::rc::Rc;

use crate::lua::Chunk;
use crate::resp::Bytes;
use crate::sim::{ClientDef, DEFAULT_NODE, NodeDef, Property, Scenario, StartError};
use crate::text::Lang;

use super::{Client, Definition, Instance, With, lacking_words};

impl Definition {
    /// Returns the initial world with these properties; `program` compiles a client's program, by
    /// its index and what the client gives it. The error is an author's mistake, in words.
    pub fn start(
        &self,
        mut program: impl FnMut(usize, &With) -> Result<Rc<Chunk>, String>,
        properties: Vec<Property>,
    ) -> Result<Scenario, String> {
        // Every field, so that none is forgotten.
        let Definition {
            title: _,
            programs: _,
            clients,
            scripts: _,
            setup: _,
            sql: _,
            version: _,
            instances: _,
            properties: _,
            faults,
            time,
            slow_ms,
            starts_within_ms,
            wire,
            expect_deadlock: _,
        } = self;
        let client = |one: &Client| {
            let Client { program: at, process, clock_ms, expect_error, again, with } = one;
            Ok(ClientDef {
                program: program(*at, with)?,
                process: named(process),
                clock_ms: *clock_ms,
                expect_error: named(expect_error),
                again: *again,
            })
        };
        Ok(Scenario {
            nodes: self.nodes()?,
            clients: clients.iter().map(client).collect::<Result<_, String>>()?,
            sql: self.statements().into_iter().map(|(_, text)| text.to_owned()).collect(),
            faults: *faults,
            time: *time,
            slow_ms: *slow_ms,
            starts_within_ms: *starts_within_ms,
            ids: Default::default(),
            wire: *wire,
            properties,
        })
    }

    /// Returns the instances, with their setup.
    fn nodes(&self) -> Result<Vec<NodeDef>, String> {
        let node = |one: &Instance| {
            let Instance { name, replica_of, clock_ms, version } = one.clone();
            let version = version.or(self.version);
            NodeDef { name, setup: Vec::new(), replica_of: named(&replica_of), clock_ms, version }
        };
        let mut nodes: Vec<NodeDef> = self.instances.iter().map(node).collect();
        if nodes.is_empty() {
            let (name, version) = (DEFAULT_NODE.to_owned(), self.version);
            nodes.push(NodeDef { name, version, ..NodeDef::default() });
        }
        let (commands, found) = self.commands();
        if let Some(mistake) = found.first() {
            return Err(mistake.text(self, Lang::En));
        }
        for command in commands {
            nodes[command.node].setup.push(bytes(&command.argv));
        }
        Ok(nodes)
    }
}

/// Says why a world does not start, and what to write where a version lacks a command.
pub fn start_words(why: &StartError, lang: Lang) -> String {
    match why {
        StartError::Setup { lacking: Some(lacking), .. } => {
            format!("{why}. {}", lacking_words(lacking, lang))
        }
        _ => why.to_string(),
    }
}

/// Returns a command's arguments as an instance takes them.
pub fn bytes(argv: &[String]) -> Vec<Bytes> {
    argv.iter().map(|argument| Bytes::from(argument.as_bytes())).collect()
}

/// Returns the text; `None` for an empty one.
fn named(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}
