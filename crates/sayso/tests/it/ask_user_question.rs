//! Tests of the command `AskUserQuestion`.

mod command;
mod spec_cases;
mod vectors;
