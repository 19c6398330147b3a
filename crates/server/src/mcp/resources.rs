//! Asks as resources `sayso://asks/ID`, with the same object as the tools return.

use super::asks::blocking;
use super::caller::Caller;
use super::handler::Door;
use super::refusal::Refusal;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use sayso_core::{Code, Problem};
use serde_json::{Value, json};

const PREFIX: &str = "sayso://asks/";
const JSON: &str = "application/json";

pub(super) fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{PREFIX}{{id}}"), "ask")
        .with_description("An ask as it stands: its status, and its answers once there are some.")
        .with_mime_type(JSON);
    ListResourceTemplatesResult::with_all_items(vec![template])
}

impl Door {
    pub(super) async fn resources(&self, caller: &Caller) -> Result<ListResourcesResult, ErrorData> {
        let (asks, who) = (self.asks.clone(), caller.clone());
        let found = blocking(move || asks.unheard(&asks.asker(&who))).await;
        let found = found.map_err(|refusal| refusal.error())?;
        let resource = |ask: &sayso_core::Ask| {
            let name = ask.request.questionnaire.name().to_owned();
            Resource::new(format!("{PREFIX}{}", ask.id), name).with_mime_type(JSON)
        };
        Ok(ListResourcesResult::with_all_items(found.iter().map(resource).collect()))
    }

    pub(super) async fn resource(
        &self,
        uri: String,
        caller: &Caller,
    ) -> Result<ReadResourceResult, ErrorData> {
        let missing = || ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })));
        let id = uri.strip_prefix(PREFIX).ok_or_else(missing)?.to_owned();
        let (asks, who) = (self.asks.clone(), caller.clone());
        let shown = blocking(move || Ok::<_, Problem>(asks.shown(&asks.own(&asks.asker(&who), &id)?)));
        let shown = shown.await.map_err(|refusal| match refusal {
            Refusal::Desk(problem) if problem.code == Code::AskNotFound => missing(),
            refusal => refusal.error(),
        });
        let text = Value::Object(shown?).to_string();
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]))
    }
}
