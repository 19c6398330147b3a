//! Routes for the person who answers: see, draft, answer and decline.

use super::app::{App, visible};
use super::asker::act;
use super::call::Call;
use super::caller::By;
use super::reply;
use super::route::{ASK, Access, Body, Content, KEY, NOT_THERE, Parameter, ROLE, Route, Verb, ok, run};
use super::shapes::{self, ProblemBody};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sayso_core::problem::Step;
use sayso_core::wire::json;
use sayso_core::{Code, Command, Digest, Lang, Message, Path, Problem, QuestionId, Replies};
use sayso_desk::token::Role;
use sayso_desk::{Desk as _, DraftRev};
use sayso_dialects::Dialect;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/see",
        name: "see_ask",
        about: "A person opened it.",
        access: Access::Person,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::seen),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(see),
    },
    Route {
        verb: Verb::Get,
        path: "/v1/asks/{id}/draft",
        name: "show_draft",
        about: "What was typed and not submitted.",
        access: Access::Person,
        parameters: &[ROLE],
        body: Body::None,
        replies: &[ok("The draft; its revision is the ETag too.", Content::Json(shapes::draft))],
        problems: &[Code::AskNotFound],
        run: run!(draft),
    },
    Route {
        verb: Verb::Patch,
        path: "/v1/asks/{id}/draft",
        name: "save_draft",
        about: "Saves replies; the rest of the draft stays as it is. With If-Match nothing is saved where somebody else \
                saved one of these questions since.",
        access: Access::Person,
        parameters: &[
            Parameter::header("If-Match", "The revision that the replies are based on.", shapes::revision),
            ROLE,
        ],
        body: Body::Json(shapes::draft_change),
        replies: &[ok(
            "It is saved; what is wrong with it is told all the same.",
            Content::Json(shapes::saved),
        )],
        problems: &[
            Code::AskNotFound,
            Code::DraftChanged,
            Code::NoSuchQuestion,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskFull,
        ],
        run: run!(save),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/answer",
        name: "answer_ask",
        about: "A person answers. The first one has the word; what others typed is kept, as `late` of the ask.",
        access: Access::Person,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::answer),
        replies: &[ok("The ask.", ASK)],
        problems: &[
            Code::AskNotFound,
            Code::AskAnswered,
            Code::InvalidAnswers,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::DeskFull,
        ],
        run: run!(answer),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/decline",
        name: "decline_ask",
        about: "A person says no.",
        access: Access::Person,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::decline),
        replies: &[ok("The ask.", ASK)],
        problems: &[
            Code::AskNotFound,
            Code::AskDeclined,
            Code::InvalidValue,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(decline),
    },
];

/// Who looked.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Seen")]
#[serde(deny_unknown_fields)]
pub(super) struct Seen {
    /// Who, where and how surely.
    #[serde(default)]
    by: By,
}

pub(super) async fn see(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let by = call.json::<Seen>()?.by;
    act(app, &call, Role::Person, by, |_| Ok(Command::See)).await
}

/// What was typed and not submitted.
#[derive(Serialize, JsonSchema)]
pub(super) struct DraftBody {
    /// Counts the saves, from 1; 0 where nothing was saved yet.
    rev: u64,
    /// The replies so far.
    replies: Replies,
    /// The questions whose reply a program gave.
    scripted: BTreeSet<QuestionId>,
}

pub(super) async fn draft(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let (caller, id) = (call.caller()?.clone(), call.id()?);
    caller.person(By::default())?;
    let draft = app
        .at_desk(move |desk| {
            visible(desk, &caller, id)?;
            desk.draft(id)
        })
        .await?;
    let rev = draft.rev.0;
    let body = DraftBody { rev, replies: draft.replies, scripted: draft.scripted };
    Ok(with_revision(reply::json(StatusCode::OK, json::write(&body)), rev))
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
pub(super) struct DraftChange {
    /// The replies, by question.
    #[serde(deserialize_with = "json::each_once")]
    replies: Replies,
    /// The revision that they are based on: what somebody else saved since is told.
    base: Option<u64>,
    /// Who, where and how surely.
    #[serde(default)]
    by: By,
}

/// What a save did.
#[derive(Serialize, JsonSchema)]
pub(super) struct SavedBody {
    /// The revision after it.
    rev: u64,
    /// What is wrong with the replies. They are kept all the same.
    #[schemars(with = "Vec<ProblemBody>")]
    problems: Vec<Value>,
    /// The questions that somebody else had saved since.
    overwritten: Vec<QuestionId>,
}

pub(super) async fn save(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let (caller, id, expected) = (call.caller()?.clone(), call.id()?, call.if_match()?);
    let DraftChange { replies, base, by } = call.json()?;
    let saved = app
        .at_desk(move |desk| {
            let person = caller.person(by)?;
            visible(desk, &caller, id)?;
            let replies = replies.into_iter().collect();
            match expected {
                Some(rev) => desk.save_unchanged(&person, id, DraftRev(rev), replies),
                None => desk.save(&person, id, base.map_or(DraftRev(u64::MAX), DraftRev), replies),
            }
        })
        .await
        .map_err(in_replies)?;
    let lang = call.lang;
    let problems = saved.problems.into_iter().map(|problem| told(&in_replies(problem), lang)).collect();
    let body = SavedBody { rev: saved.rev.0, problems, overwritten: saved.overwritten };
    Ok(with_revision(reply::json(StatusCode::OK, json::write(&body)), saved.rev.0))
}

/// Moves a problem's path from the canonical form to the body's member `replies`.
fn in_replies(mut problem: Problem) -> Problem {
    if let Some(Step::Key(first)) = problem.path.0.first_mut()
        && first == "answers"
    {
        *first = "replies".to_owned();
    }
    problem.causes = problem.causes.into_iter().map(in_replies).collect();
    problem
}

fn told(problem: &Problem, lang: Lang) -> Value {
    Value::Object(sayso_core::wire::problem::members(problem, lang))
}

fn some_replies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Replies>, D::Error> {
    json::each_once(deserializer).map(Some)
}

/// An answer: as the dialect of the ask has it, or as replies in the canonical form.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Answer")]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    /// The digest of what the person was shown: the ask's own.
    shown: Digest,
    /// The answers, as the dialect of the ask has them.
    #[schemars(with = "Option<Value>")]
    answers: Option<Box<RawValue>>,
    /// The replies in the canonical form, instead.
    #[serde(default, deserialize_with = "some_replies")]
    replies: Option<Replies>,
    /// What a program wrote, for askers that get exactly that; beside replies.
    as_sent: Option<Value>,
    /// Who, where and how surely.
    #[serde(default)]
    by: By,
}

pub(super) async fn answer(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let Answer { shown, answers, replies, as_sent, by } = call.json()?;
    let are_replies = replies.is_some();
    let acted = act(app, &call, Role::Person, by, move |ask| {
        let (replies, as_sent) = match (answers, replies) {
            (Some(answers), None) => Dialect::answers(ask, answers.get())?,
            (None, Some(replies)) => {
                let said_otherwise = as_sent.as_ref().is_some_and(|sent| !Dialect::says(ask, sent, &replies));
                if said_otherwise {
                    let place = Path::root().then("as_sent");
                    return Err(Problem::new(Code::InvalidValue, Message::SentOtherwise).at(place));
                }
                (replies, as_sent)
            }
            (None, None) => return Err(Problem::needs_member("answers")),
            (Some(_), Some(_)) => {
                let said = Message::OneOfTwo.with(["answers", "replies"]);
                return Err(Problem::new(Code::InvalidRequest, said));
            }
        };
        Ok(Command::Submit { replies, as_sent, shown })
    })
    .await;
    acted.map_err(|problem| if are_replies { in_replies(problem) } else { problem })
}

/// A person says no.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Decline")]
#[serde(deny_unknown_fields)]
pub(super) struct Decline {
    /// The digest of what the person was shown: the ask's own.
    shown: Digest,
    /// Why.
    reason: Option<String>,
    /// Who, where and how surely.
    #[serde(default)]
    by: By,
}

pub(super) async fn decline(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let Decline { shown, reason, by } = call.json()?;
    act(app, &call, Role::Person, by, move |_| Ok(Command::Decline { reason, shown })).await
}
