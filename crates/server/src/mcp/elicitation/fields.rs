//! Names and values of the fields of a form.

use sayso_core::{ConfirmQuestion, Lang, display};

/// Returns the name of a field. Some hosts sort fields by name.
pub(super) fn field_name(at: usize) -> String {
    format!("q{:02}", at + 1)
}

/// Returns the name of the field for an own answer.
pub(super) fn own_answer_name(at: usize) -> String {
    format!("{}_other", field_name(at))
}

/// Returns the field name of an option's checkbox. Some hosts sort fields by name.
pub(super) fn checkbox_name(question: &str, at: usize) -> String {
    format!("{question}_{:02}", at + 1)
}

/// Returns true if a yes or a no has words of the asker: then the field is a choice.
pub(super) const fn has_own_words(confirm: &ConfirmQuestion) -> bool {
    confirm.yes.is_some() || confirm.no.is_some()
}

/// Returns the words of a yes or a no, which are also its value: a client that knows no titles shows values.
pub(super) fn confirm_label(confirm: &ConfirmQuestion, yes: bool) -> String {
    display::escape_line(&confirm.describe(yes, Lang::En)).into_owned()
}
