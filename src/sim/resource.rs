//! Resources beside Redis, which a lock protects. A resource keeps the highest fencing token it has
//! seen and refuses a write with a lower one; a write without a token is always accepted.

use std::collections::BTreeMap;

use crate::resp::Bytes;

use super::ClientId;

/// The number of accepted writes that are kept; the oldest go first.
pub const WRITES_KEPT: usize = 16;

/// The most resources in one world.
pub const RESOURCES_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Resources {
    resources: BTreeMap<Bytes, Resource>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Resource {
    /// Accepted writes, oldest first.
    pub writes: Vec<Write>,
    pub highest_token: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Write {
    pub client: ClientId,
    pub value: Bytes,
    pub token: Option<i64>,
}

impl Resource {
    /// The value last written.
    pub fn value(&self) -> Option<&Bytes> {
        self.writes.last().map(|write| &write.value)
    }
}

impl Resources {
    pub fn get(&self, name: &[u8]) -> Option<&Resource> {
        self.resources.get(name)
    }

    /// Returns the resources by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Bytes, &Resource)> {
        self.resources.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }

    /// Renames the writers.
    pub(super) fn rename(
        &mut self,
        to: &dyn Fn(ClientId) -> ClientId,
        text: &dyn Fn(&Bytes) -> Bytes,
    ) {
        for write in self.resources.values_mut().flat_map(|resource| &mut resource.writes) {
            write.client = to(write.client);
            write.value = text(&write.value);
        }
    }

    /// Returns true if the write was accepted. There is room for [`RESOURCES_MAX`] names; beyond,
    /// the result is an error.
    pub(super) fn write(&mut self, name: &Bytes, write: Write) -> Result<bool, String> {
        if !self.resources.contains_key(name) && self.resources.len() == RESOURCES_MAX {
            return Err(format!("ERR a world has at most {RESOURCES_MAX} resources"));
        }
        let resource = self.resources.entry(name.clone()).or_default();
        if write.token.is_some() && write.token < resource.highest_token {
            return Ok(false);
        }
        resource.highest_token = resource.highest_token.max(write.token);
        if resource.writes.len() == WRITES_KEPT {
            resource.writes.remove(0);
        }
        resource.writes.push(write);
        Ok(true)
    }
}
