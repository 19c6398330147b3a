//! Asks as resources `sayso://asks/ID`, with the same object as the tools return, the format of `ask`, and its page.

pub(super) mod format_guide;

use super::apps;
use super::caller::McpCaller;
use super::error::CallError;

use super::handler::McpServer;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use sayso_core::{Problem, ProblemCode};
use serde_json::{Value, json};

const PREFIX: &str = "sayso://asks/";
const JSON: &str = "application/json";

pub(super) fn list_templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{PREFIX}{{id}}"), "ask")
        .with_description("An ask as it stands: its status, and its answers once there are some.")
        .with_mime_type(JSON);
    ListResourceTemplatesResult::with_all_items(vec![template])
}

pub(super) async fn list_asks_as_resources(
    server: &McpServer,
    caller: &McpCaller,
) -> Result<ListResourcesResult, ErrorData> {
    let who = caller.clone();
    let found = server.desk_client.run(move |asks| asks.pending_delivery(&asks.asker(&who))).await;
    let found = found.map_err(|refusal| refusal.to_protocol_error())?;
    let resource = |ask: &sayso_core::Ask| {
        let name = ask.request.questionnaire.display_name().to_owned();
        Resource::new(format!("{PREFIX}{}", ask.id), name).with_mime_type(JSON)
    };
    let all = found.iter().map(resource).chain([format_guide::list_entry()]);
    Ok(ListResourcesResult::with_all_items(all.collect()))
}

pub(super) async fn read_ask_resource(
    server: &McpServer,
    uri: String,
    caller: &McpCaller,
) -> Result<ReadResourceResult, ErrorData> {
    if uri == format_guide::FORMAT_URI {
        return Ok(format_guide::read());
    }
    if uri == apps::FORM_URI {
        return Ok(apps::read());
    }
    let missing = || ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })));
    let id = uri.strip_prefix(PREFIX).ok_or_else(missing)?.to_owned();
    let who = caller.clone();
    let read = server
        .desk_client
        .run(move |asks| Ok::<_, Problem>(asks.describe(&asks.own_ask(&asks.asker(&who), &id)?)));
    let shown = read.await.map_err(|refusal| match refusal {
        CallError::Desk(problem) if problem.code == ProblemCode::AskNotFound => missing(),
        refusal => refusal.to_protocol_error(),
    });
    let text = Value::Object(shown?).to_string();
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]))
}
