//! LangGraph as a peer: a graph that interrupts to ask and is resumed with the answer, each step durable in SQLite, in
//! process and behind FastAPI on uvicorn.

use crate::Run;
use crate::figures::{Times, per_second};
use crate::held_requests;
use crate::http_client::Client;
use crate::others::python;
use crate::request;
use crate::table::{Quantity, Table};
use crate::workload::at_once;
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const ANSWERS: &str = r#"{"env":"canary","window":["tonight"],"notes":"drop v1"}"#;

/// Report on a row that the peer measures itself.
#[derive(Debug, Deserialize)]
struct Report {
    peer: String,
    runtime: String,
    #[serde(default)]
    median_ns: f64,
    #[serde(default)]
    per_second: f64,
}

/// The script with a desk of its own.
fn command(run: &Run, row: &str, desk: &str) -> Command {
    let desk = run.folder.path().join(format!("langgraph-{desk}.db"));
    let mut command = python(&["langgraph_peer.py", row]);
    // It would tell its makers of each run, if somebody had set that up.
    command.env("LANGSMITH_TRACING", "false").arg(desk);
    command
}

fn report(run: &Run, table: &mut Table, row: &str, count: usize) -> anyhow::Result<Report> {
    let mut command = command(run, row, row);
    let output = command.args([request::TEXT, ANSWERS, &count.to_string()]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Report = serde_json::from_slice(&output.stdout)?;
    table.version(&report.peer);
    table.version(&report.runtime);
    Ok(report)
}

/// Asks and answers in process, one after another.
pub(crate) fn one_after_another(run: &Run, table: &mut Table) -> anyhow::Result<Quantity> {
    let report = report(run, table, "one", run.times(400))?;
    Ok(Quantity::Time(Duration::from_secs_f64(report.median_ns / 1e9)))
}

/// The same from 64 threads, a second.
pub(crate) fn many_at_once(run: &Run, table: &mut Table) -> anyhow::Result<Quantity> {
    let report = report(run, table, "many", run.times(1_000))?;
    Ok(Quantity::Rate(report.per_second))
}

/// The graph behind FastAPI.
struct Web {
    child: Child,
    at: SocketAddr,
}

impl Web {
    fn start(run: &Run, table: &mut Table, desk: &str) -> anyhow::Result<Self> {
        let mut command = command(run, "serve", desk);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let child = command.spawn().context("cannot run Python")?;
        let mut web = Self { child, at: SocketAddr::from(([127, 0, 0, 1], 0)) };
        let mut output = BufReader::new(web.child.stdout.take().context("no stdout")?);
        let mut lines = [String::new(), String::new()];
        for line in &mut lines {
            output.read_line(line)?;
        }
        let [at, versions] = &lines;
        web.at = at.trim().parse().context("it says no address to call it at")?;
        versions.trim().split(", ").for_each(|version| table.version(version));
        // It listens before it is ready: the first reply says that it is.
        Web::pair(&mut web.client()?, usize::MAX)?;
        Ok(web)
    }

    fn client(&self) -> anyhow::Result<Client> {
        Client::new(self.at, "")
    }

    fn ask(client: &mut Client, number: usize) -> anyhow::Result<()> {
        client.call("POST", &format!("/asks/{number}/open"), request::TEXT).map(drop)
    }

    fn answer(client: &mut Client, number: usize) -> anyhow::Result<()> {
        client.call("POST", &format!("/asks/{number}/answer"), ANSWERS).map(drop)
    }

    fn pair(client: &mut Client, number: usize) -> anyhow::Result<()> {
        Self::ask(client, number)?;
        Self::answer(client, number)
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// From a request to the event that reports its answer.
pub(crate) fn whole_trip(run: &Run, table: &mut Table) -> anyhow::Result<Quantity> {
    let web = Web::start(run, table, "trip")?;
    let (mut events, mut client) = (web.client()?, web.client()?);
    events.send("GET", "/events", "")?;
    events.header()?;
    events.event("hello")?;
    let mut number = 0;
    let times = Times::of(run.times(400), || {
        number += 1;
        Web::ask(&mut client, number)?;
        events.event("change")?;
        Web::answer(&mut client, number)?;
        events.event("change")
    })?;
    Ok(Quantity::Time(times.median()))
}

/// Pairs a second from 64 clients.
pub(crate) fn many_over_http(run: &Run, table: &mut Table) -> anyhow::Result<Quantity> {
    let web = Web::start(run, table, "many-http")?;
    let clients = Mutex::new(Vec::new());
    let count = run.times(1_000);
    let start = Instant::now();
    at_once(count, |number| {
        let free = clients.lock().ok().and_then(|mut clients| clients.pop());
        let mut client = free.map_or_else(|| web.client(), Ok)?;
        Web::pair(&mut client, number)?;
        if let Ok(mut clients) = clients.lock() {
            clients.push(client);
        }
        Ok(())
    })?;
    Ok(Quantity::Rate(per_second(count, start.elapsed())))
}

/// Cost of each request that uvicorn holds.
pub(crate) fn held(run: &Run, table: &mut Table) -> anyhow::Result<Quantity> {
    let web = Web::start(run, table, "held")?;
    let mut waker = web.client()?;
    let count = if run.quick { 100 } else { 1_000 };
    let wake = || waker.call("POST", "/wake", "{}").map(drop);
    let (bytes, _) = held_requests::held(web.child.id(), || web.client(), "/hold", count, wake)?;
    Ok(Quantity::Memory(bytes))
}
