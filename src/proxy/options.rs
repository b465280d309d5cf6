//! The proxy's command line.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

pub const HELP: &str = "\
Serves the built page of Interleave.

usage: proxy [--dir FOLDER] [--listen ADDRESS:PORT] [--base PATH]

  --dir FOLDER           the built page (default: dist)
  --listen ADDRESS:PORT  where to listen (default: 127.0.0.1:8080; port 0: any free one)
  --base PATH            serve it below a path, as in /courses/redis/ (default: /)
  --help                 this text
";

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Serve(Options),
    Help,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub dir: PathBuf,
    pub listen: SocketAddr,
    /// Begins and ends with a slash.
    pub base: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dir: PathBuf::from("dist"),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            base: String::from("/"),
        }
    }
}

/// Reads the arguments (without the program's name). An error is a sentence for the user.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
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
        match name.as_str() {
            "--dir" => options.dir = PathBuf::from(value()?),
            "--listen" => options.listen = address(&text(value()?)?)?,
            "--base" => options.base = base(&text(value()?)?)?,
            "--help" | "-h" => return Ok(Command::Help),
            _ => return Err(format!("{name} is not an option")),
        }
        if joined.is_some() {
            return Err(format!("{name} takes no value"));
        }
    }
    Ok(Command::Serve(options))
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

/// Segments of letters, digits and `-._~` between slashes, as they stand in an address.
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
        let parsed = parse(line.split_whitespace().map(OsString::from));
        let expect = expect.map(Command::Serve).map_err(str::to_owned);
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
        assert_eq!(parse(["--help".into()]), Ok(Command::Help));
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
        let wrong = "--listen 8080 is not an address and a port, \
                     as in 127.0.0.1:8080 or [::1]:8080";
        check("--listen 8080", Err(wrong));
    }
}
