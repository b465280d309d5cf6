//! Dead state (slicing; Weiser 1981): leaves out what no step and no open question reads any
//! longer. States that differ in nothing else are one.
//!
//! Nothing reads
//! - the place at which a program stopped for good, by a crash or an error, and, where no open
//!   question asks for it, which message;
//! - globals that are there for a property which is settled, and that their own program never
//!   reads;
//! - whether a client came to its end, failed or crashed, where no open question tells these
//!   apart;
//! - the connections of a client that is gone, unless something is still sent to them, and which
//!   number the next one would get;
//! - which scripts an instance remembers, if no client asks for one by its digest.
//!
//! The omission changes neither what can happen nor what an open question says, now or later: the
//! states taken for one are bisimilar. Verdicts, shortest lengths, deadlocks and fair rounds are
//! the same; counts are not, so a search that is to be exact does without.

use std::rc::Rc;

use super::super::client::{Client, State};
use super::super::property::Property;
use super::super::scenario::Scenario;
use super::{Observed, Questions, WorldComponents, named_globals};
use crate::engine::Instance;
use crate::mutant::{Mutant, is_on};
use crate::resp::Bytes;

/// The facts that open questions read.
#[derive(Debug)]
pub(super) struct Unseen {
    /// The globals that open questions name.
    globals: Vec<String>,
    /// By client, sorted: these globals and those that its program reads. `None`: all are kept.
    kept: Vec<Option<Vec<Bytes>>>,
    questions: Questions,
}

impl WorldComponents {
    /// Switches the omission of dead state on. To be called before the search.
    pub fn without_unseen(mut self, scenario: &Scenario) -> WorldComponents {
        let open: Vec<Property> = self.open().cloned().collect();
        let globals = named_globals(&open);
        let kept = scenario.clients.iter().map(|client| {
            let mut kept = client.program.globals_read()?;
            if is_on(Mutant::UnseenKept) {
                kept.clear();
            }
            kept.extend(globals.iter().map(|name| Bytes::from(name.as_bytes())));
            kept.sort();
            Some(kept)
        });
        self.unseen =
            Some(Unseen { kept: kept.collect(), globals, questions: Questions::of(open.iter()) });
        self
    }
}

impl Unseen {
    /// Keeps these globals, which open questions read too.
    pub fn keep(&mut self, globals: &[String]) {
        self.globals.extend_from_slice(globals);
        for kept in self.kept.iter_mut().flatten() {
            kept.extend(globals.iter().map(|name| Bytes::from(name.as_bytes())));
            kept.sort();
        }
    }

    /// Removes the components of an instance that nothing was seen to read.
    pub fn forget_rest(instance: &mut Instance, known: &Observed) {
        if !known.connections {
            instance.forget_next_connection();
        }
        if !known.digests {
            instance.forget_scripts();
        }
    }

    /// Returns a client without its dead state.
    pub fn rest_of(&self, client: &Client) -> Client {
        let globals: Vec<&str> = self.globals.iter().map(String::as_str).collect();
        let (state, globals) = match client.state() {
            State::Crashed if self.questions.values => (State::Crashed, globals.as_slice()),
            State::Crashed if self.questions.crash => (State::Crashed, [].as_slice()),
            // Nothing counts of a crashed client.
            State::Crashed => (State::Done, [].as_slice()),
            State::Failed(message) if self.questions.failure => {
                let message = if self.questions.message { message.clone() } else { Rc::from("") };
                (State::Failed(message), globals.as_slice())
            }
            State::Failed(_) | State::Done => (State::Done, globals.as_slice()),
            _ => {
                let kept = self.kept.get(client.id.index()).and_then(Option::as_ref);
                // Of a program between two rounds only these globals are left.
                return match kept {
                    Some(kept) => {
                        client.with_vm(client.vm().with_globals(kept)).without_dead(&globals)
                    }
                    None => client.without_dead(&globals),
                };
            }
        };
        client.remains(globals, state)
    }
}
