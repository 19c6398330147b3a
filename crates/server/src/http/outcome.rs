//! The way back: waiting for the outcome, getting it, and saying that it has come.

use super::app::{App, visible};
use super::asker::{Nothing, act};
use super::call::Call;
use super::caller::{By, Caller};
use super::metrics::Counted;
use super::{events, reply};
use crate::hub::{Signal, Ticket};
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::row::Standing;
use sayso_core::wire::json;
use sayso_core::{Ask, AskId, Code, Command, Message, Outcome, Path, Problem, Who};
use sayso_desk::token::Role;
use sayso_desk::{Desk, LocalDesk};
use sayso_dialects::{Dialect, Written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep_until};

/// The form of a rendering in the dialect's own words, as commands get it too.
const FORM: &str = "command";
/// A call waits no longer than this, in seconds: what lies between may cut it.
pub(super) const WAIT_SECONDS: u64 = 60;

/// How long to wait.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    wait: Option<u64>,
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
    let seconds = call.query::<Wait>()?.wait.unwrap_or(0);
    let wants_events = call.wants_events();
    // What was sent is not held as long as the caller waits.
    drop(call);
    if seconds > WAIT_SECONDS {
        let said = Message::NoSuchValue.with(["wait".to_owned(), seconds.to_string()]);
        return Err(Problem::new(Code::InvalidValue, said).at(Path::root().then("wait")));
    }
    let mut held = Held::begin(&app, caller, id).await?;
    if wants_events {
        return Ok(events::outcome_of(held));
    }
    let body = match held.settled(Duration::from_secs(seconds)).await? {
        true => shared(&app, id).await?,
        false => Bytes::from(body_of(&held.ask, None)),
    };
    Ok(reply::json(StatusCode::OK, body))
}

/// One who waits for the outcome of an ask.
pub(super) struct Held {
    pub(super) app: Arc<App>,
    pub(super) ask: Ask,
    ticket: Ticket,
    _counted: Counted,
}

impl Held {
    /// Begins to wait for an ask that the caller may have the outcome of.
    pub(super) async fn begin(app: &Arc<App>, caller: Caller, id: AskId) -> Result<Self, Problem> {
        let hub = app.hub.clone();
        let (ask, ticket) = app
            .at_desk(move |desk| {
                // Heard first and read then, so that nothing is missed.
                let ticket = hub.wait_for(vec![id])?;
                let ask = visible(desk, &caller, id)?;
                asker_of(&caller, &ask)?;
                Ok((ask, ticket))
            })
            .await?;
        Ok(Self { app: app.clone(), ask, ticket, _counted: app.metrics.wait() })
    }

    /// Whether it is settled, as soon as it is; or not, when the time is over or the server goes.
    pub(super) async fn settled(&mut self, limit: Duration) -> Result<bool, Problem> {
        let until = Instant::now() + limit;
        while self.ask.outcome().is_none() {
            let left = self.ask.due_at().map(|due| due.duration_since((self.app.now)()));
            let due = left.map(|left| Instant::now() + Duration::try_from(left).unwrap_or_default());
            tokio::select! {
                signal = self.ticket.changed() => {
                    if signal == Signal::Settled {
                        return Ok(true);
                    }
                }
                () = sleep_until(due.map_or(until, |due| due.min(until))) => {
                    if Instant::now() >= until {
                        return Ok(false);
                    }
                }
                () = self.app.closing.cancelled() => return Ok(false),
            }
            let (hub, id) = (self.app.hub.clone(), self.ask.id);
            // What is due has happened once it is read.
            let read = move |desk: &LocalDesk| {
                hub.keep_watching()?;
                desk.get(id)
            };
            self.ask = self.app.at_desk(read).await?;
        }
        Ok(true)
    }
}

/// The outcomes that are on their way to somebody: many who wait for one ask cost one reading of it.
#[derive(Default)]
pub(super) struct Outcomes(Mutex<HashMap<AskId, Weak<OnceCell<Bytes>>>>);

/// Entries beyond which those that nobody needs any more go.
const OUTCOMES: usize = 1_024;

impl Outcomes {
    fn cell(&self, id: AskId) -> Arc<OnceCell<Bytes>> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = cells.get(&id).and_then(Weak::upgrade) {
            return cell;
        }
        if cells.len() >= OUTCOMES {
            cells.retain(|_, cell| cell.strong_count() > 0);
        }
        let cell = Arc::new(OnceCell::new());
        cells.insert(id, Arc::downgrade(&cell));
        cell
    }
}

/// What became of a settled ask, as JSON. It is offered to its asker by that.
///
/// # Errors
/// When the desk fails.
pub(super) async fn shared(app: &Arc<App>, id: AskId) -> Result<Bytes, Problem> {
    let cell = app.outcomes.cell(id);
    let read = || {
        app.at_desk(move |desk| {
            let ask = desk.get(id)?;
            let reply = rendered(desk, &ask)?;
            Ok(Bytes::from(body_of(&ask, Some(reply))))
        })
    };
    cell.get_or_try_init(read).await.cloned()
}

fn body_of(ask: &Ask, reply: Option<ReplyBody>) -> String {
    let outcome = ask.outcome().cloned();
    let body = OutcomeBody { ask: ask.id, state: Standing::of(&ask.state.phase), outcome, reply };
    json::write(&body)
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
        let said = Message::NoSuchValue.with(["form".to_owned(), form]);
        return Err(Problem::new(Code::InvalidValue, said).at(Path::root().then("form")));
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
