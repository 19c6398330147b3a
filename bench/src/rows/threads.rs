//! The wire formats of others over loopback: questionnaires that block until they are answered, and threads between a
//! person and an agent.

pub(crate) mod acp;

use crate::Run;
use crate::figures::{Times, micros, per_second};
use crate::floor;
use crate::request::person;
use crate::rows::commands::home;
use crate::rows::http::{Bare, Client, Server, pairs, settle};
use crate::rows::throughput::{AT_ONCE, at_once};
use crate::table::{Table, Target};
use anyhow::Context as _;
use sayso_core::lifecycle::AskEvent;
use sayso_core::{AskCommand, AskId, OptionId, Pick, QuestionId, Reply};
use sayso_desk::token::TokenRole;
use sayso_desk::{Desk as _, Interest, StoreDesk, TokenDesk as _, WatchEvent};
use serde_json::{Value, json};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of answering threads for 64 clients.
const ANSWERERS: usize = 32;

fn questionnaire(number: usize) -> String {
    let option = |value: &str, label: &str| json!({ "value": value, "label": label });
    json!({ "questions": [
        {
            "id": "env", "type": "select", "label": "Environment", "maxSelect": 1,
            "prompt": format!("Which environment should run {number} target first?"),
            "options": [option("staging", "Staging"), option("canary", "Canary"), option("prod", "Production")],
        },
        { "id": "notes", "type": "text", "label": "Notes", "prompt": "What must the release notes mention?" },
    ] })
    .to_string()
}

fn answer(desk: &StoreDesk, id: AskId) -> anyhow::Result<()> {
    let shown = desk.get(id)?.request.digest;
    let pick = Reply::from_picks([Pick::Option(OptionId::new("canary"))]);
    let replies = [("env", pick), ("notes", Reply::from_text("drop v1"))];
    let replies = replies.into_iter().map(|(id, reply)| (QuestionId::new(id), reply)).collect();
    desk.act(&person(), id, None, AskCommand::Submit { replies, as_sent: None, shown: shown.into() })?;
    Ok(())
}

/// Questionnaires that are asked, answered and delivered, 64 clients at once.
pub(crate) fn questionnaires(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = run.times(10_000);
    let home_of_pairs = home(run, "http-questionnaires-pairs")?;
    let home = home(run, "http-questionnaires")?;
    let server = Server::start(run, &home)?;
    let desk = Arc::new(StoreDesk::open(&home.join("desk.db"))?);
    let mut watch = desk.watch(Interest::All, None)?;
    let (asked, next) = channel::<AskId>();
    let next = Arc::new(Mutex::new(next));
    for _ in 0..ANSWERERS {
        let (desk, next) = (desk.clone(), next.clone());
        std::thread::spawn(move || {
            loop {
                let id = next.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok(id) = id else { return };
                if let Err(error) = answer(&desk, id) {
                    eprintln!("{error}");
                }
            }
        });
    }
    std::thread::spawn(move || {
        while let Ok(watch_event) = watch.wait(Duration::from_secs(60)) {
            for change in watch_event.into_iter().filter_map(WatchEvent::into_change) {
                let is_new = change.events.iter().any(|event| matches!(event, AskEvent::Opened { .. }));
                if is_new && asked.send(change.id).is_err() {
                    return;
                }
            }
        }
    });
    let first = answered(&server, 0, count)?;
    let later = answered(&server, count, count)?;
    let floor = Server::start(run, &home_of_pairs)?;
    let pairs = pairs(&floor, count)?;
    let what = format!("questionnaires a second, asked, answered and delivered, {AT_ONCE} clients");
    let target =
        Target::at_least("≥ 2,000", first, 2e3).and(Target::at_least("≥ 60 % of /v1", first / pairs, 0.6));
    table.row(&what, format!("{first:.0}"), target, format!("ask + answer pairs over /v1 {pairs:.0}"));
    let what = format!("the same with {count} past ones of the asker");
    let target = Target::at_least("within 1.2 × of those", later * 1.2, first);
    table.row(&what, format!("{later:.0}"), target, format!("without them {first:.0}"));
    Ok(())
}

/// Questionnaires a second that are asked, answered and delivered.
fn answered(server: &Server, first: usize, count: usize) -> anyhow::Result<f64> {
    let clients = Mutex::new(Vec::<Client>::new());
    let start = Instant::now();
    at_once(count, |number| {
        let free = clients.lock().ok().and_then(|mut clients| clients.pop());
        let mut client = free.map_or_else(|| server.client(), Ok)?;
        // The reply ends when its delivery is noted, so it comes in pieces.
        client.send("POST", "/questionnaire", &questionnaire(first + number))?;
        client.header()?;
        client.finish()?;
        if let Ok(mut clients) = clients.lock() {
            clients.push(client);
        }
        Ok(())
    })?;
    Ok(per_second(count, start.elapsed()))
}

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

/// A person decides, the agent hears it and says something, and the person reads that.
pub(crate) fn resume(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let stage = Stage::new(run, "thread-resume")?;
    let (mut person, mut agent) = (stage.person()?, stage.agent()?);
    let thread = thread(&mut person)?;
    chat(&mut person, &thread)?;
    let turn = take(&mut agent)?;
    let call = |number: usize| {
        let args = json!({ "command": "make" });
        json!({ "turn": turn, "calls": [{ "id": number.to_string(), "name": "execute", "args": args }] })
            .to_string()
    };
    let ask = format!("/v1/threads/{thread}/ask");
    let events = json!({ "turn": turn, "events": [{ "text": "Well." }] }).to_string();
    let mut times = Times::default();
    for number in 0..run.times(1_000) {
        agent.call("POST", &ask, &call(number))?;
        person.event("end")?;
        person.finish()?;
        agent.send("POST", &format!("{ask}?wait=10"), &call(number))?;
        come_to_wait();
        let start = Instant::now();
        person.send("POST", &format!("/api/resume/{thread}"), "{\"action\":\"continue\"}")?;
        agent.reply()?;
        agent.send("POST", &format!("/v1/threads/{thread}/events"), &events)?;
        person.header()?;
        person.event("messages/partial")?;
        times.push(start.elapsed());
        agent.reply()?;
    }
    table.row(
        "resume → the first event that the agent then publishes, durable",
        times.shown(),
        Target::median(&times, Duration::from_millis(5)),
        "",
    );
    Ok(())
}

/// Time for a request that was sent to come to where it waits.
fn come_to_wait() {
    #[expect(clippy::disallowed_methods, reason = "that somebody waits is no event")]
    std::thread::sleep(Duration::from_millis(5));
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
    let shown = format!("{} · p99 {}", micros(times.median()), micros(times.at(990)));
    let floor = format!("bare axum, no token {}", micros(floor.median()));
    table.row(
        "a piece of text, from publishing to its reader",
        shown,
        Target::median(&times, Duration::from_micros(300)),
        floor,
    );
    Ok(())
}

/// Cost of each idle thread with an open stream, and of each idle WebSocket.
pub(crate) fn idle(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = if run.quick { 100 } else { 1_000 };
    let floor = format!("bare axum, a stream without a thread {} B", bare_streams(count)?);
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
    let what = format!("memory of each of {count} threads with an open stream and nothing to read");
    table.row(&what, format!("{each} B"), Target::at_most("≤ 30 kB", each as f64, 30e3), floor);
    let mut mutes = Vec::with_capacity(count);
    let each = grown(stage.server.pid(), count, || {
        for _ in 0..count {
            let mut client = stage.person()?;
            client.upgrade("/ws")?;
            mutes.push(client);
        }
        Ok(())
    })?;
    table.row(
        &format!("memory of each of {count} idle WebSockets"),
        format!("{each} B"),
        Target::at_most("≤ 30 kB", each as f64, 30e3),
        "",
    );
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
