//! Handles input at the consoles and loads the command reference that they need.

use super::*;
use crate::app::console::HISTORY_MAX;
use crate::playground::Definition;
use crate::view::console::Panel;
use crate::view::console::docs::Docs;

/// The storage name of the lines typed in earlier visits, one a line.
const KEPT: &str = "console.history";

/// The consoles beside the run.
#[derive(Debug, Default)]
pub struct ConsoleState {
    pub panel: Panel,
    /// A counter that grows when a console should get the keyboard focus.
    pub focus: u32,
    reference: Reference,
}

/// The reference of the commands, which is loaded when a console is first shown.
#[derive(Debug, Default)]
enum Reference {
    #[default]
    Unasked,
    Asked,
    Here(Rc<Docs>),
}

impl ConsoleState {
    pub fn docs(&self) -> Option<&Rc<Docs>> {
        match &self.reference {
            Reference::Here(docs) => Some(docs),
            Reference::Unasked | Reference::Asked => None,
        }
    }

    /// Resets the consoles for another lesson, but keeps the history of typed lines.
    pub fn for_another(&mut self) {
        self.panel = self.panel.for_another();
    }

    /// Takes the command reference. If loading it failed, typing works and `help` says that it is
    /// missing; the next console shown asks for it again.
    pub fn docs_came(&mut self, text: Result<String, String>) {
        self.reference = match text.and_then(|text| json::read::<Docs>(&text)) {
            Ok(docs) => Reference::Here(Rc::new(docs)),
            Err(_) => Reference::Unasked,
        };
    }
}

impl Shell {
    pub(super) fn at_console(&mut self, what: Do) {
        self.stop();
        if matches!(what, Do::Open(true) | Do::Add | Do::Select(_)) {
            self.lesson.console.focus += 1;
        }
        self.ready_console();
        if self.at_real_console(&what) {
            self.keep_history();
            return;
        }
        let typed = matches!(what, Do::Submit(..) | Do::Cancel(_) | Do::Close(_));
        let Some(session) = &mut self.lesson.run.session else { return };
        let docs = self.lesson.console.docs().cloned();
        let notices = self.lesson.console.panel.act(session, what, docs.as_deref(), self.lang);
        if typed {
            self.banners.retain(|banner| !matches!(banner, Banner::Lesson(_)));
            self.banners.extend(notices.into_iter().map(Banner::Lesson));
            self.keep_history();
        }
    }

    /// Stores the history. A typed line that contains line breaks is read back as several lines.
    fn keep_history(&mut self) {
        let history: Vec<&str> =
            self.lesson.console.panel.history.iter().map(String::as_str).collect();
        let history = history.join("\n");
        self.store(KEPT, &history);
    }

    /// Loads the history and the command reference when a console is first shown.
    pub(super) fn ready_console(&mut self) {
        if !matches!(self.lesson.console.reference, Reference::Unasked) {
            return;
        }
        self.lesson.console.reference = Reference::Asked;
        let kept = self.host.stored(KEPT).unwrap_or_default();
        let kept: Vec<String> = kept.lines().map(str::to_owned).collect();
        let newest = kept.len().saturating_sub(HISTORY_MAX);
        self.lesson.console.panel.history = kept[newest..].to_vec();
        self.load(Wanted::Docs);
    }

    /// Opens an imported transcript: as programs in the playground, or typed at consoles after the
    /// step that is shown.
    pub(super) fn open_imported(&mut self, imported: &Imported, programs: bool) {
        self.stop();
        if programs {
            self.ready_console();
            // What could not be read back would be lost with the next visit.
            match Definition::read(&imported.own(self.lang).write(), "") {
                Ok(own) => self.put(own, Some((imported.schedule.clone(), 0)), Mode::Schedule),
                Err(mistakes) => self.refuse(mistakes),
            }
            return;
        }
        let Some(session) = &mut self.lesson.run.session else { return };
        let notices = self.lesson.console.panel.replay(session, imported);
        self.banners.extend(notices.into_iter().map(Banner::Lesson));
        self.ready_console();
    }
}
