//! Building blocks of a frame: styles, rows of text, and the cache of rows.

pub(super) mod box_edge;
pub(super) mod layout_cache;
pub(super) mod line_builder;
mod markdown;
pub(super) mod theme;
