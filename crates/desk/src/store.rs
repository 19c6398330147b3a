//! Stores of a desk: their interface, those over a SQLite file and a PostgreSQL database, and the factory that opens them.

pub(crate) mod api;
mod commit_hooks;
mod commit_queue;
mod desk_mark;
mod factory;
mod logic;
pub mod maintenance;
pub(crate) mod postgres;
mod reports;
mod row_value;
mod search_text;
mod sqlite;
mod stored_time;
mod transfer;
pub(crate) mod upkeep;

pub use api::{CallerCount, DeskLoss};
pub(crate) use factory::{OpenedStore, open_database, open_file};
