//! Integration tests of the domain and its wire format: golden files, validation, and readers of arbitrary text.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod answers;
mod conditions;
mod golden;
mod hints;
mod hostile;
mod optional_sections;
mod pattern_budget;
mod questionnaires;
mod samples;
mod shared_cases;
mod sheets;
mod unmeetable_constraints;
mod validation;
mod wrong_types;
