//! An ask that ended elsewhere while the person was typing. Further keys must reach neither the list nor the shell, so
//! the end stays on the screen until the person can have read it.

use super::super::dialog::{Dialog, Pager, Theirs};
use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::App;
use crate::prompter::Ended;
use crate::recap;
use jiff::Timestamp;
use sayso_core::{Ask, Message};
use std::time::Duration;

/// Time without a key after which the person is not typing. If only one ask is shown, a program may wait for its end.
/// It waits no longer than this after the last key, once the end was visible.
const LULL: Duration = Duration::from_secs(1);

/// Shortest time for which an end is shown if letters were text. A person who pauses to think types on afterwards, and
/// the shell would run that as a command.
const SEEN: Duration = Duration::from_secs(10);

/// End of an ask that is being shown.
#[derive(Debug)]
pub(super) struct Closing {
    ended: Ended,
    said: String,
    /// Earliest time at which it closes.
    until: Timestamp,
}

impl App {
    /// Records that the person did something to the open ask.
    pub(super) fn busy(&mut self) {
        if self.answering.is_some() {
            self.busy_at = Some(self.steady);
        }
    }

    fn is_busy(&self) -> bool {
        self.busy_at.is_some_and(|then| self.moment().since(then) < LULL)
    }

    /// Shows how an ask ended if the person was typing. Returns false if there is nothing to wait for.
    pub(super) fn show_end(&mut self, ask: &Ask, said: &str) -> bool {
        let is_busy = self.is_busy();
        let (is_only, has_typed, now) = (self.setup.only.is_some(), self.busy_at.is_some(), self.steady);
        let Some(view) = &mut self.answering else { return false };
        // Keys that type nothing stay away from the list for the settle time of a new view.
        let may_type_on = view.is_typing() && (has_typed || !is_only);
        let waits = may_type_on || (is_only && is_busy);
        if !waits || self.leaving.is_some() {
            return false;
        }
        let typed = view.being_typed().to_owned();
        // The reason remains in the field that shows it.
        view.declining = view.reason().to_owned();
        view.ask = ask.clone();
        let theirs = if typed.is_empty() { Theirs::Nothing } else { Theirs::Text(typed) };
        let mut pager = Pager::new(Message::EndedTitle, format!("{said}\n\n"), theirs);
        if is_only {
            pager.keys = Message::ClosesByItself;
        }
        view.dialog = Some(Dialog::Pager(pager));
        self.over = None;
        let until = if may_type_on { now.checked_add(SEEN).unwrap_or(now) } else { now };
        let ended = Ended::SettledElsewhere(ask.clone());
        self.closing = Some(Closing { ended, said: said.to_owned(), until });
        true
    }

    /// Returns how the ask that is shown as ended did, for a program that can no longer show it.
    pub fn closed(&mut self) -> Option<Ended> {
        self.closing.take().map(|closing| closing.ended)
    }

    /// Handles a key while an end is shown. Keys that type do nothing.
    pub(super) fn key_at_end(&mut self, key: Key) -> Vec<Effect> {
        if key.code == KeyCode::Esc && self.setup.only.is_none() {
            return self.finish();
        }
        let scrolls = matches!(key.code, KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown);
        if let Some(dialog) = self.answering.as_mut().and_then(|view| view.dialog.as_mut())
            && scrolls
        {
            dialog.key(key);
        }
        Vec::new()
    }

    /// Leaves the ask after its end was shown.
    pub(super) fn finish(&mut self) -> Vec<Effect> {
        let Some(Closing { ended, said, .. }) = self.closing.take() else { return Vec::new() };
        self.told = Some(said);
        self.taken_away = Some(self.steady);
        self.left(ended)
    }

    /// Returns the time at which a shown end closes; `None` if there is a list to go back to.
    pub(super) fn closes_at(&self) -> Option<Timestamp> {
        self.setup.only?;
        let until = self.closing.as_ref()?.until;
        let lull = self.busy_at.map_or(Some(self.steady), |then| then.checked_add(LULL).ok())?;
        Some(until.max(lull))
    }

    /// Describes the end of an ask that ended elsewhere while it was open here.
    pub(super) fn words_of_end(&self, ask: &Ask) -> String {
        let lang = self.setup.lang;
        let mut said = recap::ending(ask, lang).unwrap_or_default();
        let typed = |view: &super::Answering| view.sheet.given() > 0 || !view.reason().trim().is_empty();
        if self.answering.as_ref().is_some_and(typed) {
            said.push_str(recap::between(lang));
            said.push_str(&Message::TextKeptAt.say(lang, [ask.id.handle()]));
        }
        said
    }
}
