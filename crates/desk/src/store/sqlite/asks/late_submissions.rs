//! Rows of late submissions, limited for each ask.

use crate::store::sqlite::error::{self, RowDamage};
use crate::store::sqlite::integrity::checksum;
use rusqlite::{Connection, Row};
use sayso_core::wire::json;
use sayso_core::{AskId, LateSubmission};

/// Reads the late submissions of an ask, oldest first.
pub(crate) fn read_all(conn: &Connection, id: AskId) -> rusqlite::Result<Vec<LateSubmission>> {
    conn.prepare_cached("SELECT body, sum FROM late JOIN ask ON ask.seq = late.seq WHERE id = ?1 ORDER BY n")?
        .query_map([id.as_bytes()], |row| read_row(row, id))?
        .collect()
}

fn read_row(row: &Row<'_>, id: AskId) -> rusqlite::Result<LateSubmission> {
    let body: String = row.get(0)?;
    checksum::verify(row, 1, checksum::text_sum(id, &body), &RowDamage::Ask(id))?;
    json::read_own(&body).map_err(|_| error::damage_error(RowDamage::Ask(id)))
}

#[cfg(test)]
mod tests {
    use crate::contract::{act, answer, as_person, note, open, submit};
    use crate::store::sqlite::SqliteStore;
    use crate::store::sqlite::tests::{count_rows, desk, far_future, open_raw};
    use sayso_core::{ProblemCode, limits};
    use tempfile::TempDir;

    #[test]
    fn late_submissions_are_bounded_and_purged() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        let desk = desk(&path);
        let ask = answer(&desk, &open(&desk, "door"));
        let late = |text: &str| {
            let late = act(&desk, &as_person("bob"), &ask, submit(&ask, [note(text)])).unwrap_err();
            assert_eq!(late.code, ProblemCode::AskAnswered);
            late.hint.is_some()
        };
        assert!(late("the first"));
        let large = "x".repeat(limits::TEXT_ANSWER_BYTES - 1_000);
        let kept = (0..20).filter(|n| late(&format!("{n}{large}"))).count();
        assert_eq!(kept, limits::LATE_BYTES / limits::TEXT_ANSWER_BYTES, "nobody is told that more is kept");
        assert!(late("the first"), "it is there already");
        assert!(late("what is short still fits"));
        assert_eq!(count_rows(&path, "late"), 2 + 16);
        let many = "DELETE FROM late; WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 999) \
                    INSERT INTO late (seq, body) SELECT seq, '{}' FROM ask, n";
        open_raw(&path).execute_batch(many).unwrap();
        assert_eq!(count_rows(&path, "late"), 999);
        assert_eq!(["thousandth", "one more"].map(late), [true, false]);
        SqliteStore::open(&path).unwrap().purge(far_future(), far_future()).unwrap();
        assert_eq!(count_rows(&path, "late"), 0);
    }
}
