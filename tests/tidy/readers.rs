//! What readers are told: the usual words, in both languages.

use super::{check, has_word};

/// Words that the texts of the page and the docs do without, with the usual ones.
const ENGLISH: [(&str, &str); 17] = [
    ("somebody", "a client, another client"),
    ("someone", "a client, another client"),
    ("anybody", "any client"),
    ("nobody", "no client"),
    ("whoever", "the client that"),
    ("everybody", "all clients"),
    ("for ever", "forever"),
    ("gives back", "releases"),
    ("given back", "released"),
    ("stands still", "is paused, stops"),
    ("stand still", "pause, stop"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("any more", "any longer, or \"no longer\""),
    ("RedLock", "Redlock, but RedissonRedLock"),
    ("fencing number", "fencing token"),
    ("fence token", "fencing token"),
];

/// The same in Chinese. 需要锁 and 释放锁 are fine.
const CHINESE: [(&str, &str); 17] = [
    ("还锁", "释放锁"),
    ("死人", "已宕机的客户端"),
    ("人没了", "宕机"),
    ("干活", "执行业务"),
    ("弄坏", "出错、不成立"),
    ("情节", "演示"),
    ("线路", "网络收发"),
    ("会被破坏", "不成立"),
    ("停顿", "暂停"),
    ("期限", "过期时间"),
    ("防护令牌", "栅栏令牌"),
    ("屏蔽令牌", "栅栏令牌"),
    ("流水线", "管道"),
    ("赛跑", "竞态"),
    ("死掉", "宕机"),
    ("拿到锁", "获取锁、获取到锁"),
    ("获得锁", "获取锁、获取到锁"),
];

/// Where a reader would look a word up by its other names.
fn is_other_name(line: &str) -> bool {
    line.starts_with("also = ") || line.contains("又译")
}

#[test]
fn readers_are_told_in_the_usual_words() {
    check(&["md", "toml", "rs"], |file, problems| {
        let lesson = file.path.starts_with("static/") && !file.path.ends_with("README.md");
        let interface = file.path.starts_with("src/text/") && !file.path.ends_with("later.rs");
        let paper = file.path.starts_with("docs/") || file.path == "README.md";
        if !lesson && !interface && !paper {
            return;
        }
        let english = file.path.ends_with("/en.md");
        for (at, line) in file.lines().filter(|(_, line)| !is_other_name(line)) {
            // Names that programs and links use are none of a reader's.
            if file.path.ends_with(".toml") && !line.contains("en = ") && !line.contains("zh = ") {
                continue;
            }
            let said = match line.split_once(": ") {
                Some((name, said)) if interface || name.starts_with("## ") => said,
                _ => line,
            };
            let coded: String = said.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            let small = coded.to_lowercase();
            for (word, instead) in ENGLISH {
                let found = if word == "RedLock" { &coded } else { &small };
                if has_word(found, word) {
                    problems.push(format!("{at}: \"{word}\" is not the usual word: {instead}"));
                }
            }
            for (word, instead) in CHINESE {
                if coded.contains(word) {
                    problems.push(format!("{at}: 不用“{word}”：{instead}"));
                }
            }
            let is_han = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}');
            if english && coded.contains(is_han) {
                problems.push(format!("{at}: Chinese in an English text; the glossary has both"));
            }
        }
    });
}
