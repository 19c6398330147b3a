//! A person's response to a round, as it comes to the desk.

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

/// Takes a response to the desk. What came too late is kept there.
///
/// # Errors
/// What the client is told.
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
            // It is refused and written down as what came too late; and kept, as whatever is refused.
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
    // Where it has been judged already, there is nothing more to do.
    let _ = judge::judge(desk, submitted);
    Ok(())
}

/// Whether an answer suffices that nobody else judges.
fn suffices(ask: &Ask, response: &UserResponse) -> Result<(), FrameError> {
    if response.action != UserAction::Submit {
        return Err(FrameError::unexpected());
    }
    let empty = Map::new();
    let errors = validate_input(&ask.request.questionnaire, response.input.as_ref().unwrap_or(&empty));
    if errors.is_empty() { Ok(()) } else { Err(FrameError::invalid_input(errors)) }
}

/// Keeps what was typed where nobody else typed something.
fn keep(desk: &LocalDesk, person: &Person, id: AskId, replies: Option<Replies>) {
    if let Some(replies) = replies {
        // The client is told that its response did not count; that this failed too says nothing more.
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

/// A problem as a client of the socket is told.
pub(super) fn told(problem: &Problem) -> FrameError {
    FrameError::new(problem.code.as_str(), problem.message.render(Lang::En))
}
