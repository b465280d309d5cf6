//! The job of a crowd: its requests, and the measures taken at the end.

use std::rc::Rc;

use crate::lua::{Chunk, Data};
use crate::resp::{Bytes, Value};
use crate::sim::sql::{Answer, Prepared};
use crate::sim::{ClientId, Facts, Fate, Kind, NodeId, Property, Resource, Scenario, WorldFacts};

/// The instances, the programs, and the measures.
#[derive(Debug, Clone)]
pub struct Job {
    /// The scenario, without clients: the crowd has its own.
    pub scenario: Scenario,
    /// The programs; requests run them in turn.
    pub programs: Vec<Rc<Chunk>>,
    pub measures: Vec<Measure>,
    /// The globals that measures read; each request's are added up when it ends.
    pub(super) globals: Vec<String>,
    /// The globals that are watched while programs run: one for each measure that needs it.
    pub(super) watched: Vec<String>,
}

/// A number that is computed when a run has ended.
#[derive(Debug, Clone)]
pub struct Measure {
    pub id: String,
    pub what: What,
}

impl Measure {
    /// Returns its value, NaN if there is none. `watched`: the watched globals that this and later
    /// measures need. The error names the measure.
    pub(crate) fn value<'w>(
        &self,
        facts: &mut CrowdFacts<'_>,
        watched: &mut impl Iterator<Item = &'w Watched>,
    ) -> Result<f64, String> {
        let property = match &self.what {
            What::Value(property) => property,
            what => return Ok(watched.next().map_or(f64::NAN, |one| one.value(what))),
        };
        match property.value(facts) {
            Ok(Data::Num(number)) => Ok(number),
            Ok(Data::Bool(is)) => Ok(f64::from(u8::from(is))),
            Ok(_) => Ok(f64::NAN),
            Err(why) => Err([self.id.as_str(), ": ", &why].concat()),
        }
    }
}

#[derive(Debug, Clone)]
pub enum What {
    /// An expression as in a property. `sum`, `count` and `count_done` are about all requests,
    /// whatever places they had.
    Value(Property),
    /// The most programs that had this global at once, neither nil nor false.
    Peak(String),
    /// The time until a request first had this global: the mean in ms over the requests that ever
    /// had it.
    Until(String),
}

impl Measure {
    /// Parses a measure: `check` is a Lua expression, or `peak("holding")` or `time_to("holding")`.
    /// The error is a mistake of the author.
    pub fn new(id: &str, check: &str) -> Result<Measure, String> {
        let of = |function| -> Option<String> {
            let rest = check.trim().strip_prefix(function)?;
            Some(rest.strip_prefix("(\"")?.strip_suffix("\")")?.to_owned())
        };
        let what = match (of("peak"), of("time_to")) {
            (Some(name), _) => What::Peak(name),
            (_, Some(name)) => What::Until(name),
            _ => {
                let property = Property::new(Kind::Sometimes, check, id);
                What::Value(property.map_err(|error| error.to_string())?)
            }
        };
        Ok(Measure { id: id.to_owned(), what })
    }
}

impl Job {
    pub fn new(scenario: Scenario, programs: Vec<Rc<Chunk>>, measures: Vec<Measure>) -> Job {
        let (mut globals, mut watched) = (Vec::new(), Vec::new());
        for measure in &measures {
            match &measure.what {
                What::Peak(name) | What::Until(name) => watched.push(name.clone()),
                What::Value(property) => globals.extend(property.names()),
            }
        }
        globals.sort();
        globals.dedup();
        // A place notes the globals that it has in the bits of one word.
        watched.truncate(32);
        Job { scenario, programs, measures, globals, watched }
    }

    /// Returns the globals that measures read; each request's are added up when it ends.
    pub fn globals(&self) -> &[String] {
        &self.globals
    }

    /// Returns the globals that are watched while programs run: one for each measure that needs it.
    pub fn watched(&self) -> &[String] {
        &self.watched
    }
}

/// The observations of a watched global.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Watched {
    /// The number of requests that have it now; and below, the most at once.
    now: u32,
    most: u32,
    /// The number of requests that ever had it; and below, the sum of the times until they had it.
    ever: u64,
    after_ns: u64,
}

/// The watched globals that a request has, and those that it ever had, a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Having {
    now: u32,
    ever: u32,
}

impl Watched {
    /// Records if request `of`, which began `ns` ago, `has` the global number `bit`.
    pub fn see(&mut self, bit: usize, has: bool, of: &mut Having, ns: u64) {
        let mask = 1 << bit;
        match (of.now & mask != 0, has) {
            (false, true) => self.now += 1,
            (true, false) => self.now -= 1,
            _ => {}
        }
        self.most = self.most.max(self.now);
        of.now = of.now & !mask | u32::from(has) << bit;
        if has && of.ever & mask == 0 {
            of.ever |= mask;
            self.ever += 1;
            self.after_ns += ns;
        }
    }

    /// Records the end of a request, which then has none of the globals.
    pub fn end(&mut self, bit: usize, of: &Having) {
        self.now -= of.now >> bit & 1;
    }

    /// Returns the value for a measure; NaN if no request ever had the global.
    pub fn value(&self, what: &What) -> f64 {
        match what {
            What::Until(_) => self.after_ns as f64 / self.ever as f64 / 1e6,
            _ => f64::from(self.most),
        }
    }
}

/// The sum of a global over all requests.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sum {
    /// The sum of the numbers.
    pub sum: f64,
    /// The number of requests that had it, neither nil nor false, and did not crash.
    pub count: u64,
}

impl Sum {
    pub fn add(&mut self, value: &Data, fate: Fate) {
        if let Data::Num(number) = value {
            self.sum += number;
        }
        self.count += u64::from(value.truthy() && fate != Fate::Crashed);
    }
}

/// The facts of a crowd: of the world as it is, and of all past requests.
pub(crate) struct CrowdFacts<'r> {
    pub of_world: WorldFacts<'r>,
    pub names: &'r [String],
    pub sums: &'r [Sum],
    pub done: u64,
    /// Reads what is in Redis, if that is not the world's.
    pub read: Option<&'r mut Read<'r>>,
}

/// Answers a command that reads, as [`Facts::read`] does.
pub(crate) type Read<'r> = dyn FnMut(NodeId, &[Bytes]) -> Option<Value> + 'r;

impl CrowdFacts<'_> {
    fn of(&self, name: &str) -> Sum {
        let at = self.names.iter().position(|known| known == name);
        at.and_then(|at| self.sums.get(at)).copied().unwrap_or_default()
    }
}

impl Facts for CrowdFacts<'_> {
    fn clients(&self) -> usize {
        self.of_world.clients()
    }

    fn fate(&self, client: ClientId) -> Fate {
        self.of_world.fate(client)
    }

    fn is_paused(&self, client: ClientId) -> bool {
        self.of_world.is_paused(client)
    }

    fn was_paused(&self, client: ClientId) -> Option<bool> {
        self.of_world.was_paused(client)
    }

    fn error(&self, client: ClientId) -> Data {
        self.of_world.error(client)
    }

    fn global(&self, client: ClientId, name: &str) -> Data {
        self.of_world.global(client, name)
    }

    fn sum(&self, name: &str) -> f64 {
        self.of(name).sum
    }

    fn count(&self, name: &str) -> usize {
        self.of(name).count as usize
    }

    fn done(&self) -> usize {
        self.done as usize
    }

    fn nodes(&self) -> Vec<String> {
        self.of_world.nodes()
    }

    fn read(&mut self, node: NodeId, argv: &[Bytes]) -> Option<Value> {
        match &mut self.read {
            Some(read) => read(node, argv),
            None => self.of_world.read(node, argv),
        }
    }

    fn select(&self, statement: &Prepared) -> Result<Answer, String> {
        self.of_world.select(statement)
    }

    fn resource(&self, name: &[u8]) -> Option<Resource> {
        self.of_world.resource(name)
    }
}
