//! The proxy's command line.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::limits::Limits;
use super::url::{self, Url};

pub const HELP: &str = "\
Serves the built page of Interleave, and lets it run its lessons on a real Redis.

usage: proxy [OPTION…]

the page
  --dir FOLDER           the built page (default: dist)
  --listen ADDRESS:PORT  where to listen (default: 127.0.0.1:8081; port 0: any free one)
  --base PATH            serve it below a path, as in /courses/redis/ (default: /)

which Redis (several --redis, and --spawn, add up to the nodes of Redlock)
  --redis URL            redis://[user[:password]@]host[:port][/db], rediss://… (TLS),
                         unix:///path/to/socket[?db=n&user=u&password=p]
  --spawn N              N throw-away servers for each visitor, started when they are asked for
                         (default without --redis: 5 if there is a redis-server; 0: none)
  --server PROGRAM       what --spawn starts (default: redis-server, valkey-server)
  --redis-file FILE      such addresses, one a line: other users of the machine can read a
                         command line, and passwords in it. So does the variable INTERLEAVE_REDIS
  --ca FILE              authorities for rediss:// (PEM) in place of those browsers trust

who may
  --allow-origin ORIGIN  a page of another origin that may connect, as in https://course.example
  --allow-host NAME      a further name under which the proxy is reached
  --token TOKEN          what a WebSocket must show (made up when listening beyond this machine,
                         or where a page or a host is allowed; none: no token)
  --token-file FILE      a file with the token. So does the variable INTERLEAVE_TOKEN

what they may
  --policy WHAT          lessons: data commands, on keys of one's own; open: all but what harms the
                         server, on everybody's keys; or a file (default: lessons):
                           commands = [\"lessons\", \"-@scripting\", \"+config|get\"]   # as in ACL
                           keys = \"visitor\"                                  # or \"plain\"
  --scripts              any script may run with --redis, not only the lessons': one that does not
                         end stops that Redis for everybody
  --any-memory           --redis may name one without maxmemory, which a visitor can fill
  --quota BYTES          of a visitor's keys on one --redis (default: 16777216)
  --rate N               commands per second of a visitor (default: 200; 0: no limit)
  --connections N        WebSockets of a visitor (default: 64)
  --visitors N           visitors at once; one who has gone makes room (default: 128)
  --message BYTES        of one message (default: 1048576)
  --memory BYTES         of all that is on its way to and fro (default: 268435456)
  --per-address N        HTTP connections of one address, of 2048 (default: 1024)
  --send SECONDS         cuts off who takes nothing of a file (default: 30)
  --idle SECONDS         closes a WebSocket on which nothing happens (default: 600)
  --script SECONDS       stops a script (default: 5)
  --reply SECONDS        takes a Redis that does not answer for lost (default: 60)
  --linger SECONDS       keeps the keys and servers of a visitor who has gone (default: 60)

  --quiet                no log on standard error
  --help                 this text
";

/// The parsed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Serve(Box<Options>),
    Help,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub dir: PathBuf,
    pub listen: SocketAddr,
    /// The sub-path; begins and ends with a slash.
    pub base: String,
    pub redis: Vec<Url>,
    /// The number of throw-away servers; `None`: as many as lessons need, if there is a program.
    pub spawn: Option<usize>,
    pub server: Option<PathBuf>,
    pub ca: Option<PathBuf>,
    pub origins: Vec<String>,
    pub hosts: Vec<String>,
    pub token: Token,
    pub policy: String,
    /// Any script may run on a shared server.
    pub scripts: bool,
    pub limits: Limits,
    pub quiet: bool,
}

/// What a WebSocket must show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Token {
    /// One is made up where others than this machine's users can come.
    #[default]
    Made,
    Given(String),
    /// Nothing.
    None,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dir: PathBuf::from("dist"),
            listen: SocketAddr::from(([127, 0, 0, 1], 8081)),
            base: String::from("/"),
            redis: Vec::new(),
            spawn: None,
            server: None,
            ca: None,
            origins: Vec::new(),
            hosts: Vec::new(),
            token: Token::Made,
            policy: String::from("lessons"),
            scripts: false,
            limits: Limits::default(),
            quiet: false,
        }
    }
}

/// Parses the arguments (without the program's name); what they do not say is taken from
/// `environment`. An error is a sentence for the user.
pub fn parse(
    arguments: impl IntoIterator<Item = OsString>,
    environment: impl Fn(&str) -> Option<String>,
) -> Result<Command, String> {
    let mut options = Options::default();
    let mut arguments = arguments.into_iter();
    while let Some(name) = arguments.next() {
        let name = text(name)?;
        // Both `--dir dist` and `--dir=dist`.
        let (name, mut joined) = match name.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(OsString::from(value))),
            None => (name, None),
        };
        let mut value = || {
            joined
                .take()
                .or_else(|| arguments.next())
                .ok_or_else(|| format!("{name} needs a value"))
        };
        let limits = &mut options.limits;
        match name.as_str() {
            "--dir" => options.dir = PathBuf::from(value()?),
            "--listen" => options.listen = address(&text(value()?)?)?,
            "--base" => options.base = base(&text(value()?)?)?,
            "--redis" => options.redis.push(url::parse(&text(value()?)?)?),
            "--spawn" => options.spawn = Some(number(&name, &text(value()?)?, 0, SPAWN_MAX)?),
            "--server" => options.server = Some(value()?.into()),
            "--redis-file" => options.redis.extend(urls(&file(&name, value()?)?)?),
            "--ca" => options.ca = Some(value()?.into()),
            "--allow-origin" => options.origins.push(origin(&text(value()?)?)?),
            "--allow-host" => options.hosts.push(text(value()?)?.to_ascii_lowercase()),
            "--token" => options.token = token(&text(value()?)?)?,
            "--token-file" => options.token = token(file(&name, value()?)?.trim())?,
            "--policy" => options.policy = text(value()?)?,
            "--rate" => limits.rate = number(&name, &text(value()?)?, 0, 1_000_000)?,
            "--connections" => limits.connections = number(&name, &text(value()?)?, 1, 10_000)?,
            "--visitors" => limits.visitors = number(&name, &text(value()?)?, 1, 10_000)?,
            "--message" => limits.message = number(&name, &text(value()?)?, 64, 64 << 20)?,
            "--memory" => limits.memory = number(&name, &text(value()?)?, 1 << 20, 1 << 40)?,
            "--per-address" => limits.per_address = number(&name, &text(value()?)?, 1, 10_000)?,
            "--send" => limits.send = seconds(&name, &text(value()?)?)?,
            "--idle" => limits.idle = seconds(&name, &text(value()?)?)?,
            "--script" => {
                let ms = seconds(&name, &text(value()?)?)?.as_millis();
                limits.script_ms = u64::try_from(ms).unwrap_or(u64::MAX).max(1);
            }
            "--reply" => limits.reply = seconds(&name, &text(value()?)?)?,
            "--linger" => limits.linger = seconds(&name, &text(value()?)?)?,
            "--quota" => limits.quota = number(&name, &text(value()?)?, 1 << 16, 1 << 40)?,
            "--any-memory" => limits.any_memory = true,
            "--scripts" => options.scripts = true,
            "--quiet" => options.quiet = true,
            "--help" | "-h" => return Ok(Command::Help),
            _ => return Err(format!("{name} is not an option")),
        }
        if joined.is_some() {
            return Err(format!("{name} takes no value"));
        }
    }
    if options.redis.is_empty()
        && let Some(given) = environment("INTERLEAVE_REDIS")
    {
        options.redis = urls(&given)?;
    }
    if options.token == Token::Made
        && let Some(given) = environment("INTERLEAVE_TOKEN")
    {
        options.token = token(given.trim())?;
    }
    Ok(Command::Serve(Box::new(options)))
}

/// Reads a file of secrets.
fn file(name: &str, path: OsString) -> Result<String, String> {
    std::fs::read_to_string(&path).map_err(|error| format!("{name} {}: {error}", path.display()))
}

/// Reads addresses of Redis between blanks or line ends.
fn urls(text: &str) -> Result<Vec<Url>, String> {
    text.split_whitespace().map(url::parse).collect()
}

/// The most throw-away servers of one visitor.
const SPAWN_MAX: usize = 16;

fn number<N>(name: &str, given: &str, least: N, most: N) -> Result<N, String>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    match given.parse() {
        Ok(n) if (least..=most).contains(&n) => Ok(n),
        _ => Err(format!("{name} {given} is no number from {least} to {most}")),
    }
}

fn seconds(name: &str, given: &str) -> Result<Duration, String> {
    let wrong = || format!("{name} {given} is no number of seconds from 0 to 86400");
    let seconds: f64 = given.parse().map_err(|_| wrong())?;
    match (0.0..=86_400.0).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(wrong()),
    }
}

/// Checks an origin, as a browser writes it: scheme, host and perhaps a port.
fn origin(given: &str) -> Result<String, String> {
    let lower = given.trim_end_matches('/').to_ascii_lowercase();
    let whole = lower.split_once("://").is_some_and(|(scheme, host)| {
        matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '@', '*'])
    });
    match whole || lower == "null" {
        true => Ok(lower),
        false => Err(format!("--allow-origin {given} is no origin, as in https://course.example")),
    }
}

fn token(given: &str) -> Result<Token, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    match given.len() >= 16 && given.chars().all(fits) {
        _ if given == "none" => Ok(Token::None),
        true => Ok(Token::Given(given.to_owned())),
        false => Err("--token has at least 16 letters, digits and - . _ ~".into()),
    }
}

fn text(argument: OsString) -> Result<String, String> {
    argument.into_string().map_err(|bad| format!("{} is not UTF-8", bad.display()))
}

fn address(given: &str) -> Result<SocketAddr, String> {
    // `localhost` is what people type; a name server has no say in it.
    let numeric = given.replacen("localhost:", "127.0.0.1:", 1);
    numeric.parse().map_err(|_| {
        format!("--listen {given} is not an address and a port, as in 127.0.0.1:8080 or [::1]:8080")
    })
}

/// Checks a sub-path: segments of letters, digits and `-._~` between slashes.
fn base(given: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    let segments: Vec<&str> = given.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in &segments {
        if !segment.chars().all(plain) || matches!(*segment, "." | "..") {
            return Err(format!("--base {given} may hold letters, digits and - . _ ~ between /"));
        }
    }
    if segments.is_empty() {
        return Ok(String::from("/"));
    }
    Ok(format!("/{}/", segments.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Result<Options, &str>) {
        let parsed = parse(line.split_whitespace().map(OsString::from), |_| None);
        let expect = expect.map(|options| Command::Serve(Box::new(options))).map_err(str::to_owned);
        assert_eq!(parsed, expect, "{line}");
    }

    #[test]
    fn options_are_read_in_both_spellings() {
        let default = Options::default();
        check("", Ok(default.clone()));
        check("--dir out", Ok(Options { dir: "out".into(), ..default.clone() }));
        check("--dir=out", Ok(Options { dir: "out".into(), ..default.clone() }));
        let listen = SocketAddr::from(([127, 0, 0, 1], 9000));
        check("--listen localhost:9000", Ok(Options { listen, ..default.clone() }));
        for given in ["/a/b/", "a/b", "//a//b", "/a/b"] {
            let options = Options { base: "/a/b/".into(), ..default.clone() };
            check(&format!("--base {given}"), Ok(options));
        }
        check("--base /", Ok(default));
        assert_eq!(parse(["--help".into()], |_| None), Ok(Command::Help));
        let limits = Limits { rate: 7, script_ms: 500, ..Limits::default() };
        let redis = vec![url::parse("redis://a").unwrap(), url::parse("redis://b").unwrap()];
        let options = Options { redis, spawn: Some(2), limits, ..Options::default() };
        let line = "--redis redis://a --redis=redis://b --spawn 2 --rate 7 --script 0.5";
        check(line, Ok(options));
        let origins = vec!["https://x.example".to_owned()];
        let options = Options { origins, ..Options::default() };
        check("--allow-origin https://X.example/", Ok(options));
    }

    #[test]
    fn secrets_come_by_file_or_environment() {
        let path = std::env::temp_dir().join(format!("interleave-secret-{}", std::process::id()));
        let (secret, url) = ("0123456789abcdef", "redis://:pw@a:1");
        let environment = |name: &str| match name {
            "INTERLEAVE_TOKEN" => Some(format!("{secret}\n")),
            "INTERLEAVE_REDIS" => Some(format!("{url} redis://b")),
            _ => None,
        };
        let read =
            |line: &str| match parse(line.split_whitespace().map(OsString::from), environment) {
                Ok(Command::Serve(options)) => (options.token, options.redis.len()),
                other => panic!("{other:?}"),
            };
        assert_eq!(read(""), (Token::Given(secret.into()), 2));
        // What is said on the command line counts.
        let said = format!("--token {secret}-x --redis redis://c");
        assert_eq!(read(&said), (Token::Given(format!("{secret}-x")), 1));
        assert_eq!(read("--token none"), (Token::None, 2));
        std::fs::write(&path, format!("{secret}-file\n")).unwrap();
        let line = format!("--token-file {}", path.display());
        assert_eq!(read(&line), (Token::Given(format!("{secret}-file")), 2));
        std::fs::write(&path, format!("{url}\n{url}\n{url}\n")).unwrap();
        assert_eq!(read(&format!("--redis-file {}", path.display())).1, 3);
        std::fs::remove_file(&path).unwrap();
        let lost = parse(line.split_whitespace().map(OsString::from), environment);
        assert!(lost.unwrap_err().starts_with("--token-file "));
    }

    #[test]
    fn mistakes_are_named() {
        check("--dir", Err("--dir needs a value"));
        check("--port 80", Err("--port is not an option"));
        check("dist", Err("dist is not an option"));
        check("--base /a b", Err("b is not an option"));
        check(
            "--base /a/../b",
            Err("--base /a/../b may hold letters, digits and - . _ ~ between /"),
        );
        check("--base /{x}", Err("--base /{x} may hold letters, digits and - . _ ~ between /"));
        check("--spawn 17", Err("--spawn 17 is no number from 0 to 16"));
        check("--rate -1", Err("--rate -1 is no number from 0 to 1000000"));
        check("--idle x", Err("--idle x is no number of seconds from 0 to 86400"));
        check("--quiet=1", Err("--quiet takes no value"));
        check("--token short", Err("--token has at least 16 letters, digits and - . _ ~"));
        let origin = "--allow-origin course.example is no origin, as in https://course.example";
        check("--allow-origin course.example", Err(origin));
        let wrong = "--listen 8080 is not an address and a port, \
                     as in 127.0.0.1:8080 or [::1]:8080";
        check("--listen 8080", Err(wrong));
    }
}
