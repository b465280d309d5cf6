//! The consoles: what is done at them, and the reference that they need.

use crate::view::console::docs::Docs;
use crate::view::console::{Do, HISTORY_MAX};

use super::*;
use crate::ui::console::Console;
use crate::view::own::Own;

/// Where lines typed in earlier visits are kept, one a line.
const KEPT: &str = "console.history";

impl App {
    pub(super) fn at_console(&mut self, ctx: &Context<Self>, what: Do) {
        self.stop();
        if matches!(what, Do::Open(true) | Do::Add | Do::Select(_)) {
            self.console_focus += 1;
        }
        self.ready_console(ctx);
        if self.at_real_console(&what) {
            self.keep_history();
            return;
        }
        let typed = matches!(what, Do::Submit(..) | Do::Cancel(_) | Do::Close(_));
        let Some(session) = &mut self.run.session else { return };
        let notices = self.console.act(session, what, self.docs.as_deref(), self.lang);
        if typed {
            self.banners.retain(|banner| !matches!(banner, Banner::Lesson(_)));
            self.banners.extend(notices.into_iter().map(Banner::Lesson));
            self.keep_history();
        }
    }

    /// A line may hold anything; what is kept is read line by line.
    fn keep_history(&self) {
        let history: Vec<&str> = self.console.history.iter().map(String::as_str).collect();
        browser::store(KEPT, &history.join("\n"));
    }

    /// Gets what a console needs, the first time that one is shown.
    pub(super) fn ready_console(&mut self, ctx: &Context<Self>) {
        if self.docs_asked {
            return;
        }
        self.docs_asked = true;
        let kept = browser::stored(KEPT).unwrap_or_default();
        let kept: Vec<String> = kept.lines().map(str::to_owned).collect();
        let newest = kept.len().saturating_sub(HISTORY_MAX);
        self.console.history = kept[newest..].to_vec();
        ctx.link().send_future(async {
            let text = browser::load("lessons/commands.json".into()).await;
            Event::Docs(text.and_then(|text| json::read::<Docs>(&text)))
        });
    }

    /// Opens what was read from a transcript: as programs in the playground, or typed at consoles
    /// behind the step that is shown.
    pub(super) fn open_imported(
        &mut self,
        ctx: &Context<Self>,
        imported: &Imported,
        programs: bool,
    ) {
        self.stop();
        if programs {
            self.ready_console(ctx);
            // What could not be read back would be lost with the next visit.
            match Own::read(&Own::of_imported(imported, self.lang).write(), "") {
                Ok(own) => self.put(own, Some((imported.schedule.clone(), 0)), Mode::Schedule),
                Err(mistake) => self.banners.push(Banner::Own(mistake)),
            }
            return;
        }
        let Some(session) = &mut self.run.session else { return };
        let notices = self.console.replay(session, imported);
        self.banners.extend(notices.into_iter().map(Banner::Lesson));
        self.ready_console(ctx);
    }

    /// The consoles of the run shown. Where they are the page's own part and not called up,
    /// `always` shows them, and [`App::ready_console`] is to be called when the page opens.
    pub(in crate::ui) fn console_panel(
        &self,
        session: &Session,
        on: &Callback<Input>,
        always: bool,
    ) -> Html {
        match (always || self.console.open) && session.mode().is_stepped() {
            true => self.open_console(session, on, always),
            false => Html::default(),
        }
    }

    #[inline(never)]
    fn open_console(&self, session: &Session, on: &Callback<Input>, always: bool) -> Html {
        let timeline = session.timeline();
        let ids = self.console.ids(timeline);
        let Some(at) = self.console.at(timeline) else { return Html::default() };
        let nodes = &timeline.world().setting().nodes;
        html! {
            <Console lang={self.lang} {at} closable={!always} focus={self.console_focus}
                panes={ids.iter().map(|id| self.real_pane(self.console.pane(session, *id)))
                    .collect::<Vec<_>>()}
                real={self.real_console()}
                can_add={self.console.can_add(timeline)}
                nodes={if nodes.len() > 1 { nodes.clone() } else { Vec::new() }}
                docs={self.docs.clone()} history={self.console.history.clone()}
                on={on.clone()} />
        }
    }
}
