//! Plain shapes, and their SVG.

use std::fmt::Write;

use crate::session::spelling::chars_wide;

/// The width of a character in the monospaced type of the map's labels; below, the line's height.
const CHAR: f64 = 7.3;
const ASCENT: f64 = 11.0;
const DESCENT: f64 = 4.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Rect {
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        round: f64,
    },
    Circle {
        x: f64,
        y: f64,
        r: f64,
    },
    Diamond {
        x: f64,
        y: f64,
        r: f64,
    },
    /// A polyline.
    Line(Vec<(f64, f64)>),
    /// A curve that is horizontal at both ends.
    Curve((f64, f64), (f64, f64)),
    /// Many separate lines.
    Grid(Vec<[(f64, f64); 2]>),
    Text {
        x: f64,
        y: f64,
        anchor: Anchor,
        text: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub class: String,
    pub form: Form,
    /// The width of its line, if the class does not set it.
    pub stroke: Option<f64>,
    /// The block that it stands for, for the pointer.
    pub block: Option<u16>,
    /// True if it is filled with the pattern of doomed ground.
    pub hatched: bool,
    /// When the search met it, as a share of all states met; `None` for shapes that are always
    /// there.
    pub met: Option<f64>,
}

impl Shape {
    pub fn new(class: impl Into<String>, form: Form) -> Shape {
        Shape { class: class.into(), form, stroke: None, block: None, hatched: false, met: None }
    }

    /// Returns the attribute `d` of a path; `None` for other shapes.
    pub fn path(&self) -> Option<String> {
        let point = |out: &mut String, letter: char, (x, y): (f64, f64)| {
            let _ = write!(out, "{letter}{},{}", short(x), short(y));
        };
        let mut out = String::new();
        match &self.form {
            Form::Line(points) => {
                for (at, own) in points.iter().enumerate() {
                    point(&mut out, if at == 0 { 'M' } else { 'L' }, *own);
                }
            }
            Form::Diamond { x, y, r } => {
                point(&mut out, 'M', (x - r, *y));
                point(&mut out, 'L', (*x, y - r));
                point(&mut out, 'L', (x + r, *y));
                point(&mut out, 'L', (*x, y + r));
                out.push('Z');
            }
            Form::Curve(from, to) => {
                let middle = (from.0 + to.0) / 2.0;
                point(&mut out, 'M', *from);
                point(&mut out, 'C', (middle, from.1));
                point(&mut out, ' ', (middle, to.1));
                point(&mut out, ' ', *to);
            }
            Form::Grid(lines) => {
                for [from, to] in lines {
                    point(&mut out, 'M', *from);
                    point(&mut out, 'L', *to);
                }
            }
            Form::Rect { .. } | Form::Circle { .. } | Form::Text { .. } => return None,
        }
        Some(out)
    }

    /// Returns the corners of the area it covers, left and top first; for a text by estimate.
    pub fn bounds(&self) -> [f64; 4] {
        let around = |points: &mut dyn Iterator<Item = (f64, f64)>| {
            let none = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
            points.fold(none, |[left, top, right, low], (x, y)| {
                [left.min(x), top.min(y), right.max(x), low.max(y)]
            })
        };
        match &self.form {
            Form::Rect { x, y, width, height, .. } => [*x, *y, x + width, y + height],
            Form::Circle { x, y, r } | Form::Diamond { x, y, r } => [x - r, y - r, x + r, y + r],
            Form::Line(points) => around(&mut points.iter().copied()),
            Form::Curve(from, to) => around(&mut [*from, *to].into_iter()),
            Form::Grid(lines) => around(&mut lines.iter().flatten().copied()),
            Form::Text { x, y, anchor, text } => {
                let wide = width_of(text);
                let left = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - wide / 2.0,
                    Anchor::End => x - wide,
                };
                [left, y - ASCENT, left + wide, y + DESCENT]
            }
        }
    }
}

/// Returns the estimated width of a label.
pub(super) fn width_of(text: &str) -> f64 {
    chars_wide(text) as f64 * CHAR
}

/// Returns how many characters fit into this width.
pub(super) fn chars_in(width: f64) -> usize {
    (width / CHAR).max(0.0) as usize
}

/// A picture: its shapes from back to front.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    pub class: &'static str,
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// Returns the SVG. `id` names its pattern and must be unique in the page.
    pub fn svg(&self, id: &str) -> String {
        let (width, height) = (short(self.width), short(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{}\" \
             viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" aria-hidden=\"true\">",
            self.class
        );
        if self.shapes.iter().any(|shape| shape.hatched) {
            let _ = write!(
                out,
                "<defs><pattern id=\"{id}\" width=\"5\" height=\"5\" \
                 patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
                 <rect width=\"5\" height=\"5\" class=\"doom-bg\"/>\
                 <path d=\"M0,0V5\" class=\"doom-line\"/></pattern></defs>"
            );
        }
        self.shapes.iter().for_each(|shape| shape.write(&mut out, id));
        out.push_str("</svg>");
        out
    }
}

impl Shape {
    fn write(&self, out: &mut String, id: &str) {
        let mut rest = format!(" class=\"{}\"", self.class);
        if let Some(width) = self.stroke {
            let _ = write!(rest, " style=\"stroke-width:{}\"", short(width));
        }
        if let Some(block) = self.block {
            let _ = write!(rest, " data-block=\"{block}\"");
        }
        if self.hatched {
            let _ = write!(rest, " fill=\"url(#{id})\"");
        }
        let _ = match &self.form {
            Form::Rect { x, y, width, height, round } => write!(
                out,
                "<rect{rest} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
                short(*x),
                short(*y),
                short(*width),
                short(*height),
                short(*round)
            ),
            Form::Circle { x, y, r } => {
                let (x, y, r) = (short(*x), short(*y), short(*r));
                write!(out, "<circle{rest} cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>")
            }
            Form::Text { x, y, anchor, text } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let (x, y) = (short(*x), short(*y));
                let text = escaped(text);
                write!(
                    out,
                    "<text{rest} x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
                )
            }
            _ => write!(out, "<path{rest} d=\"{}\"/>", self.path().unwrap_or_default()),
        };
    }
}

/// Formats a length to a tenth of a pixel.
fn short(value: f64) -> f64 {
    // No "-0".
    libm::round(value * 10.0) / 10.0 + 0.0
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
