//! One call of a tool that asks, as a state machine: inputs are method calls, outputs are events.
//!
//! The caller passes ids in; [`InteractionEvent`](super::InteractionEvent) adds ids and times to the output.

mod callback;
pub(super) mod events;
mod frames;
mod hooks;
pub(super) mod payload;

pub use callback::InteractionCallback;
pub use events::{
    InteractionSubmission, final_response, hook_feedback, pending_event, request_event, submitted_values,
    to_user_response,
};
pub use frames::{
    ClientFrame, FrameError, HelloFrame, InteractionMode, PROTOCOL, ResponseFrame, ServerFrame,
    SetInteractionMode, read_frame,
};
pub use hooks::{InteractionClient, InteractionHooks, WaitOutcome, run_interaction};
pub use payload::{
    InteractionEvent, InteractionPayload, RequestPayload, UserAction, UserResponse, response_issues,
};

use super::messages;
use super::spec::TOOL;
use super::tool::{HookOutcome, QuestionsAsk};
use super::wire::InteractionRequest;
use crate::interaction::tool::refusal::ToolError;
use serde_json::{Map, Value};

/// Call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InteractionCall {
    /// Id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
}

impl InteractionCall {
    /// Creates a call of `questions_ask`.
    pub fn new(tool_call_id: impl Into<String>) -> Self {
        Self { tool_call_id: tool_call_id.into(), tool_name: TOOL.to_owned() }
    }
}

/// Result of a transition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InteractionStep {
    /// Events to send, in order.
    pub events: Vec<InteractionPayload>,
    /// Return value of the tool, once it returns.
    pub returned: Option<Result<Value, ToolError>>,
}

/// State machine of the rounds of one call, independent of the code that decides about responses. An input that does
/// not fit the current state changes nothing.
#[derive(Debug, Clone)]
pub struct InteractionExchange {
    call: InteractionCall,
    presentation: Option<String>,
    round: RoundState,
}

/// State of a call.
#[derive(Debug, Clone)]
enum RoundState {
    /// The round with this id waits for a response.
    Waiting(String),
    /// A response or the timeout is received, and the decision about it is pending.
    Undecided { submitted: Option<Map<String, Value>> },
    /// The call has returned.
    Returned,
}

impl InteractionExchange {
    /// Opens the first round: the tool waits, and the form is shown.
    pub fn open(
        call: InteractionCall,
        request: &InteractionRequest,
        interaction_id: &str,
    ) -> (Self, Vec<InteractionPayload>) {
        let round = RoundState::Waiting(interaction_id.to_owned());
        let exchange = Self { call, presentation: request.presentation.clone(), round };
        let events = vec![exchange.pending_event(true), exchange.request_event(request, interaction_id)];
        (exchange, events)
    }

    /// Returns the round that waits for a response; `None` once there is one, or the call has returned.
    pub fn waiting_round(&self) -> Option<&str> {
        match &self.round {
            RoundState::Waiting(round) => Some(round),
            RoundState::Undecided { .. } | RoundState::Returned => None,
        }
    }

    /// Accepts a response. No other is accepted until [`decide`](Self::decide) opens another round.
    ///
    /// # Errors
    /// Fails with `interaction_not_found` unless that round is waiting: the first response wins.
    pub fn receive(
        &mut self,
        interaction_id: &str,
        response: &UserResponse,
    ) -> Result<InteractionPayload, ToolError> {
        if self.waiting_round() != Some(interaction_id) {
            return Err(ToolError::not_found());
        }
        self.round = RoundState::Undecided { submitted: response.input.clone() };
        Ok(InteractionPayload::InteractionResponse {
            tool_call_id: self.call.tool_call_id.clone(),
            interaction_id: interaction_id.to_owned(),
            response: response.clone(),
        })
    }

    /// Ends the round by timeout, so that no response to it is accepted any more. Returns whether it was still waiting.
    pub fn time_out(&mut self) -> bool {
        let was_waiting = self.waiting_round().is_some();
        if was_waiting {
            self.round = RoundState::Undecided { submitted: None };
        }
        was_waiting
    }

    /// Applies the decision about a response or a timeout. A further round gets this id, and shows the submitted values
    /// unless its request has initial values of its own. Without a pending decision nothing happens.
    pub fn decide(&mut self, outcome: HookOutcome, next_interaction_id: &str) -> InteractionStep {
        let RoundState::Undecided { submitted } = &mut self.round else { return InteractionStep::default() };
        match outcome {
            HookOutcome::Complete(result) => self.close(Ok(result)),
            HookOutcome::Reprompt(mut request) => {
                if request.input_schema.initial_values.is_none() {
                    request.input_schema.initial_values = submitted.take();
                }
                if request.error_summary.is_none() {
                    request.error_summary = Some(messages::ERROR_SUMMARY.to_owned());
                }
                self.round = RoundState::Waiting(next_interaction_id.to_owned());
                InteractionStep {
                    events: vec![self.request_event(&request, next_interaction_id)],
                    returned: None,
                }
            }
        }
    }

    /// Cancels the call on behalf of the asker.
    pub fn abort(&mut self) -> InteractionStep {
        self.close(Err(ToolError::aborted()))
    }

    fn close(&mut self, returned: Result<Value, ToolError>) -> InteractionStep {
        if matches!(std::mem::replace(&mut self.round, RoundState::Returned), RoundState::Returned) {
            return InteractionStep::default();
        }
        InteractionStep { events: vec![self.pending_event(false)], returned: Some(returned) }
    }

    fn pending_event(&self, pending: bool) -> InteractionPayload {
        InteractionPayload::InteractionPending {
            tool_call_id: self.call.tool_call_id.clone(),
            tool_name: self.call.tool_name.clone(),
            pending,
            presentation: self.presentation.clone(),
        }
    }

    fn request_event(&self, request: &InteractionRequest, interaction_id: &str) -> InteractionPayload {
        let InteractionCall { tool_call_id, tool_name } = &self.call;
        InteractionPayload::InteractionRequest(Box::new(RequestPayload::new(
            tool_call_id,
            tool_name,
            interaction_id,
            request,
        )))
    }
}

/// One call of `questions_ask`.
#[derive(Debug, Clone)]
pub struct InteractionSession {
    tool: QuestionsAsk,
    exchange: InteractionExchange,
}

impl InteractionSession {
    /// Calls the tool with these arguments, which opens the first round.
    ///
    /// # Errors
    /// Fails with `invalid_arguments`; nothing is asked then.
    pub fn start(
        call: InteractionCall,
        arguments: &Value,
        interaction_id: &str,
    ) -> Result<(Self, Vec<InteractionPayload>), ToolError> {
        let tool = QuestionsAsk::new(arguments)?;
        let (exchange, events) = InteractionExchange::open(call, tool.request(), interaction_id);
        Ok((Self { tool, exchange }, events))
    }

    /// Returns the round that waits for a response; `None` once the call has returned.
    pub fn waiting_round(&self) -> Option<&str> {
        self.exchange.waiting_round()
    }

    /// Handles a response of a person to a round. A further round gets the next id.
    ///
    /// # Errors
    /// Fails with `interaction_not_found` unless that round is waiting.
    pub fn respond(
        &mut self,
        interaction_id: &str,
        response: &UserResponse,
        next_interaction_id: &str,
    ) -> Result<InteractionStep, ToolError> {
        let response_event = self.exchange.receive(interaction_id, response)?;
        let mut step = self.exchange.decide(self.tool.handle_response(response), next_interaction_id);
        step.events.insert(0, response_event);
        Ok(step)
    }

    /// Handles the timeout of the waiting round.
    pub fn time_out(&mut self, next_interaction_id: &str) -> InteractionStep {
        if !self.exchange.time_out() {
            return InteractionStep::default();
        }
        self.exchange.decide(self.tool.handle_timeout(), next_interaction_id)
    }

    /// Cancels the call on behalf of the asker.
    pub fn abort(&mut self) -> InteractionStep {
        self.exchange.abort()
    }
}
