//! Property tests over random input. Nothing panics, nothing is sent outside the review, no typed text is lost, and
//! agents' text appears only where it may.

use crate::tty::{InputEvent, Key, KeyCode, MouseEvent, MouseKind};
use crate::tui::answer::AskTab;
use crate::tui::effect::{DeskCall, Event};
use crate::tui::tests::stage::fixtures::{self, asker, save_elsewhere};
use crate::tui::tests::stage::keys;
use crate::tui::tests::stage::{SIZES, ScreenStage, StageConfig};
use crate::tui::widgets::theme::{StyleRole, Theme};
use proptest::prelude::*;
use sayso_core::{Answer, Asker, Pick, Reply, ReplyContent};
use sayso_desk::Desk;

/// An input or a change elsewhere.
#[derive(Debug, Clone)]
enum RandomEvent {
    Key(Key),
    Paste(String),
    Mouse(MouseKind, u16, u16),
    Size(u16, u16),
    Wait(i64),
    Elsewhere(&'static str, String),
}

fn random_event() -> impl Strategy<Value = RandomEvent> {
    let named = "tab s-tab esc enter space up down left right home end pgup pgdn bs del f1 ^s ^c ^g ^_ ^w ^u ^k ^y ^j ^e \
                 alt-1 alt-2 alt-0 alt-_ alt-b alt-enter ? R a o n u - / p e x y d v c i j k g G N 0 1 2 3 5 9";
    let named: Vec<Key> = named.split_whitespace().map(keys::key).collect();
    prop_oneof![
        12 => prop::sample::select(named).prop_map(RandomEvent::Key),
        4 => any::<char>().prop_map(|c| RandomEvent::Key(Key::plain(KeyCode::Char(c)))),
        1 => "(\\PC|\n|\r|\u{1b}|\t){0,30}".prop_map(RandomEvent::Paste),
        2 => (0_u8..3, 0_u16..130, 0_u16..45).prop_map(|(kind, column, row)| {
            let kind = [MouseKind::Press, MouseKind::WheelUp, MouseKind::WheelDown][usize::from(kind)];
            RandomEvent::Mouse(kind, column, row)
        }),
        1 => (0_u16..130, 0_u16..45).prop_map(|(columns, rows)| RandomEvent::Size(columns, rows)),
        3 => (0_i64..700).prop_map(RandomEvent::Wait),
        1 => (prop::sample::select(vec!["when", "where", "why", "name", "notes", "owner"]), "[a-z]{0,4}")
            .prop_map(|(question, text)| RandomEvent::Elsewhere(question, text)),
    ]
}

/// Asserts that the desk has everything on the sheet and in the fields, after all saves.
fn assert_kept(stage: &ScreenStage) {
    let Some(view) = &stage.app.ask_view else { return };
    let draft = stage.desk.draft(view.ask.id).unwrap();
    for (place, question) in view.form.sheet.questions().iter().enumerate() {
        let reply = view.form.sheet.reply_at(place);
        let stored = draft.replies.get(&question.id).cloned().unwrap_or_default();
        // A yes or no is not taken over from a draft: the person gives it again.
        let is_asked_again = view.form.is_consent(place) && reply.content == ReplyContent::Unanswered;
        if !view.form.sheet.is_prefilled(place) && !is_asked_again {
            assert_eq!(*reply, stored, "{}", question.id);
        }
        let Some(field) = view.form.field(place) else { continue };
        // A note of white space alone is no note.
        let note = Some(field.note.text()).filter(|note| !note.trim().is_empty());
        assert_eq!(note, stored.note.as_deref(), "{}", question.id);
        let words = field.text.text();
        let kept = match (&stored.content, &stored.unused_other) {
            (_, Some(aside)) => aside.clone(),
            (ReplyContent::Answered(Answer::Picks(picks)), None) => {
                let own = picks.iter().find_map(|pick| match pick {
                    Pick::Other(text) => Some(text.clone()),
                    Pick::Option(_) => None,
                });
                own.unwrap_or_default()
            }
            (ReplyContent::Answered(Answer::Text(text)), _) => text.clone(),
            // A parsed number or date is not compared letter by letter.
            _ => continue,
        };
        let is_choice = question.choice().is_some();
        let is_text = question.is_text();
        if (is_choice || is_text) && !view.form.sheet.is_prefilled(place) {
            assert_eq!(words, kept, "{}", question.id);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_input_neither_sends_nor_loses(
        ask in prop::sample::select(vec![fixtures::CHOICE, fixtures::SCALES, fixtures::TYPED, fixtures::SECTIONS, fixtures::ACTION]),
        from_inbox in any::<bool>(),
        events in prop::collection::vec(random_event(), 1..80),
    ) {
        let mut stage = ScreenStage::open_with(ask, &StageConfig { from_inbox, ..StageConfig::default() });
        let mut is_pressed = false;
        for event in events {
            let has_button = |view: &crate::tui::answer::AskView| view.tab == AskTab::Review || !view.has_review();
            let at_button = stage.app.ask_view.as_ref().is_some_and(has_button) && !stage.shows("too small");
            let acts = stage.act_count();
            is_pressed = match &event {
                RandomEvent::Key(key) => key.code == KeyCode::Enter || *key == Key::ctrl('s'),
                RandomEvent::Mouse(kind, ..) => *kind == MouseKind::Press,
                RandomEvent::Paste(_) => false,
                RandomEvent::Size(..) | RandomEvent::Wait(_) | RandomEvent::Elsewhere(..) => is_pressed,
            };
            match event {
                RandomEvent::Key(key) => stage.press_key(key),
                RandomEvent::Paste(text) => stage.handle_event(Event::Input(InputEvent::Paste(text))),
                RandomEvent::Mouse(kind, column, row) => {
                    stage.handle_event(Event::Input(InputEvent::Mouse(MouseEvent { kind, column, row })));
                }
                RandomEvent::Size(columns, rows) => stage.resize((columns, rows)),
                RandomEvent::Wait(ms) => stage.advance(ms),
                RandomEvent::Elsewhere(question, words) => {
                    let asked = stage.ask().request.questionnaire.clone();
                    if asked.question(&question.into()).is_some() {
                        let answer = match question {
                            "when" | "where" => Answer::Picks(Pick::Other(words).into()),
                            _ => Answer::Text(words),
                        };
                        stage.change_elsewhere(|desk, id| save_elsewhere(desk, id, question, Reply::from_answer(answer)));
                    }
                }
            }
            if stage.act_count() > acts {
                prop_assert!(is_pressed, "something was sent by no key for it");
                let is_answer = matches!(
                    stage.calls.iter().rev().find(|call| matches!(call, DeskCall::Act { .. })),
                    Some(DeskCall::Act { command: sayso_core::AskCommand::Submit { .. }, .. })
                );
                prop_assert!(!is_answer || at_button, "something was sent that was not shown");
            }
            if stage.ended.is_some() || !stage.is_open() {
                break;
            }
        }
        stage.advance(1_000);
        if stage.is_open() {
            assert_kept(&stage);
        }
    }
}

/// A letter that only the agent writes.
const MARK: char = 'Ж';

/// Replaces every letter of the agent by that letter.
fn mark_agent_text(ask: &str) -> String {
    const WORDS: [&str; 15] = [
        "title",
        "context",
        "prompt",
        "detail",
        "label",
        "description",
        "preview",
        "placeholder",
        "yes",
        "no",
        "submit",
        "cancel",
        "message",
        "other_label",
        "command",
    ];
    let (mut marked, mut rest) = (String::new(), ask);
    while let Some((before, after)) = rest.split_once("\": \"") {
        let name = before.rsplit('"').next().unwrap();
        marked.push_str(before);
        marked.push_str("\": \"");
        let end = after.replace("\\\"", "  ").find('"').unwrap();
        let (text, after) = after.split_at(end);
        let mut is_escaped = false;
        marked.extend(text.chars().map(|c| {
            let stays = std::mem::replace(&mut is_escaped, c == '\\') || !c.is_alphanumeric();
            if stays || !WORDS.contains(&name) { c } else { MARK }
        }));
        rest = after;
    }
    marked + rest
}

/// Returns whether an agent's text may appear in this row: behind the gutter, as a name after a symbol or number of
/// ours, or inside a sentence that begins with our words.
fn may_appear(row: &str, y: u16) -> bool {
    let before: String = row.chars().take_while(|c| *c != MARK).collect();
    let begins = before.trim_start_matches([' ', '│', '|', '▸', '>']);
    y < 2 || before.contains('┃') || !begins.trim().is_empty() || before.starts_with("         ")
}

#[test]
fn agent_text_never_looks_like_ours() {
    let asker = Asker { name: "claude".into(), ..asker() };
    for ask in [fixtures::CHOICE, fixtures::SCALES, fixtures::TYPED, fixtures::SECTIONS, fixtures::ACTION] {
        let ask = mark_agent_text(ask);
        for size in SIZES {
            let look = StageConfig { size, from_inbox: true, ..StageConfig::default() };
            let mut stage = ScreenStage::inbox(&[(&ask, asker.clone())], &look);
            let check = |stage: &ScreenStage, keys: &str| {
                for (y, row) in (0..).zip(stage.screen().lines()) {
                    if row.contains(MARK) {
                        assert!(may_appear(row, y), "after {keys}, row {y}:\n{}", stage.screen());
                    }
                }
            };
            check(&stage, "");
            for keys in
                ["enter", "1 tab", "2 p", "esc tab tab", "^s", "down down", "esc", "esc alt-1 p", "esc ^s d"]
            {
                stage.press_keys(keys);
                check(&stage, keys);
            }
        }
    }
}

#[test]
fn agent_text_is_plain_in_themes() {
    for name in Theme::NAMES {
        let theme = Theme::from_name(name).unwrap();
        assert_eq!(theme.style(StyleRole::Agent), theme.style(StyleRole::Plain), "{name}");
        assert!(!theme.symbols.gutter.is_empty());
    }
}
