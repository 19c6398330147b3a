//! A streamed piece of text of an agent behind a bridge, from the agent's standard output to its reader, next to that of
//! an agent over HTTP.

use super::{Stage, chat, take, thread};
use crate::Run;
use crate::figures::Times;
use crate::figures::now_nanos;
use crate::http_client::Client;
use crate::rows::commands::{home, sayso};
use crate::table::{Reference, Table};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

/// Role of this program as an agent that speaks the Agent Client Protocol.
pub(crate) const ROLE: &str = "acp";

/// Time between two pieces, so that each is read by itself.
const PAUSE: Duration = Duration::from_millis(5);

/// Speaks the protocol on standard streams: each prompt is answered with so many pieces, each the time of its sending.
pub(crate) fn serve(count: usize) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut write = |message: &Value| -> anyhow::Result<()> {
        out.write_all(format!("{message}\n").as_bytes())?;
        Ok(out.flush()?)
    };
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let Some(id) = message.get("id") else { continue };
        let result = match message.get("method").and_then(Value::as_str) {
            Some("initialize") => json!({ "protocolVersion": 1, "agentCapabilities": {} }),
            Some("session/new") => json!({ "sessionId": "one" }),
            Some("session/prompt") => {
                for _ in 0..count {
                    pause();
                    let content = json!({ "type": "text", "text": format!("{} ", now_nanos()?) });
                    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": content });
                    let params = json!({ "sessionId": "one", "update": update });
                    write(&json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }))?;
                }
                json!({ "stopReason": "end_turn" })
            }
            _ => json!({}),
        };
        write(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))?;
    }
    Ok(())
}

fn pause() {
    #[expect(clippy::disallowed_methods, reason = "the pieces shall not pile up")]
    std::thread::sleep(PAUSE);
}

/// Adds the time since each piece in a text was sent.
fn push_pieces(times: &mut Times, text: &str) -> anyhow::Result<usize> {
    let now = now_nanos()?;
    let sent: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    sent.iter().for_each(|sent| times.push(Duration::from_nanos(now.saturating_sub(*sent))));
    Ok(sent.len())
}

/// Reads pieces that an agent publishes over HTTP.
fn published(run: &Run, count: usize) -> anyhow::Result<Times> {
    let stage = Stage::new(run, "thread-http")?;
    let (mut person, mut agent) = (stage.person()?, stage.agent()?);
    let thread = thread(&mut person)?;
    chat(&mut person, &thread)?;
    let (turn, place) = (take(&mut agent)?, format!("/v1/threads/{thread}/events"));
    let mut times = Times::default();
    for _ in 0..count {
        pause();
        let events = json!({ "turn": turn, "events": [{ "text": format!("{} ", now_nanos()?) }] });
        agent.send("POST", &place, &events.to_string())?;
        read_pieces(&mut person, &mut times)?;
        agent.reply()?;
    }
    Ok(times)
}

/// Reads an event of the stream, and returns the number of its pieces.
fn read_pieces(person: &mut Client, times: &mut Times) -> anyhow::Result<usize> {
    let event: Value = serde_json::from_str(&person.event_data("messages/partial")?)?;
    push_pieces(times, event.get("content").and_then(Value::as_str).context("no text")?)
}

/// Reads those of an agent behind a bridge.
fn bridged(run: &Run, count: usize) -> anyhow::Result<Times> {
    let stage = Stage::new(run, "thread-acp")?;
    let home = home(run, "thread-acp-bridge")?;
    let file = home.join("token");
    File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&file)?
        .write_all(stage.agent.as_bytes())?;
    let address = format!("http://{}", stage.server.address());
    let mut bridge = sayso(run, &home)
        .args(["agent", "bot", "--server", &address, "--"])
        .arg(std::env::current_exe()?)
        .args(["peer", ROLE, &count.to_string()])
        .env("SAYSO_TOKEN_FILE", file)
        .spawn()?;
    let mut person = stage.person()?;
    let thread = thread(&mut person)?;
    chat(&mut person, &thread)?;
    let (mut times, mut read) = (Times::default(), 0);
    while read < count {
        read += read_pieces(&mut person, &mut times)?;
    }
    bridge.kill()?;
    bridge.wait()?;
    Ok(times)
}

/// Measures a piece of text from the agent's output to its reader.
pub(crate) fn chunk(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = run.times(1_000);
    let (published, bridged) = (published(run, count)?, bridged(run, count)?);
    let what = "the same of an agent behind `sayso agent`";
    table.times(what, &bridged, vec![Reference::from_times("agent over HTTP", &published)]);
    Ok(())
}
