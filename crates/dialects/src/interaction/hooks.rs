//! The spec's hooks: a program that asks decides about each response, and may take its time over it.
//!
//! Nothing here waits or knows a clock: a [`Client`] does.

use super::payload::{Payload, UserResponse};
use super::session::{Call, Exchange, Step};
use super::tool::{HookOutcome, QuestionsAsk};
use super::write::ToolResult;
use super::{InteractionRequest, ToolError, fixed};
use serde_json::Value;
use std::future::{Future, ready};

/// What a program does about responses (the callbacks of the spec's `InteractionRequest`).
pub trait Hooks: Send {
    /// A person responded: `onResponse`.
    fn on_response(&mut self, response: &UserResponse) -> impl Future<Output = HookOutcome> + Send;

    /// Nobody responded in time: `onTimeout`. Without one of its own the tool returns an error.
    fn on_timeout(&mut self) -> impl Future<Output = HookOutcome> + Send {
        ready(HookOutcome::complete(&ToolResult::Failed(fixed::TIMED_OUT.to_owned())))
    }

    /// The question was taken back: `onCancel`. Whatever it does, the tool returns `tool_aborted`.
    fn on_cancel(&mut self) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

impl Hooks for QuestionsAsk {
    fn on_response(&mut self, response: &UserResponse) -> impl Future<Output = HookOutcome> + Send {
        ready(self.responded(response))
    }

    fn on_timeout(&mut self) -> impl Future<Output = HookOutcome> + Send {
        ready(self.timed_out())
    }
}

/// What ended the wait for a response.
#[derive(Debug, Clone, PartialEq)]
pub enum Waited {
    /// A response to the round that waits.
    Response(UserResponse),
    /// The time is over.
    TimedOut,
    /// The asker took the question back.
    Aborted,
}

/// Where a question is shown.
pub trait Client: Send {
    /// An id that no round had before.
    fn interaction_id(&mut self) -> String;

    /// Tells an event.
    fn send(&mut self, event: Payload) -> impl Future<Output = ()> + Send;

    /// Waits for a response to this round, at most as many milliseconds. Responses to other rounds are answered with
    /// [`ToolError::not_found`] and waited past.
    fn wait(&mut self, interaction_id: &str, limit_ms: i64) -> impl Future<Output = Waited> + Send;
}

/// Asks, and lets the hooks decide about responses until the tool returns. There are as many rounds as they want.
///
/// # Errors
/// `tool_aborted` where the asker took the question back.
#[expect(clippy::manual_async_fn, reason = "an `async fn` does not promise that its future is `Send`")]
pub fn run<C: Client, H: Hooks>(
    client: &mut C,
    hooks: &mut H,
    call: Call,
    mut request: InteractionRequest,
) -> impl Future<Output = Result<Value, ToolError>> + Send {
    async move {
        let first = client.interaction_id();
        let (mut exchange, events) = Exchange::open(call, &request, &first);
        for event in events {
            client.send(event).await;
        }
        while let Some(round) = exchange.waiting().map(str::to_owned) {
            let step = match client.wait(&round, request.time_limit_ms()).await {
                Waited::Response(response) => {
                    client.send(exchange.receive(&round, &response)?).await;
                    let outcome = hooks.on_response(&response).await;
                    decide(client, &mut exchange, &mut request, outcome)
                }
                Waited::TimedOut => {
                    exchange.time_out();
                    let outcome = hooks.on_timeout().await;
                    decide(client, &mut exchange, &mut request, outcome)
                }
                Waited::Aborted => {
                    hooks.on_cancel().await;
                    exchange.abort()
                }
            };
            for event in step.events {
                client.send(event).await;
            }
            if let Some(returned) = step.returned {
                return returned;
            }
        }
        Err(ToolError::aborted())
    }
}

fn decide<C: Client>(
    client: &mut C,
    exchange: &mut Exchange,
    request: &mut InteractionRequest,
    outcome: HookOutcome,
) -> Step {
    let mut next = String::new();
    if let HookOutcome::Reprompt(again) = &outcome {
        *request = (**again).clone();
        next = client.interaction_id();
    }
    exchange.decide(outcome, &next)
}
