//! A person's note on the whole form, in formats whose answers a model reads as texts.

use sayso_core::{Replies, form_note};

/// Returns the note on the whole form as a text beside the answer to the last question, since such a format has no place
/// of its own for it.
pub(crate) fn form_note_text(replies: &Replies) -> Option<String> {
    let note = form_note(replies)?.trim();
    if note.is_empty() { None } else { Some(format!("Note on all answers: {note}")) }
}
