//! Rows of groups of accounts.

use crate::group::{GroupChange, Groups};
use crate::store::GroupStore;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::error::database_problem;
use crate::store::sqlite::writer::job::WriteJob;
use rusqlite::Connection;
use sayso_core::Problem;
use std::collections::BTreeSet;

impl GroupStore for SqliteStore {
    fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem> {
        // Each request of a person asks for them, right after its token.
        let conn = self.connection(&self.token_reader)?;
        of_account(&conn, account).map_err(|error| database_problem(&error))
    }

    fn groups(&self) -> Result<Groups, Problem> {
        let conn = self.connection(&self.token_reader)?;
        all(&conn).map_err(|error| database_problem(&error))
    }

    fn change_group(&self, change: GroupChange) -> Result<bool, Problem> {
        Ok(self.writer.run(WriteJob::ChangeGroup(change))?.into_count()? > 0)
    }
}

/// Stores a change, and returns the number of changed rows.
pub(crate) fn change(conn: &Connection, change: &GroupChange) -> rusqlite::Result<usize> {
    let sql = match change.joins {
        true => "INSERT OR IGNORE INTO group_member (account, name) VALUES (?1, ?2)",
        false => "DELETE FROM group_member WHERE account = ?1 AND name = ?2",
    };
    conn.prepare_cached(sql)?.execute([&change.account, &change.group])
}

fn of_account(conn: &Connection, account: &str) -> rusqlite::Result<BTreeSet<String>> {
    conn.prepare_cached("SELECT name FROM group_member WHERE account = ?1")?
        .query_map([account], |row| row.get(0))?
        .collect()
}

fn all(conn: &Connection) -> rusqlite::Result<Groups> {
    let mut groups = Groups::new();
    let mut statement = conn.prepare_cached("SELECT name, account FROM group_member")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        groups.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    Ok(groups)
}
