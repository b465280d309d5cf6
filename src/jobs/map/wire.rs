//! A map as it is sent from the checker to the page: lists of numbers, so that a sheet of fifty
//! blocks is a few kilobytes. Input is checked: every number must name something that exists.

use crate::checker::Natural;
use crate::checker::map::{Block, Counted, Fate, Kind, MapView, Path, Ribbon};
use crate::json::{FromJson, Json, ToJson, Wrong};
use crate::json_struct;

use super::around::{Around, Nearby};
use super::{Sheet, Spot};

/// A request for the map of a variant, for a picture of this width.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    pub id: u32,
    /// As in [`crate::jobs::find::Start`].
    pub lesson: String,
    pub variant: usize,
    pub answer: Option<String>,
    pub own: bool,
    pub width: u32,
}

json_struct!(Plan { id, lesson, variant, answer, own, width });

/// A map; without a sheet if there is none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Made {
    pub id: u32,
    pub sheet: Option<Sheet>,
}

// No flow is anything but a finite number.
impl Eq for Made {}

json_struct!(Made { id, sheet });

/// Asks for the places of a run, and for a path: to a block, or without one to the nearest break
/// from the run's end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ask {
    pub id: u32,
    pub schedule: String,
    pub block: Option<u32>,
}

json_struct!(Ask { id, schedule, block });

/// The answer: the run's places, and the path as links write it, with its places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Along {
    pub id: u32,
    pub schedule: String,
    pub spots: Vec<Spot>,
    pub way: String,
    pub way_spots: Vec<Spot>,
    /// The step, as links write it, that the nearest break takes instead of the step after which no
    /// order breaks any longer.
    pub instead: Option<String>,
    /// The next two steps; `None` where a block was asked for.
    pub around: Option<Around>,
}

json_struct!(Along { id, schedule, spots, way, way_spots, instead, around });

json_struct!(Around { next, after, next_count, after_count });

json_struct!(Nearby { label, spot });

/// A sheet as lists.
#[derive(Debug, Default)]
struct Lists {
    kind: Kind,
    counted: Counted,
    /// Numbers: states drawn and met, columns, rows, steps of a column, the tail's column plus one,
    /// the greatest distance, the one from which on distances share a row.
    sizes: Vec<u32>,
    /// The number of orders, and of those that break.
    orders: Vec<String>,
    /// Each block: x, y, states by fate, and the states that are named.
    blocks: Vec<Vec<u32>>,
    /// Each ribbon: from, to, steps, safe steps.
    ribbons: Vec<Vec<u32>>,
    /// By ribbon: the number of orders that pass, and of those that break.
    flows: Vec<Vec<String>>,
    /// Each path: the mirror plus one, then block and fate after every step.
    paths: Vec<Vec<u32>>,
    calls: Vec<Vec<String>>,
    clients: Vec<String>,
    has_eventually: bool,
}

json_struct!(Lists {
    kind,
    counted,
    sizes,
    orders,
    blocks,
    ribbons,
    flows,
    paths,
    calls,
    clients,
    has_eventually
});

impl ToJson for Sheet {
    fn to_json(&self) -> Json {
        let view = &self.view;
        let wide = |number: u16| u32::from(number);
        let tail = view.tail.map_or(0, |tail| wide(tail) + 1);
        let Sheet { met, calls, clients, has_eventually, .. } = self;
        let numbers = [view.orders.as_ref(), view.wrong.as_ref()];
        let block = |block: &Block| {
            let place = [wide(block.x), wide(block.y)].into_iter();
            place.chain(block.count).chain(block.states.iter().copied()).collect()
        };
        let ribbon = |one: &Ribbon| vec![wide(one.from), wide(one.to), one.steps, one.safe];
        let flow = |one: &Ribbon| vec![one.orders.to_string(), one.wrong.to_string()];
        let path = |path: &Path| {
            let mirror = path.mirror.map_or(0, |mirror| wide(mirror) + 1);
            let steps = path.steps.iter();
            let steps = steps.flat_map(|(block, fate)| [wide(*block), *fate as u32]);
            std::iter::once(mirror).chain(steps).collect()
        };
        let [columns, rows] = [view.columns, view.rows].map(wide);
        let [per, far, farthest] = [view.per, view.far, view.farthest].map(wide);
        let lists = Lists {
            kind: view.kind,
            counted: view.counted,
            sizes: vec![view.states, *met, columns, rows, per, tail, far, farthest],
            orders: numbers.into_iter().flatten().map(Natural::to_string).collect(),
            blocks: view.blocks.iter().map(block).collect(),
            ribbons: view.ribbons.iter().map(ribbon).collect(),
            flows: view.ribbons.iter().map(flow).collect(),
            paths: view.paths.iter().map(path).collect(),
            calls: calls.to_vec(),
            clients: clients.to_vec(),
            has_eventually: *has_eventually,
        };
        lists.to_json()
    }
}

impl FromJson for Sheet {
    fn made_of(json: Json, wrong: &mut Wrong) -> Sheet {
        Lists::made_of(json, wrong).sheet().unwrap_or_else(|| {
            wrong.say("this is no map".to_owned());
            Sheet::default()
        })
    }
}

impl Lists {
    fn sheet(self) -> Option<Sheet> {
        let [states, met, columns, rows, per, tail, far, farthest] =
            <[u32; 8]>::try_from(self.sizes).ok()?;
        let short = |number: u32| u16::try_from(number).ok();
        let blocks: Vec<Block> = self.blocks.into_iter().map(block).collect::<Option<_>>()?;
        let is_there = |number: u16| usize::from(number) < blocks.len();
        let (columns, rows) = (short(columns)?, short(rows)?);
        let inside = blocks.iter().all(|block| block.x < columns && block.y < rows);
        let ribbons = self.ribbons.into_iter().zip(self.flows).map(ribbon);
        let ribbons: Vec<Ribbon> = ribbons.collect::<Option<_>>()?;
        let ends = |one: &Ribbon| is_there(one.from) && is_there(one.to);
        let paths: Vec<Path> = self.paths.into_iter().map(path).collect::<Option<_>>()?;
        let on_blocks = |path: &Path| {
            path.steps.iter().all(|(block, _)| is_there(*block))
                && path.mirror.is_none_or(|mirror| usize::from(mirror) < paths.len())
        };
        let per = short(per)?;
        let fits = inside
            && per > 0
            && ribbons.iter().all(ends)
            && paths.iter().all(on_blocks)
            && columns > 0
            && u32::from(rows) > farthest;
        if !fits {
            return None;
        }
        let mut orders = self.orders.iter().map(|digits| Natural::parse(digits));
        let (orders, wrong) = (orders.next(), orders.next());
        Some(Sheet {
            view: MapView {
                kind: self.kind,
                counted: self.counted,
                states,
                orders: orders.map_or(Some(None), |read| read.map(Some))?,
                wrong: wrong.map_or(Some(None), |read| read.map(Some))?,
                blocks,
                ribbons,
                paths,
                columns,
                rows,
                per,
                tail: tail.checked_sub(1).map(short).map_or(Some(None), |tail| tail.map(Some))?,
                far: short(far)?,
                farthest: short(farthest)?,
            },
            met,
            calls: self.calls.try_into().ok()?,
            clients: self.clients.try_into().ok()?,
            has_eventually: self.has_eventually,
        })
    }
}

fn fate(number: u32) -> Option<Fate> {
    Fate::ALL.get(number as usize).copied()
}

fn block(numbers: Vec<u32>) -> Option<Block> {
    let [x, y, count @ ..] = *numbers.first_chunk::<7>()?;
    let states = numbers[7..].to_vec();
    let block = Block { x: u16::try_from(x).ok()?, y: u16::try_from(y).ok()?, states, count };
    // Their sum is told, and each state that is named has a fate.
    let sum = count.iter().try_fold(0_u32, |sum, one| sum.checked_add(*one))?;
    (sum > 0 && block.fates().len() == block.states.len()).then_some(block)
}

fn ribbon((numbers, flow): (Vec<u32>, Vec<String>)) -> Option<Ribbon> {
    let [from, to, steps, safe] = <[u32; 4]>::try_from(numbers).ok()?;
    let [orders, wrong] = <[String; 2]>::try_from(flow).ok()?;
    let number = |text: String| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let (from, to) = (u16::try_from(from).ok()?, u16::try_from(to).ok()?);
    Some(Ribbon { from, to, steps, safe, orders: number(orders)?, wrong: number(wrong)? })
}

fn path(numbers: Vec<u32>) -> Option<Path> {
    let (mirror, rest) = numbers.split_first()?;
    let steps =
        rest.chunks_exact(2).map(|pair| Some((u16::try_from(pair[0]).ok()?, fate(pair[1])?)));
    let mirror = match mirror.checked_sub(1) {
        None => None,
        Some(mirror) => Some(u16::try_from(mirror).ok()?),
    };
    Some(Path { steps: steps.collect::<Option<_>>()?, mirror })
}

/// A spot as lists.
#[derive(Debug, Default)]
struct Flat {
    fate: u32,
    block: Option<u32>,
    place: Option<u32>,
    distance: Option<u32>,
    from: Option<String>,
    wrong: Option<String>,
    sign: Option<String>,
}

json_struct!(Flat { fate, block, place, distance, from, wrong, sign });

impl ToJson for Spot {
    fn to_json(&self) -> Json {
        let flat = Flat {
            fate: self.fate as u32,
            block: self.block.map(u32::from),
            place: self.place.map(u32::from),
            distance: self.distance.map(u32::from),
            from: self.from.as_ref().map(Natural::to_string),
            wrong: self.wrong.as_ref().map(Natural::to_string),
            sign: self.sign.map(|sign| sign.to_string()),
        };
        flat.to_json()
    }
}

impl FromJson for Spot {
    fn made_of(json: Json, wrong: &mut Wrong) -> Spot {
        let flat = Flat::made_of(json, wrong);
        let short = |number: Option<u32>| number.and_then(|number| u16::try_from(number).ok());
        let number = |digits: Option<String>| digits.and_then(|digits| Natural::parse(&digits));
        Spot {
            block: short(flat.block),
            place: short(flat.place),
            fate: fate(flat.fate).unwrap_or_else(|| {
                wrong.say("no fate".to_owned());
                Fate::Open
            }),
            distance: short(flat.distance),
            from: number(flat.from),
            wrong: number(flat.wrong),
            sign: flat.sign.and_then(|sign| sign.chars().next()),
        }
    }
}
