//! The `AskUserQuestion` shell command: its requests, screens and answers, and the spec's vectors.

mod answers;
mod requests;
mod screens;
mod spec_cases;
mod vectors;
