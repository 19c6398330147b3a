//! Tests of waiting for an outcome over HTTP: by a long poll, or by a stream.

use crate::support::http_client::{HttpCaller, StreamEvent};
use crate::support::program::program_output::LIMIT;
use crate::support::served_desk::in_process::InProcessServer;
use crate::support::served_desk::{
    ServedDesk, answer_ask, ask_path, create_ask, new_token, text, wait_for_metric,
};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use sayso_desk::{Desk as _, Interest};
use sayso_server::http::ServerDelays;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

/// Waits in a thread with this limit, and returns the reply and its time.
fn start_wait(asker: &HttpCaller, ask: &Value, seconds: u64) -> thread::JoinHandle<(Value, Instant)> {
    let (asker, target) = (asker.clone(), ask_path(ask, &format!("/outcome?wait={seconds}")));
    thread::spawn(move || (asker.get(&target).json(200), Instant::now()))
}

#[test]
fn wait_ends_with_answer_or_limit() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let held = start_wait(&asker, &ask, 60);
    wait_for_metric(&admin, "sayso_waits 1");
    let started = Instant::now();
    let (open, at) = start_wait(&asker, &ask, 1).join().unwrap();
    assert_eq!(open, json!({ "ask": ask["id"], "state": "open" }));
    assert!((Duration::from_secs(1)..Duration::from_secs(20)).contains(&(at - started)));

    answer_ask(&person, &ask, "yes");
    let (report, _) = held.join().unwrap();
    assert_eq!(report["outcome"]["replies"]["text"]["answer"]["text"], "yes");
    let (again, _) = start_wait(&asker, &ask, 60).join().unwrap();
    assert_eq!(again, report);

    let mut body = text("B");
    body["timeout_ms"] = 400.into();
    let asked_at = Instant::now();
    let ask = asker.post("/v1/asks", &body).json(201);
    let (report, at) = start_wait(&asker, &ask, 60).join().unwrap();
    assert_eq!(
        [&report["state"], &report["outcome"]["outcome"], &report["reply"]["exit"]],
        [&json!("expired"), &json!("expired"), &json!(5)]
    );
    assert!(
        (Duration::from_millis(390)..Duration::from_secs(20)).contains(&(at - asked_at)),
        "{:?}",
        at - asked_at
    );

    let judged = json!({ "request": { "questions": [{ "id": "text", "prompt": "C?" }] }, "judged": true });
    let ask = asker.post("/v1/asks", &judged).json(201);
    answer_ask(&person, &ask, "yes");
    let at_once = asker.get(&ask_path(&ask, "/outcome?wait=61")).json(200);
    assert_eq!([&at_once["state"], &at_once["wait_limit"]], [&json!("submitted"), &json!(60)]);
    assert!(asker.get(&ask_path(&ask, "/outcome?wait=60")).json(200).get("wait_limit").is_none());
    asker.get(&ask_path(&ask, "/outcome?wait=-1")).problem(422, "invalid_value");
    asker.get(&ask_path(&ask, "/outcome?until=1")).problem(422, "invalid_value");
}

#[test]
fn wait_ends_with_each_submitted_round() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let options = json!([{ "id": "s", "value": "STAGING", "label": "Staging" }, { "label": "Production" }]);
    let questions = json!([
        { "id": "where", "prompt": "Where?", "options": options },
        { "id": "count", "key": "nodes", "prompt": "How many?", "kind": "number", "required": false },
    ]);
    let ask =
        asker.post("/v1/asks", &json!({ "request": { "questions": questions }, "judged": true })).json(201);
    let held = start_wait(&asker, &ask, 60);
    wait_for_metric(&admin, "sayso_waits 1");
    let answers = json!({ "where": "s", "count": 3 });
    person.post(&ask_path(&ask, "/answer"), &json!({ "shown": ask["digest"], "answers": answers })).json(200);
    let (submitted, _) = held.join().unwrap();
    let expected = json!({ "where": "STAGING", "nodes": 3 });
    assert_eq!(
        [&submitted["state"], &submitted["round"], &submitted["answers"]],
        [&json!("submitted"), &json!(1), &expected]
    );
    assert_eq!(submitted["replies"]["where"]["answer"], json!({ "picks": [{ "option": "s" }] }));
    assert!(submitted["verdict_by"].is_string() && submitted.get("outcome").is_none(), "{submitted}");
    let errors = json!([{ "question": "where", "message": "That is closed today." }]);
    asker.post(&ask_path(&ask, "/verdict"), &json!({ "round": 1, "errors": errors })).json(200);
    let held = start_wait(&asker, &ask, 60);
    wait_for_metric(&admin, "sayso_waits 1");
    let answers = json!({ "where": "o2" });
    person.post(&ask_path(&ask, "/answer"), &json!({ "shown": ask["digest"], "answers": answers })).json(200);
    assert_eq!(held.join().unwrap().0["round"], 2);
    asker.post(&ask_path(&ask, "/verdict"), &json!({ "round": 2, "accept": true })).json(200);
    assert_eq!(start_wait(&asker, &ask, 60).join().unwrap().0["state"], "answered");
}

/// Without a wakeup a waiter polls once a second, so the mean would be half of that.
#[test]
fn answer_wakes_waiter_at_once() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let mut times: Vec<_> = (0..11)
        .map(|count| {
            let ask = create_ask(&asker, &format!("{count}"));
            let held = start_wait(&asker, &ask, 60);
            wait_for_metric(&admin, "sayso_waits 1");
            let text = Instant::now();
            answer_ask(&person, &ask, "yes");
            held.join().unwrap().1 - text
        })
        .collect();
    times.sort_unstable();
    assert!(times[5] < Duration::from_millis(700), "{times:?}");
}

#[test]
fn other_processes_answer_wakes_waiter() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let held = start_wait(&asker, &ask, 60);
    wait_for_metric(&admin, "sayso_waits 1");
    let answers = r#"{"answers":{"text":"from a shell"}}"#;
    let id = ask["id"].as_str().unwrap();
    assert_eq!(world.sayso(["answer", id, "--answers", answers]).run().exit, 0);
    let (report, _) = held.join().unwrap();
    assert_eq!(report["outcome"]["replies"]["text"]["answer"]["text"], "from a shell");
    assert_eq!(report["outcome"]["receipt"]["assurance"], "scripted");
}

#[test]
fn local_timeout_keeps_http_waiters() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let wait = asker.request("GET", &ask_path(&ask, "/outcome?wait=60"));
    let waits = wait.send_and_disconnect();
    wait_for_metric(&admin, "sayso_waits 1");
    let id = ask["id"].as_str().unwrap();
    assert_eq!(world.sayso(["wait", id, "--timeout", "50ms"]).run().exit, 4);
    let presence = asker.get(&ask_path(&ask, "")).json(200)["presence"].clone();
    assert!(presence.get("attached").is_some(), "{presence}");
    drop(waits);
}

#[test]
fn disconnect_ends_only_its_wait() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let wait = asker.request("GET", &ask_path(&ask, "/outcome?wait=60"));
    let gone = wait.send_and_disconnect();
    wait_for_metric(&admin, "sayso_waits 1");
    drop(gone);
    wait_for_metric(&admin, "sayso_waits 0");
    assert_eq!(asker.get(&ask_path(&ask, "")).json(200)["state"], "open");
    answer_ask(&person, &ask, "yes");
    assert_eq!(asker.get(&ask_path(&ask, "/outcome")).json(200)["state"], "answered");
}

#[test]
fn stream_sends_one_outcome() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let ask = create_ask(&asker, "A");
    let request = asker.request("GET", &ask_path(&ask, "/outcome")).header("accept", "text/event-stream");
    let mut stream = request.stream();
    wait_for_metric(&admin, "sayso_waits 1");
    answer_ask(&person, &ask, "yes\nand no");
    let StreamEvent { name, data, .. } = stream.next().unwrap();
    assert_eq!((name.as_str(), &data), ("outcome", &asker.get(&ask_path(&ask, "/outcome")).json(200)));
    assert_eq!(data["outcome"]["replies"]["text"]["answer"]["text"], "yes\nand no");
    assert_eq!(stream.next(), None);
    // That of a settled one arrives at once.
    assert_eq!(request.stream().next().unwrap().data, data);
    let declined = create_ask(&asker, "B");
    person
        .post(&ask_path(&declined, "/decline"), &json!({ "shown": declined["digest"], "reason": "no" }))
        .json(200);
    let request =
        asker.request("GET", &ask_path(&declined, "/outcome")).header("accept", "text/event-stream");
    assert_eq!(request.stream().expect("outcome").data["outcome"]["reason"], "no");
}

/// Waits until an ask's asker is present, or absent.
fn expect_presence(world: &TestWorld, person: &HttpCaller, ask: &Value, presence: &str) {
    let mut watch = world.desk().watch(Interest::All, None).unwrap();
    let until = Instant::now() + LIMIT;
    while person.get(&ask_path(ask, "")).json(200)["presence"].get(presence).is_none() {
        watch.wait(LIMIT).unwrap();
        assert!(Instant::now() < until, "it is not {presence}");
    }
}

#[test]
fn asker_is_present_while_waiting() {
    let world = TestWorld::new();
    let delays = ServerDelays { detach: Duration::from_millis(100), ..ServerDelays::default() };
    let served = InProcessServer::start(world.desk(), &world.path("work"), delays);
    let [asker, person] = [(TokenRole::Asker, "ci"), (TokenRole::Person, "ada")]
        .map(|(role, account)| served.with_token(&new_token(&world, role, account)));
    let value = json!({ "request": text("wall")["request"], "waiting": true });
    let staying = asker.post("/v1/asks", &value).json(201);
    let ask = create_ask(&asker, "door");
    // A moment later it is not any more.
    assert!(ask["presence"].get("attached").is_some(), "{ask}");
    expect_presence(&world, &person, &ask, "detached");
    let waiting = asker.request("GET", &ask_path(&ask, "/outcome?wait=60")).send_and_disconnect();
    expect_presence(&world, &person, &ask, "attached");
    drop(waiting);
    expect_presence(&world, &person, &ask, "detached");
    let standing = person.get(&ask_path(&staying, "")).json(200)["presence"].clone();
    assert!(standing.get("attached").is_some(), "it said so itself: {standing}");
}
