//! Work in progress in a session: playing a run of a link or a search, running a client until it
//! stops. It is done in slices, so that the page responds meanwhile, even if the run of a
//! stranger's link is long; any input of the learner interrupts it.

use std::rc::Rc;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt};

use crate::sim::schedule::Playing;
use crate::sim::{Action, ClientId, Impossible, Run, Scenario, Timeline, World};

use super::{Beside, Notice, Session};

/// The length of a slice in ms, without the step that is in progress when it is over.
pub const SLICE_MS: f64 = 20.0;

#[derive(Debug)]
pub(super) enum Rest {
    /// Replaces the run shown by this one.
    Open(String, Then),
    /// Plays a run from the cursor on.
    Play(Playing, Then),
    /// Names the run shown.
    Name(String),
    /// Goes to the step of a link.
    Step(String),
    /// Makes the same run again with wire mode on or off: its steps from `at` to `last`, as far as
    /// they are possible.
    Translate { frames: Run, at: usize, last: usize },
    /// Keeps the run shown under this number and name, and goes to the start.
    Keep(u32, String),
    /// Runs a client for at most this number of steps.
    Client(ClientId, usize),
    /// Runs all clients in a random order, for at most this number of steps.
    Random(Box<ChaCha8Rng>, usize),
    /// Cuts the run to the session's part.
    Confine,
}

/// The use of a run that was played.
#[derive(Debug, Clone, Copy)]
pub(super) enum Then {
    /// Show it at its end.
    Stay,
    /// Show it at its start.
    Start,
    /// Keep it, and show it beside another one.
    Compare,
}

impl Rest {
    pub(super) fn play(text: &str, then: Then) -> Rest {
        Rest::Play(Playing::new(text), then)
    }
}

impl Session {
    /// Returns true if work is in progress: [`Session::go_on`] has to be called again.
    pub fn is_under_way(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Continues the work for a slice.
    pub fn go_on(&mut self) -> Vec<Notice> {
        let mut notices = Vec::new();
        let until = self.clock.map(|now_ms| (now_ms, now_ms() + SLICE_MS));
        while let Some(rest) = self.rest.pop_front() {
            notices.extend(self.a_bit(rest));
            if until.is_some_and(|(now_ms, until)| now_ms() >= until) {
                break;
            }
        }
        notices
    }

    /// Makes the same runs again in the other form (wire mode on or off), as far as that is
    /// possible: those that are kept, too.
    pub(super) fn set_wire(&mut self, wire: bool) {
        let old = if self.mode.is_free() { self.timeline() } else { &self.free[self.variant] };
        if old.world().setting().wire == wire {
            return;
        }
        let scenario = Rc::new(Scenario { wire, ..old.scenario().clone() });
        // It started in the other form, and the form makes no difference to that.
        let Ok(new) = old.restart(scenario) else { return };
        if !self.mode.is_free() {
            // By a link, which finds no run there.
            self.free[self.variant] = new;
            return;
        }
        let translate =
            |frames: &Run, last| Rest::Translate { frames: frames.clone(), at: 1, last };
        let kept = old.branches().iter().map(|kept| (kept.id, kept.name.as_str(), &kept.frames));
        let runs = kept.chain([(old.id(), old.name(), old.run())]);
        let mut rest: Vec<Rest> = runs
            .flat_map(|(id, name, frames)| {
                [translate(frames, frames.len()), Rest::Keep(id, name.to_owned())]
            })
            .collect();
        // The run shown once more, to the place of the cursor.
        rest.push(translate(old.run(), old.cursor()));
        *self.timeline_mut() = new;
        self.rest.extend(rest);
    }

    /// Abandons the work in progress.
    pub(super) fn leave_rest(&mut self) -> Option<Notice> {
        let is_run =
            |rest: &Rest| matches!(rest, Rest::Open(..) | Rest::Play(..) | Rest::Translate { .. });
        let left = self.rest.iter().any(is_run);
        self.rest.clear();
        left.then(|| Notice::Left { step: self.timeline().cursor() })
    }

    /// Does a step of `rest`; the rest of it becomes the next work.
    pub(super) fn a_bit(&mut self, rest: Rest) -> Vec<Notice> {
        let more = match rest {
            Rest::Open(text, then) => {
                let timeline = self.timeline_mut();
                if timeline.schedule() != text {
                    timeline.reset();
                }
                timeline.seek(0);
                Some(Rest::play(&text, then))
            }
            Rest::Play(mut playing, then) => match playing.go_on(self.timeline_mut()) {
                Some(Ok(())) => Some(Rest::Play(playing, then)),
                ended => {
                    let failed = ended.and_then(Result::err);
                    let timeline = self.timeline_mut();
                    let id = timeline.id();
                    match then {
                        Then::Stay => {}
                        Then::Start => timeline.seek(0),
                        Then::Compare => timeline.reset(),
                    }
                    if matches!(then, Then::Compare) && failed.is_none() {
                        self.beside = Some(Beside::Run(id));
                    }
                    return failed.map(Notice::Schedule).into_iter().collect();
                }
            },
            Rest::Name(name) => {
                let timeline = self.timeline_mut();
                timeline.set_name(timeline.id(), &name);
                None
            }
            Rest::Step(text) => {
                let last = self.timeline().len();
                let Ok(step) = text.parse() else { return vec![Notice::BadStep(text)] };
                self.timeline_mut().seek(step);
                let beyond = (step > last).then_some(Notice::StepBeyond { wanted: step, last });
                return beyond.into_iter().collect();
            }
            Rest::Translate { frames, at, last } => self.translate_next(frames, at, last),
            Rest::Keep(id, name) => {
                self.timeline_mut().keep_as(id, &name);
                None
            }
            Rest::Client(_, 0) | Rest::Random(_, 0) => None,
            Rest::Client(id, left) => match self.timeline().world().next_of(id) {
                Some(next) => match self.act(next) {
                    Some(notice) => return vec![notice],
                    None => Some(Rest::Client(id, left - 1)),
                },
                None => None,
            },
            Rest::Random(mut random, left) => {
                match pick(&self.timeline().world().enabled(), &mut random) {
                    Some(action) => match self.act(action) {
                        Some(notice) => return vec![notice],
                        None => Some(Rest::Random(random, left - 1)),
                    },
                    None => None,
                }
            }
            Rest::Confine => {
                let notices = self.confine_run();
                if self.part().readonly {
                    self.share_given();
                }
                return notices;
            }
        };
        if let Some(more) = more {
            self.rest.push_front(more);
        }
        Vec::new()
    }

    /// Makes step `at` of a run in the other form, and returns what is left of it.
    fn translate_next(&mut self, frames: Run, at: usize, last: usize) -> Option<Rest> {
        let wire = self.wire();
        let done = frames.get(at).filter(|_| at <= last).is_some_and(|frame| {
            let Some(token) = frame.token else { return true };
            let timeline = self.timeline_mut();
            match &frame.typed {
                Some(typed) => timeline.type_line(typed).is_ok(),
                None => translate(token.action, wire, timeline).is_ok(),
            }
        });
        done.then_some(Rest::Translate { frames, at: at + 1, last })
    }
}

/// Makes a step of a run in the other form.
fn translate(action: Action, wire: bool, timeline: &mut Timeline) -> Result<(), Impossible> {
    if !wire {
        return match action {
            Action::Send(_) | Action::Reply(_) | Action::Arrive(..) => Ok(()),
            Action::Execute(id) => timeline.step(Action::Step(id)),
            other => timeline.step(other),
        };
    }
    if let Action::Step(id) | Action::LoseReply(id) | Action::LoseRequest(id) | Action::Cancel(id) =
        action
        && timeline.world().possible(Action::Send(id)).is_ok()
    {
        timeline.step(Action::Send(id))?;
        if action != Action::LoseRequest(id) {
            timeline.step(Action::Execute(id))?;
        }
        if action != Action::Step(id) {
            timeline.step(action)?;
        }
    } else {
        timeline.step(action)?;
    }
    // Replies and messages arrive at once, as they did.
    for id in timeline.world().ids() {
        if timeline.world().possible(Action::Reply(id)).is_ok() {
            timeline.step(Action::Reply(id))?;
        }
        while let Some(connection) = arrival(timeline.world(), id) {
            timeline.step(Action::Arrive(id, connection))?;
        }
    }
    Ok(())
}

/// Returns a connection of the client on which a message can arrive.
fn arrival(world: &World, id: ClientId) -> Option<u8> {
    world.client(id)?.arrivals().next()
}

/// Picks a random client that can go on; time or a repair only if there is none. No fault happens
/// at random.
fn pick(enabled: &[Action], random: &mut impl Rng) -> Option<Action> {
    let steps: Vec<Action> =
        enabled.iter().copied().filter(|action| action.runs().is_some()).collect();
    if steps.is_empty() {
        return enabled.iter().copied().find(|action| !action.is_fault());
    }
    // u32, so that 32-bit wasm draws the same numbers as native code.
    let drawn = random.random_range(0..steps.len() as u32);
    steps.get(drawn as usize).copied()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;
    use std::rc::Rc;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::Msg;
    use crate::session::link::Link;

    thread_local! {
        static NOW_MS: Cell<f64> = const { Cell::new(0.0) };
    }

    /// Each look at it takes as long as a slice.
    fn slow() -> f64 {
        NOW_MS.with(|now_ms| now_ms.replace(now_ms.get() + SLICE_MS))
    }

    fn open(link: &str) -> (Session, Vec<Notice>) {
        let lesson = read_folder(Path::new("static/lessons/lost-update")).unwrap();
        Session::open_with(Rc::new(lesson), &Link::parse(link), Some(slow)).unwrap()
    }

    #[test]
    fn no_run_of_a_link_is_played_over_a_story() {
        let told = open("mode=watch").0.timeline().schedule();
        let (session, _) = open("mode=watch&schedule=B1&compare=A1");
        assert!(!session.is_under_way());
        assert_eq!(session.timeline().schedule(), told);
    }

    #[test]
    fn a_run_of_a_link_is_played_in_slices() {
        let (mut session, notices) = open("mode=schedule&schedule=A1.B1.A2.B2&step=9");
        assert!(session.is_under_way() && notices.is_empty());
        let mut told = Vec::new();
        let mut slices = 1;
        while session.is_under_way() {
            told.extend(session.go_on());
            slices += 1;
        }
        // Four steps, the end of them, and the step of the link.
        assert_eq!(slices, 6);
        assert_eq!(told, [Notice::StepBeyond { wanted: 9, last: 4 }]);
        assert_eq!(session.timeline().schedule(), "A1.B1.A2.B2");
        assert_eq!(session.timeline().cursor(), 4);
    }

    #[test]
    fn a_press_ends_what_is_under_way() {
        let (mut session, _) = open("mode=schedule&schedule=A1.B1.A2.B2");
        session.go_on();
        assert_eq!(session.update(Msg::Back), Some(Notice::Left { step: 2 }));
        assert!(!session.is_under_way());
        assert_eq!((session.timeline().cursor(), session.timeline().len()), (1, 2));
        // Other work in slices has no promised end, so leaving it gives no notice.
        session.update(Msg::Random(1));
        assert!(session.is_under_way());
        assert_eq!(session.update(Msg::Back), None);
    }

    #[test]
    fn another_run_is_played_before_the_one_that_is_shown() {
        let (mut session, _) = open("mode=schedule&compare=A1.A2&schedule=B1.B2&step=1");
        while session.is_under_way() {
            assert_eq!(session.go_on(), []);
        }
        assert_eq!(
            (session.timeline().schedule().as_str(), session.timeline().cursor()),
            ("B1.B2", 1)
        );
        assert!(matches!(session.beside(), Some(Beside::Run(_))));
        assert_eq!(session.timeline().branches()[0].schedule(), "A1.A2");
    }
}
