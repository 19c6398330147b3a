//! Groups of accounts.

use crate::group::{GroupChange, Groups};
use crate::store::api::GroupStore;
use crate::store::logic::statements::{StatementStore, StoreReader as _, StoreTransaction as _, WriteNeeds};
use sayso_core::Problem;
use std::collections::BTreeSet;

impl<S: StatementStore> GroupStore for S {
    fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem> {
        // Each request of a person asks for them, right after its token.
        self.run_lookup(|reader| {
            let mut names = BTreeSet::new();
            for row in reader.query("SELECT name FROM group_member WHERE account = $1", &[account.into()])? {
                names.insert(row.get(0)?);
            }
            Ok(names)
        })
    }

    fn groups(&self) -> Result<Groups, Problem> {
        self.run_lookup(|reader| {
            let mut groups = Groups::new();
            for row in reader.query("SELECT name, account FROM group_member", &[])? {
                groups.entry(row.get(0)?).or_default().insert(row.get(1)?);
            }
            Ok(groups)
        })
    }

    fn change_group(&self, change: GroupChange) -> Result<bool, Problem> {
        self.run_write(WriteNeeds::DURABLE, move |tx| {
            let sql = if change.joins {
                "INSERT INTO group_member (account, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name"
            } else {
                "DELETE FROM group_member WHERE account = $1 AND name = $2 RETURNING name"
            };
            let rows = tx.write_returning(sql, &[(&change.account).into(), (&change.group).into()])?;
            Ok(!rows.is_empty())
        })
    }
}
