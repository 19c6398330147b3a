//! Tests of the desk quotas of one account.

use crate::serve_client::Caller;
use crate::served::{Served, asked, id_of, place, text, wait_for_metric};
use crate::world::World;
use sayso_desk::token::Role;
use serde_json::{Value, json};

/// Returns a request whose context has this many bytes.
fn large(title: &str, bytes: usize) -> Value {
    let mut request = text(title);
    request["request"]["context"] = json!("x".repeat(bytes));
    request
}

fn desk_bytes(world: &World) -> u64 {
    let files = ["", "-wal"].map(|end| format!("{}{end}", world.desk_file().display()));
    files.iter().map(|file| std::fs::metadata(file).unwrap().len()).sum()
}

/// Asks and cancels this many times.
fn flood(asker: &Caller, count: usize, bytes: usize) -> Vec<Value> {
    (0..count)
        .map(|number| {
            let ask = asker.post("/v1/asks", &large(&format!("door {number}"), bytes)).json(201);
            asker.post(&place(&ask, "/cancel"), &json!({})).json(200)
        })
        .collect()
}

#[test]
fn cancelled_asks_keep_desk_small() {
    let world = World::new();
    let served = Served::with(&world, &["--rate", "0", "--kept-mib", "2"]);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let cancelled = flood(&asker, 200, 200 << 10);
    // 40 MB went through it.
    assert!(desk_bytes(&world) < 24 << 20, "{} bytes", desk_bytes(&world));
    let first = asker.get(&place(&cancelled[0], "")).json(200);
    assert_eq!((&first["id"], &first["phase"]), (&cancelled[0]["id"], &cancelled[0]["phase"]));
    assert_eq!(first["questionnaire"], json!({ "title": "door 0" }));
    let kept = admin.get("/metrics").text();
    assert!(kept.contains("sayso_kept_bytes "), "{kept}");
}

#[test]
fn byte_quota_reports_when_free() {
    let world = World::new();
    let served = Served::with(&world, &["--rate", "0", "--kept-mib", "1"]);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    for number in 0..4 {
        asker.post("/v1/asks", &large(&format!("door {number}"), 200 << 10)).json(201);
    }
    let refused = asker.post("/v1/asks", &large("one more", 300 << 10));
    let problem = refused.problem(429, "desk_crowded");
    assert!(problem["detail"].as_str().unwrap().contains("1 MiB"), "{problem}");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() > 0);
    wait_for_metric(&admin, "sayso_refused_total{reason=\"Kept\"} 1");
    asked(&asker, "a short one still fits");
    served.caller(&world, Role::Asker, "other").post("/v1/asks", &large("of others", 300 << 10)).json(201);
}

#[test]
fn hourly_ask_quota_is_enforced() {
    let world = World::new();
    world.write("config/sayso/config.toml", "[server]\nasks_per_hour = 2\n");
    let served = Served::start(&world);
    let (asker, admin) = (served.asker(&world), served.admin(&world));
    let first = asked(&asker, "the door");
    asked(&asker, "the wall");
    let refused = asker.post("/v1/asks", &text("the roof"));
    let problem = refused.problem(429, "too_many_requests");
    assert!(problem["hint"].as_str().unwrap().contains("from 20"), "{problem}");
    let after: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((3_500..=3_600).contains(&after), "{after}");
    wait_for_metric(&admin, "sayso_refused_total{reason=\"Asks\"} 1");
    assert_eq!(id_of(&asker.post("/v1/asks", &text("the door")).json(200)), id_of(&first));
    asked(&served.caller(&world, Role::Asker, "other"), "the roof");
}
