//! An ask that ended elsewhere while the person was typing. Further keys must reach neither the list nor the shell, so
//! the end stays on the screen until the person can have read it.

use super::super::answer::ending;
use super::super::answer::reply::text_input;
use super::super::clock::elapsed;
use super::super::dialog::{Dialog, Pager, QuotedText};
use super::super::effect::Effect;
use super::App;
use crate::describe::{self, EndedLine};
use crate::surface::PromptOutcome;
use crate::tty::{Key, KeyCode};
use jiff::Timestamp;
use sayso_core::i18n::own;
use sayso_core::{Ask, Message};
use std::time::Duration;

/// Shortest time for which an end is shown before a key closes it.
const MIN_SHOWN: Duration = Duration::from_secs(1);

/// Time after which the end of a single ask closes by itself if letters were text. A person who pauses to think types
/// on afterwards, and the shell would run that as a command.
const CLOSES_AFTER: Duration = Duration::from_secs(10);

/// End of an ask that is being shown.
#[derive(Debug)]
pub(super) struct EndNotice {
    outcome: PromptOutcome,
    message: String,
    shown_at: Timestamp,
    /// Earliest time at which it closes by itself.
    shown_until: Timestamp,
}

impl App {
    /// Records that the person did something to the open ask.
    pub(super) fn record_key(&mut self) {
        if self.ask_view.is_some() {
            self.typing.record_key(self.monotonic);
        }
    }

    /// Shows how an ask ended if the person was typing. Returns false if there is nothing to wait for.
    pub(super) fn show_end(&mut self, ask: &Ask, text: &str) -> bool {
        let shown_at = self.monotonic;
        let is_only = self.setup.only_ask.is_some();
        let Some(view) = &mut self.ask_view else { return false };
        // Keys that type nothing stay away from the list for the settle time of a new view.
        let may_type_on = view.is_typing() && (self.typing.has_typed() || !is_only);
        let is_needed = may_type_on || (is_only && self.typing.is_typing(shown_at));
        if !is_needed || self.exit_pending.is_some() {
            return false;
        }
        let unsent_text = text_input::focused_text(view).to_owned();
        // The reason remains in the field that shows it.
        view.decline_reason = ending::typed_reason(view).to_owned();
        view.ask = ask.clone();
        let quoted_text = if unsent_text.is_empty() {
            QuotedText::Empty
        } else {
            QuotedText::Lines(vec![EndedLine::Person(unsent_text)])
        };
        let mut pager = Pager::new(Message::EndedTitle, format!("{text}\n\n"), quoted_text);
        pager.key_hints = Message::AnyKeyCloses;
        view.dialog = Some(Dialog::Pager(pager));
        self.overlay = None;
        let mut shown_until = shown_at;
        if may_type_on {
            shown_until = shown_at.checked_add(CLOSES_AFTER).unwrap_or(shown_at);
        }
        let outcome = PromptOutcome::SettledElsewhere(ask.clone());
        self.end_notice = Some(EndNotice { outcome, message: text.to_owned(), shown_at, shown_until });
        true
    }

    /// Returns how the ask that is shown as ended did, for a program that can no longer show it.
    pub fn take_shown_end(&mut self) -> Option<PromptOutcome> {
        let notice = self.end_notice.take()?;
        Some(notice.outcome)
    }

    /// Handles a key while an end is shown: after a moment any key closes it, but none that the person was typing.
    pub(super) fn handle_end_key(&mut self, key: Key) -> Vec<Effect> {
        let scrolls = matches!(key.code, KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown);
        if scrolls
            && let Some(view) = &mut self.ask_view
            && let Some(dialog) = &mut view.dialog
        {
            dialog.handle_key(key, self.monotonic);
            return Vec::new();
        }
        let Some(notice) = &self.end_notice else { return Vec::new() };
        let is_read = elapsed(notice.shown_at, self.monotonic) >= MIN_SHOWN && self.typing.has_paused();
        if is_read || key.code == KeyCode::Esc && self.setup.only_ask.is_none() {
            return self.leave_shown_end();
        }
        Vec::new()
    }

    /// Leaves the ask after its end was shown.
    pub(super) fn leave_shown_end(&mut self) -> Vec<Effect> {
        let Some(EndNotice { outcome, message, .. }) = self.end_notice.take() else { return Vec::new() };
        self.notice = Some(message);
        self.typing.record_closing(self.monotonic);
        self.close_view(outcome)
    }

    /// Returns the time at which a shown end closes; `None` if there is a list to go back to.
    pub(super) fn end_closes_at(&self) -> Option<Timestamp> {
        self.setup.only_ask?;
        let until = self.end_notice.as_ref()?.shown_until;
        Some(until.max(self.typing.lull_at(self.monotonic)?))
    }

    /// Describes the end of an ask that ended elsewhere while it was open here.
    pub(super) fn describe_end(&self, ask: &Ask) -> String {
        let lang = self.setup.lang;
        let mut message = describe::end_elsewhere(ask, lang).unwrap_or_default();
        if let Some(view) = &self.ask_view
            && (view.form.sheet.has_input() || !ending::typed_reason(view).trim().is_empty())
        {
            message.push_str(describe::sentence_separator(lang));
            message.push_str(&Message::TextKeptAt.render_with(lang, [own(ask.id.short_id())]));
        }
        message
    }
}
