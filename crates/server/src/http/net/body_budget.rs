//! Byte budget for request bodies in flight, per server and per account.
//!
//! **Invariant:** no byte of a body is read before its request has reserved budget for the whole body. So each body
//! that is being read can complete, and half-sent bodies never exceed the budget.

use prometheus_client::metrics::gauge::Gauge;
use sayso_core::{Message, Problem, ProblemCode, limits};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Timeout of a request that waits for budget.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
/// `Retry-After` for a request that timed out waiting, in seconds; the slowest other body has been cut off by then.
const RETRY_AFTER_S: u64 = 30;
/// Bytes per semaphore permit.
const PERMIT_BYTES: usize = 1 << 10;
/// Number of accounts above which those without a body in flight are dropped.
const MAX_IDLE_ACCOUNTS: usize = 1_000;

/// Byte budget of one server.
#[derive(Debug)]
pub(crate) struct BodyBudget {
    all: Arc<Semaphore>,
    /// Budgets by account; callers without a token share one.
    accounts: Mutex<HashMap<Box<str>, Weak<Semaphore>>>,
    in_flight: Gauge,
}

/// Reservation of one body, released on drop.
#[derive(Debug)]
pub(crate) struct BudgetPermit {
    bytes: i64,
    in_flight: Gauge,
    _account: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Drop for BudgetPermit {
    fn drop(&mut self) {
        self.in_flight.dec_by(self.bytes);
    }
}

/// Returns the number of permits for a number of bytes.
fn permit_count(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(PERMIT_BYTES)).unwrap_or(u32::MAX)
}

impl BodyBudget {
    /// Creates a budget that reports its use to a gauge.
    pub(crate) fn new(in_flight: Gauge) -> Self {
        let all = Semaphore::new(limits::BODIES_IN_FLIGHT_BYTES / PERMIT_BYTES);
        Self { all: Arc::new(all), accounts: Mutex::default(), in_flight }
    }

    fn account_semaphore(&self, account: &str) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(semaphore) = accounts.get(account).and_then(Weak::upgrade) {
            return semaphore;
        }
        if accounts.len() >= MAX_IDLE_ACCOUNTS {
            accounts.retain(|_, semaphore| semaphore.strong_count() > 0);
        }
        let semaphore = Arc::new(Semaphore::new(limits::ACCOUNT_BODIES_BYTES / PERMIT_BYTES));
        accounts.insert(account.into(), Arc::downgrade(&semaphore));
        semaphore
    }

    fn permit(&self, bytes: usize, account: OwnedSemaphorePermit, all: OwnedSemaphorePermit) -> BudgetPermit {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.in_flight.inc_by(bytes);
        BudgetPermit { bytes, in_flight: self.in_flight.clone(), _account: account, _all: all }
    }

    /// Reserves budget for a body if enough is free.
    pub(crate) fn try_acquire(&self, account: &str, bytes: usize) -> Option<BudgetPermit> {
        let of_account = self.account_semaphore(account).try_acquire_many_owned(permit_count(bytes)).ok()?;
        let of_all = self.all.clone().try_acquire_many_owned(permit_count(bytes)).ok()?;
        Some(self.permit(bytes, of_account, of_all))
    }

    /// Reserves budget for a body, waiting briefly until enough is free.
    ///
    /// # Errors
    /// Fails if other bodies still hold the budget after the timeout.
    pub(crate) async fn acquire(&self, account: &str, bytes: usize) -> Result<BudgetPermit, Problem> {
        let of_account = self.account_semaphore(account);
        let both = async {
            let of_account = of_account.acquire_many_owned(permit_count(bytes)).await.ok()?;
            let of_all = self.all.clone().acquire_many_owned(permit_count(bytes)).await.ok()?;
            Some((of_account, of_all))
        };
        match timeout(ACQUIRE_TIMEOUT, both).await {
            Ok(Some((of_account, of_all))) => Ok(self.permit(bytes, of_account, of_all)),
            Ok(None) | Err(_) => Err(Problem::new(ProblemCode::TooManyRequests, Message::TooManyBodies)
                .with_hint(Message::SendFewerBodies.with([RETRY_AFTER_S]))
                .retry_after(RETRY_AFTER_S)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BodyBudget, MAX_IDLE_ACCOUNTS};
    use prometheus_client::metrics::gauge::Gauge;
    use sayso_core::{ProblemCode, limits};

    const LARGE: usize = limits::BODY_BYTES;

    #[tokio::test]
    async fn account_budget_is_bounded() {
        let gauge = Gauge::default();
        let budget = BodyBudget::new(gauge.clone());
        let held = [budget.acquire("ci", LARGE).await.unwrap(), budget.acquire("ci", LARGE).await.unwrap()];
        assert_eq!(usize::try_from(gauge.get()), Ok(limits::ACCOUNT_BODIES_BYTES));
        let refused = budget.acquire("ci", 1).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.retry_after_s.map(u32::from)),
            (ProblemCode::TooManyRequests, Some(30))
        );
        budget.acquire("other", LARGE).await.unwrap();
        drop(held);
        assert_eq!(gauge.get(), 0);
        budget.acquire("ci", LARGE).await.unwrap();
    }

    #[tokio::test]
    async fn accounts_share_the_server_budget() {
        let budget = BodyBudget::new(Gauge::default());
        let capacity = limits::BODIES_IN_FLIGHT_BYTES / LARGE;
        let mut held: Vec<_> =
            (0..capacity).filter_map(|n| budget.try_acquire(&n.to_string(), LARGE)).collect();
        assert_eq!(held.len(), capacity);
        assert!(budget.acquire("one more", 1).await.is_err() && budget.try_acquire("one more", 1).is_none());
        held.pop();
        budget.acquire("one more", LARGE).await.unwrap();
    }

    #[tokio::test]
    async fn idle_accounts_are_dropped() {
        let budget = BodyBudget::new(Gauge::default());
        for number in 0..3 * MAX_IDLE_ACCOUNTS {
            budget.acquire(&number.to_string(), 1).await.unwrap();
        }
        assert!(budget.accounts.lock().unwrap().len() <= MAX_IDLE_ACCOUNTS);
    }
}
