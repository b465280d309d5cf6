//! Zip files, as far as a folder of texts needs them: written without compression, unless a
//! compressor is given, and read with or without it. Files that are larger than a lesson, or use
//! other features, are refused with an error.
//!
//! Absent: encryption, Zip64, several volumes, dates.

use crate::session::deflate::inflate;
use crate::text::Key;

/// The most bytes of a file that is opened.
pub const FILE_MAX: usize = 1 << 20;
const ENTRIES_MAX: usize = 200;
/// The most bytes of one text in it, and below, of all.
const TEXT_MAX: usize = 128 * 1024;
const TEXTS_MAX: usize = 1 << 20;
/// The extensions of a lesson's files; other files in the folder are skipped.
const ENDS: [&str; 4] = [".toml", ".lua", ".md", ".json"];

/// A mistake, and the file in which it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub what: Key,
    pub file: String,
}

/// Returns a zip of `files`: names and contents. The same files always give the same bytes.
pub fn write(files: &[(String, impl AsRef<[u8]>)]) -> Vec<u8> {
    write_with(files, |_| None)
}

/// The same with what `pack` makes of a content as raw DEFLATE, where it makes anything.
pub fn write_with(
    files: &[(String, impl AsRef<[u8]>)],
    pack: impl Fn(&[u8]) -> Option<Vec<u8>>,
) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let (offset, content) = (out.len() as u32, content.as_ref());
        let (crc, size) = (crc32(content), content.len() as u32);
        let packed = pack(content);
        let method = if packed.is_some() { 8 } else { 0 };
        let content = packed.as_deref().unwrap_or(content);
        let mut head: Vec<u8> = Vec::new();
        // Version 2.0, names in UTF-8, the method, 1980-01-01.
        for field in [20_u16, 1 << 11, method, 0, 0x21] {
            head.extend(field.to_le_bytes());
        }
        for field in [crc, content.len() as u32, size] {
            head.extend(field.to_le_bytes());
        }
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0; 2]);
        out.extend(*b"PK\x03\x04");
        out.extend(&head);
        out.extend(name.as_bytes());
        out.extend(content);
        directory.extend(*b"PK\x01\x02");
        directory.extend(20_u16.to_le_bytes());
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend(&directory);
    out.extend(*b"PK\x05\x06");
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

/// Returns true if the bytes begin like a zip.
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Returns the texts in a zip, by name.
pub fn read(bytes: &[u8]) -> Result<Vec<(String, String)>, Wrong> {
    let broken = || Wrong { what: Key::ZipBroken, file: String::new() };
    let whole = |what| Err(Wrong { what, file: String::new() });
    if bytes.len() > FILE_MAX {
        return whole(Key::ZipTooBig);
    }
    // The directory's end stands last, before a comment of at most 64 KB.
    let from = bytes.len().saturating_sub(22 + 0xffff);
    let end = bytes.get(from..).ok_or_else(broken)?;
    let end = end.windows(4).rposition(|four| four == b"PK\x05\x06").ok_or_else(broken)? + from;
    let count = half(bytes, end + 10).ok_or_else(broken)?;
    let mut at = word(bytes, end + 16).ok_or_else(broken)?;
    if count > ENTRIES_MAX {
        return whole(Key::ZipTooMany);
    }
    let (mut files, mut total) = (Vec::new(), 0);
    for _ in 0..count {
        let entry = Entry::at(bytes, at).ok_or_else(broken)?;
        at = entry.next;
        let wrong =
            |what| Wrong { what, file: crate::session::spelling::shortened(&entry.name, 60) };
        let parts = || entry.name.split(['/', '\\']);
        if entry.name.starts_with(['/', '\\'])
            || entry.name.contains(':')
            || parts().any(|p| p == "..")
        {
            return Err(wrong(Key::ZipPath));
        }
        let hidden = parts().any(|part| part.starts_with('.') || part == "__MACOSX");
        if hidden || !ENDS.iter().any(|end| entry.name.ends_with(end)) {
            continue;
        }
        total += entry.size.min(TEXTS_MAX);
        if entry.size > TEXT_MAX || total > TEXTS_MAX {
            return Err(wrong(Key::ZipTooBig));
        }
        let text = entry.text(bytes).map_err(wrong)?;
        files.push((entry.name.replace('\\', "/"), text));
    }
    Ok(files)
}

struct Entry {
    name: String,
    encrypted: bool,
    method: usize,
    crc: usize,
    packed: usize,
    size: usize,
    offset: usize,
    /// The position of the next entry in the directory.
    next: usize,
}

impl Entry {
    fn at(bytes: &[u8], at: usize) -> Option<Entry> {
        if bytes.get(at..at.checked_add(4)?)? != b"PK\x01\x02" {
            return None;
        }
        let (name, extra, comment) =
            (half(bytes, at + 28)?, half(bytes, at + 30)?, half(bytes, at + 32)?);
        let text = bytes.get(at + 46..at + 46 + name)?;
        Some(Entry {
            name: String::from_utf8_lossy(text).into_owned(),
            encrypted: half(bytes, at + 8)? & 1 == 1,
            method: half(bytes, at + 10)?,
            crc: word(bytes, at + 16)?,
            packed: word(bytes, at + 20)?,
            size: word(bytes, at + 24)?,
            offset: word(bytes, at + 42)?,
            next: at + 46 + name + extra + comment,
        })
    }

    fn text(&self, bytes: &[u8]) -> Result<String, Key> {
        let broken = Key::ZipBrokenFile;
        if self.encrypted {
            return Err(Key::ZipEncrypted);
        }
        let head = bytes.get(self.offset..).ok_or(broken)?;
        if !head.starts_with(b"PK\x03\x04") {
            return Err(broken);
        }
        let (name, extra) = (half(head, 26).ok_or(broken)?, half(head, 28).ok_or(broken)?);
        let start = 30 + name + extra;
        let end = start.checked_add(self.packed).ok_or(broken)?;
        let packed = head.get(start..end).ok_or(broken)?;
        let content = match self.method {
            0 => packed.to_vec(),
            8 => inflate(packed, self.size).ok_or(broken)?,
            _ => return Err(Key::ZipMethod),
        };
        if content.len() != self.size || crc32(&content) as usize != self.crc {
            return Err(broken);
        }
        let text = String::from_utf8(content).map_err(|_| Key::ZipNoText)?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
    }
}

fn half(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    Some(usize::from(two[0]) | usize::from(two[1]) << 8)
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = half(bytes, at)? as u32 | (half(bytes, at.checked_add(2)?)? as u32) << 16;
    Some(word as usize)
}

/// Returns the checksum of archives (CRC-32).
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_as_the_format_says() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let files = [("a.txt".to_owned(), b"one".to_vec()), ("b/中.txt".to_owned(), Vec::new())];
        let bytes = write(&files);
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        assert_eq!(&bytes[30..38], b"a.txtone");
        let end = &bytes[bytes.len() - 22..];
        assert_eq!((&end[..4], end[10]), (b"PK\x05\x06".as_slice(), 2));
        let start = u32::from_le_bytes([end[16], end[17], end[18], end[19]]) as usize;
        assert_eq!(&bytes[start..start + 4], b"PK\x01\x02");
        assert_eq!(write(&files), bytes);
    }
}
