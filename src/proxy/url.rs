//! The addresses of a Redis: `redis://`, `rediss://` and `unix://`.

use std::fmt;

/// A parsed address of Redis. Its `Display` and `Debug` leave the password out.
#[derive(Clone, PartialEq, Eq)]
pub struct Url {
    pub endpoint: Endpoint,
    pub user: String,
    pub password: Option<String>,
    pub db: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    Tcp { host: String, port: u16, tls: bool },
    Unix(String),
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.endpoint {
            Endpoint::Tcp { host, port, tls } => {
                let (scheme, bare) = (if *tls { "rediss" } else { "redis" }, !host.contains(':'));
                let host = if bare { host.clone() } else { format!("[{host}]") };
                write!(f, "{scheme}://{host}:{port}/{}", self.db)
            }
            Endpoint::Unix(path) => write!(f, "unix://{path}"),
        }
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses an address; an error says what would be right, and never repeats a password.
pub fn parse(given: &str) -> Result<Url, String> {
    const FORMS: &str = "redis://[user[:password]@]host[:port][/db], rediss://… or \
                         unix:///path/to/socket[?db=n&user=u&password=p]";
    let wrong = |what: &str| Err(format!("--redis: {what}; an address is {FORMS}"));
    let Some((scheme, rest)) = given.split_once("://") else { return wrong("no scheme") };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (mut user, mut password, mut db) = (String::from("default"), None, 0);
    let number = |text: &str| match text.parse::<u32>() {
        Ok(n) if n < 1_000_000 => Ok(n),
        _ => Err(format!("--redis: the database {text} is no number; an address is {FORMS}")),
    };
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match name {
            "db" => db = number(value)?,
            "user" => user = decoded(value)?,
            "password" => password = Some(decoded(value)?),
            _ => return wrong("the words after ? may be db, user and password"),
        }
    }
    let endpoint = match scheme {
        "unix" | "redis+unix" => {
            if !rest.starts_with('/') {
                return wrong("the path of a socket begins with /");
            }
            Endpoint::Unix(decoded(rest)?)
        }
        "redis" | "rediss" => {
            let (login, rest) = match rest.rsplit_once('@') {
                Some((login, rest)) => (Some(login), rest),
                None => (None, rest),
            };
            if let Some(login) = login {
                let (name, secret) = match login.split_once(':') {
                    Some((name, secret)) => (name, Some(secret)),
                    None => (login, None),
                };
                if !name.is_empty() {
                    user = decoded(name)?;
                }
                password = secret.map(decoded).transpose()?;
            }
            let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
            if !path.is_empty() {
                db = number(path)?;
            }
            let (host, port) = match address.strip_prefix('[') {
                Some(six) => match six.split_once(']') {
                    Some((host, port)) => (host, port.strip_prefix(':')),
                    None => return wrong("an IPv6 address ends with ]"),
                },
                None => match address.split_once(':') {
                    Some((host, port)) => (host, Some(port)),
                    None => (address, None),
                },
            };
            if host.is_empty() {
                return wrong("no host");
            }
            let port = match port.unwrap_or("6379").parse::<u16>() {
                Ok(port) if port > 0 => port,
                _ => return wrong("the port is no number from 1 to 65535"),
            };
            Endpoint::Tcp { host: host.to_owned(), port, tls: scheme == "rediss" }
        }
        _ => return wrong("an unknown scheme"),
    };
    Ok(Url { endpoint, user, password, db })
}

/// Decodes percent-encoding: `%41` is `A`.
fn decoded(text: &str) -> Result<String, String> {
    let bad = || String::from("--redis: % is followed by two hexadecimal digits");
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let mut digit = || bytes.next().and_then(|b| char::from(b).to_digit(16)).ok_or_else(bad);
        let (high, low) = (digit()?, digit()?);
        out.push((high * 16 + low) as u8);
    }
    String::from_utf8(out).map_err(|_| String::from("--redis: what % stands for is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let tcp = |host: &str, port, tls| Endpoint::Tcp { host: host.into(), port, tls };
        for (given, endpoint, user, password, db) in [
            ("redis://localhost", tcp("localhost", 6379, false), "default", None, 0),
            ("rediss://h:1/2", tcp("h", 1, true), "default", None, 2),
            ("redis://:p%40ss@h", tcp("h", 6379, false), "default", Some("p@ss"), 0),
            ("redis://u:p@[::1]:7/3", tcp("::1", 7, false), "u", Some("p"), 3),
            ("redis://u@h?db=4", tcp("h", 6379, false), "u", None, 4),
            (
                "unix:///a/b.sock?password=x",
                Endpoint::Unix("/a/b.sock".into()),
                "default",
                Some("x"),
                0,
            ),
        ] {
            let password = password.map(str::to_owned);
            let expect = Url { endpoint, user: user.into(), password, db };
            assert_eq!(parse(given), Ok(expect), "{given}");
        }
    }

    #[test]
    fn mistakes_are_named_and_passwords_are_not() {
        for (given, what) in [
            ("localhost:6379", "no scheme"),
            ("http://h", "an unknown scheme"),
            ("redis://", "no host"),
            ("redis://u:secret@h:x", "the port is no number"),
            ("redis://:secret@h/x", "the database x is no number"),
            ("unix://relative", "begins with /"),
            ("redis://:%zz@h", "two hexadecimal digits"),
            ("redis://h?x=1", "may be db, user and password"),
        ] {
            let error = parse(given).unwrap_err();
            assert!(error.contains(what) && !error.contains("secret"), "{given}: {error}");
        }
        let url = parse("redis://u:secret@h").unwrap();
        assert_eq!(format!("{url} {url:?}"), "redis://h:6379/0 redis://h:6379/0");
    }
}
