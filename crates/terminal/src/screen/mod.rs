//! The full screen: the inbox, and a questionnaire with its tabs.
//!
//! State and drawing are separate: [`App::update`] maps events to effects and [`App::draw`] renders the state. Only
//! [`run`] connects both to a terminal and a desk.

mod app;
mod ask_view;
mod clock;
mod decline_reasons;
mod dialog;
mod draw;
mod effect;
mod event_loop;
mod inbox;
mod input;
mod layout_cache;
mod line_builder;
mod markdown;
mod pending_asks;
#[cfg(test)]
mod tests;
mod text_box;
mod theme;
pub mod tty;
mod worker;

pub use app::{App, ScreenSetup};
pub use clock::ClockReading;
pub use effect::{CallResult, DeskCall, Effect, Event};
pub use event_loop::{ScreenContext, run};
pub use input::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};
pub use theme::{StyleRole, SymbolSet, Theme};
