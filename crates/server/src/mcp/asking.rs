//! Tool `ask`: takes questions, and returns the ask in its state at the end of the call.

use super::asks::{Wanted, blocking};
use super::caller::Caller;
use super::handler::{Door, Object, complete};
use super::holding::Progress;
use super::mend::Mending;
use super::refusal::Refusal;
use super::rounds::{Back, Returned};
use super::waiting::tell;
use super::{lacking, schema, shape};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, InputRequiredResult};
use rmcp::service::RequestContext;
use sayso_core::message::Text;
use sayso_core::{Ask, Code, Path, Problem};
use sayso_desk::must_be_key;
use sayso_dialects::{Dialect, Limits};
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// Arguments other than the questionnaire.
#[derive(Debug, Default)]
pub(super) struct Beside {
    pub(super) key: Option<String>,
    pub(super) timeout: Option<String>,
    pub(super) max_wait: Option<Duration>,
    pub(super) received: Vec<String>,
    pub(super) ask_id: Option<String>,
}

impl Beside {
    /// Takes those arguments out of the others, if the tool's schema has them. Returns the valid ones and the
    /// problems of the rest.
    pub(super) fn good_and_bad(schema: &Object, given: &mut Object) -> (Self, Vec<Problem>) {
        let known = schema.get("properties").and_then(Value::as_object);
        let mut take = |name: &str| {
            let is_known = known.is_some_and(|known| known.contains_key(name));
            if is_known { given.shift_remove(name).filter(|value| !value.is_null()) } else { None }
        };
        let mut problems = Vec::new();
        let [key, timeout, ask_id] = ["key", "timeout", "ask_id"].map(|name| match take(name)? {
            Value::String(text) => Some(text),
            _ => {
                problems.push(wrong(name, "This is a text."));
                None
            }
        });
        let max_wait = take("max_wait_s").and_then(|value| {
            let seconds = value.as_f64().and_then(|it| Duration::try_from_secs_f64(it).ok());
            if seconds.is_none() {
                problems.push(wrong("max_wait_s", "This is a number of seconds, 0 or more."));
            }
            seconds
        });
        let received = take("received").map(serde_json::from_value).transpose().unwrap_or_else(|_| {
            problems.push(wrong("received", "This is a list of ask_ids."));
            None
        });
        let received = received.unwrap_or_default();
        (Self { key, timeout, max_wait, received, ask_id }, problems)
    }
}

fn wrong(name: &str, said: &str) -> Problem {
    Problem::new(Code::InvalidType, Text::Verbatim(said.to_owned())).at(Path::root().then(name))
}

impl Door {
    pub(super) async fn ask(
        &self,
        request: CallToolRequestParams,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let returned = Returned::of(&request);
        let resumed = returned.clone();
        let given = request.arguments.unwrap_or_default();
        let mut mending = Mending::default();
        let mut given = mending.whole(given);
        let (asks, who) = (self.asks.clone(), caller.clone());
        let work = move || -> Result<(Ask, Option<Duration>, Vec<String>), Refusal> {
            let (beside, wrong) = Beside::good_and_bad(schema::ask(), &mut given);
            let asker = asks.asker(&who);
            let (wanted, mut changes) = understand(asks.setup.time_limit, given, &beside, wrong, mending)?;
            // Confirmed before opening, so that the same question can be asked again.
            changes.extend(asks.confirm(&asker, &beside.received)?);
            let ask = asks.resume_or_open(&who, resumed.as_ref(), &wanted)?;
            Ok((ask, beside.max_wait, changes))
        };
        let (ask, wait, changes) = blocking(work).await?;
        let ask = match self.answered(ask, wait, returned, caller, context).await? {
            Waited::Asked(ask) => *ask,
            Waited::Form(form) => return Ok((*form).into()),
        };
        let asks = self.asks.clone();
        let mut result = blocking(move || Ok::<_, Refusal>(asks.shown(&ask))).await?;
        tell(&mut result, &changes);
        Ok(complete(result))
    }

    /// Waits for an ask by the means that the caller supports.
    ///
    /// # Errors
    /// Fails if the desk fails or the caller is gone.
    pub(super) async fn answered(
        &self,
        ask: Ask,
        wait: Option<Duration>,
        returned: Option<Returned>,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<Waited, Refusal> {
        let asked = |ask: Ask| Ok(Waited::Asked(Box::new(ask)));
        let begun = Instant::now();
        let (mut number, mut why) = (1, Vec::new());
        if let Some(returned) = returned {
            match self.came_back(&ask, returned).await? {
                Back::Settled(ask) => return asked(*ask),
                Back::Open(next, said) => (number, why) = (next, said),
            }
        }
        if ask.outcome().is_some() {
            return asked(ask);
        }
        let set = self.asks.setup.hold;
        let mut progress = Progress::new(caller, context, &self.asks.setup.desk_name);
        // A caller that doesn't wait shows no form either.
        let form = self.asks.form(&ask, caller).filter(|_| wait != Some(Duration::ZERO));
        if let Some(form) = form {
            if caller.is_modern {
                let (asks, shown) = (self.asks.clone(), ask.id);
                let round = move || Ok::<_, Refusal>(asks.round(shown, &form, number, &why));
                if let Some(form) = blocking(round).await? {
                    return Ok(Waited::Form(Box::new(form)));
                }
            } else {
                let until = begun + caller.dialog_hold(set, wait);
                if let Some(ask) = self.in_dialog(&ask, &form, until, &mut progress).await? {
                    return asked(ask);
                }
            }
        }
        // The time in a dialog counts as well: the host's timeout covers the whole call.
        let until = begun + caller.hold(set, wait);
        asked(self.hold(vec![ask.id], until, &mut progress).await?)
    }
}

/// Result of waiting for an ask.
pub(super) enum Waited {
    /// The ask, settled or still open.
    Asked(Box<Ask>),
    /// Request to show a form and call again.
    Form(Box<InputRequiredResult>),
}

/// Reads the arguments as a questionnaire, and returns the changes made to them.
fn understand(
    time_limit: fn(&str) -> Result<i64, Problem>,
    given: Object,
    beside: &Beside,
    mut wrong: Vec<Problem>,
    mending: Mending,
) -> Result<(Wanted, Vec<String>), Refusal> {
    let mut changes = mending.changes;
    let read = |given: Object| Dialect::Sayso.read(&Value::Object(given).to_string(), &Limits::default());
    let misshapen = shape::problems(schema::ask(), &given);
    let read = if misshapen.is_empty() {
        read(given)
    } else {
        let more = shape::filled(&given, &misshapen).and_then(|filled| read(filled).err());
        let is_ours =
            |problem: &Problem| misshapen.iter().any(|ours| problem.path.0.starts_with(&ours.path.0));
        let more: Vec<_> = more.into_iter().flatten().filter(|problem| !is_ours(problem)).collect();
        Err([misshapen, more].concat())
    };
    let read = read.map_err(|problems| lacking::told(schema::ask(), problems));
    let time_limit_ms = beside.timeout.as_deref().map(time_limit).transpose().unwrap_or_else(|problem| {
        wrong.push(problem.at(Path::root().then("timeout")));
        None
    });
    if let Some(Err(problem)) = beside.key.as_deref().map(must_be_key) {
        wrong.push(problem.at(Path::root().then("key")));
    }
    let read = match read {
        Ok(read) if wrong.is_empty() => read,
        read => return Err(Refusal::Wrong([wrong, read.err().unwrap_or_default()].concat(), changes)),
    };
    let time_limit_ms = time_limit_ms.or(read.asking.time_limit_ms);
    let warning = |problem: Problem| format!("{}: {}", problem.path.bracketed(), problem.message);
    changes.extend(read.warnings.into_iter().map(warning));
    let key = beside.key.clone();
    let dialect = Dialect::Sayso;
    Ok((Wanted { dialect, questionnaire: read.questionnaire, key, time_limit_ms }, changes))
}
