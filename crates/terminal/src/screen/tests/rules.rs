//! Validation, follow-ups, and asks that can only be read.

use super::asks::{self, asker, decline, person, save};
use super::keys;
use super::stage::{Look, Stage};
use crate::screen::effect::{Action, Done, Effect};
use crate::screen::input::Input;
use sayso_core::ask::Feedback;
use sayso_core::{Answer, Code, Command, Message, Pick, Problem, Reply, Said, Who};
use sayso_desk::{Desk, LocalDesk};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

fn picked(id: &str) -> Said {
    Said::Answer(Answer::Picks(Pick::Option(id.into()).into()))
}

const WRONG: &str = "! Write at least 3 characters.";

#[test]
fn first_typing_shows_no_problem() {
    let mut stage = Stage::of(asks::TYPED);
    stage.must_not_show(WRONG);
    stage.keys("'ab'");
    stage.wait(5_000);
    stage.must_not_show(WRONG);
    stage.must_show("2 / 20");
    stage.keys("'cdefghijklmnopqrstuvwxyz'");
    stage.must_show("26 / 20");
    stage.must_not_show("! ");
}

#[test]
fn problem_shows_until_corrected() {
    for leave in ["tab s-tab", "enter", "^s alt-1", "right"] {
        let mut stage = Stage::of(asks::TYPED);
        stage.keys("'ab'");
        stage.keys(leave);
        if leave == "right" {
            stage.must_not_show(WRONG);
            continue;
        }
        stage.must_show(WRONG);
        stage.keys("end 'c'");
        stage.must_not_show(WRONG);
        stage.keys("bs");
        stage.must_show(WRONG);
    }
}

#[test]
fn empty_answer_fails_on_enter() {
    let mut stage = Stage::of(asks::TYPED);
    stage.keys("tab s-tab");
    stage.must_not_show("! ");
    stage.keys("enter");
    stage.must_show("! This question needs an answer");
    stage.must_show("! Name");
    stage.keys("'abc'");
    stage.must_not_show("! ");
    let mut stage = Stage::of(asks::TYPED);
    stage.keys("^s up ^s alt-1");
    stage.must_show("! Name");
    for ask in [asks::CHOICE, asks::SCALES] {
        let mut stage = Stage::of(ask);
        stage.keys("tab tab ^s");
        stage.must_not_show("! Approve │");
        assert_eq!(stage.acts(), 0);
    }
    let mut stage = Stage::of(asks::SCALES);
    stage.keys("enter");
    stage.must_show("! This question needs an answer");
    stage.keys("y");
    stage.must_not_show("! ");
}

#[test]
fn problem_does_not_block_navigation() {
    let mut stage = Stage::of(asks::TYPED);
    stage.keys("tab 'notes' s-tab 'a' tab");
    stage.must_show("Question 2 of 6.");
    stage.keys("^s");
    stage.must_show("! Name: Write at least 3 characters.");
    stage.keys("^s");
    assert!(stage.is_open() && stage.acts() == 0);
}

#[test]
fn hidden_answers_are_kept() {
    let mut stage = Stage::of(asks::SECTIONS);
    stage.keys("2 enter 1 enter 'zone a' s-tab s-tab 1");
    stage.must_show("2 questions are not asked any more; what you answered there is kept.");
    assert_eq!(stage.draft("zone"), text("zone a"));
    stage.keys("^s");
    stage.must_show("Not sent, since it is not asked or not picked: 2");
    stage.must_show("Region: eu-west-1 [value: eu]  not asked, because of Environment");
    stage.must_show("Zone: zone a  not asked, because of Region");
    stage.keys("up v");
    stage.must_show("┃ zone a");
    stage.keys("esc c");
    assert!(matches!(stage.others.last(), Some(Effect::Copy(text)) if text == "zone a"));
    stage.keys("alt-1 2");
    stage.keys("tab tab");
    stage.must_show("│ zone a");
    stage.keys("^s");
    stage.must_not_show("Not sent");
    stage.keys("alt-1 1 alt-0 ^s");
    let states: Vec<_> = ["env", "region", "zone"].map(|id| stage.sent(id).unwrap().said).into();
    assert_eq!(states[0], picked("stage"));
    assert!(states[1..].iter().all(|said| matches!(said, Said::NotAsked { .. })), "{states:?}");
}

#[test]
fn follow_up_is_announced_and_next() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("1");
    stage.must_show("A follow-up question was added.");
    stage.must_show("Question 1 of 3.");
    stage.keys("enter");
    stage.must_show("Question 2 of 3. Follow-up.");
    // It follows even the last question.
    let last = r#"{"questions": [{"id": "a", "kind": "confirm", "prompt": "Sure?", "children": [{"id": "b", "prompt": "Why?", "show_if": {"is": true}}]}]}"#;
    let mut stage = Stage::of(last);
    stage.keys("y enter");
    stage.must_show("Question 2 of 2. Follow-up.");
}

#[test]
fn change_asks_its_follow_ups() {
    let mut stage = Stage::of(asks::SECTIONS);
    stage.keys("1 enter enter enter enter home");
    stage.must_show("Check your answers");
    stage.keys("enter 2 enter");
    stage.must_show("Which region?");
    stage.keys("1 enter");
    stage.must_show("Which zone?");
    stage.keys("'a' enter");
    stage.must_show("Check your answers");
}

#[test]
fn removed_question_leads_to_its_parent() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("1 enter 'because' tab s-tab");
    stage.must_show("Why now?");
    stage.elsewhere(|desk, id| {
        save(desk, id, "when", Reply::of(Answer::Picks(Pick::Option("tonight".into()).into())));
    });
    stage.must_show("When should the rollout start?");
    stage.must_show("elsewhere");
    assert_eq!(stage.draft("why"), text("because"));
}

#[test]
fn enter_confirms_a_prefill() {
    let mut stage = Stage::of(asks::SECTIONS);
    stage.must_show("✎ Owner");
    stage.keys("1 enter");
    stage.must_show("│ ops");
    stage.must_show("Filled in by the asker: ops. Going on with Enter keeps it.");
    assert!(stage.draft("owner").is_unanswered());
    stage.keys("enter");
    assert_eq!(stage.draft("owner"), text("ops"));
    stage.must_show("✓ Owner");
}

#[test]
fn optional_section_is_all_or_none() {
    let mut stage = Stage::of(asks::SECTIONS);
    stage.keys("1 enter enter");
    stage.must_show("This section may be left out as a whole.");
    stage.keys("enter enter");
    stage.must_show("[ Submit: 2 of 4 answered ]  to claude");
    stage.keys("s-tab '7' tab");
    stage.must_show("! Bucket: This question needs an answer");
    stage.must_show("1 problem is in the way");
}

fn submitted(desk: &LocalDesk, id: sayso_core::AskId) {
    for question in ["one", "two"] {
        save(desk, id, question, text("x"));
    }
    let submit = Command::Submit {
        replies: desk.draft(id).unwrap().replies,
        as_sent: None,
        shown: desk.get(id).unwrap().request.digest,
    };
    desk.act(&Who::Person(person("grace")), id, None, submit).unwrap();
}

fn reprompted(desk: &LocalDesk, id: sayso_core::AskId) {
    submitted(desk, id);
    let errors = vec![("two".into(), "Say **more**.".into())];
    let feedback = Feedback { summary: Some("Nearly.".into()), errors };
    desk.act(&Who::Asker(asker()), id, None, Command::Reprompt { round: 1, feedback }).unwrap();
}

#[test]
fn correction_is_marked_until_changed() {
    let look = Look { judged: true, ..Look::default() };
    let mut stage = Stage::after(asks::TEXTS, &look, reprompted);
    stage.must_show("Question 2 of 3.");
    stage.must_show("┃ Nearly.");
    stage.must_show("┃ Say more.");
    stage.must_show("! Q2");
    stage.keys("^s");
    stage.must_show("2. Two? x  [the asker wants this changed]");
    stage.keys("alt-2 'y' ^s");
    stage.must_not_show("[the asker wants this changed]");
    stage.must_not_show("! Q2");
    stage.wait(1_000);
    stage.keys("^s");
    assert_eq!(stage.sent("two"), Some(text("xy")));
}

#[test]
fn submitted_ask_is_read_only() {
    let look = Look { judged: true, from_inbox: true, ..Look::default() };
    let mut stage = Stage::after(asks::TEXTS, &look, submitted);
    stage.keys("enter");
    stage.must_show("Submitted by grace");
    stage.must_show("┃ Two? x");
    stage.keys("esc");
    assert!(stage.app.answering.is_none() && stage.acts() == 0);
    stage.elsewhere(|desk, id| {
        desk.act(&Who::Asker(asker()), id, None, Command::Accept { round: 1 }).unwrap();
    });
    stage.keys("tab enter");
    stage.must_show("Answered by grace");
    stage.must_show("┃ One? x");
    stage.keys("'typed into nothing' esc");
    assert_eq!(stage.acts(), 0);
    let mut stage = Stage::after(asks::TEXTS, &Look { from_inbox: true, ..look }, decline);
    stage.keys("tab / 'one' enter");
    stage.must_show("Declined by grace");
}

#[test]
fn unread_action_cannot_be_approved() {
    let lines: Vec<_> = (0..60).map(|n| format!("echo {n}")).collect();
    let long = asks::ACTION.replace("rm -rf build  dist", &lines.join("\\n"));
    let mut stage = Stage::of(&long);
    stage.keys("tab 1 ^s");
    stage.must_show("[ Submit: 1 of 1 answered ]  Read what would be done to its end first.");
    // A key that came too early does not promise that the next one sends.
    stage.key(keys::key("^s"));
    stage.must_not_show("Pressing it once more sends.");
    stage.keys("^s");
    assert!(stage.is_open() && stage.acts() == 0);
    stage.must_show("echo 0");
    stage.must_show("Read what would be done to its end first.");
    stage.keys("pgdn*5");
    stage.must_show("echo 59");
    stage.keys("^s");
    stage.keys("^s");
    assert_eq!(stage.sent("may").unwrap().said, picked("yes"));
}

#[test]
fn late_list_is_not_shown() {
    let mut stage = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
    stage.hold_lists(true);
    stage.happen(Action::Heard(Vec::new()));
    stage.keys("tab");
    stage.hold_lists(false);
    stage.make_held();
    stage.must_not_show("Why?");
    stage.must_show("history");
}

#[test]
fn stale_read_does_not_fail_reopening() {
    let mut stage = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
    let id = stage.id.unwrap();
    let gone = || Err(Problem::new(Code::DeskUnreachable, Message::DeskUnreachable));
    stage.keys("enter esc esc");
    assert!(stage.app.answering.is_none(), "{}", stage.screen());
    let opens = stage.app.update(stage.now(), Action::Input(Input::Key(keys::key("enter"))));
    stage.happen(Action::Done(Box::new(Done::Read(id, gone()))));
    stage.must_show("Opening");
    stage.perform(opens);
    stage.draw();
    stage.must_show("Why?");
    assert!(stage.app.answering.is_some());
    // A failed open reports its problem.
    stage.keys("esc esc");
    let _ = stage.app.update(stage.now(), Action::Input(Input::Key(keys::key("enter"))));
    stage.happen(Action::Done(Box::new(Done::Opened(id, gone()))));
    assert!(stage.app.answering.is_none());
    stage.must_not_show("Opening");
}

/// Returns a questionnaire of this many questions.
fn many(count: usize) -> String {
    let question = |n| {
        format!(
            r#"{{"id": "q{n}", "prompt": "Prompt {n}?", "options": [{{"label": "One"}}, {{"label": "Two"}}]}}"#
        )
    };
    format!(r#"{{"questions": [{}]}}"#, (0..count).map(question).collect::<Vec<_>>().join(","))
}

#[test]
fn long_questionnaire_keeps_few_fields() {
    let made = |count: usize| {
        let mut stage = Stage::with(&many(count), &Look { size: (80, 8), ..Look::default() });
        stage.keys("tab*5 1 tab*3");
        let view = stage.app.answering.as_ref().unwrap();
        let kept = (0..count).filter(|place| view.field(*place).is_some()).count();
        (view.sight.most, kept)
    };
    assert_eq!(made(20), made(1_000));
    assert_eq!(made(1_000).1, 1);
    let mut stage = Stage::of(&many(1_000));
    stage.keys("^s");
    stage.must_show("There are 1000 problems");
    stage.keys("end");
    stage.must_show("[ Submit: 0 of 1000 answered ]");
    stage.keys("alt-1 ^s home enter");
    stage.must_show("Question 1 of 1000");
}

#[test]
fn long_names_leave_room() {
    let long = "A very long name that goes on and on ".repeat(20);
    let ask = format!(
        r#"{{"title": "{long}", "questions": [{{"label": "{long}", "prompt": "{long}", "options": [{{"label": "{long}"}}, {{"label": "Short"}}]}}, {{"prompt": "B"}}]}}"#
    );
    for size in super::stage::SIZES {
        let mut stage = Stage::with(&ask, &Look { size, ..Look::default() });
        stage.must_show("claude");
        stage.must_show(if size.0 < 60 { "0/2" } else { "│ Review" });
        stage.keys("down*40 home down");
        stage.must_show("2  Short");
        stage.keys("^s end");
        stage.must_show("▸ [ Decline");
        let mut inbox =
            Stage::inbox(&[(&ask, asker()), (asks::TEXT, asker())], &Look { size, ..Look::default() });
        inbox.must_show("A very long name");
        inbox.keys("down");
        assert_eq!(inbox.reversed(), ["Why?"]);
    }
}

#[test]
fn future_ask_is_just_now() {
    let mut stage = Stage::of(asks::TEXT);
    stage.set_clock(-400_000);
    stage.happen(Action::Tick);
    stage.must_show("just now");
}

#[test]
fn review_and_box_agree_on_length() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab 'one' enter 'two' enter enter 'end'");
    stage.must_show(" 12 ─┐");
    stage.keys("^s");
    stage.must_show("one… (4 lines, 12 characters)");
}

#[test]
fn number_steps_stop_at_bounds() {
    let ask = r#"{"questions": [{"id": "n", "kind": "number", "prompt": "How many?",
        "constraints": [{"min": 1}, {"max": 3}]}]}"#;
    let mut stage = Stage::of(ask);
    stage.keys("'2' up");
    assert!(stage.drafted().contains(r#""number":3}"#), "{}", stage.drafted());
    stage.keys("up");
    assert!(stage.drafted().contains(r#""number":3}"#), "{}", stage.drafted());
    stage.must_show("It must be at most 3.");
    stage.keys("down down down");
    assert!(stage.drafted().contains(r#""number":1}"#), "{}", stage.drafted());
    stage.must_show("It must be at least 1.");
    // A number typed beyond a bound may step back towards it.
    stage.keys("bs '9' down");
    assert!(stage.drafted().contains(r#""number":8}"#), "{}", stage.drafted());
    // An asker's own message appears at the question, not in the status line.
    let mut stage = Stage::of(&ask.replace(r#""max": 3"#, r#""max": 3, "message": "Three will do.""#));
    stage.keys("'3' up");
    stage.must_show("┃ Three will do.");
    stage.must_not_show("It must be at most 3.");
    stage.must_show("what it says stands at the question");
}
