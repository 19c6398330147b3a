use super::*;
use crate::browser_session::{LinkRecord, LinkState, NewBrowser};
use crate::service_session::ServiceLogin;
use crate::store::sqlite::JobError;
use crate::store::sqlite::tests::{Connection, desk, open_raw, tables, transaction};
use jiff::SignedDuration;
use sayso_core::ServiceQuota;
use tempfile::TempDir;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
}

fn digest(name: &str) -> Digest {
    Digest::compute(name.as_bytes())
}

fn new_session(name: &str) -> NewBrowserSession {
    NewBrowserSession { id: name.to_owned(), hash: digest(name), public_key: Some(vec![4; 65]), agent: None }
}

fn run(conn: &Connection, job: &BrowserSessionWrite, now: Timestamp) -> BrowserSessionOutput {
    match super::run(&transaction(conn, now), job) {
        Ok(output) => output,
        Err(JobError::Problem(problem)) => panic!("{problem}"),
        Err(JobError::Database(error)) => panic!("{error}"),
    }
}

fn start_session(conn: &Connection, id: &str, account: &str, token: Option<&str>, now: Timestamp) {
    let started =
        start(&transaction(conn, now), &new_session(id), account.to_owned(), token.map(str::to_owned));
    assert!(started.is_ok(), "{id}");
}

fn session_at(conn: &Connection, id: &str, now: Timestamp) -> Option<BrowserSessionRecord> {
    find(conn, "id = $3", id.into(), now).unwrap_or_else(|error| panic!("{}", error.into_problem()))
}

fn sessions(conn: &Connection, now: Timestamp) -> Vec<BrowserSessionRecord> {
    all(conn, now).unwrap_or_else(|error| panic!("{}", error.into_problem()))
}

fn add_login_code(conn: &Connection, prefix: u64, now: Timestamp) -> bool {
    let expires_at = add_seconds(now, limits::LOGIN_CODE_SECONDS);
    let (hash, account) = (digest("right"), "ada".to_owned());
    matches!(
        run(conn, &BrowserSessionWrite::AddCode { prefix, hash, account, expires_at }, now),
        BrowserSessionOutput::Done(true)
    )
}

fn is_let_in(conn: &Connection, prefix: u64, code: &str, now: Timestamp) -> bool {
    let id = format!("{code} {prefix} {now}");
    let redeem = BrowserSessionWrite::RedeemCode { prefix, hash: digest(code), session: new_session(&id) };
    matches!(run(conn, &redeem, now), BrowserSessionOutput::Session(Some(session)) if session.account == "ada")
}

#[test]
fn code_works_once_for_ten_minutes() {
    let (_folder, conn) = tables();
    assert!(add_login_code(&conn, 1, at(0)));
    assert!(!add_login_code(&conn, 1, at(1)), "two codes share no prefix");
    assert!(is_let_in(&conn, 1, "right", at(10 * MINUTE - 1)));
    assert!(!is_let_in(&conn, 1, "right", at(10 * MINUTE - 1)));
    assert!(add_login_code(&conn, 1, at(0)));
    assert!(!is_let_in(&conn, 1, "right", at(10 * MINUTE)));
    assert!(add_login_code(&conn, 1, at(10 * MINUTE)), "an expired one makes room");
}

#[test]
fn fifth_wrong_try_voids_the_code() {
    let (_folder, conn) = tables();
    for (prefix, tries) in [(1, 4), (2, 5)] {
        assert!(add_login_code(&conn, prefix, at(0)) && add_login_code(&conn, prefix + 10, at(0)));
        assert!((0..tries).all(|_| !is_let_in(&conn, prefix, "wrong", at(1))));
        assert_eq!(is_let_in(&conn, prefix, "right", at(1)), tries < 5, "{tries}");
        assert!(is_let_in(&conn, prefix + 10, "right", at(1)));
    }
}

#[test]
fn unused_codes_are_bounded() {
    let (_folder, conn) = tables();
    assert!((0..limits::LOGIN_CODES as u64).all(|prefix| add_login_code(&conn, prefix, at(0))));
    let expires_at = at(20 * MINUTE);
    let more = BrowserSessionWrite::AddCode {
        prefix: 700,
        hash: digest("more"),
        account: "ada".to_owned(),
        expires_at,
    };
    let Err(JobError::Problem(problem)) = super::run(&transaction(&conn, at(1)), &more) else {
        panic!("it has room")
    };
    assert_eq!(problem.code, ProblemCode::TooManyRequests);
    assert!(matches!(run(&conn, &more, at(10 * MINUTE)), BrowserSessionOutput::Done(true)));
}

#[test]
fn idle_session_expires_at_limit() {
    let (_folder, conn) = tables();
    start_session(&conn, "one", "ada", None, at(0));
    for now in [399 * DAY, 798 * DAY] {
        assert!(session_at(&conn, "one", at(now)).is_some(), "{now}");
        run(&conn, &BrowserSessionWrite::Touch { id: "one".to_owned() }, at(now));
    }
    assert!(session_at(&conn, "one", at(1_198 * DAY - 1)).is_some());
    assert_eq!(session_at(&conn, "one", at(1_198 * DAY)), None);
    assert_eq!(sessions(&conn, at(1_198 * DAY)), []);
}

#[test]
fn session_ends_with_its_token() {
    let (_folder, conn) = tables();
    let token = "INSERT INTO token (id, hash, role, account, created_at, expires_at, revoked_at) VALUES ";
    conn.execute_batch(&format!(
        "{token} ('valid', x'01', 'person', 'ada', 0, NULL, NULL), ('later', x'02', 'person', 'ada', 0, 9000000, NULL), \
         ('revoked', x'03', 'person', 'ada', 0, NULL, 1)"
    ))
    .unwrap();
    for name in ["valid", "later", "revoked", "gone"] {
        start_session(&conn, name, "ada", Some(name), at(1));
    }
    let valid = |now| {
        let mut ids: Vec<_> = sessions(&conn, now).into_iter().map(|session| session.id).collect();
        ids.sort();
        ids
    };
    assert_eq!(valid(at(8)), ["later", "valid"]);
    assert_eq!(valid(at(9)), ["valid"]);
}

#[test]
fn longest_idle_session_is_evicted() {
    let (_folder, conn) = tables();
    let fill = format!(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {}) \
         INSERT INTO session (id, hash, account, key, created_at, last_seen_at) \
         SELECT 's' || n, CAST('hash' || n AS BLOB), 'ada', x'00', 0, n * 1000 FROM n",
        limits::SESSIONS
    );
    conn.execute_batch(&fill).unwrap();
    start_session(&conn, "new", "ada", None, at(11));
    let has = |id: &str| session_at(&conn, id, at(11)).is_some();
    assert!(!has("s1") && has("s2") && has("new"));
}

#[test]
fn link_is_claimed_and_confirmed_once() {
    let (_folder, conn) = tables();
    let add = |id: &str| {
        let expires_at = add_seconds(at(0), limits::LOGIN_LINK_SECONDS);
        let link = LinkRecord {
            id: id.to_owned(),
            account: "ada".to_owned(),
            state: LinkState::Waiting,
            expires_at,
        };
        run(&conn, &BrowserSessionWrite::AddLink { link, hash: digest(id), token: None }, at(0));
    };
    let claim = |id: &str, browser: &str, now| {
        let (claim, number) = (digest(browser), "427".to_owned());
        let write = BrowserSessionWrite::ClaimLink {
            hash: digest(id),
            claim,
            number,
            public_key: vec![4; 65],
            agent: None,
        };
        matches!(run(&conn, &write, now), BrowserSessionOutput::Link(Some(_)))
    };
    let confirm = |id: &str, number: Option<&str>| {
        let write = BrowserSessionWrite::ConfirmLink { id: id.to_owned(), number: number.map(str::to_owned) };
        matches!(run(&conn, &write, at(2)), BrowserSessionOutput::Done(true))
    };
    let finish = |browser: &str| {
        let (id, hash) = (format!("of {browser}"), digest(&format!("cookie of {browser}")));
        match run(&conn, &BrowserSessionWrite::FinishClaim { claim: digest(browser), id, hash }, at(3)) {
            BrowserSessionOutput::Waiting => "waiting",
            BrowserSessionOutput::Session(Some(_)) => "signed in",
            _ => "ended",
        }
    };
    add("one");
    assert!(!confirm("one", Some("427")), "nobody has opened it");
    add("two");
    assert!(claim("two", "phone", at(1)) && !claim("two", "thief", at(1)));
    assert_eq!((finish("phone"), finish("thief")), ("waiting", "ended"));
    add("three");
    assert!(claim("three", "tablet", at(1)) && confirm("three", Some("427")));
    assert!(confirm("three", Some("427")), "a repeated request confirms it, too");
    assert_eq!((finish("tablet"), finish("tablet")), ("signed in", "ended"));
    assert!(confirm("three", Some("427")), "also after the sign-in");
    assert_eq!(finish("tablet"), "ended");
    add("four");
    assert!(claim("four", "fourth", at(1)) && !confirm("four", Some("428")) && !confirm("four", Some("427")));
    assert_eq!(finish("fourth"), "ended", "a wrong number ends it");
    add("five");
    assert!(!claim("five", "fifth", at(120)), "it is too late");
}

fn service_login(user: &str, seconds: i64) -> ServiceLogin {
    let quota = ServiceQuota { logins_per_hour: Some(2), sessions: None };
    let user = ServiceUser::new("shop", user).unwrap();
    ServiceLogin { user, token: "shop".to_owned(), lifetime_seconds: seconds, quota }
}

/// Makes a desk with a service's token.
fn tables_with_service() -> (TempDir, Connection) {
    let (folder, conn) = tables();
    let token = "INSERT INTO token (id, hash, role, account, created_at) VALUES ('shop', x'01', 'service', 'shop', 0)";
    conn.execute_batch(token).unwrap();
    (folder, conn)
}

#[test]
fn service_session_ends_in_use() {
    let (_folder, conn) = tables_with_service();
    let (session, login) = (new_session("one"), service_login("ada", 12 * HOUR));
    run(&conn, &BrowserSessionWrite::StartForUser { session, login }, at(0));
    let lasts = |now: i64| {
        run(&conn, &BrowserSessionWrite::Touch { id: "one".to_owned() }, at(now));
        session_at(&conn, "one", at(now)).is_some()
    };
    assert!(lasts(6 * HOUR) && lasts(12 * HOUR - 1) && !lasts(12 * HOUR));
    start_session(&conn, "member", "ada", None, at(12 * HOUR));
    let rows: i64 = conn.query_row("SELECT count(*) FROM session", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1, "the next sign-in deletes it");
}

#[test]
fn entry_works_for_a_minute() {
    let (_folder, conn) = tables_with_service();
    for (id, opened_at, lets_in) in [("early", 59, true), ("late", 60, false)] {
        let expires_at = add_seconds(at(0), limits::SERVICE_ADDRESS_SECONDS);
        let (hash, login) = (digest(id), service_login(id, HOUR));
        run(&conn, &BrowserSessionWrite::AddEntry { id: id.to_owned(), hash, login, expires_at }, at(0));
        let redeem = BrowserSessionWrite::RedeemEntry { hash, session: new_session(id) };
        let entered = run(&conn, &redeem, at(opened_at));
        let BrowserSessionOutput::Session(entered) = entered else { panic!("{entered:?}") };
        assert_eq!(entered.is_some(), lets_in, "{id}");
        let ends = entered.map(|session| session.expires_at);
        assert!(ends.is_none_or(|ends_at| ends_at == Some(add_seconds(at(59), HOUR))));
    }
}

#[test]
fn login_quota_lasts_an_hour() {
    let (_folder, conn) = tables_with_service();
    let enter = |id: &str, now: i64| {
        let (session, login) = (new_session(id), service_login("ada", 60));
        super::run(&transaction(&conn, at(now)), &BrowserSessionWrite::StartForUser { session, login })
            .is_ok()
    };
    assert!(enter("a", 0) && enter("b", 1800) && !enter("c", 3599) && enter("d", 3600));
    assert!(enter("e", 3601) && !enter("f", 3602));
}

#[test]
fn service_users_evict_no_member() {
    let (_folder, conn) = tables_with_service();
    start_session(&conn, "member", "ada", None, at(0));
    let fill = format!(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {}) \
         INSERT INTO session (id, hash, account, token, service, key, created_at, last_seen_at, expires_at) \
         SELECT 's' || n, CAST('hash' || n AS BLOB), 'shop/' || n, 'shop', 'shop', x'', 0, n * 1000, 9000000000 FROM n",
        limits::SESSIONS
    );
    conn.execute_batch(&fill).unwrap();
    start_session(&conn, "new", "bob", None, at(11));
    let has = |id: &str| session_at(&conn, id, at(11)).is_some();
    assert!(has("member") && has("new") && has("s1"));
}

#[test]
fn locked_desk_lets_browser_in() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let desk = desk(&path);
    let code = desk.new_login_code("ada").unwrap();
    let browser = NewBrowser { public_key: vec![4; 65], agent: None };
    let (_, cookie) = desk.sign_in(&code.reveal(), browser).unwrap().unwrap();
    let other = open_raw(&path);
    other
        .execute_batch("UPDATE session SET last_seen_at = last_seen_at - 120000000; BEGIN IMMEDIATE")
        .unwrap();
    let session = || desk.browser_session_by_cookie(cookie.reveal()).unwrap().unwrap();
    let before = session();
    assert!(before.is_use_due(at(i64::from(u32::MAX))));
    other.execute_batch("ROLLBACK").unwrap();
    desk.record_browser_use(&before.id).unwrap();
    assert!(session().last_seen_at > before.last_seen_at);
}
