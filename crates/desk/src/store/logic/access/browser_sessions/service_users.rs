//! Sessions of services' users, and the links that let them in at once. A user has no row of its own: a service may
//! have a million of them.

use super::{ALL_ROWS, delete_ended, has_valid_token, insert};
use crate::browser_session::BrowserSessionRecord;
use crate::service_session::ServiceLogin;
use crate::store::api::NewBrowserSession;
use crate::store::logic::service_quota::{ServiceUsage, check_session_count};
use crate::store::logic::statements::{StoreReader, StoreTransaction};
use jiff::Timestamp;
use sayso_core::{Digest, ServiceUser, limits};

/// Starts the session of a user's program.
pub(super) fn start<T: StoreTransaction>(
    tx: &T,
    new: &NewBrowserSession,
    login: &ServiceLogin,
) -> Result<BrowserSessionRecord, T::Error> {
    count_login(tx, login)?;
    start_for(tx, new, &login.user, Some(login.token.clone()), login.lifetime_seconds)
}

/// Stores a link that lets in one browser of a user.
pub(super) fn add_entry<T: StoreTransaction>(
    tx: &T,
    (id, hash): (&str, &Digest),
    login: &ServiceLogin,
    expires_at: Timestamp,
) -> Result<(), T::Error> {
    count_login(tx, login)?;
    tx.write(
        "INSERT INTO login_link (id, hash, account, token, expires_at, state, session_seconds) \
         VALUES ($1, $2, $3, $4, $5, 'entry', $6)",
        &[
            id.into(),
            hash.into(),
            login.user.account().into(),
            (&login.token).into(),
            expires_at.into(),
            login.lifetime_seconds.into(),
        ],
    )
}

/// Returns the account that a link lets in. The link stays.
pub(super) fn entry_account<R: StoreReader>(
    reader: &R,
    hash: &Digest,
    now: Timestamp,
) -> Result<Option<String>, R::Error> {
    let sql = "SELECT account FROM login_link WHERE hash = $1 AND expires_at > $2 AND state = 'entry'";
    let row = reader.query_one(sql, &[hash.into(), now.into()])?;
    Ok(row.map(|row| row.get(0)).transpose()?)
}

/// Starts the session of the browser that opened a link, which is used up.
pub(super) fn redeem_entry<T: StoreTransaction>(
    tx: &T,
    hash: &Digest,
    new: &NewBrowserSession,
) -> Result<Option<BrowserSessionRecord>, T::Error> {
    let sql = format!(
        "DELETE FROM login_link WHERE hash = $1 AND expires_at > $2 AND state = 'entry' AND {} \
         RETURNING account, token, session_seconds",
        has_valid_token("login_link", "$2")
    );
    let rows = tx.write_returning(&sql, &[hash.into(), tx.now().into()])?;
    let Some(row) = rows.first() else { return Ok(None) };
    let account: String = row.get(0)?;
    let Some(user) = ServiceUser::parse(&account) else { return Ok(None) };
    start_for(tx, new, &user, row.get(1)?, row.get(2)?).map(Some)
}

/// Ends the sessions and unused links of a user.
pub(super) fn end<T: StoreTransaction>(tx: &T, user: &ServiceUser) -> Result<(), T::Error> {
    let account = user.account();
    tx.write("DELETE FROM login_link WHERE state = 'entry' AND account = $1", &[(&account).into()])?;
    let sql = "DELETE FROM session WHERE service = $1 AND account = $2";
    tx.write(sql, &[user.service().into(), account.into()])
}

/// Counts a login against the quota of its service.
fn count_login<T: StoreTransaction>(tx: &T, login: &ServiceLogin) -> Result<(), T::Error> {
    let service = login.user.service();
    tx.write("DELETE FROM login_link WHERE expires_at <= $1", &[tx.now().into()])?;
    let sql = format!(
        "SELECT (SELECT count(*) FROM session WHERE service = $1 AND expires_at > $2 AND {}) \
         + (SELECT count(*) FROM login_link WHERE state = 'entry' AND token = $3)",
        has_valid_token("session", "$2")
    );
    let count = tx.query_count(&sql, &[service.into(), tx.now().into(), (&login.token).into()])?;
    check_session_count(count, login.quota)?;
    let sql = "SELECT hour_began_at, logins FROM service_usage WHERE service = $1";
    let before = match tx.query_one(sql, &[service.into()])? {
        Some(row) => Some(ServiceUsage { hour_began_at: row.get(0)?, logins: row.get(1)? }),
        None => None,
    };
    let usage = ServiceUsage::with_login(before, login.quota, tx.now())?;
    tx.write(
        "INSERT INTO service_usage (service, hour_began_at, logins) VALUES ($1, $2, $3) \
         ON CONFLICT (service) DO UPDATE SET hour_began_at = excluded.hour_began_at, logins = excluded.logins",
        &[service.into(), usage.hour_began_at.into(), usage.logins.into()],
    )
}

/// Stores the session of a user. At the limit of one user, it deletes the oldest ones.
fn start_for<T: StoreTransaction>(
    tx: &T,
    new: &NewBrowserSession,
    user: &ServiceUser,
    token: Option<String>,
    seconds: i64,
) -> Result<BrowserSessionRecord, T::Error> {
    delete_ended(tx)?;
    let others = i64::try_from(limits::SERVICE_USER_SESSIONS - 1).unwrap_or(i64::MAX);
    let sql = "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE service = $1 AND account = $2 \
               ORDER BY created_at DESC, id LIMIT $3 OFFSET $4)";
    tx.write(sql, &[user.service().into(), user.account().into(), ALL_ROWS.into(), others.into()])?;
    let record = new.to_user_record(user, token, seconds, tx.now());
    insert(tx, &record, &new.hash)?;
    Ok(record)
}
