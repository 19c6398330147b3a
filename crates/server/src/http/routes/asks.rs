//! Routes that open, list, show and find asks.

use super::ask_state::AskState;
use super::outcome_waiter::detach_unless_awaited;
use crate::http::context::{ServerContext, find_visible_ask, visible_ask};
use crate::http::middleware::call::{ApiCall, not_found};
use crate::http::middleware::caller::{AskerParams, AuthenticatedCaller};
use crate::http::middleware::response;
use crate::http::openapi::schemas;
use crate::http::route::{
    ASK, BodySpec, ContentSpec, KEY, OUTSIDE, Parameter, ROLE, ResponseSpec, Route, RouteAccess, RouteMethod,
    ok, run,
};
use axum::http::StatusCode;
use axum::response::Response;
use sayso_core::i18n::action_words::act_phrase;
use sayso_core::i18n::own;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask::AskerPresence;
use sayso_core::wire::{self, json};
use sayso_core::{
    AskReader, Asker, DocumentPath, Lang, Message, NewAsk, Problem, ProblemCode, Questionnaire, limits,
};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};
use sayso_desk::Desk as _;
use sayso_desk::query::PageCursor;
use sayso_desk::token::TokenRole;
use sayso_desk::{AskPage, AskQuery, OpenedAsk, unshared_key};
use sayso_dialects::{AskOptions, Dialect, DialectGuess, DialectLimits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks",
        name: "create_ask",
        summary: "Asks a question in any format. The same request by the same asker finds the existing ask as long \
            as it is open or its answer is not acknowledged; with an `Idempotency-Key` it finds the ask in every \
            state.",
        access: RouteAccess::Asker,
        parameters: &[KEY, ROLE],
        body: BodySpec::json(schemas::schema_of::<NewAskBody>),
        max_body_bytes: limits::NEW_ASK_BODY_BYTES,
        responses: &[
            ResponseSpec { status: 201, description: "The ask is created.", content: ASK },
            ok("The ask already existed.", ASK),
        ],
        problems: &[
            ProblemCode::InvalidRequest,
            ProblemCode::InvalidJson,
            ProblemCode::KeyReused,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::DeskCrowded,
            ProblemCode::DeskFull,
        ],
        handler: run!(create),
    },
    Route {
        method: RouteMethod::Get,
        path: "/v1/asks",
        name: "list_asks",
        summary: "Lists asks: open ones with the longest waiting first, or ended ones with the newest first.",
        access: RouteAccess::Any,
        parameters: &[
            Parameter::query(
                "state",
                "States, separated by commas. The default is open and submitted.",
                schemas::states,
            ),
            Parameter::query(
                "search",
                "Only asks with these words in the title, the questions, the asker's name or the folder.",
                schemas::text,
            ),
            Parameter::query(
                "name",
                "Only asks of the asker with this name, in `folder` or in no folder.",
                schemas::text,
            ),
            Parameter::query("folder", "The folder for `name`.", schemas::text),
            Parameter::query("dialect", "Only asks in this format.", schemas::text),
            Parameter::query(
                "undelivered",
                "Only asks whose outcome, if any, is not acknowledged.",
                schemas::flag,
            ),
            Parameter::query("all", "For an admin: also asks that are for others.", schemas::flag),
            Parameter::query("after", "`next` of the previous page.", schemas::place),
            Parameter::query("rows", "Maximum number of rows.", schemas::rows),
        ],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("A page.", ContentSpec::json(schemas::schema_of::<PageBody>))],
        problems: &[ProblemCode::InvalidValue],
        handler: run!(list),
    },
    Route {
        method: RouteMethod::Get,
        path: "/v1/asks/{id}",
        name: "show_ask",
        summary: "An ask in its current state. The id may be abbreviated, or be the short form that people type. \
            For people, `late` contains the answers that came too late.",
        access: RouteAccess::Any,
        parameters: &[OUTSIDE],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The ask.", ASK)],
        problems: &[ProblemCode::AskNotFound, ProblemCode::AmbiguousId],
        handler: run!(show),
    },
    Route {
        method: RouteMethod::Get,
        path: "/v1/keys/{key}",
        name: "find_by_key",
        summary: "The ask for which this asker used a key.",
        access: RouteAccess::Asker,
        parameters: &[
            Parameter::query("name", "The same as in `from`.", schemas::text),
            Parameter::query("folder", "The same as in `from`.", schemas::text),
            Parameter::query("session", "The same as in `from`.", schemas::text),
            Parameter::query("account", "The same as in `from`.", schemas::text),
            ROLE,
        ],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok("The id.", ContentSpec::json(schemas::schema_of::<AskIdBody>))],
        problems: &[ProblemCode::AskNotFound, ProblemCode::InvalidValue],
        handler: run!(keyed),
    },
];

/// Request in any format, or a questionnaire in canonical form.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAskBody {
    /// Name of the format of the request and its outcome. It is detected if the request fits only one.
    dialect: Option<String>,
    /// The request in its own format.
    #[schemars(with = "Option<serde_json::Value>")]
    request: Option<Box<RawValue>>,
    /// The questionnaire in canonical form, instead of a request.
    questionnaire: Option<Box<Questionnaire>>,
    /// Asker of it.
    #[serde(default)]
    from: AskerParams,
    /// Accounts and groups that may see and answer the ask, if not the usual ones.
    #[serde(rename = "for")]
    audience: Option<Vec<String>>,
    /// The asker judges each submitted answer before it counts.
    #[serde(default)]
    judged: bool,
    /// Milliseconds until it expires.
    #[schemars(range(min = 1, max = 34_560_000_000_i64))]
    timeout_ms: Option<i64>,
    /// True if the asker waits for the outcome. Without it, the asker counts as waiting during its calls.
    waiting: Option<bool>,
    /// The process that waits, on this machine.
    process: Option<ProcessId>,
    /// Makes the id entirely random, for askers that refer to an ask by its first characters.
    random_id: Option<bool>,
}

/// Content of a request to open an ask, parsed from its dialect.
struct ParsedAsk {
    questionnaire: Arc<Questionnaire>,
    dialect: String,
    options: AskOptions,
    random_id: bool,
    warnings: Vec<Problem>,
}

/// Adds a hint to a problem if the body is a bare request that belongs into `request`.
fn hint_misplaced_request(call: &ApiCall, problem: Problem) -> Problem {
    if problem.code == ProblemCode::UnknownMember
        && let Ok(text) = call.text()
        && Dialect::guess(text) != DialectGuess::None
    {
        return problem.with_hint(Message::PutIntoRequest);
    }
    problem
}

fn parse_ask(
    body: &mut NewAskBody,
    limits: &DialectLimits,
    usual: Option<Dialect>,
) -> Result<ParsedAsk, Problem> {
    match (body.request.take(), body.questionnaire.take()) {
        (Some(request), None) => {
            let text = request.get();
            let dialect = match &body.dialect {
                Some(name) => Dialect::from_name(name)?,
                None => detect_dialect(text, usual)?,
            };
            let request = match dialect.read(text, limits) {
                Ok(request) => request,
                Err(problems) => {
                    return Err(Problem::from_request(problems).at(DocumentPath::root().join("request")));
                }
            };
            Ok(ParsedAsk {
                questionnaire: Arc::new(request.questionnaire),
                dialect: dialect.name().to_owned(),
                options: request.options,
                random_id: dialect.uses_short_ids(),
                warnings: request.warnings,
            })
        }
        (None, Some(questionnaire)) => {
            let Some(dialect) = body.dialect.take() else { return Err(Problem::missing_member("dialect")) };
            // Only the other formats allow what ours refuses; a name of no format gives no leave.
            if Dialect::from_name(&dialect).unwrap_or(Dialect::Sayso) == Dialect::Sayso {
                check_consent_rules(&questionnaire)?;
            }
            Ok(ParsedAsk {
                questionnaire: Arc::new(*questionnaire),
                dialect,
                options: AskOptions::default(),
                random_id: false,
                warnings: Vec::new(),
            })
        }
        (None, None) => Err(Problem::missing_member("request")),
        (Some(_), Some(_)) => {
            let message = Message::OneOfTwo.with(["request", "questionnaire"]);
            Err(Problem::new(ProblemCode::InvalidRequest, message))
        }
    }
}

/// Detects the format of a member `request`.
///
/// # Errors
/// Fails if it has the shape of none, or of several.
pub(in crate::http) fn detect_dialect(text: &str, usual: Option<Dialect>) -> Result<Dialect, Problem> {
    match Dialect::detect(text, usual) {
        Ok(dialect) => Ok(dialect),
        Err(problem) if problem.code == ProblemCode::UnknownDialect => {
            Err(problem.with_hint(Message::NameFormat))
        }
        Err(problem) => Err(problem.at(DocumentPath::root().join("request"))),
    }
}

/// Applies the consent rules of our own format to its canonical form, too.
fn check_consent_rules(questionnaire: &Questionnaire) -> Result<(), Problem> {
    let problems = wire::questionnaire::consent_problems(questionnaire);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Problem::from_request(problems).at(DocumentPath::root().join("questionnaire")))
}

pub(crate) async fn create(asks: Arc<AskState>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let mut body: NewAskBody = call.parse_json().map_err(|problem| hint_misplaced_request(&call, problem))?;
    let time_limit_ms = ApiCall::check_time_limit(body.timeout_ms)?;
    let asker = caller.to_asker(std::mem::take(&mut body.from))?;
    let key = call.idempotency_key()?;
    let process = if call.is_of_this_machine() { body.process.take() } else { None };
    let quota = caller.ask_quota(asks.quota);
    let audience = caller.audience_choice(&asks.context.default_audience);
    let limits = asks.limits;
    let usual_dialect = asks.dialect;
    // Without a statement about waiting, the asker counts as waiting while one of its calls does.
    let waits_by_calls = body.waiting.is_none();
    let desk_call = asks.context.with_desk(move |desk| {
        let ParsedAsk { questionnaire, dialect, options, random_id, warnings } =
            parse_ask(&mut body, &limits, usual_dialect)?;
        let is_waiting = body.waiting.unwrap_or(options.is_waiting);
        let process = if is_waiting { process } else { None };
        let key = unshared_key(key, &questionnaire, process);
        let new_ask = NewAsk {
            questionnaire,
            dialect,
            asker,
            needs_verdict: body.judged,
            time_limit_ms: time_limit_ms.or(options.time_limit_ms),
            process,
            random_id: body.random_id.unwrap_or(random_id),
            draft_key: None,
            is_waiting,
            quota,
            program: None,
            audience: Some(audience.choose(desk, body.audience.as_deref())?),
        };
        Ok((desk.open(key.as_deref(), new_ask)?, warnings))
    });
    let (result, warnings) = desk_call.await?;
    let status = match &result {
        OpenedAsk::New(_) => StatusCode::CREATED,
        OpenedAsk::Existing(_) => StatusCode::OK,
    };
    let ask = result.ask();
    if waits_by_calls && matches!(ask.state.presence, AskerPresence::Attached { .. }) {
        detach_unless_awaited(&asks.context, ask.id);
    }
    Ok(response::new_ask(status, ask, &warnings, call.lang))
}

/// Query parameters of the list of asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    state: Option<String>,
    search: Option<String>,
    /// Name that the ask was opened under, in the folder of `folder`.
    name: Option<String>,
    folder: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    undelivered: bool,
    /// Also asks for others; admins only.
    #[serde(default)]
    all: bool,
    after: Option<String>,
    rows: Option<String>,
}

impl ListParams {
    fn into_query(self, caller: &AuthenticatedCaller) -> Result<AskQuery, Problem> {
        let states = match &self.state {
            Some(list) => parse_states(list)?,
            None => Vec::new(),
        };
        let after = self.after.as_deref().map(parse_page_cursor).transpose()?;
        let reader = match (self.all, caller.role) {
            (false, _) => caller.reader.clone(),
            (true, TokenRole::Admin) => AskReader::Desk,
            (true, TokenRole::Asker | TokenRole::Person | TokenRole::Service) => {
                return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdmins));
            }
        };
        let rows = ApiCall::parse_number("rows", self.rows.as_deref(), 1..=limits::LIST_ROWS as u64)?;
        Ok(AskQuery {
            states,
            search: self.search,
            asker: self.name.map(|name| Asker { name, folder: self.folder, ..Asker::default() }),
            dialect: self.dialect,
            undelivered: self.undelivered,
            reader,
            all: self.all,
            after,
            rows: rows.and_then(|rows| usize::try_from(rows).ok()),
        })
    }
}

fn parse_page_cursor(text: &str) -> Result<PageCursor, Problem> {
    match PageCursor::parse(text) {
        Some(cursor) => Ok(cursor),
        None => Err(Problem::invalid_value("after", text)),
    }
}

/// Parses states, separated by commas.
fn parse_states(list: &str) -> Result<Vec<AskStatus>, Problem> {
    let mut states = Vec::new();
    for word in list.split(',') {
        let Some(state) = AskStatus::parse(word) else {
            let names = AskStatus::ALL.map(AskStatus::as_str).join(", ");
            return Err(Problem::invalid_value("state", word).with_hint(Message::OneOf.with([own(names)])));
        };
        states.push(state);
    }
    Ok(states)
}

/// One row of a list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AskRow {
    #[serde(flatten)]
    summary: AskSummary,
    /// The act in the caller's language, escaped for display: a list shows it instead of the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    act_phrase: Option<String>,
}

impl AskRow {
    fn new(summary: AskSummary, lang: Lang) -> Self {
        let act_phrase = summary.act.as_ref().map(|act| act_phrase(act, lang));
        Self { summary, act_phrase }
    }
}

/// One page of a list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PageBody {
    /// The rows.
    asks: Vec<AskRow>,
    /// Cursor of the next page, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

pub(crate) async fn list(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let query = call.parse_query::<ListParams>()?.into_query(call.caller()?)?;
    let AskPage { rows, next, .. } = context.with_desk(move |desk| desk.list(&query)).await?;
    let mut asks = Vec::new();
    for summary in rows {
        asks.push(AskRow::new(summary, call.lang));
    }
    let page = PageBody { asks, next: next.map(|next| next.to_string()) };
    Ok(response::json(StatusCode::OK, json::write(&page)))
}

pub(crate) async fn show(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let id_prefix = call.path_param().to_owned();
    let desk_call = context.with_desk(move |desk| {
        let ask = find_visible_ask(desk, &caller, &id_prefix)?;
        // Text that a person typed and never submitted is visible to people only.
        let late_submissions = if caller.is_person() { desk.late_submissions(ask.id)? } else { Vec::new() };
        Ok((ask, late_submissions))
    });
    let (ask, late_submissions) = desk_call.await?;
    Ok(response::ask_with_late(&ask, &late_submissions))
}

/// An ask.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AskIdBody {
    /// The id.
    ask: sayso_core::AskId,
}

pub(crate) async fn keyed(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let asker: Asker = caller.to_asker(call.parse_query::<AskerParams>()?)?;
    let key = call.path_param().to_owned();
    let desk_call = context.with_desk(move |desk| {
        let Some(id) = desk.find_by_key(&asker, &key)? else { return Err(not_found(&key)) };
        match visible_ask(desk, &caller, id) {
            // The error names the key alone.
            Err(problem) if problem.code == ProblemCode::AskNotFound => Err(not_found(&key)),
            result => result,
        }
    });
    let ask = desk_call.await?.id;
    Ok(response::json(StatusCode::OK, json::write(&AskIdBody { ask })))
}
