//! Parser of an agent's request to ask, which reports problems in terms of the original body.

use sayso_core::problem::Step;
use sayso_core::wire::json;
use sayso_core::{Code, Message, Path, Problem, Questionnaire, limits};
use sayso_dialects::interrupt::{left_out, of_call, split};
use sayso_dialects::{Dialect, Limits, Lost, Read};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;

/// What an agent asks: to be let do something, or answers.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnAsk {
    /// The turn, as it was given.
    pub(super) turn: String,
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
    pub(super) timeout_ms: Option<i64>,
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

/// One request to ask at the desk.
pub(super) struct Wanted {
    pub(super) id: String,
    pub(super) dialect: Dialect,
    text: String,
    place: Place,
}

/// Place of a request in the body.
enum Place {
    /// Call with this index, and the size of its arguments in bytes.
    Call(usize, usize),
    /// Action request with this index.
    Part(usize),
    /// Whole request.
    Request,
}

impl Place {
    fn path(&self) -> Path {
        match self {
            Self::Call(at, _) => Path::root().then("calls").then(*at),
            Self::Part(_) | Self::Request => Path::root().then("request"),
        }
    }

    /// Maps a path in the generated interrupt to a path in the body, relative to [`path`](Self::path).
    fn below(&self, made: &Path) -> Path {
        let key = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
        let steps = made.0.as_slice();
        let (in_action, rest) = match steps {
            [data, requests, Step::Index(0), rest @ ..]
                if key(data, "data") && key(requests, "action_requests") =>
            {
                (Vec::new(), rest)
            }
            [questions, ..] if key(questions, "questions") => (vec![Step::from("args")], steps),
            _ => {
                return if matches!(self, Self::Call(..)) { Path::root() } else { made.clone() };
            }
        };
        let before = match self {
            Self::Call(..) => Path::root(),
            Self::Part(at) => Path::root().then("data").then("action_requests").then(*at),
            Self::Request => return made.clone(),
        };
        Path(before.0.into_iter().chain(in_action).chain(rest.iter().cloned()).collect())
    }
}

impl Wanted {
    /// Parses the request, and collects what an interrupt cannot show of it.
    ///
    /// # Errors
    /// Returns the problem of the request; also if it cannot be answered in a thread.
    pub(super) fn read(&self, limits: &Limits, lost: &mut Vec<Lost>) -> Result<Read, Problem> {
        let read = self.dialect.read(&self.text, limits);
        let read = read.map_err(|problems| self.told(Problem::in_request(problems)))?;
        if self.dialect != Dialect::Interrupt {
            can_be_answered(&read.questionnaire).map_err(|problem| problem.at(self.place.path()))?;
            lost.extend(Dialect::Interrupt.request(&read.questionnaire, limits).lost);
        }
        Ok(read)
    }

    /// Returns a problem with its path in terms of the body.
    pub(super) fn told(&self, problem: Problem) -> Problem {
        let causes = problem.causes.into_iter().map(|cause| {
            let at = self.place.below(&cause.path);
            cause.at(at)
        });
        let problem = Problem { causes: causes.collect(), ..problem };
        match (problem.code, &self.place) {
            (Code::KeyReused, place) => {
                let id = if matches!(place, Place::Call(..)) { place.path() } else { Path::root() };
                let message = Message::KeyReused.with([&self.id]);
                Problem { message, ..problem.at(id.then("id")) }
            }
            (Code::TooLarge, Place::Call(_, bytes)) => {
                let said = [*bytes, self.text.len(), limits::REQUEST_BYTES];
                Problem { message: Message::CallTooLarge.with(said), ..problem.at(self.place.path()) }
            }
            (Code::InvalidRequest | Code::InvalidJson | Code::TooDeep | Code::TooLarge, place) => {
                problem.at(place.path())
            }
            _ => problem,
        }
    }
}

/// Validates that a person can answer with what an interrupt shows.
fn can_be_answered(questionnaire: &Questionnaire) -> Result<(), Problem> {
    let left_out = left_out(questionnaire);
    let refused = |said| Err(Problem::new(Code::InvalidRequest, said).hint(Message::AskAtDesk));
    if left_out.len() == questionnaire.questions.len() {
        return refused(Message::ThreadAsksNothing.into());
    }
    let is_always_asked =
        |question: &&sayso_core::Question| question.parent.is_none() && question.show_if.is_none();
    match left_out.into_iter().filter(|question| question.required).find(is_always_asked) {
        Some(question) => refused(Message::ThreadCannotAsk.with([question.id.as_str()])),
        None => Ok(()),
    }
}

/// Parses the body into requests, one per call or action.
///
/// # Errors
/// Fails if the body has no request or too many, two ids are equal, or the dialect is ambiguous.
pub(super) fn wanted(body: TurnAsk, usual: Option<Dialect>) -> Result<Vec<Wanted>, Problem> {
    let TurnAsk { calls, request, dialect, id, .. } = body;
    let named = dialect.as_deref().map(Dialect::named).transpose()?;
    match request {
        None if calls.is_empty() => Err(Problem::needs_member("calls")),
        None => of_calls(calls),
        Some(_) if !calls.is_empty() => {
            Err(Problem::new(Code::InvalidRequest, Message::OneOfTwo.with(["calls", "request"])))
        }
        Some(request) => {
            let id = id.ok_or_else(|| Problem::needs_member("id"))?;
            must_be_id(&id, || Path::root().then("id"))?;
            of_request(&request, id, named, usual)
        }
    }
}

fn must_be_id(id: &str, place: impl Fn() -> Path) -> Result<(), Problem> {
    if id.len() <= limits::CALL_ID_BYTES {
        return Ok(());
    }
    let said = Message::TextAbove.with([limits::CALL_ID_BYTES]);
    Err(Problem::new(Code::TooBig, said).at(place()))
}

fn of_calls(calls: Vec<ToolCall>) -> Result<Vec<Wanted>, Problem> {
    let place = || Path::root().then("calls");
    if calls.len() > limits::WAITING_CALLS {
        let said = Message::ManyElements.with([limits::WAITING_CALLS]);
        return Err(Problem::new(Code::TooBig, said).at(place()));
    }
    for (at, call) in calls.iter().enumerate() {
        must_be_id(&call.id, || place().then(at).then("id"))?;
    }
    let mut ids = HashSet::new();
    if let Some(twice) = calls.iter().position(|call| !ids.insert(call.id.as_str())) {
        let said =
            Message::DuplicateId.with([calls.get(twice).map(|call| call.id.clone()).unwrap_or_default()]);
        return Err(Problem::new(Code::DuplicateId, said).at(place().then(twice).then("id")));
    }
    let one = |(at, ToolCall { id, name, args }): (usize, ToolCall)| Wanted {
        id,
        dialect: Dialect::Interrupt,
        text: json::write(&of_call(&name, &args)),
        place: Place::Call(at, json::write(&args).len()),
    };
    Ok(calls.into_iter().enumerate().map(one).collect())
}

fn of_request(
    request: &Value,
    id: String,
    named: Option<Dialect>,
    usual: Option<Dialect>,
) -> Result<Vec<Wanted>, Problem> {
    let text = json::write(request);
    let at_request = |problem: Problem| match problem.code {
        Code::UnknownDialect => problem.hint(Message::NameDialect),
        _ => problem.at(Place::Request.path()),
    };
    let dialect = named.map_or_else(|| Dialect::of_request(&text, usual).map_err(at_request), Ok)?;
    if dialect != Dialect::Interrupt {
        return Ok(vec![Wanted { id, dialect, text, place: Place::Request }]);
    }
    let parts = split(request).map_err(|problem| {
        let below = Place::Request.path().0.into_iter().chain(problem.path.0.iter().cloned()).collect();
        problem.at(Path(below))
    })?;
    let several = parts.len() > 1;
    let one = |(at, part): (usize, Value)| Wanted {
        id: if several { format!("{id}.{at}") } else { id.clone() },
        dialect,
        text: json::write(&part),
        place: if several { Place::Part(at) } else { Place::Request },
    };
    Ok(parts.into_iter().enumerate().map(one).collect())
}
