//! Shutdown of a server whose disk fails.

use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::{Lang, Message};
use sayso_desk::StoreDesk;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Time to send the failure to callers that wait for a reply.
const REPLY_GRACE: Duration = Duration::from_millis(300);

/// Exits shortly after the disk fails to confirm a write.
pub(crate) fn exit_on_disk_failure(desk: &StoreDesk, lang: Lang) {
    desk.on_disk_failure(move || {
        console::print_message(Message::DiskFailed.plain(lang));
        let (_nobody, never) = channel::<()>();
        // Always times out, which is the pause.
        let _ = never.recv_timeout(REPLY_GRACE);
        CommandExit::Unreachable.exit_process()
    });
}
