//! Warnings for those who operate a desk in a database.

use super::PostgresStore;
use super::connection::Query as _;
use super::error::DatabaseError;
use super::notification::NODE_NAME;
use sayso_core::i18n::own;
use sayso_core::{Message, Problem, ProblemCode};
use std::sync::atomic::Ordering;

/// Difference between the clocks of a node and of the database that is worth a warning, in microseconds.
const CLOCK_TOLERANCE_US: u64 = 2_000_000;

/// State of the server, by its own words.
struct ServerState {
    /// Nodes besides this program.
    other_nodes: i64,
    /// Name of the standbys for which a commit waits; empty for none.
    standby_names: String,
    /// Setting by which a commit waits for a standby, or not.
    commit_setting: String,
    standbys: i64,
}

impl PostgresStore {
    /// Finds what an operator should change.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub(super) fn find_warnings(&self) -> Result<Vec<Problem>, Problem> {
        let state = self.read(|session| {
            let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                          AND starts_with(application_name, $1) AND application_name <> $2";
            let settings = "SELECT current_setting('synchronous_standby_names'), \
                            current_setting('synchronous_commit'), (SELECT count(*) FROM pg_stat_replication)";
            let others = session.row(others, &[&NODE_NAME, &self.notifier.name()])?;
            let other_nodes = others.map_or(Ok(0), |row| row.try_get(0))?;
            let Some(row) = session.row(settings, &[])? else { return Ok::<_, DatabaseError>(None) };
            let (standby_names, commit_setting) = (row.try_get(0)?, row.try_get(1)?);
            Ok(Some(ServerState { other_nodes, standby_names, commit_setting, standbys: row.try_get(2)? }))
        })?;
        let mut warnings: Vec<_> = state.iter().filter_map(standby_warning).collect();
        self.synchronize_clock()?;
        let ahead = self.clock_offset.load(Ordering::Relaxed);
        if ahead.unsigned_abs() > CLOCK_TOLERANCE_US {
            let seconds = (ahead.unsigned_abs() / 1_000_000).to_string();
            warnings.push(warning(Message::ClocksDiffer.with([own(seconds)]), Message::ClocksDifferHint));
        }
        Ok(warnings)
    }
}

/// Returns the warning about commits that a second server does not have, or will never have.
fn standby_warning(state: &ServerState) -> Option<Problem> {
    let waits = !state.standby_names.is_empty() && !["off", "local"].contains(&&*state.commit_setting);
    if waits && state.standbys == 0 {
        return Some(warning(Message::StandbyMissing.into(), Message::StandbyMissingHint));
    }
    let nodes = state.other_nodes.to_string();
    (!waits && state.other_nodes > 1)
        .then(|| warning(Message::NoSynchronousStandby.with([own(nodes)]), Message::NoSynchronousStandbyHint))
}

fn warning(message: sayso_core::LocalizedText, hint: Message) -> Problem {
    Problem::new(ProblemCode::InvalidSetting, message).with_hint(hint)
}
