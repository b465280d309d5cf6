//! A learner's progress in a lesson, in the form in which the browser stores it, and the order of a
//! lesson's parts.

use super::mode::Mode;

/// Progress, written as words: `read watched best=4 found fixed answered`. Unknown words are
/// ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// The situation was read and left.
    pub read: bool,
    /// A story was followed to its end.
    pub watched: bool,
    /// The fewest steps in which the challenge was met.
    pub best: Option<usize>,
    /// A search of all schedules came to its end.
    pub found: bool,
    /// A program of the learner's passed.
    pub fixed: bool,
    /// All questions were answered rightly.
    pub answered: bool,
}

impl Progress {
    pub fn read(text: &str) -> Progress {
        let mut progress = Progress::default();
        for word in text.split(' ') {
            match word.split_once('=') {
                None if word == "read" => progress.read = true,
                None if word == "watched" => progress.watched = true,
                None if word == "found" => progress.found = true,
                None if word == "fixed" => progress.fixed = true,
                None if word == "answered" => progress.answered = true,
                Some(("best", steps)) => progress.best = steps.parse().ok(),
                _ => {}
            }
        }
        progress
    }

    /// Adds the progress made `now`.
    pub fn add(&mut self, now: Progress) {
        self.read |= now.read;
        self.watched |= now.watched;
        self.found |= now.found;
        self.fixed |= now.fixed;
        self.answered |= now.answered;
        self.best = self.best.into_iter().chain(now.best).min();
    }

    pub fn write(self) -> String {
        let mut words = Vec::new();
        let mut word = |is: bool, word: &str| {
            if is {
                words.push(word.to_owned());
            }
        };
        word(self.read, "read");
        word(self.watched, "watched");
        word(self.found, "found");
        word(self.fixed, "fixed");
        word(self.answered, "answered");
        words.extend(self.best.map(|steps| format!("best={steps}")));
        words.join(" ")
    }

    /// Returns true if the goal of `mode` was reached. Modes outside of [`LINE`] are never done.
    pub fn has_done(&self, mode: Mode) -> bool {
        match mode {
            Mode::Situation => self.read,
            Mode::Watch => self.watched,
            Mode::Break => self.best.is_some(),
            Mode::Find => self.found,
            Mode::Fix => self.fixed,
            Mode::Review => self.answered,
            Mode::Edit | Mode::Schedule | Mode::Crowd => false,
        }
    }

    /// Returns the part to continue with: the first of `parts` that was not done. `None` if all
    /// were.
    pub fn goes_on(&self, parts: &[Mode]) -> Option<Mode> {
        parts.iter().copied().find(|mode| !self.has_done(*mode))
    }
}

/// The parts of a lesson in their order. Schedule and Crowd are optional and not among them.
pub const LINE: [Mode; 6] =
    [Mode::Situation, Mode::Watch, Mode::Break, Mode::Find, Mode::Fix, Mode::Review];

/// The one button that leads on, at the right end of the foot of every part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Onward {
    /// Where it leads, in words.
    pub label: String,
    /// The words where there is no room for those.
    pub brief: String,
    pub to: Goal,
    /// True if the goal of the part was reached.
    pub is_done: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    Part(Mode),
    /// An address in the page.
    Address(String),
}

/// Returns the part after `mode`, among `modes`. `None` after the last.
pub fn next_part(modes: &[Mode], mode: Mode) -> Option<Mode> {
    let place = match mode {
        // Schedule is where a story's reader tries the run alone, Crowd what comes after a fix.
        Mode::Schedule => Mode::Watch,
        Mode::Crowd => Mode::Fix,
        part => part,
    };
    let after = LINE.iter().skip_while(|part| **part != place).skip(1);
    after.copied().find(|part| modes.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let all = Progress {
            read: true,
            watched: true,
            best: Some(4),
            found: true,
            fixed: true,
            answered: true,
        };
        for progress in [Progress::default(), all, Progress { fixed: true, ..Progress::default() }]
        {
            assert_eq!(Progress::read(&progress.write()), progress);
        }
        assert!(Progress::read("future best=x =  watched").watched);
    }

    #[test]
    fn the_line_leads_from_part_to_part() {
        let modes = Mode::ALL;
        assert_eq!(next_part(&modes, Mode::Situation), Some(Mode::Watch));
        assert_eq!(next_part(&modes, Mode::Schedule), Some(Mode::Break));
        assert_eq!(next_part(&modes, Mode::Crowd), Some(Mode::Review));
        assert_eq!(next_part(&modes, Mode::Review), None);
        // A lesson without a challenge and an exercise.
        let few = [Mode::Watch, Mode::Schedule, Mode::Find, Mode::Review];
        assert_eq!(next_part(&few, Mode::Watch), Some(Mode::Find));
        assert_eq!(next_part(&few, Mode::Find), Some(Mode::Review));
    }

    #[test]
    fn one_goes_on_with_the_first_part_that_is_not_done() {
        let done = Progress { read: true, watched: true, found: true, ..Progress::default() };
        assert_eq!(done.goes_on(&LINE), Some(Mode::Break));
        assert_eq!(done.goes_on(&[Mode::Situation, Mode::Watch, Mode::Find]), None);
        assert_eq!(Progress::default().goes_on(&LINE), Some(Mode::Situation));
    }
}
