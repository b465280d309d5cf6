//! A zip archive, its files stored as they are: the same files always give the same bytes.

/// The bytes of an archive of these files, by their paths in it.
pub fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let offset = size(out.len());
        let fields = fields(name, bytes);
        out.extend(0x0403_4b50_u32.to_le_bytes());
        out.extend(&fields);
        out.extend(name.as_bytes());
        out.extend(bytes);
        directory.extend(0x0201_4b50_u32.to_le_bytes());
        // Made by version 2.0, as it is needed to read it.
        directory.extend(20_u16.to_le_bytes());
        directory.extend(&fields);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, many) = (size(out.len()), (files.len() as u16).to_le_bytes());
    out.extend(&directory);
    out.extend(0x0605_4b50_u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend([many, many].concat());
    out.extend(size(directory.len()).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

/// What a file's header and its entry in the directory have in common.
fn fields(name: &str, bytes: &[u8]) -> Vec<u8> {
    const UTF8: u16 = 1 << 11;
    /// The first day that the format knows.
    const DATE: u16 = 0x21;
    let mut out = Vec::new();
    for value in [20, UTF8, 0, 0, DATE] {
        out.extend(value.to_le_bytes());
    }
    for value in [crc32(bytes), size(bytes.len()), size(bytes.len())] {
        out.extend(value.to_le_bytes());
    }
    out.extend((name.len() as u16).to_le_bytes());
    out.extend([0; 2]);
    out
}

fn size(bytes: usize) -> u32 {
    bytes.try_into().unwrap_or(u32::MAX)
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
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
        let bytes = archive(&files);
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        assert_eq!(&bytes[30..38], b"a.txtone");
        let end = &bytes[bytes.len() - 22..];
        assert_eq!((&end[..4], end[10]), (b"PK\x05\x06".as_slice(), 2));
        let start = u32::from_le_bytes([end[16], end[17], end[18], end[19]]) as usize;
        assert_eq!(&bytes[start..start + 4], b"PK\x01\x02");
        assert_eq!(archive(&files), bytes);
    }
}
