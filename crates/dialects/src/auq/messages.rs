//! Messages of the original, letter for letter: models and scripts match on them, so they are never reworded.
//!
//! First those for faults, then the sentences around answers: the status of sessions, rejections, and a person's
//! requests to the asker. Those of its Zod schema are in `lenient::wording`. The last section has our own, for cases
//! that the original leaves out.

use super::spec::OPTIONS_MIN;
use sayso_core::AskId;
use sayso_core::model::ask_summary::AskStatus;
use std::time::Duration;

// Faults of a request.

/// Message of the schema for an empty title.
pub(super) const TITLE_MISSING: &str =
    "Question title is required. Provide a short summary like 'Language' or 'Framework'.";
/// Message of the command for a request without questions.
pub(super) const QUESTIONS_MISSING: &str = "'questions' array is required and must not be empty.";

/// Returns the message of the command for a question without one of its texts.
pub(super) fn question_lacks(number: usize, member: &str) -> String {
    format!("Question {number} missing '{member}' field.")
}

/// Returns the message of the command for a question with too few options.
pub(super) fn question_lacks_options(number: usize) -> String {
    format!("Question {number} requires 'options' array with at least {OPTIONS_MIN} options.")
}

/// Returns the message of the JSON-RPC error −32602 for a call with these issues.
pub(super) fn arguments_error(tool: &str, issues: &str) -> String {
    format!(
        "MCP error -32602: Tool '{tool}' parameter validation failed: {issues}. Please check the parameter types and \
         values according to the tool's schema."
    )
}

/// Returns the line of the command for a request that is not JSON.
pub(super) fn invalid_json(words: &str) -> String {
    format!("Error: Invalid JSON input.\n{words}")
}

// Faults of answers.

/// Message for a call without answers.
pub(super) const NO_ANSWERS: &str = "No answers provided";
/// Message for a session without answers.
pub(super) const NO_ANSWERS_IN_SESSION: &str = "No answers provided in session";
/// Message for answers without questions.
pub(super) const NO_QUESTIONS: &str = "No questions provided";
/// Message for answers on a command line that are no object.
pub(super) const ANSWERS_NOT_OBJECT: &str = "Answers must be a JSON object with numeric keys.";
/// Help of the command for answers of another form.
pub(super) const ANSWERS_MANUAL: &str = r#"Error: Invalid --answers JSON format.

Expected format:
  auq answer <sessionId> --answers '{"0": {"selectedOption": "Label Name"}}'

Answer object keys are question indices (0, 1, 2, ...). Each value can have:
  • selectedOption: "Label"      — for single-select questions
  • selectedOptions: ["A", "B"]  — for multi-select questions
  • customText: "free text"       — for custom/other input

Example (multi-question):
  auq answer abc123 --answers '{"0": {"selectedOption": "Yes"}, "1": {"customText": "my input"}}'
"#;

/// Returns the message for answers on a command line that cannot be read.
pub(super) fn invalid_answers(words: &str) -> String {
    format!("Invalid answers JSON: {words}")
}

/// Returns the message for an answer to a question that does not exist.
pub(super) fn no_such_question(index: &str) -> String {
    format!("Answer references invalid question index: {index}")
}

/// Returns the message for an empty answer.
pub(super) fn empty_answer(index: &str) -> String {
    format!("Answer for question {index} has neither selectedOption, selectedOptions, nor customText")
}

/// Returns the message for an answer with an unknown label.
pub(super) fn no_such_option(index: &str, label: &str) -> String {
    format!("Answer for question {index} references non-existent option: {label}")
}

// Answers as text.

/// First line of the answers.
pub(super) const ANSWERS_HEAD: &str = "Here are the user's answers:";
/// Line of a question at which nothing was picked.
pub(super) const NOTHING_PICKED: &str = "→ (No selection)";
/// Line of a question without an answer.
pub(super) const NOT_ANSWERED: &str = "→ No answer provided";
/// Text for a session that waits.
pub(super) const NO_ANSWERS_YET: &str = "No answers yet.";
/// Text for a session that is over without answers.
pub(super) const SESSION_OVER: &str = "Session is no longer active.";

/// Prefix of a request for more detail.
const ELABORATE_PREFIX: &str = "[ELABORATE_REQUEST]";
/// Prefix of a request for other wording.
const REPHRASE_PREFIX: &str = "[REPHRASE_REQUEST]";

/// Returns the short id of an ask in its session lines: the first eight characters.
pub(super) fn short_id(ask: AskId) -> String {
    ask.to_string().chars().take(AskId::SHORT_ID_CHARS).collect()
}

/// Returns the first line of a result in 3.4.
pub fn session_line(ask: AskId, questions: usize) -> String {
    format!("[Session: {} | Questions: {questions}]", short_id(ask))
}

/// Returns the status of a session, as one word.
pub(super) const fn status_word(standing: AskStatus) -> &'static str {
    match standing {
        AskStatus::Open | AskStatus::Submitted => "pending",
        AskStatus::Answered => "completed",
        AskStatus::Declined => "rejected",
        AskStatus::Cancelled => "abandoned",
        AskStatus::Expired => "timed_out",
    }
}

/// Returns a session line with its status, and a sentence (3.4).
pub(super) fn status_text(ask: AskId, standing: AskStatus, text: &str) -> String {
    format!("[Session: {} | Status: {}]\n\n{text}", short_id(ask), status_word(standing))
}

/// Returns the text of a session that waits, with the time until its deadline (3.4).
pub(super) fn pending_status_text(ask: AskId, remaining: Option<Duration>) -> String {
    let left = remaining.map(|left| format!(" | Remaining: {}", remaining_time(left))).unwrap_or_default();
    let word = status_word(AskStatus::Open);
    format!("[Session: {} | Status: {word}{left}]\n\n{NO_ANSWERS_YET}", short_id(ask))
}

/// Returns a duration as `45s`, `4m 45s`, `2h 5m`.
fn remaining_time(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3_600 => format!("{}m {}s", seconds / 60, seconds % 60),
        seconds => format!("{}h {}m", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// Returns the text of a session that ended without an answer, as the command prints it (3.4).
pub(super) fn ended_status_text(ask: AskId, standing: AskStatus) -> String {
    status_text(ask, standing, &format!("Session status: {}", status_word(standing)))
}

/// Returns the text for an asker that does not wait: its questions were accepted, and the ways to fetch the answers.
pub fn submitted_text(ask: AskId, questions: usize) -> String {
    let id = short_id(ask);
    format!(
        "[Session: {id} | Questions: {questions} | Status: pending]\n\nQuestions submitted successfully.\nUse \
         get_answered_questions(session_id=\"{id}\") or `auq fetch-answers {id}` to retrieve answers."
    )
}

/// Returns the text for an asker whose questions a person rejects.
pub fn rejection_text(reason: Option<&str>) -> String {
    let text = match reason {
        Some(reason) => format!("Rejection reason: \"{reason}\""),
        None => "No reason provided.".to_owned(),
    };
    format!("User rejected this question set.\n\n{text}\n\n")
}

/// Returns the text about a rejection for an asker that queries the status of its session (3.4).
pub(super) fn rejected_status(reason: Option<&str>) -> String {
    let reason = reason.map(|reason| format!(" Reason: \"{reason}\"")).unwrap_or_default();
    format!("User rejected this question set.{reason}")
}

/// Returns a person's request for more detail on a question (3.4), with the person's note and specific wish. It is sent
/// as the note, or as the own answer, of that question.
pub fn elaborate_request(note: Option<&str>, guidance: Option<&str>) -> String {
    let guidance = guidance.filter(|guidance| !guidance.trim().is_empty());
    let mut text = format!(
        "{ELABORATE_PREFIX} This means the user may have additional info, context or questions, or need more details to \
         understand your question. You may exceed the normal length of questions and options only once exceptionally."
    );
    if guidance.is_none() {
        text.push_str(
            " Provide examples and larger context, use paragraph-style large content on question text.",
        );
    }
    if let Some(note) = note.filter(|note| !note.is_empty()) {
        text.push_str(&format!("\nUser note: {note}"));
    }
    if let Some(guidance) = guidance {
        text.push_str(&format!("\nUser guidance: \"{}\"", guidance.replace('"', "\\\"")));
    }
    text
}

/// Returns a person's request to rephrase a question (3.4), with the person's note. It is sent like
/// [`elaborate_request`].
pub fn rephrase_request(question_index: usize, title: &str, note: Option<&str>) -> String {
    let note = note.filter(|note| !note.is_empty());
    let note = note.map(|note| format!("\nUser note: {note}")).unwrap_or_default();
    format!(
        "{REPHRASE_PREFIX} Please rephrase question '{title}' in a different way\nQuestion index: {question_index}{note}"
    )
}

/// Returns the person's own note, which may be inside a request of theirs.
pub fn own_note(note: &str) -> Option<&str> {
    if is_request(note) { note.split_once("\nUser note: ").map(|(_, own)| own) } else { Some(note) }
}

/// Returns whether typed text is a request to the asker and no answer (3.4).
pub(super) fn is_request(text: &str) -> bool {
    text.starts_with(ELABORATE_PREFIX) || text.starts_with(REPHRASE_PREFIX)
}

// Ours.

/// Text of a session that the asker cancelled.
pub(super) const SESSION_CANCELLED: &str = "Session cancelled by the asking agent.";
/// Text of a session that expired.
pub(super) const SESSION_EXPIRED: &str = "Session timed out. No answer was given.";
/// Text for a call that can wait no longer, in the generation without a tool to fetch the answers.
pub(super) const CALL_AGAIN: &str = "No answers yet. The questions stay open.\n\nCall ask_user_questions again with exactly \
                                     the same questions to go on waiting: the user is not asked twice. Do not go on \
                                     as if they had been answered.";
