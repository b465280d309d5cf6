//! A run in writing: `A1.B1.A2.B2`. A token is a client's letter and the how-manieth of its own
//! steps this is; `T1` is the first time that time moves. The number is there for the reader and
//! as a check; it may be left out when writing one by hand (`A.B.A.B`).

use std::fmt;

use super::timeline::Timeline;
use super::world::{Action, ClientId, Impossible};
use super::{MAX_CLIENTS, MAX_STEPS};

/// One step in writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub action: Action,
    /// From 1; `None` where the writer left it out.
    pub ordinal: Option<u32>,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Action::Step(id) => write!(f, "{}", id.letter())?,
            Action::Advance => write!(f, "T")?,
        }
        self.ordinal.map_or(Ok(()), |ordinal| write!(f, "{ordinal}"))
    }
}

/// What is wrong with a written schedule. `step` counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleError {
    /// The token is not a letter of a client or `T`, with or without a number.
    Unknown { step: usize, token: String },
    /// The action cannot happen at this point of the run.
    Impossible { step: usize, token: String, why: Impossible },
    /// The number is not the one that this step has.
    Ordinal { step: usize, token: String, expected: Token },
    /// More steps than a run may have.
    TooLong,
}

/// Reads one token.
pub fn parse_token(token: &str) -> Option<Token> {
    let mut rest = token.chars();
    let letter = rest.next()?;
    let action = match letter {
        'T' => Action::Advance,
        letter => Action::Step(ClientId::from_letter(letter)?),
    };
    let digits = rest.as_str();
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let ordinal = match digits {
        "" => None,
        _ if plain => Some(digits.parse().ok()?),
        _ => return None,
    };
    Some(Token { action, ordinal })
}

/// Plays `text` on `timeline` from its cursor. At the first thing wrong it stops; what was played
/// until there stays.
pub fn play(timeline: &mut Timeline, text: &str) -> Result<(), ScheduleError> {
    // A token has at least one character, so the bound on steps bounds the work too.
    for (index, token) in text.split('.').filter(|token| !token.is_empty()).enumerate() {
        let step = index + 1;
        if index >= MAX_STEPS {
            return Err(ScheduleError::TooLong);
        }
        let Some(parsed) = parse_token(token) else {
            return Err(ScheduleError::Unknown { step, token: shortened(token) });
        };
        let expected = timeline.token_for(parsed.action);
        if parsed.ordinal.is_some() && parsed.ordinal != expected.ordinal {
            return Err(ScheduleError::Ordinal { step, token: shortened(token), expected });
        }
        timeline.step(parsed.action).map_err(|why| ScheduleError::Impossible {
            step,
            token: shortened(token),
            why,
        })?;
    }
    Ok(())
}

/// A token as an error shows it: hostile links can hold anything.
fn shortened(token: &str) -> String {
    token.chars().take(12).filter(|c| !c.is_control()).collect()
}

const _: () = assert!(MAX_CLIENTS <= (b'T' - b'A') as usize, "T stands for time");
