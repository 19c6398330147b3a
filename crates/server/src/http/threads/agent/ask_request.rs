//! Parser of an agent's request to ask, which reports problems in terms of the original body.

use crate::http::routes::asks::detect_dialect;
use sayso_core::i18n::foreign;
use sayso_core::model::document_path::PathStep;
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Lang, Message, Problem, ProblemCode, limits};
use sayso_dialects::interrupt::{
    TranslationLoss, data_from_call, drop_derived_words, split_requests, write_request,
};
use sayso_dialects::{Dialect, DialectLimits, ParsedRequest};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;

/// Request of an agent: for approval of an action, or for answers.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnAsk {
    /// The turn's id, as received with the turn.
    pub(crate) turn: String,
    /// Tool calls that each need a decision; `ask_user` asks questions.
    #[serde(default)]
    calls: Vec<ToolCall>,
    /// Instead of calls: a request in any format.
    request: Option<Value>,
    /// Name of its format; detected if the request fits only one.
    dialect: Option<String>,
    /// Key that distinguishes this request from others of the turn.
    id: Option<String>,
    /// Milliseconds until it expires.
    #[schemars(range(min = 1, max = 34_560_000_000_i64))]
    pub(crate) timeout_ms: Option<i64>,
}

/// A tool call, as a model makes it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ToolCall {
    /// Key that distinguishes it from others of the turn.
    id: String,
    /// The tool.
    name: String,
    /// Its arguments.
    args: Value,
}

/// One request to ask at the desk.
pub(super) struct TurnAskRequest {
    pub(crate) id: String,
    pub(crate) dialect: Dialect,
    text: String,
    place: RequestPlace,
}

/// Place of a request in the body.
enum RequestPlace {
    /// Call with this index, and the size of its arguments in bytes.
    Call(usize, usize),
    /// Action request with this index.
    Part(usize),
    /// Whole request.
    Request,
}

impl RequestPlace {
    fn path(&self) -> DocumentPath {
        match self {
            Self::Call(at, _) => DocumentPath::root().join("calls").join(*at),
            Self::Part(_) | Self::Request => DocumentPath::root().join("request"),
        }
    }

    /// Maps a path in the generated interrupt to a path in the body, relative to [`path`](Self::path).
    fn map_path(&self, interrupt_path: &DocumentPath) -> DocumentPath {
        let mut path = match self {
            Self::Call(..) => DocumentPath::root(),
            Self::Part(at) => DocumentPath::root().join("data").join("action_requests").join(*at),
            Self::Request => return interrupt_path.clone(),
        };
        match interrupt_path.0.as_slice() {
            [PathStep::Key(data), PathStep::Key(requests), PathStep::Index(0), rest @ ..]
                if data == "data" && requests == "action_requests" =>
            {
                path.0.extend_from_slice(rest);
            }
            steps @ [PathStep::Key(questions), ..] if questions == "questions" => {
                path.0.push(PathStep::from("args"));
                path.0.extend_from_slice(steps);
            }
            _ if matches!(self, Self::Call(..)) => {}
            _ => return interrupt_path.clone(),
        }
        path
    }
}

impl TurnAskRequest {
    /// Parses the request, and collects what an interrupt cannot show of it.
    ///
    /// # Errors
    /// Returns the problem of the request.
    pub(crate) fn parse(
        &self,
        limits: &DialectLimits,
        losses: &mut Vec<TranslationLoss>,
    ) -> Result<ParsedRequest, Problem> {
        let mut request = match self.dialect.read(&self.text, limits) {
            Ok(request) => request,
            Err(problems) => return Err(self.relocate_problem(Problem::from_request(problems))),
        };
        if self.dialect == Dialect::Interrupt {
            drop_derived_words(&mut request.questionnaire);
        } else {
            losses.extend(write_request(&request.questionnaire, Lang::En).lost);
        }
        Ok(request)
    }

    /// Returns a problem with its path in terms of the body.
    pub(super) fn relocate_problem(&self, mut problem: Problem) -> Problem {
        let mut causes = Vec::new();
        for cause in problem.causes {
            let path = self.place.map_path(&cause.path);
            causes.push(cause.at(path));
        }
        problem.causes = causes;
        match (problem.code, &self.place) {
            (ProblemCode::KeyReused, place) => {
                let path =
                    if matches!(place, RequestPlace::Call(..)) { place.path() } else { DocumentPath::root() };
                let message = Message::KeyReused.with([foreign(&self.id)]);
                Problem { message, ..problem.at(path.join("id")) }
            }
            (ProblemCode::TooLarge, RequestPlace::Call(_, bytes)) => {
                let sizes = [*bytes, self.text.len(), limits::REQUEST_BYTES];
                Problem { message: Message::CallTooLarge.with(sizes), ..problem.at(self.place.path()) }
            }
            (
                ProblemCode::InvalidRequest
                | ProblemCode::InvalidJson
                | ProblemCode::TooDeep
                | ProblemCode::TooLarge,
                place,
            ) => problem.at(place.path()),
            _ => problem,
        }
    }
}

/// Parses the body into requests, one per call or action.
///
/// # Errors
/// Fails if the body has no request or too many, two ids are equal, or the dialect is ambiguous.
pub(super) fn parse_requests(body: TurnAsk, usual: Option<Dialect>) -> Result<Vec<TurnAskRequest>, Problem> {
    let TurnAsk { calls, request, dialect, id, .. } = body;
    let dialect = dialect.as_deref().map(Dialect::from_name).transpose()?;
    match request {
        None if calls.is_empty() => Err(Problem::missing_member("calls")),
        None => from_calls(calls),
        Some(_) if !calls.is_empty() => {
            Err(Problem::new(ProblemCode::InvalidRequest, Message::OneOfTwo.with(["calls", "request"])))
        }
        Some(request) => {
            let Some(id) = id else { return Err(Problem::missing_member("id")) };
            check_id(&id).map_err(|problem| problem.at(DocumentPath::root().join("id")))?;
            from_request(&request, id, dialect, usual)
        }
    }
}

fn check_id(id: &str) -> Result<(), Problem> {
    if id.len() <= limits::CALL_ID_BYTES {
        return Ok(());
    }
    Err(Problem::new(ProblemCode::TooBig, Message::TextAbove.with([limits::CALL_ID_BYTES])))
}

fn from_calls(calls: Vec<ToolCall>) -> Result<Vec<TurnAskRequest>, Problem> {
    if calls.len() > limits::PENDING_CALLS {
        let message = Message::ManyElements.with([limits::PENDING_CALLS]);
        return Err(Problem::new(ProblemCode::TooBig, message).at(DocumentPath::root().join("calls")));
    }
    let mut ids = HashSet::new();
    let mut requests = Vec::new();
    for (at, ToolCall { id, name, args }) in calls.into_iter().enumerate() {
        let place = RequestPlace::Call(at, json::write(&args).len());
        check_id(&id).map_err(|problem| problem.at(place.path().join("id")))?;
        if !ids.insert(id.clone()) {
            let message = Message::DuplicateId.with([foreign(&id)]);
            return Err(Problem::new(ProblemCode::DuplicateId, message).at(place.path().join("id")));
        }
        let text = json::write(&data_from_call(&name, &args));
        requests.push(TurnAskRequest { id, dialect: Dialect::Interrupt, text, place });
    }
    Ok(requests)
}

fn from_request(
    request: &Value,
    id: String,
    dialect: Option<Dialect>,
    usual: Option<Dialect>,
) -> Result<Vec<TurnAskRequest>, Problem> {
    let text = json::write(request);
    let dialect = match dialect {
        Some(dialect) => dialect,
        None => detect_dialect(&text, usual)?,
    };
    if dialect != Dialect::Interrupt {
        return Ok(vec![TurnAskRequest { id, dialect, text, place: RequestPlace::Request }]);
    }
    let parts = match split_requests(request) {
        Ok(parts) => parts,
        Err(problem) => {
            let mut path = RequestPlace::Request.path();
            path.0.extend_from_slice(&problem.path.0);
            return Err(problem.at(path));
        }
    };
    if let [part] = parts.as_slice() {
        let text = json::write(part);
        return Ok(vec![TurnAskRequest { id, dialect, text, place: RequestPlace::Request }]);
    }
    let mut requests = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let text = json::write(part);
        let place = RequestPlace::Part(at);
        requests.push(TurnAskRequest { id: format!("{id}.{at}"), dialect, text, place });
    }
    Ok(requests)
}
