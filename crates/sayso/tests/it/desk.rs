//! Tests of the desk itself: crashes, disks, damage, and desks on the network.

mod care;
#[cfg(target_os = "linux")]
pub(crate) mod clock_changes;
mod copy;
mod crash_recovery;
mod database;
#[cfg(target_os = "linux")]
mod disk_faults;
mod full_disk;
mod location;
mod remote;
mod remote_contract;
mod remote_restart;
mod removed;
mod small_disk;
mod unusable;
