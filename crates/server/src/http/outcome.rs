//! The way back: waiting for the outcome, getting it, and saying that it has come.

use super::app::{App, visible};
use super::asker::{Nothing, act};
use super::call::{Call, no_such_value};
use super::caller::{By, Caller};
use super::{events, gate, reply};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::row::Standing;
use sayso_core::{Ask, AskId, Code, Command, Message, Outcome, Problem, Who};
use sayso_desk::token::Role;
use sayso_desk::{Desk, LocalDesk};
use sayso_dialects::{Dialect, Written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The form of a rendering in the dialect's own words, as commands get it too.
const FORM: &str = "command";
/// A call waits no longer than this, in seconds: what lies between may cut it.
pub(super) const WAIT_SECONDS: u64 = 60;

/// How long to wait.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    wait: Option<String>,
}

/// What became of an ask.
#[derive(Serialize, JsonSchema)]
pub(super) struct OutcomeBody {
    /// The ask.
    ask: AskId,
    /// Where it stands.
    state: Standing,
    /// What ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    /// The same as a command of the asker's dialect says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<ReplyBody>,
}

/// What a command of the asker's dialect writes.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct ReplyBody {
    /// On standard output.
    stdout: String,
    /// On standard error.
    stderr: String,
    /// Its exit code.
    exit: u8,
}

/// Who gets an outcome: the asker, in whose name an admin may come.
fn asker_of(caller: &Caller, ask: &Ask) -> Result<Who, Problem> {
    match caller.role(Role::Asker) {
        Role::Asker => Ok(Who::Asker(ask.request.asker.clone())),
        Role::Person | Role::Admin => Err(Problem::new(Code::NotAllowed, Message::OnlyTheAsker)),
    }
}

pub(super) async fn wait(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let (caller, id) = (call.caller()?.clone(), call.id()?);
    let wait = call.query::<Wait>()?.wait;
    let seconds = Call::number("wait", wait.as_deref(), 0..=WAIT_SECONDS)?.unwrap_or(0);
    let ask = app.ask(&caller, id).await?;
    asker_of(&caller, &ask)?;
    let stay = app.stays.begin(caller.shown.clone());
    if call.wants_events() {
        return Ok(events::outcome_of(app, ask, stay));
    }
    let ask = match (ask.outcome(), seconds) {
        (Some(_), _) | (None, 0) => ask,
        (None, seconds) => tokio::select! {
            ask = settled(&app, id, Duration::from_secs(seconds)) => ask?,
            () = stay.over() => return Err(gate::unauthorized(Message::TokenUnknown)),
        },
    };
    Ok(reply::json(StatusCode::OK, body(&app, ask).await?))
}

/// The ask once it is settled, or as it stands when the time is over or the server goes.
pub(super) async fn settled(app: &Arc<App>, id: AskId, limit: Duration) -> Result<Ask, Problem> {
    let until = tokio::time::Instant::now() + limit;
    let _held = app.metrics.wait();
    let hub = app.hub.clone();
    let mut ticket = app.at_desk(move |_| hub.wait_for(vec![id])).await?;
    loop {
        let hub = app.hub.clone();
        let ask = app
            .at_desk(move |desk| {
                hub.keep_watching()?;
                desk.get(id)
            })
            .await?;
        if ask.outcome().is_some() {
            return Ok(ask);
        }
        let left = ask.due_at().map(|due| due.duration_since((app.now)()));
        let due = left.map_or(limit, |left| Duration::try_from(left).unwrap_or_default());
        tokio::select! {
            () = ticket.changed() => {}
            // What is due has happened when it is read again.
            () = tokio::time::sleep(due.max(Duration::from_millis(1))) => {}
            () = tokio::time::sleep_until(until) => return Ok(ask),
            () = app.closing.cancelled() => return Ok(ask),
        }
    }
}

/// What became of an ask, as JSON. A settled one is offered to its asker by that.
pub(super) async fn body(app: &Arc<App>, ask: Ask) -> Result<String, Problem> {
    app.at_desk(move |desk| {
        let outcome = ask.outcome().cloned();
        let reply = outcome.is_some().then(|| rendered(desk, &ask)).transpose()?;
        let body = OutcomeBody { ask: ask.id, state: Standing::of(&ask.state.phase), outcome, reply };
        Ok(sayso_core::wire::json::write(&body))
    })
    .await
}

fn rendered(desk: &LocalDesk, ask: &Ask) -> Result<ReplyBody, Problem> {
    let render = |ask: &Ask| serde_json::to_vec(&Dialect::reply(ask)).unwrap_or_default();
    let bytes = desk.offer(&ask.request.asker, ask, FORM, &render)?;
    let written: Written = serde_json::from_slice(&bytes).unwrap_or_else(|_| Dialect::reply(ask));
    Ok(ReplyBody { stdout: written.stdout, stderr: written.stderr, exit: written.exit })
}

pub(super) async fn ack(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    call.json::<Nothing>()?;
    act(app, &call, Role::Asker, By::default(), |_| Ok(Command::Ack)).await
}

/// The form of a rendering.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    form: String,
}

/// Characters of a form's name.
pub(super) const FORM_CHARS: usize = 64;

pub(super) async fn offer(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let (caller, id, bytes) = (call.caller()?.clone(), call.id()?, call.bytes().clone());
    let Form { form } = call.query()?;
    if form.is_empty() || form.chars().count() > FORM_CHARS {
        return Err(no_such_value("form", &form));
    }
    let stored = app
        .at_desk(move |desk| {
            let ask = visible(desk, &caller, id)?;
            asker_of(&caller, &ask)?;
            let offer =
                |bytes: &[u8]| desk.offer(&ask.request.asker, &ask, &form, &|_| bytes.to_vec()).map(Some);
            if ask.outcome().is_none() || !bytes.is_empty() {
                return offer(&bytes);
            }
            desk.rendering(&ask, &form)?.map_or(Ok(None), |stored| offer(&stored))
        })
        .await?;
    Ok(match stored {
        Some(bytes) => reply::text("application/octet-stream", bytes),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}
