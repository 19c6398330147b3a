//! Tests of WebSocket authorization, and of the session that an ask belongs to.

use crate::support::browser::test_browser::TestBrowser;
use crate::support::served_desk::ServedDesk;
use crate::support::terminal::terminal_server::TerminalServer;
use crate::support::test_world::TestWorld;
use crate::websocket::client::{InteractionServer, SocketMessage};
use crate::websocket::wire::{answer_elsewhere, form, named_form};
use serde_json::json;

#[test]
fn socket_needs_token_and_origin() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let bearer = format!("Bearer {}", server.person);
    let refused = |headers: &[(&str, &str)]| server.upgrade(headers).err();
    assert_eq!(refused(&[]), Some(401));
    assert_eq!(refused(&[("sec-websocket-protocol", "interaction, sayso_p_nothing")]), Some(401));
    assert_eq!(refused(&[("authorization", &bearer), ("origin", "https://evil.example")]), Some(403));
    assert_eq!(refused(&[("authorization", &bearer), ("origin", "null")]), Some(403));
    let own = format!("http://{}", server.address());
    assert_eq!(refused(&[("authorization", &bearer), ("origin", &own)]), None);
    let offered = format!("interaction, {}", server.person);
    let client = server.upgrade(&[("sec-websocket-protocol", &offered)]).ok().unwrap();
    assert!(client.head.contains("\r\nsec-websocket-protocol: interaction\r\n"), "{}", client.head);
    assert!(!client.head.contains(&server.person));
    let lines =
        [("sec-websocket-protocol", "interaction"), ("sec-websocket-protocol", server.person.as_str())];
    assert!(server.upgrade(&lines).is_ok(), "the offers may stand in several lines");
}

#[test]
fn stolen_cookie_opens_no_socket() {
    let world = TestWorld::new();
    let shown = TerminalServer::start(&world);
    let mut browser = shown.signed_in();
    // A server of the same desk at another port gets the cookie too.
    let other = InteractionServer::start(&world);
    let ask = other.ask("ada", &form());
    let own = format!("http://{}", other.address());
    let open = |cookie: &str| other.upgrade(&[("cookie", cookie), ("origin", &own)]).unwrap();
    let mut thief = TestBrowser::new(other.address());
    thief.cookie.clone_from(&browser.cookie);
    let proofs = [
        json!({ "type": "proof", "proof": browser.proof("GET", "/ws") }),
        json!({ "type": "proof", "proof": thief.proof("GET", "/ws") }),
        json!({ "type": "hello", "protocolVersion": 2, "interaction": { "supported": true, "enabled": true } }),
    ];
    for first in proofs {
        let mut socket = open(&thief.cookie);
        socket.send_json(&first);
        socket.hello("ada", true);
        assert_eq!(socket.next_message(), SocketMessage::Close(Some(1008)), "{first}");
    }
    // With the key of the browser it opens.
    browser.address = other.address().to_owned();
    let mut socket = open(&browser.cookie);
    socket.send_json(&json!({ "type": "proof", "proof": browser.proof("GET", "/ws") }));
    socket.hello("ada", true);
    let shown = socket.form();
    socket.respond(&shown, &named_form("Ada"));
    assert_eq!(ask.reply(), answer_elsewhere("Ada"));
}

#[test]
fn bad_handshake_is_refused_by_spec() {
    let world = TestWorld::new();
    let served = ServedDesk::start(&world);
    let upgrade = |version: &str, key: &str| {
        let request = served.person(&world).request("GET", "/ws").header("connection", "Upgrade");
        let request = request.header("upgrade", "websocket").header("sec-websocket-version", version);
        request.header("sec-websocket-key", key).send()
    };
    let other = upgrade("12", "dGhlIHNhbXBsZSBub25jZQ==");
    other.problem(400, "bad_header");
    assert_eq!(other.header("sec-websocket-version"), Some("13"));
    let short = upgrade("13", "short").problem(400, "bad_header");
    assert!(short["detail"].as_str().unwrap().contains("sec-websocket-key"), "{short}");
}

#[test]
fn session_names_are_free_or_default() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let (mut anna, mut otto, mut own) =
        (server.client("Gespräch-1"), server.client("Gespräch-2"), server.client("ci"));
    let (to_anna, to_otto) = (server.ask("Gespräch-1", &form()), server.ask("Gespräch-2", &form()));
    let (shown, other) = (anna.form(), otto.form());
    assert_ne!(shown["payload"]["toolCallId"], other["payload"]["toolCallId"]);
    anna.respond(&shown, &named_form("Anna"));
    otto.respond(&other, &named_form("Otto"));
    assert_eq!((to_anna.reply(), to_otto.reply()), (answer_elsewhere("Anna"), answer_elsewhere("Otto")));
    let path = "/api/plugins/questions/operations/ask";
    let twice = [("x-session-id", "a"), ("x-session-id", "b")];
    let (status, refused) = server.post(path, &server.asker, &twice, &form()).reply();
    assert_eq!((status, &refused["code"]), (400, &json!("bad_header")));
    let mut somebody = form();
    somebody["require_client"] = json!(true);
    let held = server.post(path, &server.asker, &[], &somebody);
    let shown = own.form();
    own.respond(&shown, &named_form("Ada"));
    assert_eq!(held.reply(), answer_elsewhere("Ada"));
}
