//! Tools for earlier asks: wait for one, list them, cancel one.

use super::asking::{Beside, Waited};
use super::asks::{blocking, ids, is_asked_here};
use super::caller::Caller;
use super::handler::{Door, Object, complete};
use super::holding::Progress;
use super::refusal::Refusal;
use super::rounds::Returned;
use super::{lacking, result, schema, words};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use sayso_core::Ask;
use sayso_core::ask::Attention;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// Asks that a call waits for.
struct Awaited {
    asks: Vec<Ask>,
    wait: Option<Duration>,
    more: Vec<String>,
    ignored: Vec<String>,
}

/// Reads the arguments of a tool without a questionnaire.
fn read(schema: &Object, mut given: Object) -> Result<Beside, Refusal> {
    let mut problems = lacking::names(schema, &given);
    let (beside, wrong) = Beside::good_and_bad(schema, &mut given);
    problems.extend(wrong);
    if problems.is_empty() { Ok(beside) } else { Err(Refusal::Wrong(problems, Vec::new())) }
}

impl Door {
    pub(super) async fn wait_for_answer(
        &self,
        request: CallToolRequestParams,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let returned = Returned::of(&request);
        let beside = read(&schema::wait(), request.arguments.unwrap_or_default())?;
        let resumed = returned.clone();
        let (asks, who) = (self.asks.clone(), caller.clone());
        let awaited = blocking(move || -> Result<Awaited, Refusal> {
            let asker = asks.asker(&who);
            let ignored = asks.confirm(&asker, &beside.received)?;
            let mut awaited = Awaited { asks: Vec::new(), wait: beside.max_wait, more: Vec::new(), ignored };
            if let Some(given) = &beside.ask_id {
                awaited.asks.push(asks.own(&asker, given)?);
                return Ok(awaited);
            }
            // A repeated call is about the ask of its form, even if others are open or answered by now.
            if let Some(ask) = asks.resumed(&asker, resumed.as_ref()) {
                awaited.asks.push(ask);
                return Ok(awaited);
            }
            let (asks, beside) = first_of(asks.unconfirmed(&asker)?, asks.open_asks(&asker)?);
            awaited.more = beside.iter().map(|ask| ask.id.to_string()).collect();
            Ok(Awaited { asks, ..awaited })
        })
        .await?;
        let Awaited { asks: awaited, wait, more, ignored } = awaited;
        let ask = match awaited.as_slice() {
            [] => return Err(Refusal::Nothing(words::NOTHING, ignored)),
            [one] => match self.answered(one.clone(), wait, returned, caller, context).await? {
                Waited::Asked(ask) => *ask,
                Waited::Form(form) => return Ok((*form).into()),
            },
            several => {
                let until = Instant::now() + caller.hold(self.asks.setup.hold, wait);
                self.hold(
                    ids(several),
                    until,
                    &mut Progress::new(caller, context, &self.asks.setup.desk_name),
                )
                .await?
            }
        };
        let mut result = self.show(ask).await?;
        if !more.is_empty() {
            result.insert("more".to_owned(), json!(more));
        }
        tell(&mut result, &ignored);
        Ok(complete(result))
    }

    pub(super) async fn list_asks(&self, given: Object, caller: &Caller) -> Result<Object, Refusal> {
        let beside = read(&schema::list(), given)?;
        let (asks, who) = (self.asks.clone(), caller.clone());
        blocking(move || {
            let asker = asks.asker(&who);
            let ignored = asks.confirm(&asker, &beside.received)?;
            let found = asks.unheard(&asker)?;
            let lines: Vec<_> = found.iter().map(line).collect();
            let next = if found.is_empty() { words::NOTHING } else { words::LISTED };
            let mut result = Object::new();
            result.insert("asks".to_owned(), json!(lines));
            result.insert("next_step".to_owned(), json!(next));
            tell(&mut result, &ignored);
            Ok::<_, Refusal>(result)
        })
        .await
    }

    pub(super) async fn cancel_ask(&self, given: Object, caller: &Caller) -> Result<Object, Refusal> {
        let beside = read(&schema::cancel(), given)?;
        let (asks, who) = (self.asks.clone(), caller.clone());
        let (ask, ignored) = blocking(move || -> Result<_, Refusal> {
            let asker = asks.asker(&who);
            let ignored = asks.confirm(&asker, &beside.received)?;
            Ok((asks.cancel(&asker, &beside.ask_id.unwrap_or_default())?, ignored))
        })
        .await?;
        let mut result = self.show(ask).await?;
        tell(&mut result, &ignored);
        Ok(result)
    }

    /// Returns an ask as its caller sees it.
    ///
    /// # Errors
    /// Fails if the runtime is shutting down.
    pub(super) async fn show(&self, ask: Ask) -> Result<Object, Refusal> {
        let asks = self.asks.clone();
        blocking(move || Ok::<_, Refusal>(asks.shown(&ask))).await
    }
}

/// Selects the asks of a call without an id: the first answer, or else all open asks; and the remaining answers. Asks
/// of a program that has ended come after those of this one.
fn first_of(answered: Vec<Ask>, open: Vec<Ask>) -> (Vec<Ask>, Vec<Ask>) {
    let (mut answered, mut before): (Vec<_>, Vec<_>) = answered.into_iter().partition(is_asked_here);
    let (open, open_before): (Vec<_>, Vec<_>) = open.into_iter().partition(is_asked_here);
    let first = if !answered.is_empty() {
        answered.drain(..1).collect()
    } else if !open.is_empty() {
        open
    } else if !before.is_empty() {
        before.drain(..1).collect()
    } else {
        open_before
    };
    answered.append(&mut before);
    (first, answered)
}

/// Adds the changes made to the arguments to a result.
pub(super) fn tell(result: &mut Object, changes: &[String]) {
    if !changes.is_empty() {
        result.insert("changed".to_owned(), json!(changes));
    }
}

/// Returns an entry of the list. It has no answer, which would otherwise count as delivered.
fn line(ask: &Ask) -> Value {
    let mut line = Object::new();
    line.insert("ask_id".to_owned(), json!(ask.id));
    line.insert("status".to_owned(), json!(result::status(ask)));
    line.insert("title".to_owned(), json!(ask.request.questionnaire.name()));
    line.insert("asked_at".to_owned(), json!(ask.request.created_at));
    if let Some(deadline) = ask.state.deadline.filter(|_| ask.outcome().is_none()) {
        line.insert("expires_at".to_owned(), json!(deadline));
    }
    line.insert("seen".to_owned(), json!(ask.state.attention == Attention::Seen));
    Value::Object(line)
}
