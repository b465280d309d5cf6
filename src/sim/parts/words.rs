//! What a program may ask, by the words that stand in it.

/// Could this program learn what time it is? Too often yes costs states; too seldom would be wrong.
pub fn can_tell_time(source: &[u8]) -> bool {
    has_word(source, "now") || can_tell_server_time(source)
}

/// The same of the time on an instance's clock.
pub fn can_tell_server_time(source: &[u8]) -> bool {
    const TELLING: [&str; 15] = [
        "time",
        "expireat",
        "pexpireat",
        "hexpireat",
        "hpexpireat",
        "exat",
        "pxat",
        "xadd",
        "expiretime",
        "pexpiretime",
        "object",
        "info",
        "hexpire",
        "hpexpire",
        "xgroup",
    ];
    TELLING.iter().any(|telling| has_word(source, telling))
}

/// The same of who is connected.
pub fn can_see_connections(source: &[u8]) -> bool {
    ["client", "info", "hello", "monitor"].iter().any(|telling| has_word(source, telling))
}

/// Could somebody watch a key?
pub fn can_watch(source: &[u8]) -> bool {
    has_word(source, "watch")
}

/// Does this word stand in the program, in letters of any size?
pub fn has_word(source: &[u8], word: &str) -> bool {
    let mut words = source.split(|b| !b.is_ascii_alphanumeric() && *b != b'_');
    words.any(|one| one.eq_ignore_ascii_case(word.as_bytes()))
}
