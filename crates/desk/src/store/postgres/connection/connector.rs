//! Connections to the hosts of an address. A host that takes a connection and stays silent leaves time for the next one,
//! and a server that answers no more loses all its connections at once: whoever waits there tries again elsewhere.

use super::address::PostgresAddress;
use deadpool_postgres::Connect;
use sayso_core::Problem;
use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Longest time in which one host makes a connection: a server that is stopped takes one and never greets.
const HOST_LIMIT: Duration = Duration::from_secs(2);

/// Time after which a call that waits finds out whether the server still answers.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time for which the server counts as one that answers.
const ANSWER_AGE: Duration = Duration::from_secs(1);

/// Connection that is not driven yet.
pub(crate) type NewConnection =
    (Client, Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>);

/// State that the connections to one address share.
#[derive(Debug)]
struct Reach {
    /// Host that took the last connection, or comes after one that was silent.
    first: AtomicUsize,
    /// Host to which all connections lead.
    current: AtomicUsize,
    /// Ends all connections that were made before a message.
    cut: watch::Sender<()>,
    /// Time at which the server answered last.
    answered_at: Mutex<Option<Instant>>,
}

/// Maker of connections.
#[derive(Clone)]
pub(crate) struct Connector {
    hosts: Vec<Config>,
    tls: MakeRustlsConnect,
    reach: Arc<Reach>,
}

impl Connector {
    /// Prepares connections. None is made yet.
    ///
    /// # Errors
    /// If the address has an unreadable certificate.
    pub(crate) fn new(address: &PostgresAddress) -> Result<Self, Problem> {
        let reach = Reach {
            first: AtomicUsize::new(0),
            current: AtomicUsize::new(0),
            cut: watch::Sender::new(()),
            answered_at: Mutex::default(),
        };
        Ok(Self { hosts: address.host_configs(), tls: address.tls()?, reach: Arc::new(reach) })
    }

    /// Returns the connector with a name under which the server lists its connections. It shares all else.
    pub(crate) fn named(&self, name: &str) -> Self {
        let mut connector = self.clone();
        for host in &mut connector.hosts {
            host.application_name(name);
        }
        connector
    }

    /// Returns the longest time in which a connection is made, over all hosts.
    pub(crate) fn limit(&self) -> Duration {
        HOST_LIMIT * u32::try_from(self.hosts.len()).unwrap_or(1) + Duration::from_millis(100)
    }

    /// Connects to the first host that has what the address asks for. If there is none, it returns the last error; `None`
    /// if all hosts were silent.
    ///
    /// # Errors
    /// If no host takes a connection.
    pub(crate) async fn connect(&self) -> Result<NewConnection, Option<Error>> {
        let count = self.hosts.len();
        let first = self.reach.first.load(Ordering::Relaxed);
        let mut failure = None;
        for place in (first..first + count).map(|place| place % count.max(1)) {
            let Some(host) = self.hosts.get(place) else { break };
            match timeout(HOST_LIMIT, host.connect(self.tls.clone())).await {
                Ok(Ok(connection)) => {
                    self.reach.first.store(place, Ordering::Relaxed);
                    if self.reach.current.swap(place, Ordering::Relaxed) != place {
                        // No connection outlasts a promotion of another server.
                        self.cut_all();
                    }
                    return Ok(connection);
                }
                Ok(Err(error)) => failure = Some(error),
                Err(_) => self.reach.first.store(place + 1, Ordering::Relaxed),
            }
        }
        Err(failure)
    }

    /// Returns a future that ends when all connections are to end that exist now.
    pub(crate) fn cut(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut cut = self.reach.cut.subscribe();
        async move {
            if cut.changed().await.is_err() {
                tracing::debug!("the connections outlast their maker");
            }
        }
    }

    /// Ends all connections: what waits for them fails.
    fn cut_all(&self) {
        self.reach.cut.send_replace(());
    }

    /// Waits for a call. If the server stops answering, or the call takes longer than this limit, all connections end, and
    /// the call fails.
    pub(crate) async fn watch<F: Future>(&self, call: F, limit: Duration) -> F::Output {
        let mut call = pin!(call);
        let began_at = Instant::now();
        loop {
            let check = async {
                sleep(PATIENCE).await;
                began_at.elapsed() < limit && self.answers().await
            };
            tokio::select! {
                output = &mut call => return output,
                may_wait = check => {
                    if !may_wait {
                        let seconds = began_at.elapsed().as_secs();
                        tracing::warn!(seconds, "the database does not answer: all connections to it end");
                        self.cut_all();
                    }
                }
            }
        }
    }

    /// Returns whether the server answers. One connection finds it out for all who wait.
    async fn answers(&self) -> bool {
        let mut answered_at = self.reach.answered_at.lock().await;
        if answered_at.is_some_and(|at| at.elapsed() < ANSWER_AGE) {
            return true;
        }
        let answers = match self.connect().await {
            Ok(_) => true,
            // It refuses the connection, and lives.
            Err(error) => error.is_some_and(|error| error.code().is_some()),
        };
        *answered_at = if answers { Some(Instant::now()) } else { None };
        answers
    }
}

type BoxFuture<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

impl Connect for Connector {
    fn connect(&self, _: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), Error>> {
        Box::pin(async move {
            let (client, connection) = match Self::connect(self).await {
                Ok(connection) => connection,
                Err(Some(error)) => return Err(error),
                // The pool has a time limit, and an error for it.
                Err(None) => pending().await,
            };
            let cut = self.cut();
            let drive = async move {
                tokio::select! {
                    ended = connection => {
                        if let Err(error) = ended {
                            tracing::debug!(%error, "a connection to the database broke");
                        }
                    }
                    () = cut => {}
                }
            };
            Ok((client, tokio::spawn(drive)))
        })
    }
}
