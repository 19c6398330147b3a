//! The full screen: the inbox, and a questionnaire with its tabs.

mod input;
#[cfg_attr(not(test), expect(dead_code, reason = "no question is drawn on the full screen yet"))]
mod text;

pub use input::{Input, Key, KeyCode, Mouse, MouseKind};
