//! Tools that the suite calls.

use crate::client;
use crate::contents::{audio, image, read, resource, result, text};
use crate::rounds::{self, Round, form, roots, sampling};
use crate::tasks;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ClientCapabilities};
use rmcp::service::RequestContext;
use rmcp::task_manager::TaskManager;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

/// Tools without a schema of their own.
const PLAIN: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_error_handling",
    "test_tool_with_progress",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_reconnection",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

pub(crate) fn list() -> Value {
    let tool = |name: &str, schema: Value| json!({ "name": name, "description": format!("Tool of the suite: {name}"), "inputSchema": schema });
    let one_text = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    let mut tools: Vec<_> = PLAIN.iter().map(|name| tool(name, json!({ "type": "object" }))).collect();
    tools.push(tool("test_sampling", one_text("prompt")));
    tools.push(tool("test_elicitation", one_text("message")));
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    tools.push(tool("test_header", json!({ "type": "object", "properties": { "region": region } })));
    tools.push(tool("json_schema_2020_12_tool", schema_2020_12()));
    tools.extend(tasks::list());
    json!({ "tools": tools })
}

/// Returns a schema with the words of JSON Schema 2020-12 that a server has to pass on.
fn schema_2020_12() -> Value {
    let one_of = |name: &str| json!({ "required": [name] });
    let address = json!({
        "$anchor": "addressDef", "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": address },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [one_of("phone"), one_of("email")] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": one_of("phone"),
        "else": one_of("email"),
        "additionalProperties": false,
    })
}

/// Calls a tool.
///
/// # Errors
/// Fails if there is none with this name, or the client can't do what it needs.
pub(crate) async fn call(
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    tasks: &TaskManager,
) -> Result<CallToolResponse, ErrorData> {
    if let Some(response) = tasks::call(&request, context, tasks).await? {
        return Ok(response);
    }
    if let Some((rounds, has_state)) = rounds_of(&request.name) {
        let call = (request.input_responses.as_ref(), request.request_state.as_deref());
        return Ok(match rounds::play(&rounds, has_state, call, context)? {
            Some(required) => required.into(),
            None => complete(&[text("All is there: state-ok.")])?,
        });
    }
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        arguments.and_then(|given| given.get(name)).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    match request.name.as_ref() {
        "test_simple_text" | "test_header" => {
            complete(&[text("This is a simple text response for testing.")])
        }
        "greet" => complete(&[text(&format!("Hello, {}!", argument("name")))]),
        "test_image_content" => complete(&[image()]),
        "test_audio_content" => complete(&[audio()]),
        "test_embedded_resource" => {
            let words = "This is an embedded resource content.";
            complete(&[resource("test://embedded-resource", "text/plain", words)])
        }
        "test_multiple_content_types" => {
            let data = json!({ "test": "data", "value": 123 }).to_string();
            let resource = resource("test://mixed-content-resource", "application/json", &data);
            complete(&[text("Multiple content types test:"), image(), resource])
        }
        "test_error_handling" => {
            let words = "This tool intentionally returns an error for testing";
            let refused = json!({ "isError": true, "content": [text(words)] });
            result(refused).map(CallToolResponse::Complete)
        }
        "test_tool_with_logging" | "test_logging_tool" => {
            let lines = ["Tool execution started", "Tool processing data", "Tool execution completed"];
            client::log(context, &lines).await?;
            complete(&[text("The lines are written.")])
        }
        "test_tool_with_progress" => {
            client::progress(context).await?;
            complete(&[text("All is done.")])
        }
        "test_reconnection" => complete(&[text("Here is the rest.")]),
        "test_missing_capability" => Err(missing_sampling()?),
        "test_sampling" => {
            let params = sampling(&argument("prompt"));
            relay(context, params, "LLM response").await
        }
        "test_elicitation" => {
            let fields = json!({
                "username": { "type": "string", "description": "User's response" },
                "email": { "type": "string", "description": "User's email address" },
            });
            let schema = json!({ "type": "object", "properties": fields, "required": ["username", "email"] });
            relay(context, form_of(&argument("message"), &schema), "User response").await
        }
        "test_elicitation_sep1034_defaults" => {
            relay(context, form_of("All of these have defaults.", &defaults()), "Elicitation completed").await
        }
        "test_elicitation_sep1330_enums" => {
            relay(context, form_of("Choose.", &choices()), "Elicitation completed").await
        }
        name => Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None)),
    }
}

fn complete(content: &[Value]) -> Result<CallToolResponse, ErrorData> {
    result(json!({ "content": content })).map(CallToolResponse::Complete)
}

/// Passes a request on to the client, and its result back.
async fn relay(
    context: &RequestContext<RoleServer>,
    request: Value,
    head: &str,
) -> Result<CallToolResponse, ErrorData> {
    let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
    let params = request.get("params").cloned().unwrap_or_default();
    let given = client::request(context, method, params).await?;
    complete(&[text(&format!("{head}: {given}"))])
}

fn missing_sampling() -> Result<ErrorData, ErrorData> {
    let wanted: ClientCapabilities = read(json!({ "sampling": {} }))?;
    Ok(ErrorData::missing_required_client_capability(wanted))
}

fn form_of(message: &str, schema: &Value) -> Value {
    json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } })
}

fn defaults() -> Value {
    json!({ "type": "object", "properties": {
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    } })
}

/// Returns a form with each way to write a choice.
fn choices() -> Value {
    let titled = |kind: &str| {
        let option = |at: usize, word: &str| json!({ "const": format!("value{at}"), "title": format!("{word} {kind}") });
        json!([option(1, "First"), option(2, "Second"), option(3, "Third")])
    };
    let names = json!(["option1", "option2", "option3"]);
    let legacy = ["Option One", "Option Two", "Option Three"];
    json!({ "type": "object", "properties": {
        "untitledSingle": { "type": "string", "enum": names },
        "titledSingle": { "type": "string", "oneOf": titled("Option") },
        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": legacy },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": names } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
    } })
}

/// Returns the rounds of a tool, if it is called in rounds, and whether state goes with them.
fn rounds_of(tool: &str) -> Option<(Vec<Round>, bool)> {
    let name = || form("What is your name?", "name", "string");
    let confirm = || vec![Round::new([("confirm", form("Please confirm", "ok", "boolean"))])];
    Some(match tool {
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
            (vec![Round::new([("user_name", name())])], false)
        }
        "test_input_required_result_sampling" => {
            (vec![Round::new([("capital_question", sampling("What is the capital of France?"))])], false)
        }
        "test_input_required_result_list_roots" => (vec![Round::new([("client_roots", roots())])], false),
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            (confirm(), true)
        }
        "test_input_required_result_multiple_inputs" => {
            let greeting = sampling("Generate a greeting");
            let all = [("user_name", name()), ("greeting", greeting), ("client_roots", roots())];
            (vec![Round::new(all)], true)
        }
        "test_input_required_result_multi_round" => {
            let first = form("Step 1: What is your name?", "name", "string");
            let second = form("Step 2: What is your favorite color?", "color", "string");
            (vec![Round::new([("step1", first)]), Round::new([("step2", second)])], true)
        }
        "test_input_required_result_capabilities" => {
            let all = [("name", name()), ("greeting", sampling("Generate a greeting"))];
            (vec![Round::new(all)], false)
        }
        _ => return None,
    })
}
