//! Waiting for the desk: calls that block, changes that wake a waiter, and the time left until a deadline.

pub(crate) mod blocking_calls;
pub(crate) mod change_notifier;
pub(crate) mod deadline;
