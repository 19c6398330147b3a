//! Screen tests: keys in, screen out, with a real desk behind the screen.

mod accidental_input;
mod concurrent_edits;
mod decline_reason;
mod draft_resumption;
mod ended_ask;
mod exit;
mod fixtures;
mod golden_screens;
mod help;
mod keys;
mod paste;
mod pick_limits;
mod random_input;
mod screen_stage;
mod slips;
mod text_preservation;
mod validation;
