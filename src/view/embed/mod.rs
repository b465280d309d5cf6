//! A lesson in a course page: the options of the page, as plain data.
//!
//! The query has what is needed before anything is shown; the fragment (a [`Link`]) says which
//! lesson, and where in it:
//! `?embed&lang=zh&panels=code,diagram&tabs=watch&from=1&to=4#lesson=lost-update`. Only this file
//! knows the query's grammar; static/embed/README.md describes it for authors.
//!
//! - [`message`] has the messages between the course page and the lesson.
//! - [`snippet`] makes the code to paste into a course page.
//! - [`compat`] tells other hosts the frame's height.
//! - [`goal`] computes a score.

pub mod compat;
pub mod goal;
pub mod message;
pub mod snippet;

#[cfg(test)]
mod tests;

use crate::lesson::Lesson;
use crate::session::link::{LENGTH_MAX, Link, decode, encode};
use crate::session::mode::Mode;
use crate::session::part::Part;
use crate::text::Lang;

pub const THEMES: [&str; 3] = ["auto", "light", "dark"];
/// `map` is Find's; `console` stands below a run.
pub const PANELS: [&str; 5] = ["code", "diagram", "redis", MAP, CONSOLE];
pub const MAP: &str = "map";
pub const CONSOLE: &str = "console";
/// `edit` is of a scenario.
pub const TABS: [&str; 9] =
    ["situation", "watch", "schedule", "break", "find", "fix", "crowd", "review", "edit"];
/// The groups of the transport's buttons; `more` has those that change a run: random, faults, reset
/// …
pub const CONTROLS: [&str; 4] = ["step", "scrub", "play", "more"];
pub const GOALS: [&str; 4] = ["watch", "break", "fix", "review"];
/// The protocols of other hosts for telling the height.
pub const COMPAT: [&str; 2] = ["lti", "h5p"];

/// The greatest height of a frame, in px.
pub const HEIGHT_MAX: u32 = 10_000;
const HEIGHT_MIN: u32 = 120;
const STEP_MAX: u32 = 9_999;

/// Names from one of the lists above; `None`: not given.
pub type Names = Option<Vec<&'static str>>;

/// The options in the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embed {
    pub lang: Option<Lang>,
    pub theme: Option<&'static str>,
    pub panels: Names,
    pub tabs: Names,
    pub controls: Names,
    /// The modes that count for the score.
    pub goals: Names,
    pub compat: Names,
    pub from: u32,
    pub to: Option<u32>,
    /// True if "Play" begins again at the end.
    pub repeat: bool,
    pub readonly: bool,
    pub hints: bool,
    pub keys: bool,
    /// False in an exam: see [`Part::exam`].
    pub answers: bool,
    /// The fixed height of the frame in px; `None`: it follows its content.
    pub height: Option<u32>,
    /// The greatest height in px; beyond it there is a scroll bar.
    pub max: Option<u32>,
    /// The only origin that is told about the learner; an unreadable one matches none.
    pub origin: Option<String>,
}

impl Default for Embed {
    fn default() -> Embed {
        Embed {
            lang: None,
            theme: None,
            panels: None,
            tabs: None,
            controls: None,
            goals: None,
            compat: None,
            from: 0,
            to: None,
            repeat: false,
            readonly: false,
            hints: true,
            keys: true,
            answers: true,
            height: None,
            max: None,
            origin: None,
        }
    }
}

/// A parameter with an invalid value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    pub name: &'static str,
    pub value: String,
    /// The accepted values: `auto, light, dark`.
    pub accepted: String,
}

/// The type of a parameter, with the field it is read into.
enum Field<'e> {
    Lang(&'e mut Option<Lang>),
    One(&'e mut Option<&'static str>, &'static [&'static str]),
    /// Names separated by commas; `none` is an empty list.
    Many(&'e mut Names, &'static [&'static str]),
    /// 0 or 1; a name without a value is 1.
    Flag(&'e mut bool),
    From(&'e mut u32),
    To(&'e mut Option<u32>),
    Pixels(&'e mut Option<u32>),
    Origin(&'e mut Option<String>),
}

/// The names of the parameters, in the order in which they are written.
const NAMES: [&str; 17] = [
    "lang", "theme", "tabs", "panels", "controls", "from", "to", "repeat", "readonly", "hints",
    "keys", "answers", "goal", "height", "max", "origin", "compat",
];

impl Embed {
    /// Parses the query, with or without its `?`. `None` if it does not contain `embed`. Unknown
    /// names are ignored; invalid values are returned, and the rest is used.
    pub fn parse(query: &str) -> Option<(Embed, Vec<Bad>)> {
        // Most pages are in no course page: the rest may come later.
        query.contains("embed").then(|| Embed::read(query))?
    }

    #[inline(never)]
    fn read(query: &str) -> Option<(Embed, Vec<Bad>)> {
        let query = query.strip_prefix('?').unwrap_or(query);
        let mut end = query.len().min(LENGTH_MAX);
        while !query.is_char_boundary(end) {
            end -= 1;
        }
        let pairs =
            || query[..end].split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        if !pairs().any(|(name, _)| name == "embed") {
            return None;
        }
        let (mut embed, mut bad) = (Embed::default(), Vec::new());
        for name in NAMES {
            // Said twice, the last one counts.
            let Some((_, value)) = pairs().rfind(|(found, _)| *found == name) else {
                continue;
            };
            let value = decode(&value.replace('+', " "));
            let Some(field) = embed.field(name) else { continue };
            if let Err(accepted) = field.read(value.trim()) {
                let value = value.chars().take(40).collect();
                bad.push(Bad { name, value, accepted });
            }
        }
        Some((embed, bad))
    }

    fn field(&mut self, name: &str) -> Option<Field<'_>> {
        Some(match name {
            "lang" => Field::Lang(&mut self.lang),
            "theme" => Field::One(&mut self.theme, &THEMES),
            "panels" => Field::Many(&mut self.panels, &PANELS),
            "tabs" => Field::Many(&mut self.tabs, &TABS),
            "controls" => Field::Many(&mut self.controls, &CONTROLS),
            "goal" => Field::Many(&mut self.goals, &GOALS),
            "compat" => Field::Many(&mut self.compat, &COMPAT),
            "from" => Field::From(&mut self.from),
            "to" => Field::To(&mut self.to),
            "repeat" => Field::Flag(&mut self.repeat),
            "readonly" => Field::Flag(&mut self.readonly),
            "hints" => Field::Flag(&mut self.hints),
            "keys" => Field::Flag(&mut self.keys),
            "answers" => Field::Flag(&mut self.answers),
            "height" | "max" => {
                Field::Pixels(if name == "max" { &mut self.max } else { &mut self.height })
            }
            "origin" => Field::Origin(&mut self.origin),
            _ => return None,
        })
    }

    /// Returns the query without its `?`: `embed` and all options that differ from the default, in
    /// a fixed order.
    pub fn write(&self) -> String {
        let mut own = self.clone();
        let mut plain = Embed::default();
        let mut out = String::from("embed");
        for name in NAMES {
            let [own, plain] = [&mut own, &mut plain].map(|e| e.field(name).map(Field::written));
            if let Some(value) = own.filter(|value| Some(value) != plain.as_ref()) {
                // Commas need no code in a query, and stay readable.
                let value = encode(&value).replace("%2C", ",").replace("%3A", ":");
                out = out + "&" + name + "=" + &value.replace("%2F", "/");
            }
        }
        out
    }

    /// Returns the part of the lesson that may be used.
    pub fn part(&self) -> Part {
        let named = self
            .tabs
            .as_ref()
            .map(|names| Mode::ALL.into_iter().filter(|mode| names.contains(&mode.id())).collect());
        // In an exam whatever explains is left out, unless it is asked for.
        let exam = || vec![Mode::Break, Mode::Fix, Mode::Review];
        Part {
            modes: named.or_else(|| (!self.answers).then(exam)),
            from: self.from as usize,
            to: self.to.map(|to| to as usize),
            readonly: self.readonly,
            exam: !self.answers,
        }
    }

    /// Returns the link as it is opened here: if its mode is not allowed, with an allowed one.
    pub fn narrowed(&self, link: &Link, lesson: &Lesson) -> Link {
        let Some(modes) = self.part().modes else { return link.clone() };
        // The mode in which a session opens a link that names none.
        let free = link.schedule.is_some() || (link.step.is_some() && link.walk.is_none());
        let own = if free { Mode::Schedule } else { Mode::Watch };
        let named = link.mode.as_deref().unwrap_or(own.id());
        if modes.iter().any(|mode| mode.id() == named) {
            return link.clone();
        }
        let first = modes.iter().find(|mode| mode.is_in(lesson));
        Link { mode: first.map(|mode| mode.id().to_owned()), ..link.clone() }
    }

    /// Returns true if only this panel is shown. A map is then computed at once.
    pub fn is_alone(&self, panel: &str) -> bool {
        self.panels.as_deref() == Some(&[panel])
    }

    /// Returns true if a console is asked for, which then cannot be closed.
    pub fn has_console(&self) -> bool {
        self.panels.as_ref().is_some_and(|names| names.contains(&CONSOLE))
    }

    /// Returns the attributes of the document's root by which the style sheet hides what is not
    /// wanted.
    pub fn attributes(&self) -> Vec<(&'static str, String)> {
        let lists = [("data-panels", &self.panels), ("data-controls", &self.controls)];
        let lists = lists
            .into_iter()
            .filter_map(|(name, list)| list.as_ref().map(|list| (name, list.join(" "))));
        let tabs = self.part().modes.map(|modes| {
            ("data-tabs", modes.into_iter().map(Mode::id).collect::<Vec<_>>().join(" "))
        });
        let lists = lists.chain(tabs);
        let flags = [
            ("data-readonly", self.readonly),
            ("data-no-hints", !self.hints),
            ("data-no-keys", !self.keys),
            ("data-exam", !self.answers),
        ];
        let flags = flags.into_iter().filter(|(_, set)| *set);
        lists.chain(flags.map(|(name, _)| (name, String::new()))).collect()
    }

    pub fn speaks(&self, compat: &str) -> bool {
        self.compat.as_ref().is_some_and(|names| names.contains(&compat))
    }
}

impl Field<'_> {
    /// Parses a value into the field; the error is the list of accepted values.
    fn read(self, value: &str) -> Result<(), String> {
        match self {
            Field::Lang(field) => {
                *field = Some(Lang::from_tag(value).ok_or_else(|| "en, zh".to_owned())?);
            }
            Field::One(field, names) => {
                let found = names.iter().copied().find(|name| *name == value);
                *field = Some(found.ok_or_else(|| names.join(", "))?);
            }
            Field::Many(field, names) => return read_names(field, names, value),
            Field::Flag(field) => {
                *field = match value {
                    "1" | "" => true,
                    "0" => false,
                    _ => return Err("0, 1".to_owned()),
                };
            }
            Field::From(field) => *field = number(value, 0, STEP_MAX)?,
            Field::To(field) => *field = Some(number(value, 0, STEP_MAX)?),
            Field::Pixels(field) => {
                *field = match value {
                    "auto" => None,
                    value => Some(
                        number(value, HEIGHT_MIN, HEIGHT_MAX).map_err(|n| format!("auto, {n}"))?,
                    ),
                };
            }
            Field::Origin(field) => {
                let origin = origin(value);
                *field = Some(origin.clone().unwrap_or_default());
                origin.ok_or_else(|| "https://course.example".to_owned())?;
            }
        }
        Ok(())
    }

    fn written(self) -> String {
        match self {
            Field::Lang(field) => field.map(|lang| lang.tag().to_owned()).unwrap_or_default(),
            Field::One(field, _) => field.map(str::to_owned).unwrap_or_default(),
            Field::Many(field, _) => match field {
                Some(names) if names.is_empty() => "none".to_owned(),
                Some(names) => names.join(","),
                None => String::new(),
            },
            Field::Flag(field) => u8::from(*field).to_string(),
            Field::From(field) => field.to_string(),
            Field::To(field) | Field::Pixels(field) => {
                field.map(|number| number.to_string()).unwrap_or_default()
            }
            Field::Origin(field) => field.clone().unwrap_or_default(),
        }
    }
}

/// Reads a list of names. The valid ones count even if others are not; `Err` lists all valid names.
fn read_names(
    field: &mut Names,
    names: &'static [&'static str],
    value: &str,
) -> Result<(), String> {
    let asked = || value.split(',').map(str::trim).filter(|name| !name.is_empty());
    let wrong = asked().any(|name| !names.contains(&name) && name != "none") || value.is_empty();
    let found: Vec<_> =
        names.iter().copied().filter(|name| asked().any(|asked| asked == *name)).collect();
    if !(found.is_empty() && wrong) {
        *field = Some(found);
    }
    if wrong { Err(names.join(", ") + ", none") } else { Ok(()) }
}

fn number(text: &str, min: u32, max: u32) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("{min} … {max}"))
}

/// Parses an origin, `https://course.example:8443`, as browsers write it.
fn origin(text: &str) -> Option<String> {
    let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b".-:[]_".contains(&b);
    (!host.is_empty() && host.bytes().all(plain)).then_some(text)
}
