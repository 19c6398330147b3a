//! The Questionnaire API: five types of question, questions that follow others up, answers keyed by the asker's ids.
//!
//! `read` holds the request with `shape`, `constraints` and `show_if`; `request` writes one; `outcome` has what the asker
//! gets over HTTP and on a command line, `result` the answers in it; `answers` reads answers given as data; `text` says
//! a result to a model; `kept` is what the core has no words for, `persistence` the name under which a client keeps a
//! draft; `schema` and `openapi` are what is published.

mod answers;
mod constraints;
mod kept;
mod openapi;
mod outcome;
mod persistence;
mod read;
mod request;
mod result;
mod schema;
mod shape;
mod show_if;
mod text;

pub use answers::read_answers;
pub(crate) use openapi::openapi;
pub use outcome::{Response, refusal, refuse, respond, write};
pub use persistence::persistence_key;
pub use read::read;
pub use request::request;
pub(crate) use schema::published;
pub use text::text;

use sayso_core::{Confirm, Rules, rules::LengthUnit};

/// The value of the offer of an own answer, which is never sent for one (the spec's "custom" option).
const CUSTOM_VALUE: &str = "__custom__";
/// What that offer is called in words for a model.
const CUSTOM_LABEL: &str = "自定义";
/// What yes is called by default (the spec's `yesLabel`).
const YES_LABEL: &str = "是";
/// What no is called by default (the spec's `noLabel`).
const NO_LABEL: &str = "否";
/// What a person's refusal is told as (the spec's response 499).
const DECLINED: &str = "User cancelled the questionnaire";
/// The lowest and the highest step of a rating (the spec's `range`).
const SCALE: (i32, i32) = (1, 5);
/// The lowest `maxSelect` of a multiple choice (the spec's `MultiSelectQuestion`).
const MAX_SELECT_LEAST: u32 = 2;

/// How the spec judges answers.
fn rules() -> Rules {
    Rules { length_unit: LengthUnit::Utf16, own_answers_match: true, ..Rules::default() }
}

/// What yes or no is called at a question.
fn label_of(confirm: &Confirm, confirmed: bool) -> &str {
    let (own, usual) = if confirmed { (&confirm.yes, YES_LABEL) } else { (&confirm.no, NO_LABEL) };
    own.as_deref().unwrap_or(usual)
}
