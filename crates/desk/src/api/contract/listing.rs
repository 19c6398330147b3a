//! Lists: order, pages and search.

use super::*;
use crate::query::{AskQuery, PageCursor};
use sayso_core::model::action::{ActSummary, ActVerb, ActionKind, ProposedAction};
use sayso_core::{AskSummary, model::ask_summary::AskStatus};

fn titles(desk: &dyn Desk, query: &AskQuery) -> Vec<String> {
    desk.list(query).unwrap().rows.into_iter().map(|row| row.title).collect()
}

fn of_states(states: &[AskStatus]) -> AskQuery {
    AskQuery { states: states.to_vec(), ..AskQuery::default() }
}

fn search(words: &str) -> AskQuery {
    AskQuery { search: Some(words.to_owned()), ..AskQuery::default() }
}

pub(super) fn pending_oldest_first_ended_newest_first(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let asks = ["one", "two", "three", "four"].map(|title| open(&*desk, title));
    assert_eq!(titles(&*desk, &AskQuery::default()), ["one", "two", "three", "four"]);
    let [one, _, three, _] = &asks;
    answer(&*desk, three);
    answer(&*desk, one);
    let other = bench.desk();
    assert_eq!(titles(&*other, &AskQuery::default()), ["two", "four"]);
    assert_eq!(titles(&*other, &of_states(&[AskStatus::Answered])), ["three", "one"]);
    assert_eq!(titles(&*other, &of_states(&AskStatus::ALL)), ["four", "three", "two", "one"]);
}

pub(super) fn asker_lists_its_undelivered_asks(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let asker = |name: &str, folder: Option<&str>, session: Option<&str>| Asker {
        name: name.to_owned(),
        folder: folder.map(str::to_owned),
        session: session.map(str::to_owned),
        account: None,
    };
    let askers = [
        asker("painter", Some("/house"), Some("one")),
        asker("painter", Some("/house"), Some("two")),
        asker("painter", Some("/garden"), None),
        asker("painter", None, None),
        asker("plumber", Some("/house"), None),
    ];
    let ask = |asker: &Asker, title: &str| {
        let new = NewAsk { asker: asker.clone(), ..new_ask(title) };
        desk.open(None, new).unwrap().ask().clone()
    };
    for (at, asker) in askers.iter().enumerate() {
        ask(asker, &format!("open {at}"));
        for reply in ["answered", "heard"] {
            let asked = ask(asker, &format!("{reply} {at}"));
            answer(&*desk, &asked);
            if reply == "heard" {
                desk.ack(asker, asked.id).unwrap();
            }
        }
    }
    let of = |asker: &Asker, states: &[AskStatus]| {
        titles(&*desk, &AskQuery { asker: Some(asker.clone()), undelivered: true, ..of_states(states) })
    };
    assert_eq!(of(&askers[0], &[]), ["open 0", "open 1"], "in whatever session");
    assert_eq!(of(&askers[0], &[AskStatus::Answered, AskStatus::Declined]), ["answered 1", "answered 0"]);
    assert_eq!(of(&askers[2], &AskStatus::ALL), ["answered 2", "open 2"]);
    assert_eq!(of(&askers[3], &AskStatus::ALL), ["answered 3", "open 3"], "in no folder");
    let foreign = NewAsk { asker: askers[3].clone(), dialect: "auq".to_owned(), ..new_ask("foreign") };
    desk.open(None, foreign).unwrap();
    let in_dialect = |name: &str| {
        titles(
            &*desk,
            &AskQuery { dialect: Some(name.to_owned()), asker: Some(askers[3].clone()), ..of_states(&[]) },
        )
    };
    assert_eq!([in_dialect("auq"), in_dialect("sayso")], [["foreign"], ["open 3"]]);
    let heard_too = AskQuery { asker: Some(askers[4].clone()), ..of_states(&AskStatus::ALL) };
    assert_eq!(titles(&*desk, &heard_too), ["heard 4", "answered 4", "open 4"]);
}

pub(super) fn pages_follow_without_gaps(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let asked: Vec<_> = (0..5).map(|n| open(&*desk, &format!("ask {n}")).id).collect();
    let newest_first: Vec<_> = asked.iter().rev().copied().collect();
    for (states, wanted) in [(Vec::new(), asked), (AskStatus::ALL.to_vec(), newest_first)] {
        for size in [0, 1, 2, 5, 6] {
            let (mut got, mut after) = (Vec::new(), None);
            loop {
                let query =
                    AskQuery { states: states.clone(), rows: Some(size), after, ..AskQuery::default() };
                let page = desk.list(&query).unwrap();
                assert!(page.rows.len() <= size.max(1));
                assert!(got.len() < wanted.len(), "a page after the last one");
                got.extend(page.rows.iter().map(|row| row.id));
                let Some(next) = page.next else { break };
                assert!(!page.rows.is_empty(), "a page that goes on has rows");
                after = Some(PageCursor::parse(&next.to_string()).unwrap());
            }
            assert_eq!(got, wanted, "{size} a page");
        }
    }
    assert_eq!(PageCursor::parse("here"), None);
}

pub(super) fn row_has_all_fields(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    let session = Some("s-1".to_owned());
    let asker = Asker {
        name: "painter".to_owned(),
        folder: Some("/house".to_owned()),
        session: session.clone(),
        account: None,
    };
    let mut new = NewAsk { time_limit_ms: Some(3_600_000), asker, ..new_ask("door") };
    let paint = ActionKind::Run { argv: vec!["paint".to_owned(), "door".to_owned()], folder: None };
    Arc::make_mut(&mut new.questionnaire).action =
        Some(ProposedAction { tool: "Bash".to_owned(), act: paint });
    let ask = desk.open(None, new).unwrap().ask().clone();
    desk.save(&person("ada"), ask.id, DraftRev(0), vec![note("thick")]).unwrap();
    let ask = act(&*desk, &as_person("ada"), &ask, AskCommand::MarkSeen).unwrap();
    let row = bench.desk().list(&AskQuery::default()).unwrap().rows.remove(0);
    let wanted = AskSummary {
        id: ask.id,
        state: AskStatus::Open,
        title: "door".to_owned(),
        approved: None,
        act: Some(ActSummary { verb: ActVerb::Run, object: "paint door".to_owned(), plan: false, session }),
        asker: "painter".to_owned(),
        account: None,
        program: None,
        audience: row.audience.clone(),
        folder: Some("/house".to_owned()),
        dialect: "sayso".to_owned(),
        questions: 2,
        asked: 2,
        answered: 1,
        drafted: true,
        seen: true,
        delivered: false,
        created_at: ask.request.created_at,
        changed_at: ask.state.changed_at,
        deadline: ask.state.deadline,
        attached: false,
        process: None,
        damaged: false,
    };
    assert_eq!(row, wanted);
    act(&*desk, &as_asker(), &ask, AskCommand::Attach { process: None }).unwrap();
    assert!(desk.list(&AskQuery::default()).unwrap().rows.remove(0).attached);
    answer(&*desk, &ask);
    let row = bench.desk().list(&of_states(&[AskStatus::Answered])).unwrap().rows.remove(0);
    assert_eq!((row.approved, row.delivered), (Some(true), false));
}

pub(super) fn each_state_can_be_listed(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    open(&*desk, "open");
    let judged =
        desk.open(None, NewAsk { needs_verdict: true, ..new_ask("submitted") }).unwrap().ask().clone();
    answer(&*desk, &judged);
    let declined = open(&*desk, "declined");
    act(&*desk, &as_person("ada"), &declined, decline(&declined)).unwrap();
    let cancelled = open(&*desk, "cancelled");
    act(&*desk, &as_asker(), &cancelled, AskCommand::CANCEL).unwrap();
    answer(&*desk, &open(&*desk, "answered"));
    open_expired(&*desk, "expired");
    for state in AskStatus::ALL {
        assert_eq!(titles(&*desk, &of_states(&[state])), [state.as_str()]);
    }
    assert_eq!(titles(&*desk, &AskQuery::default()), ["open", "submitted"]);
    assert_eq!(titles(&*desk, &of_states(&[AskStatus::Submitted, AskStatus::Open])).len(), 2);
}

/// Opens asks with words in every field that is searched.
fn library(desk: &dyn Desk) {
    let mut prompts = questionnaire("a title");
    prompts.questions.iter_mut().for_each(|question| question.prompt = "Which harbour?".to_owned());
    let asker = Asker {
        name: "Botticelli".to_owned(),
        folder: Some("/srv/venus".to_owned()),
        session: None,
        account: None,
    };
    let mine = NewAsk { questionnaire: Arc::new(prompts), asker, ..new_ask("") };
    desk.open(None, mine).unwrap();
    open(desk, "部署到生产环境");
    open(desk, "100% of \"quoted\" words, under_scored");
    open(desk, "go to Rome");
}

pub(super) fn words_are_found_in_every_field(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    library(&*desk);
    let found = |words: &str| titles(&*desk, &search(words));
    for words in ["harbour", "HARBOUR", "botticelli", "venus", "arbou", "harbour venus"] {
        assert_eq!(found(words), ["a title"], "{words}");
    }
    assert_eq!(found("生产环境"), ["部署到生产环境"]);
    assert_eq!(found("\"quoted\""), ["100% of \"quoted\" words, under_scored"]);
    assert_eq!(found("100%"), ["100% of \"quoted\" words, under_scored"]);
    assert_eq!(found("under_scored"), ["100% of \"quoted\" words, under_scored"]);
    assert_eq!(found("harbour Rome"), [""; 0], "all the words must be there");
    assert_eq!(found("nowhere"), [""; 0]);
    assert_eq!(found("").len(), 4);
    assert_eq!(found("  ").len(), 4);
    let answered = AskQuery { states: vec![AskStatus::Answered], ..search("harbour") };
    assert_eq!(titles(&*desk, &answered), [""; 0], "and the state as well");
    let mut new = new_ask("Allow Bash?");
    let remove = ActionKind::Run { argv: ["rm", "/srv/builds"].map(str::to_owned).into(), folder: None };
    Arc::make_mut(&mut new.questionnaire).action =
        Some(ProposedAction { tool: "Bash".to_owned(), act: remove });
    desk.open(None, new).unwrap();
    for words in ["/srv/builds", "rm", "RM builds", "bash rm"] {
        assert_eq!(found(words), ["Allow Bash?"], "{words}");
    }
}

pub(super) fn short_words_are_searched(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    library(&*desk);
    let found = |words: &str| titles(&*desk, &search(words));
    assert_eq!(found("部署"), ["部署到生产环境"]);
    assert_eq!(found("环"), ["部署到生产环境"]);
    assert_eq!(found("部署 生产"), ["部署到生产环境"], "two short words");
    assert_eq!(found("生产环境 部署"), ["部署到生产环境"], "a long and a short one");
    assert_eq!(found("生产环境 go"), [""; 0], "the short one must be there too");
    assert_eq!(found("go to"), ["go to Rome"]);
    assert_eq!(found("to go"), ["go to Rome"]);
    assert_eq!(found("%"), ["100% of \"quoted\" words, under_scored"], "a sign, not a pattern");
    assert_eq!(found("_"), ["100% of \"quoted\" words, under_scored"]);
    assert_eq!(found("_s"), ["100% of \"quoted\" words, under_scored"]);
    assert_eq!(found("\\"), [""; 0]);
}

pub(super) fn search_finds_ids(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    library(&*desk);
    let id = desk.list(&search("Rome")).unwrap().rows.remove(0).id;
    let (whole, handle) = (id.to_string(), id.short_id());
    let short = handle.get(..5).unwrap().to_uppercase();
    for words in [whole.as_str(), &whole.replace('-', ""), &handle, &short, &format!("{handle} rome")] {
        assert_eq!(titles(&*desk, &search(words)), ["go to Rome"], "{words}");
    }
    let both = format!("{handle} harbour");
    assert_eq!(titles(&*desk, &search(&both)), [""; 0], "the other words must be there too");
    assert_eq!(titles(&*desk, &search(&whole[..6])), [""; 0], "the ids of the same hours begin alike");
}

pub(super) fn next_search_finds_newer_asks(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    open(&*desk, "the first harbour");
    assert_eq!(titles(&*desk, &search("harbour")), ["the first harbour"]);
    open(&*bench.desk(), "the second harbour");
    assert_eq!(titles(&*desk, &search("harbour")), ["the first harbour", "the second harbour"]);
    let one = AskQuery { rows: Some(1), ..search("harbour") };
    let page = desk.list(&one).unwrap();
    let rest = AskQuery { after: page.next, ..search("harbour") };
    assert_eq!(titles(&*desk, &rest), ["the second harbour"], "a search has pages too");
}

pub(super) fn any_search_text_is_valid(bench: &dyn DeskFixture) {
    let desk = bench.desk();
    library(&*desk);
    let odd = [
        "AND",
        "OR",
        "NOT",
        "NEAR",
        "a AND",
        "NOT harbour",
        "NEAR(harbour, 2)",
        "\"",
        "\"\"",
        "\"\"\"",
        "\"abc",
        "abc\"",
        "*",
        "***",
        "abc*",
        "^abc",
        "words:abc",
        "words : abc",
        "(abc",
        "abc)",
        "{abc}",
        "+++",
        "--- ---",
        "abc - def",
        "'",
        "''",
        "'; DROP TABLE ask; --",
        "\\",
        "\\\\\\",
        "%%%",
        "___",
        "abc\u{0}def",
        "\u{0}",
        "\u{0}\u{0}\u{0}",
        "\t\n",
        "\u{200b}\u{200b}\u{200b}",
        "🦀🦀🦀",
        "e\u{301}e\u{301}",
        "ﷺ",
        "?1 ?2 ?3",
        ":a @b $c",
        "harbour \u{3000}venus",
        "ａｂｃ",
    ];
    let (long, short) = ("harbour ".repeat(10_000), "a ".repeat(10_000));
    for words in odd.into_iter().chain([long.as_str(), short.as_str()]) {
        if let Err(problem) = desk.list(&search(words)) {
            panic!("{words:?}: {problem}");
        }
    }
}
