//! Data of interrupt events for an agent's tool calls (the spec's "interrupt event").

use super::spec::ASK_USER;
use super::{actions, messages, python_repr};
use sayso_core::wire::json;
use sayso_core::{DocumentPath, Lang, Message, Problem, ProblemCode, Questionnaire, limits};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashMap;

/// Longest part of a command in `info`, in Unicode scalar values.
const COMMAND_CHARS: usize = 30;

/// Returns the text of `info` for a tool call.
pub fn call_info(tool: &str, args: &Value) -> String {
    let text = |name: &str| args.get(name).and_then(Value::as_str);
    match tool {
        actions::EXECUTE => {
            let argv = args.get("command").and_then(Value::as_array);
            let words = argv.map(|argv| argv.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "));
            // An agent of another protocol may have a title alone.
            let command = text("command").or(words.as_deref()).or_else(|| text("title")).unwrap_or_default();
            let shown: String = command.chars().take(COMMAND_CHARS).collect();
            let dots = if shown.len() < command.len() { "..." } else { "" };
            messages::execute_info(&format!("{shown}{dots}"))
        }
        actions::WRITE_FILE => {
            let name = text("file_path").and_then(|path| path.rsplit('/').next());
            messages::write_info(name.filter(|name| !name.is_empty()))
        }
        ASK_USER => {
            let count = args.get("questions").and_then(Value::as_array).map_or(0, Vec::len);
            messages::ask_info(count)
        }
        _ => messages::CALL_INFO.to_owned(),
    }
}

/// Returns the `taskName` of a tool: the spec's, or else the tool's own name.
pub fn task_name(tool: &str) -> &str {
    match tool {
        actions::EXECUTE => messages::EXECUTE_TASK,
        actions::WRITE_FILE => messages::WRITE_TASK,
        ASK_USER => messages::ASK_TASK,
        _ => tool,
    }
}

/// Removes the words that the data of a call derives from it: those of the spec, for its clients. People see the call
/// itself in their language; [`event_data`] derives the words again.
pub fn drop_derived_words(questionnaire: &mut Questionnaire) {
    let (task, info) = match &questionnaire.action {
        Some(action) => {
            let args = Value::Object(actions::action_arguments(action));
            (task_name(&action.tool).to_owned(), call_info(&action.tool, &args))
        }
        None => (task_name(ASK_USER).to_owned(), messages::ask_info(questionnaire.questions.len())),
    };
    if questionnaire.context.as_ref() == Some(&info) {
        questionnaire.context = None;
    }
    if questionnaire.title.as_ref() == Some(&task) {
        questionnaire.title = None;
        if let (Some(_), [question]) = (&questionnaire.action, questionnaire.questions.as_mut_slice()) {
            question.prompt.clear();
        }
    }
}

/// Returns whether interrupt data asks questions rather than for a decision: the test that the spec gives to clients.
pub fn is_ask_user_interrupt(data: &Value) -> bool {
    data.get("questions").and_then(Value::as_array).is_some_and(|questions| !questions.is_empty())
}

/// Returns the data of the interrupt event for an agent's tool call.
pub fn data_from_call(tool: &str, args: &Value) -> Value {
    build_data(tool, args, Value::Object(call_data(tool, args)))
}

/// Returns the part of the data that an agent's runtime writes about a call.
fn call_data(tool: &str, args: &Value) -> Map<String, Value> {
    let asks = tool == ASK_USER;
    let description = if asks {
        Cow::Borrowed(messages::ASK_DESCRIPTION)
    } else {
        Cow::Owned(messages::approval_description(tool, &python_repr::repr(args)))
    };
    let decisions: &[&str] = if asks { &["edit"] } else { &["approve", "edit", "reject"] };
    let request = json!({ "name": tool, "args": args, "description": description });
    let config = json!({ "action_name": tool, "allowed_decisions": decisions });
    let members = [("action_requests", request), ("review_configs", config)];
    members.map(|(name, member)| (name.to_owned(), Value::Array(vec![member]))).into_iter().collect()
}

fn build_data(tool: &str, args: &Value, data: Value) -> Value {
    let questions = if tool == ASK_USER { args.get("questions") } else { None };
    let mut members = Map::new();
    members.insert("info".to_owned(), call_info(tool, args).into());
    members.insert("taskName".to_owned(), task_name(tool).into());
    members.insert("data".to_owned(), data);
    members.insert("questions".to_owned(), questions.cloned().unwrap_or_default());
    Value::Object(members)
}

/// Splits interrupt data with several action requests into one interrupt for each. Each has its own `info`, `taskName`,
/// `questions` and the review configurations of its tool; an approval also has the `options`. Data with fewer action
/// requests is returned unchanged.
///
/// # Errors
/// Fails for more than `PENDING_CALLS` action requests, or for more than
/// `PENDING_CALLS_SHARED_BYTES` repeated in the interrupts.
pub fn split_requests(data: &Value) -> Result<Vec<Value>, Problem> {
    let inner = data.get("data").and_then(Value::as_object);
    let requests = inner.and_then(|inner| inner.get("action_requests")).and_then(Value::as_array);
    let Some((inner, requests)) = inner.zip(requests).filter(|(_, requests)| requests.len() > 1) else {
        return Ok(vec![data.clone()]);
    };
    let place = || DocumentPath::root().join("data").join("action_requests");
    if requests.len() > limits::PENDING_CALLS {
        return Err(Problem::new(ProblemCode::TooBig, Message::ManyElements.with([limits::PENDING_CALLS]))
            .at(place()));
    }
    let is_alike =
        |(name, _): &(&String, &Value)| !["action_requests", "review_configs"].contains(&name.as_str());
    let rest: Map<_, _> =
        inner.iter().filter(is_alike).map(|(name, value)| (name.clone(), value.clone())).collect();
    let options = data.get("options").filter(|options| !options.is_null());
    let configs =
        inner.get("review_configs").and_then(Value::as_array).map(|configs| configs_by_tool(configs));
    let config = |request: &Value| configs.as_ref()?.get(tool_name(request)).copied();
    let mut alike = (json::write(&rest).len() + options.map_or(0, json_size)) * requests.len();
    let sizes: HashMap<_, _> =
        requests.iter().filter_map(|request| Some((tool_name(request), config(request)?))).collect();
    let sizes: HashMap<_, _> = sizes.into_iter().map(|(tool, config)| (tool, json_size(config))).collect();
    alike += requests.iter().filter_map(|request| sizes.get(tool_name(request))).sum::<usize>();
    if alike > limits::PENDING_CALLS_SHARED_BYTES {
        let message = Message::RequestTooLarge.with([alike, limits::PENDING_CALLS_SHARED_BYTES]);
        return Err(Problem::new(ProblemCode::TooLarge, message).at(DocumentPath::root().join("data")));
    }
    let one = |request: &Value| {
        let mut data = rest.clone();
        data.insert("action_requests".to_owned(), Value::Array(vec![request.clone()]));
        if configs.is_some() {
            let its = config(request).cloned();
            data.insert("review_configs".to_owned(), its.into_iter().collect());
        }
        let args = request.get("args").unwrap_or(&Value::Null);
        let mut whole = build_data(tool_name(request), args, Value::Object(data));
        if let Value::Object(whole) = &mut whole
            && let Some(options) = options
            && tool_name(request) != ASK_USER
        {
            whole.insert("options".to_owned(), options.clone());
        }
        whole
    };
    Ok(requests.iter().map(one).collect())
}

/// Returns the tool of an action request.
fn tool_name(request: &Value) -> &str {
    request.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the first review configuration of each tool.
fn configs_by_tool(configs: &[Value]) -> HashMap<&str, &Value> {
    let named = |config| Some((Value::as_str(Value::get(config, "action_name")?)?, config));
    configs.iter().rev().filter_map(named).collect()
}

fn json_size(value: &Value) -> usize {
    json::write(value).len()
}

/// Returns the data of the interrupt event for a questionnaire, complete as the spec's `Interrupt` is. Members that the
/// asker omitted are filled in as for a call. With questions it is an interrupt of `ask_user`, even if the agent also
/// wants to act. Our own labels are in this language. The losses are those of [`write_request`](super::write_request).
pub fn event_data(questionnaire: &Questionnaire, lang: Lang) -> Value {
    let value: Map<String, Value> =
        json::read_own(&super::write_request(questionnaire, lang).text).unwrap_or_default();
    let asking = value.get("questions").filter(|questions| !questions.is_null());
    let asking = asking.map(|questions| json!({ "questions": questions }));
    let action = questionnaire.action.as_ref().filter(|action| action.tool != ASK_USER);
    let called =
        action.map(|action| (action.tool.as_str(), Value::Object(actions::action_arguments(action))));
    let data = match (&called, &asking) {
        (Some((tool, args)), _) => call_data(tool, args),
        (None, Some(asking)) => call_data(ASK_USER, asking),
        (None, None) => Map::new(),
    };
    let (tool, args) =
        asking.map(|asking| (ASK_USER, asking)).or(called).unwrap_or_else(|| ("", Value::Null));
    let mut whole = build_data(tool, &args, Value::Null);
    if let Value::Object(members) = &mut whole {
        members.extend(value);
        let value = members.get_mut("data").map(Value::take);
        members.insert("data".to_owned(), Value::Object(merge_call_data(value, data)));
    }
    whole
}

/// Completes the asker's data of a call with the usual members.
fn merge_call_data(value: Option<Value>, mut usual: Map<String, Value>) -> Map<String, Value> {
    let Some(Value::Object(value)) = value else { return usual };
    let request = usual.get_mut("action_requests").and_then(|requests| requests.get_mut(0)).map(Value::take);
    usual.extend(value);
    let value = usual.get_mut("action_requests").and_then(|requests| requests.get_mut(0));
    if let (Some(value), Some(request)) = (value, request) {
        fill_missing(value, request);
    }
    usual
}

/// Fills in the missing members of an object, and the missing questions of its arguments.
fn fill_missing(sent_value: &mut Value, usual: Value) {
    if sent_value.is_null() {
        *sent_value = usual;
        return;
    }
    let (Value::Object(sent_value), Value::Object(usual)) = (sent_value, usual) else { return };
    for (name, value) in usual {
        match sent_value.get_mut(&name) {
            Some(args) if name == "args" => fill_missing(args, value),
            Some(_) => {}
            None => {
                sent_value.insert(name, value);
            }
        }
    }
}
