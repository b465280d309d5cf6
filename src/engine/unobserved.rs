//! Values that equality ignores, because hardly any client observes them.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// Counters and the like: instances that differ only in these are the same state, so all values are
/// equal and add nothing to a hash. Otherwise INFO's counters would make every state of a search
/// distinct.
#[derive(Debug, Clone, Default)]
pub struct Unobserved<T>(pub T);

impl<T> PartialEq for Unobserved<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl<T> Eq for Unobserved<T> {}
impl<T> Hash for Unobserved<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
impl<T> Deref for Unobserved<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T> DerefMut for Unobserved<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
