//! The wire format as it is written down: golden files and what readers make of any text.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what is wrong by panicking"
)]

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
