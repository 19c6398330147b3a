//! Tests of what the screens show.

mod advertised_keys;
mod authors;
mod bounds;
mod dialogs;
mod every_look;
mod formats;
mod golden_screens;
mod help;
mod inbox_layout;
mod key_counts;
mod link;
mod page_rendering;
