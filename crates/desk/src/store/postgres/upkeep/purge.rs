//! Rows of a purge.

use crate::store::api::{PurgeState, PurgeStep};
use crate::store::logic::purge::PurgeRows;
use crate::store::logic::statements::StoreTransaction as _;
use crate::store::postgres::connection::Query;
use crate::store::postgres::error::{DatabaseError, WriteError};
use crate::store::postgres::transaction::{WriteTransaction, values};
use crate::store::stored_time::to_timestamp;
use jiff::Timestamp;

/// Reads how the purge stands.
pub(super) fn read_state(query: &impl Query) -> Result<PurgeState, DatabaseError> {
    let row = query.row("SELECT purged_at, purge_stage, purge_after FROM desk", &[])?;
    let Some(row) = row else {
        return Ok(PurgeState { ended_at: Timestamp::UNIX_EPOCH, step: PurgeStep::FIRST });
    };
    let step = PurgeStep::parse((row.try_get(1)?, row.try_get(2)?));
    Ok(PurgeState { ended_at: to_timestamp(row.try_get(0)?), step })
}

impl PurgeRows for WriteTransaction<'_> {
    const NO_PROGRESS: &'static str = "answered = 0";
    const ORPHAN: &'static str = "NOT EXISTS (SELECT 1 FROM ask WHERE ask.id = change.id)";

    fn read_purge_state(&self) -> Result<PurgeState, WriteError> {
        Ok(read_state(self)?)
    }

    fn write_purge_step(&self, step: PurgeStep) -> Result<(), WriteError> {
        let (stage, after) = step.numbers();
        self.write("UPDATE desk SET purge_stage = $1, purge_after = $2", &[stage.into(), after.into()])
    }

    fn write_purge_end(&self) -> Result<(), WriteError> {
        self.write("UPDATE desk SET purged_at = $1", &[self.now().into()])
    }

    fn write_forgotten(&self, number: i64) -> Result<(), WriteError> {
        self.write("UPDATE desk SET forgotten = greatest(forgotten, $1)", &[number.into()])
    }

    fn bury_asks(&self, rows: Vec<i64>) -> Result<(), WriteError> {
        self.queue(
            "INSERT INTO tombstone (id, outcome, audience, created_at, settled_at) \
             SELECT id, state, audience, created_at, changed_at FROM ask WHERE seq = ANY($1) ON CONFLICT DO NOTHING",
            values![rows.clone()],
        );
        self.queue("DELETE FROM ask WHERE seq = ANY($1)", values![rows]);
        Ok(())
    }
}
