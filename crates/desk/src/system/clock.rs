//! Clock and ids: the only place where the desk reads the time and makes ids.

use jiff::Timestamp;
use sayso_core::lifecycle::{ClockSample, MonotonicTime};
use sayso_core::{AskId, Digest};
use uuid::Uuid;

/// Returns the current time, in whole microseconds.
#[expect(clippy::disallowed_methods, reason = "this is the desk's clock")]
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    // Stores keep microseconds; an ask must be the same when it is read back.
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// Reads the wall clock and the steady clock.
pub(crate) fn read_clocks() -> ClockSample {
    loop {
        let before = steady_clock();
        let reading = ClockSample { wall: now(), monotonic: before };
        // If the process is stopped between the two reads, the pause looks like a clock that was set.
        let is_one_moment = match (before, steady_clock()) {
            (Some(before), Some(after)) => after.micros - before.micros < SIMULTANEOUS_MICROS,
            _ => true,
        };
        if is_one_moment {
            return reading;
        }
    }
}

/// Longest distance in microseconds between two readings that count as simultaneous.
const SIMULTANEOUS_MICROS: i64 = 1_000_000;

/// Reads the clock that no one can set.
#[cfg(target_os = "linux")]
fn steady_clock() -> Option<MonotonicTime> {
    static BOOT: std::sync::OnceLock<Option<i64>> = std::sync::OnceLock::new();
    let boot = (*BOOT.get_or_init(|| {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        // A container may count from another origin.
        let space = std::fs::read_link("/proc/self/ns/time").unwrap_or_default();
        let digest = Digest::compute(format!("{boot}{}", space.display()).as_bytes());
        let (number, _) = digest.as_bytes().split_first_chunk()?;
        Some(i64::from_be_bytes(*number))
    }))?;
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Some(MonotonicTime {
        boot_id: boot,
        micros: time.tv_sec.saturating_mul(1_000_000).saturating_add(time.tv_nsec / 1_000),
    })
}

/// Returns `None`: this system has no such clock, so deadlines follow the wall clock.
#[cfg(not(target_os = "linux"))]
const fn steady_clock() -> Option<MonotonicTime> {
    None
}

/// Returns a new id: random, or one that begins with the time.
#[expect(clippy::disallowed_methods, reason = "this is where the desk makes ids")]
pub(crate) fn new_id(random: bool) -> AskId {
    AskId::new(if random { Uuid::new_v4() } else { Uuid::now_v7() })
}

/// Returns the id of an account. It is always the same and reveals nothing about the account.
pub(crate) fn account_uuid(account: &str) -> Uuid {
    let mut id = [0; 16];
    let digest = Digest::compute(account.as_bytes());
    id.iter_mut().zip(digest.as_bytes()).for_each(|(byte, drawn)| *byte = *drawn);
    uuid::Builder::from_custom_bytes(id).into_uuid()
}
