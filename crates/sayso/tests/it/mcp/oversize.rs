//! Tests of hosts that write too much.

use crate::mcp::host::{McpHost, release};
use crate::support::program::peak_memory_kib;
use crate::support::test_world::TestWorld;
use serde_json::json;

const MIB: usize = 1 << 20;

/// Bound of the server's extra memory for a long line, in KiB.
const MORE_KIB: u64 = 32 << 10;

#[test]
fn oversize_request_is_answered() {
    let world = TestWorld::new();
    let mut host = McpHost::without_forms(&world);
    let letters = vec![b'x'; MIB];
    let id = host.leave_ask(&release());
    let before = peak_memory_kib(host.pid());
    for (begin, end) in [
        (
            &br#"{"jsonrpc":"2.0","id":"first","method":"tools/call","params":{"name":"ask","x":""#[..],
            "\"}}\n",
        ),
        (br#"{"method":"tools/call","params":{"id":1,"x":""#, "\"},\"jsonrpc\":\"2.0\",\"id\":\"last\"}\n"),
    ] {
        host.write_bytes(begin);
        host.flood(&letters, 20);
        host.write_bytes(end.as_bytes());
    }
    for id in ["first", "last"] {
        let refused = host.next();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(id), &json!(-32600)), "{refused}");
        assert_eq!(refused["error"]["message"], "The request is longer than 4 MiB: make it smaller.");
    }
    assert_eq!(host.call("list_asks", &json!({}))["structuredContent"]["asks"][0]["ask_id"], id.as_str());
    let grown = peak_memory_kib(host.pid()) - before;
    assert!(grown < MORE_KIB, "{grown} KiB");
    let almost = json!({ "title": "x".repeat(3 * MIB) });
    assert_eq!(host.call("ask", &almost)["isError"], true, "it was read");
    assert_eq!(host.end().exit, 0);
}

#[test]
fn endless_line_closes_connection() {
    let world = TestWorld::new();
    let letters = vec![b'A'; MIB];
    // A line that is no request is not read to its end; one that begins like a request is, up to a limit.
    for (begin, read, more) in [("", 3, 64), (r#"{"jsonrpc":"2.0","id":1,"method":""#, 60, 64)] {
        let mut host = McpHost::without_forms(&world);
        let id = host.leave_ask(&release());
        let before = peak_memory_kib(host.pid());
        host.write_bytes(begin.as_bytes());
        host.flood(&letters, read);
        let grown = peak_memory_kib(host.pid()) - before;
        assert!(grown < MORE_KIB, "{grown} KiB");
        host.flood(&letters, more);
        let ended = host.end();
        let text = "sayso: A line on standard input is longer than 4 MiB and is not a request; no more input is read.\n";
        assert_eq!((ended.exit, ended.stderr.as_str()), (1, text));
        assert_eq!(world.show(&id)["state"], "open", "what was asked is kept");
    }
}
