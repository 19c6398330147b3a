//! How often somebody may do something.

use sayso_core::{Code, Message, Problem};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Keys that are remembered.
const KEYS: usize = 10_000;
/// How many are forgotten when there are more.
const FORGOTTEN: usize = KEYS / 10;

/// How often, and how many at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    /// So many at once.
    pub(super) burst: u32,
    /// Then one in this time.
    pub(super) every: Duration,
}

/// A bucket of tokens for each key (an account, or an address), which fills by itself.
#[derive(Debug)]
pub(super) struct Limiter {
    rate: Rate,
    /// When the bucket of a key is full again. A key whose bucket is full need not be here.
    full: Mutex<HashMap<Box<str>, Instant>>,
}

impl Limiter {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, full: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Instant>> {
        self.full.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long until the key may take a token; `None` when it may now.
    pub(super) fn wait(&self, key: &str, now: Instant) -> Option<Duration> {
        let full = self.lock().get(key).copied().unwrap_or(now);
        self.until(full, now)
    }

    /// Takes a token.
    ///
    /// # Errors
    /// How long until there is one.
    pub(super) fn take(&self, key: &str, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.lock();
        let full = buckets.get(key).copied().unwrap_or(now);
        if let Some(wait) = self.until(full, now) {
            return Err(wait);
        }
        let full = full.max(now) + self.rate.every;
        if let Some(bucket) = buckets.get_mut(key) {
            *bucket = full;
        } else {
            if buckets.len() >= KEYS {
                forget(&mut buckets, now);
            }
            buckets.insert(key.into(), full);
        }
        Ok(())
    }

    fn until(&self, full: Instant, now: Instant) -> Option<Duration> {
        let empty = self.rate.every * self.rate.burst.saturating_sub(1);
        let wait = full.saturating_duration_since(now).saturating_sub(empty);
        (!wait.is_zero()).then_some(wait)
    }
}

/// What to tell whoever does something too often.
pub(super) fn too_many(after: Duration) -> Problem {
    Problem::new(Code::TooManyRequests, Message::TooManyRequests.with([seconds(after)]))
}

/// Whole seconds, with what is begun.
pub(super) fn seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// Makes room. Full buckets go, and if these are too few, those that are nearest to it: who took most stays known.
fn forget(buckets: &mut HashMap<Box<str>, Instant>, now: Instant) {
    buckets.retain(|_, full| *full > now);
    let too_many = buckets.len().saturating_sub(KEYS - FORGOTTEN);
    if too_many == 0 {
        return;
    }
    let mut order: Vec<Instant> = buckets.values().copied().collect();
    let (_, last, _) = order.select_nth_unstable(too_many - 1);
    let last = *last;
    let mut left = too_many;
    buckets.retain(|_, full| {
        let goes = left > 0 && *full <= last;
        left -= usize::from(goes);
        !goes
    });
}

#[cfg(test)]
mod tests {
    use super::{KEYS, Limiter, Rate};
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
    use std::time::{Duration, Instant};

    const MS: Duration = Duration::from_millis(1);

    fn limiter(burst: u32, every: u32) -> Limiter {
        Limiter::new(Rate { burst, every: MS * every })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Against a bucket that is filled step by step.
        #[test]
        fn a_bucket_gives_what_it_should(
            burst in 1..6_u32,
            every in 1..50_u32,
            steps in proptest::collection::vec((0..60_u32, 0..2_usize), 1..200),
        ) {
            let limiter = limiter(burst, every);
            let mut now = Instant::now();
            let mut tokens = [burst * every; 2];
            for (passed, key) in steps {
                now += MS * passed;
                tokens = tokens.map(|tokens| (tokens + passed).min(burst * every));
                let name = ["a", "b"][key];
                let expected = if tokens[key] >= every {
                    tokens[key] -= every;
                    Ok(())
                } else {
                    Err(MS * (every - tokens[key]))
                };
                let wait = limiter.wait(name, now);
                prop_assert_eq!(wait, expected.err());
                prop_assert_eq!(limiter.take(name, now), expected);
                if let Some(wait) = wait {
                    prop_assert!(limiter.wait(name, now + wait - Duration::from_nanos(1)).is_some());
                    prop_assert_eq!(limiter.wait(name, now + wait), None);
                }
            }
        }
    }

    #[test]
    fn keys_are_bounded_and_who_took_most_stays_known() {
        let limiter = limiter(2, 1000);
        let now = Instant::now();
        assert_eq!(limiter.take("greedy", now), Ok(()));
        assert_eq!(limiter.take("greedy", now), Ok(()));
        for key in 0..3 * KEYS {
            assert_eq!(limiter.take(&key.to_string(), now), Ok(()));
        }
        assert!(limiter.lock().len() <= KEYS);
        assert_eq!(limiter.take("greedy", now), Err(MS * 1000));
    }

    #[test]
    fn full_buckets_are_forgotten_first() {
        let limiter = limiter(1, 10);
        let now = Instant::now();
        for key in 0..KEYS {
            assert_eq!(limiter.take(&key.to_string(), now), Ok(()));
        }
        assert_eq!(limiter.take("late", now + MS * 10), Ok(()));
        assert_eq!(limiter.lock().len(), 1);
    }
}
