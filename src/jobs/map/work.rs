//! The checker's side of a map: computes it in slices, and answers where runs go in it.

use std::rc::Rc;

use crate::jobs::lesson_of;
use crate::sim::{Action, AskMap, Scenario, Timeline, schedule};

use super::wire::{Along, Ask, Made, Plan};
use super::{Atlas, around, room};

/// A map being computed, or a finished one.
#[derive(Debug)]
pub struct Work {
    id: u32,
    width: f64,
    scenario: Rc<Scenario>,
    asked: Option<Box<AskMap>>,
    atlas: Option<Atlas>,
}

impl Work {
    /// Starts; the error is a mistake of the lesson's author, in words.
    pub fn start(plan: &Plan) -> Result<Work, String> {
        let lesson = lesson_of(&plan.lesson, plan.own, plan.answer.as_deref())?;
        let scenario = Rc::new(lesson.scenario(plan.variant)?);
        let asked = AskMap::new(&scenario).map_err(|why| why.to_string())?;
        let asked = Some(Box::new(asked));
        Ok(Work { id: plan.id, width: plan.width.into(), scenario, asked, atlas: None })
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns true if there is more to do.
    pub fn is_working(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns the number of states met.
    pub fn met(&self) -> u64 {
        self.asked.as_ref().map_or(0, |asked| asked.met())
    }

    /// Works on this number of further `states`, and returns the map when it is complete. The error
    /// is a mistake in a property.
    pub fn advance(&mut self, states: u32) -> Result<Option<Made>, String> {
        let Some(asked) = &mut self.asked else { return Ok(None) };
        let made = Made { id: self.id, ..Made::default() };
        match asked.advance(states) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(_) => {
                self.asked = None;
                return Ok(Some(made));
            }
        }
        if let Some(mistake) = asked.mistake() {
            self.asked = None;
            return Err(mistake);
        }
        let Some(asked) = self.asked.take() else { return Ok(None) };
        let atlas = Atlas::new(asked.finish(), room(self.width));
        let sheet = Some(atlas.sheet().clone());
        self.atlas = Some(atlas);
        Ok(Some(Made { sheet, ..made }))
    }

    /// Returns the places of a run, and the path that was asked for; `None` while there is no map.
    pub fn along(&self, ask: &Ask) -> Option<Along> {
        let atlas = self.atlas.as_ref()?;
        let mut end = Timeline::start(self.scenario.clone()).ok()?;
        let is_played = schedule::play(&mut end, &ask.schedule).is_ok();
        let run = actions(&end);
        // Neither a line typed at a console nor a part of a step is on the map.
        let is_there = is_played && end.frames().iter().all(|frame| frame.typed.is_none());
        let way = match ask.block {
            Some(block) => atlas.way_to(u16::try_from(block).ok()?),
            None if !is_there => Vec::new(),
            None => run.iter().copied().chain(atlas.way_to_break(&run)).collect(),
        };
        let spots = if is_there { atlas.spots(&run) } else { Vec::new() };
        let left = spots.iter().position(|spot| spot.fate.is_saved());
        let before = left.and_then(|at| run.get(..at.checked_sub(1)?));
        Some(Along {
            id: self.id,
            schedule: ask.schedule.clone(),
            spots,
            instead: before.and_then(|before| self.first_of_break(atlas, before)),
            around: match ask.block {
                None if is_there => atlas.around(&run, &end),
                _ => None,
            },
            way: self.written(&way),
            way_spots: atlas.spots(&way),
        })
    }

    /// Returns the timeline of a run; `None` if it cannot happen.
    fn ended(&self, run: &[Action]) -> Option<Timeline> {
        let mut timeline = Timeline::start(self.scenario.clone()).ok()?;
        run.iter().try_for_each(|action| timeline.step(*action).map(drop)).ok()?;
        Some(timeline)
    }

    /// Returns the first step from the end of a run to the nearest break.
    fn first_of_break(&self, atlas: &Atlas, run: &[Action]) -> Option<String> {
        let first = *atlas.way_to_break(run).first()?;
        around::written(&self.ended(run)?, first)
    }

    /// Writes a run with the code that writes links, so that links can contain it.
    fn written(&self, run: &[Action]) -> String {
        self.ended(run).map(|timeline| timeline.schedule()).unwrap_or_default()
    }
}

fn actions(timeline: &Timeline) -> Vec<Action> {
    timeline.frames().iter().filter_map(|frame| Some(frame.token?.action)).collect()
}
