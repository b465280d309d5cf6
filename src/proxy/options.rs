//! The command line of `interleave serve`: each option once, with its default and its bounds (those
//! of a visitor in [`limits`](super::limits)).

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Error, Parser};
use tracing_subscriber::filter::Targets;

use super::limits::Limits;
use super::page::Page;
use super::url::{self, Url};

const WHICH: &str = "Which Redis (all --redis and --spawn together are the nodes of Redlock)";
const WHO: &str = "Who may connect";
const WHAT: &str = "What visitors may do";

const POLICIES: &str = "\
lessons: data commands, on keys of one's own; open: all but what harms the server, on everybody's
keys; or a file, with rules as in Redis's ACL:
  commands = [\"lessons\", \"-@scripting\", \"+config|get\"]
  keys = \"visitor\"     # or \"plain\"";

/// Serve the page, and let it run its lessons on a real Redis
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(name = "proxy", next_help_heading = "The page", args_override_self = true)]
pub struct Options {
    /// The built page [default: the one in the program, if it has one; else dist]
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// Where to listen; port 0: any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8081")]
    #[arg(value_parser = address)]
    pub listen: SocketAddr,
    /// Serve it below a path, as in /courses/redis/
    // It begins and ends with a slash.
    #[arg(long, value_name = "PATH", default_value = "/", value_parser = base)]
    pub base: String,

    #[allow(rustdoc::broken_intra_doc_links, reason = "a form for --help, no links")]
    /// redis://[user[:password]@]host[:port][/db], rediss://… (TLS), or
    /// unix:///path/to/socket[?db=n&user=u&password=p]
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "URL", value_parser = url::parse, help_heading = WHICH)]
    pub redis: Vec<Url>,
    /// A file of such addresses: other users of the machine can read a command line, and passwords
    /// in it. The variable INTERLEAVE_REDIS may hold them too
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "FILE", value_parser = urls_of_file, help_heading = WHICH)]
    pub(super) redis_file: Vec<Urls>,
    /// Throw-away servers for each visitor, started when they are asked for [default without
    /// --redis: 5 if there is a redis-server]
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "N", value_parser = within::<usize>(0, 16), help_heading = WHICH)]
    pub spawn: Option<usize>,
    /// What --spawn starts [default: redis-server or valkey-server]
    #[arg(long, value_name = "PROGRAM", help_heading = WHICH)]
    pub server: Option<PathBuf>,
    /// Authorities for rediss:// (PEM) in place of those that browsers trust
    #[arg(long, value_name = "FILE", help_heading = WHICH)]
    pub ca: Option<PathBuf>,

    #[allow(rustdoc::bare_urls, reason = "--help shows it as it stands")]
    /// A page of another origin that may connect, as in https://course.example
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_parser = origin)]
    #[arg(help_heading = WHO)]
    pub origins: Vec<String>,
    /// A further name under which the program is reached
    #[arg(long = "allow-host", value_name = "NAME", value_parser = lower, help_heading = WHO)]
    pub hosts: Vec<String>,
    /// What a WebSocket must show; none: no token [default: one is made up when listening beyond
    /// this machine, or where a page or a host is allowed]
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "TOKEN", value_parser = token, default_value = "made")]
    #[arg(hide_default_value = true, help_heading = WHO)]
    pub token: Token,
    /// A file with the token. The variable INTERLEAVE_TOKEN may hold it too
    #[arg(long, value_name = "FILE", value_parser = token_of_file, conflicts_with = "token")]
    #[arg(help_heading = WHO)]
    pub(super) token_file: Option<Token>,

    /// Which commands, and on which keys
    #[arg(long, value_name = "WHAT", default_value = "lessons", long_help = POLICIES)]
    #[arg(help_heading = WHAT)]
    pub policy: String,
    /// Any script may run with --redis, not only the lessons': one that does not end stops that
    /// Redis for everybody
    #[arg(verbatim_doc_comment)]
    #[arg(long, help_heading = WHAT)]
    pub scripts: bool,
    #[command(flatten, next_help_heading = WHAT)]
    pub limits: Limits,

    /// No log on standard error. The variable RUST_LOG says which events are logged: warn, say, or
    /// error [default: info]
    #[arg(verbatim_doc_comment)]
    #[arg(long, help_heading = "Options")]
    pub quiet: bool,
    /// Log JSON, an object per line
    #[arg(long, help_heading = "Options", conflicts_with = "quiet")]
    pub json_log: bool,
    /// What RUST_LOG says.
    #[arg(skip)]
    pub(super) levels: Option<Targets>,
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

/// The addresses in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Urls(Vec<Url>);

impl Default for Options {
    /// What an empty command line says.
    fn default() -> Self {
        Self::parse_from(["proxy"])
    }
}

impl Options {
    pub fn page(&self) -> Page {
        Page::of(self.dir.as_deref())
    }

    /// Adds what files hold, and what the command line leaves to `environment`. The error is one of
    /// the command line's.
    pub fn completed(
        mut self,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Error> {
        let wrong = |name: &str, why: String| {
            Self::command().error(ErrorKind::ValueValidation, format!("{name}: {why}"))
        };
        self.redis.extend(self.redis_file.drain(..).flat_map(|Urls(urls)| urls));
        if self.redis.is_empty()
            && let Some(given) = environment("INTERLEAVE_REDIS")
        {
            self.redis = urls(&given).map_err(|why| wrong("INTERLEAVE_REDIS", why))?;
        }
        if let Some(token) = self.token_file.take() {
            self.token = token;
        }
        if self.token == Token::Made
            && let Some(given) = environment("INTERLEAVE_TOKEN")
        {
            self.token = token(given.trim()).map_err(|why| wrong("INTERLEAVE_TOKEN", why))?;
        }
        if let Some(given) = environment("RUST_LOG").filter(|given| !given.is_empty()) {
            let levels =
                given.parse().map_err(|why| wrong("RUST_LOG", format!("{given:?}: {why}")))?;
            self.levels = Some(levels);
        }
        Ok(self)
    }
}

/// Reads a file of secrets.
fn file(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

fn urls_of_file(path: &str) -> Result<Urls, String> {
    urls(&file(path)?).map(Urls)
}

/// Reads addresses of Redis between blanks or line ends.
fn urls(text: &str) -> Result<Vec<Url>, String> {
    text.split_whitespace().map(url::parse).collect()
}

/// Parses a number in these bounds.
pub(super) fn within<N: TryFrom<u64>>(least: u64, most: u64) -> RangedU64ValueParser<N> {
    RangedU64ValueParser::new().range(least..=most)
}

/// Parses a time in seconds, of at most a day.
pub(super) fn seconds(given: &str) -> Result<Duration, String> {
    match f64::from_str(given) {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("no number of seconds from 0 to 86400".into()),
    }
}

/// Parses a time in seconds that is used in whole ms, and is never none.
pub(super) fn milliseconds(given: &str) -> Result<u64, String> {
    Ok(u64::try_from(seconds(given)?.as_millis()).unwrap_or(u64::MAX).max(1))
}

fn lower(given: &str) -> Result<String, String> {
    Ok(given.to_ascii_lowercase())
}

/// Checks an origin, as a browser writes it: scheme, host and perhaps a port.
fn origin(given: &str) -> Result<String, String> {
    let lower = given.trim_end_matches('/').to_ascii_lowercase();
    let whole = lower.split_once("://").is_some_and(|(scheme, host)| {
        matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '@', '*'])
    });
    match whole || lower == "null" {
        true => Ok(lower),
        false => Err("no origin, as in https://course.example".into()),
    }
}

fn token_of_file(path: &str) -> Result<Token, String> {
    token(file(path)?.trim())
}

fn token(given: &str) -> Result<Token, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    match given.len() >= 16 && given.chars().all(fits) {
        _ if given == "made" => Ok(Token::Made),
        _ if given == "none" => Ok(Token::None),
        true => Ok(Token::Given(given.to_owned())),
        false => Err("a token has at least 16 letters, digits and - . _ ~".into()),
    }
}

fn address(given: &str) -> Result<SocketAddr, String> {
    // `localhost` is what people type; a name server has no say in it.
    let numeric = given.replacen("localhost:", "127.0.0.1:", 1);
    let wrong = "no address and port, as in 127.0.0.1:8080 or [::1]:8080";
    numeric.parse().map_err(|_| wrong.into())
}

/// Checks a sub-path: segments of letters, digits and `-._~` between slashes.
fn base(given: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    let segments: Vec<&str> = given.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in &segments {
        if !segment.chars().all(plain) || matches!(*segment, "." | "..") {
            return Err("a path may hold letters, digits and - . _ ~ between /".into());
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

    fn read(line: &str, environment: impl Fn(&str) -> Option<String>) -> Result<Options, Error> {
        let words = ["proxy"].into_iter().chain(line.split_whitespace());
        Options::try_parse_from(words)?.completed(environment)
    }

    fn check(line: &str, expect: Options) {
        assert_eq!(read(line, |_| None).unwrap(), expect, "{line}");
    }

    #[test]
    fn options_are_read_in_both_spellings() {
        let default = Options::default();
        Options::command().debug_assert();
        check("", default.clone());
        check("--dir out", Options { dir: Some("out".into()), ..default.clone() });
        check("--dir=out", Options { dir: Some("out".into()), ..default.clone() });
        let listen = SocketAddr::from(([127, 0, 0, 1], 9000));
        check("--listen localhost:9000", Options { listen, ..default.clone() });
        for given in ["/a/b/", "a/b", "//a//b", "/a/b"] {
            let options = Options { base: "/a/b/".into(), ..default.clone() };
            check(&format!("--base {given}"), options);
        }
        check("--base /", default);
        let limits = Limits { rate: 7, script_ms: 500, ..Limits::default() };
        let redis = vec![url::parse("redis://a").unwrap(), url::parse("redis://b").unwrap()];
        let options = Options { redis, spawn: Some(2), limits, ..Options::default() };
        let line = "--redis redis://a --redis=redis://b --spawn 2 --rate 7 --script 0.5";
        check(line, options);
        let origins = vec!["https://x.example".to_owned()];
        let options = Options { origins, ..Options::default() };
        check("--allow-origin https://X.example/", options);
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
        let found = |line: &str| {
            let options = read(line, environment).unwrap();
            (options.token, options.redis.len())
        };
        assert_eq!(found(""), (Token::Given(secret.into()), 2));
        // What is said on the command line counts.
        let said = format!("--token {secret}-x --redis redis://c");
        assert_eq!(found(&said), (Token::Given(format!("{secret}-x")), 1));
        assert_eq!(found("--token none"), (Token::None, 2));
        std::fs::write(&path, format!("{secret}-file\n")).unwrap();
        let line = format!("--token-file {}", path.display());
        assert_eq!(found(&line), (Token::Given(format!("{secret}-file")), 2));
        std::fs::write(&path, format!("{url}\n{url}\n{url}\n")).unwrap();
        assert_eq!(found(&format!("--redis-file {}", path.display())).1, 3);
        std::fs::remove_file(&path).unwrap();
        let lost = read(&line, environment).unwrap_err().to_string();
        assert!(lost.contains("--token-file <FILE>"), "{lost}");
        let wrong = read("", |_| Some("short".into())).unwrap_err();
        assert!(wrong.to_string().contains("INTERLEAVE_REDIS: "), "{wrong}");
    }

    #[test]
    fn the_environment_says_what_is_logged() {
        let levels = |said: &'static str| {
            let environment = move |name: &str| (name == "RUST_LOG").then(|| said.to_owned());
            read("", environment).map(|options| options.levels)
        };
        assert_eq!(levels("warn").unwrap(), Some("warn".parse().unwrap()));
        assert_eq!(levels("").unwrap(), None);
        let wrong = levels("proxy=loud").unwrap_err();
        assert!(wrong.to_string().contains("RUST_LOG: \"proxy=loud\""), "{wrong}");
    }

    #[test]
    fn mistakes_are_named() {
        for (line, words) in [
            ("--dir", "a value is required for '--dir <FOLDER>'"),
            ("--lisen :80", "a similar argument exists: '--listen'"),
            ("dist", "unexpected argument 'dist' found"),
            ("--base /a/../b", "a path may hold letters, digits and - . _ ~ between /"),
            ("--base /{x}", "'/{x}' for '--base <PATH>': a path may hold"),
            ("--spawn 17", "'17' for '--spawn <N>': 17 is not in 0..=16"),
            ("--rate=-1", "'-1' for '--rate <N>'"),
            ("--idle x", "'x' for '--idle <SECONDS>': no number of seconds from 0 to 86400"),
            ("--quiet=1", "unexpected value '1' for '--quiet'"),
            ("--token short", "a token has at least 16 letters, digits and - . _ ~"),
            ("--token none --token-file x", "--token-file"),
            ("--allow-origin course.example", "no origin, as in https://course.example"),
            ("--listen 8080", "no address and port, as in 127.0.0.1:8080 or [::1]:8080"),
        ] {
            let error = read(line, |_| None).unwrap_err();
            assert!(error.to_string().contains(words), "{line}: {error}");
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
