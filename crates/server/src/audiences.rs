//! Audiences of new asks: the default of the server, those of a token, and the choice of an ask among them.

use sayso_core::{Audience, DocumentPath, Message, Problem, ProblemCode, ServiceUser, limits};
use sayso_desk::StoreDesk;
use sayso_desk::group::service_user_account;
use sayso_desk::token::{TokenAudience, check_account_name};
use std::sync::Arc;

/// Default audience of a server's asks, from its settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct DefaultAudience {
    names: Arc<[String]>,
    audience: Arc<Audience>,
}

impl DefaultAudience {
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
    /// Account of the asker.
    account: String,
    default: DefaultAudience,
    token: TokenAudience,
    /// True if the caller may name any audience.
    is_free: bool,
}

impl AudienceChoice {
    pub(crate) const fn new(
        account: String,
        default: DefaultAudience,
        token: TokenAudience,
        is_free: bool,
    ) -> Self {
        Self { account, default, token, is_free }
    }

    /// Returns the audience of a new ask that names these accounts and groups, or none.
    ///
    /// # Errors
    /// Fails if the caller may not name it, whether or not it exists.
    pub(crate) fn choose(&self, desk: &StoreDesk, names: Option<&[String]>) -> Result<Audience, Problem> {
        let token_names = &self.token.default_names;
        let default_names = if token_names.is_empty() { &*self.default.names } else { token_names };
        let Some(names) = names else { return desk.audience_named(default_names) };
        if names.is_empty() {
            return Err(if self.is_free { Problem::missing_member("for") } else { refused() });
        }
        if names.len() > limits::AUDIENCE_NAMES {
            let message = Message::AudienceTooLarge.with([limits::AUDIENCE_NAMES]);
            return Err(Problem::new(ProblemCode::TooBig, message).at(place()));
        }
        let mut resolved_names = Vec::with_capacity(names.len());
        for name in names {
            resolved_names.push(self.resolve(desk, default_names, name)?);
        }
        desk.audience_named(&resolved_names)
    }

    /// Returns a name as audiences have it. The users of a service are asked by the askers of its account alone.
    fn resolve(&self, desk: &StoreDesk, defaults: &[String], name: &String) -> Result<String, Problem> {
        if let Some(service) = ServiceUser::service_of(name)
            && desk.is_service(service)?
        {
            let is_own = self.is_free || service == self.account;
            return if is_own { service_user_account(name) } else { Err(refused()) };
        }
        if self.is_free {
            check_account_name(name).map_err(|problem| problem.at(place()))?;
        } else if !defaults.contains(name) && !self.token.may_for.contains(name) {
            return Err(refused());
        }
        Ok(name.clone())
    }
}

/// Returns the problem of a name that a token may not name, whether or not it exists.
fn refused() -> Problem {
    Problem::new(ProblemCode::NotAllowed, Message::AudienceRefused)
}

fn place() -> DocumentPath {
    DocumentPath::root().join("for")
}
