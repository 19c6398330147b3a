//! Signed-in browsers, and the codes and links that start sessions.

mod links;
mod service_users;

use crate::browser_session::{BrowserSessionRecord, LinkRecord, add_seconds};
use crate::store::api::{BrowserSessionOutput, BrowserSessionStore, BrowserSessionWrite, NewBrowserSession};
use crate::store::logic::statements::{StatementStore, StoreReader, StoreTransaction, WriteNeeds};
use crate::store::row_value::{RowValue, StoredRow, UnreadableColumn};
use jiff::Timestamp;
use sayso_core::model::actor::ProcessId;
use sayso_core::{Digest, Message, Problem, ProblemCode, ServiceUser, limits};

impl<S: StatementStore> BrowserSessionStore for S {
    fn write_browser_session(&self, write: BrowserSessionWrite) -> Result<BrowserSessionOutput, Problem> {
        let needs = if write.must_sync() { WriteNeeds::DURABLE } else { WriteNeeds::RELAXED };
        self.run_write(needs, move |tx| run(tx, &write))
    }

    fn has_code(&self, hash: &Digest, now: Timestamp) -> Result<bool, Problem> {
        let sql = "SELECT 1 FROM login_code WHERE hash = $1 AND expires_at > $2";
        self.run_read(|reader| reader.has_rows(sql, &[hash.into(), now.into()]))
    }

    fn link(&self, id: &str, now: Timestamp) -> Result<Option<LinkRecord>, Problem> {
        self.run_read(|reader| links::find(reader, id, now))
    }

    fn entry_account(&self, hash: &Digest, now: Timestamp) -> Result<Option<String>, Problem> {
        self.run_read(|reader| service_users::entry_account(reader, hash, now))
    }

    fn browser_session(&self, id: &str, now: Timestamp) -> Result<Option<BrowserSessionRecord>, Problem> {
        self.run_lookup(|reader| find(reader, "id = $3", id.into(), now))
    }

    fn browser_session_by_hash(
        &self,
        hash: &Digest,
        now: Timestamp,
    ) -> Result<Option<BrowserSessionRecord>, Problem> {
        self.run_lookup(|reader| find(reader, "hash = $3", hash.into(), now))
    }

    fn browser_sessions(&self, now: Timestamp) -> Result<Vec<BrowserSessionRecord>, Problem> {
        self.run_scan(|reader| all(reader, now))
    }

    fn user_sessions(
        &self,
        user: &ServiceUser,
        now: Timestamp,
    ) -> Result<Vec<BrowserSessionRecord>, Problem> {
        let sql = select("service = $3 AND account = $4") + LAST_USED_FIRST;
        let values = [now.into(), idle_before(now).into(), user.service().into(), user.account().into()];
        self.run_read(|reader| read_rows(&reader.query(&sql, &values)?))
    }

    fn served_addresses(&self) -> Result<Vec<(ProcessId, String)>, Problem> {
        self.run_read(|reader| {
            let mut addresses = Vec::new();
            for row in reader.query("SELECT pid, started, url FROM served", &[])? {
                let process = ProcessId { pid: row.get(0)?, started: row.get::<i64>(1)?.cast_unsigned() };
                addresses.push((process, row.get(2)?));
            }
            Ok(addresses)
        })
    }
}

/// Runs a write.
fn run<T: StoreTransaction>(tx: &T, write: &BrowserSessionWrite) -> Result<BrowserSessionOutput, T::Error> {
    match write {
        BrowserSessionWrite::AddCode { prefix, hash, account, expires_at } => {
            add_code(tx, *prefix, hash, account, *expires_at).map(BrowserSessionOutput::Done)
        }
        BrowserSessionWrite::RedeemCode { prefix, hash, session } => {
            let Some(account) = redeem_code(tx, *prefix, hash)? else {
                return Ok(BrowserSessionOutput::Session(None));
            };
            start(tx, session, account, None).map(BrowserSessionOutput::started)
        }
        BrowserSessionWrite::Start { session, account, token } => {
            start(tx, session, account.clone(), Some(token.clone())).map(BrowserSessionOutput::started)
        }
        BrowserSessionWrite::StartForUser { session, login } => {
            service_users::start(tx, session, login).map(BrowserSessionOutput::started)
        }
        BrowserSessionWrite::AddEntry { id, hash, login, expires_at } => {
            service_users::add_entry(tx, (id, hash), login, *expires_at)?;
            Ok(BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::RedeemEntry { hash, session } => {
            let session = service_users::redeem_entry(tx, hash, session)?;
            Ok(BrowserSessionOutput::Session(session.map(Box::new)))
        }
        BrowserSessionWrite::EndOfUser { user } => {
            service_users::end(tx, user)?;
            Ok(BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::AddLink { link, hash, token } => {
            links::add(tx, link, hash, token.as_deref())?;
            Ok(BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::ClaimLink { hash, claim, number, public_key, agent } => {
            let browser = (public_key.as_slice(), agent.as_deref());
            links::claim(tx, hash, (claim, number), browser).map(BrowserSessionOutput::Link)
        }
        BrowserSessionWrite::ConfirmLink { id, number } => {
            links::confirm(tx, id, number.as_deref()).map(BrowserSessionOutput::Done)
        }
        BrowserSessionWrite::FinishClaim { claim, id, hash } => links::finish(tx, claim, (id, hash)),
        BrowserSessionWrite::Touch { id } => {
            let sql = "UPDATE session SET last_seen_at = CASE WHEN last_seen_at < $2 THEN $2 ELSE last_seen_at END \
                       WHERE id = $1 RETURNING id";
            let rows = tx.write_returning(sql, &[id.into(), tx.now().into()])?;
            Ok(BrowserSessionOutput::Done(!rows.is_empty()))
        }
        BrowserSessionWrite::End { id } => {
            let rows = tx.write_returning("DELETE FROM session WHERE id = $1 RETURNING id", &[id.into()])?;
            Ok(BrowserSessionOutput::Done(!rows.is_empty()))
        }
        BrowserSessionWrite::Serve { process, url } => {
            serve(tx, *process, url.as_deref()).map(BrowserSessionOutput::Done)
        }
    }
}

/// Stores or removes the address of a process.
fn serve<T: StoreTransaction>(tx: &T, process: ProcessId, url: Option<&str>) -> Result<bool, T::Error> {
    let [pid, started] = [process.pid.into(), process.started.cast_signed().into()];
    let Some(url) = url else {
        let sql = "DELETE FROM served WHERE pid = $1 AND started = $2 RETURNING pid";
        return Ok(!tx.write_returning(sql, &[pid, started])?.is_empty());
    };
    let sql = "INSERT INTO served (pid, started, url) VALUES ($1, $2, $3) \
               ON CONFLICT (pid, started) DO UPDATE SET url = excluded.url";
    tx.write(sql, &[pid, started, url.into()])?;
    Ok(true)
}

/// Stores a code, unless an unused one has the same prefix.
fn add_code<T: StoreTransaction>(
    tx: &T,
    prefix: u64,
    hash: &Digest,
    account: &str,
    expires_at: Timestamp,
) -> Result<bool, T::Error> {
    tx.write("DELETE FROM login_code WHERE expires_at <= $1", &[tx.now().into()])?;
    check_code_count(tx.query_count("SELECT count(*) FROM login_code", &[])?)?;
    let sql = "INSERT INTO login_code (prefix, hash, account, expires_at) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (prefix) DO NOTHING RETURNING prefix";
    let values = [prefix.cast_signed().into(), hash.into(), account.into(), expires_at.into()];
    Ok(!tx.write_returning(sql, &values)?.is_empty())
}

fn check_code_count(count: i64) -> Result<(), Problem> {
    if usize::try_from(count).is_ok_and(|count| count < limits::LOGIN_CODES) {
        return Ok(());
    }
    let message = Message::LoginCodesMany.with([limits::LOGIN_CODES]);
    Err(Problem::new(ProblemCode::TooManyRequests, message))
}

/// Uses up the code with this prefix and hash, and returns its account. A wrong hash counts against the code.
fn redeem_code<T: StoreTransaction>(tx: &T, prefix: u64, hash: &Digest) -> Result<Option<String>, T::Error> {
    let sql = "DELETE FROM login_code WHERE prefix = $1 AND hash = $2 AND expires_at > $3 AND wrong_tries < $4 \
               RETURNING account";
    let prefix: RowValue = prefix.cast_signed().into();
    let values = [prefix.clone(), hash.into(), tx.now().into(), limits::LOGIN_ATTEMPTS.into()];
    let rows = tx.write_returning(sql, &values)?;
    let Some(row) = rows.first() else {
        tx.write("UPDATE login_code SET wrong_tries = wrong_tries + 1 WHERE prefix = $1", &[prefix])?;
        return Ok(None);
    };
    Ok(Some(row.get(0)?))
}

/// Stores a member's session. At the limit, it deletes those that have ended, and else the one idle for longest.
fn start<T: StoreTransaction>(
    tx: &T,
    new: &NewBrowserSession,
    account: String,
    token: Option<String>,
) -> Result<BrowserSessionRecord, T::Error> {
    delete_ended(tx)?;
    let others = i64::try_from(limits::SESSIONS - 1).unwrap_or(i64::MAX);
    let sql = "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE service IS NULL \
               ORDER BY last_seen_at DESC LIMIT $1 OFFSET $2)";
    tx.write(sql, &[ALL_ROWS.into(), others.into()])?;
    let record = new.to_record(account, token, tx.now());
    insert(tx, &record, &new.hash)?;
    Ok(record)
}

/// Limit of a query without one. SQLite has no offset without a limit.
const ALL_ROWS: i64 = i64::MAX;

/// Deletes the sessions that have ended by themselves.
fn delete_ended<T: StoreTransaction>(tx: &T) -> Result<(), T::Error> {
    let sql = "DELETE FROM session WHERE last_seen_at <= $1 OR expires_at <= $2";
    tx.write(sql, &[idle_before(tx.now()).into(), tx.now().into()])
}

fn insert<T: StoreTransaction>(
    tx: &T,
    session: &BrowserSessionRecord,
    hash: &Digest,
) -> Result<(), T::Error> {
    tx.write(
        "INSERT INTO session (id, hash, account, token, service, key, agent, created_at, last_seen_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)",
        &[
            (&session.id).into(),
            hash.into(),
            (&session.account).into(),
            session.token.as_ref().into(),
            session.service.as_ref().into(),
            session.public_key.as_deref().unwrap_or_default().into(),
            session.agent.as_ref().into(),
            session.created_at.into(),
            session.expires_at.into(),
        ],
    )
}

/// Returns the time of the last request at or before which a session has ended.
fn idle_before(now: Timestamp) -> Timestamp {
    add_seconds(now, -limits::SESSION_IDLE_SECONDS)
}

/// Returns the condition of a row whose token is valid at this time.
fn has_valid_token(table: &str, now: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM token AS t WHERE t.id = {table}.token AND t.revoked_at IS NULL \
         AND (t.expires_at IS NULL OR t.expires_at > {now}))"
    )
}

/// Selects sessions that have not ended: `$1` is the time, `$2` that of the earliest last request.
fn select(condition: &str) -> String {
    format!(
        "SELECT id, account, token, key, agent, created_at, last_seen_at, service, expires_at FROM session \
         WHERE {condition} AND last_seen_at > $2 AND (expires_at IS NULL OR expires_at > $1) \
         AND (token IS NULL OR {})",
        has_valid_token("session", "$1")
    )
}

/// Order of lists.
const LAST_USED_FIRST: &str = " ORDER BY last_seen_at DESC, id";

/// Finds the session with this value as `$3` of the condition.
fn find<R: StoreReader>(
    reader: &R,
    condition: &str,
    value: RowValue,
    now: Timestamp,
) -> Result<Option<BrowserSessionRecord>, R::Error> {
    match reader.query_one(&select(condition), &[now.into(), idle_before(now).into(), value])? {
        Some(row) => Ok(Some(read_row(&row)?)),
        None => Ok(None),
    }
}

fn all<R: StoreReader>(reader: &R, now: Timestamp) -> Result<Vec<BrowserSessionRecord>, R::Error> {
    let sql = select("1 = 1") + LAST_USED_FIRST;
    read_rows(&reader.query(&sql, &[now.into(), idle_before(now).into()])?)
}

fn read_rows<E: From<UnreadableColumn>>(rows: &[StoredRow]) -> Result<Vec<BrowserSessionRecord>, E> {
    Ok(rows.iter().map(read_row).collect::<Result<_, _>>()?)
}

/// Returns the key in a column; it is empty for a browser without one.
fn to_public_key(column: Option<Vec<u8>>) -> Option<Vec<u8>> {
    column.filter(|key| !key.is_empty())
}

fn read_row(row: &StoredRow) -> Result<BrowserSessionRecord, UnreadableColumn> {
    Ok(BrowserSessionRecord {
        id: row.get(0)?,
        account: row.get(1)?,
        token: row.get(2)?,
        public_key: to_public_key(row.get(3)?),
        agent: row.get(4)?,
        created_at: row.get(5)?,
        last_seen_at: row.get(6)?,
        service: row.get(7)?,
        expires_at: row.get(8)?,
    })
}

#[cfg(test)]
mod tests;
