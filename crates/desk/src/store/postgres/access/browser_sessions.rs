//! Rows of signed-in browsers, and of the codes and links that start sessions.

mod links;
mod service_users;

use crate::browser_session::{BrowserSessionRecord, LinkRecord, add_seconds};
use crate::store::postgres::PostgresStore;
use crate::store::postgres::asks::ask_rows::without_nul;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::stored_time::to_timestamp;
use crate::store::{BrowserSessionOutput, BrowserSessionStore, BrowserSessionWrite, NewBrowserSession};
use jiff::Timestamp;
use sayso_core::model::actor::ProcessId;
use sayso_core::{Digest, Message, Problem, ProblemCode, ServiceUser, limits};
use tokio_postgres::Row;

impl BrowserSessionStore for PostgresStore {
    fn write_browser_session(&self, write: BrowserSessionWrite) -> Result<BrowserSessionOutput, Problem> {
        self.writer.run(move |tx| run(tx, &write))
    }

    fn has_code(&self, hash: &Digest, now: Timestamp) -> Result<bool, Problem> {
        let sql = "SELECT 1 FROM login_code WHERE hash = $1 AND expires_at > $2";
        self.read(|session| session.has_row(sql, &[&hash.as_bytes().as_slice(), &now.as_microsecond()]))
    }

    fn link(&self, id: &str, now: Timestamp) -> Result<Option<LinkRecord>, Problem> {
        self.read(|session| links::find(session, id, now))
    }

    fn entry_account(&self, hash: &Digest, now: Timestamp) -> Result<Option<String>, Problem> {
        self.read(|session| service_users::entry_account(session, hash, now))
    }

    fn browser_session(&self, id: &str, now: Timestamp) -> Result<Option<BrowserSessionRecord>, Problem> {
        let sql = select("id = $3");
        let values = (now.as_microsecond(), idle_before(now));
        self.read(|session| {
            session.row(&sql, &[&values.0, &values.1, &id])?.as_ref().map(read_row).transpose()
        })
    }

    fn browser_session_by_hash(
        &self,
        hash: &Digest,
        now: Timestamp,
    ) -> Result<Option<BrowserSessionRecord>, Problem> {
        let sql = select("hash = $3");
        let values = (now.as_microsecond(), idle_before(now));
        self.look_up(|session| {
            let values: [&(dyn tokio_postgres::types::ToSql + Sync); 3] =
                [&values.0, &values.1, &hash.as_bytes().as_slice()];
            session.row(&sql, &values)?.as_ref().map(read_row).transpose()
        })
    }

    fn browser_sessions(&self, now: Timestamp) -> Result<Vec<BrowserSessionRecord>, Problem> {
        let sql = format!("{} ORDER BY last_seen_at DESC, id", select("true"));
        self.read(|session| {
            session.rows(&sql, &[&now.as_microsecond(), &idle_before(now)])?.iter().map(read_row).collect()
        })
    }

    fn user_sessions(
        &self,
        user: &ServiceUser,
        now: Timestamp,
    ) -> Result<Vec<BrowserSessionRecord>, Problem> {
        let sql = format!("{} ORDER BY last_seen_at DESC, id", select("service = $3 AND account = $4"));
        let (account, times) = (user.account(), (now.as_microsecond(), idle_before(now)));
        self.read(|session| {
            let values: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                [&times.0, &times.1, &user.service(), &account];
            session.rows(&sql, &values)?.iter().map(read_row).collect()
        })
    }

    fn served_addresses(&self) -> Result<Vec<(ProcessId, String)>, Problem> {
        self.read(|session| {
            let rows = session.rows("SELECT pid, started, url FROM served", &[])?;
            let address = |row: &Row| -> Result<_, DatabaseError> {
                let pid = u32::try_from(row.try_get::<_, i64>(0)?).unwrap_or_default();
                Ok((ProcessId { pid, started: row.try_get::<_, i64>(1)?.cast_unsigned() }, row.try_get(2)?))
            };
            rows.iter().map(address).collect()
        })
    }
}

/// Runs a write inside a transaction.
fn run(tx: &WriteTransaction<'_>, write: &BrowserSessionWrite) -> Result<BrowserSessionOutput, WriteError> {
    match write {
        BrowserSessionWrite::AddCode { prefix, hash, account, expires_at } => {
            add_code(tx, *prefix, hash, account, *expires_at).map(BrowserSessionOutput::Done)
        }
        BrowserSessionWrite::RedeemCode { prefix, hash, session } => {
            let account = redeem_code(tx, *prefix, hash)?;
            let started = account.map(|account| start(tx, session, account, None));
            Ok(BrowserSessionOutput::Session(started.map(Box::new)))
        }
        BrowserSessionWrite::Start { session, account, token } => {
            let started = start(tx, session, account.clone(), Some(token.clone()));
            Ok(BrowserSessionOutput::Session(Some(Box::new(started))))
        }
        BrowserSessionWrite::StartForUser { session, login } => {
            let started = service_users::start(tx, session, login)?;
            Ok(BrowserSessionOutput::Session(Some(Box::new(started))))
        }
        BrowserSessionWrite::AddEntry { id, hash, login, expires_at } => {
            service_users::add_entry(tx, (id, hash), login, *expires_at)
                .map(|()| BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::RedeemEntry { hash, session } => {
            let started = service_users::redeem_entry(tx, hash, session)?;
            Ok(BrowserSessionOutput::Session(started.map(Box::new)))
        }
        BrowserSessionWrite::EndOfUser { user } => {
            service_users::end(tx, user);
            Ok(BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::AddLink { link, hash, token } => {
            links::add(tx, link, hash, token.as_deref()).map(|()| BrowserSessionOutput::Done(true))
        }
        BrowserSessionWrite::ClaimLink { hash, claim, number, public_key, agent } => {
            let browser = (public_key.as_slice(), agent.as_deref());
            Ok(BrowserSessionOutput::Link(links::claim(tx, hash, (claim, number), browser)?))
        }
        BrowserSessionWrite::ConfirmLink { id, number } => {
            Ok(BrowserSessionOutput::Done(links::confirm(tx, id, number.as_deref())?))
        }
        BrowserSessionWrite::FinishClaim { claim, id, hash } => links::finish(tx, claim, (id, hash)),
        BrowserSessionWrite::Touch { id } => {
            let sql =
                "UPDATE session SET last_seen_at = greatest(last_seen_at, $2) WHERE id = $1 RETURNING id";
            let touched = tx.write_now(sql, &[id, &tx.now().as_microsecond()])?;
            Ok(BrowserSessionOutput::Done(!touched.is_empty()))
        }
        BrowserSessionWrite::End { id } => {
            let gone = tx.write_now("DELETE FROM session WHERE id = $1 RETURNING id", &[id])?;
            Ok(BrowserSessionOutput::Done(!gone.is_empty()))
        }
        BrowserSessionWrite::Serve { process, url } => {
            Ok(BrowserSessionOutput::Done(serve(tx, *process, url.as_deref())?))
        }
    }
}

/// Stores or removes the address of a process.
fn serve(tx: &WriteTransaction<'_>, process: ProcessId, url: Option<&str>) -> Result<bool, DatabaseError> {
    let (pid, started) = (i64::from(process.pid), process.started.cast_signed());
    let Some(url) = url else {
        let sql = "DELETE FROM served WHERE pid = $1 AND started = $2 RETURNING pid";
        return Ok(!tx.write_now(sql, &[&pid, &started])?.is_empty());
    };
    let sql = "INSERT INTO served (pid, started, url) VALUES ($1, $2, $3) \
               ON CONFLICT (pid, started) DO UPDATE SET url = excluded.url";
    tx.write(sql, values![pid, started, url.to_owned()]);
    Ok(true)
}

/// Stores a code, unless an unused one has the same prefix.
fn add_code(
    tx: &WriteTransaction<'_>,
    prefix: u64,
    hash: &Digest,
    account: &str,
    expires_at: Timestamp,
) -> Result<bool, WriteError> {
    tx.write("DELETE FROM login_code WHERE expires_at <= $1", values![tx.now().as_microsecond()]);
    check_code_count(tx.row("SELECT count(*) FROM login_code", &[])?.map_or(Ok(0), |row| row.try_get(0))?)?;
    let sql = "INSERT INTO login_code (prefix, hash, account, expires_at) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (prefix) DO NOTHING RETURNING prefix";
    let (hash, expires_at) = (hash.as_bytes().as_slice(), expires_at.as_microsecond());
    Ok(!tx.write_now(sql, &[&prefix.cast_signed(), &hash, &account, &expires_at])?.is_empty())
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
    tx: &WriteTransaction<'_>,
    prefix: u64,
    hash: &Digest,
) -> Result<Option<String>, DatabaseError> {
    let sql = "DELETE FROM login_code WHERE prefix = $1 AND hash = $2 AND expires_at > $3 AND wrong_tries < $4 \
               RETURNING account";
    let prefix = prefix.cast_signed();
    let (now, tries) = (tx.now().as_microsecond(), i64::from(limits::LOGIN_ATTEMPTS));
    let found = tx.write_now(sql, &[&prefix, &hash.as_bytes().as_slice(), &now, &tries])?;
    if found.is_empty() {
        tx.write("UPDATE login_code SET wrong_tries = wrong_tries + 1 WHERE prefix = $1", values![prefix]);
    }
    found.first().map(|row| row.try_get(0)).transpose()
}

/// Stores a member's session. At the limit, it deletes those that have ended, and else the one idle for longest.
fn start(
    tx: &WriteTransaction<'_>,
    new: &NewBrowserSession,
    account: String,
    token: Option<String>,
) -> BrowserSessionRecord {
    delete_ended(tx);
    let most = i64::try_from(limits::SESSIONS - 1).unwrap_or(i64::MAX);
    let sql = "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE service IS NULL \
               ORDER BY last_seen_at DESC OFFSET $1)";
    tx.write(sql, values![most]);
    insert(tx, new.to_record(account, token, tx.now()), &new.hash)
}

/// Deletes the sessions that have ended by themselves.
fn delete_ended(tx: &WriteTransaction<'_>) {
    let now = tx.now();
    let sql = "DELETE FROM session WHERE last_seen_at <= $1 OR expires_at <= $2";
    tx.write(sql, values![idle_before(now), now.as_microsecond()]);
}

/// Stores a session, and returns it as it is stored.
fn insert(tx: &WriteTransaction<'_>, session: BrowserSessionRecord, hash: &Digest) -> BrowserSessionRecord {
    let session = BrowserSessionRecord { agent: session.agent.as_deref().map(without_nul), ..session };
    tx.write(
        "INSERT INTO session (id, hash, account, token, service, key, agent, created_at, last_seen_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)",
        values![
            session.id.clone(),
            hash.as_bytes().to_vec(),
            session.account.clone(),
            session.token.clone(),
            session.service.clone(),
            session.public_key.clone().unwrap_or_default(),
            session.agent.clone(),
            session.created_at.as_microsecond(),
            session.expires_at.map(Timestamp::as_microsecond),
        ],
    );
    session
}

/// Returns the time of the last request at or before which a session has ended.
fn idle_before(now: Timestamp) -> i64 {
    add_seconds(now, -limits::SESSION_IDLE_SECONDS).as_microsecond()
}

/// Selects sessions that have not ended: `$1` is the time, `$2` that of the earliest last request.
fn select(condition: &str) -> String {
    format!(
        "SELECT id, account, token, key, agent, created_at, last_seen_at, service, expires_at FROM session \
         WHERE {condition} AND last_seen_at > $2 AND coalesce(expires_at > $1, true) AND (token IS NULL OR EXISTS (SELECT 1 FROM token AS t \
         WHERE t.id = session.token AND t.revoked_at IS NULL AND coalesce(t.expires_at > $1, true)))"
    )
}

/// Returns the key in a column; it is empty for a browser without one.
fn to_public_key(column: Vec<u8>) -> Option<Vec<u8>> {
    (!column.is_empty()).then_some(column)
}

fn read_row(row: &Row) -> Result<BrowserSessionRecord, DatabaseError> {
    Ok(BrowserSessionRecord {
        id: row.try_get(0)?,
        account: row.try_get(1)?,
        token: row.try_get(2)?,
        public_key: to_public_key(row.try_get(3)?),
        agent: row.try_get(4)?,
        created_at: to_timestamp(row.try_get(5)?),
        last_seen_at: to_timestamp(row.try_get(6)?),
        service: row.try_get(7)?,
        expires_at: row.try_get::<_, Option<i64>>(8)?.map(to_timestamp),
    })
}
