//! The page embedded in a course page: what its parameters allow, the commands it receives, and the
//! messages it sends.

use super::*;
use crate::app::effect::ToCourse;
use crate::json::Json;
use crate::view::embed::compat::{self, H5p};
use crate::view::embed::goal::{Score, questions, score};
use crate::view::embed::message::{self, Command, Kept};

/// The page as an embed.
#[derive(Debug)]
pub struct Course {
    pub asked: Embed,
    /// Mistakes in the parameters of the address.
    pub bad: Vec<Bad>,
    /// The progress made in this visit. Progress stored by earlier visits does not count.
    earned: Progress,
    told: Told,
}

/// The values last sent to the course page, so that only changes are sent.
#[derive(Debug, Default)]
struct Told {
    lesson: Option<String>,
    place: Option<String>,
    /// Lesson, variant, mode and language; when they change, the page may become lower.
    shown: String,
    broken: Vec<(String, usize)>,
    score: Score,
    errors: Vec<String>,
}

impl Course {
    pub fn new(asked: Embed, bad: Vec<Bad>) -> Course {
        Course { asked, bad, earned: Progress::default(), told: Told::default() }
    }

    pub fn theme(&self) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| Some(theme.id()) == self.asked.theme)
    }

    pub fn earn(&mut self, done: Progress) {
        self.earned.add(done);
    }
}

impl Shell {
    /// Restricts a lesson that was just opened to the part that the course page asks for.
    pub(super) fn confine(&mut self) {
        let (Some(course), Some(session)) = (&mut self.course, &mut self.lesson.run.session) else {
            return;
        };
        let known = course.told.lesson.as_ref() == Some(&session.lesson().id);
        if !known {
            course.earned = Progress::default();
        }
        let notices = session.confine(course.asked.part());
        let has_console = course.asked.has_console();
        self.banners.extend(notices.into_iter().map(Banner::Lesson));
        if has_console {
            self.ready_console();
        }
    }

    /// Returns whether the course page forbids an input. The buttons for it are not shown, but a
    /// key or a script could still cause it.
    pub(super) fn withholds(&self, input: &Input) -> bool {
        let Some(course) = &self.course else { return false };
        let readonly = course.asked.readonly;
        match input {
            Input::Hints(on) => *on && !course.asked.hints,
            Input::ShowAnswer(_) | Input::TakeAnswer | Input::AnswerAgain(_) => {
                !course.asked.answers
            }
            Input::Own(_)
            | Input::Kept(_)
            | Input::Faults(_)
            | Input::Draft(_)
            | Input::Grade
            | Input::StepAnswer => readonly,
            Input::ShareOpen(_) | Input::Theme | Input::Class(_) => true,
            _ => false,
        }
    }

    fn score(&self) -> Score {
        let parts = self.course.as_ref().zip(self.lesson.run.session.as_ref());
        parts.map_or_else(Score::default, |(course, session)| {
            let answers = &self.lesson.review.answers;
            let answered = answers.answered(session.lesson());
            let score = score(&course.asked, session, course.earned, answered);
            Score { questions: questions(session, answers), ..score }
        })
    }

    /// Sends changes to the course page.
    pub(super) fn tell(&mut self) {
        if self.course.is_some() {
            self.tell_parent();
        }
    }

    #[inline(never)]
    fn tell_parent(&mut self) {
        let score = self.score();
        let errors = self.banner_texts();
        let lang = self.lang;
        let (Some(course), session) = (&mut self.course, self.lesson.run.session.as_ref()) else {
            return;
        };
        let (told, effects) = (&mut course.told, &mut self.effects);
        let mut say = |word: ToCourse| effects.push(Effect::Course(word));
        for why in errors.iter().filter(|why| !told.errors.contains(why)) {
            say(ToCourse::Tell(message::error(why)));
        }
        told.errors = errors;
        let Some(session) = session else { return };
        let id = &session.lesson().id;
        let mode = session.mode();
        let shown = format!("{id} {} {} {}", session.variant(), mode.id(), lang.tag());
        if told.shown != shown {
            told.shown = shown;
            say(ToCourse::Sink);
        }
        let place = message::step(session).to_string();
        if told.lesson.as_ref() != Some(id) {
            told.lesson = Some(id.clone());
            // What was reached at once is news.
            told.score =
                Score { percent: 0, reached: Vec::new(), complete: false, ..score.clone() };
            told.place = Some(place);
            told.broken.clear();
            say(ToCourse::Tell(message::ready(Some(session), lang)));
        } else if told.place.as_ref() != Some(&place) {
            told.place = Some(place);
            say(ToCourse::Confide(message::step(session)));
        }
        let broken = if mode.is_stepped() { message::broken(session) } else { Vec::new() };
        for (property, at) in broken.iter().filter(|one| !told.broken.contains(one)) {
            say(ToCourse::Confide(message::violation(session, property, *at)));
        }
        told.broken = broken;
        if told.score != score {
            say(ToCourse::Confide(message::goal(session, &score)));
            told.score = score;
        }
    }

    /// Carries out a command of the course page, and answers it.
    #[inline(never)]
    pub(super) fn parent_says(&mut self, text: &str, origin: &str) {
        let Some(course) = &self.course else { return };
        if course.asked.speaks("h5p") {
            match compat::h5p_heard(text) {
                Some(H5p::Ready) => return self.say(ToCourse::Tell(compat::h5p_hello())),
                Some(H5p::Greets) => return self.say(ToCourse::H5pGreeted),
                None => {}
            }
        }
        let Some(heard) = message::hear(text) else { return };
        let outcome = match heard.command {
            Ok(command) => self.obey(command, origin),
            Err(why) => Err(why),
        };
        let answer = message::answer(heard.id, outcome);
        self.say(ToCourse::Answer(answer, origin.to_owned()));
    }

    fn say(&mut self, word: ToCourse) {
        self.ask(Effect::Course(word));
    }

    fn obey(&mut self, command: Command, origin: &str) -> Result<Option<Json>, String> {
        let open =
            || self.lesson.run.session.as_ref().ok_or_else(|| "no lesson is open yet".to_owned());
        match command {
            Command::Hello(window) => {
                self.say(ToCourse::GreetedBy(origin.to_owned(), window));
                return Ok(Some(self.state()));
            }
            Command::GetState => return Ok(Some(self.state())),
            // The page is moved there, and hears of it.
            Command::Load(link) => self.ask(Effect::Force(link.write())),
            Command::Resume(kept) => self.resume(&kept)?,
            Command::Goto(step) => {
                let last = open()?.timeline().len();
                if step > last {
                    return Err(format!("step: accepted are 0 … {last}"));
                }
                self.session_input(Msg::Seek(step));
            }
            Command::Reset => {
                open()?;
                self.session_input(Msg::Reset);
            }
            Command::Play => {
                open()?;
                if !self.lesson.run.playing {
                    self.play();
                }
            }
            Command::Pause => self.stop(),
            Command::SetLang(lang) => self.lang = lang,
            Command::SetTheme(theme) => {
                let theme = Theme::ALL.into_iter().find(|one| one.id() == theme);
                self.theme = theme.unwrap_or(self.theme);
            }
        }
        Ok(None)
    }

    /// Goes on from an earlier visit.
    #[inline(never)]
    fn resume(&mut self, kept: &Kept) -> Result<(), String> {
        let (Some(course), Some(session)) = (&mut self.course, &mut self.lesson.run.session) else {
            return Err("no lesson is open yet".to_owned());
        };
        let open = &session.lesson().id;
        if kept.lesson != *open {
            return Err(format!("lesson: {open} is open"));
        }
        recall(session, &mut self.lesson.review.answers, kept);
        course.earn(kept.progress);
        self.lesson.progress.add(kept.progress);
        Ok(())
    }

    fn state(&self) -> Json {
        let looks = (self.lang, self.theme.id());
        message::state(
            self.lesson.run.session.as_ref(),
            looks,
            self.lesson.run.playing,
            &self.score(),
        )
    }
}

/// Takes over the questions that an earlier visit met. What the lesson does not have is ignored.
fn recall(session: &mut Session, answers: &mut Answers, kept: &Kept) {
    let lesson = session.lesson().clone();
    for (id, answer) in &kept.questions {
        match (id.split_once('.'), answer.as_deref()) {
            (Some(("watch", id)), None) => session.recall(id, None),
            (Some(("watch", id)), Some([choice])) => session.recall(id, Some(*choice)),
            (Some(("review", id)), Some(choices)) => answers.recall(&lesson, id, choices),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
