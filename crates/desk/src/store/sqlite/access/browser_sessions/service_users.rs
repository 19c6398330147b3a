//! Rows of the sessions of services' users, and of the links that let them in at once. A user has no row of
//! its own: a service may have a million of them.

use super::{HAS_VALID_TOKEN, delete_ended, insert};
use crate::browser_session::BrowserSessionRecord;
use crate::service_session::ServiceLogin;
use crate::store::NewBrowserSession;
use crate::store::logic::service_quota::{ServiceUsage, check_session_count};
use crate::store::sqlite::writer::job::JobError;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::{Digest, ServiceUser, limits};

/// Starts the session of a user's program.
pub(super) fn start(
    conn: &Connection,
    new: &NewBrowserSession,
    login: &ServiceLogin,
    now: Timestamp,
) -> Result<BrowserSessionRecord, JobError> {
    count_login(conn, login, now)?;
    let token = Some(login.token.clone());
    Ok(start_for(conn, new, &login.user, token, login.lifetime_seconds, now)?)
}

/// Stores a link that lets in one browser of a user.
pub(super) fn add_entry(
    conn: &Connection,
    (id, hash): (&str, &Digest),
    login: &ServiceLogin,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<(), JobError> {
    count_login(conn, login, now)?;
    conn.prepare_cached(
        "INSERT INTO login_link (id, hash, account, token, expires_at, state, session_seconds) \
         VALUES (?1, ?2, ?3, ?4, ?5, 'entry', ?6)",
    )?
    .execute(params![
        id,
        hash.as_bytes(),
        login.user.account(),
        login.token,
        expires_at.as_microsecond(),
        login.lifetime_seconds,
    ])?;
    Ok(())
}

/// Returns the account that a link lets in. The link stays.
pub(super) fn entry_account(
    conn: &Connection,
    hash: &Digest,
    now: Timestamp,
) -> rusqlite::Result<Option<String>> {
    conn.prepare_cached(
        "SELECT account FROM login_link WHERE hash = ?1 AND expires_at > ?2 AND state = 'entry'",
    )?
    .query_row(params![hash.as_bytes(), now.as_microsecond()], |row| row.get(0))
    .optional()
}

/// Starts the session of the browser that opened a link, which is used up.
pub(super) fn redeem_entry(
    conn: &Connection,
    hash: &Digest,
    new: &NewBrowserSession,
    now: Timestamp,
) -> rusqlite::Result<Option<BrowserSessionRecord>> {
    let now_us = now.as_microsecond();
    let valid = HAS_VALID_TOKEN.replace("session.", "login_link.").replace("{now}", "?2");
    let sql = format!(
        "DELETE FROM login_link WHERE hash = ?1 AND expires_at > ?2 AND state = 'entry' AND {valid} \
         RETURNING account, token, session_seconds"
    );
    let found = conn
        .prepare_cached(&sql)?
        .query_row(params![hash.as_bytes(), now_us], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, i64>(2)?))
        })
        .optional()?;
    let Some((account, token, seconds)) = found else { return Ok(None) };
    let Some(user) = ServiceUser::parse(&account) else { return Ok(None) };
    start_for(conn, new, &user, token, seconds, now).map(Some)
}

/// Ends the sessions and unused links of a user.
pub(super) fn end(conn: &Connection, user: &ServiceUser) -> rusqlite::Result<()> {
    let account = user.account();
    conn.prepare_cached("DELETE FROM login_link WHERE state = 'entry' AND account = ?1")?
        .execute([&account])?;
    conn.prepare_cached("DELETE FROM session WHERE service = ?1 AND account = ?2")?
        .execute([user.service(), &account])
        .map(drop)
}

/// Counts a login against the quota of its service.
fn count_login(conn: &Connection, login: &ServiceLogin, now: Timestamp) -> Result<(), JobError> {
    let (service, now_us) = (login.user.service(), now.as_microsecond());
    conn.prepare_cached("DELETE FROM login_link WHERE expires_at <= ?1")?.execute([now_us])?;
    let valid = HAS_VALID_TOKEN.replace("{now}", "?2");
    let counted = format!(
        "SELECT (SELECT count(*) FROM session WHERE service = ?1 AND expires_at > ?2 AND {valid}) \
         + (SELECT count(*) FROM login_link WHERE state = 'entry' AND token = ?3)"
    );
    let count =
        conn.prepare_cached(&counted)?.query_row(params![service, now_us, login.token], |row| row.get(0))?;
    check_session_count(count, login.quota)?;
    let found = conn
        .prepare_cached("SELECT hour_began_at, logins FROM service_usage WHERE service = ?1")?
        .query_row([service], |row| Ok(ServiceUsage { hour_began_at: row.get(0)?, logins: row.get(1)? }))
        .optional()?;
    let ServiceUsage { hour_began_at, logins } = ServiceUsage::with_login(found, login.quota, now)?;
    conn.prepare_cached(
        "INSERT OR REPLACE INTO service_usage (service, hour_began_at, logins) VALUES (?1, ?2, ?3)",
    )?
    .execute(params![service, hour_began_at, logins])?;
    Ok(())
}

/// Stores the session of a user. At the limit of one user, it deletes the oldest ones.
fn start_for(
    conn: &Connection,
    new: &NewBrowserSession,
    user: &ServiceUser,
    token: Option<String>,
    seconds: i64,
    now: Timestamp,
) -> rusqlite::Result<BrowserSessionRecord> {
    delete_ended(conn, now)?;
    conn.prepare_cached(
        "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE service = ?1 AND account = ?2 \
         ORDER BY created_at DESC, id LIMIT -1 OFFSET ?3)",
    )?
    .execute(params![
        user.service(),
        user.account(),
        i64::try_from(limits::SERVICE_USER_SESSIONS - 1).unwrap_or(i64::MAX)
    ])?;
    let record = new.to_user_record(user, token, seconds, now);
    insert(conn, &record, &new.hash)?;
    Ok(record)
}
