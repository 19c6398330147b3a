//! Summary of a form that has ended (the spec's `completedView`).

use crate::interaction::extensions::InteractionExtensions;
use sayso_core::i18n::completion_summary;
use sayso_core::{Lang, Outcome, Questionnaire};

pub use sayso_core::limits::SUMMARY_BYTES;

/// Returns the sentence shown for a form that has ended. After a submit it is the request's own template with the
/// answers filled in, as [`completion_summary::fill_summary`] returns it, else `Submitted`; a declined form gives the
/// reason, or `Cancelled`.
pub fn completed_summary(questionnaire: &Questionnaire, outcome: &Outcome, lang: Lang) -> String {
    match outcome {
        Outcome::Answered { replies, as_sent, .. } => {
            match completion_summary::fill_summary(questionnaire, replies, as_sent.as_ref(), lang) {
                Some(summary) => summary,
                None => "Submitted".to_owned(),
            }
        }
        Outcome::Declined { reason, .. } => reason.as_deref().unwrap_or("Cancelled").to_owned(),
        Outcome::Cancelled { .. } => "Cancelled".to_owned(),
        Outcome::Expired { .. } => super::writer::timeout_message(
            InteractionExtensions::from_questionnaire(questionnaire).on_timeout.unwrap_or_default(),
        )
        .to_owned(),
    }
}
