//! A run on a real Redis: what is pressed for it, what its WebSockets say, and time.

use super::*;
use crate::sim::ClientId;
use crate::text::{RealWord, real};
use crate::ui::real::dialog::{RealForm, RealFormProps};
use crate::ui::real::panel::{PanelProps, panel, trouble_words};
use crate::ui::real::wires::{Wires, own_address};
use crate::view::console::{Entry, EntryKind, Pane};
use crate::view::real::report::export as export_difference;
use crate::view::real::{Heard, Pace, Phase, Runner, Said};

/// Where the address that was last used is kept. The token is not.
const ADDRESS: &str = "real.address";

/// What arrives.
#[derive(Debug)]
pub enum RealEvent {
    Heard(u32, Heard),
    Woken,
}

/// The dialog, and the connection while there is one.
#[derive(Default)]
pub(in crate::ui) struct Real {
    dialog: bool,
    wrong: Option<String>,
    /// The dialog waits for what it asked for.
    asked: bool,
    address: String,
    pace: Pace,
    at: Option<Connected>,
    open: bool,
    /// A run is to be played as soon as it is connected.
    plays: bool,
    /// The dialog asks for a crowd's sake.
    crowd: bool,
    /// What the last crowd gave.
    token: Option<String>,
    pub console: bool,
}

struct Connected {
    runner: Runner,
    wires: Wires,
    token: String,
    timer: Option<Timeout>,
}

pub(super) fn now_ms() -> u64 {
    browser::now_ms() as u64 + 1
}

impl App {
    pub(super) fn real_input(&mut self, ctx: &Context<Self>, input: RealInput) {
        match input {
            RealInput::Dialog(open) => {
                let it = self.real.get_or_insert_default();
                // A dialog that the page closed says so later: what came meanwhile stays.
                if !open && !it.dialog {
                    return;
                }
                it.dialog = open;
                if open && it.address.is_empty() {
                    it.address = browser::stored(ADDRESS).unwrap_or_else(own_address);
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
                if address != own_address() {
                    browser::store(ADDRESS, &address);
                }
                if it.crowd {
                    (it.address, it.token, it.dialog) = (address, Some(token), false);
                    it.crowd = false;
                    return self.crowd_on_servers(ctx);
                }
                (it.address, it.pace, it.wrong, it.asked) = (address, pace, None, true);
                it.open = browser::window_size().0 >= 720 && browser::window_size().1 >= 600;
                self.connect_real(ctx, &token);
            }
            RealInput::Disconnect => {
                if let Some(it) = &mut self.real {
                    (it.at, it.console, it.plays) = (None, false, false);
                }
            }
            RealInput::Again => {
                let Some(it) = &mut self.real else { return };
                let Some(at) = &mut it.at else { return };
                match at.runner.phase() {
                    Phase::Stopped(_) => {
                        let token = at.token.clone();
                        self.connect_real(ctx, &token);
                    }
                    _ => at.runner.again(now_ms()),
                }
            }
            RealInput::Hurry => {
                if let Some(at) = self.real.as_mut().and_then(|it| it.at.as_mut()) {
                    at.runner.hurry(now_ms());
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
                    self.real_input(ctx, RealInput::Dialog(true));
                }
            }
            RealInput::Crowd => {
                let it = self.real.get_or_insert_default();
                let token = || it.at.as_ref().map(|at| at.token.clone());
                it.token = it.token.take().or_else(token);
                it.crowd = it.token.is_none();
                match it.crowd {
                    true => self.real_input(ctx, RealInput::Dialog(true)),
                    false => self.crowd_on_servers(ctx),
                }
            }
            RealInput::Console(on) => {
                if let Some(it) = &mut self.real {
                    it.console = on && it.at.is_some();
                }
            }
        }
    }

    fn crowd_on_servers(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        let hear = Callback::from(move |(id, heard)| {
            link.send_message(Event::Servers(RealEvent::Heard(id, heard)));
        });
        let Some(it) = &mut self.real else { return };
        let token = it.token.clone().unwrap_or_default();
        let wires = Wires::new(&it.address, &token, self.lang, hear);
        self.run_on_servers(ctx, wires);
    }

    /// A crowd could not begin there: the next press asks again.
    pub(super) fn refuse_crowd(&mut self, why: &str) {
        if let Some(it) = &mut self.real {
            (it.token, it.wrong) = (None, Some(why.to_owned()));
        }
    }

    fn connect_real(&mut self, ctx: &Context<Self>, token: &str) {
        let link = ctx.link().clone();
        let hear = Callback::from(move |(id, heard)| {
            link.send_message(Event::Real(RealEvent::Heard(id, heard)));
        });
        let lang = self.lang;
        let Some(it) = &mut self.real else { return };
        let wires = Wires::new(&it.address, token, lang, hear);
        let token = token.to_owned();
        it.at = Some(Connected { runner: Runner::new(it.pace), wires, token, timer: None });
    }

    pub(super) fn real_event(&mut self, event: RealEvent) {
        let Some(at) = self.real.as_mut().and_then(|it| it.at.as_mut()) else { return };
        match event {
            RealEvent::Heard(id, heard) => {
                let gone = matches!(heard, Heard::Closed(_));
                at.runner.hear(id, heard, now_ms());
                if gone {
                    at.wires.close(id);
                }
            }
            RealEvent::Woken => at.runner.wake(now_ms()),
        }
    }

    /// Lets the real servers follow what is shown. To be called after every change.
    #[inline(never)]
    pub(super) fn follow_real(&mut self, ctx: &Context<Self>) {
        let lang = self.lang;
        let Some(it) = &mut self.real else { return };
        let Some(at) = &mut it.at else { return };
        if let Some(session) = self.run.session.as_ref().filter(|one| one.mode().is_stepped()) {
            at.runner.aim(session.timeline(), now_ms());
        }
        if let Some(ms) = at.wires.carry_out(at.runner.take_effects()) {
            let link = ctx.link().clone();
            let wake = move || link.send_message(Event::Real(RealEvent::Woken));
            at.timer = Some(Timeout::new(ms, wake));
        }
        let mut plays = false;
        match at.runner.phase() {
            Phase::Ready => {
                it.dialog &= !std::mem::take(&mut it.asked);
                plays = std::mem::take(&mut it.plays);
            }
            // While the dialog is open, it says what is wrong with what was typed there.
            Phase::Stopped(trouble) if it.asked && at.runner.server.is_empty() => {
                it.wrong = Some(trouble_words(trouble, lang));
                it.asked = false;
                it.at = None;
            }
            Phase::Stopped(_) => it.dialog &= !std::mem::take(&mut it.asked),
            _ => {}
        }
        if plays && !self.run.playing {
            self.play(ctx);
        }
    }

    fn export_difference(&mut self) {
        let found = self.real.as_ref().and_then(|it| it.at.as_ref()?.runner.first());
        let (Some(found), Some(session)) = (found, &self.run.session) else { return };
        let (lesson, variant) = (session.lesson(), session.variant());
        let variant = lesson.variants.get(variant).map(|variant| variant.id.as_str());
        let text = export_difference(found, &lesson.id, variant.unwrap_or_default());
        let name = format!("{}-difference.json", lesson.id);
        self.saved(picture::save(&name, "application/json", &text).is_ok());
    }

    // ---- Shown ----------------------------------------------------------------------------------

    pub(super) fn real_asks(&self) -> bool {
        self.real.as_ref().is_some_and(|it| it.dialog)
    }

    /// The way in, beside a run.
    pub(in crate::ui) fn is_real(&self) -> bool {
        self.real.as_ref().is_some_and(|it| it.at.is_some())
    }

    #[inline(never)]
    pub(in crate::ui) fn real_panel(&self, on: &Callback<Input>) -> Html {
        let Some(it) = &self.real else { return Html::default() };
        let Some(at) = &it.at else { return Html::default() };
        panel(&PanelProps {
            lang: self.lang,
            runner: &at.runner,
            address: &at.wires.address,
            open: it.open,
            on,
        })
    }

    #[inline(never)]
    pub(super) fn real_dialog(&self, on: &Callback<Input>) -> Html {
        let Some(it) = &self.real else { return Html::default() };
        let frame = Frame {
            class: "real-dialog",
            label: real(self.lang, RealWord::Title),
            on_close: on.reform(|()| Input::Real(RealInput::Dialog(false))),
            forgets: false,
        };
        let props = it.dialog.then(|| RealFormProps {
            lang: self.lang,
            address: it.address.clone(),
            pace: it.pace,
            crowd: it.crowd,
            wrong: it.wrong.clone(),
            on: on.clone(),
        });
        dialog(frame, props, |props| html! { <RealForm ..props.clone() /> })
    }

    // ---- Consoles -------------------------------------------------------------------------------

    /// Whether lines go to the real server; `None` where there is no choice.
    pub(in crate::ui) fn real_console(&self) -> Option<bool> {
        let it = self.real.as_ref()?;
        it.at.as_ref().map(|_| it.console)
    }

    /// What is done at a console of the real server. False where it is the simulator's affair.
    pub(super) fn at_real_console(&mut self, what: &Do) -> bool {
        let nodes: Vec<(ClientId, usize)> = match &self.run.session {
            Some(session) => {
                let ids = self.console.ids(session.timeline());
                ids.into_iter().map(|id| (id, self.console.pane(session, id).node)).collect()
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
                    self.console.history.push(line.clone());
                }
            }
            Do::Cancel(id) => at.runner.hang_up(number(id)),
            Do::Clear(id) => at.runner.clear_console(number(id)),
            _ => return false,
        }
        true
    }

    /// A console as it stands at the real server.
    pub(in crate::ui) fn real_pane(&self, pane: Pane) -> Pane {
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
