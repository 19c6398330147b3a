//! The desk over HTTP.
#![expect(dead_code, reason = "the routes come next")]

mod listen;
mod log;
mod metrics;
mod observe;
mod rate;
