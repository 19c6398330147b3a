//! The full screen: the inbox, and a questionnaire with its tabs.

mod input;

pub use input::{Input, Key, KeyCode, Mouse, MouseKind};
