//! `sayso check`: checks a request, and shows the reply that its asker would get.

use crate::cli::CheckArgs;
use crate::cli::request;
use crate::cli_session::{self, CliSession};
use crate::commands::lookup::show;
use crate::output::console::{self, print_output};
use crate::output::exit::CommandExit;
use sayso_core::i18n::own;
use sayso_core::model::actor::{AssuranceLevel, Surface};
use sayso_core::{
    AskId, Lang, Message, Outcome, Problem, ProblemCode, Question, QuestionInput, Questionnaire, Receipt,
    ShownValues, display, limits, rules::consent,
};
use sayso_dialects::{CliOutput, Dialect, DialectLimits};
use serde::Serialize;
use std::sync::Arc;

/// Findings in the JSON of `--json`.
#[derive(Serialize)]
struct CheckFindings {
    ok: bool,
    /// Dialect, or `None` if no request was read.
    dialect: Option<&'static str>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    /// Reply that the asker would get; `None` for a valid request, which waits for a person.
    reply: Option<CliOutput>,
    /// Options shown to people whose value for the asker differs.
    #[serde(skip)]
    offers: Vec<String>,
}

pub(crate) fn run(session: &CliSession, args: &CheckArgs) -> Result<CommandExit, Problem> {
    let result = check_request(session, args);
    if args.json {
        return Ok(match result {
            Ok((_, findings)) => {
                print_json(&findings, if findings.ok { CommandExit::Done } else { CommandExit::Wrong })
            }
            Err(problem) => print_unchecked(&problem, session.lang()),
        });
    }
    let (dialect, findings) = result?;
    for warning in &findings.warnings {
        console::print_warning(warning, session.lang());
    }
    if !findings.ok {
        return Err(check_problem(session, args, dialect, findings.problems));
    }
    let message = if args.answers.is_some() { Message::CheckAnswersOk } else { Message::CheckOk };
    console::print_message(&message.render_with(session.lang(), [dialect.name()]));
    for line in &findings.offers {
        console::print_message(line);
    }
    // The reply is data.
    Ok(findings.reply.map_or(CommandExit::Done, |reply| print_output(&reply.stdout)))
}

/// Prints, as JSON, that nothing was checked and why.
pub(crate) fn print_unchecked(problem: &Problem, lang: Lang) -> CommandExit {
    let is_read = !problem.causes.is_empty();
    let reply =
        CliOutput { stderr: problem.render_for_cli(lang), exit: CliOutput::REFUSED, ..CliOutput::default() };
    let findings = CheckFindings {
        ok: false,
        // A request that isn't detected as another dialect was checked in the `sayso` dialect.
        dialect: if is_read { Some(Dialect::Sayso.name()) } else { None },
        problems: problem.individual_problems().to_vec(),
        warnings: Vec::new(),
        reply: if is_read { Some(reply) } else { None },
        offers: Vec::new(),
    };
    print_json(&findings, CommandExit::from_code(problem.code))
}

fn print_json(findings: &CheckFindings, exit: CommandExit) -> CommandExit {
    print_output(&sayso_core::wire::json::write(findings)).then(exit)
}

fn check_request(session: &CliSession, args: &CheckArgs) -> Result<(Dialect, CheckFindings), Problem> {
    let input = request::read_request_text(args.request.as_deref())?;
    let dialect = request::choose_dialect(session, args.dialect.as_deref(), &input.text)?;
    let result = match &args.answers {
        None => request::read_request(session, dialect, &input.text),
        // Only the answers are checked: the request may exceed the limits of its dialect.
        Some(_) => dialect.read(&input.text, &DialectLimits::NONE),
    };
    let findings = match (result, &args.answers) {
        (Err(problems), _) => CheckFindings {
            reply: Some(dialect.refuse(&problems, session.lang())),
            ..refused_findings(dialect, problems)
        },
        (Ok(request), None) => {
            let offers = differing_offers(&request.questionnaire, dialect, session.lang());
            let mut warnings = request.warnings;
            if dialect == Dialect::Sayso {
                warnings.extend(consent::unmarked_confirm_remarks(&request.questionnaire));
            }
            CheckFindings { ok: true, warnings, offers, ..refused_findings(dialect, Vec::new()) }
        }
        (Ok(request), Some(answers)) => {
            let answers = request::read_answers_text(answers)?;
            check_answers(session, dialect, request.questionnaire, &answers.text)
        }
    };
    Ok((dialect, findings))
}

fn refused_findings(dialect: Dialect, problems: Vec<Problem>) -> CheckFindings {
    CheckFindings {
        ok: false,
        dialect: Some(dialect.name()),
        problems,
        warnings: Vec::new(),
        reply: None,
        offers: Vec::new(),
    }
}

/// Returns the questions whose possible answers say more than their labels, each with its possible answers.
fn differing_offers(questionnaire: &Questionnaire, dialect: Dialect, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    let questions = questionnaire.questions.iter();
    let differing = questions.filter(|question| has_differing_offers(questionnaire, question, lang));
    for question in differing.take(limits::PROBLEMS) {
        let name: String = question.display_name().chars().take(limits::LIST_TITLE_CHARS).collect();
        if let Some(offers) = show::offers_line(question, questionnaire, dialect.name(), lang) {
            lines.push(format!("- {}: {offers}", display::escape_line(&name)));
        }
    }
    lines
}

fn has_differing_offers(questionnaire: &Questionnaire, question: &Question, lang: Lang) -> bool {
    match question.input() {
        QuestionInput::Options(choice) => {
            let values = ShownValues::for_question(questionnaire, question);
            choice.options.iter().any(|option| values.get(&option.id).is_some())
        }
        QuestionInput::Toggle(confirm) => {
            confirm.label(true, lang).is_some() || confirm.label(false, lang).is_some()
        }
        QuestionInput::Scale(_) | QuestionInput::Line(_) => false,
    }
}

/// Validates answers to a questionnaire as a submission.
fn check_answers(
    session: &CliSession,
    dialect: Dialect,
    questionnaire: Questionnaire,
    text: &str,
) -> CheckFindings {
    let questionnaire = Arc::new(questionnaire);
    let answers = match dialect.read_answers(&questionnaire, text) {
        Ok(answers) => answers,
        Err(problems) => return refused_findings(dialect, problems),
    };
    let submission = match answers.validate(&questionnaire) {
        Ok(submission) => submission,
        Err(problems) => return refused_findings(dialect, problems),
    };
    let person = session.person(Surface::Command, AssuranceLevel::Scripted);
    let mut receipt = Receipt::new(&person, questionnaire.digest(), cli_session::now());
    receipt.dropped = submission.dropped;
    let outcome =
        Outcome::Answered { replies: submission.replies, as_sent: answers.as_sent, receipt, verdict: None };
    let reply = Some(dialect.write(AskId::NIL, &questionnaire, &outcome));
    CheckFindings { ok: true, reply, ..refused_findings(dialect, Vec::new()) }
}

/// Returns the problem of an invalid request or of invalid answers.
fn check_problem(
    session: &CliSession,
    args: &CheckArgs,
    dialect: Dialect,
    problems: Vec<Problem>,
) -> Problem {
    if args.answers.is_some() {
        let details = [own(problems.len()), own(dialect.name())];
        return Problem::new(ProblemCode::InvalidAnswers, Message::AnswersReadAs.with(details))
            .with_causes(problems);
    }
    let problem = dialect.request_problem(problems);
    match request::other_dialects(session, args.dialect.as_deref(), dialect) {
        Some(others) => problem.with_hint(others),
        None => problem,
    }
}
