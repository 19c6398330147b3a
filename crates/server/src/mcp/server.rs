//! State that the handlers of one host's requests share.

use super::McpConfig;
use super::desk_client::DeskClient;
use crate::notify::change_notifier::ChangeNotifier;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// MCP server of the desk, for one host.
#[derive(Clone)]
pub(super) struct McpServer {
    pub(super) desk_client: Arc<DeskClient>,
    /// Cancelled once the host has disconnected.
    pub(super) disconnected: CancellationToken,
}

impl McpServer {
    pub(super) fn new(
        config: McpConfig,
        notifier: Arc<ChangeNotifier>,
        disconnected: CancellationToken,
    ) -> Self {
        Self { desk_client: Arc::new(DeskClient::new(config, notifier)), disconnected }
    }
}
