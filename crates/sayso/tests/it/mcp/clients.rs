//! Tests with the official SDKs as clients.

mod rust_sdk;
pub(super) mod sdk;
