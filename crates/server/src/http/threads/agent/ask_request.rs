//! Parser of an agent's request to ask, which reports problems in terms of the original body.

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
    fn map_path(&self, made: &DocumentPath) -> DocumentPath {
        let key = |step: &PathStep, name: &str| matches!(step, PathStep::Key(key) if key == name);
        let steps = made.0.as_slice();
        let (in_action, rest) = match steps {
            [data, requests, PathStep::Index(0), rest @ ..]
                if key(data, "data") && key(requests, "action_requests") =>
            {
                (Vec::new(), rest)
            }
            [questions, ..] if key(questions, "questions") => (vec![PathStep::from("args")], steps),
            _ => {
                return if matches!(self, Self::Call(..)) { DocumentPath::root() } else { made.clone() };
            }
        };
        let before = match self {
            Self::Call(..) => DocumentPath::root(),
            Self::Part(at) => DocumentPath::root().join("data").join("action_requests").join(*at),
            Self::Request => return made.clone(),
        };
        DocumentPath(before.0.into_iter().chain(in_action).chain(rest.iter().cloned()).collect())
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
        lost: &mut Vec<TranslationLoss>,
    ) -> Result<ParsedRequest, Problem> {
        let read = self.dialect.read(&self.text, limits);
        let mut read = read.map_err(|problems| self.relocate_problem(Problem::from_request(problems)))?;
        if self.dialect == Dialect::Interrupt {
            drop_derived_words(&mut read.questionnaire);
        } else {
            lost.extend(write_request(&read.questionnaire, Lang::En).lost);
        }
        Ok(read)
    }

    /// Returns a problem with its path in terms of the body.
    pub(super) fn relocate_problem(&self, problem: Problem) -> Problem {
        let causes = problem.causes.into_iter().map(|cause| {
            let at = self.place.map_path(&cause.path);
            cause.at(at)
        });
        let problem = Problem { causes: causes.collect(), ..problem };
        match (problem.code, &self.place) {
            (ProblemCode::KeyReused, place) => {
                let id =
                    if matches!(place, RequestPlace::Call(..)) { place.path() } else { DocumentPath::root() };
                let message = Message::KeyReused.with([foreign(&self.id)]);
                Problem { message, ..problem.at(id.join("id")) }
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
    let named = dialect.as_deref().map(Dialect::from_name).transpose()?;
    match request {
        None if calls.is_empty() => Err(Problem::missing_member("calls")),
        None => from_calls(calls),
        Some(_) if !calls.is_empty() => {
            Err(Problem::new(ProblemCode::InvalidRequest, Message::OneOfTwo.with(["calls", "request"])))
        }
        Some(request) => {
            let id = id.ok_or_else(|| Problem::missing_member("id"))?;
            check_id(&id, || DocumentPath::root().join("id"))?;
            from_request(&request, id, named, usual)
        }
    }
}

fn check_id(id: &str, place: impl Fn() -> DocumentPath) -> Result<(), Problem> {
    if id.len() <= limits::CALL_ID_BYTES {
        return Ok(());
    }
    let message = Message::TextAbove.with([limits::CALL_ID_BYTES]);
    Err(Problem::new(ProblemCode::TooBig, message).at(place()))
}

fn from_calls(calls: Vec<ToolCall>) -> Result<Vec<TurnAskRequest>, Problem> {
    let place = || DocumentPath::root().join("calls");
    if calls.len() > limits::PENDING_CALLS {
        let message = Message::ManyElements.with([limits::PENDING_CALLS]);
        return Err(Problem::new(ProblemCode::TooBig, message).at(place()));
    }
    for (at, call) in calls.iter().enumerate() {
        check_id(&call.id, || place().join(at).join("id"))?;
    }
    let mut ids = HashSet::new();
    if let Some(twice) = calls.iter().position(|call| !ids.insert(call.id.as_str())) {
        let message = Message::DuplicateId
            .with([foreign(calls.get(twice).map(|call| call.id.clone()).unwrap_or_default())]);
        return Err(Problem::new(ProblemCode::DuplicateId, message).at(place().join(twice).join("id")));
    }
    let one = |(at, ToolCall { id, name, args }): (usize, ToolCall)| TurnAskRequest {
        id,
        dialect: Dialect::Interrupt,
        text: json::write(&data_from_call(&name, &args)),
        place: RequestPlace::Call(at, json::write(&args).len()),
    };
    Ok(calls.into_iter().enumerate().map(one).collect())
}

fn from_request(
    request: &Value,
    id: String,
    named: Option<Dialect>,
    usual: Option<Dialect>,
) -> Result<Vec<TurnAskRequest>, Problem> {
    let text = json::write(request);
    let at_request = |problem: Problem| match problem.code {
        ProblemCode::UnknownDialect => problem.with_hint(Message::NameFormat),
        _ => problem.at(RequestPlace::Request.path()),
    };
    let dialect = named.map_or_else(|| Dialect::detect(&text, usual).map_err(at_request), Ok)?;
    if dialect != Dialect::Interrupt {
        return Ok(vec![TurnAskRequest { id, dialect, text, place: RequestPlace::Request }]);
    }
    let parts = split_requests(request).map_err(|problem| {
        let below =
            RequestPlace::Request.path().0.into_iter().chain(problem.path.0.iter().cloned()).collect();
        problem.at(DocumentPath(below))
    })?;
    let several = parts.len() > 1;
    let one = |(at, part): (usize, Value)| TurnAskRequest {
        id: if several { format!("{id}.{at}") } else { id.clone() },
        dialect,
        text: json::write(&part),
        place: if several { RequestPlace::Part(at) } else { RequestPlace::Request },
    };
    Ok(parts.into_iter().enumerate().map(one).collect())
}
