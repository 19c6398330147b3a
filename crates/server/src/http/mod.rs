//! The desk over HTTP.

pub mod login;
