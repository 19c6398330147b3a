//! Submission of a person's response to the desk.

use super::{is_form, judge, round_id, session_of};
use crate::http::app::visible;
use crate::http::caller::{By, Caller};
use sayso_core::ask::Phase;
use sayso_core::{Ask, AskId, Code, Command, Lang, Person, Problem, Replies, Who};
use sayso_desk::{Desk as _, LocalDesk};
use sayso_dialects::interaction::{
    FrameError, Responded, Sent, ToolError, UserAction, UserResponse, validate_input,
};
use serde_json::Map;

/// Submits a response to the desk. A late response is stored, too.
///
/// # Errors
/// Returns the error frame for the client.
pub(super) fn respond(desk: &LocalDesk, caller: &Caller, responded: &Responded) -> Result<(), FrameError> {
    let person = caller.person(By::default()).map_err(|problem| told(&problem))?;
    let none = || FrameError::from(ToolError::not_found());
    let id = AskId::parse(&responded.call_id).ok_or_else(none)?;
    let ask = visible(desk, caller, id).map_err(|problem| match problem.code {
        Code::AskNotFound => none(),
        _ => told(&problem),
    })?;
    if !is_form(&ask) || session_of(&ask.request.asker) != responded.session_id {
        return Err(none());
    }
    let response = responded.response();
    let questionnaire = &ask.request.questionnaire;
    let sent = Sent::of(questionnaire, &response);
    let waits = matches!(ask.state.phase, Phase::Open { round, .. } if round_id(id, round) == responded.interaction_id);
    let typed = sent.as_ref().map(|sent| sent.replies.clone());
    let shown = ask.request.digest;
    let command = match sent {
        None => Command::Decline { reason: response.reason.clone(), shown },
        Some(Sent { replies, as_sent }) => Command::Submit { replies, as_sent, shown },
    };
    if !waits {
        if ask.outcome().is_some() {
            // The desk rejects it and records it as a late submission; the typed text is kept.
            let _ = desk.act(&Who::Person(person), id, None, command);
        } else {
            keep(desk, &person, id, typed);
        }
        return Err(none());
    }
    if !ask.request.judged && typed.is_some() {
        suffices(&ask, &response).inspect_err(|_| keep(desk, &person, id, typed.clone()))?;
    }
    let submitted = desk.act(&Who::Person(person), id, None, command).map_err(|problem| refused(&problem))?;
    // If another task has judged it already, nothing remains to be done.
    let _ = judge::judge(desk, submitted);
    Ok(())
}

/// Validates an answer that no asker judges.
fn suffices(ask: &Ask, response: &UserResponse) -> Result<(), FrameError> {
    if response.action != UserAction::Submit {
        return Err(FrameError::unexpected());
    }
    let empty = Map::new();
    let errors = validate_input(&ask.request.questionnaire, response.input.as_ref().unwrap_or(&empty));
    if errors.is_empty() { Ok(()) } else { Err(FrameError::invalid_input(errors)) }
}

/// Stores the typed replies as a draft, unless another person has one.
fn keep(desk: &LocalDesk, person: &Person, id: AskId, replies: Option<Replies>) {
    if let Some(replies) = replies {
        // The client gets the error of its response; a second one adds nothing.
        let _ = desk.keep_in_draft(person, id, replies);
    }
}

fn refused(problem: &Problem) -> FrameError {
    match problem.code {
        Code::AskAnswered
        | Code::AskDeclined
        | Code::AskCancelled
        | Code::AskExpired
        | Code::AskSubmitted
        | Code::AskNotFound => ToolError::not_found().into(),
        _ => told(problem),
    }
}

/// Returns the error frame for a problem.
pub(super) fn told(problem: &Problem) -> FrameError {
    FrameError::new(problem.code.as_str(), problem.message.render(Lang::En))
}
