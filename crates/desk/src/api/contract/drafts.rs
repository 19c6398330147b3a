//! Drafts: replies that are not submitted, merged by question, shared by every surface, never lost.

use super::*;
use sayso_core::model::outcome::ShownView;

pub(super) fn replies_merge_by_question(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    assert_eq!(desk.draft(ask.id).unwrap(), crate::Draft::default());
    let first = desk.save(&person("ada"), ask.id, DraftRev(0), vec![pick("red")]).unwrap();
    let second = other.save(&person("bob"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    assert!(first.rev > DraftRev(0) && second.rev > first.rev, "{first:?} {second:?}");
    assert_eq!((first.overwritten, second.overwritten), (Vec::new(), Vec::new()));
    let draft = bench.desk().draft(ask.id).unwrap();
    assert_eq!(draft.replies, Replies::from([pick("red"), note("thick")]));
    assert_eq!(draft.rev, second.rev);
    let skipped = (QuestionId::new("note"), Reply::skipped());
    desk.save(&person("ada"), ask.id, second.rev, vec![skipped.clone()]).unwrap();
    assert_eq!(draft_of(&*other, &ask), Replies::from([pick("red"), skipped]));
    let row = desk.list(&crate::AskQuery::default()).unwrap().rows.remove(0);
    assert_eq!((row.answered, row.questions), (1, 2), "a skip is no answer");
}

pub(super) fn submitted_replies_become_the_draft(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = desk.open(None, NewAsk { needs_verdict: true, ..new_ask("door") }).unwrap().ask().clone();
    let bobs =
        other.save(&person("bob"), ask.id, DraftRev(0), vec![pick("blue"), note("bob was here")]).unwrap();
    act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("red")])).unwrap();
    let after = Replies::from([pick("red"), note("bob was here")]);
    assert_eq!(draft_of(&*other, &ask), after, "ada's answer; what only bob typed is kept");
    let row = desk.list(&crate::AskQuery::default()).unwrap().rows.remove(0);
    assert_eq!(row.answered, 2);
    let saved = other.save(&person("bob"), ask.id, bobs.rev, vec![pick("blue")]).unwrap();
    assert_eq!(saved.overwritten, [QuestionId::new("color")], "bob is told that he replaces ada's answer");

    let feedback =
        sayso_core::model::ask::RoundFeedback { summary: Some("Not yet.".into()), ..Default::default() };
    let reprompt = AskCommand::Reprompt { round: 1, feedback };
    let again = act(&*desk, &as_asker(), &ask, reprompt).unwrap();
    let refused = again.refused_submission().unwrap();
    assert_eq!(
        (refused.receipt.by.as_str(), refused.replies.get(&QuestionId::new("color"))),
        ("ada", Some(&pick("red").1))
    );
    act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("blue"), note("  as typed  ")])).unwrap();
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("blue"), note("  as typed  ")]));
}

pub(super) fn note_on_the_form_is_merged_as_a_reply(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let form_note = |text: &str| (QuestionId::FORM, Reply::unanswered().with_note(Some(text.to_owned())));
    desk.save(&person("ada"), ask.id, DraftRev(0), vec![pick("red"), form_note("soon")]).unwrap();
    let bobs = other.save(&person("bob"), ask.id, DraftRev(0), vec![form_note("at once")]).unwrap();
    assert_eq!(bobs.overwritten, [QuestionId::FORM]);
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("red"), form_note("at once")]));
    let row = desk.list(&crate::AskQuery::default()).unwrap().rows.remove(0);
    assert_eq!((row.answered, row.questions), (1, 2), "a note on the form is no answer");
    let answer = (QuestionId::FORM, Reply::from_text("x"));
    let refused = desk.save(&person("ada"), ask.id, bobs.rev, vec![answer]);
    assert_eq!(refused.unwrap_err().code, ProblemCode::NoSuchQuestion);
    let long = form_note(&"x".repeat(sayso_core::limits::TEXT_ANSWER_BYTES + 1));
    let saved = desk.save(&person("ada"), ask.id, bobs.rev, vec![long.clone()]).unwrap();
    assert_eq!(
        saved.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(),
        [ProblemCode::TooLarge]
    );
    assert_eq!(
        code(act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("red"), long]))),
        ProblemCode::InvalidAnswers
    );

    let done =
        act(&*desk, &as_person("ada"), &ask, submit(&ask, [pick("red"), form_note(" soon ")])).unwrap();
    let Some(Outcome::Answered { replies, .. }) = done.outcome() else { panic!("{done:?}") };
    assert_eq!(replies.get(&QuestionId::FORM), Some(&form_note("soon").1));
    assert_eq!(desk.get(ask.id).unwrap(), done, "as it was stored");
    let late = act(&*desk, &as_person("bob"), &ask, submit(&ask, [form_note("too late")]));
    assert_eq!(late.unwrap_err().code, ProblemCode::AskAnswered);
    let late = desk.late_submissions(ask.id).unwrap();
    assert_eq!(
        late.iter().map(|late| late.replies.clone()).collect::<Vec<_>>(),
        [Replies::from([form_note("too late")])]
    );
}

pub(super) fn save_reports_overwritten_questions(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let both = vec![pick("red"), note("thick")];
    let adas = desk.save(&person("ada"), ask.id, DraftRev(0), both).unwrap();
    let bobs = other.save(&person("bob"), ask.id, DraftRev(0), vec![note("thin")]).unwrap();
    assert_eq!(bobs.overwritten, [QuestionId::new("note")]);
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("red"), note("thin")]));
    let again = desk.save(&person("ada"), ask.id, adas.rev, vec![pick("blue")]).unwrap();
    assert_eq!(again.overwritten, [], "nobody else had saved the color");
    let known = desk.save(&person("ada"), ask.id, again.rev, vec![note("thick")]).unwrap();
    assert_eq!(known.overwritten, [], "bob's note was known");
}

pub(super) fn list_counts_visible_questions(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let text = r#"{"questions":[
        {"id":"color","prompt":"?","options":["red","blue"],"children":[
            {"id":"shade","prompt":"?","show_if":{"is":"red"}},
            {"id":"depth","prompt":"?","show_if":{"any_of":["red","blue"]}}]},
        {"id":"note","prompt":"?"}]}"#;
    let questionnaire = Arc::new(sayso_core::wire::questionnaire::read(text).unwrap().questionnaire);
    let ask = desk.open(None, NewAsk { questionnaire, ..new_ask("door") }).unwrap().ask().clone();
    let counts = || {
        let row = bench.desk().list(&crate::AskQuery::default()).unwrap().rows.remove(0);
        assert_eq!(row.questions, 4, "a questionnaire has what it has");
        (row.answered, row.asked)
    };
    assert_eq!(counts(), (0, 2), "what follows up is not asked yet");
    let shade = (QuestionId::new("shade"), Reply::from_text("dark"));
    let draft = desk.save(&person("ada"), ask.id, DraftRev(0), vec![pick("red"), shade]).unwrap();
    assert_eq!(counts(), (2, 4));
    desk.save(&person("ada"), ask.id, draft.rev, vec![pick("blue")]).unwrap();
    assert_eq!(counts(), (1, 3), "the shade is kept, and not asked any more");
    let given =
        Replies::from([pick("blue"), (QuestionId::new("depth"), Reply::from_text("deep")), note("thick")]);
    let answer = AskCommand::Submit { replies: given, as_sent: None, shown: ask.request.digest.into() };
    act(&*desk, &as_person("ada"), &ask, answer).unwrap();
    let all = crate::AskQuery {
        states: vec![sayso_core::model::ask_summary::AskStatus::Answered],
        ..crate::AskQuery::default()
    };
    let row = desk.list(&all).unwrap().rows.remove(0);
    assert_eq!((row.questions, row.asked), (4, 3), "what was not asked was not answered");
}

pub(super) fn list_counts_prefilled_conditions(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let text = r#"{"questions":[
        {"id":"color","prompt":"?","options":["red","blue"],"prefill":{"picks":[{"option":"red"}]},"children":[
            {"id":"shade","prompt":"?","show_if":{"is":"red"}}]},
        {"id":"note","prompt":"?"}]}"#;
    let questionnaire = Arc::new(sayso_core::wire::questionnaire::read(text).unwrap().questionnaire);
    let ask = desk.open(None, NewAsk { questionnaire, ..new_ask("door") }).unwrap().ask().clone();
    let counts = || {
        let row = bench.desk().list(&crate::AskQuery::default()).unwrap().rows.remove(0);
        (row.answered, row.asked)
    };
    assert_eq!(counts(), (0, 3), "nobody has begun");
    let shade = (QuestionId::new("shade"), Reply::from_text("dark"));
    desk.save(&person("ada"), ask.id, DraftRev(0), vec![shade]).unwrap();
    assert_eq!(counts(), (1, 3), "what the asker filled in is no reply yet");
}

pub(super) fn draft_outlives_its_ask(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let asks = ["answered", "declined", "cancelled"].map(|title| {
        let ask = open(&*desk, title);
        desk.save(&person("bob"), ask.id, DraftRev(0), vec![note(title)]).unwrap();
        ask
    });
    let [answered, declined, cancelled] = &asks;
    answer(&*desk, answered);
    act(&*desk, &as_person("ada"), declined, decline(declined)).unwrap();
    act(&*desk, &as_asker(), cancelled, AskCommand::CANCEL).unwrap();
    let after = bench.desk();
    for ask in &asks {
        let end = after.get(ask.id).unwrap();
        let kind = end.outcome().unwrap().kind();
        assert_eq!(draft_of(&*after, ask), Replies::from([note(kind)]));
        let rev = after.draft(ask.id).unwrap().rev;
        let saved = after.save(&person("bob"), ask.id, rev, vec![note("later")]).unwrap();
        assert!(saved.rev > rev, "an ask that ended keeps the text all the same");
        assert_eq!(draft_of(&*desk, ask), Replies::from([note("later")]));
        assert_eq!(after.get(ask.id).unwrap(), end);
    }
    let expired = open_expired(&*desk, "expired");
    desk.save(&person("bob"), expired.id, DraftRev(0), vec![note("too late")]).unwrap();
    assert_eq!(draft_of(&*after, &expired), Replies::from([note("too late")]));
}

pub(super) fn invalid_draft_is_reported_and_kept(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let saved = desk.save(&person("ada"), ask.id, DraftRev(0), vec![pick("green"), note("fine")]).unwrap();
    let problems: Vec<_> =
        saved.problems.iter().map(|problem| (problem.path.to_js_path(), problem.code)).collect();
    assert_eq!(problems, [("answers.color".to_owned(), ProblemCode::NoSuchOption)]);
    assert_eq!(draft_of(&*bench.desk(), &ask), Replies::from([pick("green"), note("fine")]));
}

pub(super) fn unknown_question_saves_nothing(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let unasked = (QuestionId::new("unasked"), Reply::from_text("x"));
    let replies = vec![note("fine"), unasked];
    assert_eq!(code(desk.save(&person("ada"), ask.id, DraftRev(0), replies)), ProblemCode::NoSuchQuestion);
    assert_eq!(desk.draft(ask.id).unwrap(), crate::Draft::default());
    let nothing = desk.save(&person("ada"), ask.id, DraftRev(0), Vec::new()).unwrap();
    assert_eq!(nothing.rev, DraftRev(0), "saving nothing is no save");
}

pub(super) fn saving_leaves_ask_unchanged(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    desk.save(&person("ada"), ask.id, DraftRev(0), vec![pick("red")]).unwrap();
    assert_eq!(desk.get(ask.id).unwrap(), ask);
    assert_eq!(answer(&*desk, &ask).state.revision, ask.state.revision + 1);
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("red")]));
}

pub(super) fn conflicting_save_can_be_refused(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let first = desk.save(&person("ada"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let both = || vec![pick("red"), note("thin")];
    let problem = other.save_unchanged(&person("bob"), ask.id, DraftRev(0), both()).unwrap_err();
    assert_eq!(problem.code, ProblemCode::DraftChanged);
    let places: Vec<_> = problem.causes.iter().map(|cause| cause.path.to_json_pointer()).collect();
    assert_eq!(places, ["/answers/note"], "ada saved it since");
    assert_eq!(draft_of(&*desk, &ask), Replies::from([note("thick")]), "nothing of it was saved");
    let saved = other.save_unchanged(&person("bob"), ask.id, first.rev, both()).unwrap();
    assert_eq!((saved.rev > first.rev, saved.overwritten), (true, Vec::new()));
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("red"), note("thin")]));
}

pub(super) fn repeated_save_is_no_conflict(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let save = || desk.save_unchanged(&person("ada"), ask.id, DraftRev(0), vec![pick("red"), note("thick")]);
    save().unwrap();
    let again = save().unwrap();
    assert_eq!(again.overwritten, Vec::new(), "the reply to the first was lost");
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("red"), note("thick")]));
    desk.save(&person("bob"), ask.id, again.rev, vec![note("thin")]).unwrap();
    assert_eq!(code(save()), ProblemCode::DraftChanged, "but over what another one typed it is");
}

pub(super) fn newer_draft_refuses_submission(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let ask = open(&*desk, "door");
    let adas = desk.save(&person("ada"), ask.id, DraftRev(0), vec![pick("red")]).unwrap();
    let bobs = other.save(&person("bob"), ask.id, adas.rev, vec![pick("blue")]).unwrap();
    let send = |rev: DraftRev| {
        let shown = ShownView { draft_rev: Some(rev.0), ..ask.request.digest.into() };
        let replies = [pick("red")].into();
        act(&*desk, &as_person("ada"), &ask, AskCommand::Submit { replies, as_sent: None, shown })
    };
    assert_eq!(code(send(adas.rev)), ProblemCode::DraftChanged, "she was not shown what bob saved");
    assert!(desk.get(ask.id).unwrap().outcome().is_none());
    assert_eq!(draft_of(&*desk, &ask), Replies::from([pick("blue")]));
    let Some(Outcome::Answered { replies, .. }) = send(bobs.rev).unwrap().outcome().cloned() else {
        panic!("she was shown it, and sends hers all the same")
    };
    assert_eq!(replies.get(&pick("red").0), Some(&pick("red").1));
    assert_eq!(code(send(adas.rev)), ProblemCode::AskAnswered, "an end comes before a draft");
}
