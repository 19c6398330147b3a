//! Deadlines: runs what is due, and moves deadlines when the clock was set.

use super::{AskRows, ask_change};
use crate::store::logic::statements::StoreReader;
use jiff::{SignedDuration, Timestamp};
use sayso_core::{Actor, Ask, AskCommand, lifecycle};

/// Largest number of asks updated in one transaction, so that no one waits long for it.
const BATCH_ASKS: usize = 50;

/// Returns whether any ask is due.
pub(crate) fn has_due<R: StoreReader>(reader: &R, now: Timestamp) -> Result<bool, R::Error> {
    // Without the order, the plan that PostgreSQL keeps for a prepared statement reads all asks.
    reader.has_rows("SELECT 1 FROM ask WHERE due_at <= $1 ORDER BY due_at LIMIT 1", &[now.into()])
}

/// Runs what is due, the most overdue first, and returns the number of changed asks; 0 when nothing readable is left.
pub(crate) fn run_due<T: AskRows>(tx: &T) -> Result<usize, T::Error> {
    let (mut changed, mut passed_over) = (0, 0);
    while changed < BATCH_ASKS {
        let most = BATCH_ASKS - changed;
        let asks = tx.read_due(tx.now(), most, passed_over)?;
        let count = asks.len();
        for ask in asks {
            if apply_command(tx, ask, AskCommand::Tick)? {
                changed += 1;
            } else {
                passed_over += 1;
            }
        }
        if count < most {
            break;
        }
    }
    Ok(changed)
}

/// Moves all deadlines after a change of the clock, by the same amount.
pub(crate) fn shift_all<T: AskRows>(tx: &T, by: SignedDuration) -> Result<(), T::Error> {
    for ask in tx.read_due(Timestamp::MAX, usize::MAX, 0)? {
        apply_command(tx, ask, AskCommand::AdjustClock { by })?;
    }
    Ok(())
}

/// Applies a command and returns whether it changed the ask. An unreadable ask cannot be answered either, and must
/// not block others.
fn apply_command<T: AskRows>(
    tx: &T,
    found: Option<(i64, Ask)>,
    command: AskCommand,
) -> Result<bool, T::Error> {
    let Some((seq, ask)) = found else { return Ok(false) };
    let Ok(change) = lifecycle::apply_command(&ask, &Actor::Desk, command, tx.now()) else {
        return Ok(false);
    };
    ask_change::store(tx, (seq, &ask), &change)?;
    Ok(!change.events.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::contract::{new_ask, open};
    use crate::desk::Desk as _;
    use crate::query::AskQuery;
    use crate::store::sqlite::tests::{copy_only_ask, desk, open_raw};
    use sayso_core::NewAsk;
    use sayso_core::model::ask_summary::AskStatus;
    use std::path::Path;
    use tempfile::TempDir;

    /// Makes a desk with this many asks past the same deadline, and one that waits.
    fn make_overdue(path: &Path, asks: i64) {
        let desk = desk(path);
        desk.open(None, NewAsk { time_limit_ms: Some(1), ..new_ask("door") }).unwrap();
        copy_only_ask(path, asks);
        open(&desk, "wall");
        let mut watch = desk.watch(crate::Interest::All, None).unwrap();
        watch.wait(std::time::Duration::from_millis(10)).unwrap();
    }

    fn count_in_state(path: &Path, state: AskStatus) -> i64 {
        let sql = "SELECT count(*) FROM ask WHERE state = ?1";
        open_raw(path).query_row(sql, [state.as_str()], |row| row.get(0)).unwrap()
    }

    #[test]
    fn asks_with_same_deadline_end_together() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        make_overdue(&path, 450);
        desk(&path).run_due(std::time::Duration::MAX).unwrap();
        let waiting = desk(&path).list(&AskQuery::default()).unwrap().rows;
        assert_eq!(waiting.iter().map(|row| row.title.as_str()).collect::<Vec<_>>(), ["wall"]);
        assert_eq!(count_in_state(&path, AskStatus::Expired), 450);
        // All changes of one commit have the same time.
        let sql = "SELECT count(DISTINCT at) FROM change WHERE events LIKE '%expired%'";
        let commits: i64 = open_raw(&path).query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(commits, 9);
    }

    #[test]
    fn unreadable_ask_blocks_no_deadline() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("desk");
        make_overdue(&path, 5);
        open_raw(&path)
            .execute_batch("UPDATE ask SET status = 'torn', due_at = due_at - 1 WHERE seq < 3")
            .unwrap();
        assert!(desk(&path).list(&AskQuery::default()).is_ok());
        assert_eq!(count_in_state(&path, AskStatus::Expired), 3);
        assert_eq!(count_in_state(&path, AskStatus::Open), 3, "the two and the one that waits");
    }
}
