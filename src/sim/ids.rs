//! The order of unique ids: which of two that `uuid()` gave is the less. A learner always sees that
//! of the letters; a search also tries others (`check::orders`).
//!
//! An id begins with the letter of a client in every order, and another client's ids with another
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
}

impl IdOrder {
    /// Returns a client's id number `count`, from 1.
    pub(super) fn id(&self, client: ClientId, count: u32) -> String {
        let own = u32::from(client.0);
        let place = self.places.get(client.index()).copied().map_or(own, u32::from);
        let letter = char::from(b'a' + (place % 26) as u8);
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
            let order = IdOrder { places: places.to_vec(), falls };
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
}
