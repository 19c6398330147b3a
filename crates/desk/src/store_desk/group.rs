//! Groups of a desk over a store.

use super::{StoreDesk, service_names};
use crate::group::{GroupChange, GroupDesk, Groups};
use crate::store::GoneAccounts;
use crate::token::TokenDesk as _;
use sayso_core::i18n::foreign;
use sayso_core::{Departures, DocumentPath, Message, Problem, ProblemCode};
use std::collections::BTreeSet;

impl GroupDesk for StoreDesk {
    fn groups_of(&self, account: &str) -> Result<BTreeSet<String>, Problem> {
        self.store.groups_of(account)
    }

    fn groups(&self) -> Result<Groups, Problem> {
        self.store.groups()
    }

    fn departures(&self, groups: &Groups) -> Result<Departures, Problem> {
        let GoneAccounts { persons, services } = self.store.gone_accounts(self.store.now())?;
        Ok(Departures::new(persons, services, groups))
    }

    fn change_group(&self, change: GroupChange) -> Result<bool, Problem> {
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
}
