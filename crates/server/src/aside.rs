//! What may wait for the disk, aside from the threads that serve.

use sayso_core::{Code, Message, Problem};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{block_in_place, spawn_blocking};

/// How many do something aside.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// One who does, as long as this lives.
struct AtWork;

impl AtWork {
    /// Begins; and whether there is nobody else.
    fn begin() -> (Self, bool) {
        (Self, AT_WORK.fetch_add(1, Ordering::AcqRel) == 0)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Does something that may wait. Who comes alone does it on the thread that serves, which leaves its tasks to another: to
/// be woken on a thread for it, and woken again when it is done, would take as long as waiting for the disk. So there
/// always is another thread for the tasks; all others work on threads of their own.
///
/// # Errors
/// What the work says.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (at_work, is_alone) = AtWork::begin();
    let work = move || {
        let _at_work = at_work;
        work()
    };
    if is_alone && Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return catch_unwind(AssertUnwindSafe(|| block_in_place(work)))
            .unwrap_or_else(|_| Err(broke("it broke off")));
    }
    spawn_blocking(work).await.map_err(|error| broke(&error.to_string()))?
}

fn broke(how: &str) -> Problem {
    Problem::new(Code::DeskFailed, Message::DeskFailed.with([how]))
}
