//! SHA-1, with which Redis names its scripts. Not for secrets.

/// Returns the digest of `data`, in hexadecimal.
pub fn hex(data: &[u8]) -> String {
    sha1_smol::Sha1::from(data).hexdigest()
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn known_digests() {
        assert_eq!(hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(hex(&[b'a'; 200]), "e61cfffe0d9195a525fc6cf06ca2d77119c24a40");
    }
}
