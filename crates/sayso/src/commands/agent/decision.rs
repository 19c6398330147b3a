//! Decisions on the requests of an agent, across failures of its program and of the bridge.
//!
//! **Invariant:** a decision reaches a program at most once. The desk is told that it is delivered before it is passed
//! on, and an agent that asks again after that asks the person again. One that was not passed on is found by the content
//! of the request.

use super::protocol::{ThreadDecision, ThreadRequest};
use super::turn_run::TurnRun;
use sayso_core::{Digest, Problem, ProblemCode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Requests that one run of a program has asked in a turn.
#[derive(Clone, Default)]
pub(super) struct AskedCalls(Arc<Mutex<HashMap<Digest, u32>>>);

/// Content of a request, and its number among those of a run with the same content.
#[derive(Clone, Copy)]
pub(super) struct CallId(Digest, u32);

/// Returns whether a problem means that the turn is not this process's any more.
pub(super) fn is_over(problem: &Problem) -> bool {
    problem.code == ProblemCode::TurnOver
}

impl AskedCalls {
    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the requests of the run before.
    pub(super) fn begin_attempt(&self) {
        self.lock().clear();
    }

    /// Returns an id for a request, which no other one of this run has.
    pub(super) fn next_id(&self, request: &ThreadRequest) -> CallId {
        let content = Digest::compute(request.to_body("").to_string().as_bytes());
        CallId(content, self.next_number(content))
    }

    fn next_number(&self, content: Digest) -> u32 {
        let mut numbers = self.lock();
        let number = numbers.entry(content).or_default();
        *number += 1;
        *number
    }

    /// Asks the person. Returns `None` if no one decided, after the readers were told why.
    pub(super) fn decide(
        &self,
        run: &TurnRun,
        id: CallId,
        request: &ThreadRequest,
    ) -> Option<ThreadDecision> {
        match self.ask(run, id, request) {
            Ok(decision) => Some(decision),
            Err(problem) if is_over(&problem) => None,
            Err(problem) => {
                let reason = problem.causes.first().unwrap_or(&problem).message.render(run.bridge.lang);
                // The turn reports the failure of its next event.
                let _ = run.publish(&[json!({ "error": reason })]);
                None
            }
        }
    }

    fn ask(&self, run: &TurnRun, id: CallId, request: &ThreadRequest) -> Result<ThreadDecision, Problem> {
        let CallId(content, mut number) = id;
        loop {
            let body = request.to_body(&format!("{content} {number}"));
            let response = run.bridge.persist(|client| client.ask(&run.turn, body.clone()))?;
            let decision = response.pointer("/decisions/0").unwrap_or(&Value::Null);
            let text = |name: &str| decision.get(name).and_then(Value::as_str).map(str::to_owned);
            let (Some(action), Some(ask)) = (text("decision"), text("ask")) else { continue };
            if decision.get("delivered").and_then(Value::as_bool) == Some(true) {
                number = self.next_number(content);
                continue;
            }
            run.bridge.persist(|client| client.acknowledge(&ask))?;
            return Ok(ThreadDecision { action, result: text("result") });
        }
    }
}
