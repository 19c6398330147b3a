//! One call of a tool that asks, as a state machine: what happens goes in, the events that tell it come out.
//!
//! Ids come in as arguments; [`Event`](super::Event) puts ids and times around what comes out.

use super::payload::{Payload, RequestPayload, UserResponse};
use super::tool::{HookOutcome, QuestionsAsk};
use super::{InteractionRequest, TOOL, ToolError, fixed};
use serde_json::{Map, Value};

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its id.
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
}

impl Call {
    /// A call of `questions_ask`.
    pub fn new(tool_call_id: impl Into<String>) -> Self {
        Self { tool_call_id: tool_call_id.into(), tool_name: TOOL.to_owned() }
    }
}

/// What came of something that happened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// The events that tell it, in order.
    pub events: Vec<Payload>,
    /// What the tool returns, once it does.
    pub returned: Option<Result<Value, ToolError>>,
}

/// The rounds of one call, whoever decides about responses. What does not suit how far it has come changes nothing.
#[derive(Debug, Clone)]
pub struct Exchange {
    call: Call,
    presentation: Option<String>,
    round: Round,
}

/// How far a call has come.
#[derive(Debug, Clone)]
enum Round {
    /// The round with this id waits for a response.
    Waiting(String),
    /// Its response is there, or its time is over, and it is not decided yet what comes of that.
    Undecided { submitted: Option<Map<String, Value>> },
    /// The call has returned.
    Over,
}

impl Exchange {
    /// Asks: the tool waits, and the form is shown in its first round.
    pub fn open(call: Call, request: &InteractionRequest, interaction_id: &str) -> (Self, Vec<Payload>) {
        let round = Round::Waiting(interaction_id.to_owned());
        let exchange = Self { call, presentation: request.presentation.clone(), round };
        let events = vec![exchange.pending(true), exchange.show(request, interaction_id)];
        (exchange, events)
    }

    /// The round that waits for a response; nothing once there is one, or the call has returned.
    pub fn waiting(&self) -> Option<&str> {
        match &self.round {
            Round::Waiting(round) => Some(round),
            Round::Undecided { .. } | Round::Over => None,
        }
    }

    /// A response arrived. No other is taken before [`decide`](Self::decide) has asked again.
    ///
    /// # Errors
    /// `interaction_not_found` where it is not to the round that waits: the first response wins.
    pub fn receive(&mut self, interaction_id: &str, response: &UserResponse) -> Result<Payload, ToolError> {
        if self.waiting() != Some(interaction_id) {
            return Err(ToolError::not_found());
        }
        self.round = Round::Undecided { submitted: response.input.clone() };
        Ok(Payload::InteractionResponse {
            tool_call_id: self.call.tool_call_id.clone(),
            interaction_id: interaction_id.to_owned(),
            response: response.clone(),
        })
    }

    /// The time of the round is over: no response to it is taken any more. Says whether it was still waiting.
    pub fn time_out(&mut self) -> bool {
        let was_waiting = self.waiting().is_some();
        if was_waiting {
            self.round = Round::Undecided { submitted: None };
        }
        was_waiting
    }

    /// It was decided about what was received, or about its being too late. A round that follows has this id, and
    /// shows what was submitted where its request has no initial values of its own. Nothing comes of a decision about
    /// nothing: there was no response and the time is not over, or the call has returned.
    pub fn decide(&mut self, outcome: HookOutcome, next_interaction_id: &str) -> Step {
        let Round::Undecided { submitted } = &mut self.round else { return Step::default() };
        match outcome {
            HookOutcome::Complete(result) => self.close(Ok(result)),
            HookOutcome::Reprompt(mut request) => {
                let initial_values = &mut request.input_schema.initial_values;
                *initial_values = initial_values.take().or_else(|| submitted.take());
                request.error_summary.get_or_insert_with(|| fixed::ERROR_SUMMARY.to_owned());
                self.round = Round::Waiting(next_interaction_id.to_owned());
                Step { events: vec![self.show(&request, next_interaction_id)], returned: None }
            }
        }
    }

    /// The asker took the question back.
    pub fn abort(&mut self) -> Step {
        self.close(Err(ToolError::aborted()))
    }

    fn close(&mut self, returned: Result<Value, ToolError>) -> Step {
        if matches!(std::mem::replace(&mut self.round, Round::Over), Round::Over) {
            return Step::default();
        }
        Step { events: vec![self.pending(false)], returned: Some(returned) }
    }

    fn pending(&self, pending: bool) -> Payload {
        Payload::InteractionPending {
            tool_call_id: self.call.tool_call_id.clone(),
            tool_name: self.call.tool_name.clone(),
            pending,
            presentation: self.presentation.clone(),
        }
    }

    fn show(&self, request: &InteractionRequest, interaction_id: &str) -> Payload {
        let Call { tool_call_id, tool_name } = &self.call;
        Payload::InteractionRequest(Box::new(RequestPayload::new(
            tool_call_id,
            tool_name,
            interaction_id,
            request,
        )))
    }
}

/// One call of `questions_ask`.
#[derive(Debug, Clone)]
pub struct Session {
    tool: QuestionsAsk,
    exchange: Exchange,
}

impl Session {
    /// The tool is called with these arguments, and asks.
    ///
    /// # Errors
    /// `invalid_arguments`; nothing is asked then.
    pub fn start(
        call: Call,
        arguments: &Value,
        interaction_id: &str,
    ) -> Result<(Self, Vec<Payload>), ToolError> {
        let tool = QuestionsAsk::new(arguments)?;
        let (exchange, events) = Exchange::open(call, tool.request(), interaction_id);
        Ok((Self { tool, exchange }, events))
    }

    /// The round that waits for a response; nothing once the call has returned.
    pub fn waiting(&self) -> Option<&str> {
        self.exchange.waiting()
    }

    /// A person responded to a round. A round that follows has the next id.
    ///
    /// # Errors
    /// `interaction_not_found` where it is not the round that waits.
    pub fn respond(
        &mut self,
        interaction_id: &str,
        response: &UserResponse,
        next_interaction_id: &str,
    ) -> Result<Step, ToolError> {
        let received = self.exchange.receive(interaction_id, response)?;
        let mut step = self.exchange.decide(self.tool.responded(response), next_interaction_id);
        step.events.insert(0, received);
        Ok(step)
    }

    /// Nobody responded in time.
    pub fn time_out(&mut self, next_interaction_id: &str) -> Step {
        if !self.exchange.time_out() {
            return Step::default();
        }
        self.exchange.decide(self.tool.timed_out(), next_interaction_id)
    }

    /// The asker took the question back.
    pub fn abort(&mut self) -> Step {
        self.exchange.abort()
    }
}
