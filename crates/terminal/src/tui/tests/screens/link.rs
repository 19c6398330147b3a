//! Tests of the link of an ask, which the inbox shows for a browser.

use crate::tui::effect::{Effect, Event};
use crate::tui::tests::stage::fixtures::{self, asker};
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use sayso_core::{Message, Problem, ProblemCode};

#[test]
fn link_is_shown_with_its_code() {
    let mut stage = ScreenStage::inbox(&[(fixtures::TYPED, asker())], &StageConfig::default());
    stage.press_keys("'b'");
    let id = stage.id.unwrap();
    assert!(
        stage.other_effects.iter().any(|effect| matches!(effect, Effect::FindLink(found) if *found == id))
    );
    stage.handle_event(Event::LinkFound(Ok(format!("http://localhost:7207/a/{id}"))));
    let shown = stage.screen();
    assert!(shown.contains("http://localhost:7207/a/") && shown.contains("█▀"), "{shown}");
    stage.press_keys("esc");
    assert!(!stage.screen().contains("http://localhost:7207"));
    let none =
        Problem::new(ProblemCode::DeskUnreachable, Message::NotServed).with_hint(Message::NotServedHint);
    stage.handle_event(Event::LinkFound(Err(none)));
    assert!(stage.screen().contains("sayso serve"), "{}", stage.screen());
}
