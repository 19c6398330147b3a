//! Sessions of services' users, the same over every store.

use super::code;
use crate::StoreDesk;
use crate::browser_session::NewBrowser;
use crate::service_session::ServiceLogin;
use crate::token::TokenRole;
use sayso_core::{ProblemCode, ServiceQuota, ServiceUser, limits};

const NO_QUOTA: ServiceQuota = ServiceQuota { logins_per_hour: None, sessions: None };

/// Returns a login of a user of the service with this token.
fn login(service: &str, user: &str, token: &str, quota: ServiceQuota) -> ServiceLogin {
    ServiceLogin {
        user: ServiceUser::new(service, user).unwrap(),
        token: token.to_owned(),
        lifetime_seconds: 60,
        quota,
    }
}

fn browser() -> NewBrowser {
    NewBrowser { public_key: vec![4; 65], agent: Some("test".to_owned()) }
}

/// Checks how services let in their users, and how that ends.
pub fn check_service_sessions(desk: &StoreDesk) {
    let service = |account| desk.new_token(TokenRole::Service, account, None).unwrap().0.id;
    let (shop, mill) = (service("shop"), service("mill"));
    check_ways_in(desk, &shop, &mill);
    check_ends(desk, &shop, &mill);
    check_quotas(desk, &service("tavern"));
    desk.revoke_token(&mill).unwrap();
    assert_eq!(desk.user_sessions(&ServiceUser::new("mill", "ada").unwrap()).unwrap(), []);
}

fn check_ways_in(desk: &StoreDesk, shop: &str, mill: &str) {
    let ada = login("shop", "ada", shop, NO_QUOTA);
    let (session, secret) = desk.start_user_session(ada.clone()).unwrap();
    assert_eq!((session.account.as_str(), session.service.as_deref()), ("shop/ada", Some("shop")));
    let lifetime = session.expires_at.unwrap().duration_since(session.created_at);
    assert_eq!(lifetime.as_secs(), 60);
    assert_eq!(desk.user_session_by_secret(secret.reveal()).unwrap(), Some(session.clone()));

    let code = desk.new_entry_code(ada.clone()).unwrap();
    for _ in 0..2 {
        assert_eq!(desk.entry_account(code.secret.reveal()).unwrap().as_deref(), Some("shop/ada"));
    }
    let (entered, cookie) = desk.enter(code.secret.reveal(), browser()).unwrap().unwrap();
    assert_eq!((&entered.account, &entered.service), (&session.account, &session.service));
    assert!(desk.enter(code.secret.reveal(), browser()).unwrap().is_none(), "it works once");
    assert_eq!(desk.entry_account(code.secret.reveal()).unwrap(), None);
    assert_eq!(desk.browser_session_by_cookie(cookie.reveal()).unwrap(), Some(entered.clone()));
    assert_eq!(desk.user_session_by_secret(cookie.reveal()).unwrap(), None, "a cookie is no token");
    assert!(
        desk.claim_link(desk.new_entry_code(ada.clone()).unwrap().secret.reveal(), browser())
            .unwrap()
            .is_none()
    );

    let (other, _) = desk.start_user_session(login("mill", "ada", mill, NO_QUOTA)).unwrap();
    let ids = |user: &ServiceUser| -> Vec<String> {
        let mut ids: Vec<_> = desk.user_sessions(user).unwrap().into_iter().map(|one| one.id).collect();
        ids.sort();
        ids
    };
    let mut expected = vec![session.id, entered.id];
    expected.sort();
    assert_eq!(ids(&ada.user), expected);
    assert_eq!(ids(&ServiceUser::new("mill", "ada").unwrap()), [other.id]);
    assert_eq!(desk.browser_sessions().unwrap().len(), 3);
}

fn check_ends(desk: &StoreDesk, shop: &str, mill: &str) {
    let ada = login("shop", "ada", shop, NO_QUOTA);
    let unused = desk.new_entry_code(ada.clone()).unwrap();
    desk.end_user_sessions(&ada.user).unwrap();
    assert_eq!(desk.user_sessions(&ada.user).unwrap(), []);
    assert!(desk.enter(unused.secret.reveal(), browser()).unwrap().is_none());
    assert_eq!(desk.browser_sessions().unwrap().len(), 1, "the other service's is still there");

    for _ in 0..=limits::SERVICE_USER_SESSIONS {
        desk.start_user_session(ada.clone()).unwrap();
    }
    assert_eq!(desk.user_sessions(&ada.user).unwrap().len(), limits::SERVICE_USER_SESSIONS);
    let (bob, secret) = desk.start_user_session(login("shop", "bob", shop, NO_QUOTA)).unwrap();
    let unused = desk.new_entry_code(ada.clone()).unwrap();
    desk.revoke_token(shop).unwrap();
    assert_eq!(desk.user_session_by_secret(secret.reveal()).unwrap(), None);
    assert_eq!(desk.browser_session(&bob.id).unwrap(), None);
    assert_eq!(desk.user_sessions(&ada.user).unwrap(), []);
    assert!(desk.enter(unused.secret.reveal(), browser()).unwrap().is_none());
    assert!(desk.is_service("shop").unwrap() && desk.is_service("mill").unwrap());
    assert!(!desk.is_service("ada").unwrap());
    assert_eq!(desk.user_sessions(&login("mill", "ada", mill, NO_QUOTA).user).unwrap().len(), 1);
}

fn check_quotas(desk: &StoreDesk, tavern: &str) {
    let quota = ServiceQuota { logins_per_hour: Some(4), sessions: Some(2) };
    let enter = |user: &str| desk.start_user_session(login("tavern", user, tavern, quota)).map(drop);
    enter("ada").unwrap();
    desk.new_entry_code(login("tavern", "bob", tavern, quota)).unwrap();
    assert_eq!(code(enter("eve")), ProblemCode::TooManyRequests, "an address counts as a session");
    let bob = ServiceUser::new("tavern", "bob").unwrap();
    desk.end_user_sessions(&bob).unwrap();
    enter("eve").unwrap();
    desk.end_user_sessions(&ServiceUser::new("tavern", "eve").unwrap()).unwrap();
    enter("bob").unwrap();
    desk.end_user_sessions(&bob).unwrap();
    let refused = enter("bob").unwrap_err();
    assert_eq!(refused.code, ProblemCode::TooManyRequests);
    assert!(refused.retry_after_s.is_some(), "{refused:?}");
    desk.end_user_sessions(&ServiceUser::new("tavern", "ada").unwrap()).unwrap();
}
