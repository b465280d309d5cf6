//! The code column: clients that run the same program share one listing, with a marker and the
//! values of each.
//!
//! A line has room for its values from the start: the lesson's stories and the run show which ones
//! it will have. So no line moves when a value appears.

use std::rc::Rc;

use crate::sim::ClientId;

use super::cards::{Card, InlineValue, Line, Status};
use super::readings::Faces;
use crate::view::highlight::Kind;

/// The most characters of a value; a longer one is cut, and its tooltip has all of it.
const VALUE_CHARS_MAX: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub file: String,
    /// The forms of the program.
    pub faces: Faces,
    pub clients: Vec<ClientId>,
    pub lines: Vec<ListLine>,
    /// The clients that have come to its end.
    pub done: Vec<ClientId>,
    /// True if all of it is shown; else only the lines that run next.
    pub open: bool,
    /// The length of its longest line, in characters.
    pub widest: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListLine {
    pub number: u32,
    pub indent: usize,
    pub pieces: Rc<[(Kind, String)]>,
    /// The clients whose next command is on this line. `ran`: the clients that ran this line last.
    pub next: Vec<ClientId>,
    pub ran: Vec<ClientId>,
    pub variables: Vec<Variable>,
}

/// A variable that a line sets: its name, and its value for each client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub values: Vec<Value>,
}

/// The value of a variable for a client, or the room for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    pub client: ClientId,
    pub value: Option<String>,
    /// The value itself, for the tooltip.
    pub whole: Option<String>,
    /// True if the last step set it.
    pub fresh: bool,
    /// The room that it needs, in characters.
    pub chars: usize,
}

/// The variables seen at lines: line, name, and the characters of the longest value.
pub type Room = Vec<(u32, String, usize)>;

/// Returns the listings. `rooms` has the values of each card's program; `last` is the client that
/// moved last.
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
        variables: Vec::new(),
    };
    let chars = |line: &Line| {
        line.indent + line.pieces.iter().map(|(_, text)| text.chars().count()).sum::<usize>()
    };
    Listing {
        file: card.file.clone(),
        faces: card.faces.clone(),
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
    let mut put = |name: &str, value: Option<&InlineValue>, chars: usize| {
        // `_` names a value that the program ignores.
        if name == "_" {
            return;
        }
        let known = line.variables.iter().position(|one| one.name == name);
        let at = known.unwrap_or_else(|| {
            line.variables.push(Variable { name: name.to_owned(), values: Vec::new() });
            line.variables.len() - 1
        });
        let values = &mut line.variables[at].values;
        let new = Value {
            client,
            value: value.map(|set| set.shown().to_owned()),
            whole: value.map(|set| set.value.clone()),
            fresh: value.is_some_and(|set| set.fresh),
            chars: chars.min(VALUE_CHARS_MAX),
        };
        match values.iter_mut().find(|one| one.client == client) {
            Some(one) => *one = Value { chars: one.chars.max(new.chars), ..new },
            None => values.push(new),
        }
    };
    for (_, name, chars) in room.iter().filter(|(at, ..)| *at == of_card.number) {
        put(name, None, *chars);
    }
    for set in of_card.values.iter().filter(|set| set.current) {
        put(&set.name, Some(set), set.shown().chars().count());
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::link::Link;
    use crate::session::{Msg, Session};
    use crate::text::Lang;
    use crate::view::stage::cards::Deck;
    use crate::view::stage::readings::LUA;

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
        let variables = one.lines.iter().flat_map(|line| &line.variables);
        let values: Vec<String> = variables
            .flat_map(|one| one.values.iter().map(move |value| (&one.name, value)))
            .filter_map(|(name, one)| {
                Some(format!("{} {name} = {}", one.client.name(), one.value.as_ref()?))
            })
            .collect();
        assert_eq!(values, ["A n = 20", "B n = 20"]);
        let next: Vec<&Vec<ClientId>> =
            one.lines.iter().map(|line| &line.next).filter(|next| !next.is_empty()).collect();
        assert_eq!(next, [&vec![ClientId(0), ClientId(1)]]);
    }

    #[test]
    fn a_line_has_the_same_values_at_every_step_of_a_story() {
        let values = |at: usize| -> Vec<(u32, String, Vec<ClientId>)> {
            let all = shown("lost-update", "mode=watch", at);
            let lines = all.iter().flat_map(|one| &one.lines);
            let of_line = |line: &ListLine| {
                let clients = |one: &Variable| one.values.iter().map(|one| one.client).collect();
                let variables = line.variables.iter();
                let all = variables.map(|one| (line.number, one.name.clone(), clients(one)));
                all.collect::<Vec<_>>()
            };
            lines.flat_map(of_line).collect()
        };
        for step in 1..=4 {
            assert_eq!(values(0), values(step), "step {step}");
        }
    }
    #[test]
    fn a_script_has_the_room_of_its_quotation_marks() {
        let all = shown("stock-buckets", "mode=schedule&schedule=A1.B1.C1", 3);
        let variables = all.iter().flat_map(|one| &one.lines).flat_map(|line| &line.variables);
        let scripts: Vec<&Variable> = variables.filter(|one| one.name == "take").collect();
        let [take] = scripts.as_slice() else { panic!("{scripts:?}") };
        for value in &take.values {
            assert_eq!((value.value.as_deref(), value.chars), (Some("\"…\""), 3));
        }
    }
}
