//! Usage and quotas of accounts. Triggers keep the counters.

use crate::store::logic::account_quota::{AccountUsage, byte_quota_problem};
use crate::store::postgres::connection::Query as _;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::WriteTransaction;
use crate::store::postgres::upkeep::cancelled_asks;
use sayso_core::AccountQuota;

fn read_usage(tx: &WriteTransaction<'_>, account: &str) -> Result<Option<AccountUsage>, DatabaseError> {
    let sql = "SELECT kept_bytes, hour_began_at, asks_in_hour FROM account_usage WHERE account = $1";
    let Some(row) = tx.row(sql, &[&account])? else { return Ok(None) };
    let [kept_bytes, hour_began_at, asks_in_hour] = [row.try_get(0)?, row.try_get(1)?, row.try_get(2)?];
    Ok(Some(AccountUsage { kept_bytes, hour_began_at, asks_in_hour }))
}

/// Checks the quota for an ask of this size now. The account's cancelled asks that no person saw are pruned for it.
pub(crate) fn check_quota(
    tx: &WriteTransaction<'_>,
    (account, quota): (&str, &AccountQuota),
    request_bytes: usize,
) -> Result<(), WriteError> {
    let Some(found) = read_usage(tx, account)? else { return Ok(()) };
    found.check_hourly_rate(quota, tx.now())?;
    let missing = found.excess_bytes(quota, request_bytes);
    if missing <= 0 {
        return Ok(());
    }
    cancelled_asks::prune_account(tx, account, missing)?;
    let kept_bytes = read_usage(tx, account)?.map_or(0, |usage| usage.kept_bytes);
    if (AccountUsage { kept_bytes, ..found }).excess_bytes(quota, request_bytes) <= 0 {
        return Ok(());
    }
    let sql = "SELECT changed_at FROM ask WHERE account = $1 AND NOT pending ORDER BY seq LIMIT 1";
    let oldest: Option<i64> = tx.row(sql, &[&account])?.map(|row| row.try_get(0)).transpose()?;
    Err(byte_quota_problem(kept_bytes, quota, oldest, tx.now()).into())
}
