//! Where the corpus lies and how its files hold their programs: see `tests/lua.rs`.

use std::path::{Path, PathBuf};

/// The corpus files of a folder of the repository, by name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "lua"))
        .collect();
    files.sort();
    files
}

/// The programs of one corpus file: name and source.
pub fn programs(path: &Path) -> Vec<(String, Vec<u8>)> {
    let text = std::fs::read(path).expect("a readable corpus file");
    let mut programs: Vec<(String, Vec<u8>)> = Vec::new();
    for line in text.split_inclusive(|&c| c == b'\n') {
        match line.strip_prefix(b"--- ") {
            Some(name) => {
                programs.push((String::from_utf8_lossy(name).trim().to_owned(), Vec::new()));
            }
            None => {
                if let Some((_, source)) = programs.last_mut() {
                    source.extend_from_slice(line);
                }
            }
        }
    }
    programs
}
