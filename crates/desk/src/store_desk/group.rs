//! Groups of a desk over a store.

use super::{StoreDesk, service_names};
use crate::group::{GroupChange, Groups};
use crate::store::api::GoneAccounts;
use sayso_core::i18n::foreign;
use sayso_core::{Audience, Departures, DocumentPath, Message, Problem, ProblemCode};
use std::collections::BTreeSet;

impl StoreDesk {
    /// Returns the groups of an account.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem> {
        self.store.groups_of(account)
    }

    /// Returns all groups.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn groups(&self) -> Result<Groups, Problem> {
        self.store.groups()
    }

    /// Returns the accounts that have gone, so that asks for them go to the admins: all tokens of a person have ended, or
    /// all those of its service. `groups` are those of this desk.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn departures(&self, groups: &Groups) -> Result<Departures, Problem> {
        let GoneAccounts { persons, services } = self.store.gone_accounts(self.store.now())?;
        Ok(Departures::new(persons, services, groups))
    }

    /// Adds an account to a group or removes it. Returns false if nothing changed.
    ///
    /// # Errors
    /// If a name is invalid, the group has the name of an account, or the desk cannot store it.
    pub fn change_group(&self, change: GroupChange) -> Result<bool, Problem> {
        change.check()?;
        if change.joins {
            service_names::check_group(&*self.store, &change)?;
        }
        // An audience names accounts and groups alike.
        if change.joins && self.tokens()?.iter().any(|token| token.account == change.group) {
            let message = Message::NameOfAccount.with([foreign(&change.group)]);
            let at = DocumentPath::root().join("group");
            return Err(Problem::new(ProblemCode::InvalidValue, message).at(at));
        }
        self.store.change_group(change)
    }

    /// Returns the audience of these names: each is a group if there is one of this name, or else an account.
    ///
    /// # Errors
    /// If the desk cannot be read.
    pub fn audience_named(&self, names: &[String]) -> Result<Audience, Problem> {
        if matches!(names, [only] if only == Audience::MEMBERS) {
            return Ok(Audience::members());
        }
        let groups = self.groups()?;
        let mut audience = Audience::default();
        for name in names {
            if name == Audience::MEMBERS || groups.contains_key(name) {
                audience.groups.insert(name.clone());
            } else {
                audience.accounts.insert(name.clone());
            }
        }
        Ok(audience)
    }
}
