//! The playground's Edit mode: the texts in an editor, and beside them who takes part, what must
//! hold and what may go wrong. Every mistake stands at its field, and all of them in one list.

use web_sys::{Blob, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::app::input::{Input, OwnInput, Unread};
use crate::app::search::Beside;
use crate::app::shell::Playground;
use crate::engine::Version;
use crate::playground::alone::Trouble;
use crate::playground::conditions::{CHOICES, Choice};
use crate::playground::edit::{Edit, Row};
use crate::playground::{Definition, Expect, FAULTS, MANY_MAX, Mistake, MistakePlace, Part, zip};
use crate::sim::{Faults, Kind, TimeMode};
use crate::text::{Key, Lang, LiveWord, ScreenWord, VerdictWord, fill, screen, tr, verdict};
use crate::view::find::Panel;
use crate::view::find::live::{Verdict, called_lines};
use crate::view::highlight;

use super::browser;
use super::cards::client_class;
use super::editor::Editor;
use super::live::{LiveProps, live};
use super::parts::off;

/// Reads a file that was chosen or dropped.
pub fn open_file(name: String, file: Blob, on: &Callback<Input>) {
    let heard = on.reform(move |read| Input::Own(OwnInput::Open(name.clone(), read)));
    read_file(file, zip::FILE_MAX, heard);
}

/// Reads a file, unless it has more bytes than one of ours can have.
pub fn read_file(file: Blob, most: usize, heard: Callback<Result<Vec<u8>, Unread>>) {
    wasm_bindgen_futures::spawn_local(async move {
        heard.emit(match file.size() > most as f64 {
            true => Err(Unread::TooBig),
            false => browser::bytes(&file).await.map_err(Unread::Failed),
        });
    });
}

/// The verdicts on the scenario.
pub struct Verdicts<'a> {
    pub beside: Option<Beside<'a>>,
    /// The errors to which programs come; true: alone.
    pub troubles: (Vec<Trouble>, bool),
}

/// The values that the parts of the page need to draw themselves.
struct Page<'p> {
    lang: Lang,
    play: &'p Playground,
    on: &'p Callback<Input>,
    verdicts: &'p Verdicts<'p>,
    verdict: Option<&'p Verdict>,
}

#[inline(never)]
pub fn own(play: &Playground, verdicts: &Verdicts<'_>, lang: Lang, on: &Callback<Input>) -> Html {
    let panel = |one: Beside<'_>| Panel::new(one.lesson, 0, Some(one.results), lang);
    let verdict = verdicts.beside.map(|one| Verdict::new(&panel(one), lang));
    let verdict = verdict.as_ref();
    let page = Page { lang, play, on, verdicts, verdict };
    html! {
        <main class="own" data-mistakes={play.mistakes.len().to_string()}>
            { page.bar() }
            <div class="own-left">
                { page.texts() }
                <section class="own-world">
                    { page.title() }
                    { page.properties() }
                    { page.clients() }
                    { page.faults() }
                    { page.instances() }
                </section>
            </div>
            { live(&LiveProps { lang, play, beside: verdicts.beside, verdict, on }) }
        </main>
    }
}

impl Page<'_> {
    fn tr(&self, key: Key) -> &'static str {
        tr(self.lang, key)
    }

    fn word(&self, word: LiveWord) -> &'static str {
        super::live::words(self.lang, word)
    }

    fn press(&self, input: OwnInput) -> Callback<MouseEvent> {
        self.on.reform(move |_| Input::Own(input.clone()))
    }

    fn edit(&self, edit: Edit) -> Callback<MouseEvent> {
        self.press(OwnInput::Edit(edit))
    }

    /// A field of one line, to be named on the page. A `"number"` is taken when the field is left,
    /// as a sign alone is no number, and so is a `"name"` that others follow.
    fn field(
        &self,
        label: String,
        value: String,
        kind: &'static str,
        make: impl Fn(String) -> Edit + 'static,
    ) -> Html {
        let callback = self.on.reform(move |text| Input::Own(OwnInput::Edit(make(text))));
        let (oninput, onchange) = match kind {
            "number" | "name" => {
                let change = callback.reform(|event: Event| {
                    let field: Option<HtmlInputElement> = event.target_dyn_into();
                    field.map(|field| field.value()).unwrap_or_default()
                });
                (None, Some(change))
            }
            _ => {
                let input = callback.reform(|event: InputEvent| {
                    let field: Option<HtmlInputElement> = event.target_dyn_into();
                    field.map(|field| field.value()).unwrap_or_default()
                });
                (Some(input), None)
            }
        };
        html! {
            <input type={if kind == "name" { "text" } else { kind }}
                aria-label={label} {value} {oninput} {onchange}
                spellcheck="false" autocomplete="off" autocapitalize="off" />
        }
    }

    /// A field with its name above it.
    fn named(&self, name: &'static str, field: Html) -> Html {
        html! { <label class="named"><small>{ name }</small>{ field }</label> }
    }

    fn select(
        &self,
        label: String,
        options: Vec<String>,
        chosen: usize,
        make: impl Fn(usize) -> Edit + 'static,
    ) -> Html {
        let onchange = self.on.reform(move |event: Event| {
            let select: Option<HtmlSelectElement> = event.target_dyn_into();
            let at = select.map_or(0, |select| select.selected_index().max(0) as usize);
            Input::Own(OwnInput::Edit(make(at)))
        });
        let options = options.into_iter().enumerate().map(|(at, option)| {
            html! { <option key={at} selected={at == chosen}>{ option }</option> }
        });
        html! { <select aria-label={label} {onchange}>{ for options }</select> }
    }

    fn remove(&self, what: &str, edit: Edit) -> Html {
        let label = fill(self.tr(Key::OwnRemove), &[what]);
        html! {
            <button type="button" class="remove" aria-label={label.clone()} title={label}
                onclick={self.edit(edit)}>{ "✕" }</button>
        }
    }

    fn add(&self, key: Key, edit: Edit, count: usize) -> Html {
        html! {
            <button type="button" class="add" disabled={count >= MANY_MAX}
                onclick={self.edit(edit)}>{ "+ " }{ self.tr(key) }</button>
        }
    }

    /// Draws the mistakes of a field, below it.
    fn wrong(&self, is: impl Fn(&MistakePlace) -> bool) -> Html {
        let mistakes = self.play.mistakes.iter().filter(|mistake| is(&mistake.place));
        let words = mistakes.map(|mistake| {
            let line = match mistake.line {
                0 => String::new(),
                line => fill(tr(self.lang, Key::FixLine), &[&line.to_string(), ""]),
            };
            html! {
                <p class="failure">{ line }{ mistake.what(self.lang) }{ ". " }
                    { mistake.remedy(self.lang) }</p>
            }
        });
        words.collect()
    }

    // ---- Above all ------------------------------------------------------------------------------

    fn bar(&self) -> Html {
        let play = self.play;
        let reset = if play.sure { Key::OwnResetSure } else { Key::OwnReset };
        let on = self.on.clone();
        let onchange = Callback::from(move |event: Event| {
            let Some(field) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let file = browser::first_file(&field);
            // The same file can be chosen again.
            field.set_value("");
            if let Some((name, file)) = file {
                open_file(name, file, &on);
            }
        });
        html! {
            <section class="own-bar">
                <div class="turn">
                    <button type="button" aria-expanded={play.menu.to_string()} data-own="examples"
                        onclick={self.press(OwnInput::Menu(!play.menu))}>
                        { self.tr(Key::OwnExamples) }</button>
                    <label class="open-file">{ self.tr(Key::OwnOpen) }
                        <input type="file" accept=".zip,.json" {onchange} /></label>
                    <button type="button" data-own="save" onclick={self.press(OwnInput::Save)}>
                        { self.tr(Key::OwnSave) }</button>
                    <button type="button" data-own="undo"
                        aria-disabled={off(play.undo.can_undo())}
                        onclick={self.press(OwnInput::Undo)}>{ self.tr(Key::OwnUndo) }</button>
                    <button type="button" data-own="redo"
                        aria-disabled={off(play.undo.can_redo())}
                        onclick={self.press(OwnInput::Redo)}>{ self.tr(Key::OwnRedo) }</button>
                    <button type="button" class={classes!(play.sure.then_some("sure"))}
                        data-own="reset" onclick={self.press(OwnInput::Reset)}>
                        { self.tr(reset) }</button>
                </div>
                if play.menu { { self.examples() } }
                { self.news() }
            </section>
        }
    }

    fn examples(&self) -> Html {
        let Some(examples) = &self.play.examples else {
            return html! { <p role="status">{ self.tr(Key::Loading) }</p> };
        };
        let examples = |templates: bool| {
            let all = examples.iter().enumerate();
            let some = all.filter(move |(_, one)| one.template.unwrap_or_default() == templates);
            some.map(|(number, example)| {
                html! {
                    <li key={number}>
                        <button type="button" onclick={self.press(OwnInput::Example(number))}>
                            <b>{ example.title.get(self.lang).clone() }</b>
                            <span>{ example.about.get(self.lang).clone() }</span>
                        </button>
                    </li>
                }
            })
        };
        html! {
            <>
                <h2>{ self.word(LiveWord::TemplatesTitle) }</h2>
                <ul class="own-examples templates">{ for examples(true) }</ul>
                <h2>{ self.word(LiveWord::ExamplesTitle) }</h2>
                <ul class="own-examples">{ for examples(false) }</ul>
            </>
        }
    }

    /// Draws the messages that are shown once.
    fn news(&self) -> Html {
        let play = self.play;
        let of_file = play.of_file.iter().map(|one| one.text(&play.own, self.lang));
        html! {
            if play.replaced || !play.of_file.is_empty() {
                <div class="own-news" role="status">
                    if play.replaced {
                        <p>{ self.tr(Key::OwnReplaced) }{ " " }
                            <button type="button" data-own="back"
                                onclick={self.press(OwnInput::Undo)}>
                                { self.word(LiveWord::BringBack) }</button></p>
                    }
                    { for of_file.map(|text| html! { <p>{ text }</p> }) }
                </div>
            }
        }
    }

    // ---- The texts ------------------------------------------------------------------------------

    fn texts(&self) -> Html {
        let own = &self.play.own;
        let tabs = own.parts().filter(|part| {
            *part != Part::Sql || !own.sql.is_empty() || self.play.part == Part::Sql
        });
        let tabs = tabs.map(|part| self.tab(part));
        html! {
            <section class="own-texts" aria-label={self.tr(Key::OwnTexts)}>
                <div class="own-tabs" role="group" aria-label={self.tr(Key::OwnTexts)}>
                    { for tabs }
                    { self.add(Key::OwnProgram, Edit::AddProgram, own.programs.len()) }
                    { self.add(Key::OwnScript, Edit::AddScript, own.scripts.len()) }
                    if own.sql.is_empty() && self.play.part != Part::Sql {
                        <button type="button" class="add"
                            onclick={self.press(OwnInput::Show(Part::Sql))}>
                            { "+ " }{ self.tr(Key::Tables) }</button>
                    }
                </div>
                { self.text() }
            </section>
        }
    }

    fn tab(&self, part: Part) -> Html {
        let own = &self.play.own;
        let shown = part == self.play.part;
        let wrong = self.play.mistakes.iter().any(|mistake| {
            [MistakePlace::Text(part), MistakePlace::Name(part)].contains(&mistake.place)
        });
        let runs = own
            .clients
            .iter()
            .enumerate()
            .filter(|(_, client)| part == Part::Program(client.program));
        let runs = runs.map(|(at, _)| {
            let id = crate::sim::ClientId(at as u16);
            html! {
                <span key={at} class={classes!("tag", client_class(id))}>
                    { id.letter().to_string() }</span>
            }
        });
        html! {
            <button key={format!("{part:?}")} type="button" aria-pressed={shown.to_string()}
                class={classes!(shown.then_some("on"), wrong.then_some("bad"))}
                onclick={self.press(OwnInput::Show(part))}>
                { for runs }
                <span translate="no">{ part.name(own, self.lang) }</span>
                if wrong { <span class="cross" aria-hidden="true">{ "✕" }</span> }
            </button>
        }
    }

    /// The lines of the text at which the run beside it makes its calls; none where that run is of
    /// an earlier text.
    fn called(&self, part: Part) -> Vec<(u32, String)> {
        let Part::Program(program) = part else { return Vec::new() };
        let beside = self.verdicts.beside.filter(|one| one.is_new && self.play.mistakes.is_empty());
        let lines = beside.and_then(|one| {
            let watch = self.verdict?.watch.as_ref()?;
            let run = one.results.found(&watch.run.schedule)?;
            Some(called_lines(&self.play.own, run, program))
        });
        lines.unwrap_or_default()
    }

    fn text(&self) -> Html {
        let Playground { own, part, .. } = self.play;
        let part = *part;
        let name = part.name(own, self.lang);
        let source = own.text(part).to_owned();
        let lines = match part {
            Part::Program(_) | Part::Script(_) => highlight::lines(&source),
            // A `#` begins a comment in both.
            _ => highlight::lines_of(&source, highlight::grammar("py")),
        };
        let mistakes = self.play.mistakes.iter();
        let mistakes = mistakes.filter(|one| one.place == MistakePlace::Text(part));
        let troubles = self.verdicts.troubles.0.iter().filter(|one| one.part == part);
        // What is wrong with the end of a text has a line behind the last one.
        let last = lines.len() as u32;
        let mistakes = mistakes.map(|one| (one.line.min(last), one.what(self.lang)));
        let troubles = troubles.map(|one| (one.line.min(last), one.words(self.lang)));
        let notes: Vec<(u32, String)> = mistakes.chain(troubles).collect();
        let wrong: Vec<u32> = notes.iter().map(|(line, _)| *line).collect();
        let can_go = match part {
            Part::Program(_) => own.programs.len() > 1,
            part => matches!(part, Part::Script(_)),
        };
        let nobody = matches!(part, Part::Program(at) if !own.runs(at));
        let script = match part {
            Part::Program(at) => own.programs.get(at),
            Part::Script(at) => own.scripts.get(at),
            _ => None,
        };
        html! {
            <>
                if let Some(script) = script {
                    <div class="own-name">
                        { self.named(screen(self.lang, ScreenWord::FileName), self.field(
                            self.tr(Key::OwnName).to_owned(), script.name.clone(), "text",
                            move |name| Edit::Name(part, name))) }
                        if can_go { { self.remove(&name, Edit::Remove(part)) } }
                    </div>
                }
                <Editor key={format!("{part:?}")} {source} {lines} {wrong} {notes}
                    called={self.called(part)}
                    label={fill(self.tr(Key::OwnEditor), &[&name])}
                    described="own-wrong own-about own-keys"
                    on_input={self.on.reform(move |text| {
                        Input::Own(OwnInput::Edit(Edit::Text(part, text)))
                    })}
                    on_submit={self.on.reform(|()| {
                        Input::Session(crate::session::Msg::Mode(
                            crate::session::Mode::Schedule,
                        ))
                    })} />
                <div id="own-wrong" aria-live="polite">
                    { self.wrong(|place| {
                        *place == MistakePlace::Text(part) || *place == MistakePlace::Name(part)
                    }) }
                    { self.troubles(part) }
                    if nobody { <p>{ self.word(LiveWord::NobodyRuns) }</p> }
                </div>
                <p id="own-about" class="keys-note">{ self.about(part) }</p>
                <p id="own-keys" class="keys-note keyboard">{ self.tr(Key::OwnKeys) }</p>
            </>
        }
    }

    /// What one can write here.
    fn about(&self, part: Part) -> String {
        match part {
            Part::Program(_) => self.tr(Key::OwnAboutProgram).to_owned(),
            Part::Script(at) => {
                let name = self.play.own.scripts.get(at).map_or("", |script| script.name.as_str());
                fill(self.tr(Key::OwnAboutScript), &[name])
            }
            Part::Setup => self.tr(Key::OwnAboutSetup).to_owned(),
            Part::Sql => self.tr(Key::OwnAboutSql).to_owned(),
        }
    }

    /// The errors to which this program comes, below it.
    fn troubles(&self, part: Part) -> Html {
        let (troubles, is_alone) = &self.verdicts.troubles;
        let words = troubles.iter().filter(|one| one.part == part).map(|one| {
            let word = match (is_alone, one.line) {
                (true, 0) => LiveWord::AloneSomewhere,
                (true, _) => LiveWord::Alone,
                (false, _) => LiveWord::InSomeOrder,
            };
            let (line, client) = (one.line.to_string(), one.client.name());
            let said = fill(self.word(word), &[&line, &one.words(self.lang), &client]);
            html! { <p class="failure">{ said }</p> }
        });
        words.collect()
    }

    // ---- The world ------------------------------------------------------------------------------

    fn title(&self) -> Html {
        html! {
            <div class="own-title">
                { self.named(self.word(LiveWord::TitleLabel), self.field(
                    self.tr(Key::OwnTitle).to_owned(), self.play.own.title.clone(), "text",
                    |title| Edit::Field(Row::World, "title", title))) }
            </div>
        }
    }

    fn clients(&self) -> Html {
        let own = &self.play.own;
        let programs = (0..own.programs.len()).map(|at| Part::Program(at).name(own, self.lang));
        let programs: Vec<String> = programs.collect();
        let row = |at: usize| {
            let client = &own.clients[at];
            let id = crate::sim::ClientId(at as u16);
            let letter = id.letter().to_string();
            let label = |key: Key| fill(self.tr(key), &[&letter]);
            let begins_again = fill(verdict(self.lang, VerdictWord::Again), &[&letter]);
            let again = Edit::Field(Row::Client(at), "again", (!client.again).to_string());
            html! {
                <li key={at}>
                    <span class={classes!("tag", client_class(id))} aria-hidden="true">
                        { letter.clone() }</span>
                    { self.named(screen(self.lang, ScreenWord::Program), self.select(
                        label(Key::OwnRuns), programs.clone(), client.program,
                        move |program| Edit::ClientProgram(at, program))) }
                    { self.named(screen(self.lang, ScreenWord::Process), self.field(
                        label(Key::OwnProcess), client.process.clone(), "text",
                        move |process| Edit::Field(Row::Client(at), "process", process))) }
                    { self.named(screen(self.lang, ScreenWord::Ahead), self.field(
                        label(Key::OwnClock), client.clock_ms.to_string(), "number",
                        move |ms| Edit::Field(Row::Client(at), "clock_ms", ms))) }
                    if own.clients.len() > 1 {
                        { self.remove(&label(Key::OwnClient), Edit::RemoveClient(at)) }
                    }
                    <div class="own-more">
                        { self.named(self.word(LiveWord::MayFail), self.field(
                            fill(verdict(self.lang, VerdictWord::ExpectError), &[&letter]),
                            client.expect_error.clone(), "text",
                            move |text| Edit::Field(Row::Client(at), "expect_error", text))) }
                        { self.named(self.word(LiveWord::With), self.field(
                            fill(self.word(LiveWord::WithOf), &[&letter]),
                            client.with.text(), "text",
                            move |text| Edit::Field(Row::Client(at), "with", text))) }
                        { self.tick(client.again, "", &begins_again, again) }
                    </div>
                    { self.wrong(|place| *place == MistakePlace::Client(at)) }
                </li>
            }
        };
        html! {
            <section class="own-clients">
                <h2>{ self.tr(Key::Clients) }</h2>
                <ul>{ for (0..own.clients.len()).map(row) }</ul>
                { self.add(Key::OwnAddClient, Edit::AddClient, own.clients.len()) }
            </section>
        }
    }

    fn properties(&self) -> Html {
        const KINDS: [(Kind, Key); 3] = [
            (Kind::Always, Key::OwnAlways),
            (Kind::Sometimes, Key::OwnSometimes),
            (Kind::Eventually, Key::OwnEventually),
        ];
        let own = &self.play.own;
        let row = |at: usize| {
            let property = &own.properties[at];
            let name = fill(self.tr(Key::OwnProperty), &[&(at + 1).to_string()]);
            let label = |key: Key| format!("{name}: {}", self.tr(key));
            let kinds = KINDS.iter().map(|(_, key)| self.tr(*key).to_owned());
            let chosen = KINDS.iter().position(|(kind, _)| *kind == property.kind);
            let oninput = self.on.reform(move |event: InputEvent| {
                let area: Option<HtmlTextAreaElement> = event.target_dyn_into();
                let text = area.map(|area| area.value()).unwrap_or_default();
                Input::Own(OwnInput::Edit(Edit::Field(Row::Property(at), "check", text)))
            });
            let is_broken = property.breaks();
            let breaks = if is_broken { Expect::Holds } else { Expect::Breaks };
            let breaks = Edit::Field(Row::Property(at), "expect", breaks.word().to_owned());
            let rows = property.check.lines().count().clamp(1, 12).to_string();
            let choice = Choice::of(property.kind, &property.check);
            let choices = CHOICES.iter().map(|one| self.word(one.word).to_owned());
            let choices: Vec<String> =
                choices.chain([self.word(LiveWord::Own).to_owned()]).collect();
            html! {
                <li key={at}>
                    { self.named(self.word(LiveWord::Condition), self.select(
                        name.clone(), choices, choice.unwrap_or(CHOICES.len()),
                        move |choice| Edit::Choose(at, choice))) }
                    { self.remove(&name, Edit::RemoveProperty(at)) }
                    { self.named(self.word(LiveWord::CheckLabel), html! {
                        <textarea class="check" aria-label={label(Key::OwnCheck)} {rows} {oninput}
                            value={property.check.clone()} spellcheck="false" autocapitalize="off"
                            autocomplete="off" translate="no" />
                    }) }
                    <div class="own-pair">
                        { self.named(self.word(LiveWord::Must), self.select(
                            label(Key::OwnKind), kinds.collect(), chosen.unwrap_or(0),
                            move |kind| {
                                let kind = KINDS.get(kind).map_or(Kind::Always, |(kind, _)| *kind);
                                Edit::Field(Row::Property(at), "kind", kind.word().to_owned())
                            })) }
                        { self.named(self.word(LiveWord::InWords), self.field(
                            label(Key::OwnPropertyName), property.name.clone(), "text",
                            move |name| Edit::Field(Row::Property(at), "name", name))) }
                    </div>
                    { self.tick(is_broken, &name, self.word(LiveWord::ExpectBreaks), breaks) }
                    { self.wrong(|place| *place == MistakePlace::Property(at)) }
                </li>
            }
        };
        html! {
            <section class="own-properties">
                <h2>{ self.tr(Key::OwnProperties) }</h2>
                <ul>{ for (0..own.properties.len()).map(row) }</ul>
                { self.add(Key::OwnAddProperty, Edit::AddProperty, own.properties.len()) }
                <p class="keys-note">{ self.word(LiveWord::AskedAnyway) }</p>
                { self.tick(own.expect_deadlock, "", self.word(LiveWord::ExpectStuck),
                    Edit::Field(Row::World, "expect_deadlock",
                        (!own.expect_deadlock).to_string())) }
                <details>
                    <summary>{ self.word(LiveWord::Functions) }</summary>
                    <p class="keys-note" translate="no">{ self.tr(Key::OwnAboutChecks) }</p>
                    <p class="keys-note">{ self.word(LiveWord::AboutGlobals) }</p>
                </details>
            </section>
        }
    }

    /// A box to be ticked; `of` is what it belongs to, for readers that do not see that.
    fn tick(&self, checked: bool, of: &str, words: &str, edit: Edit) -> Html {
        let onchange = self.on.reform(move |_: Event| Input::Own(OwnInput::Edit(edit.clone())));
        let label = (!of.is_empty()).then(|| format!("{of}: {words}"));
        html! {
            <label class="own-tick">
                <input type="checkbox" {checked} {onchange} aria-label={label} />
                <span>{ words }</span>
            </label>
        }
    }

    fn instances(&self) -> Html {
        let own = &self.play.own;
        let row = |at: usize| {
            let one = &own.instances[at];
            let name = fill(self.tr(Key::OwnInstance), &[&one.name]);
            let masters: Vec<String> = masters(own, at).map(str::to_owned).collect();
            let chosen = masters.iter().position(|name| *name == one.replica_of);
            let mut options = vec![self.tr(Key::OwnReplicatesNone).to_owned()];
            options.extend(masters.iter().map(|master| format!("→ {master}")));
            html! {
                <li key={at}>
                    { self.named(self.word(LiveWord::NameLabel), self.field(
                        format!("{name}: {}", self.tr(Key::OwnName)), one.name.clone(),
                        "name", move |name| Edit::InstanceName(at, name))) }
                    { self.named(self.word(LiveWord::Replicates), self.select(
                        fill(self.tr(Key::OwnReplicaOf), &[&one.name]), options,
                        chosen.map_or(0, |chosen| chosen + 1),
                        move |chosen| {
                            let master = chosen.checked_sub(1).and_then(|at| masters.get(at));
                            let master = master.cloned().unwrap_or_default();
                            Edit::Field(Row::Instance(at), "replica_of", master)
                        })) }
                    { self.named(screen(self.lang, ScreenWord::Ahead), self.field(
                        fill(self.tr(Key::OwnClock), &[&one.name]),
                        one.clock_ms.to_string(), "number",
                        move |ms| Edit::Field(Row::Instance(at), "clock_ms", ms))) }
                    { self.named(self.word(LiveWord::Version), self.version(
                        fill(self.word(LiveWord::VersionOf), &[&one.name]),
                        Some(self.word(LiveWord::SameVersion)), one.version, Row::Instance(at))) }
                    { self.remove(&name, Edit::RemoveInstance(at)) }
                    { self.wrong(|place| *place == MistakePlace::Instance(at)) }
                </li>
            }
        };
        html! {
            <section class="own-instances">
                <h2>{ self.tr(Key::OwnInstances) }</h2>
                if own.instances.is_empty() { <p>{ self.tr(Key::OwnOneInstance) }</p> }
                { self.named(self.word(LiveWord::VersionOfAll), self.version(
                    self.word(LiveWord::VersionOfAll).to_owned(), None, own.version, Row::World)) }
                <ul>{ for (0..own.instances.len()).map(row) }</ul>
                { self.add(Key::OwnAddInstance, Edit::AddInstance, own.instances.len()) }
            </section>
        }
    }

    /// A choice of server versions; before them stands `other`, where none need be chosen.
    fn version(
        &self,
        label: String,
        other: Option<&str>,
        chosen: Option<Version>,
        row: Row,
    ) -> Html {
        let others = usize::from(other.is_some());
        let at = Version::ALL.iter().position(|one| Some(*one) == chosen);
        let versions = Version::ALL.map(Version::label);
        let options = other.map(str::to_owned).into_iter().chain(versions).collect();
        self.select(label, options, at.map_or(0, |at| at + others), move |at| {
            let version = at.checked_sub(others).and_then(|at| Version::ALL.get(at));
            let word = version.map_or("", |version| version.word());
            Edit::Field(row, "version", word.to_owned())
        })
    }

    fn faults(&self) -> Html {
        let own = &self.play.own;
        let mut faults = own.faults;
        let counts = FAULTS.map(|(name, key)| {
            let count = faults.named_mut(name).map_or(0, |count| *count);
            (name, key, count)
        });
        let rows = counts.iter().map(|&(name, key, count)| {
            let callback = self.on.reform(move |event: Event| {
                let field: Option<HtmlInputElement> = event.target_dyn_into();
                let text = field.map(|field| field.value()).unwrap_or_default();
                Input::Own(OwnInput::Edit(Edit::Fault(name, text)))
            });
            html! {
                <label key={name}>
                    <input type="number" min="0" max="9" value={count.to_string()}
                        onchange={callback} data-fault={name} />
                    <span>{ self.tr(key) }</span>
                </label>
            }
        });
        let words = |word: VerdictWord| verdict(self.lang, word);
        let number =
            |id: &'static str, value: i64, words: &'static str, make: fn(String) -> Edit| {
                let callback = self.on.reform(move |event: Event| {
                    let field: Option<HtmlInputElement> = event.target_dyn_into();
                    let text = field.map(|field| field.value()).unwrap_or_default();
                    Input::Own(OwnInput::Edit(make(text)))
                });
                html! {
                    <label key={id}>
                        <input type="number" value={value.to_string()} onchange={callback}
                            data-fault={id} />
                        <span>{ words }</span>
                    </label>
                }
            };
        let any = own.time == TimeMode::Any;
        let other = if any { TimeMode::Prompt } else { TimeMode::Any };
        let check = |checked: bool, word: LiveWord, name: &'static str, value: String| {
            self.tick(checked, "", self.word(word), Edit::Field(Row::World, name, value))
        };
        html! {
            <section class="own-faults">
                <h2>{ self.tr(Key::OwnFaults) }</h2>
                <p>{ self.word(LiveWord::FaultsHint) }</p>
                <div class="own-counts">
                    { for rows }
                    { number("jump_ms", own.faults.jump_ms,
                        self.word(LiveWord::JumpMs), Edit::JumpMs) }
                    { number("slow_ms", own.slow_ms.into(), words(VerdictWord::SlowMs),
                        |ms| Edit::Field(Row::World, "slow_ms", ms)) }
                    { number("starts_within_ms", own.starts_within_ms.into(),
                        words(VerdictWord::StartsMs),
                        |ms| Edit::Field(Row::World, "starts_within_ms", ms)) }
                    if own.faults.pause > 0 {
                        { number("pause_ms", own.faults.pause_ms.into(),
                            words(VerdictWord::PauseMs), Edit::PauseMs) }
                    }
                    { self.fault_aims(own) }
                </div>
                { check(any, LiveWord::Time, "time", other.word().to_owned()) }
                { check(own.wire, LiveWord::Wire, "wire", (!own.wire).to_string()) }
                { self.wrong(|place| matches!(place, MistakePlace::Faults | MistakePlace::Whole)) }
            </section>
        }
    }

    /// Draws whom each kind of fault is limited to, where it may be.
    fn fault_aims(&self, own: &Definition) -> Html {
        let kinds = [
            ("pause", "pause_of", VerdictWord::PauseOf),
            ("crash", "crash_of", VerdictWord::CrashOf),
            ("lose", "lose_of", VerdictWord::LoseOf),
            ("drop", "drop_of", VerdictWord::DropOf),
            ("cancel", "cancel_of", VerdictWord::CancelOf),
        ];
        let mut faults = own.faults;
        let fields = kinds.into_iter().filter_map(|(kind, id, word)| {
            faults.named_mut(kind).filter(|count| **count > 0)?;
            let of = faults.aim_mut(kind).map_or(0, |of| *of);
            let callback = self.on.reform(move |event: Event| {
                let field: Option<HtmlInputElement> = event.target_dyn_into();
                let text = field.map(|field| field.value()).unwrap_or_default();
                Input::Own(OwnInput::Edit(Edit::FaultOf(kind, text)))
            });
            let value = Faults::letters(of);
            Some(html! {
                <label key={id}>
                    <input type="text" {value} onchange={callback} data-fault={id} />
                    <span>{ verdict(self.lang, word) }</span>
                </label>
            })
        });
        fields.collect()
    }
}

/// Whom an instance can replicate.
fn masters(own: &Definition, at: usize) -> impl Iterator<Item = &str> {
    let others = own
        .instances
        .iter()
        .enumerate()
        .filter(move |(other, one)| at > 0 && *other != at && one.replica_of.is_empty());
    others.map(|(_, one)| one.name.as_str())
}

/// Above a run: what is edited has mistakes, this is what was before.
#[inline(never)]
pub fn stale(mistakes: &[Mistake], lang: Lang, on: &Callback<Input>) -> Html {
    use crate::session::{Mode, Msg};
    if mistakes.is_empty() {
        return Html::default();
    }
    let onclick = on.reform(|_| Input::Session(Msg::Mode(Mode::Edit)));
    html! {
        <div class="banner own-stale" role="status">
            <div><p>{ tr(lang, Key::OwnStale) }</p></div>
            <button type="button" {onclick}>{ tr(lang, Key::OwnToEdit) }</button>
        </div>
    }
}
