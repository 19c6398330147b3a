//! Sentences around answers: the status of sessions, rejections, and a person's requests to the asker.

use sayso_core::AskId;
use sayso_core::ask_summary::AskStatus;

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
pub(super) fn status_text(ask: AskId, standing: AskStatus, said: &str) -> String {
    format!("[Session: {} | Status: {}]\n\n{said}", short_id(ask), status_word(standing))
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
    let said = match reason {
        Some(reason) => format!("Rejection reason: \"{reason}\""),
        None => "No reason provided.".to_owned(),
    };
    format!("User rejected this question set.\n\n{said}\n\n")
}

/// Returns the text likewise for an asker that queries the status of its session (3.4).
pub(super) fn rejected_status(reason: Option<&str>) -> String {
    let reason = reason.map(|reason| format!(" Reason: \"{reason}\"")).unwrap_or_default();
    format!("User rejected this question set.{reason}")
}

/// Returns a person's request for more detail on a question (3.4), with the person's note and specific wish. It is sent
/// as the note, or as the own answer, of that question.
pub fn elaborate_request(note: Option<&str>, guidance: Option<&str>) -> String {
    let guidance = guidance.filter(|guidance| !guidance.trim().is_empty());
    let mut said = format!(
        "{ELABORATE_PREFIX} This means the user may have additional info, context or questions, or need more details to \
         understand your question. You may exceed the normal length of questions and options only once exceptionally."
    );
    if guidance.is_none() {
        said.push_str(
            " Provide examples and larger context, use paragraph-style large content on question text.",
        );
    }
    if let Some(note) = note.filter(|note| !note.is_empty()) {
        said.push_str(&format!("\nUser note: {note}"));
    }
    if let Some(guidance) = guidance {
        said.push_str(&format!("\nUser guidance: \"{}\"", guidance.replace('"', "\\\"")));
    }
    said
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
