//! Interaction hooks over a desk: a program asks in the interaction format and validates each response itself.
//!
//! Its rounds map to those of the desk: a response is a submitted round, a hook that wants more reprompts it, and a
//! hook's result accepts it. So the question is shown and answered on every surface, and survives the program. A
//! restarted program that asks the same finds the ask and validates the responses that came meanwhile.

use crate::aside::aside;
use crate::due::left;
use crate::hub::{Hub, Ticket};
use jiff::Timestamp;
use sayso_core::ask::Phase;
use sayso_core::wire::json;
use sayso_core::{Ask, Asker, Command, NewAsk, Outcome, Problem, Who};
use sayso_desk::Desk;
use sayso_dialects::Dialect;
use sayso_dialects::interaction::{
    Call, Client, HookOutcome, Hooks, InteractionRequest, Payload, QuestionsAsk, ToolError, Waited, feedback,
    responded, run, settled,
};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Longest wait before the desk is read again.
const LOOK: Duration = Duration::from_secs(1);
/// Delivery form of results that hooks return.
const FORM: &str = "hooks";

/// Desk client for a program that asks with hooks.
#[derive(Clone)]
pub struct Questions {
    desk: Arc<dyn Desk>,
    hub: Arc<Hub>,
    asker: Asker,
    now: fn() -> Timestamp,
}

impl fmt::Debug for Questions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookedDesk").field("asker", &self.asker).finish_non_exhaustive()
    }
}

impl Questions {
    /// Creates a client that asks as this asker.
    pub fn new(desk: Arc<dyn Desk>, asker: Asker, now: fn() -> Timestamp) -> Self {
        Self { hub: Hub::new(desk.clone()), desk, asker, now }
    }

    /// Asks, and runs the hooks on each response. The tool's result is delivered before this returns.
    ///
    /// # Errors
    /// Fails if the desk fails. The inner error is the tool's own, such as `tool_aborted` if the question was
    /// cancelled.
    pub async fn ask<H: Hooks>(
        &self,
        tool: &QuestionsAsk,
        hooks: &mut H,
    ) -> Result<Result<Value, ToolError>, Problem> {
        let mut rounds = Rounds::begin(self.clone(), tool.clone()).await?;
        let call = Call::new(rounds.ask.id.to_string());
        let returned = run(&mut rounds, hooks, call, tool.request().clone()).await;
        if let Some(problem) = rounds.failed.take() {
            return Err(problem);
        }
        rounds.end(&returned).await?;
        Ok(returned)
    }

    /// Runs desk work on a thread that may block.
    async fn at_desk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let questions = self.clone();
        aside(move || work(&questions)).await
    }

    fn act(&self, ask: &Ask, command: Command) -> Result<Ask, Problem> {
        self.desk.act(&Who::Asker(self.asker.clone()), ask.id, None, command)
    }

    /// Delivers an outcome to the program and acknowledges it.
    fn deliver(&self, ask: &Ask, text: &str) -> Result<(), Problem> {
        self.desk.offer(&self.asker, ask, FORM, &|_| text.as_bytes().to_vec())?;
        self.desk.ack(&self.asker, ask.id)
    }
}

/// State of one hooked call: its current ask and rounds.
struct Rounds {
    questions: Questions,
    tool: QuestionsAsk,
    ask: Ask,
    /// Asks of earlier forms whose answers led to this one. They are delivered when the tool returns.
    before: Vec<Ask>,
    ticket: Ticket,
    rounds: u32,
    failed: Option<Problem>,
}

impl Rounds {
    async fn begin(questions: Questions, tool: QuestionsAsk) -> Result<Self, Problem> {
        let new = NewAsk {
            judged: true,
            time_limit_ms: Some(tool.request().time_limit_ms()),
            waits: true,
            ..NewAsk::new(tool.questionnaire().clone(), Dialect::Interaction.name(), questions.asker.clone())
        };
        let (ask, ticket) = questions
            .at_desk(move |it| {
                let ask = it.desk.open(None, new)?.into_ask();
                let ticket = it.hub.wait_for(vec![ask.id])?;
                Ok((ask, ticket))
            })
            .await?;
        Ok(Self { questions, tool, ask, before: Vec::new(), ticket, rounds: 0, failed: None })
    }

    /// Waits for the person's response, or for the reason that none will come.
    async fn waited(&mut self) -> Result<Waited, Problem> {
        loop {
            let id = self.ask.id;
            // Reading the desk runs what is due.
            self.ask = self
                .questions
                .at_desk(move |it| {
                    it.hub.keep_watching()?;
                    it.desk.get(id)
                })
                .await?;
            let questionnaire = &self.ask.request.questionnaire;
            match &self.ask.state.phase {
                Phase::Submitted { submission, .. } => {
                    let (replies, as_sent) = (&submission.replies, submission.as_sent.as_ref());
                    return Ok(Waited::Response(responded(questionnaire, replies, as_sent)));
                }
                Phase::Settled(Outcome::Cancelled { .. }) => return Ok(Waited::Aborted),
                Phase::Settled(Outcome::Expired { .. }) => return Ok(Waited::TimedOut),
                Phase::Settled(Outcome::Answered { replies, as_sent, .. }) => {
                    return Ok(Waited::Response(responded(questionnaire, replies, as_sent.as_ref())));
                }
                Phase::Settled(outcome) => {
                    return Ok(settled(questionnaire, outcome).map_or(Waited::Aborted, Waited::Response));
                }
                Phase::Open { .. } => {}
            }
            let left = left(self.ask.due_at(), (self.questions.now)()).unwrap_or(LOOK);
            // A change and a timeout are handled alike: the ask is read.
            let _ = timeout(left.min(LOOK), self.ticket.changed()).await;
        }
    }

    /// Reprompts the submitted round, or opens another form. An ask that has ended is asked again.
    async fn again(&mut self, request: InteractionRequest) -> Result<(), Problem> {
        let is_same = self.tool.shows_form_of(&request);
        let tool = if is_same {
            self.tool.clone()
        } else {
            self.tool.with(request.clone()).map_err(Problem::in_request)?
        };
        let ask = self.ask.clone();
        match (&self.ask.state.phase, is_same) {
            (Phase::Submitted { round, .. }, true) => {
                let outcome = HookOutcome::Reprompt(Box::new(request));
                let feedback = feedback(&self.ask.request.questionnaire, &outcome).unwrap_or_default();
                let command = Command::Reprompt { round: *round, feedback };
                self.ask = self.questions.at_desk(move |it| it.act(&ask, command)).await?;
                return Ok(());
            }
            (Phase::Submitted { round, .. }, false) => {
                let command = Command::Accept { round: *round };
                self.before.push(self.questions.at_desk(move |it| it.act(&ask, command)).await?);
            }
            // An answered ask that isn't delivered would be found again by the same request.
            (_, true) => {
                self.questions.at_desk(move |it| it.deliver(&ask, &json::write(&Value::Null))).await?;
            }
            (_, false) => self.before.push(ask),
        }
        let next = Self::begin(self.questions.clone(), tool).await?;
        *self = Self { rounds: self.rounds, before: std::mem::take(&mut self.before), ..next };
        Ok(())
    }

    /// Accepts the last round and delivers the tool's result.
    async fn end(&self, returned: &Result<Value, ToolError>) -> Result<(), Problem> {
        let text = match returned {
            Ok(result) => json::write(result),
            Err(error) => error.as_result(),
        };
        let (ask, before) = (self.ask.clone(), self.before.clone());
        self.questions
            .at_desk(move |it| {
                let ask = match ask.state.phase {
                    Phase::Submitted { round, .. } => it.act(&ask, Command::Accept { round })?,
                    Phase::Open { .. } | Phase::Settled(_) => ask,
                };
                it.deliver(&ask, &text)?;
                before.iter().try_for_each(|ask| it.deliver(ask, &text))
            })
            .await
    }
}

impl Client for Rounds {
    fn interaction_id(&mut self) -> String {
        self.rounds += 1;
        self.rounds.to_string()
    }

    async fn send(&mut self, event: Payload) {
        // The desk notifies its surfaces. The first round is already asked.
        if let Payload::InteractionRequest(shown) = event
            && self.rounds > 1
            && self.failed.is_none()
        {
            let request = InteractionRequest {
                presentation: shown.presentation,
                prompt: shown.prompt,
                input_schema: shown.input_schema,
                timeout_ms: shown.timeout_ms,
                completed_view: shown.completed_view,
                error_summary: shown.error_summary,
                field_errors: shown.field_errors,
                ..self.tool.request().clone()
            };
            self.failed = self.again(request).await.err();
        }
    }

    async fn wait(&mut self, _: &str, _: i64) -> Waited {
        if self.failed.is_some() {
            return Waited::Aborted;
        }
        self.waited().await.unwrap_or_else(|problem| {
            self.failed = Some(problem);
            Waited::Aborted
        })
    }
}

#[cfg(test)]
mod tests;
