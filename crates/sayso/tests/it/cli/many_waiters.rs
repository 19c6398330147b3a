//! More waiting programs than a user may have inotify instances (128).
#![cfg(target_os = "linux")]

use crate::support::program::{in_own_session, kill_9, start_lock};
use crate::support::test_world::TestWorld;
use sayso_core::Questionnaire;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::ask_summary::AskStatus;
use sayso_core::{Actor, Ask, AskCommand, AskId, Asker, NewAsk, Person, QuestionId, Reply};
use sayso_core::{Question, TextQuestion};
use sayso_desk::{AskQuery, Desk as _, Interest, StoreDesk, WatchEvent};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const WAITERS: usize = 300;

fn open(desk: &StoreDesk, number: usize) -> Ask {
    let question = Question::new("note", "What now?", TextQuestion::default());
    let title = Some(format!("ask {number}"));
    let questionnaire = Questionnaire { title, questions: vec![question], ..Questionnaire::default() };
    let asker = Asker { name: "many".to_owned(), ..Asker::default() };
    desk.open(None, NewAsk::new(Arc::new(questionnaire), "sayso", asker)).unwrap().into_ask()
}

fn answer(desk: &StoreDesk, ask: &Ask) {
    let ada = Person {
        name: "ada".to_owned(),
        surface: Surface::Command,
        assurance: AssuranceLevel::Scripted,
        access: None,
    };
    let replies = [(QuestionId::new("note"), Reply::from_text("go on"))].into();
    let submit = AskCommand::Submit { replies, as_sent: None, shown: ask.request.digest.into() };
    desk.act(&Actor::Person(ada), ask.id, None, submit).unwrap();
}

fn wait_for(world: &TestWorld, id: AskId) -> Child {
    let mut command = in_own_session(&world.sayso(["wait", &id.to_string()]));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _starting = start_lock();
    command.spawn().unwrap()
}

/// Returns the number of times that a sleeping process was woken.
fn wakeup_count(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.unwrap().trim().parse().unwrap()
}

/// Starts a program for each ask, and returns when all of them wait.
fn start_waiters(world: &TestWorld, desk: &StoreDesk, asks: &[Ask]) -> Vec<Child> {
    let mut watch = desk.watch(Interest::All, None).unwrap();
    let children = asks.iter().map(|ask| wait_for(world, ask.id)).collect();
    let mut missing: std::collections::BTreeSet<_> = asks.iter().map(|ask| ask.id.to_string()).collect();
    let since = Instant::now();
    while !missing.is_empty() {
        assert!(since.elapsed() < Duration::from_secs(120), "{} do not wait", missing.len());
        let changes = watch.wait(Duration::from_secs(30)).unwrap();
        for changed in changes.into_iter().filter_map(WatchEvent::into_change) {
            missing.remove(&changed.id.to_string());
        }
    }
    children
}

#[test]
fn only_the_answered_of_300_waiters_wakes() {
    let world = TestWorld::new();
    let desk = world.desk();
    let asks: Vec<_> = (0..WAITERS).map(|number| open(&desk, number)).collect();
    let mut children = start_waiters(&world, &desk, &asks);
    // Killed ones leave files that others clean up.
    for child in children.iter_mut().take(20) {
        kill_9(child.id());
        child.wait().unwrap();
    }
    for (child, ask) in children.iter_mut().zip(asks.iter().take(10)) {
        *child = wait_for(&world, ask.id);
    }
    let (answered, others) = (&asks[20..220], 220..WAITERS);
    let before: Vec<_> = children[others.clone()].iter().map(wakeup_count).collect();
    let since = Instant::now();
    for (child, ask) in children[20..220].iter_mut().zip(answered) {
        answer(&desk, ask);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{}", ask.id);
    }
    // 200 answers and as many deliveries were committed. A process that has just started may still be settling.
    let most = 60 + 2 * since.elapsed().as_secs();
    for (child, before) in children[others].iter().zip(before) {
        let woken = wakeup_count(child) - before;
        assert!(woken < most, "{woken} wakes of one that nothing concerned, in {:?}", since.elapsed());
    }
    for (child, ask) in children.iter_mut().zip(&asks).take(10) {
        answer(&desk, ask);
        assert_eq!(child.wait().unwrap().code(), Some(0), "whoever waits again after a kill");
    }
    let done = AskQuery { states: vec![AskStatus::Answered], undelivered: true, ..AskQuery::default() };
    assert!(desk.list(&done).unwrap().rows.is_empty(), "each has its answer");
    for child in &mut children {
        let _ = child.kill();
        child.wait().unwrap();
    }
}
