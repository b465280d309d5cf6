//! Undo and redo for a text, for every kind of change: typing, a button, a replaced text. The
//! browser has such a list itself, but forgets it when a program changes the field.

/// The most steps that are kept.
const STEPS_MAX: usize = 200;
/// The most bytes of all texts that are kept.
const BYTES_MAX: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Undo {
    past: Vec<String>,
    future: Vec<String>,
    /// The place of the last change, if it was typing: what is typed next to it joins the same
    /// step.
    typing: Option<Typing>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Typing {
    at: usize,
    removes: bool,
}

impl Undo {
    /// Records a change of the text from `before` to `after`.
    pub fn changed(&mut self, before: &str, after: &str) {
        if before == after {
            return;
        }
        let (at, removed, inserted) = difference(before, after);
        let removes = inserted.is_empty() && removed.chars().count() == 1;
        let types = removed.is_empty() && inserted.chars().count() == 1;
        let goes_on = match self.typing {
            Some(last) if last.removes && removes => at == last.at || at + removed.len() == last.at,
            Some(last) if !last.removes && types => at == last.at,
            _ => false,
        };
        if !goes_on {
            self.past.push(before.to_owned());
        }
        self.future.clear();
        // A word is a step of its own, and so is a line.
        let ends = inserted.ends_with(|c: char| !c.is_alphanumeric());
        self.typing = match (types && !ends, removes) {
            (true, _) => Some(Typing { at: at + inserted.len(), removes: false }),
            (_, true) => Some(Typing { at, removes: true }),
            _ => None,
        };
        self.shorten();
    }

    fn shorten(&mut self) {
        let mut bytes = 0;
        let kept = self.past.iter().rev().take(STEPS_MAX).take_while(|text| {
            bytes += text.len();
            bytes <= BYTES_MAX
        });
        let kept = kept.count().max(1);
        self.past.drain(..self.past.len().saturating_sub(kept));
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Returns the text before the last step.
    pub fn undo(&mut self, now: &str) -> Option<String> {
        let before = self.past.pop()?;
        self.future.push(now.to_owned());
        self.typing = None;
        Some(before)
    }

    pub fn redo(&mut self, now: &str) -> Option<String> {
        let after = self.future.pop()?;
        self.past.push(now.to_owned());
        self.typing = None;
        Some(after)
    }

    /// Returns the last texts, for the next visit, of at most `bytes_max`.
    pub fn kept(&self, bytes_max: usize) -> Vec<String> {
        let mut bytes = 0;
        let last = self.past.iter().rev().take_while(|text| {
            bytes += text.len();
            bytes <= bytes_max
        });
        let mut last: Vec<String> = last.cloned().collect();
        last.reverse();
        last
    }

    /// Restores what an earlier visit kept.
    pub fn restored(past: Vec<String>) -> Undo {
        Undo { past, ..Undo::default() }
    }
}

/// Returns where two texts differ: the first byte, the part in the first, the part in the second.
pub fn difference<'t>(before: &'t str, after: &'t str) -> (usize, &'t str, &'t str) {
    let same = |(a, b): &(char, char)| a == b;
    let pairs = before.chars().zip(after.chars());
    let start: usize = pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old, new) = (&before[start..], &after[start..]);
    let pairs = old.chars().rev().zip(new.chars().rev());
    let end: usize = pairs.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    (start, &old[..old.len() - end], &new[..new.len() - end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types `keys` one by one into `text`.
    fn types(undo: &mut Undo, text: &mut String, keys: &str) {
        for key in keys.chars() {
            let before = text.clone();
            text.push(key);
            undo.changed(&before, text);
        }
    }

    #[test]
    fn typing_is_undone_by_words_and_redone() {
        let (mut undo, mut text) = (Undo::default(), String::new());
        types(&mut undo, &mut text, "local 数字=1");
        let mut seen = Vec::new();
        while let Some(before) = undo.undo(&text) {
            text = before;
            seen.push(text.clone());
        }
        assert_eq!(seen, ["local 数字=", "local ", ""]);
        while let Some(after) = undo.redo(&text) {
            text = after;
        }
        assert_eq!(text, "local 数字=1");
        assert!(!undo.can_redo());
    }

    #[test]
    fn a_text_put_in_its_place_is_a_step_and_an_edit_ends_the_future() {
        let (mut undo, mut text) = (Undo::default(), "a".to_owned());
        undo.changed(&text, "another program");
        assert_eq!(undo.undo("another program").as_deref(), Some("a"));
        types(&mut undo, &mut text, "b");
        assert!(!undo.can_redo());
        assert_eq!(undo.undo(&text).as_deref(), Some("a"));
        assert!(!undo.can_undo());
    }

    #[test]
    fn removing_is_one_step_while_it_goes_on_at_one_place() {
        let mut undo = Undo::default();
        for (before, after) in [("abcd", "abc"), ("abc", "ab"), ("ab", "b")] {
            undo.changed(before, after);
        }
        assert_eq!(undo.undo("b").as_deref(), Some("ab"));
        assert_eq!(undo.undo("ab").as_deref(), Some("abcd"));
    }

    #[test]
    fn it_is_bounded() {
        let mut undo = Undo::default();
        let text = |n: usize| format!("{n}{}", "x".repeat(20_000));
        for n in 0..400 {
            undo.changed(&text(n), &text(n + 1));
        }
        assert!(undo.past.iter().map(String::len).sum::<usize>() <= BYTES_MAX);
        assert!(undo.kept(50_000).len() == 2);
        assert_eq!(undo.undo(&text(400)), Some(text(399)));
    }

    #[test]
    fn differences_are_found_between_characters() {
        assert_eq!(difference("aé", "aè"), (1, "é", "è"));
        assert_eq!(difference("aa", "aaa"), (2, "", "a"));
        assert_eq!(difference("x", "x"), (1, "", ""));
    }
}
