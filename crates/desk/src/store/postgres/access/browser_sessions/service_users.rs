//! Rows of the sessions of services' users, and of the links that let them in at once.

use super::{delete_ended, insert};
use crate::browser_session::BrowserSessionRecord;
use crate::service_session::ServiceLogin;
use crate::store::NewBrowserSession;
use crate::store::logic::service_quota::{ServiceUsage, check_session_count};
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use jiff::Timestamp;
use sayso_core::{Digest, ServiceUser, limits};

/// Condition of a row whose service's token is valid at `$2`.
const HAS_VALID_TOKEN: &str = "EXISTS (SELECT 1 FROM token AS t WHERE t.id = {table}.token AND t.revoked_at IS NULL \
     AND coalesce(t.expires_at > $2, true))";

/// Starts the session of a user's program.
pub(super) fn start(
    tx: &WriteTransaction<'_>,
    new: &NewBrowserSession,
    login: &ServiceLogin,
) -> Result<BrowserSessionRecord, WriteError> {
    count_login(tx, login)?;
    Ok(start_for(tx, new, &login.user, Some(login.token.clone()), login.lifetime_seconds))
}

/// Stores a link that lets in one browser of a user.
pub(super) fn add_entry(
    tx: &WriteTransaction<'_>,
    (id, hash): (&str, &Digest),
    login: &ServiceLogin,
    expires_at: Timestamp,
) -> Result<(), WriteError> {
    count_login(tx, login)?;
    tx.write(
        "INSERT INTO login_link (id, hash, account, token, expires_at, state, session_seconds) \
         VALUES ($1, $2, $3, $4, $5, 'entry', $6)",
        values![
            id.to_owned(),
            hash.as_bytes().to_vec(),
            login.user.account(),
            login.token.clone(),
            expires_at.as_microsecond(),
            login.lifetime_seconds,
        ],
    );
    Ok(())
}

/// Returns the account that a link lets in. The link stays.
pub(super) fn entry_account(
    query: &impl Query,
    hash: &Digest,
    now: Timestamp,
) -> Result<Option<String>, DatabaseError> {
    let sql = "SELECT account FROM login_link WHERE hash = $1 AND expires_at > $2 AND state = 'entry'";
    let row = query.row(sql, &[&hash.as_bytes().as_slice(), &now.as_microsecond()])?;
    row.map(|row| row.try_get(0)).transpose()
}

/// Starts the session of the browser that opened a link, which is used up.
pub(super) fn redeem_entry(
    tx: &WriteTransaction<'_>,
    hash: &Digest,
    new: &NewBrowserSession,
) -> Result<Option<BrowserSessionRecord>, DatabaseError> {
    let valid = HAS_VALID_TOKEN.replace("{table}", "login_link");
    let sql = format!(
        "DELETE FROM login_link WHERE hash = $1 AND expires_at > $2 AND state = 'entry' AND {valid} \
         RETURNING account, token, session_seconds"
    );
    let rows = tx.write_now(&sql, &[&hash.as_bytes().as_slice(), &tx.now().as_microsecond()])?;
    let Some(row) = rows.first() else { return Ok(None) };
    let Some(user) = ServiceUser::parse(row.try_get(0)?) else { return Ok(None) };
    Ok(Some(start_for(tx, new, &user, row.try_get(1)?, row.try_get(2)?)))
}

/// Ends the sessions and unused links of a user.
pub(super) fn end(tx: &WriteTransaction<'_>, user: &ServiceUser) {
    tx.write("DELETE FROM login_link WHERE state = 'entry' AND account = $1", values![user.account()]);
    let sql = "DELETE FROM session WHERE service = $1 AND account = $2";
    tx.write(sql, values![user.service().to_owned(), user.account()]);
}

/// Counts a login against the quota of its service.
fn count_login(tx: &WriteTransaction<'_>, login: &ServiceLogin) -> Result<(), WriteError> {
    let (service, now_us) = (login.user.service(), tx.now().as_microsecond());
    tx.write("DELETE FROM login_link WHERE expires_at <= $1", values![now_us]);
    let valid = HAS_VALID_TOKEN.replace("{table}", "session");
    let counted = format!(
        "SELECT (SELECT count(*) FROM session WHERE service = $1 AND expires_at > $2 AND {valid}) \
         + (SELECT count(*) FROM login_link WHERE state = 'entry' AND token = $3)"
    );
    let count = tx.row(&counted, &[&service, &now_us, &login.token])?.map_or(Ok(0), |row| row.try_get(0))?;
    check_session_count(count, login.quota)?;
    let found = tx.row("SELECT hour_began_at, logins FROM service_usage WHERE service = $1", &[&service])?;
    let read = |row: tokio_postgres::Row| -> Result<ServiceUsage, DatabaseError> {
        Ok(ServiceUsage { hour_began_at: row.try_get(0)?, logins: row.try_get(1)? })
    };
    let usage = ServiceUsage::with_login(found.map(read).transpose()?, login.quota, tx.now())?;
    tx.write(
        "INSERT INTO service_usage (service, hour_began_at, logins) VALUES ($1, $2, $3) \
         ON CONFLICT (service) DO UPDATE SET hour_began_at = excluded.hour_began_at, logins = excluded.logins",
        values![service.to_owned(), usage.hour_began_at, usage.logins],
    );
    Ok(())
}

/// Stores the session of a user. At the limit of one user, it deletes the oldest ones.
fn start_for(
    tx: &WriteTransaction<'_>,
    new: &NewBrowserSession,
    user: &ServiceUser,
    token: Option<String>,
    seconds: i64,
) -> BrowserSessionRecord {
    delete_ended(tx);
    let most = i64::try_from(limits::SERVICE_USER_SESSIONS - 1).unwrap_or(i64::MAX);
    let sql = "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE service = $1 AND account = $2 \
               ORDER BY created_at DESC, id OFFSET $3)";
    tx.write(sql, values![user.service().to_owned(), user.account(), most]);
    insert(tx, new.to_user_record(user, token, seconds, tx.now()), &new.hash)
}
