//! Tests of who may use `sayso serve`, and of what they can see.

mod browser;
mod canary;
mod client_address;
mod embedded;
mod isolation;
mod origins;
mod roles;
mod sessions;
mod tls;
