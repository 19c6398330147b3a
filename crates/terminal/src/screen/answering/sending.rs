//! The two acts that end an ask: submit and decline.

use super::super::dialog::Dialog;
use super::super::effect::{Call, Effect};
use super::super::input::Key;
use super::{Answering, HELD, Moment, QUIET, REPEATS, Spot};
use crate::awaited::Awaited;
use crate::{recap, sending};
use sayso_core::wire::json;
use sayso_core::{Ask, Command, Message};

impl Answering {
    /// Returns whether a key that sends counts: the person has been here for a while, and no such key came just before.
    /// A held key never counts, even if the terminal does not report repeats.
    pub(super) fn is_meant(&self, cx: &Moment) -> bool {
        let quiet = if self.may_be_held { HELD } else { QUIET };
        cx.since(self.arrived) >= quiet && cx.since(self.entered) >= QUIET
    }

    /// Returns whether Enter comes as fast as a held key repeats.
    pub(super) fn is_held(&self, key: Key, cx: &Moment) -> bool {
        key.repeat || cx.since(self.entered) < REPEATS
    }

    /// Submits the answers if nothing prevents it.
    pub(super) fn submit(&mut self, cx: &Moment) -> Vec<Effect> {
        self.settle_text(cx);
        if self.sending {
            return Vec::new();
        }
        if !self.action_seen {
            self.told = Some(Message::ActionUnread.plain(cx.lang).to_owned());
            self.go(Spot::Action, cx);
            return Vec::new();
        }
        if let Err(problem) = self.sheet.submission() {
            self.flagged
                .extend(problem.causes.iter().filter_map(|cause| recap::place_of(&self.sheet, cause)));
            self.told = Some(problem.message.render(cx.lang));
            self.go(Spot::Review, cx);
            self.row = 0;
            return Vec::new();
        }
        let replies = self.sheet.replies();
        let key = sending::key(&self.ask, "submit", &json::write(&replies));
        self.act(key, Command::Submit { replies, as_sent: None, shown: self.shown }, cx)
    }

    /// Opens the dialog that confirms declining and asks for a reason.
    pub(super) fn ask_decline(&mut self) {
        self.dialog = Some(Dialog::decline(&self.declining));
    }

    /// Returns the reason to decline that was typed so far.
    pub(crate) fn reason(&self) -> &str {
        match &self.dialog {
            Some(Dialog::Decline { reason, .. }) => reason.text(),
            _ => &self.declining,
        }
    }

    pub(super) fn decline(&mut self, reason: Option<String>, cx: &Moment) -> Vec<Effect> {
        self.settle_text(cx);
        let key = sending::key(&self.ask, "decline", reason.as_deref().unwrap_or_default());
        self.act(key, Command::Decline { reason, shown: self.shown }, cx)
    }

    /// Sends the desk a reason that was typed when the ask ended elsewhere; the desk keeps it as a late submission.
    /// Returns nothing until the ask has ended for good.
    pub(crate) fn too_late(&self, ask: &Ask) -> Option<Effect> {
        let reason = self.reason().trim();
        if reason.is_empty() || ask.outcome().is_none() {
            return None;
        }
        let command = Command::Decline { reason: Some(reason.to_owned()), shown: self.shown };
        Some(Effect::Call(Call::Act { id: ask.id, key: sending::key(ask, "decline", reason), command }))
    }

    fn act(&mut self, key: String, command: Command, cx: &Moment) -> Vec<Effect> {
        self.awaited = Some(Awaited::of(&self.ask, cx.runs));
        self.sending = true;
        vec![Effect::Call(Call::Act { id: self.ask.id, key, command })]
    }
}
