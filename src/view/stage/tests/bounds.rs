//! Bounds of the drawing: of the largest value, a few thousand characters at most are drawn.

use super::*;
use crate::resp::Value;
use crate::session::spelling::{command_text, reply_text};

/// A value of 15 MiB that is all NULs: each would be four characters.
fn with_big() -> Session {
    session(&format!(
        "lesson=lost-update&mode=schedule&lang=en&schedule=A1.{}",
        "c1-SETRANGE_big_15728000_x.c1-GET_big"
    ))
}

#[test]
fn a_large_value_is_cut_before_it_is_drawn() {
    let mut session = with_big();
    for step in 0..=session.timeline().len() {
        session.update(Msg::Seek(step));
        let (timeline, lang) = (session.timeline(), Lang::En);
        let panel = panel(timeline, lang);
        let mut spots = crate::view::film::board::Spots::default();
        spots.follow(&session);
        let board = crate::view::film::board::board(timeline, &panel, &spots);
        let longest = [
            format!("{panel:?}"),
            format!("{board:?}"),
            format!("{:?}", explain(&session, lang)),
            format!("{:?}", cards(&session, LUA, lang)),
            format!("{:?}", strip(timeline)),
        ];
        for text in longest {
            assert!(text.len() < 100_000, "step {step}: {} {:.60}", text.len(), text);
        }
    }
}

#[test]
fn labels_of_long_words_are_short() {
    let long = Value::bulk(vec![0; 8 << 20]);
    assert!(reply_text(&long).len() < 20_000);
    let shown = long.to_cli();
    assert!(shown.ends_with("\\x00\"… (8388608 bytes)"), "{}", &shown[shown.len() - 40..]);
    assert!(shown.len() < 70_000);
    let many = Value::Array(vec![long; 1000]);
    for text in [many.to_cli(), many.to_cli_short(), many.to_cli_raw()] {
        assert!(text.len() < 200_000 && text.contains('…'), "{}", text.len());
    }
    let word = "é".repeat(1 << 20);
    let text = reply_text(&Value::bulk(&word));
    assert_eq!(text, "é".repeat(2048) + "…");
    let argv: Vec<crate::resp::Bytes> = vec![word.as_bytes().into(); 1000];
    assert!(command_text(&argv).len() < 30_000);
}
