//! Translations between dialects: everything not reported as lost is kept, and every written request can be asked.

mod request_limits;
mod same_problems;

use proptest::prelude::*;
use proptest::sample::Index;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, Message, Question, QuestionId, QuestionKind, Questionnaire, Section,
};
use sayso_dialects::{Dialect, DialectLimits, TranslationLoss};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Requests of every dialect: valid ones of the vectors, and the examples for agents.
pub(crate) static POOL: LazyLock<Vec<(Dialect, Questionnaire)>> = LazyLock::new(|| {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pool = Vec::new();
    for dialect in Dialect::ALL {
        let folder = match dialect {
            Dialect::Sayso => here.join("../../examples"),
            _ => here.join("tests/vectors").join(dialect.name()),
        };
        let before = pool.len();
        for file in files(&folder) {
            let document: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            let input = &document["input"];
            let events = document["expect"]["events"].as_array().into_iter().flatten();
            let spellings =
                [&document, input, &input["schema"], &input["data"], &input["args"], &document["expect"]];
            let mut texts = spellings.into_iter().chain(events).map(Value::to_string);
            let read = texts.find_map(|text| dialect.read(&text, &DialectLimits::default()).ok());
            pool.extend(read.map(|read| (dialect, read.questionnaire)));
        }
        assert!(pool.len() > before, "no request in {}", folder.display());
    }
    pool
});

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// Returns some of the questions of a questionnaire, with their follow-ups. Conditions on the others are dropped.
pub(crate) fn part(whole: &Questionnaire, mask: u64) -> Questionnaire {
    let mut part = whole.clone();
    let mut kept = Vec::new();
    for (index, question) in whole.questions.iter().enumerate() {
        let stands = question.parent.as_ref().is_none_or(|parent| kept.contains(parent));
        let tested = question.show_if.iter().flat_map(|condition| condition.tests());
        if mask >> (index % 64) & 1 == 1
            && stands
            && tested.into_iter().all(|test| kept.contains(&test.question))
        {
            kept.push(question.id.clone());
        }
    }
    part.questions.retain(|question| kept.contains(&question.id));
    let has_some = |section: &Section| {
        section.show_if.is_none()
            && part.questions.iter().any(|question| question.section.as_ref() == Some(&section.id))
    };
    part.sections = whole.sections.iter().filter(|section| has_some(section)).cloned().collect();
    let stands = |question: &Question| {
        question.section.as_ref().is_none_or(|id| part.sections.iter().any(|section| section.id == *id))
    };
    part.questions.retain(stands);
    part
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn unlost_parts_survive_round_trip(which in any::<Index>(), mask in any::<u64>(), other in any::<Index>()) {
        let (from, whole) = which.get(&POOL);
        let to = *other.get(&Dialect::ALL);
        let asked = part(whole, mask);
        let there = to.write_request(&asked, &DialectLimits::default());
        let read = to.read(&there.text, &DialectLimits::default());
        if there.lost.is_empty() && !asked.questions.is_empty() {
            let read = read.map_err(|problems| TestCaseError::fail(format!("{to:?}: {problems:?}")))?;
            prop_assert_eq!(&read.questionnaire, &asked, "{:?} to {:?}", from, to);
            let back = from.write_request(&read.questionnaire, &DialectLimits::default());
            if back.lost.is_empty() {
                let read = from.read(&back.text, &DialectLimits::default());
                prop_assert_eq!(read.map(|read| read.questionnaire), Ok(asked), "{:?} to {:?} and back", from, to);
            }
        } else if let Ok(read) = read {
            // The expressible part is valid in itself.
            prop_assert_eq!(read.questionnaire.problems(), []);
        } else {
            prop_assert!(!there.lost.is_empty() || asked.questions.is_empty());
        }
    }
}

#[test]
fn duplicate_names_are_numbered_or_lost() {
    let asked = |labels: [&str; 3]| {
        let questions = labels.iter().zip(0..).map(|(label, at)| {
            let options = ["A", "B"].map(|name| ChoiceOption::new(name, name)).to_vec();
            let kind = QuestionKind::Choice(ChoiceQuestion { options, ..ChoiceQuestion::default() });
            let label = Some((*label).to_owned()).filter(|label| !label.is_empty());
            Question { label, ..Question::new(QuestionId::numbered('q', at), "Which one of these?", kind) }
        });
        Questionnaire { questions: questions.collect(), ..Questionnaire::default() }
    };
    let output_of = |labels| {
        let there = Dialect::AskUserQuestion.write_request(&asked(labels), &DialectLimits::default());
        let text: Value = serde_json::from_str(&there.text).unwrap();
        let headers: Vec<_> =
            text["questions"].as_array().unwrap().iter().map(|item| item["header"].clone()).collect();
        let same = there.lost.iter().filter(|lost| lost.what == Message::LostSameName.into());
        (headers, same.map(|lost| lost.path.to_js_path()).collect::<Vec<_>>())
    };
    let cut = ["Authentication method A", "Authentication method B", "Authentication method C"];
    assert_eq!(
        output_of(cut),
        (vec![json!("Authenticat…"), json!("Authentic… 2"), json!("Authentic… 3")], vec![])
    );
    assert_eq!(
        output_of(["", "", "Other"]).0,
        [json!("Which one o…"), json!("Which one… 2"), json!("Other")]
    );
    assert_eq!(output_of(["Same", "Same", "Same"]).1, ["questions[1].label", "questions[2].label"]);
}

#[test]
fn translation_to_own_dialect_is_exact() {
    for (dialect, asked) in POOL.iter() {
        let written = dialect.write_request(asked, &DialectLimits::default());
        // If the asker gave two questions one name, it is lost there already.
        let is_lost = |lost: &&TranslationLoss| lost.what != Message::LostSameName.into();
        assert_eq!(written.lost.iter().find(is_lost), None, "{dialect:?} {}", written.text);
        let read = dialect.read(&written.text, &DialectLimits::default()).map(|read| read.questionnaire);
        assert_eq!(read.as_ref(), Ok(asked), "{dialect:?} {}", written.text);
    }
}
