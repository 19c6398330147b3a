//! Links by which a person lets in a phone.

use super::{check_code_count, start, to_public_key};
use crate::browser_session::{LinkRecord, LinkState};
use crate::store::api::{BrowserSessionOutput, NewBrowserSession};
use crate::store::logic::statements::{StoreReader, StoreTransaction};
use crate::store::row_value::{StoredRow, UnreadableColumn};
use jiff::Timestamp;
use sayso_core::Digest;

const COLUMNS: &str = "id, account, state, expires_at";

pub(super) fn add<T: StoreTransaction>(
    tx: &T,
    link: &LinkRecord,
    hash: &Digest,
    token: Option<&str>,
) -> Result<(), T::Error> {
    tx.write("DELETE FROM login_link WHERE expires_at <= $1", &[tx.now().into()])?;
    check_code_count(tx.query_count("SELECT count(*) FROM login_link WHERE state <> 'entry'", &[])?)?;
    tx.write(
        "INSERT INTO login_link (id, hash, account, token, expires_at) VALUES ($1, $2, $3, $4, $5)",
        &[(&link.id).into(), hash.into(), (&link.account).into(), token.into(), link.expires_at.into()],
    )
}

pub(super) fn find<R: StoreReader>(
    reader: &R,
    id: &str,
    now: Timestamp,
) -> Result<Option<LinkRecord>, R::Error> {
    let sql = format!("SELECT {COLUMNS} FROM login_link WHERE id = $1 AND expires_at > $2");
    let row = reader.query_one(&sql, &[id.into(), now.into()])?;
    Ok(row.as_ref().map(read_row).transpose()?)
}

/// Claims the waiting link with this hash. A second browser finds nothing to claim.
pub(super) fn claim<T: StoreTransaction>(
    tx: &T,
    hash: &Digest,
    (claim, number): (&Digest, &str),
    (public_key, agent): (&[u8], Option<&str>),
) -> Result<Option<LinkRecord>, T::Error> {
    let sql = format!(
        "UPDATE login_link SET state = 'claimed', claim = $3, number = $4, key = $5, agent = $6 \
         WHERE hash = $1 AND expires_at > $2 AND state = 'waiting' RETURNING {COLUMNS}"
    );
    let values = [hash.into(), tx.now().into(), claim.into(), number.into(), public_key.into(), agent.into()];
    Ok(tx.write_returning(&sql, &values)?.first().map(read_row).transpose()?)
}

/// Confirms a claimed link with its number, and else deletes it. A repeated confirmation changes nothing.
pub(super) fn confirm<T: StoreTransaction>(tx: &T, id: &str, number: Option<&str>) -> Result<bool, T::Error> {
    let sql = "UPDATE login_link SET state = CASE WHEN state = 'used' THEN 'used' ELSE 'confirmed' END \
               WHERE id = $1 AND number = $2 AND state <> 'waiting' AND expires_at > $3 RETURNING id";
    let rows = tx.write_returning(sql, &[id.into(), number.into(), tx.now().into()])?;
    if rows.is_empty() {
        tx.write("DELETE FROM login_link WHERE id = $1 AND state <> 'used'", &[id.into()])?;
    }
    Ok(!rows.is_empty())
}

/// Starts the session of a confirmed claim, once.
pub(super) fn finish<T: StoreTransaction>(
    tx: &T,
    claim: &Digest,
    (id, hash): (&str, &Digest),
) -> Result<BrowserSessionOutput, T::Error> {
    let sql = "UPDATE login_link SET state = 'used' WHERE claim = $1 AND expires_at > $2 AND state = 'confirmed' \
               RETURNING account, token, key, agent";
    let values = [claim.into(), tx.now().into()];
    if let Some(row) = tx.write_returning(sql, &values)?.first() {
        let session = NewBrowserSession {
            id: id.to_owned(),
            hash: *hash,
            public_key: to_public_key(row.get(2)?),
            agent: row.get(3)?,
        };
        return start(tx, &session, row.get(0)?, row.get(1)?).map(BrowserSessionOutput::started);
    }
    let sql = "SELECT 1 FROM login_link WHERE claim = $1 AND expires_at > $2 AND state = 'claimed'";
    let waits = tx.has_rows(sql, &values)?;
    Ok(if waits { BrowserSessionOutput::Waiting } else { BrowserSessionOutput::Session(None) })
}

fn read_row(row: &StoredRow) -> Result<LinkRecord, UnreadableColumn> {
    let state: String = row.get(2)?;
    Ok(LinkRecord {
        id: row.get(0)?,
        account: row.get(1)?,
        state: LinkState::parse(&state).ok_or(UnreadableColumn(2))?,
        expires_at: row.get(3)?,
    })
}
