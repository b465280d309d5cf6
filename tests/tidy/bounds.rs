//! docs/bounds.md names constants, and says what they are.

use super::{check, read, report};

struct Const {
    file: String,
    name: String,
    value: String,
}

/// Each constant that a row names stands in a file that it names, and its number in the row.
#[test]
fn bounds_are_those_of_the_source() {
    let mut consts: Vec<Const> = Vec::new();
    check(&["rs"], |file, _| {
        for line in file.text.lines() {
            let Some((_, rest)) = line.trim_start().split_once("const ") else { continue };
            let Some((name, rest)) = rest.split_once(": ") else { continue };
            let value = rest.split_once(" = ").map_or("", |(_, value)| value.trim_end_matches(';'));
            let (name, value) = (name.to_owned(), value.to_owned());
            consts.push(Const { file: file.path.clone(), name, value });
        }
    });
    let mut problems = Vec::new();
    for row in read("docs/bounds.md").lines().filter(|line| line.starts_with('|')) {
        let quoted: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let mut files = quoted.clone();
        files.retain(|one| one.contains('/'));
        for place in &quoted {
            let (path, name) = place.rsplit_once("::").unwrap_or(("", place));
            let is_capital = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
            if name.len() <= 3 || !name.bytes().all(is_capital) {
                continue;
            }
            // `view::stage::redis::KEYS_MAX` stands there, `sim::MAX_STEPS` somewhere below.
            let folder = format!("src/{}", path.replace("::", "/"));
            let is_there = |one: &&Const| {
                let named = files.is_empty() || files.iter().any(|file| one.file.contains(file));
                let here = if path.is_empty() { named } else { one.file.starts_with(&folder) };
                one.name == name && here
            };
            let found: Vec<_> = consts.iter().filter(is_there).collect();
            if found.is_empty() {
                problems.push(format!("docs/bounds.md: there is no {place} in {files:?}"));
            }
            let values: Vec<u64> = found.iter().filter_map(|one| number(&one.value)).collect();
            let is_said = |value: &u64| said(*value).iter().any(|text| row.contains(text));
            if !values.iter().all(is_said) {
                problems.push(format!("docs/bounds.md: {place} is {values:?}"));
            }
        }
    }
    report(&problems);
}

/// The value of `4_096` or `4 << 10`; nothing of what is computed otherwise.
fn number(text: &str) -> Option<u64> {
    let plain = |text: &str| text.replace('_', "").parse::<u64>().ok();
    match text.split_once(" << ") {
        Some((number, by)) => Some(plain(number)? << plain(by)?),
        None => plain(text),
    }
}

/// The forms in which a number is written.
fn said(value: u64) -> Vec<String> {
    let digits = value.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let mut all = vec![grouped];
    all.extend(value.is_multiple_of(1_000_000).then(|| format!("{} million", value / 1_000_000)));
    all.extend(value.is_multiple_of(1_000).then(|| format!("{} s", value / 1_000)));
    all.extend(value.is_multiple_of(1_024).then(|| format!("{} KiB", value >> 10)));
    all.extend(value.is_multiple_of(1 << 20).then(|| format!("{} MiB", value >> 20)));
    all
}
