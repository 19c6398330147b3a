//! Audiences: the accounts and groups that may see and answer an ask, and the readers that they are judged against.
//!
//! **Invariant:** an audience and a reader match by their keys alone, here and in the queries of a store. An admin is
//! moreover the reader of each audience whose last account has gone; queries may find more for it, and its rows are
//! judged here.

pub mod departures;
pub mod service_user;

use departures::Departures;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Accounts and groups that may see and answer an ask. It is fixed when the ask opens.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Audience {
    /// Accounts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub accounts: BTreeSet<String>,
    /// Groups of accounts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub groups: BTreeSet<String>,
}

impl Audience {
    /// The group of every person whom an admin let in.
    pub const MEMBERS: &str = "members";

    /// Returns the audience of every person whom an admin let in.
    pub fn members() -> Self {
        Self { groups: BTreeSet::from([Self::MEMBERS.to_owned()]), ..Self::default() }
    }

    /// Returns the audience of one account.
    pub fn of_account(account: impl Into<String>) -> Self {
        Self { accounts: BTreeSet::from([account.into()]), ..Self::default() }
    }

    /// Returns whether these are the members and no one else.
    pub fn is_members(&self) -> bool {
        self.accounts.is_empty() && self.groups.iter().eq([Self::MEMBERS])
    }

    /// Returns the keys of its accounts and groups. A reader with one of them is in the audience.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        let accounts = self.accounts.iter().map(|account| account_key(account));
        accounts.chain(self.groups.iter().map(|group| group_key(group)))
    }

    /// Returns the names of its accounts and groups, as people read them. They are not escaped for display.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().chain(&self.accounts).map(String::as_str)
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(", "))
    }
}

fn account_key(account: &str) -> String {
    format!("a:{account}")
}

fn group_key(group: &str) -> String {
    format!("g:{group}")
}

/// Reader of asks, whom the walls between people stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AskReader {
    /// The desk itself, and whoever opens its file: every ask.
    #[default]
    Desk,
    /// A service on the network, which only lets its users in: no ask.
    Nobody,
    /// An asker on the network: the asks of its account.
    Asker {
        /// Account.
        account: String,
    },
    /// A person on the network: the asks whose audience has the account or one of its groups.
    Person {
        /// Account.
        account: String,
        /// Groups of the account.
        groups: BTreeSet<String>,
        /// True if the person is in the audience of asks that have none of their own.
        is_in_default_audience: bool,
        /// Of an admin: accounts that have gone, whose asks are the admins' then.
        inherits: Option<Arc<Departures>>,
    },
}

impl AskReader {
    /// Returns the reader of a person. `default` is the audience of asks that have none of their own.
    pub fn person(account: String, groups: BTreeSet<String>, default: &Audience) -> Self {
        Self::person_who_inherits(account, groups, default, None)
    }

    /// Returns the reader of an admin, who is a person, and to whom the asks of those who have gone go.
    pub fn admin(
        account: String,
        groups: BTreeSet<String>,
        default: &Audience,
        departures: Arc<Departures>,
    ) -> Self {
        Self::person_who_inherits(account, groups, default, Some(departures))
    }

    fn person_who_inherits(
        account: String,
        groups: BTreeSet<String>,
        default: &Audience,
        inherits: Option<Arc<Departures>>,
    ) -> Self {
        let mut reader = Self::Person { account, groups, is_in_default_audience: false, inherits };
        let is_default_reader = reader.is_in(default);
        if let Self::Person { is_in_default_audience, .. } = &mut reader {
            *is_in_default_audience = is_default_reader;
        }
        reader
    }

    /// Returns the reader of a service's user, who is in no group and no member: the asks for that account alone.
    pub const fn service_user(account: String) -> Self {
        Self::Person { account, groups: BTreeSet::new(), is_in_default_audience: false, inherits: None }
    }

    /// Returns the keys of a person, of which an audience must have one.
    pub fn keys(&self) -> Vec<String> {
        match self {
            Self::Desk | Self::Nobody | Self::Asker { .. } => Vec::new(),
            Self::Person { account, groups, .. } => std::iter::once(account_key(account))
                .chain(groups.iter().map(|group| group_key(group)))
                .collect(),
        }
    }

    fn is_in(&self, audience: &Audience) -> bool {
        let Self::Person { account, groups, inherits, .. } = self else { return false };
        audience.accounts.contains(account)
            || !audience.groups.is_disjoint(groups)
            || inherits.as_ref().is_some_and(|departures| departures.has_all_of(audience))
    }

    /// Returns whether this reader may see the ask of an asker's account with an audience.
    pub fn may_see(&self, asker_account: Option<&str>, audience: Option<&Audience>) -> bool {
        match self {
            Self::Desk => true,
            Self::Nobody => false,
            Self::Asker { account } => asker_account == Some(account.as_str()),
            Self::Person { is_in_default_audience, .. } => {
                audience.map_or(*is_in_default_audience, |audience| self.is_in(audience))
            }
        }
    }
}

/// Access of a person to an ask without being in its audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskAccess {
    /// The person opened the desk's file.
    DeskFile,
    /// An admin who is not in the audience opened it.
    OutsideAudience,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(account: &str, groups: &[&str]) -> AskReader {
        let groups = groups.iter().map(|&group| group.to_owned()).collect();
        AskReader::person(account.to_owned(), groups, &Audience::members())
    }

    #[test]
    fn audience_admits_accounts_and_groups() {
        let audience = Audience { groups: BTreeSet::from(["ops".to_owned()]), ..Audience::of_account("ada") };
        let sees = |reader: &AskReader| reader.may_see(Some("ci"), Some(&audience));
        assert!(sees(&person("ada", &[])) && sees(&person("bob", &["ops"])) && sees(&AskReader::Desk));
        assert!(!sees(&person("bob", &["members", "web"])));
        assert!(!sees(&person("ops", &["ada"])), "a group is no account");
        assert!(sees(&AskReader::Asker { account: "ci".to_owned() }));
        assert!(!sees(&AskReader::Asker { account: "ada".to_owned() }), "an asker is no person");
        assert!(!sees(&AskReader::Nobody) && !sees(&AskReader::service_user("shop/ada".to_owned())));
        let shop = Audience::of_account("shop/ada");
        assert!(AskReader::service_user("shop/ada".to_owned()).may_see(Some("shop"), Some(&shop)));
    }

    #[test]
    fn default_audience_fills_gaps() {
        for (reader, sees) in
            [(person("ada", &["members"]), true), (AskReader::service_user("shop/7".to_owned()), false)]
        {
            assert_eq!(reader.may_see(None, None), sees, "{reader:?}");
        }
        assert!(!person("ada", &["members"]).may_see(None, Some(&Audience::default())));
    }

    #[test]
    fn admin_inherits_from_the_gone() {
        let gone = Departures::new(["ada".to_owned()].into(), [].into(), &[].into());
        let root =
            AskReader::admin("root".to_owned(), [].into(), &Audience::of_account("ada"), Arc::new(gone));
        for (account, sees) in [("ada", true), ("bob", false), ("root", true)] {
            assert_eq!(root.may_see(None, Some(&Audience::of_account(account))), sees, "{account}");
        }
        assert!(root.may_see(None, None), "no one else is in the default audience");
        assert!(!person("bob", &[]).may_see(None, Some(&Audience::of_account("ada"))));
        assert_eq!(root.keys(), ["a:root"]);
    }

    #[test]
    fn keys_match_like_readers() {
        let audiences = [Audience::members(), Audience::of_account("ada"), Audience::of_account("members")];
        for reader in [person("ada", &["members"]), person("members", &[]), person("bob", &["ada"])] {
            for audience in &audiences {
                let by_keys = audience.keys().any(|key| reader.keys().contains(&key));
                assert_eq!(by_keys, reader.may_see(None, Some(audience)), "{reader:?} {audience:?}");
            }
        }
    }
}
