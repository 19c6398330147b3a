//! The one place where the desk reads the time and makes ids.

use jiff::Timestamp;
use sayso_core::lifecycle::{Reading, Steady};
use sayso_core::{AskId, Digest};
use uuid::Uuid;

/// The time now.
#[expect(clippy::disallowed_methods, reason = "this is the desk's clock")]
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    // Stores keep microseconds; an ask must be the same when it is read back.
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// What the clocks show.
pub(crate) fn read() -> Reading {
    loop {
        let before = steady();
        let reading = Reading { wall: now(), steady: before };
        // Stopped in between, this process would take the pause for a clock that was set.
        let is_one_moment = match (before, steady()) {
            (Some(before), Some(after)) => after.micros - before.micros < MOMENT_MICROS,
            _ => true,
        };
        if is_one_moment {
            return reading;
        }
    }
}

/// Two readings this close are of one moment.
const MOMENT_MICROS: i64 = 1_000_000;

/// The clock that nobody sets.
#[cfg(target_os = "linux")]
fn steady() -> Option<Steady> {
    static BOOT: std::sync::OnceLock<Option<i64>> = std::sync::OnceLock::new();
    let boot = (*BOOT.get_or_init(|| {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        // A container may count from somewhere else.
        let space = std::fs::read_link("/proc/self/ns/time").unwrap_or_default();
        let digest = Digest::of(format!("{boot}{}", space.display()).as_bytes());
        let (number, _) = digest.as_bytes().split_first_chunk()?;
        Some(i64::from_be_bytes(*number))
    }))?;
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    Some(Steady { boot, micros: time.tv_sec.saturating_mul(1_000_000).saturating_add(time.tv_nsec / 1_000) })
}

/// There is none here: a clock that is set moves what is due.
#[cfg(not(target_os = "linux"))]
const fn steady() -> Option<Steady> {
    None
}

/// A new id: one that begins with the time, or a random one.
#[expect(clippy::disallowed_methods, reason = "this is where the desk makes ids")]
pub(crate) fn new_id(random: bool) -> AskId {
    AskId::new(if random { Uuid::new_v4() } else { Uuid::now_v7() })
}

/// The id of whoever has an account: always the same, and nothing to be read from it.
pub(crate) fn id_of_account(account: &str) -> Uuid {
    let mut id = [0; 16];
    let digest = Digest::of(account.as_bytes());
    id.iter_mut().zip(digest.as_bytes()).for_each(|(byte, drawn)| *byte = *drawn);
    uuid::Builder::from_custom_bytes(id).into_uuid()
}
