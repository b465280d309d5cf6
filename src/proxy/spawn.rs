//! Throw-away redis-servers: each is one visitor's own, on a Unix socket in a folder that only this
//! user may enter, and ends with the proxy in any case.
//!
//! A small shell is between: it starts the server, obeys orders on its standard input (stop,
//! continue, kill, start), and when that input ends, because the proxy has ended in whatever way,
//! it kills the server and removes the folder. So nothing remains even after `kill -9`.
//!
//! The shell also sets the limits of the server, which its visitor may try: address space, seconds
//! of processor, the size of a file, and what it says (a script may log without end). A server over
//! one of them dies, and comes back empty when it is asked for. [`Used`] is what it takes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::metrics::{Gauge, Metrics};
use super::upstream::{PATIENCE, Tls, Upstream};
use super::url::{Endpoint, Url};

/// The programs to look for if none is named; the first one found is used.
const PROGRAMS: [&str; 2] = ["redis-server", "valkey-server"];
const MEMORY_MAX: &str = "64mb";
const CLIENTS_MAX: &str = "128mb";

/// The limits of the process: KiB of address space, seconds of processor, blocks of a file (of 512
/// or 1024 bytes, as the shell has it), open files. `maxmemory` bounds neither the buffers of Lua
/// nor one large value.
const LIMITS: &str =
    "ulimit -c 0; ulimit -v 393216; ulimit -t 900; ulimit -f 262144; ulimit -n 1024";

/// What it says is kept up to 8 KiB, for the words of a failed start.
const GUARD: &str = r#"
trap '' INT HUP TERM
limits=$1; dir=$2; shift 2
mkfifo "$dir/says"
start() {
  { head -c 8192 >"$dir/log"; exec cat >/dev/null; } <"$dir/says" &
  { eval "$limits"; exec nice -n 5 "$@" >"$dir/says" 2>&1 </dev/null; } &
  pid=$!
}
start "$@"
echo "$pid"
while read -r word; do
  case $word in
    stop) kill -STOP "$pid" ;;
    continue) kill -CONT "$pid" ;;
    kill) kill -9 "$pid"; wait "$pid" 2>/dev/null ;;
    forget) rm -f "$dir/dump.rdb" ;;
    start) start "$@" ;;
  esac
  echo "$pid"
done
kill -9 "$pid"
wait "$pid"
rm -rf "$dir"
"#;

/// Returns the program to start: the one named, or the first known one in PATH.
pub fn program(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    let found = |name: &str| {
        std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
    };
    PROGRAMS.iter().find_map(|name| found(name))
}

/// Says why a program is no server for lessons: it is older than Redis 7.0. `None`: it is not, or
/// does not say how old it is.
pub fn too_old(program: &Path) -> Option<String> {
    // Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64
    let told = std::process::Command::new(program).arg("--version").output().ok()?;
    let told = String::from_utf8_lossy(&told.stdout);
    let version = told.split(" v=").nth(1)?.split_whitespace().next()?;
    let first: u32 = version.split('.').next()?.parse().ok()?;
    let (name, needed) = (program.display(), "lessons need 7.0 or newer, or Valkey");
    (first < 7).then(|| format!("{name} is Redis {version}, and {needed}: name one with --server"))
}

/// The state of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Up,
    Paused,
    Down,
}

/// What a server takes: bytes of memory and of files, ms of processor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    pub memory: u64,
    pub cpu_ms: u64,
    pub files: u64,
}

#[derive(Debug)]
pub struct Server {
    pub url: Url,
    pub state: State,
    /// The server's process id, for inspection.
    pub pid: u32,
    dir: PathBuf,
    guard: Child,
    orders: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    _alive: Gauge<Arc<Metrics>>,
}

impl Server {
    pub async fn start(
        program: &Path,
        metrics: &Arc<Metrics>,
        script_ms: u64,
        tls: &Tls,
    ) -> Result<Self, String> {
        let failed =
            |error: io::Error| format!("cannot start a throw-away {}: {error}", program.display());
        let (dir, password) = (folder().map_err(failed)?, secret());
        let socket = dir.join("redis.sock");
        let config = format!(
            "port 0\nunixsocket \"{socket}\"\nunixsocketperm 700\nrequirepass {password}\n\
             dir \"{dir}\"\nsave \"\"\nappendonly no\ndaemonize no\nloglevel warning\n\
             maxmemory {MEMORY_MAX}\nclient-output-buffer-limit normal 64mb 0 0\n\
             lua-time-limit {script_ms}\nrepl-diskless-sync no\n",
            socket = socket.display(),
            dir = dir.display(),
        );
        let file = dir.join("redis.conf");
        std::fs::write(&file, config).map_err(failed)?;
        let mut command = Command::new("sh");
        command.arg("-c").arg(GUARD).arg("guard").arg(LIMITS).arg(&dir).arg(program).arg(&file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C in the terminal is for the proxy, which then says goodbye.
        #[cfg(unix)]
        command.process_group(0);
        let mut guard = command.spawn().map_err(failed)?;
        let (Some(orders), Some(answers)) = (guard.stdin.take(), guard.stdout.take()) else {
            return Err(failed(io::Error::other("no pipes")));
        };
        let url = Url {
            endpoint: Endpoint::Unix(socket.display().to_string()),
            user: "default".into(),
            password: Some(password),
            db: 0,
        };
        Metrics::one(&metrics.servers_total);
        let mut server = Self {
            url,
            state: State::Up,
            dir: dir.clone(),
            pid: 0,
            guard,
            orders,
            answers: BufReader::new(answers).lines(),
            _alive: Gauge::new(metrics.clone(), |metrics| &metrics.servers),
        };
        server.heard().await?;
        server.listens(tls).await.map_err(|error| {
            let log = std::fs::read_to_string(dir.join("log")).unwrap_or_default();
            let last = log.lines().last().unwrap_or_default();
            format!("cannot start a throw-away {}: {error} {last}", program.display())
        })?;
        Ok(server)
    }

    /// Waits for the shell's answer, the server's process id.
    async fn heard(&mut self) -> Result<(), String> {
        match timeout(PATIENCE, self.answers.next_line()).await {
            Ok(Ok(Some(line))) => {
                self.pid = line.trim().parse().unwrap_or(0);
                Ok(())
            }
            _ => Err("the throw-away server's guard does not answer".into()),
        }
    }

    async fn order(&mut self, word: &str) -> Result<(), String> {
        let lost = |error: io::Error| format!("the throw-away server's guard is gone: {error}");
        self.orders.write_all(format!("{word}\n").as_bytes()).await.map_err(lost)?;
        self.heard().await
    }

    /// Waits until the server accepts connections, and bounds what all their buffers take, where it
    /// knows how: it then closes the connection that takes most, before the system ends the server.
    async fn listens(&self, tls: &Tls) -> Result<(), String> {
        let mut upstream = self.ready(tls).await?;
        upstream.say(&["CONFIG", "SET", "maxmemory-clients", CLIENTS_MAX]).await.map(drop)
    }

    async fn ready(&self, tls: &Tls) -> Result<Upstream, String> {
        let mut last = String::new();
        for wait_ms in [2, 5, 10, 20, 40, 80, 160, 320, 640, 1000, 2000, 4000, 8000] {
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            match self.log_in(tls).await {
                Ok(upstream) => return Ok(upstream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Kills the process at once, as a power cut would. `keep`: its data is saved before, and
    /// loaded when it returns; otherwise it returns empty.
    pub async fn down(&mut self, keep: bool, tls: &Tls) -> Result<(), String> {
        if self.state == State::Paused {
            self.resume().await?;
        }
        if self.state == State::Down {
            return Ok(());
        }
        if keep {
            let mut upstream = self.log_in(tls).await?;
            upstream.say(&["SAVE"]).await?.ok("the server does not keep its keys")?;
        } else {
            self.order("forget").await?;
        }
        self.order("kill").await?;
        self.state = State::Down;
        Ok(())
    }

    pub async fn up(&mut self, tls: &Tls) -> Result<(), String> {
        match self.state {
            // It may have died by itself.
            State::Up if self.log_in(tls).await.is_ok() => Ok(()),
            State::Up => {
                self.order("kill").await?;
                // The dump written for its replicas must not be loaded as its own.
                self.order("forget").await?;
                self.begin(tls).await
            }
            State::Paused => self.resume().await,
            State::Down => self.begin(tls).await,
        }
    }

    async fn begin(&mut self, tls: &Tls) -> Result<(), String> {
        self.order("start").await?;
        self.state = State::Up;
        self.listens(tls).await
    }

    async fn log_in(&self, tls: &Tls) -> Result<Upstream, String> {
        Upstream::logged_in(&self.url, tls).await
    }

    /// Stops the process (SIGSTOP): connections stay open and nothing is answered.
    pub async fn pause(&mut self) -> Result<(), String> {
        if self.state != State::Up {
            return Err("the server is not up".into());
        }
        self.order("stop").await?;
        self.state = State::Paused;
        Ok(())
    }

    pub async fn resume(&mut self) -> Result<(), String> {
        if self.state != State::Paused {
            return Err("the server is not paused".into());
        }
        self.order("continue").await?;
        self.state = State::Up;
        Ok(())
    }

    /// Kills the process and starts it anew, empty: it does not answer.
    pub async fn restart(&mut self, tls: &Tls) -> Result<(), String> {
        self.down(false, tls).await?;
        self.up(tls).await
    }

    /// Returns what it takes now, as far as the system tells.
    pub fn used(&self) -> Used {
        let read = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", self.pid));
        let status = read("status").unwrap_or_default();
        let rss = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let rss = rss.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
        // The name, in brackets, may hold anything; utime and stime are the 14th and 15th.
        let stat = read("stat").unwrap_or_default();
        let after = stat.rsplit(") ").next().unwrap_or_default();
        let ticks = after.split(' ').skip(11).take(2).filter_map(|text| text.parse::<u64>().ok());
        let files = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let sizes = files.filter_map(|file| file.metadata().ok()).filter(|file| file.is_file());
        Used {
            memory: rss.unwrap_or(0) * 1024,
            // Linux has 100 of them a second for programs, whatever the kernel has.
            cpu_ms: ticks.sum::<u64>() * 10,
            files: sizes.map(|file| file.len()).sum(),
        }
    }

    /// Kills it and waits until nothing is left.
    pub async fn end(mut self) {
        drop(self.orders);
        let _ = timeout(PATIENCE, self.guard.wait()).await;
    }
}

/// Makes a new folder that only this user may enter.
fn folder() -> io::Result<PathBuf> {
    let dir = std::env::temp_dir().join(format!("interleave-{}", &secret()[..12]));
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&dir)?;
    Ok(dir)
}

/// Returns 128 random bits in hexadecimal digits.
pub fn secret() -> String {
    let mut bytes = [0; 16];
    // A system without randomness cannot keep a secret: better not to run at all.
    if getrandom::fill(&mut bytes).is_err() {
        eprintln!("proxy: the system has no randomness");
        std::process::exit(1);
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
