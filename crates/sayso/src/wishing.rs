//! Clarification requests of a person, in the words of the asker's dialect.

use sayso_core::Ask;
use sayso_dialects::Dialect;
use sayso_dialects::auq::{elaborate_request, own_note, rephrase_request};
use sayso_terminal::Wish;

/// Returns the text for AUQ's agents; other dialects have no words for it.
pub(crate) fn words(wish: Wish, ask: &Ask, place: usize, note: Option<&str>) -> Option<String> {
    if Dialect::named(&ask.request.dialect).ok()? != Dialect::Auq {
        return None;
    }
    // A repeated request replaces the one before.
    let note = note.and_then(own_note);
    match wish {
        Wish::Explanation => Some(elaborate_request(note, None)),
        Wish::OtherWords => {
            let name = ask.request.questionnaire.questions.get(place)?.name();
            Some(rephrase_request(place, name, note))
        }
    }
}
