//! Tests of the exact output, and of agent text that tries to change it.

use crate::fixture::{FOUR_QUESTIONS, PromptFixture, PromptSetup};
use sayso_core::Lang;
use sayso_terminal::PlainStyle;

#[test]
fn plain_output_is_exact() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let (_, out) = stage.type_all("2\n/next\n/next\n");
    let expected = "\
| Deploy plan
Asked by \"claude\" in \"/srv/api\", just now. 4 questions.
| Before the freeze.

Question 1 of 4. Choose one. Required.
| When?
  1. Now
  2. Tonight
     | quiet
  3. Other, type your own.
Answer (number or label, or /help): Recorded: \"Tonight\".

Question 2 of 4. Choose one or more. Required.
| Where?
  1. EU
  2. US
  3. Asia
  4. Other, type your own.
Answer (numbers like 1,3-5, labels, all, none, or /help): 
Question 3 of 4. One line of text. Required.
| Who?
Answer (text, or /help): 
Question 4 of 4. Long text. Optional; /skip skips it.
| Why?
Type lines. End with /done on a line of its own.
> \n";
    assert_eq!(out, expected);
}

#[test]
fn agent_text_is_escaped_and_marked() {
    let evil = r#""a\u001b[2Jb\r\nRecorded: x\u202e\u0007""#;
    let json = format!(
        r#"{{"title": {evil}, "context": {evil}, "questions": [
            {{"label": {evil}, "prompt": {evil}, "detail": {evil}, "options": [{{"label": {evil}, "description": {evil}}}], "multi": true, "other": true}},
            {{"label": {evil}, "prompt": {evil}, "placeholder": {evil}}}]}}"#
    );
    let stage = PromptFixture::new(&json);
    let (_, out) = stage.type_all("1\nmy \u{1b}[31m own\n/back\nall\n/review\n/submit\n/decline \u{1b}\n");
    assert!(out.contains('⟦'));
    assert!(out.chars().all(|c| c == '\n' || !c.is_control()), "{out:?}");
    assert!(!out.contains('\u{202e}'));
    let ours = out.lines().filter(|line| line.starts_with("Recorded: x")).count();
    assert_eq!(ours, 0, "{out}");
}

#[test]
fn output_is_chinese() {
    let stage = PromptFixture::new(FOUR_QUESTIONS);
    let setup = PromptSetup { lang: Lang::Zh, ..PromptSetup::default() };
    let (_, out) =
        stage.type_all_with(&PlainStyle { lang: Lang::Zh, now: None }, setup, "其\n月球\n皆非\nall\n");
    for text in ["第 1 题，共 4 题。", "您的答案：", "已记录：自定义答案：“月球”。", "不在选项之中"]
    {
        assert!(out.contains(text), "{text} in\n{out}");
    }
}
