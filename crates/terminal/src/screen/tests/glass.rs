//! Property tests over random input. Nothing panics, nothing is sent outside the review, no typed text is lost, and
//! agents' text appears only where it may.

use super::asks::{self, asker, save};
use super::keys;
use super::stage::{Look, SIZES, Stage};
use crate::screen::answering::Spot;
use crate::screen::effect::{Action, Call};
use crate::screen::theme::{Role, Theme};
use crate::screen::{Input, Key, KeyCode, Mouse, MouseKind};
use proptest::prelude::*;
use sayso_core::{Answer, Asker, Pick, Reply, Said};
use sayso_desk::Desk;

/// An input or a change elsewhere.
#[derive(Debug, Clone)]
enum Event {
    Key(Key),
    Paste(String),
    Mouse(MouseKind, u16, u16),
    Size(u16, u16),
    Wait(i64),
    Elsewhere(&'static str, String),
}

fn event() -> impl Strategy<Value = Event> {
    let named = "tab s-tab esc enter space up down left right home end pgup pgdn bs del f1 ^s ^c ^g ^_ ^w ^u ^k ^y ^j ^e \
                 alt-1 alt-2 alt-0 alt-_ alt-b alt-enter ? R a o n u - / p e x y d v c i j k g G N 0 1 2 3 5 9";
    let named: Vec<Key> = named.split_whitespace().map(keys::key).collect();
    prop_oneof![
        12 => prop::sample::select(named).prop_map(Event::Key),
        4 => any::<char>().prop_map(|c| Event::Key(Key::plain(KeyCode::Char(c)))),
        1 => "(\\PC|\n|\r|\u{1b}|\t){0,30}".prop_map(Event::Paste),
        2 => (0_u8..3, 0_u16..130, 0_u16..45).prop_map(|(kind, column, row)| {
            let kind = [MouseKind::Press, MouseKind::WheelUp, MouseKind::WheelDown][usize::from(kind)];
            Event::Mouse(kind, column, row)
        }),
        1 => (0_u16..130, 0_u16..45).prop_map(|(columns, rows)| Event::Size(columns, rows)),
        3 => (0_i64..700).prop_map(Event::Wait),
        1 => (prop::sample::select(vec!["when", "where", "why", "name", "notes", "owner"]), "[a-z]{0,4}")
            .prop_map(|(question, said)| Event::Elsewhere(question, said)),
    ]
}

/// Asserts that the desk has everything on the sheet and in the fields, after all saves.
fn assert_kept(stage: &Stage) {
    let Some(view) = &stage.app.answering else { return };
    let draft = stage.desk.draft(view.ask.id).unwrap();
    for (place, question) in view.sheet.questions().iter().enumerate() {
        let reply = view.sheet.reply_at(place);
        let stored = draft.replies.get(&question.id).cloned().unwrap_or_default();
        if !view.sheet.is_prefilled(place) {
            assert_eq!(*reply, stored, "{}", question.id);
        }
        let Some(field) = view.field(place) else { continue };
        // A note of white space alone is no note.
        let note = Some(field.note.text()).filter(|note| !note.trim().is_empty());
        assert_eq!(note, stored.note.as_deref(), "{}", question.id);
        let words = field.text.text();
        let kept = match (&stored.said, &stored.aside) {
            (_, Some(aside)) => aside.clone(),
            (Said::Answer(Answer::Picks(picks)), None) => {
                let own = picks.iter().find_map(|pick| match pick {
                    Pick::Other(text) => Some(text.clone()),
                    Pick::Option(_) => None,
                });
                own.unwrap_or_default()
            }
            (Said::Answer(Answer::Text(text)), _) => text.clone(),
            // A parsed number or date is not compared letter by letter.
            _ => continue,
        };
        let is_choice = matches!(question.kind, sayso_core::Kind::Choice(_));
        let is_text = matches!(question.kind, sayso_core::Kind::Text(_));
        if (is_choice || is_text) && !view.sheet.is_prefilled(place) {
            assert_eq!(words, kept, "{}", question.id);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_input_neither_sends_nor_loses(
        ask in prop::sample::select(vec![asks::CHOICE, asks::SCALES, asks::TYPED, asks::SECTIONS, asks::ACTION]),
        from_inbox in any::<bool>(),
        events in prop::collection::vec(event(), 1..80),
    ) {
        let mut stage = Stage::with(ask, &Look { from_inbox, ..Look::default() });
        for event in events {
            let at_review = matches!(&stage.app.answering, Some(view) if view.spot == Spot::Review) && !stage.shows("too small");
            let acts = stage.acts();
            let fresh = matches!(&event, Event::Key(key) if key.code == KeyCode::Enter || *key == Key::ctrl('s'))
                || matches!(event, Event::Mouse(MouseKind::Press, ..));
            match event {
                Event::Key(key) => stage.key(key),
                Event::Paste(text) => stage.happen(Action::Input(Input::Paste(text))),
                Event::Mouse(kind, column, row) => {
                    stage.happen(Action::Input(Input::Mouse(Mouse { kind, column, row })));
                }
                Event::Size(columns, rows) => stage.resize((columns, rows)),
                Event::Wait(ms) => stage.wait(ms),
                Event::Elsewhere(question, said) => {
                    let asked = stage.ask().request.questionnaire.clone();
                    if asked.question(&question.into()).is_some() {
                        let answer = match question {
                            "when" | "where" => Answer::Picks(Pick::Other(said).into()),
                            _ => Answer::Text(said),
                        };
                        stage.elsewhere(|desk, id| save(desk, id, question, Reply::of(answer)));
                    }
                }
            }
            if stage.acts() > acts {
                prop_assert!(fresh, "something was sent by no key for it");
                let is_answer = matches!(
                    stage.calls.iter().rev().find(|call| matches!(call, Call::Act { .. })),
                    Some(Call::Act { command: sayso_core::Command::Submit { .. }, .. })
                );
                prop_assert!(!is_answer || at_review, "something was sent that was not reviewed");
            }
            if stage.ended.is_some() || !stage.is_open() {
                break;
            }
        }
        stage.wait(1_000);
        if stage.is_open() {
            assert_kept(&stage);
        }
    }
}

/// A letter that only the agent writes.
const MARK: char = 'Ж';

/// Replaces every letter of the agent by that letter.
fn marked(ask: &str) -> String {
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
fn may_stand(row: &str, y: u16) -> bool {
    let before: String = row.chars().take_while(|c| *c != MARK).collect();
    let begins = before.trim_start_matches([' ', '│', '|', '▸', '>']);
    y < 2 || before.contains('┃') || !begins.trim().is_empty() || before.starts_with("         ")
}

#[test]
fn agent_text_never_looks_like_ours() {
    let asker = Asker { name: "claude".into(), ..asker() };
    for ask in [asks::CHOICE, asks::SCALES, asks::TYPED, asks::SECTIONS, asks::ACTION] {
        let ask = marked(ask);
        for size in SIZES {
            let look = Look { size, from_inbox: true, ..Look::default() };
            let mut stage = Stage::inbox(&[(&ask, asker.clone())], &look);
            let check = |stage: &Stage, keys: &str| {
                for (y, row) in (0..).zip(stage.screen().lines()) {
                    if row.contains(MARK) {
                        assert!(may_stand(row, y), "after {keys}, row {y}:\n{}", stage.screen());
                    }
                }
            };
            check(&stage, "");
            for keys in
                ["enter", "1 tab", "2 p", "esc tab tab", "^s", "down down", "esc", "esc alt-1 p", "esc ^s d"]
            {
                stage.keys(keys);
                check(&stage, keys);
            }
        }
    }
}

#[test]
fn agent_text_is_plain_in_themes() {
    for name in Theme::NAMES {
        let theme = Theme::named(name).unwrap();
        assert_eq!(theme.style(Role::Agent), theme.style(Role::Plain), "{name}");
        assert!(!theme.signs.gutter.is_empty());
    }
}
