//! Schedules as text: `A1.B1.A2.B2`, the steps of a run between dots.
//!
//! A client's letter is a step of it, and the number counts its calls; `T1` is the first move of
//! time. The number is for the reader and a check; it may be left out in a text written by hand
//! (`A.B.A.B`). Every other step is a word with its subject:
//!
//! - a client's letter: `sendA1` `execA1` `replyA1` (wire mode), `loseA2` (the call is made and its
//!   reply lost), `cancelA2` (the call is made and given up), `pauseA` `resumeA` `crashA` `jumpA`;
//! - the same with the number of an outcome before it: `draw2-A3`, a step that draws at random, and
//!   draws what the second of its outcomes needs (`A3` draws by the instance's seed);
//! - the same with the number of a connection before it: `arrive2-A`, a message on the second of
//!   the client's connections (wire mode);
//! - a process's name: `pause-shop` `resume-shop` `crash-shop`;
//! - how many ms pass, before anything is due: `wait-30`;
//! - an instance's name: `down-r1` `up-r1` `restart-r1` `jump-r1` `failover-r1` `rewind-r1`,
//!   `replicate-r2` (the replica's);
//! - the same with the number of a key before it: `evict2-r1`, the second of the keys that may be
//!   evicted, in the order of databases and names (a name may be long and have any bytes);
//! - a console's name: `close-c1`, or with `-` what is typed there, `c1-SET_stock_10`, spaces as
//!   `_` (see [`Typed::write`]).

use std::rc::Rc;

use super::action::{Action, ClientId, Impossible};
use super::console::Typed;
use super::scenario::Setting;
use super::timeline::Timeline;
use super::{MAX_CLIENTS, MAX_STEPS};

/// One step of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub action: Action,
    /// The number, from 1; `None` if the writer left it out, or if the step has none.
    pub ordinal: Option<u32>,
}

/// A mistake in a written schedule. `step` counts from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleError {
    /// The token is nothing that this file's head lists, or names something that does not exist.
    Unknown { step: usize, token: String },
    /// The action cannot happen at this point of the run.
    Impossible { step: usize, token: String, why: Impossible },
    /// The number is not the one that this step has.
    Ordinal { step: usize, token: String, expected: String },
    /// There are more steps than a run may have.
    TooLong,
    /// The run would hold too many bytes.
    TooLarge,
}

/// A word that goes before a client's letter, and its action.
type ClientWord = (&'static str, fn(ClientId) -> Action);
const CLIENT_WORDS: &[ClientWord] = &[
    ("", Action::Step),
    ("send", Action::Send),
    ("exec", Action::Execute),
    ("reply", Action::Reply),
    ("lose", Action::LoseReply),
    ("pause", Action::Pause),
    ("resume", Action::Resume),
    ("crash", Action::Crash),
    ("jump", Action::JumpClient),
    ("cancel", Action::Cancel),
    ("drop", Action::LoseRequest),
];

/// Writes one step.
pub fn write(token: Token, setting: &Setting) -> String {
    let word = match token.action {
        Action::Advance => "T".to_owned(),
        Action::Draw(id, outcome) => format!("draw{}-{}", u16::from(outcome) + 1, id.letter()),
        Action::Arrive(id, connection) => {
            return format!("arrive{}-{}", u16::from(connection) + 1, id.letter());
        }
        Action::Disconnect(id) => return format!("close-{}", id.name()),
        Action::Tick(ms) => return format!("wait-{ms}"),
        Action::Evict(id, key) => {
            return format!("evict{}-{}", u16::from(key) + 1, setting.node_name(id));
        }
        Action::PauseProcess(id) | Action::ResumeProcess(id) | Action::CrashProcess(id) => {
            let word = match token.action {
                Action::PauseProcess(_) => "pause",
                Action::ResumeProcess(_) => "resume",
                _ => "crash",
            };
            return format!("{word}-{}", setting.process_name(id));
        }
        action => match (action.client(), action.node()) {
            (Some(id), _) => {
                let word = CLIENT_WORDS.iter().find(|(_, made)| made(id) == action);
                format!("{}{}", word.map_or("", |(word, _)| word), id.letter())
            }
            (None, Some(id)) => {
                let name = setting.node_name(id);
                return format!("{}-{name}", node_word(action));
            }
            (None, None) => String::new(),
        },
    };
    let ordinal = token.ordinal.map(|ordinal| ordinal.to_string());
    let text = word + &ordinal.unwrap_or_default();
    debug_assert_eq!(parse_token(&text, setting), Some(token), "{text} reads as another step");
    text
}

fn node_word(action: Action) -> &'static str {
    match action {
        Action::Up(_) => "up",
        Action::Down(_) => "down",
        Action::Restart(_) => "restart",
        Action::Rewind(_) => "rewind",
        Action::Failover(_) => "failover",
        Action::JumpNode(_) => "jump",
        _ => "replicate",
    }
}

/// Reads one token.
pub fn parse_token(token: &str, setting: &Setting) -> Option<Token> {
    if let Some((word, name)) = token.split_once('-') {
        if let Some(number) = word.strip_prefix("draw") {
            let Token { action, ordinal } = parse_token(name, setting)?;
            let (Action::Step(id), Ok(1..)) = (action, number.parse::<u8>()) else { return None };
            let outcome = number.parse::<u8>().ok()? - 1;
            return Some(Token { action: Action::Draw(id, outcome), ordinal });
        }
        if let Some(number) = word.strip_prefix("arrive") {
            let connection = u8::try_from(number_of(number)?.checked_sub(1)?).ok()?;
            let Token { action: Action::Step(id), ordinal: None } = parse_token(name, setting)?
            else {
                return None;
            };
            return Some(Token { action: Action::Arrive(id, connection), ordinal: None });
        }
        if let Some(number) = word.strip_prefix("evict") {
            let key = u8::try_from(number_of(number)?.checked_sub(1)?).ok()?;
            return Some(Token { action: Action::Evict(setting.node(name)?, key), ordinal: None });
        }
        let node = || setting.node(name);
        let process = || setting.process(name);
        let action = match word {
            "up" => Action::Up(node()?),
            "down" => Action::Down(node()?),
            "restart" => Action::Restart(node()?),
            "rewind" => Action::Rewind(node()?),
            "failover" => Action::Failover(node()?),
            "jump" => Action::JumpNode(node()?),
            "replicate" => Action::Replicate(node()?),
            "pause" => Action::PauseProcess(process()?),
            "resume" => Action::ResumeProcess(process()?),
            "crash" => Action::CrashProcess(process()?),
            "wait" => Action::Tick(number_of(name)?),
            "close" => Action::Disconnect(ClientId::console_of(name)?),
            _ => return None,
        };
        return Some(Token { action, ordinal: None });
    }
    let capital = token.find(|c: char| c.is_ascii_uppercase())?;
    let (word, rest) = token.split_at(capital);
    let letter = rest.chars().next()?;
    let action = if word.is_empty() && letter == 'T' {
        Action::Advance
    } else {
        let id = ClientId::from_letter(letter)?;
        let (_, action) = CLIENT_WORDS.iter().find(|(known, _)| *known == word)?;
        action(id)
    };
    let digits = &rest[1..];
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let ordinal = match digits {
        "" => None,
        _ if plain && is_numbered(action) => Some(digits.parse().ok()?),
        _ => return None,
    };
    Some(Token { action, ordinal })
}

/// Parses a number as it is written: digits without a leading 0.
fn number_of(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

/// Returns true for steps that are numbered: calls, also those whose reply is lost or given up,
/// and moves of time.
pub(super) fn is_numbered(action: Action) -> bool {
    let is_message = matches!(action, Action::Arrive(..));
    let ends_call =
        matches!(action, Action::LoseReply(_) | Action::LoseRequest(_) | Action::Cancel(_));
    action == Action::Advance || action.runs().is_some() && !is_message || ends_call
}

/// Plays `text` on `timeline` from its cursor. It stops at the first error; the steps before it
/// stay.
pub fn play(timeline: &mut Timeline, text: &str) -> Result<(), ScheduleError> {
    let mut playing = Playing::new(text);
    while let Some(played) = playing.go_on(timeline) {
        played?;
    }
    Ok(())
}

/// A schedule being played step by step.
#[derive(Debug, Clone)]
pub struct Playing {
    text: Rc<str>,
    /// The number of bytes of the text, and of steps, that were played.
    at: usize,
    steps: usize,
}

impl Playing {
    pub fn new(text: &str) -> Playing {
        Playing { text: text.into(), at: 0, steps: 0 }
    }

    /// Plays one step; `None` when there are no more. After an error it is over.
    pub fn go_on(&mut self, timeline: &mut Timeline) -> Option<Result<(), ScheduleError>> {
        let text = self.text.clone();
        let token = text[self.at..].split('.').find(|token| !token.is_empty())?;
        // Both are parts of the same text.
        self.at = token.as_ptr().addr() - text.as_ptr().addr() + token.len();
        self.steps += 1;
        Some(self.play(token, timeline))
    }

    fn play(&self, token: &str, timeline: &mut Timeline) -> Result<(), ScheduleError> {
        let step = self.steps;
        // A token has at least one character, so the bound on steps bounds the work too.
        if step > MAX_STEPS {
            return Err(ScheduleError::TooLong);
        }
        if timeline.holds_too_much() {
            return Err(ScheduleError::TooLarge);
        }
        let setting = timeline.world().setting().clone();
        if let Some(typed) = Typed::parse(token, &setting) {
            let impossible = |why| ScheduleError::Impossible { step, token: shortened(token), why };
            return timeline.type_line(&typed).map_err(impossible);
        }
        let Some(parsed) = parse_token(token, &setting) else {
            return Err(ScheduleError::Unknown { step, token: shortened(token) });
        };
        let expected = timeline.token_for(parsed.action);
        if parsed.ordinal.is_some() && parsed.ordinal != expected.ordinal {
            let expected = write(expected, &setting);
            return Err(ScheduleError::Ordinal { step, token: shortened(token), expected });
        }
        timeline.step(parsed.action).map_err(|why| ScheduleError::Impossible {
            step,
            token: shortened(token),
            why,
        })
    }
}

/// Returns a token as an error shows it, shortened: hostile links can hold anything.
fn shortened(token: &str) -> String {
    token.chars().take(26).filter(|c| !c.is_control()).collect()
}

const _: () = assert!(MAX_CLIENTS <= (b'T' - b'A') as usize, "T stands for time");
