//! Tests of AUQ's own command line.

mod commands;
mod sessions;
