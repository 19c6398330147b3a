//! Rows of the links by which a person lets in a phone.

use super::{check_code_count, start};
use crate::browser_session::{LinkRecord, LinkState};
use crate::store::sqlite::writer::job::JobError;
use crate::store::stored_time::to_timestamp;
use crate::store::{BrowserSessionOutput, NewBrowserSession};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sayso_core::Digest;

const COLUMNS: &str = "id, account, state, expires_at";

pub(super) fn add(
    conn: &Connection,
    link: &LinkRecord,
    hash: &Digest,
    token: Option<&str>,
    now: Timestamp,
) -> Result<(), JobError> {
    conn.prepare_cached("DELETE FROM login_link WHERE expires_at <= ?1")?.execute([now.as_microsecond()])?;
    let count = conn
        .prepare_cached("SELECT count(*) FROM login_link WHERE state <> 'entry'")?
        .query_row([], |row| row.get(0))?;
    check_code_count(count)?;
    conn.prepare_cached(
        "INSERT INTO login_link (id, hash, account, token, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        link.id,
        hash.as_bytes(),
        link.account,
        token,
        link.expires_at.as_microsecond()
    ])?;
    Ok(())
}

pub(super) fn find(conn: &Connection, id: &str, now: Timestamp) -> rusqlite::Result<Option<LinkRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM login_link WHERE id = ?1 AND expires_at > ?2");
    conn.prepare_cached(&sql)?.query_row(params![id, now.as_microsecond()], read_row).optional()
}

/// Claims the waiting link with this hash. A second browser finds nothing to claim.
pub(super) fn claim(
    conn: &Connection,
    hash: &Digest,
    (claim, number): (&Digest, &str),
    (public_key, agent): (&[u8], Option<&str>),
    now: Timestamp,
) -> rusqlite::Result<Option<LinkRecord>> {
    let sql = format!(
        "UPDATE login_link SET state = 'claimed', claim = ?3, number = ?4, key = ?5, agent = ?6 \
         WHERE hash = ?1 AND expires_at > ?2 AND state = 'waiting' RETURNING {COLUMNS}"
    );
    conn.prepare_cached(&sql)?
        .query_row(
            params![hash.as_bytes(), now.as_microsecond(), claim.as_bytes(), number, public_key, agent],
            read_row,
        )
        .optional()
}

/// Confirms a claimed link with its number, and else deletes it. A repeated confirmation changes nothing.
pub(super) fn confirm(
    conn: &Connection,
    id: &str,
    number: Option<&str>,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let confirmed = conn
        .prepare_cached(
            "UPDATE login_link SET state = iif(state = 'used', 'used', 'confirmed') \
             WHERE id = ?1 AND number = ?2 AND state <> 'waiting' AND expires_at > ?3",
        )?
        .execute(params![id, number, now.as_microsecond()])?;
    if confirmed == 0 {
        conn.prepare_cached("DELETE FROM login_link WHERE id = ?1 AND state <> 'used'")?.execute([id])?;
    }
    Ok(confirmed > 0)
}

/// Starts the session of a confirmed claim, once.
pub(super) fn finish(
    conn: &Connection,
    claim: &Digest,
    (id, hash): (&str, &Digest),
    now: Timestamp,
) -> Result<BrowserSessionOutput, JobError> {
    let confirmed = conn
        .prepare_cached(
            "UPDATE login_link SET state = 'used' WHERE claim = ?1 AND expires_at > ?2 AND state = 'confirmed' \
             RETURNING account, token, key, agent",
        )?
        .query_row(params![claim.as_bytes(), now.as_microsecond()], |row| {
            let session = NewBrowserSession {
                id: id.to_owned(),
                hash: *hash,
                public_key: super::to_public_key(row.get(2)?),
                agent: row.get(3)?,
            };
            Ok((session, row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
        })
        .optional()?;
    if let Some((session, account, token)) = confirmed {
        let started = start(conn, &session, account, token, now)?;
        return Ok(BrowserSessionOutput::Session(Some(Box::new(started))));
    }
    let waits = conn
        .prepare_cached(
            "SELECT 1 FROM login_link WHERE claim = ?1 AND expires_at > ?2 AND state = 'claimed'",
        )?
        .exists(params![claim.as_bytes(), now.as_microsecond()])?;
    Ok(if waits { BrowserSessionOutput::Waiting } else { BrowserSessionOutput::Session(None) })
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<LinkRecord> {
    let wrong = || rusqlite::Error::InvalidColumnType(2, "state".to_owned(), Type::Text);
    Ok(LinkRecord {
        id: row.get(0)?,
        account: row.get(1)?,
        state: LinkState::parse(row.get_ref(2)?.as_str()?).ok_or_else(wrong)?,
        expires_at: to_timestamp(row.get(3)?),
    })
}
