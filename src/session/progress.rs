//! A learner's progress in a lesson, in the form in which the browser stores it, and the order of a
//! lesson's parts.

use super::mode::Mode;

/// Progress, written as words: `read watched best=4 found fixed answered predicted=50 right=100`.
/// Unknown words are ignored.
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
    /// The most predictions of stories that were right in one visit, in percent. `None` where
    /// stories ask for none.
    pub predicted: Option<u32>,
    /// The most questions that were answered rightly in one visit, in percent.
    pub right: Option<u32>,
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
                Some(("predicted", share)) => progress.predicted = percent(share),
                Some(("right", share)) => progress.right = percent(share),
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
        self.predicted = self.predicted.max(now.predicted);
        self.right = self.right.max(now.right);
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
        words.extend(self.predicted.map(|share| format!("predicted={share}")));
        words.extend(self.right.map(|share| format!("right={share}")));
        let text = words.join(" ");
        debug_assert_eq!(Progress::read(&text), self, "{text} reads as other progress");
        text
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

    /// Returns the share of a part's goal that was reached, 0 to 100: for a story that of right
    /// predictions, for questions that of right answers. Work of visits that did not count them
    /// counts in full.
    #[inline(never)]
    pub fn percent(&self, mode: Mode) -> u32 {
        match mode {
            Mode::Watch if self.watched => self.predicted.unwrap_or(100),
            Mode::Review if !self.answered => self.right.unwrap_or(0),
            part => 100 * u32::from(self.has_done(part)),
        }
    }

    /// Returns the part to continue with: the first of `parts` that was not done. `None` if all
    /// were.
    pub fn goes_on(&self, parts: &[Mode]) -> Option<Mode> {
        parts.iter().copied().find(|mode| !self.has_done(*mode))
    }
}

/// Reads a share that was stored.
fn percent(text: &str) -> Option<u32> {
    text.parse().ok().filter(|share| *share <= 100)
}

/// The parts whose goals count for a score, as in a course page (`view::embed::goal`).
pub const GOALS: [Mode; 4] = [Mode::Watch, Mode::Break, Mode::Fix, Mode::Review];

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
            predicted: Some(66),
            right: Some(50),
        };
        for progress in [Progress::default(), all, Progress { fixed: true, ..Progress::default() }]
        {
            assert_eq!(Progress::read(&progress.write()), progress);
        }
        assert!(Progress::read("future best=x =  watched").watched);
        assert_eq!(Progress::read("right=101 predicted=-1"), Progress::default());
    }

    #[test]
    fn the_best_of_all_visits_counts() {
        let mut progress = Progress::read("watched predicted=50 right=25 best=6");
        progress.add(Progress::read("watched predicted=100 right=20 best=8"));
        assert_eq!(progress, Progress::read("watched predicted=100 right=25 best=6"));
        let shares = GOALS.map(|mode| progress.percent(mode));
        assert_eq!(shares, [100, 100, 0, 25]);
        // Of an earlier version, which counted neither.
        let before = Progress::read("watched answered");
        assert_eq!(GOALS.map(|mode| before.percent(mode)), [100, 0, 0, 100]);
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
