//! What the lessons were compiled to, kept for the next debug page: most edits of the page change
//! nothing of it, and compiling takes longer there than everything else.
//!
//! Kept files count as long as they are newer than everything that they are made of: by the layers
//! (`tests/tidy.rs`), that is all but the page's own program. A release page is always compiled.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs, io};

/// Parts of `src` that nothing in a lesson's file comes from.
const APART: [&str; 4] = ["app", "bin", "proxy", "ui"];
/// The file that says that all are there.
const LAST: &str = "index.json";

pub struct Kept {
    folder: PathBuf,
    /// What lessons are made of, and when the newest of it was changed.
    from: Vec<PathBuf>,
    made: SystemTime,
}

impl Kept {
    /// `None` if Trunk does not build a debug page.
    pub fn of(lessons: &Path) -> Option<Kept> {
        let target = env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
        let examples = lessons.with_file_name("examples");
        let from = vec![lessons.to_owned(), examples, "src".into(), "Cargo.lock".into()];
        let is_debug = env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "debug");
        let made = is_debug.then(|| newest(&from).ok()).flatten()?;
        Some(Kept { folder: target.join("debug-lessons"), from, made })
    }

    /// Copies what was kept to `out`. Returns false if there is nothing that is new enough.
    pub fn copied(&self, out: &Path) -> bool {
        let kept = fs::metadata(self.folder.join(LAST)).and_then(|file| file.modified());
        kept.is_ok_and(|kept| kept > self.made) && copy(&self.folder, out).is_ok()
    }

    /// Keeps what is in `out`, unless an edit came between. It costs time and nothing else if it
    /// cannot.
    pub fn keep(&self, out: &Path) {
        let _ = fs::remove_dir_all(&self.folder);
        if newest(&self.from).is_ok_and(|made| made == self.made) {
            let _ = fs::create_dir_all(&self.folder).and_then(|()| copy(out, &self.folder));
        }
    }
}

/// Copies the files of a folder, [`LAST`] last.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(from)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort_by_key(|file| file.ends_with(LAST));
    for file in files {
        fs::copy(&file, to.join(file.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Returns when the newest of these was changed, and of what is in them; folders count, as files
/// may have gone.
fn newest(paths: &[PathBuf]) -> io::Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for path in paths {
        newest = newest.max(fs::metadata(path)?.modified()?);
        if path.is_dir() {
            let inside = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
            let mut inside = inside.collect::<io::Result<Vec<PathBuf>>>()?;
            inside.retain(|one| !APART.iter().any(|name| *one == Path::new("src").join(name)));
            newest = newest.max(self::newest(&inside)?);
        }
    }
    Ok(newest)
}
