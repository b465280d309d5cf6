//! Streams: to be written.

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Stream {}

impl Stream {
    pub fn plain_entries(&self) -> Vec<(String, Vec<crate::resp::Bytes>)> {
        Vec::new()
    }
}
