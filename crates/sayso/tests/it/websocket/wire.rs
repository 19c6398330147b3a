//! Tests of forms over the wire together with other surfaces, other clients, unauthorized callers and server shutdown.

use crate::support::program::python_program::change_desk;
use crate::support::served_desk::new_ask;
use crate::support::test_world::TestWorld;
use crate::websocket::client::{InteractionServer, SocketMessage};
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{Actor, AskCommand, AskId, Asker, NewAsk, Person, QuestionId, Reply};
use sayso_desk::Desk as _;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

pub(crate) fn form() -> Value {
    json!({ "schema": { "title": "Who", "fields": [
        { "id": "name", "type": "text", "label": "Name", "required": true },
    ] } })
}

pub(crate) fn named_form(name: &str) -> Value {
    json!({ "action": "submit", "input": { "name": name } })
}

pub(crate) fn answer_elsewhere(name: &str) -> (u16, Value) {
    (200, json!({ "ok": true, "result": { "ok": true, "answers": { "name": name } } }))
}

#[test]
fn first_answer_to_form_wins() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let held = server.ask("s1", &form());
    let shown = client.form();
    let id = shown["payload"]["toolCallId"].as_str().unwrap().to_owned();
    let row = world.json(&["list", "--json"])["asks"][0].clone();
    assert_eq!([&row["id"], &row["title"], &row["dialect"]], [id.as_str(), "Who", "interaction"]);

    // An insufficient answer is refused on any surface.
    let refused = world.sayso(["answer", &id, "--answers", "{\"name\":\"\"}"]).run();
    assert!(refused.exit == 1 && refused.stderr.contains("This field is required."), "{refused:?}");
    assert_eq!(world.sayso(["answer", &id, "--answers", "{\"name\":\"Bob\"}"]).run().exit, 0);
    assert_eq!(held.reply(), answer_elsewhere("Bob"));
    let report = client.event("interaction_response");
    assert_eq!(report["payload"]["input"], json!({ "name": "Bob" }));
    assert_eq!(client.event("interaction_pending")["payload"]["pending"], false);

    client.respond(&shown, &named_form("Eve"));
    client.error("interaction_not_found");
    let late = &world.show(&id)["late"][0];
    assert_eq!([&late["by"], &late["as_sent"]["name"]], ["ada", "Eve"], "{late}");
}

#[test]
fn two_clients_one_winner() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let (mut one, mut two, mut elsewhere) = (server.client("s1"), server.client("s1"), server.client("s2"));
    let held = server.ask("s1", &form());
    let (shown, also) = (one.form(), two.form());
    // A client that connects later gets the same event.
    for same in [&also, &server.client("s1").form()] {
        assert_eq!((&shown["id"], &shown["payload"]), (&same["id"], &same["payload"]));
    }
    one.respond(&shown, &named_form(" "));
    for client in [&mut one, &mut two] {
        assert_eq!(client.event("interaction_response")["payload"]["input"], json!({ "name": " " }));
    }
    let again = one.event("interaction_request");
    assert_eq!(again["payload"]["fieldErrors"], json!({ "name": "This field is required." }));
    assert_eq!(again["payload"], two.event("interaction_request")["payload"]);
    two.respond(&also, &named_form("Eve"));
    two.error("interaction_not_found");
    two.respond(&again, &named_form("Ada"));
    assert_eq!(held.reply(), answer_elsewhere("Ada"));
    one.event("interaction_response");
    one.event("interaction_pending");
    // Another session gets its own forms only.
    let other = server.ask("s2", &form());
    let shown = elsewhere.form();
    assert_eq!(shown["sessionId"], "s2");
    elsewhere.respond(&shown, &json!({ "action": "cancel" }));
    assert_eq!(other.reply().1["result"], json!({ "ok": false, "cancelled": true }));
    // Rejecting it declines the ask, with the reason.
    elsewhere.event("interaction_response");
    elsewhere.event("interaction_pending");
    let denied = server.ask("s2", &form());
    let shown = elsewhere.form();
    elsewhere.respond(&shown, &json!({ "action": "deny", "reason": "Not now" }));
    let value = json!({ "ok": false, "cancelled": true, "reason": "Not now" });
    assert_eq!(denied.reply().1["result"], value);
    let declined = world.json(&["list", "--state", "declined", "--json"]);
    assert_eq!(declined["asks"].as_array().map(Vec::len), Some(2), "{declined}");
}

#[test]
fn rounds_survive_server_crash() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let lost = server.ask("s1", &form());
    let shown = client.form();
    let input = json!({ "action": "submit", "input": { "name": "" , "x": 1 } });
    client.respond(&shown, &input);
    client.event("interaction_response");
    let again = client.event("interaction_request");
    let server = server.restart_after_crash(&world);
    assert_eq!(client.next_message(), SocketMessage::Close(None));
    drop(lost);
    let mut client = server.client("s1");
    let same = client.form();
    for member in ["toolCallId", "interactionId", "fieldErrors", "errorSummary", "inputSchema"] {
        assert_eq!(same["payload"][member], again["payload"][member], "{member}");
    }
    assert_eq!(same["payload"]["inputSchema"]["initialValues"], input["input"], "exactly what was submitted");
    let held = server.ask("s1", &form());
    client.respond(&same, &named_form("Ada"));
    assert_eq!(held.reply(), answer_elsewhere("Ada"));
    let asks = world.json(&["list", "--state", "all", "--json"]);
    assert_eq!(asks["asks"].as_array().unwrap().len(), 1, "{asks}");
    client.event("interaction_response");
    client.event("interaction_pending");
    // Its answer was taken: the same question is a new one.
    let next = server.ask("s1", &form());
    let shown = client.form();
    assert_ne!(shown["payload"]["toolCallId"], same["payload"]["toolCallId"]);
    client.respond(&shown, &named_form("Eve"));
    assert_eq!(next.reply(), answer_elsewhere("Eve"));
}

#[test]
fn refused_round_keeps_answer() {
    let world = TestWorld::new();
    let mut served = InteractionServer::start(&world);
    let desk = world.desk();
    let new = NewAsk { dialect: "interaction".to_owned(), needs_verdict: true, ..new_ask("ci", "Name?") };
    let asker = Asker { session: Some("s1".to_owned()), ..new.asker.clone() };
    let ask = desk.open(None, NewAsk { asker: asker.clone(), ..new }).unwrap().ask().clone();
    let mut client = served.client("s1");
    let shown = client.form();
    let field = ask.request.questionnaire.questions[0].id.clone();
    let input = json!({ field.as_str(): "Grace", "more": 7 });
    client.respond(&shown, &json!({ "action": "submit", "input": input }));
    client.event("interaction_response");
    let drafted = desk.draft(ask.id).unwrap().replies;
    assert_eq!(drafted[&field], Reply::from_text("Grace"), "before anybody judges");
    let feedback = RoundFeedback { summary: None, errors: vec![(field.clone(), "Not her.".to_owned())] };
    desk.act(&Actor::Asker(asker), ask.id, None, AskCommand::Reprompt { round: 1, feedback }).unwrap();
    for is_another_server in [false, true] {
        let again = if is_another_server { client.form() } else { client.event("interaction_request") };
        assert_eq!(again["payload"]["inputSchema"]["initialValues"], input, "{again}");
        served = served.restart_after_crash(&world);
        client = served.client("s1");
    }
    let mut terminal = world.sayso(["answer", &ask.id.to_string(), "--plain"]).on_terminal();
    terminal.expect("Not her.").expect("Grace");
}

#[test]
fn non_waiting_tool_still_validates() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut arguments = form();
    arguments["mode"] = json!("async");
    let (status, reply) = server.ask("s1", &arguments).reply();
    let result = &reply["result"];
    assert_eq!(
        (status, &result["pending"], &result["mode"]),
        (200, &json!(true), &json!("async")),
        "{reply}"
    );
    let mut client = server.client("s1");
    let shown = client.form();
    assert_eq!(shown["payload"]["toolCallId"], result["toolCallId"]);
    client.respond(&shown, &named_form(""));
    client.event("interaction_response");
    let again = client.event("interaction_request");
    client.respond(&again, &named_form("Ada"));
    client.event("interaction_response");
    assert_eq!(client.event("interaction_pending")["payload"]["pending"], false);
    let shown = world.show(result["toolCallId"].as_str().unwrap());
    assert!(shown.to_string().contains("accepted"), "{shown}");
    assert_eq!(
        server.ask("s1", &arguments).reply(),
        answer_elsewhere("Ada"),
        "asked again, it has its result"
    );
}

#[test]
fn command_ask_appears_as_form() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let id = world.leave_ask(&form()["schema"].to_string(), &["--format", "interaction"]);
    let mut client = server.connect_client(&server.person);
    client.send_json(&json!({
        "type": "hello", "protocolVersion": 2, "interaction": { "supported": true, "enabled": true },
    }));
    let shown = client.form();
    assert_eq!(shown["payload"]["toolCallId"], id);
    client.respond(&shown, &named_form(""));
    let error = client.error("invalid_input");
    assert_eq!(error["fieldErrors"], json!({ "name": "This field is required." }));
    client.respond(&shown, &json!({ "action": "approve" }));
    client.error("invalid_client_message");
    client.respond(&shown, &named_form("Ada"));
    assert_eq!(client.event("interaction_response")["payload"]["input"], json!({ "name": "Ada" }));
    let waited = world.sayso(["wait", &id]).run();
    assert_eq!(waited.parts().1, "{\"ok\":true,\"answers\":{\"name\":\"Ada\"}}\n");
}

#[test]
fn roles_are_enforced() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut asker = server.connect_client(&server.asker);
    asker.hello("s1", true);
    let path = "/api/plugins/questions/operations/ask";
    let (status, reply) = server.post(path, &server.person, &[], &form()).reply();
    assert_eq!((status, &reply["code"]), (403, &json!("not_allowed")));
    let held = server.ask("s1", &form());
    let shown = asker.form();
    asker.respond(&shown, &named_form("Ada"));
    asker.error("not_allowed");

    let other = world.desk().new_token(sayso_desk::token::TokenRole::Asker, "else", None).unwrap();
    let mut stranger = server.connect_client(other.1.reveal());
    stranger.hello("s1", true);
    stranger.respond(&shown, &named_form("Ada"));
    stranger.error("not_allowed");
    let mut client = server.client("s1");
    let again = client.form();
    client.respond(&again, &named_form("Ada"));
    assert_eq!(held.reply(), answer_elsewhere("Ada"));
    // An event for the stranger would have arrived first.
    let own = server.post(path, other.1.reveal(), &[("x-session-id", "s1")], &form());
    assert_ne!(stranger.form()["payload"]["toolCallId"], again["payload"]["toolCallId"]);
    drop(own);
}

#[test]
fn revoked_token_answers_nothing() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let held = server.ask("s1", &form());
    let shown = client.form();
    let id = world.desk().verify_token(&server.person).unwrap().unwrap().id;
    assert_eq!(world.sayso(["token", "revoke", &id]).run().exit, 0);
    client.respond(&shown, &named_form("Ada"));
    assert_eq!(client.next_message(), SocketMessage::Close(Some(1008)));
    drop(held);
    assert_eq!(world.json(&["list", "--json"])["asks"][0]["state"], "open");
}

#[test]
fn revoked_token_closes_sockets_promptly() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let desk = world.desk();
    for session in ["s1", "s2", "s3"] {
        let (token, secret) = desk.new_token(sayso_desk::token::TokenRole::Person, session, None).unwrap();
        let mut client = server.connect_client(secret.reveal());
        client.hello(session, true);
        let held = server.ask(session, &form());
        client.form();
        desk.revoke_token(&token.id).unwrap();
        let revoked = Instant::now();
        assert_eq!(client.next_message(), SocketMessage::Close(Some(1008)));
        // It does not reply to the close, and the connection ends anyway.
        assert_eq!(client.next_message(), SocketMessage::Close(None));
        assert!(revoked.elapsed() < Duration::from_secs(10), "{:?}", revoked.elapsed());
        drop(held);
    }
}

#[test]
fn closing_server_keeps_question() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let held = server.ask("s1", &form());
    client.form();
    let ended = server.stop();
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert_eq!(client.next_message(), SocketMessage::Close(Some(1001)));
    let (status, reply) = held.reply();
    assert_eq!((status, &reply["code"]), (503, &json!("desk_closing")));
    assert_eq!(world.json(&["list", "--json"])["asks"][0]["state"], "open");
}

/// Types a name on another surface.
fn type_elsewhere(world: &TestWorld, id: &str, name: &str) {
    let (surface, assurance) = (Surface::Prompter, AssuranceLevel::Terminal);
    let bob = Person { name: "bob".to_owned(), surface, assurance, access: None };
    let desk = world.desk();
    let id = AskId::parse(id).unwrap();
    let base = desk.draft(id).unwrap().rev;
    desk.save(&bob, id, base, vec![(QuestionId::new("name"), Reply::from_text(name))]).unwrap();
}

#[test]
fn invalid_response_keeps_others_drafts() {
    let world = TestWorld::new();
    world.allow_scripted_answers();
    let server = InteractionServer::start(&world);
    let (mut carol, mut eve) = (server.client("s1"), server.client("s1"));
    let held = server.ask("s1", &form());
    let (first, shown) = (carol.form(), eve.form());
    let id = shown["payload"]["toolCallId"].as_str().unwrap().to_owned();
    let typed =
        || world.desk().draft(AskId::parse(&id).unwrap()).unwrap().replies[&QuestionId::new("name")].clone();
    carol.respond(&first, &named_form(" "));
    for client in [&mut carol, &mut eve] {
        client.event("interaction_response");
        client.event("interaction_request");
    }
    type_elsewhere(&world, &id, "Bob");
    // It arrives while the next round is open.
    eve.respond(&shown, &named_form("Eve"));
    eve.error("interaction_not_found");
    assert_eq!(typed(), Reply::from_text("Bob"));
    // And again after the end.
    assert_eq!(world.sayso(["answer", &id, "--answers", "{\"name\":\"Dan\"}"]).run().exit, 0);
    assert_eq!(held.reply(), answer_elsewhere("Dan"));
    eve.event("interaction_response");
    eve.event("interaction_pending");
    type_elsewhere(&world, &id, "Bob");
    eve.respond(&shown, &named_form("Eve"));
    eve.error("interaction_not_found");
    assert_eq!(typed(), Reply::from_text("Bob"));
    assert_eq!(world.show(&id)["late"][0]["as_sent"]["name"], "Eve");
}

#[test]
fn unreadable_desk_keeps_forms() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let held = server.ask("s1", &form());
    let shown = client.form();
    change_desk(&world, "ALTER TABLE ask RENAME TO away");
    client.respond(&shown, &named_form("Ada"));
    client.error("desk_failed");
    drop(held);
}

#[test]
fn forms_show_despite_backlog() {
    let world = TestWorld::new();
    world.leave_ask(&crate::support::sample_requests::text("A"), &[]);
    change_desk(
        &world,
        "CREATE TEMP TABLE crowd AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10500) \
         SELECT ask.* FROM ask, n; \
         UPDATE crowd SET id = randomblob(16), seq = (SELECT max(seq) FROM ask) + rowid, \
         fixed_sum = NULL, state_sum = NULL, status_sum = NULL, draft_sum = NULL; \
         INSERT INTO ask SELECT * FROM crowd;",
    );
    let id = world.leave_ask(&form()["schema"].to_string(), &["--format", "interaction"]);
    let server = InteractionServer::start(&world);
    let mut client = server.connect_client(&server.person);
    client.send_json(&json!({
        "type": "hello", "protocolVersion": 2, "interaction": { "supported": true, "enabled": true },
    }));
    assert_eq!(client.form()["payload"]["toolCallId"], id);
}

#[test]
fn slow_client_gets_each_form_once() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.client("s1");
    let held = server.ask("s1", &form());
    client.form();
    let desk = world.desk();
    let open = |prompt: &str| {
        let asked = NewAsk { dialect: "interaction".to_owned(), ..new_ask("ci", prompt) };
        let asked = NewAsk { asker: Asker { session: Some("s1".to_owned()), ..asked.asker }, ..asked };
        desk.open(None, asked).unwrap();
    };
    // First more than a connection buffers, then more changes than are kept for slow clients.
    let (large, small) = (16, 1_400);
    (0..large).for_each(|count| open(&format!("{count}{}", "x".repeat(900_000))));
    std::thread::scope(|scope| {
        for part in 0..8 {
            let open = &open;
            scope.spawn(move || (0..small / 8).for_each(|count| open(&format!("{part} {count}"))));
        }
    });
    let mut known_words = BTreeSet::new();
    while known_words.len() < large + small {
        let shown = client.form();
        assert!(known_words.insert(shown["payload"]["toolCallId"].to_string()), "{shown}");
    }
    drop(held);
}
