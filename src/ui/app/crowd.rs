//! What is pressed in Crowd, and what its workers say.

use super::*;
use crate::view::crowd::Heard;
use crate::view::crowd::csv::csv;

#[derive(Debug, Clone, PartialEq)]
pub enum CrowdInput {
    /// Runs the crowd; true: the sweep.
    Run(bool),
    Stop,
    /// A row of the form, and what was typed.
    Set(&'static str, String),
    Reset,
    /// A variant to be run too, or no longer.
    Toggle(usize),
    Measure(usize),
    /// A run of a variant, by its seed, is to be looked at.
    Look(usize, u64),
    /// The runs as a file; true: the sweep's.
    Save(bool),
}

impl App {
    #[inline(never)]
    pub(super) fn crowd_input(&mut self, input: CrowdInput) {
        let text = self.searches.text().clone();
        match input {
            CrowdInput::Run(sweep) => self.crowds.run(&text, sweep),
            CrowdInput::Stop => self.crowds.stop(),
            CrowdInput::Set(name, text) => self.crowds.change(|at| at.form.set(name, &text)),
            CrowdInput::Reset => self.crowds.change(|at| at.form.reset()),
            CrowdInput::Toggle(variant) => self.crowds.change(|at| at.form.toggle(variant)),
            CrowdInput::Measure(measure) => self.crowds.change(|at| at.measure = measure),
            CrowdInput::Look(variant, seed) => self.crowds.reduce(&text, variant, seed),
            CrowdInput::Save(sweep) => {
                let Some(at) = self.crowds.get() else { return };
                let what = if sweep { "sweep" } else { "crowd" };
                let name = format!("{}-{what}.csv", at.lesson().id);
                let saved = picture::save(&name, "text/csv;charset=utf-8", &csv(at, sweep));
                self.saved(saved.is_ok());
            }
        }
    }

    /// True where there is something new to show.
    #[inline(never)]
    pub(super) fn crowd_says(&mut self, hand: usize, answer: Answer) -> bool {
        match self.crowds.hear(hand, answer) {
            Heard::Nothing | Heard::Quiet => false,
            Heard::News | Heard::Over => true,
            Heard::Reduced(variant, schedule) => {
                self.session_input(Msg::OpenIn { variant, schedule, to_end: false });
                true
            }
        }
    }

    /// Gets the crowd ready where it is shown; one that is no longer shown ends.
    pub(super) fn settle_crowd(&mut self) {
        match &self.session {
            Some(session) if session.mode() == Mode::Crowd => {
                self.crowds.open(session, None);
            }
            Some(_) => self.crowds.stop(),
            None if self.crowds.get().is_some() => self.crowds.close(),
            None => {}
        }
    }

    /// What the link says of the crowd.
    #[inline(never)]
    pub(super) fn follow_crowd(&mut self, link: &Link) {
        let Some(session) = self.session.as_ref().filter(|_| link.crowd.is_some()) else { return };
        let accepted = crowd(self.lang, CrowdWord::BadLink);
        let strange = self.crowds.open(session, link.crowd.as_deref());
        self.banners.extend(strange.into_iter().map(|value| {
            let value = value.chars().take(60).collect();
            Banner::Param(Bad { name: "crowd", value, accepted: accepted.to_owned() })
        }));
    }
}
