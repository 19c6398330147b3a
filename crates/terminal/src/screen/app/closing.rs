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
/// and waits no longer than this after the last key.
const LULL: Duration = Duration::from_secs(1);

/// An end that is being shown.
#[derive(Debug)]
pub(super) struct Closing {
    ended: Ended,
    said: String,
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
        let is_only = self.setup.only.is_some();
        let Some(answering) = &mut self.answering else { return false };
        // Keys that are no letters are kept from the list by the time it takes to see it.
        let waits = if is_only { is_busy } else { answering.is_typing() };
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
        self.closing = Some(Closing { ended: Ended::SettledElsewhere(ask.clone()), said: said.to_owned() });
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
        let Some(Closing { ended, said }) = self.closing.take() else { return Vec::new() };
        self.told = Some(said);
        self.taken_away = Some(self.steady);
        self.left(ended)
    }

    /// When an end that is shown has been shown for long enough; never by itself where there is a list to go back to.
    pub(super) fn closes_at(&self) -> Option<Timestamp> {
        self.setup.only.and(self.closing.as_ref())?;
        self.busy_at.map_or(Some(self.steady), |then| then.checked_add(LULL).ok())
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
