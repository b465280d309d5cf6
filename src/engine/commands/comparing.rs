//! Commands that act only if a string equals (or differs from) a given one: DIGEST and DELEX of
//! Redis 8.4, DELIFEQ of Valkey 9, and the conditions of SET; and MSETEX of Redis 8.4, which sets
//! on condition.

use crate::args::{arity, int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::value::Str;
use ground::resp::{Bytes, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::strings::{Condition, set_options, store};

/// The condition on a string's current value or digest: IFEQ, IFNE, IFDEQ, IFDNE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare<'a> {
    Eq(&'a Bytes),
    Ne(&'a Bytes),
    DigestEq(&'a Bytes),
    DigestNe(&'a Bytes),
}

impl<'a> Compare<'a> {
    /// Parses a comparison: `word`, and the argument after it. `None` if the word is no comparison.
    pub fn parse(word: &[u8], with: &'a Bytes) -> Option<Compare<'a>> {
        match () {
            () if is(word, "IFEQ") => Some(Compare::Eq(with)),
            () if is(word, "IFNE") => Some(Compare::Ne(with)),
            () if is(word, "IFDEQ") => Some(Compare::DigestEq(with)),
            () if is(word, "IFDNE") => Some(Compare::DigestNe(with)),
            () => None,
        }
    }

    /// Checks the length of a digest: sixteen hexadecimal digits, whatever is stored.
    pub fn check(self) -> Result<(), Fail> {
        match self {
            Compare::DigestEq(text) | Compare::DigestNe(text) if text.len() != 16 => {
                Err("ERR must be exactly 16 hexadecimal characters".into())
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the stored string meets the condition. If there is none, the negative forms
    /// hold.
    pub fn holds(self, stored: Option<&Str>) -> bool {
        let Some(stored) = stored else {
            return matches!(self, Compare::Ne(_) | Compare::DigestNe(_));
        };
        let bytes = stored.as_bytes();
        match self {
            Compare::Eq(with) => *bytes == **with,
            Compare::Ne(with) => *bytes != **with,
            Compare::DigestEq(text) => digest_of(&bytes).as_bytes().eq_ignore_ascii_case(text),
            Compare::DigestNe(text) => !digest_of(&bytes).as_bytes().eq_ignore_ascii_case(text),
        }
    }
}

fn digest_of(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// `DIGEST key`
pub fn digest(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let digest = cx.string(&argv[1])?.map(|s| digest_of(&s.as_bytes()));
    Ok(digest.map_or(Value::NilBulk, Value::bulk))
}

fn delete(cx: &mut Ctx<'_>, key: &Bytes) -> Reply {
    let gone = cx.delete(key);
    if gone {
        cx.changed(key, Class::Generic, "del");
    }
    Ok(Value::Int(gone.into()))
}

/// `DELEX key [IFEQ value|IFNE value|IFDEQ digest|IFDNE digest]`
pub fn delex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let compare = match &argv[2..] {
        [] => return delete(cx, key),
        [word, with] => Compare::parse(word, with).ok_or_else(|| {
            let word = String::from_utf8_lossy(word).into_owned();
            Fail::from(format!("ERR Invalid condition: '{word}'"))
        })?,
        _ => return arity(cx.command.name),
    };
    compare.check()?;
    let met = match cx.string(key) {
        Ok(None) => false,
        Ok(stored) => compare.holds(stored),
        Err(_) => {
            return Err("ERR Key should be of string type if conditions are specified".into());
        }
    };
    if met { delete(cx, key) } else { Ok(Value::Int(0)) }
}

/// `DELIFEQ key value`
pub fn delifeq(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    match cx.string(key)?.is_some_and(|s| *s.as_bytes() == *argv[2]) {
        true => delete(cx, key),
        false => Ok(Value::Int(0)),
    }
}

/// `MSETEX numkeys key value [key value …] [NX|XX] [EX|PX|EXAT|PXAT n|KEEPTTL]`
pub fn msetex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let n = int(&argv[1]).ok().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
    let n = n.ok_or("ERR invalid numkeys value")?;
    let rest = &argv[2..];
    if rest.len() / 2 < n {
        return Err("ERR wrong number of key-value pairs".into());
    }
    let (pairs, options) = rest.split_at(2 * n);
    let mut options = set_options(cx, options, false)?;
    if options.get || matches!(options.condition, Condition::If(_)) {
        return syntax();
    }
    options.read_time(cx)?;
    let keys = || pairs.iter().step_by(2);
    let met = match options.condition {
        Condition::Nx => !keys().any(|key| cx.exists(key)),
        Condition::Xx => keys().all(|key| cx.exists(key)),
        _ => true,
    };
    if met {
        for pair in pairs.chunks_exact(2) {
            store(cx, &pair[0], &pair[1], options.ttl);
        }
    }
    Ok(Value::Int(met.into()))
}

#[cfg(test)]
mod tests {
    /// As the reference implementation answers, around every border between its ways.
    #[test]
    fn digests_are_those_of_the_reference() {
        let data: Vec<u8> = (0..3000u32).map(|i| (i * 7 + 3) as u8).collect();
        let known = [
            (0, 0x2d06_8005_38d3_94c2),
            (1, 0x13e6_08bc_156d_efed),
            (3, 0xa908_8dda_485b_481c),
            (4, 0x6d92_53b1_6c8b_1ed3),
            (8, 0x6053_9db6_3047_1163),
            (9, 0xfeff_6683_61d7_23a8),
            (16, 0xb8c8_59b0_f030_b585),
            (17, 0x714a_0440_8e79_b80f),
            (32, 0x19ff_4ee1_d6ba_1a55),
            (33, 0x3e44_983a_d216_79c8),
            (65, 0x8292_18de_4d79_8646),
            (96, 0xf084_e7cf_bc62_4743),
            (97, 0x1daa_8327_1a8e_7b7c),
            (128, 0x6742_5a03_6502_61bf),
            (129, 0xc664_bf33_11c6_abc4),
            (240, 0x6455_6dc6_b462_a6cf),
            (241, 0x8bea_dd3a_8874_fe17),
            (1024, 0x9b81_661c_641c_72b1),
            (1025, 0x806c_2072_ed71_3576),
            (3000, 0xc891_78bb_873c_6b3d),
        ];
        for (len, digest) in known {
            assert_eq!(super::xxh3_64(&data[..len]), digest, "{len} bytes");
        }
    }
}
