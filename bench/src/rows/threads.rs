//! Threads between a person and an agent, over loopback.

pub(crate) mod acp;

use crate::Run;
use crate::figures::Times;
use crate::floor;
use crate::held_requests::settle;
use crate::http_client::Client;
use crate::rows::commands::home;
use crate::rows::http::{Bare, Server};
use crate::table::{Quantity, Reference, Table};
use anyhow::Context as _;
use sayso_desk::StoreDesk;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::time::Instant;

/// A person, an agent and a thread between them.
struct Stage {
    server: Server,
    person: String,
    agent: String,
}

impl Stage {
    fn new(run: &Run, name: &str) -> anyhow::Result<Self> {
        let home = home(run, name)?;
        let server = Server::start(run, &home)?;
        let token = |role, account| -> anyhow::Result<String> {
            let desk = StoreDesk::open(&home.join("desk.db"))?;
            Ok(desk.new_token(role, account, None)?.1.reveal().to_owned())
        };
        Ok(Self { person: token(TokenRole::Person, "ada")?, agent: token(TokenRole::Asker, "bot")?, server })
    }

    fn person(&self) -> anyhow::Result<Client> {
        self.server.client_with(&self.person)
    }

    fn agent(&self) -> anyhow::Result<Client> {
        self.server.client_with(&self.agent)
    }
}

fn member(body: &[u8], name: &str) -> anyhow::Result<String> {
    let body: Value = serde_json::from_slice(body)?;
    Ok(body.get(name).and_then(Value::as_str).with_context(|| format!("no {name} in {body}"))?.to_owned())
}

fn thread(person: &mut Client) -> anyhow::Result<String> {
    member(&person.call("POST", "/api/sessions", "")?, "thread_id")
}

/// Says something, and reads the head of the stream.
fn chat(person: &mut Client, thread: &str) -> anyhow::Result<()> {
    person.send("POST", &format!("/api/chat/{thread}"), "{\"message\":\"go on\"}")?;
    person.header().map(drop)
}

fn take(agent: &mut Client) -> anyhow::Result<String> {
    member(&agent.call("POST", "/v1/threads/next?wait=10", "{}")?, "turn")
}

/// A piece of text from the agent to the reader.
pub(crate) fn chunk(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let bare = Bare::start()?;
    let (mut events, mut client) = (bare.client()?, bare.client()?);
    events.send("GET", "/events", "")?;
    events.header()?;
    let mut floor = Times::default();
    for _ in 0..run.times(4_000) {
        let start = Instant::now();
        client.send("POST", "/wake", "{}")?;
        events.event("change")?;
        floor.push(start.elapsed());
        client.reply()?;
    }
    drop(bare);
    let stage = Stage::new(run, "thread-chunk")?;
    let (mut person, mut agent) = (stage.person()?, stage.agent()?);
    let thread = thread(&mut person)?;
    chat(&mut person, &thread)?;
    let turn = take(&mut agent)?;
    let place = format!("/v1/threads/{thread}/events");
    let stream_events =
        json!({ "turn": turn, "events": [{ "text": "some words of an answer" }] }).to_string();
    let mut times = Times::default();
    for _ in 0..run.times(4_000) {
        let start = Instant::now();
        agent.send("POST", &place, &stream_events)?;
        person.event("messages/partial")?;
        times.push(start.elapsed());
        agent.reply()?;
    }
    let floor = vec![Reference::from_times("bare axum", &floor)];
    table.times("a piece of an agent's text, from publishing to its reader", &times, floor);
    Ok(())
}

/// Memory of each idle thread with an open stream.
pub(crate) fn idle(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = if run.quick { 100 } else { 1_000 };
    let floor = vec![Reference::new("bare axum", Quantity::Memory(bare_streams(count)?))];
    let stage = Stage::new(run, "thread-idle")?;
    let mut threads = stage.person()?;
    let ids: Vec<_> = (0..count).map(|_| thread(&mut threads)).collect::<anyhow::Result<_>>()?;
    let mut open = Vec::with_capacity(count);
    let each = grown(stage.server.pid(), count, || {
        for id in &ids {
            let mut client = stage.person()?;
            chat(&mut client, id)?;
            open.push(client);
        }
        Ok(())
    })?;
    table.row("memory of each of 1,000 threads with an open stream", Quantity::Memory(each), floor);
    Ok(())
}

/// By how much a server has grown for each of so many.
fn grown(pid: u32, count: usize, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<u64> {
    settle(pid)?;
    let (before, _) = floor::memory(pid)?;
    work()?;
    settle(pid)?;
    let (after, _) = floor::memory(pid)?;
    Ok(after.saturating_sub(before) * 1_024 / u64::try_from(count)?)
}

/// Memory of bare axum for each open stream.
fn bare_streams(count: usize) -> anyhow::Result<u64> {
    let bare = Bare::start()?;
    let mut open = Vec::with_capacity(count);
    grown(bare.pid(), count, || {
        for _ in 0..count {
            let mut events = bare.client()?;
            events.send("GET", "/events", "")?;
            events.header()?;
            open.push(events);
        }
        Ok(())
    })
}
