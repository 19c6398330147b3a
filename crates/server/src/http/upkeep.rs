//! Upkeep of the desk while it is served: deadlines and maintenance, in slices between which the server may end.

use super::context::ServerContext;
use super::metrics::ask_counters::AskCounters;
use crate::diagnostics::log_failure;
use sayso_core::Problem;
use sayso_desk::{RetentionPolicy, StoreDesk};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{MissedTickBehavior, interval, interval_at};

/// Interval at which deadlines are applied without a request.
const TICK_INTERVAL: Duration = Duration::from_secs(1);
/// Interval of the desk's maintenance.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Time from the start until the first maintenance.
const FIRST_MAINTENANCE: Duration = Duration::from_secs(10);
/// Time of one call for deadlines or maintenance.
const UPKEEP_SLICE: Duration = Duration::from_millis(200);

/// Runs deadlines, and keeps the counters and the space of the desk, once in a second.
pub(super) async fn run_deadlines(context: Arc<ServerContext>, counters: Arc<AskCounters>) {
    let mut ticks = interval(TICK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        // Each call logs its error, which is also reported to the next request.
        while context.with_desk(run_due_slice).await == Ok(true) {}
        log_failure("counters", counters.update(&context).await);
    }
}

/// Runs deadlines for a while; returns whether there are more.
fn run_due_slice(desk: &StoreDesk) -> Result<bool, Problem> {
    desk.release_space();
    desk.run_due(UPKEEP_SLICE)
}

/// Runs the maintenance of the desk soon after the start and then every hour.
pub(super) async fn run_maintenance(context: Arc<ServerContext>, retention: RetentionPolicy) {
    let mut ticks = interval_at((Instant::now() + FIRST_MAINTENANCE).into(), MAINTENANCE_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // The server ends between two slices.
        while context.with_desk(move |desk| Ok(desk.run_maintenance(retention, UPKEEP_SLICE))).await
            == Ok(true)
        {}
    }
}
