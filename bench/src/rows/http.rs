//! `sayso serve` over loopback: what a round trip and a held wait cost, next to bare axum in the same run.

mod bare;
mod held;

pub(crate) use bare::{Bare, serve};
pub(crate) use held::waits;

use crate::Run;
use crate::figures::{Times, per_second};
use crate::http_client::Client;
use crate::rows::commands::{home, sayso};
use crate::rows::peers::langgraph;
use crate::table::{Quantity, Reference, Table};
use crate::workload::{at_once, pair};
use anyhow::Context as _;
use sayso_desk::StoreDesk;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// A running `sayso serve`.
pub(crate) struct Server {
    child: Child,
    at: SocketAddr,
    token: String,
}

impl Server {
    pub(crate) fn start(run: &Run, home: &Path) -> anyhow::Result<Self> {
        let desk = StoreDesk::open(&home.join("desk.db"))?;
        let token = desk.new_token(TokenRole::Admin, "bench", None)?.1.reveal().to_owned();
        let limits = ["--rate", "0", "--asks-per-hour", "0", "--kept-mib", "0"];
        let mut child = sayso(run, home)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(limits)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no stdout")?).read_line(&mut line)?;
        let at = line.trim().strip_prefix("http://").context("no address")?.parse()?;
        Ok(Self { child, at, token })
    }

    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        self.client_with(&self.token)
    }

    pub(crate) fn client_with(&self, token: &str) -> anyhow::Result<Client> {
        Client::new(self.at, &format!("authorization: Bearer {token}\r\n"))
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.at
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn new_ask(number: usize) -> String {
    let request: Value = serde_json::from_str(crate::request::TEXT).unwrap_or_default();
    json!({ "dialect": "sayso", "request": request, "from": { "name": format!("bench-{number}") } })
        .to_string()
}

/// Asks; the ask's id and what is answered to.
pub(crate) fn ask(client: &mut Client, number: usize) -> anyhow::Result<(String, String)> {
    let asked: Value = serde_json::from_slice(&client.call("POST", "/v1/asks", &new_ask(number))?)?;
    let text = |name: &str| asked.get(name).and_then(Value::as_str).map(str::to_owned).context("no ask");
    Ok((text("id")?, text("digest")?))
}

pub(crate) fn answer(client: &mut Client, id: &str, shown: &str) -> anyhow::Result<()> {
    let answers = json!({ "env": "canary", "window": ["tonight"], "notes": "drop v1" });
    let body = json!({ "shown": shown, "answers": { "answers": answers } }).to_string();
    client.call("POST", &format!("/v1/asks/{id}/answer"), &body).map(drop)
}

/// Somebody who reads what happens at the desk.
fn reader(server: &Server) -> anyhow::Result<Client> {
    let mut events = server.client()?;
    events.send("GET", "/v1/events", "")?;
    events.header()?;
    events.event("hello")?;
    Ok(events)
}

/// The whole way over HTTP: asked, seen, answered, and the outcome seen.
pub(crate) fn whole_trip(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let server = Server::start(run, &home(run, "http-whole")?)?;
    let (mut events, mut client) = (reader(&server)?, server.client()?);
    let mut times = Times::default();
    for number in 0..run.times(2_000) {
        let start = Instant::now();
        let (id, shown) = ask(&mut client, number)?;
        events.event("change")?;
        answer(&mut client, &id, &shown)?;
        events.event("change")?;
        times.push(start.elapsed());
    }
    let peer = run.peer(table, "LangGraph", |table| langgraph::whole_trip(run, table));
    let what = "ask over HTTP → seen by a reader of events → answered → seen, durable";
    table.times(what, &times, peer.into_iter().collect());
    Ok(())
}

/// Pairs of ask and answer, 64 clients at once.
pub(crate) fn many(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = run.times(20_000);
    let desk = StoreDesk::open(&run.folder.path().join("http-many-floor.db"))?;
    let start = Instant::now();
    at_once(count, |number| pair(&desk, number))?;
    let in_process = per_second(count, start.elapsed());
    let server = Server::start(run, &home(run, "http-many")?)?;
    let rate = Quantity::Rate(pairs(&server, count)?);
    let peer = run.peer(table, "LangGraph", |table| langgraph::many_over_http(run, table));
    let floor = Reference::new("in process", Quantity::Rate(in_process));
    table.row("the same over HTTP", rate, std::iter::once(floor).chain(peer).collect());
    Ok(())
}

/// Returns the pairs of an ask and an answer that 64 clients make in a second.
fn pairs(server: &Server, count: usize) -> anyhow::Result<f64> {
    let clients = Mutex::new(Vec::new());
    let start = Instant::now();
    at_once(count, |number| {
        let free = clients.lock().ok().and_then(|mut clients| clients.pop());
        let mut client = free.map_or_else(|| server.client(), Ok)?;
        let (id, shown) = ask(&mut client, number)?;
        answer(&mut client, &id, &shown)?;
        if let Ok(mut clients) = clients.lock() {
            clients.push(client);
        }
        Ok(())
    })?;
    Ok(per_second(count, start.elapsed()))
}
