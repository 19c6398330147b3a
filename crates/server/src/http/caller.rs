//! Who calls: the account and role of a token, and whom that makes at the desk. Core decides what each may do.

use sayso_core::who::{Assurance, Surface};
use sayso_core::{Ask, Asker, Code, Message, Path, Person, Problem, Who, limits};
use sayso_desk::token::Role;
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
}

/// Who answers, as the caller says.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct By {
    /// The person's name. Only an admin may give it: it vouches for whom it lets in.
    #[schemars(length(min = 1, max = 200))]
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

    /// How many asks its account may have open.
    pub(super) fn quota(&self) -> Option<u64> {
        self.sees_its_own_alone().then_some(limits::OPEN_ASKS_OF_ACCOUNT)
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
        let (name, most) = match (self.role(Role::Person), self.role, by.name) {
            (Role::Asker, ..) => return Err(Problem::new(Code::NotAllowed, Message::AskersCannotAnswer)),
            (_, Role::Admin, Some(name)) => (named(name)?, Assurance::Relayed),
            (_, Role::Admin, None) => (self.account.clone(), Assurance::Relayed),
            (_, _, None) => (self.account.clone(), Assurance::Token),
            (_, _, Some(name)) if name == self.account => (name, Assurance::Token),
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
            (Role::Asker, Role::Admin) => account,
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

/// A name that fits into a receipt.
fn named(name: String) -> Result<String, Problem> {
    let at = || Path::root().then("by").then("name");
    match name.chars().count() {
        0 => Err(Problem::new(Code::Required, Message::NeedsMember.with(["name"])).at(at())),
        1..=limits::NAME_CHARS => Ok(name),
        _ => Err(Problem::new(Code::TooBig, Message::NameTooLong.with([limits::NAME_CHARS])).at(at())),
    }
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
