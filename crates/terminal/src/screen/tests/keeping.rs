//! What keeps a person from losing a word.

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
fn an_own_answer_is_kept_when_something_else_is_picked() {
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
fn an_empty_own_answer_is_none_and_cancels_nothing() {
    let mut stage = Stage::of(asks::CHOICE);
    stage.keys("o enter");
    assert!(stage.draft("when").is_unanswered());
    stage.must_show("This question needs an answer");
    stage.keys("esc 2 o enter");
    assert_eq!(stage.draft("when").said, Said::Answer(Answer::Picks(Pick::Option("tonight".into()).into())));
}

#[test]
fn what_is_typed_stays_at_its_question() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'first' tab 'second' tab 'third' s-tab s-tab '!' tab '?'");
    assert_eq!(stage.draft("one"), text("first!"));
    assert_eq!(stage.draft("two"), text("second?"));
    assert_eq!(stage.draft("three"), text("third"));
}

#[test]
fn what_is_picked_stays_in_sight_of_the_filter_and_esc_shows_all() {
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
    // While it is filtered, digits are numbers as they are shown; outside of it too.
    stage.keys("/ '1' esc 5");
    stage.must_show("[x]  5  Option 5");
}

#[test]
fn what_is_typed_is_kept_when_it_is_settled_elsewhere() {
    let mut stage = Stage::with(asks::TEXTS, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter 'half a wo'");
    stage.key(key("r"));
    stage.elsewhere(decline);
    stage.must_show("Declined elsewhere by grace");
    assert_eq!(stage.draft("one"), text("half a wor"));
    assert!(stage.ended.is_none());
}

#[test]
fn whoever_types_on_when_it_is_settled_elsewhere_types_to_nobody() {
    // A question at which nothing is typed goes at once.
    let mut stage = Stage::with(asks::CHOICE, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter down");
    stage.elsewhere(decline);
    stage.must_not_show("This ask has ended");
    // Commands of the inbox, for whoever looks at it.
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
fn also_when_a_save_is_on_its_way_just_then() {
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
fn a_paste_is_one_answer_and_presses_no_key() {
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
fn a_paste_where_nothing_is_typed_is_no_command() {
    let mut stage = Stage::of(asks::SCALES);
    stage.keys("<y>");
    assert_eq!(stage.drafted(), "{}");
    stage.must_show("nothing was pasted");
    stage.keys("^s <d>");
    assert!(stage.app.answering.as_ref().unwrap().dialog.is_none());
}

#[test]
fn two_screens_see_each_others_answers_and_keep_their_own_text() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("'mine' tab");
    stage.key(key("t"));
    stage.elsewhere(|desk, id| {
        save(desk, id, "three", text("theirs"));
        save(desk, id, "two", text("over mine"));
    });
    // Somebody else's answer does not take the place of what is being typed.
    stage.keys("'yped' tab");
    stage.must_show("theirs");
    assert_eq!(stage.draft("two"), text("typed"));
    stage.elsewhere(|desk, id| save(desk, id, "one", text("changed")));
    stage.must_show("changed");
    stage.keys("alt-1");
    stage.must_show("│ changed");
    // What they replaced is one undo away.
    stage.keys("^_");
    stage.must_show("│ mine");
}

#[test]
fn undo_takes_steps_back_and_no_typed_words() {
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
fn the_cursor_stands_where_letters_go_in_every_text() {
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
fn every_key_of_the_map_loses_no_word_of_an_own_answer() {
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
fn whoever_only_looks_at_what_the_asker_filled_in_has_not_said_it() {
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
    // Going on with Enter is to say so.
    let mut stage = Stage::of(filled);
    stage.keys("enter enter enter");
    assert_eq!(stage.draft("why"), text("because"));
    assert_eq!(stage.draft("all"), Reply::of(Answer::Confirm(true)));
    assert!(!stage.draft("many").is_unanswered());
}

#[test]
fn a_typed_answer_is_not_skipped_in_silence() {
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
fn a_clock_that_is_set_back_keeps_no_key_from_an_open_question() {
    let mut stage = Stage::with(asks::TEXT, &Look { from_inbox: true, ..Look::default() });
    stage.keys("enter");
    stage.wait(1_000);
    stage.set_clock(-300_000);
    stage.keys("'typed'");
    stage.wait(1_000);
    assert_eq!(stage.draft("why"), text("typed"));
}

#[test]
fn whoever_types_over_what_somebody_else_saved_is_told_so_whichever_comes_first() {
    let mut stage = Stage::of(asks::TEXTS);
    stage.keys("tab");
    stage.key(key("m"));
    stage.elsewhere(|desk, id| save(desk, id, "two", text("theirs")));
    stage.must_not_show("meanwhile");
    stage.wait(1_000);
    stage.must_show("Question 2 had been changed elsewhere meanwhile; it now has your answer.");
    assert_eq!(stage.draft("two"), text("m"));
    // What was saved here before is nobody else's, and is told once.
    stage.key(key("i"));
    stage.elsewhere(|desk, id| save(desk, id, "one", text("theirs")));
    stage.must_show("Question 1 was changed elsewhere");
    stage.wait(1_000);
    stage.must_not_show("meanwhile");
    assert_eq!(stage.draft("two"), text("mi"));
}

#[test]
fn an_editor_that_gives_the_text_back_as_it_was_changes_nothing() {
    for given_back in ["mine", "mine\n"] {
        let mut stage = Stage::of(asks::CHOICE);
        stage.keys("o 'mine' up up space ^g");
        let [.., Effect::Edit(text)] = stage.others.as_slice() else { panic!("{:?}", stage.others) };
        assert_eq!(text, "mine");
        stage.happen(Action::Edited(Ok(given_back.into())));
        stage.wait(1_000);
        let reply = stage.draft("when");
        assert_eq!(reply.said, Said::Answer(Answer::Picks(Pick::Option("tonight".into()).into())));
        // What was changed there is meant.
        stage.happen(Action::Edited(Ok("mine, changed\n".into())));
        stage.wait(1_000);
        assert_eq!(stage.draft("when").said, own("mine, changed"));
    }
}

#[test]
fn whatever_the_clock_is_set_to_a_save_is_told_to_be_slow_and_tried_again_in_time() {
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
