//! The log of turns, the same over every store.

use super::{code, open};
use crate::StoreDesk;
use crate::thread::{ThreadEventKind, TurnEntry, TurnHolder, TurnNews, TurnNewsKind, TurnProgress};
use sayso_core::{Ask, ProblemCode};

fn published(text: &str) -> TurnNewsKind {
    TurnNewsKind::Published(text.as_bytes().to_vec())
}

/// Records an ask of a turn, or its end.
fn record(desk: &StoreDesk, thread: &str, turn: i64, ask: Option<&Ask>) -> i64 {
    let entry = |ask: &Ask| {
        let (ask, tool) = (ask.id, "ls".to_owned());
        TurnEntry::Event(ThreadEventKind::Ask { ask, is_approval: true, tool, opens_request: true })
    };
    let entries = ask.map(entry).into_iter().collect();
    let (thread, has_ended) = (thread.to_owned(), ask.is_none());
    desk.record_progress(TurnProgress { turn, thread, entries, has_ended, ..TurnProgress::default() })
        .unwrap()
}

/// Checks that another handle reads what happened in turns, in order and at the places that were told.
pub fn check_turn_log(writer: &StoreDesk, reader: &StoreDesk) {
    let thread = writer.new_thread("ada", None).unwrap().id;
    let turn = writer.post_message(&thread, "go on", None, None).unwrap();
    let holder = TurnHolder { secret: "s".to_owned(), worker: "w".to_owned(), lease_seconds: 60 };
    writer.claim_turn(turn, &thread, "bot", holder, None, 1).unwrap();
    let two = writer.share_turn(turn, vec![published("one"), published("two")]).unwrap();
    let ask = open(writer, "May I?");
    let asked = record(writer, &thread, turn, Some(&ask));
    let three = writer.share_turn(turn, vec![published("three")]).unwrap();

    let all = reader.turn_news(turn - 1).unwrap();
    let kinds: Vec<_> = all.news.iter().map(|news| news.kind.clone()).collect();
    let expected = [
        TurnNewsKind::Posted,
        TurnNewsKind::Claimed,
        published("one"),
        published("two"),
        TurnNewsKind::Asked(ask.id),
        published("three"),
    ];
    assert_eq!(kinds, expected);
    let places: Vec<_> = all.news.iter().map(|news| news.place).collect();
    assert!(places.ends_with(&[two - 1, two, asked, three]), "{places:?}");
    assert!(places.is_sorted() && places.first() >= Some(&turn), "{places:?}");
    assert!(all.last >= three && all.news.iter().all(|news| news.turn == turn));
    let rest = reader.turn_news(asked).unwrap().news;
    assert_eq!(rest, [TurnNews { place: three, turn, kind: published("three") }]);

    let next = writer.post_message(&thread, "and then", None, None).unwrap();
    assert!(next > three, "a turn is after all that happened before it");
    assert!(record(writer, &thread, turn, None) > three);
    assert_eq!(code(writer.share_turn(turn, vec![published("late")])), ProblemCode::TurnOver);
    writer.delete_thread(&thread).unwrap();
    assert_eq!(code(writer.share_turn(next, vec![published("gone")])), ProblemCode::TurnOver);
}
