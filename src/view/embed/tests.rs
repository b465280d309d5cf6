use std::path::Path;
use std::rc::Rc;

use super::goal::score;
use super::message::{Command, answer, broken, goal, hear, ready, state, step, violation};
use super::snippet::Recipe;
use super::*;
use crate::json::Json;
use crate::lesson::source::read_folder;
use crate::session::link::Link;
use crate::session::progress::Progress;
use crate::session::{Msg, Notice, Predictions, Session};
use crate::view::learn::review::Answered;

/// The session as an embed with this address opens it, and what it has to say.
fn open(query: &str, fragment: &str) -> (Session, Vec<Notice>) {
    let link = Link::parse(fragment);
    let id = link.lesson.clone().expect("a lesson");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
    let lesson = Rc::new(read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}")));
    let embed = parsed(query);
    let link = embed.narrowed(&link, &lesson);
    let (mut session, mut notices) = Session::open(lesson, &link).expect("a lesson that runs");
    notices.extend(session.confine(embed.part()));
    (session, notices)
}

/// A query with nothing wrong.
fn parsed(query: &str) -> Embed {
    let (embed, bad) = Embed::parse(query).expect("it says embed");
    assert_eq!(bad, [], "{query}");
    embed
}

const WATCH: &str = "lesson=lost-update&walk=lost";

#[test]
fn the_query_is_read_and_written() {
    let query = "embed&lang=zh&theme=dark&tabs=watch,find&panels=code,redis&controls=step,play\
                 &from=1\
                 &to=3&repeat=1&readonly=1&hints=0&keys=0&answers=0&goal=watch&height=500&max=900\
                 &origin=https://course.example:8443&compat=lti,h5p";
    let embed = parsed(query);
    assert_eq!(embed.write(), query);
    assert_eq!(embed.tabs.as_deref(), Some(["watch", "find"].as_slice()));
    assert!(embed.speaks("lti") && embed.speaks("h5p"));
    assert_eq!(parsed("?embed&unknown=1&panels=none").write(), "embed&panels=none");
    assert_eq!(parsed("embed").write(), "embed");
    assert_eq!(
        parsed("embed=&repeat&height=auto&tabs=find%2Cwatch").write(),
        "embed&tabs=watch,find&repeat=1"
    );
    assert_eq!(Embed::parse("lang=zh"), None);
    assert_eq!(Embed::parse(""), None);
}

#[test]
fn what_means_nothing_is_named_with_what_would_be_right() {
    let check = |query: &str, name: &str, accepted: &str| {
        let (embed, bad) = Embed::parse(&format!("embed&{query}")).expect("it says embed");
        let [bad] = &bad[..] else { panic!("{query}: {bad:?}") };
        assert_eq!((bad.name, bad.accepted.as_str()), (name, accepted), "{query}");
        embed
    };
    check("lang=xx", "lang", "en, zh");
    check("theme=blue", "theme", "auto, light, dark");
    check("keys=no", "keys", "0, 1");
    check("height=12", "height", "auto, 120 … 10000");
    check("max=1e3", "max", "auto, 120 … 10000");
    check("from=-1", "from", "0 … 9999");
    check("to=x", "to", "0 … 9999");
    check("controls=", "controls", "step, scrub, play, more, none");
    let embed = check("panels=code,chart", "panels", "code, diagram, redis, map, console, none");
    assert_eq!(embed.panels.as_deref(), Some(["code"].as_slice()), "what is right holds");
    let tabs = "situation, watch, schedule, break, find, fix, crowd, review, edit, none";
    let embed = check("tabs=wach", "tabs", tabs);
    assert_eq!(embed.tabs, None);
    // A wrong origin means that no page hears of the learner, rather than every page.
    for wrong in ["origin=*", "origin=course.example", "origin=https://a/b", "origin=javascript:1"]
    {
        let embed = check(wrong, "origin", "https://course.example");
        assert_eq!(embed.origin.as_deref(), Some(""), "{wrong}");
    }
    assert_eq!(
        parsed("embed&origin=HTTPS://A.example/").origin.as_deref(),
        Some("https://a.example")
    );
}

#[test]
fn any_query_can_be_read() {
    let long = format!("embed&title={}", "中".repeat(30_000));
    for query in
        ["?", "embed&&=&%", "embed&lang=%ff%", "embed&tabs=,,,", "embed&from=99999999999", &long]
    {
        let _ = Embed::parse(query);
    }
}

#[test]
fn some_steps_of_a_story_are_all_there_is() {
    let (mut session, notices) = open("embed&tabs=watch&from=1&to=3", WATCH);
    assert_eq!(notices, []);
    let at = |session: &Session| (session.timeline().cursor(), session.timeline().len());
    assert_eq!(at(&session), (1, 3));
    for msg in [Msg::Back, Msg::Seek(0), Msg::Reset] {
        session.update(msg);
        assert_eq!(at(&session), (1, 3));
    }
    for _ in 0..5 {
        session.update(Msg::Forward);
    }
    assert_eq!(at(&session), (3, 3));
    for msg in [
        Msg::Variant(1),
        Msg::Walk(1),
        Msg::Mode(Mode::Schedule),
        Msg::Mode(Mode::Find),
        Msg::Open("A1.A2".into()),
        Msg::OpenIn { variant: 1, schedule: "A1".into(), to_end: true },
    ] {
        let before = session.link(Lang::En);
        session.update(msg.clone());
        assert_eq!(session.link(Lang::En), before, "{msg:?}");
    }
}

#[test]
fn a_fragment_asks_before_a_step_that_it_makes() {
    let asks = |query: &str| {
        let (mut session, _) = open(query, WATCH);
        let mut asked = false;
        for _ in 0..5 {
            asked |= session.asks();
            session.update(Msg::Forward);
        }
        asked
    };
    let (whole, _) = open("embed&tabs=watch", WATCH);
    let step = whole.stop().map(|(stop, _)| stop.step).unwrap();
    assert!(asks(&format!("embed&tabs=watch&from={}&to={step}", step - 1)));
    assert!(!asks(&format!("embed&tabs=watch&to={}", step - 1)));
    assert!(!asks(&format!("embed&tabs=watch&from={step}")));
}

#[test]
fn a_fragment_that_is_too_long_says_so() {
    let (session, notices) = open("embed&from=9&to=12", WATCH);
    let last = session.timeline().len();
    let beyond = |wanted| Notice::StepBeyond { wanted, last };
    assert_eq!(notices, [beyond(12), beyond(9)]);
    assert_eq!(session.timeline().cursor(), last);
}

#[test]
fn a_fragment_keeps_to_its_story_when_it_comes_back() {
    let (mut session, _) = open("embed&tabs=watch,schedule&to=2", WATCH);
    session.update(Msg::Variant(1));
    assert_eq!(session.mode(), Mode::Schedule);
    session.update(Msg::Mode(Mode::Watch));
    assert_eq!((session.timeline().len(), session.variant()), (2, 0));
}

#[test]
fn a_run_to_be_read_cannot_be_changed() {
    let fragment = "lesson=lost-update&mode=schedule&variant=naive&schedule=A1.B1.A2.B2&step=4";
    let (mut session, _) = open("embed&readonly=1&from=1", fragment);
    let run = session.timeline().schedule();
    for msg in [
        Msg::Step(crate::sim::ClientId(0)),
        Msg::RunClient(crate::sim::ClientId(0)),
        Msg::Random(1),
        Msg::Wire(true),
        Msg::Variant(1),
        Msg::Open("A1".into()),
    ] {
        session.update(msg);
        assert_eq!((session.timeline().schedule(), session.variant()), (run.clone(), 0));
    }
    session.update(Msg::Back);
    assert_eq!(session.timeline().cursor(), 3);
    session.update(Msg::Reset);
    assert_eq!((session.timeline().cursor(), session.timeline().len()), (1, 4));
}

#[test]
fn tabs_lead_only_to_each_other() {
    let (mut session, notices) = open("embed&tabs=find,break", "lesson=lost-update&mode=watch");
    assert_eq!(notices, []);
    assert_eq!(session.mode(), Mode::Break);
    for mode in Mode::ALL {
        session.update(Msg::Mode(mode));
        assert!(matches!(session.mode(), Mode::Find | Mode::Break), "{mode:?}");
    }
    let (session, notices) = open("embed&tabs=none", "lesson=lost-update");
    assert_eq!((session.mode(), notices.len()), (Mode::Watch, 0), "no tab is nothing to look at");
    let (_, notices) = open("embed&answers=0", "lesson=lost-update");
    assert_eq!(notices, []);
}

#[test]
fn a_step_is_one_of_the_story_where_there_is_only_that() {
    let (session, notices) = open("embed&tabs=watch", "lesson=lost-update&step=3");
    assert_eq!((notices.len(), session.timeline().cursor()), (0, 3));
}

#[test]
fn an_exam_has_neither_explorer_nor_other_programs() {
    let (mut session, _) =
        open("embed&answers=0&tabs=break,find,review,schedule", "lesson=lost-update");
    let variant = session.variant();
    for msg in [
        Msg::Mode(Mode::Watch),
        Msg::Mode(Mode::Fix),
        Msg::Variant(variant + 1),
        Msg::OpenIn { variant: variant + 1, schedule: String::new(), to_end: false },
    ] {
        session.update(msg);
        assert!(!matches!(session.mode(), Mode::Watch | Mode::Fix));
        assert_eq!(session.variant(), variant);
    }
    let (session, _) = open("embed&answers=0", "lesson=lost-update&mode=find");
    assert_eq!(session.modes(), [Mode::Break, Mode::Fix, Mode::Review]);
}

#[test]
fn a_score_counts_what_the_page_asks_for() {
    let score_of = |query: &str, done: &str, answered: [usize; 3]| {
        let (session, _) = open(query, "lesson=lost-update");
        let [given, right, of] = answered;
        score(&parsed(query), &session, Progress::read(done), Answered { given, right, of })
    };
    let all = score_of("embed", "watched", [0, 0, 2]);
    assert_eq!((all.goals.len(), all.percent, all.complete), (4, 25, false));
    assert_eq!(all.reached, ["watch"]);
    let one = score_of("embed&tabs=break,find", "best=4", [0, 0, 2]);
    assert_eq!((one.goals, one.percent, one.complete), (vec!["break"], 100, true));
    let quiz = score_of("embed&goal=review", "", [2, 1, 2]);
    assert_eq!((quiz.percent, quiz.complete, quiz.reached.len()), (50, true, 0));
    let none = score_of("embed&tabs=schedule", "", [0, 0, 2]);
    assert_eq!((none.goals.len(), none.percent, none.complete), (0, 0, false));
}

/// A story that was followed to its end counts by what was predicted in it, at the first chance.
#[test]
fn a_score_counts_predictions_and_not_clicks() {
    let (mut session, _) = open("embed&tabs=watch", "lesson=lost-update&mode=watch&walk=lost");
    let (step, right) = session.stop().map(|(stop, _)| (stop.step, stop.right)).expect("a stop");
    let scored = |session: &Session, done: &str| {
        let done = Progress::read(done);
        score(&parsed("embed&tabs=watch"), session, done, Answered::default())
    };
    let percent = |session: &Session, done: &str| scored(session, done).percent;
    let wrong = usize::from(right == 0);
    for (said, expected) in [(None, 0), (Some(wrong), 0), (Some(right), 100)] {
        let (mut session, _) = open("embed&tabs=watch", "lesson=lost-update&mode=watch&walk=lost");
        session.update(Msg::Seek(step - 1));
        assert_eq!(session.predictions(), Predictions::default());
        if let Some(choice) = said {
            session.update(Msg::Foretell(choice));
        }
        session.update(Msg::Seek(step));
        assert_eq!((percent(&session, ""), percent(&session, "watched")), (0, expected));
        let skipped = usize::from(said.is_none());
        assert_eq!(scored(&session, "watched").skipped, skipped, "no answer is not a wrong one");
        // It has been seen now.
        session.update(Msg::Seek(step - 1));
        session.update(Msg::Foretell(right));
        assert_eq!(percent(&session, "watched"), expected);
    }
    // A story without a question, or one that was left before it.
    session.update(Msg::Seek(0));
    assert_eq!(percent(&session, "watched"), 100);
}

#[test]
fn only_our_messages_are_heard_and_mistakes_are_answered() {
    for other in [
        "",
        "null",
        "[]",
        "\"hello\"",
        "{\"type\":\"hello\"}",
        "{\"ns\":\"other\",\"v\":1,\"type\":\"hello\"}",
        "{\"ns\":{},\"v\":1}",
        &format!("{{\"ns\":\"interleave\",\"x\":\"{}\"}}", "x".repeat(40_000)),
    ] {
        assert_eq!(hear(other), None, "{other:.60}");
    }
    let heard = |rest: &str| {
        hear(&format!("{{\"ns\":\"interleave\",\"v\":1,{rest}}}")).expect("ours").command
    };
    assert_eq!(heard("\"type\":\"hello\""), Ok(Command::Hello(None)));
    let high = |height: &str| heard(&format!("\"type\":\"hello\",\"window\":{height}"));
    assert_eq!(high("664"), Ok(Command::Hello(Some(664))));
    assert_eq!(high("9999999"), Ok(Command::Hello(Some(10_000))));
    assert_eq!(high("\"high\""), Ok(Command::Hello(None)));
    assert_eq!(heard("\"type\":\"goto\",\"step\":3"), Ok(Command::Goto(3)));
    assert_eq!(heard("\"type\":\"setTheme\",\"theme\":\"dark\""), Ok(Command::SetTheme("dark")));
    for (wrong, says) in [
        ("\"type\":\"eval\"", "type: accepted are"),
        ("\"type\":\"goto\",\"step\":-1", "step"),
        ("\"type\":\"goto\",\"step\":\"<b>\"", "step"),
        ("\"type\":\"setLang\",\"lang\":\"xx\"", "en, zh"),
        ("\"type\":\"setTheme\",\"theme\":{}", "theme"),
        ("\"type\":\"load\"", "lesson"),
        ("\"type\":\"load\",\"lesson\":[]", "lesson"),
        ("\"type\":\"resume\"", "lesson"),
        ("\"type\":\"resume\",\"lesson\":\"x\",\"progress\":[]", "progress"),
        ("\"type\":\"resume\",\"lesson\":\"x\",\"questions\":[{\"answer\":[0]}]", "id"),
        ("\"type\":\"resume\",\"lesson\":\"x\",\"questions\":[{\"answer\":\"a\"}]", "answer"),
    ] {
        let why = heard(wrong).expect_err(wrong);
        assert!(why.contains(says), "{wrong}: {why}");
    }
    let newer = hear("{\"ns\":\"interleave\",\"v\":2,\"type\":\"hello\",\"id\":7}").expect("ours");
    assert_eq!(newer.id, Some(Json::Number(7)));
    assert!(newer.command.is_err());
    // Code does not come by message.
    for code in ["\"link\":\"lesson=x&program=q\"", "\"lesson\":\"x\",\"scenario\":\"q\""] {
        let why = heard(&format!("\"type\":\"load\",{code}")).expect_err(code);
        assert!(why.contains("frame's address"), "{code}: {why}");
    }
    let loaded = heard("\"type\":\"load\",\"link\":\"#lesson=x&step=2\",\"step\":4");
    let link = Link { lesson: Some("x".into()), step: Some("4".into()), ..Link::default() };
    assert_eq!(loaded, Ok(Command::Load(Box::new(link))));
}

#[test]
fn what_the_lesson_says_is_as_written_down() {
    let fragment = "lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&step=4";
    let (session, _) = open("embed&tabs=schedule,break", fragment);
    let score =
        score(&parsed("embed&tabs=break"), &session, Progress::default(), Answered::default());
    let head = "{\"ns\":\"interleave\",\"v\":1,\"type\":";
    let place = "\"lesson\":\"lost-update\",\"variant\":\"naive\",\"mode\":\"schedule\"";
    let says = |json: Json, expected: String| assert_eq!(json.to_string(), expected);
    says(
        ready(Some(&session), Lang::Zh),
        format!(
            "{head}\"ready\",\"lesson\":\"lost-update\",\"title\":\"{}\"}}",
            session.lesson().title.zh
        ),
    );
    says(step(&session), format!("{head}\"step\",{place},\"step\":4,\"steps\":4}}"));
    let all = broken(&session);
    assert_eq!(all, [("total".to_owned(), 4)]);
    says(
        violation(&session, "total", 4),
        format!(
            "{head}\"violation\",{place},\"property\":\"total\",\"step\":4,\
             \"schedule\":\"A1.B1.A2.B2\"}}"
        ),
    );
    let scored = "\"goals\":[\"break\"],\"reached\":[],\"score\":0,\"max\":100,\
                  \"complete\":false,\"skipped\":0,\"questions\":[],\"progress\":\"\"";
    says(goal(&session, &score), format!("{head}\"goal\",\"lesson\":\"lost-update\",{scored}}}"));
    says(
        answer(None, Err("no".into())),
        format!("{head}\"answer\",\"id\":null,\"ok\":false,\"error\":\"no\"}}"),
    );
    let state = state(Some(&session), (Lang::En, "auto"), false, &score).to_string();
    assert!(
        state.contains("\"broken\":[\"total\"],\"playing\":false,\"link\":\"lesson=lost-update&"),
        "{state}"
    );
}

#[test]
fn snippets_can_be_pasted_and_lead_back() {
    let recipe = Recipe {
        base: "https://x.example/r/".into(),
        embed: parsed("embed&lang=zh&tabs=watch&from=1&to=3&origin=https://c.example"),
        link: Link::parse("lesson=lost-update&walk=lost&lang=zh"),
        title: "A \"lost\" <update> & more".into(),
        poster: true,
    };
    let frame = recipe.frame(Lang::En);
    assert!(
        frame.starts_with(
            "<iframe src=\"https://x.example/r/embed/index.html?lang=zh&amp;tabs=watch"
        )
    );
    assert!(
        frame.contains("title=\"Interleave: A &quot;lost&quot; &lt;update&gt; &amp; more\""),
        "{frame}"
    );
    assert!(
        frame.contains("loading=\"lazy\" sandbox=\"allow-scripts allow-same-origin\""),
        "{frame}"
    );
    assert!(
        frame.contains("<a href=\"https://x.example/r/#lesson=lost-update&amp;walk=lost"),
        "{frame}"
    );
    let address = recipe.address();
    let (query, fragment) =
        address.split_once('?').and_then(|(_, rest)| rest.split_once('#')).expect("both");
    assert_eq!(parsed(&format!("embed&{query}")), recipe.embed);
    assert_eq!(Link::parse(fragment), recipe.link);
    let element = recipe.element(Lang::En);
    let tag = "<redis-lesson lang=\"zh\" tabs=\"watch\" from=\"1\" to=\"3\" \
               origin=\"https://c.example\" \
               poster=\"1\" lesson=\"lost-update\" walk=\"lost\">";
    assert!(element.starts_with(tag), "{element}");
    assert!(
        element.ends_with("<script src=\"https://x.example/r/embed/embed.js\" async></script>")
    );
    // A link to the whole page would be a way round an exam.
    let exam = Recipe { embed: parsed("embed&answers=0"), ..recipe };
    for text in [exam.frame(Lang::En), exam.element(Lang::En), exam.plain(Lang::En)] {
        assert!(!text.contains("href=\"https://x.example/r/#"), "{text}");
    }
}
