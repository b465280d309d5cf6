//! The results of a class without a server: [`code`] is what a learner hands in, and here are the
//! codes of many learners as a table, and as comma-separated values. [`qr`] is a link as a picture.
//!
//! Contract: any text can be read. A name that comes more than once is one learner, of whose codes
//! the best result of each lesson counts; [`Table::twice`] names those. Codes without a name are
//! learners each. Absent: any way to tell whether a code is genuine, and sorting of names by their
//! sound, which no browser does alike.

use crate::lesson::Index;
use crate::session::link::Link;
use crate::session::mode::Mode;
use crate::text::{ClassWord, Lang, class, tr};
use crate::view::crowd::csv::line;

pub mod code;
pub mod qr;
#[cfg(test)]
mod tests;

use code::{Bad, Code, Entry, find};

/// The most codes that are read.
pub const CODES_MAX: usize = 2_000;
/// The most bytes of the text in which they stand.
pub const TEXT_MAX: usize = 2 * 1024 * 1024;
/// The characters of a bad code that are quoted.
const QUOTED: usize = 32;

/// A text that looks like a code and is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub line: usize,
    /// Its beginning.
    pub text: String,
    pub why: Bad,
}

/// The codes of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Read {
    /// Each once.
    pub codes: Vec<Code>,
    pub wrong: Vec<Wrong>,
    /// True if the text has more than [`CODES_MAX`].
    pub is_full: bool,
}

impl Read {
    #[inline(never)]
    pub fn of(text: &str) -> Read {
        let mut read = Read::default();
        let found = find(text, CODES_MAX + 1);
        read.is_full = found.len() > CODES_MAX;
        for one in found.into_iter().take(CODES_MAX) {
            match one.code {
                Ok(code) if read.codes.contains(&code) => {}
                Ok(code) => read.codes.push(code),
                Err(why) => {
                    let text = one.text.chars().take(QUOTED).collect();
                    read.wrong.push(Wrong { line: one.line, text, why });
                }
            }
        }
        read
    }
}

impl Bad {
    pub fn text(self, lang: Lang) -> &'static str {
        let word = match self {
            Bad::Cut => ClassWord::BadCut,
            Bad::Headless => ClassWord::BadHeadless,
            Bad::Damaged => ClassWord::BadDamaged,
            Bad::Version => ClassWord::BadVersion,
            Bad::TooLong => ClassWord::BadTooLong,
            Bad::Meaning => ClassWord::BadMeaning,
        };
        class(lang, word)
    }
}

/// A learner's results, lesson by lesson as the columns of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Empty if none was typed.
    pub name: String,
    /// The day of the last code.
    pub day: String,
    pub cells: Vec<Option<Entry>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// The lessons in the order of the list, those that it does not have at the end: their ids, and
    /// their titles.
    pub lessons: Vec<(String, String)>,
    /// Sorted by name, those without one at the end.
    pub rows: Vec<Row>,
    /// The names that came more than once.
    pub twice: Vec<String>,
}

/// Returns the form of a name by which two are the same.
fn same(name: &str) -> String {
    name.to_lowercase()
}

/// Returns whether `one` is the better result.
fn is_better(one: &Entry, than: &Entry) -> bool {
    (one.score, one.reached.len()) > (than.score, than.reached.len())
}

impl Table {
    #[inline(never)]
    pub fn new(read: &Read, index: Option<&Index>, lang: Lang) -> Table {
        let mut table = Table { lessons: columns(read, index, lang), ..Table::default() };
        // The names of the rows, in the form in which they are compared.
        let mut known: Vec<String> = Vec::new();
        for code in &read.codes {
            let name = same(&code.name);
            let found = known.iter().position(|one| *one == name && !name.is_empty());
            if found.is_none() {
                let cells = vec![None; table.lessons.len()];
                table.rows.push(Row { name: code.name.clone(), day: String::new(), cells });
                known.push(name);
            }
            let at = found.unwrap_or(table.rows.len() - 1);
            let Some(row) = table.rows.get_mut(at) else { continue };
            if found.is_some() && !table.twice.contains(&row.name) {
                table.twice.push(row.name.clone());
            }
            row.day = row.day.clone().max(code.day.clone());
            for entry in &code.lessons {
                let column = table.lessons.iter().position(|(id, _)| *id == entry.lesson);
                let Some(cell) = column.and_then(|at| row.cells.get_mut(at)) else { continue };
                if cell.as_ref().is_none_or(|known| is_better(entry, known)) {
                    *cell = Some(entry.clone());
                }
            }
        }
        table.rows.sort_by_key(|row| (row.name.is_empty(), same(&row.name)));
        table.twice.sort();
        table
    }

    /// Returns the table for spreadsheets (RFC 4180), with the mark by which they know UTF-8. Two
    /// columns for each lesson: its score, and its goals in words.
    #[inline(never)]
    pub fn csv(&self, lang: Lang) -> String {
        let word = |word| class(lang, word).to_owned();
        let mut head = vec![word(ClassWord::Name), word(ClassWord::Day)];
        for (_, title) in &self.lessons {
            head.push(format!("{title} (%)"));
            head.push(format!("{title}: {}", class(lang, ClassWord::Goals)));
        }
        let mut out = format!("\u{feff}{}", safe(head));
        for row in &self.rows {
            let mut fields = vec![row.name.clone(), row.day.clone()];
            for cell in &row.cells {
                fields.push(cell.as_ref().map(|one| one.score.to_string()).unwrap_or_default());
                fields.push(cell.as_ref().map(|one| goals(one, lang)).unwrap_or_default());
            }
            out += &safe(fields);
        }
        out
    }
}

/// Returns the lessons of all codes: ids and titles.
fn columns(read: &Read, index: Option<&Index>, lang: Lang) -> Vec<(String, String)> {
    let mut named: Vec<&str> =
        read.codes.iter().flat_map(|code| &code.lessons).map(|one| one.lesson.as_str()).collect();
    named.sort_unstable();
    named.dedup();
    let mut columns = Vec::new();
    for card in index.iter().flat_map(|index| index.lessons()) {
        if named.contains(&card.id.as_str()) {
            columns.push((card.id.clone(), card.title.get(lang).clone()));
        }
    }
    for id in named {
        if !columns.iter().any(|(known, _)| known == id) {
            columns.push((id.to_owned(), id.to_owned()));
        }
    }
    columns
}

/// Returns the goals that were reached, in words.
pub fn goals(entry: &Entry, lang: Lang) -> String {
    let names: Vec<&str> = entry.reached.iter().map(|mode: &Mode| tr(lang, mode.label())).collect();
    names.join(if lang == Lang::Zh { "、" } else { ", " })
}

/// Returns a line of the table in which no field is a formula: a spreadsheet would compute one that
/// begins with these signs, also in their wide forms.
fn safe(fields: Vec<String>) -> String {
    let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];
    let field = |text: String| match text.trim_start().starts_with(signs) {
        true => format!("'{text}"),
        false => text,
    };
    line(&fields.into_iter().map(field).collect::<Vec<_>>())
}

/// Returns the fragment of the address that opens the page of a class with this code.
pub fn link(code: &Code) -> String {
    let (page, result) = (Some("class".to_owned()), Some(code.write()));
    Link { page, result, ..Link::default() }.write()
}
