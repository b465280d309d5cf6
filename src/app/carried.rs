//! The learner's progress as a file, to be carried to another browser.
//!
//! `{"interleave":"progress","format":1,"lessons":{"lost-update":"read watched best=4"}}`: the
//! words of each lesson are those that the browser stores. Opening a file adds to what is there:
//! nothing that was reached is lost. Absent: drafts, which have files of their own, and settings.

use crate::json::{self, Json};
use crate::lesson::is_id;
use crate::session::progress::Progress;

/// What tells the file from other JSON.
const KIND: &str = "progress";
const FORMAT: i64 = 1;
/// The most bytes of a file.
pub const FILE_MAX: usize = 256 * 1024;
/// The most lessons that are read, and the most characters of an id.
const LESSONS_MAX: usize = 1_000;
const ID_MAX: usize = 64;

/// The name under which a file is saved.
pub const FILE: &str = "interleave-progress.json";

/// Why a file was not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    NotOurs,
    /// It is of a later version of the page.
    Newer,
}

pub fn write(lessons: &[(String, Progress)]) -> String {
    let lessons = lessons.iter().map(|(id, done)| (id.clone(), Json::Text(done.write())));
    let file = Json::Object(vec![
        ("interleave".to_owned(), Json::Text(KIND.to_owned())),
        ("format".to_owned(), Json::Number(FORMAT)),
        ("lessons".to_owned(), Json::Object(lessons.collect())),
    ]);
    format!("{file}\n")
}

/// Reads a file: the lessons in which something was done. Ids that no lesson can have are left
/// out.
pub fn read(bytes: &[u8]) -> Result<Vec<(String, Progress)>, Wrong> {
    // Editors put this mark before a text.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| Wrong::NotOurs)?;
    let Ok(Json::Object(fields)) = json::parse(text) else { return Err(Wrong::NotOurs) };
    let (mut is_ours, mut format, mut lessons) = (false, 0, None);
    for (name, value) in fields {
        match (name.as_str(), value) {
            ("interleave", Json::Text(kind)) => is_ours = kind == KIND,
            ("format", Json::Number(number)) => format = number,
            ("lessons", Json::Object(all)) => lessons = Some(all),
            _ => {}
        }
    }
    let lessons = match (is_ours, format, lessons) {
        (true, FORMAT, Some(lessons)) => lessons,
        (true, later, _) if later > FORMAT => return Err(Wrong::Newer),
        _ => return Err(Wrong::NotOurs),
    };
    let known = |(id, done): (String, Json)| {
        let Json::Text(words) = done else { return None };
        let done = Progress::read(&words);
        let is_known = is_id(&id) && !id.is_empty() && id.len() <= ID_MAX;
        (is_known && done != Progress::default()).then_some((id, done))
    };
    Ok(lessons.into_iter().filter_map(known).take(LESSONS_MAX).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let all = "read watched found fixed answered best=4 predicted=50 right=100";
        let lessons = [
            ("lost-update".to_owned(), Progress::read(all)),
            ("a2".to_owned(), { Progress::read("read") }),
        ];
        assert_eq!(read(write(&lessons).as_bytes()), Ok(lessons.to_vec()));
        let marked = format!("\u{feff}{}", write(&lessons));
        assert_eq!(read(marked.as_bytes()), Ok(lessons.to_vec()));
    }

    #[test]
    fn another_file_is_told_from_ours() {
        let others: [&[u8]; 8] = [
            b"",
            b"PK\x03\x04",
            b"\xff\xfe",
            b"[1,2]",
            b"{\"format\":1,\"lessons\":{}}",
            b"{\"interleave\":\"progress\",\"format\":0,\"lessons\":{}}",
            b"{\"interleave\":\"progress\",\"format\":1,\"lessons\":[]}",
            b"{\"interleave\":\"progress\",\"format\":1}",
        ];
        for bytes in others {
            assert_eq!(read(bytes), Err(Wrong::NotOurs), "{}", String::from_utf8_lossy(bytes));
        }
        let later = b"{\"interleave\":\"progress\",\"format\":2,\"lessons\":7}";
        assert_eq!(read(later), Err(Wrong::Newer));
        let deep = "[".repeat(100_000);
        assert_eq!(read(deep.as_bytes()), Err(Wrong::NotOurs));
    }

    #[test]
    fn what_no_lesson_can_be_is_left_out() {
        let text = r#"{"interleave":"progress","format":1,"lessons":{"../x":"read","":"read",
            "watch":"nothing known","lock":7,"later-lesson":"fixed"}}"#;
        let later = ("later-lesson".to_owned(), Progress::read("fixed"));
        assert_eq!(read(text.as_bytes()), Ok(vec![later]));
    }
}
