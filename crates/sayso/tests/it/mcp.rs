//! Tests of `sayso mcp`.

mod apps;
mod ask_user;
pub(crate) mod auq;
mod auq_vectors;
mod dialogs;
mod durability;
pub(crate) mod host;
mod network;
mod normalization;
mod outcomes;
mod oversize;
mod permission;
mod programs;
mod races;
mod rounds;
mod rust_sdk;
mod sdk;
mod versions;
