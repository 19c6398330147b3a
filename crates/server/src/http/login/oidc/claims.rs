//! Claims about a person: those of the ID token, and what it lacks from the issuer's page of the person.

use openidconnect::{AdditionalClaims, EndUserEmail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Claims beyond the standard ones.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub(super) struct ExtraClaims {
    #[serde(flatten)]
    members: Map<String, Value>,
}

impl AdditionalClaims for ExtraClaims {}

impl ExtraClaims {
    /// Returns the groups in this claim: the name of a member, or a JSON pointer. One text is one group.
    fn groups(&self, claim: &str) -> Option<BTreeSet<String>> {
        let found = match claim.strip_prefix('/') {
            None => self.members.get(claim)?,
            Some(rest) => {
                let (first, inner) = rest.split_once('/').unwrap_or((rest, ""));
                let member = self.members.get(&first.replace("~1", "/").replace("~0", "~"))?;
                if inner.is_empty() { member } else { member.pointer(&format!("/{inner}"))? }
            }
        };
        match found {
            Value::String(one) => Some(BTreeSet::from([one.clone()])),
            Value::Array(all) => Some(all.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
            _ => None,
        }
    }
}

/// Claims of a person that decide about the sign-in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct IssuerClaims {
    /// Name of the person that the issuer gives to no one else.
    pub(super) subject: String,
    /// E-mail address that the issuer has verified.
    verified_email: Option<String>,
    /// Groups; `None` if the claim is missing.
    groups: Option<BTreeSet<String>>,
}

impl IssuerClaims {
    pub(super) fn new(
        subject: &str,
        email: Option<&EndUserEmail>,
        is_verified: Option<bool>,
        extra: &ExtraClaims,
        groups_claim: &str,
    ) -> Self {
        let email = email.filter(|_| is_verified == Some(true));
        Self {
            subject: subject.to_owned(),
            verified_email: email.map(|email| email.as_str().to_owned()),
            groups: extra.groups(groups_claim),
        }
    }

    /// Returns whether one of these claims is missing.
    pub(super) const fn lacks(&self, groups: bool, email: bool) -> bool {
        groups && self.groups.is_none() || email && self.verified_email.is_none()
    }

    /// Adds what is missing from other claims about the same person.
    pub(super) fn complete_with(&mut self, other: Self) {
        self.groups = self.groups.take().or(other.groups);
        self.verified_email = self.verified_email.take().or(other.verified_email);
    }

    /// Returns whether the person is in a group.
    pub(super) fn has_group(&self, group: &str) -> bool {
        self.groups.as_ref().is_some_and(|groups| groups.contains(group))
    }

    /// Returns the groups; none if the claim is missing.
    pub(super) fn into_groups(self) -> BTreeSet<String> {
        self.groups.unwrap_or_default()
    }

    /// Returns the domain of the verified e-mail address.
    pub(super) fn verified_domain(&self) -> Option<&str> {
        let (name, domain) = self.verified_email.as_deref()?.rsplit_once('@')?;
        (!name.is_empty() && !name.contains('@')).then_some(domain)
    }

    #[cfg(test)]
    pub(super) fn sample(subject: &str, email: Option<&str>, is_verified: bool, groups: &[&str]) -> Self {
        let extra = ExtraClaims { members: Map::from_iter([("groups".to_owned(), groups.to_vec().into())]) };
        let email = email.map(|email| EndUserEmail::new(email.to_owned()));
        Self::new(subject, email.as_ref(), Some(is_verified), &extra, "groups")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn groups_are_found_by_name_or_pointer() {
        let claims: ExtraClaims = serde_json::from_value(json!({
            "groups": ["b", "a", 7], "role": "one", "https://a.example/groups": ["url"],
            "realm_access": { "roles": ["deep"] }, "count": 3,
        }))
        .unwrap();
        let names =
            |claim: &str| claims.groups(claim).map(|all| all.into_iter().collect::<Vec<_>>().join(" "));
        assert_eq!(names("groups").as_deref(), Some("a b"));
        assert_eq!(names("role").as_deref(), Some("one"));
        assert_eq!(names("https://a.example/groups").as_deref(), Some("url"));
        assert_eq!(names("/realm_access/roles").as_deref(), Some("deep"));
        for missing in ["", "none", "count", "/realm_access", "/realm_access/none", "/none/roles", "/"] {
            assert_eq!(names(missing), None, "{missing}");
        }
    }
}
