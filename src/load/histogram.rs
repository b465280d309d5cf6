//! A histogram of durations, in buckets as in HdrHistogram: 128 to each power of two, so that a
//! percentile is at most 0.8 % too high, however many there are. Mean, sum and maximum are exact.

/// Values below this have a bucket each.
const FINE: u64 = 128;
/// The number of powers of two: all durations beyond 2⁴⁰ ns (18 minutes) share one bucket.
const POWERS: u64 = 34;
const BUCKETS: usize = (FINE + POWERS * FINE) as usize;

/// A histogram of durations in ns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// The counts, as long as necessary.
    counts: Vec<u32>,
    count: u64,
    sum: f64,
    max: u64,
}

impl Histogram {
    pub fn add(&mut self, value: u64) {
        let at = bucket(value);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        debug_assert!(at == BUCKETS - 1 || upper_end(at) >= value, "a bucket ends below {value}");
        self.counts[at] = self.counts[at].saturating_add(1);
        self.count += 1;
        self.sum += value as f64;
        self.max = self.max.max(value);
    }

    pub fn merge(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (own, more) in self.counts.iter_mut().zip(&other.counts) {
            *own = own.saturating_add(*more);
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes it as whole numbers; only non-empty buckets are listed.
    pub fn pack(&self, out: &mut Vec<i64>) {
        let filled = || self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        out.extend([self.sum.to_bits() as i64, self.max as i64, filled().count() as i64]);
        filled().for_each(|(at, count)| out.extend([at as i64, i64::from(*count)]));
    }

    /// Reads the output of [`Histogram::pack`]; `None` for anything else.
    pub fn unpack(from: &mut impl Iterator<Item = i64>) -> Option<Histogram> {
        let sum = f64::from_bits(from.next()? as u64);
        let mut histogram = Histogram { sum, max: from.next()? as u64, ..Histogram::default() };
        for _ in 0..usize::try_from(from.next()?).ok()?.min(BUCKETS) {
            let at = usize::try_from(from.next()?).ok().filter(|at| *at < BUCKETS)?;
            let count = u32::try_from(from.next()?).ok()?;
            if at >= histogram.counts.len() {
                histogram.counts.resize(at + 1, 0);
            }
            histogram.counts[at] = count;
            histogram.count += u64::from(count);
        }
        Some(histogram)
    }

    /// Returns the mean; 0 if there are no values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    pub fn max(&self) -> u64 {
        self.max
    }

    /// Returns the percentile: the upper end of its bucket, or the maximum.
    pub fn percentile(&self, percent: f64) -> u64 {
        let wanted = (self.count as f64 * percent / 100.0).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (at, count) in self.counts.iter().enumerate() {
            seen += u64::from(*count);
            if seen >= wanted {
                return upper_end(at).min(self.max);
            }
        }
        self.max
    }
}

fn bucket(value: u64) -> usize {
    if value < FINE {
        return value as usize;
    }
    let power = u64::from(value.ilog2()) - 7;
    let within = (value >> power) - FINE;
    ((FINE + power * FINE + within) as usize).min(BUCKETS - 1)
}

/// Returns the greatest value of a bucket.
fn upper_end(at: usize) -> u64 {
    let at = at as u64;
    if at < FINE {
        return at;
    }
    let (power, within) = ((at - FINE) / FINE, (at - FINE) % FINE);
    ((FINE + within + 1) << power) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_as_near_as_promised() {
        let mut histogram = Histogram::default();
        (1..=100_000_u64).for_each(|value| histogram.add(value * 37));
        for percent in [1.0, 50.0, 95.0, 99.0, 99.9] {
            let exact = percent / 100.0 * 100_000.0 * 37.0;
            let found = histogram.percentile(percent) as f64;
            assert!((exact..=exact * 1.008).contains(&found), "{percent}: {found} for {exact}");
        }
        assert_eq!(histogram.percentile(100.0), 3_700_000);
        assert_eq!(histogram.mean(), 50_000.5 * 37.0);
    }

    #[test]
    fn every_value_is_in_a_bucket_that_ends_above_it() {
        for value in [0, 1, 127, 128, 129, 255, 256, 1_000, 1 << 30, (1 << 30) + 12_345] {
            let end = upper_end(bucket(value));
            assert!(end >= value && end as f64 <= value as f64 * 1.008 + 1.0, "{value}: {end}");
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }
}
