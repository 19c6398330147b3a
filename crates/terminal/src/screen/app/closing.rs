//! An ask that ended under somebody's hands: what they type on is neither for the list nor for the shell. The end is
//! shown where they type until they can have read it.

use super::super::dialog::{Dialog, Pager, Theirs};
use super::super::effect::Effect;
use super::super::input::{Key, KeyCode};
use super::App;
use crate::prompter::Ended;
use crate::recap;
use jiff::Timestamp;
use sayso_core::{Ask, Message};
use std::time::Duration;

/// How long no key must have come for nobody to be typing. Where only one ask is shown a program may wait for its end,
/// and waits no longer than this after the last key, where the end has been seen.
const LULL: Duration = Duration::from_secs(1);

/// How long an end is shown at least where letters were text. Whoever thinks about the next word types on after that, and
/// what they type would be a command to the shell.
const SEEN: Duration = Duration::from_secs(10);

/// An end that is being shown.
#[derive(Debug)]
pub(super) struct Closing {
    ended: Ended,
    said: String,
    /// Until when it is shown at least.
    until: Timestamp,
}

impl App {
    /// The person did something to the ask that is open.
    pub(super) fn busy(&mut self) {
        if self.answering.is_some() {
            self.busy_at = Some(self.steady);
        }
    }

    fn is_busy(&self) -> bool {
        self.busy_at.is_some_and(|then| self.moment().since(then) < LULL)
    }

    /// Shows how an ask ended where somebody was typing. Whether it does: there is nothing to wait for where nobody is.
    pub(super) fn show_end(&mut self, ask: &Ask, said: &str) -> bool {
        let is_busy = self.is_busy();
        let (is_only, has_typed, now) = (self.setup.only.is_some(), self.busy_at.is_some(), self.steady);
        let Some(answering) = &mut self.answering else { return false };
        // Keys that are no letters are kept from the list by the time it takes to see it.
        let may_type_on = answering.is_typing() && (has_typed || !is_only);
        let waits = may_type_on || (is_only && is_busy);
        if !waits || self.leaving.is_some() {
            return false;
        }
        let typed = answering.being_typed().to_owned();
        // A reason goes on standing where it is looked for.
        answering.declining = answering.reason().to_owned();
        answering.ask = ask.clone();
        let theirs = if typed.is_empty() { Theirs::Nothing } else { Theirs::Text(typed) };
        let mut pager = Pager::new(Message::EndedTitle, format!("{said}\n\n"), theirs);
        if is_only {
            pager.keys = Message::ClosesByItself;
        }
        answering.dialog = Some(Dialog::Pager(pager));
        self.over = None;
        let until = if may_type_on { now.checked_add(SEEN).unwrap_or(now) } else { now };
        let ended = Ended::SettledElsewhere(ask.clone());
        self.closing = Some(Closing { ended, said: said.to_owned(), until });
        true
    }

    /// How what is shown as ended did, for a program that cannot show it any more.
    pub fn closed(&mut self) -> Option<Ended> {
        self.closing.take().map(|closing| closing.ended)
    }

    /// A key, while an end is shown. None of those that type does anything.
    pub(super) fn key_at_end(&mut self, key: Key) -> Vec<Effect> {
        if key.code == KeyCode::Esc && self.setup.only.is_none() {
            return self.finish();
        }
        let scrolls = matches!(key.code, KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown);
        if let Some(dialog) = self.answering.as_mut().and_then(|answering| answering.dialog.as_mut())
            && scrolls
        {
            dialog.key(key);
        }
        Vec::new()
    }

    /// Goes where the end of an ask leads.
    pub(super) fn finish(&mut self) -> Vec<Effect> {
        let Some(Closing { ended, said, .. }) = self.closing.take() else { return Vec::new() };
        self.told = Some(said);
        self.taken_away = Some(self.steady);
        self.left(ended)
    }

    /// When an end that is shown has been shown for long enough; never by itself where there is a list to go back to.
    pub(super) fn closes_at(&self) -> Option<Timestamp> {
        self.setup.only?;
        let until = self.closing.as_ref()?.until;
        let lull = self.busy_at.map_or(Some(self.steady), |then| then.checked_add(LULL).ok())?;
        Some(until.max(lull))
    }

    /// What is said of an ask that ended elsewhere while it was open here.
    pub(super) fn words_of_end(&self, ask: &Ask) -> String {
        let lang = self.setup.lang;
        let mut said = recap::ending(ask, lang).unwrap_or_default();
        let typed = |answering: &super::Answering| {
            answering.sheet.given() > 0 || !answering.reason().trim().is_empty()
        };
        if self.answering.as_ref().is_some_and(typed) {
            said.push_str(recap::between(lang));
            said.push_str(&Message::TextKeptAt.say(lang, [ask.id.handle()]));
        }
        said
    }
}
