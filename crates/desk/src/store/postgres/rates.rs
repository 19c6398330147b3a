//! Rate limits over all nodes. They are kept outside of write transactions, and survive no crash of the server.

use crate::rate_use::RateUse;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::connection::Query as _;
use crate::store::postgres::error::DatabaseError;
use crate::store::row_value::without_nul;
use sayso_core::Problem;
use std::time::Duration;
use tokio_postgres::Row;

/// Adds what was used now. Rows are locked in the order of their callers, so that nodes never wait for each other.
const ADD: &str = "INSERT INTO rate AS known (caller, full_at) \
     SELECT caller, moment + recovery FROM unnest($1::text[], $2::bigint[]) AS used (caller, recovery), \
     (SELECT (extract(epoch FROM now()) * 1000000)::bigint AS moment) AS clock ORDER BY caller \
     ON CONFLICT (caller) DO UPDATE SET full_at = excluded.full_at + \
     greatest(0, known.full_at - (extract(epoch FROM now()) * 1000000)::bigint) \
     RETURNING caller, full_at - (extract(epoch FROM now()) * 1000000)::bigint";

/// Deletes limits that have recovered.
const FORGET: &str = "DELETE FROM rate WHERE full_at < (extract(epoch FROM now()) * 1000000)::bigint";

impl PostgresStore {
    /// Adds uses to those of other nodes, and returns the time until each limit has recovered from all of them.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub(crate) fn add_rates(&self, uses: &[RateUse]) -> Result<Vec<RateUse>, Problem> {
        let mut callers = Vec::with_capacity(uses.len());
        let mut recoveries = Vec::with_capacity(uses.len());
        for RateUse { caller, recovery } in uses {
            callers.push(without_nul(caller));
            recoveries.push(i64::try_from(recovery.as_micros()).unwrap_or(i64::MAX));
        }
        self.look_up(|session| session.rows(ADD, &[&callers, &recoveries])?.iter().map(read_rate).collect())
    }

    /// Deletes the limits that have recovered.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub(crate) fn forget_rates(&self) -> Result<(), Problem> {
        self.read(|session| session.batch(FORGET))
    }
}

fn read_rate(row: &Row) -> Result<RateUse, DatabaseError> {
    let micros: i64 = row.try_get(1)?;
    let recovery = Duration::from_micros(micros.max(0).unsigned_abs());
    Ok(RateUse { caller: row.try_get(0)?, recovery })
}
