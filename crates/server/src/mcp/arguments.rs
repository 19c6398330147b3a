//! Arguments of tools: their schemas, and what is mended in them before they are read.

pub(super) mod normalization;
pub(super) mod schema;
