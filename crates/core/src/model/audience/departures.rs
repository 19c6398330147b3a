//! Accounts of a desk that have gone, and the audiences that have lost their last one: those asks go to the admins.

use crate::model::audience::Audience;
use crate::model::audience::service_user::ServiceUser;
use std::collections::{BTreeMap, BTreeSet};

/// Accounts that have gone, so that no one can sign in as them. An account that was never there has not gone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Departures {
    accounts: BTreeSet<String>,
    services: BTreeSet<String>,
    /// Groups with an account that has not gone.
    living_groups: BTreeSet<String>,
}

impl Departures {
    /// Returns those of a desk: accounts and services whose tokens have all ended, and the groups with their accounts.
    pub fn new(
        accounts: BTreeSet<String>,
        services: BTreeSet<String>,
        groups: &BTreeMap<String, BTreeSet<String>>,
    ) -> Self {
        let mut departures = Self { accounts, services, living_groups: BTreeSet::new() };
        let is_living = |members: &BTreeSet<String>| !members.iter().all(|account| departures.has(account));
        let living = groups.iter().filter(|(_, members)| is_living(members)).map(|(name, _)| name.clone());
        departures.living_groups = living.chain([Audience::MEMBERS.to_owned()]).collect();
        departures
    }

    /// Returns the accounts that have gone, without the users of services.
    pub const fn accounts(&self) -> &BTreeSet<String> {
        &self.accounts
    }

    /// Returns the services that have gone, with all their users.
    pub const fn services(&self) -> &BTreeSet<String> {
        &self.services
    }

    /// Returns the groups that have an account left. Any other group has gone.
    pub const fn living_groups(&self) -> &BTreeSet<String> {
        &self.living_groups
    }

    fn has(&self, account: &str) -> bool {
        let of_service = ServiceUser::service_of(account);
        self.accounts.contains(account) || of_service.is_some_and(|service| self.services.contains(service))
    }

    /// Returns whether the last account of an audience has gone.
    pub fn has_all_of(&self, audience: &Audience) -> bool {
        let Audience { accounts, groups } = audience;
        let is_someone = !accounts.is_empty() || !groups.is_empty();
        is_someone
            && accounts.iter().all(|account| self.has(account))
            && groups.is_disjoint(&self.living_groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> BTreeSet<String> {
        all.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn last_account_decides() {
        let groups = BTreeMap::from([
            ("ops".to_owned(), names(&["ada", "bob"])),
            ("web".to_owned(), names(&["ada", "shop/7"])),
        ]);
        let gone = Departures::new(names(&["ada"]), names(&["shop"]), &groups);
        let has = |accounts: &[&str], groups: &[&str]| {
            gone.has_all_of(&Audience { accounts: names(accounts), groups: names(groups) })
        };
        assert!(has(&["ada"], &[]) && has(&["shop/9", "ada"], &["web"]) && has(&[], &["web", "emptied"]));
        assert!(!has(&["ada", "bob"], &[]) && !has(&["ada"], &["ops"]), "bob is there");
        assert!(!has(&["mill/9"], &[]) && !has(&["shop"], &[]), "no one knows that they have gone");
        assert!(!has(&[], &["members"]) && !has(&[], &[]), "an audience of no one is for no one");
    }
}
