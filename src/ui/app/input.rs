//! Handles presses and keys.

use super::*;
use crate::app::keys::{self, Around};
use crate::view::session::Beside;

impl App {
    pub(super) fn input(&mut self, ctx: &Context<Self>, input: Input) {
        self.sure &= input == Input::ResetDraft;
        if self.withholds(&input) {
            return;
        }
        match input {
            Input::Session(msg) => self.session_input(msg),
            Input::Scrub(place) => {
                self.stop();
                self.run.scrub(place);
            }
            Input::Play if self.run.playing => self.stop(),
            Input::Play => self.play(ctx),
            Input::Lang(lang) => {
                self.lang = lang;
                browser::store("lang", lang.tag());
            }
            other => self.other_input(ctx, other),
        }
    }

    #[inline(never)]
    fn other_input(&mut self, ctx: &Context<Self>, input: Input) {
        match input {
            Input::Session(_) | Input::Scrub(_) | Input::Play | Input::Lang(_) => {}
            Input::Random => self.session_input(Msg::Random(browser::seed())),
            Input::Speed(speed) => {
                self.run.speed = speed.min(SPEEDS.len() - 1);
                if self.run.playing {
                    self.start_clock(ctx);
                }
            }
            Input::Theme => {
                self.theme = self.theme.next();
                browser::store("theme", self.theme.id());
            }
            Input::Share => self.copy(ctx, "link", browser::address()),
            Input::ShareOpen(open) => self.sharing = open,
            Input::EmbedOpen(open) => (self.sharing, self.making) = (false, open),
            Input::ExportCopy(form) => {
                if let Some(session) = &self.run.session {
                    self.copy(ctx, form.id(), export(session, form, self.lang));
                }
            }
            Input::ExportSave(form) => {
                if let Some(session) = &self.run.session {
                    let text = export(session, form, self.lang);
                    let name = form.file(&session.lesson().id);
                    self.saved(picture::save(&name, form.mime(), &text).is_ok());
                }
            }
            Input::Picture(png) => self.picture(ctx, png),
            Input::ShareRun(schedule) => {
                if let Some(session) = &self.run.session {
                    let link = self.link_of(session.link_to_run(&schedule, self.lang));
                    let cut = link.schedule.as_ref().is_some_and(|text| *text != schedule);
                    let (fragment, left_out) = link.write_within();
                    let left_out = left_out.or(cut.then_some(LeftOut::Steps));
                    self.copy(ctx, "run", browser::address_with(&fragment));
                    self.banners.retain(|banner| !matches!(banner, Banner::LeftOut(_)));
                    self.banners.extend(left_out.map(Banner::LeftOut));
                }
            }
            Input::Find => self.find(),
            Input::FindStop => self.searches.stop(),
            Input::Point(block) => {
                if let Some(session) = &self.run.session {
                    self.searches.point(session, block);
                }
            }
            Input::Hints(on) => self.searches.set_hints(on),
            Input::Face(face) => {
                browser::store("face", &face);
                self.run.face = face;
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
                if let Some(session) = &self.run.session {
                    self.answers.tick(session.lesson(), quiz, choice);
                }
            }
            Input::LookAt(quiz, msg) => {
                self.question = Some(quiz);
                self.session_input(msg);
            }
            Input::ToQuestion => {
                let asked = self.question.take();
                self.session_input(Msg::Mode(Mode::Review));
                if let Some(quiz) = asked {
                    let place = format!("[data-quiz=\"{quiz}\"]");
                    Timeout::new(0, move || browser::show(&place)).forget();
                }
            }
            Input::GiveAnswer(quiz) => self.answers.give(quiz),
            Input::AnswerAgain(quiz) => self.answers.again(quiz),
            Input::GuideBack => self.trail.back(),
            Input::GuideStart => self.trail = Trail::default(),
            Input::GuideAnswer(number) => {
                if let Some(guide) = self.guide.as_ref().and_then(|lesson| lesson.guide.as_ref()) {
                    self.trail.answer(guide, number);
                }
            }
            Input::Present(open) => {
                let stepped = self.run.session.as_ref().is_some_and(|one| one.mode().is_stepped());
                self.presenter = (open && stepped).then(Presenter::new);
            }
            Input::Dark(dark) => {
                if let Some(presenter) = &mut self.presenter {
                    presenter.dark = dark;
                }
            }
            Input::Renew(true) => offline::renew(),
            Input::Renew(false) => self.offline.news = false,
            Input::KeepCopy(keep) => offline::keep_copy(keep),
            Input::UndoDraft(redo) => self.undo_draft(redo),
            Input::Own(input) => self.own_input(ctx, input),
            Input::Real(input) => self.real_input(ctx, input),
            Input::Crowd(input) => self.crowd_input(ctx, input),
            Input::Kept(input) => self.kept_input(&input),
            Input::Filter(text) => self.filter = text.chars().take(60).collect(),
            Input::Console(what) => self.at_console(ctx, what),
            Input::Imported(imported, programs) => self.open_imported(ctx, &imported, programs),
            Input::Help(open) => self.help = open,
            Input::Faults(open) => self.faults = open,
            Input::Runs(open) => self.runs = open,
            Input::CompareRun(id) => {
                self.runs = false;
                self.session_input(Msg::Compare(Some(Beside::Run(id))));
            }
            Input::Inside(open) => self.run.set_open(open),
            Input::Dismiss => {
                self.banners.clear();
                if let Some(embed) = &mut self.embed {
                    embed.bad.clear();
                }
            }
            Input::Retry => {
                self.banners.clear();
                if self.index.is_none() {
                    self.load_index(ctx);
                }
                self.follow_address(ctx);
            }
        }
    }

    pub(super) fn find(&mut self) {
        self.session_input(Msg::Mode(Mode::Find));
        self.begin_search(|_, _| true);
    }

    /// Searches the variant shown, if that is in Find and `wanted`.
    pub(super) fn begin_search(&mut self, wanted: fn(&SearchStore, &Session) -> bool) {
        let Some(session) = self.run.session.as_ref().filter(|one| one.mode() == Mode::Find) else {
            return;
        };
        if wanted(&self.searches, session)
            && let Err(why) = self.searches.begin(session)
        {
            self.banners.push(Banner::LoadFailed(session.lesson().id.clone(), why));
        }
    }

    /// An input to the lesson. A reader who touches the run takes it over from "play", and has read
    /// what the banners said of the link.
    pub(super) fn session_input(&mut self, msg: Msg) {
        self.stop();
        self.faults = false;
        if matches!(msg, Msg::Mode(_)) {
            self.console_focus = 0;
        }
        let Some(session) = &mut self.run.session else { return };
        let before = session.mode();
        let looks = matches!(msg, Msg::OpenIn { .. });
        let notice = session.update(msg);
        if session.mode() != before {
            self.turns = true;
            self.question = self.question.take().filter(|_| looks);
        }
        self.banners.retain(|banner| !matches!(banner, Banner::Lesson(_)));
        self.banners.extend(notice.map(Banner::Lesson));
    }

    pub(super) fn play(&mut self, ctx: &Context<Self>) {
        let Some(session) = &mut self.run.session else { return };
        let timeline = session.timeline();
        if timeline.is_empty() {
            return;
        }
        if at_end(timeline) {
            session.update(Msg::Seek(0));
        } else {
            session.update(Msg::Forward);
        }
        self.run.playing = true;
        self.refresh();
        self.start_clock(ctx);
    }

    /// Sets the clock of "play" to the next step: the film of this one ends before.
    pub(super) fn start_clock(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        let beat_ms = self.run.beat_ms(browser::is_calm());
        self.beat = Some(Timeout::new(beat_ms, move || link.send_message(Event::Tick)));
    }

    pub(super) fn stop(&mut self) {
        (self.run.playing, self.beat) = (false, None);
    }

    pub(super) fn tick(&mut self, ctx: &Context<Self>) {
        let repeat = self.embed.as_ref().is_some_and(|embed| embed.asked.repeat);
        let Some(session) = self.run.session.as_mut().filter(|_| self.run.playing) else {
            return;
        };
        if session.asks() && !repeat {
            return self.stop();
        }
        if at_end(session.timeline()) && repeat {
            session.update(Msg::Seek(0));
        } else {
            session.update(Msg::Forward);
        }
        let over = at_end(session.timeline()) && !repeat;
        if over {
            return self.stop();
        }
        self.refresh();
        self.start_clock(ctx);
    }

    /// What a key does, if it is for the page.
    pub(super) fn key(&self, event: &KeyboardEvent) -> Option<Input> {
        let asks = self.sharing || self.help;
        let around = Around {
            session: self.run.session.as_ref(),
            lang: self.lang,
            keyless: self.embed.as_ref().is_some_and(|embed| !embed.asked.keys),
            dialog: asks || self.faults || self.making || self.runs || self.real_asks(),
            nothing_to_undo: asks,
            presenter: self.presenter.as_ref().map(|one| one.dark),
            examples: self.own.as_ref().is_some_and(|play| play.menu),
        };
        keys::key(&browser::key_press(event), &around)
    }
}
