//! Accounts that have gone, and the tokens of sign-ins by a proxy, the same over every store.

use super::{code, new_ask};
use crate::StoreDesk;
use crate::browser_session::{BrowserSessionRecord, NewBrowser};
use crate::desk::Desk as _;
use crate::group::GroupChange;
use crate::query::AskQuery;
use crate::token::{TokenAudience, TokenRequest, TokenRole};
use jiff::SignedDuration;
use sayso_core::{AskReader, Audience, Departures, NewAsk, ProblemCode};
use std::collections::BTreeSet;

/// Checks that asks whose last account has gone are the admins', and are theirs no longer once one is back.
pub fn check_departures(desk: &StoreDesk) {
    let token = |role, account| desk.new_token(role, account, None).unwrap().0.id;
    let (ada, bob) = (token(TokenRole::Person, "ada"), token(TokenRole::Admin, "bob"));
    let (shop, _asker) = (token(TokenRole::Service, "shop"), token(TokenRole::Asker, "carol"));
    let change = |group: &str, account: &str, joins| {
        let change = GroupChange { group: group.to_owned(), account: account.to_owned(), joins };
        assert!(desk.change_group(change).unwrap());
    };
    change("ops", "ada", true);
    change("web", "carol", true);
    for names in
        [&["ada"][..], &["ops", "ada"], &["ada", "bob"], &["web"], &["shop/7"], &["shopper"], &["members"]]
    {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let audience = Some(desk.audience_named(&names).unwrap());
        desk.open(None, NewAsk { audience, ..new_ask(&names.join(" ")) }).unwrap();
    }
    assert_eq!(seen_by_admin(desk), [""; 0], "no one has gone");
    desk.revoke_token(&ada).unwrap();
    assert_eq!(seen_by_admin(desk), ["ada", "ops ada"]);
    change("web", "carol", false);
    assert_eq!(seen_by_admin(desk), ["ada", "ops ada", "web"]);
    desk.revoke_token(&shop).unwrap();
    assert_eq!(seen_by_admin(desk), ["ada", "ops ada", "web", "shop/7"]);
    desk.revoke_token(&bob).unwrap();
    assert_eq!(seen_by_admin(desk), ["ada", "ops ada", "ada bob", "web", "shop/7"]);
    token(TokenRole::Person, "ada");
    assert_eq!(seen_by_admin(desk), ["web", "shop/7"], "she is back");
}

fn departures(desk: &StoreDesk) -> Departures {
    desk.departures(&desk.groups().unwrap()).unwrap()
}

/// Returns the titles of the asks that an admin sees who is in no audience.
fn seen_by_admin(desk: &StoreDesk) -> Vec<String> {
    let departures = departures(desk).into();
    let default = Audience::of_account("no one");
    let reader = AskReader::admin("root".to_owned(), BTreeSet::new(), &default, departures);
    let rows = desk.list(&AskQuery { reader, ..AskQuery::default() }).unwrap().rows;
    rows.into_iter().map(|row| row.title).collect()
}

/// Checks that a sign-in by a proxy leaves a token only as long as it lets someone in.
pub fn check_sign_ins(desk: &StoreDesk) {
    let ids = || desk.tokens().unwrap().into_iter().map(|token| token.id).collect::<BTreeSet<_>>();
    let brief = sign_in(desk, "idp/1", 1).token.unwrap();
    let passed = desk.token(&brief).unwrap().unwrap().expires_at.unwrap();
    while crate::clock::now() <= passed {}
    assert!(departures(desk).accounts().is_empty(), "who is out may sign in again");
    let first = sign_in(desk, "idp/1", 3_600_000);
    let second = sign_in(desk, "idp/1", 3_600_000);
    let other = sign_in(desk, "idp/2", 3_600_000).token.unwrap();
    let [first_token, second_token] = [&first, &second].map(|session| session.token.clone().unwrap());
    let signed_in = [&first_token, &second_token, &other].map(Clone::clone);
    assert_eq!(ids(), signed_in.into(), "the brief one has expired");
    assert_eq!(desk.browser_session(&first.id).unwrap(), Some(first.clone()), "each browser stays in");
    desk.revoke_token(&first_token).unwrap();
    assert!(desk.browser_session(&first.id).unwrap().is_none());
    assert!(desk.browser_session(&second.id).unwrap().is_some());
    desk.revoke_token(&other).unwrap();
    assert!(departures(desk).accounts().iter().eq(["idp/2"]));
    let third = sign_in(desk, "idp/1", 3_600_000).token.unwrap();
    assert_eq!(
        ids(),
        [second_token, other, third].into(),
        "a revoked one stays while its account has no other"
    );
    let request = TokenRequest { account: Audience::MEMBERS.to_owned(), ..member("", 1) };
    let refused = desk.sign_in_member(request, browser()).map(drop);
    assert_eq!(code(refused), ProblemCode::InvalidValue);
}

fn sign_in(desk: &StoreDesk, account: &str, milliseconds: i64) -> BrowserSessionRecord {
    desk.sign_in_member(member(account, milliseconds), browser()).unwrap().unwrap().0
}

fn member(account: &str, milliseconds: i64) -> TokenRequest {
    TokenRequest {
        role: TokenRole::Person,
        account: account.to_owned(),
        expires_in: Some(SignedDuration::from_millis(milliseconds)),
        audience: TokenAudience::default(),
    }
}

fn browser() -> NewBrowser {
    NewBrowser { public_key: vec![4; 65], agent: None }
}
