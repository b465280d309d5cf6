//! Where the page's files are: in a folder, or in the program itself (the feature `embedded`, by
//! `build.rs`), which serves them as it does a folder's.

use std::borrow::Cow;
use std::future::{Ready, ready};
use std::io::{self, Cursor, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};
use std::time::SystemTime;

use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tower_http::services::fs::{Backend, File, Metadata};

/// Files by their paths, in the order of their bytes.
type Files = &'static [(&'static str, &'static [u8])];

#[cfg(feature = "embedded")]
const OWN: Option<Files> = Some(include!(concat!(env!("OUT_DIR"), "/page.rs")));
#[cfg(not(feature = "embedded"))]
const OWN: Option<Files> = None;

/// Where a page is looked for that is not named.
const USUAL: &str = "dist";

/// When the files of the program were changed last, for those who ask whether they were: no other
/// program can have answered since.
static BEGAN: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    Folder(PathBuf),
    Within(Within),
}

impl Page {
    /// Returns the page in a folder; without one that in the program, if it has one.
    pub fn of(dir: Option<&Path>) -> Page {
        match (dir, OWN) {
            (Some(dir), _) => Page::Folder(dir.to_owned()),
            (None, Some(files)) => Page::Within(Within(files)),
            (None, None) => Page::Folder(USUAL.into()),
        }
    }

    /// Returns a text of the page; an empty one if there is none.
    pub fn text(&self, name: &str) -> Cow<'static, str> {
        match self {
            Page::Folder(dir) => std::fs::read_to_string(dir.join(name)).unwrap_or_default().into(),
            Page::Within(files) => String::from_utf8_lossy(files.get(name).unwrap_or_default()),
        }
    }

    /// Returns the names of the files in a folder of the page.
    pub fn names(&self, folder: &str) -> Vec<String> {
        match self {
            Page::Folder(dir) => {
                let files = std::fs::read_dir(dir.join(folder)).into_iter().flatten().flatten();
                let name = |file: std::fs::DirEntry| file.file_name().to_string_lossy().into();
                files.map(name).collect()
            }
            Page::Within(files) => files.below(folder).map(str::to_owned).collect(),
        }
    }
}

/// Files in the program, as a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Within(Files);

impl Within {
    fn get(self, path: &str) -> Option<&'static [u8]> {
        let at = self.0.binary_search_by(|(name, _)| (*name).cmp(path)).ok()?;
        Some(self.0[at].1)
    }

    /// Returns the paths of what is below a folder, seen from there; "" is the whole page.
    fn below(self, folder: &str) -> impl Iterator<Item = &'static str> + use<> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.0.iter().filter_map(move |(name, _)| name.strip_prefix(&*start))
    }

    fn found(self, path: &Path) -> io::Result<Found> {
        let parts = path.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let name = parts.collect::<Vec<_>>().join("/");
        let is_folder = || self.below(&name).next().is_some();
        match self.get(&name) {
            Some(bytes) => Ok(Found(Some(bytes))),
            None if is_folder() => Ok(Found(None)),
            None => Err(ErrorKind::NotFound.into()),
        }
    }
}

/// A file's bytes; `None` is a folder.
#[derive(Debug, Clone, Copy)]
pub struct Found(Option<&'static [u8]>);

impl Metadata for Found {
    fn is_dir(&self) -> bool {
        self.0.is_none()
    }

    fn modified(&self) -> io::Result<SystemTime> {
        Ok(*BEGAN)
    }

    fn len(&self) -> u64 {
        self.0.map_or(0, |bytes| bytes.len() as u64)
    }
}

/// A file that is being read.
#[derive(Debug)]
pub struct Opened(Cursor<&'static [u8]>);

impl AsyncRead for Opened {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncSeek for Opened {
    fn start_seek(mut self: Pin<&mut Self>, position: io::SeekFrom) -> io::Result<()> {
        Pin::new(&mut self.0).start_seek(position)
    }

    fn poll_complete(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(&mut self.0).poll_complete(cx)
    }
}

impl File for Opened {
    type Metadata = Found;
    type MetadataFuture<'a> = Ready<io::Result<Found>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(Found(Some(self.0.get_ref()))))
    }
}

impl Backend for Within {
    type File = Opened;
    type Metadata = Found;
    type OpenFuture = Ready<io::Result<Opened>>;
    type MetadataFuture = Ready<io::Result<Found>>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        ready(self.found(&path).and_then(|Found(bytes)| match bytes {
            Some(bytes) => Ok(Opened(Cursor::new(bytes))),
            None => Err(ErrorKind::IsADirectory.into()),
        }))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        ready(self.found(&path))
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::{Request, StatusCode};
    use tower::ServiceExt;

    use super::*;
    use crate::files::router;

    const MADE_UP: Files = &[
        ("_headers", b"/\n  Content-Security-Policy: default-src 'none'\n"),
        ("app-0123456789abcdef.js", b"export {}; export {}"),
        ("app-0123456789abcdef.js.br", b"Brotli"),
        ("app-0123456789abcdef.js.gz", b"gzip"),
        ("first/a.html", b"A"),
        ("index.html", b"<!doctype html>"),
        ("lessons/a.json", b"{}"),
        ("lessons/index.json", b"[]"),
    ];

    #[tokio::test]
    async fn a_page_in_the_program_is_served_as_one_in_a_folder() {
        let page = Page::Within(Within(MADE_UP));
        assert_eq!(page.names("lessons"), ["a.json", "index.json"]);
        assert_eq!((&*page.text("lessons/index.json"), &*page.text("lessons")), ("[]", ""));
        let dir = std::env::temp_dir().join(format!("interleave-within-{}", std::process::id()));
        for (name, bytes) in MADE_UP {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        for (path, encodings, name, value) in [
            ("/", "br", "content-security-policy", "default-src 'none'"),
            ("/index.html", "identity", "cache-control", "no-cache"),
            ("/app-0123456789abcdef.js", "br", "content-encoding", "br"),
            ("/app-0123456789abcdef.js", "gzip", "content-encoding", "gzip"),
            ("/app-0123456789abcdef.js", "identity", "content-type", "text/javascript"),
            ("/first/a.html", "identity", "content-length", "1"),
            ("/first", "identity", "location", "/first/"),
            ("/first/", "identity", "cache-control", "no-cache"),
            ("/_headers", "identity", "cache-control", "no-cache"),
            ("/../Cargo.toml", "identity", "cache-control", "no-cache"),
        ] {
            let mut answers = Vec::new();
            for page in [&page, &Page::Folder(dir.clone())] {
                let head = Request::get(path).header("accept-encoding", encodings);
                let request = head.body(Body::empty()).unwrap();
                let response = router(page).oneshot(request).await.unwrap();
                let (mut parts, body) = response.into_parts();
                let found = parts.headers.get(name).map(|value| value.to_str().unwrap());
                assert_eq!(found, Some(value), "{path}");
                // By when the files were changed.
                for name in ["etag", "last-modified"] {
                    parts.headers.remove(name);
                }
                let body = to_bytes(body, 1000).await.unwrap();
                answers.push((parts.status, parts.headers, body));
            }
            assert_eq!(answers[0], answers[1], "{path}");
        }
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[tokio::test]
    async fn who_has_a_file_of_this_program_is_not_sent_it_again() {
        let router = router(&Page::Within(Within(MADE_UP)));
        let get = |tag: &str| Request::get("/").header("if-none-match", tag).body(Body::empty());
        let first = router.clone().oneshot(get("\"x\"").unwrap()).await.unwrap();
        assert_eq!(first.status(), StatusCode::OK);
        let tag = first.headers()["etag"].to_str().unwrap();
        let again = router.oneshot(get(tag).unwrap()).await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }
}
