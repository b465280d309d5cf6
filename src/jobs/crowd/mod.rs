//! Crowd: runs of thousands of requests to a lesson's programs, one by one.
//!
//! - A [`Spot`] is a place of a sweep; [`wire`] has the messages to the workers.
//! - [`Work`] is the workers' side.
//!
//! No clocks: the caller says how many events a slice has.

pub mod wire;
mod work;

pub use work::Work;

use crate::load::{Arrival, Plan};

/// The most events of one run of a sweep.
pub const SWEEP_EVENTS: u64 = 400_000;

/// The runs to make: the crowd of the form, or that crowd at each place of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    #[default]
    Form,
    /// With more and more clients.
    Clients,
    /// With more and more instances down.
    Down,
}

/// A place of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Spot {
    #[default]
    Form,
    Clients(u32),
    Down(u32),
}

impl Spot {
    pub fn which(self) -> Which {
        match self {
            Spot::Form => Which::Form,
            Spot::Clients(_) => Which::Clients,
            Spot::Down(_) => Which::Down,
        }
    }

    /// Returns the number of clients, or of instances down.
    pub fn number(self) -> u32 {
        match self {
            Spot::Form => 0,
            Spot::Clients(number) | Spot::Down(number) => number,
        }
    }

    /// Returns the plan at this place. The arrivals become closed-loop, because an open stream of
    /// requests would not grow with the clients.
    pub fn of(self, plan: &Plan) -> Plan {
        let plan = plan.clone();
        match self {
            Spot::Form => plan,
            Spot::Clients(clients) => Plan { clients, arrival: Arrival::AtOnce, ..plan },
            Spot::Down(down) => Plan { down, ..plan },
        }
    }
}
