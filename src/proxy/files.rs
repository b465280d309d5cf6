//! The page's files: type, compression and how long a browser may keep them.
//!
//! Trunk puts a hash of the contents into the names of the files it builds, so those can be kept
//! forever; `index.html` and the lessons keep their names and are requested again each time (which
//! usually costs a `304 Not Modified`). The page itself also gets the headers that the build wrote
//! to `_headers`, in the format of static hosts: they say which code may run in it.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;

use super::log::cut;
use super::page::Page;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// Returns the routes that serve the files of a page, at the root.
pub fn router(page: &Page) -> Router {
    // As `make build` has compressed them (.ci/compress.mjs).
    let files = match page {
        Page::Folder(dir) => Router::new()
            .fallback_service(ServeDir::new(dir).precompressed_br().precompressed_gzip()),
        Page::Within(files) => {
            let files = ServeDir::with_backend("", *files);
            Router::new().fallback_service(files.precompressed_br().precompressed_gzip())
        }
    };
    files
        .layer(middleware::from_fn_with_state(page.clone(), finish))
        // What has no such copy, as in a debug page. The fastest level saves two thirds already,
        // and the page waits less.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
}

/// Adds the headers that depend on the name, and a text to a bare 404.
async fn finish(State(page): State<Page>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    // `_headers` is for hosts; and two slashes would make a redirection to another host.
    let mut response = match path == "/_headers" || path.contains("//") {
        true => StatusCode::NOT_FOUND.into_response(),
        false => next.run(request).await,
    };
    if response.status() == StatusCode::NOT_FOUND {
        let shown = cut(&path, 100);
        let words = format!("{shown} is not part of the page.\n");
        let headers =
            [(header::CACHE_CONTROL, ASK_AGAIN), (header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF)];
        return (StatusCode::NOT_FOUND, headers, words).into_response();
    }
    let headers = response.headers_mut();
    // A build may change the page and its headers while the server runs, so they are read again.
    if path == "/" || path == "/index.html" {
        for (name, value) in own_headers(&page.text("_headers")) {
            headers.insert(name, value);
        }
    }
    let lifetime = if is_hashed(&path) { FOR_EVER } else { ASK_AGAIN };
    headers.insert(header::CACHE_CONTROL, lifetime);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    // A frame in a sandbox has no origin of its own, and so loads even its own files from another
    // one. They are public, and no cookie opens more.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// Returns the headers that `_headers` sets for the page: indented lines below `/`.
fn own_headers(text: &str) -> Vec<(HeaderName, HeaderValue)> {
    let mut of_page = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with('/') {
            of_page = line.trim_end() == "/";
        } else if let Some((name, value)) = line.trim().split_once(": ")
            && of_page
            && let (Ok(name), Ok(value)) = (name.parse(), value.parse())
        {
            found.push((name, value));
        }
    }
    found
}

/// Returns true if the file's name has a content hash, as in `app-83d1462e1cd3c3fa_bg.wasm`.
fn is_hashed(path: &str) -> bool {
    // Trunk leaves out leading zeros; 8 digits are fewer than ever come of 64 bits.
    const HASH_LENGTHS: std::ops::RangeInclusive<usize> = 9..=16;
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split(['-', '_', '.']).skip(1).any(|part| {
        HASH_LENGTHS.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_page_has_headers_of_its_own() {
        let text =
            "# a note: no header\n/other\n  A: 1\n\n/\n  B: 2; c: d\n  bad\n/sw.js\n  E: 3\n";
        let found = own_headers(text);
        assert_eq!(found, [("b".parse().unwrap(), "2; c: d".parse().unwrap())]);
        let shipped = own_headers(include_str!("../../static/_headers"));
        let policy = shipped.iter().find(|(name, _)| name == "content-security-policy");
        let policy = policy.unwrap().1.to_str().unwrap();
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval'"), "{policy}");
        // For the proxy that a reader names; the frames of embeds stay as they are.
        assert!(policy.contains("connect-src 'self' ws: wss:;"), "{policy}");
    }

    /// They load the page into a frame, and hosts send them without headers.
    #[test]
    fn the_pages_for_frames_have_their_policy_in_them() {
        let mut seen = 0;
        for entry in
            fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../static/embed")).unwrap()
        {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|kind| kind != "html") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let mark = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
            let (before, rest) = text.split_once(mark).unwrap_or_else(|| panic!("{path:?}"));
            assert!(!before.contains("<script") && !before.contains("<link"), "{path:?}");
            let policy: Vec<&str> = rest.split('"').next().unwrap().split("; ").collect();
            for part in [
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "base-uri 'none'",
                "form-action 'none'",
                "require-trusted-types-for 'script'",
                "trusted-types 'none'",
            ] {
                assert!(policy.contains(&part), "{path:?}: {part}");
            }
            seen += 1;
        }
        assert_eq!(seen, 4);
    }

    #[test]
    fn a_file_comes_as_small_as_the_browser_can_read_it() {
        let dir = std::env::temp_dir().join(format!("interleave-files-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let plain = "page ".repeat(100);
        for (name, text) in [("a.js", &*plain), ("a.js.br", "Brotli"), ("a.js.gz", "gzip")] {
            fs::write(dir.join(name), text).unwrap();
        }
        fs::write(dir.join("b.js"), &plain).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let answer = |path: &str, accepted: &str| {
            let head = Request::get(path).header(header::ACCEPT_ENCODING, accepted);
            let request = head.body(axum::body::Body::empty()).unwrap();
            runtime.block_on(async {
                let response =
                    tower::ServiceExt::oneshot(router(&Page::Folder(dir.clone())), request)
                        .await
                        .unwrap();
                let name = response.headers().get(header::CONTENT_ENCODING).cloned();
                let name = name.map(|name| name.to_str().unwrap().to_owned());
                let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
                let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
                (name.unwrap_or_default(), kind, body.len())
            })
        };
        let javascript = || "text/javascript".to_owned();
        for (accepted, name, length) in
            [("gzip, br", "br", 6), ("gzip", "gzip", 4), ("identity", "", plain.len())]
        {
            let wanted = (name.to_owned(), javascript(), length);
            assert_eq!(answer("/a.js", accepted), wanted, "{accepted}");
        }
        // Without copies, as in a debug page.
        let (name, _, length) = answer("/b.js", "gzip, br");
        assert!(name == "gzip" && length < plain.len(), "{name}, {length} bytes");
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn only_names_with_a_content_hash_are_kept_for_ever() {
        for hashed in [
            "/app-3d1462e1cd3c3fa.js",
            "/app-83d1462e1cd3c3fa.js",
            "/a/b/app-83d1462e1cd3c3fa_bg.wasm",
        ] {
            assert!(is_hashed(hashed), "{hashed}");
        }
        let plain =
            ["/", "/index.html", "/lessons/lost-update.json", "/83d1462e1cd3c3fa", "/a-b.js"];
        for name in plain {
            assert!(!is_hashed(name), "{name}");
        }
    }
}
