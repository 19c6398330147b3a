//! Tests of the page on which a person answers, in a real browser.

mod answering;
mod browsers;
mod element;
mod first_visit;
mod forgery;
mod formats;
mod inbox;
mod looks;
mod phone;
mod safety;
mod screens;
mod service_entry;
mod shared_drafts;
pub(crate) mod signed_in;
mod ways;
