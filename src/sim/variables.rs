//! The variables that the clients of a process share: what its programs find in `process`. A value
//! is nil, a boolean, a number or a string; a variable that is nil is not there.
//!
//! They live as long as their process: until it crashes, or the last of its clients does.
//!
//! Absent: tables and functions as values, and a list of the names (`pairs`).

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use crate::lua::Data;
use crate::resp::Bytes;

use super::ProcessId;

/// The most variables of one process.
pub const VARIABLES_MAX: usize = 256;
/// The most bytes that the names and values of one process may take; a number takes 8.
pub const VARIABLES_BYTES_MAX: usize = 64 << 10;

/// A name or a value. Numbers are kept by their bits, so that equal ones are the same state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plain {
    Bool(bool),
    Num(u64),
    Str(Bytes),
}

/// A use of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VariableUse {
    name: Plain,
    /// The new value, which may be nil; `None` if the variable is only read.
    new: Option<Option<Plain>>,
}

/// All variables, by process and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Variables {
    values: BTreeMap<(ProcessId, Plain), Plain>,
}

impl Plain {
    fn of(data: &Data) -> Option<Plain> {
        match data {
            Data::Bool(value) => Some(Plain::Bool(*value)),
            Data::Num(number) if number.is_nan() => Some(Plain::Num(f64::NAN.to_bits())),
            Data::Num(number) => Some(Plain::Num(number.to_bits())),
            Data::Str(text) => Some(Plain::Str(text.clone())),
            _ => None,
        }
    }

    pub fn to_lua(&self) -> Data {
        match self {
            Plain::Bool(value) => Data::Bool(*value),
            Plain::Num(bits) => Data::Num(f64::from_bits(*bits)),
            Plain::Str(text) => Data::Str(text.clone()),
        }
    }

    /// Returns the text of a string; empty for other values.
    pub fn text(&self) -> &[u8] {
        if let Plain::Str(text) = self { text } else { b"" }
    }

    fn renamed(&self, rename: &dyn Fn(&Bytes) -> Bytes) -> Plain {
        match self {
            Plain::Str(text) => Plain::Str(rename(text)),
            other => other.clone(),
        }
    }

    fn bytes(&self) -> usize {
        if let Plain::Str(text) = self { text.len() } else { 8 }
    }
}

impl VariableUse {
    /// Parses a read, `(process, name)`, or a write, `(process, name, value)`.
    pub(super) fn parse(args: &[Data]) -> Result<VariableUse, Data> {
        let name = match args.get(1) {
            Some(Data::Str(name)) => Plain::Str(name.clone()),
            // The two zeros are one name.
            Some(Data::Num(number)) if !number.is_nan() => Plain::Num((number + 0.0).to_bits()),
            _ => return Err(Data::str("process[name]: a name is a string or a number")),
        };
        let new = match args.get(2) {
            None => None,
            Some(Data::Nil) => Some(None),
            Some(value) => Some(Some(Plain::of(value).ok_or_else(|| {
                Data::str(
                    "process[name] = value: a value is nil, a boolean, a number or a string; \
                     keep the fields of a table under names of their own",
                )
            })?)),
        };
        Ok(VariableUse { name, new })
    }

    pub fn is_read(&self) -> bool {
        self.new.is_none()
    }

    pub(super) fn renamed(&self, rename: &dyn Fn(&Bytes) -> Bytes) -> VariableUse {
        let new = self.new.as_ref().map(|new| new.as_ref().map(|value| value.renamed(rename)));
        VariableUse { name: self.name.renamed(rename), new }
    }

    /// Calls `each` with the name and the new value, where they are strings.
    pub(super) fn words(&self, each: &mut dyn FnMut(&[u8])) {
        each(self.name.text());
        self.new.iter().flatten().for_each(|value| each(value.text()));
    }
}

impl fmt::Display for VariableUse {
    /// Writes it as a program does: `process.n = 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
        match self.name.text() {
            name if !name.is_empty() && name.iter().all(is_word) => {
                write!(f, "process.{}", String::from_utf8_lossy(name))?;
            }
            _ => write!(f, "process[{}]", self.name.to_lua().short())?,
        }
        match &self.new {
            None => Ok(()),
            Some(None) => f.write_str(" = nil"),
            Some(Some(value)) => write!(f, " = {}", value.to_lua().short()),
        }
    }
}

impl Variables {
    /// Returns all variables that are not nil.
    pub fn iter(&self) -> impl Iterator<Item = (ProcessId, &Plain, &Plain)> {
        self.values.iter().map(|((process, name), value)| (*process, name, value))
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Reads or writes a variable of a process, and returns what the program gets for it. The error
    /// says that the process would hold too much.
    pub(super) fn answer(
        this: &mut Rc<Variables>,
        process: ProcessId,
        used: &VariableUse,
    ) -> Result<Vec<Data>, Data> {
        let place = (process, used.name.clone());
        let known = this.values.get(&place);
        let Some(new) = &used.new else {
            return Ok(vec![known.map_or(Data::Nil, Plain::to_lua)]);
        };
        if known != new.as_ref() {
            if let Some(value) = new {
                this.check_room(process, &used.name, value)?;
            }
            let values = &mut Rc::make_mut(this).values;
            match new {
                Some(value) => drop(values.insert(place, value.clone())),
                None => drop(values.remove(&place)),
            }
        }
        Ok(vec![])
    }

    /// Returns an error if the process would hold too much with this variable.
    fn check_room(&self, process: ProcessId, name: &Plain, value: &Plain) -> Result<(), Data> {
        let others = self.iter().filter(|(of, known, _)| *of == process && *known != name);
        let (mut count, mut bytes) = (1, name.bytes() + value.bytes());
        for (_, name, value) in others {
            count += 1;
            bytes += name.bytes() + value.bytes();
        }
        if count > VARIABLES_MAX {
            let text =
                format!("process[name] = value: a process has at most {VARIABLES_MAX} names");
            return Err(Data::str(text));
        }
        if bytes > VARIABLES_BYTES_MAX {
            let text = format!(
                "process[name] = value: the names and values of a process take at most \
                 {VARIABLES_BYTES_MAX} bytes"
            );
            return Err(Data::str(text));
        }
        Ok(())
    }

    /// Returns true if the process has a variable that is not nil.
    pub fn has_any(&self, process: ProcessId) -> bool {
        self.iter().any(|(of, ..)| of == process)
    }

    pub(super) fn drop_all_of(&mut self, process: ProcessId) {
        self.values.retain(|(of, _), _| *of != process);
    }

    /// Returns the variables with their processes and strings renamed.
    pub(super) fn renamed(
        &self,
        process: &dyn Fn(ProcessId) -> ProcessId,
        rename: &dyn Fn(&Bytes) -> Bytes,
    ) -> Variables {
        let one = |(of, name, value): (ProcessId, &Plain, &Plain)| {
            ((process(of), name.renamed(rename)), value.renamed(rename))
        };
        Variables { values: self.iter().map(one).collect() }
    }
}
