//! Who calls: the account and role of a token, and whom that makes at the desk. Core decides what each may do.

use super::stay::Credential;
use sayso_core::who::{Assurance, Surface};
use sayso_core::{AccountQuota, Ask, Asker, Code, Message, Path, Person, Problem, Who};
use sayso_desk::token::{Role, check_account};
use schemars::JsonSchema;
use serde::Deserialize;

/// Who calls.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// Whose token it is.
    pub(super) account: String,
    /// What the token lets its bearer do.
    pub(super) role: Role,
    /// The role that an admin acts in.
    pub(super) acts_as: Option<Role>,
    /// What it showed to be let in.
    pub(super) shown: Credential,
}

/// Who answers, as the caller says.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
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
    /// The role that this call is made in: the token's own, or for an admin the one it says, or else the usual one of
    /// the route.
    pub(super) fn role(&self, usual: Role) -> Role {
        match self.role {
            Role::Admin => self.acts_as.unwrap_or(usual),
            role => role,
        }
    }

    /// Whether it sees the asks of its own account alone.
    pub(super) fn sees_its_own_alone(&self) -> bool {
        self.role == Role::Asker
    }

    /// Whether it may see what people typed and have not given to an asker.
    pub(super) fn is_person(&self) -> bool {
        self.role(Role::Person) != Role::Asker
    }

    /// What the asks of its account may take, of what the asks of any account may.
    pub(super) fn quota(&self, usual: AccountQuota) -> Option<AccountQuota> {
        self.sees_its_own_alone().then_some(usual)
    }

    /// Whether it may see an ask.
    pub(super) fn may_see(&self, account: Option<&str>) -> bool {
        !self.sees_its_own_alone() || account == Some(self.account.as_str())
    }

    /// Who acts on an ask, on a route that is usually for this role.
    ///
    /// # Errors
    /// When it says that somebody else answers, and may not.
    pub(super) fn who(&self, usual: Role, ask: &Ask, by: By) -> Result<Who, Problem> {
        match self.role(usual) {
            Role::Person | Role::Admin => self.person(by).map(Who::Person),
            Role::Asker => Ok(Who::Asker(ask.request.asker.clone())),
        }
    }

    /// The person who answers.
    ///
    /// # Errors
    /// When no person does, or the caller may not speak for others.
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

    /// The one who asks.
    ///
    /// # Errors
    /// When the caller may not ask, or not for others.
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

/// A name that an admin vouches for: it stands in receipts and decides who sees an ask, so it is held to what accounts are.
fn named(name: String, place: &[&str]) -> Result<String, Problem> {
    let at = place.iter().fold(Path::root(), |path, step| path.then(*step));
    check_account(&name).map_err(|problem| problem.at(at))?;
    Ok(name)
}

/// Who asks, as the caller says.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
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
