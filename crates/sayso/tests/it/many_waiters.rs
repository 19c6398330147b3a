//! More waiting programs than a user may have inotify instances (128).
#![cfg(target_os = "linux")]

use crate::program::{in_own_session, kill_9};
use crate::world::World;
use sayso_core::question::{Kind, Question, TextEntry};
use sayso_core::questionnaire::Questionnaire;
use sayso_core::row::Standing;
use sayso_core::who::{Assurance, Surface};
use sayso_core::{Ask, AskId, Asker, Command, NewAsk, Person, QuestionId, Reply, Who};
use sayso_desk::{Desk as _, Heard, Interest, LocalDesk, Query};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const WAITERS: usize = 300;

fn open(desk: &LocalDesk, number: usize) -> Ask {
    let question = Question::new("note", "What now?", Kind::Text(TextEntry::default()));
    let title = Some(format!("ask {number}"));
    let questionnaire = Questionnaire { title, questions: vec![question], ..Questionnaire::default() };
    let asker = Asker { name: "many".to_owned(), ..Asker::default() };
    desk.open(None, NewAsk::new(Arc::new(questionnaire), "sayso", asker)).unwrap().into_ask()
}

fn answer(desk: &LocalDesk, ask: &Ask) {
    let ada = Person { name: "ada".to_owned(), surface: Surface::Command, assurance: Assurance::Scripted };
    let replies = [(QuestionId::new("note"), Reply::text("go on"))].into();
    let submit = Command::Submit { replies, as_sent: None, shown: ask.request.digest };
    desk.act(&Who::Person(ada), ask.id, None, submit).unwrap();
}

fn wait_for(world: &World, id: AskId) -> Child {
    let mut command = in_own_session(&world.sayso(["wait", &id.to_string()]));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns the number of times that a sleeping process was woken.
fn wakes(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.unwrap().trim().parse().unwrap()
}

/// Starts a program for each ask, and returns when all of them wait.
fn start(world: &World, desk: &LocalDesk, asks: &[Ask]) -> Vec<Child> {
    let mut watch = desk.watch(Interest::All, None).unwrap();
    let children = asks.iter().map(|ask| wait_for(world, ask.id)).collect();
    let mut missing: std::collections::BTreeSet<_> = asks.iter().map(|ask| ask.id.to_string()).collect();
    let since = Instant::now();
    while !missing.is_empty() {
        assert!(since.elapsed() < Duration::from_secs(120), "{} do not wait", missing.len());
        let heard = watch.wait(Duration::from_secs(30)).unwrap();
        for changed in heard.into_iter().filter_map(Heard::changed) {
            missing.remove(&changed.id.to_string());
        }
    }
    children
}

#[test]
fn only_the_answered_of_300_waiters_wakes() {
    let world = World::new();
    let desk = world.desk();
    let asks: Vec<_> = (0..WAITERS).map(|number| open(&desk, number)).collect();
    let mut children = start(&world, &desk, &asks);
    // Killed ones leave files that others clean up.
    for child in children.iter_mut().take(20) {
        kill_9(child.id());
        child.wait().unwrap();
    }
    for (child, ask) in children.iter_mut().zip(asks.iter().take(10)) {
        *child = wait_for(&world, ask.id);
    }
    let (answered, others) = (&asks[20..220], 220..WAITERS);
    let before: Vec<_> = children[others.clone()].iter().map(wakes).collect();
    let since = Instant::now();
    for (child, ask) in children[20..220].iter_mut().zip(answered) {
        answer(&desk, ask);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{}", ask.id);
    }
    // 200 answers and as many deliveries were committed. A process that has just started may still be settling.
    let most = 60 + 2 * since.elapsed().as_secs();
    for (child, before) in children[others].iter().zip(before) {
        let woken = wakes(child) - before;
        assert!(woken < most, "{woken} wakes of one that nothing concerned, in {:?}", since.elapsed());
    }
    for (child, ask) in children.iter_mut().zip(&asks).take(10) {
        answer(&desk, ask);
        assert_eq!(child.wait().unwrap().code(), Some(0), "whoever waits again after a kill");
    }
    let done = Query { states: vec![Standing::Answered], undelivered: true, ..Query::default() };
    assert!(desk.list(&done).unwrap().rows.is_empty(), "each has its answer");
    for child in &mut children {
        let _ = child.kill();
        child.wait().unwrap();
    }
}
