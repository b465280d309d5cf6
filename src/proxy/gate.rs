//! Decides which requests may open a WebSocket: no foreign page in the visitor's browser
//! (cross-site WebSocket hijacking), no foreign name that was made to point here (DNS rebinding),
//! and from other machines only requests with the token.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};

use super::log::cut;

#[derive(Debug, Clone, Default)]
pub struct Gate {
    pub listen: Option<SocketAddr>,
    /// Allowed origins beside the page's own, as browsers write them: `https://course.example`.
    pub origins: Vec<String>,
    /// Names of the proxy beside the local ones.
    pub hosts: Vec<String>,
    pub token: Option<String>,
}

/// The most characters of a header in the words of a refusal.
const SHOWN_MAX: usize = 100;

/// The reason why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub status: StatusCode,
    pub why: String,
}

fn refuse<T>(status: StatusCode, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { status, why: why.into() })
}

impl Gate {
    /// Checks a request. `given` is the token of the address, if it has one.
    pub fn admit(&self, headers: &HeaderMap, given: Option<&str>) -> Result<(), Refusal> {
        self.knows_page(headers)?;
        let Some(token) = &self.token else { return Ok(()) };
        let bearer = one(headers, header::AUTHORIZATION);
        let bearer = bearer.as_deref().and_then(|value| value.strip_prefix("Bearer "));
        match given.or(bearer) {
            Some(given) if same(given.as_bytes(), token.as_bytes()) => Ok(()),
            Some(_) => refuse(StatusCode::UNAUTHORIZED, "the token is wrong"),
            None => refuse(
                StatusCode::UNAUTHORIZED,
                "a token is needed: the operator of the proxy has it",
            ),
        }
    }

    /// Returns the origin whose scripts may read the answer; `None` if there is no such.
    pub fn reader(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        self.knows_page(headers).ok()?;
        headers.get(header::ORIGIN).cloned()
    }

    /// Checks the name by which the proxy is called, and the page that calls it.
    pub fn knows_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = one(headers, header::HOST).unwrap_or_default().to_ascii_lowercase();
        if !self.knows_host(&host) {
            let shown = cut(&host, SHOWN_MAX);
            let why = format!(
                "the Host {shown:?} is not this proxy's: open it by its address, or allow the name \
                 with --allow-host"
            );
            return refuse(StatusCode::MISDIRECTED_REQUEST, why);
        }
        // A browser always sends an Origin with a WebSocket, so without one it is not from a page.
        if let Some(origin) = one(headers, header::ORIGIN) {
            let origin = origin.to_ascii_lowercase();
            let own = origin
                .split_once("://")
                .is_some_and(|(scheme, rest)| matches!(scheme, "http" | "https") && rest == host);
            if !own && !self.origins.contains(&origin) {
                let shown = cut(&origin, SHOWN_MAX);
                let why = format!(
                    "the Origin {shown:?} is not this page's: allow it with --allow-origin"
                );
                return refuse(StatusCode::FORBIDDEN, why);
            }
        }
        Ok(())
    }

    fn knows_host(&self, host: &str) -> bool {
        let (name, port) = split(host);
        if self.hosts.iter().any(|allowed| allowed == host || allowed == name) {
            return true;
        }
        let from_origin = |origin: &String| {
            origin.split_once("://").is_some_and(|(_, authority)| authority == host)
        };
        if self.origins.iter().any(from_origin) {
            return true;
        }
        let Some(listen) = self.listen else { return false };
        if port.and_then(|port| port.parse().ok()).unwrap_or(80) != listen.port() {
            return false;
        }
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        match address {
            // A name can be made to point anywhere, an address cannot.
            Some(address) => address.is_loopback() || !listen.ip().is_loopback(),
            None => name == "localhost",
        }
    }
}

/// Returns a header's value; `?` if there are several.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().map(|value| value.to_str().unwrap_or("?").to_owned());
    if all.next().is_some() { Some("?".to_owned()) } else { first }
}

/// Splits a host and its port; the brackets of IPv6 stay with the host.
fn split(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Compares in constant time.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |acc, (a, b)| acc | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(listen: &str) -> Gate {
        Gate { listen: Some(listen.parse().unwrap()), ..Gate::default() }
    }

    fn check(gate: &Gate, host: &str, origin: Option<&str>, token: Option<&str>, status: u16) {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let got = gate.admit(&headers, token).map_or_else(|r| r.status.as_u16(), |()| 101);
        assert_eq!(got, status, "{host} {origin:?} {token:?}");
    }

    #[test]
    fn only_the_page_itself_may_come_in() {
        let gate = gate("127.0.0.1:8081");
        for host in ["127.0.0.1:8081", "localhost:8081", "[::1]:8081", "LocalHost:8081"] {
            check(&gate, host, Some(&format!("http://{host}")), None, 101);
            check(&gate, host, None, None, 101);
        }
        let ours = "127.0.0.1:8081";
        for foreign in [
            "http://evil.example",
            "null",
            "http://127.0.0.1:8080",
            "https://localhost:8081",
            "file://",
            "http://127.0.0.1:8081.evil.example",
            "127.0.0.1:8081",
            "ftp://127.0.0.1:8081",
        ] {
            check(&gate, ours, Some(foreign), None, 403);
        }
        for rebound in [
            "evil.example:8081",
            "127.0.0.1",
            "127.0.0.1:80",
            "192.168.0.1:8081",
            "localhost.evil.example:8081",
            "",
            "127.0.0.1:8081:8081",
        ] {
            check(&gate, rebound, Some(&format!("http://{rebound}")), None, 421);
        }
    }

    #[test]
    fn of_a_header_little_is_shown() {
        let mut headers = HeaderMap::new();
        let long = |text: &str| text.repeat(200_000).parse().unwrap();
        headers.insert(header::HOST, long("\""));
        let words = |headers: &HeaderMap| {
            gate("127.0.0.1:8081").admit(headers, None).unwrap_err().why.len()
        };
        assert!(words(&headers) < 400, "{}", words(&headers));
        headers.insert(header::HOST, "127.0.0.1:8081".parse().unwrap());
        headers.insert(header::ORIGIN, long("x"));
        assert!(words(&headers) < 400, "{}", words(&headers));
    }

    #[test]
    fn origins_and_hosts_can_be_allowed() {
        let gate = Gate {
            origins: vec!["https://course.example".into()],
            hosts: vec!["lab.example".into()],
            ..gate("127.0.0.1:8081")
        };
        check(&gate, "localhost:8081", Some("https://course.example"), None, 101);
        check(&gate, "course.example", Some("https://course.example"), None, 101);
        check(&gate, "lab.example:9", Some("http://lab.example:9"), None, 101);
        check(&gate, "localhost:8081", Some("http://course.example"), None, 403);
    }

    #[test]
    fn beyond_this_machine_a_token_is_needed() {
        let gate = Gate { token: Some("secret".into()), ..gate("0.0.0.0:8081") };
        check(&gate, "192.168.0.7:8081", None, Some("secret"), 101);
        check(&gate, "192.168.0.7:8081", None, Some("secreT"), 401);
        check(&gate, "192.168.0.7:8081", None, Some(""), 401);
        check(&gate, "192.168.0.7:8081", None, None, 401);
        check(&gate, "evil.example:8081", None, Some("secret"), 421);
    }
}
