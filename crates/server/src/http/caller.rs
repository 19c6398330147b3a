//! Authenticated callers and the parties that they act as. Core decides what each may do.

use super::stay::Credential;
use sayso_core::who::{Assurance, Surface};
use sayso_core::{AccountQuota, Ask, Asker, Code, Message, Path, Person, Problem, Who};
use sayso_desk::token::{Role, check_account};
use schemars::JsonSchema;
use serde::Deserialize;

/// Authenticated caller of a request.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// Account of the token.
    pub(super) account: String,
    /// Role of the token.
    pub(super) role: Role,
    /// Role that an admin acts in.
    pub(super) acts_as: Option<Role>,
    /// Credential that authenticated the request.
    pub(super) shown: Credential,
}

/// Who answers, as the caller says.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "By")]
#[serde(deny_unknown_fields)]
pub(super) struct By {
    /// The person's name. Only an admin may give it: it vouches for whom it lets in.
    #[schemars(length(min = 1, max = 100))]
    name: Option<String>,
    /// Where the person answers.
    surface: Option<Surface>,
    /// How sure the caller is that a person is there. No more is recorded than the token is good for.
    assurance: Option<Assurance>,
}

impl Caller {
    /// Returns the role of this call: the token's own, or for an admin the requested one or the route's default.
    pub(super) fn role(&self, usual: Role) -> Role {
        match self.role {
            Role::Admin => self.acts_as.unwrap_or(usual),
            role => role,
        }
    }

    /// Returns whether the caller sees only the asks of its own account.
    pub(super) fn sees_its_own_alone(&self) -> bool {
        self.role == Role::Asker
    }

    /// Returns whether the caller may see drafts, which people typed and have not submitted.
    pub(super) fn is_person(&self) -> bool {
        self.role(Role::Person) != Role::Asker
    }

    /// Returns the quota for new asks of the account; `None` for people and admins.
    pub(super) fn quota(&self, usual: AccountQuota) -> Option<AccountQuota> {
        self.sees_its_own_alone().then_some(usual)
    }

    /// Returns whether the caller may see an ask.
    pub(super) fn may_see(&self, account: Option<&str>) -> bool {
        !self.sees_its_own_alone() || account == Some(self.account.as_str())
    }

    /// Returns the party that acts on an ask, on a route with this default role.
    ///
    /// # Errors
    /// Fails if it names another person without the right to.
    pub(super) fn who(&self, usual: Role, ask: &Ask, by: By) -> Result<Who, Problem> {
        match self.role(usual) {
            Role::Person | Role::Admin => self.person(by).map(Who::Person),
            Role::Asker => Ok(Who::Asker(ask.request.asker.clone())),
        }
    }

    /// Returns the person who answers.
    ///
    /// # Errors
    /// Fails if the caller is an asker, or may not speak for others.
    pub(super) fn person(&self, by: By) -> Result<Person, Problem> {
        let most = match (self.role, &self.shown) {
            (Role::Admin, _) => Assurance::Relayed,
            (_, Credential::Session(_)) => Assurance::BrowserSession,
            (_, Credential::Token(_)) => Assurance::Token,
        };
        let name = match (self.role(Role::Person), self.role, by.name) {
            (Role::Asker, ..) => return Err(Problem::new(Code::NotAllowed, Message::AskersCannotAnswer)),
            (_, _, None) => self.account.clone(),
            (_, _, Some(name)) if name == self.account => name,
            (_, Role::Admin, Some(name)) => named(name, &["by", "name"])?,
            (_, _, Some(_)) => return Err(Problem::new(Code::NotAllowed, Message::OnlyAdminsVouch)),
        };
        let assurance = by.assurance.unwrap_or(most).min(most);
        Ok(Person { name, surface: by.surface.unwrap_or(Surface::Http), assurance })
    }

    /// Returns the asker of a new ask.
    ///
    /// # Errors
    /// Fails if the caller may not ask, or not for others.
    pub(super) fn asker(&self, from: From) -> Result<Asker, Problem> {
        let From { name, folder, session, account } = from;
        let account = match (self.role(Role::Asker), self.role) {
            (Role::Asker, Role::Admin) => {
                account.map(|account| named(account, &["from", "account"])).transpose()?
            }
            (Role::Asker, _) if account.is_none() || account.as_ref() == Some(&self.account) => {
                Some(self.account.clone())
            }
            (Role::Asker, _) => return Err(Problem::new(Code::NotAllowed, Message::OnlyAdminsVouch)),
            (Role::Person | Role::Admin, _) => {
                return Err(Problem::new(Code::NotAllowed, Message::OnlyAskersAsk));
            }
        };
        let name = name.unwrap_or_else(|| self.account.clone());
        Ok(Asker { name, folder, session, account })
    }
}

/// Validates a name that an admin vouches for. It appears in receipts and controls access, so the rules of accounts
/// apply.
fn named(name: String, place: &[&str]) -> Result<String, Problem> {
    let at = place.iter().fold(Path::root(), |path, step| path.then(*step));
    check_account(&name).map_err(|problem| problem.at(at))?;
    Ok(name)
}

/// Who asks, as the caller says.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "From")]
#[serde(deny_unknown_fields)]
pub(super) struct From {
    /// What the asker calls itself; the account where it says nothing.
    #[schemars(length(max = 200))]
    pub(super) name: Option<String>,
    /// The folder it works in.
    pub(super) folder: Option<String>,
    /// Its session, where it has one.
    pub(super) session: Option<String>,
    /// For whom an admin asks.
    pub(super) account: Option<String>,
}
