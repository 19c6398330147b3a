//! When something is said to be wrong, what appears and goes, and that each key does what the help says of it.

use super::asks;
use super::stage::{Look, Stage, asker, decline, person, save};
use crate::screen::effect::{Action, Effect};
use sayso_core::ask::Feedback;
use sayso_core::{Answer, Command, Pick, Reply, Said, Who};
use sayso_desk::{Desk, LocalDesk};

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

fn picked(id: &str) -> Said {
    Said::Answer(Answer::Picks(vec![Pick::Option(id.into())]))
}

const WRONG: &str = "! Write at least 3 characters.";

#[test]
fn nothing_is_wrong_while_it_is_typed_for_the_first_time() {
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
fn it_is_wrong_once_it_is_left_and_right_the_moment_it_is_mended() {
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
fn an_empty_answer_is_wrong_only_where_somebody_goes_on_from_it_or_sends() {
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
fn what_is_wrong_does_not_hold_anybody_back() {
    let mut stage = Stage::of(asks::TYPED);
    stage.keys("tab 'notes' s-tab 'a' tab");
    stage.must_show("Question 2 of 6.");
    stage.keys("^s");
    stage.must_show("! Name: Write at least 3 characters.");
    stage.keys("^s");
    assert!(stage.is_open() && stage.acts() == 0);
}

#[test]
fn what_is_hidden_is_kept_named_and_stands_there_again() {
    let mut stage = Stage::of(asks::SECTIONS);
    stage.keys("2 enter 1 enter 'zone a' s-tab s-tab 1");
    stage.must_show("2 questions are not asked any more; what you answered there is kept.");
    assert_eq!(stage.draft("zone"), text("zone a"));
    stage.keys("^s");
    stage.must_show("Not sent, since it is not asked or not picked: 2");
    stage.must_show("Region: eu-west-1  not asked, because of Environment");
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
fn a_follow_up_is_announced_takes_no_keys_and_is_next() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("1");
    stage.must_show("A follow-up question was added.");
    stage.must_show("Question 1 of 3.");
    stage.keys("enter");
    stage.must_show("Question 2 of 3. Follow-up.");
    // Also where its parent was the last question.
    let last = r#"{"questions": [{"id": "a", "kind": "confirm", "prompt": "Sure?", "children": [{"id": "b", "prompt": "Why?", "show_if": {"is": true}}]}]}"#;
    let mut stage = Stage::of(last);
    stage.keys("y enter");
    stage.must_show("Question 2 of 2. Follow-up.");
}

#[test]
fn what_a_change_at_the_review_brings_up_is_asked_before_it() {
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
fn a_question_that_goes_away_elsewhere_leads_to_its_parent() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("1 enter 'because' tab s-tab");
    stage.must_show("Why now?");
    stage.elsewhere(|desk, id| {
        save(desk, id, "when", Reply::of(Answer::Picks(vec![Pick::Option("tonight".into())])));
    });
    stage.must_show("When should the rollout start?");
    stage.must_show("elsewhere");
    assert_eq!(stage.draft("why"), text("because"));
}

#[test]
fn what_the_asker_filled_in_is_shown_and_stands_when_somebody_goes_on() {
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
fn an_optional_section_asks_for_all_of_it_or_nothing() {
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
fn what_the_asker_wants_mended_is_marked_until_it_is_touched() {
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
fn what_waits_for_a_verdict_or_has_ended_is_only_read() {
    let look = Look { judged: true, from_inbox: true, ..Look::default() };
    let mut stage = Stage::after(asks::TEXTS, &look, submitted);
    stage.keys("enter");
    stage.must_show("Submitted elsewhere by grace");
    stage.must_show("┃ Two? x");
    stage.keys("esc");
    assert!(stage.app.answering.is_none() && stage.acts() == 0);
    stage.elsewhere(|desk, id| {
        desk.act(&Who::Asker(asker()), id, None, Command::Accept { round: 1 }).unwrap();
    });
    stage.keys("tab enter");
    stage.must_show("Answered elsewhere by grace");
    stage.must_show("┃ One? x");
    stage.keys("'typed into nothing' esc");
    assert_eq!(stage.acts(), 0);
    let mut stage = Stage::after(asks::TEXTS, &Look { from_inbox: true, ..look }, decline);
    stage.keys("tab / 'one' enter");
    stage.must_show("Declined elsewhere by grace");
}

#[test]
fn an_action_is_read_to_its_end_before_anything_is_sent() {
    let lines: Vec<_> = (0..60).map(|n| format!("echo {n}")).collect();
    let long = asks::ACTION.replace("rm -rf build  dist", &lines.join("\\n"));
    let mut stage = Stage::of(&long);
    stage.keys("tab 1 ^s");
    stage.must_show("[ Submit: 1 of 1 answered ]  Read what would be done to its end first.");
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
fn digits_of_a_rating_are_put_together() {
    let ten = r#"{"questions": [{"id": "q", "kind": "rating", "prompt": "How?", "min": 1, "max": 10}]}"#;
    let rated = |stage: &Stage| match stage.draft("q").said {
        Said::Answer(Answer::Rating(step)) => Some(step),
        _ => None,
    };
    for (keys, step) in [
        ("1", Some(1)),
        ("1 0", Some(10)),
        ("1 5", Some(5)),
        ("7", Some(7)),
        ("7 0", None),
        ("0", None),
        ("7 right", Some(8)),
        ("left", Some(10)),
        ("right", Some(1)),
        ("end", Some(10)),
        ("home", Some(1)),
        ("3 bs", None),
        ("3 u", None),
    ] {
        let mut stage = Stage::of(ten);
        stage.keys(keys);
        assert_eq!(rated(&stage), step, "{keys}");
    }
}

/// What the help says of answering, key by key, and what must have come of it.
#[test]
fn each_key_of_the_help_does_what_it_says() {
    let shows: &[(&str, &str, &str)] = &[
        (asks::CHOICE, "tab", "Question 2 of 2."),
        (asks::CHOICE, "tab s-tab", "Question 1 of 2."),
        (asks::CHOICE, "alt-2", "Question 2 of 2."),
        (asks::CHOICE, "alt-0", "Check your answers"),
        (asks::CHOICE, "^s", "Check your answers"),
        (asks::TEXT, "esc", "Enter type"),
        (asks::TEXT, "esc esc", "Leave these questions?"),
        (asks::CHOICE, "^c", "Press ^C once more"),
        (asks::CHOICE, "j 2", "(•) 2  Tonight"),
        (asks::CHOICE, "down space", "(•) 2  Tonight"),
        (asks::CHOICE, "down down up space", "(•) 2  Tonight"),
        (asks::CHOICE, "j j k space", "(•) 2  Tonight"),
        (asks::CHOICE, "tab 1 1", "[ ] 1  Europe"),
        (asks::CHOICE, "tab 1", "[x] 1  Europe"),
        (asks::CHOICE, "2 enter", "Question 2 of 2."),
        (asks::CHOICE, "tab enter", "Check your answers"),
        (asks::CHOICE, "tab a", "[x] 3  Asia"),
        (asks::CHOICE, "tab a a", "[ ] 3  Asia"),
        (asks::CHOICE, "o", "your answer"),
        (asks::CHOICE, "/ 'tom'", "2 of 4"),
        (asks::CHOICE, "down p", "┃  21:40"),
        (asks::CHOICE, "n 'psst' enter", "psst"),
        (asks::CHOICE, "2 u", "( ) 2  Tonight"),
        (asks::CHOICE, "2 u ^_", "(•) 2  Tonight"),
        (asks::CHOICE, "2 u ^_ alt-_", "( ) 2  Tonight"),
        (asks::CHOICE, "tab - alt-2", "– Regions"),
        (asks::CHOICE, "-", "cannot be skipped"),
        (asks::CHOICE, "e", "is asked to explain this"),
        (asks::CHOICE, "R", "Check your answers"),
        (asks::CHOICE, "?", "Keys"),
        (asks::SCALES, "y", "(•) y  Ship it"),
        (asks::SCALES, "n", "(•) n  Hold it"),
        (asks::SCALES, "right", "(•) n  Hold it"),
        (asks::SCALES, "right left", "(•) y  Ship it"),
        (asks::SCALES, "N 'why' enter", "why"),
        (asks::SCALES, "tab 4", "4 of 5  Fairly confident"),
        (asks::SCALES, "tab 4 0", "not answered yet"),
        (asks::SCALES, "tab 4 bs", "not answered yet"),
        (asks::SCALES, "tab right right left", "1 of 5"),
        (asks::TYPED, "alt-3 '3' up", "│ 5 "),
        (asks::TYPED, "alt-3 '3' down", "│ 1 "),
        (asks::TYPED, "alt-2 'a' enter 'b'", "│ b"),
        (asks::TYPED, "alt-2 'a' ^j 'b'", "│ b"),
        (asks::TYPED, "'a' ^j 'b'", "│ b"),
        (asks::TYPED, "'a' alt-enter 'b'", "│ b"),
        (asks::TYPED, "'abc' enter", "Question 2 of 6."),
        (asks::TYPED, "'one two' ^a 'x'", "xone two"),
        (asks::TYPED, "'one two' ^a ^e 'x'", "one twox"),
        (asks::TYPED, "'one two' ^w", "│ one "),
        (asks::TYPED, "'one two' ^u ^y ^y", "one twoone two"),
        (asks::TYPED, "'one two' ^a ^k ^y", "one two"),
        (asks::TYPED, "'one two' alt-b 'x'", "one xtwo"),
        (asks::TYPED, "'one two' ^a alt-f 'x'", "onex two"),
        (asks::TYPED, "'one' ^w ^_", "│ one"),
        (asks::TYPED, "f1", "Keys"),
        (asks::SECTIONS, "^s down enter", "Which environment?"),
        (asks::SECTIONS, "^s d", "Decline this request?"),
    ];
    for (ask, keys, shown) in shows {
        let mut stage = Stage::of(ask);
        stage.keys(keys);
        assert!(stage.shows(shown), "{keys} should show {shown:?}:\n{}", stage.screen());
    }
    for (keys, effect) in [("^z", "Suspend"), ("^l", "Redraw"), ("'my text' ^g", "Edit(\"my text\")")] {
        let mut stage = Stage::of(asks::TEXT);
        stage.keys(keys);
        assert_eq!(format!("{:?}", stage.others.last().unwrap()), effect);
    }
}

#[test]
fn each_key_of_the_inboxs_help_does_what_it_says() {
    let shows = [
        ("down", "Why?"),
        ("j", "Why?"),
        ("end", "Why?"),
        ("G", "Why?"),
        ("pgdn", "Why?"),
        ("down up", "Deploy plan for api-gateway"),
        ("down k", "Deploy plan for api-gateway"),
        ("end home", "Deploy plan for api-gateway"),
        ("end pgup", "Deploy plan for api-gateway"),
    ];
    let asks = [(asks::CHOICE, asker()), (asks::TEXT, asker())];
    for (keys, at) in shows {
        let mut stage = Stage::inbox(&asks, &Look::default());
        stage.keys(keys);
        assert_eq!(stage.reversed(), [at], "{keys}");
    }
    for (keys, shown) in [
        ("enter", "Question 1 of 2."),
        ("/ 'why' enter", "Question 1 of 1."),
        ("/ 'nothing like it'", "Nothing fits."),
        ("/ 'why' esc esc", "Deploy plan"),
        ("s", "oldest first"),
        ("tab", "history"),
        ("h", "history"),
        ("h tab", "2 waiting"),
        ("x", "Decline this request?"),
        ("?", "Signs:"),
    ] {
        let mut stage = Stage::inbox(&asks, &Look::default());
        stage.keys(keys);
        stage.must_show(shown);
    }
    let mut stage = Stage::inbox(&asks, &Look::default());
    stage.keys("q");
    assert_eq!(stage.ended, Some(crate::prompter::Ended::Left));
    let mut stage = Stage::inbox(&asks, &Look::default());
    stage.keys("x 'not now' enter down enter");
    assert!(!stage.is_open());
    stage.must_show("1 waiting");
}

#[test]
fn a_list_that_was_on_its_way_is_not_shown_as_the_other_one() {
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
fn rows_of_a_long_text_are_gone_through_and_not_left() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab 'a' enter 'b' up*5 'x' down*5 'y'");
    assert_eq!(stage.draft("two"), text("ax\nby"));
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("down n 'a note' up*3 down*3 ^p ^n 'x' enter space");
    let reply = stage.draft("when");
    assert_eq!((reply.said, reply.note.as_deref()), (picked("tonight"), Some("a notex")));
}
