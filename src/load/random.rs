//! Seeded random numbers: PCG (XSH-RR, 64 bits of state), and distributions. Logarithms and powers
//! are libm's, so that a seed gives the same run to the bit on every target.

/// O'Neill's PCG32.
#[derive(Debug, Clone)]
pub struct Pcg {
    state: u64,
    stream: u64,
}

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

impl Pcg {
    pub fn new(seed: u64, stream: u64) -> Pcg {
        let mut pcg = Pcg { state: 0, stream: stream << 1 | 1 };
        pcg.next_u32();
        pcg.state = pcg.state.wrapping_add(seed);
        pcg.next_u32();
        pcg
    }

    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.stream);
        let mixed = ((old >> 18 ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// Returns a number above 0 and up to 1, so that its logarithm is finite.
    pub fn unit(&mut self) -> f64 {
        (f64::from(self.next_u32()) + 1.0) / 4_294_967_296.0
    }

    /// Returns a number from 0 to `bound` − 1 (Lemire's reduction).
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// Returns true this many times in a million.
    pub fn happens(&mut self, per_million: u32) -> bool {
        per_million > 0 && self.below(1_000_000) < per_million
    }

    /// Returns an exponentially distributed number.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(self.unit())
    }

    /// Returns a number from the standard normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.unit()));
        radius * libm::cos(core::f64::consts::TAU * self.unit())
    }
}

/// The distribution of a latency. The mean does not depend on it; `deviation` is the standard
/// deviation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spread {
    Constant,
    Uniform,
    /// A fixed part plus an exponential one: most are quick, a few are late.
    #[default]
    Exponential,
    /// A long tail, as measured on real networks.
    LogNormal,
}

impl Spread {
    pub const ALL: [Spread; 4] =
        [Spread::Constant, Spread::Uniform, Spread::Exponential, Spread::LogNormal];

    pub fn name(self) -> &'static str {
        match self {
            Spread::Constant => "constant",
            Spread::Uniform => "uniform",
            Spread::Exponential => "exponential",
            Spread::LogNormal => "lognormal",
        }
    }

    pub fn draw(self, mean: f64, deviation: f64, pcg: &mut Pcg) -> f64 {
        if self == Spread::Constant || deviation <= 0.0 || mean <= 0.0 {
            return mean;
        }
        let drawn = match self {
            // The width of a uniform distribution is √12 deviations.
            Spread::Uniform => mean + (pcg.unit() - 0.5) * deviation * libm::sqrt(12.0),
            Spread::Exponential => {
                let deviation = deviation.min(mean);
                mean - deviation + pcg.exponential(deviation)
            }
            _ => {
                let ratio = deviation / mean;
                let variance = libm::log1p(ratio * ratio);
                let location = libm::log(mean) - variance / 2.0;
                libm::exp(location + libm::sqrt(variance) * pcg.normal())
            }
        };
        drawn.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation's demonstration (seed 42, stream 54).
    #[test]
    fn pcg_is_the_published_one() {
        let mut pcg = Pcg::new(42, 54);
        let first: Vec<u32> = (0..6).map(|_| pcg.next_u32()).collect();
        let published =
            [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e];
        assert_eq!(first, published);
    }

    #[test]
    fn draws_have_the_mean_and_the_deviation_that_were_asked_for() {
        for spread in Spread::ALL {
            let mut pcg = Pcg::new(7, 0);
            let draws: Vec<f64> =
                (0..200_000).map(|_| spread.draw(100.0, 30.0, &mut pcg)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let square = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let deviation = (square / draws.len() as f64).sqrt();
            assert!((mean - 100.0).abs() < 0.5, "{spread:?}: {mean}");
            let expected = if spread == Spread::Constant { 0.0 } else { 30.0 };
            assert!((deviation - expected).abs() < 0.5, "{spread:?}: {deviation}");
        }
    }
}
