//! Screen tests: keys in, screen out, with a real desk behind the screen.

mod accidental_input;
mod advertised_keys;
mod bounds;
mod concurrent_edits;
mod decline_reason;
mod dialogs;
mod draft_resumption;
mod ended_ask;
mod every_look;
mod exit;
mod formats;
mod golden_screens;
mod help;
mod inbox_layout;
mod key_counts;
mod link;
mod lone_question;
mod page_rendering;
mod paste;
mod random_input;
mod send_guard;
mod slips;
mod stage;
mod text_preservation;
mod validation;
mod verdict;
