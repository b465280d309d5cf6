//! Edits: the changes that the playground's fields make to a scenario. An impossible edit changes
//! nothing; a wrong one is made, and its mistake is shown at the field.

use crate::sim::{Faults, Kind};

use super::conditions::CHOICES;
use super::{Client, Definition, Instance, MANY_MAX, Part, Property, Script, TEXT_MAX};

/// The most characters of a name, a title or a check.
const LINE_MAX: usize = 2000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Gives a field of the world, or of a row of it, what was typed.
    Field(Row, &'static str, String),
    Text(Part, String),
    Name(Part, String),
    AddProgram,
    AddScript,
    Remove(Part),
    AddClient,
    RemoveClient(usize),
    ClientProgram(usize, usize),
    AddProperty,
    /// Replaces a condition by a choice of the list: the choice's number.
    Choose(usize, usize),
    RemoveProperty(usize),
    AddInstance,
    RemoveInstance(usize),
    InstanceName(usize, String),
    /// Sets how often a kind of fault, by name, may happen.
    Fault(&'static str, String),
    JumpMs(String),
    /// Sets the longest pause in ms; 0: until it is ended.
    PauseMs(String),
    /// Sets the letters of the clients that a kind of fault strikes; none: all.
    FaultOf(&'static str, String),
}

/// What a field is of: the world, or a client, a property or an instance by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    World,
    Client(usize),
    Property(usize),
    Instance(usize),
}

impl Definition {
    fn has_room_for(&self, edit: &Edit) -> bool {
        match edit {
            // A file's may be longer already, and is made shorter.
            Edit::Text(part, text) => text.len() <= self.text(*part).len().max(TEXT_MAX),
            Edit::Field(_, _, text) | Edit::Name(_, text) | Edit::InstanceName(_, text) => {
                text.chars().count() <= LINE_MAX
            }
            _ => true,
        }
    }

    /// Makes an edit. False if a text is too long.
    pub fn edit(&mut self, edit: Edit) -> bool {
        if !self.has_room_for(&edit) {
            return false;
        }
        match edit {
            Edit::Field(row, name, text) => match row {
                Row::World => self.edit_field(name, &text),
                Row::Client(at) => with(&mut self.clients, at, |one| one.edit_field(name, &text)),
                Row::Property(at) => {
                    with(&mut self.properties, at, |one| one.edit_field(name, &text))
                }
                Row::Instance(at) => {
                    with(&mut self.instances, at, |one| one.edit_field(name, &text))
                }
            },
            Edit::Text(part, text) => {
                if let Some(place) = self.text_mut(part) {
                    *place = text;
                }
            }
            Edit::Name(part, name) => self.rename(part, &name),
            Edit::AddProgram => add(&mut self.programs, "program"),
            Edit::AddScript => add(&mut self.scripts, "script"),
            Edit::Remove(part) => self.remove(part),
            Edit::AddClient if self.clients.len() < MANY_MAX => {
                let program = self.clients.last().map_or(0, |client| client.program);
                self.clients.push(Client { program, ..Client::default() });
            }
            Edit::RemoveClient(at) if at < self.clients.len() && self.clients.len() > 1 => {
                self.clients.remove(at);
            }
            Edit::AddProperty if self.properties.len() < MANY_MAX => {
                let check = "all_done()".to_owned();
                self.properties.push(Property::new(Kind::Sometimes, check));
            }
            Edit::Choose(at, choice) => {
                if let Some(choice) = CHOICES.get(choice) {
                    let chosen = Property::new(choice.kind(), choice.check(self));
                    with(&mut self.properties, at, |property| *property = chosen);
                }
            }
            Edit::RemoveProperty(at) if at < self.properties.len() => {
                self.properties.remove(at);
            }
            Edit::AddInstance => self.add_instance(),
            Edit::RemoveInstance(at) if at < self.instances.len() => {
                self.instances.remove(at);
                // One alone is what there is without a list.
                if self.instances.len() == 1 && self.instances[0] == default_instance() {
                    self.instances.clear();
                }
            }
            Edit::Fault(name, count) => {
                if let Some(place) = self.faults.named_mut(name) {
                    *place = number(&count).clamp(0, 9) as u8;
                }
            }
            Edit::JumpMs(ms) => self.faults.jump_ms = number(&ms),
            Edit::PauseMs(ms) => self.faults.pause_ms = milliseconds(&ms),
            Edit::FaultOf(name, letters) => {
                if let Some(of) = self.faults.aim_mut(name) {
                    *of = Faults::mask(&letters.to_uppercase());
                }
            }
            Edit::ClientProgram(at, program) if program < self.programs.len() => {
                with(&mut self.clients, at, |client| client.program = program);
            }
            Edit::InstanceName(at, name) => self.rename_instance(at, name),
            _ => {}
        }
        true
    }

    fn text_mut(&mut self, part: Part) -> Option<&mut String> {
        Some(match part {
            Part::Program(at) => &mut self.programs.get_mut(at)?.text,
            Part::Script(at) => &mut self.scripts.get_mut(at)?.text,
            Part::Setup => &mut self.setup,
            Part::Sql => &mut self.sql,
        })
    }

    fn rename(&mut self, part: Part, name: &str) {
        let name = name.trim().strip_suffix(".lua").unwrap_or(name.trim()).to_owned();
        match part {
            Part::Program(at) => with(&mut self.programs, at, |one| one.name = name),
            Part::Script(at) => with(&mut self.scripts, at, |one| one.name = name),
            _ => {}
        }
    }

    /// Renames an instance; its replicas follow it, unless a name is empty or another's too.
    fn rename_instance(&mut self, at: usize, name: String) {
        let Some(old) = self.instances.get(at).map(|one| one.name.clone()) else { return };
        let count = |name: &str| self.instances.iter().filter(|one| one.name == name).count();
        if !old.is_empty() && !name.is_empty() && count(&old) == 1 && count(&name) == 0 {
            for one in self.instances.iter_mut().filter(|one| one.replica_of == old) {
                one.replica_of.clone_from(&name);
            }
        }
        with(&mut self.instances, at, |one| one.name = name);
    }

    fn remove(&mut self, part: Part) {
        match part {
            Part::Program(at) if at < self.programs.len() && self.programs.len() > 1 => {
                self.programs.remove(at);
                for client in &mut self.clients {
                    if client.program > at || client.program == self.programs.len() {
                        client.program -= 1;
                    }
                }
            }
            Part::Script(at) if at < self.scripts.len() => {
                self.scripts.remove(at);
            }
            _ => {}
        }
    }

    fn add_instance(&mut self) {
        if self.instances.is_empty() {
            self.instances.push(default_instance());
        }
        if self.instances.len() < MANY_MAX {
            let name = free_name("r", self.instances.iter().map(|one| one.name.as_str()));
            self.instances.push(Instance { name, ..Instance::default() });
        }
    }
}

fn default_instance() -> Instance {
    Instance { name: crate::sim::DEFAULT_NODE.to_owned(), ..Instance::default() }
}

fn add(scripts: &mut Vec<Script>, stem: &str) {
    if scripts.len() < MANY_MAX {
        let name = free_name(stem, scripts.iter().map(|one| one.name.as_str()));
        scripts.push(Script { name, text: String::new() });
    }
}

/// Returns the first free name of `r1`, `r2` …
fn free_name<'n>(stem: &str, taken: impl Iterator<Item = &'n str> + Clone) -> String {
    let names = (1..).map(|number| format!("{stem}{number}"));
    let free = |name: &String| !taken.clone().any(|taken| taken == name);
    names.take(MANY_MAX + 1).find(free).unwrap_or_default()
}

fn with<T>(items: &mut [T], at: usize, change: impl FnOnce(&mut T)) {
    if let Some(item) = items.get_mut(at) {
        change(item);
    }
}

/// Reads a field for numbers; anything else counts as 0.
fn number(text: &str) -> i64 {
    text.trim().parse().unwrap_or(0).clamp(-1_000_000_000, 1_000_000_000)
}

/// Parses a duration in ms, at most a day.
fn milliseconds(text: &str) -> u32 {
    number(text).clamp(0, 86_400_000) as u32
}
