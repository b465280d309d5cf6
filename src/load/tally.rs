//! The results of one run of a crowd.

use super::Histogram;

/// The numbers of one run. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    pub seed: u64,
    /// The number of requests that arrived.
    pub arrived: u64,
    /// The programs that came to their end without an error.
    pub finished: u64,
    /// The programs that ended with an error.
    pub failed: u64,
    /// The programs that crashed.
    pub crashed: u64,
    /// The requests that had not ended when the run did: no client could go on, or the time was up.
    pub stuck: u64,
    /// True if no client could go on.
    pub deadlocked: bool,
    /// True if a bound ended the run.
    pub cut: bool,
    /// The time of the last event.
    pub end_ns: u64,
    /// The times from a request's arrival to its end, for those that ended.
    pub response: Histogram,
    /// The part of that spent waiting: for a thread, a mutex, Redis's thread, a push, or asleep
    /// before another try.
    pub waiting: Histogram,
    /// The time that each command waited for Redis's thread.
    pub queueing: Histogram,
    /// The number of commands executed.
    pub commands: u64,
    /// The number of times that a program slept, mostly before trying again.
    pub sleeps: u64,
    /// The busy time of each instance.
    pub busy_ns: Vec<u64>,
    /// Requests under way, integrated over time: divided by the time, their mean number.
    pub presence: f64,
    /// Jain's index of the clients' mean response times: 1 if all fare alike, 1/n if one carries
    /// everything.
    pub fairness: f64,
    /// The measures, in the order of the job; NaN for one that is no number.
    pub values: Vec<f64>,
    /// The number of events of the simulation.
    pub events: u64,
}

impl Tally {
    pub fn ended(&self) -> u64 {
        self.finished + self.failed + self.crashed
    }

    /// Returns the requests that came to their end, per second.
    pub fn throughput(&self) -> f64 {
        if self.end_ns == 0 { 0.0 } else { self.finished as f64 * 1e9 / self.end_ns as f64 }
    }

    /// Returns the share of time in which the busiest instance was busy.
    pub fn utilisation(&self) -> f64 {
        let busiest = self.busy_ns.iter().copied().max().unwrap_or(0);
        if self.end_ns == 0 { 0.0 } else { busiest as f64 / self.end_ns as f64 }
    }

    /// Returns the number of commands per ended request.
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
