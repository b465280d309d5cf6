//! The form of a crowd: the plan's numbers as typed, in groups, with their errors beside them.

use crate::lesson::Lesson;
use crate::load::{Arrival, FIELDS, Field, Plan, REQUESTS_MAX, SEEDS_MAX, Spread};
use crate::session::spelling::thousands;
use crate::text::{CrowdWord, Lang, crowd, fill};

use super::Crowding;

/// The number of seeds if the lesson gives none.
pub const SEEDS_USUAL: u32 = 20;
const SEEDS: &str = "seeds";
const VARIANTS: &str = "variants";
/// The most characters of a number.
const TYPED_MAX: usize = 12;

/// The fields that were changed, as typed: a wrong value stays until it is corrected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form {
    typed: Vec<(&'static str, String)>,
    /// The variants to run, in order.
    pub variants: Vec<usize>,
}

/// A row of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    pub name: &'static str,
    pub label: &'static str,
    pub unit: &'static str,
    pub kind: Kind,
    /// The meaning of 0.
    pub zero: Option<&'static str>,
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The text in the field, and the default shown in grey: variants may differ in it.
    Number { text: String, ghost: String, min: u32, max: u32 },
    /// Ids and labels, and the chosen one.
    Choice { options: Vec<(&'static str, &'static str)>, chosen: usize },
}

/// A group of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub id: &'static str,
    pub label: &'static str,
    pub controls: Vec<Control>,
    /// True if it is folded at first.
    pub folded: bool,
    /// True if one of its values differs from the proposed one.
    pub changed: bool,
}

/// A part of a link that is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strange(pub String);

impl Form {
    /// Returns the text typed for `name`.
    fn typed(&self, name: &str) -> Option<&str> {
        let found = self.typed.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Sets the text of a field; an empty text restores the proposed value.
    pub fn set(&mut self, name: &str, text: &str) {
        let names = FIELDS.iter().map(|field| field.name).chain(["arrival", "spread", SEEDS]);
        let Some(name) = names.into_iter().find(|known| *known == name) else { return };
        self.typed.retain(|(known, _)| *known != name);
        let text: String = text.trim().chars().take(TYPED_MAX).collect();
        if !text.is_empty() {
            self.typed.push((name, text));
        }
    }

    /// Restores the values that the lesson proposes.
    pub fn reset(&mut self) {
        self.typed.clear();
    }

    pub fn is_proposed(&self) -> bool {
        self.typed.is_empty()
    }

    /// Adds or removes a variant.
    pub fn toggle(&mut self, variant: usize) {
        match self.variants.iter().position(|one| *one == variant) {
            Some(at) => {
                self.variants.remove(at);
            }
            None => {
                let at = self.variants.partition_point(|one| *one < variant);
                self.variants.insert(at, variant);
            }
        }
    }

    pub fn seeds(&self, usual: u32) -> u32 {
        let typed = self.typed(SEEDS).and_then(|text| number(text, 1, SEEDS_MAX));
        typed.unwrap_or(usual).clamp(1, SEEDS_MAX)
    }

    /// Returns the text for [`Plan::read`]: the changes that are valid.
    pub fn changes(&self) -> String {
        let right = self.typed.iter().filter(|(name, text)| {
            let field = FIELDS.iter().find(|field| field.name == *name);
            *name != SEEDS && field.is_none_or(|field| number(text, field.min, field.max).is_some())
        });
        let parts: Vec<String> =
            right.map(|(name, text)| [*name, "=", text.as_str()].concat()).collect();
        parts.join(",")
    }

    /// Returns true if the form can be run.
    pub fn is_right(&self, crowd: &Crowding) -> bool {
        self.problem(crowd, Lang::En).is_none()
    }

    /// Returns the first error.
    pub fn problem(&self, of: &Crowding, lang: Lang) -> Option<String> {
        let wrong = |(name, text): &(&'static str, String)| problem_of(name, text, lang);
        if let Some(why) = self.typed.iter().find_map(wrong) {
            return Some(why);
        }
        if self.variants.is_empty() {
            return Some(crowd(lang, CrowdWord::NoVariant).to_owned());
        }
        // Each field is valid by itself, so only the product can be too large.
        let large = self.variants.iter().find(|variant| of.plan(**variant).is_none())?;
        let number = |name: &str, proposed: fn(&Plan) -> u32| {
            let typed = self.typed(name).and_then(|text| text.parse().ok());
            thousands(typed.or(of.proposed(*large).map(proposed)).unwrap_or(0).into())
        };
        let clients = number("clients", |plan| plan.clients);
        let requests = number("requests", |plan| plan.requests);
        let most = thousands(REQUESTS_MAX);
        Some(fill(crowd(lang, CrowdWord::TooMany), &[&clients, &requests, &most]))
    }

    /// Returns the form for links: `clients:100,seeds:5,variants:naive.lua`; `None` if nothing was
    /// changed.
    pub fn write(&self, of: &Crowding) -> Option<String> {
        let mut parts: Vec<String> = self
            .typed
            .iter()
            .filter(|(name, text)| problem_of(name, text, Lang::En).is_none())
            .map(|(name, text)| [*name, ":", text.as_str()].concat())
            .collect();
        if self.variants != of.offered() {
            let lesson = of.lesson();
            let id = |at: &usize| lesson.variants.get(*at).map(|variant| variant.id.as_str());
            let ids: Vec<&str> = self.variants.iter().filter_map(id).collect();
            parts.push([VARIANTS, ":", &ids.join(".")].concat());
        }
        (!parts.is_empty()).then(|| parts.join(","))
    }

    /// Parses the output of [`Form::write`]. Returns the parts that are not understood.
    pub fn read(&mut self, text: &str, lesson: &Lesson, offered: &[usize]) -> Vec<Strange> {
        let mut strange = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()).take(FIELDS.len() + 4) {
            let Some((name, value)) = part.split_once([':', '=']) else {
                strange.push(Strange(part.to_owned()));
                continue;
            };
            if name == VARIANTS {
                let find = |id: &str| lesson.variant(id).filter(|at| offered.contains(at));
                let mut found: Vec<usize> = value.split('.').filter_map(find).collect();
                found.sort_unstable();
                found.dedup();
                match found.is_empty() {
                    true => strange.push(Strange(part.to_owned())),
                    false => self.variants = found,
                }
                continue;
            }
            let before = self.typed.len();
            self.set(name, value);
            let wrong = |(name, text): &(&'static str, String)| problem_of(name, text, Lang::En);
            match self.typed.last().filter(|_| self.typed.len() > before) {
                Some(last) if wrong(last).is_none() => {}
                last => {
                    if last.is_some() {
                        self.typed.pop();
                    }
                    strange.push(Strange(part.to_owned()));
                }
            }
        }
        strange
    }

    /// Returns the form for display.
    pub fn groups(&self, of: &Crowding, lang: Lang) -> Vec<Group> {
        let arrival = self.chosen(of, "arrival", |plan| plan.arrival.name());
        let spread = self.chosen(of, "spread", |plan| plan.spread.name());
        let word = |word| crowd(lang, word);
        let choice = |name, label, chosen: &str, options: Vec<(&'static str, CrowdWord)>| Control {
            name,
            label: word(label),
            unit: "",
            kind: Kind::Choice {
                chosen: options.iter().position(|(id, _)| *id == chosen).unwrap_or(0),
                options: options.into_iter().map(|(id, label)| (id, word(label))).collect(),
            },
            zero: None,
            problem: None,
        };
        let arrivals = Arrival::ALL.map(|one| {
            let label = match one {
                Arrival::AtOnce => CrowdWord::AtOnce,
                Arrival::Ramp => CrowdWord::Ramp,
                Arrival::Poisson => CrowdWord::Poisson,
            };
            (one.name(), label)
        });
        let spreads = Spread::ALL.map(|one| {
            let label = match one {
                Spread::Constant => CrowdWord::Constant,
                Spread::Uniform => CrowdWord::Uniform,
                Spread::Exponential => CrowdWord::Exponential,
                Spread::LogNormal => CrowdWord::LogNormal,
            };
            (one.name(), label)
        });
        let number = |name| self.number(of, name, lang);
        let several = of.lesson().variants.iter().any(|variant| variant.world.instances.len() > 1);
        let mut requests = vec![number("clients"), number("requests")];
        requests.push(choice("arrival", CrowdWord::Arrival, arrival, arrivals.to_vec()));
        match arrival {
            "ramp" => requests.push(number("ramp_ms")),
            "poisson" => requests.push(number("rate")),
            _ => {}
        }
        requests.extend([number("think_ms"), number(SEEDS)]);
        let mut costs = vec![number("command_ns"), number("instruction_ns")];
        if several {
            costs.push(number("down"));
        }
        let network = vec![
            number("rtt_us"),
            number("jitter_us"),
            choice("spread", CrowdWord::Spread, spread, spreads.to_vec()),
        ];
        let groups = [
            ("requests", CrowdWord::Requests, requests, false),
            (
                "processes",
                CrowdWord::Processes,
                vec![number("processes"), number("threads"), number("skew_ms")],
                true,
            ),
            ("network", CrowdWord::Network, network, true),
            ("costs", CrowdWord::Costs, costs, true),
            (
                "faults",
                CrowdWord::Faults,
                vec![number("crash_ppm"), number("pause_ppm"), number("pause_ms")],
                true,
            ),
            ("bounds", CrowdWord::Bounds, vec![number("limit_ms")], true),
        ];
        let group = |(id, label, controls, folded): (_, _, Vec<Control>, _)| {
            let typed = |control: &Control| self.typed(control.name).is_some();
            let changed = controls.iter().any(typed);
            Group { id, label: word(label), folded, changed, controls }
        };
        groups.into_iter().map(group).collect()
    }

    fn chosen(&self, of: &Crowding, name: &str, get: fn(&Plan) -> &'static str) -> &'static str {
        let proposed = || self.shown(of).find_map(|at| of.proposed(at)).map(get);
        let typed = self.typed(name).and_then(|text| {
            let arrivals = Arrival::ALL.map(Arrival::name);
            let names = arrivals.into_iter().chain(Spread::ALL.map(Spread::name));
            names.into_iter().find(|known| *known == text)
        });
        typed.or_else(proposed).unwrap_or_default()
    }

    /// Returns the variants whose proposals the form shows.
    fn shown<'f>(&'f self, of: &'f Crowding) -> impl Iterator<Item = usize> + 'f {
        let all = of.offered();
        let some = !self.variants.is_empty();
        all.into_iter().filter(move |at| !some || self.variants.contains(at))
    }

    fn number(&self, of: &Crowding, name: &'static str, lang: Lang) -> Control {
        let field = FIELDS.iter().find(|field| field.name == name);
        let mut proposed: Vec<u32> = match field {
            Some(field) => {
                self.shown(of).filter_map(|at| of.proposed(at)).map(|p| (field.get)(p)).collect()
            }
            None => vec![of.lesson().crowd.as_ref().map_or(SEEDS_USUAL, |def| def.seeds as u32)],
        };
        proposed.dedup();
        let texts: Vec<String> = proposed.iter().map(u32::to_string).collect();
        let (min, max) = bounds(field);
        let typed = self.typed(name);
        let text = match (typed, texts.as_slice()) {
            (Some(typed), _) => typed.to_owned(),
            (None, [one]) => one.clone(),
            (None, _) => String::new(),
        };
        let zero = match name {
            "processes" => Some(CrowdWord::EachItsOwn),
            "threads" => Some(CrowdWord::AsMany),
            _ => None,
        };
        let problem = typed.and_then(|typed| problem_of(name, typed, lang));
        Control {
            name,
            label: label(name, lang),
            unit: field.map_or("", |field| field.unit),
            kind: Kind::Number { text, ghost: texts.join(" / "), min, max },
            zero: zero.map(|word| crowd(lang, word)),
            problem,
        }
    }
}

fn bounds(field: Option<&Field>) -> (u32, u32) {
    field.map_or((1, SEEDS_MAX), |field| (field.min, field.max))
}

fn number(text: &str, min: u32, max: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

fn problem_of(name: &str, text: &str, lang: Lang) -> Option<String> {
    match name {
        "arrival" if Arrival::ALL.iter().any(|one| one.name() == text) => return None,
        "spread" if Spread::ALL.iter().any(|one| one.name() == text) => return None,
        _ => {}
    }
    let (min, max) = bounds(FIELDS.iter().find(|field| field.name == name));
    if !matches!(name, "arrival" | "spread") && number(text, min, max).is_some() {
        return None;
    }
    let [min, max] = [min, max].map(|n| thousands(n.into()));
    Some(fill(crowd(lang, CrowdWord::Number), &[label(name, lang), &min, &max]))
}

fn label(name: &str, lang: Lang) -> &'static str {
    let word = match name {
        "clients" => CrowdWord::Clients,
        "requests" => CrowdWord::PerClient,
        "arrival" => CrowdWord::Arrival,
        "ramp_ms" => CrowdWord::RampOver,
        "rate" => CrowdWord::Rate,
        "think_ms" => CrowdWord::Think,
        "processes" => CrowdWord::ProcessCount,
        "threads" => CrowdWord::Threads,
        "skew_ms" => CrowdWord::Skew,
        "rtt_us" => CrowdWord::RoundTrip,
        "jitter_us" => CrowdWord::Jitter,
        "spread" => CrowdWord::Spread,
        "command_ns" => CrowdWord::CommandCost,
        "instruction_ns" => CrowdWord::InstructionCost,
        "down" => CrowdWord::Down,
        "crash_ppm" => CrowdWord::Crash,
        "pause_ppm" => CrowdWord::Pause,
        "pause_ms" => CrowdWord::PauseFor,
        "limit_ms" => CrowdWord::Limit,
        _ => CrowdWord::Seeds,
    };
    crowd(lang, word)
}
