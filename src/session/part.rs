//! The part of a lesson that may be used: all of it on the page itself, less if a course page has
//! embedded it. The session refuses everything outside, so that no key, link, button or message
//! leads there.

use super::Msg;
use super::mode::Mode;

/// A part of a lesson; [`Part::default`] is the whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// The modes that can be entered; `None`: all that the lesson has.
    pub modes: Option<Vec<Mode>>,
    /// The first step of the given run that is shown; `to` is the last one.
    pub from: usize,
    pub to: Option<usize>,
    /// True if a given run can be followed but not changed.
    pub readonly: bool,
    /// True if everything that would reveal the answer to a question or an exercise is withheld.
    pub exam: bool,
}

impl Part {
    pub fn has(&self, mode: Mode) -> bool {
        let wanted = self.modes.as_ref().is_none_or(|modes| modes.contains(&mode));
        wanted && !(self.readonly && mode == Mode::Edit)
    }

    /// Returns true if only some steps of a run are shown.
    pub fn is_fragment(&self) -> bool {
        self.from > 0 || self.to.is_some()
    }

    /// Returns true if this step of a given run can be made here.
    pub fn makes(&self, step: usize) -> bool {
        self.from < step && self.to.is_none_or(|to| step <= to)
    }

    /// Returns the first step that one can go back to.
    pub(super) fn floor(&self, mode: Mode) -> usize {
        let given = mode == Mode::Watch || (self.readonly && mode.is_free());
        if given { self.from } else { 0 }
    }

    /// Returns true if `msg` is allowed, in `mode` and with `variant` shown.
    pub(super) fn admits(&self, msg: &Msg, mode: Mode, variant: usize) -> bool {
        let free = || !self.readonly;
        match msg {
            // In a story these only follow it.
            Msg::Step(_) | Msg::Advance | Msg::Act(_) => mode == Mode::Watch || free(),
            Msg::RunClient(_) | Msg::Wire(_) | Msg::Random(_) | Msg::TakeBranch(_) => free(),
            Msg::NameRun(..) | Msg::RemoveRun(_) => free(),
            // Nothing is set beside a part of a run: what was cut off would be seen there.
            Msg::Compare(beside) => {
                beside.is_none() || (free() && !self.is_fragment() && !self.exam)
            }
            // A console turns a story into a run of one's own.
            Msg::Type(_) | Msg::Disconnect(_) => free() && self.has(Mode::Schedule),
            Msg::Back | Msg::Forward | Msg::Seek(_) | Msg::Reset => true,
            Msg::Foretell(_) | Msg::Skip => true,
            Msg::Mode(mode) => self.has(*mode),
            Msg::Variant(to) => {
                let told = mode == Mode::Watch && self.is_fragment();
                let leaves = told || mode == Mode::Break;
                free() && (!self.exam || *to == variant) && (!leaves || self.has(Mode::Schedule))
            }
            Msg::Walk(_) => !self.is_fragment() && !self.exam && free(),
            Msg::Open(_) => free() && self.has(Mode::Schedule),
            Msg::OpenIn { variant: to, .. } => {
                free() && self.has(Mode::Schedule) && (!self.exam || *to == variant)
            }
        }
    }
}
