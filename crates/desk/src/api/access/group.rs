//! Groups of accounts, which audiences of asks name.

use sayso_core::i18n::foreign;
use sayso_core::{Audience, DocumentPath, Message, Problem, ProblemCode, ServiceUser, limits};
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
        let path = DocumentPath::root().join("group");
        crate::token::check_account_name(&self.group).map_err(|problem| problem.at(path.clone()))?;
        crate::token::check_account_name(&self.account)?;
        if self.group == Audience::MEMBERS {
            let message = Message::NoSuchValue.with(["group", Audience::MEMBERS]);
            return Err(Problem::new(ProblemCode::InvalidValue, message).at(path));
        }
        Ok(())
    }
}

/// Checks the names of a new ask's audience.
///
/// # Errors
/// If there is none, there are more than [`limits::AUDIENCE_NAMES`], or one is not the name of an account.
pub fn check_audience_names(names: &[String]) -> Result<(), Problem> {
    if names.is_empty() {
        return Err(Problem::missing_member("for"));
    }
    if names.len() > limits::AUDIENCE_NAMES {
        let message = Message::AudienceTooLarge.with([limits::AUDIENCE_NAMES]);
        return Err(Problem::new(ProblemCode::TooBig, message).at(DocumentPath::root().join("for")));
    }
    crate::token::check_account_names(names, "for")
}

/// Returns the account of a service's user, whom an audience names in any spelling of the encoding.
///
/// # Errors
/// If the name is no encoding of one.
pub fn service_user_account(name: &str) -> Result<String, Problem> {
    let Some(user) = ServiceUser::parse(name) else {
        let message = Message::ServiceUserEncoding.with([foreign(name)]);
        return Err(Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join("for")));
    };
    Ok(user.account())
}
