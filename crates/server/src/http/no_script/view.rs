//! Parts of the pages that show what an agent wrote.

pub(super) mod action_view;
pub(super) mod agent_text;
pub(super) mod ask_head;
pub(super) mod question_view;
