//! A connection to a Redis: opening, TLS, logging in, and short questions.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::url::{Endpoint, Url};
use super::wire::{self, Framer};

/// The time that opening a connection, or a question of the proxy's own, may take.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of an answer to a question of the proxy's own.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A stream of bytes in both directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

pub struct Upstream {
    pub stream: Box<dyn Duplex>,
    framer: Framer,
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upstream")
    }
}

/// The TLS configuration, made once, because reading the certificate authorities takes time.
#[derive(Clone)]
pub struct Tls(TlsConnector);

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Trusts the authorities that browsers trust, or those of a PEM file instead.
    pub fn new(ca: Option<&Path>) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        match ca {
            None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(path) => {
                let wrong = |error: &dyn fmt::Display| format!("--ca {}: {error}", path.display());
                let read = CertificateDer::pem_file_iter(path).map_err(|error| wrong(&error))?;
                for certificate in read {
                    let certificate = certificate.map_err(|error| wrong(&error))?;
                    roots.add(certificate).map_err(|error| wrong(&error))?;
                }
                if roots.is_empty() {
                    return Err(wrong(&"there is no certificate in it"));
                }
            }
        }
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

impl Upstream {
    pub async fn open(endpoint: &Endpoint, tls: &Tls) -> Result<Self, String> {
        match timeout(PATIENCE, dial(endpoint, tls)).await {
            Ok(Ok(stream)) => Ok(Self { stream, framer: Framer::default() }),
            Ok(Err(error)) => Err(format!("cannot connect to Redis: {error}")),
            Err(_) => Err("cannot connect to Redis: it does not answer".into()),
        }
    }

    /// Opens a connection and logs in, both as the address says.
    pub async fn logged_in(url: &Url, tls: &Tls) -> Result<Self, String> {
        let mut upstream = Self::open(&url.endpoint, tls).await?;
        upstream.log_in(url).await?;
        Ok(upstream)
    }

    /// Sends the commands at once and waits for as many replies.
    pub async fn ask(&mut self, commands: &[Vec<Vec<u8>>]) -> Result<Vec<Answer>, String> {
        let mut out = Vec::new();
        for argv in commands {
            wire::push_command(argv, &mut out);
        }
        let asking = async {
            self.stream.write_all(&out).await?;
            let mut answers = Vec::new();
            let mut piece = vec![0; 16 * 1024];
            while answers.len() < commands.len() {
                let n = self.stream.read(&mut piece).await?;
                if n == 0 {
                    return Err(io::Error::other("it closed the connection"));
                }
                self.framer.feed(&piece[..n]);
                while let Some(range) = self.framer.next_reply().map_err(io::Error::other)? {
                    answers.push(Answer(self.framer.bytes(range).to_vec()));
                }
                if self.framer.waiting() > ANSWER_BYTES_MAX {
                    return Err(io::Error::other("its answer is too large"));
                }
            }
            Ok(answers)
        };
        match timeout(PATIENCE, asking).await {
            Ok(Ok(answers)) => Ok(answers),
            Ok(Err(error)) => Err(format!("cannot log in to Redis: {error}")),
            Err(_) => Err("Redis does not answer".into()),
        }
    }

    /// Sends one command, of words that are text, and waits for its reply.
    pub async fn say(&mut self, words: &[&str]) -> Result<Answer, String> {
        let argv = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let mut answers = self.ask(&[argv]).await?;
        answers.pop().ok_or_else(|| "Redis does not answer".into())
    }

    /// Logs in according to the address, and selects its database.
    pub async fn log_in(&mut self, url: &Url) -> Result<(), String> {
        if let Some(password) = &url.password {
            self.say(&["AUTH", &url.user, password]).await?.ok("Redis refuses the login")?;
        }
        if url.db != 0 {
            let db = url.db.to_string();
            self.say(&["SELECT", &db]).await?.ok("Redis refuses the database")?;
        }
        Ok(())
    }
}

async fn dial(endpoint: &Endpoint, tls: &Tls) -> io::Result<Box<dyn Duplex>> {
    match endpoint {
        Endpoint::Tcp { host, port, tls: secret } => {
            let stream = TcpStream::connect((host.as_str(), *port)).await?;
            stream.set_nodelay(true)?;
            if !secret {
                return Ok(Box::new(stream));
            }
            let name = ServerName::try_from(host.clone()).map_err(io::Error::other)?;
            Ok(Box::new(tls.0.connect(name, stream).await?))
        }
        #[cfg(unix)]
        Endpoint::Unix(path) => Ok(Box::new(tokio::net::UnixStream::connect(path).await?)),
        #[cfg(not(unix))]
        Endpoint::Unix(_) => Err(io::Error::other("this system has no Unix sockets")),
    }
}

/// A reply, as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer(pub Vec<u8>);

impl Answer {
    /// Returns an error's text; `None` for other replies.
    pub fn error(&self) -> Option<String> {
        let text = self.0.strip_prefix(b"-")?;
        Some(String::from_utf8_lossy(text).trim_end().to_owned())
    }

    pub fn ok(&self, what: &str) -> Result<(), String> {
        match self.error() {
            None => Ok(()),
            Some(error) => Err(format!("{what}: {error}")),
        }
    }

    /// Returns the strings of a flat list.
    pub fn list(&self) -> Vec<&[u8]> {
        wire::words(&self.0, usize::MAX)
    }

    /// Parses a reply to SCAN: the next cursor, and keys. `None` if it is no such reply.
    pub fn scan(&self) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        let cursor = *wire::words(&self.0, 1).first()?;
        // The header of the pair, then the cursor with its own header, then the list.
        let head = self.0.windows(2).position(|pair| pair == b"\r\n")? + 2;
        let cursor_header = format!("${}\r\n", cursor.len()).len();
        let list = self.0.get(head + cursor_header + cursor.len() + 2..)?;
        let keys = wire::words(list, usize::MAX).into_iter().map(<[u8]>::to_vec).collect();
        Some((cursor.to_vec(), keys))
    }

    /// Returns a string's text.
    pub fn text(&self) -> String {
        let text = match self.0.split_first() {
            Some((b'$' | b'=', _)) => {
                let at = self.0.windows(2).position(|pair| pair == b"\r\n").map_or(0, |at| at + 2);
                &self.0[at..]
            }
            Some((_, rest)) => rest,
            None => &[],
        };
        String::from_utf8_lossy(text).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let scan = Answer(b"*2\r\n$2\r\n17\r\n*2\r\n$1\r\na\r\n$2\r\nbc\r\n".to_vec());
        assert_eq!(scan.scan(), Some((b"17".to_vec(), vec![b"a".to_vec(), b"bc".to_vec()])));
        let none = Answer(b"*2\r\n$1\r\n0\r\n*0\r\n".to_vec());
        assert_eq!(none.scan(), Some((b"0".to_vec(), vec![])));
        assert_eq!(Answer(b"-ERR no\r\n".to_vec()).error().as_deref(), Some("ERR no"));
        assert_eq!(Answer(b"$5\r\na\r\nbc\r\n".to_vec()).text(), "a\r\nbc");
    }
}
