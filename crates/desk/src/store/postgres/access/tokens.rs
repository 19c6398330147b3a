//! Rows of tokens, each under the hash of its text.

use crate::browser_session::add_seconds;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::stored_time::to_timestamp;
use crate::store::{GoneAccounts, TokenStore};
use crate::token::{NewToken, TokenAudience, TokenRecord, TokenRole};
use jiff::Timestamp;
use sayso_core::wire::json;
use sayso_core::{Digest, Message, Problem, ProblemCode, limits};
use std::sync::LazyLock;
use tokio_postgres::Row;

const COLUMNS: &str = "id, role, account, created_at, expires_at, revoked_at, audience";

/// Condition of the token of a sign-in by a proxy: the beginning of its hash.
const IS_SIGN_IN: &str = r"substring(hash from 1 for 8) = '\x0000000000000000'::bytea";

impl TokenStore for PostgresStore {
    fn add_token(&self, new: NewToken) -> Result<(), Problem> {
        self.writer.run(move |tx| add(tx, &new))
    }

    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM token ORDER BY created_at, id");
        let found = self
            .read(|session| session.rows(&sql, &[])?.iter().map(read_row).collect::<Result<Vec<_>, _>>())?;
        Ok(found.into_iter().flatten().collect())
    }

    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        self.read(|session| find_by_id(session, id))
    }

    fn revoke_token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        let id = id.to_owned();
        self.writer.run(move |tx| {
            let sql = "UPDATE token SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
            tx.write(sql, values![id.clone(), tx.now().as_microsecond()]);
            Ok(find_by_id(tx, &id)?)
        })
    }

    fn find_valid_token(&self, hash: Digest, now: Timestamp) -> Result<Option<TokenRecord>, Problem> {
        let sql = format!("SELECT {COLUMNS} FROM token WHERE hash = $1");
        let found = self.look_up(|session| {
            session.row(&sql, &[&hash.as_bytes().as_slice()])?.as_ref().map_or(Ok(None), read_row)
        })?;
        Ok(found.filter(|token| token.is_valid(now)))
    }

    fn has_service(&self, account: &str) -> Result<bool, Problem> {
        let sql = "SELECT 1 FROM token WHERE role = 'service' AND account = $1";
        self.read(|session| session.has_row(sql, &[&account]))
    }

    fn gone_accounts(&self, now: Timestamp) -> Result<GoneAccounts, Problem> {
        let sql = format!(
            "SELECT account, role = 'service' FROM token WHERE role <> 'asker' GROUP BY 1, 2 \
             HAVING bool_and(revoked_at IS NOT NULL OR NOT {IS_SIGN_IN} AND coalesce(expires_at <= $1, false))"
        );
        self.read(|session| {
            let mut gone = GoneAccounts::default();
            for row in session.rows(&sql, &[&now.as_microsecond()])? {
                let kind = if row.try_get(1)? { &mut gone.services } else { &mut gone.persons };
                kind.insert(row.try_get(0)?);
            }
            Ok(gone)
        })
    }
}

/// Deletes the tokens of sign-ins by a proxy that let no one in any more. Of an account that has gone a revoked one
/// stays, as the sign of it.
fn delete_old_sign_ins(tx: &WriteTransaction<'_>, account: &str) {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        format!(
            "DELETE FROM token WHERE {IS_SIGN_IN} \
             AND CASE WHEN revoked_at IS NOT NULL THEN account = $1 ELSE expires_at <= $2 OR created_at <= $3 \
             AND NOT EXISTS (SELECT 1 FROM session WHERE session.token = token.id) END"
        )
    });
    let now = tx.now();
    // A browser is let in right after its token was made.
    let unused = add_seconds(now, -limits::LOGIN_CODE_SECONDS).as_microsecond();
    tx.write(&SQL, values![account.to_owned(), now.as_microsecond(), unused]);
}

/// Stores a new token. At the limit, it deletes the one that ended first.
fn add(tx: &WriteTransaction<'_>, new: &NewToken) -> Result<(), WriteError> {
    if new.is_sign_in {
        delete_old_sign_ins(tx, &new.token.account);
    }
    let count: i64 = tx.row("SELECT count(*) FROM token", &[])?.map_or(Ok(0), |row| row.try_get(0))?;
    if count.unsigned_abs() >= limits::TOKENS {
        let sql = "DELETE FROM token WHERE id = (SELECT id FROM token WHERE revoked_at IS NOT NULL OR expires_at <= $1 \
                   ORDER BY least(revoked_at, expires_at) LIMIT 1) RETURNING id";
        if tx.write_now(sql, &[&tx.now().as_microsecond()])?.is_empty() {
            let message = Message::TokensFull.with([limits::TOKENS]);
            let problem = Problem::new(ProblemCode::DeskCrowded, message).with_hint(Message::TokensFullHint);
            return Err(problem.into());
        }
    }
    let NewToken { token, hash, .. } = new;
    tx.write(
        "INSERT INTO token (id, hash, role, account, created_at, expires_at, audience) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        values![
            token.id.clone(),
            hash.as_bytes().to_vec(),
            token.role.as_str(),
            token.account.clone(),
            token.created_at.as_microsecond(),
            token.expires_at.map(Timestamp::as_microsecond),
            (!token.audience.is_empty()).then(|| json::write(&token.audience)),
        ],
    );
    Ok(())
}

fn find_by_id(query: &impl Query, id: &str) -> Result<Option<TokenRecord>, DatabaseError> {
    let sql = format!("SELECT {COLUMNS} FROM token WHERE id = $1");
    query.row(&sql, &[&id])?.as_ref().map_or(Ok(None), read_row)
}

/// Reads a token; `None` if its role or its audiences cannot be read.
fn read_row(row: &Row) -> Result<Option<TokenRecord>, DatabaseError> {
    let Some(role) = TokenRole::parse(row.try_get(1)?) else { return Ok(None) };
    let text: Option<&str> = row.try_get(6)?;
    let Ok(audience) = text.map_or(Ok(TokenAudience::default()), json::read_own) else { return Ok(None) };
    Ok(Some(TokenRecord {
        id: row.try_get(0)?,
        role,
        account: row.try_get(2)?,
        created_at: to_timestamp(row.try_get(3)?),
        expires_at: row.try_get::<_, Option<i64>>(4)?.map(to_timestamp),
        revoked_at: row.try_get::<_, Option<i64>>(5)?.map(to_timestamp),
        audience,
    }))
}
