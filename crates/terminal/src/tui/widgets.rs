//! Building blocks of a frame: styles, rows of text, and the cache of rows.

pub(super) mod agent_text;
pub(super) mod authored_text;
pub(super) mod box_edge;
mod code;
pub(super) mod diff;
pub(super) mod layout_cache;
pub(super) mod line_builder;
mod markdown;
mod person_text;
pub(super) mod symbols;
mod table;
pub(super) mod theme;
mod wrapping;
