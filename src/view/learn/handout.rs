//! A lesson on paper: its goal, what must hold, the programs, and the whole of one run: as a
//! picture, as a table of its steps, and as what it leaves behind.
//!
//! The run is the story of Watch, wherever the reader stands; where there is none, as in the
//! playground, it is the run that is shown, to its end. Absent: everything that is pressed, and the
//! pages that are printed as they stand (Fix, Crowd, Rule).

use std::ops::Range;
use std::rc::Rc;

use crate::lesson::{Block, Inline};
use crate::session::{Mode, Session};
use crate::sim::Timeline;
use crate::text::Lang;
use crate::view::film::board::{Spots, board};
use crate::view::short::began_ms;
use crate::view::stage::chips::{Chip, chips_of};
use crate::view::stage::diagram::{Diagram, HEAD, Row, Space, diagram};
use crate::view::stage::redis::{Item, Panel, ResourcePanel, TablePanel, panel};

use super::review::{Running, programs};

/// A4 between its margins (print.css), in px, and the height of a row of the picture.
const WIDTH: i32 = 688;
const ROW: i32 = 52;
/// The most that one piece of the picture may be high, so that it fits a page with its heading.
const PIECE: i32 = 880;
/// A picture with more pieces is left out: the table says the same.
const PIECES_MAX: usize = 6;

#[derive(Debug, Clone, PartialEq)]
pub struct Handout {
    pub title: String,
    pub goal: Vec<Inline>,
    /// The name of the run: that of the story, or the learner's.
    pub run: String,
    /// The label of the variant; empty if there is only one.
    pub variant: String,
    /// The lesson, and the story if it is not the first, as an address names them.
    pub fragment: String,
    /// What must hold, at the end of the run.
    pub claims: Vec<Chip>,
    pub programs: Vec<Running>,
    /// The text at the start of the story.
    pub start: Vec<Block>,
    pub diagram: Diagram,
    /// The parts of the picture, from top to bottom, in px; a row is never in two of them.
    pub pieces: Vec<Range<i32>>,
    pub steps: Vec<Step>,
    /// When the run began: times are counted from there.
    pub began_ms: u64,
    pub keys: Vec<Kept>,
    pub tables: Vec<TablePanel>,
    pub resources: Vec<ResourcePanel>,
}

/// A step, and the words of the story; if it has none, those of the row are said.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub row: Rc<Row>,
    pub words: Vec<Block>,
}

/// A key at the end of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The instance; empty if there is only one.
    pub node: String,
    pub key: String,
    /// Its values: of members with their names.
    pub values: Vec<String>,
    pub ttl_ms: Option<u64>,
}

impl Handout {
    /// Returns the handout of the lesson that is open; `None` where the page is printed as it
    /// stands. `face` is the form of the programs asked for.
    pub fn of(session: &Session, face: &str, lang: Lang) -> Option<Handout> {
        let story = match session.mode() {
            Mode::Situation | Mode::Find => Some(session.story()?),
            Mode::Watch | Mode::Schedule | Mode::Break => session.story(),
            Mode::Fix | Mode::Crowd | Mode::Review | Mode::Edit => return None,
        };
        let lesson = session.lesson();
        let told = story.and_then(|(walk, _)| lesson.walks.get(walk));
        let mut run = story.map_or(session.timeline(), |(_, run)| run).clone();
        run.seek(run.len());
        let variant = told.map_or(session.variant(), |told| told.variant);
        let labels = (lesson.variants.len() > 1).then(|| lesson.variants.get(variant)).flatten();
        let walk = story.map_or(usize::MAX, |(walk, _)| walk);
        let mut fragment = format!("lesson={}", lesson.id);
        if let Some(told) = told.filter(|_| walk > 0) {
            fragment += &format!("&mode=watch&walk={}", told.id);
        }
        let spots = Spots::of_story(run.run());
        let is_sql = told.is_some() && spots.is_sql(run.world());
        let space = Space {
            width: WIDTH,
            height: HEAD + ROW * run.len() as i32,
            total: run.len(),
            hides_future: false,
            is_sql,
        };
        let diagram = diagram(&run, space, lang);
        let words = |step: usize| lesson.walk_step(walk, step, lang).to_vec();
        let steps = diagram.rows.iter();
        let steps = steps.map(|row| Step { row: row.clone(), words: words(row.step) }).collect();
        let panel = panel(&run, lang);
        let title = lesson.title.get(lang).clone();
        Some(Handout {
            goal: lesson.goal.get(lang).clone(),
            run: told.map_or(session.run_name().to_owned(), |told| told.title.get(lang).clone()),
            variant: labels.map(|one| one.label.get(lang).clone()).unwrap_or_default(),
            fragment,
            claims: chips_of(lesson, variant, run.scenario(), run.frames(), lang),
            programs: programs(lesson, variant, face, lang),
            start: words(0),
            pieces: pieces(&diagram),
            diagram,
            steps,
            began_ms: began_ms(run.frames()),
            keys: kept(&run, &panel, &spots),
            tables: panel.tables,
            resources: panel.resources,
            title,
        })
    }
}

/// Cuts the picture between rows.
fn pieces(diagram: &Diagram) -> Vec<Range<i32>> {
    let mut cuts = vec![0];
    let mut last = 0;
    for row in diagram.rows.iter() {
        if row.top + row.height - last > PIECE && row.top > last {
            cuts.push(row.top);
            last = row.top;
        }
    }
    let ends = cuts[1..].iter().copied().chain([diagram.height]);
    let pieces: Vec<Range<i32>> = cuts.iter().zip(ends).map(|(from, to)| *from..to).collect();
    if pieces.len() > PIECES_MAX { Vec::new() } else { pieces }
}

/// Returns the keys that are there at the end of `run`.
fn kept(run: &Timeline, panel: &Panel, spots: &Spots) -> Vec<Kept> {
    let shown = board(run, panel, spots);
    let many = shown.instances.len() > 1;
    let mut kept = Vec::new();
    for node in &shown.instances {
        for key in &node.keys {
            let Some(row) = key.row.as_ref().filter(|row| !row.gone) else { continue };
            let value = |(at, item): (usize, &Item)| {
                let short = key.short.get(at).cloned().flatten();
                let now = short.or_else(|| item.now.clone())?;
                Some(match &item.name {
                    Some(name) => format!("{name}: {now}"),
                    None => now,
                })
            };
            let more = (row.more > 0).then(|| format!("+{}", row.more));
            kept.push(Kept {
                node: if many { node.name.clone() } else { String::new() },
                key: key.name.clone(),
                values: row.items.iter().enumerate().filter_map(value).chain(more).collect(),
                ttl_ms: row.ttl_ms,
            });
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::lesson::{Lesson, Walk};
    use crate::session::link::Link;
    use crate::session::{Mode, Msg};

    fn open(lesson: &Rc<Lesson>, link: &str) -> Session {
        Session::open(lesson.clone(), &Link::parse(link)).expect("it opens").0
    }

    fn lesson(id: &str) -> Rc<Lesson> {
        Rc::new(read_folder(&Path::new("static/lessons").join(id)).expect("it reads"))
    }

    #[test]
    fn paper_has_the_whole_story_wherever_the_reader_stands() {
        for id in ["redlock", "lost-update", "oversell", "semaphore"] {
            let lesson = lesson(id);
            let mut session = open(&lesson, "mode=watch");
            let last = session.timeline().len();
            let whole = Handout::of(&session, "", Lang::En).expect("it has a story");
            assert_eq!(whole.steps.len(), last, "{id}");
            let said = |step: &Step| !step.words.is_empty() || !step.row.words.is_empty();
            assert!(whole.steps.iter().all(said), "{id}");
            assert!(whole.claims.len() > 1 && !whole.programs.is_empty(), "{id}");
            for step in [1, last] {
                session.update(Msg::Seek(step));
                assert_eq!(Handout::of(&session, "", Lang::En).as_ref(), Some(&whole), "{id}");
            }
            assert_eq!(session.timeline().cursor(), last, "{id}: the reader stays");
            for mode in session.modes() {
                session.update(Msg::Mode(mode));
                let printed = Handout::of(&session, "", Lang::En);
                match mode {
                    Mode::Fix | Mode::Crowd | Mode::Review => assert_eq!(printed, None, "{id}"),
                    _ => {
                        let printed = printed.expect("it has a story");
                        let variant = session.variant();
                        let has_own = lesson.walks.iter().any(|told| told.variant == variant);
                        let named = lesson.walks.iter().filter(|told| told.title.en == printed.run);
                        let fits = |told: &Walk| !has_own || told.variant == variant;
                        assert!(named.into_iter().any(fits), "{id} {mode:?}: {}", printed.run);
                        assert_eq!(printed.diagram.step, printed.steps.len(), "{id} {mode:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_end_of_the_story_is_what_redis_holds_then() {
        let printed = |id: &str, link: &str| {
            Handout::of(&open(&lesson(id), link), "", Lang::En).expect("it has a story")
        };
        let lost = printed("lost-update", "mode=watch");
        let kept: Vec<(&str, &str)> =
            lost.keys.iter().map(|one| (&*one.key, &*one.values[0])).collect();
        assert_eq!(kept, [("balance", "20")]);
        assert_eq!(lost.fragment, "lesson=lost-update");
        let majority = printed("redlock", "mode=watch&walk=majority");
        assert!(!majority.keys.is_empty());
        assert!(majority.keys.iter().all(|one| !one.node.is_empty()), "each says its instance");
        assert_eq!(majority.fragment, "lesson=redlock&mode=watch&walk=majority");
    }

    #[test]
    fn a_picture_is_cut_between_rows() {
        let session = open(&lesson("lost-update"), "mode=watch");
        let mut whole = Handout::of(&session, "", Lang::En).expect("it has a story").diagram;
        let one = whole.rows[0].clone();
        let row = |at: i32| {
            let (top, height) = (HEAD + at * ROW, ROW);
            Rc::new(Row { top, height, ..Row::clone(&one) })
        };
        whole.rows = Rc::new((0..60).map(row).collect());
        whole.height = HEAD + 60 * ROW;
        let cut = pieces(&whole);
        assert!(cut.len() > 3 && cut.iter().all(|one| one.len() as i32 <= PIECE), "{cut:?}");
        assert!(cut.windows(2).all(|two| two[0].end == two[1].start), "{cut:?}");
        assert!(cut.iter().all(|one| one.start == 0 || (one.start - HEAD) % ROW == 0), "{cut:?}");
        whole.rows = Rc::new((0..1000).map(row).collect());
        whole.height = HEAD + 1000 * ROW;
        assert!(pieces(&whole).is_empty(), "the table says it");
    }
}
