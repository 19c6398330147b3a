//! Each key that a footer shows has an effect.

use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::Message;

/// Key hints, and how to press their keys; `|` separates keys of which one must have an effect.
const KEYS: [(Message, &str); 51] = [
    (Message::KeyAction, "p"),
    (Message::KeyAllNone, "a"),
    (Message::KeyAllOptions, "esc"),
    (Message::KeyBack, "esc"),
    (Message::KeyChange, "enter"),
    (Message::KeyClear, "u"),
    (Message::KeyCopy, "c"),
    (Message::KeyDecline, "d"),
    (Message::KeyEditor, "^g"),
    (Message::KeyEnterDecline, "enter"),
    (Message::KeyEnterDone, "enter"),
    (Message::KeyEnterLine, "enter"),
    (Message::KeyEnterNext, "enter"),
    (Message::KeyEnterPick, "enter"),
    (Message::KeyEnterPickNext, "enter"),
    (Message::KeyEnterSubmit, "enter"),
    (Message::KeyEnterView, "enter"),
    (Message::KeyEscClear, "esc"),
    (Message::KeyEscDone, "esc"),
    (Message::KeyFilter, "/"),
    (Message::KeyHelp, "?"),
    (Message::KeyHelpTyping, "f1"),
    (Message::KeyHistory, "tab"),
    (Message::KeyJump, "g"),
    (Message::KeyLeave, "esc"),
    (Message::KeyLeaveBox, "esc"),
    (Message::KeyMove, "down|up"),
    (Message::KeyNewLine, "alt-enter"),
    (Message::KeyNo, "n"),
    (Message::KeyNote, "n"),
    (Message::KeyNoteOfConfirm, "N"),
    (Message::KeyOpen, "enter"),
    (Message::KeyOwn, "o"),
    (Message::KeyPending, "tab"),
    (Message::KeyPick, "1|2"),
    (Message::KeyPickOwn, "o"),
    (Message::KeyPreview, "p"),
    (Message::KeyQuit, "q"),
    (Message::KeyRate, "right"),
    (Message::KeyScroll, "pgdn"),
    (Message::KeySearch, "/"),
    (Message::KeySkip, "-"),
    (Message::KeySort, "s"),
    (Message::KeyStep, "down|up"),
    (Message::KeySubmit, "^s"),
    (Message::KeyTab, "tab"),
    (Message::KeyTakeBack, "bs"),
    (Message::KeyType, "enter"),
    (Message::KeyUndo, "^_"),
    (Message::KeyView, "v"),
    (Message::KeyYes, "y"),
];

/// Pages: the ask, and the keys that lead to one.
const PAGES: [(&str, &str); 24] = [
    (fixtures::CHOICE, ""),
    (fixtures::CHOICE, "down"),
    (fixtures::CHOICE, "3"),
    (fixtures::CHOICE, "tab"),
    (fixtures::CHOICE, "tab 1"),
    (fixtures::CHOICE, "o"),
    (fixtures::CHOICE, "o 'x'"),
    (fixtures::CHOICE, "n"),
    (fixtures::CHOICE, "/"),
    (fixtures::CHOICE, "alt-0"),
    (fixtures::CHOICE, "o 'my words' esc up 3 alt-0"),
    (fixtures::SCALES, ""),
    (fixtures::SCALES, "tab"),
    (fixtures::SCALES, "tab 3"),
    (fixtures::TYPED, ""),
    (fixtures::TYPED, "'abc'"),
    (fixtures::TYPED, "esc"),
    (fixtures::TYPED, "tab 'a'"),
    (fixtures::TYPED, "tab tab '3'"),
    (fixtures::TYPED, "alt-4"),
    (fixtures::SECTIONS, "2 enter 1 alt-1 1 alt-0 end up up"),
    (fixtures::ACTION, ""),
    (fixtures::ACTION, "2"),
    (fixtures::ACTION, "n 'why' enter alt-0"),
];

/// Returns the hints in the footer.
fn hints(stage: &ScreenStage) -> Vec<String> {
    let screen = stage.screen();
    let rows: Vec<_> = screen.lines().collect();
    let rule = rows.iter().rposition(|row| row.starts_with(['─', '-'])).unwrap();
    // The row of the state is above those of the keys.
    let keys = rows[rule + 1..].iter().skip(1);
    let hints = keys.flat_map(|row| row.trim().split("  ")).map(|hint| hint.trim().to_owned());
    hints.filter(|hint| !hint.is_empty()).collect()
}

/// Presses the key of each hint on a stage of its own.
fn press_each(look: &StageConfig, name: &str, open: impl Fn() -> ScreenStage) {
    for hint in hints(&open()) {
        // Several hints may have the same words, such as Esc on two pages.
        let (_, key) = KEYS
            .into_iter()
            .find(|(message, _)| look.words(*message) == hint)
            .unwrap_or_else(|| panic!("{hint:?} of {name} is no known hint"));
        let has_effect = |key: &str| {
            let mut stage = open();
            let state = |stage: &ScreenStage| (stage.screen(), stage.cursor, stage.other_effects.len());
            let before = state(&stage);
            stage.press_keys(key);
            stage.ended.is_some() || before != state(&stage)
        };
        assert!(key.split('|').any(has_effect), "{hint:?} does nothing at {name}\n{}", open().screen());
    }
}

#[test]
fn shown_keys_have_an_effect() {
    // The widest screen shows every hint, and the keys are the same in every look.
    let look = looks().next().unwrap();
    for (ask, keys) in PAGES {
        press_each(&look, keys, || {
            let mut stage = ScreenStage::open_with(ask, &look);
            stage.press_keys(keys);
            stage
        });
    }
    let asks = [fixtures::CHOICE, fixtures::TEXT, fixtures::ANY, fixtures::SCALES].map(|ask| (ask, asker()));
    for keys in ["", "tab", "/ 'o'"] {
        press_each(&look, "the inbox", || {
            let mut stage =
                ScreenStage::new(&asks, &StageConfig { from_inbox: true, ..look.clone() }, |desk, ids| {
                    ids[2..].iter().for_each(|id| fixtures::decline_elsewhere(desk, *id));
                });
            stage.press_keys(keys);
            stage
        });
    }
}
