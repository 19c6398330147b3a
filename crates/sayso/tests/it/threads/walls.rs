//! Tests that what a person's agent asks in a thread is for that person alone, at every door.

use crate::support::http_client::HttpCaller;
use crate::threads::client::{ThreadClient, new_thread};
use crate::threads::turns::{ScriptedAgent, execute, send_message, start_parties};
use sayso_core::Ask;
use serde_json::{Value, json};

/// Returns the paths by which a person reaches an ask, each with its method and body.
fn person_routes(ask: &Ask) -> Vec<(&'static str, String, Option<Value>)> {
    let shown = ask.request.digest;
    let at = |more: &str| format!("/v1/asks/{}{more}", ask.id);
    let reply = json!({ "state": "answered", "answer": { "text": "mine" } });
    vec![
        ("GET", at(""), None),
        ("GET", format!("/v1/asks/{}", ask.id.short_id()), None),
        ("GET", at("/draft"), None),
        ("GET", at("/review"), None),
        ("GET", format!("/v1/events?ask={}", ask.id), None),
        ("PATCH", at("/draft"), Some(json!({ "replies": { "action": reply } }))),
        ("POST", at("/see"), Some(json!({}))),
        ("POST", at("/answer"), Some(json!({ "shown": shown, "answers": { "action": "continue" } }))),
        ("POST", at("/decline"), Some(json!({ "shown": shown }))),
    ]
}

#[test]
fn thread_asks_are_for_owner_alone() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "go"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let call = [execute("a", "rm -rf /srv/secret")];
    agent.ask_calls(&call);
    let ask = served.world.wait_for_ask(|ask| ask.request.asker.session.as_deref() == Some(&id));
    let caller = |role: &str, account: &str| {
        let address = served.address.strip_prefix("http://").unwrap().to_owned();
        let token = ThreadClient::of(&served, role, account).token().to_owned();
        HttpCaller { address, token: Some(token) }
    };
    let (bob, admin, owner) = (caller("person", "bob"), caller("admin", "boss"), caller("person", "ada"));
    for other in [&bob, &admin] {
        for (method, path, body) in person_routes(&ask) {
            let request = other.request(method, &path);
            let request = body.map_or(request.clone(), |body| request.json(&body));
            request.send().problem(404, "ask_not_found");
        }
        for query in ["", "?search=secret", "?state=open,answered"] {
            let page = other.get(&format!("/v1/asks{query}")).json(200);
            assert_eq!(page, json!({ "asks": [] }), "{query}");
        }
        other.get(&format!("/api/status/{id}")).json(403);
    }
    bob.get("/v1/asks?all=true").problem(403, "not_allowed");
    bob.request("GET", &format!("/v1/asks/{}", ask.id))
        .header("sayso-outside", "open")
        .send()
        .problem(403, "not_allowed");

    let seen = owner.get(&format!("/v1/asks/{}", ask.id)).json(200);
    assert_eq!(seen["audience"], json!({ "accounts": ["ada"] }), "{seen}");
    assert_eq!(owner.get("/v1/asks").json(200)["asks"].as_array().unwrap().len(), 1);
    let yes = json!({ "shown": ask.request.digest, "answers": { "action": "continue" } });
    let done = owner.post(&format!("/v1/asks/{}/answer", ask.id), &yes).json(200);
    let receipt = &done["phase"]["settled"]["receipt"];
    assert_eq!(receipt["audience"], json!({ "accounts": ["ada"] }), "{receipt}");
    assert_eq!(receipt.get("access"), None, "{receipt}");
    let decided = agent.wait_for_decision(&call);
    assert_eq!(decided[0]["decision"], "continue");
}

#[test]
fn admin_steps_over_wall_by_name() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    drop(send_message(&ada, &id, "go"));
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    let call = [execute("a", "ls")];
    agent.ask_calls(&call);
    let ask = served.world.wait_for_ask(|ask| ask.request.asker.session.as_deref() == Some(&id));
    let boss = ThreadClient::of(&served, "admin", "boss");
    let address = served.address.strip_prefix("http://").unwrap().to_owned();
    let admin = HttpCaller { address, token: Some(boss.token().to_owned()) };
    let all = admin.get("/v1/asks?all=true").json(200);
    assert_eq!(all["asks"][0]["audience"], json!({ "accounts": ["ada"] }), "{all}");
    let path = format!("/v1/asks/{}/decline", ask.id);
    let no = json!({ "shown": ask.request.digest });
    let step = admin.request("POST", &path).json(&no).header("sayso-outside", "open");
    let done = step.send().json(200);
    let receipt = &done["phase"]["settled"]["receipt"];
    assert_eq!([&receipt["by"], &receipt["access"]], ["boss", "outside_audience"], "{receipt}");
    assert_eq!(agent.wait_for_decision(&call)[0]["decision"], "cancel");
}
