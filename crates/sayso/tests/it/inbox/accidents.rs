//! Tests that nothing is lost or sent by accident: every key of the screens, held keys, pastes, and double-width
//! letters.

use crate::inbox::kinds::all_kinds;
use crate::inbox::person::{
    ESC, is_open, leave_ask, open_only_ask, press_until, rows, selected_row, send_answers, send_until,
};
use crate::support::emulated_terminal::EmulatedTerminal;
use crate::support::sample_requests::text;
use crate::support::test_world::TestWorld;
use sayso_desk::Desk as _;
use serde_json::{Value, json};

/// Title of the help page, which F1 opens everywhere.
const HELP: &str = "Keys";

/// A choice with a free-text option, and its follow-up.
fn choice_with_other() -> String {
    json!({ "sayso": 1, "title": "Ways", "questions": [
        { "id": "way", "prompt": "Which way?", "other": true, "options": [
            { "label": "North", "preview": "up" }, { "label": "South", "recommended": true },
        ]},
        { "id": "go", "kind": "confirm", "prompt": "Go?", "required": false },
    ]})
    .to_string()
}

/// All non-letter keys of the key map as terminals send them, and the letters that are commands outside of a text box.
const KEYS: &[&str] = &[
    "\t", "\x1b[Z", "\x1b1", "\x1b2", "\x1b9", "\x1b0", "\x1b[5~", "\x1b[6~", "\x13", "?", ESC, "\x1bOP",
    ESC, "\x0c", "\x03", "\x1b1", "j", "k", "\x1b[A", "\x1b[B", "\x0e", "\x10", "g", "G", "\x1b[H", "\x1b[F",
    "n", ESC, "p", ESC, "/", ESC, "u", "\x1f", "\x1b_", "e", "-", "\x1b1", "h", "l", "0", "\x7f", "\x1b[3~",
    "\x04", "\x12", "\x0b", "\x1f", "\x1b2", "y", "n", "\x1b[C", "\x1b[D", "\x07", "\x1b0", "v", "c",
    "\x1b[A", "\x1b[B", "d", ESC, ESC, ESC,
];

#[test]
fn all_keys_and_crash_keep_text() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &choice_with_other(), "guide");
    let words: Vec<String> = (0..500).map(|number| format!("word{number}")).collect();
    let words = words.join(" ");
    let mut screen = open_only_ask(&world);
    screen.type_bytes("o").expect_text("your answer");
    screen.type_bytes(&words).expect_text("word499");
    screen.type_bytes("\t").expect_text("Go?");
    for key in KEYS {
        screen.type_bytes(key);
    }
    // Saves are ordered: the last typed text shows that all before it is stored.
    screen.type_bytes("\x1b1").expect_text("Which way?");
    screen.type_bytes("o").expect_text("your answer");
    screen.type_bytes("!").expect_text("word499!");
    let words = format!("{words}!");
    world.wait_for_draft_where(&id.to_string(), |draft| format!("{draft:?}").contains(&words));
    screen.kill();
    let shown = world.show(&id.to_string());
    assert_eq!(shown["state"], "open", "{shown}");
    let reply = &shown["draft"]["replies"]["way"];
    let own = [&reply["answer"]["picks"][0]["other"], &reply["aside"]];
    assert!(own.contains(&&json!(words)), "{reply}");
    let mut screen = open_only_ask(&world);
    screen.type_bytes("\x1b1").expect_text("Which way?");
    screen.type_bytes("o").expect_text("word499");
    screen.type_bytes("\x1b0").expect_text("Check your answers");
    send_answers(&mut screen);
    let shown = world.show(&id.to_string());
    let picks = &shown["phase"]["settled"]["replies"]["way"]["answer"]["picks"];
    assert_eq!(*picks, json!([{ "other": words }]), "{shown}");
}

#[test]
fn held_enter_sends_nothing() {
    let world = TestWorld::new();
    let questions = json!([
        { "prompt": "Which?", "options": [{ "label": "A" }, { "label": "B" }], "required": false },
        { "prompt": "How good?", "kind": "rating", "required": false },
        { "prompt": "More?", "required": false },
    ]);
    let id =
        leave_ask(&world, &json!({ "sayso": 1, "title": "Held", "questions": questions }).to_string(), "x");
    let mut screen = open_only_ask(&world);
    // Three seconds of a key at 30 repeats a second, faster than any hand.
    for _ in 0..90 {
        screen.type_bytes("\r");
    }
    screen.type_bytes("\x1b0").expect_text("Check your answers");
    for _ in 0..90 {
        screen.type_bytes("\r");
    }
    // A terminal that reports key repeats.
    for _ in 0..90 {
        screen.type_bytes("\x1b[13;1:2u");
    }
    // All earlier keys have been handled once this shows.
    screen.type_bytes("\x1bOP").expect_text(HELP);
    assert_eq!(world.show(&id.to_string())["state"], "open");
    screen.type_bytes(ESC);
    send_answers(&mut screen);
}

#[test]
fn repeated_esc_leaves_ask_open() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &all_kinds().to_string(), "x");
    let mut screen = open_only_ask(&world);
    screen.type_bytes("\x1b2").expect_text("Which font?");
    screen.type_bytes("2");
    world.wait_for_draft(id, 1);
    for number in 0..=9 {
        screen.type_bytes(format!("\x1b{number}"));
        let place = format!("{}{number}", if number == 0 { "Check your answers" } else { "Question " });
        let place = place.trim_end_matches('0').to_owned();
        screen.wait_for(|screen| screen.contents().contains(&place));
        // Esc leads out of the text, then to the list, and there nowhere.
        press_until(&mut screen, ESC, |screen| !is_open(screen));
        for _ in 0..5 {
            screen.type_bytes(ESC);
        }
        screen.type_bytes("\r").wait_for(is_open);
        assert_eq!(world.show(&id.to_string())["state"], "open");
    }
    let draft = world.show(&id.to_string())["draft"]["replies"].clone();
    assert_eq!(draft.as_object().unwrap().keys().collect::<Vec<_>>(), ["own"]);
}

#[test]
fn keys_show_without_colour() {
    let world = TestWorld::new();
    leave_ask(&world, &text("First"), "x");
    let second = leave_ask(&world, &choice_with_other(), "x");
    let mut screen = crate::inbox::person::open_inbox_by(&world.sayso([""; 0]).env("NO_COLOR", "1"));
    let shown = screen.wait_for(|screen| selected_row(screen).is_some());
    let row = shown.lines().position(|line| line.contains('▸')).unwrap();
    let is_plain = |screen: &EmulatedTerminal| {
        (0..24).all(|row| {
            (0..80).all(|column| {
                let cell = screen.cell(row, column);
                cell.fgcolor() == vt100::Color::Default && cell.bgcolor() == vt100::Color::Default
            })
        })
    };
    assert!((0..80).any(|column| screen.cell(u16::try_from(row).unwrap(), column).inverse()), "{shown}");
    assert!(is_plain(&screen));
    screen.type_bytes("j\r").wait_for(is_open);
    let shown = screen.type_bytes("2").wait_for(|screen| screen.contents().contains("(•) 2"));
    let row = u16::try_from(shown.lines().position(|line| line.contains("▸ (•) 2")).unwrap()).unwrap();
    assert!((0..80).any(|column| screen.cell(row, column).inverse()), "{shown}");
    assert!(is_plain(&screen));
    world.wait_for_draft(second, 1);
}

#[test]
fn paste_is_one_escaped_answer() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &json!({ "sayso": 1, "title": "Log", "questions": [
        { "id": "log", "prompt": "What did it say?" }, { "id": "go", "kind": "confirm", "prompt": "Go?", "required": false },
    ]}).to_string(), "x");
    let lines: Vec<String> = (0..200)
        .map(|line| {
            format!("line {line} \x1b[31mred\x1b[0m \x1b]52;c;eA==\x07 \u{202e}back\u{202c} \u{9b}2J y")
        })
        .collect();
    let mut screen = open_only_ask(&world);
    screen.expect_text("What did it say?");
    screen.type_bytes(format!("\x1b[200~{}\x1b[201~", lines.join("\r\n"))).expect_text("200 lines pasted");
    screen.type_bytes("\x1b0").expect_text("Check your answers");
    assert_eq!(world.show(&id.to_string())["state"], "open");
    screen.type_bytes("\x1b1").expect_text("What did it say?");
    screen.type_bytes("\x1b[5~\x1b[6~\x1b0").expect_text("Check your answers");
    send_answers(&mut screen);
    screen.assert_only_own_sequences();
    let shown = world.show(&id.to_string());
    let replies = &shown["phase"]["settled"]["replies"];
    let text = replies["log"]["answer"]["text"].as_str().unwrap();
    assert_eq!(text.split('\n').count(), 200);
    assert!(!text.contains(['\r', '\x1b', '\x07', '\u{9b}']), "{text:?}");
    assert!(text.starts_with("line 0 ") && text.ends_with(" y"), "{text:?}");
    assert_eq!(replies["go"]["state"], "unanswered");
}

#[test]
fn long_question_scrolls_on_small_screen() {
    let world = TestWorld::new();
    let prompt: Vec<String> =
        (0..40).map(|number| format!("sentence{number} has some words to it.")).collect();
    let options: Vec<Value> = (1..=10)
        .map(|number| json!({ "label": format!("option{number}"), "description": format!("about {number}: {}", "long ".repeat(30)) }))
        .collect();
    let request = json!({ "sayso": 1, "title": "A title that is longer than the screen is wide", "questions": [
        { "id": "a", "prompt": prompt.join("\n\n"), "options": options },
        { "id": "b", "prompt": "End?", "required": false },
    ]});
    leave_ask(&world, &request.to_string(), "x");
    let mut screen = EmulatedTerminal::start(&world.sayso([""; 0]), 12, 40);
    screen.expect_text("A title that is");
    screen.type_bytes("\r").wait_for(is_open);
    // It opens at its beginning, however far below the current option is.
    screen.expect_text("sentence0 ");
    press_until(&mut screen, "\x1b[5~", |screen| screen.contents().contains(" 1-"));
    let mut seen = screen.contents();
    while !screen.contents().contains("sentence39 ") {
        let before = screen.contents();
        screen.type_bytes("\x1b[6~").wait_for(|screen| screen.contents() != before);
        seen.push_str(&screen.contents());
    }
    for number in 0..40 {
        assert!(seen.contains(&format!("sentence{number} ")), "sentence{number} is nowhere in {seen}");
    }
    for number in 1..=10 {
        let words = format!("option{number}");
        screen.type_bytes(if number == 1 { "\x1b[H" } else { "\x1b[B" });
        screen.wait_for(|screen| {
            rows(screen).iter().any(|row| row.starts_with('▸') && row.trim_end().ends_with(&words))
        });
    }
    // An Enter right after the one that opened it may be a held key.
    // Its description is cut, so it is opened before it can be sent.
    screen.type_bytes(" p").expect_text("Preview of 10");
    screen.type_bytes("\x1b").wait_for(|screen| !screen.contents().contains("Preview of 10"));
    screen.type_bytes("\t").expect_text("End?");
    screen.type_bytes("\t").expect_text("[ ");
    send_answers(&mut screen);
}

#[test]
fn burst_keys_answer_nothing_undrawn() {
    let world = TestWorld::new();
    let prompt: Vec<String> = (0..40).map(|number| format!("sentence{number}.")).collect();
    let request = json!({ "sayso": 1, "questions": [
        { "id": "long", "prompt": prompt.join("\n\n"), "options": ["Yes", "No"] },
        { "id": "short", "prompt": "End?", "options": ["Now", "Later"] },
    ]});
    leave_ask(&world, &request.to_string(), "x");
    let mut screen = EmulatedTerminal::start(&world.sayso([""; 0]), 24, 80);
    screen.expect_text("sentence0");
    screen.type_bytes("\r").wait_for(is_open);
    screen.type_bytes("\t").expect_text("End?");
    // Back to the long one, an answer to what is below it, and on to the short one with another.
    screen.type_bytes("\x1b[Z2\t2").expect_text("2  Later");
    let id = world.first_ask().0;
    world.wait_for_draft(id, 1);
    let draft = world.desk().draft(id).unwrap();
    let answered: Vec<_> = draft.into_typed_replies().map(|(question, _)| question.to_string()).collect();
    assert_eq!(answered, ["short"]);
}

#[test]
fn cursor_follows_korean_input() {
    let world = TestWorld::new();
    leave_ask(&world, &all_kinds().to_string(), "x");
    let mut screen = open_only_ask(&world);
    let at_caret = |screen: &mut EmulatedTerminal, typed: &str, after: &str| {
        screen.type_bytes(typed);
        screen.expect_text(after);
        let (row, column) = screen.cursor().unwrap_or_else(|| panic!("no cursor:\n{}", screen.contents()));
        let cells = (0..column).map(|at| screen.cell(row, at)).filter(|cell| !cell.is_wide_continuation());
        let before: String = cells
            .map(|cell| if cell.has_contents() { cell.contents().to_owned() } else { " ".to_owned() })
            .collect();
        assert!(before.ends_with(after), "{row}:{column} {before:?}\n{}", screen.contents());
    };
    screen.expect_text("Which colour?");
    assert_eq!(screen.cursor(), None, "nothing is typed here");
    screen.type_bytes("o").expect_text("your answer");
    at_caret(&mut screen, "한", "한");
    at_caret(&mut screen, "국어", "한국어");
    screen.type_bytes("\x1b[D");
    screen.wait_for(|screen| !screen.hide_cursor());
    at_caret(&mut screen, "e\u{301}", "한국e\u{301}");
    screen.type_bytes("\x1b4").expect_text("What name?");
    at_caret(&mut screen, "고객 공지", "고객 공지");
    screen.type_bytes("\x1b5").expect_text("What is new?");
    at_caret(&mut screen, "첫째\r둘", "둘");
    // The tab has the prompt, too, so only the cursor tells that the question is there.
    screen.type_bytes("\x1b6").wait_for(|screen| screen.hide_cursor());
    screen.type_bytes("N").expect_text("note");
    at_caret(&mut screen, "메모", "메모");
}

#[test]
fn stray_keys_never_reach_the_shell() {
    let world = TestWorld::new();
    let id = leave_ask(&world, &text("Story"), "x");
    let script = r#""$0" "$@"; echo shell is ready; IFS= read -r line; echo "shell read <$line>""#;
    let call = world.sayso(["answer", &id.to_string()]).by_shell(script);
    let mut screen = EmulatedTerminal::start(&call, 24, 80);
    screen.expect_text("Say it.");
    press_until(&mut screen, "x", |screen| screen.contents().contains("[ Submit ]"));
    send_until(&mut screen, |screen| screen.contents().contains("sending…"));
    // The answer is sent, and the screen still there: a second press, and whatever else is typed for it.
    screen.type_bytes("\x13\r\rtouch x\r");
    screen.expect_text("shell is ready");
    screen.type_bytes("end\r").expect_text("shell read <end>");
}
