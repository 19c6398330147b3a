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
use sayso_core::Problem;
use sayso_desk::StoreDesk;
use sayso_desk::token::TokenRole;
use sayso_server::http::{self, HttpServerConfig};
use sayso_server::mcp::McpHandler;
use serde_json::json;
use std::error::Error;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

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
    let config = HttpServerConfig::without_settings(Arc::new(desk), listener, folder, now)?;
    Ok(HttpServerConfig { mcp_handler: Some(McpHandler::new(FixtureServer::default())), ..config })
}

#[expect(clippy::disallowed_methods, reason = "a program of its own has the clock")]
fn now() -> Timestamp {
    Timestamp::now()
}
