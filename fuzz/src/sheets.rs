//! What must hold of every sheet, whatever is asked and whatever stands there.

use sayso_core::rules::validator;
use sayso_core::sheet::SubmittedReplies;
use sayso_core::{PreparedQuestionnaire, Questionnaire, Replies, Reply, ReplyContent, Sheet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Fills in a sheet as its asker would, then by passing over what is left, and submits it where it may be.
pub fn fill(questionnaire: &Arc<Questionnaire>) {
    let form = Arc::new(PreparedQuestionnaire::new(questionnaire.clone()));
    let mut sheet = Sheet::from_prepared(form.clone(), Replies::new()).with_prefill();
    let prefills =
        questionnaire.questions.iter().map(|question| question.prefill.clone().map(Reply::from_answer));
    give(&form, &prefills.collect::<Vec<_>>(), &sheet);
    for at in 0..questionnaire.questions.len() {
        if sheet.reply_at(at).is_unanswered() {
            put(&mut sheet, at, Reply::skipped());
        }
    }
    submit(&sheet);
}

/// Gives replies one by one, in order and from the end, and takes them back: what stands there then is what a sheet
/// says that has them from the beginning.
pub fn give(form: &Arc<PreparedQuestionnaire>, replies: &[Option<Reply>], expected: &Sheet) {
    let empty = Sheet::from_prepared(form.clone(), Replies::new());
    settled(&empty);
    settled(expected);
    let given = || replies.iter().enumerate().filter_map(|(at, reply)| Some((at, reply.clone()?)));
    let (mut forward, mut backward) = (empty.clone(), empty.clone());
    given().for_each(|(at, reply)| put(&mut forward, at, reply));
    given().rev().for_each(|(at, reply)| put(&mut backward, at, reply));
    same(&forward, expected);
    same(&backward, expected);
    given().for_each(|(at, _)| put(&mut forward, at, Reply::unanswered()));
    assert_eq!(asked(&forward), asked(&empty), "other questions are asked once all is taken back");
    assert_eq!(forward.progress(), empty.progress());
}

/// Puts a reply at a question: what is said to have appeared and vanished is what did.
fn put(sheet: &mut Sheet, at: usize, reply: Reply) {
    let before = asked(sheet);
    let effect = sheet.set_reply_at(at, reply);
    let after = asked(sheet);
    let appeared: Vec<usize> = after.difference(&before).copied().collect();
    let vanished: Vec<usize> = before.difference(&after).copied().collect();
    assert_eq!((effect.appeared, effect.vanished), (appeared, vanished), "after a reply to question {at}");
}

/// What a sheet says of itself fits together.
fn settled(sheet: &Sheet) {
    let (asked, progress) = (asked(sheet), sheet.progress());
    assert_eq!(progress.total, asked.len());
    let is_answered = |at: &&usize| match sheet.reply_at(**at).answer() {
        Some(answer) => sheet
            .questions()
            .get(**at)
            .is_some_and(|question| !validator::is_blank(question, &sheet.questionnaire().rules, answer)),
        None => false,
    };
    assert_eq!(progress.answered, asked.iter().filter(is_answered).count());
    assert!(
        sheet.hidden_answered().all(|(at, _)| !asked.contains(&at)),
        "a question that is asked is dormant"
    );
    for (number, at) in asked.iter().enumerate() {
        assert_eq!((sheet.number_of(*at), sheet.index_of_number(number + 1)), (number + 1, Some(*at)));
    }
}

/// Two sheets with the same replies, however they got there, are the same.
pub fn same(one: &Sheet, other: &Sheet) {
    assert_eq!(one.replies(), other.replies());
    assert_eq!(asked(one), asked(other), "other questions are asked");
    assert_eq!(one.progress(), other.progress());
    assert_eq!(one.submission(), other.submission());
}

/// Submits a sheet. What is sent is complete, and is accepted as it is by a fresh sheet.
pub fn submit(sheet: &Sheet) -> Option<SubmittedReplies> {
    settled(sheet);
    let problems = sheet.problems();
    let sent = match sheet.submission() {
        Ok(sent) => sent,
        Err(problem) => {
            assert_eq!(problem.causes, problems, "the sheet is refused for something else");
            assert!(!problems.is_empty());
            return None;
        }
    };
    assert_eq!(problems, [], "the sheet is sent with problems");
    assert_eq!(sent.replies.len(), sheet.questions().len(), "a question has no reply");
    for (at, question) in sheet.questions().iter().enumerate() {
        let is_left_out = matches!(sent.replies[&question.id].content, ReplyContent::NotAsked { .. });
        assert_eq!(is_left_out, !sheet.is_asked(at), "question {at}");
    }
    let form = Arc::new(PreparedQuestionnaire::new(Arc::new(sheet.questionnaire().clone())));
    let again = Sheet::from_prepared(form, sent.replies.clone()).submission();
    let again = again.unwrap_or_else(|problem| panic!("{:?} is refused: {problem:?}", sent.replies));
    assert_eq!(again.replies, sent.replies, "sent again, it is something else");
    assert_eq!(again.dropped, [], "what was left out is left out again");
    Some(sent)
}

fn asked(sheet: &Sheet) -> BTreeSet<usize> {
    sheet.asked_questions().map(|(at, _)| at).collect()
}
