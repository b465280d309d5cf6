//! A learner's progress in a lesson, in the form in which the browser keeps it.

/// Written as words: `watched best=4 fixed answered`. Unknown words are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// A story was followed to its end.
    pub watched: bool,
    /// The challenge was met, in so many steps at best.
    pub best: Option<usize>,
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
                None if word == "watched" => progress.watched = true,
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
        self.watched |= now.watched;
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
        word(self.watched, "watched");
        word(self.fixed, "fixed");
        word(self.answered, "answered");
        words.extend(self.best.map(|steps| format!("best={steps}")));
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let all = Progress { watched: true, best: Some(4), fixed: true, answered: true };
        for progress in [Progress::default(), all, Progress { fixed: true, ..Progress::default() }]
        {
            assert_eq!(Progress::read(&progress.write()), progress);
        }
        assert!(Progress::read("future best=x =  watched").watched);
    }
}
