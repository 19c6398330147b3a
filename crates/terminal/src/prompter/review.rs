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

impl PromptSession<'_> {
    /// Returns the next question that a change made in the review brought up, or else the review.
    pub(crate) fn next_from_review(&self) -> PromptPlace {
        for index in &self.activated {
            if self.sheet.needs_attention(*index) {
                return PromptPlace::Question(*index);
            }
        }
        PromptPlace::Review
    }
}

/// Shows the review until the person goes to a question, sends the answers or leaves.
pub(crate) fn run_review(session: &mut PromptSession<'_>) -> Result<NextStep, Problem> {
    session.from_review = false;
    session.activated.clear();
    session.discard_typed_ahead()?;
    let page = review_page(session);
    session.output.print_prompt(&page)?;
    loop {
        let total = session.sheet.progress().total;
        match input_loop::next_input(session)? {
            UserInput::End(end) => return Ok(NextStep::End(end)),
            UserInput::Changed(place) => return Ok(NextStep::Go(place)),
            UserInput::Command(command) => {
                if let Some(step) = commands::run_command(session, command, None)? {
                    return Ok(step);
                }
            }
            UserInput::Line(line) => {
                if let Some(number) = line_input::parse_number(&line)
                    && let Some(index) = session.sheet.index_of_number(number)
                {
                    session.from_review = true;
                    return Ok(NextStep::Go(PromptPlace::Question(index)));
                }
                if !line.trim().is_empty() {
                    session.output.print(&Message::ReviewUnknown.render_with(session.lang, [total]))?;
                }
            }
        }
        session.output.reprint_hint()?;
    }
}

fn section_line(session: &PromptSession<'_>, question: &Question) -> Option<String> {
    let section = session.sheet.questionnaire().section(question.section.as_ref()?)?;
    let title = section.title.as_deref()?;
    Some(format!("{}:", describe::title(title)))
}

/// Returns lines for the note on the whole form, and for notes that the asker does not receive.
fn note_lines(session: &PromptSession<'_>) -> Vec<String> {
    let sheet = &session.sheet;
    let mut lines = Vec::new();
    if let Some(note) = sheet.note() {
        let words = describe::form_note(sheet.questionnaire(), note, session.lang).text;
        lines.push(format!("  {words}"));
    }
    if sheet.has_notes() && !(session.carries_notes)(&session.ask) {
        lines.push(format!("  {}", Message::NotesNotCarried.plain(session.lang)));
    }
    lines
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
        let notice = match session.sheet.deciding_question(place) {
            Some(deciding_question) => {
                let name = foreign(describe::excerpt(name));
                let cause = foreign(describe::excerpt(deciding_question.display_name()));
                Message::DormantBecause.render_with(session.lang, [name, own(reply), cause])
            }
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
    let hidden_lines = count - HEAD_LINES - TAIL_LINES;
    lines.push(Message::ActionLinesLeftOut.render_with(session.lang, [hidden_lines, action.len()]));
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
            let count = Message::ReviewProblems.render_with(session.lang, [several.len()]);
            lines.push(format!("{head} {count}"));
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
    lines.extend(note_lines(session));
    lines.extend(dormant_lines(session));
    lines.extend(action_lines(session));
    if let Some(label) = describe::submit_label(&session.sheet) {
        lines.push(Message::SubmitNamed.render_with(session.lang, [foreign(describe::excerpt(label))]));
    }
    lines.push(Message::ReviewHow.plain(session.lang).to_owned());
    lines.push(Message::HintReview.plain(session.lang).to_owned());
    lines.join("\n")
}
