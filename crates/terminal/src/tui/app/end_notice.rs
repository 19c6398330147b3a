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
    ended: PromptOutcome,
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
        let now = self.monotonic;
        let (is_busy, has_typed) = (self.typing.is_typing(now), self.typing.has_typed());
        let is_only = self.setup.only_ask.is_some();
        let Some(view) = &mut self.ask_view else { return false };
        // Keys that type nothing stay away from the list for the settle time of a new view.
        let may_type_on = view.is_typing() && (has_typed || !is_only);
        let waits = may_type_on || (is_only && is_busy);
        if !waits || self.exit_pending.is_some() {
            return false;
        }
        let typed = text_input::focused_text(view).to_owned();
        // The reason remains in the field that shows it.
        view.decline_reason = ending::typed_reason(view).to_owned();
        view.ask = ask.clone();
        let theirs = if typed.is_empty() {
            QuotedText::Empty
        } else {
            QuotedText::Lines(vec![EndedLine::Person(typed)])
        };
        let mut pager = Pager::new(Message::EndedTitle, format!("{text}\n\n"), theirs);
        pager.key_hints = Message::AnyKeyCloses;
        view.dialog = Some(Dialog::Pager(pager));
        self.overlay = None;
        let until = if may_type_on { now.checked_add(CLOSES_AFTER).unwrap_or(now) } else { now };
        let ended = PromptOutcome::SettledElsewhere(ask.clone());
        self.end_notice =
            Some(EndNotice { ended, message: text.to_owned(), shown_at: now, shown_until: until });
        true
    }

    /// Returns how the ask that is shown as ended did, for a program that can no longer show it.
    pub fn take_shown_end(&mut self) -> Option<PromptOutcome> {
        self.end_notice.take().map(|closing| closing.ended)
    }

    /// Handles a key while an end is shown: after a moment any key closes it, but none that the person was typing.
    pub(super) fn handle_end_key(&mut self, key: Key) -> Vec<Effect> {
        let scrolls = matches!(key.code, KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown);
        if let Some(dialog) = self.ask_view.as_mut().and_then(|view| view.dialog.as_mut())
            && scrolls
        {
            dialog.handle_key(key, self.monotonic);
            return Vec::new();
        }
        let shown = self.end_notice.as_ref().map(|end| elapsed(end.shown_at, self.monotonic));
        let is_read = shown.is_some_and(|shown| shown >= MIN_SHOWN) && self.typing.has_paused();
        if is_read || key.code == KeyCode::Esc && self.setup.only_ask.is_none() {
            return self.leave_shown_end();
        }
        Vec::new()
    }

    /// Leaves the ask after its end was shown.
    pub(super) fn leave_shown_end(&mut self) -> Vec<Effect> {
        let Some(EndNotice { ended, message: text, .. }) = self.end_notice.take() else { return Vec::new() };
        self.notice = Some(text);
        self.typing.record_closing(self.monotonic);
        self.close_view(ended)
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
        let typed = |view: &super::AskView| {
            view.form.sheet.given_count() > 0 || !ending::typed_reason(view).trim().is_empty()
        };
        if self.ask_view.as_ref().is_some_and(typed) {
            message.push_str(describe::sentence_separator(lang));
            message.push_str(&Message::TextKeptAt.render_with(lang, [own(ask.id.short_id())]));
        }
        message
    }
}
