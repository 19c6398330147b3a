//! Asks as resources `sayso://asks/ID`, with the same object as the tools return, the format of `ask`, and its page.

pub(super) mod apps;
pub(super) mod format_guide;

use super::caller::McpCaller;
use super::error::CallError;
use super::server::McpServer;
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
    let desk_call = server.desk_client.run(move |client| client.pending_delivery(&client.asker(&who)));
    let mut resources = Vec::new();
    for ask in desk_call.await.map_err(|error| error.to_protocol_error())? {
        let name = ask.request.questionnaire.display_name().to_owned();
        resources.push(Resource::new(format!("{PREFIX}{}", ask.id), name).with_mime_type(JSON));
    }
    resources.push(format_guide::list_entry());
    Ok(ListResourcesResult::with_all_items(resources))
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
    let Some(id) = uri.strip_prefix(PREFIX).map(str::to_owned) else {
        return Err(not_found(&uri));
    };
    let who = caller.clone();
    let desk_call = server.desk_client.run(move |client| {
        let ask = client.own_ask(&client.asker(&who), &id)?;
        Ok::<_, Problem>(client.describe(&ask))
    });
    match desk_call.await {
        Ok(description) => {
            let text = Value::Object(description).to_string();
            let contents = ResourceContents::text(text, uri).with_mime_type(JSON);
            Ok(ReadResourceResult::new(vec![contents]))
        }
        Err(CallError::Desk(problem)) if problem.code == ProblemCode::AskNotFound => Err(not_found(&uri)),
        Err(error) => Err(error.to_protocol_error()),
    }
}

fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": uri })))
}
