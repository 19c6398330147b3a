//! Screen tests: keys in, screen out, with a real desk behind the screen.

mod accidental_input;
mod bounds;
mod concurrent_edits;
mod decline_reason;
mod draft_resumption;
mod ended_ask;
mod exit;
mod golden_screens;
mod help;
mod paste;
mod random_input;
mod slips;
mod stage;
mod text_preservation;
mod validation;
mod verdict;
