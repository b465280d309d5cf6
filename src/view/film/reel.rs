//! The reel on which a film is assembled, with the movements that all kinds of steps share.
//!
//! `t` is the time reached so far. For a token only the destination is given: [`Reel::leg`] begins
//! where and, at the earliest, when its last leg ended. Between two legs it waits there. To add a
//! movement that several kinds share, add a method here.

use crate::session::spelling::{reply_text, shortened};
use crate::sim::{Call, ClientId, Frame, NodeId};

use super::look::Scene;
use super::{Around, Film, How, Move, Place, RowPart, times};
use crate::view::short::on_line;

/// The most characters on a reply's token.
const REPLY_CHARS: usize = 24;

/// The most keys and variables that move one by one.
pub(super) const THINGS_MAX: usize = 24;

#[derive(Debug)]
pub(super) struct Reel<'a> {
    pub scene: Scene<'a>,
    pub moves: Vec<Move>,
    /// The time up to which everything is filmed.
    pub t: u32,
    /// The times between which Redis, or the thing beside it, changes.
    pub change: (u32, u32),
    /// The time up to which the step's row is drawn.
    pub grown: u32,
    /// The clients whose programs were shown to go on.
    pub gone_on: Vec<ClientId>,
    /// The keys whose change was shown.
    pub keys_done: Vec<Place>,
}

pub(super) fn command() -> Place {
    Place::token("command")
}

pub(super) fn reply() -> Place {
    Place::token("reply")
}

pub(super) fn reply_words(reply: &crate::resp::Value) -> String {
    shortened(&reply_text(reply), REPLY_CHARS)
}

impl Move {
    pub(super) fn at(&mut self, place: Place) -> &mut Move {
        (self.from, self.to) = (Some(place.clone()), Some(place));
        self
    }

    pub(super) fn path(&mut self, from: Place, to: Place) -> &mut Move {
        (self.from, self.to) = (Some(from), Some(to));
        self
    }

    pub(super) fn along(&mut self, via: Vec<Place>) -> &mut Move {
        self.via = via;
        self
    }

    pub(super) fn saying(&mut self, text: String) -> &mut Move {
        self.text = text;
        self
    }

    pub(super) fn by(&mut self, client: impl Into<Option<ClientId>>) -> &mut Move {
        self.client = client.into();
        self
    }

    pub(super) fn with(&mut self, token: Place) -> &mut Move {
        self.with = Some(token);
        self
    }
}

impl<'a> Reel<'a> {
    pub fn new(before: &'a Frame, after: &'a Frame, step: usize, around: &Around<'a>) -> Reel<'a> {
        Reel {
            scene: Scene::new(before, after, step, around),
            moves: Vec::new(),
            t: 0,
            change: (0, times::RUN),
            grown: 200,
            gone_on: Vec::new(),
            keys_done: Vec::new(),
        }
    }

    /// Returns the film; if it is too long, all times are shortened by the same factor.
    pub fn film(mut self) -> Film {
        let end = self.moves.iter().map(|one| one.t1).max().unwrap_or_default().max(self.t);
        let ms = end.min(times::FILM_MAX);
        if end > ms {
            let scaled = |t: u32| (u64::from(t) * u64::from(ms) / u64::from(end)) as u32;
            for one in &mut self.moves {
                (one.t0, one.t1) = (scaled(one.t0), scaled(one.t1));
            }
        }
        for one in &self.moves {
            debug_assert!(one.t0 <= one.t1 && one.t1 <= ms, "{one:?} is not within {ms} ms");
            let are_parts = one.left.is_none_or(|(before, after)| before.max(after) <= 1000);
            debug_assert!(are_parts, "{one:?} shows more than the whole lease");
        }
        Film { ms, moves: self.moves }
    }

    pub fn add(&mut self, what: Place, how: How, t0: u32, t1: u32) -> &mut Move {
        let at = self.moves.len();
        self.moves.push(Move::plain(what, how, t0, t1));
        &mut self.moves[at]
    }

    pub fn mentions(&self, what: &Place) -> bool {
        self.moves.iter().any(|one| one.what == *what)
    }

    /// The same, unless the place was mentioned already.
    pub fn add_if_new(&mut self, what: Place, how: How, t0: u32, t1: u32, by: Option<ClientId>) {
        if !self.mentions(&what) {
            self.add(what, how, t0, t1).by(by);
        }
    }

    // ---- Tokens ---------------------------------------------------------------------------------

    pub fn lift(&mut self, token: &Place, at: Place, t0: u32, t1: u32) -> &mut Move {
        self.add(token.clone(), How::Lift, t0, t1).at(at)
    }

    /// Adds the token's next leg; without `to` it stays where it is. A token that was never lifted
    /// gets none.
    pub fn leg(&mut self, token: &Place, how: How, t0: u32, t1: u32, to: Option<Place>) {
        self.leg_via(token, how, t0, t1, to, Vec::new());
    }

    pub fn leg_via(
        &mut self,
        token: &Place,
        how: How,
        t0: u32,
        t1: u32,
        to: Option<Place>,
        via: Vec<Place>,
    ) {
        let Some(last) = self.moves.iter().rev().find(|one| one.what == *token) else { return };
        let (at, free, client) = (last.to.clone(), last.t1, last.client);
        let Some(from) = at else { return };
        let (t0, t1) = (t0.max(free), t1.max(free));
        let to = to.unwrap_or_else(|| from.clone());
        self.add(token.clone(), how, t0, t1).path(from, to).along(via).by(client);
    }

    /// Removes the token, at `t1` at the latest.
    pub fn gone(&mut self, token: &Place, t1: u32) {
        let last = self.moves.iter().rev().find(|one| one.what == *token);
        if last.is_some_and(|one| one.how == How::Gone) {
            return;
        }
        self.leg(token, How::Gone, t1.saturating_sub(times::FADE), t1, None);
    }

    // ---- The legs of a call ---------------------------------------------------------------------

    /// Returns the words on a command's token.
    pub fn words(&self, client: ClientId, call: &Call) -> String {
        on_line(self.scene.timeline, client, call)
    }

    /// Lights the line up and lifts the command off it.
    pub fn leave(&mut self, client: ClientId, call: &Call) {
        let line = Scene::line_of_call(client, call);
        if !client.is_console() {
            let until = times::LEAVE + times::TRAVEL;
            self.add(line.clone(), How::Light, 0, until).by(client);
        }
        let text = self.words(client, call);
        self.lift(&command(), line, 0, times::LEAVE).saying(text).by(client);
        self.t = times::LEAVE;
    }

    /// Moves the command from its line along the client's road; the row is drawn behind it.
    pub fn travel(&mut self, client: ClientId, call: &Call, door: Place, to: Place) {
        let (t0, t1) = (self.t, self.t + times::TRAVEL);
        let row = |part| Place::row(self.scene.step, part);
        let (request, dot) = (row(RowPart::Request), row(RowPart::Dot));
        let mut via = self.road(client, call);
        if door != to {
            via.push(door);
        }
        self.leg_via(&command(), How::Fly, t0, t1, Some(to), via);
        self.add(request, How::Draw, t0, t1).by(client).with(command());
        self.add(dot, How::Show, t1.saturating_sub(times::FADE), t1 + times::FADE).by(client);
        self.grown = t1;
        self.t = t1;
    }

    /// Returns the road of a call: its line, the gutter, the row of the step.
    pub fn road(&self, client: ClientId, call: &Call) -> Vec<Place> {
        let parts = [RowPart::In, RowPart::Client, RowPart::Server, RowPart::Out];
        let line = (!client.is_console()).then(|| Place::line_end(client, call.line));
        let row = parts.map(|part| Place::row(self.scene.step, part));
        line.into_iter().chain(row).collect()
    }

    pub fn enter(&mut self, client: ClientId, node: NodeId) {
        let (t0, t1) = (self.t, self.t + times::ENTER);
        self.leg(&command(), How::Enter, t0, t1, Some(Place::slot(node)));
        self.add(Place::slot(node), How::Busy, t0, t1).by(client);
        self.t = t1;
    }

    /// Lifts a reply off at `from` and brings it to the client's line by `t`.
    pub fn reply(
        &mut self,
        token: &Place,
        (client, line): (ClientId, u32),
        from: Place,
        row: usize,
        text: String,
    ) {
        self.lift(token, from, self.t, self.t + times::FADE).saying(text).by(client);
        self.fly_back(token, (client, line), row);
    }

    /// Moves it along the road of row `row`, whose line is drawn behind it. The reply to a client
    /// that waited since an earlier row is written in the row of the step.
    pub fn fly_back(&mut self, token: &Place, (client, line): (ClientId, u32), row: usize) {
        let (t0, t1) = (self.t + times::FADE, self.t + times::REPLY);
        let to = Scene::line_end(client, line);
        self.leg_via(token, How::Fly, t0, t1, Some(to), back(row).to_vec());
        let drawn = Place::row(row, RowPart::Reply);
        if row != self.scene.step {
            self.add_if_new(Place::row(self.scene.step, RowPart::Served), How::Show, t0, t1, None);
        } else if !self.mentions(&drawn) {
            self.add(drawn, How::Draw, t0, t1).by(client).with(token.clone());
        }
        self.t = t1;
    }

    /// Films a reply that fades half-way, and the line behind it.
    pub fn lose(&mut self, client: ClientId, from: Place, text: String) {
        let (t0, t1) = (self.t + times::FADE, self.t + times::REPLY / 2);
        let step = self.scene.step;
        let half = Place::row(step, RowPart::Half);
        self.lift(&reply(), from, self.t, t0).saying(text).by(client);
        let via = back(step)[..2].to_vec();
        self.leg_via(&reply(), How::Lose, t0, t1 + 160, Some(half.clone()), via);
        let line = Place::row(step, RowPart::Reply);
        self.add(line, How::Draw, t0, t1 + 160).by(client).with(reply());
        self.add(half, How::Show, t1, t1 + 160).by(client);
        self.t = t1 + 160;
    }

    /// Lets the program go on: the value on `token` becomes a variable's value, and the marker goes
    /// to the next call. Ends at `t + GO`.
    pub fn go(&mut self, client: ClientId, token: Option<&Place>) {
        let (t0, t1) = (self.t, self.t + times::GO);
        let chips = self.scene.chips(client);
        if let Some(token) = token {
            self.leg(token, How::Land, t0, t1, chips.first().cloned());
        }
        for chip in chips {
            self.add(chip, How::Show, t1.saturating_sub(60), t1).by(client);
        }
        self.goes_on(client, t0, t1);
        self.t = t1;
    }

    /// Shows the client's new look, and its marker at the new line.
    pub fn goes_on(&mut self, client: ClientId, t0: u32, t1: u32) {
        if !self.gone_on.contains(&client) {
            self.gone_on.push(client);
        }
        if self.scene.looks_different(client) {
            self.add_if_new(Place::client(client), How::Swap, t0, t1, Some(client));
        }
        let (from, to) = self.scene.lines(client);
        let marker = Place::marker(client);
        let went = |one: &Move| one.what == marker && matches!(one.how, How::Shift | How::Leave);
        if from != to && !client.is_console() && !self.moves.iter().any(went) {
            let path = (Place::line(client, from), Place::line(client, to));
            self.add(marker, How::Shift, t0, t1).path(path.0, path.1).by(client);
        }
    }

    pub fn say(&mut self, t0: u32) {
        if !self.mentions(&Place::say()) {
            self.add(Place::say(), How::Swap, t0, t0 + times::SAY);
        }
    }

    // ---- Steps that no token makes --------------------------------------------------------------

    /// Shows the row at once.
    pub fn row(&mut self) {
        self.add(Place::row(self.scene.step, RowPart::All), How::Show, 0, 120);
    }

    /// A plain film: the row, the sentence, and whatever `follow` finds.
    pub fn plain(&mut self) {
        self.row();
        self.change = (60, 60 + times::LOOK);
        self.say(160);
        self.t = 360;
    }
}

/// Returns the road back.
pub(super) fn back(row: usize) -> [Place; 4] {
    let parts = [RowPart::OutBack, RowPart::ServerBack, RowPart::ClientBack, RowPart::InBack];
    parts.map(|part| Place::row(row, part))
}
