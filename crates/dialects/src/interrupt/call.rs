//! What an agent's calls become: the data of interrupt events (the spec's "interrupt event").

use super::{ASK_USER, act, python};
use sayso_core::Questionnaire;
use sayso_core::wire::json;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// How much of a command `info` shows, in Unicode scalar values.
const COMMAND_SHOWN: usize = 30;

/// The words of `info` for a tool call.
pub fn info(tool: &str, args: &Value) -> String {
    let text = |name: &str| args.get(name).and_then(Value::as_str);
    match tool {
        act::EXECUTE => {
            let command = text("command").unwrap_or_default();
            let shown: String = command.chars().take(COMMAND_SHOWN).collect();
            let dots = if shown.len() < command.len() { "..." } else { "" };
            format!("正在执行命令: {shown}{dots}")
        }
        act::WRITE_FILE => {
            let name = text("file_path").and_then(|path| path.rsplit('/').next());
            format!("正在写入文件: {}", name.filter(|name| !name.is_empty()).unwrap_or("文件"))
        }
        ASK_USER => {
            let count = args.get("questions").and_then(Value::as_array).map_or(0, Vec::len);
            format!("Agent 提出了 {count} 个问题")
        }
        _ => "正在执行操作".to_owned(),
    }
}

/// What `taskName` calls a tool: by its own name where the spec has no other.
pub fn task_name(tool: &str) -> &str {
    match tool {
        act::EXECUTE => "执行命令",
        act::WRITE_FILE => "写入文件",
        ASK_USER => "用户问答",
        _ => tool,
    }
}

/// Whether interrupt data asks questions rather than for a decision: the test that the spec gives to clients.
pub fn is_ask_user_interrupt(data: &Value) -> bool {
    data.get("questions").and_then(Value::as_array).is_some_and(|questions| !questions.is_empty())
}

/// The data of the interrupt event for an agent's call of a tool.
pub fn of_call(tool: &str, args: &Value) -> Value {
    let asks = tool == ASK_USER;
    let description = if asks {
        Cow::Borrowed("Agent 请求用户回答问题")
    } else {
        let args = python::repr(args);
        Cow::Owned(format!("Tool execution requires approval\n\nTool: {tool}\nArgs: {args}"))
    };
    let decisions: &[&str] = if asks { &["edit"] } else { &["approve", "edit", "reject"] };
    let request = json!({ "name": tool, "args": args, "description": description });
    let config = json!({ "action_name": tool, "allowed_decisions": decisions });
    let data = json!({ "action_requests": [request], "review_configs": [config] });
    with_data(tool, args, data)
}

fn with_data(tool: &str, args: &Value, data: Value) -> Value {
    let questions = args.get("questions").filter(|_| tool == ASK_USER);
    let mut members = Map::new();
    members.insert("info".to_owned(), info(tool, args).into());
    members.insert("taskName".to_owned(), task_name(tool).into());
    members.insert("data".to_owned(), data);
    members.insert("questions".to_owned(), questions.cloned().unwrap_or_default());
    Value::Object(members)
}

/// Interrupt data with several action requests as one interrupt after another, each with its own `info`, `taskName`,
/// `questions` and the review configurations of its tool. Data with fewer stays as it is.
pub fn split(data: &Value) -> Vec<Value> {
    let inner = data.get("data").and_then(Value::as_object);
    let requests = inner.and_then(|inner| inner.get("action_requests")).and_then(Value::as_array);
    let Some((inner, requests)) = inner.zip(requests).filter(|(_, requests)| requests.len() > 1) else {
        return vec![data.clone()];
    };
    let mut rest = inner.clone();
    rest.remove("action_requests");
    let configs = rest.remove("review_configs");
    let one = |request: &Value| {
        let tool = request.get("name").and_then(Value::as_str).unwrap_or_default();
        let mut data = rest.clone();
        data.insert("action_requests".to_owned(), Value::Array(vec![request.clone()]));
        if let Some(Value::Array(configs)) = &configs {
            let is_its = |config: &&Value| config.get("action_name").and_then(Value::as_str) == Some(tool);
            let its = configs.iter().find(is_its).cloned();
            data.insert("review_configs".to_owned(), its.into_iter().collect());
        }
        with_data(tool, request.get("args").unwrap_or(&Value::Null), Value::Object(data))
    };
    requests.iter().map(one).collect()
}

/// The data of the interrupt event for a questionnaire, whole as the spec's `Interrupt` is: what the asker did not say
/// is filled in as for a call. What the format cannot say is lost as in [`request`](super::request).
pub fn event_data(questionnaire: &Questionnaire) -> Value {
    let said: Value = json::read_own(&super::request(questionnaire).text).unwrap_or_default();
    let questions = said.get("questions").cloned().unwrap_or_default();
    let (tool, args) = match &questionnaire.action {
        Some(action) if action.tool != ASK_USER => {
            (action.tool.as_str(), Value::Object(act::arguments(action)))
        }
        _ if questions.is_null() => ("", Value::Null),
        _ => (ASK_USER, json!({ "questions": questions })),
    };
    let mut whole = if tool.is_empty() { with_data(tool, &args, json!({})) } else { of_call(tool, &args) };
    if let (Value::Object(whole), Value::Object(said)) = (&mut whole, said) {
        whole.extend(said);
    }
    whole
}
