//! Rows of tokens, each under the hash of its text.

use crate::browser_session::add_seconds;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::error::database_problem;
use crate::store::sqlite::writer::job::JobError;
use crate::store::sqlite::writer::job::WriteJob;
use crate::store::{GoneAccounts, TokenStore};
use crate::token::{NewToken, TokenAudience, TokenRecord, TokenRole};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sayso_core::wire::json;
use sayso_core::{Digest, Message, Problem, ProblemCode, limits};

impl TokenStore for SqliteStore {
    fn add_token(&self, new: NewToken) -> Result<(), Problem> {
        self.writer.run(WriteJob::NewToken(new))?.into_token().map(drop)
    }

    fn tokens(&self) -> Result<Vec<TokenRecord>, Problem> {
        self.read_many(all)
    }

    fn token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        let conn = self.connection(&self.token_reader)?;
        find_by_id(&conn, id).map_err(|error| database_problem(&error))
    }

    fn revoke_token(&self, id: &str) -> Result<Option<TokenRecord>, Problem> {
        self.writer.run(WriteJob::RevokeToken { id: id.to_owned() })?.into_token()
    }

    fn find_valid_token(&self, hash: Digest, now: Timestamp) -> Result<Option<TokenRecord>, Problem> {
        let conn = self.connection(&self.token_reader)?;
        find_by_hash(&conn, &hash, now).map_err(|error| database_problem(&error))
    }

    fn has_service(&self, account: &str) -> Result<bool, Problem> {
        let conn = self.connection(&self.token_reader)?;
        let find = || {
            conn.prepare_cached("SELECT 1 FROM token WHERE role = 'service' AND account = ?1")?
                .exists([account])
        };
        find().map_err(|error| database_problem(&error))
    }

    fn gone_accounts(&self, now: Timestamp) -> Result<GoneAccounts, Problem> {
        let conn = self.connection(&self.token_reader)?;
        gone_accounts(&conn, now).map_err(|error| database_problem(&error))
    }
}

const COLUMNS: &str = "id, role, account, created_at, expires_at, revoked_at, audience";
/// Condition of the token of a sign-in by a proxy: the beginning of its hash.
const IS_SIGN_IN: &str = "substr(hash, 1, 8) = x'0000000000000000'";

/// Stores a new token. At the limit, it deletes the one that ended first.
pub(crate) fn add(conn: &Connection, new: &NewToken, now: Timestamp) -> Result<(), JobError> {
    if new.is_sign_in {
        delete_old_sign_ins(conn, &new.token.account, now)?;
    }
    let count: i64 = conn.prepare_cached("SELECT count(*) FROM token")?.query_row([], |row| row.get(0))?;
    if count.unsigned_abs() >= limits::TOKENS && !delete_ended(conn, now)? {
        let message = Message::TokensFull.with([limits::TOKENS]);
        return Err(Problem::new(ProblemCode::DeskCrowded, message)
            .with_hint(Message::TokensFullHint)
            .into());
    }
    let NewToken { token, hash, .. } = new;
    conn.prepare_cached(
        "INSERT INTO token (id, hash, role, account, created_at, expires_at, audience) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        token.id,
        hash.as_bytes(),
        token.role.as_str(),
        token.account,
        token.created_at.as_microsecond(),
        token.expires_at.map(Timestamp::as_microsecond),
        (!token.audience.is_empty()).then(|| json::write(&token.audience)),
    ])?;
    Ok(())
}

fn delete_ended(conn: &Connection, now: Timestamp) -> rusqlite::Result<bool> {
    let gone = conn
        .prepare_cached(
            "DELETE FROM token WHERE id = (SELECT id FROM token WHERE revoked_at IS NOT NULL OR expires_at <= ?1 \
             ORDER BY min(ifnull(revoked_at, expires_at), ifnull(expires_at, revoked_at)) LIMIT 1)",
        )?
        .execute([now.as_microsecond()])?;
    Ok(gone > 0)
}

/// Deletes the tokens of sign-ins by a proxy that let no one in any more. Of an account that has gone a revoked one
/// stays, as the sign of it.
fn delete_old_sign_ins(conn: &Connection, account: &str, now: Timestamp) -> rusqlite::Result<()> {
    // A browser is let in right after its token was made.
    let unused = add_seconds(now, -limits::LOGIN_CODE_SECONDS).as_microsecond();
    let sql = format!(
        "DELETE FROM token WHERE {IS_SIGN_IN} AND CASE WHEN revoked_at IS NOT NULL THEN account = ?1 \
         ELSE expires_at <= ?2 OR created_at <= ?3 \
         AND id NOT IN (SELECT token FROM session WHERE token IS NOT NULL) END"
    );
    conn.prepare_cached(&sql)?.execute(params![account, now.as_microsecond(), unused]).map(drop)
}

/// Reads the accounts of people, and the services, whose tokens have all ended. A sign-in by a proxy that has expired
/// is no end: the person may sign in again.
fn gone_accounts(conn: &Connection, now: Timestamp) -> rusqlite::Result<GoneAccounts> {
    let sql = format!(
        "SELECT account, role = 'service' AS is_service FROM token WHERE role <> 'asker' \
         GROUP BY account, is_service HAVING min(CASE WHEN revoked_at IS NOT NULL THEN 1 WHEN {IS_SIGN_IN} THEN 0 \
         ELSE ifnull(expires_at <= ?1, 0) END) = 1"
    );
    let mut gone = GoneAccounts::default();
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query([now.as_microsecond()])?;
    while let Some(row) = rows.next()? {
        let kind = if row.get(1)? { &mut gone.services } else { &mut gone.persons };
        kind.insert(row.get(0)?);
    }
    Ok(gone)
}

/// Marks a token as revoked, if it is not yet; `None` if it does not exist.
pub(crate) fn revoke(conn: &Connection, id: &str, now: Timestamp) -> Result<Option<TokenRecord>, JobError> {
    conn.prepare_cached("UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")?
        .execute(params![id, now.as_microsecond()])?;
    Ok(find_by_id(conn, id)?)
}

/// Reads the token with this id.
pub(crate) fn find_by_id(conn: &Connection, id: &str) -> rusqlite::Result<Option<TokenRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM token WHERE id = ?1");
    conn.prepare_cached(&sql)?.query_row([id], read_row).optional()
}

/// Reads every token, oldest first.
pub(crate) fn all(conn: &Connection) -> rusqlite::Result<Vec<TokenRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM token ORDER BY created_at, id");
    conn.prepare_cached(&sql)?.query_map([], read_row)?.collect()
}

/// Reads the token with this hash that is valid at this time.
pub(crate) fn find_by_hash(
    conn: &Connection,
    hash: &Digest,
    now: Timestamp,
) -> rusqlite::Result<Option<TokenRecord>> {
    let sql = format!("SELECT {COLUMNS} FROM token WHERE hash = ?1");
    let found = conn.prepare_cached(&sql)?.query_row([hash.as_bytes()], read_row).optional()?;
    Ok(found.filter(|token| token.is_valid(now)))
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<TokenRecord> {
    let no_value = |at: usize| rusqlite::Error::InvalidColumnType(at, "token".to_owned(), Type::Text);
    let time = |at: usize, value: i64| Timestamp::from_microsecond(value).map_err(|_| no_value(at));
    let maybe = |at: usize| row.get::<_, Option<i64>>(at)?.map(|value| time(at, value)).transpose();
    Ok(TokenRecord {
        id: row.get(0)?,
        role: TokenRole::parse(row.get_ref(1)?.as_str()?).ok_or_else(|| no_value(1))?,
        account: row.get(2)?,
        created_at: time(3, row.get(3)?)?,
        expires_at: maybe(4)?,
        revoked_at: maybe(5)?,
        audience: match row.get::<_, Option<String>>(6)? {
            Some(text) => json::read_own(&text).map_err(|_| no_value(6))?,
            None => TokenAudience::default(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::tests::tables;
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

    fn added(conn: &Connection, new: &NewToken, now: Timestamp) -> Option<ProblemCode> {
        match add(conn, new, now) {
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
        assert_eq!(find_by_hash(&conn, &new.hash, at(59)).unwrap(), Some(new.token.clone()));
        assert_eq!(find_by_hash(&conn, &new.hash, at(60)).unwrap(), None);
        assert_eq!(all(&conn).unwrap(), [new.token]);
    }

    #[test]
    fn first_revocation_counts() {
        let (_folder, conn) = tables();
        let new = token("one", None);
        assert_eq!(added(&conn, &new, at(0)), None);
        for now in [at(5), at(9)] {
            let Ok(Some(revoked)) = revoke(&conn, "one", now) else { panic!("there is one") };
            assert_eq!(revoked.revoked_at, Some(at(5)));
        }
        assert!(matches!(revoke(&conn, "two", at(5)), Ok(None)));
        assert_eq!(find_by_hash(&conn, &new.hash, at(6)).unwrap(), None);
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
        assert!(revoke(&conn, "old7", at(3)).is_ok() && revoke(&conn, "old5", at(2)).is_ok());
        conn.execute("UPDATE token SET expires_at = 1000000 WHERE id = 'old9'", []).unwrap();
        let has = |id: &str| all(&conn).unwrap().iter().any(|token| token.id == id);
        for (new, forgotten) in [("new1", "old9"), ("new2", "old5"), ("new3", "old7")] {
            assert!(has(forgotten));
            assert_eq!(added(&conn, &token(new, None), at(10)), None);
            assert!(has(new) && !has(forgotten), "{new}");
        }
        assert_eq!(added(&conn, &token("new4", None), at(10)), Some(ProblemCode::DeskCrowded));
    }
}
