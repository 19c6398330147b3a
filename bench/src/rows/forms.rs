//! Cost of a sheet: a small form from its questionnaire to a verdict, and a thousand questions from text.

use crate::Run;
use crate::figures::{BATCH, Times};
use crate::rows::peers::validators::{Library, Race, Sample};
use crate::table::Table;
use anyhow::{Context as _, ensure};
use sayso_core::{
    Answer, ChoiceOption, ChoiceQuestion, ConfirmQuestion, Constraint, Pick, PreparedQuestionnaire, Question,
    QuestionId, QuestionInput, Questionnaire, Replies, Reply, Requirement, Sheet, TextQuestion, wire,
};
use sayso_core::{AnswerCheck, ComparisonValue, Condition, ConditionTest};
use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Questions that appear and go with one answer.
const FLIPS: usize = 120;

fn choice(id: &str, multi: bool) -> Question {
    let options = vec![
        ChoiceOption::new("a", "The first"),
        ChoiceOption::new("b", "The second"),
        ChoiceOption::new("c", "The third"),
    ];
    Question::new(id, "Which of these?", ChoiceQuestion { options, multi, ..ChoiceQuestion::default() })
}

/// Four questions of four kinds, with a constraint each on two of them.
fn small() -> Questionnaire {
    let max = |demand| vec![Constraint::new(demand, None)];
    let questions = vec![
        choice("one", false),
        Question { constraints: max(Requirement::MaxPicks(2)), ..choice("several", true) },
        Question {
            constraints: max(Requirement::MaxLength(80)),
            ..Question::new("text", "What else?", TextQuestion::default())
        },
        Question::new("sure", "Are you sure?", ConfirmQuestion::default()),
    ];
    Questionnaire { questions, ..Questionnaire::default() }
}

fn pick(id: &str) -> Pick {
    Pick::Option(sayso_core::OptionId::new(id))
}

/// From a questionnaire and its answers, both at hand, to a verdict.
pub(crate) fn small_form(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let questionnaire = Arc::new(small());
    let given = || {
        let replies = [
            ("one", Reply::from_picks([pick("b")])),
            ("several", Reply::from_picks([pick("a"), pick("c")])),
            ("text", Reply::from_text("nothing else")),
            ("sure", Reply::from_answer(Answer::Confirm(true))),
        ];
        Replies::from(replies.map(|(id, reply)| (QuestionId::new(id), reply)))
    };
    // Answers are moved into the sheet: they are made outside of what is timed.
    let mut times = Times::default();
    for _ in 0..run.times(2_000) {
        let batch: Vec<_> = (0..BATCH).map(|_| given()).collect();
        let start = Instant::now();
        for replies in batch {
            let form = Arc::new(PreparedQuestionnaire::new(questionnaire.clone()));
            let sheet = Sheet::from_prepared(form, replies);
            ensure!(black_box(sheet.problems()).is_empty(), "the answers are right");
        }
        times.push(start.elapsed() / BATCH);
    }
    let peers = Race::First.run(run, table, &[small_sample()?], Library::ALL)?;
    table.times("a schema seen first and four answers checked", &times, peers.references(&[FIRST]));
    Ok(())
}

/// Name of the small form's sample.
const FIRST: &str = "first";

/// The small form as every contestant gets it: right answers, and wrong ones that each has to refuse.
fn small_sample() -> anyhow::Result<Sample> {
    let answers = |one: &str, several: &str, text: &str| {
        format!(r#"{{"answers":{{"one":"{one}","several":{several},"text":"{text}","sure":true}}}}"#)
    };
    let sample = Sample {
        name: FIRST.to_owned(),
        request: wire::questionnaire::write(&small()),
        valid: answers("b", r#"["a","c"]"#, "nothing else"),
        broken: vec![
            answers("z", r#"["a","c"]"#, "nothing else"),
            answers("b", r#"["a","b","c"]"#, "nothing else"),
            answers("b", r#"["a","c"]"#, &"long ".repeat(20)),
        ],
    };
    guard(&Arc::new(PreparedQuestionnaire::new(Arc::new(small()))), &sample)?;
    Ok(sample)
}

/// Fails unless we accept the right answers and refuse every broken one.
fn guard(form: &Arc<PreparedQuestionnaire>, sample: &Sample) -> anyhow::Result<()> {
    checked(form, &sample.valid)?;
    let accepted = sample.broken.iter().find(|text| checked(form, text).is_ok());
    ensure!(accepted.is_none(), "broken answers are accepted: {accepted:?}");
    Ok(())
}

/// A thousand questions: a parent that shows or hides the next 120, then chains that follow up five deep.
fn thousand() -> Questionnaire {
    let shown_by = |parent: &QuestionId, value: &str| {
        Some(Condition::Test(ConditionTest {
            question: parent.clone(),
            check: AnswerCheck::Is(ComparisonValue::Text(value.into())),
        }))
    };
    let mut questions = vec![choice("switch", false)];
    for number in 0..FLIPS {
        questions.push(Question {
            parent: Some(QuestionId::new("switch")),
            show_if: shown_by(&QuestionId::new("switch"), "a"),
            ..choice(&format!("switched{number}"), false)
        });
    }
    while questions.len() < 1_000 {
        let number = questions.len();
        let depth = number % 5;
        let parent =
            questions.last().map(|question| question.id.clone()).filter(|_| depth > 0 && number > FLIPS + 5);
        let mut question = match depth {
            4 => Question::new(format!("q{number}"), "What else?", TextQuestion::default()),
            _ => choice(&format!("q{number}"), false),
        };
        question.show_if = parent.as_ref().and_then(|parent| shown_by(parent, "b"));
        question.parent = parent;
        questions.push(question);
    }
    Questionnaire { questions, ..Questionnaire::default() }
}

fn answers(questionnaire: &Questionnaire) -> String {
    let mut text = String::from("{\"answers\":{");
    for (index, question) in questionnaire.questions.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let answer = match (question.input(), index) {
            (_, 0) => "a",
            (QuestionInput::Line(_), _) => "nothing else",
            _ => "b",
        };
        // Writing to a String cannot fail.
        let _ = write!(text, "{comma}\"{}\":\"{answer}\"", question.id);
    }
    text.push_str("}}");
    text
}

/// The thousand questions made ready, and answers to them as text.
fn ready() -> anyhow::Result<(Arc<PreparedQuestionnaire>, String)> {
    let questionnaire = thousand();
    let problems = questionnaire.problems();
    ensure!(problems.is_empty(), "the questionnaire is right: {:?}", problems.first());
    let text = answers(&questionnaire);
    Ok((Arc::new(PreparedQuestionnaire::new(Arc::new(questionnaire))), text))
}

fn checked(form: &Arc<PreparedQuestionnaire>, text: &str) -> anyhow::Result<Sheet> {
    let replies = wire::answers::read(form, text).map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
    let sheet = Sheet::from_prepared(form.clone(), replies);
    ensure!(sheet.problems().is_empty(), "the answers are right");
    Ok(sheet)
}

/// The thousand questions as every contestant gets them.
fn thousand_sample() -> anyhow::Result<Sample> {
    let (form, valid) = ready()?;
    let (before, after) = valid.rsplit_once(r#":"b""#).context("an option is picked")?;
    let broken = vec![format!(r#"{before}:"z"{after}"#)];
    let sample =
        Sample { name: THOUSAND.to_owned(), request: wire::questionnaire::write(&thousand()), valid, broken };
    guard(&form, &sample)?;
    Ok(sample)
}

/// Name of the sample of a thousand questions.
const THOUSAND: &str = "thousand";

/// Questionnaire and answers, both from text, to a verdict.
pub(crate) fn thousand_questions(run: &Run, table: &mut Table) -> anyhow::Result<()> {
    let sample = thousand_sample()?;
    let mut times = Times::default();
    for _ in 0..run.times(1_000) {
        let start = Instant::now();
        let sheet = black_box(checked(&read(&sample.request)?, &sample.valid)?);
        times.push(start.elapsed());
        // Taking the sheet down again is no part of the verdict.
        drop(sheet);
    }
    let peers = Race::Whole.run(run, table, &[sample], Library::ALL)?;
    let what = "1,000 questions and their answers from text to a verdict";
    table.times(what, &times, peers.references(&[THOUSAND]));
    Ok(())
}

fn read(request: &str) -> anyhow::Result<Arc<PreparedQuestionnaire>> {
    let read = wire::questionnaire::read(request).map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
    Ok(Arc::new(PreparedQuestionnaire::new(Arc::new(read.questionnaire))))
}
