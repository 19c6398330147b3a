//! A form where servers send no requests: the call ends with the form, and the host makes it again with what a person
//! filled in. Nothing says that it ever does. The question is at the desk all the same, and such a dialog cannot be
//! closed: when somebody answers at the desk meanwhile, the next call gets that answer.

use super::asks::{Asks, blocking, is_of};
use super::form::HostForm;
use super::handler::Door;
use super::heard::Heard;
use super::refusal::Refusal;
use super::seal::Round;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, InputRequest,
    InputRequiredResult,
};
use sayso_core::{Ask, Asker};
use std::collections::BTreeMap;
use std::time::Duration;

/// How often a form that was filled in wrongly is shown again. Hosts give up after ten rounds.
const ROUNDS: u64 = 3;
/// The name of the one thing that a host is asked for.
const FORM: &str = "form";

/// What a call brings back from the round before.
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

/// How an open ask goes on.
pub(super) enum Next {
    Settled(Box<Ask>),
    /// The form goes out.
    Form(Box<InputRequiredResult>),
    /// It waits at the desk alone.
    Desk,
}

impl Asks {
    /// The caller's ask that a call goes on with, where it brings back what was sealed for it.
    pub(super) fn resumed(&self, asker: &Asker, returned: Option<&Returned>) -> Option<Ask> {
        let state = &returned?.state;
        let ask = self.setup.desk.get(self.seal()?.open(state)?.ask).ok()?;
        is_of(&ask.request.asker, asker).then_some(ask)
    }
}

impl Door {
    /// Hears what a call brought back, and says how the ask goes on.
    ///
    /// # Errors
    /// When the desk fails.
    pub(super) async fn in_rounds(
        &self,
        ask: &Ask,
        form: &HostForm,
        returned: Option<Returned>,
    ) -> Result<Next, Refusal> {
        let Some(seal) = self.asks.seal() else { return Ok(Next::Desk) };
        let now_ms = (self.asks.setup.now)().as_millisecond();
        let mut round = Round { ask: ask.id, at_ms: now_ms, number: 1 };
        let mut message = form.message.clone();
        // What was not sealed for this ask is not heard at all.
        let sealed = returned.and_then(|it| Some((seal.open(&it.state)?, it.reply)));
        if let Some((before, Some(reply))) = sealed.filter(|(before, _)| before.ask == ask.id) {
            let took = u64::try_from(now_ms - before.at_ms).map(Duration::from_millis).unwrap_or_default();
            let (asks, asked) = (self.asks.clone(), ask.clone());
            match blocking(move || asks.hear(&asked, reply, took)).await? {
                Heard::Settled(ask) => return Ok(Next::Settled(ask)),
                Heard::Again(why) if before.number < ROUNDS => {
                    message = format!("{}\n\n{}", why.join("\n"), form.message);
                    round.number = before.number + 1;
                }
                Heard::Again(_) | Heard::Dismissed => {
                    self.asks.note_dismissed(ask.id);
                    return Ok(Next::Desk);
                }
                Heard::CannotAsk => {
                    self.asks.note_cannot_ask();
                    return Ok(Next::Desk);
                }
            }
        }
        let Ok(requested_schema) = ElicitationSchema::from_json_schema(form.schema.clone()) else {
            return Ok(Next::Desk);
        };
        let params = ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
        let wanted = InputRequest::Elicitation(ElicitRequest::new(params));
        let wanted = BTreeMap::from([(FORM.to_owned(), wanted)]);
        let state = seal.close(round);
        Ok(Next::Form(Box::new(InputRequiredResult::new(Some(wanted), Some(state)))))
    }
}
