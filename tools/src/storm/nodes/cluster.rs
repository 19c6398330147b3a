//! Database of the storm: a server, its synchronous standby, and whichever takes their places.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sayso_desk::contract::DatabaseServer;
use sayso_desk::{PostgresAddress, StoreDesk};

const DATABASE: &str = "desk0";

/// Server with its standby.
struct Pair {
    server: DatabaseServer,
    standby: DatabaseServer,
}

impl Pair {
    fn address(&self) -> String {
        self.server.address_with_standby(&self.standby, DATABASE)
    }
}

/// Database that outlives its servers.
pub(super) struct Cluster {
    pair: Mutex<Option<Pair>>,
    /// Address at which nodes find whichever server takes writes.
    address: Mutex<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cluster {
    /// Starts a server with a desk, and its standby.
    pub(super) fn start() -> anyhow::Result<Self> {
        let server = DatabaseServer::start();
        server.make_desk();
        let standby = server.start_synchronous_standby();
        let pair = Pair { server, standby };
        let address = Mutex::new(pair.address());
        Ok(Self { pair: Mutex::new(Some(pair)), address })
    }

    /// Returns the address for nodes that start now.
    pub(super) fn address(&self) -> String {
        lock(&self.address).clone()
    }

    /// Opens the desk.
    pub(super) fn open_desk(&self) -> anyhow::Result<StoreDesk> {
        Ok(StoreDesk::open_database(&PostgresAddress::parse(&self.address())?)?)
    }

    /// Kills the server, promotes its standby, and starts another standby.
    pub(super) fn fail_over(&self) {
        let mut pair = lock(&self.pair);
        if let Some(Pair { server, standby }) = pair.take() {
            server.kill_9();
            standby.promote();
            *pair = Some(self.with_standby(standby));
        }
    }

    /// Kills the standby, and starts another one. Commits wait meanwhile.
    pub(super) fn replace_standby(&self) {
        let mut pair = lock(&self.pair);
        if let Some(Pair { server, standby }) = pair.take() {
            standby.kill_9();
            drop(standby);
            *pair = Some(self.with_standby(server));
        }
    }

    fn with_standby(&self, server: DatabaseServer) -> Pair {
        let standby = server.start_synchronous_standby();
        let pair = Pair { server, standby };
        *lock(&self.address) = pair.address();
        pair
    }
}
