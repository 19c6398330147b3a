//! Token-bucket rate limiter, one bucket per key.

use sayso_core::{Message, Problem, ProblemCode};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of keys.
const MAX_KEYS: usize = 10_000;
/// Number of keys evicted when the map is full.
const EVICTED_KEYS: usize = MAX_KEYS / 10;

/// Rate of a token bucket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    /// Capacity of the bucket.
    pub(crate) burst: u32,
    /// Time to refill one token.
    pub(crate) every: Duration,
}

/// Token-bucket rate limiter, one bucket per key (an account or an address).
#[derive(Debug)]
pub(crate) struct RateLimiter {
    rate: RateLimit,
    /// Time at which a key's bucket is full. Keys with full buckets may be absent.
    full_at: Mutex<HashMap<Box<str>, Instant>>,
    /// Set if other nodes count the same callers.
    is_shared: AtomicBool,
    /// Tokens that other nodes do not know of.
    untold: Mutex<HashMap<Box<str>, u32>>,
}

impl RateLimiter {
    pub(crate) fn new(rate: RateLimit) -> Self {
        Self { rate, full_at: Mutex::default(), is_shared: AtomicBool::new(false), untold: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Instant>> {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how long the key must wait for a token; `None` if one is available.
    pub(crate) fn wait_time(&self, key: &str, now: Instant) -> Option<Duration> {
        let full = self.lock().get(key).copied().unwrap_or(now);
        self.time_until_token(full, now)
    }

    /// Takes a token.
    ///
    /// # Errors
    /// Returns the time until one is available.
    pub(crate) fn take(&self, key: &str, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.lock();
        let full = buckets.get(key).copied().unwrap_or(now);
        if let Some(wait) = self.time_until_token(full, now) {
            return Err(wait);
        }
        let full = full.max(now) + self.rate.every;
        if let Some(bucket) = buckets.get_mut(key) {
            *bucket = full;
        } else {
            if buckets.len() >= MAX_KEYS {
                evict_buckets(&mut buckets, now);
            }
            buckets.insert(key.into(), full);
        }
        drop(buckets);
        if self.is_shared.load(Ordering::Relaxed) {
            self.note_untold(key);
        }
        Ok(())
    }

    fn note_untold(&self, key: &str) {
        let mut untold = self.lock_untold();
        if let Some(count) = untold.get_mut(key) {
            *count += 1;
        } else if untold.len() < MAX_KEYS {
            untold.insert(key.into(), 1);
        }
    }

    fn lock_untold(&self) -> MutexGuard<'_, HashMap<Box<str>, u32>> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts from now on what other nodes do not know of.
    pub(crate) fn share(&self) {
        self.is_shared.store(true, Ordering::Relaxed);
    }

    /// Takes what other nodes do not know of: keys, and the time to refill the tokens that they took.
    pub(crate) fn take_untold(&self) -> Vec<(Box<str>, Duration)> {
        let untold = std::mem::take(&mut *self.lock_untold());
        untold.into_iter().map(|(key, count)| (key, self.rate.every * count)).collect()
    }

    /// Sets the time in which the bucket of a key is full, after what all nodes took, except for what is not told.
    pub(crate) fn set_total(&self, key: &str, full_in: Duration, now: Instant) {
        let untold = self.lock_untold().get(key).copied().unwrap_or_default();
        if let Some(full) = self.lock().get_mut(key) {
            *full = now + full_in + self.rate.every * untold;
        }
    }

    fn time_until_token(&self, full: Instant, now: Instant) -> Option<Duration> {
        let empty = self.rate.every * self.rate.burst.saturating_sub(1);
        let wait = full.saturating_duration_since(now).saturating_sub(empty);
        if wait.is_zero() { None } else { Some(wait) }
    }
}

/// Returns the problem for an exceeded rate limit.
pub(crate) fn rate_limit_problem(after: Duration) -> Problem {
    Problem::new(ProblemCode::TooManyRequests, Message::TooManyRequests.with([round_up_to_seconds(after)]))
}

/// Rounds up to whole seconds.
pub(crate) fn round_up_to_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// Evicts full buckets and, if these are too few, those nearest to full: the heaviest users stay limited.
fn evict_buckets(buckets: &mut HashMap<Box<str>, Instant>, now: Instant) {
    buckets.retain(|_, full| *full > now);
    let mut excess = buckets.len().saturating_sub(MAX_KEYS - EVICTED_KEYS);
    if excess == 0 {
        return;
    }
    let mut times: Vec<Instant> = buckets.values().copied().collect();
    let (_, latest, _) = times.select_nth_unstable(excess - 1);
    let latest = *latest;
    // Several may be full at the latest time: only as many go as are too many.
    buckets.retain(|_, full| {
        let is_evicted = excess > 0 && *full <= latest;
        excess -= usize::from(is_evicted);
        !is_evicted
    });
}

#[cfg(test)]
mod tests {
    use super::{MAX_KEYS, RateLimit, RateLimiter};
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
    use std::time::{Duration, Instant};

    const MS: Duration = Duration::from_millis(1);

    fn limiter(burst: u32, every: u32) -> RateLimiter {
        RateLimiter::new(RateLimit { burst, every: MS * every })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Against a bucket that is refilled step by step.
        #[test]
        fn bucket_matches_a_stepwise_model(
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
                let wait = limiter.wait_time(name, now);
                prop_assert_eq!(wait, expected.err());
                prop_assert_eq!(limiter.take(name, now), expected);
                if let Some(wait) = wait {
                    prop_assert!(limiter.wait_time(name, now + wait - Duration::from_nanos(1)).is_some());
                    prop_assert_eq!(limiter.wait_time(name, now + wait), None);
                }
            }
        }
    }

    #[test]
    fn tokens_of_other_nodes_count() {
        let limiter = limiter(4, 1000);
        let now = Instant::now();
        assert_eq!(limiter.take("a", now), Ok(()));
        assert_eq!(limiter.take_untold(), [], "no one asks for it");
        limiter.share();
        for _ in 0..2 {
            assert_eq!(limiter.take("a", now), Ok(()));
        }
        assert_eq!(limiter.take_untold(), [("a".into(), MS * 2000)]);
        // Meanwhile one more is taken here; another node took one, too.
        assert_eq!(limiter.take("a", now), Ok(()));
        limiter.set_total("a", MS * 3000, now);
        assert_eq!(limiter.take("a", now), Err(MS * 1000));
        assert_eq!(limiter.take_untold(), [("a".into(), MS * 1000)]);
        limiter.set_total("a", MS * 1000, now);
        assert_eq!(limiter.take("a", now), Ok(()), "the total is what counts");
    }

    #[test]
    fn full_map_keeps_heaviest_users() {
        let limiter = limiter(2, 1000);
        let now = Instant::now();
        assert_eq!(limiter.take("greedy", now), Ok(()));
        assert_eq!(limiter.take("greedy", now), Ok(()));
        for key in 0..3 * MAX_KEYS {
            assert_eq!(limiter.take(&key.to_string(), now), Ok(()));
        }
        assert!(limiter.lock().len() <= MAX_KEYS);
        assert_eq!(limiter.take("greedy", now), Err(MS * 1000));
    }

    #[test]
    fn full_buckets_are_evicted_first() {
        let limiter = limiter(1, 10);
        let now = Instant::now();
        for key in 0..MAX_KEYS {
            assert_eq!(limiter.take(&key.to_string(), now), Ok(()));
        }
        assert_eq!(limiter.take("late", now + MS * 10), Ok(()));
        assert_eq!(limiter.lock().len(), 1);
    }
}
