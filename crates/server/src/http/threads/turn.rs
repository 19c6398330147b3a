//! Turns that have not ended: one of them, its readers, the lease of its agent, and the care for all of them.

pub(super) mod active_turn;
mod lease;
pub(super) mod node_sync;
pub(super) mod open_asks;
pub(super) mod poll_guard;
pub(super) mod published_event;
mod recent_streams;
pub(super) mod registry;
pub(super) mod supervision;
pub(super) mod turn_reader;
pub(super) mod turn_state;
