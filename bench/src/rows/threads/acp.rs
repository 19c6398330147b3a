//! A streamed piece of text of an agent that the server runs, from the agent's standard output to its reader, next to the
//! same program read directly.

use crate::Run;
use crate::figures::Times;
use crate::peer::now_nanos;
use crate::rows::commands::home;
use crate::rows::http::{Client, Server};
use crate::table::{Reference, Table};
use anyhow::Context as _;
use sayso_desk::token::TokenRole;
use sayso_desk::{StoreDesk, TokenDesk as _};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Role of this program as an agent that speaks the Agent Client Protocol.
pub(crate) const ROLE: &str = "acp";

/// Time between two pieces, so that each is read by itself.
const PAUSE: Duration = Duration::from_millis(1);

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

/// Reads the pieces from the agent itself.
fn raw(count: usize) -> anyhow::Result<Times> {
    let mut agent = Command::new(std::env::current_exe()?)
        .args(["peer", ROLE, &count.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = agent.stdin.take().context("no stdin")?;
    let output = BufReader::new(agent.stdout.take().context("no stdout")?);
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/prompt\"}\n")?;
    let mut times = Times::default();
    for line in output.lines() {
        let message: Value = serde_json::from_str(&line?)?;
        match message.pointer("/params/update/content/text").and_then(Value::as_str) {
            Some(text) => push_pieces(&mut times, text)?,
            None => break,
        };
    }
    drop(input);
    agent.wait()?;
    Ok(times)
}

/// Reads them from the thread's stream.
fn streamed(run: &Run, count: usize) -> anyhow::Result<Times> {
    let home = home(run, "thread-acp")?;
    let program = std::env::current_exe()?.display().to_string();
    let agent = format!("bot='{program}' peer {ROLE} {count}");
    let server = Server::start_with(run, &home, &["--agent", &agent])?;
    let (_, token) = StoreDesk::open(&home.join("desk.db"))?.new_token(TokenRole::Person, "ada", None)?;
    let mut person: Client = server.client_with(token.reveal())?;
    let thread: Value = serde_json::from_slice(&person.call("POST", "/api/sessions", "")?)?;
    let thread = thread.get("thread_id").and_then(Value::as_str).context("no thread")?.to_owned();
    person.send("POST", &format!("/api/chat/{thread}"), "{\"message\":\"go on\"}")?;
    person.header()?;
    let (mut times, mut read) = (Times::default(), 0);
    while read < count {
        let event: Value = serde_json::from_str(&person.event_data("messages/partial")?)?;
        let text = event.get("content").and_then(Value::as_str).context("no text")?;
        read += push_pieces(&mut times, text)?;
    }
    Ok(times)
}

/// Measures a piece of text from the agent's output to its reader.
pub(crate) fn chunk(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let count = run.times(4_000);
    let (raw, streamed) = (raw(count)?, streamed(run, count)?);
    let what = "the same of an agent that the server runs";
    table.times(what, &streamed, vec![Reference::from_times("raw ACP", &raw)]);
    Ok(())
}
