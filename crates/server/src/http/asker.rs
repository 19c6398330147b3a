//! Routes for the asker of an existing ask: cancel, attach, detach and judge.

use super::app::{App, visible};
use super::call::Call;
use super::caller::By;
use super::reply;
use super::route::{ASK, Access, Body, KEY, NOT_THERE, ROLE, Route, Verb, ok, run};
use super::shapes;
use axum::response::Response;
use sayso_core::ask::Feedback;
use sayso_core::who::Process;
use sayso_core::{Code, Command, Message, Problem, QuestionId};
use sayso_desk::Desk as _;
use sayso_desk::token::Role;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/cancel",
        name: "cancel_ask",
        about: "The asker takes the question back.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::nothing),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(cancel),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/attach",
        name: "attach_asker",
        about: "The asker waits.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::attach),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(attach),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/detach",
        name: "detach_asker",
        about: "The asker no longer waits. That changes nothing else.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::MaybeJson(shapes::nothing),
        replies: &[ok("The ask.", ASK)],
        problems: NOT_THERE,
        run: run!(detach),
    },
    Route {
        verb: Verb::Post,
        path: "/v1/asks/{id}/verdict",
        name: "judge_round",
        about: "What the asker says of a submitted round: it takes it, or wants it mended.",
        access: Access::Asker,
        parameters: &[KEY, ROLE],
        body: Body::Json(shapes::verdict),
        replies: &[ok("The ask.", ASK)],
        problems: &[
            Code::AskNotFound,
            Code::WrongRound,
            Code::InvalidValue,
            Code::InvalidJson,
            Code::TooLarge,
            Code::UnsupportedMediaType,
        ],
        run: run!(judge),
    },
];

/// A body that says nothing.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Nothing")]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// The asker that waits.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Attach")]
#[serde(deny_unknown_fields)]
pub(super) struct Attach {
    /// The process that waits, on this machine.
    process: Option<Process>,
}

/// What the asker says of a submitted round.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Verdict")]
#[serde(deny_unknown_fields)]
pub(super) struct Verdict {
    /// Which round.
    round: u32,
    /// It takes the answer. Without it the errors say what to mend.
    #[serde(default)]
    accept: bool,
    /// What to mend, about the whole.
    summary: Option<String>,
    /// What to mend, about single questions.
    #[serde(default)]
    errors: Vec<Mend>,
}

/// What to mend at a question.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Mend")]
#[serde(deny_unknown_fields)]
pub(super) struct Mend {
    /// The question.
    question: QuestionId,
    /// What is wrong there.
    message: String,
}

/// Applies a command to an ask, in the caller's role or, for an admin, the route's usual role.
///
/// # Errors
/// Fails if the ask does not exist, or its state does not allow the command.
pub(super) async fn act(
    app: Arc<App>,
    call: &Call,
    usual: Role,
    by: By,
    command: impl FnOnce(&sayso_core::Ask) -> Result<Command, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let (caller, id, key) = (call.caller()?.clone(), call.id()?, call.key()?);
    let after = app
        .at_desk(move |desk| {
            let ask = visible(desk, &caller, id)?;
            let who = caller.who(usual, &ask, by)?;
            let command = command(&ask)?;
            desk.act(&who, id, key.as_deref(), command)
        })
        .await?;
    Ok(reply::ask(&after))
}

pub(super) async fn cancel(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    call.json::<Nothing>()?;
    act(app, &call, Role::Asker, By::default(), |_| Ok(Command::Cancel)).await
}

pub(super) async fn attach(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let process = call.json::<Attach>()?.process.filter(|_| call.is_of_this_machine());
    act(app, &call, Role::Asker, By::default(), move |_| Ok(Command::Attach { process })).await
}

pub(super) async fn detach(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    call.json::<Nothing>()?;
    act(app, &call, Role::Asker, By::default(), |_| Ok(Command::Detach)).await
}

pub(super) async fn judge(app: Arc<App>, call: Call) -> Result<Response, Problem> {
    let Verdict { round, accept, summary, errors } = call.json()?;
    let errors: Vec<_> = errors.into_iter().map(|mend| (mend.question, mend.message)).collect();
    let command = if accept {
        Command::Accept { round }
    } else if errors.is_empty() && summary.is_none() {
        return Err(Problem::needs_member("errors").hint(Message::AcceptOrMend));
    } else {
        Command::Reprompt { round, feedback: Feedback { summary, errors } }
    };
    act(app, &call, Role::Asker, By::default(), |_| Ok(command)).await
}
