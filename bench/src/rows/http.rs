//! `sayso serve` over loopback: what a round trip, a held wait and a page of a list cost, beside bare axum on the same
//! machine in the same run.

mod bare;
mod held;

pub(crate) use bare::{Bare, serve};
pub(crate) use held::{held, settle, waits};

use crate::Run;
use crate::figures::{Times, millis, per_second};
use crate::floor;
use crate::rows::commands::{home, sayso};
use crate::rows::lists::fill;
use crate::rows::peers::langgraph;
use crate::rows::throughput::{at_once, pair};
use crate::table::{Table, Target, joined};
use anyhow::Context as _;
use sayso_desk::token::TokenRole;
use sayso_desk::{StoreDesk, TokenDesk as _};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A running `sayso serve`.
pub(crate) struct Server {
    child: Child,
    at: SocketAddr,
    token: String,
}

fn admin_token(desk: &StoreDesk) -> anyhow::Result<String> {
    Ok(desk.new_token(TokenRole::Admin, "bench", None)?.1.reveal().to_owned())
}

impl Server {
    pub(crate) fn start(run: &Run, home: &Path) -> anyhow::Result<Self> {
        Self::start_with(run, home, &[])
    }

    /// Starts it with more arguments.
    pub(crate) fn start_with(run: &Run, home: &Path, more: &[&str]) -> anyhow::Result<Self> {
        let file = home.join("desk.db");
        let token = admin_token(&StoreDesk::open(&file)?)?;
        Self::launch(run, home, &format!("sqlite:{}", file.display()), token, more)
    }

    /// Starts a server of the desk at this address.
    pub(crate) fn start_at(run: &Run, home: &Path, desk: &StoreDesk, address: &str) -> anyhow::Result<Self> {
        Self::launch(run, home, address, admin_token(desk)?, &[])
    }

    /// Starts a server whose desk knows this token, with more arguments.
    pub(crate) fn launch(
        run: &Run,
        home: &Path,
        address: &str,
        token: String,
        more: &[&str],
    ) -> anyhow::Result<Self> {
        let mut child = sayso(run, home)
            .env("SAYSO_DESK", address)
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--rate",
                "0",
                "--asks-per-hour",
                "0",
                "--kept-mib",
                "0",
            ])
            .args(more)
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

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until so many requests wait for an outcome.
    pub(crate) fn wait_for_waits(&self, count: usize) -> anyhow::Result<()> {
        let (mut client, line) = (self.client()?, format!("sayso_waits {count}"));
        loop {
            let metrics = String::from_utf8(client.call("GET", "/metrics", "")?)?;
            if metrics.lines().any(|known| known == line) {
                return Ok(());
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    headers: String,
}

impl Client {
    pub(crate) fn new(at: SocketAddr, headers: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(at)?;
        stream.set_nodelay(true)?;
        let headers = format!("host: {at}\r\n{headers}");
        Ok(Self { stream: BufReader::with_capacity(4_096, stream), headers })
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<()> {
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{}{kind}content-length: {length}\r\n\r\n{body}",
            self.headers
        );
        Ok(self.stream.get_mut().write_all(request.as_bytes())?)
    }

    /// The length of the body, once the header has come and says that all is well.
    pub(crate) fn header(&mut self) -> anyhow::Result<usize> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        anyhow::ensure!(line.starts_with("HTTP/1.1 2"), "no reply but {line:?}");
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse()?,
                Some(_) => {}
                None => return Ok(length),
            }
        }
    }

    pub(crate) fn reply(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut body = vec![0; self.header()?];
        self.stream.read_exact(&mut body)?;
        Ok(body)
    }

    pub(crate) fn call(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Vec<u8>> {
        self.send(method, path, body)?;
        self.reply()
    }

    /// Reads the end of a body that came in pieces.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        let mut line = String::new();
        while line.trim_end() != "0" {
            line.clear();
            anyhow::ensure!(self.stream.read_line(&mut line)? > 0, "the stream broke");
        }
        self.stream.read_line(&mut line)?;
        Ok(())
    }

    /// Makes a WebSocket of the connection.
    pub(crate) fn upgrade(&mut self, path: &str) -> anyhow::Result<()> {
        let more = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                    sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let request = format!("GET {path} HTTP/1.1\r\n{}{more}\r\n", self.headers);
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        anyhow::ensure!(line.starts_with("HTTP/1.1 101"), "{line}");
        while line.trim_end() != "" {
            line.clear();
            self.stream.read_line(&mut line)?;
        }
        Ok(())
    }

    /// Waits for an event, and returns its data.
    pub(crate) fn event_data(&mut self, kind: &str) -> anyhow::Result<String> {
        self.event(kind)?;
        let mut line = String::new();
        while !line.starts_with("data: ") {
            line.clear();
            anyhow::ensure!(self.stream.read_line(&mut line)? > 0, "the stream ended");
        }
        Ok(line.trim_end().trim_start_matches("data: ").to_owned())
    }

    /// Reads events until one of this kind has come.
    pub(crate) fn event(&mut self, kind: &str) -> anyhow::Result<()> {
        let mut line = String::new();
        while line.trim_end() != format!("event: {kind}") {
            line.clear();
            anyhow::ensure!(self.stream.read_line(&mut line)? > 0, "the stream ended");
        }
        Ok(())
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

/// An ask is seen by whoever reads the events.
pub(crate) fn round_trip(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let bare = Bare::start()?;
    let (mut events, mut client) = (bare.client()?, bare.client()?);
    events.send("GET", "/events", "")?;
    events.header()?;
    let mut floor = Times::default();
    for _ in 0..run.times(2_000) {
        let start = Instant::now();
        client.call("POST", "/wake", "{}")?;
        events.event("change")?;
        floor.push(start.elapsed());
    }
    let server = Server::start(run, &home(run, "http-trip")?)?;
    let (mut events, mut client) = (reader(&server)?, server.client()?);
    let mut times = Times::default();
    for number in 0..run.times(2_000) {
        let ask = new_ask(number);
        let start = Instant::now();
        client.call("POST", "/v1/asks", &ask)?;
        events.event("change")?;
        times.push(start.elapsed());
    }
    let floor = format!("bare axum, nothing stored {}", millis(floor.median()));
    let peer = run.beside("LangGraph + FastAPI", || langgraph::seen(run, table));
    let target = Target::median(&times, Duration::from_micros(500));
    let what = "ask over HTTP → seen by a reader of events, durable";
    table.row(what, times.shown(), target, joined([floor, peer]));
    Ok(())
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
    let peer = run.beside("LangGraph + FastAPI", || langgraph::whole_trip(run, table));
    let what = "ask over HTTP → seen by a reader of events → answered → seen, durable";
    table.row(what, times.shown(), Target::median(&times, Duration::from_millis(2)), peer);
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
    let rate = pairs(&server, count)?;
    let share = 100.0 * rate / in_process;
    let target =
        Target::at_least("≥ 3,000", rate, 3e3).or(Target::at_least("≥ 40 % of in process", share, 40.0));
    let peer = run.beside("LangGraph + FastAPI", || langgraph::many_over_http(run, table));
    table.row(
        "ask + answer pairs a second over HTTP, 64 clients",
        format!("{rate:.0} ({share:.0} % of in process)"),
        target,
        joined([format!("in process {in_process:.0}"), peer]),
    );
    Ok(())
}

/// Asks that are asked and answered in a second, 64 clients at once.
pub(crate) fn pairs(server: &Server, count: usize) -> anyhow::Result<f64> {
    pairs_at(&[server], 0, count)
}

/// The same at several servers by turns. The first number has to be a new one, since an ask that is repeated is not asked
/// again.
pub(crate) fn pairs_at(servers: &[&Server], first: usize, count: usize) -> anyhow::Result<f64> {
    let clients = Mutex::new(Vec::new());
    let start = Instant::now();
    at_once(count, |number| {
        let free = clients.lock().ok().and_then(|mut clients| clients.pop());
        let server = servers.get(number % servers.len().max(1)).context("no server")?;
        let mut client = free.map_or_else(|| server.client(), Ok)?;
        let (id, shown) = ask(&mut client, first + number)?;
        answer(&mut client, &id, &shown)?;
        if let Ok(mut clients) = clients.lock() {
            clients.push(client);
        }
        Ok(())
    })?;
    Ok(per_second(count, start.elapsed()))
}

/// A page of a list of a million open asks.
pub(crate) fn million(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let home = home(run, "http-million")?;
    let path: PathBuf = home.join("desk.db");
    fill(&path, 1_000)?;
    let by = if run.quick { 20 } else { 1_000 };
    floor::multiply(&path, by)?;
    let server = Server::start(run, &home)?;
    let mut client = server.client()?;
    let times = Times::of(run.times(300), || client.call("GET", "/v1/asks?rows=200", "").map(drop))?;
    table.row(
        &format!("a page of 200 of {} open, over HTTP", by * 1_000),
        times.shown(),
        Target::median(&times, Duration::from_millis(5)),
        "",
    );
    Ok(())
}

/// Returns whether quick clients are served while two thousand are slow.
pub(crate) fn slow_clients(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let server = Server::start(run, &home(run, "http-slow")?)?;
    let mut client = server.client()?;
    let alone = Times::of(run.times(1_000), || client.call("GET", "/healthz", "").map(drop))?;
    let count = if run.quick { 200 } else { 2_000 };
    let mut slow: Vec<TcpStream> =
        (0..count).map(|_| Ok(TcpStream::connect(server.at)?)).collect::<anyhow::Result<_>>()?;
    let mut times = Times::default();
    for number in 0..run.times(2_000) {
        // Each sends a byte of its header now and then.
        if let Some(stream) = slow.get_mut(number % count) {
            let _ = stream.write_all(b"G");
        }
        let start = Instant::now();
        client.call("GET", "/healthz", "")?;
        times.push(start.elapsed());
    }
    let alone = format!("without them p99 {}", millis(alone.at(990)));
    let target = Target::p99(&times, Duration::from_millis(50));
    table.row(&format!("`/healthz` beside {count} slow clients"), times.shown(), target, alone);
    Ok(())
}
