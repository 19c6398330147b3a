//! Rows of signed-in browsers, and of the codes and links that start sessions.

mod links;
mod served;
mod service_users;

use crate::browser_session::{BrowserSessionRecord, LinkRecord, add_seconds};
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::error::database_problem;
use crate::store::sqlite::writer::job::{JobError, WriteJob};
use crate::store::stored_time::to_timestamp;
use crate::store::{BrowserSessionOutput, BrowserSessionStore, BrowserSessionWrite, NewBrowserSession};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};
use sayso_core::model::actor::ProcessId;
use sayso_core::{Digest, Message, Problem, ProblemCode, ServiceUser, limits};

impl BrowserSessionStore for SqliteStore {
    fn write_browser_session(&self, write: BrowserSessionWrite) -> Result<BrowserSessionOutput, Problem> {
        self.writer.run(WriteJob::BrowserSession(write))?.into_browser_session()
    }

    fn has_code(&self, hash: &Digest, now: Timestamp) -> Result<bool, Problem> {
        self.read_few(|conn| {
            conn.prepare_cached("SELECT 1 FROM login_code WHERE hash = ?1 AND expires_at > ?2")?
                .exists(params![hash.as_bytes(), now.as_microsecond()])
        })
    }

    fn link(&self, id: &str, now: Timestamp) -> Result<Option<LinkRecord>, Problem> {
        self.read_few(|conn| links::find(conn, id, now))
    }

    fn entry_account(&self, hash: &Digest, now: Timestamp) -> Result<Option<String>, Problem> {
        self.read_few(|conn| service_users::entry_account(conn, hash, now))
    }

    fn browser_session(&self, id: &str, now: Timestamp) -> Result<Option<BrowserSessionRecord>, Problem> {
        let conn = self.connection(&self.token_reader)?;
        find(&conn, "id = ?1", [id], now).map_err(|error| database_problem(&error))
    }

    fn browser_session_by_hash(
        &self,
        hash: &Digest,
        now: Timestamp,
    ) -> Result<Option<BrowserSessionRecord>, Problem> {
        let conn = self.connection(&self.token_reader)?;
        find(&conn, "hash = ?1", [hash.as_bytes()], now).map_err(|error| database_problem(&error))
    }

    fn browser_sessions(&self, now: Timestamp) -> Result<Vec<BrowserSessionRecord>, Problem> {
        self.read_many(|conn| all(conn, now))
    }

    fn user_sessions(
        &self,
        user: &ServiceUser,
        now: Timestamp,
    ) -> Result<Vec<BrowserSessionRecord>, Problem> {
        self.read_few(|conn| {
            let sql =
                format!("{} ORDER BY last_seen_at DESC, id", select("service = ?1 AND account = ?2", now));
            conn.prepare(&sql)?.query_map([user.service(), &user.account()], read_row)?.collect()
        })
    }

    fn served_addresses(&self) -> Result<Vec<(ProcessId, String)>, Problem> {
        self.read_few(served::all)
    }
}

/// Runs a write inside a transaction.
pub(crate) fn write(
    conn: &Connection,
    write: &BrowserSessionWrite,
    now: Timestamp,
) -> Result<BrowserSessionOutput, JobError> {
    match write {
        BrowserSessionWrite::AddCode { prefix, hash, account, expires_at } => {
            add_code(conn, *prefix, hash, account, *expires_at, now).map(BrowserSessionOutput::Done)
        }
        BrowserSessionWrite::RedeemCode { prefix, hash, session } => {
            let account = redeem_code(conn, *prefix, hash, now)?;
            let started = account.map(|account| start(conn, session, account, None, now)).transpose()?;
            Ok(BrowserSessionOutput::Session(started.map(Box::new)))
        }
        BrowserSessionWrite::Start { session, account, token } => {
            let started = start(conn, session, account.clone(), Some(token.clone()), now)?;
            Ok(BrowserSessionOutput::Session(Some(Box::new(started))))
        }
        BrowserSessionWrite::StartForUser { session, login } => {
            let started = service_users::start(conn, session, login, now)?;
            Ok(BrowserSessionOutput::Session(Some(Box::new(started))))
        }
        BrowserSessionWrite::AddEntry { id, hash, login, expires_at } => {
            service_users::add_entry(conn, (id, hash), login, *expires_at, now)
                .map(|()| BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::RedeemEntry { hash, session } => {
            let started = service_users::redeem_entry(conn, hash, session, now)?;
            Ok(BrowserSessionOutput::Session(started.map(Box::new)))
        }
        BrowserSessionWrite::EndOfUser { user } => {
            service_users::end(conn, user)?;
            Ok(BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::AddLink { link, hash, token } => {
            links::add(conn, link, hash, token.as_deref(), now).map(|()| BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::ClaimLink { hash, claim, number, public_key, agent } => {
            let browser = (public_key.as_slice(), agent.as_deref());
            Ok(BrowserSessionOutput::Link(links::claim(conn, hash, (claim, number), browser, now)?))
        }
        BrowserSessionWrite::ConfirmLink { id, number } => {
            Ok(BrowserSessionOutput::Done(links::confirm(conn, id, number.as_deref(), now)?))
        }
        BrowserSessionWrite::FinishClaim { claim, id, hash } => links::finish(conn, claim, (id, hash), now),
        BrowserSessionWrite::Touch { id } => {
            let touched = conn
                .prepare_cached("UPDATE session SET last_seen_at = max(last_seen_at, ?2) WHERE id = ?1")?
                .execute(params![id, now.as_microsecond()])?;
            Ok(BrowserSessionOutput::Done(touched > 0))
        }
        BrowserSessionWrite::End { id } => {
            let gone = conn.prepare_cached("DELETE FROM session WHERE id = ?1")?.execute([id])?;
            Ok(BrowserSessionOutput::Done(gone > 0))
        }
        BrowserSessionWrite::Serve { process, url } => {
            Ok(BrowserSessionOutput::Done(served::write(conn, *process, url.as_deref())?))
        }
    }
}

/// Stores a code, unless an unused one has the same prefix.
fn add_code(
    conn: &Connection,
    prefix: u64,
    hash: &Digest,
    account: &str,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<bool, JobError> {
    conn.prepare_cached("DELETE FROM login_code WHERE expires_at <= ?1")?.execute([now.as_microsecond()])?;
    let count = conn.prepare_cached("SELECT count(*) FROM login_code")?.query_row([], |row| row.get(0))?;
    check_code_count(count)?;
    let added = conn
        .prepare_cached(
            "INSERT INTO login_code (prefix, hash, account, expires_at) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (prefix) DO NOTHING",
        )?
        .execute(params![prefix.cast_signed(), hash.as_bytes(), account, expires_at.as_microsecond()])?;
    Ok(added > 0)
}

fn check_code_count(count: i64) -> Result<(), Problem> {
    if usize::try_from(count).is_ok_and(|count| count < limits::LOGIN_CODES) {
        return Ok(());
    }
    let message = Message::LoginCodesMany.with([limits::LOGIN_CODES]);
    Err(Problem::new(ProblemCode::TooManyRequests, message))
}

/// Uses up the code with this prefix and hash, and returns its account. A wrong hash counts against the code.
fn redeem_code(
    conn: &Connection,
    prefix: u64,
    hash: &Digest,
    now: Timestamp,
) -> rusqlite::Result<Option<String>> {
    let found = conn
        .prepare_cached(
            "DELETE FROM login_code WHERE prefix = ?1 AND hash = ?2 AND expires_at > ?3 AND wrong_tries < ?4 \
             RETURNING account",
        )?
        .query_row(
            params![prefix.cast_signed(), hash.as_bytes(), now.as_microsecond(), limits::LOGIN_ATTEMPTS],
            |row| row.get(0),
        )
        .optional()?;
    if found.is_none() {
        conn.prepare_cached("UPDATE login_code SET wrong_tries = wrong_tries + 1 WHERE prefix = ?1")?
            .execute([prefix.cast_signed()])?;
    }
    Ok(found)
}

/// Stores a member's session. At the limit, it deletes those that have ended, and else the one idle for longest.
fn start(
    conn: &Connection,
    new: &NewBrowserSession,
    account: String,
    token: Option<String>,
    now: Timestamp,
) -> rusqlite::Result<BrowserSessionRecord> {
    delete_ended(conn, now)?;
    conn.prepare_cached(
        "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE service IS NULL \
         ORDER BY last_seen_at DESC LIMIT -1 OFFSET ?1)",
    )?
    .execute([i64::try_from(limits::SESSIONS - 1).unwrap_or(i64::MAX)])?;
    let record = new.to_record(account, token, now);
    insert(conn, &record, &new.hash)?;
    Ok(record)
}

/// Deletes the sessions that have ended by themselves.
fn delete_ended(conn: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    conn.prepare_cached("DELETE FROM session WHERE last_seen_at <= ?1 OR expires_at <= ?2")?
        .execute([idle_before(now), now.as_microsecond()])
        .map(drop)
}

fn insert(conn: &Connection, session: &BrowserSessionRecord, hash: &Digest) -> rusqlite::Result<()> {
    conn.prepare_cached(
        "INSERT INTO session (id, hash, account, token, service, key, agent, created_at, last_seen_at, expires_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)",
    )?
    .execute(params![
        session.id,
        hash.as_bytes(),
        session.account,
        session.token,
        session.service,
        session.public_key.as_deref().unwrap_or_default(),
        session.agent,
        session.created_at.as_microsecond(),
        session.expires_at.map(Timestamp::as_microsecond),
    ])
    .map(drop)
}

/// Returns the time of the last request at or before which a session has ended.
fn idle_before(now: Timestamp) -> i64 {
    add_seconds(now, -limits::SESSION_IDLE_SECONDS).as_microsecond()
}

const COLUMNS: &str = "id, account, token, key, agent, created_at, last_seen_at, service, expires_at";
/// Condition of a session whose token, if it has one, is valid at `:now`.
const HAS_VALID_TOKEN: &str = "(token IS NULL OR EXISTS (SELECT 1 FROM token AS t WHERE t.id = session.token \
     AND t.revoked_at IS NULL AND ifnull(t.expires_at > {now}, 1)))";

fn select(condition: &str, now: Timestamp) -> String {
    let valid = HAS_VALID_TOKEN.replace("{now}", &now.as_microsecond().to_string());
    let idle = idle_before(now);
    let lasts = format!("last_seen_at > {idle} AND ifnull(expires_at > {}, 1)", now.as_microsecond());
    format!("SELECT {COLUMNS} FROM session WHERE {condition} AND {lasts} AND {valid}")
}

fn find(
    conn: &Connection,
    condition: &str,
    values: impl Params,
    now: Timestamp,
) -> rusqlite::Result<Option<BrowserSessionRecord>> {
    conn.query_row(&select(condition, now), values, read_row).optional()
}

fn all(conn: &Connection, now: Timestamp) -> rusqlite::Result<Vec<BrowserSessionRecord>> {
    let sql = format!("{} ORDER BY last_seen_at DESC, id", select("1", now));
    conn.prepare(&sql)?.query_map([], read_row)?.collect()
}

/// Returns the key in a column; it is empty for a browser without one.
fn to_public_key(column: Vec<u8>) -> Option<Vec<u8>> {
    (!column.is_empty()).then_some(column)
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<BrowserSessionRecord> {
    Ok(BrowserSessionRecord {
        id: row.get(0)?,
        account: row.get(1)?,
        token: row.get(2)?,
        public_key: to_public_key(row.get(3)?),
        agent: row.get(4)?,
        created_at: to_timestamp(row.get(5)?),
        last_seen_at: to_timestamp(row.get(6)?),
        service: row.get(7)?,
        expires_at: row.get::<_, Option<i64>>(8)?.map(to_timestamp),
    })
}

#[cfg(test)]
mod tests;
