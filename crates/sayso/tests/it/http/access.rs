//! Tests of who may use `sayso serve`, and of what they can see.

mod audiences;
mod browser;
mod canary;
mod client_address;
mod departures;
mod embedded;
mod isolation;
mod origins;
mod role_callers;
mod roles;
mod service_limits;
mod services;
mod sessions;
mod tls;
pub(super) mod walls;
