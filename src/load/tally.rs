//! The results of one run of a crowd.

use super::Histogram;

/// The numbers of one run. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    pub seed: u64,
    /// Requests that came.
    pub arrived: u64,
    /// Programs that came to their end …
    pub finished: u64,
    /// … that stopped with an error …
    pub failed: u64,
    /// … and that died.
    pub crashed: u64,
    /// Requests that had not ended when the run did: no client could go on, or the time was up.
    pub stuck: u64,
    /// No client could go on.
    pub deadlocked: bool,
    /// The run was ended by a bound.
    pub cut: bool,
    /// When the last thing happened.
    pub end_ns: u64,
    /// From a request's arrival to its end, of those that ended.
    pub response: Histogram,
    /// The part of it spent waiting: for a thread, a mutex, Redis's own thread, a push, or asleep
    /// before another try.
    pub waiting: Histogram,
    /// Waiting for Redis's thread alone, of each command.
    pub queueing: Histogram,
    /// Commands executed.
    pub commands: u64,
    /// Times that a program slept: mostly before trying again.
    pub sleeps: u64,
    /// How long each instance was at work.
    pub busy_ns: Vec<u64>,
    /// Requests under way, added up over time: divided by the time, how many there are on average.
    pub presence: f64,
    /// Jain's index of the clients' mean response times: 1 where all fare alike, 1/n where one
    /// carries everything.
    pub fairness: f64,
    /// The measures, in the order of the job's; NaN where one is no number.
    pub values: Vec<f64>,
    /// Events that the simulation took.
    pub events: u64,
}

impl Tally {
    pub fn ended(&self) -> u64 {
        self.finished + self.failed + self.crashed
    }

    /// Requests that came to their end, per second.
    pub fn throughput(&self) -> f64 {
        if self.end_ns == 0 { 0.0 } else { self.finished as f64 * 1e9 / self.end_ns as f64 }
    }

    /// How much of the time the busiest instance was at work.
    pub fn utilisation(&self) -> f64 {
        let busiest = self.busy_ns.iter().copied().max().unwrap_or(0);
        if self.end_ns == 0 { 0.0 } else { busiest as f64 / self.end_ns as f64 }
    }

    /// Commands for a request that ended.
    pub fn commands_per_request(&self) -> f64 {
        if self.ended() == 0 { 0.0 } else { self.commands as f64 / self.ended() as f64 }
    }
}

/// Jain's index: (Σx)² ÷ (n·Σx²).
pub(super) fn jain(values: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        sum += value;
        squares += value * value;
    }
    if squares == 0.0 { 1.0 } else { sum * sum / (count * squares) }
}

#[cfg(test)]
mod tests {
    use super::jain;

    #[test]
    fn fairness_is_one_for_equals_and_one_nth_where_one_has_all() {
        assert_eq!(jain([3.0, 3.0, 3.0].into_iter()), 1.0);
        assert_eq!(jain([0.0, 0.0, 0.0, 8.0].into_iter()), 0.25);
        assert_eq!(jain([].into_iter()), 1.0);
    }
}
