//! Submission of a person's response to the desk.

use super::{asker_session, is_form, judge, round_id};
use crate::diagnostics::log_failure;
use crate::http::context::visible_ask;
use crate::http::middleware::caller::{AuthenticatedCaller, PersonParams};
use crate::http::middleware::embedded_consent::EmbeddedConsent;
use sayso_core::model::ask::AskPhase;
use sayso_core::{Actor, Ask, AskCommand, AskId, Lang, Person, Problem, ProblemCode, Replies};
use sayso_desk::{Desk as _, StoreDesk};
use sayso_dialects::interaction::{
    FrameError, InteractionSubmission, ResponseFrame, ToolError, UserAction, UserResponse, validate_input,
};
use serde_json::Map;

/// Submits a response to the desk. A late response is stored, too.
///
/// # Errors
/// Returns the error frame for the client.
pub(super) fn respond(
    desk: &StoreDesk,
    caller: &AuthenticatedCaller,
    embedded_consent: &EmbeddedConsent,
    frame: &ResponseFrame,
) -> Result<(), FrameError> {
    caller.to_person(PersonParams::default()).map_err(|problem| problem_frame(&problem))?;
    let Some(id) = AskId::parse(&frame.call_id) else { return Err(ToolError::not_found().into()) };
    let ask = match visible_ask(desk, caller, id) {
        Ok(ask) => ask,
        Err(problem) if problem.code == ProblemCode::AskNotFound => {
            return Err(ToolError::not_found().into());
        }
        Err(problem) => return Err(problem_frame(&problem)),
    };
    let person =
        caller.to_person_at(&ask, PersonParams::default()).map_err(|problem| problem_frame(&problem))?;
    if !is_form(&ask) || asker_session(&ask.request.asker) != frame.session_id {
        return Err(ToolError::not_found().into());
    }
    let response = frame.response();
    let submission = InteractionSubmission::from_response(&ask.request.questionnaire, &response);
    let replies = submission.as_ref().map(|submission| submission.replies.clone());
    let shown = ask.request.digest;
    let command = match submission {
        None => AskCommand::Decline { reason: response.reason.clone(), shown },
        Some(InteractionSubmission { replies, as_sent }) => {
            AskCommand::Submit { replies, as_sent, shown: shown.into() }
        }
    };
    let is_current_round = matches!(ask.state.phase, AskPhase::Open { round, .. } if round_id(id, round) == frame.interaction_id);
    if !is_current_round {
        if ask.outcome().is_some() {
            // The desk rejects it and records it as a late submission; the typed text is kept.
            log_failure("keep a late response", desk.act(&Actor::Person(person), id, None, command));
        } else {
            keep_in_draft(desk, &person, id, replies);
        }
        return Err(ToolError::not_found().into());
    }
    if !ask.request.needs_verdict
        && replies.is_some()
        && let Err(error) = check_input(&ask, &response)
    {
        keep_in_draft(desk, &person, id, replies);
        return Err(error);
    }
    let who = Actor::Person(person);
    embedded_consent.check(&who, &ask, &command).map_err(|problem| problem_frame(&problem))?;
    let ask = desk.act(&who, id, None, command).map_err(|problem| submit_error(&problem))?;
    // If another task has judged it already, nothing remains to be done.
    log_failure("judge a response", judge::judge(desk, ask));
    Ok(())
}

/// Validates an answer that no asker judges.
fn check_input(ask: &Ask, response: &UserResponse) -> Result<(), FrameError> {
    if response.action != UserAction::Submit {
        return Err(FrameError::unexpected_action());
    }
    let empty = Map::new();
    let errors = validate_input(&ask.request.questionnaire, response.input.as_ref().unwrap_or(&empty));
    if errors.is_empty() { Ok(()) } else { Err(FrameError::invalid_input(errors)) }
}

/// Stores the typed replies as a draft, unless another person has one.
fn keep_in_draft(desk: &StoreDesk, person: &Person, id: AskId, replies: Option<Replies>) {
    if let Some(replies) = replies {
        // The client gets the error of its response; a second one adds nothing.
        log_failure("keep a draft", desk.save_refused_replies(person, id, replies));
    }
}

fn submit_error(problem: &Problem) -> FrameError {
    match problem.code {
        ProblemCode::AskAnswered
        | ProblemCode::AskDeclined
        | ProblemCode::AskCancelled
        | ProblemCode::AskExpired
        | ProblemCode::AskSubmitted
        | ProblemCode::AskNotFound => ToolError::not_found().into(),
        _ => problem_frame(problem),
    }
}

/// Returns the error frame for a problem.
pub(super) fn problem_frame(problem: &Problem) -> FrameError {
    FrameError::new(problem.code.as_str(), problem.clone().without_place().message.render(Lang::En))
}
