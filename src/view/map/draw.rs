//! Draws a sheet as shapes: ground, ribbons or paths, blocks, names; and a run as a line over them.

use crate::checker::map::{Block, Fate, Kind, Ribbon};
use crate::checker::{Natural, StateId};
use crate::jobs::map::{Sheet, Spot};
use crate::session::spelling::shortened;
use crate::text::{Lang, MapWord, fill, map};

use super::layout::Layout;
use super::shapes::{Anchor, Drawing, Form, Shape, chars_in, width_of};
use super::{Look, words};

/// The most marks of faults on a run.
const SIGNS_MAX: usize = 16;
/// The size from which a bar has its number.
const NUMBER_MIN: (f64, f64) = (38.0, 15.0);

/// Returns the picture without a run.
pub fn draw(sheet: &Sheet, look: &Look) -> Drawing {
    let mut pen = Pen::new(sheet, look);
    match (sheet.view.kind, sheet.view.paths.is_empty()) {
        (Kind::Terrain, _) => {
            pen.terrain();
            pen.ribbons();
            pen.blocks();
        }
        (Kind::Lattice, true) => {
            pen.doomed_ground();
            pen.ribbons();
            pen.blocks();
            pen.lattice_names();
        }
        (Kind::Lattice, false) => {
            pen.doomed_ground();
            pen.paths();
            pen.lattice_names();
        }
    }
    pen.targets();
    let class = if look.small { "mapsvg mini" } else { "mapsvg" };
    Drawing { width: look.width, height: look.height, class, shapes: pen.shapes }
}

/// Returns a run as a line through its squares: ink, then red from the state on from which every
/// order breaks, or green from the one from which none does.
pub fn run(sheet: &Sheet, look: &Look, spots: &[Spot]) -> Vec<Shape> {
    let layout = laid_out(sheet, look);
    let points = trail(sheet, &layout, spots);
    let Some(&(x, y)) = points.last() else { return Vec::new() };
    let drawn = &spots[..points.len()];
    let find = |is_it: fn(Fate) -> bool| drawn.iter().position(|spot| is_it(spot.fate));
    let decided = match (find(Fate::is_lost), find(Fate::is_saved)) {
        _ if !look.knows_fates() => None,
        (Some(at), _) => Some(("bad", at)),
        (None, at) => at.map(|at| ("ok", at)),
    };
    let mut shapes = Vec::new();
    if points.len() > 1 {
        shapes.push(Shape::new("run halo", Form::Line(points.clone())));
    }
    let at = decided.map_or(points.len() - 1, |(_, at)| at);
    if at > 0 {
        shapes.push(Shape::new("run", Form::Line(points[..=at].to_vec())));
    }
    if let Some((class, _)) = decided.filter(|_| at + 1 < points.len()) {
        shapes.push(Shape::new(format!("run {class}"), Form::Line(points[at..].to_vec())));
    }
    let class = decided.map_or("here".to_owned(), |(class, _)| format!("here {class}"));
    let r = if look.small { 4.0 } else { 7.0 };
    shapes.push(Shape::new(class, Form::Circle { x, y, r }));
    if !look.small {
        let signs = points.iter().zip(drawn).filter_map(|(at, spot)| Some((at, spot.sign?)));
        for ((x, y), sign) in signs.take(SIGNS_MAX) {
            let text = sign.to_string();
            let half = width_of(&text) / 2.0;
            let x = x.clamp(half, (look.width - half).max(half));
            let form = Form::Text { x, y: (y - 8.0).max(11.0), anchor: Anchor::Middle, text };
            shapes.push(Shape::new("sign", form));
        }
    }
    shapes
}

/// Returns a dotted path that is only a preview.
pub fn preview(sheet: &Sheet, look: &Look, spots: &[Spot]) -> Option<Shape> {
    let points = trail(sheet, &laid_out(sheet, look), spots);
    (points.len() > 1).then(|| Shape::new("pre", Form::Line(points)))
}

/// Returns the points of a run, as far as it is drawn: not after a break.
fn trail(sheet: &Sheet, layout: &Layout, spots: &[Spot]) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for spot in spots {
        let Some(number) = spot.block else { break };
        let Some(block) = sheet.view.block(number) else { break };
        points.push(layout.state(block, number, spot.place));
        if spot.fate == Fate::Broken {
            break;
        }
    }
    points
}

fn laid_out(sheet: &Sheet, look: &Look) -> Layout {
    let ribbons: usize = sheet.view.ribbons.iter().map(|one| 1 + usize::from(is_mixed(one))).sum();
    let fates = |block: &Block| block.count.iter().filter(|count| **count > 0).count();
    let blocks: usize = sheet.view.blocks.iter().map(|block| 3 + fates(block)).sum();
    Layout::new(sheet, look, ribbons + blocks)
}

/// Returns true if some but not all of its orders break, so that it has a red part.
fn is_mixed(ribbon: &Ribbon) -> bool {
    let share = share(ribbon);
    ribbon.safe < ribbon.steps && share > 0.02 && share <= 0.999
}

fn share(ribbon: &Ribbon) -> f64 {
    let share = if ribbon.orders > 0.0 { ribbon.wrong / ribbon.orders } else { 0.0 };
    debug_assert!((0.0..1.0 + 1e-9).contains(&share), "{ribbon:?}");
    share
}

/// Returns the CSS class of a fate.
pub fn class_of(fate: Fate) -> &'static str {
    match fate {
        Fate::Open => "open",
        Fate::Doomed => "doomed",
        Fate::Broken => "broken",
        Fate::Safe => "safe",
        Fate::Right => "right",
    }
}

struct Pen<'a> {
    sheet: &'a Sheet,
    look: &'a Look,
    layout: Layout,
    shapes: Vec<Shape>,
}

impl Pen<'_> {
    fn new<'a>(sheet: &'a Sheet, look: &'a Look) -> Pen<'a> {
        Pen { sheet, look, layout: laid_out(sheet, look), shapes: Vec::new() }
    }

    fn push(&mut self, class: impl Into<String>, form: Form) -> &mut Shape {
        let at = self.shapes.len();
        self.shapes.push(Shape::new(class, form));
        &mut self.shapes[at]
    }

    /// Marks the shapes from here on as belonging to a state that the search met that early.
    fn met(&mut self, from: usize, state: StateId) {
        let part = f64::from(state) / f64::from(self.sheet.met.max(1));
        for shape in &mut self.shapes[from..] {
            shape.met = Some(part.min(1.0));
        }
    }

    fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: String) {
        self.push(class, Form::Text { x, y, anchor, text });
    }

    fn word(&self, word: MapWord) -> &'static str {
        map(self.look.lang, word)
    }

    /// Returns true if a state named in the block was met.
    fn is_lit(&self, block: &Block) -> bool {
        match (self.look.lit, block.states.iter().min()) {
            (Some(lit), Some(first)) => *first < lit,
            _ => true,
        }
    }

    /// Returns the fate to show: before the search is over only breaks are known.
    fn shown(&self, fate: Fate) -> Fate {
        match self.look.lit {
            _ if self.look.blind => Fate::Open,
            Some(_) if fate != Fate::Broken => Fate::Open,
            _ => fate,
        }
    }

    // ---- Ground and names -------------------------------------------------------------------

    /// Draws the ground where every order breaks.
    fn doomed_ground(&mut self) {
        if self.look.small || !self.look.knows_fates() {
            return;
        }
        let has_paths = !self.sheet.view.paths.is_empty();
        for block in &self.sheet.view.blocks {
            if block.of(Fate::Doomed) + block.of(Fate::Broken) < block.len() {
                continue;
            }
            let layout = &self.layout;
            let half = (layout.dx.min(layout.dy) * 0.42).min(20.0);
            let (wide, high) = match has_paths {
                true => (half, half),
                false => (layout.wide / 2.0 + 5.0, layout.high / 2.0 + 5.0),
            };
            let (x, y) = (layout.x(block) - wide, layout.y(block) - high);
            let rect = Form::Rect { x, y, width: 2.0 * wide, height: 2.0 * high, round: 8.0 };
            self.push("doomed", rect).hatched = true;
        }
    }

    /// Draws the calls that lead from place to place, and their clients.
    fn lattice_names(&mut self) {
        if !self.look.has_axes() {
            return;
        }
        let small = self.look.small;
        let (gap, big) = if small { (6.0, 6.0) } else { (14.0, 10.0) };
        let named = |name: &str, room: f64| match small {
            true => name.split(' ').next().filter(|one| width_of(one) <= room).map(str::to_owned),
            false => fitting(name, room),
        };
        let Layout { left, top, dx, dy, wide, high, .. } = self.layout;
        let (columns, rows) = (self.sheet.view.columns, self.sheet.view.rows);
        let (right, low) = (f64::from(columns - 1) * dx, f64::from(rows - 1) * dy);
        let [across, down] = &self.sheet.calls;
        for (at, name) in across.iter().take(usize::from(columns - 1)).enumerate() {
            let place = (left + (at as f64 + 0.5) * dx, top - gap - high / 2.0);
            let Some(name) = named(name, dx - 10.0) else { continue };
            self.text("ax a", place, Anchor::Middle, name);
        }
        for (at, name) in down.iter().take(usize::from(rows - 1)).enumerate() {
            let x = left - gap - wide / 2.0;
            let Some(name) = named(name, x - 2.0).filter(|_| dy >= 12.0) else { continue };
            self.text("ax b", (x, top + (at as f64 + 0.5) * dy + 4.0), Anchor::End, name);
        }
        let [own, other] = &self.sheet.clients;
        let (own, other) = (format!("{own} →"), format!("{other} ↓"));
        self.text("ax big a", (left + right + wide / 2.0 + big, top + 5.0), Anchor::Start, own);
        let below = top + low + high / 2.0 + if small { 16.0 } else { 20.0 };
        self.text("ax big b", (left, below), Anchor::Middle, other);
    }

    /// Draws red ground at the foot, green at the top, and labels for rows and columns.
    fn terrain(&mut self) {
        if self.look.small {
            return self.terrain_axes();
        }
        let view = &self.sheet.view;
        let (rows, farthest, far) = (view.rows, view.farthest, view.far);
        let (columns, tail, per) = (view.columns, view.tail, view.per);
        let Layout { left, top, below, dx, dy, right, is_narrow, .. } = self.layout;
        let (width, height) = (self.look.width, self.look.height);
        let middle = |row: u16| top + (f64::from(row) + 0.5) * dy;
        let zone = |row: u16| Form::Rect {
            x: left,
            y: top + f64::from(row) * dy + 2.0,
            width: width - left - right,
            height: (dy - 4.0).max(1.0),
            round: 6.0,
        };
        self.push("zone ok", zone(0));
        let never = match is_narrow {
            true => self.word(MapWord::CannotBreakShort),
            false => self.word(MapWord::CannotBreak),
        };
        self.text("ax okt", (left - 8.0, middle(0) + 4.0), Anchor::End, never.to_owned());
        if rows > 1 {
            self.push("zone bad", zone(rows - 1));
            let step = if dy < 16.0 { 2 } else { 1 };
            for distance in (1..=farthest).step_by(step) {
                let row = rows - 1 - distance;
                let y = middle(row) + dy / 2.0;
                self.push("rule", Form::Line(vec![(left, y), (width - right, y)]));
                let more = if distance == farthest && far > distance { "+" } else { "" };
                let text = format!("{distance}{more}");
                self.text("ax", (left - 8.0, middle(row) + 4.0), Anchor::End, text);
            }
            let broken = self.word(MapWord::BrokenRow).to_owned();
            self.text("ax badt", (left - 8.0, middle(rows - 1) + 4.0), Anchor::End, broken);
            let axis = self.word(MapWord::FarAxis).to_owned();
            self.text("ax", (4.0, 15.0), Anchor::Start, axis);
        }
        let every = (libm::ceil(34.0 / dx) as u16).max(1);
        let is_near_tail = |at: u16| tail.is_some_and(|tail| tail > at && tail - at < every);
        for at in 0..columns {
            if tail == Some(at) || at % every == 0 && !is_near_tail(at) {
                let more = if tail == Some(at) { "+" } else { "" };
                let text = format!("{}{more}", u32::from(at) * u32::from(per));
                let half = width_of(&text) / 2.0;
                let x = (left + (f64::from(at) + 0.5) * dx).min(width - half);
                self.text("ax", (x, height - below + 18.0), Anchor::Middle, text);
            }
        }
        let axis = self.word(MapWord::StepsAxis).to_owned();
        self.text("ax", (width - right, height - 6.0), Anchor::End, axis);
    }

    /// Draws the least that a small terrain needs to be read: what its axes count, and their ends.
    fn terrain_axes(&mut self) {
        if !self.look.axes {
            return;
        }
        let view = &self.sheet.view;
        let Layout { left, top, below, dx, dy, right, .. } = self.layout;
        let (width, height) = (self.look.width, self.look.height);
        let middle = |row: u16| top + (f64::from(row) + 0.5) * dy + 4.0;
        let (rows, farthest) = (view.rows, view.farthest);
        let (last, per, tail) = (view.columns.saturating_sub(1), view.per, view.tail);
        let more = if view.far > farthest { "+" } else { "" };
        self.text("ax", (0.0, 11.0), Anchor::Start, self.word(MapWord::FarAxisShort).to_owned());
        if rows > 1 && farthest > 0 {
            let text = format!("{farthest}{more}");
            self.text("ax", (left - 6.0, middle(rows - 1 - farthest)), Anchor::End, text);
            self.text("ax", (left - 6.0, middle(rows - 1)), Anchor::End, "0".to_owned());
        }
        let foot = height - below + 16.0;
        self.text("ax", (left + 0.5 * dx, foot), Anchor::Middle, "0".to_owned());
        let more = if tail.is_some() { "+" } else { "" };
        let text =
            format!("{}{more} {}", u32::from(last) * u32::from(per), self.word(MapWord::StepsAxis));
        self.text("ax", (width - right, foot), Anchor::End, text);
    }

    // ---- Paths ------------------------------------------------------------------------------

    /// Draws each order as a track of its own, coloured from the step that decides.
    fn paths(&mut self) {
        let view = &self.sheet.view;
        let Layout { left, top, dx, dy, .. } = self.layout;
        let (right, low) = (f64::from(view.columns - 1) * dx, f64::from(view.rows - 1) * dy);
        let across = (0..view.columns).map(|at| {
            let x = left + f64::from(at) * dx;
            [(x, top), (x, top + low)]
        });
        let down = (0..view.rows).map(|at| {
            let y = top + f64::from(at) * dy;
            [(left, y), (left + right, y)]
        });
        self.push("grid", Form::Grid(across.chain(down).collect()));
        let folded = |at: &usize| !self.look.fold || view.paths[*at].mirror.is_none();
        let shown: Vec<usize> = (0..view.paths.len()).filter(folded).collect();
        let count = shown.len() as f64;
        let gap = if self.look.small { (12.0 / count).min(2.4) } else { (18.0 / count).min(4.0) };
        for (place, at) in shown.into_iter().enumerate() {
            self.path(at, (place as f64 - (count - 1.0) / 2.0) * gap);
        }
        if !self.look.small {
            // Where both have ended, the ends stand instead.
            for block in &view.blocks {
                if block.x + 1 < view.columns || block.y + 1 < view.rows {
                    let (x, y) = (self.layout.x(block), self.layout.y(block));
                    self.push("knot", Form::Circle { x, y, r: 5.0 });
                }
            }
        }
        if self.look.knows_fates() {
            self.ends((left + right, top + low));
        }
    }

    fn path(&mut self, at: usize, aside: f64) {
        let view = &self.sheet.view;
        let part = at as f64 / view.paths.len().max(1) as f64;
        let faint = if self.look.faint { " faint" } else { "" };
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut class = "open";
        let first = view.blocks.iter().position(|block| block.states.contains(&0));
        let first = first.map(|block| (block as u16, Fate::Open));
        let steps = first.into_iter().chain(view.paths[at].steps.iter().copied());
        let mut done = Vec::new();
        for (number, fate) in steps {
            let Some(block) = view.block(number) else { break };
            if !self.is_lit(block) {
                break;
            }
            let own = match self.shown(fate) {
                _ if !self.look.knows_fates() => "open",
                fate if fate.is_lost() => "bad",
                fate if fate.is_saved() => "ok",
                _ => "open",
            };
            if own != class {
                if points.len() > 1 {
                    done.push((class, points.clone()));
                }
                points.drain(..points.len().saturating_sub(1));
                class = own;
            }
            let point = (self.layout.x(block) + aside, self.layout.y(block) + aside);
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        if points.len() > 1 {
            done.push((class, points));
        }
        for (class, points) in done {
            self.push(format!("way w-{class}{faint}"), Form::Line(points)).met = Some(part);
        }
    }

    /// Draws how many orders end in which way, where both programs have ended.
    fn ends(&mut self, (x, y): (f64, f64)) {
        let (Some(all), Some(wrong)) = (&self.sheet.view.orders, &self.sheet.view.wrong) else {
            return;
        };
        let right = all.minus(wrong);
        let (small, lang) = (self.look.small, self.look.lang);
        let both = !wrong.is_zero() && !right.is_zero();
        let apart = match (both, small) {
            (false, _) => 0.0,
            (true, true) => 5.0,
            (true, false) => 17.0,
        };
        let r = if small { 3.9 } else { 10.0 };
        let aside = if small { 0.0 } else { 16.0 };
        let named = |of: &Natural, word: MapWord, lang: Lang| {
            fill(map(lang, word), &[&words::number(of, lang)])
        };
        if !wrong.is_zero() {
            self.state(Fate::Broken, x + aside, y - apart, r, true);
            if !small {
                let text = named(wrong, MapWord::Wrong, lang);
                self.text("ax badt", (x + 34.0, y - apart + 5.0), Anchor::Start, text);
            }
        }
        if !right.is_zero() {
            let down = apart * 0.6;
            self.state(Fate::Right, x + aside, y + down, r, true);
            if !small {
                let text = named(&right, MapWord::RightEnds, lang);
                self.text("ax okt", (x + 34.0, y + down + 5.0), Anchor::Start, text);
            }
        }
    }

    // ---- Ribbons and blocks -----------------------------------------------------------------

    fn ribbons(&mut self) {
        let view = &self.sheet.view;
        let most = view.ribbons.iter().map(|ribbon| ribbon.orders).fold(0.0, f64::max);
        let is_lattice = view.kind == Kind::Lattice;
        let room = if is_lattice { 1.0 } else { (self.layout.dy / 26.0).min(1.0) };
        for ribbon in &view.ribbons {
            let (Some(from), Some(to)) = (view.block(ribbon.from), view.block(ribbon.to)) else {
                continue;
            };
            if !self.is_lit(from) {
                continue;
            }
            let of_most = libm::log1p(ribbon.orders) / libm::log1p(most).max(f64::MIN_POSITIVE);
            let wide = if self.look.small { 1.0 } else { 1.0 + 9.0 * of_most * room };
            let begin = (self.layout.x(from), self.layout.y(from));
            let end = (self.layout.x(to), self.layout.y(to));
            let form = match is_lattice || from.x == to.x {
                true => Form::Line(vec![begin, end]),
                false => Form::Curve(begin, end),
            };
            let is_known = self.look.knows_fates();
            let class = match () {
                () if is_known && share(ribbon) > 0.999 => "rb r-bad",
                () if is_known && ribbon.safe == ribbon.steps => "rb r-ok",
                () => "rb r-open",
            };
            let drawn = self.shapes.len();
            self.push(class, form.clone()).stroke = Some(wide);
            if is_known && is_mixed(ribbon) {
                self.push("rb r-bad", form).stroke = Some((wide * share(ribbon)).max(0.8));
            }
            self.met(drawn, to.states.iter().copied().min().unwrap_or_default());
        }
    }

    fn blocks(&mut self) {
        let most = self.sheet.view.blocks.iter().map(Block::len).max().unwrap_or(1);
        for (number, block) in self.sheet.view.blocks.iter().enumerate() {
            let is_on = self.look.hover == Some(number as u16);
            let on = if is_on { " on" } else { "" };
            let (x, y) = (self.layout.x(block), self.layout.y(block));
            let Layout { wide, high, .. } = self.layout;
            let is_lattice = self.sheet.view.kind == Kind::Lattice;
            if is_lattice {
                self.push(format!("blk{on}"), rect((x, y), wide, high, 6.0));
            }
            let cells = self.layout.cells[number];
            if !cells.each {
                let drawn = self.shapes.len();
                self.bar(block, (x, y), on, most, (cells.wide, cells.high));
                self.met(drawn, block.states.iter().copied().min().unwrap_or_default());
                continue;
            }
            for (at, (state, fate)) in block.states.iter().zip(block.fates()).enumerate() {
                let (right, down) = cells.offset(at as u32);
                let r = (cells.size * 0.42).clamp(1.6, 7.0);
                let is_lit = self.look.lit.is_none_or(|lit: StateId| *state < lit);
                let drawn = self.shapes.len();
                self.state(self.shown(fate), x + right, y + down, r, is_lit);
                self.met(drawn, *state);
            }
            if is_on && !is_lattice {
                let frame = rect((x, y), cells.wide + 4.0, cells.high + 4.0, 4.0);
                self.push("blk on none", frame);
            }
        }
    }

    /// Draws a block with too many states for squares: its size shows their number, its segments
    /// their fates.
    fn bar(&mut self, block: &Block, at: (f64, f64), on: &str, most: u32, most_size: (f64, f64)) {
        let count = block.len();
        let of_most = libm::log1p(count.into()) / libm::log1p(most.into());
        let size = match self.sheet.view.kind {
            Kind::Lattice => 1.0,
            Kind::Terrain => 0.35 + 0.65 * of_most,
        };
        let (wide, high) = (most_size.0 * size, most_size.1 * size);
        let (x, y) = at;
        let mut top = y - high / 2.0;
        let dim = if self.is_lit(block) { "" } else { " dim" };
        for fate in [Fate::Right, Fate::Safe, Fate::Open, Fate::Doomed, Fate::Broken] {
            let part = high * f64::from(block.of(fate)) / f64::from(count.max(1));
            if part <= 0.0 {
                continue;
            }
            let shown = self.shown(fate);
            let form =
                Form::Rect { x: x - wide / 2.0, y: top, width: wide, height: part, round: 0.0 };
            let class = format!("fill k-{}{dim}", class_of(shown));
            self.push(class, form).hatched = shown == Fate::Doomed;
            top += part;
        }
        self.push(format!("blk none{on}"), rect(at, wide, high, 2.0));
        if !self.look.small && wide > NUMBER_MIN.0 && high > NUMBER_MIN.1 {
            let text =
                if count < 10_000 { count.to_string() } else { format!("{}k", count / 1000) };
            self.text("cnt", (x, y + 4.0), Anchor::Middle, text);
        }
    }

    /// Draws a state: broken is a diamond, right a disc, everything else a square.
    fn state(&mut self, fate: Fate, x: f64, y: f64, r: f64, is_lit: bool) {
        let dim = if is_lit { "" } else { " dim" };
        let form = match fate {
            Fate::Broken => Form::Diamond { x, y, r },
            Fate::Right => Form::Circle { x, y, r: r * 0.86 },
            _ => rect((x, y), r * 1.6, r * 1.6, 1.5),
        };
        self.push(format!("sq k-{}{dim}", class_of(fate)), form);
    }

    /// Draws the areas that react to the pointer.
    fn targets(&mut self) {
        if self.look.small {
            return;
        }
        let Layout { wide, high, dx, dy, .. } = self.layout;
        let (wide, high) = match self.sheet.view.kind {
            Kind::Lattice => (wide.max((dx * 0.5).min(44.0)), high.max((dy * 0.5).min(44.0))),
            Kind::Terrain => (dx, dy),
        };
        for (number, block) in self.sheet.view.blocks.iter().enumerate() {
            let at = (self.layout.x(block), self.layout.y(block));
            self.push("hit", rect(at, wide, high, 0.0)).block = Some(number as u16);
        }
    }
}

/// Returns a rectangle around a middle.
fn rect((x, y): (f64, f64), width: f64, height: f64, round: f64) -> Form {
    Form::Rect { x: x - width / 2.0, y: y - height / 2.0, width, height, round }
}

/// Returns a call's name for this room: all of it, its command, or its beginning; `None` if there
/// is no room.
fn fitting(name: &str, room: f64) -> Option<String> {
    let chars = chars_in(room);
    if name.chars().count() <= chars && width_of(name) <= room {
        return Some(name.to_owned());
    }
    let command = name.split(' ').next().unwrap_or(name);
    if width_of(command) <= room {
        return Some(command.to_owned());
    }
    (chars > 3).then(|| shortened(command, chars - 1))
}
