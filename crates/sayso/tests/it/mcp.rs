//! Tests of `sayso mcp`.

mod apps;
mod ask_user;
pub(crate) mod auq;
mod clients;
mod durability;
mod elicitation;
pub(crate) mod host;
pub(crate) mod network;
mod normalization;
mod outcomes;
mod oversize;
mod permission;
mod programs;
mod races;
mod versions;
