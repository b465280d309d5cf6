//! A run on a real Redis: its buttons, the messages of its WebSockets, and its timers.

use super::*;
use crate::app::effect::{Proxy, Socket};
use crate::real::report::export as export_difference;
use crate::real::{Effect as ForWire, Heard, Pace, Phase, Runner, Said};
use crate::sim::ClientId;
use crate::text::{RealWord, real};
use crate::view::console::{Entry, EntryKind, Pane};

/// The storage name of the address used last. The token is not stored.
const ADDRESS: &str = "real.address";
/// The least width and height of a window that shows the replies at once, in px.
const ROOMY: (i32, i32) = (720, 600);

/// The dialog, and the connection while there is one.
#[derive(Debug, Default)]
pub struct Connection {
    /// The reason why the last attempt failed, in words.
    pub wrong: Option<String>,
    /// True if the dialog waits for the connection.
    asked: bool,
    pub address: String,
    pub pace: Pace,
    pub at: Option<Connected>,
    /// True if the replies are shown.
    pub open: bool,
    /// True if a run is played as soon as the page is connected.
    plays: bool,
    /// True if the dialog was opened to run a crowd.
    pub crowd: bool,
    /// The token given for the last crowd.
    token: Option<String>,
    /// True if lines typed at consoles go to the real server.
    console: bool,
}

#[derive(Debug)]
pub struct Connected {
    pub runner: Runner,
    pub address: String,
    token: String,
}

impl Shell {
    pub(super) fn real_input(&mut self, input: RealInput) {
        match input {
            RealInput::Dialog(open) => {
                // A dialog that the page closed says so later: what came meanwhile stays.
                if !open && !self.is_open(Window::Real) {
                    return;
                }
                self.show(Window::Real, open);
                let it = self.real.get_or_insert_default();
                if open && it.address.is_empty() {
                    it.address = self.host.stored(ADDRESS).unwrap_or_else(|| (self.host.proxy)());
                }
                if !open {
                    it.crowd = false;
                    it.wrong = None;
                    it.plays &= it.at.is_some();
                }
            }
            RealInput::Connect { address, token, pace } => {
                let lang = self.lang;
                let it = self.real.get_or_insert_default();
                if !(address.starts_with("ws://") || address.starts_with("wss://")) {
                    it.wrong = Some(real(lang, RealWord::AddressWrong).to_owned());
                    return;
                }
                let for_crowd = std::mem::take(&mut it.crowd);
                it.address = address;
                if for_crowd {
                    it.token = Some(token.clone());
                } else {
                    (it.pace, it.wrong, it.asked) = (pace, None, true);
                    let (width, height) = (self.host.window)();
                    it.open = width >= ROOMY.0 && height >= ROOMY.1;
                }
                let address = it.address.clone();
                if address != (self.host.proxy)() {
                    self.store(ADDRESS, &address);
                }
                if for_crowd {
                    self.close(Window::Real);
                    return self.crowd_on_servers();
                }
                self.connect_real(token);
            }
            RealInput::Disconnect => {
                if let Some(it) = &mut self.real {
                    (it.at, it.console, it.plays) = (None, false, false);
                    self.ask(Effect::HangUp(Socket::Run));
                }
            }
            RealInput::Again => {
                let now_ms = self.real_now_ms();
                let Some(it) = &mut self.real else { return };
                let Some(at) = &mut it.at else { return };
                match at.runner.phase() {
                    Phase::Stopped(_) => {
                        let token = at.token.clone();
                        self.connect_real(token);
                    }
                    _ => at.runner.again(now_ms),
                }
            }
            RealInput::Hurry => {
                let now_ms = self.real_now_ms();
                if let Some(at) = self.connected() {
                    at.runner.hurry(now_ms);
                }
            }
            RealInput::Export => self.export_difference(),
            RealInput::Fold => {
                if let Some(it) = &mut self.real {
                    it.open = !it.open;
                }
            }
            RealInput::Replay(schedule) => {
                self.session_input(Msg::Open(schedule));
                let connected = self.real.as_ref().is_some_and(|it| it.at.is_some());
                self.real.get_or_insert_default().plays = true;
                if !connected {
                    self.real_input(RealInput::Dialog(true));
                }
            }
            RealInput::Crowd => {
                let it = self.real.get_or_insert_default();
                let token = || it.at.as_ref().map(|at| at.token.clone());
                it.token = it.token.take().or_else(token);
                it.crowd = it.token.is_none();
                match it.crowd {
                    true => self.real_input(RealInput::Dialog(true)),
                    false => self.crowd_on_servers(),
                }
            }
            RealInput::Console(on) => {
                if let Some(it) = &mut self.real {
                    it.console = on && it.at.is_some();
                }
            }
        }
    }

    /// Runs the crowd on the proxy's servers. They are those of the run, whose keys the crowd
    /// removes: so the run lets go of them.
    fn crowd_on_servers(&mut self) {
        if self.connected().is_some() {
            self.real_input(RealInput::Disconnect);
        }
        let Some(it) = &self.real else { return };
        let token = it.token.clone().unwrap_or_default();
        self.run_on_servers(Proxy { address: it.address.clone(), token, lang: self.lang });
    }

    /// Records why a crowd could not start there; the next press asks for a token again.
    pub(super) fn refuse_crowd(&mut self, why: &str) {
        if let Some(it) = &mut self.real {
            (it.token, it.wrong) = (None, Some(why.to_owned()));
        }
    }

    fn connect_real(&mut self, token: String) {
        self.leave_servers();
        let lang = self.lang;
        let Some(it) = &mut self.real else { return };
        let address = it.address.clone();
        let proxy = Proxy { address: address.clone(), token: token.clone(), lang };
        it.at = Some(Connected { runner: Runner::new(it.pace), address, token });
        self.ask(Effect::Connect(Socket::Run, proxy));
    }

    fn connected(&mut self) -> Option<&mut Connected> {
        self.real.as_mut()?.at.as_mut()
    }

    /// Returns the time in ms, never 0, which the state machines of [`crate::real`] do not
    /// allow.
    pub(super) fn real_now_ms(&self) -> u64 {
        self.now_ms() + 1
    }

    /// Takes a message from a WebSocket. Returns whether there is something new to show.
    pub(super) fn socket_says(&mut self, socket: Socket, id: u32, heard: Heard) -> bool {
        match socket {
            Socket::Crowd => self.servers_say(id, heard),
            Socket::Run => {
                let now_ms = self.real_now_ms();
                let Some(at) = self.connected() else { return true };
                let gone = matches!(heard, Heard::Closed(_));
                at.runner.hear(id, heard, now_ms);
                if gone {
                    self.ask(Effect::Sockets(Socket::Run, vec![ForWire::Close { id }]));
                }
                true
            }
        }
    }

    /// Handles a timer of the real servers. Returns whether there is something new to show.
    pub(super) fn woken(&mut self, socket: Socket) -> bool {
        match socket {
            Socket::Crowd => self.wake_servers(),
            Socket::Run => {
                let now_ms = self.real_now_ms();
                if let Some(at) = self.connected() {
                    at.runner.wake(now_ms);
                }
                true
            }
        }
    }

    /// Lets the real servers follow the run that is shown. Call it after every change.
    pub(super) fn follow_real(&mut self) {
        if self.real.is_some() {
            self.follow_real_run();
        }
    }

    #[inline(never)]
    fn follow_real_run(&mut self) {
        let (lang, now_ms) = (self.lang, self.real_now_ms());
        let Some(it) = &mut self.real else { return };
        let Some(at) = &mut it.at else { return };
        if let Some(session) =
            self.lesson.run.session.as_ref().filter(|one| one.mode().is_stepped())
        {
            at.runner.aim(session.timeline(), now_ms);
        }
        let mut effects = vec![Effect::Sockets(Socket::Run, at.runner.take_effects())];
        let mut plays = false;
        let mut ends = false;
        match at.runner.phase() {
            Phase::Ready => {
                ends = std::mem::take(&mut it.asked);
                plays = std::mem::take(&mut it.plays);
            }
            // While the dialog is open, it says what is wrong with what was typed there.
            Phase::Stopped(trouble) if it.asked && at.runner.server.is_empty() => {
                it.wrong = Some(trouble.text(lang));
                it.asked = false;
                it.at = None;
                effects.push(Effect::HangUp(Socket::Run));
            }
            Phase::Stopped(_) => ends = std::mem::take(&mut it.asked),
            _ => {}
        }
        self.effects.extend(effects);
        if ends {
            self.close(Window::Real);
        }
        if plays && !self.lesson.run.playing {
            self.play();
        }
    }

    fn export_difference(&mut self) {
        let found = self.real.as_ref().and_then(|it| it.at.as_ref()?.runner.first());
        let (Some(found), Some(session)) = (found, &self.lesson.run.session) else { return };
        let (lesson, variant) = (session.lesson(), session.variant());
        let variant = lesson.variants.get(variant).map(|variant| variant.id.as_str());
        let text = export_difference(found, &lesson.id, variant.unwrap_or_default());
        let name = format!("{}-difference.json", lesson.id);
        self.save(name, "application/json", text);
    }

    // ---- Shown ----------------------------------------------------------------------------------

    pub fn is_real(&self) -> bool {
        self.real.as_ref().is_some_and(|it| it.at.is_some())
    }

    // ---- Consoles -------------------------------------------------------------------------------

    /// Returns whether console lines go to the real server; `None` if there is no connection.
    pub fn real_console(&self) -> Option<bool> {
        let it = self.real.as_ref()?;
        it.at.as_ref().map(|_| it.console)
    }

    /// Handles input at a console of the real server. Returns false if the simulator should handle
    /// it.
    pub(super) fn at_real_console(&mut self, what: &Do) -> bool {
        let nodes: Vec<(ClientId, usize)> = match &self.lesson.run.session {
            Some(session) => {
                let ids = self.lesson.console.panel.ids(session.timeline());
                ids.into_iter()
                    .map(|id| (id, self.lesson.console.panel.pane(session, id).node))
                    .collect()
            }
            None => Vec::new(),
        };
        let Some(it) = self.real.as_mut().filter(|it| it.console) else { return false };
        let Some(at) = &mut it.at else { return false };
        let number = |id: &ClientId| id.console_number().unwrap_or(1);
        match what {
            Do::Submit(id, lines) => {
                let node = nodes.iter().find(|(one, _)| one == id).map_or(0, |(_, node)| *node);
                for line in lines.iter().filter(|line| !line.trim().is_empty()) {
                    at.runner.type_line(number(id), node, line);
                    self.lesson.console.panel.history.push(line.clone());
                }
            }
            Do::Cancel(id) => at.runner.hang_up(number(id)),
            Do::Clear(id) => at.runner.clear_console(number(id)),
            _ => return false,
        }
        true
    }

    /// Returns a console's content as the real server gives it, or `pane` if lines go to the
    /// simulator.
    pub fn real_pane(&self, pane: Pane) -> Pane {
        let it = self.real.as_ref().filter(|it| it.console);
        let Some(at) = it.and_then(|it| it.at.as_ref()) else { return pane };
        let number = pane.id.console_number().unwrap_or(1);
        let prompt = "redis> ".to_owned();
        let entries = at.runner.said(number).enumerate().map(|(step, said)| {
            let (kind, text) = match said {
                Said::Typed(line) => (EntryKind::Typed(prompt.clone()), line.clone()),
                Said::Reply(reply) if reply.is_error() => (EntryKind::Error, reply.to_cli()),
                Said::Reply(reply) => (EntryKind::Reply, reply.to_cli()),
                Said::Gone(why) => (EntryKind::Said, why.clone()),
            };
            Entry { step, kind, text }
        });
        let (waiting, listening) = at.runner.console_state(number);
        let entries = entries.collect();
        Pane { entries, waiting, listening, prompt, ..pane }
    }
}
