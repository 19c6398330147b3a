//! Copies of whole desks between files and databases.

mod coverage;

use super::{DeskPlace, TransferReport};
use crate::RetentionPolicy;
use crate::StoreDesk;
use crate::browser_session::NewBrowser;
use crate::contract::{
    DatabaseServer, act, answer, as_person, deliver, draft_of, new_ask, note, open, person, pick, submit,
};
use crate::desk::Desk as _;
use crate::draft::DraftRev;
use crate::maintenance;
use crate::query::AskQuery;
use crate::service_session::ServiceLogin;
use crate::store::desk_mark::DeskMark;
use crate::store::{postgres, sqlite};
use crate::thread::{ThreadEventKind, TurnEntry, TurnProgress};
use crate::token::TokenRole;
use crate::{GroupChange, Interest, PostgresAddress, WatchEvent};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Ask, AskId, Asker, Audience, NewAsk, ProblemCode, ServiceQuota, ServiceUser};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Parts of a desk by which a test finds it again.
struct Filled {
    gone: AskId,
    answered: Ask,
    open: Ask,
    token: String,
    cookie: String,
    thread: String,
}

/// Stores a row in every table.
fn fill(desk: &StoreDesk) -> Filled {
    let gone = answer(desk, &open(desk, "gone"));
    deliver(desk, &gone);
    let all = RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 };
    desk.run_maintenance(all, Duration::MAX);
    assert_eq!(desk.get(gone.id).unwrap_err().code, ProblemCode::AskNotFound);

    let asker = Asker { account: Some("ci".to_owned()), ..new_ask("gate").asker };
    let new = NewAsk { asker, audience: Some(Audience::of_account("ada")), ..new_ask("gate") };
    let open_ask = desk.open(Some("a key"), new).unwrap().into_ask();
    desk.save(&person("ada"), open_ask.id, DraftRev(0), vec![note("halfway \u{1f6aa}")]).unwrap();
    let answered = answer(desk, &open(desk, "door"));
    act(desk, &as_person("bob"), &answered, submit(&answered, [pick("blue")])).unwrap_err();
    deliver(desk, &answered);

    let (_, token) = desk.new_token(TokenRole::Person, "ada", None).unwrap();
    let token = token.reveal().to_owned();
    let change = GroupChange { group: "ops".to_owned(), account: "ada".to_owned(), joins: true };
    assert!(desk.change_group(change).unwrap());
    desk.new_login_code("ada").unwrap();
    desk.new_link("ada", None).unwrap();
    let browser = NewBrowser { public_key: vec![4; 65], agent: Some("Firefox".to_owned()) };
    let (_, cookie) = desk.sign_in(&desk.new_login_code("ada").unwrap().reveal(), browser).unwrap().unwrap();

    let (service, _) = desk.new_token(TokenRole::Service, "shop", None).unwrap();
    let login = ServiceLogin {
        user: ServiceUser::new("shop", "eve").unwrap(),
        token: service.id,
        lifetime_seconds: 600,
        quota: ServiceQuota { logins_per_hour: None, sessions: None },
    };
    desk.start_user_session(login.clone()).unwrap();
    desk.new_entry_code(login).unwrap();

    let thread = desk.new_thread("ada", None).unwrap().id;
    let turn = desk.post_message(&thread, "hello\0there", Some("key"), None).unwrap();
    let ask = ThreadEventKind::Ask {
        ask: open_ask.id,
        is_approval: true,
        tool: "rm".to_owned(),
        opens_request: true,
    };
    let entries = vec![
        TurnEntry::Message("well".to_owned()),
        TurnEntry::Event(ask),
        TurnEntry::Event(ThreadEventKind::ToolStart("ls".to_owned())),
    ];
    desk.record_progress(TurnProgress { turn, thread: thread.clone(), entries, ..TurnProgress::default() })
        .unwrap();
    Filled {
        gone: gone.id,
        answered: desk.get(answered.id).unwrap(),
        open: open_ask,
        token,
        cookie: cookie.reveal().to_owned(),
        thread,
    }
}

fn summaries(desk: &StoreDesk, words: Option<&str>) -> Vec<String> {
    let search = words.map(str::to_owned);
    let query = AskQuery { search, states: AskStatus::ALL.to_vec(), ..AskQuery::default() };
    desk.list(&query).unwrap().rows.iter().map(|row| format!("{row:?}")).collect()
}

/// Checks that a desk has all that another one has.
fn assert_same(desk: &StoreDesk, old: &StoreDesk, filled: &Filled) {
    for ask in [&filled.answered, &filled.open] {
        assert_eq!(desk.get(ask.id).unwrap(), old.get(ask.id).unwrap());
        assert_eq!(draft_of(desk, ask), draft_of(old, ask));
        assert_eq!(desk.late_submissions(ask.id).unwrap(), old.late_submissions(ask.id).unwrap());
        assert_eq!(desk.history(ask.id).unwrap(), old.history(ask.id).unwrap());
    }
    assert_eq!(desk.rendering(&filled.answered, "plain").unwrap().unwrap(), b"outcome");
    assert_eq!(desk.find_by_key(&filled.open.request.asker, "a key").unwrap(), Some(filled.open.id));
    let gone = desk.get(filled.gone).unwrap_err();
    assert_eq!(gone.message, old.get(filled.gone).unwrap_err().message);
    assert_eq!(summaries(desk, None), summaries(old, None));
    for words in ["gate", "anything else", "ci", "no such words"] {
        assert_eq!(summaries(desk, Some(words)), summaries(old, Some(words)), "{words}");
    }
    assert_eq!(desk.verify_token(&filled.token).unwrap(), old.verify_token(&filled.token).unwrap());
    assert!(desk.verify_token(&filled.token).unwrap().is_some());
    assert!(desk.browser_session_by_cookie(&filled.cookie).unwrap().is_some());
    assert!(desk.groups_of("ada").unwrap().contains("ops"));
    assert_eq!(desk.threads_owned_by("ada").unwrap(), old.threads_owned_by("ada").unwrap());
    assert_eq!(desk.thread_record(&filled.thread).unwrap(), old.thread_record(&filled.thread).unwrap());
    assert_eq!(desk.pending_turns().unwrap(), old.pending_turns().unwrap());
    assert_eq!(desk.kept_bytes().unwrap(), old.kept_bytes().unwrap());
}

/// Checks that a desk is read-only and names its successor, and wakes those who wait there.
fn assert_moved(old: &StoreDesk, filled: &Filled, to: &str) {
    let refused = old.open(None, new_ask("more")).unwrap_err();
    assert_eq!(refused.code, ProblemCode::DeskMoved);
    assert!(refused.to_string().contains(to), "{refused} {to}");
    for problem in [
        old.save(&person("ada"), filled.open.id, DraftRev(9), vec![note("more")]).unwrap_err(),
        old.new_token(TokenRole::Asker, "ci", None).unwrap_err(),
        old.new_thread("ada", None).unwrap_err(),
        answer_problem(old, &filled.open),
    ] {
        assert_eq!(problem.code, ProblemCode::DeskMoved, "{problem}");
    }
    let waited = old
        .watch(Interest::Ask(filled.open.id), None)
        .and_then(|mut watch| watch.wait(Duration::from_secs(5)));
    assert_eq!(waited.unwrap_err().code, ProblemCode::DeskMoved);
}

fn answer_problem(desk: &StoreDesk, ask: &Ask) -> sayso_core::Problem {
    act(desk, &as_person("ada"), ask, submit(ask, [pick("red")])).unwrap_err()
}

fn file(path: &Path) -> StoreDesk {
    StoreDesk::open(path).unwrap()
}

fn database(address: &PostgresAddress) -> StoreDesk {
    StoreDesk::open_database(address).unwrap()
}

fn copy(from: DeskPlace<'_>, to: DeskPlace<'_>) -> TransferReport {
    maintenance::copy_desk(&from, &to, &|done, total| assert!(done <= total, "{done} {total}")).unwrap()
}

#[test]
fn every_row_moves_and_comes_back() {
    let (folder, server) = (TempDir::new().unwrap(), DatabaseServer::shared());
    let [first, second, third] = ["first.db", "second.db", "third.db"].map(|name| folder.path().join(name));
    let [early, late] = [server.make_desk(), server.make_desk()];
    let old = file(&first);
    let filled = fill(&old);
    let cursor = old.resume_cursor(None).unwrap().0;

    let hops = [
        (DeskPlace::File(&first), DeskPlace::File(&second)),
        (DeskPlace::File(&second), DeskPlace::Database(&early)),
        (DeskPlace::Database(&early), DeskPlace::Database(&late)),
        (DeskPlace::Database(&late), DeskPlace::File(&third)),
    ];
    let reports = hops.map(|(from, to)| copy(from, to));
    for report in &reports {
        assert_eq!((report.asks, report.rows > 20), (2, true), "{report:?}");
        for (table, before) in report.tables.iter().zip(&reports[0].tables) {
            assert!(table.rows > 0, "{} is tested", table.name);
            assert_eq!((table.rows, table.digest), (before.rows, before.digest), "{}", table.name);
        }
    }
    let desks = [file(&second), database(&early), database(&late), file(&third)];
    for desk in &desks {
        assert_same(desk, &old, &filled);
        let (_, has_gap) = desk.resume_cursor(Some(cursor)).unwrap();
        assert!(has_gap, "a reader of the old desk begins anew");
    }
    assert!(maintenance::check(&third, false, &|_, _| {}).unwrap().is_sound());
    let [_, _, _, newest] = &desks;
    assert_moved(&old, &filled, &second.display().to_string());
    assert_moved(&desks[0], &filled, &early.masked());
    assert_moved(&desks[1], &filled, &late.masked());
    assert_moved(&desks[2], &filled, &third.display().to_string());
    assert!(old.notice().is_none() && file(&first).notice().is_some(), "who opens it is told");

    // The last one goes on, with numbers after those that it was given.
    let mut watch = newest.watch(Interest::All, None).unwrap();
    let more = answer(newest, &open(newest, "more"));
    let changes = watch.wait(Duration::from_secs(5)).unwrap();
    assert!(matches!(&changes[..], [WatchEvent::Change(change), ..] if change.id == more.id), "{changes:?}");
    answer(newest, &filled.open);
    assert_eq!(maintenance::check(&third, false, &|_, _| {}).unwrap().asks, 3);
}

#[test]
fn used_desk_takes_no_copy() {
    let (folder, server) = (TempDir::new().unwrap(), DatabaseServer::shared());
    let [from, used] = ["from.db", "used.db"].map(|name| folder.path().join(name));
    let address = server.make_desk();
    open(&file(&from), "door");
    open(&file(&used), "window");
    database(&address).new_token(TokenRole::Asker, "ci", None).unwrap();
    for to in [DeskPlace::File(&used), DeskPlace::Database(&address), DeskPlace::File(&from)] {
        let refused = maintenance::copy_desk(&DeskPlace::File(&from), &to, &|_, _| {}).unwrap_err();
        assert_eq!(refused.code, ProblemCode::InvalidValue, "{refused}");
    }
    assert!(file(&from).open(None, new_ask("more")).is_ok(), "nothing was marked");
    let missing = folder.path().join("missing.db");
    let none = maintenance::copy_desk(&DeskPlace::File(&missing), &DeskPlace::File(&used), &|_, _| {});
    assert_eq!(none.unwrap_err().code, ProblemCode::DeskUnreachable);
    let empty = PostgresAddress::parse(&server.make_database()).unwrap();
    let none = maintenance::copy_desk(&DeskPlace::File(&from), &DeskPlace::Database(&empty), &|_, _| {});
    assert_eq!(none.unwrap_err().code, ProblemCode::DeskNotOurs, "its tables are made by another role");
    // A new file that nothing was stored in is empty.
    let unused = folder.path().join("unused.db");
    drop(file(&unused));
    assert!(copy(DeskPlace::File(&from), DeskPlace::File(&unused)).kept.is_some());
}

/// Puts a copy back to the state before it was opened for writes.
fn reset_mark(from: DeskPlace<'_>, to: DeskPlace<'_>) {
    let mark = DeskMark::Partial { from: from.name() };
    match to {
        DeskPlace::File(path) => sqlite::transfer::mark_file(path, &mark).unwrap(),
        DeskPlace::Database(address) => {
            let sql = format!("UPDATE desk SET mark = '{}'", mark.to_text());
            let database = postgres::transfer::connect(address).unwrap();
            database.session().unwrap().batch(&sql).unwrap();
        }
    }
}

fn opened(place: DeskPlace<'_>) -> StoreDesk {
    match place {
        DeskPlace::File(path) => file(path),
        DeskPlace::Database(address) => database(address),
    }
}

#[test]
fn repetition_completes_a_copy() {
    let (folder, server) = (TempDir::new().unwrap(), DatabaseServer::shared());
    let [first, second, other] = ["first.db", "second.db", "other.db"].map(|name| folder.path().join(name));
    let address = server.make_desk();
    let filled = fill(&file(&first));
    let hops = [
        (DeskPlace::File(&first), DeskPlace::Database(&address)),
        (DeskPlace::Database(&address), DeskPlace::File(&second)),
    ];
    for (from, to) in hops {
        copy(from, to);
        reset_mark(from, to);
        let refused = opened(to).open(None, new_ask("early")).unwrap_err();
        assert_eq!(refused.code, ProblemCode::DeskIncomplete, "{refused}");
        let elsewhere = maintenance::copy_desk(&from, &DeskPlace::File(&other), &|_, _| {}).unwrap_err();
        assert_eq!(elsewhere.code, ProblemCode::DeskMoved, "it has moved already");
        assert!(copy(from, to).tables.is_empty(), "only the last step was missing");
        let desk = opened(to);
        answer(&desk, &open(&desk, &format!("after {}", from.name())));
        assert!(desk.get(filled.open.id).is_ok());
    }
}

#[test]
fn broken_copy_is_replaced() {
    let (folder, server) = (TempDir::new().unwrap(), DatabaseServer::shared());
    let [first, second, third] = ["first.db", "second.db", "third.db"].map(|name| folder.path().join(name));
    let address = server.make_desk();
    fill(&file(&first));
    fill(&file(&second));
    for to in [DeskPlace::Database(&address), DeskPlace::File(&third)] {
        // A copy of the second desk was stored, and that desk was not marked.
        let name = format!("{}.db", matches!(to, DeskPlace::File(_)));
        let spare = folder.path().join(format!("spare-{name}"));
        maintenance::backup(&second, &spare, &|_, _| {}).unwrap();
        copy(DeskPlace::File(&spare), to);
        reset_mark(DeskPlace::File(&second), to);
        let from = folder.path().join(format!("from-{name}"));
        maintenance::backup(&first, &from, &|_, _| {}).unwrap();
        let whole = file(&from);
        assert_eq!(copy(DeskPlace::File(&from), to).asks, 2);
        assert_eq!(summaries(&opened(to), None), summaries(&whole, None));
    }
}
