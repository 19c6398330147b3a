//! Tests of what is typed: it is kept, merged, judged, and never lost.

mod concurrent_edits;
mod draft_resumption;
mod ended_ask;
mod form_note;
mod random_input;
mod text_preservation;
mod validation;
mod verdict;
