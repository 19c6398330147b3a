//! Answers given as data. The first byte picks a questionnaire, the rest is the text of the answers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sayso_core::sheet::SubmittedReplies;
use sayso_core::wire::{answers, json, questionnaire};
use sayso_core::{PreparedQuestionnaire, Replies, Sheet};
use sayso_fuzz::sheets;
use std::sync::{Arc, LazyLock};

/// `0` to `3` in a seed.
static FORMS: LazyLock<[Arc<PreparedQuestionnaire>; 4]> = LazyLock::new(|| {
    [
        include_str!("../questionnaires/0-every-kind.json"),
        include_str!("../questionnaires/1-constraints.json"),
        include_str!("../questionnaires/2-conditions.json"),
        include_str!("../questionnaires/3-other-rules.json"),
    ]
    .map(|text| {
        let read = questionnaire::read(text).unwrap_or_else(|problems| panic!("{problems:?} in {text}"));
        assert_eq!(read.ignored, [], "{text}");
        Arc::new(PreparedQuestionnaire::new(Arc::new(read.questionnaire)))
    })
});

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let form = &FORMS[usize::from(*first) % FORMS.len()];
    let text = String::from_utf8_lossy(rest);
    let replies = match answers::read(form, &text) {
        Ok(replies) => replies,
        Err(problems) => return assert!(!problems.is_empty(), "refused without a reason"),
    };
    let sheet = Sheet::from_prepared(form.clone(), replies.clone());
    let in_order: Vec<_> = form.questions().iter().map(|question| replies.get(&question.id).cloned()).collect();
    sheets::give(&form, &in_order, &sheet);
    sheets::same(&Sheet::from_prepared(form.clone(), sheet.replies()), &sheet);
    if let Some(sent) = sheets::submit(&sheet) {
        written_and_read(form, &sent);
    }
});

/// What was sent stands in an outcome, which can be given as answers again.
fn written_and_read(form: &Arc<PreparedQuestionnaire>, sent: &SubmittedReplies) {
    let replies = json::write(&sent.replies);
    let stored: Replies = json::read_own(&replies).expect("a store reads what it wrote");
    assert_eq!(stored, sent.replies, "stored as {replies}");
    let outcome = format!(r#"{{"sayso":1,"outcome":"answered","replies":{replies}}}"#);
    let again = answers::read(form, &outcome);
    let again = again.unwrap_or_else(|problems| panic!("{outcome} is refused: {problems:?}"));
    let again = Sheet::from_prepared(form.clone(), again).submission().map(|sent| sent.replies);
    assert_eq!(again.as_ref(), Ok(&sent.replies), "read from {outcome}");
}
