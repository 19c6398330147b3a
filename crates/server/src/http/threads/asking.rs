//! An agent asks in its turn. What it asks is asked at the desk, and every surface shows it; the thread shows it as an
//! interrupt, one after another.
//!
//! **Invariant:** what an agent calls by the same id in the same turn is asked once, however often it is sent and
//! whoever dies in between. So an agent that has begun anew gets the decision that was made meanwhile.

use super::agent::{asker, held};
use super::live::Live;
use crate::http::app::App;
use crate::http::call::{Call, needs_member};
use crate::http::caller::Caller;
use crate::http::held::Held;
use crate::http::reply;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::row::Standing;
use sayso_core::wire::json;
use sayso_core::wire::problem;
use sayso_core::{Ask, AskId, Asker, Code, Lang, Message, NewAsk, Path, Problem};
use sayso_desk::{Desk as _, LocalDesk};
use sayso_dialects::interrupt::{CALLS, ended, of_call, split, tool_result};
use sayso_dialects::{Dialect, Limits, Lost};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use tokio::time::Instant;

/// What a decision is kept under at the desk.
const FORM: &str = "thread";

/// What an agent asks: to be let do something, or answers.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnAsk {
    /// The turn, as it was given.
    turn: String,
    /// Calls of tools that need a decision, each for itself; `ask_user` asks questions.
    #[serde(default)]
    calls: Vec<ToolCall>,
    /// Instead of calls: a request in any dialect.
    request: Option<Value>,
    /// Its dialect; it is guessed where that is clear.
    dialect: Option<String>,
    /// What tells this request from others of the turn.
    id: Option<String>,
    /// After how many milliseconds it ends by itself.
    #[schemars(range(min = 1, max = 34_560_000_000_i64))]
    timeout_ms: Option<i64>,
}

/// A call of a tool, as a model makes it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ToolCall {
    /// What tells it from others of the turn.
    id: String,
    /// The tool.
    name: String,
    /// Its arguments.
    args: Value,
}

/// What came of what was asked.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TurnDecisions {
    /// Whether all of it is decided. Until then the same request waits further.
    decided: bool,
    /// Each for itself, in the order of asking.
    decisions: Vec<TurnDecision>,
    /// What should be known of the request though it is valid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<crate::http::shapes::ProblemBody>")]
    warnings: Vec<Value>,
    /// What an interrupt could not say of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Value>")]
    lost: Vec<Lost>,
}

/// What came of one of it.
#[derive(Serialize, JsonSchema)]
struct TurnDecision {
    /// What it was called.
    id: String,
    /// The ask at the desk.
    ask: AskId,
    /// Where it stands.
    state: Standing,
    /// `answer`, `continue`, `cancel` or `error`, once it is decided.
    #[serde(flatten)]
    decision: Decided,
}

/// A decision, as it is kept.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
struct Decided {
    /// `answer`, `continue`, `cancel` or `error`, once it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<String>,
    /// What the call of the tool results in; nothing where the tool is to be run now.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

/// One request to ask at the desk.
struct Wanted {
    id: String,
    dialect: Dialect,
    text: String,
}

/// What is to be asked: of several calls one after another.
fn wanted(body: TurnAsk, usual: Option<Dialect>) -> Result<Vec<Wanted>, Problem> {
    let TurnAsk { calls, request, dialect, id, .. } = body;
    let named = dialect.as_deref().map(Dialect::named).transpose()?;
    let Some(request) = request else {
        if calls.is_empty() {
            return Err(needs_member("calls"));
        }
        if calls.len() > CALLS {
            let said = Message::ManyElements.with([CALLS]);
            return Err(Problem::new(Code::TooBig, said).at(Path::root().then("calls")));
        }
        let one = |ToolCall { id, name, args }| Wanted {
            id,
            dialect: Dialect::Interrupt,
            text: json::write(&of_call(&name, &args)),
        };
        return Ok(calls.into_iter().map(one).collect());
    };
    if !calls.is_empty() {
        return Err(Problem::new(Code::InvalidRequest, Message::OneOfTwo.with(["calls", "request"])));
    }
    let id = id.ok_or_else(|| needs_member("id"))?;
    let text = json::write(&request);
    let dialect = named.map_or_else(|| Dialect::of_request(&text, usual), Ok)?;
    if dialect != Dialect::Interrupt {
        return Ok(vec![Wanted { id, dialect, text }]);
    }
    let parts = split(&request)?;
    let several = parts.len() > 1;
    let one = |(at, part): (usize, Value)| {
        let id = if several { format!("{id}.{at}") } else { id.clone() };
        Wanted { id, dialect, text: json::write(&part) }
    };
    Ok(parts.into_iter().enumerate().map(one).collect())
}

/// What was asked, and what should be known of it.
#[derive(Default)]
struct Asked {
    asks: Vec<(String, Ask)>,
    warnings: Vec<Problem>,
    lost: Vec<Lost>,
}

/// How a turn asks.
struct Terms {
    asker: Asker,
    quota: Option<u64>,
    time_limit_ms: Option<i64>,
    limits: Limits,
}

fn ask_all(desk: &LocalDesk, live: &Live, wanted: &[Wanted], terms: &Terms) -> Result<Asked, Problem> {
    let mut asked = Asked::default();
    // All of it is read before any of it is asked.
    let mut read = Vec::with_capacity(wanted.len());
    for wanted in wanted {
        read.push(wanted.dialect.read(&wanted.text, &terms.limits).map_err(Problem::in_request)?);
    }
    for (wanted, read) in wanted.iter().zip(read) {
        if wanted.dialect != Dialect::Interrupt {
            let told = Dialect::Interrupt.request(&read.questionnaire, &terms.limits);
            asked.lost.extend(told.lost);
        }
        asked.warnings.extend(read.warnings);
        let new = NewAsk {
            questionnaire: Arc::new(read.questionnaire),
            dialect: wanted.dialect.name().to_owned(),
            asker: terms.asker.clone(),
            judged: false,
            time_limit_ms: terms.time_limit_ms.or(read.asking.time_limit_ms),
            process: None,
            waits: true,
            open_at_most: terms.quota,
            random_id: wanted.dialect.names_asks_by_their_beginning(),
        };
        let key = format!("{} {}", live.turn, wanted.id);
        let opened = desk.open(Some(&key), new)?;
        asked.asks.push((wanted.id.clone(), opened.into_ask()));
    }
    let ids: Vec<_> = asked.asks.iter().map(|(_, ask)| ask.id).collect();
    live.interrupt(desk, &ids)?;
    Ok(asked)
}

pub(in crate::http) async fn ask(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let body: TurnAsk = call.json()?;
    let until = Instant::now() + call.wait()?;
    let live = held(&app, &call, &body.turn)?;
    let lang = call.lang;
    drop(call);
    let terms = Terms {
        asker: asker(&caller, &live.thread)?,
        quota: caller.quota(),
        time_limit_ms: body.timeout_ms,
        limits: app.limits,
    };
    let here = app.clone();
    let asked = app
        .at_desk(move |desk| {
            let wanted = wanted(body, here.dialect)?;
            ask_all(desk, &live, &wanted, &terms)
        })
        .await?;
    decided(&app, &caller, asked, until, lang).await
}

async fn decided(
    app: &Arc<App>,
    caller: &Caller,
    asked: Asked,
    until: Instant,
    lang: Lang,
) -> Result<Response, Problem> {
    let mut decisions = Vec::with_capacity(asked.asks.len());
    for (id, ask) in asked.asks {
        let mut held = Held::begin(app, caller.clone(), ask.id).await?;
        held.settled(until.saturating_duration_since(Instant::now())).await?;
        let ask = ask.id;
        decisions.push(app.at_desk(move |desk| decision(desk, id, ask)).await?);
    }
    let told = |warning: &Problem| Value::Object(problem::members(warning, lang));
    let body = TurnDecisions {
        decided: decisions.iter().all(|decision| decision.decision.decision.is_some()),
        decisions,
        warnings: asked.warnings.iter().map(told).collect(),
        lost: asked.lost,
    };
    Ok(reply::json(StatusCode::OK, json::write(&body)))
}

fn decision(desk: &LocalDesk, id: String, ask: AskId) -> Result<TurnDecision, Problem> {
    let ask = desk.get(ask)?;
    let state = Standing::of(&ask.state.phase);
    let decision = match ask.outcome() {
        None => Decided::default(),
        Some(_) => {
            let bytes = desk.offer(&ask.request.asker, &ask, FORM, &|ask| {
                serde_json::to_vec(&made(ask, &id)).unwrap_or_default()
            })?;
            serde_json::from_slice(&bytes).unwrap_or_else(|_| made(&ask, &id))
        }
    };
    Ok(TurnDecision { id, ask: ask.id, state, decision })
}

/// What was decided, in the words of the thread.
fn made(ask: &Ask, id: &str) -> Decided {
    let Some(outcome) = ask.outcome() else { return Decided::default() };
    let questionnaire = &ask.request.questionnaire;
    let last = ended(questionnaire, outcome).pop();
    let action = last.and_then(|end| end.data.get("action").and_then(Value::as_str).map(str::to_owned));
    Decided { decision: action, result: tool_result(questionnaire, outcome, id) }
}
