//! The page in a course page: what the address lets it do, what it is told from outside, and what
//! it tells.

use super::*;
use crate::json::Json;
use crate::ui::embed::compat::{self, H5p};
use crate::ui::embed::post::Post;
use crate::view::embed::goal::{Score, score};
use crate::view::embed::message::{self, Command};
use crate::view::embed::{Bad, Embed};

/// The page as an embed.
pub(in crate::ui) struct Embedded {
    pub asked: Embed,
    /// What the address gets wrong, until it has been read.
    pub bad: Vec<Bad>,
    /// Nothing where there is no page around it.
    post: Option<Post>,
    /// What was reached in this visit; what the browser remembers of others does not count.
    earned: Progress,
    told: Told,
}

/// What was said last, so that only news is told.
#[derive(Default)]
struct Told {
    lesson: Option<String>,
    place: Option<String>,
    /// Changes when the page may become lower.
    shown: String,
    broken: Vec<(String, usize)>,
    score: Score,
    errors: Vec<String>,
}

impl Embedded {
    /// What the address says; nothing where this is the page itself.
    pub fn new(ctx: &Context<App>) -> Option<Embedded> {
        let (asked, bad) = Embed::parse(&browser::query())?;
        browser::set_root("data-embed", "fixed");
        for (name, value) in asked.attributes() {
            browser::set_root(name, &value);
        }
        let link = ctx.link().clone();
        let hear = move |text, origin| link.send_message(Event::Parent(text, origin));
        let post = Post::new(&asked, hear);
        Some(Embedded { asked, bad, post, earned: Progress::default(), told: Told::default() })
    }

    pub fn theme(&self) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| Some(theme.id()) == self.asked.theme)
    }

    pub fn observe(&self) {
        if let Some(post) = &self.post {
            post.observe();
        }
    }

    pub fn earn(&mut self, done: Progress) {
        self.earned.add(done);
    }
}

impl App {
    /// Of the lesson that has just been opened, only what the course page wants.
    pub(super) fn confine(&mut self) {
        let (Some(embed), Some(session)) = (&mut self.embed, &mut self.run.session) else { return };
        let known = embed.told.lesson.as_ref() == Some(&session.lesson().id);
        if !known {
            embed.earned = Progress::default();
        }
        let notices = session.confine(embed.asked.part());
        self.banners.extend(notices.into_iter().map(Banner::Lesson));
    }

    /// Whether the course page withholds what a press asks for. Its buttons are not there; but a
    /// key, or one who knows how to press what is not shown, could still ask.
    pub(super) fn withholds(&self, input: &Input) -> bool {
        let Some(embed) = &self.embed else { return false };
        let readonly = embed.asked.readonly;
        match input {
            Input::Hints(on) => *on && !embed.asked.hints,
            Input::ShowAnswer(_) | Input::TakeAnswer | Input::AnswerAgain(_) => {
                !embed.asked.answers
            }
            Input::Own(_)
            | Input::Kept(_)
            | Input::Faults(_)
            | Input::Draft(_)
            | Input::Grade
            | Input::StepAnswer => readonly,
            Input::ShareOpen(_) | Input::Theme => true,
            _ => false,
        }
    }

    fn score(&self) -> Score {
        let parts = self.embed.as_ref().zip(self.run.session.as_ref());
        parts.map_or_else(Score::default, |(embed, session)| {
            let answered = self.answers.answered(session.lesson());
            score(&embed.asked, session, embed.earned, answered)
        })
    }

    /// Tells the course page what is new.
    pub(super) fn tell(&mut self) {
        if self.embed.is_some() {
            self.tell_parent();
        }
    }

    #[inline(never)]
    fn tell_parent(&mut self) {
        let score = self.score();
        let errors = self.banner_texts();
        let lang = self.lang;
        let (Some(embed), session) = (&mut self.embed, self.run.session.as_ref()) else { return };
        let (Some(post), told) = (&embed.post, &mut embed.told) else { return };
        for why in errors.iter().filter(|why| !told.errors.contains(why)) {
            post.tell(&message::error(why));
        }
        told.errors = errors;
        let Some(session) = session else { return };
        let id = &session.lesson().id;
        let mode = session.mode();
        let shown = format!("{id} {} {} {}", session.variant(), mode.id(), lang.tag());
        if told.shown != shown {
            told.shown = shown;
            post.sink();
        }
        let place = message::step(session).to_string();
        if told.lesson.as_ref() != Some(id) {
            told.lesson = Some(id.clone());
            // What was reached at once is news.
            told.score =
                Score { percent: 0, reached: Vec::new(), complete: false, ..score.clone() };
            told.place = Some(place);
            told.broken.clear();
            post.tell(&message::ready(Some(session), lang));
        } else if told.place.as_ref() != Some(&place) {
            told.place = Some(place);
            post.confide(&message::step(session));
        }
        let broken = if mode.is_stepped() { message::broken(session) } else { Vec::new() };
        for (property, at) in broken.iter().filter(|one| !told.broken.contains(one)) {
            post.confide(&message::violation(session, property, *at));
        }
        told.broken = broken;
        if told.score != score {
            post.confide(&message::goal(session, &score));
            told.score = score;
        }
    }

    /// Does what the course page says, and answers.
    #[inline(never)]
    pub(super) fn parent_says(&mut self, ctx: &Context<Self>, text: &str, origin: &str) {
        let Some(embed) = &self.embed else { return };
        let Some(post) = &embed.post else { return };
        if embed.asked.speaks("h5p") {
            match compat::h5p_heard(text) {
                Some(H5p::Ready) => return post.tell(&compat::h5p_hello()),
                Some(H5p::Greets) => return post.h5p_greeted(),
                None => {}
            }
        }
        let Some(heard) = message::hear(text) else { return };
        let outcome = match heard.command {
            Ok(command) => self.obey(ctx, command, origin),
            Err(why) => Err(why),
        };
        let post = self.embed.as_ref().and_then(|embed| embed.post.as_ref());
        if let Some(post) = post {
            post.answer(&message::answer(heard.id, outcome), origin);
        }
    }

    fn obey(
        &mut self,
        ctx: &Context<Self>,
        command: Command,
        origin: &str,
    ) -> Result<Option<Json>, String> {
        let open = || self.run.session.as_ref().ok_or_else(|| "no lesson is open yet".to_owned());
        match command {
            Command::Hello => {
                if let Some(post) = self.embed.as_ref().and_then(|embed| embed.post.as_ref()) {
                    post.greeted_by(origin);
                }
                return Ok(Some(self.state()));
            }
            Command::GetState => return Ok(Some(self.state())),
            Command::Load(link) => {
                browser::go_to_fragment(&link.write());
                self.follow_address(ctx);
            }
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
                if !self.run.playing {
                    self.play(ctx);
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

    fn state(&self) -> Json {
        let looks = (self.lang, self.theme.id());
        message::state(self.run.session.as_ref(), looks, self.run.playing, &self.score())
    }
}
