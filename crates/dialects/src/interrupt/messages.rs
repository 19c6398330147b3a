//! Messages of the original, letter for letter: its clients compare them, so they are never reworded.
//!
//! The errors of its framework (Pydantic) come first, then its own. Python's errors for a text that is not JSON are in
//! `json_errors`. The last section has our own, for cases that the spec leaves out.

// Errors of the framework.

/// Message for a member that is missing.
pub(super) const FIELD_REQUIRED: &str = "Field required";
/// Message for a value that is no text.
pub(super) const STRING_EXPECTED: &str = "Input should be a valid string";
/// Message for a value that is no list.
pub(super) const LIST_EXPECTED: &str = "Input should be a valid list";
/// Message for a body that is no object.
pub(super) const OBJECT_EXPECTED: &str =
    "Input should be a valid dictionary or object to extract fields from";
/// Message for a body that is not JSON.
pub(super) const INVALID_JSON: &str = "JSON decode error";

// Errors of a decision.

/// Message for an answer without answers.
pub(super) const ANSWERS_REQUIRED: &str = "answers is required when action is 'answer'";
/// Message for an action that does not exist.
pub(super) const UNKNOWN_ACTION: &str = "Action must be 'continue', 'cancel' or 'answer'";
/// Message for an answer to an approval.
pub(super) const ANSWER_NOT_SUPPORTED: &str = "只有 ask_user 工具支持 'answer' 操作";
/// Message for a decision to continue without an answer.
pub(super) const CONTINUE_NOT_SUPPORTED: &str = "ask_user 工具只支持 'answer' 或 'cancel' 操作";

/// Returns the message for a wrong number of answers.
pub(super) fn wrong_count(answers: usize, questions: usize) -> String {
    format!("answers count ({answers}) does not match questions count ({questions})")
}

/// Returns the message for an empty answer.
pub(super) fn empty_answer(index: usize) -> String {
    format!("answer at index {index} is empty")
}

// Texts of an interrupt.

/// Label of an option for typed text.
pub(super) const CUSTOM_LABEL: &str = "自定义";
/// Description of a call that asks.
pub(super) const ASK_DESCRIPTION: &str = "Agent 请求用户回答问题";
/// Text of a call of any other tool.
pub(super) const CALL_INFO: &str = "正在执行操作";
/// Name of the task that runs a command.
pub(super) const EXECUTE_TASK: &str = "执行命令";
/// Name of the task that writes a file.
pub(super) const WRITE_TASK: &str = "写入文件";
/// Name of the task that asks.
pub(super) const ASK_TASK: &str = "用户问答";

/// Returns the text of a call that runs a command.
pub(super) fn execute_info(command: &str) -> String {
    format!("正在执行命令: {command}")
}

/// Returns the text of a call that writes a file.
pub(super) fn write_info(name: Option<&str>) -> String {
    format!("正在写入文件: {}", name.unwrap_or("文件"))
}

/// Returns the text of a call that asks this many questions.
pub(super) fn ask_info(count: usize) -> String {
    format!("Agent 提出了 {count} 个问题")
}

/// Returns the description of a call that needs approval.
pub(super) fn approval_description(tool: &str, args: &str) -> String {
    format!("Tool execution requires approval\n\nTool: {tool}\nArgs: {args}")
}

/// Returns the result of a call that was rejected.
pub(super) fn rejected_call(tool: &str, call: &str, reason: Option<&str>) -> String {
    let because = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("User rejected the tool call for `{tool}` with id {call}{because}")
}

// Ours.

/// Message for a decision about a thread that waits for none.
pub(super) const NOT_WAITING: &str = "Thread is not waiting for a decision";
/// Message of a thread whose questions expired.
pub(super) const EXPIRED: &str = "No answer before the deadline";

/// Returns the message for an answer that no option has, if no typed text is accepted.
pub(super) fn not_an_option(index: usize) -> String {
    format!("answer at index {index} is not an option")
}

/// Message for a decision to continue where one of several options has to be picked.
pub(super) const PICK_OPTION: &str = "Pick one of the options: 'answer' with its value";

/// Returns the message for an answer that breaks a rule.
pub(super) fn invalid_answer(index: usize, words: &str) -> String {
    format!("answer at index {index}: {words}")
}
