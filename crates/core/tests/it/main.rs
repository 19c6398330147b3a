//! Integration tests of the domain and its wire format: golden files, validation, and readers of arbitrary text.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod answers;
mod conditions;
mod golden;
mod hostile;
mod judging;
mod lacking;
mod pattern_budget;
mod questionnaires;
mod samples;
mod sheets;
mod shown;
mod unmeetable;
mod wrong_types;
