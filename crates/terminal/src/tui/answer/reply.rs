//! Change of one reply: what is picked, typed, rated, cleared and undone.

pub(super) mod choice_picks;
pub(super) mod scales;
pub(in crate::tui) mod text_input;
pub(super) mod undo;

pub(super) use undo::ReplyHistory;
