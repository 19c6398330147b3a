//! Server for the conformance suite of the Model Context Protocol: the HTTP server of `sayso serve`, with the tools,
//! prompts and resources that the suite calls in place of the desk's. `cargo xtask conformance` runs it. It prints its
//! address and a token, as JSON, and serves until it is killed.

mod client;
mod contents;
mod handler;
mod prompts;
mod resources;
mod rounds;
mod tasks;
mod tools;

use handler::FixtureServer;
use jiff::Timestamp;
use sayso_core::{Message, Problem, ProblemCode, ServiceQuota};
use sayso_desk::token::TokenRole;
use sayso_desk::{RetentionPolicy, StoreDesk, TokenDesk as _};
use sayso_dialects::DialectLimits;
use sayso_server::diagnostics::{LogConfig, LogFilter, LogFormat};
use sayso_server::http::{self, HttpServerConfig, PeerPolicy, PublicUrl};
use sayso_server::mcp::{HostFeatures, McpHandler, SealKey};
use serde_json::json;
use std::error::Error;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let desk = StoreDesk::open(&folder.path().join("desk.db")).map_err(|problem| describe(&problem))?;
    let token = desk.new_token(TokenRole::Asker, "suite", None).map_err(|problem| describe(&problem))?.1;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let config = configuration(desk, &listener, folder.path()).map_err(|problem| describe(&problem))?;
    let place = json!({ "url": format!("http://{address}/mcp"), "token": token.reveal() });
    let tell = || {
        // The caller waits for this line, or is gone.
        let _ = writeln!(std::io::stdout(), "{place}");
    };
    http::serve(config, listener, tell).map_err(|problem| describe(&problem))?;
    Ok(())
}

fn describe(problem: &Problem) -> String {
    format!("{}: {}", problem.code.as_str(), problem.message)
}

/// Returns what `sayso serve` has without settings, and our handler.
fn configuration(
    desk: StoreDesk,
    listener: &TcpListener,
    folder: &Path,
) -> Result<HttpServerConfig, Problem> {
    let unusable = |error: std::io::Error| {
        Problem::new(ProblemCode::DeskFailed, Message::ServeFailed.with([error.to_string()]))
    };
    let address = listener.local_addr().map_err(unusable)?;
    Ok(HttpServerConfig {
        desk: Arc::new(desk),
        hosts: Vec::new(),
        origins: Vec::new(),
        limits: DialectLimits::default(),
        dialect: None,
        terminal: None,
        sign_in_proxy: None,
        public_url: PublicUrl::for_listener(address, false),
        peers: PeerPolicy::new(address, false, Vec::new())?,
        tls: None,
        is_tls_strict: false,
        embedded_consent: Vec::new(),
        audience: Vec::new(),
        retention: RetentionPolicy::default(),
        log: LogConfig { format: LogFormat::Text, filter: LogFilter::WARN },
        rate: None,
        kept_bytes: None,
        asks_per_hour: None,
        service_quota: ServiceQuota { logins_per_hour: None, sessions: None },
        desk_name: "conformance".to_owned(),
        seal_key: SealKey::InFile(folder.join("desk.db.seal")),
        person_file: folder.join("desk.db.person"),
        mcp_handler: Some(McpHandler::new(FixtureServer::default())),
        parse_time_limit: |_| Err(Problem::missing_member("timeout")),
        host_features: HostFeatures::default(),
        local_agents: sayso_server::acp::LocalAgentsConfig::default(),
        turn_silence: Duration::from_secs(60),
        now,
    })
}

#[expect(clippy::disallowed_methods, reason = "a program of its own has the clock")]
fn now() -> Timestamp {
    Timestamp::now()
}
