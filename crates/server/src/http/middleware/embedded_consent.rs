//! Consent in an embedded element: only for askers whose admin allows it.

use sayso_core::i18n::own;
use sayso_core::model::actor::Surface;
use sayso_core::{Actor, Ask, AskCommand, Message, Problem, ProblemCode};
use std::collections::HashSet;

/// Accounts of askers to which an element in a page of theirs may give consent.
#[derive(Debug, Clone, Default)]
pub(crate) struct EmbeddedConsent(HashSet<String>);

impl EmbeddedConsent {
    pub(crate) fn new(accounts: impl IntoIterator<Item = String>) -> Self {
        Self(accounts.into_iter().collect())
    }

    /// Returns whether an element may give consent to an account of askers.
    pub(crate) fn allows(&self, account: &str) -> bool {
        self.0.contains(account)
    }

    /// Checks an action on an ask. Anything but consent may come from an element, and so may a refusal.
    ///
    /// # Errors
    /// Fails if it gives consent in an element, and the asker's account is not named.
    pub(crate) fn check(&self, who: &Actor, ask: &Ask, command: &AskCommand) -> Result<(), Problem> {
        let is_embedded = matches!(who, Actor::Person(person) if person.surface == Surface::Element);
        let gives_consent =
            matches!(command, AskCommand::Submit { .. }) && ask.request.questionnaire.asks_consent();
        let is_allowed = matches!(&ask.request.asker.account, Some(account) if self.allows(account));
        if !is_embedded || !gives_consent || is_allowed {
            return Ok(());
        }
        Err(Problem::new(ProblemCode::NotAllowed, Message::EmbeddedConsent)
            .with_hint(Message::EmbeddedConsentHint.with([own(ask.id)])))
    }
}
