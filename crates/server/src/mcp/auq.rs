//! AUQ's tools `ask_user_questions` and `get_answered_questions`, with AUQ's texts, schemas and errors. Asks are
//! found, waited for and shown as those of `ask`. Arguments aren't normalized here.

use super::asking::Waited;
use super::asks::{Asks, blocking};
use super::caller::Caller;
use super::flat;
use super::handler::{Door, Object};
use super::refusal::Refusal;
use super::rounds::Returned;
use super::text_tool::{Understood, Words, said};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse, Tool};
use rmcp::service::RequestContext;
use sayso_core::message::Text;
use sayso_core::{Ask, Code, Problem};
use sayso_dialects::Dialect;
use sayso_dialects::auq::{self, AuqLimits, Fetch};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Definition of `ask_user_questions`.
const ASKED: Words = Words {
    dialect: Dialect::Auq,
    kept_as: "auq mcp",
    settled: auq::tool_result,
    unanswered: auq::unanswered,
};
/// Delivery form of the results of `get_answered_questions`.
const FETCHED: &str = "auq mcp later";

/// Returns the entry of an AUQ tool. References in its schema are inlined, as in the original: many hosts support
/// none.
pub(super) fn entry(tool: &Value) -> Tool {
    let text = |name: &str| tool.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let schema = tool.get("inputSchema").cloned().unwrap_or_default();
    let mut input = Object::new();
    for name in ["$schema", "type", "required"] {
        input.extend(schema.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    input.insert("properties".to_owned(), Value::Object(flat::properties(&schema)));
    let annotations = tool.get("annotations").cloned().unwrap_or_default();
    let entry = Tool::new(text("name"), text("description"), Arc::new(input));
    entry.with_annotations(serde_json::from_value(annotations).unwrap_or_default())
}

impl Door {
    pub(super) async fn ask_user_questions(
        &self,
        request: CallToolRequestParams,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let limits = self.asks.setup.auq;
        self.ask_for_text(&ASKED, move |given| read(given, &limits), request, caller, context).await
    }

    pub(super) async fn get_answered_questions(
        &self,
        request: CallToolRequestParams,
        caller: &Caller,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Refusal> {
        let returned = Returned::of(&request);
        let given = request.arguments.unwrap_or_default();
        let (asks, who) = (self.asks.clone(), caller.clone());
        let work = move || {
            let Fetch { session_id, blocking } = auq::read_fetch(&Value::Object(given).to_string())
                .map_err(|problems| Refusal::Wrong(problems, Vec::new()))?;
            Ok::<_, Refusal>((asks.session(&who, &session_id)?, blocking))
        };
        let (ask, waits) = blocking(work).await?;
        let wait = (!waits).then_some(Duration::ZERO);
        let ask = match self.answered(ask, wait, returned, caller, context).await? {
            Waited::Asked(ask) => *ask,
            Waited::Form(form) => return Ok((*form).into()),
        };
        let asks = self.asks.clone();
        let text = blocking(move || {
            if ask.outcome().is_none() {
                return Ok::<_, Refusal>(auq::status(ask.id, &ask.request.questionnaire, None));
            }
            let text = asks.text(&ask, FETCHED, |id, asked, outcome| auq::status(id, asked, Some(outcome)));
            // If the result is lost, the same id fetches it again.
            let _ = asks.setup.desk.ack(&ask.request.asker, ask.id);
            Ok(text)
        });
        Ok(said(text.await?))
    }
}

/// Reads a call: the questions, and whether the asker waits. The wait flag isn't part of the questions, so that the
/// same ones match with and without it.
///
/// # Errors
/// Returns every problem that the schema finds.
fn read(mut given: Object, limits: &AuqLimits) -> Result<Understood, Refusal> {
    let read = |given: &Object| {
        let text = Value::Object(given.clone()).to_string();
        auq::read(&text, limits).map_err(|problems| Refusal::Wrong(problems, Vec::new()))
    };
    let first = read(&given)?;
    if first.asking.waits {
        return Ok(Understood { questionnaire: first.questionnaire, waits: true });
    }
    given.shift_remove("nonBlocking");
    Ok(Understood { questionnaire: read(&given)?.questionnaire, waits: false })
}

impl Asks {
    /// Returns the session with this id: one of the caller's, or one that AUQ's command opened in its folder.
    ///
    /// # Errors
    /// Fails if there is none, or more than one.
    fn session(&self, caller: &Caller, given: &str) -> Result<Ask, Problem> {
        let asker = self.asker(caller);
        let unknown = || {
            let words = Text::Verbatim(format!("Session not found: {given}"));
            Problem::new(Code::AskNotFound, words)
        };
        let found = self.setup.desk.find(given).and_then(|id| self.setup.desk.get(id));
        match found {
            Ok(ask)
                if ask.request.dialect == Dialect::Auq.name() && ask.request.asker.folder == asker.folder =>
            {
                Ok(ask)
            }
            Ok(_) => Err(unknown()),
            Err(problem) if problem.code == Code::AskNotFound => Err(unknown()),
            Err(problem) => Err(problem),
        }
    }
}
