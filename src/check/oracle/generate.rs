//! Random scenarios, the same one for the same seed: few clients with short programs over few keys,
//! which use everything that Redis and Lua offer, in many spellings.
//!
//! A program is made of the templates in `templates` and `more`. To generate more, add a template;
//! to test a new question about a state, add a property. A feature of the scenario itself is drawn
//! in `Maker::draft`, or in `Maker::shape`, which changes fewer seeds. Then add its row to
//! `features`.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::draft::Draft;
use super::more::{MORE, Theme};
use super::templates::*;
use crate::engine::{Instance, Outcome, Version};
use crate::resp::Value;
use crate::scenario::Client;
use crate::sim::{DEFAULT_NODE, Faults, Kind, READY, START_MS, TimeMode, World};

struct Maker {
    rng: ChaCha8Rng,
    theme: Templates,
    /// The number of nested statements that may still be added.
    room: u32,
    /// By this, times are longer than those of the templates: a tick may have several ms then.
    scale: u32,
}

/// Returns the scenario of this seed.
pub fn generate(seed: u64) -> Draft {
    let mut later = Maker::new(seed.rotate_left(8) ^ 0x7ab1e, VARIABLES, 1);
    if later.one_in(8) {
        later.scale = later.rng.random_range(2..5);
    }
    let mut draft = without_more(seed, later.scale);
    if !later.one_in(4) {
        let theme = later.theme();
        let drafts = std::iter::repeat_with(|| later.with_theme(draft.clone(), theme));
        draft = drafts.take(TRIES).find(starts).unwrap_or(draft);
    }
    if later.one_in(2) || later.scale > 1 {
        let drafts = std::iter::repeat_with(|| later.shape(draft.clone()));
        draft = drafts.take(TRIES).find(starts).unwrap_or(draft);
    }
    draft
}

/// Returns the scenario of this seed without the themes of [`MORE`] and [`Maker::shape`]. With a
/// scale of 1 it is what the seed gave before there were any: old findings are told by it.
pub fn without_more(seed: u64, scale: u32) -> Draft {
    let mut make = Maker::new(seed, VARIABLES, scale);
    make.theme = THEMES[make.rng.random_range(0..THEMES.len())];
    let draft = std::iter::repeat_with(|| make.draft()).find(starts).unwrap_or_default();
    // With numbers of its own: the scenarios of the other seeds are what they have always been.
    let further = [
        (!seed, VARIABLES, 4),
        (seed.rotate_left(32) ^ !0xff, SHARED, 5),
        (seed.rotate_left(16) ^ !0xffff, CANCELLED, 5),
        (seed.rotate_left(48) ^ !0xf_ffff, TABLES, 5),
    ];
    let mut draft = further.into_iter().fold(draft, |draft, (seed, theme, many)| {
        let mut make = Maker::new(seed, theme, scale);
        if !make.one_in(many) {
            return draft;
        }
        std::iter::repeat_with(|| make.share(draft.clone())).find(starts).unwrap_or_default()
    });
    // And so for clients that begin late.
    let mut make = Maker::new(seed.rotate_left(32) ^ seed, VARIABLES, scale);
    if make.one_in(5) {
        draft.world.starts_within_ms = make.ms() + make.ms();
    }
    draft
}

fn starts(draft: &Draft) -> bool {
    draft.scenario().is_some_and(|scenario| World::start(&scenario).is_ok())
}

/// How often an addition is drawn until the scenario starts with it.
const TRIES: usize = 20;

impl Maker {
    fn new(seed: u64, theme: Templates, scale: u32) -> Maker {
        Maker { rng: ChaCha8Rng::seed_from_u64(seed), theme, room: 0, scale }
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.rng.random_range(0..many) == 0
    }

    fn pick(&mut self, templates: &[&'static str]) -> &'static str {
        templates.choose(&mut self.rng).copied().unwrap_or_default()
    }

    fn draft(&mut self) -> Draft {
        let mut draft = Draft::default();
        draft.add_node(DEFAULT_NODE, "");
        self.set_up(&mut draft);
        if self.theme == REPLICAS || self.one_in(8) {
            let master = if self.one_in(3) { "" } else { DEFAULT_NODE };
            let names = if self.one_in(4) { &["r", "s"][..] } else { &["r"][..] };
            names.iter().for_each(|name| draft.add_node(name, master));
        }
        let many = [1, 2, 2, 2, 2, 3, 3];
        let many = many[self.rng.random_range(0..many.len())];
        let equal = self.one_in(2).then(|| self.program());
        let process = if self.one_in(3) { "p" } else { "" };
        for _ in 0..many {
            let text = match &equal {
                Some(text) if !self.one_in(6) => text.clone(),
                _ => self.program(),
            };
            let clock_ms = if self.one_in(12) { i64::from(self.ms()) } else { 0 };
            let (process, again) = (process.to_owned(), self.one_in(20));
            draft.add(text, Client { process, clock_ms, again, ..Client::default() });
        }
        if self.one_in(12) {
            draft.world.instances[0].clock_ms = 2 * i64::from(self.scale);
        }
        let all: String = draft.world.programs.iter().map(|one| one.text.as_str()).collect();
        if all.contains("HPEXPIRE") {
            draft.world.version = Some(Version::V7_4);
        }
        if all.contains("sql(") {
            draft.world.sql = "CREATE TABLE t (n INT)\nINSERT INTO t VALUES (0)\n".to_owned();
        }
        if all.contains("connect('r'") {
            draft.second(DEFAULT_NODE);
        }
        let world = &mut draft.world;
        world.wire = self.one_in(if all.contains("receive") { 4 } else { 12 });
        draft.asks_errors = self.one_in(3);
        if self.one_in(8) {
            world.slow_ms = self.ms() + self.ms();
            // Delays of several ticks: the times of the templates are short.
            world.slow_ms *= u32::from(self.one_in(2)) + 1;
        }
        if self.one_in(8) {
            world.clients[0].expect_error = self.pick(&["no", "ERR", "WRONGTYPE", " "]).to_owned();
        }
        world.faults = self.faults(world.instances.len());
        world.time = if world.faults.early > 0 { TimeMode::Any } else { TimeMode::Prompt };
        for _ in 0..self.rng.random_range(1..6) {
            let template = self.pick(PROPERTIES);
            let text = self.fill(template);
            let is_sound = draft.world.clients.len() > 1 || !text.contains("'B'");
            if is_sound {
                draft.ask(self.kind(), text);
            }
        }
        draft
    }

    /// Adds uses of what a process shares, or of tables, to some programs of a draft, to equal ones
    /// the same; for what a process shares, most clients come into one.
    fn share(&mut self, mut draft: Draft) -> Draft {
        if self.theme == TABLES {
            ORDERS.iter().for_each(|line| draft.world.sql += &format!("{line}\n"));
            let faults = &mut draft.world.faults;
            faults.lose = faults.lose.max(u8::from(self.one_in(3)));
        }
        self.insert(&mut draft, 2);
        if self.theme == TABLES {
            let condition = self.pick(OF_TABLES).to_owned();
            draft.ask(Kind::Always, condition);
            return draft;
        }
        let is_one = !self.one_in(4);
        for client in &mut draft.world.clients {
            if is_one || self.one_in(2) {
                client.process = "p".to_owned();
            }
            client.again |= self.one_in(12);
        }
        let faults = &mut draft.world.faults;
        // Crashes of a process, and of the last client in it.
        if self.one_in(4) {
            faults.crash = 1 + u8::from(self.one_in(2));
        }
        if self.theme == CANCELLED {
            faults.cancel = 1 + u8::from(self.one_in(3));
            faults.cancel_of = u32::from(self.one_in(4));
        }
        // Last, so that a seed draws all else as it did.
        faults.drop = u8::from(self.one_in(24));
        faults.drop_of = u32::from(faults.drop) * u32::from(self.one_in(4));
        faults.rewind = u8::from(self.one_in(32));
        draft
    }

    /// Adds statements of the theme to most programs of a draft, to equal ones the same; at most
    /// this number to each.
    fn insert(&mut self, draft: &mut Draft, most: u32) {
        let texts = draft.world.programs.iter().map(|one| one.text.clone()).collect::<Vec<_>>();
        for (at, text) in texts.iter().enumerate() {
            if texts[..at].contains(text) || at > 0 && self.one_in(4) {
                continue;
            }
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for _ in 0..self.rng.random_range(1..=most) {
                let place = self.rng.random_range(0..=lines.len());
                lines.insert(place, self.statement(1));
            }
            let same = draft.world.programs.iter_mut().filter(|one| one.text == *text);
            same.for_each(|one| one.text = lines.join("\n"));
        }
    }

    /// Returns a theme, the more often the more statements it has.
    fn theme(&mut self) -> &'static Theme {
        let many = |theme: &Theme| 20 + theme.statements.len();
        let mut at = self.rng.random_range(0..MORE.iter().map(many).sum::<usize>());
        let passed = |theme: &&Theme| {
            let is_it = at < many(theme);
            at = at.saturating_sub(many(theme));
            is_it
        };
        MORE.iter().find(passed).unwrap_or(&MORE[0])
    }

    /// Adds a theme to a draft.
    fn with_theme(&mut self, mut draft: Draft, theme: &Theme) -> Draft {
        self.theme = theme.statements;
        theme.setup.iter().for_each(|words| draft.set_up(words));
        if draft.world.version.is_none() {
            draft.world.version = theme.versions.choose(&mut self.rng).copied();
        }
        self.insert(&mut draft, 3);
        if !theme.conditions.is_empty() {
            let condition = self.pick(theme.conditions);
            let text = self.fill(condition);
            draft.ask(self.kind(), text);
        }
        draft
    }

    /// Changes what a draft has beside its programs.
    fn shape(&mut self, mut draft: Draft) -> Draft {
        let clients = draft.world.clients.len();
        let faults = &mut draft.world.faults;
        match self.rng.random_range(0..13) {
            0 => {
                while draft.world.clients.len() < 4 {
                    draft.add_again(self.rng.random_range(0..clients));
                }
            }
            // Two groups of equal clients.
            1 => {
                draft.world.clients.truncate(1);
                draft.world.programs.truncate(1);
                draft.add(self.program(), draft.world.clients[0].clone());
                draft.add_again(0);
                draft.add_again(1);
            }
            2 => {
                let one = 1 << self.rng.random_range(0..clients);
                (faults.crash, faults.crash_of) = (1 + u8::from(self.one_in(3)), one);
            }
            3 => {
                faults.pause = 2;
                faults.pause_ms = u32::from(self.one_in(2)) * self.ms();
            }
            4 => {
                faults.jump = 1 + u8::from(self.one_in(3));
                faults.jump_ms = [1, 2, 7, -1, -50][self.rng.random_range(0..5)];
            }
            5 => {
                for (at, client) in draft.world.clients.iter_mut().enumerate() {
                    client.process = ["p", "o"][at % 2].to_owned();
                }
            }
            6 => {
                let ready = READY[self.rng.random_range(0..READY.len())];
                if let Some(text) = ready.check(Some("x"), Some("n")) {
                    draft.ask(ready.kind, text);
                }
            }
            7 => draft.ids = self.rng.random_range(1..=Draft::ID_ORDERS),
            8 => {
                let clock_ms = [-1, -3, 1, 5][self.rng.random_range(0..4)];
                draft.world.instances[0].clock_ms = clock_ms;
            }
            9 => draft.second("").clock_ms = [-2, 3][self.rng.random_range(0..2)],
            10 => {
                draft.second(DEFAULT_NODE).version = Version::ALL.choose(&mut self.rng).copied();
            }
            11 => draft.world.version = Version::ALL.choose(&mut self.rng).copied(),
            _ => {
                faults.pause = 1;
                faults.pause_ms = self.ms();
                faults.lose = 1;
            }
        }
        // Times that are longer matter where clients may be held up.
        if self.scale > 1 && draft.world.slow_ms == 0 {
            draft.world.slow_ms = self.ms();
        }
        draft
    }

    fn kind(&mut self) -> Kind {
        let kinds = [Kind::Always, Kind::Always, Kind::Sometimes, Kind::Eventually];
        kinds[self.rng.random_range(0..kinds.len())]
    }

    fn faults(&mut self, nodes: usize) -> Faults {
        let scale = self.scale;
        let mut faults =
            Faults { jump_ms: [4, -3, 50][self.rng.random_range(0..3)], ..Faults::default() };
        if self.one_in(3) {
            return faults;
        }
        let mut budget = |one_in: u32| u8::from(self.rng.random_range(0..one_in) == 0);
        faults.crash = budget(4);
        faults.pause = budget(3);
        faults.pause_ms = u32::from(faults.pause * budget(3)) * 6 * scale;
        faults.pause_of = u32::from(faults.pause * budget(4));
        faults.lose = budget(7);
        faults.lose_of = u32::from(faults.lose * budget(4));
        faults.jump = budget(8);
        faults.down = budget(if nodes > 1 { 4 } else { 9 });
        faults.restart = budget(10);
        faults.failover = if nodes > 1 { budget(3) } else { 0 };
        faults.evict = budget(9);
        faults.early = budget(5) * (1 + budget(3));
        faults
    }

    fn set_up(&mut self, draft: &mut Draft) {
        let scale = self.scale;
        let mut add = |words: &[&str]| draft.set_up(words);
        add(&["FUNCTION", "LOAD", LIBRARY]);
        add(&["SCRIPT", "LOAD", SCRIPT]);
        add(&["XGROUP", "CREATE", "s", "g", "0", "MKSTREAM"]);
        if self.one_in(2) {
            add(&["XADD", "s", "1-1", "f", "v"]);
        }
        if self.one_in(4) {
            add(&["XREADGROUP", "GROUP", "g", "early", "STREAMS", "s", ">"]);
        }
        for (name, command) in NAMED {
            add(&["SET", name, command]);
        }
        let more: &[&[&str]] = &[
            &["SET", "b", "0"],
            &["SET", "a", "1", "PX", &(3 * scale).to_string()],
            &["SET", "lock", "other", "PX", &(4 * scale).to_string()],
            &["SET", "n", "1"],
            &["RPUSH", "q", "e"],
            &["HSET", "h", "f", "1"],
        ];
        for words in more {
            if self.one_in(5) {
                add(words);
            }
        }
    }

    /// Returns a program; each line is a statement.
    fn program(&mut self) -> String {
        let lines = self.rng.random_range(1..5);
        (0..lines).map(|_| self.statement(2)).collect::<Vec<_>>().join("\n")
    }

    /// Returns a statement with at most this number of nested ones.
    fn statement(&mut self, room: u32) -> String {
        self.room = room;
        let theme = match self.one_in(3) {
            true => THEMES[self.rng.random_range(0..THEMES.len())],
            false => self.theme,
        };
        let template = self.pick(theme);
        let text = self.fill(template);
        // A loop that calls nothing runs to the VM's bound in each of thousands of worlds.
        match text.strip_prefix("repeat ") {
            Some(body) if !text.contains("call") && !text.contains("sleep") => {
                format!("repeat sleep(1) {body}")
            }
            _ => text,
        }
    }

    fn ms(&mut self) -> u32 {
        self.rng.random_range(1..6) * self.scale
    }

    /// Fills in a template.
    fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let word_end = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
            let (word, tail) = after.split_at(word_end);
            rest = tail.strip_prefix('}').unwrap_or(tail);
            match (word, tail.starts_with('}')) {
                ("call", false) => {
                    let tail = tail.trim_start();
                    let end = tail.find([',', ')']).unwrap_or(tail.len());
                    text.push_str(&self.call(&tail[..end]));
                    rest = &tail[end..];
                }
                ("key", true) => {
                    text.push_str(self.pick(&["'a'", "'b'", "'a'", "'b'", "'n'", "'lock'"]))
                }
                ("value", true) => text.push_str(self.pick(&["1", "2", "'v'", "'w'"])),
                ("global", true) => text.push_str(self.pick(&["x", "x", "y"])),
                ("ms", true) => text.push_str(&self.ms().to_string()),
                ("moment", true) => {
                    let moment = START_MS + u64::from(self.ms()) + 2 * u64::from(self.scale);
                    text.push_str(&moment.to_string());
                }
                ("s", true) => text.push_str(&format!("{:.3}", f64::from(self.ms()) / 1000.0)),
                ("second", true) => text.push_str(&(START_MS / 1000 + 1).to_string()),
                ("sha", true) => text.push_str(&sha(SCRIPT)),
                ("is", true) => {
                    let condition = self.pick(CONDITIONS);
                    text.push_str(&self.fill(condition));
                }
                ("do", true) => match self.room.checked_sub(1) {
                    Some(room) => text.push_str(&self.statement(room)),
                    None => text.push_str(&self.fill("{call INCR, 'n')")),
                },
                _ => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text + rest
    }

    /// Returns the beginning of a call of this command, up to its arguments.
    fn call(&mut self, command: &str) -> String {
        let name = self.name(command);
        match self.rng.random_range(0..40) {
            0 => format!("redis.pcall({name}"),
            1 => format!("redis.call('EVAL', 'return redis.call(unpack(ARGV))', 0, {name}"),
            2 => format!("redis.call('FCALL', 'run', 0, {name}"),
            3 => format!("connect('redis'):call({name}"),
            4 => format!("(function(...) return redis.call(...) end)({name}"),
            _ => format!("redis.call({name}"),
        }
    }

    /// Returns an expression for the command's name.
    fn name(&mut self, command: &str) -> String {
        let named = NAMED.iter().find(|(_, known)| *known == command);
        let (head, tail) = command.split_at(command.len() / 2);
        match (self.rng.random_range(0..30), named) {
            (0, _) => format!("'{head}' .. '{tail}'"),
            (1, _) => format!("('{}'):upper()", command.to_lowercase()),
            (2, _) => {
                let first = command.bytes().next().unwrap_or_default();
                format!("\"\\{first:03}{}\"", &command[1..])
            }
            (3 | 4, Some((key, _))) => format!("redis.call('GET', '{key}')"),
            (5, _) => format!("'{}'", command.to_lowercase()),
            (6, _) => format!("table.concat({{'{head}', '{tail}'}})"),
            _ => format!("'{command}'"),
        }
    }
}

/// Keys from which a program can read a command's name.
const NAMED: [(&str, &str); 3] = [("cmd:1", "TIME"), ("cmd:2", "GET"), ("cmd:3", "BLPOP")];

const SCRIPT: &str = "return redis.call('TIME')[2]";

const LIBRARY: &str = "#!lua name=lib\n\
    redis.register_function('run', function(keys, args) return redis.call(unpack(args)) end)\n\
    redis.register_function('clock', function() \
    return math.floor(redis.call('TIME')[2] / 1000) end)";

/// Returns the digest by which EVALSHA finds a script.
fn sha(script: &str) -> String {
    let mut instance = Instance::default();
    let conn = instance.connect();
    let words = ["SCRIPT", "LOAD", script].map(|word| word.as_bytes().into());
    match instance.execute(conn, &words, START_MS) {
        Outcome::Reply(Value::Bulk(sha)) => String::from_utf8_lossy(&sha).into_owned(),
        _ => String::new(),
    }
}
