//! Elicitation: the host shows an ask as a form of its own, next to the surfaces of the desk.

pub(super) mod choice_encoding;
pub(super) mod dialog_state;
mod fields;
pub(super) mod form;
mod form_defaults;
pub(super) mod host_dialog;
pub(super) mod page;
mod plain_fields;
pub(super) mod response;
pub(super) mod seal;
pub(super) mod stateless;
