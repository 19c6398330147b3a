//! A form where servers send no requests: the call ends with the form, and the host makes it again with what a person
//! filled in. Nothing says that it ever does. The question is at the desk all the same, and such a dialog cannot be
//! closed: when somebody answers at the desk meanwhile, the next call gets that answer.

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

/// The name of the one thing that a host is asked for.
const FORM: &str = "form";

/// What a call brings back from the round before.
#[derive(Debug, Clone)]
pub(super) struct Returned {
    state: String,
    reply: Option<ElicitResult>,
}

impl Returned {
    /// What this request brings back, if it is not the first of its call.
    pub(super) fn of(request: &CallToolRequestParams) -> Option<Self> {
        let reply = request.input_responses.as_ref().and_then(|responses| responses.get(FORM)).cloned();
        let reply = reply.and_then(|reply| serde_json::from_value(reply).ok());
        Some(Self { state: request.request_state.clone()?, reply })
    }
}

/// What a call that came back means for its ask.
pub(super) enum Back {
    Settled(Box<Ask>),
    /// Still open. Where the form is shown again, it is this showing, for these reasons.
    Open(u64, Vec<String>),
}

impl Asks {
    /// The caller's ask that a call goes on with, where it brings back what was sealed for it.
    pub(super) fn resumed(&self, asker: &Asker, returned: Option<&Returned>) -> Option<Ask> {
        let state = &returned?.state;
        let ask = self.setup.desk.get(self.seal()?.open(state)?.ask).ok()?;
        is_of(&ask.request.asker, asker).then_some(ask)
    }

    /// The ask of a call that came back, also when that is settled and delivered by now, or else the ask that is opened or found.
    ///
    /// # Errors
    /// When the desk cannot keep it.
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

    /// The end of a call that shows the form, where there can be one.
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
    /// Hears what a call brought back, whether or not a form would still be shown. What was not sealed for this ask is not
    /// heard at all.
    ///
    /// # Errors
    /// When the desk fails.
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
