//! Handles presses and keys.

use super::*;
use crate::app::keys::{self, Around, KeyPress};
use crate::session::Beside;

/// The first answer to the question of a story, and the step that follows an answer.
pub(super) const ANSWERS: &str = ".ask .answers button";
pub(super) const ANSWERED: &str = "[data-ask=go]";

impl Shell {
    pub(super) fn input(&mut self, input: Input) {
        self.lesson.exercise.sure &= input == Input::ResetDraft;
        if self.withholds(&input) {
            return;
        }
        match input {
            Input::Session(msg @ Msg::Open(_)) => self.play_found(msg),
            Input::Session(msg) => self.stepped(msg),
            Input::Scrub(place) => {
                self.stop();
                self.lesson.run.scrub(place);
            }
            Input::Play if self.lesson.run.playing => self.stop(),
            Input::Play => self.play(),
            Input::Lang(lang) => {
                self.lang = lang;
                self.store("lang", lang.tag());
            }
            other => self.other_input(other),
        }
    }

    #[inline(never)]
    fn other_input(&mut self, input: Input) {
        match input {
            Input::Session(_) | Input::Scrub(_) | Input::Play | Input::Lang(_) => {}
            Input::Random => self.session_input(Msg::Random((self.host.seed)())),
            Input::Speed(speed) => {
                self.lesson.run.speed = speed.min(SPEEDS.len() - 1);
                self.lesson.run.clock_is_due = self.lesson.run.playing;
            }
            Input::Theme => {
                self.theme = self.theme.next();
                self.store("theme", self.theme.id());
            }
            Input::Letters(on) => {
                self.letters = on;
                self.store("letters", if on { "on" } else { "off" });
            }
            Input::Share => self.ask(Effect::Copy("link", (self.host.address)())),
            Input::ShareOpen(open) => self.show(Window::Share, open),
            Input::EmbedOpen(open) => self.show(Window::Embed, open),
            Input::CopyCall(text) => self.ask(Effect::Copy("call", text)),
            Input::ExportCopy(form) => {
                if let Some(session) = &self.lesson.run.session {
                    let text = export(session, form, self.lang);
                    self.ask(Effect::Copy(form.id(), text));
                }
            }
            Input::ExportSave(form) => {
                if let Some(session) = &self.lesson.run.session {
                    let text = export(session, form, self.lang);
                    let name = form.file(&session.lesson().id);
                    self.save(name, form.mime(), text);
                }
            }
            Input::Picture(png) => {
                if let Some(name) =
                    self.lesson.run.session.as_ref().map(|one| one.lesson().id.clone())
                {
                    self.ask(Effect::Picture { name, png });
                }
            }
            Input::ShareRun(schedule) => {
                if let Some(session) = &self.lesson.run.session {
                    let name = self.name_of_found(&schedule);
                    let link = self.link_of(session.link_to_run(&schedule, name, self.lang));
                    let cut = link.schedule.as_ref().is_some_and(|text| *text != schedule);
                    let (fragment, left_out) = link.write_within();
                    let left_out = left_out.or(cut.then_some(LeftOut::Steps));
                    self.ask(Effect::Copy("run", (self.host.address_with)(&fragment)));
                    self.banners.retain(|banner| !matches!(banner, Banner::LeftOut(_)));
                    self.banners.extend(left_out.map(Banner::LeftOut));
                }
            }
            Input::NameRun(name) => {
                if let Some(session) = &mut self.lesson.run.session {
                    session.update(Msg::NameRun(session.timeline().id(), name));
                }
            }
            Input::Onward => self.go_onward(),
            Input::Find => self.find(),
            Input::FindStop => self.lesson.searches.stop(),
            Input::Point(block) => {
                if let Some(session) = &self.lesson.run.session {
                    self.lesson.searches.point(session, block);
                }
            }
            Input::Hints(on) => self.lesson.searches.set_hints(on),
            Input::Face(face) => {
                self.store("face", &face);
                self.lesson.run.face = face;
            }
            Input::Draft(text) => self.draft(text),
            Input::Grade => self.grade(),
            Input::StepAnswer => {
                if self.take_answer() {
                    self.session_input(Msg::Mode(Mode::Schedule));
                }
            }
            Input::ResetDraft | Input::ShowAnswer(_) | Input::TakeAnswer => self.exercise(&input),
            Input::Tick(quiz, choice) => {
                if let Some(session) = &self.lesson.run.session {
                    self.lesson.review.answers.tick(session.lesson(), quiz, choice);
                }
            }
            Input::LookAt(quiz, msg) => {
                self.lesson.review.question = Some(quiz);
                self.session_input(msg);
            }
            Input::ToQuestion => {
                let asked = self.lesson.review.question.take();
                self.session_input(Msg::Mode(Mode::Review));
                if let Some(quiz) = asked {
                    self.reveal(&format!("[data-quiz=\"{quiz}\"]"));
                }
            }
            Input::GiveAnswer(quiz) => self.lesson.review.answers.give(quiz),
            Input::AnswerAgain(quiz) => self.lesson.review.answers.again(quiz),
            Input::GuideBack | Input::GuideStart | Input::GuideAnswer(_) => {
                if let Some(guide) = &mut self.guide {
                    guide.turn(&input);
                }
            }
            Input::Present(open) => {
                self.lesson.presenter = (open && self.lesson.is_stepped()).then_some(false);
                self.lesson.passes = false;
            }
            Input::PassQuestion if self.lesson.passes => self.session_input(Msg::Skip),
            Input::PassQuestion => self.lesson.passes = self.asks(),
            Input::Dark(dark) => {
                if let Some(presenter) = &mut self.lesson.presenter {
                    *presenter = dark;
                }
            }
            Input::Renew(true) => self.ask(Effect::Renew),
            Input::Renew(false) => self.has_news = false,
            Input::KeepCopy(keep) => self.ask(Effect::KeepCopy(keep)),
            Input::UndoDraft(redo) => self.undo_draft(redo),
            Input::Own(input) => self.own_input(input),
            Input::Real(input) => self.real_input(input),
            Input::Crowd(input) => self.crowd_input(input),
            Input::Kept(input) => self.kept_input(&input),
            Input::Class(input) => self.class_input(input),
            Input::Filter(text) => self.filter = text.chars().take(60).collect(),
            Input::Console(what) => self.at_console(what),
            Input::Imported(imported, programs) => self.open_imported(&imported, programs),
            Input::Help(open) => self.show(Window::Help, open),
            Input::Goal(open) => self.show(Window::Goal, open),
            Input::More => self.ask(Effect::Press("[data-move=more]")),
            Input::Print => self.ask(Effect::Print),
            Input::Faults(open) => self.show(Window::Faults, open),
            Input::Runs(open) => self.show(Window::Runs, open),
            Input::CompareRun(id) => {
                self.close(Window::Runs);
                self.session_input(Msg::Compare(Some(Beside::Run(id))));
            }
            Input::Inside(open) => self.lesson.run.set_open(open),
            Input::Dismiss => {
                let stays = self.is_bare();
                self.banners.retain(|one| stays && matches!(one, Banner::NoSuchLesson(_)));
                if let Some(course) = &mut self.course {
                    course.bad.clear();
                }
            }
            Input::Retry => {
                self.banners.clear();
                if self.index.is_none() {
                    self.load(Wanted::Index);
                }
                self.follow_address();
            }
        }
    }

    /// Opens a run that a search has found, and plays it.
    #[inline(never)]
    fn play_found(&mut self, msg: Msg) {
        self.session_input(msg);
        if self.lesson.is_stepped() {
            self.play();
        }
    }

    pub(super) fn find(&mut self) {
        self.session_input(Msg::Mode(Mode::Find));
        self.begin_search(|_, _| true);
    }

    /// Searches the variant shown, if the mode is Find and `wanted` returns true.
    pub(super) fn begin_search(&mut self, wanted: fn(&SearchStore, &Session) -> bool) {
        let Some(session) = self.lesson.run.session.as_ref().filter(|one| one.mode() == Mode::Find)
        else {
            return;
        };
        if wanted(&self.lesson.searches, session)
            && let Err(why) = self.lesson.searches.begin(session)
        {
            self.banners.push(Banner::LoadFailed(session.lesson().id.clone(), why));
        }
    }

    /// Passes an input to the session. It stops "play" and removes the banners about the link.
    pub(super) fn session_input(&mut self, msg: Msg) {
        self.stop();
        self.lesson.passes = false;
        self.close(Window::Faults);
        if matches!(msg, Msg::Mode(_)) {
            self.lesson.console.focus = 0;
        }
        let Some(session) = &mut self.lesson.run.session else { return };
        let before = session.mode();
        let looks = matches!(msg, Msg::OpenIn { .. });
        let found = match (&msg, &self.own) {
            (Msg::Open(schedule), Some(play)) => play.name_of_found(schedule).to_owned(),
            _ => String::new(),
        };
        let notice = session.update(msg);
        if !found.is_empty() {
            session.name_next(found);
        }
        if session.mode() != before {
            self.turns = true;
            // A part is read from its head, wherever the one before was left.
            self.ask(Effect::ToTop);
            self.lesson.review.question = self.lesson.review.question.take().filter(|_| looks);
        }
        self.banners.retain(|banner| !matches!(banner, Banner::Lesson(_)));
        self.banners.extend(notice.map(Banner::Lesson));
    }

    /// Passes a press to the session. Where the story comes to a question, or waits for its answer,
    /// the keyboard goes there; from an answer it goes to the step that gives it.
    fn stepped(&mut self, msg: Msg) {
        let steps = matches!(msg, Msg::Forward | Msg::Step(_) | Msg::Advance | Msg::Act(_));
        let answers = matches!(msg, Msg::Foretell(_));
        self.session_input(msg);
        if self.asks() && steps {
            self.ask(Effect::Focus(ANSWERS));
        } else if answers && !self.asks() {
            self.ask(Effect::Focus(ANSWERED));
        }
    }

    fn asks(&self) -> bool {
        self.lesson.run.session.as_ref().is_some_and(Session::asks)
    }

    pub(super) fn play(&mut self) {
        let repeats = self.repeats();
        if self.asks() && !repeats {
            return self.ask(Effect::Focus(ANSWERS));
        }
        let Some(session) = &mut self.lesson.run.session else { return };
        let timeline = session.timeline();
        if timeline.is_empty() {
            return;
        }
        if at_end(timeline) {
            session.update(Msg::Seek(0));
        } else {
            session.update(Msg::Forward);
        }
        if session.asks() && !repeats {
            return self.ask(Effect::Focus(ANSWERS));
        }
        self.lesson.run.playing = true;
        self.lesson.run.clock_is_due = true;
    }

    /// Starts the timer for the next step of "play" if it is due: it ends after the film of this
    /// one, which the view has by now.
    pub(super) fn start_clock(&mut self) {
        if std::mem::take(&mut self.lesson.run.clock_is_due) && self.lesson.run.playing {
            let beat_ms = self.lesson.run.beat_ms((self.host.is_calm)());
            self.time(Timer::Beat, Some(beat_ms));
        }
    }

    pub(super) fn stop(&mut self) {
        if std::mem::take(&mut self.lesson.run.playing) {
            self.time(Timer::Beat, None);
        }
    }

    pub(super) fn beat(&mut self) {
        let repeat = self.repeats();
        let Some(session) = self.lesson.run.session.as_mut().filter(|_| self.lesson.run.playing)
        else {
            return;
        };
        if at_end(session.timeline()) && repeat {
            session.update(Msg::Seek(0));
        } else {
            session.update(if session.asks() { Msg::Skip } else { Msg::Forward });
        }
        let (asks, over) = (session.asks(), at_end(session.timeline()));
        if asks && !repeat {
            self.ask(Effect::Focus(ANSWERS));
        }
        if (asks || over) && !repeat {
            return self.stop();
        }
        self.lesson.run.clock_is_due = true;
    }

    /// Returns true if a course page asks for a run that begins anew at its end.
    fn repeats(&self) -> bool {
        self.course.as_ref().is_some_and(|course| course.asked.repeat)
    }

    /// Returns the input that a key stands for; `None` if the page ignores it.
    pub(super) fn key(&self, press: &KeyPress) -> Option<Input> {
        let asks = [Window::Share, Window::Help, Window::Goal].iter().any(|one| self.is_open(*one));
        let around = Around {
            session: self.lesson.run.session.as_ref(),
            letters: self.letters,
            keyless: self.course.as_ref().is_some_and(|course| !course.asked.keys),
            dialog: self.window.is_some(),
            nothing_to_undo: asks,
            presenter: self.lesson.presenter,
            examples: self.own.as_ref().is_some_and(|play| play.menu),
        };
        keys::key(press, &around)
    }
}

impl Guided {
    fn turn(&mut self, input: &Input) {
        match input {
            Input::GuideBack => self.trail.back(),
            Input::GuideStart => self.trail = Trail::default(),
            Input::GuideAnswer(number) => {
                if let Some(guide) = &self.lesson.guide {
                    self.trail.answer(guide, *number);
                }
            }
            _ => {}
        }
    }
}
