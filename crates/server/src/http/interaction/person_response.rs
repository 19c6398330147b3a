//! Submission of a person's response to the desk.

use super::{asker_session, is_form, judge, round_id};
use crate::diagnostics::log_failure;
use crate::http::context::visible_ask;
use crate::http::middleware::caller::{AuthenticatedCaller, PersonParams};
use crate::http::middleware::embedded_consent::EmbeddedConsent;
use sayso_core::model::ask::AskPhase;
use sayso_core::{Actor, Ask, AskCommand, AskId, Lang, Person, Problem, ProblemCode};
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
    let ask = find_ask(desk, caller, &frame.call_id)?;
    let id = ask.id;
    let person =
        caller.to_person_at(&ask, PersonParams::default()).map_err(|problem| problem_frame(&problem))?;
    if !is_form(&ask) || asker_session(&ask.request.asker) != frame.session_id {
        return Err(ToolError::not_found().into());
    }
    let response = frame.response();
    let command = to_command(&ask, &response);
    if !is_of_current_round(&ask, frame) {
        if ask.outcome().is_some() {
            // The desk rejects it and records it as a late submission; the typed text is kept.
            log_failure("keep a late response", desk.act(&Actor::Person(person), id, None, command));
        } else {
            keep_in_draft(desk, &person, id, command);
        }
        return Err(ToolError::not_found().into());
    }
    if !ask.request.needs_verdict
        && matches!(command, AskCommand::Submit { .. })
        && let Err(error) = check_input(&ask, &response)
    {
        keep_in_draft(desk, &person, id, command);
        return Err(error);
    }
    let who = Actor::Person(person);
    embedded_consent.check(&who, &ask, &command).map_err(|problem| problem_frame(&problem))?;
    let ask = desk.act(&who, id, None, command).map_err(|problem| submit_error(&problem))?;
    // If another task has judged it already, nothing remains to be done.
    log_failure("judge a response", judge::judge(desk, ask));
    Ok(())
}

/// Returns the ask that a frame names, if the caller may see it.
fn find_ask(desk: &StoreDesk, caller: &AuthenticatedCaller, call_id: &str) -> Result<Ask, FrameError> {
    let Some(id) = AskId::parse(call_id) else { return Err(ToolError::not_found().into()) };
    match visible_ask(desk, caller, id) {
        Ok(ask) => Ok(ask),
        Err(problem) if problem.code == ProblemCode::AskNotFound => Err(ToolError::not_found().into()),
        Err(problem) => Err(problem_frame(&problem)),
    }
}

/// Converts a response to a command.
fn to_command(ask: &Ask, response: &UserResponse) -> AskCommand {
    let shown = ask.request.digest;
    match InteractionSubmission::from_response(&ask.request.questionnaire, response) {
        Some(InteractionSubmission { replies, as_sent }) => {
            AskCommand::Submit { replies, as_sent, shown: shown.into() }
        }
        None => AskCommand::Decline { reason: response.reason.clone(), shown },
    }
}

/// Returns whether a response is to the round that is open now.
fn is_of_current_round(ask: &Ask, frame: &ResponseFrame) -> bool {
    match ask.state.phase {
        AskPhase::Open { round, .. } => round_id(ask.id, round) == frame.interaction_id,
        _ => false,
    }
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

/// Stores the replies of a submission as a draft, unless another person has one.
fn keep_in_draft(desk: &StoreDesk, person: &Person, id: AskId, command: AskCommand) {
    if let AskCommand::Submit { replies, .. } = command {
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
