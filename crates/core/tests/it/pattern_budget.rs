//! The step budget that all patterns of a sheet share.

use sayso_core::wire::questionnaire;
use sayso_core::{ProblemCode, QuestionId, Questionnaire, Replies, Reply, Sheet};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// A pattern that is quick on short texts and slow on long ones.
const SLOW: &str = "(?=[^b]*b)x";
/// A pattern that exceeds any step budget.
const HOSTILE: &str = r"(a*)*\1b";

fn questionnaire_with_patterns(
    patterns: impl IntoIterator<Item = String>,
    more: &Value,
) -> Arc<Questionnaire> {
    let questions: Vec<_> = patterns
        .into_iter()
        .enumerate()
        .map(|(at, pattern)| {
            json!({ "id": format!("q{at}"), "prompt": "?", "constraints": [{ "pattern": pattern }] })
        })
        .collect();
    let mut document = json!({ "as_is": true, "questions": questions });
    for (name, value) in more.as_object().unwrap() {
        document[name] = value.clone();
    }
    Arc::new(questionnaire::read(&document.to_string()).unwrap().questionnaire)
}

fn two_hundred(pattern: &str) -> Arc<Questionnaire> {
    questionnaire_with_patterns((0..200).map(|at| format!("{pattern}{at}")), &json!({}))
}

fn answered(questionnaire: &Questionnaire, text: &str) -> Replies {
    questionnaire.questions.iter().map(|question| (question.id.clone(), Reply::from_text(text))).collect()
}

fn unchecked(sheet: &Sheet) -> usize {
    let sent = sheet.submission().unwrap();
    sent.replies.values().filter(|reply| reply.pattern_not_checked).count()
}

#[test]
fn patterns_share_one_budget() {
    let asked = two_hundred(SLOW);
    let sheet = Sheet::new(asked.clone(), answered(&asked, &"a".repeat(1_000)));
    let wrong = sheet.problems();
    assert!((1..20).contains(&wrong.len()), "{} were checked", wrong.len());
    assert!(wrong.iter().all(|problem| problem.code == ProblemCode::PatternUnmet));
    let sheet = Sheet::new(asked.clone(), answered(&asked, "ab"));
    let wrong = sheet.problems().len();
    assert!(wrong > 150, "short answers are nearly all checked, for what compiling them costs: {wrong}");
}

#[test]
fn hostile_patterns_block_no_answer() {
    let asked = two_hundred(HOSTILE);
    let sheet = Sheet::new(asked.clone(), answered(&asked, &"a".repeat(28)));
    assert_eq!(unchecked(&sheet), 200);
}

#[test]
fn changed_answer_gives_steps_back() {
    let asked = questionnaire_with_patterns([HOSTILE.to_owned(), r"^\d+$".to_owned()], &json!({}));
    let mut sheet = Sheet::new(asked, Replies::new());
    for _ in 0..100 {
        sheet.set_reply(&QuestionId::new("q0"), Reply::from_text("a".repeat(28)));
    }
    sheet.set_reply(&QuestionId::new("q1"), Reply::from_text("x"));
    assert_eq!(sheet.problems().len(), 1);
    sheet.set_reply(&QuestionId::new("q1"), Reply::from_text("1"));
    assert_eq!(unchecked(&sheet), 1);
}

#[test]
fn unchanged_answers_are_not_matched_again() {
    let asked = two_hundred(HOSTILE);
    let replies = answered(&asked, &"a".repeat(28));
    let timed = |replies: Replies| {
        let begun = Instant::now();
        drop(Sheet::new(asked.clone(), replies));
        begun.elapsed()
    };
    let first = timed(replies.clone());
    let again = (0..3).map(|_| timed(replies.clone())).min().unwrap();
    assert!(again * 3 < first, "{first:?}, then {again:?}");
}

#[test]
fn consent_refuses_unchecked_answers() {
    let consent = json!({ "action": { "tool": "sh", "act": { "run": { "argv": ["rm", "x"] } } } });
    for (more, refused) in [(json!({}), false), (json!({ "unchecked": "refuse" }), true), (consent, true)] {
        let asked = questionnaire_with_patterns([HOSTILE.to_owned()], &more);
        let sheet = Sheet::new(asked.clone(), answered(&asked, &"a".repeat(28)));
        let codes: Vec<_> = sheet.problems().iter().map(|problem| problem.code).collect();
        assert_eq!(codes, if refused { vec![ProblemCode::PatternNotChecked] } else { vec![] }, "{more}");
        assert_eq!(sheet.submission().is_err(), refused, "{more}");
        assert_eq!(sheet.problems_at(0).len(), usize::from(refused), "{more}");
    }
}

#[test]
fn costly_pattern_is_refused_when_asked() {
    let read = |patterns: &[&str], more: &str| {
        let questions: Vec<_> = patterns
            .iter()
            .map(|pattern| json!({ "prompt": "?", "constraints": [{ "pattern": pattern }] }))
            .collect();
        let text = json!({ "questions": questions }).to_string().replacen('{', &format!("{{{more}"), 1);
        questionnaire::read(&text).err().unwrap_or_default()
    };
    let problems = read(&["^a$", HOSTILE, SLOW], "");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].path.to_js_path(), "questions[1].constraints[0].pattern");
    let words =
        "The pattern takes too many steps to check: matching it against \"aaaaaaaaaaaa…\" was stopped.";
    assert_eq!(
        (problems[0].code, problems[0].message.to_string()),
        (ProblemCode::BadPattern, words.to_owned())
    );
    assert!(read(&[HOSTILE], r#""as_is":true,"#).is_empty());
    let usual = [
        r"^[^\s@]+@[^\s@]+\.[^\s@]+$",
        r"^(?=.*[A-Z])(?=.*\d)(?=.*[^\w]).{8,64}$",
        r"\bfoo\b",
        r"^[\p{L} '-]{1,50}$",
        r"^https?://[^\s/$.?#].[^\s]*$",
        r"^(\w+) \1$",
        r"^(a+)+$",
        r"^(?!.*password)",
    ];
    assert!(read(&usual, "").is_empty(), "{:?}", read(&usual, ""));
}
