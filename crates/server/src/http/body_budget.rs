//! Byte budget for request bodies in flight, per server and per account.
//!
//! **Invariant:** no byte of a body is read before its request has reserved budget for the whole body. So each body
//! that is being read can complete, and half-sent bodies never exceed the budget.

use prometheus_client::metrics::gauge::Gauge;
use sayso_core::{Code, Message, Problem, limits};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Timeout of a request that waits for budget.
const PATIENCE: Duration = Duration::from_secs(2);
/// `Retry-After` for a request that timed out waiting, in seconds; the slowest other body has been cut off by then.
const RETRY_AFTER_S: u64 = 30;
/// Bytes per semaphore permit.
const PERMIT_BYTES: usize = 1 << 10;
/// Number of accounts above which those without a body in flight are dropped.
const ACCOUNTS: usize = 1_000;

/// Byte budget of one server.
#[derive(Debug)]
pub(super) struct BodyBudget {
    all: Arc<Semaphore>,
    /// Budgets by account; callers without a token share one.
    accounts: Mutex<HashMap<Box<str>, Weak<Semaphore>>>,
    in_flight: Gauge,
}

/// Reservation of one body, released on drop.
#[derive(Debug)]
pub(super) struct Admission {
    bytes: i64,
    in_flight: Gauge,
    _account: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.in_flight.dec_by(self.bytes);
    }
}

/// Returns the number of permits for a number of bytes.
fn permits(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(PERMIT_BYTES)).unwrap_or(u32::MAX)
}

impl BodyBudget {
    /// Creates a budget that reports its use to a gauge.
    pub(super) fn new(in_flight: Gauge) -> Self {
        let all = Semaphore::new(limits::BODIES_IN_FLIGHT_BYTES / PERMIT_BYTES);
        Self { all: Arc::new(all), accounts: Mutex::default(), in_flight }
    }

    fn of_account(&self, account: &str) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = accounts.get(account).and_then(Weak::upgrade) {
            return known;
        }
        if accounts.len() >= ACCOUNTS {
            accounts.retain(|_, budget| budget.strong_count() > 0);
        }
        let new = Arc::new(Semaphore::new(limits::BODIES_OF_ACCOUNT_BYTES / PERMIT_BYTES));
        accounts.insert(account.into(), Arc::downgrade(&new));
        new
    }

    fn admission(&self, bytes: usize, account: OwnedSemaphorePermit, all: OwnedSemaphorePermit) -> Admission {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.in_flight.inc_by(bytes);
        Admission { bytes, in_flight: self.in_flight.clone(), _account: account, _all: all }
    }

    /// Reserves budget for a body if enough is free.
    pub(super) fn try_admit(&self, account: &str, bytes: usize) -> Option<Admission> {
        let of_account = self.of_account(account).try_acquire_many_owned(permits(bytes)).ok()?;
        let of_all = self.all.clone().try_acquire_many_owned(permits(bytes)).ok()?;
        Some(self.admission(bytes, of_account, of_all))
    }

    /// Reserves budget for a body, waiting briefly until enough is free.
    ///
    /// # Errors
    /// Fails if other bodies still hold the budget after the timeout.
    pub(super) async fn admit(&self, account: &str, bytes: usize) -> Result<Admission, Problem> {
        let of_account = self.of_account(account);
        let both = async {
            let of_account = of_account.acquire_many_owned(permits(bytes)).await.ok()?;
            let of_all = self.all.clone().acquire_many_owned(permits(bytes)).await.ok()?;
            Some((of_account, of_all))
        };
        match timeout(PATIENCE, both).await {
            Ok(Some((of_account, of_all))) => Ok(self.admission(bytes, of_account, of_all)),
            Ok(None) | Err(_) => Err(Problem::new(Code::TooManyRequests, Message::TooManyBodies)
                .hint(Message::SendFewerBodies.with([RETRY_AFTER_S]))
                .retry_after(RETRY_AFTER_S)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ACCOUNTS, BodyBudget};
    use prometheus_client::metrics::gauge::Gauge;
    use sayso_core::{Code, limits};

    const LARGE: usize = limits::BODY_BYTES;

    #[tokio::test]
    async fn account_budget_is_bounded() {
        let gauge = Gauge::default();
        let budget = BodyBudget::new(gauge.clone());
        let held = [budget.admit("ci", LARGE).await.unwrap(), budget.admit("ci", LARGE).await.unwrap()];
        assert_eq!(usize::try_from(gauge.get()), Ok(limits::BODIES_OF_ACCOUNT_BYTES));
        let refused = budget.admit("ci", 1).await.unwrap_err();
        assert_eq!((refused.code, refused.retry_after_s.map(u32::from)), (Code::TooManyRequests, Some(30)));
        budget.admit("other", LARGE).await.unwrap();
        drop(held);
        assert_eq!(gauge.get(), 0);
        budget.admit("ci", LARGE).await.unwrap();
    }

    #[tokio::test]
    async fn accounts_share_the_server_budget() {
        let budget = BodyBudget::new(Gauge::default());
        let most = limits::BODIES_IN_FLIGHT_BYTES / LARGE;
        let mut held: Vec<_> = (0..most).filter_map(|n| budget.try_admit(&n.to_string(), LARGE)).collect();
        assert_eq!(held.len(), most);
        assert!(budget.admit("one more", 1).await.is_err() && budget.try_admit("one more", 1).is_none());
        held.pop();
        budget.admit("one more", LARGE).await.unwrap();
    }

    #[tokio::test]
    async fn idle_accounts_are_dropped() {
        let budget = BodyBudget::new(Gauge::default());
        for number in 0..3 * ACCOUNTS {
            budget.admit(&number.to_string(), 1).await.unwrap();
        }
        assert!(budget.accounts.lock().unwrap().len() <= ACCOUNTS);
    }
}
