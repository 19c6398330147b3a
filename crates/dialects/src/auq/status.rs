//! The sentences around answers: sessions and where they stand, rejections, and a person's requests to the asker.

use sayso_core::AskId;
use sayso_core::row::Standing;

/// What a request for more words begins with.
const ELABORATE: &str = "[ELABORATE_REQUEST]";
/// What a request for other words begins with.
const REPHRASE: &str = "[REPHRASE_REQUEST]";

/// What an ask is called in its session lines: the first eight characters of its id.
pub(super) fn short(ask: AskId) -> String {
    ask.to_string().chars().take(AskId::HANDLE_CHARS).collect()
}

/// The first line of what an asker gets in 3.4.
pub fn session_line(ask: AskId, questions: usize) -> String {
    format!("[Session: {} | Questions: {questions}]", short(ask))
}

/// Where a session stands, in a word.
pub(super) const fn status_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Open | Standing::Submitted => "pending",
        Standing::Answered => "completed",
        Standing::Declined => "rejected",
        Standing::Cancelled => "abandoned",
        Standing::Expired => "timed_out",
    }
}

/// A session with where it stands, and a sentence on that (3.4).
pub(super) fn standing(ask: AskId, standing: Standing, said: &str) -> String {
    format!("[Session: {} | Status: {}]\n\n{said}", short(ask), status_word(standing))
}

/// What an asker that does not wait gets: that its questions were taken, and how it comes to the answers.
pub fn submitted(ask: AskId, questions: usize) -> String {
    let id = short(ask);
    format!(
        "[Session: {id} | Questions: {questions} | Status: pending]\n\nQuestions submitted successfully.\nUse \
         get_answered_questions(session_id=\"{id}\") or `auq fetch-answers {id}` to retrieve answers."
    )
}

/// What the asker gets when a person rejects its questions.
pub fn rejection(reason: Option<&str>) -> String {
    let said = match reason {
        Some(reason) => format!("Rejection reason: \"{reason}\""),
        None => "No reason provided.".to_owned(),
    };
    format!("User rejected this question set.\n\n{said}\n\n")
}

/// The same for an asker that asks where its session stands (3.4).
pub(super) fn rejected(reason: Option<&str>) -> String {
    let reason = reason.map(|reason| format!(" Reason: \"{reason}\"")).unwrap_or_default();
    format!("User rejected this question set.{reason}")
}

/// A person's request for more words on a question (3.4), with what the person noted and asked for in particular. It
/// stands as the note, or as the own answer, of that question.
pub fn elaborate_request(note: Option<&str>, guidance: Option<&str>) -> String {
    let guidance = guidance.filter(|guidance| !guidance.trim().is_empty());
    let mut said = format!(
        "{ELABORATE} This means the user may have additional info, context or questions, or need more details to \
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

/// A person's request to ask a question in other words (3.4), with what the person noted. It stands as
/// [`elaborate_request`] does.
pub fn rephrase_request(question_index: usize, title: &str, note: Option<&str>) -> String {
    let note = note.filter(|note| !note.is_empty());
    let note = note.map(|note| format!("\nUser note: {note}")).unwrap_or_default();
    format!(
        "{REPHRASE} Please rephrase question '{title}' in a different way\nQuestion index: {question_index}{note}"
    )
}

/// What the person noted themselves, where a request of theirs may stand as the note already.
pub fn own_note(note: &str) -> Option<&str> {
    if is_request(note) { note.split_once("\nUser note: ").map(|(_, own)| own) } else { Some(note) }
}

/// Whether typed text is a request to the asker and no answer (3.4).
pub(super) fn is_request(text: &str) -> bool {
    text.starts_with(ELABORATE) || text.starts_with(REPHRASE)
}
