//! The main result of a crowd: a sentence with one figure, and a chart in which a dot is a run and
//! all programs share one scale.
//!
//! It is about the lesson's first measure, if that counts what went wrong. If nothing went wrong,
//! there is only the sentence.

use crate::lesson::MeasureDef;
use crate::text::{CrowdWord, Lang, crowd, fill};

use super::Cell;
use super::chart::scale_to;
use super::panel::short;

/// The approximate number of ticks of the scale.
const TICKS: f64 = 6.0;
/// The distance in px between dots that would overlap; below, the largest distance from the middle.
const APART: f64 = 9.0;
const ASIDE_MAX: f64 = 18.0;
/// The width of a dot in percent of the scale.
const DOT_WIDE: f64 = 1.4;

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// The position on the scale, in percent.
    pub x: f64,
    /// The distance from the row's middle, in px.
    pub y: f64,
}

/// The runs of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct DotRow {
    pub variant: usize,
    pub label: String,
    pub dots: Vec<Dot>,
    /// The sum over all runs.
    pub sum: String,
    pub bad: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Dots {
    /// The figure, "3,060 units sold too often", and in how many runs.
    pub figure: String,
    pub runs: String,
    pub bad: bool,
    /// The programs with which it went wrong, and those with which it did not.
    pub detail: String,
    /// The title above the chart.
    pub title: String,
    /// The rows; empty if nothing went wrong.
    pub rows: Vec<DotRow>,
    /// The labels of the scale, at positions in percent.
    pub ticks: Vec<(f64, String)>,
}

impl Dots {
    pub fn new(
        cells: &[Cell],
        defs: &[MeasureDef],
        label: &dyn Fn(usize) -> String,
        lang: Lang,
    ) -> Option<Dots> {
        let def = defs.first().filter(|def| def.bad)?;
        let values_of = |cell: &Cell| -> Vec<f64> {
            let values = cell.summary.runs.iter().filter_map(|run| run.values.first()).copied();
            values.filter(|value| value.is_finite()).collect()
        };
        let all: Vec<Vec<f64>> = cells.iter().map(values_of).collect();
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        let worst = (0..all.len()).max_by(|a, b| sum(&all[*a]).total_cmp(&sum(&all[*b])))?;
        let most = all.iter().flatten().copied().fold(0.0, f64::max);
        let total = sum(&all[worst]);
        let word = |word| crowd(lang, word);
        let measure = def.label.get(lang).as_str();
        // A label may have commas.
        let quoted = |variant: usize| format!("“{}”", label(variant));
        let spared: Vec<String> = cells
            .iter()
            .zip(&all)
            .filter(|(_, values)| !values.is_empty() && sum(values) == 0.0)
            .map(|(cell, _)| quoted(cell.variant))
            .collect();
        let mut detail = Vec::new();
        if total > 0.0 {
            detail.push(fill(word(CrowdWord::DotsWith), &[&quoted(cells[worst].variant)]));
            if !spared.is_empty() {
                let names = spared.join(word(CrowdWord::DotsAnd));
                detail.push(fill(word(CrowdWord::DotsNone), &[&names]));
            }
        }
        let (top, marks) = scale_to(most.max(1.0), TICKS);
        let row = |(cell, values): (&Cell, &Vec<f64>)| DotRow {
            variant: cell.variant,
            label: label(cell.variant),
            dots: placed(values, top),
            sum: short(sum(values)),
            bad: sum(values) > 0.0,
        };
        Some(Dots {
            figure: fill(word(CrowdWord::DotsFigure), &[&short(total), measure]),
            runs: fill(word(CrowdWord::DotsRuns), &[&all[worst].len().to_string()]),
            bad: total > 0.0,
            detail: detail.join(if lang == Lang::En { " " } else { "" }),
            title: fill(word(CrowdWord::DotsTitle), &[measure]),
            rows: match total > 0.0 {
                true => cells.iter().zip(&all).map(row).collect(),
                false => Vec::new(),
            },
            ticks: marks.into_iter().map(|value| (value / top * 100.0, short(value))).collect(),
        })
    }
}

/// Places the dots; dots at the same position of the scale are put above and below each other.
fn placed(values: &[f64], top: f64) -> Vec<Dot> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let mut dots: Vec<Dot> = Vec::new();
    let (mut bunch, mut count) = (f64::NAN, 0_u32);
    for value in values {
        let x = value.max(0.0) / top * 100.0;
        let is_near = x - bunch < DOT_WIDE;
        (bunch, count) = if is_near { (bunch, count + 1) } else { (x, 0) };
        let side = if count.is_multiple_of(2) { 1.0 } else { -1.0 };
        let y = f64::from(count.div_ceil(2)) * APART * side;
        // More than there is room for lie on each other.
        dots.push(Dot { x, y: y.clamp(-ASIDE_MAX, ASIDE_MAX) });
    }
    dots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_of_one_place_stand_beside_each_other_and_inside_the_row() {
        let dots = placed(&[5.0, 5.0, 10.0, 5.0], 10.0);
        assert_eq!(dots.iter().map(|dot| dot.x).collect::<Vec<_>>(), [50.0, 50.0, 50.0, 100.0]);
        let ys: Vec<f64> = dots.iter().map(|dot| dot.y).collect();
        assert_eq!(ys, [0.0, -APART, APART, 0.0]);
        let many = placed(&[1.0; 200], 10.0);
        assert!(many.iter().all(|dot| dot.y.abs() <= ASIDE_MAX));
    }
}
