//! Tests of events that are shown before they are stored.

use super::*;
use crate::http::threads::turn::published_event::PublishedEvent;
use sayso_desk::StoreDesk;
use sayso_desk::thread::{ThreadDesk as _, TurnNewsKind};
use tempfile::TempDir;

fn text(text: &str) -> Vec<PublishedEvent> {
    vec![PublishedEvent::Text(text.to_owned())]
}

/// Returns the turn as a server that starts has it.
fn load(desk: &StoreDesk) -> Arc<ActiveTurn> {
    let turn = desk.pending_turns().unwrap().remove(0);
    let live = ActiveTurn::from_turn(turn, false);
    desk.turn_news(0).unwrap().news.iter().for_each(|news| live.apply(news, None));
    live
}

/// Returns a desk with a turn.
fn start_turn() -> (TempDir, StoreDesk, Arc<ActiveTurn>) {
    let folder = TempDir::new().unwrap();
    let desk = StoreDesk::open(&folder.path().join("desk")).unwrap();
    let thread = desk.new_thread("ada", None).unwrap().id;
    desk.post_message(&thread, "go on", None, None).unwrap();
    let live = load(&desk);
    (folder, desk, live)
}

fn shown(live: &ActiveTurn, from: usize) -> String {
    let bytes = (from..).map_while(|position| match live.entry(position) {
        Some(StreamEntry::Event(bytes)) => Some(String::from_utf8(bytes.to_vec()).unwrap()),
        _ => None,
    });
    bytes.collect()
}

#[test]
fn lost_event_hides_none_after_it() {
    let (_folder, desk, live) = start_turn();
    live.publish_at_once(&text("one")).unwrap();
    assert_eq!(shown(&live, 0), "", "its place is not known yet");
    live.send_unsent(&desk).unwrap();
    live.publish_at_once(&text("two")).unwrap();
    live.send_unsent(&desk).unwrap();
    live.publish_at_once(&text("lost")).unwrap();
    assert!(shown(&live, 2).contains("lost"));
    let place = live.place_before(3);

    // The server ends, and another one goes on.
    let live = load(&desk);
    assert_eq!(live.position_after(place), 2);
    live.publish_at_once(&text("three")).unwrap();
    live.send_unsent(&desk).unwrap();
    live.publish_at_once(&text("four")).unwrap();
    let rest = shown(&live, live.position_after(place));
    assert!(
        rest.find("three") < rest.find("four") && !rest.contains("two") && rest.contains("three"),
        "{rest}"
    );
    live.send_unsent(&desk).unwrap();
    let stored = load(&desk);
    assert_eq!(shown(&stored, 0), shown(&live, 0), "at the same places");
    let places = |live: &ActiveTurn| (0..5).map(|at| live.place_before(at)).collect::<Vec<_>>();
    assert_eq!(places(&stored), places(&live));
}

#[test]
fn events_keep_their_order_while_desk_stores() {
    let (_folder, desk, live) = start_turn();
    live.publish_at_once(&text("one")).unwrap();
    live.send_unsent(&desk).unwrap();
    let storing = lock(&live.store_lock);
    live.publish_at_once(&text("two")).unwrap();
    assert!(!shown(&live, 0).contains("two"), "an interrupt may be about to come before it");
    live.send_all(&desk, &storing).unwrap();
    assert!(shown(&live, 0).contains("two"));
    drop(storing);
    let kinds: Vec<_> = desk.turn_news(0).unwrap().news.into_iter().map(|news| news.kind).collect();
    assert!(matches!(
        &kinds[..],
        [TurnNewsKind::Posted, TurnNewsKind::Published(_), TurnNewsKind::Published(_)]
    ));
}
