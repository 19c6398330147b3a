//! Prompts that the suite gets.

use crate::contents::{image, resource, result, text};
use crate::rounds::{self, Round};
use rmcp::model::{GetPromptRequestParams, GetPromptResponse};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

pub(crate) fn list() -> Value {
    let prompt = |name: &str, arguments: &[&str]| {
        let argument = |name: &&str| json!({ "name": name, "description": name, "required": true });
        let arguments: Vec<_> = arguments.iter().map(argument).collect();
        json!({ "name": name, "description": format!("Prompt of the suite: {name}"), "arguments": arguments })
    };
    json!({ "prompts": [
        prompt("test_simple_prompt", &[]),
        prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
        prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
        prompt("test_prompt_with_image", &[]),
        prompt("test_input_required_result_prompt", &[]),
    ] })
}

/// Returns a prompt, or what is required for it.
///
/// # Errors
/// Fails if there is none with this name.
pub(crate) fn get(
    request: &GetPromptRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let arguments = request.arguments.as_ref();
        arguments.and_then(|given| given.get(name)).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let [first, second] = ["arg1", "arg2"].map(argument);
            vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let uri = argument("resourceUri");
            let words = "Embedded resource content for testing.";
            vec![resource(&uri, "text/plain", words), text("Please process the embedded resource above.")]
        }
        "test_prompt_with_image" => vec![image(), text("Please analyze the image above.")],
        "test_input_required_result_prompt" => {
            let form = rounds::form("What context should the prompt use?", "context", "string");
            let round = Round::new([("user_context", form)]);
            let call = (request.input_responses.as_ref(), request.request_state.as_deref());
            if let Some(required) = rounds::play(&[round], false, call, context)? {
                return Ok(required.into());
            }
            vec![text("The context is known.")]
        }
        name => return Err(ErrorData::invalid_params(format!("Unknown prompt: {name}"), None)),
    };
    let messages: Vec<_> =
        contents.into_iter().map(|content| json!({ "role": "user", "content": content })).collect();
    result(json!({ "messages": messages })).map(GetPromptResponse::Complete)
}
