//! Tests of the streams of `sayso serve` with a third-party decoder: httpx-sse, across crashes of the server.

use crate::support::program::python_program::{program, python};
use crate::support::served_desk::{ServedDesk, answer_ask, create_ask};
use crate::support::test_world::TestWorld;
use serde_json::Value;

#[test]
fn foreign_decoder_follows_across_crashes() {
    let world = TestWorld::new();
    let mut served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let address = served.address.clone();
    let follower = program("follow_events.py");
    let call = python(&world, &[&follower, &format!("http://{address}/v1/events")]);
    let follower = call.env("TOKEN", person.token.as_ref().unwrap()).start();
    let mut at = follower.stdout.wait_for("\"event\": \"hello\"", 0);
    let mut asks = Vec::new();
    for round in 0..3 {
        for count in 0..5 {
            // Line breaks and other signs within data are data.
            let ask = create_ask(&asker, &format!("{round}-{count}\r\n\u{2028}data: x\n\nid: 7"));
            asks.push(answer_ask(&person, &ask, "yes\nevent: no\n\n中")["id"].as_str().unwrap().to_owned());
        }
        assert!(served.program.kill_9());
        // An answer arrives while no server runs.
        let id = world.leave_ask(&crate::support::sample_requests::text(&format!("Left {round}")), &[]);
        assert_eq!(world.sayso(["cancel", &id]).run().exit, 0);
        asks.push(id);
        at = follower.stdout.wait_for("\"event\": \"cut\"", at);
        served = ServedDesk::restart_at(&world, &address);
        at = follower.stdout.wait_for("\"event\": \"hello\"", at);
    }
    let last = create_ask(&asker, "The last");
    let end = follower.stdout.wait_for(&format!("\"ask\": {}", last["id"]), at);
    let text = follower.stdout.between(0, end);
    let complete = text.rsplit_once('\n').unwrap().0;
    let events: Vec<Value> = complete.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.iter().all(|event| event["event"] != "gap"));
    let changes: Vec<_> = events.iter().filter(|event| event["event"] == "change").collect();
    for id in &asks {
        let of_it = changes.iter().filter(|event| event["data"]["ask"] == id.as_str());
        let words: Vec<_> = of_it
            .flat_map(|event| event["data"]["events"].as_array().unwrap())
            .map(|event| &event["event"])
            .collect();
        let once = |word: &str| words.iter().filter(|event| ***event == word).count() == 1;
        assert!(once("opened") && once("settled"), "{id}: {words:?}");
    }
    let mut ids: Vec<_> = changes.iter().map(|event| event["id"].as_str().unwrap()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "no change came twice");
    let hello = events.iter().find(|event| event["event"] == "hello").unwrap();
    assert!(hello["retry"].as_u64().is_some_and(|retry| (1000..=5000).contains(&retry)), "{hello}");
}
