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
    match tool {
        actions::EXECUTE => {
            let command = command_text(args);
            let beginning: String = command.chars().take(COMMAND_CHARS).collect();
            let dots = if beginning.len() < command.len() { "..." } else { "" };
            messages::execute_info(&format!("{beginning}{dots}"))
        }
        actions::WRITE_FILE => {
            let path = args.get("file_path").and_then(Value::as_str).unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or_default();
            messages::write_info(if name.is_empty() { None } else { Some(name) })
        }
        ASK_USER => {
            let count = args.get("questions").and_then(Value::as_array).map_or(0, Vec::len);
            messages::ask_info(count)
        }
        _ => messages::CALL_INFO.to_owned(),
    }
}

/// Returns the command of a call, as a text or as words, or else the title that an agent of another protocol may have.
fn command_text(args: &Value) -> Cow<'_, str> {
    match args.get("command") {
        Some(Value::String(command)) => command.into(),
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ").into()
        }
        _ => args.get("title").and_then(Value::as_str).unwrap_or_default().into(),
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
    let mut members = Map::new();
    members.insert("action_requests".to_owned(), json!([request]));
    members.insert("review_configs".to_owned(), json!([config]));
    members
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
    let Some(inner) = data.get("data").and_then(Value::as_object) else { return Ok(vec![data.clone()]) };
    let requests = inner.get("action_requests").and_then(Value::as_array);
    let requests = requests.map(Vec::as_slice).unwrap_or_default();
    if requests.len() < 2 {
        return Ok(vec![data.clone()]);
    }
    if requests.len() > limits::PENDING_CALLS {
        let message = Message::ManyElements.with([limits::PENDING_CALLS]);
        let place = DocumentPath::root().join("data").join("action_requests");
        return Err(Problem::new(ProblemCode::TooBig, message).at(place));
    }
    let mut shared = Map::new();
    for (name, value) in inner {
        if name != "action_requests" && name != "review_configs" {
            shared.insert(name.clone(), value.clone());
        }
    }
    let configs = inner.get("review_configs").and_then(Value::as_array);
    let configs = configs.map(|configs| configs_by_tool(configs));
    let options = data.get("options").filter(|options| !options.is_null());
    check_shared_size(requests, &shared, options, configs.as_ref())?;
    let mut interrupts = Vec::with_capacity(requests.len());
    for request in requests {
        let tool = tool_name(request);
        let mut data = shared.clone();
        data.insert("action_requests".to_owned(), json!([request]));
        if let Some(configs) = &configs {
            let own_configs = configs.get(tool).map(|config| (*config).clone());
            data.insert("review_configs".to_owned(), own_configs.into_iter().collect());
        }
        let args = request.get("args").unwrap_or(&Value::Null);
        let mut interrupt = build_data(tool, args, Value::Object(data));
        if let Value::Object(members) = &mut interrupt
            && let Some(options) = options
            && tool != ASK_USER
        {
            members.insert("options".to_owned(), options.clone());
        }
        interrupts.push(interrupt);
    }
    Ok(interrupts)
}

/// Checks the size of what the interrupts of several requests repeat.
fn check_shared_size(
    requests: &[Value],
    shared: &Map<String, Value>,
    options: Option<&Value>,
    configs: Option<&HashMap<&str, &Value>>,
) -> Result<(), Problem> {
    let mut total = (json::write(shared).len() + options.map_or(0, json_size)) * requests.len();
    let mut config_sizes: HashMap<&str, usize> = HashMap::new();
    for request in requests {
        let tool = tool_name(request);
        if let Some(config) = configs.and_then(|configs| configs.get(tool)) {
            total += *config_sizes.entry(tool).or_insert_with(|| json_size(config));
        }
    }
    if total > limits::PENDING_CALLS_SHARED_BYTES {
        let message = Message::RequestTooLarge.with([total, limits::PENDING_CALLS_SHARED_BYTES]);
        return Err(Problem::new(ProblemCode::TooLarge, message).at(DocumentPath::root().join("data")));
    }
    Ok(())
}

/// Returns the tool of an action request.
fn tool_name(request: &Value) -> &str {
    request.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// Returns the first review configuration of each tool.
fn configs_by_tool(configs: &[Value]) -> HashMap<&str, &Value> {
    let mut by_tool = HashMap::new();
    for config in configs {
        if let Some(tool) = config.get("action_name").and_then(Value::as_str) {
            by_tool.entry(tool).or_insert(config);
        }
    }
    by_tool
}

fn json_size(value: &Value) -> usize {
    json::write(value).len()
}

/// Returns the data of the interrupt event for a questionnaire, complete as the spec's `Interrupt` is. Members that the
/// asker omitted are filled in as for a call. With questions it is an interrupt of `ask_user`, even if the agent also
/// wants to act. Our own labels are in this language. The losses are those of [`write_request`](super::write_request).
pub fn event_data(questionnaire: &Questionnaire, lang: Lang) -> Value {
    let request: Map<String, Value> =
        json::read_own(&super::write_request(questionnaire, lang).text).unwrap_or_default();
    let questions = request.get("questions").filter(|questions| !questions.is_null());
    let ask_arguments = questions.map(|questions| json!({ "questions": questions }));
    let call = match &questionnaire.action {
        Some(action) if action.tool != ASK_USER => {
            Some((action.tool.as_str(), Value::Object(actions::action_arguments(action))))
        }
        _ => None,
    };
    let usual_data = match (&call, &ask_arguments) {
        (Some((tool, args)), _) => call_data(tool, args),
        (None, Some(args)) => call_data(ASK_USER, args),
        (None, None) => Map::new(),
    };
    let (tool, args) = match (ask_arguments, call) {
        (Some(args), _) => (ASK_USER, args),
        (None, Some((tool, args))) => (tool, args),
        (None, None) => ("", Value::Null),
    };
    let mut event = build_data(tool, &args, Value::Null);
    if let Value::Object(members) = &mut event {
        members.extend(request);
        let own_data = members.get_mut("data").map(Value::take);
        members.insert("data".to_owned(), Value::Object(merge_call_data(own_data, usual_data)));
    }
    event
}

/// Completes the asker's data of a call with the usual members.
fn merge_call_data(own_data: Option<Value>, mut usual: Map<String, Value>) -> Map<String, Value> {
    let Some(Value::Object(own_data)) = own_data else { return usual };
    let usual_request = first_request(&mut usual).map(Value::take);
    usual.extend(own_data);
    if let Some(usual_request) = usual_request
        && let Some(request) = first_request(&mut usual)
    {
        fill_missing(request, usual_request);
    }
    usual
}

fn first_request(data: &mut Map<String, Value>) -> Option<&mut Value> {
    data.get_mut("action_requests")?.get_mut(0)
}

/// Fills in the missing members of an object, and the missing questions of its arguments.
fn fill_missing(request: &mut Value, usual: Value) {
    if request.is_null() {
        *request = usual;
        return;
    }
    let (Value::Object(members), Value::Object(usual)) = (request, usual) else { return };
    for (name, value) in usual {
        match members.get_mut(&name) {
            Some(args) if name == "args" => fill_missing(args, value),
            Some(_) => {}
            None => {
                members.insert(name, value);
            }
        }
    }
}
