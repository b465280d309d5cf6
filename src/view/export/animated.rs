//! A run as one animated picture: an SVG for a README, a slide or an `img`, without a script and
//! without a font or a style of its page.
//!
//! Its places are those of the diagram. In a step the request travels from its client to the
//! server, the reply comes back, and the keys and the sentence become those after the step. The run
//! begins again when its end was shown for a while. A reader who prefers no motion sees the end;
//! dark pages get dark colours. Absent: the programs, spans (leases, waits), and the commands
//! inside a script. To move another kind of step, add it to [`Picture::row`].

use std::fmt::Write;

use crate::resp::lossy;
use crate::session::Session;
use crate::session::spelling::shortened;
use crate::sim::{ClientId, Timeline};
use crate::text::Lang;
use crate::view::embed::snippet::escaped;
use crate::view::stage::chips::{ChipState, chips_of};
use crate::view::stage::diagram::{
    Diagram, RowKind, Shape, Space, above, across, chars_in, diagram,
};
use crate::view::stage::redis::value_text;

/// The most steps that are shown; a longer run would take minutes.
const STEPS_MAX: usize = 60;

/// Times, in ms.
const BEGINS: u32 = 600;
const STEP: u32 = 1_900;
const GOES: u32 = 600;
const STAYS: u32 = 200;
const HOLDS: u32 = 4_500;

/// Widths and heights, in px.
const WIDTH: i32 = 560;
const KEYS: i32 = 190;
const EDGE: i32 = 16;
const LINE: i32 = 22;
const SMALL: i32 = 13;
const KEYS_MAX: usize = 8;

/// Colours, light and dark: ground, panel, ink, muted, line, good, bad; then the clients'.
const COLOURS: [(&str, &str, &str); 15] = [
    ("g", "#fbfaf8", "#14171a"),
    ("p", "#ffffff", "#1b1f23"),
    ("i", "#1d2327", "#e6e8ea"),
    ("m", "#5c666f", "#9ba5ae"),
    ("l", "#e2dfd9", "#2d3338"),
    ("y", "#1a7046", "#56c08d"),
    ("n", "#b3261e", "#ff7a6e"),
    ("c0", "#2563a8", "#7fb2ef"),
    ("c1", "#b5551d", "#eba06c"),
    ("c2", "#6b4fa0", "#b9a2ea"),
    ("c3", "#14786e", "#5cc4b6"),
    ("c4", "#a8326e", "#ec8dbb"),
    ("c5", "#6f6a12", "#cfc65a"),
    ("c6", "#3f5c7a", "#9db8d6"),
    ("c7", "#8a4a3a", "#dba292"),
];

/// Returns the run shown, to its end or to [`STEPS_MAX`] steps.
pub fn animated(session: &Session, lang: Lang) -> String {
    let timeline = session.timeline();
    let steps = timeline.len().min(STEPS_MAX);
    let space = Space { width: WIDTH, height: 0, total: steps, ..Space::default() };
    let drawn = diagram(timeline, space, lang);
    let mut picture = Picture {
        drawn: &drawn,
        total: BEGINS + STEP * steps as u32 + HOLDS,
        style: String::new(),
        body: String::new(),
    };
    let last = drawn.rows.get(..steps).and_then(|rows| rows.last());
    let foot = last.map_or(drawn.bottom, |row| row.top + row.height) + EDGE;
    picture.lanes(foot);
    for at in 0..steps {
        picture.row(at);
    }
    picture.keys(timeline, steps);
    let (lesson, frames) = (session.lesson(), &timeline.frames()[..=steps]);
    let verdicts = chips_of(lesson, session.variant(), timeline.scenario(), frames, lang);
    let verdicts: Vec<(bool, String)> = verdicts
        .into_iter()
        .filter_map(|chip| match chip.state {
            ChipState::Broken(_) => Some((false, format!("✕ {}", chip.label))),
            ChipState::Holds | ChipState::Reached(_) => Some((true, format!("✓ {}", chip.label))),
            ChipState::Open | ChipState::NotYet | ChipState::NotHere => None,
        })
        .collect();
    let height = picture.sentences(foot, steps, &verdicts);
    picture.whole(height, session.lesson().title.get(lang))
}

struct Picture<'d> {
    drawn: &'d Diagram,
    /// The length of one loop, in ms.
    total: u32,
    style: String,
    body: String,
}

/// Returns the class of a client's colour, as on the page.
fn colour(client: Option<ClientId>) -> String {
    match client.map(|id| (id, id.console_number())) {
        Some((_, Some(number))) => format!("c{}", 8 - number),
        Some((id, None)) => format!("c{}", id.index() % 8),
        None => "m".to_owned(),
    }
}

impl Picture<'_> {
    /// Returns the time at which a step begins, in ms.
    fn begins(step: usize) -> u32 {
        BEGINS + STEP * step as u32
    }

    fn part(&self, ms: u32) -> String {
        let part = format!("{:.2}", 100.0 * f64::from(ms) / f64::from(self.total));
        part.trim_end_matches('0').trim_end_matches('.').to_owned() + "%"
    }

    /// Adds a rule by which something is visible from `from` to `until` (ms), or to the end.
    fn seen(&mut self, name: &str, from: u32, until: Option<u32>) {
        let (before, after) = (self.part(from), self.part(from + 150));
        let _ = write!(self.style, "@keyframes {name}{{0%,{before}{{opacity:0}}{after}");
        match until {
            Some(until) => {
                let (still, gone) = (self.part(until), self.part(until + 1));
                let _ = write!(self.style, ",{still}{{opacity:1}}{gone},100%{{opacity:0}}}}");
            }
            None => self.style += ",100%{opacity:1}}",
        }
    }

    fn text(&mut self, x: i32, y: i32, class: &str, text: &str) {
        let text = escaped(text);
        let _ = write!(self.body, r#"<text x="{x}" y="{y}" class="{class}">{text}</text>"#);
    }

    fn path(&mut self, class: &str, d: &str) {
        let _ = write!(self.body, r#"<path class="{class}" d="{d}"/>"#);
    }

    /// Opens a group that is animated by the rule `name`.
    fn open(&mut self, class: &str, name: &str) {
        let _ = write!(self.body, r#"<g class="a {class}" style="animation-name:{name}">"#);
    }

    fn close(&mut self) {
        self.body += "</g>";
    }

    fn lanes(&mut self, foot: i32) {
        for lane in &self.drawn.lanes {
            let (x, class) = (lane.x, colour(Some(lane.client)));
            self.path(&format!("s {class}"), &format!("M{x} 30V{foot}"));
            let _ = write!(
                self.body,
                r#"<rect class="f {class}" x="{}" y="6" width="24" height="24" rx="5"/>"#,
                x - 12
            );
            self.text(x, 23, "b k", &lane.client.name());
        }
        for server in &self.drawn.servers {
            self.path("s m", &format!("M{} 30V{foot}", server.x));
            self.text(server.x, 23, "b e", &server.name);
        }
    }

    fn row(&mut self, at: usize) {
        let row = self.drawn.rows[at].clone();
        let (begins, size, zone) = (Self::begins(at), self.drawn.size, self.drawn.zone);
        let class = colour(row.client());
        let arrives = begins + GOES + STAYS;
        match &row.kind {
            RowKind::Call {
                from_x,
                to_x,
                y_request,
                y_reply,
                command,
                reply,
                parts,
                shape,
                ..
            } => {
                let (there, back) = (*y_request, *y_reply);
                let name = format!("q{at}");
                self.seen(&name, begins, None);
                self.open(&class, &name);
                if parts.request {
                    self.path("w", &format!("M{from_x} {there}H{to_x}"));
                    self.text(zone, above(there, size), "t", &command.shown);
                } else {
                    self.text(zone, across(there, size), "t h", &command.shown);
                }
                self.close();
                let name = format!("r{at}");
                self.seen(&name, begins + GOES, None);
                self.open(&class, &name);
                if matches!(shape, Shape::Whole | Shape::Refused) {
                    let high = (back - there).max(8);
                    let _ = write!(
                        self.body,
                        r#"<rect class="d" x="{}" y="{}" width="10" height="{high}" rx="5"/>"#,
                        to_x - 5,
                        there
                    );
                } else {
                    let _ =
                        write!(self.body, r#"<circle class="d" cx="{to_x}" cy="{there}" r="5"/>"#);
                }
                self.close();
                let answer = reply.as_ref().filter(|_| parts.reply);
                if let Some(reply) = answer {
                    let name = format!("v{at}");
                    self.seen(&name, arrives, None);
                    self.open(&class, &name);
                    self.path("w z", &format!("M{to_x} {back}H{from_x}"));
                    self.text(zone, across(back, size), "t h", &reply.shown);
                    self.close();
                }
                self.token(at, &class, [*from_x, *to_x], [there, back], answer.is_some());
            }
            RowKind::Mark { x, y, label, .. } => {
                let name = format!("q{at}");
                self.seen(&name, begins, None);
                self.open(&class, &name);
                let _ = write!(self.body, r#"<circle class="d" cx="{x}" cy="{y}" r="5"/>"#);
                self.text(zone, across(*y, size), "t h", &label.shown);
                self.close();
            }
            RowKind::Advance { y, height, label } => {
                let name = format!("q{at}");
                self.seen(&name, begins, None);
                self.open("m", &name);
                let width = self.drawn.width;
                let _ = write!(
                    self.body,
                    r#"<rect class="o" x="0" y="{y}" width="{width}" height="{height}"/>"#
                );
                self.text(zone, across(y + height / 2, size), "t h", label);
                self.close();
            }
        }
        if row.breaks {
            let name = format!("x{at}");
            self.seen(&name, arrives, None);
            self.open("n", &name);
            let (top, high) = (row.top, row.height);
            let _ = write!(
                self.body,
                r#"<rect class="u" x="1" y="{top}" width="{}" height="{high}" rx="6"/>"#,
                self.drawn.width - 2
            );
            self.close();
        }
    }

    /// Draws a token that travels from one lane to another, and back if there is a reply.
    fn token(
        &mut self,
        at: usize,
        class: &str,
        [from, to]: [i32; 2],
        [there, back]: [i32; 2],
        is_back: bool,
    ) {
        let begins = Self::begins(at);
        let place = |x: i32, y: i32| format!("transform:translate({x}px,{y}px)");
        let part = |ms: u32| self.part(begins + ms);
        let mut frames = format!(
            "0%,{}{{opacity:0;{start}}}{}{{opacity:1;{start}}}{}{{opacity:1;{}}}",
            part(0),
            part(1),
            part(GOES),
            place(to, there),
            start = place(from, there),
        );
        let gone = match is_back {
            true => {
                let _ = write!(
                    frames,
                    "{}{{opacity:1;{}}}{}{{opacity:1;{}}}",
                    part(GOES + STAYS),
                    place(to, back),
                    part(2 * GOES + STAYS),
                    place(from, back)
                );
                2 * GOES + STAYS
            }
            false => GOES,
        };
        let _ = write!(frames, "{},100%{{opacity:0}}", part(gone + 1));
        let _ = write!(self.style, "@keyframes t{at}{{{frames}}}");
        let _ = write!(
            self.body,
            r#"<g class="a {class} v" style="animation-name:t{at}"><circle class="d" r="7"/></g>"#
        );
    }

    /// Draws the keys on the right, after each step.
    fn keys(&mut self, timeline: &Timeline, steps: usize) {
        let left = self.drawn.width + EDGE;
        let chars = chars_in(KEYS - EDGE, SMALL);
        let at_step = |step: usize| -> Vec<String> {
            let world = &timeline.frames()[step].world;
            let one = world.nodes().len() == 1;
            let mut lines = Vec::new();
            for (id, node) in world.setting().node_ids().zip(world.nodes()) {
                let entries = node.instance.entries(0, node.now_ms(world.now_ms()));
                lines.extend(entries.take(KEYS_MAX).map(|entry| {
                    let (key, value) = (lossy(&entry.key), value_text(&entry.value, 4, chars));
                    let node = if one { "" } else { world.setting().node_name(id) };
                    let space = if one { "" } else { " " };
                    shortened(&format!("{node}{space}{key} {value}"), chars)
                }));
            }
            lines.truncate(KEYS_MAX);
            lines
        };
        let mut from = 0;
        let mut before: Vec<String> = Vec::new();
        let all: Vec<Vec<String>> = (0..=steps).map(at_step).collect();
        for step in 0..=steps {
            if step < steps && all[step + 1] == all[step] {
                continue;
            }
            let is_last = step == steps;
            let starts = if from == 0 { 0 } else { Self::begins(from - 1) + GOES };
            let until = (!is_last).then(|| Self::begins(step) + GOES);
            let name = format!("k{step}");
            self.seen(&name, starts, until);
            self.open(if is_last { "" } else { "v" }, &name);
            for (line, text) in all[step].iter().enumerate() {
                let y = 52 + LINE * line as i32;
                let is_new = from > 0 && !before.contains(text);
                self.text(left, y, if is_new { "j n" } else { "j" }, text);
            }
            self.close();
            before.clone_from(&all[step]);
            from = step + 1;
        }
        let x = self.drawn.width;
        self.path("s m", &format!("M{x} 8V{}", 52 + LINE * KEYS_MAX as i32));
    }

    /// Writes the sentence of each step, and the verdicts at the end. Returns the picture's height.
    fn sentences(&mut self, foot: i32, steps: usize, verdicts: &[(bool, String)]) -> i32 {
        let y = foot.max(52 + LINE * KEYS_MAX as i32) + LINE;
        let chars = chars_in(self.drawn.width + KEYS - 2 * EDGE, 15);
        for at in 0..steps {
            let begins = Self::begins(at);
            let name = format!("w{at}");
            let until = (at + 1 < steps).then_some(begins + STEP - 1);
            self.seen(&name, begins, until);
            self.open(if until.is_some() { "v" } else { "" }, &name);
            let words = format!("{}. {}", at + 1, self.drawn.rows[at].words);
            self.text(EDGE, y, "j q", &shortened(&words, chars));
            self.close();
        }
        let ends = Self::begins(steps);
        self.seen("z", ends.saturating_sub(STEP / 3), None);
        self.open("", "z");
        for (line, (holds, words)) in verdicts.iter().enumerate() {
            let class = if *holds { "j q y" } else { "j q n" };
            self.text(EDGE, y + LINE * (line as i32 + 1), class, &shortened(words, chars));
        }
        self.close();
        y + LINE * verdicts.len() as i32 + EDGE
    }

    fn whole(self, height: i32, title: &str) -> String {
        let width = self.drawn.width + KEYS;
        let (size, total) = (self.drawn.size, self.total);
        let rules = |dark: bool| -> String {
            let rule = |(name, light, night): &(&str, &str, &str)| {
                let value = if dark { night } else { light };
                format!(".{name}{{--c:{value}}}")
            };
            COLOURS.iter().map(rule).collect()
        };
        let ground = |dark: bool| {
            let [ground, ink] = [COLOURS[0], COLOURS[2]].map(|c| if dark { c.2 } else { c.1 });
            format!("svg{{--g:{ground};--i:{ink}}}")
        };
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" "#,
                r#"width="{width}" height="{height}" role="img" aria-label="{title}">"#,
                "<title>{title}</title><desc>{summary}</desc><style>{light}{rules}",
                "@media(prefers-color-scheme:dark){{{dark}{night}}}",
                "text{{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:{size}px;",
                "fill:var(--c,var(--i));paint-order:stroke;stroke:var(--g);stroke-width:5px;",
                "stroke-linejoin:round}}.h{{font-weight:600}}",
                ".j{{font-size:{small}px;stroke:none}}.q{{font-family:system-ui,sans-serif;",
                "font-size:15px}}.b{{font:600 14px system-ui,sans-serif;stroke:none;",
                "text-anchor:middle}}.k{{fill:var(--g)}}",
                "path{{fill:none;stroke:var(--c)}}.s{{opacity:.45}}.w{{stroke-width:2}}",
                ".z{{stroke-dasharray:6 4}}.f,.d{{fill:var(--c)}}",
                ".o{{fill:var(--c);opacity:.12}}.u{{fill:none;stroke:var(--c);stroke-width:2}}",
                ".a{{animation:0s linear infinite;animation-duration:{total}ms}}.v{{opacity:0}}",
                "@media(prefers-reduced-motion:reduce){{.a{{animation:none}}}}",
                "{style}</style>",
                r#"<rect width="{width}" height="{height}" rx="8" fill="var(--g)"/>"#,
                "{body}</svg>\n"
            ),
            width = width,
            height = height,
            size = size,
            total = total,
            title = escaped(title),
            summary = escaped(&self.drawn.summary),
            light = ground(false),
            dark = ground(true),
            rules = rules(false),
            night = rules(true),
            small = SMALL,
            style = self.style,
            body = self.body,
        )
    }
}
