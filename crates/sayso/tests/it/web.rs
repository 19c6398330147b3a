//! Tests of the page on which a person answers, in a real browser.

mod answering;
mod looks;
mod shared_drafts;
mod signed_in;
