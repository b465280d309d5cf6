//! DEFLATE (RFC 1951), raw, and base64url: compresses texts for links, and reads the files of a
//! zip. The output is what browsers call `deflate-raw`; the input may come from any compressor.
//!
//! Absent: dynamic Huffman codes when writing. A link's few kilobytes would gain a tenth by them.

/// The shortest match that is worth a reference, and the longest one that can be encoded.
const MATCH_MIN: usize = 3;
const MATCH_MAX: usize = 258;
/// The farthest distance of a match.
const WINDOW: usize = 32 * 1024;
/// The most earlier places with the same beginning that are tried.
const TRIES_MAX: usize = 48;

const LENGTHS: [(u16, u8); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];

/// Returns, for distance code `code`, the least distance and the number of extra bits.
fn distance(code: u32) -> (u32, u32) {
    match code {
        0..4 => (code + 1, 0),
        _ => {
            let bits = code / 2 - 1;
            (((2 + code % 2) << bits) + 1, bits)
        }
    }
}

// ---- Writing ------------------------------------------------------------------------------------

struct Writer {
    out: Vec<u8>,
    buffer: u32,
    count: u32,
}

impl Writer {
    /// Writes bits, the lowest first.
    fn bits(&mut self, value: u32, count: u32) {
        self.buffer |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.buffer as u8);
            self.buffer >>= 8;
            self.count -= 8;
        }
    }

    /// Writes a symbol in the fixed code, the highest bit first.
    fn symbol(&mut self, symbol: u32) {
        let (code, count) = match symbol {
            0..144 => (0x30 + symbol, 8),
            144..256 => (0x190 + symbol - 144, 9),
            256..280 => (symbol - 256, 7),
            _ => (0xc0 + symbol - 280, 8),
        };
        self.bits(code.reverse_bits() >> (32 - count), count);
    }

    fn repeat(&mut self, length: usize, back: usize) {
        let code = LENGTHS.iter().rposition(|(least, _)| usize::from(*least) <= length);
        let code = code.unwrap_or(0);
        let (least, bits) = LENGTHS[code];
        self.symbol(257 + code as u32);
        self.bits((length - usize::from(least)) as u32, bits.into());
        let code = (0..30).rfind(|code| distance(*code).0 as usize <= back).unwrap_or(0);
        let (least, bits) = distance(code);
        self.bits(code.reverse_bits() >> 27, 5);
        self.bits(back as u32 - least, bits);
    }
}

/// Earlier places that begin with the same three bytes.
struct Index {
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Index {
    fn slot(bytes: &[u8]) -> usize {
        let mix = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2]);
        (mix.wrapping_mul(0x9e37_79b1) >> 20) as usize
    }

    fn add(&mut self, data: &[u8], at: usize) {
        if at + MATCH_MIN <= data.len() {
            let slot = Index::slot(&data[at..]);
            self.before[at] = self.last[slot];
            self.last[slot] = at as u32 + 1;
        }
    }

    /// Returns the longest match for the text at `at`: its length, and its distance.
    fn longest(&self, data: &[u8], at: usize) -> (usize, usize) {
        let mut best = (0, 0);
        if at + MATCH_MIN > data.len() {
            return best;
        }
        let mut place = self.last[Index::slot(&data[at..])] as usize;
        for _ in 0..TRIES_MAX {
            if place == 0 || at - (place - 1) > WINDOW {
                break;
            }
            let from = place - 1;
            let same = data[at..].iter().zip(&data[from..]).take(MATCH_MAX);
            let length = same.take_while(|(a, b)| a == b).count();
            if length > best.0 {
                best = (length, at - from);
            }
            place = self.before[from] as usize;
        }
        best
    }
}

pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut writer = Writer { out: Vec::new(), buffer: 0, count: 0 };
    let mut index = Index { last: vec![0; 1 << 12], before: vec![0; data.len()] };
    // The last block, in the fixed code.
    writer.bits(0b011, 3);
    let mut at = 0;
    while at < data.len() {
        let (length, back) = index.longest(data, at);
        index.add(data, at);
        if length < MATCH_MIN {
            writer.symbol(data[at].into());
            at += 1;
            continue;
        }
        writer.repeat(length, back);
        for passed in at + 1..at + length {
            index.add(data, passed);
        }
        at += length;
    }
    writer.symbol(256);
    writer.bits(0, 7);
    let reads_back = || inflate(&writer.out, data.len()).as_deref() == Some(data);
    debug_assert!(data.len() > 4096 || reads_back(), "what was packed is not unpacked");
    writer.out
}

// ---- Reading ------------------------------------------------------------------------------------

struct Reader<'d> {
    data: &'d [u8],
    at: usize,
    buffer: u32,
    count: u32,
}

impl Reader<'_> {
    fn bits(&mut self, count: u32) -> Option<u32> {
        while self.count < count {
            self.buffer |= u32::from(*self.data.get(self.at)?) << self.count;
            self.at += 1;
            self.count += 8;
        }
        let value = self.buffer & ((1 << count) - 1);
        self.buffer >>= count;
        self.count -= count;
        Some(value)
    }
}

/// A canonical Huffman code: the number of symbols of each length, and the symbols in order.
struct Code {
    counts: [u16; 16],
    symbols: Vec<u16>,
}

impl Code {
    fn new(lengths: &[u8]) -> Code {
        let mut counts = [0; 16];
        let mut symbols = Vec::new();
        for length in 1..16 {
            for (symbol, _) in lengths.iter().enumerate().filter(|(_, one)| **one == length) {
                counts[usize::from(length)] += 1;
                symbols.push(symbol as u16);
            }
        }
        Code { counts, symbols }
    }

    fn read(&self, reader: &mut Reader<'_>) -> Option<u16> {
        let (mut code, mut first, mut index) = (0, 0, 0);
        for count in &self.counts[1..] {
            code |= reader.bits(1)?;
            let count = u32::from(*count);
            if code < first + count {
                // Of lengths that fit no code, any symbol will do: the text is broken.
                let place = (index + code).wrapping_sub(first);
                return self.symbols.get(place as usize).copied();
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// Decompresses `data`. `None` if it is broken, or longer than `bytes_max` when decompressed.
pub fn inflate(data: &[u8], bytes_max: usize) -> Option<Vec<u8>> {
    let mut reader = Reader { data, at: 0, buffer: 0, count: 0 };
    let mut out = Vec::new();
    loop {
        let last = reader.bits(1)? == 1;
        match reader.bits(2)? {
            0 => plain_block(&mut reader, &mut out, bytes_max)?,
            1 => {
                let length = |symbol| match symbol {
                    0..144 => 8,
                    144..256 => 9,
                    256..280 => 7,
                    _ => 8,
                };
                let lengths: Vec<u8> = (0..288).map(length).collect();
                let (symbols, distances) = (Code::new(&lengths), Code::new(&[5; 30]));
                block(&mut reader, &symbols, &distances, &mut out, bytes_max)?;
            }
            2 => {
                let (symbols, distances) = codes(&mut reader)?;
                block(&mut reader, &symbols, &distances, &mut out, bytes_max)?;
            }
            _ => return None,
        }
        if last {
            return Some(out);
        }
    }
}

fn plain_block(reader: &mut Reader<'_>, out: &mut Vec<u8>, bytes_max: usize) -> Option<()> {
    // The rest of the byte is passed over; the buffer never holds a whole one more.
    (reader.buffer, reader.count) = (0, 0);
    let length = reader.bits(16)?;
    if reader.bits(16)? != length ^ 0xffff {
        return None;
    }
    let end = reader.at + length as usize;
    out.extend_from_slice(reader.data.get(reader.at..end)?);
    reader.at = end;
    (out.len() <= bytes_max).then_some(())
}

fn block(
    reader: &mut Reader<'_>,
    symbols: &Code,
    distances: &Code,
    out: &mut Vec<u8>,
    bytes_max: usize,
) -> Option<()> {
    loop {
        let symbol = usize::from(symbols.read(reader)?);
        if symbol == 256 {
            return Some(());
        }
        if symbol < 256 {
            out.push(symbol as u8);
        } else {
            let (least, bits) = *LENGTHS.get(symbol - 257)?;
            let length = usize::from(least) + reader.bits(bits.into())? as usize;
            let code = distances.read(reader)?;
            let (least, bits) = distance(code.into());
            let back = (least + reader.bits(bits)?) as usize;
            if code >= 30 || back > out.len() || out.len() + length > bytes_max {
                return None;
            }
            for _ in 0..length {
                out.push(out[out.len() - back]);
            }
        }
        if out.len() > bytes_max {
            return None;
        }
    }
}

/// Reads the codes of a dynamic block.
fn codes(reader: &mut Reader<'_>) -> Option<(Code, Code)> {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let literals = reader.bits(5)? as usize + 257;
    let distances = reader.bits(5)? as usize + 1;
    let used = reader.bits(4)? as usize + 4;
    let mut lengths = [0; 19];
    for place in &ORDER[..used] {
        lengths[*place] = reader.bits(3)? as u8;
    }
    let code = Code::new(&lengths);
    let mut lengths: Vec<u8> = Vec::new();
    while lengths.len() < literals + distances {
        let (value, count) = match code.read(reader)? {
            symbol @ 0..16 => (symbol as u8, 1),
            16 => (*lengths.last()?, 3 + reader.bits(2)?),
            17 => (0, 3 + reader.bits(3)?),
            _ => (0, 11 + reader.bits(7)?),
        };
        lengths.extend(std::iter::repeat_n(value, count as usize));
    }
    if lengths.len() > literals + distances {
        return None;
    }
    Some((Code::new(&lengths[..literals]), Code::new(&lengths[literals..])))
}

// ---- In links -----------------------------------------------------------------------------------

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Compresses `text` for a link: deflated, in base64url.
pub fn pack(text: &str) -> String {
    let mut out = String::new();
    for three in deflate(text.as_bytes()).chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..=three.len() as u32 {
            out.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    out
}

/// Undoes [`pack`]. `None` if the input is broken, no text, or longer than `bytes_max`.
pub fn unpack(code: &str, bytes_max: usize) -> Option<String> {
    let mut bytes = Vec::with_capacity(code.len());
    let (mut buffer, mut count) = (0_u32, 0);
    for digit in code.trim_end_matches('=').bytes() {
        let value = DIGITS.iter().position(|one| *one == digit)?;
        buffer = (buffer << 6 | value as u32) & 0xfff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((buffer >> count) as u8);
        }
    }
    String::from_utf8(inflate(&bytes, bytes_max)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;

    #[test]
    fn what_is_packed_is_unpacked() {
        let lua = "local n = tonumber(redis.call('GET', 'n'))\nredis.call('SET', 'n', n + 1)\n";
        let long = lua.repeat(700);
        let noise: String = (0_u32..9000).map(|n| char::from(32 + (n * n % 95) as u8)).collect();
        for text in ["", "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaa", "中文 ‘x’", lua, &long, &noise] {
            assert_eq!(unpack(&pack(text), MAX).as_deref(), Some(text));
        }
        assert!(pack(&long).len() < long.len() / 60, "repetition costs little");
        assert!(deflate(lua.as_bytes()).len() < lua.len());
    }

    #[test]
    fn what_others_wrote_is_read() {
        // A block with codes of its own, as zlib writes it at its best compression.
        let zlib = [
            0x1d, 0xc6, 0x49, 0x01, 0x00, 0x00, 0x10, 0x40, 0xc0, 0xac, 0xa3, 0x7f, 0x88, 0x3d,
            0x3c, 0x20, 0x2a, 0x97, 0x9d, 0x37, 0x5e, 0x1d, 0x0c,
        ];
        assert_eq!(
            inflate(&zlib, MAX).as_deref(),
            Some(&b"abaabbbabaababbaababaaaabaaabbbbbaa"[..])
        );
        let stored = [1, 3, 0, 0xfc, 0xff, b'a', b'b', b'c'];
        assert_eq!(inflate(&stored, MAX).as_deref(), Some(&b"abc"[..]));
    }

    #[test]
    fn nothing_grows_beyond_its_bound() {
        let bomb = deflate(&vec![b'x'; 200_000]);
        assert!(bomb.len() < 2_000);
        assert_eq!(inflate(&bomb, 199_999), None);
        assert!(inflate(&bomb, 200_000).is_some());
    }

    #[test]
    fn broken_texts_are_refused_and_harm_nobody() {
        let good = pack("local n = redis.call('GET', 'n')");
        for end in 0..good.len() {
            let _ = unpack(&good[..end], MAX);
        }
        for at in 0..good.len() {
            for digit in ["A", "z", "_", "!"] {
                let mut bad = good.clone();
                bad.replace_range(at..=at, digit);
                let _ = unpack(&bad, MAX);
            }
        }
        let mut seed = 7_u32;
        for _ in 0..3000 {
            let byte = |_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 24) as u8
            };
            let bytes: Vec<u8> = (0..40).map(byte).collect();
            let _ = inflate(&bytes, 10_000);
        }
        assert_eq!(unpack("é", MAX), None);
        assert_eq!(unpack("", MAX), None);
    }
}
