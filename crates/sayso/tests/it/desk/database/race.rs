//! Many clients that race for the same asks over two nodes.

use super::load::read_all;
use super::{new_token, start_node};
use crate::support::http_client::{HttpCaller, HttpReply};
use crate::support::served_desk::new_ask;
use crate::support::test_world::TestWorld;
use interleavings::Testimony;
use sayso_core::{Ask, Outcome, QuestionId, Replies, Reply};
use sayso_desk::StoreDesk;
use sayso_desk::contract::DatabaseServer;
use serde_json::json;
use std::sync::Mutex;
use std::thread;

const CLIENTS: usize = 64;
const ASKS: usize = 500;

/// Asks that one client tries to end.
const TRIES: usize = 40;

/// Ends an ask in the way of this client, and records what it is told.
fn end_ask(ask: &Ask, client: usize, [asker, person]: [&HttpCaller; 2], testimony: &Mutex<Testimony>) {
    let path = |what: &str| format!("/v1/asks/{}/{what}", ask.id);
    let (shown, words) = (ask.request.digest, format!("client {client}"));
    let replies = Replies::from([(QuestionId::new("text"), Reply::from_text(&words))]);
    let way = (client + usize::from(ask.id.as_bytes()[15])) % 4;
    let (caller, what, body) = match way {
        0 => (asker, "cancel", json!({})),
        1 => (person, "decline", json!({ "shown": shown, "reason": words })),
        _ => (person, "answer", json!({ "shown": shown, "answers": { "text": words } })),
    };
    let request = caller
        .request("POST", &path(what))
        .header("idempotency-key", &format!("{words} {}", ask.id))
        .json(&body);
    // A busy desk has done nothing.
    let mut tries = std::iter::repeat_with(|| request.send());
    let reply: HttpReply = tries.find(|reply| reply.status != 503).unwrap();
    let mut testimony = testimony.lock().unwrap();
    match reply.status {
        200 => {
            testimony.ended.push(ask.id);
            if way > 1 {
                testimony.answered.push((ask.id, replies));
            }
        }
        409 | 410 => {
            let problem = reply.value();
            if way > 1 && problem["hint"].is_string() {
                testimony.late.push((ask.id, replies));
            }
        }
        _ => panic!("{reply:?}"),
    }
}

#[test]
fn racing_clients_leave_one_outcome() {
    let (world, server) = (TestWorld::new(), DatabaseServer::shared());
    let address = server.make_desk();
    let (desk, name) = (StoreDesk::open_database(&address).unwrap(), address.to_string());
    let tokens = [("asker", "ci"), ("person", "ada")];
    let tokens = tokens.map(|(role, account)| new_token(&world, &name, role, account));
    let nodes = [start_node(&world, &name), start_node(&world, &name)];
    let callers = nodes.each_ref().map(|node| tokens.each_ref().map(|token| node.with_token(token)));
    let all = (0..ASKS).map(|number| (format!("key {number}"), new_ask("ci", &format!("Number {number}?"))));
    let asks: Vec<Ask> =
        desk.open_all(all.collect()).unwrap().into_iter().map(sayso_desk::OpenedAsk::into_ask).collect();

    let testimony =
        Mutex::new(Testimony { opened: asks.iter().map(|ask| ask.id).collect(), ..Testimony::default() });
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let ([asker, person], asks, testimony) = (&callers[client % 2], &asks, &testimony);
            scope.spawn(move || {
                // Neighbours try the same asks at the same time, at the two nodes.
                for turn in 0..TRIES {
                    let ask = &asks[(client / 8 * 61 + turn * 11) % ASKS];
                    end_ask(ask, client, [asker, person], testimony);
                }
            });
        }
    });

    let testimony = testimony.into_inner().unwrap();
    let (ended, late) = (testimony.ended.len(), testimony.late.len());
    assert!(ended > 100 && late > 100, "they did not race: {ended} ended, {late} too late");
    let distinct: std::collections::BTreeSet<_> = testimony.ended.iter().collect();
    let cancelled_twice = testimony.ended.len() - distinct.len();
    let seen = read_all(&desk);
    assert_eq!(seen.len(), ASKS);
    testimony.judge(seen).unwrap();
    // Cancelling twice changes nothing; every other end is told once.
    for id in distinct.iter().take(50) {
        let [first, second] =
            callers.each_ref().map(|[asker, _]| asker.get(&format!("/v1/asks/{id}/outcome")).json(200));
        assert_eq!(first, second, "{cancelled_twice}");
    }
    let answered = read_all(&desk)
        .iter()
        .filter(|seen| matches!(seen.ask.outcome(), Some(Outcome::Answered { .. })))
        .count();
    assert_eq!(answered, testimony.answered.len());
}
