//! The one place where the page's effects are carried out: storage, clipboard, files, timers,
//! workers, WebSockets, the address, the document, the course page.
//!
//! The later result of an effect is an event. To add an effect: its variant in
//! [`crate::app::effect`], its arm in [`Runtime::carry_out`].

use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use crate::app::effect::{Effect, Proxy, Socket, Timer, ToCourse};
use crate::app::event::Event;
use crate::app::host::Host;
use crate::app::shell;
use crate::real;
use crate::view::embed::Embed;

use super::embed::post::Post;
use super::real::wires::{self, Wires};
use super::shelf::{self, Local};
use super::workers::Workers;
use super::{browser, offline, picture};

/// The browser, for [`crate::app`].
pub const HOST: Host = Host {
    now_ms: browser::now_ms,
    today: browser::today,
    seed: browser::seed,
    cores: browser::cores,
    is_touch: browser::is_touch,
    is_calm: browser::is_calm,
    is_whole: browser::is_whole,
    window: browser::window_size,
    fragment: browser::fragment,
    address_with: browser::address_with,
    address: browser::address,
    proxy: wires::own_address,
    languages: browser::languages,
    shelf: &Local,
};

/// The changes that the page must handle after its effects are carried out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Came {
    /// The fragment of the address, if it was written.
    pub written: Option<String>,
    /// True if the address was changed and should be followed.
    pub is_moved: bool,
}

pub struct Runtime {
    hear: Callback<Event>,
    workers: Workers,
    /// The running timers, at most one of each name.
    timers: Vec<(Timer, Timeout)>,
    /// The WebSockets of the run, and those of the crowd.
    wires: [Option<Wires>; 2],
    /// `None` if no page is around this one.
    post: Option<Post>,
}

impl Runtime {
    /// `asked`: the page is in a course page, which asks for this.
    pub fn new(asked: Option<&Embed>, hear: Callback<Event>) -> Runtime {
        let heard = hear.clone();
        let workers = Workers::new(move |number, answer| heard.emit(Event::Heard(number, answer)));
        let heard = hear.clone();
        let said = move |text, origin| heard.emit(Event::Parent(text, origin));
        let post = asked.and_then(|asked| Post::new(asked, said));
        Runtime { hear, workers, timers: Vec::new(), wires: [None, None], post }
    }

    /// Starts watching the page's height, after it was drawn for the first time.
    pub fn observe(&self) {
        if let Some(post) = &self.post {
            post.observe();
        }
    }

    pub fn workers(&self) -> shell::Workers {
        let (are_idle, are_beside) = (self.workers.is_idle(), self.workers.is_beside());
        shell::Workers { are_idle, are_beside }
    }

    pub fn carry_out(&mut self, effects: Vec<Effect>) -> Came {
        let mut came = Came::default();
        for effect in effects {
            match effect {
                Effect::Worker(effect) => self.workers.carry_out(effect),
                Effect::Time(timer, ms) => self.time(timer, ms),
                Effect::Load(wanted) => {
                    let hear = self.hear.clone();
                    spawn_local(async move {
                        let text = browser::load(wanted.path()).await;
                        hear.emit(Event::Loaded(wanted, text));
                    });
                }
                Effect::Store(name, value) => {
                    browser::store(&name, &value);
                }
                Effect::Copy(what, text) => {
                    let hear = self.hear.clone();
                    spawn_local(async move {
                        hear.emit(Event::Copied(what, browser::copy(text).await));
                    });
                }
                Effect::Address { fragment, turns } => {
                    match turns {
                        true => browser::push_fragment(&fragment),
                        false => browser::replace_fragment(&fragment),
                    }
                    came.written = Some(browser::fragment());
                }
                Effect::Title(title) => browser::set_title(&title),
                Effect::ToTop => {
                    Timeout::new(0, browser::to_top).forget();
                }
                Effect::Root(name, value) => browser::set_root(name, &value),
                Effect::Save { name, kind, bytes } => {
                    self.saved(picture::save(&name, kind, &bytes).is_ok());
                }
                Effect::Picture { name, png } => self.picture(name, png),
                Effect::Force(fragment) => {
                    browser::go_to_fragment(&fragment);
                    came.is_moved = true;
                }
                Effect::Go(fragment) => browser::go(&fragment),
                Effect::Reveal(selector) => {
                    Timeout::new(0, move || browser::show(&selector)).forget();
                }
                Effect::Focus(selector) => {
                    Timeout::new(0, move || browser::focus(selector)).forget();
                }
                Effect::Press(selector) => browser::press(selector),
                // After what is open has been drawn as closed.
                Effect::Print => {
                    Timeout::new(0, browser::print).forget();
                }
                Effect::Guard => shelf::guard(),
                Effect::Renew => offline::renew(),
                Effect::KeepCopy(keep) => offline::keep_copy(keep),
                Effect::Course(word) => self.tell(word),
                Effect::Connect(socket, proxy) => self.connect(socket, &proxy),
                Effect::Sockets(socket, effects) => self.on_sockets(socket, effects),
                Effect::CloseAll(socket) => self.close_all(socket),
                Effect::HangUp(socket) => self.hang_up(socket),
            }
        }
        came
    }

    fn close_all(&mut self, socket: Socket) {
        if let Some(wires) = self.wires_of(socket) {
            wires.close_all();
        }
        self.time(Timer::Real(socket), None);
    }

    fn hang_up(&mut self, socket: Socket) {
        self.wires[socket as usize] = None;
        self.time(Timer::Real(socket), None);
    }

    /// Sets or cancels a timer.
    pub fn time(&mut self, timer: Timer, ms: Option<u32>) {
        self.timers.retain(|(one, _)| *one != timer);
        if let Some(ms) = ms {
            let hear = self.hear.clone();
            let ends = Timeout::new(ms, move || hear.emit(Event::Time(timer)));
            self.timers.push((timer, ends));
        }
    }

    fn saved(&self, done: bool) {
        self.hear.emit(Event::Saved(done));
    }

    fn picture(&self, name: String, png: bool) {
        match picture::diagram() {
            None => self.saved(false),
            Some(drawing) if !png => self.saved(drawing.save_svg(&name).is_ok()),
            Some(drawing) => {
                let hear = self.hear.clone();
                spawn_local(async move {
                    hear.emit(Event::Saved(drawing.save_png(name).await.is_ok()));
                });
            }
        }
    }

    fn tell(&mut self, word: ToCourse) {
        let Some(post) = &mut self.post else { return };
        match word {
            ToCourse::Tell(message) => post.tell(&message),
            ToCourse::Confide(message) => post.confide(&message),
            ToCourse::Answer(message, origin) => post.answer(&message, &origin),
            ToCourse::GreetedBy(origin, window) => post.greeted_by(&origin, window),
            ToCourse::H5pGreeted => post.h5p_greeted(),
            ToCourse::Sink => post.sink(),
            // The others may change it.
            ToCourse::Paper => {}
        }
        if browser::is_whole() {
            post.tell_paper();
        }
    }

    // ---- WebSockets -----------------------------------------------------------------------------

    fn wires_of(&mut self, socket: Socket) -> Option<&mut Wires> {
        self.wires[socket as usize].as_mut()
    }

    fn connect(&mut self, socket: Socket, proxy: &Proxy) {
        let hear = self.hear.reform(move |(id, heard)| Event::Socket(socket, id, heard));
        let wires = Wires::new(&proxy.address, &proxy.token, proxy.lang, hear);
        self.wires[socket as usize] = Some(wires);
        self.time(Timer::Real(socket), None);
    }

    fn on_sockets(&mut self, socket: Socket, effects: Vec<real::Effect>) {
        let Some(wires) = self.wires_of(socket) else { return };
        if let Some(ms) = wires.carry_out(effects) {
            self.time(Timer::Real(socket), Some(ms));
        }
    }
}
