//! Usage and quotas of accounts. Triggers keep the counters.

use super::request_cache::RequestCache;
use crate::store::logic::account_quota::{AccountUsage, byte_quota_problem};
use crate::store::sqlite::upkeep::cancelled_asks;
use crate::store::sqlite::writer::job::JobError;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _};
use sayso_core::AccountQuota;

fn read_usage(conn: &Connection, account: &str) -> rusqlite::Result<Option<AccountUsage>> {
    conn.prepare_cached(
        "SELECT kept_bytes, hour_began_at, asks_in_hour FROM account_usage WHERE account = ?1",
    )?
    .query_row([account], |row| {
        Ok(AccountUsage { kept_bytes: row.get(0)?, hour_began_at: row.get(1)?, asks_in_hour: row.get(2)? })
    })
    .optional()
}

/// Returns the bytes that the asks of all accounts take.
pub(crate) fn total_kept_bytes(conn: &Connection) -> rusqlite::Result<u64> {
    let sum: i64 = conn
        .prepare_cached("SELECT coalesce(sum(kept_bytes), 0) FROM account_usage")?
        .query_row([], |row| row.get(0))?;
    Ok(u64::try_from(sum).unwrap_or_default())
}

/// Checks the quota for an ask of this size now. The account's cancelled asks that no person saw are pruned for it.
pub(crate) fn check_quota(
    conn: &Connection,
    requests: &RequestCache,
    (account, quota): (&str, &AccountQuota),
    request_bytes: usize,
    now: Timestamp,
) -> Result<(), JobError> {
    let Some(found) = read_usage(conn, account)? else { return Ok(()) };
    found.check_hourly_rate(quota, now)?;
    let missing = found.excess_bytes(quota, request_bytes);
    if missing <= 0 {
        return Ok(());
    }
    cancelled_asks::prune_account(conn, requests, account, missing)?;
    let kept_bytes = read_usage(conn, account)?.map_or(0, |usage| usage.kept_bytes);
    if (AccountUsage { kept_bytes, ..found }).excess_bytes(quota, request_bytes) <= 0 {
        return Ok(());
    }
    let oldest: Option<i64> = conn
        .prepare_cached(
            "SELECT changed_at FROM ask WHERE account = ?1 AND pending IS NULL ORDER BY seq LIMIT 1",
        )?
        .query_row([account], |row| row.get(0))
        .optional()?;
    Err(byte_quota_problem(kept_bytes, quota, oldest, now).into())
}

#[cfg(test)]
mod tests;
