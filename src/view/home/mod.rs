//! The page before all lessons: [`front`] is the run on it, [`race`] the picture on a lesson's
//! card.

pub mod front;
pub mod race;
