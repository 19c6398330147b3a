//! `sayso serve`: a desk on the network. `/v1` is the native API, for everything that a desk can do.
//!
//! **Invariant:** nothing here decides. The gate says who calls, a handler says it to the desk, and core decides inside
//! the desk's transaction whether that one may.
//!
//! **Invariant:** what is not in the table of routes is not served, and what is served stands in the OpenAPI document.

mod about;
mod app;
mod asker;
mod asks;
mod body_budget;
mod browser;
mod call;
mod caller;
mod docs;
mod events;
mod gate;
mod handover;
mod held;
mod interaction;
mod listen;
mod log;
pub mod login;
mod metrics;
mod observe;
mod openapi;
mod outcome;
mod page;
mod person;
mod questionnaire;
mod rate;
mod reply;
mod route;
mod routes;
mod serve;
mod shapes;
mod status;
mod stay;
mod tally;
mod threads;
mod tokens;

pub use log::Format;

use crate::hub::Hub;
use app::App;
use body_budget::BodyBudget;
use gate::Gate;
use interaction::Interactions;
use jiff::Timestamp;
use log::Log;
use login::Terminal;
use metrics::Metrics;
use outcome::Outcomes;
use rate::{Limiter, Rate};
use sayso_core::{AccountQuota, Code, Message, Problem, limits};
use sayso_desk::LocalDesk;
use sayso_desk::local::Retention;
use sayso_dialects::{Dialect, Limits};
use stay::Stays;
use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tally::Tally;
use threads::Threads;
use tokio_util::sync::CancellationToken;

/// What the server needs of the program that starts it.
pub struct Setup {
    /// The desk.
    pub desk: Arc<LocalDesk>,
    /// Where to listen.
    pub listener: TcpListener,
    /// What else the server is called, with the port where it is not the usual one.
    pub hosts: Vec<String>,
    /// The sites whose pages may ask here.
    pub origins: Vec<String>,
    /// The limits on requests that the settings set.
    pub limits: Limits,
    /// The dialect of a request that fits several.
    pub dialect: Option<Dialect>,
    /// Where the codes with which browsers are let in are shown, if anywhere.
    pub terminal: Option<Terminal>,
    /// How long what has ended is kept.
    pub retention: Retention,
    /// How the lines about requests look.
    pub log: Format,
    /// Requests that one account may make in a second; any number without it.
    pub rate: Option<NonZeroU32>,
    /// Bytes that the asks of one account may keep; any number without it.
    pub kept_bytes: Option<u64>,
    /// Asks that one account may ask within an hour; any number without it.
    pub asks_per_hour: Option<u32>,
    /// How long an agent may say nothing in a turn before the turn ends with an error.
    pub turn_silence: Duration,
    /// Tells the time.
    pub now: fn() -> Timestamp,
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("listener", &self.listener).finish_non_exhaustive()
    }
}

/// Threads for calls to the desk.
const DESK_THREADS: usize = 128;
/// Tokens that one address may try at once, and how long each takes to be forgotten.
const TRIES: Rate = Rate { burst: 20, every: Duration::from_secs(1) };
/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: u32 = 2;

/// The OpenAPI document of the API.
pub fn openapi() -> &'static str {
    openapi::text()
}

/// Serves until the program is told to end. `ready` is called once it hears that.
///
/// # Errors
/// When the socket cannot be used, or there can be no runtime.
pub fn serve(setup: Setup, ready: impl FnOnce()) -> Result<(), Problem> {
    let failed = |error: std::io::Error| {
        Problem::new(Code::DeskFailed, Message::ServeFailed.with([error.to_string()]))
    };
    let address = setup.listener.local_addr().map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(DESK_THREADS)
        .build()
        .map_err(failed)?;
    let told = {
        let _inside = runtime.enter();
        told_to_end().map_err(failed)?
    };
    ready();
    let closing = CancellationToken::new();
    let hub = Hub::new(setup.desk.clone());
    let (desk, listening) = (Arc::downgrade(&setup.desk), Arc::downgrade(&hub));
    setup.desk.after_commit(move || {
        if let (Some(desk), Some(hub)) = (desk.upgrade(), listening.upgrade()) {
            hub.catch_up(|place, most| desk.changes_after(place, most));
        }
    });
    let metrics = Arc::new(Metrics::new());
    let app = Arc::new(App {
        threads: Threads::of(&setup.desk)?,
        tally: Tally::begin(&setup.desk)?,
        hub,
        desk: setup.desk,
        gate: Gate::new(names(address).chain(setup.hosts), setup.origins),
        limits: setup.limits,
        dialect: setup.dialect,
        outcomes: Outcomes::default(),
        interactions: Interactions::default(),
        bodies: BodyBudget::new(metrics.bodies()),
        metrics,
        tries: Limiter::new(TRIES),
        codes: Limiter::new(TRIES),
        logins: Mutex::default(),
        terminal: setup.terminal,
        stays: Stays::default(),
        retention: setup.retention,
        quota: AccountQuota {
            open_asks: limits::OPEN_ASKS_OF_ACCOUNT,
            kept_bytes: setup.kept_bytes,
            asks_per_hour: setup.asks_per_hour,
            settled_days: setup.retention.settled_days,
        },
        calls: setup.rate.map(|rate| {
            let burst = rate.get().saturating_mul(BURST_SECONDS);
            Limiter::new(Rate { burst, every: Duration::from_secs(1) / rate.get() })
        }),
        closing: closing.clone(),
        turn_silence: setup.turn_silence,
        now: setup.now,
    });
    browser::show_code(&app);
    let log = Log::new(setup.log, std::io::stderr(), setup.now);
    let served = runtime.block_on(async move {
        tokio::spawn(async move {
            told.await;
            closing.cancel();
        });
        serve::run(app, setup.listener, log).await
    });
    // A call to the desk may wait for the disk; what it does is done or not done as a whole.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served.map_err(failed)
}

/// What the server is called on its own machine.
fn names(address: SocketAddr) -> impl Iterator<Item = String> {
    let port = address.port();
    let local = ["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}"));
    local.into_iter().chain([address.to_string()])
}

/// Hears from now on whether the system asks this program to end, and returns when it does.
///
/// # Errors
/// When the system's word cannot be heard.
#[cfg(unix)]
fn told_to_end() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Returns when the system asks this program to end.
///
/// # Errors
/// None.
#[cfg(not(unix))]
fn told_to_end() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
