//! Tests of the desk's changes as a stream of events.

use crate::support::http_client::{HttpCaller, SseStream, StreamEvent};
use crate::support::served_desk::{ServedDesk, answer_ask, ask_path, create_ask, id_of, new_ask};
use crate::support::test_world::TestWorld;
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The events of an ask that is answered after a draft.
const LIFE: [&[&str]; 3] = [&["opened"], &["drafted"], &["settled"]];

/// Returns all events up to the end of a sentinel ask with this title.
fn events_up_to(events: &mut SseStream, asker: &HttpCaller, title: &str) -> Vec<StreamEvent> {
    let ask = create_ask(asker, title);
    asker.post(&ask_path(&ask, "/cancel"), &json!({})).json(200);
    let mut all = Vec::new();
    loop {
        let event = events.next().unwrap();
        if event.data["ask"] == ask["id"] && event.change_names() == ["settled"] {
            return all;
        }
        if event.data["ask"] != ask["id"] {
            all.push(event);
        }
    }
}

#[test]
fn events_are_ordered_and_unique() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let before = create_ask(&asker, "Before");
    let mut events = person.events();
    let hello = events.expect("hello");
    assert_eq!(hello.data["cursor"], hello.id.clone().unwrap());
    assert!((1000..=5000).contains(&hello.retry.unwrap()), "{hello:?}");

    let ask = create_ask(&asker, "A");
    let words =
        json!({ "replies": { "text": { "state": "answered", "answer": { "text": "secret so far" } } } });
    person.request("PATCH", &ask_path(&ask, "/draft")).json(&words).send().json(200);
    answer_ask(&person, &ask, "yes");
    let life: Vec<_> = LIFE.iter().map(|_| events.expect("change")).collect();
    assert_eq!(life.iter().map(StreamEvent::change_names).collect::<Vec<_>>(), LIFE);
    assert!(life.iter().all(|event| event.data["ask"] == ask["id"]), "{life:?}");
    assert!(!life[1].data.to_string().contains("secret"), "a draft is told of without its text");
    assert_eq!(life[2].data["events"][0]["outcome"]["replies"]["text"]["answer"]["text"], "yes");

    // From each id on: the later events, and nothing else.
    for (passed, event) in life.iter().enumerate() {
        let mut again = person.events_after(event.id.as_ref().unwrap());
        assert_eq!(again.expect("hello").id, event.id);
        let rest = events_up_to(&mut again, &asker, "End");
        let beyond = life.len() - passed - 1;
        assert_eq!(rest[..beyond], life[passed + 1..]);
    }
    let mut again = person.events_after(hello.id.as_ref().unwrap());
    again.expect("hello");
    assert_eq!(again.expect("change"), life[0]);
    let one = person.request("GET", &format!("/v1/events?ask={}", id_of(&before)));
    let mut one = one.header("last-event-id", hello.id.as_ref().unwrap()).stream();
    one.expect("hello");
    answer_ask(&person, &before, "yes");
    assert_eq!(one.expect("change").data["ask"], before["id"]);
    person.get("/v1/events?ask=nothing").problem(422, "invalid_value");
    person.get("/v1/events?ask=01a2026d-d3cd-738f-a381-3f4907ef3314").problem(404, "ask_not_found");
}

#[test]
fn forgotten_events_are_a_gap() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    create_ask(&asker, "A");
    let mut unread = person.events_after("\u{ff}");
    unread.expect("hello");
    unread.expect("gap");
    let here = person.events().expect("hello").id.unwrap();
    let (desk, _) = here.split_once('-').unwrap();
    let future = format!("{desk}-999999999999");
    let foreign = format!("{:016x}-1", u64::from_str_radix(desk, 16).unwrap() ^ 1);
    for id in [
        future.as_str(),
        &foreign,
        "garbage",
        "e1:0:999999999999",
        "",
        "0-0",
        &format!("{desk}--5"),
        &"9".repeat(5000),
    ] {
        let mut events = person.events_after(id);
        events.expect("hello");
        assert_eq!(events.expect("gap").data, json!({}), "{id}");
        // After it all events arrive, with ids that stay valid.
        let ask = create_ask(&asker, &format!("After {}", &id[..id.len().min(40)]));
        let opened = events.change_of(id_of(&ask));
        assert_eq!(opened.change_names(), ["opened"], "{id}");
        person.post(&ask_path(&ask, "/see"), &json!({})).json(200);
        let mut again = person.events_after(opened.id.as_ref().unwrap());
        again.expect("hello");
        assert_eq!(again.expect("change").change_names(), ["seen"], "{id}");
    }
}

#[test]
fn asker_sees_only_own_events() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let other = served.caller(&world, TokenRole::Asker, "other");
    let (mut live, start) = (other.events(), other.events().expect("hello").id.unwrap());
    live.expect("hello");
    for title in ["A", "B", "C"] {
        answer_ask(&person, &create_ask(&asker, title), "not for others");
    }
    let theirs = create_ask(&other, "Theirs");
    let mut late = other.events_after(&start);
    late.expect("hello");
    for events in [&mut live, &mut late] {
        let first = events.expect("change");
        assert_eq!((&first.data["ask"], first.change_names()), (&theirs["id"], vec!["opened".to_owned()]));
    }
    // Nor with another caller's id.
    let mut far = other.events_after("0000000000000000-0");
    far.expect("hello");
    far.expect("gap");
    let end = create_ask(&other, "End");
    assert_eq!(far.expect("change").data["ask"], end["id"]);
}

#[test]
fn idle_stream_can_resume() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let other = served.caller(&world, TokenRole::Asker, "other");
    let mut events = other.events();
    let hello = events.expect("hello").id.unwrap();
    let desk = world.desk();
    for count in 0..300 {
        desk.open(None, new_ask("ci", &format!("{count}"))).unwrap();
    }
    let here = events.expect("ready");
    assert_eq!(here.data, json!({}));
    let place = |id: &str| id.split_once('-').unwrap().1.parse::<u64>().unwrap();
    let here = here.id.unwrap();
    assert!(place(&here) >= place(&hello) + 256, "{hello} {here}");
    let theirs = create_ask(&other, "Theirs");
    assert_eq!(events.expect("change").data["ask"], theirs["id"]);
    let mut again = other.events_after(&here);
    again.expect("hello");
    assert_eq!(again.expect("change").data["ask"], theirs["id"]);
}

#[test]
fn other_processes_events_arrive() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let person = served.person(&world);
    let mut events = person.events();
    events.expect("hello");
    let id = world.leave_ask(&crate::support::sample_requests::text("From a shell"), &[]);
    assert_eq!(events.expect("change").data["ask"], id.as_str());
    assert_eq!(world.sayso(["cancel", &id]).run().exit, 0);
    assert_eq!(events.expect("change").change_names(), ["settled"]);
}

#[test]
fn all_watchers_get_same_events() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let mut watching: Vec<_> = (0..20).map(|_| person.events()).collect();
    for events in &mut watching {
        events.expect("hello");
    }
    let asks: Vec<_> = (0..10).map(|count| create_ask(&asker, &format!("{count}"))).collect();
    for ask in &asks {
        answer_ask(&person, ask, "yes");
    }
    let mut changes = watching.iter_mut().map(|events| {
        let mut all = Vec::new();
        while all.iter().filter(|event: &&StreamEvent| event.change_names() == ["settled"]).count()
            < asks.len()
        {
            all.push(events.expect("change"));
        }
        all
    });
    let first = changes.next().unwrap();
    assert_eq!(first.len(), 2 * asks.len());
    assert!(changes.all(|all| all == first));
}

/// Events during a stream's start are neither lost between the log and the live events nor sent twice.
#[test]
fn late_subscriber_misses_nothing() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let start = person.events().expect("hello").id.unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let writing: Vec<_> = (0..2)
            .map(|writer| {
                let (asker, is_over) = (&asker, &is_over);
                scope.spawn(move || {
                    let asks = (0..).take_while(|_| !is_over.load(Ordering::Relaxed));
                    asks.map(|count| create_ask(asker, &format!("{writer}-{count}"))).count()
                })
            })
            .collect();
        let mut streams: Vec<_> = (0..60).map(|_| person.events_after(&start)).collect();
        is_over.store(true, Ordering::Relaxed);
        let asks: usize = writing.into_iter().map(|writer| writer.join().unwrap()).sum();
        for events in &mut streams {
            events.expect("hello");
            let ids: Vec<_> = (0..asks).map(|_| events.expect("change").id.unwrap()).collect();
            let place = |id: &String| id.split_once('-').unwrap().1.parse::<u64>().unwrap();
            assert!(ids.iter().map(place).is_sorted_by(|one, next| one < next), "{ids:?}");
        }
    });
}
