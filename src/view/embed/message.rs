//! The messages between a course page and the lesson in it: objects `{ns, v, type, …}`, here as
//! JSON. static/embed/README.md is their reference for authors.
//!
//! Absent: any code. A learner's program does not come by message either.

use super::THEMES;
use super::goal::{QUESTIONS_MAX, Question, Score};
use crate::json::{FromJson, Json, Wrong, parse};
use crate::session::Session;
use crate::session::link::Link;
use crate::session::progress::Progress;
use crate::text::Lang;

/// The value of `ns` in every message.
pub const NAMESPACE: &str = "interleave";
/// Grows if an old course page cannot talk to a new lesson.
pub const VERSION: i64 = 1;
/// The longest message that is read, in bytes.
pub const BYTES_MAX: usize = 32 * 1024;
const ID_BYTES_MAX: usize = 100;

/// A command of a course page.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The course page listens, and sets the frame's height as it is told.
    /// How high its window is, in pixels, if it says so.
    Hello(Option<u32>),
    Load(Box<Link>),
    /// What a visit reached, perhaps on another device, counts in this one.
    Resume(Box<Kept>),
    Goto(usize),
    Play,
    Pause,
    Reset,
    SetLang(Lang),
    SetTheme(&'static str),
    GetState,
}

/// What an earlier visit reached, as a `goal` said it.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub lesson: String,
    pub progress: Progress,
    /// The questions: id, and the choices; `None` if it was skipped.
    pub questions: Vec<(String, Option<Vec<usize>>)>,
}

/// A message for the lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// A number or a text, which the answer repeats.
    pub id: Option<Json>,
    /// The command; the error is for the author of the course page.
    pub command: Result<Command, String>,
}

/// Parses a message; `None` if it is not for the lesson.
pub fn hear(text: &str) -> Option<Heard> {
    if text.len() > BYTES_MAX {
        return None;
    }
    let mut json = parse(text).ok()?;
    let namespace: String = json.field("ns").ok()?;
    if namespace != NAMESPACE {
        return None;
    }
    let id = match json.field::<Raw>("id").ok()?.0 {
        Json::Text(id) if id.len() > ID_BYTES_MAX => None,
        id @ (Json::Text(_) | Json::Number(_)) => Some(id),
        _ => None,
    };
    Some(Heard { id, command: command(json) })
}

/// Any value, unchanged.
struct Raw(Json);

impl FromJson for Raw {
    fn made_of(json: Json, _: &mut Wrong) -> Raw {
        Raw(json)
    }
}

fn command(mut json: Json) -> Result<Command, String> {
    if json.field::<Option<i64>>("v").ok().flatten() != Some(VERSION) {
        return Err(format!("v: {VERSION} is the version that is spoken here"));
    }
    let kind = json.field::<String>("type").unwrap_or_default();
    Ok(match kind.as_str() {
        "hello" => {
            let window: Option<u32> = json.field("window").unwrap_or_default();
            Command::Hello(window.map(|height| height.clamp(200, 10_000)))
        }
        "load" => Command::Load(Box::new(link(json)?)),
        "resume" => Command::Resume(Box::new(kept(json)?)),
        "goto" => Command::Goto(json.field("step")?),
        "play" => Command::Play,
        "pause" => Command::Pause,
        "reset" => Command::Reset,
        "setLang" => {
            let tag: String = json.field("lang")?;
            Command::SetLang(Lang::from_tag(&tag).ok_or("lang: accepted are en, zh")?)
        }
        "setTheme" => {
            let asked: String = json.field("theme")?;
            let theme = THEMES.into_iter().find(|theme| *theme == asked);
            Command::SetTheme(
                theme.ok_or_else(|| format!("theme: accepted are {}", THEMES.join(", ")))?,
            )
        }
        "getState" => Command::GetState,
        _ => {
            return Err("type: accepted are hello, load, resume, goto, play, pause, reset, \
                        setLang, setTheme, getState"
                .to_owned());
        }
    })
}

/// Parses what an earlier visit reached. Whether the lesson has it, is seen where it is taken over.
#[inline(never)]
fn kept(mut json: Json) -> Result<Kept, String> {
    let mut questions = Vec::new();
    let listed: Option<Vec<Raw>> = json.field("questions")?;
    for Raw(mut question) in listed.unwrap_or_default().into_iter().take(QUESTIONS_MAX) {
        let answer: Option<Vec<usize>> = question.field("answer")?;
        if answer.as_ref().is_some_and(|choices| choices.len() > QUESTIONS_MAX) {
            return Err("questions: too many choices".to_owned());
        }
        questions.push((question.field("id")?, answer));
    }
    let progress: Option<String> = json.field("progress")?;
    let progress = Progress::read(&progress.unwrap_or_default());
    Ok(Kept { lesson: json.field("lesson")?, progress, questions })
}

/// Parses a link: either `link`, as in the address after `#`, or its fields one by one.
fn link(mut json: Json) -> Result<Link, String> {
    let whole: Option<String> = json.field("link")?;
    let mut link = whole.map(|text| Link::parse(&text)).unwrap_or_default();
    for name in ["lesson", "variant", "mode", "walk", "schedule", "step", "wire", "lang"] {
        let value = match json.field::<Raw>(name)?.0 {
            Json::Null => continue,
            Json::Text(text) => text,
            Json::Number(number) => number.to_string(),
            _ => return Err(format!("{name}: a text or a number should be there")),
        };
        if let Some(field) = link.field(name) {
            *field = Some(value);
        }
    }
    let mut named = |name| json.field::<Raw>(name).is_ok_and(|raw| raw.0 != Json::Null);
    let programs = link.program.is_some() || link.scenario.is_some();
    if programs || named("program") || named("scenario") {
        return Err("load: programs do not come by message, but with the frame's address".into());
    }
    if link.lesson.is_none() {
        return Err("load: which lesson is not said".to_owned());
    }
    Ok(link)
}

// ---- What the lesson says -----------------------------------------------------------------------

type Fields = Vec<(&'static str, Json)>;

fn message(kind: &str, fields: Fields) -> Json {
    let head = [("ns", text(NAMESPACE)), ("v", Json::Number(VERSION)), ("type", text(kind))];
    object(head.into_iter().chain(fields))
}

fn object(fields: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn number(number: usize) -> Json {
    Json::Number(number.try_into().unwrap_or(i64::MAX))
}

fn texts(all: &[&'static str]) -> Json {
    Json::List(all.iter().map(|one| text(one)).collect())
}

/// The message `ready`: something can be shown. It contains nothing of the learner's.
pub fn ready(session: Option<&Session>, lang: Lang) -> Json {
    let lesson = session.map(Session::lesson);
    let title = lesson.map(|lesson| lesson.title.get(lang).clone()).unwrap_or_default();
    let id = lesson.map(|lesson| lesson.id.clone()).unwrap_or_default();
    message("ready", vec![("lesson", Json::Text(id)), ("title", Json::Text(title))])
}

pub fn resize(height: u32) -> Json {
    message("resize", vec![("height", Json::Number(height.into()))])
}

/// The message `paper`: how high the lesson is when the page around is printed, in px.
pub fn paper(height: u32) -> Json {
    message("paper", vec![("height", Json::Number(height.into()))])
}

/// The message `error`: the lesson could not be shown, or a parameter is invalid. `why` is what the
/// page shows, too.
pub fn error(why: &str) -> Json {
    message("error", vec![("message", text(why))])
}

/// The message `step`: the learner's position.
pub fn step(session: &Session) -> Json {
    message("step", place(session))
}

fn place(session: &Session) -> Fields {
    let (lesson, timeline) = (session.lesson(), session.timeline());
    let variant = lesson.variants.get(session.variant());
    vec![
        ("lesson", text(&lesson.id)),
        ("variant", text(variant.map(|variant| variant.id.as_str()).unwrap_or_default())),
        ("mode", text(session.mode().id())),
        ("step", number(timeline.cursor())),
        ("steps", number(timeline.len())),
    ]
}

/// Returns the properties that are broken at the cursor, each with the step at which it first
/// broke.
pub fn broken(session: &Session) -> Vec<(String, usize)> {
    let timeline = session.timeline();
    let always = session.lesson().properties_of(session.variant()).enumerate();
    always
        .filter(|(_, property)| property.kind == crate::sim::Kind::Always)
        .filter_map(|(index, property)| Some((property.id.clone(), timeline.decided(index)?)))
        .collect()
}

pub fn violation(session: &Session, property: &str, at: usize) -> Json {
    let mut fields = place(session);
    fields.retain(|(name, _)| !name.starts_with("step"));
    fields.push(("property", text(property)));
    fields.push(("step", number(at)));
    fields.push(("schedule", Json::Text(session.run_so_far())));
    message("violation", fields)
}

/// The message `goal`: something was reached or answered; with the score so far.
pub fn goal(session: &Session, score: &Score) -> Json {
    let mut fields = vec![("lesson", text(&session.lesson().id))];
    fields.extend(scored(score));
    message("goal", fields)
}

fn scored(score: &Score) -> Fields {
    vec![
        ("goals", texts(&score.goals)),
        ("reached", texts(&score.reached)),
        ("score", Json::Number(score.percent.into())),
        ("max", Json::Number(100)),
        ("complete", Json::Bool(score.complete)),
        ("skipped", number(score.skipped)),
        ("questions", Json::List(score.questions.iter().map(question).collect())),
        ("progress", text(&score.progress)),
    ]
}

fn question(one: &Question) -> Json {
    let choices = |all: &Vec<usize>| Json::List(all.iter().map(|one| number(*one)).collect());
    let answer = one.answer.as_ref().map_or(Json::Null, choices);
    object([("id", text(&one.id)), ("answer", answer), ("right", Json::Bool(one.right))])
}

/// The answer to a message: the result, or an error.
pub fn answer(id: Option<Json>, outcome: Result<Option<Json>, String>) -> Json {
    let mut fields = vec![("id", id.unwrap_or(Json::Null)), ("ok", Json::Bool(outcome.is_ok()))];
    match outcome {
        Ok(state) => fields.extend(state.map(|state| ("state", state))),
        Err(why) => fields.push(("error", Json::Text(why))),
    }
    message("answer", fields)
}

/// Returns everything that a course page may know.
pub fn state(
    session: Option<&Session>,
    (lang, theme): (Lang, &str),
    playing: bool,
    score: &Score,
) -> Json {
    let mut fields = vec![("lang", text(lang.tag())), ("theme", text(theme))];
    if let Some(session) = session {
        fields.extend(place(session));
        let broken = broken(session).into_iter().map(|(id, _)| Json::Text(id)).collect();
        fields.push(("schedule", Json::Text(session.timeline().schedule())));
        fields.push(("broken", Json::List(broken)));
        fields.push(("playing", Json::Bool(playing)));
        fields.push(("link", Json::Text(session.link(lang).write())));
        fields.extend(scored(score));
    }
    object(fields)
}
