//! The page's search by itself, as wasm, for `benches/faults.mjs`: lessons with everything that can
//! go wrong, once each.

use interleave::jobs::find::{Start, Work};

/// What the page allows itself.
const STATES_MAX: u32 = 10_000_000;
const BYTES_MAX: usize = 512 << 20;

/// A search that goes on bit by bit.
#[derive(Debug)]
pub struct Run(Work);

impl Run {
    /// `lesson` is the lesson's file, as it comes to the page.
    pub fn new(lesson: &str, variant: usize) -> Result<Run, String> {
        let start = Start {
            lesson: lesson.to_owned(),
            variant,
            states_max: STATES_MAX,
            bytes_max: BYTES_MAX,
            ..Start::default()
        };
        Work::start(&start).map(Run)
    }

    /// Looks at some states more; false when all is known.
    pub fn advance(&mut self, states: u32) -> bool {
        !self.0.advance(states)
    }

    /// True when all claims are answered, and only what is asked after the search is left.
    pub fn is_searched(&self) -> bool {
        self.0.is_searched()
    }

    /// The places of the properties whose verdicts have come to stand since this was asked last,
    /// each with 1 where no run shows it, and 0 where one does; -1 is the question
    /// whether somebody gets stuck.
    pub fn news(&mut self) -> Vec<i32> {
        let place = |property: Option<usize>| property.map_or(-1, |at| at as i32);
        let found = self.0.news().into_iter().flat_map(|found| [place(found.property), 0]);
        let mut news: Vec<i32> = found.collect();
        for stands in self.0.settled() {
            news.extend([place(stands.property), 1]);
        }
        news
    }

    pub fn states(&self) -> f64 {
        self.0.progress(0).states as f64
    }
}

#[cfg(target_arch = "wasm32")]
mod exports {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    #[derive(Debug)]
    pub struct Faults(super::Run);

    #[wasm_bindgen]
    impl Faults {
        #[wasm_bindgen(constructor)]
        pub fn new(lesson: &str, variant: usize) -> Result<Faults, String> {
            super::Run::new(lesson, variant).map(Faults)
        }
        pub fn advance(&mut self, states: u32) -> bool {
            self.0.advance(states)
        }
        pub fn is_searched(&self) -> bool {
            self.0.is_searched()
        }
        pub fn news(&mut self) -> Vec<i32> {
            self.0.news()
        }
        pub fn states(&self) -> f64 {
            self.0.states()
        }
    }
}

/// wasm-bindgen calls it when the module loads; natively `check --faults all` does the same.
fn main() {}
