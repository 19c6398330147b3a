//! Stateless elicitation, for protocol versions without requests from the server: the call ends with the form, and
//! the host repeats it with the person's input. It may never do so. The question is at the desk as well, and the
//! dialog can't be closed: if someone answers at the desk meanwhile, the next call returns that answer.

use super::asks::{Asks, Wanted, blocking, is_of};
use super::caller::Caller;
use super::form::{HostForm, ROUNDS};
use super::handler::Door;
use super::heard::Heard;
use super::refusal::Refusal;
use super::seal::Round;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, InputRequest,
    InputRequiredResult,
};
use sayso_core::{Ask, AskId, Asker, Problem};
use std::collections::BTreeMap;
use std::time::Duration;

/// Name of the only input request.
const FORM: &str = "form";

/// State and reply that a repeated call carries.
#[derive(Debug, Clone)]
pub(super) struct Returned {
    state: String,
    reply: Option<ElicitResult>,
}

impl Returned {
    /// Reads the state of a request, unless it is the first of its call.
    pub(super) fn of(request: &CallToolRequestParams) -> Option<Self> {
        let reply = request.input_responses.as_ref().and_then(|responses| responses.get(FORM)).cloned();
        let reply = reply.and_then(|reply| serde_json::from_value(reply).ok());
        Some(Self { state: request.request_state.clone()?, reply })
    }
}

/// Effect of a repeated call on its ask.
pub(super) enum Back {
    Settled(Box<Ask>),
    /// The ask is still open. Number of the next showing of its form, and the reasons to show it again.
    Open(u64, Vec<String>),
}

impl Asks {
    /// Returns the caller's ask that a repeated call continues, if its sealed state is valid.
    pub(super) fn resumed(&self, asker: &Asker, returned: Option<&Returned>) -> Option<Ask> {
        let state = &returned?.state;
        let ask = self.setup.desk.get(self.seal()?.open(state)?.ask).ok()?;
        is_of(&ask.request.asker, asker).then_some(ask)
    }

    /// Returns the ask of a repeated call, even if it is already settled and delivered; else opens or finds one.
    ///
    /// # Errors
    /// Fails if the desk can't store it.
    pub(super) fn resume_or_open(
        &self,
        caller: &Caller,
        returned: Option<&Returned>,
        wanted: &Wanted,
    ) -> Result<Ask, Problem> {
        let asker = self.asker(caller);
        let resumed = self.resumed(&asker, returned);
        match resumed.filter(|ask| *ask.request.questionnaire == wanted.questionnaire) {
            Some(ask) => Ok(ask),
            None => self.open(asker, caller.call.as_deref(), wanted),
        }
    }

    /// Returns the result that requests the form, if state can be sealed.
    pub(super) fn round(
        &self,
        ask: AskId,
        form: &HostForm,
        number: u64,
        why: &[String],
    ) -> Option<InputRequiredResult> {
        let message = match why {
            [] => form.message.clone(),
            why => format!("{}\n\n{}", why.join("\n"), form.message),
        };
        let requested_schema = ElicitationSchema::from_json_schema(form.schema.clone()).ok()?;
        let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
        let wanted = InputRequest::Elicitation(ElicitRequest::new(params));
        let wanted = BTreeMap::from([(FORM.to_owned(), wanted)]);
        let state = self.seal()?.close(Round { ask, at_ms: self.now_ms(), number });
        Some(InputRequiredResult::new(Some(wanted), Some(state)))
    }

    fn now_ms(&self) -> i64 {
        (self.setup.now)().as_millisecond()
    }
}

impl Door {
    /// Applies the reply of a repeated call, even if its form would not be shown again. Replies without state sealed
    /// for this ask are ignored.
    ///
    /// # Errors
    /// Fails if the desk fails.
    pub(super) async fn came_back(&self, ask: &Ask, returned: Returned) -> Result<Back, Refusal> {
        let round = self.asks.seal().and_then(|seal| seal.open(&returned.state));
        let (Some(round), Some(reply)) = (round.filter(|it| it.ask == ask.id), returned.reply) else {
            return Ok(Back::Open(1, Vec::new()));
        };
        let took =
            u64::try_from(self.asks.now_ms() - round.at_ms).map(Duration::from_millis).unwrap_or_default();
        let (asks, asked) = (self.asks.clone(), ask.clone());
        match blocking(move || asks.hear(&asked, reply, took)).await? {
            Heard::Settled(ask) => return Ok(Back::Settled(ask)),
            Heard::Again(why) if round.number < ROUNDS => return Ok(Back::Open(round.number + 1, why)),
            Heard::Again(_) | Heard::Dismissed => self.asks.note_dismissed(ask.id),
            Heard::CannotAsk => self.asks.note_cannot_ask(),
        }
        Ok(Back::Open(1, Vec::new()))
    }
}
