//! The socket and the routes; starting and ending.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use tokio::net::TcpListener;

use super::files;
use super::options::Options;

/// Answers on this path say that the server runs, whatever the base.
const HEALTH_PATH: &str = "/healthz";

/// How long open connections may finish what they do when the server ends.
const GRACE: Duration = Duration::from_secs(2);

/// Why the server did not start.
#[derive(Debug)]
pub enum StartError {
    /// The folder, or the `index.html` in it, is not there.
    NoPage(PathBuf),
    PortTaken(SocketAddr),
    Listen(SocketAddr, io::Error),
    Serve(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPage(dir) => write!(
                f,
                "there is no built page in {}/: build it with `make build`, or name another \
                 folder with --dir",
                dir.display()
            ),
            Self::PortTaken(address) => write!(
                f,
                "port {} is taken by another program: stop it or choose another: \
                 make serve PORT={}",
                address.port(),
                address.port().checked_add(1).unwrap_or(8080),
            ),
            Self::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Self::Serve(error) => write!(f, "the server stopped: {error}"),
        }
    }
}

/// A server whose address is taken, before it answers.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    base: String,
}

impl Server {
    pub async fn start(options: &Options) -> Result<Self, StartError> {
        if !options.dir.join("index.html").is_file() {
            return Err(StartError::NoPage(options.dir.clone()));
        }
        let listen = options.listen;
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => StartError::PortTaken(listen),
            _ => StartError::Listen(listen, error),
        };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, router: router(options), base: options.base.clone() })
    }

    /// The address in use: with port 0 asked for, the one that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }

    /// Answers until `end` is ready, then lets open connections finish for [`GRACE`].
    pub async fn run(self, end: impl Future<Output = ()> + Send) -> Result<(), StartError> {
        let (ended, seen) = tokio::sync::oneshot::channel::<()>();
        // Ready when `ended` is dropped, too.
        let asked = async { drop(seen.await) };
        let mut serving = pin!(
            axum::serve(self.listener, self.router).with_graceful_shutdown(asked).into_future()
        );
        tokio::select! {
            outcome = &mut serving => outcome.map_err(StartError::Serve),
            () = end => {
                drop(ended);
                // A connection that is kept open longer is cut.
                match tokio::time::timeout(GRACE, serving).await {
                    Ok(outcome) => outcome.map_err(StartError::Serve),
                    Err(_) => Ok(()),
                }
            }
        }
    }
}

/// Everything the server answers to.
fn router(options: &Options) -> Router {
    let page = files::router(&options.dir);
    let router = Router::new().route(HEALTH_PATH, get(|| async { "ok\n" }));
    if options.base == "/" {
        return router.fallback_service(page);
    }
    // Relative addresses in the page need the slash at the end of its own.
    let (base, bare) = (options.base.clone(), options.base.trim_end_matches('/').to_owned());
    let to_page = move || async move { Redirect::temporary(&base) };
    router
        .route("/", get(to_page.clone()))
        .route(&bare, get(to_page))
        .nest_service(&options.base, page)
}

/// Ready at Ctrl-C, or when the process is asked to end.
pub async fn interrupted() {
    let ctrl_c = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // No signal will ever come: serve on.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            return ctrl_c.await;
        };
        tokio::select! {
            () = ctrl_c => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    ctrl_c.await;
}

#[cfg(test)]
mod tests;
