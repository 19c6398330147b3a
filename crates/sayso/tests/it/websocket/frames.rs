//! Tests of frames that are too many, too large, out of order or invalid.

use crate::support::served_desk::in_process::InProcessServer;
use crate::support::served_desk::new_token;
use crate::support::test_world::TestWorld;
use crate::websocket::client::{FINAL, InteractionServer, SocketMessage, TEXT, WireClient, masked_frame};
use sayso_desk::token::TokenRole;
use sayso_server::http::ServerDelays;
use serde_json::json;
use std::time::Duration;

#[test]
fn hello_is_required_once() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.connect_client(&server.person);
    client.send_json(&json!({ "type": "set_interaction_mode", "enabled": true }));
    client.error("hello_required");
    client.frame(FINAL | TEXT, b"{\"type\":");
    client.error("invalid_json");
    for wrong in [json!({ "type": "sing" }), json!([]), json!({ "type": "hello", "protocolVersion": "2" })] {
        client.send_json(&wrong);
        client.error("invalid_client_message");
    }
    client.hello("s1", true);
    client.hello("s1", true);
    client.error("duplicate_hello");
    client.send_json(&json!({ "type": "tool_interaction_response", "sessionId": "s1", "callId": "x",
        "interactionId": "y", "action": "submit" }));
    client.error("interaction_not_found");

    let mut old = server.connect_client(&server.person);
    old.send_json(&json!({ "type": "hello", "protocolVersion": 3 }));
    assert_eq!(old.error("unsupported_protocol_version")["message"], "Unsupported protocol version: 3");
    assert_eq!(old.next_message(), SocketMessage::Close(Some(1008)));
}

#[test]
fn invalid_message_closes_with_reason() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let large = (4_u64 << 20).to_be_bytes();
    let head = [&[FINAL | TEXT, 0x80 | 127], large.as_slice(), &[0; 4]].concat();
    let cases: [(Vec<u8>, u16); 6] = [
        (masked_frame(FINAL | 0x2, b"bytes"), 1003),
        (masked_frame(FINAL | TEXT, b"\xff\xfe"), 1007),
        (vec![FINAL | TEXT, 2, b'h', b'i'], 1002),
        (masked_frame(FINAL | 0x3, b""), 1002),
        (masked_frame(FINAL, b"goes on from nothing"), 1002),
        (head, 1009),
    ];
    for (bytes, code) in cases {
        let mut client = server.connect_client(&server.person);
        client.bytes(&bytes).unwrap();
        assert_eq!(client.next_message(), SocketMessage::Close(Some(code)), "{bytes:?}");
    }
}

#[test]
fn too_many_empty_fragments_are_refused() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.connect_client(&server.person);
    client.bytes(&masked_frame(TEXT, b"")).unwrap();
    let thousand = masked_frame(0, b"").repeat(1_000);
    for _ in 0..100 {
        // The server has closed long before the last one.
        if client.bytes(&thousand).is_err() {
            break;
        }
    }
    assert_eq!(client.next_message(), SocketMessage::Close(Some(1009)));
    // Other clients are unaffected.
    let mut other = server.connect_client(&server.person);
    other.frame(FINAL | 0x9, b"still there?");
    assert_eq!(other.next_message(), SocketMessage::Pong(b"still there?".to_vec()));
}

#[test]
fn interleaved_fragments_form_one_message() {
    let world = TestWorld::new();
    let server = InteractionServer::start(&world);
    let mut client = server.connect_client(&server.person);
    client.frame(TEXT, b"{\"type\":\"hello\",");
    client.frame(FINAL | 0x9, b"ping");
    assert_eq!(client.next_message(), SocketMessage::Pong(b"ping".to_vec()));
    client.frame(FINAL, b"\"protocolVersion\":9}");
    client.error("unsupported_protocol_version");
    assert_eq!(client.next_message(), SocketMessage::Close(Some(1008)));
    let mut leaving = server.connect_client(&server.person);
    leaving.frame(FINAL | 0x8, &1000_u16.to_be_bytes());
    assert_eq!(leaving.next_message(), SocketMessage::Close(Some(1000)));
    assert_eq!(leaving.next_message(), SocketMessage::Close(None));
}

#[test]
fn silent_client_is_dropped() {
    let world = TestWorld::new();
    let delays = ServerDelays { socket_ping: Duration::from_millis(300), ..ServerDelays::default() };
    let server = InProcessServer::start(world.desk(), &world.path("work"), delays);
    let person = new_token(&world, TokenRole::Person, "ada");
    let [mut silent, mut alive] = ["s1", "s1"].map(|session| {
        let token = format!("Bearer {person}");
        let mut client = WireClient::open(&server.address, &[("authorization", &token)]).unwrap();
        client.hello(session, true);
        client
    });
    let silent =
        std::thread::spawn(move || [silent.next_message(), silent.next_message(), silent.next_message()]);
    for _ in 0..3 {
        assert_eq!(alive.next_message(), SocketMessage::Ping);
        alive.frame(FINAL | 0xa, b"");
    }
    assert_eq!(
        silent.join().unwrap(),
        [SocketMessage::Ping, SocketMessage::Ping, SocketMessage::Close(None)]
    );
    alive.frame(FINAL | 0x9, b"here");
    assert_eq!(alive.next_message(), SocketMessage::Pong(b"here".to_vec()));
}
