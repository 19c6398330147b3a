//! Routes for the person who answers: see, draft, answer and decline.

use super::asker::apply_command;
use crate::http::context::{ServerContext, visible_ask};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::PersonParams;
use crate::http::middleware::response;
use crate::http::openapi::schemas::{self, ProblemBody};
use crate::http::route::{
    ASK, ASK_STATE_CODES, BodySpec, ContentSpec, KEY, OUTSIDE, Parameter, ROLE, Route, RouteAccess,
    RouteMethod, ok, run,
};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sayso_core::model::document_path::PathStep;
use sayso_core::model::outcome::{SeenLines, ShownView};
use sayso_core::wire::json;
use sayso_core::{
    AskCommand, Digest, DocumentPath, Lang, Message, Problem, ProblemCode, QuestionId, Replies, limits,
};
use sayso_desk::token::TokenRole;
use sayso_desk::{Desk as _, DraftRev};
use sayso_dialects::Dialect;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/see",
        name: "see_ask",
        summary: "Records that a person opened the ask.",
        access: RouteAccess::Person,
        parameters: &[KEY, ROLE, OUTSIDE],
        body: BodySpec::maybe_json(schemas::schema_of::<SeenBody>),
        max_body_bytes: limits::BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: ASK_STATE_CODES,
        handler: run!(see),
    },
    Route {
        method: RouteMethod::Get,
        path: "/v1/asks/{id}/draft",
        name: "show_draft",
        summary: "The draft: replies that are saved and not submitted.",
        access: RouteAccess::Person,
        parameters: &[ROLE],
        body: BodySpec::None,
        max_body_bytes: 0,
        responses: &[ok(
            "The draft; its revision is the ETag too.",
            ContentSpec::json(schemas::schema_of::<DraftBody>),
        )],
        problems: &[ProblemCode::AskNotFound],
        handler: run!(draft),
    },
    Route {
        method: RouteMethod::Patch,
        path: "/v1/asks/{id}/draft",
        name: "save_draft",
        summary: "Saves replies; the rest of the draft is unchanged. With `If-Match`, nothing is saved if someone \
            else has saved one of these questions since.",
        access: RouteAccess::Person,
        parameters: &[
            Parameter::header("If-Match", "The revision that the replies are based on.", schemas::revision),
            ROLE,
        ],
        body: BodySpec::json(schemas::schema_of::<DraftChange>),
        max_body_bytes: limits::BODY_BYTES,
        responses: &[ok(
            "The draft is saved; the response lists its problems.",
            ContentSpec::json(schemas::schema_of::<SavedBody>),
        )],
        problems: &[
            ProblemCode::AskNotFound,
            ProblemCode::DraftChanged,
            ProblemCode::NoSuchQuestion,
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::DeskFull,
        ],
        handler: run!(save),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/answer",
        name: "answer_ask",
        summary: "Answers the ask as a person. The first answer counts; later ones are kept as `late` of the ask.",
        access: RouteAccess::Person,
        parameters: &[KEY, ROLE, OUTSIDE],
        body: BodySpec::json(schemas::schema_of::<AnswerBody>),
        max_body_bytes: limits::BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: &[
            ProblemCode::AskNotFound,
            ProblemCode::AskAnswered,
            ProblemCode::DraftChanged,
            ProblemCode::InvalidAnswers,
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
            ProblemCode::DeskFull,
        ],
        handler: run!(answer),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/decline",
        name: "decline_ask",
        summary: "Declines the ask as a person.",
        access: RouteAccess::Person,
        parameters: &[KEY, ROLE, OUTSIDE],
        body: BodySpec::json(schemas::schema_of::<DeclineBody>),
        max_body_bytes: limits::BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: &[
            ProblemCode::AskNotFound,
            ProblemCode::AskDeclined,
            ProblemCode::InvalidValue,
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(decline),
    },
];

/// Person who looked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeenBody {
    /// Person, place and assurance.
    #[serde(default)]
    by: PersonParams,
}

pub(crate) async fn see(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let by = call.parse_json::<SeenBody>()?.by;
    apply_command(context, &call, TokenRole::Person, by, |_| Ok(AskCommand::MarkSeen)).await
}

/// Replies that are saved and not submitted.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DraftBody {
    /// Number of saves; 0 if nothing was saved yet.
    rev: u64,
    /// The replies so far. That of the empty id is the note on the whole form.
    replies: Replies,
    /// The questions that a program answered.
    scripted: BTreeSet<QuestionId>,
}

pub(crate) async fn draft(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let id = call.ask_id()?;
    caller.to_person(PersonParams::default())?;
    let desk_call = context.with_desk(move |desk| {
        visible_ask(desk, &caller, id)?;
        desk.draft(id)
    });
    let draft = desk_call.await?;
    let rev = draft.rev.0;
    let body = DraftBody { rev, replies: draft.replies, scripted: draft.scripted };
    Ok(with_revision(response::json(StatusCode::OK, json::write(&body)), rev))
}

fn with_revision(mut reply: Response, rev: u64) -> Response {
    if let Ok(tag) = HeaderValue::try_from(format!("\"{rev}\"")) {
        reply.headers_mut().insert(header::ETAG, tag);
    }
    reply
}

/// Replies to save.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftChange {
    /// The replies, by question; by the empty id, one that is only a note: it is on the whole form.
    #[serde(deserialize_with = "json::each_once")]
    replies: Replies,
    /// The revision they are based on. Replies that others saved since are reported.
    base: Option<u64>,
    /// Person, place and assurance.
    #[serde(default)]
    by: PersonParams,
}

/// Result of a save.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SavedBody {
    /// The new revision.
    rev: u64,
    /// Problems of the replies, which are saved nevertheless.
    #[schemars(with = "Vec<ProblemBody>")]
    problems: Vec<Value>,
    /// The questions that someone else had saved since.
    overwritten: Vec<QuestionId>,
}

pub(crate) async fn save(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let id = call.ask_id()?;
    let expected_rev = call.if_match()?;
    let DraftChange { replies, base, by } = call.parse_decision()?;
    let desk_call = context.with_desk(move |desk| {
        let person = caller.to_person(by)?;
        visible_ask(desk, &caller, id)?;
        let replies = replies.into_iter().collect();
        match expected_rev {
            Some(rev) => desk.save_unchanged(&person, id, DraftRev(rev), replies),
            None => desk.save(&person, id, DraftRev(base.unwrap_or(u64::MAX)), replies),
        }
    });
    let save = desk_call.await.map_err(map_to_replies)?;
    let mut problems = Vec::new();
    for problem in save.problems {
        problems.push(problem_value(&map_to_replies(problem), call.lang));
    }
    let body = SavedBody { rev: save.rev.0, problems, overwritten: save.overwritten };
    Ok(with_revision(response::json(StatusCode::OK, json::write(&body)), save.rev.0))
}

/// Moves a problem's path from the canonical form to the body's member `replies`.
pub(super) fn map_to_replies(mut problem: Problem) -> Problem {
    if let Some(PathStep::Key(first)) = problem.path.0.first_mut()
        && first == "answers"
    {
        *first = "replies".to_owned();
    }
    problem.causes = problem.causes.into_iter().map(map_to_replies).collect();
    problem
}

fn problem_value(problem: &Problem, lang: Lang) -> Value {
    Value::Object(sayso_core::wire::problem::members(problem, lang))
}

fn some_replies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Replies>, D::Error> {
    json::each_once(deserializer).map(Some)
}

/// An answer, in the ask's format or as replies in canonical form.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerBody {
    /// The digest of what the person was shown: the ask's own.
    shown: Digest,
    /// The draft revision that was shown, to submit the draft's replies. A newer draft is refused.
    draft_rev: Option<u64>,
    /// The lines that were drawn of an action, a plan or the context of a consent.
    seen: Option<SeenLines>,
    /// The answers in the ask's format.
    #[schemars(with = "Option<Value>")]
    answers: Option<Box<RawValue>>,
    /// The replies in canonical form, instead of `answers`. The note on the whole form has the empty id.
    #[serde(default, deserialize_with = "some_replies")]
    replies: Option<Replies>,
    /// JSON of a program, for askers that receive exactly that, in addition to replies.
    as_sent: Option<Value>,
    /// Person, place and assurance.
    #[serde(default)]
    by: PersonParams,
}

pub(crate) async fn answer(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let AnswerBody { shown, draft_rev, seen, answers, replies, as_sent, by } = call.parse_decision()?;
    let has_replies = replies.is_some();
    let result = apply_command(context, &call, TokenRole::Person, by, move |ask| {
        let (replies, as_sent) = match (answers, replies) {
            (Some(answers), None) => Dialect::parse_answers(ask, answers.get())?,
            (None, Some(replies)) => {
                if let Some(as_sent) = &as_sent
                    && !Dialect::matches_replies(ask, as_sent, &replies)
                {
                    let place = DocumentPath::root().join("as_sent");
                    return Err(Problem::new(ProblemCode::InvalidValue, Message::SentOtherwise).at(place));
                }
                (replies, as_sent)
            }
            (None, None) => return Err(Problem::missing_member("answers")),
            (Some(_), Some(_)) => {
                let message = Message::OneOfTwo.with(["answers", "replies"]);
                return Err(Problem::new(ProblemCode::InvalidRequest, message));
            }
        };
        let shown = ShownView { digest: shown, draft_rev, seen };
        Ok(AskCommand::Submit { replies, as_sent, shown })
    })
    .await;
    if has_replies { result.map_err(map_to_replies) } else { result }
}

/// Declines the ask as a person.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeclineBody {
    /// The digest of what the person was shown: the ask's own.
    shown: Digest,
    /// Reason.
    reason: Option<String>,
    /// Person, place and assurance.
    #[serde(default)]
    by: PersonParams,
}

pub(crate) async fn decline(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let DeclineBody { shown, reason, by } = call.parse_decision()?;
    apply_command(context, &call, TokenRole::Person, by, move |_| Ok(AskCommand::Decline { reason, shown }))
        .await
}
