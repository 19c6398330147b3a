//! Rows of groups of accounts.

use crate::group::{GroupChange, Groups};
use crate::store::GroupStore;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::connection::Query as _;
use sayso_core::Problem;
use std::collections::BTreeSet;

impl GroupStore for PostgresStore {
    fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem> {
        let sql = "SELECT name FROM group_member WHERE account = $1";
        self.look_up(|session| session.rows(sql, &[&account])?.iter().map(|row| row.try_get(0)).collect())
    }

    fn groups(&self) -> Result<Groups, Problem> {
        self.read(|session| {
            let mut groups = Groups::new();
            for row in session.rows("SELECT name, account FROM group_member", &[])? {
                groups.entry(row.try_get(0)?).or_default().insert(row.try_get(1)?);
            }
            Ok(groups)
        })
    }

    fn change_group(&self, GroupChange { group, account, joins }: GroupChange) -> Result<bool, Problem> {
        self.writer.run(move |tx| {
            let sql = if joins {
                "INSERT INTO group_member (account, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name"
            } else {
                "DELETE FROM group_member WHERE account = $1 AND name = $2 RETURNING name"
            };
            Ok(!tx.write_now(sql, &[&account, &group])?.is_empty())
        })
    }
}
