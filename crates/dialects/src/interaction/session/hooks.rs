//! Hooks of the spec: the asking program decides about each response, asynchronously.
//!
//! Nothing here waits or reads a clock: a [`InteractionClient`] does.

use super::payload::{InteractionPayload, UserResponse};
use super::{InteractionCall, InteractionExchange, InteractionStep};
use crate::interaction::messages;
use crate::interaction::tool::refusal::ToolError;
use crate::interaction::tool::writer::InteractionResult;
use crate::interaction::tool::{HookOutcome, QuestionsAsk};
use crate::interaction::wire::InteractionRequest;
use serde_json::Value;
use std::future::{Future, ready};

/// Callbacks of a program (those of the spec's `InteractionRequest`).
pub trait InteractionHooks: Send {
    /// Handles a response of a person: `onResponse`.
    fn on_response(&mut self, response: &UserResponse) -> impl Future<Output = HookOutcome> + Send;

    /// Handles the timeout: `onTimeout`. By default the tool returns an error.
    fn on_timeout(&mut self) -> impl Future<Output = HookOutcome> + Send {
        ready(HookOutcome::from_result(&InteractionResult::Failed(messages::TIMED_OUT.to_owned())))
    }

    /// Handles the cancellation by the asker: `onCancel`. The tool returns `tool_aborted` in any case.
    fn on_cancel(&mut self) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

impl InteractionHooks for QuestionsAsk {
    fn on_response(&mut self, response: &UserResponse) -> impl Future<Output = HookOutcome> + Send {
        ready(self.handle_response(response))
    }

    fn on_timeout(&mut self) -> impl Future<Output = HookOutcome> + Send {
        ready(self.handle_timeout())
    }
}

/// Event that ends the wait for a response.
#[derive(Debug, Clone, PartialEq)]
pub enum WaitOutcome {
    /// Response to the waiting round.
    Response(UserResponse),
    /// Time limit reached.
    TimedOut,
    /// Cancellation by the asker.
    Aborted,
}

/// Client that shows the questions.
pub trait InteractionClient: Send {
    /// Returns a fresh id for a round.
    fn next_interaction_id(&mut self) -> String;

    /// Sends an event.
    fn send(&mut self, event: InteractionPayload) -> impl Future<Output = ()> + Send;

    /// Waits for a response to this round, for at most `limit_ms`. A response to another round is answered with
    /// [`ToolError::not_found`] and the wait goes on.
    fn wait_for_response(
        &mut self,
        interaction_id: &str,
        limit_ms: i64,
    ) -> impl Future<Output = WaitOutcome> + Send;
}

/// Asks, and lets the hooks decide about each response until the tool returns. The number of rounds is not limited.
///
/// # Errors
/// Fails with `tool_aborted` if the asker cancels.
#[expect(clippy::manual_async_fn, reason = "an `async fn` does not promise that its future is `Send`")]
pub fn run_interaction<C: InteractionClient, H: InteractionHooks>(
    client: &mut C,
    hooks: &mut H,
    call: InteractionCall,
    mut request: InteractionRequest,
) -> impl Future<Output = Result<Value, ToolError>> + Send {
    async move {
        let first_id = client.next_interaction_id();
        let (mut exchange, events) = InteractionExchange::open(call, &request, &first_id);
        for event in events {
            client.send(event).await;
        }
        while let Some(round) = exchange.waiting_round().map(str::to_owned) {
            let step = match client.wait_for_response(&round, request.time_limit_ms()).await {
                WaitOutcome::Response(response) => {
                    client.send(exchange.receive(&round, &response)?).await;
                    let outcome = hooks.on_response(&response).await;
                    apply_decision(client, &mut exchange, &mut request, outcome)
                }
                WaitOutcome::TimedOut => {
                    exchange.time_out();
                    let outcome = hooks.on_timeout().await;
                    apply_decision(client, &mut exchange, &mut request, outcome)
                }
                WaitOutcome::Aborted => {
                    hooks.on_cancel().await;
                    exchange.abort()
                }
            };
            for event in step.events {
                client.send(event).await;
            }
            if let Some(result) = step.returned {
                return result;
            }
        }
        Err(ToolError::aborted())
    }
}

fn apply_decision<C: InteractionClient>(
    client: &mut C,
    exchange: &mut InteractionExchange,
    request: &mut InteractionRequest,
    outcome: HookOutcome,
) -> InteractionStep {
    let mut next_id = String::new();
    if let HookOutcome::Reprompt(again) = &outcome {
        *request = (**again).clone();
        next_id = client.next_interaction_id();
    }
    exchange.decide(outcome, &next_id)
}
