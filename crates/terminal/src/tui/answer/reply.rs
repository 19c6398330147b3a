//! Change of one reply: what is picked, typed, rated, cleared and undone.

mod choice_picks;
mod field;
mod scales;
mod text_input;
mod undo;

pub(in crate::tui) use field::{FieldFocus, FieldState, is_picked};
pub(super) use text_input::moves_options;
pub(super) use undo::ReplyHistory;
