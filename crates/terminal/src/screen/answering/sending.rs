//! The two acts that end an ask: sending the answers, and declining.

use super::super::dialog::Dialog;
use super::super::effect::{Call, Effect};
use super::super::input::Key;
use super::{Answering, HELD, Moment, QUIET, REPEATS, Spot};
use crate::awaited::Awaited;
use crate::{recap, sending};
use sayso_core::wire::json;
use sayso_core::{Ask, Command, Message};

impl Answering {
    /// Whether a key that sends may count: none came shortly before, nor has the person only just come here. A key that
    /// is held down never counts, also where the terminal does not tell.
    pub(super) fn is_meant(&self, moment: &Moment) -> bool {
        let quiet = if self.may_be_held { HELD } else { QUIET };
        moment.since(self.arrived) >= quiet && moment.since(self.entered) >= QUIET
    }

    /// Whether Enter comes as fast as a key that is held down repeats.
    pub(super) fn is_held(&self, key: Key, moment: &Moment) -> bool {
        key.repeat || moment.since(self.entered) < REPEATS
    }

    /// Sends the answers, where nothing keeps them from being sent.
    pub(super) fn submit(&mut self, moment: &Moment) -> Vec<Effect> {
        self.settle_text(moment);
        if self.sending {
            return Vec::new();
        }
        if !self.action_seen {
            self.told = Some(Message::ActionUnread.plain(moment.lang).to_owned());
            self.go(Spot::Action, moment);
            return Vec::new();
        }
        if let Err(problem) = self.sheet.submission() {
            self.flagged
                .extend(problem.causes.iter().filter_map(|cause| recap::place_of(&self.sheet, cause)));
            self.told = Some(problem.message.render(moment.lang));
            self.go(Spot::Review, moment);
            self.row = 0;
            return Vec::new();
        }
        let replies = self.sheet.replies();
        let key = sending::key(&self.ask, "submit", &json::write(&replies));
        self.act(key, Command::Submit { replies, as_sent: None, shown: self.shown }, moment)
    }

    /// Asks whether to decline, and why.
    pub(super) fn ask_decline(&mut self) {
        self.dialog = Some(Dialog::decline(&self.declining));
    }

    /// The reason to decline that was typed so far.
    pub(crate) fn reason(&self) -> &str {
        match &self.dialog {
            Some(Dialog::Decline { reason, .. }) => reason.text(),
            _ => &self.declining,
        }
    }

    pub(super) fn decline(&mut self, reason: Option<String>, moment: &Moment) -> Vec<Effect> {
        self.settle_text(moment);
        let key = sending::key(&self.ask, "decline", reason.as_deref().unwrap_or_default());
        self.act(key, Command::Decline { reason, shown: self.shown }, moment)
    }

    /// Has the desk keep a reason that was typed when the ask ended elsewhere, with what else came too late. Nothing but
    /// that can become of it once the ask has ended for good.
    pub(crate) fn too_late(&self, ask: &Ask) -> Option<Effect> {
        let reason = self.reason().trim();
        if reason.is_empty() || ask.outcome().is_none() {
            return None;
        }
        let command = Command::Decline { reason: Some(reason.to_owned()), shown: self.shown };
        Some(Effect::Call(Call::Act { id: ask.id, key: sending::key(ask, "decline", reason), command }))
    }

    fn act(&mut self, key: String, command: Command, moment: &Moment) -> Vec<Effect> {
        self.awaited = Some(Awaited::of(&self.ask, moment.runs));
        self.sending = true;
        vec![Effect::Call(Call::Act { id: self.ask.id, key, command })]
    }
}
