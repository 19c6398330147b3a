//! Names, bounds and rules of the spec.

use super::messages::{NO_LABEL, YES_LABEL};
use sayso_core::model::validation_rules::LengthUnit;
use sayso_core::{ConfirmQuestion, Rules};

/// Name of the format on the command line and in a stored ask.
pub(crate) const NAME: &str = "questionnaire";

/// Value of the option for an own answer, never sent as an answer (the spec's "custom" option).
pub(crate) const CUSTOM_VALUE: &str = "__custom__";

/// Lowest and highest step of a rating (the spec's `range`).
pub(crate) const SCALE: (i32, i32) = (1, 5);

/// Lowest `maxSelect` of a multiple choice (the spec's `MultiSelectQuestion`).
pub(crate) const MIN_MAX_SELECT: u32 = 2;

/// Returns the rules by which the spec validates answers.
pub(crate) fn spec_rules() -> Rules {
    Rules {
        length_unit: LengthUnit::Utf16,
        own_answers_match: true,
        own_answers_are_custom: true,
        ..Rules::default()
    }
}

/// Returns the label of yes or no at a question.
pub(crate) fn confirm_label(confirm: &ConfirmQuestion, confirmed: bool) -> &str {
    let (own, usual) = if confirmed { (&confirm.yes, YES_LABEL) } else { (&confirm.no, NO_LABEL) };
    own.as_deref().unwrap_or(usual)
}
