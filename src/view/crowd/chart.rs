//! The layout of line charts over the number of clients, or of instances that are down: the places
//! of lines, ticks and labels.

use crate::session::spelling::thousands;
use crate::text::{CrowdWord, Lang, crowd, fill};

use super::panel::short;

pub const WIDTH: f64 = 420.0;
pub const HEIGHT: f64 = 246.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
/// The approximate number of ticks of the vertical axis.
const TICKS: f64 = 4.0;

/// A line: one variant's values.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub variant: usize,
    pub label: String,
    /// The points in the picture, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A variant's number, its name, and its values by number of clients or instances.
pub type Values = (usize, String, Vec<(u32, f64)>);

/// A chart whose vertical axis begins at 0; the horizontal one is logarithmic for clients.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub title: String,
    /// A description for screen readers.
    pub says: String,
    pub lines: Vec<Line>,
    /// The height of the horizontal axis.
    pub floor: f64,
    pub axis: &'static str,
    /// The places and texts of the labels below the axis.
    pub below: Vec<(f64, String)>,
    pub beside: Vec<(f64, String)>,
}

impl Chart {
    pub fn new(title: &str, of: Vec<Values>, down: bool, lang: Lang) -> Chart {
        let finite = |(number, value): &(u32, f64)| (down || *number > 0) && value.is_finite();
        let all = || of.iter().flat_map(|(.., points)| points).filter(|point| finite(point));
        let most = all().map(|(_, value)| *value).fold(0.0, f64::max);
        let least = if down { 1 } else { 10 };
        let last = all().map(|(number, _)| *number).max().unwrap_or(1).max(least);
        let (top, marks) = scale_to(most, TICKS);
        let (wide, high) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let scale = |number: u32| match down {
            true => f64::from(number),
            false => libm::log10(f64::from(number.max(1))),
        };
        let x = |number: u32| LEFT + scale(number) / scale(last) * wide;
        let y = |value: f64| TOP + (1.0 - value / top) * high;
        let place = |(number, value): (u32, f64)| (x(number), y(value.max(0.0)));
        let words = match down {
            true => [CrowdWord::DownFromTo, CrowdWord::DownSays, CrowdWord::Down],
            false => [CrowdWord::FromTo, CrowdWord::ChartSays, CrowdWord::SweepClients],
        };
        let [from_to, says, axis] = words.map(|word| crowd(lang, word));
        let mut said = Vec::new();
        let mut lines = Vec::new();
        for (variant, label, mut points) in of {
            points.retain(finite);
            points.sort_by_key(|(number, _)| *number);
            if let (Some(first), Some(last)) = (points.first(), points.last()) {
                let [from, to] = [first, last].map(|(number, _)| thousands((*number).into()));
                let [low, high] = [first, last].map(|(_, value)| short(*value));
                let parts = [label.as_str(), &low, &from, &high, &to];
                said.push(fill(from_to, &parts));
            }
            let points = points.into_iter().map(place).collect();
            lines.push(Line { variant, label, points });
        }
        let numbers: Vec<u32> = match down {
            true => (0..=last).collect(),
            false => vec![1, 10, 100, 1_000],
        };
        let numbers = numbers.into_iter().filter(|tick| *tick <= last);
        Chart {
            says: fill(says, &[title, &said.join(" ")]),
            title: title.to_owned(),
            lines,
            floor: HEIGHT - BOTTOM,
            axis,
            below: numbers.map(|tick| (x(tick), thousands(tick.into()))).collect(),
            beside: marks.into_iter().map(|value| (y(value), short(value))).collect(),
        }
    }
}

/// Returns the end of a scale from 0 that reaches `most`, and the distance of its ticks, about
/// `count` of them.
pub fn scale_to(most: f64, count: f64) -> (f64, Vec<f64>) {
    let step = if most > 0.0 { ticks(most / count) } else { 1.0 };
    let steps = (most / step).ceil().max(1.0);
    (steps * step, (0..=steps as u32).map(|tick| f64::from(tick) * step).collect())
}

/// Returns the smallest of 1, 2, 5, 10, 20 … that is at least this.
pub fn ticks(least: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(least.max(1e-12))));
    let found = [1.0, 2.0, 5.0].into_iter().map(|one| one * power).find(|one| *one >= least);
    found.unwrap_or(10.0 * power)
}
