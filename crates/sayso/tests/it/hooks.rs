//! Tests of `sayso hook` and `sayso setup`: what a host's hook is given and gives back, and what becomes of its files.

mod ends;
pub(crate) mod event;
mod opencode_plugin;
mod permissions;
mod pi_extension;
mod presence;
mod questions;
mod setup;
mod setup_files;
