//! Shutdown of a server that lost its desk.

use crate::output::console;
use crate::output::exit::CommandExit;
use sayso_core::{Lang, Message};
use sayso_desk::StoreDesk;
use sayso_desk::store_desk::DeskLoss;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Time to send the failure to callers that wait for a reply.
const REPLY_GRACE: Duration = Duration::from_millis(300);

/// Exits shortly after the disk fails to confirm a write, or another file has taken the place of the desk.
pub(crate) fn exit_on_loss(desk: &StoreDesk, lang: Lang) {
    desk.on_loss(move |loss| {
        let message = match loss {
            DeskLoss::Unconfirmed => Message::DiskFailed,
            DeskLoss::Replaced => Message::DeskReplaced,
        };
        console::print_message(message.plain(lang));
        let (_nobody, never) = channel::<()>();
        // Always times out, which is the pause.
        let _ = never.recv_timeout(REPLY_GRACE);
        CommandExit::Unreachable.exit_process()
    });
}
