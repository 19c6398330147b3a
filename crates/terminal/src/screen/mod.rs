//! The full screen: the inbox, and a questionnaire with its tabs.
//!
//! State and drawing are apart: [`App::update`] takes what happened and returns what is to be done, [`App::draw`] makes a
//! picture of the state, and [`run`] is the only place where the two meet a terminal and a desk.

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
