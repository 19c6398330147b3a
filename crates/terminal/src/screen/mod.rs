//! The full screen: the inbox, and a questionnaire with its tabs.
//!
//! State and drawing are separate: [`App::update`] maps events to effects and [`App::draw`] renders the state. Only
//! [`run`] connects both to a terminal and a desk.

mod answering;
mod app;
mod dialog;
mod draw;
mod effect;
mod inbox;
mod input;
mod laid;
mod markdown;
mod now;
mod paper;
mod reasons;
mod run;
#[cfg(test)]
mod tests;
mod text;
mod theme;
pub mod tty;
mod waiting;
mod worker;

pub use app::{App, Setup};
pub use effect::{Action, Call, Done, Effect};
pub use input::{Input, Key, KeyCode, Mouse, MouseKind};
pub use now::Now;
pub use run::{Screen, run};
pub use theme::{Role, Signs, Theme};
