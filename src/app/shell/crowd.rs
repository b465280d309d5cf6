//! Handles the buttons of Crowd and the messages of its workers.

use std::collections::VecDeque;

use super::*;
use crate::app::crowd::Heard;
use crate::app::effect::{Proxy, Socket};
use crate::jobs::crowd::Which;
use crate::real::crowd::{RealCrowd, RealPhase};
use crate::real::{Effect as ForWire, Heard as FromWire};
use crate::view::crowd::csv::csv;
use crate::view::crowd::{Crowding, RealState};

/// Windows narrower than this, in px, have the narrow layout; the same as in crowd.css.
pub(super) const NARROW: i32 = 720;
/// Selects the charts of the latest sweep.
const SWEPT: &str = ".crowd-sweep.is-last";
/// The number of runs of each variant on real servers.
const REAL_RUNS: u32 = 5;

/// A crowd on real servers.
#[derive(Debug)]
pub(in crate::app) struct OnServers {
    machine: RealCrowd,
    variant: usize,
    waiting: VecDeque<usize>,
}

impl Shell {
    #[inline(never)]
    pub(super) fn crowd_input(&mut self, input: CrowdInput) {
        let text = self.lesson.searches.text().clone();
        match input {
            CrowdInput::Run(which) => {
                let machine = self.machine();
                self.lesson.crowds.run(&text, which, &machine);
                // Where all is one column, what comes out stands below the form.
                if (self.host.window)().0 < NARROW {
                    self.reveal(".crowd-results");
                }
            }
            CrowdInput::Stop => {
                self.lesson.crowds.stop();
                self.leave_servers();
            }
            CrowdInput::Real => {
                self.lesson.crowds.bound();
                self.real_input(RealInput::Crowd);
            }
            CrowdInput::Set(name, text) => self.lesson.crowds.change(|at| at.form.set(name, &text)),
            CrowdInput::Reset => self.lesson.crowds.change(|at| at.form.reset()),
            CrowdInput::Toggle(variant) => self.lesson.crowds.change(|at| at.form.toggle(variant)),
            CrowdInput::Measure(measure) => self.lesson.crowds.change(|at| at.measure = measure),
            CrowdInput::Look(variant, seed) => self.lesson.crowds.reduce(&text, variant, seed),
            CrowdInput::Save(which) => {
                let Some(at) = self.lesson.crowds.get() else { return };
                let what = match which {
                    Which::Form => "crowd",
                    Which::Clients => "sweep",
                    Which::Down => "down",
                };
                let name = format!("{}-{what}.csv", at.lesson().id);
                let text = csv(at, which);
                self.save(name, "text/csv;charset=utf-8", text);
            }
        }
    }

    /// Takes a worker's answer. Returns whether there is something new to show.
    #[inline(never)]
    pub(super) fn crowd_says(&mut self, hand: usize, answer: Answer) -> bool {
        let swept = |app: &Shell| app.lesson.crowds.get().map_or(0, Crowding::sweeps_shown);
        let before = swept(self);
        let machine = self.machine();
        let heard = self.lesson.crowds.hear(hand, answer, &machine);
        // What comes out of a sweep stands below the table, and could not be seen.
        let begins = swept(self) > before;
        if begins {
            self.reveal(SWEPT);
        }
        match heard {
            Heard::Nothing | Heard::Quiet => begins,
            Heard::News | Heard::Over => true,
            Heard::Reduced(variant, schedule) => {
                self.session_input(Msg::OpenIn { variant, schedule, to_end: false });
                true
            }
        }
    }

    /// Prepares the crowd in the mode Crowd; ends it in other modes.
    pub(super) fn settle_crowd(&mut self) {
        match &self.lesson.run.session {
            Some(session) if session.mode() == Mode::Crowd => {
                self.lesson.crowds.open(session, None);
                if self.may_begin(session) {
                    let text = self.lesson.searches.text().clone();
                    let machine = self.machine();
                    self.lesson.crowds.run_by_itself(&text, &machine);
                }
            }
            Some(_) => {
                self.lesson.crowds.stop();
                self.leave_servers();
            }
            None if self.lesson.crowds.get().is_some() => self.lesson.crowds.close(),
            None => {}
        }
    }

    /// Reads the crowd's form from the link.
    #[inline(never)]
    pub(super) fn follow_crowd(&mut self, link: &Link) {
        let Some(session) = self.lesson.run.session.as_ref().filter(|_| link.crowd.is_some())
        else {
            return;
        };
        let accepted = crowd(self.lang, CrowdWord::BadLink);
        let strange = self.lesson.crowds.open(session, link.crowd.as_deref());
        self.banners.extend(strange.into_iter().map(|value| {
            let value = value.chars().take(60).collect();
            Banner::Param(Bad { name: "crowd", value, accepted: accepted.to_owned() })
        }));
    }

    // ---- On real servers ------------------------------------------------------------------------

    /// Runs the form's crowd in the simulator and on real servers.
    pub(super) fn run_on_servers(&mut self, proxy: Proxy) {
        let text = self.lesson.searches.text().clone();
        let bounded = self.lesson.crowds.get().and_then(|at| at.real.bounded);
        let machine = self.machine();
        self.lesson.crowds.run(&text, Which::Form, &machine);
        self.lesson.crowds.change(|at| {
            at.real.bounded = bounded;
            at.real.state = RealState::Connecting;
        });
        let variants =
            self.lesson.crowds.get().map(|at| at.asked().variants.clone()).unwrap_or_default();
        self.ask(Effect::Connect(Socket::Crowd, proxy));
        self.go_to_servers(variants.into(), 0);
    }

    /// Starts the next variant on real servers, or ends the crowd if none is left.
    fn go_to_servers(&mut self, mut waiting: VecDeque<usize>, last_id: u32) {
        let Some(variant) = waiting.pop_front() else {
            self.lesson.crowds.change(|at| at.real.state = RealState::Done);
            return;
        };
        let now_ms = self.real_now_ms();
        let Some(at) = self.lesson.crowds.get() else { return };
        let machine = at.plan(variant).ok_or_else(String::new).and_then(|plan| {
            let (_, job) = at.lesson().crowd_of(variant)?;
            RealCrowd::new(&plan, &job, REAL_RUNS, last_id, now_ms)
        });
        match machine {
            Ok(machine) => {
                self.lesson.servers = Some(OnServers { machine, variant, waiting });
                self.follow_servers();
            }
            Err(why) => self.lesson.crowds.change(|at| at.real.state = RealState::Stopped(why)),
        }
    }

    pub(super) fn leave_servers(&mut self) {
        if self.lesson.servers.take().is_some() {
            self.ask(Effect::HangUp(Socket::Crowd));
            let stopped = tr(self.lang, Key::FindStop).to_owned();
            self.lesson.crowds.change(|at| at.real.state = RealState::Stopped(stopped));
        }
    }

    /// Takes a message from one of the crowd's WebSockets. Returns whether there is something new
    /// to show.
    #[inline(never)]
    pub(super) fn servers_say(&mut self, id: u32, heard: FromWire) -> bool {
        let now_ms = self.real_now_ms();
        let Some(on) = &mut self.lesson.servers else { return false };
        let gone = matches!(heard, FromWire::Closed(_));
        on.machine.hear(id, heard, now_ms);
        if gone {
            self.ask(Effect::Sockets(Socket::Crowd, vec![ForWire::Close { id }]));
        }
        self.follow_servers()
    }

    pub(super) fn wake_servers(&mut self) -> bool {
        let now_ms = self.real_now_ms();
        let Some(on) = &mut self.lesson.servers else { return false };
        on.machine.wake(now_ms);
        self.follow_servers()
    }

    fn follow_servers(&mut self) -> bool {
        let Some(on) = &mut self.lesson.servers else { return false };
        self.effects.push(Effect::Sockets(Socket::Crowd, on.machine.take_effects()));
        let variant = on.variant;
        let (found, runs) = on.machine.found();
        let found = found.to_vec();
        let state = match on.machine.phase() {
            RealPhase::Connecting => RealState::Connecting,
            RealPhase::Running => RealState::Running(variant, found.len() + 1, runs),
            RealPhase::Done => RealState::Done,
            RealPhase::Stopped(why) => RealState::Stopped(why.clone()),
        };
        let mut news = false;
        self.lesson.crowds.change(|at| {
            news = at.real.state != state;
            match at.real.runs.iter_mut().find(|(known, _)| *known == variant) {
                Some((_, runs)) => *runs = found,
                None => at.real.runs.push((variant, found)),
            }
            at.real.state = state.clone();
        });
        match state {
            RealState::Stopped(why) => {
                let connected = !on.machine.server.is_empty();
                self.lesson.servers = None;
                self.ask(Effect::HangUp(Socket::Crowd));
                if !connected {
                    self.refuse_crowd(&why);
                }
            }
            RealState::Done => {
                if let Some(on) = self.lesson.servers.take() {
                    self.ask(Effect::CloseAll(Socket::Crowd));
                    self.go_to_servers(on.waiting, on.machine.last_id());
                }
            }
            _ => {}
        }
        news
    }
}
