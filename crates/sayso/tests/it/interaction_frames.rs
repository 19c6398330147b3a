//! Tests of frames that are too many, too large, out of order or invalid.

use crate::interaction_client::{Came, FINAL, Server, TEXT, masked};
use crate::world::World;
use serde_json::json;

#[test]
fn hello_is_required_once() {
    let world = World::new();
    let server = Server::start(&world);
    let mut client = server.open(&server.person);
    client.say(&json!({ "type": "set_interaction_mode", "enabled": true }));
    client.error("hello_required");
    client.frame(FINAL | TEXT, b"{\"type\":");
    client.error("invalid_json");
    for wrong in [json!({ "type": "sing" }), json!([]), json!({ "type": "hello", "protocolVersion": "2" })] {
        client.say(&wrong);
        client.error("invalid_client_message");
    }
    client.hello("s1", true);
    client.hello("s1", true);
    client.error("duplicate_hello");
    client.say(&json!({ "type": "tool_interaction_response", "sessionId": "s1", "callId": "x",
        "interactionId": "y", "action": "submit" }));
    client.error("interaction_not_found");

    let mut old = server.open(&server.person);
    old.say(&json!({ "type": "hello", "protocolVersion": 3 }));
    assert_eq!(old.error("unsupported_protocol_version")["message"], "Unsupported protocol version: 3");
    assert_eq!(old.came(), Came::Close(Some(1008)));
}

#[test]
fn invalid_message_closes_with_reason() {
    let world = World::new();
    let server = Server::start(&world);
    let large = (4_u64 << 20).to_be_bytes();
    let head = [&[FINAL | TEXT, 0x80 | 127], large.as_slice(), &[0; 4]].concat();
    let cases: [(Vec<u8>, u16); 6] = [
        (masked(FINAL | 0x2, b"bytes"), 1003),
        (masked(FINAL | TEXT, b"\xff\xfe"), 1007),
        (vec![FINAL | TEXT, 2, b'h', b'i'], 1002),
        (masked(FINAL | 0x3, b""), 1002),
        (masked(FINAL, b"goes on from nothing"), 1002),
        (head, 1009),
    ];
    for (bytes, code) in cases {
        let mut client = server.open(&server.person);
        client.bytes(&bytes).unwrap();
        assert_eq!(client.came(), Came::Close(Some(code)), "{bytes:?}");
    }
}

#[test]
fn too_many_empty_fragments_are_refused() {
    let world = World::new();
    let server = Server::start(&world);
    let mut client = server.open(&server.person);
    client.bytes(&masked(TEXT, b"")).unwrap();
    let thousand = masked(0, b"").repeat(1_000);
    for _ in 0..1_000 {
        // The server has closed long before the last one.
        if client.bytes(&thousand).is_err() {
            break;
        }
    }
    assert_eq!(client.came(), Came::Close(Some(1009)));
    // Other clients are unaffected.
    let mut other = server.open(&server.person);
    other.frame(FINAL | 0x9, b"still there?");
    assert_eq!(other.came(), Came::Pong(b"still there?".to_vec()));
}

#[test]
fn interleaved_fragments_form_one_message() {
    let world = World::new();
    let server = Server::start(&world);
    let mut client = server.open(&server.person);
    client.frame(TEXT, b"{\"type\":\"hello\",");
    client.frame(FINAL | 0x9, b"ping");
    assert_eq!(client.came(), Came::Pong(b"ping".to_vec()));
    client.frame(FINAL, b"\"protocolVersion\":9}");
    client.error("unsupported_protocol_version");
    assert_eq!(client.came(), Came::Close(Some(1008)));
    let mut leaving = server.open(&server.person);
    leaving.frame(FINAL | 0x8, &1000_u16.to_be_bytes());
    assert_eq!(leaving.came(), Came::Close(Some(1000)));
    assert_eq!(leaving.came(), Came::Close(None));
}

#[test]
fn silent_client_is_dropped() {
    let world = World::new();
    let server = Server::start(&world);
    let (mut silent, mut alive) = (server.client("s1"), server.client("s1"));
    let silent = std::thread::spawn(move || [silent.came(), silent.came(), silent.came()]);
    for _ in 0..3 {
        assert_eq!(alive.came(), Came::Ping);
        alive.frame(FINAL | 0xa, b"");
    }
    assert_eq!(silent.join().unwrap(), [Came::Ping, Came::Ping, Came::Close(None)]);
    alive.frame(FINAL | 0x9, b"here");
    assert_eq!(alive.came(), Came::Pong(b"here".to_vec()));
}
