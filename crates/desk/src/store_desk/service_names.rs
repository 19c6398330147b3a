//! Names that are kept for the users of services: `service/user` is an account of no one else, and no group.

use crate::group::GroupChange;
use crate::store::api::Store;
use crate::token::{TokenRecord, TokenRequest, TokenRole};
use sayso_core::i18n::foreign;
use sayso_core::{DocumentPath, LocalizedText, Message, Problem, ProblemCode, ServiceUser};

/// Checks the names of a new token: its account and those of its audiences.
///
/// # Errors
/// If a name is that of a user of another service, or a service would take over names that exist.
pub(super) fn check_token(store: &dyn Store, request: &TokenRequest) -> Result<(), Problem> {
    if request.role == TokenRole::Service {
        return check_new_service(store, &request.account);
    }
    if let Some(service) = service_of(store, &request.account)? {
        return Err(refused(
            "account",
            Message::NameOfService.with([foreign(&request.account), foreign(service)]),
        ));
    }
    let audience = &request.audience;
    for (member, names) in [("for", &audience.default_names), ("may_for", &audience.may_for)] {
        for name in names {
            let Some(service) = service_of(store, name)? else { continue };
            if service != request.account {
                return Err(refused(member, Message::NameOfService.with([foreign(name), foreign(service)])));
            }
            if ServiceUser::parse(name).is_none_or(|user| user.account() != *name) {
                return Err(refused(member, Message::ServiceUserEncoding.with([foreign(name)])));
            }
        }
    }
    Ok(())
}

/// Checks that an account may join a group.
///
/// # Errors
/// If one of them has a name that is kept for a user of a service.
pub(super) fn check_group(store: &dyn Store, change: &GroupChange) -> Result<(), Problem> {
    if let Some(service) = service_of(store, &change.group)? {
        return Err(refused(
            "group",
            Message::NameOfService.with([foreign(&change.group), foreign(service)]),
        ));
    }
    if let Some(service) = service_of(store, &change.account)? {
        return Err(refused(
            "account",
            Message::ServiceUserAlone.with([foreign(&change.account), foreign(service)]),
        ));
    }
    Ok(())
}

/// Checks that no account, group or audience has a name of a new service's users. Its own askers may have asked them.
fn check_new_service(store: &dyn Store, service: &str) -> Result<(), Problem> {
    let mut names = Vec::new();
    for TokenRecord { account, audience, .. } in store.tokens()? {
        // A service may ask its own users.
        if account != service {
            names.extend(audience.default_names);
            names.extend(audience.may_for);
        }
        names.push(account);
    }
    for (group, accounts) in store.groups()? {
        names.push(group);
        names.extend(accounts);
    }
    match names.iter().find(|name| ServiceUser::service_of(name) == Some(service)) {
        None => Ok(()),
        Some(name) => {
            let message = Message::NameBeforeService.with([foreign(name), foreign(service)]);
            Err(refused("account", message))
        }
    }
}

/// Returns the service whose user would have this name, if there is such a service.
fn service_of<'n>(store: &dyn Store, name: &'n str) -> Result<Option<&'n str>, Problem> {
    match ServiceUser::service_of(name) {
        Some(service) if store.has_service(service)? => Ok(Some(service)),
        _ => Ok(None),
    }
}

fn refused(member: &str, message: LocalizedText) -> Problem {
    Problem::new(ProblemCode::InvalidValue, message).at(DocumentPath::root().join(member))
}

#[cfg(test)]
mod tests {
    use crate::StoreDesk;
    use crate::group::GroupChange;
    use crate::token::{TokenAudience, TokenRequest, TokenRole};
    use sayso_core::{DocumentPath, Problem};
    use tempfile::TempDir;

    fn new_token(desk: &StoreDesk, role: TokenRole, account: &str, may_for: &[&str]) -> Result<(), Problem> {
        let may_for = may_for.iter().map(|&name| name.to_owned()).collect();
        let audience = TokenAudience { may_for, ..TokenAudience::default() };
        let request = TokenRequest { role, account: account.to_owned(), expires_in: None, audience };
        desk.create_token(request).map(drop)
    }

    fn change(group: &str, account: &str) -> GroupChange {
        GroupChange { group: group.to_owned(), account: account.to_owned(), joins: true }
    }

    fn place<T>(refused: Result<T, Problem>) -> Option<DocumentPath> {
        refused.err().map(|problem| problem.path)
    }

    fn at(member: &str) -> Option<DocumentPath> {
        Some(DocumentPath::root().join(member))
    }

    #[test]
    fn names_of_users_are_reserved() {
        let folder = TempDir::new().unwrap();
        let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
        new_token(&desk, TokenRole::Service, "shop", &[]).unwrap();
        for role in [TokenRole::Person, TokenRole::Admin, TokenRole::Asker] {
            assert_eq!(place(new_token(&desk, role, "shop/ada", &[])), at("account"), "{role}");
            assert!(new_token(&desk, role, "mill/ada", &[]).is_ok(), "{role}");
            assert!(new_token(&desk, role, "shop", &[]).is_ok(), "{role}");
        }
        let asker = |account: &str, may_for: &str| new_token(&desk, TokenRole::Asker, account, &[may_for]);
        assert_eq!(place(asker("ci", "shop/ada")), at("may_for"), "only its own account asks its users");
        assert_eq!(place(asker("shop", "shop/a b")), at("may_for"), "no account has this name");
        assert!(asker("shop", "shop/a%20b").is_ok());
        assert_eq!(place(desk.change_group(change("shop/ada", "bob"))), at("group"));
        assert_eq!(place(desk.change_group(change("ops", "shop/ada"))), at("account"));
        assert!(desk.change_group(change("ops", "bob")).unwrap());
    }

    #[test]
    fn service_takes_no_name_over() {
        let folder = TempDir::new().unwrap();
        let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
        new_token(&desk, TokenRole::Person, "one/ada", &[]).unwrap();
        new_token(&desk, TokenRole::Asker, "ci", &["two/ada"]).unwrap();
        new_token(&desk, TokenRole::Asker, "five", &["five/ada"]).unwrap();
        desk.change_group(change("three/x", "bob")).unwrap();
        desk.change_group(change("ops", "four/ada")).unwrap();
        for name in ["one", "two", "three", "four", "a/b", "https:", "", "members"] {
            assert_eq!(place(new_token(&desk, TokenRole::Service, name, &[])), at("account"), "{name}");
        }
        assert!(new_token(&desk, TokenRole::Service, "five", &[]).is_ok());
        assert!(new_token(&desk, TokenRole::Service, "one.two", &[]).is_ok());
    }
}
