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
    responded: &ResponseFrame,
) -> Result<(), FrameError> {
    caller.to_person(PersonParams::default()).map_err(|problem| problem_frame(&problem))?;
    let none = || FrameError::from(ToolError::not_found());
    let id = AskId::parse(&responded.call_id).ok_or_else(none)?;
    let ask = visible_ask(desk, caller, id).map_err(|problem| match problem.code {
        ProblemCode::AskNotFound => none(),
        _ => problem_frame(&problem),
    })?;
    let person =
        caller.to_person_at(&ask, PersonParams::default()).map_err(|problem| problem_frame(&problem))?;
    if !is_form(&ask) || asker_session(&ask.request.asker) != responded.session_id {
        return Err(none());
    }
    let response = responded.response();
    let questionnaire = &ask.request.questionnaire;
    let sent = InteractionSubmission::from_response(questionnaire, &response);
    let waits = matches!(ask.state.phase, AskPhase::Open { round, .. } if round_id(id, round) == responded.interaction_id);
    let typed = sent.as_ref().map(|sent| sent.replies.clone());
    let shown = ask.request.digest;
    let command = match sent {
        None => AskCommand::Decline { reason: response.reason.clone(), shown },
        Some(InteractionSubmission { replies, as_sent }) => {
            AskCommand::Submit { replies, as_sent, shown: shown.into() }
        }
    };
    if !waits {
        if ask.outcome().is_some() {
            // The desk rejects it and records it as a late submission; the typed text is kept.
            log_failure("keep a late response", desk.act(&Actor::Person(person), id, None, command));
        } else {
            keep_in_draft(desk, &person, id, typed);
        }
        return Err(none());
    }
    if !ask.request.needs_verdict && typed.is_some() {
        check_input(&ask, &response).inspect_err(|_| keep_in_draft(desk, &person, id, typed.clone()))?;
    }
    let who = Actor::Person(person);
    embedded_consent.check(&who, &ask, &command).map_err(|problem| problem_frame(&problem))?;
    let submitted = desk.act(&who, id, None, command).map_err(|problem| submit_error(&problem))?;
    // If another task has judged it already, nothing remains to be done.
    log_failure("judge a response", judge::judge(desk, submitted));
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
