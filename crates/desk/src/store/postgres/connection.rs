//! Connections to a PostgreSQL server, for threads that block.

pub(crate) mod address;
pub(crate) mod connector;
mod pooling;

use super::error::{DatabaseError, not_connected, silent, unreachable};
use crate::node_stats::PoolState;
use address::PostgresAddress;
use connector::Connector;
use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod,
    Runtime as PoolRuntime, TimeoutType,
};
use sayso_core::{Message, Problem, ProblemCode};
use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Config, Row};

/// Largest number of connections of one node, besides the one that listens and those for lookups.
const MAX_CONNECTIONS: usize = 16;

/// Connections that look up who calls. These reads are short, and must not wait for long ones.
const LOOKUP_CONNECTIONS: usize = 4;

/// Time beyond that of a statement in which a call to the server must end.
const CALL_RESERVE: Duration = Duration::from_secs(5);

/// Owned value of a statement that runs later.
pub(crate) type Value = Box<dyn ToSql + Sync + Send>;

/// Statement with its values, to run later.
pub(crate) type Statement = (Cow<'static, str>, Vec<Value>);

/// Database with a pool of connections and the runtime that drives them.
pub(crate) struct Database {
    runtime: Option<Runtime>,
    connector: Connector,
    pool: Pool,
    lookups: Pool,
    /// Longest time of a call.
    call_limit: Duration,
    name: String,
    /// Number of callers that got no connection in time.
    timeouts: AtomicU64,
    /// Timeline of the server to which the last connection was made.
    timeline: Arc<AtomicU64>,
}

/// Number of the server's timeline, which a promotion and a restore change; 0 for a standby.
const TIMELINE: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN 0 \
                        ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END";

/// Longest call of a copy of a desk, whose statements may take long.
const COPY_LIMIT: Duration = Duration::from_secs(60 * 60);

impl Database {
    /// Prepares connections. None is opened yet.
    ///
    /// # Errors
    /// If the address has an unreadable certificate, or no thread can be started.
    pub(crate) fn connect(address: &PostgresAddress) -> Result<Self, Problem> {
        let name = address.to_string();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("postgres")
            .enable_all()
            .build()
            .map_err(|error| unreachable(&name, &error))?;
        let timeline = Arc::new(AtomicU64::new(0));
        let connector = Connector::new(address)?;
        let pool = make_pool(address, &connector, MAX_CONNECTIONS, timeline.clone())?;
        let lookups = make_pool(address, &connector, LOOKUP_CONNECTIONS, timeline.clone())?;
        let call_limit = address.timeouts().statement + CALL_RESERVE;
        Ok(Self {
            runtime: Some(runtime),
            connector,
            pool,
            lookups,
            call_limit,
            name,
            timeouts: AtomicU64::new(0),
            timeline,
        })
    }

    /// Prepares connections for a copy of the desk.
    ///
    /// # Errors
    /// If the address has an unreadable certificate, or no thread can be started.
    pub(crate) fn connect_to_copy(address: &PostgresAddress) -> Result<Self, Problem> {
        let mut database = Self::connect(address)?;
        database.call_limit = COPY_LIMIT;
        Ok(database)
    }

    /// Returns the maker of the connections.
    pub(crate) const fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Returns the state of the pool: the numbers of its connections, those in no use, and the waiting callers.
    pub(crate) fn pool_state(&self) -> PoolState {
        let status = self.pool.status();
        PoolState {
            open: status.size,
            idle: status.available.min(status.size),
            limit: status.max_size,
            waiting: status.waiting,
            timeouts: self.timeouts.load(Ordering::Relaxed),
        }
    }

    /// Returns the timeline of the server to which the last connection was made. No connection outlasts a promotion
    /// of another server.
    pub(crate) fn timeline(&self) -> u64 {
        self.timeline.load(Ordering::Relaxed)
    }

    /// Returns the handle of the runtime.
    pub(crate) fn runtime(&self) -> Handle {
        match &self.runtime {
            Some(runtime) => runtime.handle().clone(),
            None => Handle::current(),
        }
    }

    /// Blocks this thread until a call to the server is done. It fails once the server answers no more.
    fn call<F>(&self, call: F) -> F::Output
    where
        F: Future + Send,
        F::Output: Send,
    {
        self.block_on(self.connector.watch(call, self.call_limit))
    }

    /// Blocks this thread until the future is done. A thread of another runtime must not block in it, so another
    /// thread does it there, and the tasks of that runtime go on meanwhile.
    fn block_on<F>(&self, future: F) -> F::Output
    where
        F: Future + Send,
        F::Output: Send,
    {
        let runtime = self.runtime();
        let Ok(current) = Handle::try_current() else { return runtime.block_on(future) };
        match current.runtime_flavor() {
            RuntimeFlavor::MultiThread => tokio::task::block_in_place(|| block_in_thread(&runtime, future)),
            _ => block_in_thread(&runtime, future),
        }
    }

    /// Returns a connection of the pool.
    ///
    /// # Errors
    /// If the server cannot be reached, or all connections stay in use.
    pub(crate) fn session(&self) -> Result<Session<'_>, Problem> {
        self.session_of(&self.pool)
    }

    /// Returns a connection for a short read.
    ///
    /// # Errors
    /// If the server cannot be reached, or all connections stay in use.
    pub(crate) fn lookup_session(&self) -> Result<Session<'_>, Problem> {
        self.session_of(&self.lookups)
    }

    fn session_of(&self, pool: &Pool) -> Result<Session<'_>, Problem> {
        let client = self.call(pool.get()).map_err(|error| match &error {
            PoolError::Backend(cause) | PoolError::PostCreateHook(HookError::Backend(cause)) => {
                not_connected(&self.name, cause)
            }
            PoolError::Timeout(TimeoutType::Wait) => {
                self.timeouts.fetch_add(1, Ordering::Relaxed);
                crowded(pool.timeouts().wait.unwrap_or_default())
            }
            PoolError::Timeout(_) => silent(&self.name),
            other => unreachable(&self.name, other),
        })?;
        Ok(Session { database: self, client })
    }
}

/// Blocks this thread until another one has run the future.
fn block_in_thread<F>(runtime: &Handle, future: F) -> F::Output
where
    F: Future + Send,
    F::Output: Send,
{
    std::thread::scope(|scope| match scope.spawn(|| runtime.block_on(future)).join() {
        Ok(output) => output,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Prepares a pool of this many connections.
fn make_pool(
    address: &PostgresAddress,
    connector: &Connector,
    size: usize,
    timeline: Arc<AtomicU64>,
) -> Result<Pool, Problem> {
    let method = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    // The connector knows the hosts.
    let manager = Manager::from_connect(Config::new(), connector.clone(), method);
    let settings = address.timeouts().statement();
    Pool::builder(manager)
        .max_size(size)
        .wait_timeout(Some(address.timeouts().connection))
        .create_timeout(Some(connector.limit()))
        .runtime(PoolRuntime::Tokio1)
        .post_create(Hook::async_fn(move |client: &mut ClientWrapper, _| {
            let (timeline, settings) = (timeline.clone(), settings.clone());
            Box::pin(async move {
                client.batch_execute(&settings).await.map_err(HookError::Backend)?;
                let row = client.query_one(TIMELINE, &[]).await.map_err(HookError::Backend)?;
                let number: i64 = row.try_get(0).map_err(HookError::Backend)?;
                timeline.store(number.unsigned_abs(), Ordering::Relaxed);
                Ok(())
            })
        }))
        .build()
        .map_err(|error| unreachable(&address.to_string(), &error))
}

/// Returns the problem of a caller for whom no connection became free.
fn crowded(waited: Duration) -> Problem {
    Problem::new(ProblemCode::DeskBusy, Message::DatabaseCrowded.with([waited.as_secs()]))
        .with_hint(Message::DeskBusyHint)
}

impl Drop for Database {
    /// The last handle may be dropped in a runtime, where the own runtime must not be waited for.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Reads of one connection.
pub(crate) trait Query {
    /// Returns the rows of a query.
    fn rows(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, DatabaseError>;

    /// Returns the first row of a query.
    fn row(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, DatabaseError> {
        Ok(self.rows(sql, values)?.into_iter().next())
    }

    /// Returns whether a query has a row.
    fn has_row(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<bool, DatabaseError> {
        Ok(self.row(sql, values)?.is_some())
    }
}

/// Connection of the pool, until it is dropped.
pub(crate) struct Session<'d> {
    database: &'d Database,
    client: Object,
}

type RowsFuture<'f> = Pin<Box<dyn Future<Output = Result<Vec<Row>, DatabaseError>> + Send + 'f>>;

impl Session<'_> {
    /// Returns the timeline of the server.
    pub(crate) fn timeline(&self) -> u64 {
        self.database.timeline()
    }

    /// Runs statements without values.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), DatabaseError> {
        self.database.call(self.client.batch_execute(sql))
    }

    /// Returns whether a pooler gives each transaction of these connections another process of the server.
    pub(crate) fn shares_processes(&self, other: &Session<'_>) -> Result<bool, DatabaseError> {
        self.database.call(pooling::shares_processes(&self.client, &other.client))
    }

    /// Stores rows with `COPY … FROM STDIN BINARY`, whose columns have these types.
    pub(crate) fn copy_rows(
        &self,
        sql: &str,
        types: &[Type],
        rows: &[Vec<Value>],
    ) -> Result<(), DatabaseError> {
        let client = &self.client;
        self.database.call(async move {
            let mut writer = pin!(BinaryCopyInWriter::new(client.copy_in(sql).await?, types));
            for row in rows {
                let values = as_parameters(row);
                writer.as_mut().write(&values).await?;
            }
            writer.finish().await.map(drop)
        })
    }

    /// Runs an optional opening, statements, and then a query or an end, all in one exchange with the server.
    pub(crate) fn exchange(
        &self,
        opening: Option<&'static str>,
        statements: &[Statement],
        query: Option<(&str, &[&(dyn ToSql + Sync)])>,
        end: Option<&'static str>,
    ) -> Result<Vec<Row>, DatabaseError> {
        let client = &self.client;
        self.database.call(async move {
            let mut prepared_statements = Vec::with_capacity(statements.len());
            for (sql, values) in statements {
                prepared_statements.push((client.prepare_cached(sql).await?, as_parameters(values)));
            }
            let query = match query {
                Some((sql, values)) => Some((client.prepare_cached(sql).await?, values)),
                None => None,
            };
            let mut requests: Vec<RowsFuture<'_>> = Vec::with_capacity(statements.len() + 3);
            if let Some(sql) = opening {
                requests.push(plain(client, sql));
            }
            for (statement, values) in &prepared_statements {
                requests.push(Box::pin(async move {
                    client.execute(statement, values).await?;
                    Ok(Vec::new())
                }));
            }
            if let Some((statement, values)) = &query {
                requests.push(Box::pin(async move { client.query(statement, values).await }));
            }
            if let Some(sql) = end {
                requests.push(plain(client, sql));
            }
            in_order(requests).await
        })
    }
}

impl Query for Session<'_> {
    fn rows(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, DatabaseError> {
        self.exchange(None, &[], Some((sql, values)), None)
    }
}

fn as_parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect()
}

/// Request without values and rows.
fn plain<'f>(client: &'f Object, sql: &'static str) -> RowsFuture<'f> {
    Box::pin(async move {
        client.batch_execute(sql).await?;
        Ok(Vec::new())
    })
}

/// Sends all requests in this order before the first reply is there, and returns the last rows that came. The driver
/// sends a request when its future is polled first.
async fn in_order(requests: Vec<RowsFuture<'_>>) -> Result<Vec<Row>, DatabaseError> {
    let mut slots: Vec<Option<RowsFuture<'_>>> = requests.into_iter().map(Some).collect();
    let mut last_rows = Vec::new();
    let mut failure = None;
    poll_fn(|cx| {
        let mut is_done = true;
        for slot in &mut slots {
            let Some(future) = slot else { continue };
            match future.as_mut().poll(cx) {
                Poll::Pending => is_done = false,
                Poll::Ready(result) => {
                    *slot = None;
                    match result {
                        Ok(rows) if !rows.is_empty() => last_rows = rows,
                        Ok(_) => {}
                        // The first error is the cause of those after it.
                        Err(error) => _ = failure.get_or_insert(error),
                    }
                }
            }
        }
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    match failure {
        Some(error) => Err(error),
        None => Ok(last_rows),
    }
}
