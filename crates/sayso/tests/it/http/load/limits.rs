//! Tests of limits per account, and of metrics.

use crate::support::served_desk::{
    ServedDesk, answer_ask, ask_path, create_ask, new_ask, text, wait_for_metric,
};
use crate::support::test_world::TestWorld;
use sayso_core::limits;
use sayso_desk::Desk as _;
use sayso_desk::token::TokenRole;
use serde_json::json;
use std::thread;

/// Creates this many open asks of an account, directly at the desk.
pub(crate) fn create_open_asks(world: &TestWorld, account: &str, count: u64) {
    let desk = world.desk();
    thread::scope(|scope| {
        for worker in 0..32 {
            let desk = &desk;
            scope.spawn(move || {
                for number in (worker..count).step_by(32) {
                    desk.open(None, new_ask(account, &format!("{number}?"))).unwrap();
                }
            });
        }
    });
}

#[test]
fn open_asks_per_account_are_limited() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    create_open_asks(&world, "ci", limits::ACCOUNT_OPEN_ASKS - 1);
    let last = create_ask(&asker, "The last one");
    let refused = asker.post("/v1/asks", &text("One more"));
    refused.problem(429, "desk_crowded");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() > 0);
    // A repeated request still finds its ask, other accounts can ask, and an ended ask frees its slot.
    assert_eq!(asker.post("/v1/asks", &text("The last one")).json(200)["id"], last["id"]);
    create_ask(&served.caller(&world, TokenRole::Asker, "other"), "Of others");
    create_ask(&served.admin(&world), "Of a gateway");
    answer_ask(&person, &last, "yes");
    create_ask(&asker, "One more");
}

#[test]
fn ask_rate_per_account_is_limited() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--rate", "1"]);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let replies: Vec<_> = (0..10).map(|_| asker.get("/v1/me")).collect();
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status != 200).collect();
    assert!((5..=8).contains(&refused.len()), "{}", refused.len());
    for reply in refused {
        reply.problem(429, "too_many_requests");
        let after: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=2).contains(&after), "{after}");
    }
    // The limit is per account, with any of its tokens, and affects no one else.
    assert_eq!(served.asker(&world).get("/v1/me").status, 429);
    assert_eq!(served.person(&world).get("/v1/me").status, 200);
    assert!((0..20).all(|_| admin.get("/v1/me").status == 200));
    assert!(served.without_token().get("/healthz").status == 200);
}

#[test]
fn token_guessing_is_throttled() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let asker = served.asker(&world);
    let wrong = |count: usize| {
        let token = format!(
            "sayso_a_{}",
            format!("{count:04}").replace(|c: char| c.is_ascii_digit(), "a").repeat(14)
        );
        served.with_token(&token).get("/v1/me")
    };
    let replies: Vec<_> = (0..60).map(wrong).collect();
    let report = replies.iter().filter(|reply| reply.status == 401).count();
    assert!((20..=30).contains(&report), "{report}");
    let refused = replies.iter().find(|reply| reply.status != 401).unwrap();
    refused.problem(429, "too_many_requests");
    assert!(refused.header("retry-after").is_some());
    assert!(
        (0..20).all(|_| asker.get("/v1/me").status == 200),
        "whoever has a token comes in from there too"
    );
}

#[test]
fn activity_is_counted() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let (asker, person, admin) = (served.asker(&world), served.person(&world), served.admin(&world));
    let asks: Vec<_> = (0..5).map(|count| create_ask(&asker, &format!("{count}"))).collect();
    answer_ask(&person, &asks[0], "yes");
    person.post(&ask_path(&asks[1], "/decline"), &json!({ "shown": asks[1]["digest"] })).json(200);
    asker.post(&ask_path(&asks[2], "/cancel"), &json!({})).json(200);
    asker.post(&ask_path(&asks[0], "/cancel"), &json!({})).problem(409, "ask_answered");
    served.without_token().get("/v1/me").problem(401, "unauthorized");
    asker
        .request("GET", "/v1/me")
        .header("origin", "http://evil.example")
        .send()
        .problem(403, "origin_not_allowed");
    asker
        .request("GET", "/v1/me")
        .replace_header("host", "evil.example")
        .send()
        .problem(421, "host_not_allowed");
    let mut events = person.events();
    events.expect("hello");
    wait_for_metric(&admin, "sayso_streams 1");
    let metrics = admin.get("/metrics");
    let media = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert_eq!(metrics.header("content-type"), Some(media));
    let text = metrics.text();
    for line in [
        "sayso_asks_opened_total 5",
        "sayso_asks_ended_total{outcome=\"Answered\"} 1",
        "sayso_asks_ended_total{outcome=\"Declined\"} 1",
        "sayso_asks_ended_total{outcome=\"Cancelled\"} 1",
        "sayso_refused_total{reason=\"Auth\"} 1",
        "sayso_refused_total{reason=\"Host\"} 1",
        "sayso_refused_total{reason=\"Origin\"} 1",
        "sayso_requests_total{route=\"/v1/asks\",method=\"POST\",status=\"2xx\"} 5",
        "sayso_requests_total{route=\"/v1/asks/{id}/cancel\",method=\"POST\",status=\"4xx\"} 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in {text}");
    }
    drop(events);
    wait_for_metric(&admin, "sayso_streams 0");
}

#[test]
fn external_changes_are_counted_once() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let before = world.leave_ask(r#"{"questions":[{"prompt":"Before?"}]}"#, &[]);
    let served = ServedDesk::start(&world);
    let admin = served.admin(&world);
    let ask = |title: &str, more: &[&str]| {
        world.leave_ask(&format!(r#"{{"questions":[{{"id":"q","prompt":"{title}"}}]}}"#), more)
    };
    let answered = ["A", "B"].map(|title| ask(title, &[]));
    for id in &answered {
        assert_eq!(world.sayso(["answer", id, "--answers", r#"{"answers":{"q":"yes"}}"#]).run().exit, 0);
    }
    assert_eq!(world.sayso(["answer", &ask("C", &[]), "--decline"]).run().exit, 3);
    assert_eq!(world.sayso(["cancel", &before]).run().exit, 0);
    ask("D", &["--timeout", "1s"]);
    wait_for_metric(&admin, "sayso_asks_ended_total{outcome=\"Expired\"} 1");
    let text = admin.get("/metrics").text();
    for line in [
        "sayso_asks_opened_total 4",
        "sayso_asks_ended_total{outcome=\"Answered\"} 2",
        "sayso_asks_ended_total{outcome=\"Declined\"} 1",
        "sayso_asks_ended_total{outcome=\"Cancelled\"} 1",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in {text}");
    }
}
