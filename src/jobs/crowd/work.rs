//! A worker's side of Crowd: it makes the given runs, one after the other. The same code runs in a
//! worker, on the page and in a native test.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::jobs::lesson_of;
use crate::lesson::Lesson;
use crate::load::{Job, Plan, Run, reduce};
use crate::sim::{Timeline, World};

use super::wire::{Begin, Ran, Task, Under, packed};
use super::{SWEEP_EVENTS, Spot};

/// The runs of one lesson.
#[derive(Debug)]
pub struct Work {
    id: u32,
    lesson: Lesson,
    changes: String,
    tasks: VecDeque<Task>,
    /// The run under way.
    run: Option<Run>,
}

impl Work {
    /// Starts; the error is a mistake of the lesson's author, in words.
    pub fn start(begin: &Begin) -> Result<Work, String> {
        let lesson = lesson_of(&begin.lesson, begin.own, begin.answer.as_deref())?;
        let changes = begin.changes.clone();
        Ok(Work { id: begin.id, lesson, changes, tasks: VecDeque::new(), run: None })
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn take(&mut self, task: Task) {
        self.tasks.push_back(task);
    }

    pub fn is_working(&self) -> bool {
        !self.tasks.is_empty()
    }

    /// Returns the progress of the run under way.
    pub fn under(&self) -> Under {
        Under { id: self.id, ended: self.run.as_ref().map_or(0, Run::ended) }
    }

    /// Advances by this number of events; returns a run that is over. The error is a mistake of the
    /// lesson's author.
    pub fn advance(&mut self, events: u32) -> Result<Option<Ran>, String> {
        let Some(task) = self.tasks.front().copied() else { return Ok(None) };
        let mut run = match self.run.take() {
            Some(run) => run,
            None => self.run_of(&task)?,
        };
        if !run.advance(events.into()) {
            self.run = Some(run);
            return Ok(None);
        }
        self.tasks.pop_front();
        Ok(Some(match task.reduce {
            true => Ran { task, numbers: Vec::new(), schedule: self.reduced(&task, &run) },
            false => Ran { task, numbers: packed(&run.finish()?), schedule: None },
        }))
    }

    fn job(&self, task: &Task) -> Result<(Plan, Rc<Job>), String> {
        let (own, job) = self.lesson.crowd_of(task.variant)?;
        let plan = task.spot.of(&Plan::read(&self.changes, &own)?);
        plan.fits()?;
        Ok((plan, job))
    }

    fn run_of(&self, task: &Task) -> Result<Run, String> {
        let (plan, job) = self.job(task)?;
        let run = Run::new(&plan, &job, task.seed).map_err(|why| why.to_string())?;
        Ok(match (task.reduce, task.spot) {
            (true, _) => run.recording(),
            // Guards that try again and again take their time squared with the crowd.
            (false, Spot::Clients(_)) => run.within(SWEEP_EVENTS),
            (false, _) => run,
        })
    }

    /// Returns the fewest requests of a run that break a property of the variant's own small world.
    fn reduced(&self, task: &Task, run: &Run) -> Option<String> {
        // A program of the crowd's own is none of that world's.
        if self.lesson.crowd.as_ref().is_some_and(|def| def.program_of(task.variant).is_some()) {
            return None;
        }
        let scenario = Rc::new(self.lesson.scenario(task.variant).ok()?);
        let programs: Vec<u32> = (0..scenario.clients.len() as u32).collect();
        let (world, _) = World::start(&scenario).ok()?;
        let small = reduce(run.calls(), &world, &scenario.properties, &programs)?;
        let mut timeline = Timeline::start(scenario).ok()?;
        small.actions.iter().try_for_each(|action| timeline.step(*action)).ok()?;
        Some(timeline.schedule())
    }
}
