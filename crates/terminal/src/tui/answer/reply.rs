//! Change of one reply: what is picked, typed, rated, cleared and undone.

mod choice_picks;
mod scales;
mod text_input;
mod undo;

pub(super) use undo::ReplyHistory;
