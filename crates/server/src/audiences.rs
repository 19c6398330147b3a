//! Audiences of new asks: the usual one of the server, those of a token, and the choice of an ask among them.

use sayso_core::{Audience, Message, Problem, ProblemCode};
use sayso_desk::GroupDesk;
use sayso_desk::group::check_audience_names;
use sayso_desk::token::TokenAudience;
use std::sync::Arc;

/// Usual audience of a server's asks, from its settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct UsualAudience {
    names: Arc<[String]>,
    audience: Arc<Audience>,
}

impl UsualAudience {
    /// Creates the audience of these accounts and groups; the members without a name.
    pub(crate) fn new(names: &[String]) -> Self {
        let members = [Audience::MEMBERS.to_owned()];
        let names: &[String] = if names.is_empty() { &members } else { names };
        // No account has the name of a group, so a name stands for one or the other.
        let [accounts, groups] = [names, names].map(|names| names.iter().cloned().collect());
        Self { names: names.into(), audience: Arc::new(Audience { accounts, groups }) }
    }

    /// Returns the audience, by which readers of asks without one of their own are judged.
    pub(crate) fn audience(&self) -> &Audience {
        &self.audience
    }
}

/// Choice of the audience of a caller's new asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AudienceChoice {
    usual: UsualAudience,
    token: TokenAudience,
    /// True if the caller may name any audience.
    is_free: bool,
}

impl AudienceChoice {
    pub(crate) const fn new(usual: UsualAudience, token: TokenAudience, is_free: bool) -> Self {
        Self { usual, token, is_free }
    }

    /// Returns the audience of a new ask that names these accounts and groups, or none.
    ///
    /// # Errors
    /// Fails if the caller may not name it, whether or not it exists.
    pub(crate) fn choose(&self, desk: &dyn GroupDesk, named: Option<&[String]>) -> Result<Audience, Problem> {
        let usual = if self.token.usual.is_empty() { &*self.usual.names } else { &*self.token.usual };
        let Some(names) = named else { return desk.audience_named(usual) };
        if self.is_free {
            check_audience_names(names)?;
        } else if names.is_empty() || !names.iter().all(|name| self.may_name(usual, name)) {
            return Err(Problem::new(ProblemCode::NotAllowed, Message::AudienceRefused));
        }
        desk.audience_named(names)
    }

    fn may_name(&self, usual: &[String], name: &String) -> bool {
        usual.contains(name) || self.token.may_for.contains(name)
    }
}
