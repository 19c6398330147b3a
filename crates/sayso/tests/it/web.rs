//! Tests of the page on which a person answers, in a real browser.

mod answering;
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
mod sign_in_proxy;
pub(crate) mod signed_in;
mod ways;
