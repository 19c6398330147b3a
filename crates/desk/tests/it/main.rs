//! Desk tests over real files, threads and processes.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what is wrong by panicking"
)]

mod asks;
mod child;
mod disk;
mod lives;
mod processes;
mod threads;
mod tokens;
