use super::*;
use crate::StoreDesk;
use crate::contract::{act, asker, new_ask, open};
use crate::desk::{Desk as _, OpenedAsk};
use crate::store::api::StoreUpkeep as _;
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::tests::{desk, far_future, open_raw};
use sayso_core::{Actor, Ask, AskCommand, Asker, NewAsk, Questionnaire};
use sayso_core::{Problem, ProblemCode};
use std::sync::Arc;
use tempfile::TempDir;

const QUOTA: AccountQuota =
    AccountQuota { open_asks: 1_000, stored_bytes: Some(128 << 10), asks_per_hour: None, retention_days: 90 };

/// Opens an ask of about 20 KiB.
fn ask(desk: &StoreDesk, account: &str, title: &str, quota: AccountQuota) -> Result<Ask, Problem> {
    let asker = Asker { account: Some(account.to_owned()), ..asker() };
    let new = new_ask(title);
    let questionnaire =
        Arc::new(Questionnaire { context: Some("x".repeat(20 << 10)), ..(*new.questionnaire).clone() });
    desk.open(None, NewAsk { asker, questionnaire, quota: Some(quota), ..new }).map(OpenedAsk::into_ask)
}

fn cancel(desk: &StoreDesk, ask: &Ask) -> Ask {
    act(desk, &Actor::Asker(ask.request.asker.clone()), ask, AskCommand::CANCEL).unwrap()
}

#[test]
fn usage_equals_stored_bytes() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let summed = || -> u64 {
        let sql = "SELECT coalesce(sum(1024 + octet_length(status) + octet_length(request.body) \
                   + (SELECT coalesce(sum(octet_length(body)), 0) FROM rendering WHERE seq = ask.seq)), 0) \
                   FROM ask JOIN request ON request.seq = ask.seq WHERE account IS NOT NULL";
        open_raw(&path).query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().unsigned_abs()
    };
    open(&desk, "of no account");
    let first = ask(&desk, "ci", "the door", QUOTA).unwrap();
    ask(&desk, "ci", "the wall", QUOTA).unwrap();
    ask(&desk, "other", "the wall", QUOTA).unwrap();
    assert!(desk.kept_bytes().unwrap() > 60 << 10);
    assert_eq!(desk.kept_bytes().unwrap(), summed());
    let cancelled = cancel(&desk, &first);
    desk.offer(&cancelled.request.asker, &cancelled, "form", &|_| b"a rendering of it".to_vec()).unwrap();
    assert_eq!(desk.kept_bytes().unwrap(), summed());
    let store = SqliteStore::open(&path).unwrap();
    store.prune_cancelled(far_future()).unwrap();
    assert_eq!(desk.kept_bytes().unwrap(), summed());
    store.purge(far_future(), far_future()).unwrap();
    assert_eq!(desk.kept_bytes().unwrap(), summed());
}

#[test]
fn room_of_cancelled_asks_is_used_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let pages =
        || open_raw(&path).pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0)).unwrap();
    let quota = AccountQuota { stored_bytes: Some(512 << 10), ..QUOTA };
    for n in 0..200 {
        cancel(&desk, &ask(&desk, "ci", &format!("door {n}"), quota).unwrap());
    }
    assert!(desk.kept_bytes().unwrap() <= 512 << 10);
    assert!(pages() * 4096 < 2 << 20, "{} pages", pages());
}

#[test]
fn hour_of_asks_begins_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let quota = AccountQuota { asks_per_hour: Some(2), ..QUOTA };
    ask(&desk, "ci", "door 1", quota).unwrap();
    ask(&desk, "ci", "door 2", quota).unwrap();
    assert_eq!(ask(&desk, "ci", "door 3", quota).unwrap_err().code, ProblemCode::TooManyRequests);
    open_raw(&path)
        .execute("UPDATE account_usage SET hour_began_at = hour_began_at - 3600000000", [])
        .unwrap();
    ask(&desk, "ci", "door 3", quota).unwrap();
    ask(&desk, "ci", "door 4", quota).unwrap();
    assert_eq!(ask(&desk, "ci", "door 5", quota).unwrap_err().code, ProblemCode::TooManyRequests);
}
