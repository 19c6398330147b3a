//! Exchange of rate limits with other nodes of the desk: what callers take here counts there, too.
//!
//! **Invariant:** a request waits for no other node. So a caller that changes nodes may use the burst of each once, and
//! what it took above the limit is charged to it afterwards.

use super::rate_limit::RateLimiter;
use crate::http::app::AppState;
use sayso_core::Problem;
use sayso_desk::RateUse;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::MissedTickBehavior;

/// Interval of the exchange.
const INTERVAL: Duration = Duration::from_millis(100);

/// Returns the limiters of a server, each with its name at the desk.
fn limiters(app: &AppState) -> Vec<(&'static str, &RateLimiter)> {
    let mut limiters = vec![("token", &app.gate.token_limiter), ("login", app.logins.limiter())];
    if let Some(limiter) = &app.gate.account_limiter {
        limiters.push(("account", limiter));
    }
    limiters
}

/// Exchanges rate limits for as long as the server runs, if other nodes may work on its desk.
pub(crate) async fn run(app: Arc<AppState>) {
    if app.context.desk.node_stats().is_none() {
        return;
    }
    for (_, limiter) in limiters(&app) {
        limiter.share();
    }
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // Without the desk they count at this node alone; the call logs its error.
        let _ = exchange(&app).await;
    }
}

/// Tells what was taken here, and learns the totals.
///
/// # Errors
/// Fails if the desk cannot be reached.
async fn exchange(app: &AppState) -> Result<(), Problem> {
    let mut uses = Vec::new();
    let limiters = limiters(app);
    for (name, limiter) in &limiters {
        for (key, recovery) in limiter.take_untold() {
            uses.push(RateUse { caller: format!("{name} {key}"), recovery });
        }
    }
    if uses.is_empty() {
        return Ok(());
    }
    let totals = app.context.with_desk(move |desk| desk.share_rates(&uses)).await?;
    let now = Instant::now();
    for RateUse { caller, recovery } in totals {
        if let Some((name, key)) = caller.split_once(' ')
            && let Some((_, limiter)) = limiters.iter().find(|(known, _)| *known == name)
        {
            limiter.set_total(key, recovery, now);
        }
    }
    Ok(())
}
