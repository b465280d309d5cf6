//! States from which every open question has the same answer, whatever comes.
//!
//! "Never more than one holds the lock" is true for good where only one client is left that may
//! ever say that it does: the others have come to their ends, or to a place in their programs from
//! which no line leads on that sets the global. From there a search need not go on: what breaks the
//! property is on no run through such a state.

use super::super::client::{Client, State};
use super::super::facts::Fate;
use super::super::property::{Kind, Property};
use super::super::scenario::Scenario;
use super::{WorldParts, lens};
use crate::checker::View;

/// A property that asks how many clients count by a global, see
/// [`Facts::counts`](super::super::facts::Facts::counts).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// By its place in [`WorldParts::globals`].
    global: usize,
    /// As long as there are no more than so many, it is as it is hoped for, or not as it is.
    most: usize,
}

/// The name of the global, and how many may count by it before the property is another one.
fn count_of(property: &Property) -> Option<(String, usize)> {
    let text = property.expression();
    let (asked, compared) = text.trim().strip_prefix("count(")?.split_once(')')?;
    let quoted = asked.trim().strip_prefix(['"', '\''])?;
    let name = quoted.strip_suffix(['"', '\''])?;
    let compared = compared.trim();
    let operator = compared.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let number: usize = compared[operator.len()..].parse().ok()?;
    let operator = operator.trim_end();
    let most = match (property.kind, operator) {
        (Kind::Always, "<=") | (Kind::Sometimes, ">") => number,
        (Kind::Always, "<") | (Kind::Sometimes, ">=" | "==") => number.checked_sub(1)?,
        _ => return None,
    };
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then(|| (name.to_owned(), most))
}

/// Does a client count by this global?
pub(super) fn counts(client: &Client, name: &str) -> bool {
    Fate::of(client) != Fate::Crashed && client.global(name).truthy()
}

impl WorldParts {
    /// Before the search begins: can it be told of states that all open questions are moot?
    pub fn look_for_moot(&mut self, scenario: &Scenario) -> bool {
        let settled = self.settled.iter().chain(std::iter::repeat(&false));
        let open = self.properties.iter().zip(settled).filter(|(_, settled)| !**settled);
        let count = |(property, _)| {
            let (name, most) = count_of(property)?;
            let global = self.globals.iter().position(|own| *own == name)?;
            Some(Count { global, most })
        };
        let counts: Option<Vec<Count>> = open.map(count).collect();
        self.programs = scenario.clients.iter().map(|client| client.program.clone()).collect();
        self.moot = counts.unwrap_or_default();
        !self.moot.is_empty()
    }

    pub(super) fn is_count_moot(&mut self, count: Count, view: &mut View) -> bool {
        let mut left = count.most;
        for at in 0..self.start.clients.len() {
            let home = self.client_slot(at);
            if view.fact(self, lens::MAY_COUNT + count.global as u16, home) != 0 {
                match left.checked_sub(1) {
                    Some(fewer) => left = fewer,
                    None => return false,
                }
            }
        }
        true
    }

    /// Does a client count by this global, or may it still come to?
    pub(super) fn may_count(&self, client: &Client, name: &str) -> bool {
        let may_set = || match client.state() {
            State::Idle => true,
            _ => self.programs[client.id.index()].may_set(client.vm(), name),
        };
        counts(client, name) || !client.is_over() && may_set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_may_count_before_it_matters() {
        let most = |kind, text| {
            let property = Property::new(kind, text, "p").unwrap();
            count_of(&property).map(|(name, most)| format!("{name} {most}"))
        };
        let always = |text| most(Kind::Always, text);
        let sometimes = |text| most(Kind::Sometimes, text);
        assert_eq!(always("count(\"holding\") <= 1").as_deref(), Some("holding 1"));
        assert_eq!(always(" count( 'x' )<12 ").as_deref(), Some("x 11"));
        assert_eq!(always("count('x') == 0"), None, "not a bound on how many alone");
        assert_eq!(sometimes("count('x') == 2").as_deref(), Some("x 1"));
        assert_eq!(sometimes("count('x') > 2").as_deref(), Some("x 2"));
        assert_eq!(sometimes("count('x') >= 0"), None);
        assert_eq!(sometimes("count('x') <= 2"), None);
        assert_eq!(always("count('x') <= 1 + 1"), None);
        assert_eq!(always("count('x') <= 1 and done('A')"), None);
        assert_eq!(always("count('x y') <= 1"), None);
        assert_eq!(always("count(x) <= 1"), None);
    }
}
