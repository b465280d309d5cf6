//! The socket and the routes; starting and ending the server.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Extension, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tracing::{error, warn};

use super::budget::{Measured, Meter};
use super::files;
use super::gate::{Gate, Refusal};
use super::hub::{Hub, is_true};
use super::limits::HEAD;
use super::log::cut;
use super::metrics::{Gauge, Metrics};
use super::options::{Options, Token};
use super::page::Page;
use super::policy::Policy;
use super::relay;
use super::scripts::Scripts;
use super::spawn;
use super::upstream::Tls;

/// The path of health checks, independent of the base.
const HEALTH_PATH: &str = "/healthz";
const METRICS_PATH: &str = "/metrics";
/// The name of the WebSocket's path below the base, so that the page can use a relative address.
const SOCKET_NAME: &str = "ws";

/// The time for which open connections may finish when the server ends, and that for the cleaning
/// up after it: together less than the two seconds after which a supervisor is impatient. What is
/// not cleaned in it, because Redis does not answer, the next proxy removes.
const GRACE: Duration = Duration::from_millis(700);
const CLEANING: Duration = Duration::from_millis(1000);

const READ_BUFFER: usize = 16 * 1024;
/// Of an HTTP connection: a head, or the piece of a file.
const HTTP_BUFFER: usize = 64 * 1024;

/// The number of servers for each visitor if `--spawn` is absent: as many as Redlock's lessons
/// need.
const SPAWNED: usize = 5;

/// The reason why the server did not start.
#[derive(Debug)]
pub enum StartError {
    /// The folder, or its `index.html`, does not exist.
    NoPage(PathBuf),
    PortTaken(SocketAddr),
    Listen(SocketAddr, io::Error),
    /// A mistake in an option, in words.
    Option(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPage(dir) => write!(
                f,
                "there is no built page in {}/: build it with `make build`, or name another \
                 folder with --dir, or take the program of a release, which has the page inside it",
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
            Self::Option(what) => f.write_str(what),
        }
    }
}

/// A server that is bound to its address and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    base: String,
    hub: Arc<Hub>,
}

impl Server {
    pub async fn start(options: &Options) -> Result<Self, StartError> {
        if let Page::Folder(dir) = options.page()
            && !dir.join("index.html").is_file()
        {
            return Err(StartError::NoPage(dir));
        }
        let listen = options.listen;
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => StartError::PortTaken(listen),
            _ => StartError::Listen(listen, error),
        };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let hub = hub(options, address).map_err(StartError::Option)?;
        for (mistake, why) in hub.wrong().await {
            if mistake {
                return Err(StartError::Option(why));
            }
            warn!(%why, "no-redis");
        }
        let router = router(options, &hub);
        Ok(Self { listener, address, router, base: options.base.clone(), hub })
    }

    /// Returns the address in use: if port 0 was asked for, with the port that was free.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the page's address.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base)
    }

    /// Returns the token that a WebSocket must present; `None` if it needs none.
    pub fn token(&self) -> Option<&str> {
        self.hub.gate.token.as_deref()
    }

    /// Returns the number of servers that a WebSocket may choose from.
    pub fn nodes(&self) -> usize {
        self.hub.nodes.len()
    }

    /// Serves until `end` is ready, lets open connections finish for `GRACE`, and cleans up.
    pub async fn run(self, end: impl Future<Output = ()> + Send) {
        let most = self.hub.limits.sockets;
        let sockets = Arc::new(Semaphore::new(most));
        let closing = watch::Sender::new(false);
        let addresses = Arc::<Addresses>::default();
        let house = tokio::spawn(self.hub.clone().keep_house());
        let mut end = pin!(end);
        loop {
            let accepting = async {
                // None is refused: a connection too many waits until another has gone.
                let permit = sockets.clone().acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accepting => accepted,
                () = &mut end => break,
            };
            match accepted {
                Ok((stream, from)) => {
                    let most = self.hub.limits.per_address;
                    let Some(of_address) = addresses.enter(from.ip(), most) else {
                        Metrics::one(&self.hub.metrics.crowded_total);
                        continue;
                    };
                    let _ = stream.set_nodelay(true);
                    let meter = Meter::new(&self.hub.budget);
                    let router = self.router.clone().layer(Extension(meter.clone()));
                    let stream = Measured::new(stream, meter, self.hub.limits.send);
                    let serving = answer(stream, router, closing.subscribe());
                    let counted = Gauge::new(self.hub.metrics.clone(), |metrics| &metrics.sockets);
                    tokio::spawn(async move {
                        serving.await;
                        drop((permit, counted, of_address));
                    });
                }
                Err(error) => {
                    // Out of file descriptors, as a rule.
                    error!(why = %error, "accept");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
        closing.send_replace(true);
        self.hub.closing.send_replace(true);
        let finished = async {
            let _ = sockets.acquire_many(u32::try_from(most).unwrap_or(u32::MAX)).await;
            while self.hub.metrics.websockets.load(Relaxed) > 0 {
                sleep(Duration::from_millis(10)).await;
            }
        };
        // A connection that is kept open longer is cut.
        let _ = timeout(GRACE, finished).await;
        house.abort();
        let _ = timeout(CLEANING, self.hub.end()).await;
    }
}

/// The number of HTTP connections by address.
#[derive(Debug, Default)]
struct Addresses(Mutex<HashMap<IpAddr, usize>>);

/// A connection that counts among them until this is dropped.
#[derive(Debug)]
struct AddressPermit(Arc<Addresses>, IpAddr);

impl Addresses {
    fn enter(self: &Arc<Self>, from: IpAddr, most: usize) -> Option<AddressPermit> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n = all.entry(from).or_default();
        (*n < most).then(|| {
            *n += 1;
            AddressPermit(self.clone(), from)
        })
    }
}

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let mut all = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(n) = all.get_mut(&self.1) else { return };
        *n -= 1;
        if *n == 0 {
            all.remove(&self.1);
        }
    }
}

/// Serves one TCP connection, until it ends or becomes a WebSocket.
async fn answer(stream: Measured, router: Router, mut closing: watch::Receiver<bool>) {
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HTTP_BUFFER)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades()
    );
    tokio::select! {
        // An error here is the client's own fault, so it is ignored.
        _ = &mut connection => {}
        () = is_true(&mut closing) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Builds the hub from the options about Redis and visitors. The error is a mistake in them, in
/// words.
fn hub(options: &Options, address: SocketAddr) -> Result<Arc<Hub>, String> {
    // Behind a reverse proxy it listens on loopback, too, and everybody can come.
    let alone =
        address.ip().is_loopback() && options.hosts.is_empty() && options.origins.is_empty();
    let token = match &options.token {
        Token::Given(token) => Some(token.clone()),
        Token::Made if !alone => Some(spawn::secret()),
        Token::Made | Token::None => None,
    };
    let gate = Gate {
        listen: Some(address),
        origins: options.origins.clone(),
        hosts: options.hosts.clone(),
        token,
    };
    let policy = Policy::named(&options.policy)?;
    let program = spawn::program(options.server.as_deref());
    let wanted = match (options.spawn, &program) {
        (Some(0), _) => 0,
        (Some(_), None) => {
            return Err("--spawn needs redis-server or valkey-server in PATH, or --server".into());
        }
        (Some(n), Some(_)) => n,
        // The default costs nothing until a visitor connects.
        (None, Some(_)) if options.redis.is_empty() => SPAWNED,
        (None, _) => 0,
    };
    let spawned = match program.as_deref().filter(|_| wanted > 0).and_then(spawn::too_old) {
        None => wanted,
        Some(why) if options.spawn.is_some() => return Err(why),
        Some(why) => {
            warn!(%why, "no-redis");
            0
        }
    };
    let scripts = match options.scripts {
        true => Scripts::any(),
        false => Scripts::of_page(&options.page()),
    };
    let tls = Tls::new(options.ca.as_deref())?;
    let urls = options.redis.clone();
    Ok(Hub::new(options.limits.clone(), (policy, scripts), gate, urls, (spawned, program), tls))
}

/// Returns all routes of the server.
fn router(options: &Options, hub: &Arc<Hub>) -> Router {
    let page = files::router(&options.page());
    let own = Router::new()
        .route(&format!("{}{SOCKET_NAME}", options.base), get(answered).options(preflight))
        .route(METRICS_PATH, get(metrics))
        .route(HEALTH_PATH, get(health))
        .with_state(hub.clone());
    let router = Router::new().merge(own);
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

type Words = Query<HashMap<String, String>>;

/// The subprotocol that is agreed on; what follows in the list are the page's secrets.
const PROTOCOL: &str = "interleave";

/// Returns a secret of a request: among its subprotocols, in the header `name`, or in its address.
fn secret_of(headers: &HeaderMap, words: &HashMap<String, String>, name: &str) -> Option<String> {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
    let offered = offered.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    let start = format!("{name}.");
    let found = offered.filter_map(|word| word.trim().strip_prefix(&start)).next();
    let header = || headers.get(format!("interleave-{name}"))?.to_str().ok();
    found.or_else(header).map(str::to_owned).or_else(|| words.get(name).cloned())
}

/// What a page of another origin sends in a request for the words of a refusal.
const HEADERS: &str = "authorization, interleave-visitor";

/// Answers what a browser asks before it lets a page of another origin send these headers.
async fn preflight(State(hub): State<Arc<Hub>>, headers: HeaderMap) -> Response {
    let response = match hub.gate.knows_page(&headers) {
        Err(refusal) => return refused(&hub, &refusal),
        Ok(()) => (
            StatusCode::NO_CONTENT,
            [
                (header::ACCESS_CONTROL_ALLOW_METHODS, "GET"),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
                (header::ACCESS_CONTROL_MAX_AGE, "600"),
            ],
        ),
    };
    readable(&hub, &headers, response.into_response())
}

/// Lets scripts of an allowed origin, and of no other, read a response.
fn readable(hub: &Hub, headers: &HeaderMap, mut response: Response) -> Response {
    let of = response.headers_mut();
    of.insert(header::VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = hub.gate.reader(headers) {
        of.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}

async fn answered(
    hub: State<Arc<Hub>>,
    headers: HeaderMap,
    words: Words,
    meter: Option<Extension<Arc<Meter>>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let response = socket(hub.clone(), headers.clone(), words, meter, upgrade).await;
    readable(&hub, &headers, response)
}

/// Returns the response for a refusal. Scripts cannot read why a WebSocket was refused; a plain
/// request to the same address tells it, too.
fn refused(hub: &Hub, refusal: &Refusal) -> Response {
    Metrics::one(&hub.metrics.refused_handshakes_total);
    warn!(status = refusal.status.as_u16(), why = refusal.why, "refused");
    let kind = [(header::CACHE_CONTROL, "no-store")];
    (refusal.status, kind, format!("{}\n", refusal.why)).into_response()
}

async fn socket(
    State(hub): State<Arc<Hub>>,
    headers: HeaderMap,
    Query(words): Words,
    meter: Option<Extension<Arc<Meter>>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let word = |name: &str| words.get(name).map(String::as_str);
    let token = secret_of(&headers, &words, "token");
    if let Err(refusal) = hub.gate.admit(&headers, token.as_deref()) {
        return refused(&hub, &refusal);
    }
    let refuse = |status, why: String| refused(&hub, &Refusal { status, why });
    let node = word("node").unwrap_or("0");
    let nodes = hub.nodes.len();
    let Some(node) = node.parse().ok().filter(|node| *node < nodes) else {
        let why = match nodes {
            0 => "this proxy has no Redis: start it with --redis redis://… or --spawn 1".into(),
            _ => format!("there is no node {}: there are {nodes}, from 0", cut(node, 20)),
        };
        return refuse(StatusCode::NOT_FOUND, why);
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            let why = format!("this is an address for WebSockets: {rejection}");
            return refuse(StatusCode::UPGRADE_REQUIRED, why);
        }
    };
    let visitor = secret_of(&headers, &words, "visitor").unwrap_or_default();
    let ticket = match hub.enter(&visitor) {
        Ok(ticket) => ticket,
        Err(refusal) => return refused(&hub, &refusal),
    };
    let meter = meter.map_or_else(|| Meter::new(&hub.budget), |Extension(meter)| meter);
    meter.begin();
    // Above our own limit, so that what is not much too large gets a reply that says so.
    let most = hub.limits.message.saturating_mul(4);
    upgrade
        .protocols([PROTOCOL])
        .max_message_size(most)
        .max_frame_size(most)
        // Commands are small; the default is eight times as much for each of many connections.
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| relay::run(socket, hub, ticket, node, meter))
}

/// For supervisors: whether visitors can work. The words are without secrets.
async fn health(State(hub): State<Arc<Hub>>) -> Response {
    let wrong = hub.health().await;
    let kind = [(header::CACHE_CONTROL, "no-store")];
    match wrong.is_empty() {
        true => (kind, "ok\n").into_response(),
        false => {
            let words = format!("{}\n", wrong.join("\n"));
            (StatusCode::SERVICE_UNAVAILABLE, kind, words).into_response()
        }
    }
}

async fn metrics(State(hub): State<Arc<Hub>>, headers: HeaderMap, Query(words): Words) -> Response {
    match hub.gate.admit(&headers, words.get("token").map(String::as_str)) {
        Ok(()) => ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], hub.metrics.text())
            .into_response(),
        Err(refusal) => refused(&hub, &refusal),
    }
}

/// Completes at Ctrl-C, or when the process is asked to end.
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
