//! The full screen: the inbox, and a questionnaire with its tabs.

mod input;
pub mod tty;

pub use input::{Input, Key, KeyCode, Mouse, MouseKind};
