//! Chance: each outcome of a random draw is an action that a run can choose.
//!
//! A command that draws (SPOP, SRANDMEMBER, RANDOMKEY …) has outcomes. They are found by executing
//! it with every row of draws, in the order of the rows (0, 0, … first); rows that lead to the same
//! world count once. [`Action::Draw`] is a client's step with a given outcome. The plain step draws
//! by the instance's seed, so that older schedules still mean the same.
//!
//! Absent: Lua's `math.random` without a seed, and more than [`OUTCOMES_MAX`] outcomes. A search
//! that meets one says that it has not followed all of them.

use super::action::{Action, ClientId};
use super::apply::{Log, Touched};
use super::client::CallKind;
use super::world::{Event, World};
use super::{NodeId, OUTCOMES_MAX};
use crate::engine;

/// The most rows of draws that are tried; several rows may lead to the same outcome.
const ROWS_MAX: usize = 256;

/// The outcomes of a step.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// For each outcome the draws that lead to it; empty if nothing is drawn.
    pub outcomes: Vec<Vec<u32>>,
    /// The reads and writes of the command, for each row that was tried.
    pub touched: Vec<Touched>,
    /// True if there are more outcomes.
    pub is_cut: bool,
}

impl World {
    /// Returns the number of outcomes of `id`'s next command: 0 if it draws nothing, and at most
    /// [`OUTCOMES_MAX`].
    pub fn outcomes(&self, id: ClientId) -> usize {
        self.drawn(id).outcomes.len()
    }

    pub(super) fn drawn(&self, id: ClientId) -> Drawn {
        match self.may_draw(id) {
            Some((action, at)) => self.all_drawn(action, at),
            None => Drawn::default(),
        }
    }

    /// Executes the command with every row of draws. A function of its own: few runs need it.
    #[inline(never)]
    fn all_drawn(&self, action: Action, at: NodeId) -> Drawn {
        let mut drawn = Drawn::default();
        let (mut worlds, mut row): (Vec<World>, Vec<u32>) = Default::default();
        for _ in 0..ROWS_MAX {
            let mut world = self.clone();
            let mut log = Log::touching();
            let (_, bounds) = world.execute_drawing(action, at, &row, &mut log);
            drawn.touched.extend(log.touched);
            if bounds.is_empty() {
                return drawn;
            }
            if !worlds.contains(&world) {
                if worlds.len() == OUTCOMES_MAX {
                    break;
                }
                worlds.push(world);
                drawn.outcomes.push(row.clone());
            }
            // The next row: the last draw that can come to more does.
            row.resize(bounds.len(), 0);
            while let Some(last) = row.pop() {
                if u64::from(last) + 1 < bounds[row.len()] {
                    row.push(last + 1);
                    break;
                }
            }
            if row.is_empty() {
                return drawn;
            }
        }
        drawn.is_cut = true;
        drawn
    }

    /// Returns the action by which `id` sends a command that may draw, and the instance that
    /// executes it.
    fn may_draw(&self, id: ClientId) -> Option<(Action, NodeId)> {
        let call = self.client(id)?.call()?;
        let CallKind::Redis { node, argv, .. } = &call.kind else { return None };
        let at = self.serving(*node);
        let all = [Action::Step(id), Action::Execute(id)];
        let action = all.into_iter().find(|action| self.possible(*action).is_ok())?;
        (engine::may_draw(argv) && self.is_up(at)).then_some((action, at))
    }

    /// Makes the client's step with this outcome; `None` if there is no such outcome.
    pub(super) fn draw(&mut self, id: ClientId, outcome: u8, log: &mut Log) -> Option<Event> {
        let (action, at) = self.may_draw(id)?;
        let row = self.drawn(id).outcomes.into_iter().nth(outcome.into())?;
        Some(self.execute_drawing(action, at, &row, log).0)
    }

    /// Executes a command with these draws, and also returns the bound below which each draw lies.
    fn execute_drawing(
        &mut self,
        action: Action,
        at: NodeId,
        row: &[u32],
        log: &mut Log,
    ) -> (Event, Vec<u64>) {
        if let Some(instance) = self.instance_mut(at) {
            instance.draw_as(row);
        }
        let event = self.happen(action, log);
        let bounds = self.instance_mut(at).map(engine::Instance::drawn).unwrap_or_default();
        (event, bounds)
    }
}
