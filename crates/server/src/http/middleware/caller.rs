//! Authenticated callers and the parties that they act as. Core decides what each may do.

use super::revocation::Credential;
use crate::audiences::{AudienceChoice, DefaultAudience};
use crate::diagnostics::LoggedCaller;
use crate::http::login::proof::ProvenBody;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{
    AccountQuota, Actor, Ask, AskAccess, AskReader, Asker, DocumentPath, Message, Person, Problem,
    ProblemCode,
};
use sayso_desk::token::{TokenAudience, TokenRole, check_account_name};
use schemars::JsonSchema;
use serde::Deserialize;

/// Authenticated caller of a request.
#[derive(Debug, Clone)]
pub(crate) struct AuthenticatedCaller {
    /// Account of the token.
    pub(crate) account: String,
    /// Role of the token.
    pub(crate) role: TokenRole,
    /// Role that an admin acts in.
    pub(crate) acts_as: Option<TokenRole>,
    /// Credential that authenticated the request.
    pub(crate) credential: Credential,
    /// Place of the caller, as its browser states it: a page of the desk, a page of others, or none.
    pub(crate) surface: Surface,
    /// Audiences of the asks of its token.
    pub(crate) audience: TokenAudience,
    /// Reader whose asks the caller sees.
    pub(crate) reader: AskReader,
    /// True if an admin asked to open an ask whose audience it is not in.
    pub(crate) steps_outside: bool,
    /// Body that a browser signed.
    pub(crate) proven_body: Option<ProvenBody>,
}

/// Access of a caller to an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// The ask is the caller's own, or for the caller.
    InAudience,
    /// It is for others, and the caller is an admin who asked to open it all the same.
    Outside,
    /// It is for others.
    None,
}

/// Person who answers, as the caller states.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonParams {
    /// The person's name. Only an admin may set it, and vouches for it.
    #[schemars(length(min = 1, max = 100))]
    name: Option<String>,
    /// Where the person answers.
    surface: Option<Surface>,
    /// The caller's assurance that a person answers, limited by its token.
    assurance: Option<AssuranceLevel>,
}

impl AuthenticatedCaller {
    /// Returns the role of this call: the token's own, or for an admin the requested one or the route's default.
    pub(crate) fn effective_role(&self, usual: TokenRole) -> TokenRole {
        match self.role {
            TokenRole::Admin => self.acts_as.unwrap_or(usual),
            role => role,
        }
    }

    /// Returns whether the caller sees only the asks of its own account.
    pub(crate) fn is_limited_to_own_asks(&self) -> bool {
        self.role == TokenRole::Asker
    }

    /// Returns whether the caller may see drafts, which people typed and have not submitted.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self.effective_role(TokenRole::Person), TokenRole::Person | TokenRole::Admin)
    }

    /// Returns whether the caller is the user of a service, by a session that the service opened.
    pub(crate) const fn is_service_user(&self) -> bool {
        matches!(self.credential, Credential::ServiceSession(_))
    }

    /// Returns whether the caller is a person who uses the desk. An admin is one only where it says so: it may be a
    /// program that watches the server. The user of a service uses the service.
    pub(crate) fn is_person_in_use(&self) -> bool {
        match (self.role, &self.credential) {
            (TokenRole::Person, _) => !self.is_service_user(),
            (TokenRole::Admin, _) => self.acts_as == Some(TokenRole::Person),
            (TokenRole::Asker | TokenRole::Service, _) => false,
        }
    }

    /// Returns the quota for new asks of the account; `None` for people and admins.
    pub(crate) fn ask_quota(&self, usual: AccountQuota) -> Option<AccountQuota> {
        if self.is_limited_to_own_asks() { Some(usual) } else { None }
    }

    /// Returns the access of the caller to an ask.
    pub(crate) fn access_to(&self, ask: &Ask) -> AccessKind {
        let request = &ask.request;
        if self.reader.may_see(request.asker.account.as_deref(), request.audience.as_ref()) {
            AccessKind::InAudience
        } else if self.steps_outside {
            AccessKind::Outside
        } else {
            AccessKind::None
        }
    }

    /// Returns the caller as the one who opened an ask, and so may wait for its outcome.
    pub(crate) fn into_opener(self) -> Self {
        match self.role {
            TokenRole::Admin => Self { reader: AskReader::Desk, ..self },
            TokenRole::Asker | TokenRole::Person | TokenRole::Service => self,
        }
    }

    /// Returns the reader whose asks the caller finds by their id.
    pub(crate) fn finder(&self) -> AskReader {
        if self.steps_outside { AskReader::Desk } else { self.reader.clone() }
    }

    /// Returns the choice of the audience of the caller's new asks.
    pub(crate) fn audience_choice(&self, default: &DefaultAudience) -> AudienceChoice {
        let is_free = self.role == TokenRole::Admin;
        AudienceChoice::new(self.account.clone(), default.clone(), self.audience.clone(), is_free)
    }

    /// Checks that the caller may decide as a person.
    ///
    /// # Errors
    /// Fails if it is an asker or a service.
    pub(crate) fn check_may_decide(&self) -> Result<(), Problem> {
        match self.effective_role(TokenRole::Person) {
            TokenRole::Person | TokenRole::Admin => Ok(()),
            TokenRole::Asker => Err(Problem::new(ProblemCode::NotAllowed, Message::AskersCannotAnswer)),
            TokenRole::Service => Err(service_refused()),
        }
    }

    /// Returns the party that acts on an ask, on a route with this default role.
    ///
    /// # Errors
    /// Fails if it names another person without the right to.
    pub(crate) fn to_who(&self, usual: TokenRole, ask: &Ask, by: PersonParams) -> Result<Actor, Problem> {
        match self.effective_role(usual) {
            TokenRole::Person | TokenRole::Admin => self.to_person_at(ask, by).map(Actor::Person),
            TokenRole::Asker => Ok(Actor::Asker(ask.request.asker.clone())),
            TokenRole::Service => Err(service_refused()),
        }
    }

    /// Returns the caller as the log names it.
    pub(crate) fn logged(&self) -> LoggedCaller {
        LoggedCaller { account: self.account.as_str().into(), role: self.role.as_str() }
    }

    /// Returns the person who answers an ask.
    ///
    /// # Errors
    /// Fails if the caller is an asker, or may not speak for others.
    pub(crate) fn to_person_at(&self, ask: &Ask, by: PersonParams) -> Result<Person, Problem> {
        let mut person = self.to_person(by)?;
        if self.access_to(ask) == AccessKind::Outside {
            person.access = Some(AskAccess::OutsideAudience);
        }
        Ok(person)
    }

    /// Returns the person who answers.
    ///
    /// # Errors
    /// Fails if the caller is an asker, or may not speak for others.
    pub(crate) fn to_person(&self, by: PersonParams) -> Result<Person, Problem> {
        let max_assurance = match (self.role, &self.credential) {
            (TokenRole::Admin, _) => AssuranceLevel::Relayed,
            (_, Credential::BrowserSession(_)) => AssuranceLevel::BrowserSession,
            (_, Credential::ServiceSession(_)) => AssuranceLevel::ServiceSession,
            (_, Credential::Token(_)) => AssuranceLevel::Token,
        };
        self.check_may_decide()?;
        let name = match (self.role, by.name) {
            (_, None) => self.account.clone(),
            (_, Some(name)) if name == self.account => name,
            (TokenRole::Admin, Some(name)) => check_vouched_name(name, &["by", "name"])?,
            (_, Some(_)) => return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdminsVouch)),
        };
        let surface = match (self.surface, by.surface) {
            // A page cannot change what its browser states, but it may be a page of the desk with others around it.
            (Surface::Element, _) | (_, Some(Surface::Element)) => Surface::Element,
            (Surface::Page, _) => Surface::Page,
            (surface, stated) => stated.unwrap_or(surface),
        };
        let max_assurance = match surface {
            // The page around the element can fill it in.
            Surface::Element => max_assurance.min(AssuranceLevel::Embedded),
            _ => max_assurance,
        };
        let assurance = by.assurance.unwrap_or(max_assurance).min(max_assurance);
        Ok(Person { name, surface, assurance, access: None })
    }

    /// Returns the asker of a new ask.
    ///
    /// # Errors
    /// Fails if the caller may not ask, or not for others.
    pub(crate) fn to_asker(&self, from: AskerParams) -> Result<Asker, Problem> {
        match self.effective_role(TokenRole::Asker) {
            TokenRole::Asker => {}
            TokenRole::Person | TokenRole::Admin => {
                return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAskersAsk));
            }
            TokenRole::Service => return Err(service_refused()),
        }
        let AskerParams { name, folder, session, account } = from;
        let account = match (self.role, account) {
            (TokenRole::Admin, None) => None,
            (TokenRole::Admin, Some(account)) => Some(check_vouched_name(account, &["from", "account"])?),
            (_, Some(account)) if account != self.account => {
                return Err(Problem::new(ProblemCode::NotAllowed, Message::OnlyAdminsVouch));
            }
            _ => Some(self.account.clone()),
        };
        let name = name.unwrap_or_else(|| self.account.clone());
        Ok(Asker { name, folder, session, account })
    }
}

/// Returns the problem of a service that would ask or answer itself.
fn service_refused() -> Problem {
    Problem::new(ProblemCode::NotAllowed, Message::ServiceLetsIn)
}

/// Validates a name that an admin vouches for. It appears in receipts and controls access, so the rules of accounts
/// apply.
fn check_vouched_name(name: String, place: &[&str]) -> Result<String, Problem> {
    if let Err(problem) = check_account_name(&name) {
        let path = place.iter().fold(DocumentPath::root(), |path, step| path.join(*step));
        return Err(problem.at(path));
    }
    Ok(name)
}

/// The asker, as the caller describes it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskerParams {
    /// Name that the asker gives itself; the account if it gives none.
    #[schemars(length(max = 200))]
    pub(crate) name: Option<String>,
    /// The folder it works in.
    pub(crate) folder: Option<String>,
    /// Session of the agent in its host, if it has one.
    pub(crate) session: Option<String>,
    /// Account on whose behalf an admin asks.
    pub(crate) account: Option<String>,
}
