//! Decisions on the calls of an agent, across failures of its program.
//!
//! **Invariant:** a decision reaches a program at most once. It is acknowledged before it is passed on, and an agent
//! that asks again after that asks the person again. One that was not passed on is found by the content of the call.

use super::agent_side::AgentSide;
use crate::acp::{AskedCall, CallDecision};
use crate::http::threads::agent::TurnBody;
use sayso_core::{Digest, Problem, ProblemCode};
use sayso_dialects::interrupt::ASK_USER;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Calls that one run of a program has asked about in a turn.
#[derive(Default)]
pub(super) struct AskedCalls(Mutex<HashMap<Digest, u32>>);

impl AskedCalls {
    /// Returns a number for a call with this content, which no other call of this run has.
    fn next_number(&self, content: Digest) -> u32 {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.entry(content).or_default();
        *number += 1;
        *number
    }

    /// Asks the person about a call. Returns `None` if no one decided.
    ///
    /// # Errors
    /// Fails if a thread cannot ask it, or the turn has ended.
    pub(super) async fn decide(
        &self,
        side: &AgentSide,
        turn: &TurnBody,
        call: AskedCall,
    ) -> Result<Option<CallDecision>, Problem> {
        let AskedCall { name, args } = call;
        let content = Digest::compute(format!("{name}\u{1f}{args}").as_bytes());
        loop {
            let id = format!("{content} {}", self.next_number(content));
            let decided = loop {
                match side.ask(turn, id.clone(), &name, args.clone()).await? {
                    Some(decided) if decided.action().is_some() => break Some(decided),
                    Some(_) => {}
                    None => break None,
                }
                if side.threads.context.closing.is_cancelled() {
                    return Ok(None);
                }
            };
            let Some(decided) = decided else { return Ok(None) };
            if decided.is_delivered {
                continue;
            }
            side.ack(decided.ask).await?;
            return Ok(to_decision(&name, decided.action().unwrap_or_default(), decided.result()));
        }
    }
}

fn to_decision(name: &str, action: &str, result: Option<&str>) -> Option<CallDecision> {
    match action {
        "answer" => result.and_then(|answers| serde_json::from_str(answers).ok()).map(CallDecision::Answered),
        "continue" if name != ASK_USER => Some(CallDecision::Allowed),
        "cancel" => Some(CallDecision::Refused),
        _ => None,
    }
}

/// Returns whether a problem means that the turn is no longer this server's.
pub(super) fn is_over(problem: &Problem) -> bool {
    matches!(problem.code, ProblemCode::TurnOver | ProblemCode::DeskClosing)
}
