//! Stage of the tests: worlds, programs, terminals, servers and clients.

pub(crate) mod byte_meter;
pub(crate) mod emulated_terminal;
mod escape_sequences;
pub(crate) mod hostile_issuer;
pub(crate) mod http_client;
pub(crate) mod issuer_visitor;
pub(crate) mod network_desk;
pub(crate) mod node_program;
pub(crate) mod npm_issuer;
pub(crate) mod page_browser;
pub(crate) mod plain_browser;
pub(crate) mod plain_desk;
pub(crate) mod program;
pub(crate) mod program_output;
pub(crate) mod python_program;
pub(crate) mod sample_requests;
pub(crate) mod served_desk;
pub(crate) mod tcp_proxy;
pub(crate) mod terminal;
pub(crate) mod terminal_server;
pub(crate) mod test_browser;
pub(crate) mod test_vector;
pub(crate) mod test_world;
