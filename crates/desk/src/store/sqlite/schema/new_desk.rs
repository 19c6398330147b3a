//! A new desk, made in one step.

use super::{APPLICATION_ID, FORMAT, not_a_desk_or};
use crate::own_file;
use crate::store::sqlite::error::desk_unreachable;
use rusqlite::{Connection, OpenFlags};
use sayso_core::Problem;
use std::path::Path;

/// Script with the result of the migrations on an empty file: they alter tables step by step, and SQLite reads the whole
/// schema again after each step, which takes several times as long. A test compares the two.
const SCRIPT: &str = include_str!("new_desk.sql");

/// Creates a file with the tables and the WAL mode of a new desk, readable by its owner only. When it returns, the
/// content is durable; the name is durable once the folder is synced.
///
/// The file must have a name that no other process looks for: a journal and locks would only cost time.
pub(crate) fn create_file(path: &Path) -> Result<(), Problem> {
    let file = own_file::create_new(path).map_err(|error| desk_unreachable(path, error))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let make = || -> rusqlite::Result<()> {
        let mut conn = Connection::open_with_flags(path, flags)?;
        conn.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")?;
        let tx = conn.transaction()?;
        create_tables(&tx)?;
        tx.commit()?;
        conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
    };
    make().map_err(|error| not_a_desk_or(error, path))?;
    file.sync_data().map_err(|error| desk_unreachable(path, error))
}

/// Creates the tables in an empty database.
pub(super) fn create_tables(tx: &Connection) -> rusqlite::Result<()> {
    tx.execute_batch(SCRIPT)?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    tx.pragma_update(None, "application_id", APPLICATION_ID)
}

#[cfg(test)]
mod tests {
    use super::super::{run_migrations, schema_sql};
    use super::*;
    use std::fmt::Write as _;

    /// Returns the script that makes what the migrations make.
    fn script_of_migrations() -> String {
        let conn = Connection::open_in_memory().unwrap();
        run_migrations(&conn, FORMAT).unwrap();
        // The tables of the search index come with it.
        let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'search\\_%' ESCAPE '\\' ORDER BY rowid";
        let texts = |sql: &str| -> Vec<String> {
            let mut statement = conn.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        let mut script = String::from("-- Made from the migrations: see the test of new_desk.rs.\n");
        texts(sql).iter().for_each(|text| writeln!(script, "{text};").unwrap());
        // A desk's number is its own.
        let rows = "SELECT format('(''%s'', %s)', name, iif(name = 'desk', 'random()', value)) FROM chore ORDER BY name";
        writeln!(script, "INSERT INTO chore VALUES {};", texts(rows).join(", ")).unwrap();
        for table in
            texts("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        {
            if table != "chore" && !table.starts_with("search_") {
                let rows: i64 =
                    conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
                assert_eq!(rows, 0, "the script makes no rows of {table}");
            }
        }
        script
    }

    /// To renew the script, run this with `SAYSO_GOLDEN=write`.
    #[test]
    fn script_equals_migrations() {
        let expected = script_of_migrations();
        if std::env::var_os("SAYSO_GOLDEN").is_some_and(|value| value == "write") {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/sqlite/schema/new_desk.sql");
            std::fs::write(path, &expected).unwrap();
        } else {
            assert_eq!(SCRIPT, expected, "stale: run this test once with SAYSO_GOLDEN=write");
        }
    }

    #[test]
    fn script_and_migrations_agree() {
        let [new, migrated] = [(); 2].map(|()| Connection::open_in_memory().unwrap());
        create_tables(&new).unwrap();
        run_migrations(&migrated, FORMAT).unwrap();
        assert_eq!(schema_sql(&new).unwrap(), schema_sql(&migrated).unwrap());
    }
}
