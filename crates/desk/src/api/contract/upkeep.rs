//! Upkeep of a desk and the limits of accounts, the same over every store.

use super::{act, answer, as_asker, asker, code, deliver, new_ask, note, open, person, pick};
use crate::RetentionPolicy;
use crate::desk::{Desk as _, OpenedAsk};
use crate::draft::DraftRev;
use crate::query::AskQuery;
use crate::store::api::{PurgeLimits, PurgeStep};
use crate::store::upkeep;
use crate::watch::{Interest, WatchEvent};
use crate::{StoreDesk, clock};
use jiff::{SignedDuration, Timestamp};
use sayso_core::model::ask::AskRequest;
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{
    AccountQuota, Actor, Ask, AskCommand, AskReader, Asker, NewAsk, Outcome, Problem, ProblemCode,
    Questionnaire,
};
use std::sync::Arc;
use std::time::Duration;

/// Test of the upkeep, with two handles on a desk of its own.
type UpkeepTest = fn([StoreDesk; 2]);

const TESTS: &[(&str, UpkeepTest)] = &[
    ("old_ask_leaves_tombstone", old_ask_leaves_tombstone),
    ("tombstones_last_for_years", tombstones_last_for_years),
    ("old_drafts_are_purged_first", old_drafts_are_purged_first),
    ("purged_changes_are_a_gap", purged_changes_are_a_gap),
    ("purge_runs_once_a_day", purge_runs_once_a_day),
    ("hook_asks_are_purged_earlier", hook_asks_are_purged_earlier),
    ("old_threads_are_purged", old_threads_are_purged),
    ("desk_works_between_steps", desk_works_between_steps),
    ("another_continues_a_purge", another_continues_a_purge),
    ("deadlines_run_in_steps", deadlines_run_in_steps),
    ("list_waits_for_no_deadlines", list_waits_for_no_deadlines),
    ("unseen_cancelled_asks_are_emptied", unseen_cancelled_asks_are_emptied),
    ("full_account_is_refused_until_a_purge", full_account_is_refused_until_a_purge),
    ("cancelled_asks_make_room", cancelled_asks_make_room),
    ("hourly_asks_are_counted", hourly_asks_are_counted),
];

/// Runs the tests, each with two handles on a desk of its own. The thread name of a failed test is the test's name.
pub(crate) fn run_upkeep_contract(make: &(dyn Fn() -> [StoreDesk; 2] + Sync)) {
    std::thread::scope(|scope| {
        for (name, test) in TESTS {
            std::thread::Builder::new()
                .name((*name).to_owned())
                .spawn_scoped(scope, move || test(make()))
                .unwrap();
        }
    });
}

/// Keeps nothing that has ended.
const NOTHING: RetentionPolicy = RetentionPolicy { settled_days: 0, draft_days: 0, hook_days: 0 };

fn in_years(years: i64) -> Timestamp {
    clock::now() + SignedDuration::from_hours(365 * 24 * years)
}

/// Purges all asks that ended before a time, and returns their number.
fn purge(desk: &StoreDesk, before: Timestamp) -> usize {
    let limits = PurgeLimits { settled_before: before, drafts_before: before, hooks_before: before };
    upkeep::purge(&*desk.store, limits).unwrap()
}

fn maintain(desk: &StoreDesk, policy: RetentionPolicy) {
    assert!(!desk.run_maintenance(policy, Duration::MAX));
}

/// Returns the titles of the asks in all states that have these words.
fn titles(desk: &StoreDesk, words: Option<&str>) -> Vec<String> {
    let states = AskStatus::ALL.to_vec();
    let query = AskQuery { search: words.map(str::to_owned), states, ..AskQuery::default() };
    desk.list(&query).unwrap().rows.into_iter().map(|row| row.title).collect()
}

fn waiting_titles(desk: &StoreDesk) -> Vec<String> {
    desk.list(&AskQuery::default()).unwrap().rows.into_iter().map(|row| row.title).collect()
}

fn old_ask_leaves_tombstone([desk, other]: [StoreDesk; 2]) {
    let begin = clock::now();
    let old = desk.open(Some("k"), new_ask("old harbour")).unwrap().into_ask();
    desk.save(&person("ada"), old.id, DraftRev(0), vec![pick("red"), note("thick")]).unwrap();
    let old = answer(&desk, &old);
    deliver(&desk, &old);
    let pending = open(&desk, "pending harbour");
    desk.save(&person("ada"), pending.id, DraftRev(0), vec![note("thin")]).unwrap();
    let judged = desk.open(None, NewAsk { needs_verdict: true, ..new_ask("judged") }).unwrap().into_ask();
    let judged = answer(&desk, &judged);
    assert_eq!(titles(&desk, Some("harbour")), ["pending harbour", "old harbour"]);

    assert_eq!(purge(&desk, begin), 0, "nothing is old enough");
    assert_eq!(desk.draft(old.id).unwrap().replies.len(), 2);
    assert_eq!(purge(&desk, in_years(1)), 1);

    for desk in [&desk, &other] {
        assert_eq!(code(desk.get(old.id)), ProblemCode::AskNotFound);
        assert_eq!(desk.get(judged.id).unwrap(), judged, "what still waits is kept");
        assert_eq!(desk.draft(pending.id).unwrap().replies.len(), 1, "with what was typed");
        assert_eq!(titles(desk, Some("harbour")), ["pending harbour"]);
        assert_eq!(desk.history(old.id).unwrap(), []);
        assert_eq!(desk.history(judged.id).unwrap().len(), 3);
    }
    assert!(matches!(desk.open(Some("k"), new_ask("old harbour")).unwrap(), OpenedAsk::New(_)));
}

fn tombstones_last_for_years([desk, _]: [StoreDesk; 2]) {
    let found = |ask: &Ask| desk.find(&ask.id.to_string()).unwrap_err().to_string();
    let answered = answer(&desk, &open(&desk, "door"));
    let cancelled = act(&desk, &as_asker(), &open(&desk, "wall"), AskCommand::CANCEL).unwrap();
    assert_eq!(purge(&desk, in_years(1)), 2);
    let at = answered.outcome().unwrap().ended_at();
    let text = format!("The question {} was answered at {at} and has since been deleted.", answered.id);
    assert!(found(&answered).ends_with(&text), "{}", found(&answered));
    assert!(found(&cancelled).contains("was withdrawn at"), "{}", found(&cancelled));
    let reader = AskReader::Asker { account: "ci".to_owned() };
    let other = desk.find_for(&reader, &answered.id.to_string()).unwrap_err().to_string();
    assert!(other.contains("This desk has no question"), "nobody knows whose it was: {other}");
    purge(&desk, in_years(4));
    assert!(found(&answered).contains("was answered at"));
    purge(&desk, in_years(6));
    assert!(found(&answered).contains("This desk has no question"));
}

fn old_drafts_are_purged_first([desk, _]: [StoreDesk; 2]) {
    let ask = open(&desk, "door");
    desk.save(&person("bob"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let end = act(&desk, &as_asker(), &ask, AskCommand::CANCEL).unwrap();
    let row = |desk: &StoreDesk| {
        let states = vec![AskStatus::Cancelled];
        desk.list(&AskQuery { states, ..AskQuery::default() }).unwrap().rows.remove(0)
    };
    assert_eq!(row(&desk).answered, 1);
    maintain(&desk, RetentionPolicy { draft_days: 0, ..RetentionPolicy::default() });
    assert_eq!((desk.get(ask.id).unwrap(), row(&desk).answered), (end, 0));
    assert_eq!(desk.draft(ask.id).unwrap().replies.len(), 0);
}

fn purged_changes_are_a_gap([desk, other]: [StoreDesk; 2]) {
    let start = desk.watch(Interest::All, None).unwrap().cursor();
    answer(&desk, &open(&desk, "the door"));
    open(&desk, "the wall");
    assert_eq!(other.watch(Interest::All, Some(start)).unwrap().poll().unwrap().len(), 3);
    purge(&desk, in_years(1));
    assert_eq!(other.watch(Interest::All, Some(start)).unwrap().poll().unwrap(), [WatchEvent::Gap]);
}

fn purge_runs_once_a_day([desk, other]: [StoreDesk; 2]) {
    let old = answer(&desk, &open(&desk, "old"));
    maintain(&desk, RetentionPolicy::default());
    assert_eq!(desk.get(old.id).unwrap(), old);
    for desk in [&desk, &other] {
        maintain(desk, NOTHING);
        assert_eq!(desk.get(old.id).unwrap(), old, "today it was done already");
    }
}

fn hook_asks_are_purged_earlier([desk, _]: [StoreDesk; 2]) {
    let hook = NewAsk { dialect: AskRequest::HOOK_DIALECT.to_owned(), ..new_ask("a command") };
    let hook = desk.open(None, hook).unwrap().into_ask();
    for ask in [hook.clone(), open(&desk, "a question")] {
        deliver(&desk, &answer(&desk, &ask));
    }
    maintain(&desk, RetentionPolicy { hook_days: 0, ..RetentionPolicy::default() });
    assert_eq!(code(desk.get(hook.id)), ProblemCode::AskNotFound);
    assert_eq!(titles(&desk, None), ["a question"]);
}

fn old_threads_are_purged([desk, other]: [StoreDesk; 2]) {
    let thread = || desk.new_thread("ada", None).unwrap().id;
    let [quiet, busy] = [thread(), thread()];
    desk.post_message(&busy, "go on", None, None).unwrap();
    maintain(&desk, NOTHING);
    assert!(other.thread(&quiet).unwrap().is_none());
    assert_eq!(other.thread_record(&busy).unwrap().messages.len(), 1, "its turn has not ended");
}

/// Opens this many asks whose deadline has passed when it returns.
fn open_overdue(desk: &StoreDesk, asks: usize) -> Vec<Ask> {
    let new = |n: usize| {
        let title = format!("overdue {n}");
        (title.clone(), NewAsk { time_limit_ms: Some(1), ..new_ask(&title) })
    };
    let opened = desk.open_all((0..asks).map(new).collect()).unwrap();
    let asks: Vec<_> = opened.into_iter().map(OpenedAsk::into_ask).collect();
    let due_at = asks.iter().filter_map(Ask::due_at).max().unwrap();
    let mut watch = desk.watch(Interest::All, None).unwrap();
    while desk.store.now() <= due_at {
        watch.wait(Duration::from_millis(1)).unwrap();
    }
    asks
}

fn desk_works_between_steps([desk, other]: [StoreDesk; 2]) {
    open_overdue(&desk, 210);
    desk.run_due(Duration::MAX).unwrap();
    // Asks from now on are younger.
    let before = desk.store.now();
    let limits = PurgeLimits { settled_before: before, drafts_before: before, hooks_before: before };
    let (mut next, mut gone, mut asked) = (Some(PurgeStep::FIRST), Vec::new(), 0);
    while let Some(step) = next {
        let done = desk.store.purge_step(step, limits).unwrap().unwrap();
        gone.push(done.asks);
        next = done.next;
        // Nobody waits for the rest, and the desk is consistent between two steps.
        let title = format!("step{asked}");
        open(&other, &title);
        asked += 1;
        assert_eq!(titles(&other, Some(&title)), [title]);
    }
    assert_eq!(gone.iter().sum::<usize>(), 210);
    assert!(gone.iter().filter(|gone| **gone > 0).count() > 1, "{gone:?}");
    assert_eq!(titles(&desk, None).len(), asked);
}

fn another_continues_a_purge([desk, other]: [StoreDesk; 2]) {
    let asks = open_overdue(&desk, 110);
    desk.run_due(Duration::MAX).unwrap();
    let now = desk.store.now();
    let limits = PurgeLimits { settled_before: now, drafts_before: now, hooks_before: now };
    assert!(desk.store.purge_step(PurgeStep::FIRST, limits).unwrap().is_some());
    assert!(other.store.purge_step(PurgeStep::FIRST, limits).unwrap().is_none(), "it is done");
    drop(desk);
    assert!(other.run_maintenance(NOTHING, Duration::ZERO), "no time");
    assert!(other.get(asks[109].id).is_ok());
    maintain(&other, NOTHING);
    assert_eq!((titles(&other, None), code(other.get(asks[109].id))), (vec![], ProblemCode::AskNotFound));
    let late = act(&other, &as_asker(), &open(&other, "late"), AskCommand::CANCEL).unwrap();
    maintain(&other, NOTHING);
    assert_eq!(other.get(late.id).unwrap(), late, "the purge of the day has ended");
}

fn deadlines_run_in_steps([desk, other]: [StoreDesk; 2]) {
    let asks = open_overdue(&desk, 60);
    let waiting = open(&desk, "waiting");
    assert!(desk.run_due(Duration::ZERO).unwrap(), "no time");
    assert!(!desk.run_due(Duration::MAX).unwrap());
    assert_eq!(waiting_titles(&other), ["waiting"]);
    for ask in asks {
        let ask = other.get(ask.id).unwrap();
        assert!(matches!(ask.outcome(), Some(Outcome::Expired { .. })), "{ask:?}");
    }
    assert_eq!(desk.get(waiting.id).unwrap(), waiting);
}

fn list_waits_for_no_deadlines([desk, _]: [StoreDesk; 2]) {
    let asks = open_overdue(&desk, 3);
    open(&desk, "waiting");
    let held = desk.due.lock().unwrap();
    assert_eq!(waiting_titles(&desk), ["waiting"], "others run them meanwhile");
    assert_eq!(titles(&desk, None), ["waiting"]);
    assert!(desk.get(asks[0].id).unwrap().outcome().is_some(), "what is read by its id is up to date");
    drop(held);
    assert_eq!(titles(&desk, None).len(), 4);
}

fn unseen_cancelled_asks_are_emptied([desk, _]: [StoreDesk; 2]) {
    let [unseen, seen] = ["unseen", "seen"].map(|title| open(&desk, title));
    act(&desk, &Actor::Person(person("ada")), &seen, AskCommand::MarkSeen).unwrap();
    for ask in [&unseen, &seen] {
        act(&desk, &as_asker(), ask, AskCommand::CANCEL).unwrap();
    }
    assert_eq!(desk.store.prune_cancelled(unseen.request.created_at).unwrap(), 0);
    assert_eq!(desk.store.prune_cancelled(in_years(1)).unwrap(), 1);
    assert!(desk.get(unseen.id).unwrap().request.questionnaire.questions.is_empty());
    assert_eq!(desk.get(seen.id).unwrap().request, seen.request);
}

const QUOTA: AccountQuota =
    AccountQuota { open_asks: 1_000, stored_bytes: Some(128 << 10), asks_per_hour: None, retention_days: 90 };

/// Opens an ask of about 20 KiB.
fn ask_of(desk: &StoreDesk, account: &str, title: &str, quota: AccountQuota) -> Result<Ask, Problem> {
    let asker = Asker { account: Some(account.to_owned()), ..asker() };
    let new = new_ask(title);
    let questionnaire =
        Arc::new(Questionnaire { context: Some("x".repeat(20 << 10)), ..(*new.questionnaire).clone() });
    desk.open(None, NewAsk { asker, questionnaire, quota: Some(quota), ..new }).map(OpenedAsk::into_ask)
}

fn full_account_is_refused_until_a_purge([desk, other]: [StoreDesk; 2]) {
    let asked: Vec<_> =
        (0..20).map_while(|n| ask_of(&desk, "ci", &format!("door {n}"), QUOTA).ok()).collect();
    assert_eq!(asked.len(), 5, "128 KiB hold five asks of 20 KiB");
    let refused = ask_of(&other, "ci", "one more", QUOTA).unwrap_err();
    assert_eq!(
        (refused.code, refused.retry_after_s),
        (ProblemCode::DeskCrowded, None),
        "none ends by itself"
    );
    ask_of(&desk, "other", "the door", QUOTA).unwrap();
    ask_of(&other, "ci", "door 3", QUOTA).expect("what is asked already takes no more room");
    answer(&desk, &asked[0]);
    let refused = ask_of(&desk, "ci", "one more", QUOTA).unwrap_err();
    let days = refused.retry_after_s.unwrap().get() / (24 * 60 * 60);
    assert!((89..=90).contains(&days), "{refused:?}");
    let full = desk.kept_bytes().unwrap();
    maintain(&desk, NOTHING);
    let freed = full - other.kept_bytes().unwrap();
    assert!(((20 << 10)..(30 << 10)).contains(&freed), "{freed}");
    ask_of(&other, "ci", "one more", QUOTA).unwrap();
}

fn cancelled_asks_make_room([desk, _]: [StoreDesk; 2]) {
    let mut asked = Vec::new();
    for n in 0..12 {
        let ask = ask_of(&desk, "ci", &format!("door {n}"), QUOTA).unwrap();
        asked.push(act(&desk, &Actor::Asker(ask.request.asker.clone()), &ask, AskCommand::CANCEL).unwrap());
    }
    assert!(desk.kept_bytes().unwrap() <= 128 << 10);
    let first = desk.get(asked[0].id).unwrap();
    assert_eq!((&first.state, first.request.questionnaire.display_name()), (&asked[0].state, "door 0"));
    assert!(first.request.questionnaire.questions.is_empty());
    assert_eq!(desk.get(asked[11].id).unwrap(), asked[11], "the newest still has its questions");
}

fn hourly_asks_are_counted([desk, other]: [StoreDesk; 2]) {
    let quota = AccountQuota { asks_per_hour: Some(2), ..QUOTA };
    ask_of(&desk, "ci", "door 1", quota).unwrap();
    let second = ask_of(&other, "ci", "door 2", quota).unwrap();
    let refused = ask_of(&desk, "ci", "door 3", quota).unwrap_err();
    assert_eq!(refused.code, ProblemCode::TooManyRequests);
    assert!((3_590..=3_600).contains(&refused.retry_after_s.unwrap().get()), "{refused:?}");
    assert_eq!(ask_of(&desk, "ci", "door 2", quota).unwrap().id, second.id, "it is asked already");
    ask_of(&other, "other", "door 3", quota).unwrap();
}
