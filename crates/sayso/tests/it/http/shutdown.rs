//! Tests of a server's end: an orderly shutdown that notifies all waiters, or a crash that loses nothing.

use crate::support::http_client::HttpCaller;
use crate::support::program::signal;
use crate::support::served_desk::{
    ServedDesk, answer_ask, ask_path, create_ask, id_of, new_token, text, wait_for_metric,
};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn shutdown_notifies_waiters() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let held: Vec<_> = (0..50)
        .map(|_| {
            let (asker, target) = (asker.clone(), ask_path(&ask, "/outcome?wait=60"));
            thread::spawn(move || asker.get(&target).json(200))
        })
        .collect();
    let mut streams: Vec<_> = (0..10).map(|_| person.events()).collect();
    for stream in &mut streams {
        stream.expect("hello");
    }
    let outcome = asker.request("GET", &ask_path(&ask, "/outcome")).header("accept", "text/event-stream");
    streams.extend((0..10).map(|_| outcome.stream()));
    wait_for_metric(&admin, "sayso_waits 60");
    let address = served.address.clone();
    let report = Instant::now();
    let ended = served.stop();
    assert!(report.elapsed() < Duration::from_secs(15), "{:?}", report.elapsed());
    assert_eq!(ended.exit, 0, "{ended:?}");
    for wait in held {
        assert_eq!(wait.join().unwrap(), json!({ "ask": ask["id"], "state": "open" }));
    }
    for mut stream in streams {
        let retry = stream.expect("closing").data["retry_ms"].as_u64().unwrap();
        assert!((1000..=5000).contains(&retry), "{retry}");
        assert_eq!(stream.next(), None);
    }
    // The server ended, not the ask.
    let served = ServedDesk::restart_at(&world, &address);
    answer_ask(&person, &ask, "yes");
    assert_eq!(asker.get(&ask_path(&ask, "/outcome")).json(200)["state"], "answered");
    drop(served);
}

#[test]
fn immediate_shutdown_is_clean() {
    let world = TestWorld::new();
    for report in ["TERM", "INT"].repeat(5) {
        let served = ServedDesk::start(&world);
        signal(served.program.pid, report);
        let ended = served.program.wait();
        assert_eq!(ended.exit, 0, "{report}: {ended:?}");
    }
}

/// Retries until a reply arrives: the same key makes it one write.
fn send_until_reply(caller: &HttpCaller, target: &str, body: &Value, key: &str) -> Value {
    loop {
        let request = caller.request("POST", target).json(body).header("idempotency-key", key);
        match request.try_send() {
            Some(reply) if reply.status < 300 => return reply.json(reply.status),
            Some(reply) => assert_eq!(reply.status, 503, "{reply:?}: {}", reply.text()),
            None => thread::yield_now(),
        }
    }
}

#[test]
fn streams_resume_after_crash() {
    const ASKS: usize = 40;
    let world = TestWorld::new();
    let mut served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    let address = served.address.clone();
    let mut events = person.events();
    let writer = {
        let (asker, person) = (asker.clone(), person.clone());
        thread::spawn(move || {
            (0..ASKS)
                .map(|count| {
                    let ask = send_until_reply(
                        &asker,
                        "/v1/asks",
                        &text(&format!("{count}")),
                        &format!("ask-{count}"),
                    );
                    let body = json!({ "shown": ask["digest"], "answers": { "text": format!("{count}") } });
                    let done = send_until_reply(
                        &person,
                        &ask_path(&ask, "/answer"),
                        &body,
                        &format!("answer-{count}"),
                    );
                    (id_of(&ask).to_owned(), done["phase"]["settled"].clone())
                })
                .collect::<Vec<_>>()
        })
    };
    // Changes of each ask. The server crashes in between repeatedly, and the stream resumes at its last id.
    let mut reply: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut settled, mut crashes) = (0, 0);
    events.expect("hello");
    while settled < ASKS {
        let Some(event) = events.next() else {
            events = person.events_after(events.last_id.as_ref().unwrap());
            events.expect("hello");
            continue;
        };
        assert_eq!(event.name, "change", "{event:?}");
        settled += usize::from(event.change_names().contains(&"settled".to_owned()));
        reply.entry(event.data["ask"].as_str().unwrap().to_owned()).or_default().extend(event.change_names());
        if settled / 10 > crashes && crashes < 3 {
            crashes += 1;
            assert!(served.program.kill_9());
            served = ServedDesk::restart_at(&world, &address);
        }
    }
    assert_eq!(crashes, 3);
    let report = writer.join().unwrap();
    assert_eq!(reply.len(), ASKS);
    let page = person.get("/v1/asks?state=answered&rows=200").json(200);
    assert_eq!(page["asks"].as_array().unwrap().len(), ASKS);
    for (id, outcome) in &report {
        let once = |word: &str| reply[id].iter().filter(|event| *event == word).count() == 1;
        assert!(once("opened") && once("settled"), "{:?}", reply[id]);
        assert_eq!(asker.get(&format!("/v1/asks/{id}")).json(200)["phase"]["settled"], *outcome);
    }
}

#[test]
fn two_servers_share_a_desk() {
    let world = TestWorld::new();
    let (one, two) = (ServedDesk::start(&world), ServedDesk::start(&world));
    let (asker, token) = (one.asker(&world), new_token(&world, TokenRole::Person, "ada"));
    let person = two.with_token(&token);
    let mut events = person.events();
    events.expect("hello");
    let ask = create_ask(&asker, "A");
    assert_eq!(events.expect("change").data["ask"], ask["id"]);
    let waiting = {
        let (asker, target) = (asker.clone(), ask_path(&ask, "/outcome?wait=60"));
        thread::spawn(move || asker.get(&target).json(200))
    };
    answer_ask(&person, &ask, "yes");
    assert_eq!(waiting.join().unwrap()["state"], "answered");
    one.stop();
    assert_eq!(person.get(&ask_path(&ask, "")).json(200)["state"], "answered");
}
