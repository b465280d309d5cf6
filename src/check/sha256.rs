//! SHA-256 in base64, the form in which browsers expect hashes of files and of inline scripts.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// Returns `sha256-…`, the form of `integrity` attributes and of policies.
pub fn source(data: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(data)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_browsers_read_it() {
        assert_eq!(source(b""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(source(b"abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
