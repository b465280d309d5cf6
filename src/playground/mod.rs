//! A scenario of the learner's own, written in the playground.
//!
//! What is written is a [`Definition`]; [`Definition::lesson`] makes an ordinary lesson with one
//! variant of it, so that everything a lesson can do works for it, or lists its mistakes
//! ([`Mistake`]). [`edit`] changes it; [`folder`] writes and reads it as a lesson's folder, in a
//! [`zip`]; `scenario` reads the manifests of scenario folders; [`example`]s are scenarios to begin
//! with; `disk` reads all of these for `check`. [`alone`] tries each client by itself, and
//! [`conditions`] has conditions to choose from. As one text it is JSON: [`Definition::write`],
//! [`Definition::read`]; links carry that text packed.
//!
//! To add a field: its row in [`scenario::def`](crate::scenario::def), and an [`edit`].

pub mod alone;
pub mod conditions;
#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
pub mod edit;
pub mod example;
pub mod folder;
pub mod kept;
mod lesson;
mod scenario;
pub mod zip;

pub use lesson::file_name;

#[cfg(test)]
mod tests;

pub use crate::scenario::faults::FAULTS;
pub use crate::scenario::{
    Client, Definition, Expect, Instance, MANY_MAX, Mistake, MistakePlace, Part, Property, Script,
    WHOLE_MAX,
};

use crate::session::deflate;
use crate::sim::Kind;
use crate::text::Key;

/// The most bytes of one text.
pub const TEXT_MAX: usize = 16 * 1024;

impl Definition {
    /// Packs the scenario for a link.
    pub fn pack(&self) -> String {
        deflate::pack(&self.write())
    }

    /// Undoes [`Definition::pack`].
    pub fn unpack(code: &str) -> Result<Definition, Vec<Mistake>> {
        match deflate::unpack(code, WHOLE_MAX) {
            Some(text) => Definition::read(&text, "#scenario"),
            None => {
                let place = MistakePlace::File("#scenario".to_owned());
                Err(vec![Mistake::new(place, 0, Key::OwnBadLink, &[], Key::OwnBadLinkRemedy)])
            }
        }
    }

    /// Returns the scenario of a first visit to the playground: two clients count.
    pub fn first() -> Definition {
        let script = |name: &str, text: &str| Script { name: name.into(), text: text.into() };
        Definition {
            programs: vec![script(
                "count",
                "local n = tonumber(redis.call(\"GET\", \"n\"))\n\
                 redis.call(\"SET\", \"n\", n + 1)\n",
            )],
            clients: vec![Client::default(), Client::default()],
            setup: "SET n 0\n".to_owned(),
            properties: vec![Property::new(
                Kind::Always,
                "not all_done() or number(\"n\") == 2".to_owned(),
            )],
            ..Definition::default()
        }
    }
}
