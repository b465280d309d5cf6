//! A machine of the page with real WebSockets to a proxy.

use std::time::{Duration, Instant};

use interleave::real::crowd::{RealCrowd, RealPhase};
use interleave::real::{Effect, Heard, Pace, Phase, Runner};
use interleave::sim::Timeline;

use super::client::{Frame, PATIENCE, Proxy, Socket};

/// What is driven: it says what to send, and is told what came and what time it is.
pub trait Machine {
    fn take_effects(&mut self) -> Vec<Effect>;
    fn hear(&mut self, id: u32, heard: Heard, now_ms: u64);
    fn wake(&mut self, now_ms: u64);
    fn rests(&self) -> bool;
}

impl Machine for Runner {
    fn take_effects(&mut self) -> Vec<Effect> {
        self.take_effects()
    }

    fn hear(&mut self, id: u32, heard: Heard, now_ms: u64) {
        self.hear(id, heard, now_ms);
    }

    fn wake(&mut self, now_ms: u64) {
        self.wake(now_ms);
    }

    fn rests(&self) -> bool {
        matches!(self.phase(), Phase::Ready | Phase::Stopped(_))
    }
}

impl Machine for RealCrowd {
    fn take_effects(&mut self) -> Vec<Effect> {
        self.take_effects()
    }

    fn hear(&mut self, id: u32, heard: Heard, now_ms: u64) {
        self.hear(id, heard, now_ms);
    }

    fn wake(&mut self, now_ms: u64) {
        self.wake(now_ms);
    }

    fn rests(&self) -> bool {
        matches!(self.phase(), RealPhase::Done | RealPhase::Stopped(_))
    }
}

pub struct Host<'p, M> {
    proxy: &'p Proxy,
    visitor: String,
    pub machine: M,
    sockets: Vec<(u32, Socket)>,
    began: Instant,
    wake: Option<u64>,
}

impl<'p> Host<'p, Runner> {
    pub fn new(proxy: &'p Proxy, visitor: &str, pace: Pace) -> Host<'p, Runner> {
        Host::of(proxy, visitor, Runner::new(pace))
    }

    /// Goes on until the run is done, or cannot go on.
    pub fn follow(&mut self, timeline: &Timeline) {
        let now = self.now();
        self.machine.aim(timeline, now);
        self.go_on();
    }
}

impl<'p, M: Machine> Host<'p, M> {
    pub fn of(proxy: &'p Proxy, visitor: &str, machine: M) -> Host<'p, M> {
        let (visitor, began) = (visitor.to_owned(), Instant::now());
        Host { proxy, visitor, machine, sockets: Vec::new(), began, wake: None }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64 + 1
    }

    /// Goes on until the machine rests.
    pub fn go_on(&mut self) {
        let began = Instant::now();
        loop {
            self.effects();
            if self.machine.rests() {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "it does not come to an end");
            if self.wake.is_some_and(|at| self.now() >= at) {
                self.wake = None;
                self.machine.wake(self.now());
            }
            for at in 0..self.sockets.len() {
                let Some((id, socket)) = self.sockets.get_mut(at) else { break };
                let id = *id;
                if let Some(frame) = socket.next_within(Duration::from_micros(200)) {
                    let heard = match frame {
                        Frame::Binary(bytes) => Heard::Bytes(bytes),
                        Frame::Text(text) => Heard::Text(text),
                        Frame::Close(_, why) => Heard::Closed(why),
                        Frame::Cut => Heard::Closed("cut".into()),
                    };
                    if matches!(heard, Heard::Closed(_)) {
                        self.sockets.remove(at);
                    }
                    let now = self.now();
                    self.machine.hear(id, heard, now);
                    // At once: who is heard first must not be the only one to go on.
                    self.effects();
                }
            }
        }
    }

    fn effects(&mut self) {
        for effect in self.machine.take_effects() {
            let find =
                |id: u32, all: &mut Vec<(u32, Socket)>| all.iter().position(|(one, _)| *one == id);
            match effect {
                Effect::Open { id, node } => {
                    let query = format!("visitor={}&node={node}", self.visitor);
                    self.sockets.push((id, self.proxy.open(&query)));
                }
                Effect::Bytes { id, bytes } => {
                    if let Some(at) = find(id, &mut self.sockets) {
                        self.sockets[at].1.frame(2, &bytes);
                    }
                }
                Effect::Text { id, text } => {
                    if let Some(at) = find(id, &mut self.sockets) {
                        self.sockets[at].1.frame(1, text.as_bytes());
                    }
                }
                Effect::Close { id } => {
                    if let Some(at) = find(id, &mut self.sockets) {
                        self.sockets[at].1.frame(8, &[]);
                        self.sockets.remove(at);
                    }
                }
                Effect::Wake { ms } => self.wake = Some(self.now() + u64::from(ms)),
            }
        }
    }
}
