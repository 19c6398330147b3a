//! Rows of a purge, and tombstones.

use crate::store::api::{PurgeState, PurgeStep};
use crate::store::logic::purge::PurgeRows;
use crate::store::logic::statements::StoreTransaction as _;
use crate::store::sqlite::asks::search;
use crate::store::sqlite::transaction::SqliteTransaction;
use crate::store::sqlite::writer::job::JobError;
use crate::store::stored_time::to_timestamp;
use rusqlite::Connection;

/// Reads how the purge stands.
pub(crate) fn read_state(conn: &Connection) -> rusqlite::Result<PurgeState> {
    let sql = "SELECT purged.value, stage.value, after.value FROM chore AS purged, chore AS stage, chore AS after \
               WHERE purged.name = 'purged' AND stage.name = 'purge_stage' AND after.name = 'purge_after'";
    conn.prepare_cached(sql)?.query_row([], |row| {
        let step = PurgeStep::parse((row.get(1)?, row.get(2)?));
        Ok(PurgeState { ended_at: to_timestamp(row.get(0)?), step })
    })
}

impl PurgeRows for SqliteTransaction<'_> {
    const NO_PROGRESS: &'static str = "answered = 0, draft_sum = NULL";
    // The last entry stays, so that the numbering continues.
    const ORPHAN: &'static str = "n < (SELECT max(n) FROM change) \
                                  AND NOT EXISTS (SELECT 1 FROM ask WHERE ask.seq = change.seq AND ask.id = change.id)";

    fn read_purge_state(&self) -> Result<PurgeState, JobError> {
        Ok(read_state(self.conn)?)
    }

    fn write_purge_step(&self, step: PurgeStep) -> Result<(), JobError> {
        let (stage, after) = step.numbers();
        self.write(
            "UPDATE chore SET value = iif(name = 'purge_stage', $1, $2) WHERE name IN ('purge_stage', 'purge_after')",
            &[stage.into(), after.into()],
        )
    }

    fn write_purge_end(&self) -> Result<(), JobError> {
        self.write("UPDATE chore SET value = $1 WHERE name = 'purged'", &[self.now().into()])
    }

    fn write_forgotten(&self, number: i64) -> Result<(), JobError> {
        self.write("UPDATE chore SET value = max(value, $1) WHERE name = 'forgotten'", &[number.into()])
    }

    fn bury_asks(&self, rows: Vec<i64>) -> Result<(), JobError> {
        for seq in rows {
            self.write(
                "INSERT OR IGNORE INTO tombstone (id, outcome, digest, created_at, settled_at, audience) \
                 SELECT id, state, unhex(json_extract(body, ?2)), created_at, changed_at, audience \
                 FROM ask JOIN request ON request.seq = ask.seq WHERE ask.seq = ?1",
                &[seq.into(), DIGEST.into()],
            )?;
            // Row numbers of the last asks are used again.
            search::remove(self.conn, seq)?;
            self.write("DELETE FROM ask WHERE seq = $1", &[seq.into()])?;
        }
        Ok(())
    }
}

/// Place of the digest in a request.
const DIGEST: &str = "$.digest";

#[cfg(test)]
mod tests;
