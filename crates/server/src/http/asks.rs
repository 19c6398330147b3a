//! Routes that open, list, show and find asks.

use super::app::{App, visible};
use super::call::{Call, not_found};
use super::caller::{Caller, From};
use super::held::gone_unless_awaited;
use super::reply;
use super::route::{ASK, Access, Body, Content, KEY, Parameter, ROLE, Reply, Route, Verb, ok, run};
use super::shapes;
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::ask::Presence;
use sayso_core::row::{Row, Standing};
use sayso_core::who::Process;
use sayso_core::wire::{self, json};
use sayso_core::{Asker, Code, Message, NewAsk, Path, Problem, Questionnaire, limits};
use sayso_desk::query::Place;
use sayso_desk::{Desk as _, Opened, Page, Query};
use sayso_dialects::{Asking, Dialect, Guess, Limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/v1/asks",
        name: "create_ask",
        about: "Asks, in any dialect. The same request by the same asker finds the ask while it is open or its answer \
                is not acknowledged; with an Idempotency-Key it is found however it ended.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::new_ask),
        replies: &[
            Reply { status: 201, about: "It is asked.", content: ASK },
            ok("It was asked before.", ASK),
        ],
        problems: &[
            Code::InvalidRequest,
            Code::InvalidJson,
            Code::KeyReused,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskCrowded,
            Code::DeskFull,
        ],
        run: run!(create),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks",
        name: "list_asks",
        about: "Lists asks: what waits, the longest waiting first; or what has ended, the newest first.",
        access: Access::Any,
        parameters: &[
            Parameter::query(
                "state",
                "States, with commas between them; open and submitted where it is left out.",
                shapes::states,
            ),
            Parameter::query(
                "search",
                "Words in the title, the questions, the asker or the folder.",
                shapes::text,
            ),
            Parameter::query(
                "name",
                "Asked under this name, in the folder of `folder` or in none.",
                shapes::text,
            ),
            Parameter::query("folder", "The folder that goes with `name`.", shapes::text),
            Parameter::query("dialect", "In the dialect of this name.", shapes::text),
            Parameter::query(
                "undelivered",
                "Only those whose outcome, if there is one, is not acknowledged.",
                shapes::flag,
            ),
            Parameter::query("after", "The `next` of the page before.", shapes::place),
            Parameter::query("rows", "Rows at most.", shapes::rows),
        ],
        body: Body::None,
        replies: &[ok("A page.", Content::Json(shapes::page))],
        problems: &[Code::InvalidValue],
        run: run!(list),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks/{id}",
        name: "show_ask",
        about: "An ask as it stands. The id may be cut short, and may be the short form that people type. People \
                read there what was said too late, as `late`.",
        access: Access::Any,
        parameters: &[],
        body: Body::None,
        replies: &[ok("The ask.", ASK)],
        problems: &[Code::AskNotFound, Code::AmbiguousId],
        run: run!(show),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/keys/{key}",
        name: "find_by_key",
        about: "The ask that this asker used a key on.",
        access: Access::Asker,
        parameters: &[
            Parameter::query("name", "As in `from`.", shapes::text),
            Parameter::query("folder", "As in `from`.", shapes::text),
            Parameter::query("session", "As in `from`.", shapes::text),
            Parameter::query("account", "As in `from`.", shapes::text),
            ROLE,
        ],
        body: Body::None,
        replies: &[ok("Its id.", Content::Json(shapes::found))],
        problems: &[Code::AskNotFound, Code::InvalidValue],
        run: run!(keyed),
    },
];

/// What to ask: a request in a dialect, or a questionnaire in the canonical form.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewBody {
    /// The dialect of the request, and of its outcome. It is guessed where that is clear.
    dialect: Option<String>,
    /// The request, as its dialect has it.
    #[schemars(with = "Option<serde_json::Value>")]
    request: Option<Box<RawValue>>,
    /// The questionnaire in its canonical form, instead of a request.
    questionnaire: Option<Box<Questionnaire>>,
    /// Who asks.
    #[serde(default)]
    from: From,
    /// The asker judges each submitted answer before it counts.
    #[serde(default)]
    judged: bool,
    /// After how many milliseconds it ends by itself.
    #[schemars(range(min = 1, max = 34_560_000_000_i64))]
    timeout_ms: Option<i64>,
    /// Whether the asker waits for the outcome. Where it does not say, it does as long as it waits in some call.
    waiting: Option<bool>,
    /// The process that waits, on this machine.
    process: Option<Process>,
    /// The id is random all over, for askers that call an ask by its first characters.
    random_id: Option<bool>,
}

/// Content of a request to open an ask, parsed from its dialect.
struct Wanted {
    questionnaire: Arc<Questionnaire>,
    dialect: String,
    asking: Asking,
    random_id: bool,
    warnings: Vec<Problem>,
}

/// Adds a hint to a problem if the body is a bare request that belongs into `request`.
fn not_in_request(call: &Call, problem: Problem) -> Problem {
    let is_request = || call.text().is_ok_and(|text| Dialect::guess(text) != Guess::None);
    match problem.code {
        Code::UnknownMember if is_request() => problem.hint(Message::PutIntoRequest),
        _ => problem,
    }
}

fn wanted(body: &mut NewBody, limits: &Limits, usual: Option<Dialect>) -> Result<Wanted, Problem> {
    match (body.request.take(), body.questionnaire.take()) {
        (Some(request), None) => {
            let text = request.get();
            let dialect = match &body.dialect {
                Some(name) => Dialect::named(name)?,
                None => Dialect::of_request(text, usual).map_err(|problem| match problem.code {
                    Code::UnknownDialect => problem.hint(Message::NameDialect),
                    _ => problem.at(Path::root().then("request")),
                })?,
            };
            let read = dialect
                .read(text, limits)
                .map_err(|problems| Problem::in_request(problems).at(Path::root().then("request")))?;
            Ok(Wanted {
                questionnaire: Arc::new(read.questionnaire),
                dialect: dialect.name().to_owned(),
                asking: read.asking,
                random_id: dialect.names_asks_by_their_beginning(),
                warnings: read.warnings,
            })
        }
        (None, Some(questionnaire)) => {
            let dialect = body.dialect.take().ok_or_else(|| Problem::needs_member("dialect"))?;
            if dialect == Dialect::Sayso.name() {
                must_not_steer_consent(&questionnaire)?;
            }
            Ok(Wanted {
                questionnaire: Arc::new(*questionnaire),
                dialect,
                asking: Asking::default(),
                random_id: false,
                warnings: Vec::new(),
            })
        }
        (None, None) => Err(Problem::needs_member("request")),
        (Some(_), Some(_)) => {
            let said = Message::OneOfTwo.with(["request", "questionnaire"]);
            Err(Problem::new(Code::InvalidRequest, said))
        }
    }
}

/// Applies the consent rules of our own format to its canonical form, too.
fn must_not_steer_consent(questionnaire: &Questionnaire) -> Result<(), Problem> {
    let problems = wire::questionnaire::consent_problems(questionnaire);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Problem::in_request(problems).at(Path::root().then("questionnaire")))
}

pub(super) async fn create(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let mut body: NewBody = call.json().map_err(|problem| not_in_request(&call, problem))?;
    let time_limit_ms = Call::time_limit(body.timeout_ms)?;
    let asker = caller.asker(std::mem::take(&mut body.from))?;
    let key = call.key()?;
    let process = body.process.take().filter(|_| call.is_of_this_machine());
    let quota = caller.quota(app.quota);
    let (limits, usual) = (app.limits, app.dialect);
    // Without a statement about waiting, the asker counts as waiting while one of its calls does.
    let is_seen = body.waiting.is_none();
    let (opened, warnings) = app
        .at_desk(move |desk| {
            let wanted = wanted(&mut body, &limits, usual)?;
            let waits = body.waiting.unwrap_or(wanted.asking.waits);
            let new = NewAsk {
                questionnaire: wanted.questionnaire,
                dialect: wanted.dialect,
                asker,
                judged: body.judged,
                time_limit_ms: time_limit_ms.or(wanted.asking.time_limit_ms),
                process: process.filter(|_| waits),
                random_id: body.random_id.unwrap_or(wanted.random_id),
                draft_key: None,
                waits,
                quota,
                program: None,
            };
            Ok((desk.open(key.as_deref(), new)?, wanted.warnings))
        })
        .await?;
    if is_seen && matches!(opened.ask().state.presence, Presence::Attached { .. }) {
        gone_unless_awaited(&app, opened.ask().id);
    }
    let status = match opened {
        Opened::New(_) => StatusCode::CREATED,
        Opened::Same(_) => StatusCode::OK,
    };
    Ok(reply::new_ask(status, opened.ask(), &warnings, call.lang))
}

/// Query parameters of the list of asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    state: Option<String>,
    search: Option<String>,
    /// Name that the ask was opened under, in the folder of `folder`.
    name: Option<String>,
    folder: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    undelivered: bool,
    after: Option<String>,
    rows: Option<String>,
}

impl Wish {
    fn query(self, caller: &Caller) -> Result<Query, Problem> {
        let words = self.state.iter().flat_map(|states| states.split(','));
        let unknown = |word: &str| {
            let known = Standing::ALL.map(Standing::as_str).join(", ");
            Problem::no_such_value("state", word).hint(Message::OneOf.with([known]))
        };
        let states = words
            .map(|word| Standing::parse(word).ok_or_else(|| unknown(word)))
            .collect::<Result<Vec<_>, _>>()?;
        let place = |text: &str| Place::parse(text).ok_or_else(|| Problem::no_such_value("after", text));
        let rows = Call::number("rows", self.rows.as_deref(), 1..=limits::LIST_ROWS as u64)?;
        Ok(Query {
            states,
            search: self.search,
            asker: self.name.map(|name| Asker { name, folder: self.folder, ..Asker::default() }),
            dialect: self.dialect,
            undelivered: self.undelivered,
            account: caller.sees_its_own_alone().then(|| caller.account.clone()),
            after: self.after.as_deref().map(place).transpose()?,
            rows: rows.and_then(|rows| usize::try_from(rows).ok()),
        })
    }
}

/// One page of a list.
#[derive(Serialize, JsonSchema)]
pub(super) struct PageBody {
    /// The rows.
    asks: Vec<Row>,
    /// Where the next page begins, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Asks that the search has yet to index, and that are missing here; repeat the request until this is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    unindexed: Option<u64>,
}

pub(super) async fn list(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let query = call.query::<Wish>()?.query(call.caller()?)?;
    let Page { rows, next, unindexed } = app.at_desk(move |desk| desk.list(&query)).await?;
    let unindexed = (unindexed > 0).then_some(unindexed);
    let page = PageBody { asks: rows, next: next.map(|next| next.to_string()), unindexed };
    Ok(reply::json(StatusCode::OK, json::write(&page)))
}

pub(super) async fn show(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let given = call.part().to_owned();
    let (ask, late) = app
        .at_desk(move |desk| {
            let id = match caller.sees_its_own_alone() {
                true => desk.find_of(&caller.account, &given)?,
                false => desk.find(&given)?,
            };
            let ask = visible(desk, &caller, id)?;
            // Text that a person typed and never submitted is visible to people only.
            let late = if caller.is_person() { desk.late(id)? } else { Vec::new() };
            Ok((ask, late))
        })
        .await?;
    Ok(reply::ask_with_late(&ask, &late))
}

/// An ask that was found.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Found")]
pub(super) struct Found {
    /// Its id.
    ask: sayso_core::AskId,
}

pub(super) async fn keyed(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let asker: Asker = call.caller()?.asker(call.query::<From>()?)?;
    let key = call.part().to_owned();
    let shown = key.clone();
    let found = app.at_desk(move |desk| desk.keyed(&asker, &key)).await?;
    let ask = found.ok_or_else(|| not_found(&shown))?;
    Ok(reply::json(StatusCode::OK, json::write(&Found { ask })))
}
