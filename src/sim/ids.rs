//! The order of unique ids, which of two that `uuid()` gave is the less, and their text. A learner
//! always sees those of the letters; a search also tries others (`check::orders`).
//!
//! An id begins with a letter in every order and text, and another client's ids with another
//! letter: programs take it as a name. So the ids of one client stay together.

use super::ClientId;

/// The order of the ids that `uuid()` gives. The default is that of the clients' letters, each
/// client's ids in the order in which it got them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IdOrder {
    /// By client, the place of its ids among those of all clients; its own if there is none.
    pub places: Vec<u8>,
    /// True if of two ids of one client the later one is the less.
    pub falls: bool,
    /// How ids are written: 0 as a learner sees them, 1 to 3 ([`LETTERS`]) with other digits and
    /// lengths, where the order is that of the letters.
    pub text: u8,
}

/// The text that begins with other letters, too.
pub(super) const LETTERS: u8 = 3;
/// The most clients for which other texts keep the order of the letters.
pub(super) const CLIENTS_WITH_TEXT: usize = 12;

impl IdOrder {
    /// Returns a client's id number `count`, from 1.
    pub(super) fn id(&self, client: ClientId, count: u32) -> String {
        let own = u32::from(client.0);
        let place = self.places.get(client.index()).copied().map_or(own, u32::from);
        let letter = char::from(b'a' + (place % 26) as u8);
        let digit = (count + 1) % 10;
        match self.text {
            0 => {}
            // What is odd or even in an id as a learner sees it is the other way round here; all
            // clients have the same of both …
            1 | LETTERS => {
                let letter = if self.text == 1 { letter } else { char::from(b'n' + place as u8) };
                return format!("{letter}{}-{count}-7{digit}", 41 + 10 * place);
            }
            // … or neighbours do not.
            _ => {
                let digit = (digit + place) % 10;
                return format!("{letter}{}-{count}-e{digit}", 1306 + 7 * place);
            }
        }
        match (self.falls, place / 26) {
            (false, 0) => format!("{letter}-{count}"),
            // Of a crowd.
            (false, more) => format!("{letter}{more}-{count}"),
            (true, _) if count < 9 => format!("{letter}-{}", 9 - count),
            (true, _) => format!("{letter}-0{}", 999_u32.wrapping_sub(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order gives each id once. Where the clients are in the other order and numbers fall,
    /// each pair of ids is the other way round.
    #[test]
    fn ids_are_unique_in_every_order() {
        let all = |places: &[u8], falls: bool| -> Vec<String> {
            let order = IdOrder { places: places.to_vec(), falls, text: 0 };
            let ids = (0..3).flat_map(|client| (1..20).map(move |count| (client, count)));
            ids.map(|(client, count)| order.id(ClientId(client), count)).collect()
        };
        for (places, falls) in [(&[][..], false), (&[2, 0, 1], false), (&[0, 1, 2], true)] {
            let mut ids = all(places, falls);
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), 57, "{places:?}");
        }
        assert!(all(&[2, 1, 0], true).is_sorted_by(|one, next| one > next));
    }

    /// Other texts keep the order of the letters, and tell what reads a letter, digit or length.
    #[test]
    fn other_texts_keep_the_order_and_nothing_else() {
        let ids = |text| -> Vec<String> {
            let order = IdOrder { text, ..IdOrder::default() };
            let clients = 0..CLIENTS_WITH_TEXT as u16;
            let ids = clients.flat_map(|client| (1..=12).map(move |count| (client, count)));
            ids.map(|(client, count)| order.id(ClientId(client), count)).collect()
        };
        let [plain, one, two, letters] = [0, 1, 2, LETTERS].map(ids);
        for (a, b) in (0..plain.len()).flat_map(|a| (0..plain.len()).map(move |b| (a, b))) {
            for other in [&one, &two, &letters] {
                let (is, was) = (other[a].cmp(&other[b]), plain[a].cmp(&plain[b]));
                assert_eq!(is, was, "{} {}", other[a], other[b]);
            }
        }
        for (at, id) in plain.iter().enumerate() {
            let last = |id: &str| id.bytes().last().map(|byte| byte % 2);
            assert_ne!(last(id), last(&one[at]), "{id}");
            assert!(id.len() != one[at].len() && one[at].len() != two[at].len(), "{id}");
            assert!([&one, &two].iter().all(|other| other[at][..1] == id[..1]), "{id}");
            assert_eq!(letters[at][1..], one[at][1..], "{id}");
        }
        assert_eq!([&one[0], &one[12], &two[0]], ["a41-1-72", "b51-1-72", "a1306-1-e2"]);
        assert_eq!(letters[0], "n41-1-72");
    }
}
