//! The front page: the run that the reader steps there, the results of all its orders, and links
//! into the page.

use std::rc::Rc;

use crate::lesson::Lesson;
use crate::resp::{Bytes, Value};
use crate::sim::{Action, Facts, Kind, NodeId, Timeline, World};
use crate::text::{Key, Lang, fill, tr};

use crate::session::Session;
use crate::session::link::Link;
use crate::session::mode::Mode;

/// The lesson that is stepped on the front page, and that is suggested first.
pub const FIRST_LESSON: &str = "lost-update";

/// The most orders that are counted.
const ORDERS_MAX: usize = 200;

/// A link on the front page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    pub title: Key,
    pub about: Key,
    /// The address within the page.
    pub href: String,
}

/// Returns the links beside the main one, which leads to the first lesson.
pub fn ways(lang: Lang) -> [Way; 3] {
    let lang = lang.tag();
    [
        (Key::WayPlayground, Key::WayPlaygroundAbout, "playground"),
        (Key::WayEmbed, Key::WayEmbedAbout, "embed"),
        (Key::Glossary, Key::GlossaryIntro, "glossary"),
    ]
    .map(|(title, about, page)| Way {
        title,
        about,
        href: format!("#page={page}&lang={lang}"),
    })
}

/// Returns the address of the main link. It leads to Watch: the run on the front page has been the
/// situation, and a first visit needs less of the program for it.
pub fn first_way(first_lesson: &str, lang: Lang) -> String {
    format!("#lesson={first_lesson}&lang={}", lang.tag())
}

/// Opens the lesson's first variant, to be stepped freely.
pub fn session(lesson: Rc<Lesson>) -> Option<Session> {
    let mode = Some(Mode::Schedule.id().to_owned());
    let (session, _) = Session::open(lesson, &Link { mode, ..Link::default() }).ok()?;
    Some(session)
}

/// The results of all orders of a run's commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    pub all: usize,
    /// The number of orders that break something that must always hold.
    pub bad: usize,
    /// The number of commands in each order.
    pub steps: usize,
    /// The value of the one key at the end of a good order.
    pub value: i64,
}

/// Explores all orders from the start of the session's run. `None` if there are too many, or if
/// they do not fit this form: different lengths, more than one key, good orders that end with
/// different values.
#[inline(never)]
pub fn orders(session: &Session) -> Option<Orders> {
    let mut start = session.timeline().clone();
    start.seek(0);
    let mut open = vec![start];
    let (mut lengths, mut values) = (Vec::new(), Vec::new());
    let (mut all, mut bad) = (0, 0);
    while let Some(timeline) = open.pop() {
        let next = actions(timeline.world());
        if open.len() + all > ORDERS_MAX || timeline.is_full() {
            return None;
        }
        if next.is_empty() {
            all += 1;
            lengths.push(timeline.cursor());
            match is_broken(&timeline) {
                true => bad += 1,
                false => values.push(value(timeline.world())?),
            }
        }
        for action in next {
            let mut on = timeline.clone();
            on.step(action).ok()?;
            open.push(on);
        }
    }
    let one = |all: &[usize]| all.windows(2).all(|two| two[0] == two[1]);
    let (steps, value) = (*lengths.first()?, *values.first()?);
    (one(&lengths) && values.iter().all(|one| *one == value)).then_some(Orders {
        all,
        bad,
        steps,
        value,
    })
}

/// Returns the enabled actions that are not faults.
fn actions(world: &World) -> Vec<Action> {
    world.enabled().into_iter().filter(|action| !action.is_fault()).collect()
}

/// Returns true if something that must always hold is broken, up to the cursor.
fn is_broken(timeline: &Timeline) -> bool {
    let properties = timeline.scenario().properties.iter().enumerate();
    let mut always = properties.filter(|(_, property)| property.kind == Kind::Always);
    always.any(|(index, _)| timeline.decided(index).is_some())
}

/// Returns the number in the only key.
fn value(world: &World) -> Option<i64> {
    let word = |word: &str| Bytes::from(word.as_bytes());
    let mut facts = world.facts();
    let keys = facts.read(NodeId(0), &[word("KEYS"), word("*")])?;
    let Value::Array(keys) = keys else { return None };
    let [Value::Bulk(key)] = keys.as_slice() else { return None };
    let get = [word("GET"), key.clone()];
    let Value::Bulk(number) = facts.read(NodeId(0), &get)? else { return None };
    std::str::from_utf8(&number).ok()?.parse().ok()
}

/// The result of the order that the reader has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub title: String,
    pub about: String,
    /// True if at its end it has kept what it should; `None` before the end.
    pub kept: Option<bool>,
}

pub fn outcome(session: &Session, orders: Orders, lang: Lang) -> Outcome {
    let timeline = session.timeline();
    let (bad, all, step) = (orders.bad.to_string(), orders.all.to_string(), timeline.cursor());
    if !actions(timeline.world()).is_empty() {
        let title = match step {
            0 => fill(tr(lang, Key::FrontOrders), &[&all]),
            _ => fill(tr(lang, Key::FrontStep), &[&step.to_string(), &orders.steps.to_string()]),
        };
        return Outcome { title, about: tr(lang, Key::FrontPress).to_owned(), kept: None };
    }
    let lost = orders.value - value(timeline.world()).unwrap_or(orders.value);
    match is_broken(timeline) {
        true => Outcome {
            title: fill(tr(lang, Key::FrontLost), &[&lost.to_string(), &bad, &all]),
            about: tr(lang, Key::FrontUnseen).to_owned(),
            kept: Some(false),
        },
        false => Outcome {
            title: fill(tr(lang, Key::FrontKept), &[&orders.value.to_string()]),
            about: fill(tr(lang, Key::FrontFind), &[&bad, &all]),
            kept: Some(true),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::Msg;
    use crate::sim::schedule;

    fn front() -> Session {
        let folder = std::path::Path::new("static/lessons").join(FIRST_LESSON);
        session(Rc::new(read_folder(&folder).unwrap())).unwrap()
    }

    /// The outcome of a run in writing.
    fn after(run: &str, lang: Lang) -> Outcome {
        let mut session = front();
        let orders = orders(&session).unwrap();
        let mut timeline = session.timeline().clone();
        schedule::play(&mut timeline, run).unwrap();
        for frame in &timeline.frames()[1..] {
            let client = frame.token.unwrap().action.client().unwrap();
            session.update(Msg::Step(client));
        }
        outcome(&session, orders, lang)
    }

    #[test]
    fn four_of_the_six_orders_lose_an_update() {
        let session = front();
        assert_eq!(session.mode(), Mode::Schedule);
        assert!(session.timeline().is_empty());
        let expected = Orders { all: 6, bad: 4, steps: 4, value: 30 };
        assert_eq!(orders(&session), Some(expected));
    }

    #[test]
    fn the_page_says_what_an_order_has_come_to() {
        let bad = ["A1.B1.A2.B2", "A1.B1.B2.A2", "B1.A1.A2.B2", "B1.A1.B2.A2"];
        for run in bad {
            let now = after(run, Lang::En);
            assert_eq!(now.title, "You lost 10. So do 4 of the 6 orders.", "{run}");
            assert_eq!(now.kept, Some(false));
        }
        for run in ["A1.A2.B1.B2", "B1.B2.A1.A2"] {
            let now = after(run, Lang::En);
            assert_eq!(now.title, "30: both deposits arrived.", "{run}");
            assert!(now.about.contains("4 of the 6"), "{now:?}");
            assert_eq!(now.kept, Some(true));
        }
        assert_eq!(after("A1.B1", Lang::En).title, "2 of 4 commands");
        assert_eq!(after("A1.B1", Lang::En).kept, None);
    }

    #[test]
    fn the_lead_has_the_numbers_of_the_run() {
        let session = front();
        let (from, to) = (value(session.timeline().world()).unwrap(), orders(&session).unwrap());
        let clients = session.timeline().world().clients().len() as i64;
        let each = (to.value - from) / clients;
        for lang in Lang::ALL {
            let lead = tr(lang, Key::HomeIntro);
            let digits = lead.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
            let mut numbers: Vec<i64> = digits.map(|word| word.parse().unwrap()).collect();
            let mut expected = vec![from, each, to.value];
            numbers.sort_unstable();
            expected.sort_unstable();
            assert_eq!(numbers, expected, "{lead}");
        }
    }

    #[test]
    fn too_many_orders_are_not_counted() {
        let folder = std::path::Path::new("static/lessons/redlock");
        let session = session(Rc::new(read_folder(folder).unwrap())).unwrap();
        assert_eq!(orders(&session), None);
    }
}
