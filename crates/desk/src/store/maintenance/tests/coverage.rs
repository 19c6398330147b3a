//! Every column of both stores is copied, or follows from those that are.

use super::file;
use crate::contract::DatabaseServer;
use crate::store::sqlite::tests::open_raw;
use crate::store::transfer::TABLES;
use std::collections::BTreeSet;
use tempfile::TempDir;

/// Columns of a file that follow from others, and tables that stay with the old desk.
const FILE_ONLY: &[&str] =
    &["sum", "fixed_sum", "state_sum", "status_sum", "draft_sum", "change.seq", "tombstone.digest"];
const NOT_COPIED: &[&str] = &["chore", "audience_key", "served", "desk", "search", "rate", "turn_log"];

fn is_copied(table: &str) -> bool {
    !NOT_COPIED.contains(&table) && !table.starts_with("search_") && !table.starts_with("sqlite_")
}

#[test]
fn every_column_of_a_file_moves() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk.db");
    drop(file(&path));
    let sql = "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'";
    let conn = open_raw(&path);
    let mut statement = conn.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let stored: BTreeSet<String> = rows
        .unwrap()
        .map(Result::unwrap)
        .filter(|(table, _)| is_copied(table))
        .filter(|(table, column)| {
            !FILE_ONLY.contains(&column.as_str())
                && !FILE_ONLY.contains(&format!("{table}.{column}").as_str())
        })
        .map(|(table, column)| format!("{table}.{column}"))
        .collect();
    let copied = TABLES.iter().flat_map(|table| {
        table.columns.iter().map(|column| format!("{}.{}", table.file_name, column.file_name))
    });
    assert_eq!(stored, copied.collect());
}

#[test]
fn every_column_of_a_database_moves() {
    let server = DatabaseServer::start();
    server.make_desk();
    let sql = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'";
    let stored: BTreeSet<String> = server
        .client("desk0")
        .query(sql)
        .lines()
        .filter(|column| is_copied(column.split('.').next().unwrap()) && *column != "ask.readers")
        .map(str::to_owned)
        .collect();
    let copied = TABLES
        .iter()
        .flat_map(|table| table.columns.iter().map(|column| format!("{}.{}", table.name, column.name)));
    assert_eq!(stored, copied.collect());
}
