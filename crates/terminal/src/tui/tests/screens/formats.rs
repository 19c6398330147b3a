//! Members of formats that shape a page: names, rules that are checked on submit, and the view after an answer.

use crate::describe;
use crate::tui::tests::stage::fixtures::{asker, decline_elsewhere, person, save_elsewhere};
use crate::tui::tests::stage::looks::looks;
use crate::tui::tests::stage::{ScreenStage, StageConfig};
use crate::tui::widgets::theme::{StyleRole, Theme};
use sayso_core::model::outcome::{SeenLines, ShownView};
use sayso_core::{Actor, Answer, AskCommand, AskId, Message, QuestionId, Reply};
use sayso_desk::{Desk, StoreDesk};

const UNCHECKED: &str = r#"{"questions": [
    {"id": "code", "prompt": "Code", "unchecked": true, "constraints": [{"min_length": 5}]},
    {"id": "why", "prompt": "Why?"}]}"#;

fn from_inbox(look: StageConfig) -> StageConfig {
    StageConfig { from_inbox: true, ..look }
}

fn text(words: &str) -> Reply {
    Reply::from_answer(Answer::Text(words.into()))
}

#[test]
fn submit_rules_show_at_the_field() {
    for look in looks() {
        let error = look.words_with(Message::MinLength, ["5"]);
        let mut stage = ScreenStage::open_with(UNCHECKED, &look);
        stage.press_keys("'abc' enter 'because' enter");
        stage.must_show(&look.words_with(Message::SubmitButton, ["2", "2"]));
        stage.must_not_show_wrapped(&error);
        stage.advance(1_000);
        stage.press_keys("^s");
        assert_eq!(stage.act_count(), 1);
        assert!(stage.is_open());
        // The answer is named as on the review.
        stage.must_show_wrapped(&format!("{} Code: {error}", look.theme.symbols.wrong));
        stage.must_show_wrapped(&look.words_with(Message::AnswersNeedAttention, ["1"]));
        stage.must_not_show("answers.code");
        stage.press_keys("alt-1");
        stage.must_show_wrapped(&format!("{} {error}", look.theme.symbols.wrong));
        stage.press_keys("'de' ^s");
        stage.must_not_show_wrapped(&error);
        stage.advance(1_000);
        stage.press_keys("^s");
        assert_eq!(stage.submitted_reply("code"), Some(text("abcde")));
    }
}

#[test]
fn hidden_answers_are_not_in_the_summary_of_what_was_sent() {
    let json = r#"{"completed": {"answers": false, "summary": "Thank you."}, "questions": [{"id": "one", "prompt": "Secret?"}]}"#;
    for look in looks().map(from_inbox) {
        let mut stage = ScreenStage::open_with(json, &look);
        stage.press_keys("enter 'abc' enter");
        assert_eq!(stage.submitted_reply("one"), Some(text("abc")));
        stage.must_show(&look.words(Message::SentNow));
        stage.must_not_show("abc");
    }
}

#[test]
fn asker_judges_what_it_leaves_unchecked() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(UNCHECKED, &StageConfig { judged: true, ..look });
        stage.press_keys("'abc' enter 'because' enter");
        stage.advance(1_000);
        stage.press_keys("^s");
        assert_eq!(stage.submitted_reply("code"), Some(text("abc")));
    }
}

fn answer_elsewhere(desk: &StoreDesk, id: AskId) {
    save_elsewhere(desk, id, "one", text("first line\nsecond line"));
    let replies = desk.draft(id).unwrap().replies;
    let shown = desk.get(id).unwrap().request.digest;
    let submit = AskCommand::Submit { replies, as_sent: None, shown: shown.into() };
    desk.act(&Actor::Person(person("grace")), id, None, submit).unwrap();
}

#[test]
fn history_marks_whose_words_are_whose() {
    let json = r#"{"questions": [{"id": "one", "kind": "text", "long": true, "prompt": "Say\nwhy"}]}"#;
    for look in looks().map(from_inbox) {
        let signs = look.theme.symbols;
        let mut stage = ScreenStage::open_after(json, &look, answer_elsewhere);
        stage.press_keys("h enter");
        for (mark, words) in
            [(signs.gutter, "Say why"), (signs.right, "first line"), (signs.right, "second line")]
        {
            stage.must_show(&format!("{mark} {words}"));
        }
        stage.must_not_show(&format!("{} first line", signs.gutter));
    }
}

#[test]
fn completed_view_follows_the_asker() {
    for look in looks().map(from_inbox) {
        let signs = look.theme.symbols;
        let shown = |completed: &str| {
            let json =
                format!(r#"{{"completed": {completed}, "questions": [{{"id": "one", "prompt": "Name"}}]}}"#);
            let mut stage = ScreenStage::open_after(&json, &look, answer_elsewhere);
            stage.press_keys("h enter");
            stage
        };
        let both = shown(r#"{"answers": true, "summary": "Made {{one}}."}"#);
        both.must_show(&format!("{} Made first line", signs.gutter));
        both.must_show(&format!("{} first line", signs.right));
        let hidden = shown(r#"{"answers": false, "summary": "Thank you."}"#);
        hidden.must_show(&format!("{} Thank you.", signs.gutter));
        let id = hidden.ask().id.short_id();
        hidden.must_show_wrapped(&look.words_with(Message::AnswersHidden, [&id]));
        hidden.must_not_show("first line");
    }
}

/// Consent to an action.
const CONSENT: &str = r#"{"title": "Allow Bash?", "context": "It **cleans** up.",
    "action": {"tool": "Bash", "act": {"shell": {"command": "terraform apply\nrm -rf old", "folder": "/srv"}}},
    "questions": [{"id": "one", "kind": "confirm", "prompt": "May I?", "detail": "Only today.", "yes": "Start", "no": "Keep"}]}"#;

fn confirm_elsewhere(desk: &StoreDesk, id: AskId, yes: bool) {
    let replies = [(QuestionId::new("one"), Reply::from_answer(Answer::Confirm(yes)))].into();
    let seen = Some(SeenLines { shown: 3, total: 9 });
    let shown = ShownView { seen, ..desk.get(id).unwrap().request.digest.into() };
    let submit = AskCommand::Submit { replies, as_sent: None, shown };
    desk.act(&Actor::Person(person("grace")), id, None, submit).unwrap();
}

#[test]
fn record_shows_consent_as_asked() {
    let parts = ["terraform apply", "rm -rf old", "/srv", "cleans", "May I?", "Only today.", "Start", "Keep"];
    for look in looks().map(from_inbox) {
        let ends = [
            (true, Message::RowAllowedNotTaken, Message::AllowedBy, Message::AllowedNow),
            (false, Message::RowAnsweredNo, Message::AnsweredNoBy, Message::AnsweredNoNow),
        ];
        for (yes, state, end, sent) in ends {
            let mut stage =
                ScreenStage::open_after(CONSENT, &look, |desk, id| confirm_elsewhere(desk, id, yes));
            stage.press_keys("h");
            stage.must_show(&format!("{} terraform apply", look.words(Message::ActRun)));
            stage.must_show(look.words(state).split("{0}").next().unwrap().trim());
            stage.press_keys("enter");
            let mut record = String::new();
            for _ in 0..5 {
                record.push_str(&stage.screen());
                stage.press_keys("pgdn");
            }
            let receipt = describe::ask_receipt(&stage.ask(), false, true, look.lang);
            for part in parts {
                assert!(record.contains(part) && receipt.contains(part), "{part}: {record}\n{receipt}");
            }
            let seen = look.words_with(Message::LinesSeen, ["3", "9"]);
            assert!(receipt.contains(&seen) && receipt.contains(sent.plain(look.lang)), "{receipt}");
            let end = end.render_with(look.lang, ["grace", "", ""]);
            let end = end.split("grace").next().unwrap().to_owned() + "grace";
            assert!(record.contains(&end), "{record}");
        }
    }
}

#[test]
fn ended_notice_marks_typed_text() {
    let json = r#"{"questions": [{"id": "one", "prompt": "Why?"}, {"id": "two", "prompt": "Who?"}]}"#;
    for look in looks().map(from_inbox) {
        let mut stage = ScreenStage::new(&[(json, asker())], &look, |_, _| ());
        stage.press_keys("enter 'half a wo'");
        stage.change_elsewhere(decline_elsewhere);
        stage.must_show(&format!("{} half a wo", look.theme.symbols.right));
        stage.must_not_show_wrapped(&look.words(Message::NothingSentYet));
        stage.must_not_show(&look.words(Message::KeyEnterNext));
    }
}

#[test]
fn own_answer_has_the_name_of_its_format() {
    let json = |rules: &str| {
        format!(
            r#"{{"rules": {{{rules}}}, "questions": [{{"prompt": "Which?", "other": true, "options": ["A", "B"]}}]}}"#
        )
    };
    for look in looks() {
        for (rules, name) in
            [(r#""own_answers_are_custom": true"#, Message::CustomOption), ("", Message::OtherOption)]
        {
            let stage = ScreenStage::open_with(&json(rules), &look);
            stage.must_show(&format!("3  {}", look.words(name)));
        }
    }
}

#[test]
fn placeholder_is_in_the_empty_box() {
    for look in looks() {
        let json = r#"{"questions": [{"id": "a", "prompt": "Name?", "placeholder": "e.g. Falcon"}]}"#;
        let mut stage = ScreenStage::open_with(json, &look);
        let (x, y) = stage.find("e.g. Falcon").unwrap();
        let faint = look.theme.style(StyleRole::Faint).fg.unwrap_or_default();
        assert_eq!(stage.buffer[(x, y)].fg, faint);
        let screen = stage.screen();
        let row = screen.lines().nth(usize::from(y)).unwrap();
        let edge = look.theme.symbols.separator;
        assert!(row.trim().starts_with(edge) && row.ends_with(edge), "{screen}");
        stage.press_keys("'x'");
        stage.must_not_show("Falcon");
        stage.press_keys("bs");
        stage.must_show("e.g. Falcon");
        assert_eq!(stage.stored_reply("a"), Reply::unanswered());
    }
    // A text wider than the box is shown below it as a whole.
    let long = "a name that nobody has used for any other release";
    let json = format!(r#"{{"questions": [{{"prompt": "Name?", "placeholder": "{long}"}}]}}"#);
    let stage = ScreenStage::open_with(&json, &StageConfig { size: (40, 20), ..StageConfig::default() });
    stage.must_show("a name that nobody has used");
    stage.must_show("Example: ");
    stage.must_show("release");
}

#[test]
fn short_prompt_names_its_tab() {
    let json = r#"{"questions": [{"id": "a", "prompt": "Email"}, {"id": "b", "prompt": "Subscribe to\nupdates?"},
        {"id": "c", "prompt": "Which of these two databases should the service use?"}, {"id": "d", "label": "Owner", "prompt": "Who?"}]}"#;
    for look in looks().filter(|look| !look.is_narrow()) {
        let mut stage = ScreenStage::open_with(json, &look);
        stage.press_keys("tab");
        for tab in ["○ Email │ ● Subscribe to updates? │ ", "│ ○ Owner │ "] {
            let tab = tab.replace('│', look.theme.symbols.separator);
            assert!(look.size.0 < 120 || stage.shows(&look.theme.adapt_text(&tab)), "{}", stage.screen());
        }
        stage.must_show("Subscribe to updates?");
        stage.must_not_show("Which of these two databases");
    }
}

/// Two steps with labels of their buttons, as an interaction form has them.
const STEPS: &str = r#"{"title": "Account", "submit": "Send", "sections": [
    {"title": "Who", "submit": "Continue to plan", "questions": [
        {"id": "name", "prompt": "Name"}, {"id": "mail", "prompt": "Email"}, {"id": "age", "kind": "number", "prompt": "Age", "required": false}]},
    {"title": "Plan", "submit": "Create it", "questions": [{"id": "plan", "prompt": "Plan"}, {"id": "seats", "kind": "number", "prompt": "Seats"}]}]}"#;

#[test]
fn section_is_one_page() {
    for look in looks().filter(|look| !look.is_narrow()) {
        let signs = look.theme.symbols;
        let mut stage = ScreenStage::open_with(STEPS, &look);
        stage.press_keys("'Ada' enter");
        let screen = stage.screen();
        let row = |mark: &str, words: &str| {
            let words = format!("{mark} {words}");
            let at = screen.lines().skip(3).position(|line| line.contains(&words));
            at.unwrap_or_else(|| panic!("{words}\n{screen}"))
        };
        let (name, mail) = (row(signs.answered, "Name"), row(signs.gutter, "Email"));
        let age = row(signs.untouched, "Age");
        assert!(name < mail && mail < age, "{screen}");
        assert!(screen.lines().any(|line| line.contains("Name  ") && line.contains("  Ada")), "{screen}");
        let next = look.words(Message::NextSection);
        assert!(age < row("[", &format!("{next} ]  \"Continue to plan\"")), "{screen}");
        stage.must_not_show("Seats  ");
        // A field of the page is a click away, like its tab.
        stage.click("Age  ");
        stage.must_show(&format!("{} [ {next} ]", signs.pointer));
        stage.press_keys("enter");
        stage.must_show(&look.words_with(Message::SectionPlace, ["2", "2", "Plan"]));
        stage.must_not_show(&next);
    }
}

#[test]
fn section_button_leads_to_the_next_step() {
    for look in looks() {
        let mut stage = ScreenStage::open_with(STEPS, &look);
        let ours = format!("[ {} ]", look.words(Message::NextSection));
        stage.must_show(&format!("{ours}  \"Continue to plan"));
        stage.click("Continue");
        stage.must_not_show(&ours);
        stage.must_show(&format!("{} Plan", look.theme.symbols.gutter));
        assert!(stage.is_open() && stage.act_count() == 0);
        // The label of the last section replaces that of the form.
        stage.press_keys("alt-0 end up");
        assert!(look.is_narrow() || stage.shows("\"Create it\""), "{}", stage.screen());
        stage.must_not_show("\"Send\"");
    }
}

#[test]
fn one_accent_marks_the_place() {
    for theme in [Theme::DARK, Theme::LIGHT, Theme::HIGH_CONTRAST] {
        let look = StageConfig { theme: theme.clone(), ..StageConfig::default() };
        let mut stage = ScreenStage::open_with(crate::tui::tests::stage::fixtures::CHOICE, &look);
        let accent = theme.style(StyleRole::Accent).fg;
        let colour = |stage: &ScreenStage, words: &str| {
            let at = stage.find(words).unwrap_or_else(|| panic!("{words}\n{}", stage.screen()));
            stage.buffer[at].style().fg
        };
        for words in ["▸ ", "┃ When should", "Space/1-9"] {
            assert_eq!(colour(&stage, words), accent, "{words}");
        }
        stage.press_keys("o");
        assert_eq!(colour(&stage, "┌─ your answer"), accent);
        stage.press_keys("esc d");
        assert_eq!(colour(&stage, "┌─ Decline"), accent);
    }
}
