//! The servers that answer calls: the instances, then the resources, then the database.

use crate::sim::{Call, CallKind, World};

/// Returns their names, in the order of their lanes. `world` is the last of a run: a resource
/// exists once it was written to. Where SQL tables are the store, no instance is among them.
pub fn names(world: &World, is_sql: bool) -> Vec<String> {
    let mut names = if is_sql { Vec::new() } else { world.setting().nodes.clone() };
    names.extend(world.resources().iter().map(|(name, _)| crate::resp::lossy(name).into()));
    if !world.sql().is_empty() {
        names.push("SQL".to_owned());
    }
    names
}

/// Returns how many of `names` are instances: all, or none.
pub fn instances(world: &World, names: &[String]) -> usize {
    let nodes = &world.setting().nodes;
    if names.starts_with(nodes) { nodes.len() } else { 0 }
}

/// Returns the number of the lane, among `names`, that a call goes to.
pub fn of(call: &Call, world: &World, names: &[String]) -> usize {
    let nodes = instances(world, names);
    match &call.kind {
        CallKind::Redis { node, .. }
        | CallKind::Receive { node, .. }
        | CallKind::Close { node, .. } => world.serving(*node).index(),
        CallKind::Resource { name, .. } => {
            let name = crate::resp::lossy(name);
            let at = names.iter().skip(nodes).position(|known| *known == name);
            nodes + at.unwrap_or_default()
        }
        CallKind::Sql(_) => names.len().saturating_sub(1),
        CallKind::Lock { .. } | CallKind::Variable(_) | CallKind::Again | CallKind::Wake(_) => 0,
    }
}
