//! Replaces the strings in a program's state: for symmetry between clients that run the same
//! program, each with its own name in its variables.

use super::Vm;
use super::state::{Body, FrameKind, State, Upval};
use super::value::{Str, Value};

/// A function that returns the new text of a string, or `None` if it stays.
pub type Rename<'f> = &'f dyn Fn(&[u8]) -> Option<Vec<u8>>;

impl Vm {
    /// Returns this program with every string in its variables renamed. `None` if the result would
    /// not be the same program under another name: a string to be renamed is a table's key (whose
    /// place in the order of `pairs` depends on its text), or is held by a library function in
    /// progress.
    pub fn renamed(&self, rename: Rename<'_>) -> Option<Vm> {
        let mut vm = self.clone();
        let is_ok = vm.state_mut().rename(rename);
        is_ok.then_some(vm)
    }
}

fn value(value: &mut Value, rename: Rename<'_>) {
    if let Value::Str(text) = value
        && let Some(new) = rename(text.as_bytes())
    {
        *value = Value::Str(Str::new(&new));
    }
}

impl State {
    fn rename(&mut self, rename: Rename<'_>) -> bool {
        self.stack.iter_mut().for_each(|one| value(one, rename));
        for thread in &mut self.threads {
            thread.stack.iter_mut().for_each(|one| value(one, rename));
        }
        for upval in &mut self.upvals {
            if let Upval::Closed(one) = upval {
                value(one, rename);
            }
        }
        if let Some(thrown) = &mut self.thrown {
            value(thrown, rename);
        }
        let frames = self.threads.iter().flat_map(|thread| &thread.frames).chain(&self.frames);
        let is_plain = |kind: &FrameKind| {
            !matches!(
                kind,
                FrameKind::Sort(_)
                    | FrameKind::Gsub(_)
                    | FrameKind::Foreach(_)
                    | FrameKind::Load(_)
            )
        };
        let bodies_fit = self.funcs.iter().all(|function| match &function.body {
            Body::Gmatch { text, pattern, .. } => {
                rename(text.as_bytes()).is_none() && rename(pattern.as_bytes()).is_none()
            }
            Body::Lua { .. } | Body::Wrap(_) => true,
        });
        bodies_fit
            && frames.into_iter().all(|frame| is_plain(&frame.kind))
            && self.rename_tables(rename)
    }

    fn rename_tables(&mut self, rename: Rename<'_>) -> bool {
        for id in 0..self.tables.len() {
            let table = &self.tables[id];
            if self.prelude.holds(id, table) {
                continue;
            }
            let concerns =
                |one: &Value| matches!(one, Value::Str(s) if rename(s.as_bytes()).is_some());
            if table.nodes.iter().any(|node| concerns(&node.key)) {
                return false;
            }
            let mut values = table.array.iter().chain(table.nodes.iter().map(|node| &node.value));
            if values.any(concerns) {
                let table = self.table_mut(id as u32);
                table.array.iter_mut().for_each(|one| value(one, rename));
                table.nodes.iter_mut().for_each(|node| value(&mut node.value, rename));
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Data, Limits, Pause, Profile, ProfileKind, compile};
    use super::*;

    static PROFILE: Profile = Profile { host: &["wait"], kind: ProfileKind::Client };

    fn paused(source: &str, name: &str) -> Vm {
        let chunk = compile(source.as_bytes(), "test").unwrap();
        let mut vm = Vm::new(&chunk, &PROFILE, Limits::default());
        vm.run(&mut 10_000, None);
        vm.answer(Ok(vec![Data::str(name)]));
        assert!(matches!(vm.run(&mut 10_000, None), Pause::Call { .. }));
        vm
    }

    fn from_a_to_b(text: &[u8]) -> Option<Vec<u8>> {
        (text == b"a-1").then(|| b"b-1".to_vec())
    }

    #[test]
    fn renamed_is_as_if_it_had_had_the_other_name() {
        let source = "local me = wait() local t = { me, n = 1 } x = me \
                      local function f() return me end wait() return t, f";
        let (a, b) = (paused(source, "a-1"), paused(source, "b-1"));
        assert!(a != b);
        assert!(a.renamed(&from_a_to_b) == Some(b));
    }

    #[test]
    fn a_name_that_is_a_key_cannot_be_exchanged() {
        let vm = paused("local t = { [wait()] = 1 } wait() return t", "a-1");
        assert!(vm.renamed(&from_a_to_b).is_none());
    }
}
