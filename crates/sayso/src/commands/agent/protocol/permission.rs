//! Requests of an agent for permission to run a tool (`session/request_permission`).
//!
//! **Invariant:** the person sees the data of the call. The agent's title is shown only if there is no data. What is
//! allowed is this one call, never one that follows.

use super::tool_call::ToolCallState;
use super::{ThreadDecision, ThreadRequest, answer_in, text_of};
use sayso_core::unified_diff::unified_diff;
use sayso_dialects::interrupt::{ASK_USER, data_from_call};
use serde_json::{Map, Value, json};

/// Request for a permission.
#[derive(Debug)]
pub(in crate::commands::agent) struct Permission {
    kind: PermissionKind,
    /// Id of the only option that allows this call.
    allow: Option<String>,
    /// Id of the only option that rejects this call.
    reject: Option<String>,
}

#[derive(Debug)]
enum PermissionKind {
    /// A yes or no about a call.
    Approval(ThreadRequest),
    /// A choice of several options of one kind.
    Choice(ThreadRequest),
    /// Questions of Qwen Code, which wants the answers next to the outcome.
    Questions(ThreadRequest, Value),
    /// Our own tool, which asks the person itself.
    OwnTool,
}

impl Permission {
    /// Reads a request about a call; `None` if no option allows this call alone.
    pub(in crate::commands::agent) fn parse(call: &ToolCallState, options: &Value) -> Option<Self> {
        let allows = options_of_kind(options, "allow_once");
        let rejects = options_of_kind(options, "reject_once");
        if allows.is_empty() {
            return None;
        }
        let kind = if is_own_tool(call) {
            PermissionKind::OwnTool
        } else if let Some(questions) = qwen_questions(call) {
            PermissionKind::Questions(qwen_request(questions), questions.clone())
        } else if allows.len() > 1 || rejects.len() > 1 {
            PermissionKind::Choice(choice(call, &allows, &rejects))
        } else {
            PermissionKind::Approval(ThreadRequest::Call { name: call.tool_name(), args: call_args(call) })
        };
        Some(Self { kind, allow: only_id(&allows), reject: only_id(&rejects) })
    }

    /// Returns the request to ask; `None` if the person need not be asked.
    pub(in crate::commands::agent) const fn request(&self) -> Option<&ThreadRequest> {
        match &self.kind {
            PermissionKind::Approval(request)
            | PermissionKind::Choice(request)
            | PermissionKind::Questions(request, _) => Some(request),
            PermissionKind::OwnTool => None,
        }
    }

    /// Returns the response for a decision.
    pub(in crate::commands::agent) fn response(&self, decision: Option<&ThreadDecision>) -> Value {
        let action = decision.map(|decision| decision.action.as_str());
        let mut answers = None;
        let mut option_id = None;
        match (&self.kind, decision, action) {
            (PermissionKind::OwnTool, ..) => option_id.clone_from(&self.allow),
            (_, _, Some("cancel")) => option_id.clone_from(&self.reject),
            (PermissionKind::Approval(_), _, Some("continue")) => option_id.clone_from(&self.allow),
            (PermissionKind::Choice(_), Some(decision), Some("answer")) => {
                option_id = decision.answers().pop();
            }
            (PermissionKind::Questions(_, questions), Some(decision), Some("answer")) => {
                option_id.clone_from(&self.allow);
                answers = Some(qwen_answers(&decision.outcome(), questions));
            }
            _ => {}
        }
        let mut response = Map::new();
        let outcome = match option_id {
            Some(id) => json!({ "outcome": "selected", "optionId": id }),
            None => json!({ "outcome": "cancelled" }),
        };
        response.insert("outcome".to_owned(), outcome);
        if let Some(answers) = answers {
            response.insert("answers".to_owned(), answers);
        }
        Value::Object(response)
    }
}

/// Returns the options of one kind, such as `allow_once`.
fn options_of_kind<'o>(options: &'o Value, kind: &str) -> Vec<&'o Value> {
    let options = options.as_array().into_iter().flatten();
    options.filter(|option| text_of(option, "kind") == Some(kind)).collect()
}

/// Returns the id of the only option; `None` if there are more or none.
fn only_id(options: &[&Value]) -> Option<String> {
    match options {
        [option] => text_of(option, "optionId").map(str::to_owned),
        _ => None,
    }
}

/// Returns whether a call is that of the tool which a session gets from us: it asks the person itself.
fn is_own_tool(call: &ToolCallState) -> bool {
    let names = [call.get("name").and_then(Value::as_str).unwrap_or_default(), call.title()];
    let is_named = names.into_iter().any(|name| name.contains("sayso") && name.contains(ASK_USER));
    let has_questions = match call.get("rawInput") {
        Some(Value::Object(input)) => input.keys().all(|name| name == "questions"),
        Some(_) => false,
        None => true,
    };
    call.kind() != "execute" && has_questions && call.diffs().is_empty() && is_named
}

/// Returns the choice among the options that are about this call alone.
fn choice(call: &ToolCallState, allows: &[&Value], rejects: &[&Value]) -> ThreadRequest {
    let mut options = Vec::with_capacity(allows.len() + rejects.len());
    for option in allows.iter().chain(rejects) {
        let id = text_of(option, "optionId").unwrap_or_default();
        options.push(json!({ "label": text_of(option, "name").unwrap_or(id), "value": id }));
    }
    // A question has a title alone, and nothing to run.
    let has_data = call.get("rawInput").is_some_and(|input| !input.is_null()) || !call.diffs().is_empty();
    let mut request = if has_data {
        data_from_call(&call.tool_name(), &call_args(call))
    } else {
        json!({ "info": call.title(), "taskName": call.title() })
    };
    if let Some(members) = request.as_object_mut() {
        members.insert("options".to_owned(), options.into());
    }
    ThreadRequest::Dialect("interrupt", request)
}

/// Returns the questions of Qwen Code.
fn qwen_questions(call: &ToolCallState) -> Option<&Value> {
    let meta = call.get("_meta")?;
    if text_of(meta, "qwenInteractionKind") != Some("user_question") {
        return None;
    }
    meta.get("qwenQuestions").filter(|questions| questions.is_array())
}

/// Returns the questions as a questionnaire. Each takes an own answer.
fn qwen_request(questions: &Value) -> ThreadRequest {
    let mut items = Vec::new();
    for (index, question) in questions.as_array().into_iter().flatten().enumerate() {
        let mut options = Vec::new();
        for option in question.get("options").and_then(Value::as_array).into_iter().flatten() {
            options.push(json!({
                "id": format!("o{}", options.len()),
                "label": text_of(option, "label"),
                "description": text_of(option, "description"),
            }));
        }
        items.push(json!({
            "id": format!("q{index}"),
            "prompt": text_of(question, "question"),
            "label": text_of(question, "header"),
            "options": options,
            "multi": question.get("multiSelect").and_then(Value::as_bool).unwrap_or_default(),
            "other": true,
        }));
    }
    ThreadRequest::Dialect("sayso", json!({ "questions": items }))
}

/// Returns the answers by the number of their question: labels, several with commas between them, or typed text.
fn qwen_answers(outcome: &Value, questions: &Value) -> Value {
    let mut answers = Map::new();
    for (index, question) in questions.as_array().into_iter().flatten().enumerate() {
        let answer = answer_in(outcome, &format!("q{index}"));
        let picks = answer.and_then(|answer| answer.get("picks")?.as_array());
        if let Some(picks) = picks {
            let texts: Vec<&str> = picks.iter().filter_map(|pick| qwen_pick_text(question, pick)).collect();
            answers.insert(index.to_string(), Value::from(texts.join(", ")));
        }
    }
    Value::Object(answers)
}

/// Returns the label of a picked option, or the typed text.
fn qwen_pick_text<'v>(question: &'v Value, pick: &'v Value) -> Option<&'v str> {
    let index = text_of(pick, "option").and_then(|id| id.strip_prefix('o')?.parse::<usize>().ok());
    let option = index.and_then(|index| question.get("options")?.get(index));
    match option.and_then(|option| text_of(option, "label")) {
        Some(label) => Some(label),
        None => text_of(pick, "other"),
    }
}

/// Returns the arguments of a call, as far as the agent sends them.
fn call_args(call: &ToolCallState) -> Value {
    match (call.diffs().as_slice(), call.get("rawInput")) {
        ([diff], _) => diff_args(diff),
        (diffs @ [_, _, ..], None) => {
            json!({ "changes": diffs.iter().map(|diff| diff_args(diff)).collect::<Vec<_>>() })
        }
        (_, Some(Value::Object(input))) if call.kind() == "execute" => command_args(input),
        (_, Some(input @ Value::Object(_))) => input.clone(),
        (_, Some(input)) if !input.is_null() => json!({ "input": input }),
        _ => json!({ "title": call.title(), "paths": call.paths() }),
    }
}

/// Returns the arguments of a change of one file.
fn diff_args(diff: &Value) -> Value {
    // A blank text is a text: an empty file that is changed was there.
    let text = |name: &str| diff.get(name).and_then(Value::as_str);
    let path = text("path").unwrap_or_default();
    let new = text("newText").unwrap_or_default();
    match text("oldText") {
        None => json!({ "file_path": path, "content": new }),
        Some(old) => {
            json!({ "file_path": path, "diff": unified_diff([path, path], [old, new]) })
        }
    }
}

/// Returns the arguments of a command, without the agent's words about it if nothing else is there.
fn command_args(input: &Map<String, Value>) -> Value {
    let is_words = |name: &String| name == "description" || name == "command";
    match input.get("command") {
        Some(command @ Value::String(_)) if input.keys().all(is_words) => json!({ "command": command }),
        _ => Value::Object(input.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool_call::ToolCalls;
    use super::*;

    fn permission(mut call: Value, options: &Value) -> Option<Permission> {
        call["toolCallId"] = json!("c");
        Permission::parse(&ToolCalls::default().merge(&call), options)
    }

    fn options(kinds: &[&str]) -> Value {
        kinds.iter().map(|kind| json!({ "optionId": kind, "name": kind, "kind": kind })).collect()
    }

    fn asked(call: Value) -> ThreadRequest {
        permission(call, &options(&["allow_once"])).unwrap().request().unwrap().clone()
    }

    fn decision(action: &str, result: Option<Value>) -> ThreadDecision {
        ThreadDecision { action: action.to_owned(), result: result.map(|result| result.to_string()) }
    }

    #[test]
    fn action_is_drawn_from_data() {
        let lie = json!({ "title": "ls", "kind": "execute",
            "rawInput": { "command": "rm -rf /", "description": "List files" } });
        let call = |name: &str, args: Value| ThreadRequest::Call { name: name.to_owned(), args };
        assert_eq!(asked(lie), call("execute", json!({ "command": "rm -rf /" })));
        let argv = json!({ "command": ["bash", "-lc", "make"], "cwd": "/srv" });
        let make = json!({ "title": "make", "kind": "execute", "rawInput": argv });
        assert_eq!(asked(make), call("execute", argv));
        let diff = |old: Value| {
            json!({ "title": "Tidy", "kind": "edit",
            "content": [{ "type": "diff", "path": "/w/a", "oldText": old, "newText": "b\n" }] })
        };
        let args = json!({ "file_path": "/w/a", "content": "b\n" });
        assert_eq!(asked(diff(Value::Null)), call("write_file", args));
        let args = json!({ "file_path": "/w/a", "diff": "--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-a\n+b\n" });
        assert_eq!(asked(diff(json!("a\n"))), call("edit_file", args));
        // An empty file is changed, and a blank text is written as it is.
        let args = json!({ "file_path": "/w/a", "diff": "--- /w/a\n+++ /w/a\n@@ -0,0 +1 @@\n+b\n" });
        assert_eq!(asked(diff(json!(""))), call("edit_file", args));
        let blank = json!({ "title": "Tidy", "kind": "edit",
            "content": [{ "type": "diff", "path": "/w/a", "oldText": null, "newText": "\n" }] });
        assert_eq!(asked(blank), call("write_file", json!({ "file_path": "/w/a", "content": "\n" })));
        assert_eq!(
            asked(json!({ "title": "Do it" })),
            call("Do it", json!({ "title": "Do it", "paths": [] }))
        );
    }

    #[test]
    fn decision_covers_one_call() {
        let every = options(&["allow_always", "allow_once", "reject_always", "reject_once"]);
        let permission_of = |options: &Value| permission(json!({ "title": "ls" }), options);
        let chosen = |action: Option<&str>, options: &Value| {
            let decision = action.map(|action| decision(action, None));
            permission_of(options).unwrap().response(decision.as_ref())["outcome"]["optionId"].clone()
        };
        assert_eq!(chosen(Some("continue"), &every), "allow_once");
        assert_eq!(chosen(Some("cancel"), &every), "reject_once");
        assert_eq!(chosen(Some("error"), &every), Value::Null);
        assert_eq!(chosen(None, &every), Value::Null);
        assert_eq!(chosen(Some("cancel"), &options(&["allow_once", "reject_always"])), Value::Null);
        assert!(permission_of(&options(&["allow_always", "reject_always"])).is_none());
    }

    #[test]
    fn several_options_of_one_kind_are_a_choice() {
        let kimi = json!([
            { "optionId": "q0_0", "name": "Drop Postgres", "kind": "allow_once" },
            { "optionId": "q0_1", "name": "Keep both", "kind": "allow_once" },
            { "optionId": "q0_skip", "name": "Skip", "kind": "reject_once" },
            { "optionId": "q0_all", "name": "Always", "kind": "allow_always" },
        ]);
        let permission = permission(json!({ "title": "Which database?" }), &kimi).unwrap();
        let offered = json!([{ "label": "Drop Postgres", "value": "q0_0" }, { "label": "Keep both", "value": "q0_1" },
            { "label": "Skip", "value": "q0_skip" }]);
        let request = json!({ "info": "Which database?", "taskName": "Which database?", "options": offered });
        assert_eq!(permission.request(), Some(&ThreadRequest::Dialect("interrupt", request)));
        let response = |decision: &ThreadDecision| permission.response(Some(decision))["outcome"].clone();
        let selected = |id: &str| json!({ "outcome": "selected", "optionId": id });
        assert_eq!(response(&decision("answer", Some(json!(["q0_1"])))), selected("q0_1"));
        assert_eq!(response(&decision("cancel", None)), selected("q0_skip"));
        assert_eq!(response(&decision("continue", None)), json!({ "outcome": "cancelled" }));
    }

    #[test]
    fn qwen_gets_answers_next_to_outcome() {
        let questions =
            json!([{ "question": "Licence?", "header": "Licence", "options": [{ "label": "MIT" }] }]);
        let meta = json!({ "qwenInteractionKind": "user_question", "qwenQuestions": questions });
        let permission =
            permission(json!({ "title": "Ask", "_meta": meta }), &options(&["allow_once", "reject_once"]));
        let request = json!({ "questions": [{ "id": "q0", "prompt": "Licence?", "label": "Licence",
            "options": [{ "id": "o0", "label": "MIT", "description": null }], "multi": false, "other": true }] });
        let permission = permission.unwrap();
        assert_eq!(permission.request(), Some(&ThreadRequest::Dialect("sayso", request)));
        let result = json!({ "replies": { "q0": { "answer": { "picks": [{ "option": "o0" }] } } } });
        let response = permission.response(Some(&decision("answer", Some(result))));
        let selected = json!({ "outcome": "selected", "optionId": "allow_once" });
        assert_eq!(response, json!({ "outcome": selected, "answers": { "0": "MIT" } }));
    }

    #[test]
    fn own_tool_needs_no_permission() {
        let own = json!({ "title": "sayso - ask_user", "rawInput": { "questions": [] } });
        let ask = permission(own.clone(), &options(&["allow_once"])).unwrap();
        assert!(ask.request().is_none());
        assert_eq!(ask.response(None)["outcome"]["optionId"], "allow_once");
        for (name, value) in [
            ("kind", json!("execute")),
            ("rawInput", json!({ "command": "ls" })),
            ("title", json!("ask_user")),
        ] {
            let mut other = own.clone();
            other[name] = value;
            assert!(permission(other, &options(&["allow_once"])).unwrap().request().is_some(), "{name}");
        }
    }
}
