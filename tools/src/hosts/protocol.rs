//! Protocols between a host and its model: Anthropic's Messages, OpenAI's Responses and Google's generateContent. Of a
//! request only the names of tools and the results of earlier calls are read.

use serde_json::{Value, json};

use super::sandbox;

/// Name of a tool, and its namespace if the host has namespaces.
pub(super) type ToolName = (String, Option<String>);

/// Request of a host to its model.
#[derive(Debug)]
pub(super) struct ModelRequest {
    pub(super) tools: Vec<ToolName>,
    /// Results of all calls so far, in order.
    pub(super) results: Vec<String>,
    /// Words of the conversation after the last of these results.
    pub(super) last_words: String,
    /// Folder in which the host works, if the request names it.
    pub(super) folder: Option<String>,
    /// File into which the model is to write its plan, if the request names it.
    pub(super) plan_file: Option<String>,
}

/// Part of a conversation: words, or the result of a call.
enum Part {
    Words(String),
    CallResult(String),
}

impl ModelRequest {
    /// Returns the first of the host's tools with one of these names.
    pub(super) fn find_tool(&self, names: &[&str]) -> Option<ToolName> {
        self.tools.iter().find(|(name, _)| names.contains(&name.as_str())).cloned()
    }

    /// Returns the name that the host gives to a tool of ours.
    pub(super) fn find_our_tool(&self, name: &str) -> Option<ToolName> {
        let is_ours = |(tool, group): &&ToolName| {
            tool.ends_with(name)
                && format!("{} {tool}", group.as_deref().unwrap_or_default()).contains("sayso")
        };
        self.tools.iter().find(is_ours).cloned()
    }
}

/// Reply of the simulated model.
#[derive(Debug, PartialEq)]
pub(super) enum ModelReply {
    Text(String),
    Calls(Vec<ToolCall>),
}

/// Call of a tool.
#[derive(Debug, PartialEq)]
pub(super) struct ToolCall {
    pub(super) tool: String,
    pub(super) group: Option<String>,
    pub(super) arguments: Value,
}

impl ModelReply {
    /// Returns a reply that calls one tool.
    pub(super) fn call(tool: String, group: Option<String>, arguments: Value) -> Self {
        Self::Calls(vec![ToolCall { tool, group, arguments }])
    }
}

/// Protocol of a host.
#[derive(Debug, Clone, Copy)]
pub(super) enum ModelProtocol {
    Messages,
    Responses,
    Generation,
}

impl ModelProtocol {
    /// Returns the protocol whose requests have this path.
    pub(super) fn from_path(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        match path.rsplit('/').next() {
            Some("messages") => Some(Self::Messages),
            Some("responses") => Some(Self::Responses),
            Some(method) if method.ends_with("enerateContent") => Some(Self::Generation),
            _ => None,
        }
    }

    /// Returns true if the host wants the reply as a stream of events.
    pub(super) fn is_streamed(self, path: &str, request: &Value) -> bool {
        match self {
            Self::Messages | Self::Responses => request.get("stream").and_then(Value::as_bool) == Some(true),
            Self::Generation => path.contains(":stream"),
        }
    }

    /// Reads a request.
    pub(super) fn read(self, request: &Value) -> ModelRequest {
        let mut tools = Vec::new();
        for tool in list(request, "tools").iter().flat_map(|tool| list(tool, "functionDeclarations")) {
            tools.extend(tool.get("name").and_then(Value::as_str).map(|name| (name.to_owned(), None)));
        }
        for tool in list(request, "tools") {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
            let inner = list(tool, "tools").iter().filter_map(|it| it.get("name")?.as_str());
            tools.extend(inner.map(|it| (it.to_owned(), Some(name.to_owned()))));
            tools.push((name.to_owned(), None));
        }
        let parts = match self {
            Self::Messages => list(request, "messages").iter().flat_map(message_parts).collect(),
            Self::Responses => list(request, "input").iter().flat_map(item_parts).collect(),
            Self::Generation => list(request, "contents").iter().flat_map(content_parts).collect::<Vec<_>>(),
        };
        let (mut results, mut last_words) = (Vec::new(), String::new());
        for part in parts {
            match part {
                Part::Words(words) => last_words.push_str(&words),
                Part::CallResult(result) => {
                    results.push(result);
                    last_words.clear();
                }
            }
        }
        let text = request.to_string();
        let folder = sandbox_paths(&text).find_map(|path| {
            let (sandbox, _) = path.split_once(sandbox::WORK)?;
            Some(format!("{sandbox}{}", sandbox::WORK))
        });
        let is_plan = |path: &&str| path.contains("/plans/") && path.ends_with(".md");
        let plan_file = sandbox_paths(&text).find(is_plan).map(str::to_owned);
        ModelRequest { tools, results, last_words, folder, plan_file }
    }

    /// Returns the content type and the body of a response with this reply.
    pub(super) fn write(
        self,
        reply: &ModelReply,
        number: usize,
        is_streamed: bool,
    ) -> (&'static str, String) {
        let (whole, events) = match self {
            Self::Messages => messages(reply, number),
            Self::Responses => responses(reply, number),
            Self::Generation => generation(reply),
        };
        if !is_streamed {
            return ("application/json", whole.to_string());
        }
        let event = |event: &Value| match event.get("type").and_then(Value::as_str) {
            Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
            None => format!("data: {event}\n\n"),
        };
        ("text/event-stream", events.iter().map(event).collect())
    }
}

/// Returns the paths in the sandbox that a text names.
fn sandbox_paths(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "/_.-".contains(letter)));
    words.filter(|word| word.starts_with('/') && word.contains(sandbox::PREFIX))
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the parts of a message of the Messages protocol.
fn message_parts(message: &Value) -> Vec<Part> {
    let part = |block: &Value| match block.get("type").and_then(Value::as_str) {
        Some("tool_result") => Part::CallResult(text(block.get("content"))),
        _ => Part::Words(text(block.get("text"))),
    };
    match message.get("content") {
        Some(Value::String(words)) => vec![Part::Words(words.clone())],
        _ => list(message, "content").iter().map(part).collect(),
    }
}

/// Returns the part that an item of the Responses protocol is.
fn item_parts(item: &Value) -> Vec<Part> {
    vec![match item.get("type").and_then(Value::as_str) {
        Some("function_call_output") => Part::CallResult(text(item.get("output"))),
        _ => Part::Words(text(item.get("content"))),
    }]
}

/// Returns the parts of a content of the Generation protocol.
fn content_parts(content: &Value) -> Vec<Part> {
    let part = |part: &Value| match part.pointer("/functionResponse/response") {
        Some(response) => Part::CallResult(response.to_string()),
        None => Part::Words(text(part.get("text"))),
    };
    list(content, "parts").iter().map(part).collect()
}

/// Returns a text, or all texts in a list of blocks.
fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Block of a message: whole, at its start, and its one delta.
type Block = (Value, Value, Value);

fn blocks(reply: &ModelReply, number: usize) -> (Vec<Block>, &'static str) {
    match reply {
        ModelReply::Text(words) => {
            let block = (
                json!({ "type": "text", "text": words }),
                json!({ "type": "text", "text": "" }),
                json!({ "type": "text_delta", "text": words }),
            );
            (vec![block], "end_turn")
        }
        ModelReply::Calls(calls) => {
            let block = |(at, ToolCall { tool, arguments, .. }): (usize, &ToolCall)| {
                let id = format!("toolu_{number}_{at}");
                (
                    json!({ "type": "tool_use", "id": id, "name": tool, "input": arguments }),
                    json!({ "type": "tool_use", "id": id, "name": tool, "input": {} }),
                    json!({ "type": "input_json_delta", "partial_json": arguments.to_string() }),
                )
            };
            (calls.iter().enumerate().map(block).collect(), "tool_use")
        }
    }
}

fn messages(reply: &ModelReply, number: usize) -> (Value, Vec<Value>) {
    let (blocks, why) = blocks(reply, number);
    let usage = json!({ "input_tokens": 1, "output_tokens": 1 });
    let message = |content: Value, why: Value| {
        json!({ "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "stand-in",
            "content": content, "stop_reason": why, "stop_sequence": null, "usage": usage })
    };
    let mut events = vec![json!({ "type": "message_start", "message": message(json!([]), Value::Null) })];
    let mut whole = Vec::new();
    for (at, (block, start, delta)) in blocks.into_iter().enumerate() {
        events.push(json!({ "type": "content_block_start", "index": at, "content_block": start }));
        events.push(json!({ "type": "content_block_delta", "index": at, "delta": delta }));
        events.push(json!({ "type": "content_block_stop", "index": at }));
        whole.push(block);
    }
    let end = json!({ "stop_reason": why, "stop_sequence": null });
    events.push(json!({ "type": "message_delta", "delta": end, "usage": usage }));
    events.push(json!({ "type": "message_stop" }));
    (message(json!(whole), json!(why)), events)
}

fn items(reply: &ModelReply, number: usize) -> Vec<Value> {
    let calls = match reply {
        ModelReply::Text(words) => {
            return vec![json!({ "type": "message", "id": format!("msg_{number}"), "role": "assistant",
                "status": "completed", "content": [{ "type": "output_text", "text": words, "annotations": [] }] })];
        }
        ModelReply::Calls(calls) => calls,
    };
    let item = |(at, ToolCall { tool, group, arguments }): (usize, &ToolCall)| {
        let mut item = json!({ "type": "function_call", "id": format!("fc_{number}_{at}"),
            "status": "completed", "call_id": format!("call_{number}_{at}"), "name": tool,
            "arguments": arguments.to_string() });
        if let (Some(group), Some(item)) = (group, item.as_object_mut()) {
            item.insert("namespace".to_owned(), json!(group));
        }
        item
    };
    calls.iter().enumerate().map(item).collect()
}

fn responses(reply: &ModelReply, number: usize) -> (Value, Vec<Value>) {
    let items = items(reply, number);
    let usage = json!({ "input_tokens": 1, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 1,
        "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 2 });
    let response = |status: &str, output: &[Value]| {
        json!({ "id": format!("resp_{number}"), "object": "response", "created_at": 0, "model": "stand-in",
            "status": status, "output": output, "usage": usage })
    };
    let whole = response("completed", &items);
    let mut events = vec![json!({ "type": "response.created", "response": response("in_progress", &[]) })];
    for (at, item) in items.iter().enumerate() {
        for kind in ["response.output_item.added", "response.output_item.done"] {
            events.push(json!({ "type": kind, "output_index": at, "item": item }));
        }
    }
    events.push(json!({ "type": "response.completed", "response": whole }));
    (whole, events)
}

fn generation(reply: &ModelReply) -> (Value, Vec<Value>) {
    let parts: Vec<Value> = match reply {
        ModelReply::Text(words) => vec![json!({ "text": words })],
        ModelReply::Calls(calls) => {
            let call = |ToolCall { tool, arguments, .. }: &ToolCall| json!({ "functionCall": { "name": tool, "args": arguments } });
            calls.iter().map(call).collect()
        }
    };
    let candidate =
        json!({ "index": 0, "content": { "role": "model", "parts": parts }, "finishReason": "STOP" });
    let usage = json!({ "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2 });
    let whole = json!({ "candidates": [candidate], "usageMetadata": usage, "modelVersion": "stand-in" });
    (whole.clone(), vec![whole])
}

#[cfg(test)]
mod tests {
    use super::{ModelProtocol, ModelReply};
    use serde_json::json;

    #[test]
    fn tools_and_results_are_read_in_each_way() {
        let result =
            json!({ "type": "tool_result", "content": [{ "type": "text", "text": "a" }, { "text": "b" }] });
        let asked = json!({ "tools": [{ "name": "mcp__sayso__ask" }],
            "messages": [{ "content": "hi" }, { "content": [result, { "type": "text", "text": "no" }] }] });
        let request = ModelProtocol::Messages.read(&asked);
        assert_eq!(request.tools, [("mcp__sayso__ask".to_owned(), None)]);
        assert_eq!(request.results, ["a\nb"]);
        assert_eq!(request.last_words, "no");
        let words = "In \"/tmp/sayso-hosts-a1/work\", into /tmp/sayso-hosts-a1/home/plans/a.md using Write";
        let request = ModelProtocol::Messages.read(&json!({ "system": words, "messages": [] }));
        assert_eq!(request.folder.unwrap(), "/tmp/sayso-hosts-a1/work");
        assert_eq!(request.plan_file.unwrap(), "/tmp/sayso-hosts-a1/home/plans/a.md");
        let asked = json!({ "tools": [{ "type": "namespace", "name": "sayso", "tools": [{ "name": "ask" }] }],
            "input": [{ "type": "function_call_output", "output": "a" }, { "type": "message" }] });
        let request = ModelProtocol::Responses.read(&asked);
        assert_eq!(request.tools[0], ("ask".to_owned(), Some("sayso".to_owned())));
        assert_eq!(request.results, ["a"]);
        let part = json!({ "functionResponse": { "name": "ask", "response": { "output": "a" } } });
        let asked = json!({ "tools": [{ "functionDeclarations": [{ "name": "mcp_sayso_ask" }] }],
            "contents": [{ "parts": [{ "text": "hi" }] }, { "parts": [part] }] });
        let request = ModelProtocol::Generation.read(&asked);
        assert_eq!(request.tools[0], ("mcp_sayso_ask".to_owned(), None));
        assert_eq!(request.results, [r#"{"output":"a"}"#]);
    }

    #[test]
    fn a_call_is_written_as_one_body_or_as_events() {
        let reply = ModelReply::call("ask".to_owned(), None, json!({ "a": 1 }));
        let (kind, body) = ModelProtocol::Messages.write(&reply, 7, false);
        assert_eq!(kind, "application/json");
        assert!(
            body.contains(r#"{"type":"tool_use","id":"toolu_7_0","name":"ask","input":{"a":1}}"#),
            "{body}"
        );
        let (kind, body) = ModelProtocol::Responses.write(&reply, 7, true);
        assert_eq!(kind, "text/event-stream");
        assert!(body.starts_with("event: response.created\ndata: {"), "{body}");
        assert!(body.contains(r#""name":"ask","arguments":"{\"a\":1}""#), "{body}");
        let (_, body) = ModelProtocol::Generation.write(&reply, 7, true);
        assert!(body.starts_with("data: {") && body.contains(r#"{"name":"ask","args":{"a":1}}"#), "{body}");
    }
}
