//! Many who answer at once.

use crate::served::{Served, place};
use crate::world::World;
use sayso_desk::token::Role;
use serde_json::{Value, json};
use std::sync::Barrier;
use std::thread;

const ANSWERERS: usize = 64;

/// Everybody answers a question of their own, of which none has to be answered, in one ask.
#[test]
fn of_all_who_answer_one_wins_and_what_the_others_wrote_is_kept() {
    let world = World::new();
    let served = Served::start(&world);
    let asker = served.asker(&world);
    let question = |number: usize| json!({ "id": format!("q{number}"), "prompt": format!("{number}?"), "required": false });
    let questions: Vec<_> = (0..ANSWERERS).map(question).collect();
    let ask = asker.post("/v1/asks", &json!({ "request": { "questions": questions } })).json(201);
    let people: Vec<_> = (0..ANSWERERS)
        .map(|number| (format!("p{number}"), served.caller(&world, Role::Person, &format!("p{number}"))))
        .collect();
    let together = Barrier::new(ANSWERERS);
    let replies: Vec<_> = thread::scope(|scope| {
        let answering: Vec<_> = people
            .iter()
            .enumerate()
            .map(|(number, (_, person))| {
                let answers = json!({ format!("q{number}"): format!("typed by {number}") });
                let body = json!({ "shown": ask["digest"], "answers": answers });
                let (target, together) = (place(&ask, "/answer"), &together);
                scope.spawn(move || {
                    together.wait();
                    person.post(&target, &body)
                })
            })
            .collect();
        answering.into_iter().map(|answer| answer.join().unwrap()).collect()
    });
    let winners: Vec<_> = (0..ANSWERERS).filter(|number| replies[*number].status == 200).collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    let winner = winners[0];
    let (name, person) = &people[winner];
    let words = format!("{name} answered this first, at ");
    let draft = person.get(&place(&ask, "/draft")).json(200);
    for number in (0..ANSWERERS).filter(|number| *number != winner) {
        let problem = replies[number].problem(409, "ask_answered");
        assert!(problem["detail"].as_str().unwrap().starts_with(&words), "{problem}");
        let kept = json!({ "state": "answered", "answer": { "text": format!("typed by {number}") } });
        assert_eq!(draft["replies"][format!("q{number}")], kept);
    }
    let told = asker.get(&place(&ask, "/outcome")).json(200);
    let replies = told["outcome"]["replies"].as_object().unwrap();
    let answered: Vec<_> = replies.iter().filter(|(_, reply)| reply["state"] == "answered").collect();
    let own = format!("q{winner}");
    assert_eq!(answered.iter().map(|(question, _)| question.as_str()).collect::<Vec<_>>(), [own.as_str()]);
    assert_eq!(told["outcome"]["receipt"]["by"], name.as_str());
}

/// People who answer, people who decline, an asker that takes it back: one of them ends it.
#[test]
fn whoever_ends_it_first_is_named_to_all_others() {
    let world = World::new();
    let served = Served::start(&world);
    let (asker, person) = (served.asker(&world), served.person(&world));
    for round in 0..8 {
        let ask = crate::served::asked(&asker, &format!("{round}"));
        let says = |words: &str| crate::served::says(&ask, words);
        let ends: [(_, &str, Value); 4] = [
            (&person, "/answer", says("one")),
            (&person, "/answer", says("two")),
            (&person, "/decline", json!({ "shown": ask["digest"] })),
            (&asker, "/cancel", json!({})),
        ];
        let together = Barrier::new(ends.len());
        let replies = thread::scope(|scope| {
            let ending = ends.each_ref().map(|(caller, more, body)| {
                let (ask, together) = (&ask, &together);
                scope.spawn(move || {
                    together.wait();
                    caller.post(&place(ask, more), body)
                })
            });
            ending.map(|end| end.join().unwrap())
        });
        let standing = asker.get(&place(&ask, "")).json(200)["standing"].as_str().unwrap().to_owned();
        assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1, "{replies:?}");
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            reply.problem(409, &format!("ask_{standing}"));
        }
    }
}
