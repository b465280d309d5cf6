//! What a write rests on: the client computed its words from a value that it had read, or only
//! decided to send it. An experiment tells: the client is told another value (an intervention, in
//! the words of causal inference), and its own steps are repeated up to the write.
//!
//! Absent: values that come to the client by way of others, and proofs: only a few other values are
//! tried (`others`).

use std::mem::discriminant;
use std::rc::Rc;

use crate::engine;
use crate::lua::Data;
use crate::resp::number::parse_int;
use crate::resp::{Bytes, Proto, Value};
use crate::sim::{Action, Call, CallKind, Client, ClientId, Frame, State, Timeline};

/// The longest reply, in bytes, in whose place others are tried.
const REPLY_MAX: u64 = 64 << 10;
/// The most steps between a read and a write that are repeated.
const STEPS_MAX: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The words of the write depend on the value.
    Computed,
    /// Whether the write is sent depends on the value.
    Decided,
    /// With every value that was tried the client sends the same.
    Neither,
}

/// Returns what the call that `client` makes at `write_step` has to do with the value that it read
/// at `read_step`.
pub fn basis(timeline: &Timeline, client: ClientId, read: usize, write: usize) -> Basis {
    let frames = timeline.frames();
    // On the wire, or where the client is paused, it hears the reply later.
    let heard = (read..write).find(|step| has_run(&frames[*step], client));
    let heard = heard.filter(|heard| write - heard <= STEPS_MAX);
    let (Some(heard), Some(data)) = (heard, answer_at(frames, read)) else {
        return Basis::Neither;
    };
    let mut basis = Basis::Neither;
    for other in others(&data) {
        match basis_if_told(frames, client, (heard, write), other) {
            Basis::Computed => return Basis::Computed,
            Basis::Decided => basis = Basis::Decided,
            Basis::Neither => {}
        }
    }
    basis
}

fn has_run(frame: &Frame, client: ClientId) -> bool {
    frame.seen.ran.iter().any(|ran| ran.client == client)
}

/// Returns what the program got from the call at this step; `None` if that is no value.
fn answer_at(frames: &[Rc<Frame>], step: usize) -> Option<Data> {
    let (_, call, reply) = frames[step].seen.event.executed()?;
    if let CallKind::Sql(statement) = &call.kind {
        return frames[step].world.sql().select(statement).ok().map(|answer| answer.to_lua());
    }
    let is_value = |reply: &&Value| {
        !reply.is_error() && !matches!(reply, Value::Status(_)) && reply.bytes() <= REPLY_MAX
    };
    reply.filter(is_value).map(|reply| engine::reply_to_lua(reply, Proto::Resp2))
}

/// Repeats the client's steps from `heard` to `write`, with another answer at first. All that is
/// shared is as it was in the run.
fn basis_if_told(
    frames: &[Rc<Frame>],
    id: ClientId,
    (heard, write): (usize, usize),
    answer: Data,
) -> Basis {
    let mut world = frames[heard].world.told(&frames[heard - 1].world, id, answer);
    for step in heard + 1..write {
        let frame = &frames[step];
        let Some(action) = frame.token.map(|token| token.action) else { continue };
        let Some(other) = world.clients().get(id.index()).cloned() else { break };
        // A sleep may end in one step, and its client go on in a later one.
        let passes = matches!(action, Action::Advance);
        if passes || action.client() == Some(id) || has_run(frame, id) {
            world = frames[step - 1].world.clone();
            world.set_client(id, other);
            // On another way it may have nothing to do here.
            let _ = world.apply_unseen(action);
        }
    }
    let was = frames[write - 1].world.client(id).and_then(Client::call);
    let is = world.client(id);
    match (was, is.and_then(Client::call)) {
        // The value makes no sense to the program.
        _ if is.is_some_and(|is| matches!(is.state(), State::Failed(_))) => Basis::Neither,
        (Some(was), Some(is)) if was == is => Basis::Neither,
        (Some(was), Some(is)) if is_same_command(was, is) => Basis::Computed,
        _ => Basis::Decided,
    }
}

fn is_same_command(one: &Call, other: &Call) -> bool {
    let of = |call: &Call| (call.line, discriminant(&call.kind), call.argv().first().cloned());
    of(one) == of(other)
}

/// Returns values of the same kind that could have been there in place of `data`.
pub(super) fn others(data: &Data) -> Vec<Data> {
    let text = |text: &str| Data::str(text);
    let mut others = match data {
        Data::Nil | Data::Bool(false) => vec![text("1"), text("1000000"), text("x")],
        Data::Num(number) => [*number + 1.0, 0.0, 1e6].map(Data::Num).to_vec(),
        Data::Str(_) => vec![altered(data, next), text("0"), text("1000000"), Data::Bool(false)],
        // A list of no elements: of one, a text or a row.
        Data::Table(fields) if fields.is_empty() => {
            [text("1"), Data::Table(Vec::new())].map(|one| Data::list([one])).to_vec()
        }
        Data::Table(_) => {
            let others = [next, |_| 0, |_| 1_000_000].map(|to| altered(data, to));
            others.into_iter().chain([Data::Table(Vec::new())]).collect()
        }
        _ => Vec::new(),
    };
    others.retain(|other| other != data);
    others.dedup();
    others
}

fn next(number: i64) -> i64 {
    number.wrapping_add(1)
}

/// Returns another value of the same form, with other numbers in it. A text without a number gets
/// one more letter.
fn altered(data: &Data, to: fn(i64) -> i64) -> Data {
    match data {
        Data::Num(number) => Data::Num(to(*number as i64) as f64 + number.fract()),
        Data::Str(text) => Data::Str(altered_text(text, to)),
        Data::Table(fields) => {
            // Of a list of names and values only the values, if there are numbers among them.
            let is_number = |data: &Data| match data {
                Data::Num(_) => true,
                Data::Str(text) => parse_int(text).is_some(),
                _ => false,
            };
            let numbers = fields.iter().any(|(_, value)| is_number(value));
            let field = |(name, value): &(Data, Data)| {
                let changes = !numbers || is_number(value);
                (name.clone(), if changes { altered(value, to) } else { value.clone() })
            };
            Data::Table(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

fn altered_text(text: &Bytes, to: fn(i64) -> i64) -> Bytes {
    if let Some(number) = parse_int(text) {
        return to(number).to_string().into_bytes().into();
    }
    let mut bytes = text.to_vec();
    match bytes.iter().any(u8::is_ascii_digit) {
        // Of each digit the next one: 0 after 9.
        true => bytes.iter_mut().filter(|byte| byte.is_ascii_digit()).for_each(|byte| {
            *byte = if *byte == b'9' { b'0' } else { *byte + 1 };
        }),
        false => bytes.push(b'x'),
    }
    bytes.into()
}
