//! Tokens, each under the hash of its text.

use crate::browser_session::add_seconds;
use crate::store::api::{GoneAccounts, TokenStore};
use crate::store::logic::statements::{StatementStore, StoreReader, StoreTransaction, WriteNeeds};
use crate::store::row_value::{StoredRow, UnreadableColumn};
use crate::token::{NewToken, TokenAudience, TokenRecord, TokenRole};
use jiff::Timestamp;
use sayso_core::wire::json;
use sayso_core::{Digest, Message, Problem, ProblemCode, limits};

const COLUMNS: &str = "id, role, account, created_at, expires_at, revoked_at, audience";

/// Beginning of the hash of the token of a sign-in by a proxy.
const SIGN_IN_PREFIX: [u8; 8] = [0; 8];

impl<S: StatementStore> TokenStore for S {
    fn add_token(&self, new: NewToken) -> Result<(), Problem> {
        self.run_write(WriteNeeds::ADDING, move |tx| add(tx, &new))
    }

    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem> {
        self.run_scan(|reader| all(reader))
    }

    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        self.run_lookup(|reader| find_by_id(reader, id))
    }

    fn revoke_token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        let id = id.to_owned();
        self.run_write(WriteNeeds::DURABLE, move |tx| revoke(tx, &id))
    }

    fn find_valid_token(&self, hash: Digest, now: Timestamp) -> Result<Option<TokenRecord>, Problem> {
        self.run_lookup(|reader| find_by_hash(reader, &hash, now))
    }

    fn has_service(&self, account: &str) -> Result<bool, Problem> {
        let sql = "SELECT 1 FROM token WHERE role = 'service' AND account = $1";
        self.run_lookup(|reader| reader.has_rows(sql, &[account.into()]))
    }

    fn gone_accounts(&self, now: Timestamp) -> Result<GoneAccounts, Problem> {
        self.run_lookup(|reader| gone_accounts(reader, now))
    }
}

/// Stores a new token. At the limit, it deletes the one that ended first.
fn add<T: StoreTransaction>(tx: &T, new: &NewToken) -> Result<(), T::Error> {
    if new.is_sign_in {
        delete_old_sign_ins(tx, &new.token.account)?;
    }
    let count = tx.query_count("SELECT count(*) FROM token", &[])?;
    if count.unsigned_abs() >= limits::TOKENS && !delete_ended(tx)? {
        let message = Message::TokensFull.with([limits::TOKENS]);
        let problem = Problem::new(ProblemCode::DeskCrowded, message).with_hint(Message::TokensFullHint);
        return Err(problem.into());
    }
    let NewToken { token, hash, .. } = new;
    let audience = if token.audience.is_empty() { None } else { Some(json::write(&token.audience)) };
    tx.write(
        "INSERT INTO token (id, hash, role, account, created_at, expires_at, audience) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            (&token.id).into(),
            hash.into(),
            token.role.as_str().into(),
            (&token.account).into(),
            token.created_at.into(),
            token.expires_at.into(),
            audience.into(),
        ],
    )
}

/// Deletes the token that ended first, if one has ended.
fn delete_ended<T: StoreTransaction>(tx: &T) -> Result<bool, T::Error> {
    let sql = "DELETE FROM token WHERE id = (SELECT id FROM token WHERE revoked_at IS NOT NULL OR expires_at <= $1 \
               ORDER BY CASE WHEN expires_at IS NULL OR revoked_at < expires_at THEN revoked_at ELSE expires_at END \
               LIMIT 1) RETURNING id";
    Ok(!tx.write_returning(sql, &[tx.now().into()])?.is_empty())
}

/// Deletes the tokens of sign-ins by a proxy that let no one in any more. Of an account that has gone a revoked one
/// stays, as the sign of it.
fn delete_old_sign_ins<T: StoreTransaction>(tx: &T, account: &str) -> Result<(), T::Error> {
    // A browser is let in right after its token was made.
    let unused_before = add_seconds(tx.now(), -limits::LOGIN_CODE_SECONDS);
    tx.write(
        "DELETE FROM token WHERE substr(hash, 1, 8) = $1 AND CASE WHEN revoked_at IS NOT NULL THEN account = $2 \
         ELSE expires_at <= $3 OR created_at <= $4 \
         AND id NOT IN (SELECT token FROM session WHERE token IS NOT NULL) END",
        &[SIGN_IN_PREFIX.as_slice().into(), account.into(), tx.now().into(), unused_before.into()],
    )
}

/// Reads the accounts of people, and the services, whose tokens have all ended. A sign-in by a proxy that has expired
/// is no end: the person may sign in again.
fn gone_accounts<R: StoreReader>(reader: &R, now: Timestamp) -> Result<GoneAccounts, R::Error> {
    let sql = "SELECT account, role = 'service' FROM token WHERE role <> 'asker' GROUP BY 1, 2 \
               HAVING min(CASE WHEN revoked_at IS NOT NULL THEN 1 WHEN substr(hash, 1, 8) = $1 THEN 0 \
               WHEN expires_at <= $2 THEN 1 ELSE 0 END) = 1";
    let mut accounts = GoneAccounts::default();
    for row in reader.query(sql, &[SIGN_IN_PREFIX.as_slice().into(), now.into()])? {
        let names = if row.get(1)? { &mut accounts.services } else { &mut accounts.persons };
        names.insert(row.get(0)?);
    }
    Ok(accounts)
}

/// Marks a token as revoked, if it is not yet; `None` if it does not exist.
fn revoke<T: StoreTransaction>(tx: &T, id: &str) -> Result<Option<TokenRecord>, T::Error> {
    let sql = "UPDATE token SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    tx.write(sql, &[id.into(), tx.now().into()])?;
    find_by_id(tx, id)
}

fn find_by_id<R: StoreReader>(reader: &R, id: &str) -> Result<Option<TokenRecord>, R::Error> {
    match reader.query_one(&format!("SELECT {COLUMNS} FROM token WHERE id = $1"), &[id.into()])? {
        Some(row) => Ok(Some(read_row(&row)?)),
        None => Ok(None),
    }
}

/// Reads every token, oldest first.
fn all<R: StoreReader>(reader: &R) -> Result<Vec<TokenRecord>, R::Error> {
    let rows = reader.query(&format!("SELECT {COLUMNS} FROM token ORDER BY created_at, id"), &[])?;
    Ok(rows.iter().map(read_row).collect::<Result<_, _>>()?)
}

/// Reads the token with this hash that is valid at this time.
fn find_by_hash<R: StoreReader>(
    reader: &R,
    hash: &Digest,
    now: Timestamp,
) -> Result<Option<TokenRecord>, R::Error> {
    let sql = format!("SELECT {COLUMNS} FROM token WHERE hash = $1");
    let Some(row) = reader.query_one(&sql, &[hash.into()])? else { return Ok(None) };
    let token = read_row(&row)?;
    Ok(if token.is_valid(now) { Some(token) } else { None })
}

fn read_row(row: &StoredRow) -> Result<TokenRecord, UnreadableColumn> {
    let role: String = row.get(1)?;
    let audience = match row.get::<Option<String>>(6)? {
        Some(text) => json::read_own(&text).map_err(|_| UnreadableColumn(6))?,
        None => TokenAudience::default(),
    };
    Ok(TokenRecord {
        id: row.get(0)?,
        role: TokenRole::parse(&role).ok_or(UnreadableColumn(1))?,
        account: row.get(2)?,
        created_at: row.get(3)?,
        expires_at: row.get(4)?,
        revoked_at: row.get(5)?,
        audience,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::JobError;
    use crate::store::sqlite::tests::{Connection, tables, transaction};
    use jiff::SignedDuration;

    fn token(id: &str, expires_at: Option<Timestamp>) -> NewToken {
        let token = TokenRecord {
            id: id.to_owned(),
            role: TokenRole::Person,
            account: "ada".to_owned(),
            created_at: at(0),
            expires_at,
            revoked_at: None,
            audience: TokenAudience::default(),
        };
        NewToken { token, hash: Digest::compute(id.as_bytes()), is_sign_in: false }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
    }

    fn found(conn: &Connection, hash: &Digest, now: Timestamp) -> Option<TokenRecord> {
        find_by_hash(conn, hash, now).unwrap_or_else(|error| panic!("{}", error.into_problem()))
    }

    fn tokens(conn: &Connection) -> Vec<TokenRecord> {
        all(conn).unwrap_or_else(|error| panic!("{}", error.into_problem()))
    }

    fn added(conn: &Connection, new: &NewToken, now: Timestamp) -> Option<ProblemCode> {
        match add(&transaction(conn, now), new) {
            Ok(()) => None,
            Err(JobError::Problem(problem)) => Some(problem.code),
            Err(JobError::Database(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn token_expires_exactly_on_time() {
        let (_folder, conn) = tables();
        let new = token("one", Some(at(60)));
        assert_eq!(added(&conn, &new, at(0)), None);
        assert_eq!(found(&conn, &new.hash, at(59)), Some(new.token.clone()));
        assert_eq!(found(&conn, &new.hash, at(60)), None);
        assert_eq!(tokens(&conn), [new.token]);
    }

    #[test]
    fn first_revocation_counts() {
        let (_folder, conn) = tables();
        let new = token("one", None);
        assert_eq!(added(&conn, &new, at(0)), None);
        for now in [at(5), at(9)] {
            let Ok(Some(revoked)) = revoke(&transaction(&conn, now), "one") else { panic!("there is one") };
            assert_eq!(revoked.revoked_at, Some(at(5)));
        }
        assert!(matches!(revoke(&transaction(&conn, at(5)), "two"), Ok(None)));
        assert_eq!(found(&conn, &new.hash, at(6)), None);
    }

    #[test]
    fn full_desk_forgets_ended_tokens_first() {
        let (_folder, conn) = tables();
        let fill = format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {}) \
             INSERT INTO token (id, hash, role, account, created_at) \
             SELECT 'old' || n, 'hash' || n, 'asker', 'ci', 0 FROM n",
            limits::TOKENS
        );
        conn.execute_batch(&fill.replace("'hash' || n", "CAST('hash' || n AS BLOB)")).unwrap();
        assert_eq!(added(&conn, &token("new", None), at(10)), Some(ProblemCode::DeskCrowded));
        assert!(
            revoke(&transaction(&conn, at(3)), "old7").is_ok()
                && revoke(&transaction(&conn, at(2)), "old5").is_ok()
        );
        conn.execute("UPDATE token SET expires_at = 1000000 WHERE id = 'old9'", []).unwrap();
        let has = |id: &str| tokens(&conn).iter().any(|token| token.id == id);
        for (new, forgotten) in [("new1", "old9"), ("new2", "old5"), ("new3", "old7")] {
            assert!(has(forgotten));
            assert_eq!(added(&conn, &token(new, None), at(10)), None);
            assert!(has(new) && !has(forgotten), "{new}");
        }
        assert_eq!(added(&conn, &token("new4", None), at(10)), Some(ProblemCode::DeskCrowded));
    }
}
