//! Clarification requests of a person, in the words of the asker's dialect.

use sayso_core::Ask;
use sayso_dialects::Dialect;
use sayso_dialects::auq::{elaborate_request, own_note, rephrase_request};
use sayso_terminal::Clarification;

/// Returns the text for AUQ's agents; other dialects have no words for it.
pub(crate) fn clarification_text(
    wish: Clarification,
    ask: &Ask,
    index: usize,
    note: Option<&str>,
) -> Option<String> {
    if Dialect::of_ask(ask).ok()? != Dialect::Auq {
        return None;
    }
    // A repeated request replaces the one before.
    let note = note.and_then(own_note);
    match wish {
        Clarification::Explanation => Some(elaborate_request(note, None)),
        Clarification::Rephrasing => {
            let name = ask.request.questionnaire.questions.get(index)?.display_name();
            Some(rephrase_request(index, name, note))
        }
    }
}
