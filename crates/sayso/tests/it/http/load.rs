//! Tests of clients that are hostile, slow or many.

#[cfg(target_os = "linux")]
mod bodies;
mod concurrency;
mod descriptors;
mod hostile;
pub(crate) mod limits;
mod quotas;
mod slow;
