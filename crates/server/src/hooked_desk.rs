//! Interaction hooks over a desk: a program asks in the interaction format and validates each response itself.
//!
//! Its rounds map to those of the desk: a response is a submitted round, a hook that wants more reprompts it, and a
//! hook's result accepts it. So the question is shown and answered on every surface, and survives the program. A
//! restarted program that asks the same finds the ask and validates the responses that came meanwhile.

use crate::diagnostics::DeskCall;
use crate::notify::blocking_calls::BlockingCalls;
use crate::notify::change_notifier::{ChangeNotifier, Subscription};
use crate::notify::deadline::time_left;
use jiff::Timestamp;
use sayso_core::model::ask::{AskPhase, Submission};
use sayso_core::wire::json;
use sayso_core::{Actor, Ask, AskCommand, Asker, NewAsk, Outcome, Problem};
use sayso_desk::Desk;
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{
    HookOutcome, InteractionCall, InteractionClient, InteractionHooks, InteractionPayload,
    InteractionRequest, QuestionsAsk, ToolError, WaitOutcome, final_response, hook_feedback, run_interaction,
    to_user_response,
};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Longest wait before the desk is read again.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Most simultaneous calls to the desk, each on a thread.
const DESK_THREADS: usize = 16;
/// Delivery form of results that hooks return.
const HOOKS_FORM: &str = "hooks";

/// Desk client for a program that asks with hooks.
#[derive(Clone)]
pub struct HookedDesk {
    desk: Arc<dyn Desk>,
    notifier: Arc<ChangeNotifier>,
    calls: BlockingCalls,
    asker: Asker,
    now: fn() -> Timestamp,
}

impl fmt::Debug for HookedDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookedDesk").field("asker", &self.asker).finish_non_exhaustive()
    }
}

impl HookedDesk {
    /// Creates a client that asks as this asker.
    pub fn new(desk: Arc<dyn Desk>, asker: Asker, now: fn() -> Timestamp) -> Self {
        let notifier = ChangeNotifier::new(desk.clone());
        Self { desk, notifier, calls: BlockingCalls::new(DESK_THREADS), asker, now }
    }

    /// Asks, and runs the hooks on each response. The tool's result is delivered before this returns.
    ///
    /// # Errors
    /// Fails if the desk fails. The inner error is the tool's own, such as `tool_aborted` if the question was
    /// cancelled.
    pub async fn ask<H: InteractionHooks>(
        &self,
        tool: &QuestionsAsk,
        hooks: &mut H,
    ) -> Result<Result<Value, ToolError>, Problem> {
        let mut rounds = HookRounds::open(self.clone(), tool.clone()).await?;
        let call = InteractionCall::new(rounds.ask.id.to_string());
        let result = run_interaction(&mut rounds, hooks, call, tool.request().clone()).await;
        if let Some(problem) = rounds.failure.take() {
            return Err(problem);
        }
        rounds.finish(&result).await?;
        Ok(result)
    }

    /// Runs desk work on a thread that may block.
    async fn run_at_desk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let hooked_desk = self.clone();
        let call = DeskCall::new(&work);
        self.calls.run(call, move || work(&hooked_desk)).await
    }

    fn act(&self, ask: &Ask, command: AskCommand) -> Result<Ask, Problem> {
        self.desk.act(&Actor::Asker(self.asker.clone()), ask.id, None, command)
    }

    /// Delivers an outcome to the program and acknowledges it.
    fn deliver(&self, ask: &Ask, text: &str) -> Result<(), Problem> {
        self.desk.offer(&self.asker, ask, HOOKS_FORM, &|_| text.as_bytes().to_vec())?;
        self.desk.ack(&self.asker, ask.id)
    }
}

/// State of one hooked call: its current ask and rounds.
struct HookRounds {
    questions: HookedDesk,
    tool: QuestionsAsk,
    ask: Ask,
    /// Asks of earlier forms whose answers led to this one. They are delivered when the tool returns.
    earlier_asks: Vec<Ask>,
    subscription: Subscription,
    rounds: u32,
    failure: Option<Problem>,
}

impl HookRounds {
    async fn open(questions: HookedDesk, tool: QuestionsAsk) -> Result<Self, Problem> {
        let new_ask = NewAsk {
            needs_verdict: true,
            time_limit_ms: Some(tool.request().time_limit_ms()),
            is_waiting: true,
            ..NewAsk::new(tool.questionnaire().clone(), Dialect::Interaction.name(), questions.asker.clone())
        };
        let desk_call = questions.run_at_desk(move |questions| {
            let ask = questions.desk.open(None, new_ask)?.into_ask();
            let subscription = questions.notifier.subscribe(vec![ask.id])?;
            Ok((ask, subscription))
        });
        let (ask, subscription) = desk_call.await?;
        Ok(Self { questions, tool, ask, earlier_asks: Vec::new(), subscription, rounds: 0, failure: None })
    }

    /// Waits for the person's response, or for the reason that none will come.
    async fn wait_for_response(&mut self) -> Result<WaitOutcome, Problem> {
        loop {
            let id = self.ask.id;
            // Reading the desk runs what is due.
            let desk_call = self.questions.run_at_desk(move |questions| {
                questions.notifier.ensure_watching()?;
                questions.desk.get(id)
            });
            self.ask = desk_call.await?;
            if let Some(outcome) = wait_outcome(&self.ask) {
                return Ok(outcome);
            }
            let remaining_time =
                time_left(self.ask.due_at(), (self.questions.now)()).unwrap_or(POLL_INTERVAL);
            // A change and a timeout are handled alike: the ask is read.
            let _ = timeout(remaining_time.min(POLL_INTERVAL), self.subscription.changed()).await;
        }
    }

    /// Reprompts the submitted round, or opens another form. An ask that has ended is asked again.
    async fn reprompt(&mut self, request: InteractionRequest) -> Result<(), Problem> {
        let is_same = self.tool.shows_form_of(&request);
        let tool = if is_same {
            self.tool.clone()
        } else {
            self.tool.with_request(request.clone()).map_err(Problem::from_request)?
        };
        let ask = self.ask.clone();
        match (&self.ask.state.phase, is_same) {
            (AskPhase::Submitted { round, .. }, true) => {
                let outcome = HookOutcome::Reprompt(Box::new(request));
                let feedback = hook_feedback(&self.ask.request.questionnaire, &outcome).unwrap_or_default();
                let command = AskCommand::Reprompt { round: *round, feedback };
                self.ask = self.questions.run_at_desk(move |questions| questions.act(&ask, command)).await?;
                return Ok(());
            }
            (AskPhase::Submitted { round, .. }, false) => {
                let command = AskCommand::Accept { round: *round };
                let desk_call = self.questions.run_at_desk(move |questions| questions.act(&ask, command));
                self.earlier_asks.push(desk_call.await?);
            }
            // An answered ask that isn't delivered would be found again by the same request.
            (_, true) => {
                let text = json::write(&Value::Null);
                self.questions.run_at_desk(move |questions| questions.deliver(&ask, &text)).await?;
            }
            (_, false) => self.earlier_asks.push(ask),
        }
        let next = Self::open(self.questions.clone(), tool).await?;
        *self = Self { rounds: self.rounds, earlier_asks: std::mem::take(&mut self.earlier_asks), ..next };
        Ok(())
    }

    /// Accepts the last round and delivers the tool's result.
    async fn finish(&self, result: &Result<Value, ToolError>) -> Result<(), Problem> {
        let text = match result {
            Ok(value) => json::write(value),
            Err(error) => error.to_result_json(),
        };
        let ask = self.ask.clone();
        let earlier_asks = self.earlier_asks.clone();
        let desk_call = self.questions.run_at_desk(move |questions| {
            let ask = match ask.state.phase {
                AskPhase::Submitted { round, .. } => questions.act(&ask, AskCommand::Accept { round })?,
                AskPhase::Open { .. } | AskPhase::Settled(_) => ask,
            };
            questions.deliver(&ask, &text)?;
            for ask in &earlier_asks {
                questions.deliver(ask, &text)?;
            }
            Ok(())
        });
        desk_call.await
    }
}

/// Returns the person's response, or the reason that none will come; `None` while the ask is open.
fn wait_outcome(ask: &Ask) -> Option<WaitOutcome> {
    let questionnaire = &ask.request.questionnaire;
    match &ask.state.phase {
        AskPhase::Open { .. } => None,
        AskPhase::Submitted { submission: Submission { replies, as_sent, .. }, .. }
        | AskPhase::Settled(Outcome::Answered { replies, as_sent, .. }) => {
            Some(WaitOutcome::Response(to_user_response(questionnaire, replies, as_sent.as_ref())))
        }
        AskPhase::Settled(Outcome::Cancelled { .. }) => Some(WaitOutcome::Aborted),
        AskPhase::Settled(Outcome::Expired { .. }) => Some(WaitOutcome::TimedOut),
        AskPhase::Settled(outcome @ Outcome::Declined { .. }) => {
            let response = final_response(questionnaire, outcome);
            Some(response.map_or(WaitOutcome::Aborted, WaitOutcome::Response))
        }
    }
}

impl InteractionClient for HookRounds {
    fn next_interaction_id(&mut self) -> String {
        self.rounds += 1;
        self.rounds.to_string()
    }

    async fn send(&mut self, event: InteractionPayload) {
        // The desk notifies its surfaces. The first round is already asked.
        if let InteractionPayload::InteractionRequest(payload) = event
            && self.rounds > 1
            && self.failure.is_none()
        {
            let request = InteractionRequest {
                presentation: payload.presentation,
                prompt: payload.prompt,
                input_schema: payload.input_schema,
                timeout_ms: payload.timeout_ms,
                completed_view: payload.completed_view,
                error_summary: payload.error_summary,
                field_errors: payload.field_errors,
                ..self.tool.request().clone()
            };
            self.failure = self.reprompt(request).await.err();
        }
    }

    async fn wait_for_response(&mut self, _: &str, _: i64) -> WaitOutcome {
        if self.failure.is_some() {
            return WaitOutcome::Aborted;
        }
        match self.wait_for_response().await {
            Ok(outcome) => outcome,
            Err(problem) => {
                self.failure = Some(problem);
                WaitOutcome::Aborted
            }
        }
    }
}

#[cfg(test)]
mod tests;
