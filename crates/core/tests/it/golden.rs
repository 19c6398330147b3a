//! Golden files: version 1 of the wire format, to the byte. Each file must be read, and written again identically. To
//! add one, add it to `samples` and run the tests once with `SAYSO_GOLDEN=write`, which writes missing files and never
//! overwrites one. An existing file never changes: stores contain such bytes.

use crate::samples;
use sayso_core::lifecycle::AskEvent;
use sayso_core::wire::{ask, command, json, outcome, questionnaire};
use sayso_core::{Ask, LateSubmission, Outcome, Questionnaire};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"))
}

/// Returns the text of a golden file, without the newline at its end.
fn golden(name: &str, written: &str) -> String {
    let path = path(name);
    if option_env!("SAYSO_GOLDEN") == Some("write") && !path.exists() {
        std::fs::write(&path, format!("{written}\n")).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.strip_suffix('\n').unwrap_or_else(|| panic!("{name} ends with a newline")).to_owned()
}

/// Checks a value against its file, both ways.
fn assert_round_trip<T: Debug + PartialEq>(
    name: &str,
    value: &T,
    write: impl Fn(&T) -> String,
    read: impl Fn(&str) -> T,
) {
    let text = golden(name, &write(value));
    let found = read(&text);
    assert_eq!(found, *value, "{name} reads as something else now");
    assert_eq!(write(&found), text, "{name} is written in another way now");
}

fn write_questionnaire(value: &Questionnaire) -> String {
    questionnaire::write(value)
}

fn names() -> BTreeSet<String> {
    let requests = samples::requests().map(|(name, _)| name.to_owned());
    let outcomes = samples::outcomes().map(|(name, _)| format!("outcome-{name}"));
    let states = samples::states().into_iter().map(|(name, _)| format!("state-{name}"));
    let others = [
        "outcome-answered-kinds",
        "outcome-answered-partly-seen",
        "ask",
        "commands",
        "events",
        "late",
        "questionnaire",
        "questionnaire-whole",
        "questionnaire-by-hand",
        "questionnaire-by-hand-canonical",
    ];
    others.map(str::to_owned).into_iter().chain(requests).chain(outcomes).chain(states).collect()
}

#[test]
fn questionnaires_match_golden_files() {
    assert_round_trip("questionnaire", &samples::full(), write_questionnaire, |text| {
        questionnaire::read(text).unwrap().questionnaire
    });
    assert_round_trip("questionnaire-whole", &samples::whole(), write_questionnaire, |text| {
        json::read(text).unwrap()
    });
    // A file written by hand; it is only read.
    let by_hand = questionnaire::read(&golden("questionnaire-by-hand", "")).unwrap().questionnaire;
    assert_eq!(by_hand, samples::by_hand());
    let canonical = "questionnaire-by-hand-canonical";
    assert_round_trip(canonical, &by_hand, write_questionnaire, |text| {
        questionnaire::read(text).unwrap().questionnaire
    });
}

#[test]
fn digests_match_golden_values() {
    let digests = [samples::full(), samples::by_hand()].map(|sample| sample.digest().to_string());
    assert_eq!(digests, DIGESTS);
}

/// Old receipts contain these digests: they never change.
const DIGESTS: [&str; 2] = [
    "f57c33c93c19998477e9b9215170ecc38af677f31a8aeb7d07d64d070365bd1c",
    "2aa2ee7b3b7bc96affd77ab825970dfe254767981e0124497c245a16b9b14346",
];

#[test]
fn requests_match_golden_files() {
    for (name, request) in samples::requests() {
        assert_round_trip(name, &request, ask::write_request, |text| ask::read_request(text).unwrap());
    }
}

#[test]
fn states_match_golden_files() {
    for (name, state) in samples::states() {
        assert_round_trip(&format!("state-{name}"), &state, ask::write_state, |text| {
            ask::read_state(text).unwrap()
        });
    }
}

#[test]
fn outcomes_match_golden_files() {
    let others = [("answered-kinds", samples::kinds()), ("answered-partly-seen", samples::partly_seen())];
    for (name, value) in samples::outcomes().into_iter().chain(others) {
        let read = |text: &str| json::read::<Outcome>(text).unwrap();
        assert_round_trip(
            &format!("outcome-{name}"),
            &value,
            |value| outcome::write(samples::id(), &Questionnaire::default(), value),
            read,
        );
    }
}

#[test]
fn event_log_matches_golden_files() {
    let read = |text: &str| json::read_own::<Vec<AskEvent>>(text).unwrap();
    assert_round_trip("events", &samples::events(), json::write, read);
}

#[test]
fn late_submissions_match_golden_files() {
    let read = |text: &str| json::read_own::<Vec<LateSubmission>>(text).unwrap();
    assert_round_trip("late", &samples::late(), json::write, read);
}

/// Stores keep digests of these: a retry after an upgrade is recognized by them.
#[test]
fn commands_match_golden_files() {
    let written: Vec<_> = samples::commands().iter().map(command::write).collect();
    let written = format!("[{}]", written.join(",\n"));
    assert_eq!(written, golden("commands", &written));
}

#[test]
fn shown_ask_matches_golden_file() {
    let [(_, request), ..] = samples::requests();
    let (_, state) = samples::states().swap_remove(3);
    let ask = Ask { id: samples::id(), request: Arc::new(request), state };
    let value = ask::to_value(&ask);
    let text = golden("ask", &json::write(&value));
    // The order of members does not matter.
    assert_eq!(json::read::<serde_json::Value>(&text).unwrap(), value);
}

#[test]
fn shown_ask_round_trips() {
    for (_, request) in samples::requests() {
        let request = Arc::new(request);
        for (name, state) in samples::states() {
            let ask = Ask { id: samples::id(), request: request.clone(), state };
            assert_eq!(ask::read(&ask::to_value(&ask).to_string()), Ok(ask), "{name}");
        }
    }
}

#[test]
fn every_golden_file_is_tested() {
    let folder = path("any").parent().unwrap().read_dir().unwrap();
    let there: BTreeSet<_> = folder
        .map(|file| file.unwrap().file_name().into_string().unwrap().trim_end_matches(".json").to_owned())
        .collect();
    assert_eq!(there.difference(&names()).collect::<Vec<_>>(), Vec::<&String>::new());
}
