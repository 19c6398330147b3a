//! User interface in this terminal: the full screen, the prompt and the editor.

mod clarification;
mod editor;
pub(crate) mod screen;
mod spec_prompt;
pub(crate) mod surface;
pub(crate) mod tty;
