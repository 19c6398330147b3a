//! Asks of an agent in its turn. They are asks at the desk, shown on every surface; the thread shows them as
//! interrupts, one after another. [`wanted`](super::wanted) parses the request.
//!
//! **Invariant:** a call with the same id in the same turn is asked once, however often it is sent and whichever
//! process fails in between. So a restarted agent gets the decision made meanwhile.

use super::agent::{asker, held};
use super::live::Live;
use super::wanted::{TurnAsk, Wanted, wanted};
use crate::http::app::App;
use crate::http::call::Call;
use crate::http::caller::Caller;
use crate::http::held::Held;
use crate::http::reply;
use crate::http::shapes::ProblemBody;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::row::Standing;
use sayso_core::wire::json;
use sayso_core::wire::problem;
use sayso_core::{AccountQuota, Ask, AskId, Asker, Code, Command, Lang, NewAsk, Problem, Who};
use sayso_desk::{Desk as _, LocalDesk, Opened};
use sayso_dialects::interrupt::{ended, tool_result};
use sayso_dialects::{Limits, Lost};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use tokio::time::Instant;

/// Name under which the desk stores the decision.
const FORM: &str = "thread";

/// What came of what was asked.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct TurnDecisions {
    /// Whether all of it is decided. Until then the same request waits further.
    decided: bool,
    /// Each for itself, in the order of asking.
    decisions: Vec<TurnDecision>,
    /// What should be known of the request though it is valid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<ProblemBody>")]
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

/// Common terms of the asks of one request.
struct Terms {
    asker: Asker,
    quota: Option<AccountQuota>,
    time_limit_ms: Option<i64>,
    limits: Limits,
}

/// Asks opened by a request, with their warnings.
#[derive(Default)]
struct Asked {
    asks: Vec<(String, Ask)>,
    warnings: Vec<Problem>,
    lost: Vec<Lost>,
}

/// Opens all asks of a request, and publishes their interrupts.
///
/// # Errors
/// Returns the first problem of a request, or of the desk. Then no ask was opened, and the same ids may be used
/// again: cancelling opened asks would leave those ids with settled asks.
fn ask_all(desk: &LocalDesk, live: &Live, wanted: &[Wanted], terms: &Terms) -> Result<Asked, Problem> {
    let mut asked = Asked::default();
    let mut new = Vec::with_capacity(wanted.len());
    for wanted in wanted {
        let read = wanted.read(&terms.limits, &mut asked.lost)?;
        asked.warnings.extend(read.warnings);
        let ask = NewAsk {
            time_limit_ms: terms.time_limit_ms.or(read.asking.time_limit_ms),
            waits: true,
            quota: terms.quota,
            random_id: wanted.dialect.names_asks_by_their_beginning(),
            ..NewAsk::new(Arc::new(read.questionnaire), wanted.dialect.name(), terms.asker.clone())
        };
        new.push((format!("{} {}", live.turn, wanted.id), ask));
    }
    let opened = desk.open_all(new).map_err(|refused| {
        let (at, problem) = *refused;
        match wanted.get(at) {
            Some(wanted) => wanted.told(problem),
            None => problem,
        }
    })?;
    let ids: Vec<_> = opened.iter().map(|opened| opened.ask().id).collect();
    if let Err(problem) = live.interrupt(desk, &ids) {
        if problem.code == Code::TurnOver {
            take_back(desk, &opened);
        }
        return Err(problem);
    }
    asked.asks =
        wanted.iter().map(|wanted| wanted.id.clone()).zip(opened.into_iter().map(Opened::into_ask)).collect();
    Ok(asked)
}

/// Cancels the new asks of a turn that ended meanwhile: no request will wait for them, and no end of the turn cancels
/// them.
fn take_back(desk: &LocalDesk, opened: &[Opened]) {
    for opened in opened {
        if let Opened::New(ask) = opened {
            // A decision made meanwhile stays; the agent gets the turn's end in any case.
            let _ = desk.act(&Who::Asker(ask.request.asker.clone()), ask.id, None, Command::Cancel);
        }
    }
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
        quota: caller.quota(app.quota),
        time_limit_ms: Call::time_limit(body.timeout_ms)?,
        limits: app.limits,
    };
    let (here, _waiting) = (app.clone(), live.begin_request());
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

/// Returns the decision on a settled ask, in the thread's format.
fn made(ask: &Ask, id: &str) -> Decided {
    let Some(outcome) = ask.outcome() else { return Decided::default() };
    let questionnaire = &ask.request.questionnaire;
    let last = ended(questionnaire, outcome).pop();
    let action = last.and_then(|end| end.data.get("action").and_then(Value::as_str).map(str::to_owned));
    Decided { decision: action, result: tool_result(questionnaire, outcome, id) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::threads::wanted::wanted;
    use sayso_desk::Query;
    use sayso_desk::thread::Turn;
    use serde_json::json;
    use tempfile::TempDir;

    #[test]
    fn deleted_thread_cancels_new_asks() {
        let folder = TempDir::new().unwrap();
        let desk = LocalDesk::open(&folder.path().join("desk")).unwrap();
        let thread = desk.new_thread("ada", None).unwrap().id;
        let number = desk.say(&thread, "Go.", None, None).unwrap();
        let message = "Go.".to_owned();
        let live = Live::of(Turn {
            number,
            thread: thread.clone(),
            agent: None,
            message,
            holder: None,
            asks: Vec::new(),
        });
        let calls = json!([{ "id": "a", "name": "execute", "args": { "command": "ls" } }]);
        let body = serde_json::from_value(json!({ "turn": "", "calls": calls })).unwrap();
        let wanted = wanted(body, None).unwrap();
        let asker =
            Asker { name: "bot".to_owned(), folder: None, session: Some(thread.clone()), account: None };
        let terms = Terms { asker, quota: None, time_limit_ms: None, limits: Limits::default() };
        desk.delete_thread(&thread).unwrap();
        let refused = ask_all(&desk, &live, &wanted, &terms).err().map(|problem| problem.code);
        assert_eq!(refused, Some(Code::TurnOver));
        let every = Query { states: Standing::ALL.to_vec(), ..Query::default() };
        let states: Vec<_> = desk.list(&every).unwrap().rows.iter().map(|row| row.state).collect();
        assert_eq!(states, [Standing::Cancelled]);
    }
}
