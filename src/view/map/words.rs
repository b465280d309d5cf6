//! The map in words: "Of 6 orders 4 go wrong. After A’s GET, 2 of 3 break it."

use crate::checker::Natural;
use crate::checker::map::{Counted, Fate, Kind};
use crate::jobs::map::{Sheet, Spot};
use crate::session::spelling::thousands;
use crate::text::{Lang, MapWord, fill, map};

use super::table::{self, FATES};

/// Formats a number for a sentence: `260,280`, `796 billion`, `7960亿`; three digits from a million
/// on.
pub fn number(of: &Natural, lang: Lang) -> String {
    let value = of.to_f64();
    if value < 1e6 {
        return thousands(value as u64);
    }
    let units: &[(f64, &str)] = match lang {
        Lang::En => &[(1e6, " million"), (1e9, " billion"), (1e12, " trillion")],
        Lang::Zh => &[(1e4, "万"), (1e8, "亿"), (1e12, "万亿")],
    };
    let top = match lang {
        Lang::En => 1e15,
        Lang::Zh => 1e16,
    };
    // Rounded first, so that no unit is counted in thousands of the one below.
    let value = rounded(value, 3);
    if value >= top {
        return exponential(of);
    }
    let fits = |(unit, _): &&(f64, &str)| value >= *unit;
    let (unit, name) = units.iter().rev().find(fits).copied().unwrap_or((1.0, ""));
    let text = format!("{:.2}", value / unit);
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text}{name}")
}

/// Rounds to this number of digits.
fn rounded(value: f64, digits: i32) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(value)) - f64::from(digits - 1));
    libm::round(value / power) * power
}

/// Formats as `1.2e+18`.
fn exponential(of: &Natural) -> String {
    let text = of.to_string();
    let value = format!("{:.1e}", of.to_f64());
    match value.split_once('e') {
        Some((digits, power)) => format!("{digits}e+{power}"),
        None => text,
    }
}

/// Says what the axes of a map and its marks mean.
pub fn axes(sheet: &Sheet, lang: Lang) -> Vec<String> {
    let said = |word: MapWord| map(lang, word).to_owned();
    let (across, down, marks) = match sheet.view.kind {
        Kind::Lattice => {
            let [own, other] = &sheet.clients;
            let of = |client: &String| fill(map(lang, MapWord::StepsOf), &[client]);
            let lines = match sheet.view.paths.is_empty() {
                true => MapWord::ThickLine,
                false => MapWord::LineIsOrder,
            };
            (of(own), Some(format!("↓ {}", of(other))), vec![said(lines)])
        }
        Kind::Terrain => {
            let far = (sheet.view.rows > 1).then(|| format!("↑ {}", said(MapWord::FarAxis)));
            let marks = [MapWord::ThickLine, MapWord::LargeBar].map(said);
            (said(MapWord::StepsTaken), far, marks.to_vec())
        }
    };
    std::iter::once(format!("→ {across}")).chain(down).chain(marks).collect()
}

/// Says how many orders there are, and how many of them break.
pub fn all_orders(sheet: &Sheet, lang: Lang) -> String {
    match (&sheet.view.orders, &sheet.view.wrong) {
        (Some(all), Some(wrong)) => orders_wrong(all, wrong, sheet.has_eventually, lang),
        _ => uncounted(sheet.view.counted, lang).to_owned(),
    }
}

/// Says how many of all orders go wrong; with `misses`, an order that does not may still miss what
/// should happen in the end.
pub fn orders_wrong(all: &Natural, wrong: &Natural, misses: bool, lang: Lang) -> String {
    let one = Natural::from(1);
    let word = |word: MapWord| map(lang, word);
    let (said, said_wrong) = (number(all, lang), number(wrong, lang));
    match () {
        () if wrong.is_zero() && misses => fill(word(MapWord::NoneOnTheWay), &[&said]),
        () if *all == one && wrong.is_zero() => word(MapWord::OnlyRight).to_owned(),
        () if *all == one => word(MapWord::OnlyWrong).to_owned(),
        () if wrong.is_zero() => fill(word(MapWord::AllRight), &[&said]),
        () if wrong == all => fill(word(MapWord::AllWrong), &[&said]),
        () if said == said_wrong => {
            let right = number(&all.minus(wrong), lang);
            fill(word(MapWord::AllBut), &[&said, &right])
        }
        () => fill(word(MapWord::SomeWrong), &[&said, &said_wrong]),
    }
}

/// Says why orders were not counted; empty if they were.
fn uncounted(counted: Counted, lang: Lang) -> &'static str {
    match counted {
        Counted::All => "",
        Counted::Endless => map(lang, MapWord::Endless),
        Counted::TooMany => map(lang, MapWord::TooMany),
    }
}

/// A step of a client, for "After A’s GET,": the client's letter and the command's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct After<'a> {
    pub client: &'a str,
    pub command: &'a str,
}

/// Says how many of the remaining orders break; empty if they were not counted.
pub fn orders_left(spot: &Spot, after: Option<After<'_>>, lang: Lang) -> String {
    let (Some(from), Some(wrong)) = (&spot.from, &spot.wrong) else { return String::new() };
    let one = Natural::from(1);
    let word = |word: MapWord| map(lang, word);
    let begin = match after {
        Some(After { client, command }) => fill(word(MapWord::After), &[client, command]),
        None => word(MapWord::FromHere).to_owned(),
    };
    let (all, bad) = (number(from, lang), number(wrong, lang));
    match () {
        () if wrong.is_zero() => word(MapWord::NoneLeft).to_owned(),
        () if wrong == from && *from == one => word(MapWord::OneLeft).to_owned(),
        () if wrong == from => fill(word(MapWord::EveryLeft), &[&all]),
        () if *wrong == one => fill(word(MapWord::OneOf), &[&begin, &bad, &all]),
        () => fill(word(MapWord::SomeOf), &[&begin, &bad, &all]),
    }
}

/// Says how far the nearest break is.
pub fn near(spot: &Spot, lang: Lang) -> String {
    match spot.distance {
        None => map(lang, MapWord::NeverBreaks).to_owned(),
        Some(0) => map(lang, MapWord::NowBroken).to_owned(),
        Some(steps) => fill(map(lang, MapWord::Steps), &[&thousands(steps.into())]),
    }
}

/// Returns the text under a map: about all orders, and about those left after the last step of a
/// run; `far` if also how far the nearest break is.
pub fn sentence(
    sheet: &Sheet,
    spot: Option<&Spot>,
    after: Option<After<'_>>,
    far: bool,
    lang: Lang,
) -> String {
    let mut parts = vec![all_orders(sheet, lang)];
    // What no order breaks, none of those that are left can; some may miss the end.
    let is_safe = sheet.view.wrong.as_ref().is_some_and(Natural::is_zero);
    if let Some(spot) = spot.filter(|_| !is_safe || !sheet.has_eventually) {
        let left = orders_left(spot, after, lang);
        // Neither says twice that it is over.
        let is_said = spot.distance.is_none() && !left.is_empty();
        if spot.distance != Some(0) {
            parts.push(left);
        }
        if !is_said && (far || spot.distance.is_none_or(|steps| steps == 0)) {
            parts.push(near(spot, lang));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join(if lang == Lang::En { " " } else { "" })
}

/// Describes a block: its place, and the fates of its states.
pub fn block(sheet: &Sheet, number: u16, lang: Lang) -> String {
    let Some(block) = sheet.view.block(number) else { return String::new() };
    let [first, second] = table::place(sheet, block, lang);
    let where_to = match sheet.view.kind {
        Kind::Lattice => {
            let [own, other] = &sheet.clients;
            fill(map(lang, MapWord::BlockOfCalls), &[own, &first, other, &second])
        }
        Kind::Terrain => {
            let is_far = second.starts_with(|one: char| one.is_ascii_digit());
            let word = if is_far { MapWord::BlockOfSteps } else { MapWord::BlockOfStep };
            fill(map(lang, word), &[&first, &second])
        }
    };
    let fates = FATES.into_iter().filter(|fate| block.of(*fate) > 0);
    let colon = if lang == Lang::En { ": " } else { "：" };
    let fates: Vec<String> = fates
        .map(|one| format!("{}{colon}{}", states(block.of(one), lang), fate(one, lang)))
        .collect();
    let (stop, between) = if lang == Lang::En { (". ", "; ") } else { ("。", "；") };
    format!("{where_to}{stop}{}", fates.join(between))
}

/// Returns `12 states`.
pub fn states(count: u32, lang: Lang) -> String {
    fill(map(lang, MapWord::States), &[&thousands(count.into())])
}

pub fn fate(fate: Fate, lang: Lang) -> &'static str {
    map(
        lang,
        match fate {
            Fate::Open => MapWord::Open,
            Fate::Doomed => MapWord::Doomed,
            Fate::Broken => MapWord::Broken,
            Fate::Safe => MapWord::Safe,
            Fate::Right => MapWord::Right,
        },
    )
}

/// Says what is known of the state that a step leads to.
pub fn leads_to(spot: &Spot, lang: Lang) -> String {
    let near = match spot.distance {
        Some(steps) if steps > 0 && !spot.fate.is_lost() => {
            fill(map(lang, MapWord::BreaksIn), &[&steps.to_string()])
        }
        _ => fate(spot.fate, lang).to_owned(),
    };
    let counted = spot.from.as_ref().zip(spot.wrong.as_ref());
    let is_open = !spot.fate.is_lost() && !spot.fate.is_saved();
    match counted.filter(|_| is_open) {
        Some((all, wrong)) => {
            let (all, wrong) = (number(all, lang), number(wrong, lang));
            format!("{near} · {}", fill(map(lang, MapWord::WrongOf), &[&wrong, &all]))
        }
        None => near,
    }
}
