//! New desk file that takes a copy. It lies under a temporary name until it is whole.

use super::row_checksums;
use super::{FileRows, column_names, mark_of, open_for_writes, quote, write_mark};
use crate::own_file;
use crate::store::desk_mark::DeskMark;
use crate::store::reports::OnProgress;
use crate::store::row_value::{Row, RowValue};
use crate::store::search_text::search_text;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::asks::search;
use crate::store::sqlite::error::{database_problem, desk_unreachable};
use crate::store::sqlite::files::commit_mark::CommitProgress;
use crate::store::sqlite::files::copy::{TemporaryFile, copy_damaged, copy_failed, put_in_place};
use crate::store::sqlite::integrity::check;
use crate::store::sqlite::schema;
use crate::store::transfer::{ColumnKind, RowReader, TakeRows, TransferTable, TransferTarget};
use rusqlite::config::DbConfig;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use sayso_core::i18n::own;
use sayso_core::wire::ask as wire;
use sayso_core::{Message, Problem, ProblemCode};
use std::fs::File;
use std::path::{Path, PathBuf};

/// New desk file.
pub(crate) struct FileTarget {
    path: PathBuf,
    copy: TemporaryFile,
    rows: FileRows,
}

impl FileTarget {
    /// Creates a desk next to this path.
    ///
    /// # Errors
    /// If there is a desk in use at this path, or the folder cannot be written.
    pub(crate) fn create(path: &Path) -> Result<Self, Problem> {
        let path = std::path::absolute(path).map_err(|error| desk_unreachable(path, error))?;
        own_file::create_parent_folder(&path).map_err(|error| desk_unreachable(&path, error))?;
        if !is_free(&path)? {
            let message = Message::CopyTargetUsed.with([own(path.display())]);
            return Err(
                Problem::new(ProblemCode::InvalidValue, message).with_hint(Message::CopyTargetUsedHint)
            );
        }
        let copy = TemporaryFile::beside(&path);
        copy.remove();
        schema::create_file(&copy.0)?;
        let conn = open_for_rows(&copy.0).map_err(database_problem)?;
        Ok(Self { path, copy, rows: FileRows(conn) })
    }

    fn insert(&self, table: &TransferTable, rows: &[Row]) -> rusqlite::Result<()> {
        for row in rows {
            let mut names = column_names(table);
            let mut values = Vec::new();
            for (column, value) in table.columns.iter().zip(row) {
                values.push(to_stored(column.kind, value));
            }
            for (name, value) in row_checksums::derived_columns(&self.rows.0, table, row)? {
                names.push_str(&format!(", {}", quote(name)));
                values.push(value);
            }
            let places = vec!["?"; values.len()].join(", ");
            let sql = format!("INSERT INTO {} ({names}) VALUES ({places})", quote(table.file_name));
            self.rows.0.prepare_cached(&sql)?.execute(params_from_iter(values))?;
            if table.name == "request" {
                self.index(table.value(row, "seq").int(), table.value(row, "body").text())?;
            }
        }
        Ok(())
    }

    /// Stores the words by which an ask is found. Its row was copied before its request.
    fn index(&self, seq: i64, body: &str) -> rusqlite::Result<()> {
        // Without a readable request an ask is found by its names alone.
        let request = wire::read_request(body).ok();
        let sql = "SELECT title, asker, coalesce(account, ''), coalesce(folder, ''), \
                   coalesce(act ->> 'object', '') FROM ask WHERE seq = ?1";
        let names: [String; 5] =
            self.rows.0.prepare_cached(sql)?.query_row([seq], |row| {
                Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?])
            })?;
        let mut prompts = Vec::new();
        if let Some(request) = &request {
            prompts.extend(request.questionnaire.questions.iter().map(|question| question.prompt.as_str()));
        }
        search::add(&self.rows.0, seq, &search_text(names.each_ref().map(String::as_str), prompts))
    }
}

/// Opens a new file for rows. Nothing of it has to last, because the file is deleted whatever goes wrong.
fn open_for_rows(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open(path)?;
    // The counts of triggers are copied too.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.execute_batch(
        "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; BEGIN",
    )?;
    Ok(conn)
}

/// Writes what follows from the rows, with a new id of the desk, and commits.
fn complete_rows(conn: &Connection) -> rusqlite::Result<()> {
    row_checksums::write_ask_sums(conn)?;
    conn.execute_batch(
        "UPDATE chore SET value = random() WHERE name = 'desk'; \
         UPDATE chore SET value = (SELECT count(*) FROM ask WHERE pending = 1) WHERE name = 'pending'; \
         COMMIT",
    )
}

/// Returns whether a copy may take this path: there is no desk, an unused one, or a copy that was not completed.
fn is_free(path: &Path) -> Result<bool, Problem> {
    if std::fs::symlink_metadata(path).is_err() {
        return Ok(true);
    }
    match mark_of(path)? {
        Some(DeskMark::Partial { .. }) => Ok(true),
        Some(DeskMark::Moved { .. }) => Ok(false),
        None => Ok(SqliteStore::open(path)?.read_few(CommitProgress::read)?.commits == 0),
    }
}

fn to_stored(kind: ColumnKind, value: &RowValue) -> Value {
    match (kind, value) {
        (ColumnKind::Open, RowValue::Flag(false)) | (_, RowValue::Null | RowValue::Texts(_)) => Value::Null,
        (_, RowValue::Int(number)) => Value::Integer(*number),
        (_, RowValue::Flag(flag)) => Value::Integer((*flag).into()),
        (_, RowValue::Text(text)) => Value::Text(text.clone()),
        (_, RowValue::Bytes(bytes)) => Value::Blob(bytes.clone()),
    }
}

impl RowReader for FileTarget {
    fn count(&self, table: &TransferTable) -> Result<u64, Problem> {
        self.rows.count(table)
    }

    fn read(&self, table: &TransferTable, take: &mut TakeRows<'_>) -> Result<(), Problem> {
        self.rows.read(table, take)
    }
}

impl TransferTarget for FileTarget {
    fn storable(&self, _table: &TransferTable, row: Row) -> Row {
        row
    }

    fn begin_table(&self, _table: &TransferTable) -> Result<(), Problem> {
        Ok(())
    }

    fn write(&self, table: &TransferTable, rows: &[Row]) -> Result<(), Problem> {
        self.insert(table, rows).map_err(database_problem)
    }

    fn complete(&self, on_progress: OnProgress<'_>) -> Result<(), Problem> {
        let conn = &self.rows.0;
        complete_rows(conn).map_err(database_problem)?;
        let findings = check::check_desk(conn, on_progress)?;
        if findings.is_sound() {
            return Ok(());
        }
        Err(copy_damaged(&findings))
    }

    fn publish(&self, mark: &DeskMark) -> Result<Option<PathBuf>, Problem> {
        write_mark(&self.rows.0, mark).map_err(database_problem)?;
        File::open(&self.copy.0)
            .and_then(|file| file.sync_all())
            .map_err(|error| copy_failed(&self.path, &error))?;
        put_in_place(&self.copy, &self.path)
    }

    fn open_for_writes(&self) -> Result<(), Problem> {
        open_for_writes(&self.path)
    }
}
