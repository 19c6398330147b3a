//! Exchange of wake-ups between nodes: a connection of its own listens, and notifies once in [`PACE`] at most. A
//! notification inside the transaction of a change would cost most of the throughput, because the server commits those
//! one after another. A lost one delays a waiter until its safety check.

use super::connection::Database;
use super::connection::connector::Connector;
use crate::random;
use crate::wakeup::WakeScope;
use crate::wakeup::registry::{self, WakeRegistry};
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_postgres::{AsyncMessage, Client};

/// Shortest time between two notifications of a node.
const PACE: Duration = Duration::from_millis(10);

/// Time after which a lost connection is opened again.
const RECONNECT: Duration = Duration::from_secs(1);

const CHANNEL: &str = "sayso";

/// Beginning of the names of the connections that listen, one a node.
pub(crate) const NODE_NAME: &str = "sayso node ";

/// Sender of wake-ups to other nodes.
#[derive(Clone, Default)]
pub(crate) struct WakeSender(Arc<Outbox>);

#[derive(Default)]
struct Outbox {
    mask: AtomicU64,
    filled: Notify,
}

impl WakeSender {
    /// Sends a wake-up soon.
    pub(crate) fn send(&self, scope: &WakeScope) {
        let mask = registry::mask_of(scope);
        if self.0.mask.fetch_or(mask, Ordering::AcqRel) | mask != 0 {
            self.0.filled.notify_one();
        }
    }
}

/// Running exchange; dropping it ends it.
pub(crate) struct Notifier {
    sender: WakeSender,
    node: u64,
    name: String,
    task: JoinHandle<()>,
}

impl Notifier {
    /// Starts the exchange.
    pub(crate) fn start(database: &Database, wakeup: Arc<WakeRegistry>) -> Self {
        let sender = WakeSender::default();
        // A node does not listen to itself: its own waiters are awake already.
        let node = random::random_bytes::<8>().map_or(0, u64::from_ne_bytes);
        let name = format!("{NODE_NAME}{node:016x}");
        let exchange = run(database.connector().named(&name), wakeup, sender.clone(), node);
        Self { sender, node, name, task: database.runtime().spawn(exchange) }
    }

    /// Returns the number of this node, which no other one has.
    pub(crate) const fn node(&self) -> i64 {
        self.node.cast_signed()
    }

    /// Returns the name by which the server knows this node.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn sender(&self) -> WakeSender {
        self.sender.clone()
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Listens and notifies until the task is aborted, over a new connection whenever one breaks.
async fn run(connector: Connector, wakeup: Arc<WakeRegistry>, sender: WakeSender, node: u64) {
    loop {
        if let Err(error) = exchange(&connector, &wakeup, &sender, node).await {
            tracing::warn!(%error, "no wake-ups from other nodes: waiters look for changes themselves");
        }
        wakeup.set_hears_others(false);
        tokio::time::sleep(RECONNECT).await;
    }
}

async fn exchange(
    connector: &Connector,
    wakeup: &WakeRegistry,
    sender: &WakeSender,
    node: u64,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (client, mut connection) = match connector.connect().await {
        Ok(connection) => connection,
        Err(Some(error)) => return Err(error.into()),
        Err(None) => return Err("no host answers".into()),
    };
    let cut = connector.cut();
    let listen = async {
        while let Some(message) = poll_fn(|cx| connection.poll_message(cx)).await {
            if let AsyncMessage::Notification(notification) = message?
                && let Some((from, mask)) = parse_payload(notification.payload())
                && from != node
            {
                wakeup.wake_mask(mask);
            }
        }
        Ok::<(), tokio_postgres::Error>(())
    };
    tokio::select! {
        ended = listen => Ok(ended?),
        failed = notify(&client, wakeup, sender, node) => failed,
        () = cut => Err("the database did not answer".into()),
    }
}

/// Notifies other nodes until the connection breaks.
async fn notify(
    client: &Client,
    wakeup: &WakeRegistry,
    sender: &WakeSender,
    node: u64,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    client.batch_execute(&format!("SET synchronous_commit = off; LISTEN {CHANNEL}")).await?;
    wakeup.set_hears_others(true);
    let statement = client.prepare("SELECT pg_notify($1, $2)").await?;
    loop {
        sender.0.filled.notified().await;
        let mask = sender.0.mask.swap(0, Ordering::AcqRel);
        if mask != 0 {
            client.query(&statement, &[&CHANNEL, &format!("{node:016x}{mask:016x}")]).await?;
            // The first of a burst goes at once; the rest go together.
            tokio::time::sleep(PACE).await;
        }
    }
}

/// Parses the node and the mask of a notification.
fn parse_payload(payload: &str) -> Option<(u64, u64)> {
    let (node, mask) = payload.split_at_checked(16)?;
    Some((u64::from_str_radix(node, 16).ok()?, u64::from_str_radix(mask, 16).ok()?))
}
