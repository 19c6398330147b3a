//! Columns of a desk file that follow from the others, above all the checksums.

use crate::store::logic::asks::UNKNOWN_ID;
use crate::store::row_value::{Row, RowValue};
use crate::store::sqlite::asks::{audience_filter, list};
use crate::store::sqlite::column_values::read_id;
use crate::store::sqlite::error::{RowDamage, damage_error};
use crate::store::sqlite::integrity::checksum;
use crate::store::transfer::TransferTable;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};
use sayso_core::wire::json;
use sayso_core::{AskId, Audience, QuestionId};

/// Asks whose checksums are written at once.
const BATCH_ASKS: i64 = 200;

/// Returns the columns of a row that its table has only in a file.
pub(super) fn derived_columns(
    conn: &Connection,
    table: &TransferTable,
    row: &Row,
) -> rusqlite::Result<Vec<(&'static str, Value)>> {
    // Most tables name their ask by the number of its row.
    let value = |column: &str| table.value(row, column);
    let sum = match table.name {
        "ask" => {
            intern_audience(conn, value("audience"))?;
            return Ok(Vec::new());
        }
        "request" | "late" => checksum::text_sum(id_at(conn, value("seq"))?, value("body").text()),
        "change" => {
            let id = to_id(value("id").bytes());
            let seq = seq_of(conn, id)?;
            let sum = checksum::change_sum(id, value("at").int(), value("events").text());
            return Ok(vec![("seq", Value::Integer(seq)), ("sum", Value::Integer(sum))]);
        }
        "draft" => {
            let id = id_at(conn, value("seq"))?;
            let question = QuestionId::new(value("question").text());
            checksum::reply_sum(id, &question, value("reply").text(), value("scripted").int() != 0)
        }
        "key" => {
            let id = id_at(conn, value("seq"))?;
            checksum::key_sum(id, value("owner").text(), value("key").text(), value("request").bytes())
        }
        "rendering" => {
            let id = id_at(conn, value("seq"))?;
            checksum::rendering_sum(id, value("form").text(), value("body").bytes())
        }
        // Nothing reads it any more.
        "tombstone" => return Ok(vec![("digest", Value::Blob(Vec::new()))]),
        "message" => {
            let by_person = value("by_person").int() != 0;
            checksum::message_sum(value("thread").text(), by_person, value("content").text())
        }
        "thread_event" => {
            let ask = value("ask").bytes();
            checksum::thread_event_sum(
                value("thread").text(),
                [value("message").int(), value("opens").int()],
                [value("kind").text(), value("tool").text()],
                if ask.is_empty() { None } else { Some(ask) },
            )
        }
        _ => return Ok(Vec::new()),
    };
    Ok(vec![("sum", Value::Integer(sum))])
}

/// Stores the keys of an audience, so that its readers find it.
fn intern_audience(conn: &Connection, audience: &RowValue) -> rusqlite::Result<()> {
    if let RowValue::Text(text) = audience {
        let audience: Audience = json::read_own(text).unwrap_or_default();
        audience_filter::intern_keys(conn, &audience, text)?;
    }
    Ok(())
}

fn to_id(bytes: &[u8]) -> AskId {
    AskId::from_bytes(bytes).unwrap_or(UNKNOWN_ID)
}

fn id_at(conn: &Connection, seq: &RowValue) -> rusqlite::Result<AskId> {
    conn.prepare_cached("SELECT id FROM ask WHERE seq = ?1")?.query_row([seq.int()], |row| read_id(row, 0))
}

/// Returns the row number of an ask; 0 for one that was purged.
fn seq_of(conn: &Connection, id: AskId) -> rusqlite::Result<i64> {
    let seq = conn
        .prepare_cached("SELECT seq FROM ask WHERE id = ?1")?
        .query_row([id.as_bytes()], |row| row.get(0))
        .optional()?;
    Ok(seq.unwrap_or_default())
}

/// Writes the checksums of all asks.
pub(super) fn write_ask_sums(conn: &Connection) -> rusqlite::Result<()> {
    let columns = list::columns();
    let sql = format!("SELECT {columns}, status FROM ask WHERE seq > ?1 ORDER BY seq LIMIT ?2");
    let mut after = 0;
    loop {
        let mut statement = conn.prepare_cached(&sql)?;
        let sums: Vec<_> =
            statement.query_map([after, BATCH_ASKS], ask_sums)?.collect::<rusqlite::Result<_>>()?;
        let Some((last, _)) = sums.last() else { return Ok(()) };
        after = *last;
        let sql =
            "UPDATE ask SET fixed_sum = ?2, state_sum = ?3, draft_sum = ?4, status_sum = ?5 WHERE seq = ?1";
        for (seq, [fixed, state, draft, status]) in sums {
            conn.prepare_cached(sql)?.execute(params![seq, fixed, state, draft, status])?;
        }
    }
}

/// Returns the row number and the checksums of an ask: of its constant columns, its state, its draft and its status.
fn ask_sums(row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, [i64; 4])> {
    let (seq, summary) = list::read_row(row)?;
    if summary.damaged {
        return Err(damage_error(RowDamage::Ask(summary.id)));
    }
    let status: String = row.get("status")?;
    let sums = [
        checksum::fixed_columns_sum(&summary),
        checksum::state_columns_sum(&summary),
        checksum::draft_progress_sum(
            summary.id,
            row.get("answered")?,
            row.get("asked")?,
            row.get("draft_rev")?,
        ),
        checksum::text_sum(summary.id, &status),
    ];
    Ok((seq, sums))
}
