//! The person's open inbox, by which hooks know that a person is present.

use std::path::Path;
use std::sync::mpsc::Receiver;

use anyhow::Context;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::launch;

use super::sandbox::poll_until;

/// Running `sayso inbox`. It ends when this value is dropped.
pub(super) struct OpenInbox {
    child: Box<dyn Child + Send + Sync>,
    _screen: Box<dyn MasterPty + Send>,
    _written: Receiver<Vec<u8>>,
}

impl OpenInbox {
    /// Opens the inbox, and waits for its first frame.
    ///
    /// # Errors
    /// Fails if it cannot be started, or shows nothing.
    pub(super) fn open(sayso: &Path, home: &Path, desk: &str) -> anyhow::Result<Self> {
        let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 80, ..PtySize::default() })?;
        let mut command = CommandBuilder::new(sayso);
        command.args(["inbox", "--desk", desk]);
        command.env_clear();
        for (name, value) in launch::environment(home) {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        command.cwd(home);
        let child = pair.slave.spawn_command(command)?;
        let written = launch::output(pair.master.try_clone_reader()?);
        let mut seen = Vec::new();
        poll_until("frame of the inbox", || {
            seen.extend(written.try_iter().flatten());
            Ok(String::from_utf8_lossy(&seen).contains("sayso").then_some(()))
        })
        .context("`sayso inbox` shows nothing")?;
        Ok(Self { child, _screen: pair.master, _written: written })
    }
}

impl Drop for OpenInbox {
    fn drop(&mut self) {
        // Fails only if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
