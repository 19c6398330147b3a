//! How askers are told that a person wants more of them.

use sayso_core::Ask;
use sayso_dialects::Dialect;
use sayso_dialects::auq::{elaborate_request, own_note, rephrase_request};
use sayso_terminal::Wish;

/// What AUQ's agents understand; other formats have no words for it.
pub(crate) fn words(wish: Wish, ask: &Ask, place: usize, note: Option<&str>) -> Option<String> {
    if Dialect::named(&ask.request.dialect).ok()? != Dialect::Auq {
        return None;
    }
    // A wish that is said again takes the place of the one before.
    let note = note.and_then(own_note);
    match wish {
        Wish::Explanation => Some(elaborate_request(note, None)),
        Wish::OtherWords => {
            let name = ask.request.questionnaire.questions.get(place)?.name();
            Some(rephrase_request(place, name, note))
        }
    }
}
