//! Screen tests: keys in, screen out, with a real desk behind the screen.

mod drafts;
mod screens;
mod sending;
mod stage;
