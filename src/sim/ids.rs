//! The order of unique ids: which of two that `uuid()` gave is the less. A learner always sees
//! [`IdOrder::Letters`]; a search also tries others (`check::orders`).

use super::{ClientId, MAX_CLIENTS};

/// The order of the ids that `uuid()` gives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum IdOrder {
    /// In the order of the clients' letters, and each client's in the order in which it got them.
    #[default]
    Letters,
    /// By client, the place of its ids among those of all clients.
    Places(Vec<u8>),
    /// Of two ids the other one is the less.
    Reversed,
    /// In an order of its own for each seed, in which the ids of a client do not stay together.
    Mixed(u32),
}

/// The number of the first id of a client in [`IdOrder::Reversed`]: later ones count down.
const LAST: u32 = 999;

impl IdOrder {
    /// Returns a client's id number `count`, from 1.
    pub(super) fn id(&self, client: ClientId, count: u32) -> String {
        let letter = |place: u32| char::from(b'a' + (place % 26) as u8);
        let own = u32::from(client.0);
        match self {
            IdOrder::Places(places) => {
                let place = places.get(client.index()).copied().map_or(own, u32::from);
                format!("{}-{count}", letter(place))
            }
            IdOrder::Reversed => {
                let place = (MAX_CLIENTS as u32 - 1).saturating_sub(own);
                format!("{}-{}", letter(place), LAST.wrapping_sub(count))
            }
            IdOrder::Mixed(seed) => {
                let number = count.wrapping_mul(MAX_CLIENTS as u32).wrapping_add(own);
                let mixed = (u64::from(*seed) << 32 | u64::from(number)).wrapping_add(1);
                let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                format!("{}-{number}", letter((mixed >> 60) as u32))
            }
            // More clients than letters: of a crowd.
            IdOrder::Letters if own >= 26 => format!("{}{}-{count}", letter(own), own / 26),
            IdOrder::Letters => format!("{}-{count}", letter(own)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order gives each id once. Reversed, each pair of ids is the other way round.
    #[test]
    fn ids_are_unique_in_every_order() {
        let orders = [
            IdOrder::Letters,
            IdOrder::Places(vec![2, 0, 1]),
            IdOrder::Reversed,
            IdOrder::Mixed(1),
            IdOrder::Mixed(2),
        ];
        let all = |order: &IdOrder| -> Vec<String> {
            let places = (0..3).flat_map(|client| (1..9).map(move |count| (client, count)));
            places.map(|(client, count)| order.id(ClientId(client), count)).collect()
        };
        for order in &orders {
            let mut ids = all(order);
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), 24, "{order:?}");
        }
        assert!(all(&IdOrder::Letters).is_sorted());
        assert!(all(&IdOrder::Reversed).is_sorted_by(|one, next| one > next));
        assert!(!all(&IdOrder::Mixed(1)).is_sorted());
    }
}
