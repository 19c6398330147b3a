//! Opening: which requests find an existing ask, and which make a new one.

use super::*;
use crate::desk::OpenedAsk;
use sayso_core::limits;
use sayso_core::model::actor::ProcessId;
use sayso_core::model::ask::AskerPresence;
use sayso_core::{Answer, ConfirmQuestion, DateQuestion};
use uuid::Uuid;

/// Opens an ask that must be new.
fn is_new(desk: &dyn Desk, key: Option<&str>, new: NewAsk) -> AskId {
    match desk.open(key, new).unwrap() {
        OpenedAsk::New(ask) => ask.id,
        OpenedAsk::Existing(ask) => panic!("{} was there before", ask.id),
    }
}

/// Opens an ask that must exist already.
fn is_there(desk: &dyn Desk, key: Option<&str>, new: NewAsk) -> AskId {
    match desk.open(key, new).unwrap() {
        OpenedAsk::Existing(ask) => ask.id,
        OpenedAsk::New(ask) => panic!("{} is new", ask.id),
    }
}

pub(super) fn same_content_finds_undelivered_ask(bench: &dyn DeskFixture) {
    let (desk, other) = (bench.desk(), bench.desk());
    let id = is_new(&*desk, None, new_ask("door"));
    assert_eq!(is_there(&*other, None, new_ask("door")), id);
    let ask = answer(&*desk, &desk.get(id).unwrap());
    assert_eq!(is_there(&*other, None, new_ask("door")), id, "answered, not delivered");
    desk.offer(&asker(), &ask, "plain", &|_| Vec::new()).unwrap();
    assert_eq!(is_there(&*other, None, new_ask("door")), id, "offered, not acknowledged");
    deliver(&*desk, &ask);
    let next = is_new(&*other, None, new_ask("door"));
    assert_ne!(next, id);
    assert_eq!(is_there(&*desk, None, new_ask("door")), next);
}

pub(super) fn given_consent_needs_its_key(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let question = Question::new("go", "Deploy now?", ConfirmQuestion::default());
    let questionnaire = Arc::new(Questionnaire { questions: vec![question], ..Questionnaire::default() });
    let process = Some(ProcessId { pid: 1, started: 7 });
    let consent = || NewAsk { questionnaire: questionnaire.clone(), process, ..new_ask("door") };
    let agree = |id| {
        let shown = desk.get(id).unwrap().request.digest;
        let replies = Replies::from([(QuestionId::new("go"), Reply::from_answer(Answer::Confirm(true)))]);
        desk.act(
            &as_person("ada"),
            id,
            None,
            AskCommand::Submit { replies, as_sent: None, shown: shown.into() },
        )
        .unwrap();
    };
    let first = is_new(&*desk, None, consent());
    assert_eq!(is_there(&*desk, None, consent()), first, "open");
    agree(first);
    let second = is_new(&*desk, None, consent());
    assert_ne!(second, first, "what was agreed to before is no consent to what happens now");
    agree(second);
    let keyed = is_new(&*desk, Some("deploy 7"), consent());
    agree(keyed);
    assert_eq!(is_there(&*desk, Some("deploy 7"), consent()), keyed);
}

pub(super) fn keyless_request_finds_no_keyed_ask(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let keyed = is_new(&*desk, Some("k"), new_ask("door"));
    let keyless = is_new(&*desk, None, new_ask("door"));
    assert_ne!(keyless, keyed);
    assert_eq!(is_there(&*desk, None, new_ask("door")), keyless);
    assert_eq!(is_there(&*desk, Some("k"), new_ask("door")), keyed);
}

pub(super) fn any_difference_opens_another_ask(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let plain = new_ask("door");
    let session = Asker { session: Some("2".to_owned()), ..asker() };
    let folder = Asker { folder: None, ..asker() };
    let name = Asker { name: "joiner".to_owned(), ..asker() };
    let mut others = vec![
        plain.clone(),
        new_ask("wall"),
        NewAsk { dialect: "auq".to_owned(), ..plain.clone() },
        NewAsk { needs_verdict: true, ..plain.clone() },
    ];
    others.extend([session, folder, name].map(|asker| NewAsk { asker, ..plain.clone() }));
    let mut ids: Vec<_> = others.iter().map(|new| is_new(&*desk, None, new.clone())).collect();
    for (new, id) in others.into_iter().zip(&ids) {
        assert_eq!(is_there(&*desk, None, new), *id);
    }
    let asked_in_order = ids.clone();
    ids.sort();
    assert_eq!(ids, asked_in_order, "ids sort by the time of asking");
}

pub(super) fn key_finds_its_ask_forever(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let id = is_new(&*desk, Some("k"), new_ask("door"));
    assert_eq!(is_there(&*bench.desk(), Some("k"), new_ask("door")), id);
    assert_ne!(is_new(&*desk, Some("j"), new_ask("door")), id, "another key is another ask");
    let ask = answer(&*desk, &desk.get(id).unwrap());
    deliver(&*desk, &ask);
    assert_eq!(is_there(&*bench.desk(), Some("k"), new_ask("door")), id, "delivered long ago");
    assert!(desk.get(id).unwrap().outcome().is_some());
    assert_ne!(is_new(&*desk, Some("l"), new_ask("door")), id, "another key");
}

pub(super) fn key_has_one_use(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let id = is_new(&*desk, Some("k"), new_ask("door"));
    let problem = desk.open(Some("k"), new_ask("wall")).unwrap_err();
    assert_eq!(problem.code, ProblemCode::KeyReused);
    assert!(problem.to_string().contains('k') && problem.hint.is_some(), "{problem:?}");
    let joiner = NewAsk { asker: Asker { name: "joiner".to_owned(), ..asker() }, ..new_ask("wall") };
    let theirs = is_new(&*desk, Some("k"), joiner);

    let see = |id, key| desk.act(&as_person("ada"), id, Some(key), AskCommand::MarkSeen);
    see(id, "k").unwrap();
    assert_eq!(code(see(theirs, "k")), ProblemCode::KeyReused, "the same command on another ask");
    let ask = desk.get(id).unwrap();
    assert_eq!(code(desk.act(&as_person("ada"), id, Some("k"), decline(&ask))), ProblemCode::KeyReused);
    assert!(desk.get(id).unwrap().outcome().is_none());
    desk.act(&as_person("bob"), theirs, Some("k"), AskCommand::MarkSeen).unwrap();
}

pub(super) fn returning_asker_is_attached(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let process = Some(ProcessId { pid: 1, started: 7 });
    let ask = open(&*desk, "door");
    assert_eq!(ask.state.presence, AskerPresence::Detached { since: ask.request.created_at });
    let opened = bench.desk().open(None, NewAsk { process, ..new_ask("door") }).unwrap();
    assert_eq!(opened.ask().state.presence, AskerPresence::Attached { process });
    let ask = act(&*desk, &as_asker(), &ask, AskCommand::Detach).unwrap();
    assert!(matches!(ask.state.presence, AskerPresence::Detached { .. }));
    assert_eq!(open(&*desk, "door"), ask, "an asker that does not say where it waits changes nothing");
}

pub(super) fn bad_requests_store_nothing(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let refused = |key: Option<&str>, new: NewAsk| code(desk.open(key, new));
    let name = "n".repeat(limits::NAME_CHARS + 1);
    let long = "k".repeat(limits::IDEMPOTENCY_KEY_BYTES + 1);
    let twice = vec![Question::new("a", "?", DateQuestion); 2];
    let questionnaire = Arc::new(Questionnaire { questions: twice, ..Questionnaire::default() });
    assert_eq!(refused(None, NewAsk { questionnaire, ..new_ask("door") }), ProblemCode::InvalidRequest);
    assert_eq!(
        refused(None, NewAsk { time_limit_ms: Some(0), ..new_ask("door") }),
        ProblemCode::InvalidValue
    );
    assert_eq!(
        refused(None, NewAsk { asker: Asker { name, ..asker() }, ..new_ask("door") }),
        ProblemCode::TooBig
    );
    assert_eq!(refused(Some(""), new_ask("door")), ProblemCode::InvalidValue);
    assert_eq!(refused(Some(&long), new_ask("door")), ProblemCode::InvalidValue);
    assert_eq!(desk.list(&crate::AskQuery::default()).unwrap().rows, []);
    let bad = NewAsk { time_limit_ms: Some(0), ..new_ask("door") };
    assert_eq!(refused(Some("k"), bad), ProblemCode::InvalidValue);
    is_new(&*desk, Some("k"), new_ask("wall"));
}

pub(super) fn unknown_ask_is_not_found(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let ask = open(&*desk, "door");
    let id = AskId::new(Uuid::nil());
    let gone = Ask { id, ..ask.clone() };
    let gone_answered = Ask { id, ..answer(&*desk, &open(&*desk, "wall")) };
    assert_eq!(code(desk.get(id)), ProblemCode::AskNotFound);
    assert_eq!(code(desk.draft(id)), ProblemCode::AskNotFound);
    assert_eq!(code(desk.save(&person("ada"), id, DraftRev(0), vec![note("x")])), ProblemCode::AskNotFound);
    assert_eq!(
        code(act(&*desk, &as_person("ada"), &gone, submit(&ask, [pick("red")]))),
        ProblemCode::AskNotFound
    );
    assert_eq!(code(act(&*desk, &as_asker(), &gone, AskCommand::CANCEL)), ProblemCode::AskNotFound);
    assert_eq!(
        code(desk.offer(&asker(), &gone_answered, "plain", &|_| Vec::new())),
        ProblemCode::AskNotFound
    );
    assert_eq!(code(desk.ack(&asker(), id)), ProblemCode::AskNotFound);
}
