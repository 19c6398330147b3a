//! Tests of the inbox line by line.

use crate::fixture::{FOUR_QUESTIONS, ONE_CHOICE, PromptFixture, asker, person};
use sayso_core::model::ask::RoundFeedback;
use sayso_core::{Actor, Answer, AskCommand, AskId, Lang, Message, Outcome, QuestionId, Reply};
use sayso_desk::{Desk, DraftRev};
use sayso_terminal::PromptOutcome;

const MAY_I: &str = r#"{"questions": [{"id": "may", "kind": "confirm", "prompt": "Ship it?"}]}"#;
const ACT: &str = r#"{"action": {"tool": "Bash", "act": {"shell": {"command": "rm \"a b\"", "folder": "/srv/api"}}},
    "questions": [{"id": "may", "kind": "confirm", "prompt": "Run it?"}]}"#;
const MUST_BE_TRUE: &str = r#"{"rules": {"must_be_true": true}, "questions": [{"id": "may", "kind": "confirm", "prompt": "Agree?"}]}"#;

/// Returns an ask for a command of 240 lines.
fn long_act() -> String {
    let lines: Vec<_> = (0..238).map(|line| format!("step {line}")).collect();
    let command = format!("set -e\n{}\nrm -rf /srv/data", lines.join("\n"));
    ACT.replace(r#""rm \"a b\"""#, &format!("{command:?}"))
}

/// Returns the outcome of an ask in short: what was answered, and the words with it.
fn outcome(stage: &PromptFixture, id: AskId) -> String {
    let ask = stage.desk.get(id).unwrap();
    match ask.outcome() {
        None => "open".to_owned(),
        Some(Outcome::Answered { replies, .. }) => {
            let reply = replies.values().next().unwrap();
            let yes = reply.answer() == Some(&Answer::Confirm(true));
            format!("{} {}", if yes { "yes" } else { "no" }, reply.note.clone().unwrap_or_default())
        }
        Some(Outcome::Declined { reason, .. }) => format!("declined {}", reason.clone().unwrap_or_default()),
        Some(other) => other.kind().to_owned(),
    }
}

#[test]
fn one_line_decides() {
    let rows = [
        (MAY_I, "y", "yes ", "You approved it. Sent."),
        (MAY_I, "n", "no ", "You answered no. Sent."),
        (MAY_I, "n too early,  wait", "no too early,  wait", "You answered no. Sent."),
        (MAY_I, "否 太早", "no 太早", "You answered no. Sent."),
        (ACT, "y", "yes ", "You approved it. Sent."),
        (ACT, "/next", "open", "No other question is waiting."),
        (MUST_BE_TRUE, "n not here", "declined not here", "Declined."),
        (MAY_I, "yes please", "open", "\"yes please\" is no command here. ? lists them."),
        (MAY_I, "1", "open", "\"1\" is no command here."),
        (MAY_I, "y\ny", "open", "\"y\" was not run, because more lines came with it."),
        (ONE_CHOICE, "y", "open", "This takes more than yes or no. Enter opens it"),
    ];
    for (request, line, expected, says) in rows {
        let stage = PromptFixture::new(request);
        let mut talk = stage.start_inbox(Lang::En);
        talk.expect_output(": ").type_text(&format!("{line}\n")).expect_output(says);
        let (ended, out) = talk.hang_up();
        assert_eq!(ended, PromptOutcome::Left, "{out}");
        assert_eq!(outcome(&stage, stage.id), expected, "{line}: {out}");
        assert!(!out.contains(|c: char| c.is_control() && c != '\n'), "{out:?}");
    }
}

#[test]
fn short_act_is_read_whole() {
    let stage = PromptFixture::new(ACT);
    let heading = "1 question waits.\n? lists the commands.\n\"claude\" in \"~/api\" asks for permission:\n";
    let act = "If you agree, the tool \"Bash\" does exactly this:\nIt runs this in a shell:\n| rm \"a b\"\n\
               In this folder:\n| /srv/api\n| Run it?\ny or n: ";
    let (_, out) = stage.start_inbox(Lang::En).expect_output("y or n: ").hang_up();
    assert_eq!(out, format!("{heading}{act}\n"));
    let (_, out) =
        stage.start_inbox(Lang::Zh).expect_output(Message::InboxHintDecide.plain(Lang::Zh)).hang_up();
    assert!(
        out.starts_with("有 1 个提问等待中。\n输入 ? 列出命令。\n“claude”（“~/api”） 请求许可：\n如果您同意"),
        "{out}"
    );
}

#[test]
fn yes_waits_for_the_whole() {
    let stage = PromptFixture::new(&long_act());
    let mut talk = stage.start_inbox(Lang::En);
    let ends =
        "asks for permission: Run \"set -e\" … \"rm -rf /srv/data\", 240 lines, 3 kB. whole reads all.\n";
    talk.expect_output(ends).expect_output("y or n: ").type_text("y\n");
    talk.expect_output("Only a part of it was read. This is all; then type y again:\n");
    talk.expect_output("| step 120\n").expect_output("| rm -rf /srv/data\n").expect_output("y or n: ");
    assert_eq!(outcome(&stage, stage.id), "open");
    talk.type_text("y\n").expect_output("You approved it. Sent.");
    assert_eq!(outcome(&stage, stage.id), "yes ");
    talk.hang_up();
    // What was read as a whole needs no second reading, and a no waits for nothing.
    for (lines, expected) in [(["whole", "y"], "yes "), (["next", "n why"], "no why")] {
        let stage = PromptFixture::new(&long_act());
        let mut talk = stage.start_inbox(Lang::En);
        for line in lines {
            talk.expect_output("y or n: ").type_text(&format!("{line}\n"));
        }
        talk.expect_output("Sent.").hang_up();
        assert_eq!(outcome(&stage, stage.id), expected);
    }
}

#[test]
fn new_ask_is_one_sentence() {
    let rows = [
        (MAY_I.replace("Ship", "Tag"), "\"claude\" in \"~/api\" asks: \"Tag it?\" Yes or no."),
        (ONE_CHOICE.to_owned(), "\"claude\" in \"~/api\" asks: \"When?\" Choose one."),
        (FOUR_QUESTIONS.to_owned(), "\"claude\" in \"~/api\" asks 4 questions: \"Deploy plan\"."),
        (ACT.to_owned(), "\"claude\" in \"~/api\" asks for permission: Run \"rm 'a b'\"."),
        (long_act(), "Run \"set -e\" … \"rm -rf /srv/data\", 240 lines, 3 kB."),
        (
            r#"{"questions": [{"prompt": "Say \"no\"?\n\u001b[2JNew: Sayso is done.", "kind": "text"}]}"#
                .to_owned(),
            "asks: \"Say 'no'?\" … \"⟦U+001B⟧[2JNew: Sayso is done.\" One line of text.",
        ),
    ];
    let stage = PromptFixture::new(MAY_I);
    let mut talk = stage.start_inbox(Lang::En);
    talk.expect_output("y or n: ");
    for (request, sentence) in rows {
        stage.open_ask(&request);
        talk.expect_output("\nNew: ").expect_output(&format!("{sentence}\ny or n: "));
    }
    // The current ask stays the current one.
    talk.type_text("y\n").expect_output("You approved it.").hang_up();
    assert_eq!(outcome(&stage, stage.id), "yes ");
}

#[test]
fn open_question_stays_open() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let mut talk = stage.start_inbox(Lang::En);
    talk.expect_output("Enter answers: ").type_text("\n").expect_output("/help): ");
    // They are announced while a question is open too, which stays open.
    stage.open_ask(ONE_CHOICE);
    talk.expect_output("New: \"claude\" in \"~/api\" asks: \"When?\" Choose one.\nAnswer (number");
    talk.type_text("1\n").expect_output("Question 2 of 4.").expect_output("/help): ").type_text("/quit\n");
    talk.expect_output("\"When?\" Choose one. 1 more waits.\nEnter answers: ");
    talk.type_text("quit\n");
    assert_eq!(talk.wait_for_end().0, PromptOutcome::Left);
    assert!(stage.draft().contains("o1"));
}

#[test]
fn later_asks_come_last() {
    let stage = PromptFixture::new(MAY_I);
    let second = stage.open_ask(ONE_CHOICE);
    let mut talk = stage.start_inbox(Lang::En);
    talk.expect_output("2 questions wait.\n").expect_output("| Ship it?\ny or n: ").type_text("later\n");
    talk.expect_output("\"When?\" Choose one. 1 more waits.\n").expect_output(": ").type_text("next\n");
    talk.expect_output("| Ship it?\ny or n: ")
        .type_text("later\n")
        .expect_output("\"When?\"")
        .expect_output(": ");
    talk.type_text("later\n").expect_output("2 are left for later; next reads them.\n> ");
    talk.type_text("y\n").expect_output("No questions are waiting.\n> ");
    talk.type_text("next\n").expect_output("| Ship it?\ny or n: ").type_text("y\n").expect_output("Sent.");
    talk.expect_output("1 is left for later; next reads it.\n> ")
        .type_text("next\n")
        .expect_output("\"When?\"");
    talk.expect_output("Enter answers: ").type_text("\n").expect_output("/help): ").type_text("1\n");
    talk.expect_output("Sent.")
        .expect_output("No questions are waiting. New ones are read as they arrive.\n> ");
    stage.open_ask(ACT);
    talk.expect_output("asks for permission:\n").expect_output("y or n: ").hang_up();
    assert!(stage.desk.get(second).unwrap().outcome().is_some());
}

#[test]
fn end_of_current_ask_is_said() {
    let settle = |stage: &PromptFixture, decline: bool| {
        let ask = stage.ask();
        let (who, command) = if decline {
            (Actor::Person(person("kim")), AskCommand::Decline { reason: None, shown: ask.request.digest })
        } else {
            (Actor::Asker(asker()), AskCommand::CANCEL)
        };
        stage.desk.act(&who, stage.id, None, command).unwrap();
    };
    let rows = [
        (true, "\"Ship it?\": Declined elsewhere by kim at 20"),
        (false, "\"Ship it?\": The asker withdrew this question."),
    ];
    for (decline, says) in rows {
        let stage = PromptFixture::new(MAY_I);
        let mut talk = stage.start_inbox(Lang::En);
        talk.expect_output("y or n: ");
        settle(&stage, decline);
        talk.expect_output(says).expect_output("No questions are waiting.");
        talk.type_text("y\n").expect_output("No questions are waiting.\n> ").hang_up();
    }
    let stage = PromptFixture::from_json(MAY_I, Some(150), false);
    let mut talk = stage.start_inbox(Lang::En);
    talk.expect_output("\"Ship it?\": The deadline of this question has passed.").hang_up();
    assert_eq!(outcome(&stage, stage.id), "expired");
}

#[test]
fn changed_ask_is_asked_again() {
    // A draft of another surface would be sent along.
    let stage = PromptFixture::new(&MAY_I.replace(r#""confirm""#, r#""confirm", "consent": false"#));
    let mut talk = stage.start_inbox(Lang::En);
    talk.expect_output("y or n: ");
    let note = vec![(QuestionId::new("may"), Reply::unanswered().with_note(Some("careful".into())))];
    stage.desk.save(&person("kim"), stage.id, DraftRev(u64::MAX), note).unwrap();
    talk.type_text("y\n").expect_output("\"careful\"").expect_output("/help): ").hang_up();
    assert_eq!(outcome(&stage, stage.id), "open");
    // The asker's objection is read before the answer to it.
    let stage = PromptFixture::from_json(MAY_I, None, true);
    let mut talk = stage.start_inbox(Lang::En);
    talk.expect_output("y or n: ").type_text("y\n").expect_output("The asker has yet to accept it.");
    let feedback = RoundFeedback { summary: Some("Not yet.".into()), errors: Vec::new() };
    stage
        .desk
        .act(&Actor::Asker(asker()), stage.id, None, AskCommand::Reprompt { round: 1, feedback })
        .unwrap();
    talk.expect_output("The asker wants this changed in what me sent:\n| Not yet.\n| Ship it?\n")
        .expect_output("y or n: ")
        .hang_up();
}
