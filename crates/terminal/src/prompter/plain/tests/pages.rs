//! Tests of the page for each kind of question: no agent text leaves its gutter.

use super::fixture::{EXAMPLES, PlainFixture};
use crate::{PlainStyle, PromptStyle as _};
use sayso_core::{Answer, Lang, Pick, Reply};

#[test]
fn choice_lists_options_and_suggestion() {
    let screen = PlainFixture::from_example("choose-database", 80);
    let page = "
Question 1 of 1. Choose one. Required.
| Which database should I set up?
  1. PostgreSQL  [suggested by the asker]
     | What the other services use; on call knows it.
  2. SQLite
     | One file, no server; one writer at a time.
  3. DynamoDB
     | Nothing to run, but a new bill.
  4. Another one
/preview NUMBER previews an option.
Answer (number or label, or /help): ";
    assert_eq!(screen.render_page("database"), page);
    let answered = screen.with_reply("database", Reply::from_picks([Pick::Other("MariaDB".to_owned())]));
    let so_far = "Your answer so far: own answer: \"MariaDB\"\nAnswer (number or label, or /help): ";
    assert!(answered.render_page("database").ends_with(so_far));
    let preview = PlainStyle { lang: Lang::En, now: None }.preview(&answered.scene(), 0, None).unwrap();
    let wanted = "Preview of 1, \"PostgreSQL\":
| services:
|   db:
|     image: postgres:18
|     volumes: [orders:/var/lib/postgresql]
Preview of 2, \"SQLite\":
| DATABASE_URL=sqlite:///var/lib/orders/orders.db
";
    assert_eq!(preview, wanted);
}

#[test]
fn multiple_choice_shows_constraints() {
    let page = "
第 1 题，共 2 题。请选一项或多项。必答。
| Which checks should block a merge?
  1. Unit tests  [提问方建议]
  2. Linter  [提问方建议]
  3. Type check
  4. Browser tests
     | About eleven minutes.
  5. Benchmarks
回答时会检查：
| Something has to block a merge.
| More than three make a merge wait too long.
回答（编号如 1,3-5、选项文字、all、none 或 /help）：";
    assert_eq!(PlainFixture::from_example("pick-checks", 80).in_chinese().render_page("checks"), page);
}

#[test]
fn text_shows_example_and_terminator() {
    let screen = PlainFixture::from_example("release-notes", 80);
    let page = "
Question 1 of 2. One line of text. Required.
| What is the release called?
Checks on your answer:
Write at most 40 characters.
| It starts with the version, like 2.4.0.
For example:
| 2.4.0 Heron
Answer (text, or /help): ";
    assert_eq!(screen.render_page("name"), page);
    let reply = Reply::from_text("a line\n/etc/hosts").with_note(Some("in a hurry".to_owned()));
    let page = "
Question 2 of 2. Long text. Required.
| What must the notes mention?
| One point a line. I add the list of merged changes myself.
Checks on your answer:
| A few words more, please.
Your text so far; type more to add to it, or /clear to start again:
| a line
| /etc/hosts
Type lines. End with /done on a line of its own.
Your note: \"in a hurry\"
> ";
    assert_eq!(screen.with_reply("notes", reply).render_page("notes"), page);
}

#[test]
fn approval_shows_action_and_labels() {
    let screen = PlainFixture::from_example("approve-command", 80);
    let intro = r#"| Delete old build folders
Asked by "claude" in "/srv", 2 minutes ago. 1 question.
| The disk is 97 % full. The folders below have not been used for 60 days.
If you agree, the tool "execute" does exactly this:
It starts a program, with these arguments:
| "rm"
| "-r"
| "--"
| "/srv/builds/2026-06"
| "/srv/builds/2026-07"
In this folder:
| /srv/builds
"#;
    assert_eq!(screen.intro(), intro);
    let page = "
Question 1 of 1. Yes or no. Required.
| May I delete them?
  1. Yes (\"Delete both\")
  2. No (\"Keep them\")
Answer (1 or 2, yes or no, or /help): ";
    assert_eq!(screen.render_page("go"), page);
    let answered = screen.with_reply("go", Reply::from_answer(Answer::Confirm(false)));
    let page = "
Question 2 of 2. Follow-up. One line of text. Optional; /skip skips it.
| What should I do about the space instead?
Answer (text, or /help): ";
    assert_eq!(answered.render_page("keep"), page);
}

#[test]
fn token_account_precedes_claimed_name() {
    let mut screen = PlainFixture::from_example("approve-command", 80);
    std::sync::Arc::make_mut(&mut screen.ask.request).asker.account = Some("ci".to_owned());
    let first = "| Delete old build folders\nAsked by ci (says it is \"claude\") in \"/srv\", 2 minutes ago. 1 question.\n";
    assert!(screen.intro().starts_with(first), "{}", screen.intro());
}

#[test]
fn short_scale_shows_faces_and_words() {
    let page = "
Question 1 of 2. Rate from 1 to 5. Required.
| How useful were my comments?
  1. 😡 in the way
  2. 😟
  3. 😐 some of them
  4. 😊
  5. 😍 all of them
Answer (number, or /help): ";
    assert_eq!(PlainFixture::from_example("rate-review", 80).render_page("useful"), page);
}

#[test]
fn long_scale_lists_labelled_steps() {
    let json = r#"{ "sayso": 1, "questions": [{ "id": "sure", "kind": "rating", "prompt": "How sure?",
        "min": 1, "max": 100, "annotations": { "1": "a guess", "100": "certain" } }] }"#;
    let page = "
Question 1 of 1. Rate from 1 to 100. Required.
| How sure?
  1. a guess
  100. certain
Answer (number, or /help): ";
    assert_eq!(PlainFixture::from_json(json, 80).render_page("sure"), page);
}

#[test]
fn prefilled_number_shows_keep_hint() {
    let screen = PlainFixture::from_example("set-limits", 80);
    let page = "
Question 1 of 2. A number. Required.
| How many workers may it use?
Checks on your answer:
It must be at least 1.
It must be at most 16.
| Whole workers only.
Filled in by the asker: 4. /next keeps it.
Answer (number, or /help): ";
    assert_eq!(screen.render_page("workers"), page);
    let eight = Reply::from_answer(Answer::Number(8.into()));
    let so_far = "Your answer so far: 8\nAnswer (number, or /help): ";
    assert!(screen.with_reply("workers", eight).render_page("workers").ends_with(so_far));
}

#[test]
fn dates_and_times_show_their_format() {
    let day = "
Question 1 of 3. A date. Required.
| On which day?
Checks on your answer:
| Between the 1st and the 20th of December 2026.
Answer (like 2026-03-01, or /help): ";
    assert_eq!(PlainFixture::from_example("plan-maintenance", 80).render_page("day"), day);
    let start = "
第 2 题，共 3 题。请输入时间。必答。
| From what time?
| Mail is down for about 40 minutes.
回答时会检查：
| Not in working hours.
回答（如 14:30，或 /help）：";
    assert_eq!(PlainFixture::from_example("plan-maintenance", 80).in_chinese().render_page("start"), start);
    let announce = "
Question 3 of 3. A date with a time. Optional; /skip skips it.
| When should I announce it?
For example:
| 2026-11-30 09:00
Answer (like 2026-03-01 14:30, or /help): ";
    assert_eq!(PlainFixture::from_example("plan-maintenance", 80).render_page("announce"), announce);
}

#[test]
fn section_heading_precedes_first_question() {
    let screen = PlainFixture::from_example("onboard-service", 80);
    let page = "
Section 3 of 3. \"Alerts\"
You can skip this section: leave each of its questions with /next.

Question 4 of 5. One line of text. Required if you fill in this section.
| Which channel gets the alerts?
For example:
| #orders-alerts
Answer (text, or /help): ";
    assert_eq!(screen.render_page("channel"), page);
    let page = "
Question 5 of 5. Choose one. Required if you fill in this section.
| When may they wake someone?
  1. Always
  2. In working hours
Answer (number or label, or /help): ";
    assert_eq!(screen.render_page("hours"), page);
    let traffic = "\nSection 2 of 3. \"Traffic\"\n| Rough figures will do.\n\nQuestion 3 of 5.";
    assert!(screen.render_page("public").starts_with(traffic));
}

#[test]
fn broken_lines_stay_behind_gutter() {
    let page = screen_of_long_words(40).render_page("pick");
    let wanted = "
Question 1 of 9. Choose one. Required.
| zx zx zx zx zx zx zx zx zx zx zx zx zx
| zx zx zx
| zx zx zx zx zx zx zx zx zx zx zx zx zx
| zx zx zx
  1. zx zx zx zx zx zx zx zx zx zx zx zx
     | zx zx zx zx
     [value: \"yes\"]
     | zx zx zx zx zx zx zx zx zx zx zx
     | zx zx zx zx zx
  2. zx zx zx zx zx zx zx zx zx zx zx zx
     | zx zx zx zx zx
     [value: \"no\"]
  3. zx zx zx zx zx zx zx zx zx zx zx zx
     | zx zx zx zx
Checks on your answer:
| zx zx zx zx zx zx zx zx zx zx zx zx zx
| zx zx zx
Answer (number or label, or /help): ";
    assert_eq!(page, wanted);
}

/// Returns one question of each kind, whose agent text is only the word `zx`, often enough to be wrapped.
fn screen_of_long_words(columns: usize) -> PlainFixture {
    let zx = ["zx"; 16].join(" ");
    let question = |id: &str, more: &str| {
        format!(r#"{{ "id": "{id}", "label": "{zx}", "prompt": "{zx}", "detail": "{zx}", {more} }}"#,)
    };
    let options = format!(
        r#"[{{ "id": "yes", "label": "{zx}", "description": "{zx}" }}, {{ "id": "no", "label": "{zx} zx" }}]"#
    );
    let pick = |more: &str| {
        let limit = format!(r#""constraints": [{{ "max_picks": 1, "message": "{zx}" }}]"#);
        format!(r#"{more} "options": {options}, "other": true, "other_label": "{zx}", {limit}"#)
    };
    let text = |more: &str| {
        let limit = format!(r#""constraints": [{{ "min_length": 1, "message": "{zx}" }}]"#);
        format!(r#"{more} "placeholder": "{zx}", {limit}"#)
    };
    let point = |kind: &str, least: &str| {
        let limit = format!(r#""constraints": [{{ "min": {least}, "message": "{zx}" }}]"#);
        format!(r#""kind": "{kind}", "placeholder": "{zx}", {limit}"#)
    };
    let questions = [
        question("pick", &pick("")),
        question("picks", &pick(r#""multi": true,"#)),
        question("text", &text("")),
        question("long", &text(r#""long": true,"#)),
        question("yes", &format!(r#""kind": "confirm", "yes": "{zx}", "no": "{zx} zx""#)),
        question("rate", &format!(r#""kind": "rating", "emoji": true, "annotations": {{ "1": "{zx}" }}"#)),
        question("number", &point("number", "1")),
        question("day", &point("date", r#""2026-01-01""#)),
        question("moment", &point("datetime", r#""2026-01-01T00:00""#)),
    ];
    PlainFixture::from_json(&format!(r#"{{ "sayso": 1, "questions": [{}] }}"#, questions.join(", ")), columns)
}

#[test]
fn no_line_begins_with_agent_text() {
    let is_ours = |line: &str| {
        let unindented = line.trim_start_matches(' ');
        let digits = unindented.trim_start_matches(|c: char| c.is_ascii_digit());
        line.starts_with("| ")
            || line.starts_with("     | ")
            || (digits != unindented && digits.starts_with(". "))
    };
    for columns in 24..=100 {
        for screen in [screen_of_long_words(columns), screen_of_long_words(columns).in_chinese()] {
            let ids: Vec<_> =
                screen.sheet.questions().iter().map(|question| question.id.to_string()).collect();
            for page in ids.iter().map(|id| screen.render_page(id)) {
                let mut theirs = page.lines().filter(|line| line.contains("zx")).peekable();
                assert!(theirs.peek().is_some());
                for line in theirs {
                    assert!(is_ours(line), "{line:?} at {columns} columns in:\n{page}");
                    assert!(line.chars().count() <= columns, "{line:?} at {columns} columns");
                }
            }
        }
    }
}

#[test]
fn all_examples_render_in_both_languages() {
    for (name, json) in EXAMPLES {
        for screen in [PlainFixture::from_json(json, 40), PlainFixture::from_json(json, 40).in_chinese()] {
            assert!(!screen.intro().is_empty(), "{name}");
            for question in screen.sheet.questions() {
                let page = screen.render_page(question.id.as_str());
                let hint = page.lines().last().unwrap();
                assert!(hint.ends_with("): ") || hint.ends_with("）：") || hint == "> ", "{name}: {hint:?}");
                let first_word = question.prompt.split_whitespace().next().unwrap();
                assert!(page.contains(&format!("\n| {first_word}")), "{name}: {page}");
            }
        }
    }
}

#[test]
fn error_messages_are_not_rules() {
    let json = r#"{"questions": [{"id": "q", "prompt": "?", "constraints": [
        {"required": true, "message": "words"}, {"fits": true, "message": "words"}, {"fits": true},
        {"min_length": 3, "message": "words"}]}]}"#;
    let page = "
Question 1 of 1. One line of text. Required.
| ?
Checks on your answer:
| words
Answer (text, or /help): ";
    assert_eq!(PlainFixture::from_json(json, 80).render_page("q"), page);
}
