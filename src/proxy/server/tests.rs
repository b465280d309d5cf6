use std::fs;
use std::path::Path;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use tower::ServiceExt;

use super::*;

/// A page as Trunk leaves it, in a folder of its own.
fn page(name: &str) -> Options {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/proxy").join(name);
    fs::create_dir_all(dir.join("lessons")).unwrap();
    fs::write(dir.join("index.html"), "<!doctype html>").unwrap();
    fs::write(dir.join("app-0123456789abcdef.js"), "export{}").unwrap();
    fs::write(dir.join("app-0123456789abcdef_bg.wasm"), [b'\0'; 4096]).unwrap();
    fs::write(dir.join("style-0123456789abcdef.css"), "a{}").unwrap();
    fs::write(dir.join("lessons/index.json"), "{}").unwrap();
    fs::write(dir.join("offline-worker.js"), "0").unwrap();
    fs::write(dir.join("interleave.webmanifest"), "{}").unwrap();
    fs::write(dir.join("_headers"), "/\n  Content-Security-Policy: default-src 'none'\n").unwrap();
    Options { dir: Some(dir), listen: SocketAddr::from(([127, 0, 0, 1], 0)), ..Options::default() }
}

/// The answer to `GET path`: status, headers, body.
async fn get(options: &Options, path: &str) -> (StatusCode, HeaderMap, Vec<u8>) {
    get_encoded(options, path, "identity").await
}

async fn get_encoded(
    options: &Options,
    path: &str,
    encodings: &str,
) -> (StatusCode, HeaderMap, Vec<u8>) {
    let request = Request::get(path).header("accept-encoding", encodings).body(Body::empty());
    let address = SocketAddr::from(([127, 0, 0, 1], 1));
    let response =
        router(options, &hub(options, address).unwrap()).oneshot(request.unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    (parts.status, parts.headers, body.to_vec())
}

#[tokio::test]
async fn files_have_their_types_and_lifetimes() {
    let options = page("types");
    let for_ever = "public, max-age=31536000, immutable";
    for (path, kind, lifetime) in [
        ("/", "text/html", "no-cache"),
        ("/index.html", "text/html", "no-cache"),
        ("/app-0123456789abcdef.js", "text/javascript", for_ever),
        ("/app-0123456789abcdef_bg.wasm", "application/wasm", for_ever),
        ("/style-0123456789abcdef.css", "text/css", for_ever),
        ("/lessons/index.json", "application/json", "no-cache"),
        ("/offline-worker.js", "text/javascript", "no-cache"),
        ("/interleave.webmanifest", "application/manifest+json", "no-cache"),
    ] {
        let (status, headers, _) = get(&options, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert_eq!(headers["content-type"], kind, "{path}");
        assert_eq!(headers["cache-control"], lifetime, "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let policy = headers.get("content-security-policy").map(|value| value.to_str().unwrap());
        let page = kind == "text/html";
        assert_eq!(policy, page.then_some("default-src 'none'"), "{path}");
        assert_eq!(headers["access-control-allow-origin"], "*", "{path}");
        assert!(!headers.contains_key("x-frame-options"), "{path} goes into course pages");
    }
}

#[tokio::test]
async fn what_is_worth_it_travels_compressed() {
    let options = page("compression");
    let (_, headers, body) =
        get_encoded(&options, "/app-0123456789abcdef_bg.wasm", "gzip, br").await;
    assert_eq!(headers["content-encoding"], "gzip");
    assert!(body.len() < 1024, "{} bytes of 4096", body.len());
}

#[tokio::test]
async fn what_is_not_there_says_so() {
    let options = page("missing");
    for path in [
        "/nothing",
        "/lessons/",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/lessons/%ff",
        "/_headers",
        "//lessons",
        "//evil.example/..",
    ] {
        let (status, headers, body) = get(&options, path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(headers["cache-control"], "no-cache", "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let words = String::from_utf8(body).unwrap();
        assert!(words.contains("is not part of the page"), "{path}: {words}");
    }
}

#[tokio::test]
async fn a_page_under_a_sub_path_is_only_there() {
    let options = Options { base: String::from("/courses/redis/"), ..page("base") };
    for path in ["/courses/redis/", "/courses/redis/lessons/index.json", "/healthz"] {
        assert_eq!(get(&options, path).await.0, StatusCode::OK, "{path}");
    }
    for path in ["/", "/courses/redis"] {
        let (status, headers, _) = get(&options, path).await;
        assert_eq!(status, StatusCode::TEMPORARY_REDIRECT, "{path}");
        assert_eq!(headers["location"], "/courses/redis/", "{path}");
    }
    assert_eq!(get(&options, "/index.html").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_address_is_known_and_the_end_is_clean() {
    let server = Server::start(&page("end")).await.unwrap();
    assert_eq!(server.url(), format!("http://127.0.0.1:{}/", server.address().port()));
    server.run(async {}).await;
}

#[tokio::test]
async fn what_hinders_the_start_is_worded_for_a_person() {
    let nowhere = Options { dir: Some("no/such/folder".into()), ..page("start") };
    let error = Server::start(&nowhere).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no built page in no/such/folder/: build it with `make build`, or name another \
         folder with --dir, or take the program of a release, which has the page inside it"
    );

    let first = Server::start(&page("start")).await.unwrap();
    let second = Options { listen: first.address(), ..page("start") };
    let error = Server::start(&second).await.unwrap_err().to_string();
    let port = first.address().port();
    let expect = format!(
        "port {port} is taken by another program: stop it or choose another: make serve PORT="
    );
    assert!(error.starts_with(&expect), "{error}");
}

/// A server that says that it is of this version. A shell writes it: a file that this process has
/// open for writing, another test might hand to its child, and it could not be run.
#[cfg(unix)]
fn server_of(options: &Options, version: &str) -> std::path::PathBuf {
    let path = options.dir.as_ref().unwrap().join(format!("redis-{version}"));
    let says = format!("#!/bin/sh\necho 'Redis server v={version} sha=00000000:0'\n");
    let write = r#"printf '%s' "$2" >"$1" && chmod 755 "$1""#;
    let mut shell = std::process::Command::new("sh");
    let written = shell.args(["-c", write, "sh"]).arg(&path).arg(says).status();
    assert!(written.is_ok_and(|status| status.success()));
    path
}

#[cfg(unix)]
#[test]
fn a_server_that_is_too_old_for_lessons_is_not_started() {
    let options = page("versions");
    let address = SocketAddr::from(([127, 0, 0, 1], 1));
    for (version, many) in [("6.2.14", 0), ("7.0.15", SPAWNED), ("10.0.0", SPAWNED), ("?", SPAWNED)]
    {
        let options = Options { server: Some(server_of(&options, version)), ..options.clone() };
        assert_eq!(hub(&options, address).unwrap().nodes.len(), many, "{version}");
        let asked = hub(&Options { spawn: Some(2), ..options }, address);
        match many {
            0 => assert!(asked.unwrap_err().contains("is Redis 6.2.14, and lessons need 7.0")),
            _ => assert_eq!(asked.unwrap().nodes.len(), 2, "{version}"),
        }
    }
}
