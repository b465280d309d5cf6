//! What nobody will look at any more, left out: states that differ in nothing else are one.
//!
//! Nobody looks at
//! - the place at which a program stopped for good, by a crash or an error, and, where no open
//!   question asks for it, which message;
//! - globals that are there for a property which is settled, and that their own program never
//!   reads;
//! - whether a client came to its end, failed or crashed, where no open question tells these
//!   apart;
//! - the connections of who is gone, unless something is still sent to them, and which number the
//!   next one would get;
//! - which scripts an instance remembers, where nobody asks for one by its digest.
//!
//! What is left out changes neither what can happen nor what an open question says, now or later:
//! the states taken for one are bisimilar. Verdicts, shortest lengths, deadlocks and fair rounds
//! are the same; counts are not, so a search that is to be exact does without.

use std::rc::Rc;

use super::super::client::{Client, State};
use super::super::scenario::Scenario;
use super::words::has_word;
use super::{WorldParts, observed_globals};
use crate::engine::Instance;
use crate::resp::Bytes;

/// What the open questions look at.
#[derive(Debug)]
pub(super) struct Unseen {
    /// The globals they name.
    globals: Vec<String>,
    /// For each client, sorted, these and the globals that its program reads. `None`: all stay.
    kept: Vec<Option<Vec<Bytes>>>,
    /// They tell an error from an end.
    sees_failure: bool,
    /// They look at the messages of errors.
    sees_message: bool,
    /// They tell a crash from an end.
    sees_crash: bool,
    /// They look at values, not only at whether a global is true of somebody who has not crashed.
    sees_values: bool,
    /// Somebody asks for scripts by their digests, or which ones there are.
    sees_scripts: bool,
}

impl WorldParts {
    /// From now on, before the search begins, what no open question sees and nobody meets is left
    /// out of its states.
    pub fn without_unseen(mut self, scenario: &Scenario) -> WorldParts {
        let settled = self.settled.iter().chain(std::iter::repeat(&false));
        let open = self.properties.iter().zip(settled).filter(|(_, settled)| !**settled);
        let open: Vec<_> = open.map(|(property, _)| property.clone()).collect();
        let texts: Vec<String> = open.iter().map(|property| property.expression()).collect();
        let asks = |words: &[&str]| texts.iter().any(|text| words.iter().any(|w| text.contains(w)));
        let globals = observed_globals(&open);
        let kept = scenario.clients.iter().map(|client| {
            let mut kept = client.program.globals_read()?;
            kept.extend(globals.iter().map(|name| Bytes::from(name.as_bytes())));
            kept.sort();
            Some(kept)
        });
        let programs = scenario.clients.iter().map(|client| &**client.program.source());
        let sources: Vec<&[u8]> =
            programs.chain(texts.iter().map(|text| text.as_bytes())).collect();
        let names = |word: &str| sources.iter().any(|source| has_word(source, word));
        self.unseen = Some(Unseen {
            kept: kept.collect(),
            globals,
            sees_failure: asks(&["failed", "error", "done"]),
            sees_message: asks(&["error(", "no_errors{"]),
            sees_crash: asks(&["crashed", "done"]),
            sees_values: asks(&["global", "sum", "each"]),
            sees_scripts: names("evalsha")
                || names("evalsha_ro")
                || names("script") && names("exists"),
        });
        self
    }
}

impl Unseen {
    /// Forgets what nobody asks an instance for. `sees_connections`: some program asks who is
    /// connected.
    pub fn forget_rest(&self, instance: &mut Instance, sees_connections: bool) {
        if !sees_connections {
            instance.forget_next_connection();
            if !self.sees_scripts {
                instance.forget_scripts();
            }
        }
    }

    /// What is left of a client.
    pub fn rest_of(&self, client: &Client) -> Client {
        let globals: Vec<&str> = self.globals.iter().map(String::as_str).collect();
        let (state, globals) = match client.state() {
            State::Crashed if self.sees_values => (State::Crashed, globals.as_slice()),
            State::Crashed if self.sees_crash => (State::Crashed, [].as_slice()),
            // Nothing counts of who has crashed.
            State::Crashed => (State::Done, [].as_slice()),
            State::Failed(message) if self.sees_failure => {
                let message = if self.sees_message { message.clone() } else { Rc::from("") };
                (State::Failed(message), globals.as_slice())
            }
            State::Failed(_) | State::Done => (State::Done, globals.as_slice()),
            _ => {
                let kept = self.kept.get(client.id.index()).and_then(Option::as_ref);
                return match kept {
                    Some(kept) => client.with_vm(client.vm().with_globals(kept)).without_dead(&[]),
                    None => client.without_dead(&[]),
                };
            }
        };
        client.remains(globals, state)
    }
}
