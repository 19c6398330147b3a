//! The full screen: the inbox, and a questionnaire with its tabs.
//!
//! State and drawing are separate: [`App::update`] maps events to effects and [`App::draw`] renders the state. Only
//! [`run`] connects both to a terminal and a desk.

mod answer;
mod app;
mod clock;
mod dialog;
mod editor;
mod effect;
mod event_loop;
mod inbox;
#[cfg(test)]
mod tests;
mod view;
mod widgets;
mod worker;

pub use app::{App, ScreenSetup};
pub use clock::ClockReading;
pub use effect::{CallResult, DeskCall, Effect, Event};
pub use event_loop::{ScreenContext, run};
pub use widgets::theme::{StyleRole, SymbolSet, Theme};
