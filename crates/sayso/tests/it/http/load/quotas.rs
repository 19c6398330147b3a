//! Tests of the desk quotas of one account.

use crate::support::http_client::HttpCaller;
use crate::support::served_desk::{ServedDesk, ask_path, create_ask, id_of, text, wait_for_metric};
use crate::support::test_world::TestWorld;
use sayso_desk::token::TokenRole;
use serde_json::{Value, json};

/// Returns a request whose context has this many bytes.
fn large_request(title: &str, bytes: usize) -> Value {
    let mut request = text(title);
    request["request"]["context"] = json!("x".repeat(bytes));
    request
}

fn desk_bytes(world: &TestWorld) -> u64 {
    let files = ["", "-wal"].map(|end| format!("{}{end}", world.desk_file().display()));
    files.iter().map(|file| std::fs::metadata(file).unwrap().len()).sum()
}

/// Asks and cancels this many times.
fn ask_and_cancel(asker: &HttpCaller, count: usize, bytes: usize) -> Vec<Value> {
    (0..count)
        .map(|number| {
            let ask = asker.post("/v1/asks", &large_request(&format!("door {number}"), bytes)).json(201);
            asker.post(&ask_path(&ask, "/cancel"), &json!({})).json(200)
        })
        .collect()
}

#[test]
fn cancelled_asks_keep_desk_small() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--rate", "0", "--kept-mib", "2"]);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let cancelled = ask_and_cancel(&asker, 120, 200 << 10);
    // 24 MB went through it.
    assert!(desk_bytes(&world) < 14 << 20, "{} bytes", desk_bytes(&world));
    let first = asker.get(&ask_path(&cancelled[0], "")).json(200);
    assert_eq!((&first["id"], &first["phase"]), (&cancelled[0]["id"], &cancelled[0]["phase"]));
    assert_eq!(first["questionnaire"], json!({ "title": "door 0" }));
    let kept = admin.get("/metrics").text();
    assert!(kept.contains("sayso_kept_bytes "), "{kept}");
}

#[test]
fn byte_quota_reports_when_free() {
    let world = TestWorld::new();
    let served = ServedDesk::with(&world, &["--rate", "0", "--kept-mib", "1"]);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    for number in 0..4 {
        asker.post("/v1/asks", &large_request(&format!("door {number}"), 200 << 10)).json(201);
    }
    let refused = asker.post("/v1/asks", &large_request("one more", 300 << 10));
    let problem = refused.problem(429, "desk_crowded");
    assert!(problem["detail"].as_str().unwrap().contains("1 MiB"), "{problem}");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() > 0);
    wait_for_metric(&admin, "sayso_refused_total{reason=\"Kept\"} 1");
    create_ask(&asker, "a short one still fits");
    served
        .caller(&world, TokenRole::Asker, "other")
        .post("/v1/asks", &large_request("of others", 300 << 10))
        .json(201);
}

#[test]
fn hourly_ask_quota_is_enforced() {
    let world = TestWorld::new();
    world.write("config/sayso/config.toml", "[server]\nasks_per_hour = 2\n");
    let served = ServedDesk::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let first = create_ask(&asker, "the door");
    create_ask(&asker, "the wall");
    let refused = asker.post("/v1/asks", &text("the roof"));
    let problem = refused.problem(429, "too_many_requests");
    assert!(problem["hint"].as_str().unwrap().contains("from 20"), "{problem}");
    let after: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((3_500..=3_600).contains(&after), "{after}");
    wait_for_metric(&admin, "sayso_refused_total{reason=\"Asks\"} 1");
    assert_eq!(id_of(&asker.post("/v1/asks", &text("the door")).json(200)), id_of(&first));
    create_ask(&served.caller(&world, TokenRole::Asker, "other"), "the roof");
}
