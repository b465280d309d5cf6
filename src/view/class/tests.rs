//! Result codes, whole and broken, and the table of a class.

use super::code::{CODE_MAX, LESSONS_MAX, NAME_MAX, read, tidy};
use super::qr::qr;
use super::*;
use crate::lesson::{Card, Chapter};
use crate::session::deflate::pack;
use crate::session::progress::GOALS;
use crate::text::Both;

fn entry(lesson: &str, reached: usize, score: u32) -> Entry {
    let (goals, reached) = (GOALS.to_vec(), GOALS[..reached].to_vec());
    Entry { lesson: lesson.to_owned(), goals, reached, score }
}

fn code(name: &str, lessons: &[Entry]) -> Code {
    Code { name: name.to_owned(), day: "2026-11-28".to_owned(), lessons: lessons.to_vec() }
}

/// A code with another body, as one who knows how would forge it.
fn forged(body: &str) -> String {
    let start = format!("IL1.{}", pack(body));
    format!("{start}.{:08x}", crate::playground::zip::crc32(start.as_bytes()))
}

fn why(text: &str) -> Vec<Bad> {
    Read::of(text).wrong.into_iter().map(|one| one.why).collect()
}

#[test]
fn what_is_written_is_read_back() {
    let few = Entry {
        goals: vec![Mode::Watch, Mode::Review],
        reached: vec![],
        ..entry("mix-atomic", 0, 0)
    };
    let full: Vec<Entry> = (0..LESSONS_MAX).map(|at| entry(&format!("l-{at}"), 4, 100)).collect();
    let long = "王".repeat(NAME_MAX);
    for code in [
        code("Ann O'Neill", &[entry("lost-update", 3, 83), few.clone()]),
        code("", &[few]),
        code("李明 🦀 ßé", &[entry("redlock", 4, 100)]),
        code(&long, &full),
    ] {
        let text = code.write();
        assert!(text.len() <= CODE_MAX, "{}", text.len());
        // Nothing in it has to be encoded in an address, or ends a link in a mail.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        assert!(text.chars().all(is_plain), "{text}");
        assert_eq!(read(&text), Ok(code.clone()));
        assert_eq!(Link::parse(&link(&code)).result, Some(text.clone()));
        for around in [
            text.clone(),
            format!("https://a.example/x/?y#{}", link(&code)),
            format!("<a href=\"https://a.example/#{}&lang=zh\">我的成绩码</a>", link(&code)),
            format!("Dear teacher,\r\n\r\nmy code: {text}.\r\nAnn\r\n"),
            format!("成绩码：{text}，谢谢！"),
            format!("({text})"),
            format!("{text}.Regards"),
        ] {
            let read = Read::of(&around);
            assert_eq!(read.codes, std::slice::from_ref(&code), "{around}");
            assert_eq!(read.wrong, [], "{around}");
        }
    }
}

#[test]
fn a_code_that_a_mail_has_broken_is_put_together() {
    let code = code("Ann", &[entry("lost-update", 3, 83), entry("redlock", 2, 50)]);
    let link = format!("https://a.example/#{}", link(&code));
    for (width, end, start) in [(60, "\n", ""), (45, "=\r\n", ""), (40, "\n", "> > ")] {
        let letters: Vec<char> = link.chars().collect();
        let lines: Vec<String> = letters.chunks(width).map(|one| one.iter().collect()).collect();
        let text = format!("Hi,\n{start}{}\nAnn\n", lines.join(&format!("{end}{start}")));
        let read = Read::of(&text);
        assert_eq!((read.codes, read.wrong), (vec![code.clone()], vec![]), "{text}");
    }
}

#[test]
fn a_broken_code_is_listed_with_what_is_wrong() {
    let text = code("Ann", &[entry("lost-update", 3, 83)]).write();
    let whole = Read::of(&text);
    for end in 4..text.len() {
        // A cut at any place; nothing of it passes for a whole one.
        assert_eq!(why(&text[..end]), [Bad::Cut], "{}", &text[..end]);
    }
    assert_eq!(why(&text[4..]), [Bad::Headless]);
    for at in 4..text.len() {
        let other = if &text[at..=at] == "x" { "y" } else { "x" };
        let typed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        if &text[at..=at] != "." {
            assert_eq!(why(&typed), [Bad::Damaged], "{typed}");
        }
        // A character that was left out: the checksum is short, or wrong.
        let typed = format!("{}{}", &text[..at], &text[at + 1..]);
        assert!(matches!(why(&typed)[..], [Bad::Cut | Bad::Damaged]), "{typed}");
    }
    let later = text[4..text.len() - 9].to_owned();
    let later = format!("IL2.{later}");
    let later = format!("{later}.{:08x}", crate::playground::zip::crc32(later.as_bytes()));
    assert_eq!(why(&later), [Bad::Version]);
    assert_eq!(why(&later[..later.len() - 2]), [Bad::Cut]);
    let endless = format!("IL1.{}.01234567", "A".repeat(CODE_MAX));
    assert_eq!(why(&endless), [Bad::TooLong]);
    // The others are read, and the broken one has its line.
    let read = Read::of(&format!("one\n{text}\n\nand {}\n{later}", &text[..30]));
    assert_eq!(read.codes, whole.codes);
    let lines: Vec<usize> = read.wrong.iter().map(|one| one.line).collect();
    assert_eq!(lines, [4, 5]);
}

#[test]
fn what_no_page_wrote_is_no_result() {
    let day = "2026-11-28\nAnn\n";
    for body in [
        "",
        "\n\n",
        "today\nAnn\nlost-update wbfr w 5\n",
        day,
        &format!("{day}lost-update wbfr w 101\n"),
        &format!("{day}lost-update wbfr w -1\n"),
        &format!("{day}lost-update wbfr w\n"),
        &format!("{day}lost-update w b 5\n"),
        &format!("{day}lost-update - - 5\n"),
        &format!("{day}../x wbfr w 5\n"),
        &format!("{day}<b> wbfr w 5\n"),
        &format!("{day}{} wbfr w 5\n", "x".repeat(65)),
        &format!("{day}{}", "a wbfr w 5\n".repeat(LESSONS_MAX + 1)),
        &"x".repeat(100_000),
    ] {
        let text = forged(body);
        assert_eq!(read(&text), Err(Bad::Meaning), "{body:.80}");
    }
    // A body that is no packed text, with a right checksum.
    let start = "IL1.AAAAAAAAAAAA";
    let text = format!("{start}.{:08x}", crate::playground::zip::crc32(start.as_bytes()));
    assert_eq!(read(&text), Err(Bad::Meaning));
}

#[test]
fn other_text_holds_no_code() {
    for text in [
        "",
        "IL",
        "IL1",
        "The IL2 receptor. IL1 and IL6.",
        "FAIL1 was IL12.5 of MAIL3.0",
        "https://a.example/index.html#page=class&lang=en",
        "1.2.3.4 build.deadbeef v1.01234567",
        "…。\u{0}\u{202e}\n\r\n=\n",
    ] {
        assert_eq!(Read::of(text), Read::default(), "{text}");
    }
    assert_eq!(why("my code is IL1. Ann"), [Bad::Cut]);
}

#[test]
fn a_name_is_one_line_of_what_is_seen() {
    assert_eq!(tidy("  Ann\t\tO'Neill \r\n"), "Ann O'Neill");
    assert_eq!(tidy("a\u{202e}b\u{200b}c\u{feff}\u{0}d"), "abc d");
    assert_eq!(tidy(&"王".repeat(500)).chars().count(), NAME_MAX);
    let text = forged("2026-11-28\n\u{202e}=cmd|'/c calc'!A0\u{7}\nlost-update w w 100\n");
    assert_eq!(read(&text).map(|code| code.name), Ok("=cmd|'/c calc'!A0".to_owned()));
}

fn index() -> Index {
    let card = |id: &str, en: &str, zh: &str| Card {
        id: id.to_owned(),
        title: Both { en: en.to_owned(), zh: zh.to_owned() },
        ..Card::default()
    };
    let lessons =
        vec![card("redlock", "Redlock", "红锁"), card("lost-update", "Lost update", "丢失更新")];
    Index { chapters: vec![Chapter { lessons, ..Chapter::default() }], ..Index::default() }
}

#[test]
fn a_class_of_five_hundred_is_a_table_by_name() {
    let lessons = [entry("lost-update", 3, 83), entry("redlock", 4, 100)];
    // From the last to the first, and each pasted twice.
    let codes = (0..500).rev().map(|at| code(&format!("student {at:03}"), &lessons).write() + "\n");
    let text = codes.collect::<String>().repeat(2);
    let read = Read::of(&text);
    assert_eq!((read.codes.len(), read.wrong.len(), read.is_full), (500, 0, false));
    let table = Table::new(&read, Some(&index()), Lang::Zh);
    let titles: Vec<&str> = table.lessons.iter().map(|(_, title)| title.as_str()).collect();
    assert_eq!(titles, ["红锁", "丢失更新"]);
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert!(names.is_sorted() && names.len() == 500 && names[0] == "student 000");
    // The same code twice is no second result.
    assert_eq!(table.twice, [""; 0]);
    let full = Read::of(
        &(0..=CODES_MAX)
            .map(|at| code(&at.to_string(), &lessons).write() + "\n")
            .collect::<String>(),
    );
    assert!(full.is_full && full.codes.len() == CODES_MAX);
}

#[test]
fn the_best_of_a_name_counts_lesson_by_lesson() {
    let all = [
        code("Ann", &[entry("lost-update", 2, 50), entry("redlock", 4, 100)]),
        Code { day: "2026-12-01".to_owned(), ..code("ann", &[entry("lost-update", 4, 90)]) },
        code("ANN", &[entry("lost-update", 1, 25), entry("of-another-page", 1, 25)]),
        code("", &[entry("redlock", 1, 25)]),
        code("", &[entry("redlock", 2, 50)]),
        code("Bo", &[entry("redlock", 1, 25)]),
    ];
    let text: Vec<String> = all.iter().map(Code::write).collect();
    let table = Table::new(&Read::of(&text.join("\n")), Some(&index()), Lang::En);
    let rows: Vec<(&str, Vec<Option<u32>>)> = table
        .rows
        .iter()
        .map(|row| (row.name.as_str(), row.cells.iter().map(|c| Some(c.as_ref()?.score)).collect()))
        .collect();
    // Those without a name are not one learner.
    let expected = [
        ("Ann", vec![Some(100), Some(90), Some(25)]),
        ("Bo", vec![Some(25), None, None]),
        ("", vec![Some(25), None, None]),
        ("", vec![Some(50), None, None]),
    ];
    assert_eq!(rows, expected);
    assert_eq!((table.twice, &*table.rows[0].day), (vec!["Ann".to_owned()], "2026-12-01"));
    assert_eq!(table.lessons[2], ("of-another-page".to_owned(), "of-another-page".to_owned()));
}

#[test]
fn a_spreadsheet_computes_nothing_of_it() {
    let names = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "a\"b,c", "李明"];
    let all = names.map(|name| code(name, &[entry("-2", 3, 83), entry("redlock", 0, 0)]).write());
    let table = Table::new(&Read::of(&all.join(" ")), Some(&index()), Lang::En);
    let text = table.csv(Lang::En);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("\u{feff}Name,Day,Redlock (%),Redlock: goals reached,'-2 (%),'-2: goals reached")
    );
    let lines: Vec<&str> = lines.collect();
    let rest = ",2026-11-28,0,,83,\"Watch, Break it, Fix it\"";
    let names = ["'+1", "'-1", "'=1+1", "'@SUM(A1)", "\"a\"\"b,c\"", "李明", "'＝1"];
    assert_eq!(lines, names.map(|name| format!("{name}{rest}")));
    assert!(text.ends_with("\r\n"));
}

#[test]
fn a_link_is_a_picture_unless_it_is_too_long() {
    let link = link(&code("Ann", &[entry("lost-update", 3, 83)]));
    let qr = qr(&format!("https://a.example/#{link}")).unwrap();
    // Three finders, of which each begins with a row of seven.
    for corner in ["M0 0h7v1h-7z".to_owned(), format!("M{} 0h7v1h-7z", qr.size - 7)] {
        assert!(qr.path.contains(&corner), "{}", qr.path);
    }
    assert!(qr.path.contains(&format!("M0 {}h7v1h-7z", qr.size - 7)));
    assert_eq!(super::qr::qr(&"x".repeat(3_000)), None);
}
