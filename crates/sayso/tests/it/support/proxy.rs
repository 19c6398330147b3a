//! Proxies between a client and a server.

pub(crate) mod byte_meter;
pub(crate) mod tcp_proxy;
