//! Routes of an ask's outcome: wait, acknowledge and offer.

use super::app::{App, visible};
use super::asker::{Nothing, act};
use super::call::Call;
use super::caller::{By, Caller};
use super::held::{Held, asker_of};
use super::route::{ASK, Access, Body, Content, NOT_THERE, Parameter, ROLE, Reply, Route, Verb, ok, run};
use super::shapes;
use super::{events, reply};
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use sayso_core::row::Standing;
use sayso_core::wire::json;
use sayso_core::{Ask, AskId, Code, Command, Outcome, Problem};
use sayso_desk::token::Role;
use sayso_desk::{Desk, LocalDesk};
use sayso_dialects::{Dialect, Written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::OnceCell;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/v1/asks/{id}/outcome",
        name: "wait_for_outcome",
        about: "The outcome, in the words of the asker's dialect too; the same bytes each time until it is acknowledged. \
                It waits as long as it is told to, or sends the outcome as the one event of a stream.",
        access: Access::Asker,
        parameters: &[Parameter::query("wait", "How long to wait for it, in seconds.", shapes::wait), ROLE],
        body: Body::None,
        replies: &[ok(
            "The outcome, or only the state while there is none.",
            Content::JsonOrEvents(shapes::outcome),
        )],
        problems: &[Code::AskNotFound, Code::InvalidValue],
        run: run!(wait),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/ack",
        name: "acknowledge_outcome",
        about: "The asker has the outcome.",
        access: Access::Asker,
        parameters: &[ROLE],
        body: Body::MaybeJson(shapes::nothing),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(ack),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/offer",
        name: "offer_outcome",
        about: "The outcome as the asker renders it, kept under the name of a form: the first rendering is stored, and \
                given to all who come after.",
        access: Access::Asker,
        parameters: &[Parameter::query("form", "The name of the form.", shapes::form).required(), ROLE],
        body: Body::Bytes,
        replies: &[
            ok("What is stored.", Content::Bytes),
            Reply { status: 204, about: "Nothing is stored, and nothing was sent.", content: Content::None },
        ],
        problems: &[
            Code::AskNotFound,
            Code::AskOpen,
            Code::InvalidValue,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(offer),
    },
];

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

/// Parameters of a request for the outcome.
struct Wish {
    caller: Caller,
    id: AskId,
    wait: Duration,
    as_events: bool,
}

impl Wish {
    fn of(call: &Call) -> Result<Box<Self>, Problem> {
        let (caller, id, wait) = (call.caller()?.clone(), call.id()?, call.wait()?);
        Ok(Box::new(Self { caller, id, wait, as_events: call.wants_events() }))
    }
}

/// Waits for the outcome. Ten thousand requests may wait: buffers needed only before or after the wait are boxed and
/// dropped.
pub(super) fn wait(app: Arc<App>, call: Call) -> impl Future<Output = Result<Response, Problem>> + Send {
    let begun = Box::pin(begin_to_wait(app, Wish::of(&call)));
    // The request is dropped before the wait.
    drop(call);
    async move {
        let (mut held, wait) = match begun.await? {
            (held, Some(wait)) => (held, wait),
            (held, None) => return Ok(events::outcome_of(held)),
        };
        let is_settled = held.settled(wait).await?;
        Box::pin(said(&held, is_settled)).await
    }
}

/// Returns the waiter and the timeout; a stream has none.
async fn begin_to_wait(
    app: Arc<App>,
    wish: Result<Box<Wish>, Problem>,
) -> Result<(Held, Option<Duration>), Problem> {
    let Wish { caller, id, wait, as_events } = *wish?;
    let held = Held::begin(&app, caller, id).await?;
    Ok((held, (!as_events).then_some(wait)))
}

async fn said(held: &Held, is_settled: bool) -> Result<Response, Problem> {
    let id = held.id;
    let body = match is_settled {
        true => shared(held).await?,
        false => {
            let body = OutcomeBody { ask: id, state: held.standing, outcome: None, reply: None };
            Bytes::from(json::write(&body))
        }
    };
    Ok(reply::json(StatusCode::OK, body))
}

/// Outcome of an ask as JSON, filled by the first waiter that reads it.
pub(super) type Cell = Arc<OnceCell<Bytes>>;

/// Cache of outcomes that requests wait for: many waiters for one ask cost one read.
#[derive(Default)]
pub(super) struct Outcomes(Mutex<Cells>);

#[derive(Default)]
struct Cells {
    by_ask: HashMap<AskId, Weak<OnceCell<Bytes>>>,
    /// Number of entries that triggers the next sweep, at least [`OUTCOMES`].
    sweep_at: usize,
}

/// Number of entries below which nothing is swept.
const OUTCOMES: usize = 1_024;

impl Outcomes {
    /// Returns the shared cell of an ask's outcome, which lives as long as a waiter holds it.
    pub(super) fn cell(&self, id: AskId) -> Cell {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = cells.by_ask.get(&id).and_then(Weak::upgrade) {
            return cell;
        }
        if cells.by_ask.len() >= cells.sweep_at.max(OUTCOMES) {
            cells.by_ask.retain(|_, cell| cell.strong_count() > 0);
            // If most entries are in use, the next sweep waits until the cache has doubled.
            cells.sweep_at = 2 * cells.by_ask.len();
        }
        let cell = Arc::new(OnceCell::new());
        cells.by_ask.insert(id, Arc::downgrade(&cell));
        cell
    }
}

/// Returns the outcome of a settled ask as JSON, and records it as offered to the asker.
///
/// # Errors
/// Fails if the desk fails.
pub(super) async fn shared(held: &Held) -> Result<Bytes, Problem> {
    let id = held.id;
    let read = || {
        held.app.at_desk(move |desk| {
            let ask = desk.get(id)?;
            let reply = rendered(desk, &ask)?;
            let (outcome, state) = (ask.outcome().cloned(), Standing::of(&ask.state.phase));
            let body = OutcomeBody { ask: id, state, outcome, reply: Some(reply) };
            Ok(Bytes::from(json::write(&body)))
        })
    };
    held.outcome.get_or_try_init(read).await.cloned()
}

fn rendered(desk: &LocalDesk, ask: &Ask) -> Result<ReplyBody, Problem> {
    // The stored rendering is shared with commands of other processes.
    let render = |ask: &Ask| Dialect::reply(ask).to_bytes();
    let bytes = desk.offer(&ask.request.asker, ask, Written::FORM, &render)?;
    let written = Written::from_bytes(&bytes).unwrap_or_else(|| Dialect::reply(ask));
    Ok(ReplyBody { stdout: written.stdout, stderr: written.stderr, exit: written.exit })
}

pub(super) async fn ack(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    call.json::<Nothing>()?;
    act(app, &call, Role::Asker, By::default(), |_| Ok(Command::Ack)).await
}

/// Query parameters of an offer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    form: String,
}

pub(super) async fn offer(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let (caller, id, bytes) = (call.caller()?.clone(), call.id()?, call.bytes().clone());
    let Form { form } = call.query()?;
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

#[cfg(test)]
mod tests {
    use super::{OUTCOMES, Outcomes};
    use sayso_core::AskId;

    fn id(number: usize) -> AskId {
        AskId::from_bytes(&u128::try_from(number).unwrap().to_be_bytes()).unwrap()
    }

    #[test]
    fn outcome_cache_sweep_is_amortized() {
        let outcomes = Outcomes::default();
        let sizes = || {
            let cells = outcomes.0.lock().unwrap();
            (cells.by_ask.len(), cells.sweep_at)
        };
        (0..3 * OUTCOMES).for_each(|number| drop(outcomes.cell(id(number))));
        assert!(sizes().0 <= OUTCOMES, "{:?}", sizes());
        let held: Vec<_> = (0..3 * OUTCOMES).map(|number| outcomes.cell(id(number))).collect();
        let (all, sweep_at) = sizes();
        assert!(all >= held.len() && sweep_at > held.len(), "{:?}", sizes());
        drop(held);
        (0..sweep_at).for_each(|number| drop(outcomes.cell(id(10 * OUTCOMES + number))));
        assert!(sizes().0 < sweep_at, "{:?}", sizes());
    }
}
