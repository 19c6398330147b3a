//! Tests of the page on which a person answers, in a real browser.

mod answering;
mod first_visit;
mod looks;
mod shared_drafts;
pub(crate) mod signed_in;
mod without_script;
