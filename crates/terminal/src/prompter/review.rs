//! Review: shows every reply and problem, and sends nothing before the person confirms.

use crate::describe;
use crate::prompter::session::{NextStep, PromptPlace, PromptSession, UserInput};
use crate::prompter::{commands, input_loop, line_input};
use sayso_core::i18n::{foreign, own};
use sayso_core::{Message, Problem, Question};

/// Lines of an action that the review repeats as a whole.
const WHOLE_LINES: usize = 24;

/// Lines of the beginning and of the end of a longer one.
const HEAD_LINES: usize = 14;
const TAIL_LINES: usize = 6;

pub(crate) fn run_review(session: &mut PromptSession<'_>) -> Result<NextStep, Problem> {
    session.from_review = false;
    session.activated.clear();
    session.discard_typed_ahead()?;
    let page = review_page(session);
    session.output.print_prompt(&page)?;
    loop {
        let total = session.sheet.progress().total;
        match input_loop::next_input(session)? {
            UserInput::End(ended) => return Ok(NextStep::End(ended)),
            UserInput::Changed(place) => return Ok(NextStep::Go(place)),
            UserInput::Command(order) => {
                if let Some(step) = commands::run_command(session, order, None)? {
                    return Ok(step);
                }
            }
            UserInput::Line(line) => match line_input::parse_number(&line) {
                Some(number) if session.sheet.index_of_number(number).is_some() => {
                    session.from_review = true;
                    let place = session
                        .sheet
                        .index_of_number(number)
                        .map_or(PromptPlace::Review, PromptPlace::Question);
                    return Ok(NextStep::Go(place));
                }
                _ if line.trim().is_empty() => {}
                _ => session.output.print(&Message::ReviewUnknown.render_with(session.lang, [total]))?,
            },
        }
        session.output.reprint_hint()?;
    }
}

fn section_line(session: &PromptSession<'_>, question: &Question) -> Option<String> {
    let section = session.sheet.questionnaire().section(question.section.as_ref()?)?;
    section.title.as_deref().map(|title| format!("{}:", describe::title(title)))
}

/// Returns lines for replies to inactive questions, which are not sent.
fn dormant_lines(session: &PromptSession<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (place, question) in session.sheet.hidden_answered() {
        if lines.is_empty() {
            lines.push(Message::ReviewDormant.plain(session.lang).to_owned());
        }
        let name = question.display_name();
        let reply = describe::reply_at(&session.sheet, place, question, session.lang);
        let because =
            session.sheet.deciding_question(place).map(|other| describe::excerpt(other.display_name()));
        let notice = match because {
            Some(because) => Message::DormantBecause
                .render_with(session.lang, [foreign(describe::excerpt(name)), own(reply), foreign(because)]),
            None => format!("{}: {reply}", describe::title(name)),
        };
        lines.push(format!("  - {notice}"));
    }
    lines
}

/// Returns the lines of the action, or of a long one its beginning and its end.
fn action_lines(session: &PromptSession<'_>) -> Vec<String> {
    let action = session.style.action(&session.prompt_context());
    let mut lines: Vec<String> = action.lines().map(str::to_owned).collect();
    let count = lines.len();
    if count <= WHOLE_LINES {
        return lines;
    }
    let tail = lines.split_off(count - TAIL_LINES);
    lines.truncate(HEAD_LINES);
    let left_out = [count - HEAD_LINES - TAIL_LINES, action.len()];
    lines.push(Message::ActionLinesLeftOut.render_with(session.lang, left_out));
    lines.extend(tail);
    lines
}

fn review_page(session: &PromptSession<'_>) -> String {
    let progress = session.sheet.progress();
    let head = Message::ReviewHead.render_with(session.lang, [progress.answered, progress.total]);
    let problems = describe::sheet_problems(&session.sheet, &session.sheet.surface_problems(), session.lang);
    let mut lines = vec![String::new()];
    match problems.as_slice() {
        [] => lines.push(head),
        [one] => lines.push(format!("{head} {} {one}", Message::ReviewProblem.plain(session.lang))),
        several => {
            lines.push(format!(
                "{head} {}",
                Message::ReviewProblems.render_with(session.lang, [several.len()])
            ));
            lines.extend(several.iter().map(|problem| format!("- {problem}")));
        }
    }
    let mut section = None;
    for (number, (place, question)) in (1..).zip(session.sheet.asked_questions()) {
        if question.section != section {
            section.clone_from(&question.section);
            lines.extend(section_line(session, question));
        }
        let reply = describe::reply_at(&session.sheet, place, question, session.lang);
        lines.push(format!("  {number}. {}", describe::label_value(question.display_name(), &reply)));
    }
    lines.extend(dormant_lines(session));
    lines.extend(action_lines(session));
    if let Some(label) = describe::submit_label(&session.sheet) {
        lines.push(Message::SubmitNamed.render_with(session.lang, [foreign(describe::excerpt(label))]));
    }
    lines.push(Message::ReviewHow.plain(session.lang).to_owned());
    lines.push(Message::HintReview.plain(session.lang).to_owned());
    lines.join("\n")
}
