//! Many threads at one desk, through several handles on its file.

use crate::asks::{
    answer_of, as_person, count_final_events, desk, new_ask, open, reply, retry_while_busy, submit,
};
use sayso_core::{AskId, ProblemCode};
use sayso_desk::{AskQuery, Desk, OpenedAsk, StoreDesk};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::thread;
use tempfile::TempDir;

#[test]
fn one_of_many_answers_wins() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let handles: Vec<StoreDesk> = (0..4).map(|_| desk(&path)).collect();
    let ask = open(&handles[0], "door");
    let start = Barrier::new(64);
    let results: Vec<_> = thread::scope(|scope| {
        let answering: Vec<_> = (0..64)
            .map(|n| {
                let (desk, ask, start) = (&handles[n % 4], &ask, &start);
                scope.spawn(move || {
                    start.wait();
                    desk.act(
                        &as_person(&format!("p{n:02}")),
                        ask.id,
                        None,
                        submit(ask, &format!("text {n:02}")),
                    )
                })
            })
            .collect();
        answering.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let winners: Vec<_> = (0..64).filter(|n| results[*n].is_ok()).collect();
    let [winner] = winners[..] else { panic!("{winners:?} won") };
    let name = format!("p{winner:02}");
    for problem in results.iter().filter_map(|result| result.as_ref().err()) {
        assert_eq!(problem.code, ProblemCode::AskAnswered);
        assert!(problem.to_string().contains(&name), "{problem}");
    }
    let stored = handles[3].get(ask.id).unwrap();
    assert_eq!(answer_of(&stored), Some((name.as_str(), &reply(&format!("text {winner:02}")).1)));
    assert_eq!(stored, *results[winner].as_ref().unwrap());
    assert_eq!(count_final_events(&handles[1], ask.id), 1);
    let kept = handles[2].draft(ask.id).unwrap();
    assert!(kept.rev.0 >= 1, "what came second is kept where nothing was typed before");
    assert_ne!(kept.replies.get(&reply("").0), Some(&reply(&format!("text {winner:02}")).1));
}

/// Opens 100 asks 8 times each, from 16 threads over 4 handles, and returns the asks of each key.
fn open_concurrently(keyed: bool) -> (usize, BTreeMap<usize, BTreeSet<AskId>>, usize) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("desk");
    let handles: Vec<StoreDesk> = (0..4).map(|_| desk(&path)).collect();
    let start = Barrier::new(16);
    let opened: Vec<(usize, OpenedAsk)> = thread::scope(|scope| {
        let opening: Vec<_> = (0..16)
            .map(|n| {
                let (desk, start) = (&handles[n % 4], &start);
                scope.spawn(move || {
                    start.wait();
                    let numbers = (0..50).map(|i| (n * 25 + i) % 100);
                    let open = |number: usize| {
                        let key = format!("key {number}");
                        let key = keyed.then_some(key.as_str());
                        let opened = retry_while_busy(|| desk.open(key, new_ask(&format!("ask {number}"))));
                        (number, opened.unwrap())
                    };
                    numbers.map(open).collect::<Vec<_>>()
                })
            })
            .collect();
        opening.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let new = opened.iter().filter(|(_, opened)| matches!(opened, OpenedAsk::New(_))).count();
    let mut ids: BTreeMap<usize, BTreeSet<AskId>> = BTreeMap::new();
    for (number, opened) in &opened {
        ids.entry(*number).or_default().insert(opened.ask().id);
    }
    let listed = desk(&path).list(&AskQuery::default()).unwrap().rows.len();
    (new, ids, listed)
}

#[test]
fn concurrent_opens_with_key_open_once() {
    let (new, ids, listed) = open_concurrently(true);
    assert_eq!((new, ids.len(), listed), (100, 100, 100));
    assert!(ids.values().all(|ids| ids.len() == 1), "{ids:?}");
}

#[test]
fn concurrent_opens_of_same_open_once() {
    let (new, ids, listed) = open_concurrently(false);
    assert_eq!((new, ids.len(), listed), (100, 100, 100));
    assert!(ids.values().all(|ids| ids.len() == 1), "{ids:?}");
}

#[test]
fn concurrent_handles_create_one_desk() {
    for _ in 0..10 {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("new folder").join("desk");
        let start = Barrier::new(12);
        let asks: BTreeSet<AskId> = thread::scope(|scope| {
            let opening: Vec<_> = (0..12)
                .map(|n| {
                    let (path, start) = (&path, &start);
                    scope.spawn(move || {
                        start.wait();
                        open(&desk(path), &format!("ask {n}")).id
                    })
                })
                .collect();
            opening.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let rows = desk(&path).list(&AskQuery::default()).unwrap().rows;
        assert_eq!(rows.iter().map(|row| row.id).collect::<BTreeSet<_>>(), asks);
        assert_eq!(rows.len(), 12);
    }
}
