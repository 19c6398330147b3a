//! Messages and labels of the spec, letter for letter: askers compare them, so they are never reworded.
//!
//! Messages of problems are our own, from the core's catalogue: the spec prescribes none.

/// Name of the option for an own answer in text for a model (the spec's "custom" option).
pub(super) const CUSTOM_LABEL: &str = "自定义";
/// Default label of yes (the spec's `yesLabel`).
pub(super) const YES_LABEL: &str = "是";
/// Default label of no (the spec's `noLabel`).
pub(super) const NO_LABEL: &str = "否";
/// Message of a declined questionnaire (the spec's response 499).
pub(super) const DECLINED_MESSAGE: &str = "User cancelled the questionnaire";
