//! The code column: clients that run the same program share one listing, with a marker and the
//! values of each.
//!
//! A line keeps the room that its values need from the start: which ones it will have was seen in
//! the lesson's stories and in the run, so that no line moves when one appears.

use std::rc::Rc;

use crate::sim::ClientId;

use super::cards::{Card, Line, Status};
use super::highlight::Kind;

/// A longer value is cut; its tooltip has all of it.
const VALUE_CHARS_MAX: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub file: String,
    pub clients: Vec<ClientId>,
    pub lines: Vec<ListLine>,
    /// Those who have come to the end of it.
    pub done: Vec<ClientId>,
    /// All of it is shown; of the others only the lines that run next.
    pub open: bool,
    /// The longest line, in characters.
    pub widest: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListLine {
    pub number: u32,
    pub indent: usize,
    pub pieces: Rc<[(Kind, String)]>,
    /// Whose next command stands here, and whose last line it was.
    pub next: Vec<ClientId>,
    pub ran: Vec<ClientId>,
    pub values: Vec<Value>,
}

/// `n = 20` beside a line; a place for it, while it has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    pub client: ClientId,
    pub name: String,
    pub value: Option<String>,
    /// Set by the step just made.
    pub fresh: bool,
    /// The room that it needs, in characters.
    pub chars: usize,
}

/// Values that were seen somewhere: line, name, and the characters of the longest.
pub type Room = Vec<(u32, String, usize)>;

/// `rooms` has the values of each card's program. `last` moved last.
pub fn listings(cards: &[Rc<Card>], rooms: &[Room], last: Option<ClientId>) -> Vec<Listing> {
    let mut listings: Vec<Listing> = Vec::new();
    let mut of: Vec<usize> = Vec::new();
    for (card, room) in cards.iter().zip(rooms) {
        let known = listings.iter().zip(&of).position(|(_, program)| *program == card.program);
        let at = known.unwrap_or_else(|| {
            listings.push(blank(card));
            of.push(card.program);
            listings.len() - 1
        });
        let listing = &mut listings[at];
        listing.clients.push(card.client);
        if card.status == Status::Done {
            listing.done.push(card.client);
        }
        for (line, of_card) in listing.lines.iter_mut().zip(card.lines.iter()) {
            add(line, of_card, card.client, room);
        }
    }
    let open = listings.iter().position(|one| last.is_some_and(|id| one.clients.contains(&id)));
    let open = open.unwrap_or(0);
    listings.iter_mut().enumerate().for_each(|(at, one)| one.open = at == open);
    listings
}

fn blank(card: &Card) -> Listing {
    let line = |line: &Line| ListLine {
        number: line.number,
        indent: line.indent,
        pieces: line.pieces.clone(),
        next: Vec::new(),
        ran: Vec::new(),
        values: Vec::new(),
    };
    let chars = |line: &Line| {
        line.indent + line.pieces.iter().map(|(_, text)| text.chars().count()).sum::<usize>()
    };
    Listing {
        file: card.file.clone(),
        clients: Vec::new(),
        lines: card.lines.iter().map(line).collect(),
        done: Vec::new(),
        open: false,
        widest: card.lines.iter().map(chars).max().unwrap_or(0),
    }
}

fn add(line: &mut ListLine, of_card: &Line, client: ClientId, room: &Room) {
    if of_card.next {
        line.next.push(client);
    }
    if of_card.ran {
        line.ran.push(client);
    }
    let chars = |name: &str, value: usize| name.chars().count() + 3 + value.min(VALUE_CHARS_MAX);
    let mut values: Vec<Value> = room
        .iter()
        .filter(|(at, ..)| *at == line.number)
        .map(|(_, name, most)| Value {
            client,
            name: name.clone(),
            value: None,
            fresh: false,
            chars: chars(name, *most),
        })
        .collect();
    for set in of_card.values.iter().filter(|set| set.current) {
        let needed = chars(&set.name, set.value.chars().count());
        let value = Value {
            client,
            name: set.name.clone(),
            value: Some(set.value.clone()),
            fresh: set.fresh,
            chars: needed,
        };
        match values.iter_mut().find(|one| one.name == set.name) {
            Some(one) => *one = Value { chars: one.chars.max(needed), ..value },
            None => values.push(value),
        }
    }
    line.values.extend(values);
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::text::Lang;
    use crate::view::cards::{Deck, LUA};
    use crate::view::link::Link;
    use crate::view::session::{Msg, Session};

    fn shown(lesson: &str, link: &str, to: usize) -> Vec<Listing> {
        let lesson = read_folder(&Path::new("static/lessons").join(lesson)).unwrap();
        let (mut session, _) = Session::open(Rc::new(lesson), &Link::parse(link)).unwrap();
        session.update(Msg::Seek(to));
        let mut deck = Deck::default();
        let cards = deck.cards(&session, LUA, Lang::En);
        listings(&cards, deck.rooms(), Some(ClientId(1)))
    }

    #[test]
    fn clients_of_one_program_share_a_listing() {
        let all = shown("lost-update", "mode=schedule&schedule=A1.B1.A2.B2", 2);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(one.clients, [ClientId(0), ClientId(1)]);
        assert!(one.open);
        let values: Vec<String> = one
            .lines
            .iter()
            .flat_map(|line| &line.values)
            .filter_map(|one| {
                Some(format!("{} {} = {}", one.client.name(), one.name, one.value.as_ref()?))
            })
            .collect();
        assert_eq!(values, ["A n = 20", "B n = 20"]);
        let next: Vec<&Vec<ClientId>> =
            one.lines.iter().map(|line| &line.next).filter(|next| !next.is_empty()).collect();
        assert_eq!(next, [&vec![ClientId(0), ClientId(1)]]);
    }

    #[test]
    fn a_line_has_the_same_values_at_every_step_of_a_story() {
        let values = |at: usize| -> Vec<(u32, Vec<(ClientId, String)>)> {
            let all = shown("lost-update", "mode=watch", at);
            let lines = all.iter().flat_map(|one| &one.lines);
            lines
                .map(|line| {
                    let values = line.values.iter().map(|one| (one.client, one.name.clone()));
                    (line.number, values.collect())
                })
                .collect()
        };
        for step in 1..=4 {
            assert_eq!(values(0), values(step), "step {step}");
        }
    }
}
