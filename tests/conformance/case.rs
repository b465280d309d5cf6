//! A case: steps on named connections, and the replies that must come.
//!
//! A step is one of `{conn, cmd: [argv...], reply}`, `{conn, read: true, reply}` or
//! `{conn, read_n: k, reply}` (pushed or late replies), `{conn, send_raw, reply}`,
//! `{conn, close}`, `{sleep_ms}`, `{conn, scan_loop, must_return, each_round}`. Strings are
//! Latin-1 views of bytes; an argument `{id_of: conn}` is the number of that connection. A
//! reply is `{status}`, `{error}`, `{int}`, `{bulk}`, `{nil: bulk|array|resp3}`, `{array}`,
//! `{map}`, `{set}`, `{push}`, `{double}`, `{bool}`, `{verbatim}`, `{bignum}`, `{no_reply}`,
//! `{replies, closed}`, or `{match: ...}` where the exact value may vary: `int_range` (min,
//! max), `unordered` (array), `any`, `error_prefix` (prefix), `bulk_contains` (text).

use std::collections::BTreeSet;
use std::path::PathBuf;

use interleave::engine::Version;
use interleave::resp::{Bytes, Value};
use serde_json::{Value as Json, json};

use super::{Server, Wait};

#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub area: String,
    pub steps: Vec<Json>,
}

/// Where the cases are that were recorded from this version: in `cases`, or its folder there.
fn folder(version: Version) -> PathBuf {
    let all = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/cases");
    if version == Version::default() { all } else { all.join(version.word()) }
}

/// The cases of one file.
pub fn load(text: &str) -> Vec<Case> {
    let Json::Array(cases) = serde_json::from_str(text).expect("a list of cases") else {
        panic!("a list of cases");
    };
    let text = |case: &Json, key: &str| case[key].as_str().expect("a string").to_string();
    let steps = |case: &Json| case["steps"].as_array().expect("steps").clone();
    let case = |c: &Json| Case { name: text(c, "name"), area: text(c, "area"), steps: steps(c) };
    cases.iter().map(case).collect()
}

/// All files with their cases, in order of name.
pub fn load_all(version: Version) -> Vec<(String, Vec<Case>)> {
    let entries = std::fs::read_dir(folder(version)).expect("tests/conformance/cases");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "json"));
    files.sort();
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = |path: &PathBuf| load(&std::fs::read_to_string(path).expect("a readable file"));
    files.iter().map(|path| (name(path), read(path))).collect()
}

/// Records every reply anew that is exact, and writes the files in their one form. The first
/// file, which was recorded elsewhere, is left as it is.
pub fn record_all(server: &mut dyn Server, version: Version) {
    for (file, mut cases) in load_all(version) {
        if file == "redis-behaviours.json" {
            continue;
        }
        for case in &mut cases {
            server.reset();
            case.record(server);
        }
        let mut text = String::from("[\n");
        for (i, case) in cases.iter().enumerate() {
            let (name, area) = (json!(case.name), json!(case.area));
            text += &format!("{{\"name\":{name},\"area\":{area},\"steps\":[\n");
            let steps: Vec<String> = case.steps.iter().map(|step| format!("  {step}")).collect();
            text += &steps.join(",\n");
            text += if i + 1 < cases.len() { "\n]},\n" } else { "\n]}\n" };
        }
        text += "]\n";
        std::fs::write(folder(version).join(file), text).expect("a writable file");
    }
}

pub fn bytes_of(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

fn text_of(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| char::from(b)).collect()
}

/// The wire form of a command.
pub fn command(argv: &[Vec<u8>]) -> Vec<u8> {
    let items = argv.iter().map(|arg| Value::Bulk(Bytes::from(arg.as_slice()))).collect();
    Value::Array(items).to_bytes(interleave::resp::Proto::Resp2)
}

fn argv_of(step: &Json, key: &str) -> Vec<Vec<u8>> {
    let args = step[key].as_array().expect("argv");
    args.iter().map(|arg| bytes_of(arg.as_str().expect("a string"))).collect()
}

impl Case {
    pub fn run(&self, server: &mut dyn Server) -> Result<(), String> {
        for (at, step) in self.steps.iter().enumerate() {
            let got = perform(step, server)?;
            let Some(want) = step.get("reply") else { continue };
            check(want, &got).map_err(|why| {
                let what = step.get("cmd").unwrap_or(step);
                format!("step {at} {what}:\n    want {want}\n    got  {got}\n    {why}")
            })?;
        }
        Ok(())
    }

    fn record(&mut self, server: &mut dyn Server) {
        for step in &mut self.steps {
            let got = perform(step, server).unwrap_or_else(|message| panic!("{message}"));
            if step.get("conn").is_none() || step.get("close").is_some() {
                continue;
            }
            match step["reply"]["match"].as_str() {
                None => step["reply"] = got,
                // The order stays open, the items are recorded.
                Some("unordered") if got.get("array").is_some() => {
                    step["reply"] = json!({ "match": "unordered", "array": got["array"] });
                }
                Some("unordered") => step["reply"] = got,
                Some(_) => {}
            }
        }
    }
}

/// Does one step; what came back, as a reply description.
fn perform(step: &Json, server: &mut dyn Server) -> Result<Json, String> {
    if let Some(ms) = step.get("sleep_ms").and_then(Json::as_u64) {
        server.sleep(ms);
        return Ok(Json::Null);
    }
    let conn = step["conn"].as_str().ok_or("a step without conn")?;
    let silence = step["reply"].get("no_reply").is_some();
    let wait = if silence { Wait::ForSilence } else { Wait::ForReply };
    if step.get("close").is_some() {
        server.close(conn);
        return Ok(Json::Null);
    }
    if let Some(n) = step.get("read_n").and_then(Json::as_u64) {
        let replies = (0..n).map(|_| describe(server.receive(conn, Wait::ForReply)));
        return Ok(json!({ "array": replies.collect::<Vec<_>>() }));
    }
    if step.get("read").is_some() {
        return Ok(describe(server.receive(conn, wait)));
    }
    if let Some(raw) = step.get("send_raw").and_then(Json::as_str) {
        server.send(conn, &bytes_of(raw));
        let count = step["reply"]["replies"].as_array().map_or(1, Vec::len);
        let mut replies = Vec::new();
        while let Some(reply) = server
            .receive(conn, if replies.len() < count { Wait::ForReply } else { Wait::ForSilence })
        {
            replies.push(describe(Some(reply)));
        }
        return Ok(json!({ "replies": replies, "closed": server.is_closed(conn) }));
    }
    if step.get("scan_loop").is_some() {
        return scan_loop(step, conn, server);
    }
    let argv = numbered(step, server);
    server.send(conn, &command(&argv));
    Ok(describe(server.receive(conn, wait)))
}

/// Returns the arguments of a step, with the numbers of connections filled in.
fn numbered(step: &Json, server: &mut dyn Server) -> Vec<Vec<u8>> {
    let args = step["cmd"].as_array().expect("argv");
    let fill = |arg: &Json| match arg["id_of"].as_str() {
        Some(conn) => {
            server.send(conn, &command(&[b"CLIENT".to_vec(), b"ID".to_vec()]));
            describe(server.receive(conn, Wait::ForReply))["int"].to_string().into_bytes()
        }
        None => bytes_of(arg.as_str().expect("a string")),
    };
    args.iter().map(fill).collect()
}

/// Scans to the end while `each_round` changes the keyspace; all names that stay must be met.
fn scan_loop(step: &Json, conn: &str, server: &mut dyn Server) -> Result<Json, String> {
    let words = argv_of(step, "scan_loop");
    let (mut cursor, mut seen, mut round) = (b"0".to_vec(), BTreeSet::new(), 0);
    let is_scan = words[0].eq_ignore_ascii_case(b"SCAN");
    loop {
        round += 1;
        let mut argv = words.clone();
        argv.insert(if is_scan { 1 } else { 2 }, cursor);
        server.send(conn, &command(&argv));
        let Some(Value::Array(reply)) = server.receive(conn, Wait::ForReply) else {
            return Err("no page".into());
        };
        let [Value::Bulk(next), Value::Array(items)] = &reply[..] else {
            return Err("not a page".into());
        };
        let step_by = if is_scan { 1 } else { 2 };
        for item in items.iter().step_by(step_by) {
            if let Value::Bulk(name) = item {
                seen.insert(text_of(name));
            }
        }
        for change in step["each_round"].as_array().into_iter().flatten() {
            let other = change["conn"].as_str().unwrap_or(conn);
            let argv = argv_of(change, "cmd");
            let numbered = argv.iter().map(|arg| text_of(arg).replace("%d", &round.to_string()));
            let argv: Vec<Vec<u8>> = numbered.map(|arg| bytes_of(&arg)).collect();
            server.send(other, &command(&argv));
            server.receive(other, Wait::ForReply);
        }
        cursor = next.to_vec();
        if cursor == b"0" || round > 10_000 {
            break;
        }
    }
    let want = &step["must_return"];
    let prefix = want["prefix"].as_str().unwrap_or_default();
    let mut numbers = want["from"].as_i64().unwrap_or(0)..=want["to"].as_i64().unwrap_or(0);
    let complete = numbers.all(|n| seen.contains(&format!("{prefix}{n}")));
    Ok(json!({ "complete": complete }))
}

/// A reply as its description.
pub fn describe(reply: Option<Value>) -> Json {
    let list = |items: Vec<Value>| -> Vec<Json> {
        items.into_iter().map(|item| describe(Some(item))).collect()
    };
    match reply {
        None => json!({ "no_reply": true }),
        Some(Value::Status(text)) => json!({ "status": text_of(&text) }),
        Some(Value::Error(text)) => json!({ "error": text_of(&text) }),
        Some(Value::Int(n)) => json!({ "int": n }),
        Some(Value::Bulk(bytes)) => json!({ "bulk": text_of(&bytes) }),
        Some(Value::NilBulk) => json!({ "nil": "bulk" }),
        Some(Value::NilArray) => json!({ "nil": "array" }),
        Some(Value::Null) => json!({ "nil": "resp3" }),
        Some(Value::Array(items)) => json!({ "array": list(items) }),
        Some(Value::Set(items)) => json!({ "set": list(items) }),
        Some(Value::Push(items)) => json!({ "push": list(items) }),
        Some(Value::Map(pairs)) => {
            let pair = |(k, v)| json!([describe(Some(k)), describe(Some(v))]);
            json!({ "map": pairs.into_iter().map(pair).collect::<Vec<_>>() })
        }
        Some(Value::Double(d)) => json!({ "double": interleave::resp::number::double_g17(d) }),
        Some(Value::Bool(b)) => json!({ "bool": b }),
        Some(Value::BigNumber(digits)) => json!({ "bignum": text_of(&digits) }),
        Some(Value::Verbatim { format, text }) => {
            json!({ "verbatim": [text_of(&format), text_of(&text)] })
        }
    }
}

/// Whether `got` is what `want` describes.
fn check(want: &Json, got: &Json) -> Result<(), String> {
    let differ = |why: &str| Err(why.to_string());
    match want.get("match").and_then(Json::as_str) {
        Some("any") => Ok(()),
        Some("int_range") => {
            let (min, max) = (want["min"].as_i64(), want["max"].as_i64());
            let n = got["int"].as_i64();
            if n.is_some() && n >= min && n <= max { Ok(()) } else { differ("out of range") }
        }
        Some("unordered") => {
            let sorted = |list: &Json| {
                let list = list.get("array").or(list.get("set"))?.as_array()?;
                let mut items: Vec<String> = list.iter().map(Json::to_string).collect();
                items.sort();
                Some(items)
            };
            let same = sorted(got).is_some() && sorted(want) == sorted(got);
            if same { Ok(()) } else { differ("other items") }
        }
        Some("error_prefix") => {
            let prefix = want["prefix"].as_str().unwrap_or_default();
            let fits = got["error"].as_str().is_some_and(|text| text.starts_with(prefix));
            if fits { Ok(()) } else { differ("another error") }
        }
        Some("bulk_contains") => {
            let text = want["text"].as_str().unwrap_or_default();
            let whole = got["bulk"].as_str().or(got["verbatim"][1].as_str());
            if whole.is_some_and(|whole| whole.contains(text)) { Ok(()) } else { differ("absent") }
        }
        Some(other) => differ(&format!("unknown match {other}")),
        None => match (want.get("array"), got.get("array")) {
            (Some(Json::Array(a)), Some(Json::Array(b))) if a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| check(a, b))
            }
            _ if want == got => Ok(()),
            _ => differ("differs"),
        },
    }
}
