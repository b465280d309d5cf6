//! Keyspace notifications: classes of events, and the flags of `notify-keyspace-events`.

use super::Instance;
use ground::resp::Bytes;

/// A class of events; the letter is its flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Generic,
    String,
    List,
    Set,
    Hash,
    ZSet,
    Stream,
    Expired,
    Evicted,
    /// Events of modules: a flag, and there are none.
    Module,
    /// Not part of `A`.
    Missed,
    /// A key that was not there. Not part of `A`.
    New,
}

const CLASSES: &[(Class, u8)] = &[
    (Class::Generic, b'g'),
    (Class::String, b'$'),
    (Class::List, b'l'),
    (Class::Set, b's'),
    (Class::Hash, b'h'),
    (Class::ZSet, b'z'),
    (Class::Expired, b'x'),
    (Class::Evicted, b'e'),
    (Class::Stream, b't'),
    (Class::Module, b'd'),
    (Class::New, b'n'),
    (Class::Missed, b'm'),
];

const KEYSPACE: u32 = 1 << 16;
const KEYEVENT: u32 = 1 << 17;

/// The events to publish, as set by CONFIG SET notify-keyspace-events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct NotifyFlags(u32);

impl Class {
    fn bit(self) -> u32 {
        1 << (self as u32)
    }

    fn in_all(self) -> bool {
        !matches!(self, Class::Missed | Class::New)
    }
}

impl NotifyFlags {
    pub fn parse(text: &[u8]) -> Option<NotifyFlags> {
        let mut flags = 0;
        for &letter in text {
            flags |= match letter {
                b'K' => KEYSPACE,
                b'E' => KEYEVENT,
                b'A' => CLASSES.iter().filter(|c| c.0.in_all()).map(|c| c.0.bit()).sum(),
                _ => CLASSES.iter().find(|(_, l)| *l == letter)?.0.bit(),
            };
        }
        Some(NotifyFlags(flags))
    }

    /// Returns the flags in the canonical form that CONFIG GET replies with. As in Redis, `n` is
    /// not shown beside `A`, although it stays set.
    pub fn text(self) -> String {
        let has = |bit| self.0 & bit != 0;
        let mut text = String::new();
        if CLASSES.iter().filter(|c| c.0.in_all()).all(|c| has(c.0.bit())) {
            text.push('A');
        } else {
            let set = CLASSES.iter().filter(|c| c.0 != Class::Missed && has(c.0.bit()));
            text.extend(set.map(|(_, letter)| char::from(*letter)));
        }
        text.extend(has(KEYSPACE).then_some('K'));
        text.extend(has(KEYEVENT).then_some('E'));
        text.extend(has(Class::Missed.bit()).then_some('m'));
        text
    }
}

impl Instance {
    /// Publishes `event` of `key`, if its class is enabled.
    pub(super) fn notify(&mut self, class: Class, event: &str, db: usize, key: &Bytes) {
        let flags = self.settings.notify.0;
        if flags & class.bit() == 0 {
            return;
        }
        if flags & KEYSPACE != 0 {
            let channel = [format!("__keyspace@{db}__:").as_bytes(), key].concat();
            self.publish(&channel.into(), &Bytes::from(event.as_bytes()));
        }
        if flags & KEYEVENT != 0 {
            let channel = format!("__keyevent@{db}__:{event}");
            self.publish(&channel.as_bytes().into(), key);
        }
    }
}
