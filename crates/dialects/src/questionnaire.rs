//! The Questionnaire API: five types of question, follow-up questions, answers keyed by the asker's ids.
//!
//! `reader` reads a request with its `constraints` and `show_if`. `outcome` is what the asker gets over HTTP and on a command line, `result` the answers in it; `answers` reads answers given as
//! data; `text` formats a result for a model. `persistence` is the key under
//! which a client stores a draft; `messages` has the spec's texts, `schema` and `openapi` are published.

mod answers;
mod constraints;
mod messages;
mod openapi;
mod outcome;
mod persistence;
mod reader;
mod result;
mod schema;
mod show_if;
mod text;

pub use answers::read_answers;
pub(crate) use openapi::openapi;
pub use outcome::{QuestionnaireResponse, refusal_response, refuse, respond, write};
pub use persistence::persistence_key;
pub use reader::read;
pub(crate) use schema::published;
pub use text::result_text;

use messages::{NO_LABEL, YES_LABEL};
use sayso_core::{ConfirmQuestion, Rules, rules::LengthUnit};

/// Value of the option for an own answer, never sent as an answer (the spec's "custom" option).
const CUSTOM_VALUE: &str = "__custom__";
/// Lowest and highest step of a rating (the spec's `range`).
const SCALE: (i32, i32) = (1, 5);
/// Lowest `maxSelect` of a multiple choice (the spec's `MultiSelectQuestion`).
const MIN_MAX_SELECT: u32 = 2;

/// Returns the rules by which the spec validates answers.
fn spec_rules() -> Rules {
    Rules {
        length_unit: LengthUnit::Utf16,
        own_answers_match: true,
        own_answers_are_custom: true,
        ..Rules::default()
    }
}

/// Returns the label of yes or no at a question.
fn confirm_label(confirm: &ConfirmQuestion, confirmed: bool) -> &str {
    let (own, usual) = if confirmed { (&confirm.yes, YES_LABEL) } else { (&confirm.no, NO_LABEL) };
    own.as_deref().unwrap_or(usual)
}
