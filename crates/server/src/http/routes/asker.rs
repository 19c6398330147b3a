//! Routes for the asker of an existing ask: cancel, attach, detach and judge.

use crate::http::context::{ServerContext, visible_ask};
use crate::http::middleware::call::ApiCall;
use crate::http::middleware::caller::PersonParams;
use crate::http::middleware::response;
use crate::http::openapi::schemas;
use crate::http::route::{
    ASK, ASK_STATE_CODES, BodySpec, KEY, ROLE, Route, RouteAccess, RouteMethod, ok, run,
};
use axum::response::Response;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{AskCommand, CancelReason, Message, Problem, ProblemCode, QuestionId, limits};
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/cancel",
        name: "cancel_ask",
        summary: "Cancels the ask on behalf of its asker.",
        access: RouteAccess::Asker,
        parameters: &[KEY, ROLE],
        body: BodySpec::maybe_json(schemas::schema_of::<CancelBody>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: ASK_STATE_CODES,
        handler: run!(cancel),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/attach",
        name: "attach_asker",
        summary: "The asker waits.",
        access: RouteAccess::Asker,
        parameters: &[KEY, ROLE],
        body: BodySpec::maybe_json(schemas::schema_of::<AttachBody>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: ASK_STATE_CODES,
        handler: run!(attach),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/detach",
        name: "detach_asker",
        summary: "The asker no longer waits. Nothing else changes.",
        access: RouteAccess::Asker,
        parameters: &[KEY, ROLE],
        body: BodySpec::maybe_json(schemas::schema_of::<EmptyBody>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: ASK_STATE_CODES,
        handler: run!(detach),
    },
    Route {
        method: RouteMethod::Post,
        path: "/v1/asks/{id}/verdict",
        name: "judge_round",
        summary: "The asker's verdict on a submitted round: it accepts the answers or asks for changes.",
        access: RouteAccess::Asker,
        parameters: &[KEY, ROLE],
        body: BodySpec::json(schemas::schema_of::<VerdictBody>),
        max_body_bytes: limits::REQUEST_BODY_BYTES,
        responses: &[ok("The ask.", ASK)],
        problems: &[
            ProblemCode::AskNotFound,
            ProblemCode::WrongRound,
            ProblemCode::InvalidValue,
            ProblemCode::InvalidJson,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ],
        handler: run!(judge),
    },
];

/// An empty body.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmptyBody {}

/// Reason why the question is cancelled.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CancelBody {
    /// The reason, if the asker's host ended it.
    reason: Option<CancelReason>,
}

/// The asker that waits.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttachBody {
    /// The process that waits, on this machine.
    process: Option<ProcessId>,
}

/// Verdict of the asker on a submitted round.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerdictBody {
    /// Number of the round.
    round: u32,
    /// True accepts the answer. Otherwise `errors` and `summary` describe the changes.
    #[serde(default)]
    accept: bool,
    /// Change that the asker wants in the answers as a whole.
    summary: Option<String>,
    /// Changes that the asker wants at single questions.
    #[serde(default)]
    errors: Vec<QuestionErrorBody>,
}

/// Change that the asker wants at a question.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionErrorBody {
    /// The question.
    question: QuestionId,
    /// Problem of the answer.
    message: String,
}

/// Applies a command to an ask, in the caller's role or, for an admin, the route's usual role.
///
/// # Errors
/// Fails if the ask does not exist, or its state does not allow the command.
pub(crate) async fn apply_command(
    context: Arc<ServerContext>,
    call: &ApiCall,
    usual: TokenRole,
    by: PersonParams,
    command: impl FnOnce(&sayso_core::Ask) -> Result<AskCommand, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let caller = call.caller()?.clone();
    let id = call.ask_id()?;
    let key = call.idempotency_key()?;
    let embedded_consent = context.embedded_consent.clone();
    let desk_call = context.with_desk(move |desk| {
        let ask = visible_ask(desk, &caller, id)?;
        let who = caller.to_who(usual, &ask, by)?;
        let command = command(&ask)?;
        embedded_consent.check(&who, &ask, &command)?;
        desk.act(&who, id, key.as_deref(), command)
    });
    Ok(response::ask(&desk_call.await?))
}

pub(crate) async fn cancel(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let CancelBody { reason } = call.parse_json()?;
    apply_command(context, &call, TokenRole::Asker, PersonParams::default(), move |_| {
        Ok(AskCommand::Cancel { reason })
    })
    .await
}

pub(crate) async fn attach(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let process = call.parse_json::<AttachBody>()?.process;
    let process = if call.is_of_this_machine() { process } else { None };
    apply_command(context, &call, TokenRole::Asker, PersonParams::default(), move |_| {
        Ok(AskCommand::Attach { process })
    })
    .await
}

pub(crate) async fn detach(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    call.parse_json::<EmptyBody>()?;
    apply_command(context, &call, TokenRole::Asker, PersonParams::default(), |_| Ok(AskCommand::Detach)).await
}

pub(crate) async fn judge(context: Arc<ServerContext>, call: ApiCall) -> Result<Response, Problem> {
    let VerdictBody { round, accept, summary, errors } = call.parse_json()?;
    let errors: Vec<_> = errors.into_iter().map(|error| (error.question, error.message)).collect();
    let command = if accept {
        AskCommand::Accept { round }
    } else if errors.is_empty() && summary.is_none() {
        return Err(Problem::missing_member("errors").with_hint(Message::AcceptOrMend));
    } else {
        AskCommand::Reprompt { round, feedback: RoundFeedback { summary, errors } }
    };
    apply_command(context, &call, TokenRole::Asker, PersonParams::default(), |_| Ok(command)).await
}
