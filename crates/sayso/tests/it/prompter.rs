//! Tests of the prompter, which asks line by line.

mod consent;
mod consent_labels;
mod follow_up_questions;
pub(crate) mod hostile_text;
mod interruptions;
mod pattern_costs;
mod piped_lines;
mod plain_words;
mod prompt_commands;
mod question_kinds;
mod relative_dates;
mod run_command;
mod typed_marks;
