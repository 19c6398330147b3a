//! Protection against losing typed text.

use super::asks::{self, asker, decline, save};
use super::keys::key;
use super::stage::{Look, SIZES, Stage};
use crate::prompter::Ended;
use crate::screen::effect::{Action, Effect};
use sayso_core::{Answer, Pick, Reply, Said};

fn own(text: &str) -> Said {
    Said::Answer(Answer::Picks(Pick::Other(text.into()).into()))
}

fn text(words: &str) -> Reply {
    Reply::of(Answer::Text(words.into()))
}

#[test]
fn own_answer_survives_another_pick() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o 'my own way' up up space");
    let reply = stage.draft("when");
    assert_eq!(reply.said, Said::Answer(Answer::Picks(Pick::Option("tonight".into()).into())));
    assert_eq!(reply.aside.as_deref(), Some("my own way"));
    stage.must_show("typed and not picked: my own");
    stage.keys("^s");
    stage.must_show("Window: typed and not picked: my own way");
    stage.keys("alt-1 o");
    assert_eq!(stage.draft("when").said, own("my own way"));
}

#[test]
fn empty_own_answer_changes_nothing() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o enter");
    assert!(stage.draft("when").is_unanswered());
    stage.must_show("This question needs an answer");
    stage.keys("esc 2 o enter");
    assert_eq!(stage.draft("when").said, Said::Answer(Answer::Picks(Pick::Option("tonight".into()).into())));
}

#[test]
fn text_stays_at_its_question() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'first' tab 'second' tab 'third' s-tab s-tab '!' tab '?'");
    assert_eq!(stage.draft("one"), text("first!"));
    assert_eq!(stage.draft("two"), text("second?"));
    assert_eq!(stage.draft("three"), text("third"));
}

#[test]
fn filter_keeps_picked_options() {
    let options: Vec<_> = (1..=20).map(|n| format!(r#"{{"id": "o{n}", "label": "Option {n}"}}"#)).collect();
    let many = format!(
        r#"{{"questions": [{{"id": "q", "prompt": "Which?", "multi": true, "options": [{}]}}]}}"#,
        options.join(",")
    );
    let mut stage = Stage::of(&many);
    stage.keys("'n 17' enter");
    stage.keys("/ bs bs '20' down");
    stage.must_show("[x] 17  Option 17");
    stage.must_not_show("Option 16");
    stage.must_show("20  Option 20");
    let at = |stage: &Stage| stage.reversed().last().cloned();
    let was = at(&stage);
    stage.keys("esc");
    stage.must_show("16  Option 16");
    assert_eq!(at(&stage), was);
    // Digits pick by the number shown, with the filter and without.
    stage.keys("/ '1' esc 5");
    stage.must_show("[x]  5  Option 5");
}

#[test]
fn settled_elsewhere_keeps_typed_text() {
    let mut stage = Stage::with(asks::TEXTS, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter 'half a wo'");
    stage.key(key("r"));
    stage.elsewhere(decline);
    stage.must_show("Declined elsewhere by grace");
    assert_eq!(stage.draft("one"), text("half a wor"));
    assert!(stage.ended.is_none());
}

#[test]
fn settled_elsewhere_ignores_further_keys() {
    // A question without typed text closes immediately.
    let mut stage = Stage::with(asks::CHOICE, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter down");
    stage.elsewhere(decline);
    stage.must_not_show("This ask has ended");
    // These letters are commands of the inbox; they do nothing.
    for letter in ["q", "x", "/", "h"] {
        stage.key(key(letter));
        stage.wait(150);
    }
    stage.must_show("Declined elsewhere by grace");
    assert!(stage.ended.is_none());
    stage.wait(500);
    stage.keys("q");
    assert_eq!(stage.ended, Some(Ended::Left));
}

#[test]
fn settled_elsewhere_keeps_pending_saves() {
    let mut stage = Stage::with(asks::TEXTS, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter");
    stage.hold_saves(true);
    stage.keys("'first' tab 'second'");
    stage.key(key("!"));
    stage.hold_saves(false);
    stage.elsewhere(decline);
    stage.make_held();
    assert_eq!(stage.draft("one"), text("first"));
    assert_eq!(stage.draft("two"), text("second!"));
}

#[test]
fn paste_presses_no_key() {
    let pasted: String = (0..200).map(|n| format!("line {n}\u{1b}[2J\u{202e}x\r\n")).collect();
    for ask in [asks::TEXT, asks::TEXTS, asks::CHOICE] {
        let mut stage = Stage::of(ask);
        stage.keys(if ask == asks::CHOICE { "o" } else { "" });
        stage.happen(Action::Input(crate::screen::Input::Paste(pasted.clone())));
        stage.wait(1_000);
        assert!(stage.is_open() && stage.acts() == 0);
        stage.must_show("200 lines pasted, kept as they are. 200 control characters were left out.");
        let id = if ask == asks::CHOICE {
            "when"
        } else if ask == asks::TEXT {
            "why"
        } else {
            "one"
        };
        let said = match stage.draft(id).said {
            Said::Answer(Answer::Text(text)) => text,
            Said::Answer(Answer::Picks(picks)) => match picks.as_slice() {
                [Pick::Other(text)] => text.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(said.lines().count(), 200);
        let shown = stage.buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'));
    }
}

#[test]
fn paste_is_never_a_command() {
    let mut stage = Stage::of(asks::SCALES);
    stage.keys("<y>");
    assert_eq!(stage.drafted(), "{}");
    stage.must_show("nothing was pasted");
    stage.keys("^s <d>");
    assert!(stage.app.answering.as_ref().unwrap().dialog.is_none());
}

#[test]
fn two_screens_merge_answers() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'mine' tab");
    stage.key(key("t"));
    stage.elsewhere(|desk, id| {
        save(desk, id, "three", text("theirs"));
        save(desk, id, "two", text("over mine"));
    });
    // Another person's answer does not replace text that is being typed.
    stage.keys("'yped' tab");
    stage.must_show("theirs");
    assert_eq!(stage.draft("two"), text("typed"));
    stage.elsewhere(|desk, id| save(desk, id, "one", text("changed")));
    stage.must_show("changed");
    stage.keys("alt-1");
    stage.must_show("│ changed");
    // One undo restores the replaced text.
    stage.keys("^_");
    stage.must_show("│ mine");
}

#[test]
fn undo_keeps_typed_text() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("1 o 'typed' esc n 'a note' esc ^_");
    let reply = stage.draft("when");
    assert!(reply.note.as_deref() == Some("a note"), "{reply:?}");
    assert!(format!("{reply:?}").contains("typed"), "{reply:?}");
    stage.keys("u");
    assert!(!format!("{:?}", stage.draft("when")).contains("typed"));
    stage.keys("^_");
    assert!(format!("{:?}", stage.draft("when")).contains("typed"));
}

#[test]
fn cursor_is_at_the_insertion_point() {
    let scripts: [(&str, &str, &str); 6] = [
        (asks::TEXT, "'한국어'", "한국어"),
        (asks::TEXTS, "tab '한국어'", "한국어"),
        (asks::CHOICE, "o '한국어'", "한국어"),
        (asks::CHOICE, "n '한국어'", "한국어"),
        (asks::CHOICE, "/ '한국어'", "한국어"),
        (asks::CHOICE, "^s d '한국어'", "한국어"),
    ];
    for (ask, keys, typed) in scripts {
        for size in SIZES {
            let mut stage = Stage::with(ask, &Look { size, ..Look::default() });
            stage.keys(keys);
            let (column, row) =
                stage.find("한").unwrap_or_else(|| panic!("{typed} is not on\n{}", stage.screen()));
            let cursor = stage.cursor.unwrap_or_else(|| panic!("no cursor on\n{}", stage.screen()));
            assert_eq!((cursor.x, cursor.y), (column + 6, row), "{keys}\n{}", stage.screen());
        }
    }
    let mut inbox = Stage::inbox(&[(asks::TEXT, asker())], &Look::default());
    inbox.keys("/ '한국어'");
    assert_eq!(inbox.cursor.map(|at| at.x), inbox.find("한").map(|(x, _)| x + 6));
}

#[test]
fn no_key_loses_the_own_answer() {
    let words = "word ".repeat(500);
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o");
    stage.happen(Action::Input(crate::screen::Input::Paste(words.clone())));
    let keys = "tab s-tab alt-1 alt-2 alt-0 alt-1 ^s alt-1 pgup pgdn ? esc f1 esc up down j k home end g G space esc 1 2 3 4 esc \
                a n esc p esc esc esc - R alt-1 / esc esc esc y left right h l 0 bs v c d esc ^g ^l ^z enter alt-1 o";
    stage.keys(keys);
    assert!(stage.is_open());
    let reply = stage.draft("when");
    let Said::Answer(Answer::Picks(picks)) = &reply.said else { panic!("{reply:?}") };
    assert_eq!(picks.as_slice(), [Pick::Other(words)]);
}

#[test]
fn looking_at_a_prefill_confirms_nothing() {
    let filled = r#"{"questions": [{"id": "why", "prompt": "Why?", "prefill": {"text": "because"}},
        {"id": "all", "prompt": "Delete all?", "kind": "confirm", "prefill": {"confirm": true}},
        {"id": "many", "prompt": "How many?", "kind": "number", "prefill": {"number": 3}}]}"#;
    for keys in ["tab tab tab", "tab s-tab tab tab tab", "esc tab esc tab esc", "tab tab esc esc"] {
        let mut stage = Stage::of(filled);
        stage.keys(keys);
        for id in ["why", "all", "many"] {
            assert!(stage.draft(id).is_unanswered(), "{keys}: {id}");
        }
    }
    // Enter confirms a prefilled answer.
    let mut stage = Stage::of(filled);
    stage.keys("enter enter enter");
    assert_eq!(stage.draft("why"), text("because"));
    assert_eq!(stage.draft("all"), Reply::of(Answer::Confirm(true)));
    assert!(!stage.draft("many").is_unanswered());
}

#[test]
fn typed_answer_is_not_skipped() {
    let number = r#"{"questions": [{"id": "n", "prompt": "How many?", "kind": "number", "required": false},
        {"id": "day", "prompt": "When?", "kind": "date", "required": false}]}"#;
    let mut stage = Stage::of(number);
    stage.keys("'42' esc -");
    stage.must_show("There is an answer. u takes it back, then - skips.");
    stage.keys("u -");
    stage.must_show("When?");
    stage.wait(1_000);
    assert_eq!(stage.draft("n"), Reply::skipped());
}

#[test]
fn set_back_clock_blocks_no_key() {
    let mut stage = Stage::with(asks::TEXT, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter");
    stage.wait(1_000);
    stage.set_clock(-300_000);
    stage.keys("'typed'");
    stage.wait(1_000);
    assert_eq!(stage.draft("why"), text("typed"));
}

#[test]
fn overwriting_another_answer_is_reported() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab");
    stage.key(key("m"));
    stage.elsewhere(|desk, id| save(desk, id, "two", text("theirs")));
    stage.must_not_show("meanwhile");
    stage.wait(1_000);
    stage.must_show("Question 2 had been changed elsewhere meanwhile; it now has your answer.");
    assert_eq!(stage.draft("two"), text("m"));
    // A reply saved here before is no conflict.
    stage.key(key("i"));
    stage.elsewhere(|desk, id| save(desk, id, "one", text("theirs")));
    stage.must_show("Question 1 was changed elsewhere");
    stage.wait(1_000);
    stage.must_not_show("meanwhile");
    assert_eq!(stage.draft("two"), text("mi"));
}

#[test]
fn unchanged_editor_text_changes_nothing() {
    for given_back in ["mine", "mine\n"] {
        let mut stage = Stage::of(asks::CHOICE);
        stage.keys("o 'mine' up up space ^g");
        let [.., Effect::Edit(text)] = stage.others.as_slice() else { panic!("{:?}", stage.others) };
        assert_eq!(text, "mine");
        stage.happen(Action::Edited(Ok(given_back.into())));
        stage.wait(1_000);
        let reply = stage.draft("when");
        assert_eq!(reply.said, Said::Answer(Answer::Picks(Pick::Option("tonight".into()).into())));
        // A text changed in the editor counts.
        stage.happen(Action::Edited(Ok("mine, changed\n".into())));
        stage.wait(1_000);
        assert_eq!(stage.draft("when").said, own("mine, changed"));
    }
}

#[test]
fn set_clock_delays_no_retry() {
    for by_ms in [-300_000, 300_000] {
        let mut stage = Stage::of(asks::TEXT);
        stage.hold_saves(true);
        stage.keys("'typed'");
        stage.set_clock(by_ms);
        stage.happen(Action::Tick);
        stage.must_not_show("the desk does not answer");
        stage.wait(1_500);
        stage.must_show("the desk does not answer");
        stage.hold_saves(false);
        stage.make_held();
        stage.key(key("!"));
        stage.set_clock(by_ms);
        stage.wait(300);
        assert_eq!(stage.draft("why"), text("typed!"));
    }
}
