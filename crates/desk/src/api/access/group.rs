//! Groups of accounts, which audiences of asks name.

use sayso_core::i18n::foreign;
use sayso_core::{Audience, Departures, DocumentPath, Message, Problem, ProblemCode, ServiceUser, limits};
use std::collections::{BTreeMap, BTreeSet};

/// Names of the groups of a desk, each with its accounts.
pub type Groups = BTreeMap<String, BTreeSet<String>>;

/// Change of a group: an account joins or leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupChange {
    /// Group.
    pub group: String,
    /// Account.
    pub account: String,
    /// True if the account joins, false if it leaves.
    pub joins: bool,
}

impl GroupChange {
    /// Checks the names. The group of all members is no group that accounts join.
    ///
    /// # Errors
    /// If a name is not one of an account, or the group has the name of all members.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let at = |member: &str| DocumentPath::root().join(member);
        crate::token::check_account_name(&self.group).map_err(|problem| problem.at(at("group")))?;
        crate::token::check_account_name(&self.account)?;
        if self.group == Audience::MEMBERS {
            let message = Message::NoSuchValue.with(["group", Audience::MEMBERS]);
            return Err(Problem::new(ProblemCode::InvalidValue, message).at(at("group")));
        }
        Ok(())
    }
}

/// Checks the names of a new ask's audience.
///
/// # Errors
/// If there is none, there are more than [`limits::AUDIENCE_NAMES`], or one is not the name of an account.
pub fn check_audience_names(names: &[String]) -> Result<(), Problem> {
    let at = || DocumentPath::root().join("for");
    if names.is_empty() {
        return Err(Problem::missing_member("for"));
    }
    if names.len() > limits::AUDIENCE_NAMES {
        let message = Message::AudienceTooLarge.with([limits::AUDIENCE_NAMES]);
        return Err(Problem::new(ProblemCode::TooBig, message).at(at()));
    }
    names
        .iter()
        .try_for_each(|name| crate::token::check_account_name(name).map_err(|problem| problem.at(at())))
}

/// Returns the account of a service's user, whom an audience names in any spelling of the encoding.
///
/// # Errors
/// If the name is no encoding of one.
pub fn service_user_account(name: &str) -> Result<String, Problem> {
    ServiceUser::parse(name).map(|user| user.account()).ok_or_else(|| {
        let at = DocumentPath::root().join("for");
        Problem::new(ProblemCode::InvalidValue, Message::ServiceUserEncoding.with([foreign(name)])).at(at)
    })
}

/// Groups of a desk. Calls block, and many threads may call at once.
pub trait GroupDesk: Send + Sync {
    /// Returns the groups of an account.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem>;

    /// Returns all groups.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn groups(&self) -> Result<Groups, Problem>;

    /// Returns the accounts that have gone, so that asks for them go to the admins: all tokens of a person have ended, or
    /// all those of its service. `groups` are those of this desk.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn departures(&self, groups: &Groups) -> Result<Departures, Problem>;

    /// Adds an account to a group or removes it. Returns false if nothing changed.
    ///
    /// # Errors
    /// If a name is invalid, the group has the name of an account, or the desk cannot store it.
    fn change_group(&self, change: GroupChange) -> Result<bool, Problem>;

    /// Returns the audience of these names: each is a group if there is one of this name, or else an account.
    ///
    /// # Errors
    /// If the desk cannot be read.
    fn audience_named(&self, names: &[String]) -> Result<Audience, Problem> {
        if matches!(names, [only] if only == Audience::MEMBERS) {
            return Ok(Audience::members());
        }
        let groups = self.groups()?;
        let is_group = |name: &&String| *name == Audience::MEMBERS || groups.contains_key(*name);
        let (groups, accounts): (Vec<_>, Vec<_>) = names.iter().partition(is_group);
        Ok(Audience {
            accounts: accounts.into_iter().cloned().collect(),
            groups: groups.into_iter().cloned().collect(),
        })
    }
}
