//! The full screen: the inbox, and a questionnaire with its tabs.
//!
//! State and drawing are separate: [`App::update`] maps events to effects, [`App::draw`] renders the state and changes
//! nothing, and [`App::apply_frame`] takes back what the frame measured. Only [`run`] connects them to a terminal and a
//! desk.

mod answer;
mod app;
mod clock;
mod cursor_move;
mod dialog;
mod editor;
mod effect;
mod event_loop;
mod inbox;
mod opening_key;
mod send_guard;
#[cfg(test)]
mod tests;
mod view;
mod widgets;
mod worker;

pub(crate) use inbox::SortOrder;
pub(crate) use worker::read_list;

pub use app::{App, ScreenSetup};
pub use clock::ClockReading;
pub use effect::{CallResult, DeskCall, Effect, Event};
pub use event_loop::{ScreenContext, run};
pub use view::FrameReport;
pub use widgets::symbols::SymbolSet;
pub use widgets::theme::{StyleRole, Theme};
