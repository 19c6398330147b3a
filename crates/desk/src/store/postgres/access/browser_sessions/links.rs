//! Rows of the links by which a person lets in a phone.

use super::{check_code_count, start, to_public_key};
use crate::browser_session::{LinkRecord, LinkState};
use crate::store::postgres::asks::ask_rows::without_nul;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::stored_time::to_timestamp;
use crate::store::{BrowserSessionOutput, NewBrowserSession};
use jiff::Timestamp;
use sayso_core::Digest;
use tokio_postgres::Row;

const COLUMNS: &str = "id, account, state, expires_at";

pub(super) fn add(
    tx: &WriteTransaction<'_>,
    link: &LinkRecord,
    hash: &Digest,
    token: Option<&str>,
) -> Result<(), WriteError> {
    tx.write("DELETE FROM login_link WHERE expires_at <= $1", values![tx.now().as_microsecond()]);
    let counted = "SELECT count(*) FROM login_link WHERE state <> 'entry'";
    check_code_count(tx.row(counted, &[])?.map_or(Ok(0), |row| row.try_get(0))?)?;
    tx.write(
        "INSERT INTO login_link (id, hash, account, token, expires_at) VALUES ($1, $2, $3, $4, $5)",
        values![
            link.id.clone(),
            hash.as_bytes().to_vec(),
            link.account.clone(),
            token.map(str::to_owned),
            link.expires_at.as_microsecond(),
        ],
    );
    Ok(())
}

pub(super) fn find(
    query: &impl Query,
    id: &str,
    now: Timestamp,
) -> Result<Option<LinkRecord>, DatabaseError> {
    let sql = format!("SELECT {COLUMNS} FROM login_link WHERE id = $1 AND expires_at > $2");
    query.row(&sql, &[&id, &now.as_microsecond()])?.as_ref().map_or(Ok(None), read_row)
}

/// Claims the waiting link with this hash. A second browser finds nothing to claim.
pub(super) fn claim(
    tx: &WriteTransaction<'_>,
    hash: &Digest,
    (claim, number): (&Digest, &str),
    (public_key, agent): (&[u8], Option<&str>),
) -> Result<Option<LinkRecord>, DatabaseError> {
    let sql = format!(
        "UPDATE login_link SET state = 'claimed', claim = $3, number = $4, key = $5, agent = $6 \
         WHERE hash = $1 AND expires_at > $2 AND state = 'waiting' RETURNING {COLUMNS}"
    );
    let [hash, claim] = [hash.as_bytes().as_slice(), claim.as_bytes().as_slice()];
    let agent = agent.map(without_nul);
    let rows =
        tx.write_now(&sql, &[&hash, &tx.now().as_microsecond(), &claim, &number, &public_key, &agent])?;
    rows.first().map_or(Ok(None), read_row)
}

/// Confirms a claimed link with its number, and else deletes it. A repeated confirmation changes nothing.
pub(super) fn confirm(
    tx: &WriteTransaction<'_>,
    id: &str,
    number: Option<&str>,
) -> Result<bool, DatabaseError> {
    let sql = "UPDATE login_link SET state = CASE WHEN state = 'used' THEN 'used' ELSE 'confirmed' END \
               WHERE id = $1 AND number = $2 AND state <> 'waiting' AND expires_at > $3 RETURNING id";
    let is_confirmed = !tx.write_now(sql, &[&id, &number, &tx.now().as_microsecond()])?.is_empty();
    if !is_confirmed {
        tx.write("DELETE FROM login_link WHERE id = $1 AND state <> 'used'", values![id.to_owned()]);
    }
    Ok(is_confirmed)
}

/// Starts the session of a confirmed claim, once.
pub(super) fn finish(
    tx: &WriteTransaction<'_>,
    claim: &Digest,
    (id, hash): (&str, &Digest),
) -> Result<BrowserSessionOutput, WriteError> {
    let (claim, now) = (claim.as_bytes().as_slice(), tx.now().as_microsecond());
    let sql = "UPDATE login_link SET state = 'used' WHERE claim = $1 AND expires_at > $2 AND state = 'confirmed' \
               RETURNING account, token, key, agent";
    if let Some(row) = tx.write_now(sql, &[&claim, &now])?.first() {
        let session = NewBrowserSession {
            id: id.to_owned(),
            hash: *hash,
            public_key: to_public_key(row.try_get::<_, Option<Vec<u8>>>(2)?.unwrap_or_default()),
            agent: row.try_get(3)?,
        };
        let token: Option<String> = row.try_get(1)?;
        let started = start(tx, &session, row.try_get(0)?, token);
        return Ok(BrowserSessionOutput::Session(Some(Box::new(started))));
    }
    let sql = "SELECT 1 FROM login_link WHERE claim = $1 AND expires_at > $2 AND state = 'claimed'";
    let waits = tx.has_row(sql, &[&claim, &now])?;
    Ok(if waits { BrowserSessionOutput::Waiting } else { BrowserSessionOutput::Session(None) })
}

/// Reads a link; `None` if its state is unknown.
fn read_row(row: &Row) -> Result<Option<LinkRecord>, DatabaseError> {
    let Some(state) = LinkState::parse(row.try_get(2)?) else { return Ok(None) };
    let (id, account) = (row.try_get(0)?, row.try_get(1)?);
    Ok(Some(LinkRecord { id, account, state, expires_at: to_timestamp(row.try_get(3)?) }))
}
