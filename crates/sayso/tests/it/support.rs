//! Stage of the tests: worlds, programs, terminals, servers and clients.

pub(crate) mod browser;
pub(crate) mod emulated_terminal;
pub(crate) mod fake_clock;
pub(crate) mod http_client;
pub(crate) mod network_desk;
pub(crate) mod program;
pub(crate) mod proxy;
pub(crate) mod sample_requests;
pub(crate) mod served_desk;
pub(crate) mod terminal;
pub(crate) mod test_vector;
pub(crate) mod test_world;
