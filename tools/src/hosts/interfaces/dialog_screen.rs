//! Host on a screen, whose dialogs take keys.

use super::{DialogChoice, HostInterface};
use crate::hosts::screen::{Page, Screen};

/// Running host on a screen.
pub(super) struct DialogScreen {
    pub(super) screen: Screen,
    /// Dialog of a choice, with the keys that choose.
    pub(super) dialog: fn(DialogChoice) -> Page,
}

impl HostInterface for DialogScreen {
    fn choose(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.wait_for_dialog(choice)?;
        let Page { text, keys } = (self.dialog)(choice);
        self.screen.press_until_gone(keys, text)
    }

    fn wait_for_dialog(&mut self, choice: DialogChoice) -> anyhow::Result<()> {
        self.screen.wait_for((self.dialog)(choice).text)
    }

    fn submit(&mut self, prompt: &str) -> anyhow::Result<()> {
        self.screen.submit(prompt)
    }

    fn kill(&mut self) -> anyhow::Result<()> {
        self.screen.kill()
    }
}
