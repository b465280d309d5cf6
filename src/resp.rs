//! To be written: RESP2/RESP3 values; encode, decode.

/// A Redis string: any bytes, cheap to share between a keyspace, its clones and replies.
pub type Bytes = std::rc::Rc<[u8]>;
