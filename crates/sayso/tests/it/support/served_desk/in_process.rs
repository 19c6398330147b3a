//! Server in the process of the test, for delays that are too long to wait for with a server of the program.

use crate::support::http_client::HttpCaller;
use jiff::Timestamp;
use sayso_desk::StoreDesk;
use sayso_server::http::{self, HttpServerConfig, ServerDelays};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use tokio::sync::oneshot;

/// Running server. It ends when it is dropped.
pub(crate) struct InProcessServer {
    /// Host and port.
    pub(crate) address: String,
    /// Its end, and its thread; both until it is dropped.
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl InProcessServer {
    /// Starts a server of a desk, with its files in a folder.
    pub(crate) fn start(desk: StoreDesk, folder: &Path, delays: ServerDelays) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let config = HttpServerConfig::without_settings(Arc::new(desk), &listener, folder, now).unwrap();
        let config = HttpServerConfig { delays, ..config };
        let (end, ended) = oneshot::channel();
        let shutdown = async {
            // The sender is dropped if the test fails.
            let _ = ended.await;
        };
        let thread = thread::spawn(move || http::serve_until(config, listener, shutdown).unwrap());
        Self { address, running: Some((end, thread)) }
    }

    /// Returns a caller with this token.
    pub(crate) fn with_token(&self, token: &str) -> HttpCaller {
        HttpCaller { address: self.address.clone(), token: Some(token.to_owned()) }
    }
}

impl Drop for InProcessServer {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.running.take() {
            drop(end);
            // A failure of its own fails the test.
            assert!(thread.join().is_ok() || thread::panicking());
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a server has the clock of the machine")]
fn now() -> Timestamp {
    Timestamp::now()
}
