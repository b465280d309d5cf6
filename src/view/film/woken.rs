//! Films clients that another client's step or the time wakes: blocked commands, and readers of
//! messages. Their replies leave at once, beside the reply of the step itself.

use crate::resp::Value;
use crate::sim::{Call, CallKind, Client, ClientId, NodeId, State, World};

use super::board;
use super::look::Scene;
use super::reel::{Reel, back, reply_words};
use super::{How, Place, RowPart, times};
use crate::view::stage::redis::key_name;

/// The most messages that fly one by one.
const MESSAGES_MAX: usize = 12;

/// Films them from `t` on, which stays. Returns when the last of them has gone on.
pub(super) fn others(reel: &mut Reel<'_>) -> u32 {
    let base = reel.t;
    let mut end = base;
    for id in reel.scene.everybody() {
        if Some(id) == reel.scene.actor() {
            continue;
        }
        let held = reel.scene.was(id).map(Client::state);
        let now = reel.scene.is(id).map(Client::state);
        let call = match (held, now) {
            (_, Some(State::Crashed)) => continue,
            (Some(State::Blocked(call)), now) if !matches!(now, Some(State::Blocked(_))) => call,
            (Some(State::Waiting(call, _)), now) if !matches!(now, Some(State::Waiting(..))) => {
                call
            }
            _ => continue,
        };
        // One that was cut off gets nothing.
        if let Some(text) = served(reel, id, call) {
            reel.t = base;
            wake(reel, id, call, text);
            end = end.max(reel.t);
        }
    }
    for (number, (id, connection, message)) in messages(reel).into_iter().enumerate() {
        reel.t = base;
        let token = Place::token(&format!("message:{}:{number}", id.name()));
        deliver(reel, &token, (id, connection), &message);
        end = end.max(reel.t);
    }
    reel.t = base;
    end
}

/// Films a message that was under way, in wire mode.
pub(super) fn arrive(reel: &mut Reel<'_>) {
    reel.row();
    reel.say(times::REPLY);
    reel.t = others(reel).max(times::REPLY);
}

/// Returns the value for a command that was held back.
fn served(reel: &Reel<'_>, id: ClientId, call: &Call) -> Option<String> {
    let connection = call.connection().unwrap_or_default();
    let mut late = reel.scene.after.seen.late.iter();
    let found = late.find(|(to, over, what)| (*to, *over) == (id, connection) && !is_message(what));
    found.map(|(.., what)| reply_words(what))
}

/// Films a blocked client's wake-up: the value comes to the key and goes on to the shelf, the
/// command leaves it, and the value flies to its client.
fn wake(reel: &mut Reel<'_>, id: ClientId, call: &Call, text: String) {
    let node = reel.scene.serving(call);
    let (t, token) = (reel.t, Place::token(&format!("woken:{}", id.name())));
    let shelf = Place::held(node, id);
    let mut leaves = t;
    // What is handed on at once is never at its key: it comes up where it was waited for.
    let key = key_of(reel, id, call, node).filter(|_| reel.scene.actor().is_some());
    match key.filter(|key| reel.scene.has_key(node, key)) {
        Some(key) => {
            let (key, t0) = (Place::key(node, &key), t.saturating_sub(20));
            reel.lift(&token, key, t.saturating_sub(60), t0).saying(text).by(id);
            reel.leg(&token, How::Rest, t0, t + 140, Some(shelf.clone()));
            leaves = t + 140;
        }
        None => {
            reel.lift(&token, shelf.clone(), t, t + times::FADE).saying(text).by(id);
        }
    }
    reel.add(shelf, How::Leave, leaves, leaves + 80).by(id);
    let row = reel.scene.wait_began(id);
    reel.wait_ends(id, leaves, leaves + 80);
    let (line, _) = reel.scene.lines(id);
    reel.t = leaves;
    // Paused, or on the wire: the reply waits in the tray.
    if reel.scene.is(id).is_some_and(|one| matches!(one.state(), State::Answered(..))) {
        let tray = Place::replied(node, id);
        let end = leaves + times::MOVE_UP;
        reel.leg(&token, How::Rest, leaves, end, Some(tray.clone()));
        let served = Place::row(reel.scene.step, RowPart::Served);
        reel.add_if_new(served, How::Show, leaves, end, None);
        reel.add(tray, How::Show, end - 20, end + 20).by(id);
        reel.gone(&token, end + 40);
        reel.goes_on(id, end, end + 40);
        reel.t = end + 40;
        return;
    }
    reel.fly_back(&token, (id, line), row);
    reel.go(id, Some(&token));
}

/// Returns the key that a blocking command waited for: the one that has just changed, or its first.
fn key_of(reel: &Reel<'_>, id: ClientId, call: &Call, node: NodeId) -> Option<String> {
    let CallKind::Redis { connection, .. } = &call.kind else { return None };
    let world = &reel.scene.before.world;
    let conn = world.instance(node)?.conn(world.conn_of(id, *connection))?;
    let keys: Vec<String> = conn.blocked?.keys.iter().map(|key| key_name(conn.db, key)).collect();
    let argv = match &reel.scene.after.seen.event {
        crate::sim::Event::Call { call, .. } | crate::sim::Event::Execute { call, .. } => {
            call.argv()
        }
        _ => &[],
    };
    let named = |key: &&String| argv.iter().any(|word| crate::resp::lossy(word) == **key);
    keys.iter().find(named).or(keys.first()).cloned()
}

/// Returns the messages that came, each with its receiver.
fn messages(reel: &Reel<'_>) -> Vec<(ClientId, u8, Value)> {
    let late = reel.scene.after.seen.late.iter();
    let came = late.filter(|(id, _, what)| {
        let held = reel.scene.was(*id).map(Client::state);
        let console = id.is_console() && !matches!(held, Some(State::Blocked(_)));
        is_message(what) || console
    });
    came.take(MESSAGES_MAX).cloned().collect()
}

/// Moves a message to the line that waits for it, or to the connection where it will be read.
fn deliver(reel: &mut Reel<'_>, token: &Place, to: (ClientId, u8), message: &Value) {
    let (id, connection) = to;
    let client = reel.scene.is(id).or(reel.scene.was(id));
    let asked = client.and_then(|one| one.connections().get(usize::from(connection)));
    let asked = asked.map(|one| one.node).unwrap_or_default();
    let from = Place::slot(reel.scene.before.world.serving(asked));
    let (t0, t1) = (reel.t + times::FADE, reel.t + times::REPLY);
    reel.lift(token, from, reel.t, t0).saying(reply_words(message)).by(id);
    let waits = match reel.scene.was(id).map(Client::state) {
        Some(State::Receiving { call, .. }) if call.connection() == Some(connection) => {
            Some(call.line)
        }
        _ => None,
    };
    let ran = reel.scene.after.seen.ran.iter().any(|run| run.client == id);
    match waits.filter(|_| ran && !reel.gone_on.contains(&id)) {
        Some(line) => {
            let row = reel.scene.wait_began(id);
            reel.wait_ends(id, t0, t0 + 80);
            reel.fly_back(token, (id, line), row);
            reel.go(id, Some(token));
        }
        None => {
            let (place, via) = match id.is_console() {
                true => (Place::client(id), back(reel.scene.step).to_vec()),
                false => (Place::conn(id), Vec::new()),
            };
            reel.leg_via(token, How::Fly, t0, t1, Some(place.clone()), via);
            reel.leg(token, How::Land, t1, t1 + 40, None);
            reel.add_if_new(place, How::Swap, t1, t1 + 40, Some(id));
            reel.t = t1 + 40;
        }
    }
}

fn is_message(push: &Value) -> bool {
    let Value::Push(parts) = push else { return false };
    let kinds: [&[u8]; 3] = [b"message", b"pmessage", b"smessage"];
    matches!(parts.first(), Some(Value::Bulk(kind)) if kinds.contains(&kind.as_ref()))
}

impl Scene<'_> {
    /// Returns true if one of the frames has the key.
    fn has_key(&self, node: NodeId, name: &str) -> bool {
        let has = |world: &World| {
            board::entries(world, node).iter().any(|(db, entry)| key_name(*db, &entry.key) == name)
        };
        has(&self.before.world) || has(&self.after.world)
    }

    /// Returns true if the client got what it waited for, or its wait has ended in another way.
    fn waited(&self, id: ClientId) -> bool {
        let waits = |client: Option<&Client>| {
            client.is_some_and(|client| {
                matches!(
                    client.state(),
                    State::Blocked(_)
                        | State::Waiting(..)
                        | State::Receiving { .. }
                        | State::Unanswered { .. }
                )
            })
        };
        waits(self.was(id)) && !waits(self.is(id))
    }
}

impl Reel<'_> {
    /// Removes "waits …" from the row in which the client's wait began, if it is over.
    pub fn wait_ends(&mut self, id: ClientId, t0: u32, t1: u32) {
        if self.scene.waited(id) {
            let stub = Place::row(self.scene.wait_began(id), RowPart::Stub);
            self.add_if_new(stub, How::Leave, t0, t1, Some(id));
        }
    }
}
