//! Tests of a thread's stream with third-party decoders, and as `curl` prints it.

use crate::support::program::TestProgram;
use crate::support::program::program_output::ProgramOutput;
use crate::support::program::python_program::{program, python};
use crate::support::test_world::TestWorld;
use crate::threads::client::{ThreadClient, new_thread};
use crate::threads::turns::{ScriptedAgent, end, execute, start_parties, text};
use serde_json::{Value, json};

/// Text that a careless decoder would take for markup.
const WORDS: &str = "one\r\n\ndata: two\n\nevent: end\n: three\u{2028}\u{85}\u{0}四😀\u{feff}";

/// Returns the lines of JSON printed so far.
fn events(output: &ProgramOutput, end: usize) -> Vec<(String, Value)> {
    let text = output.between(0, end);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn reads(world: &TestWorld, decoder: &str, place: &str, body: &Value, who: &ThreadClient) -> TestProgram {
    let call = python(world, &[&program("read_thread.py"), decoder, place, &body.to_string()]);
    call.env("TOKEN", who.token()).start()
}

#[test]
fn foreign_decoders_read_thread_live() {
    let (served, ada, bot) = start_parties();
    for decoder in ["httpx-sse", "langgraph-sdk", "langgraph-sdk-async"] {
        let id = new_thread(&ada);
        let place = |what: &str| format!("{}/api/{what}/{id}", served.address);
        let reader = reads(&served.world, decoder, &place("chat"), &json!({ "message": WORDS }), &ada);
        let (agent, taken) = ScriptedAgent::take_turn(&bot, &json!({}));
        assert_eq!(taken["message"], WORDS);
        agent.say_text(WORDS);
        // It is read before the next one is sent.
        let at = reader.stdout.wait_for("\n", 0);
        assert_eq!(events(&reader.stdout, at), [text(WORDS)], "{decoder}");
        let call = execute("c1", WORDS);
        agent.publish(&json!([{ "tool_start": WORDS }, { "tool_end": WORDS }, { "error": WORDS }]));
        assert_eq!(agent.ask_calls(std::slice::from_ref(&call))["decided"], false);
        let ended = reader.wait();
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{decoder}");
        let stream_events: Vec<(String, Value)> =
            ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names: Vec<_> = stream_events.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["messages/partial", "tool/start", "tool/end", "error", "interrupt", "end"],
            "{decoder}"
        );
        assert_eq!(
            (&stream_events[1].1["tool"], &stream_events[3].1["message"]),
            (&json!(WORDS), &json!(WORDS))
        );
        assert_eq!(stream_events[4].1["data"]["action_requests"][0]["args"]["command"], WORDS);
        let on = json!({ "action": "continue" });
        let reader = reads(&served.world, decoder, &place("resume"), &on, &ada);
        assert_eq!(agent.wait_for_decision(&[call])[0]["decision"], "continue");
        agent.end_turn();
        let ended = reader.wait();
        let last: (String, Value) = serde_json::from_str(ended.stdout.trim_end()).unwrap();
        assert_eq!(last, end("continue"), "{decoder}");
    }
}

#[test]
fn curl_prints_thread_live() {
    let (served, ada, bot) = start_parties();
    let id = new_thread(&ada);
    let mut call = served.world.sayso([
        "--no-buffer",
        "--silent",
        "--show-error",
        "--json",
        "{\"message\":\"hello\"}",
        "--header",
        &format!("authorization: Bearer {}", ada.token()),
        &format!("{}/api/chat/{id}", served.address),
    ]);
    call.line[0] = "curl".into();
    let curl = call.start();
    let (agent, _) = ScriptedAgent::take_turn(&bot, &json!({}));
    agent.say_text("one");
    let first = "event: messages/partial\ndata: {\"content\":\"one\"}\n\n";
    let at = curl.stdout.wait_for("}\n\n", 0);
    assert_eq!(curl.stdout.between(0, at), first);
    agent.end_turn();
    let ended = curl.wait();
    assert_eq!(ended.parts(), (0, format!("{first}event: end\ndata: {{}}\n\n").as_str(), ""));
}
