//! Shutdown of a server whose disk fails.

use crate::console;
use crate::exit::Exit;
use sayso_core::{Lang, Message};
use sayso_desk::LocalDesk;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Time to send the failure to callers that wait for a reply.
const TOLD_WITHIN: Duration = Duration::from_millis(300);

/// Exits shortly after the disk fails to confirm a write.
pub(crate) fn stop_when_disk_fails(desk: &LocalDesk, lang: Lang) {
    desk.when_disk_fails(move || {
        console::say(Message::DiskFailed.plain(lang));
        let (_nobody, never) = channel::<()>();
        let _ = never.recv_timeout(TOLD_WITHIN);
        Exit::Unreachable.leave_now()
    });
}
