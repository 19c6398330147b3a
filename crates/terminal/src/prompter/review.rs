//! Review: shows every reply and problem, and sends nothing before the person confirms.

use crate::describe;
use crate::prompter::line_input;
use crate::prompter::session::{NextStep, PromptPlace, PromptSession, UserInput};
use sayso_core::{Message, Problem, Question};

/// Lines of an action that the review repeats as a whole.
const WHOLE_LINES: usize = 24;

/// Lines of the beginning and of the end of a longer one.
const HEAD_LINES: usize = 14;
const TAIL_LINES: usize = 6;

impl PromptSession<'_> {
    pub(crate) fn run_review(&mut self) -> Result<NextStep, Problem> {
        self.from_review = false;
        self.activated.clear();
        self.discard_typed_ahead()?;
        let page = self.review_page();
        self.output.print_prompt(&page)?;
        loop {
            let total = self.sheet.progress().total;
            match self.next_input()? {
                UserInput::End(ended) => return Ok(NextStep::End(ended)),
                UserInput::Changed(place) => return Ok(NextStep::Go(place)),
                UserInput::Command(order) => {
                    if let Some(step) = self.run_command(order, None)? {
                        return Ok(step);
                    }
                }
                UserInput::Line(line) => match line_input::parse_number(&line) {
                    Some(number) if self.sheet.index_of_number(number).is_some() => {
                        self.from_review = true;
                        let place = self
                            .sheet
                            .index_of_number(number)
                            .map_or(PromptPlace::Review, PromptPlace::Question);
                        return Ok(NextStep::Go(place));
                    }
                    _ if line.trim().is_empty() => {}
                    _ => self.output.print(&Message::ReviewUnknown.render_with(self.lang, [total]))?,
                },
            }
            self.output.reprint_hint()?;
        }
    }

    fn section_line(&self, question: &Question) -> Option<String> {
        let section = self.sheet.questionnaire().section(question.section.as_ref()?)?;
        section.title.as_deref().map(|title| format!("{}:", describe::title(title)))
    }

    /// Returns lines for replies to inactive questions, which are not sent.
    fn dormant_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (place, question) in self.sheet.hidden_answered() {
            if lines.is_empty() {
                lines.push(Message::ReviewDormant.plain(self.lang).to_owned());
            }
            let name = describe::title(question.display_name());
            let reply = describe::reply_at(&self.sheet, place, question, self.lang);
            let because =
                self.sheet.deciding_question(place).map(|other| describe::title(other.display_name()));
            let notice = match because {
                Some(because) => Message::DormantBecause.render_with(self.lang, [name, reply, because]),
                None => format!("{name}: {reply}"),
            };
            lines.push(format!("  - {notice}"));
        }
        lines
    }

    /// Returns the lines of the action, or of a long one its beginning and its end.
    fn action_lines(&self) -> Vec<String> {
        let action = self.style.action(&self.prompt_context());
        let mut lines: Vec<String> = action.lines().map(str::to_owned).collect();
        let count = lines.len();
        if count <= WHOLE_LINES {
            return lines;
        }
        let tail = lines.split_off(count - TAIL_LINES);
        lines.truncate(HEAD_LINES);
        let left_out = [count - HEAD_LINES - TAIL_LINES, action.len()];
        lines.push(Message::ActionLinesLeftOut.render_with(self.lang, left_out));
        lines.extend(tail);
        lines
    }

    fn review_page(&self) -> String {
        let progress = self.sheet.progress();
        let head = Message::ReviewHead.render_with(self.lang, [progress.answered, progress.total]);
        let problems = describe::sheet_problems(&self.sheet, &self.sheet.surface_problems(), self.lang);
        let mut lines = vec![String::new()];
        match problems.as_slice() {
            [] => lines.push(head),
            [one] => lines.push(format!("{head} {} {one}", Message::ReviewProblem.plain(self.lang))),
            several => {
                lines.push(format!(
                    "{head} {}",
                    Message::ReviewProblems.render_with(self.lang, [several.len()])
                ));
                lines.extend(several.iter().map(|problem| format!("- {problem}")));
            }
        }
        let mut section = None;
        for (number, (place, question)) in (1..).zip(self.sheet.asked_questions()) {
            if question.section != section {
                section.clone_from(&question.section);
                lines.extend(self.section_line(question));
            }
            let reply = describe::reply_at(&self.sheet, place, question, self.lang);
            lines.push(format!("  {number}. {}", describe::label_value(question.display_name(), &reply)));
        }
        lines.extend(self.dormant_lines());
        lines.extend(self.action_lines());
        if let Some(label) = describe::submit_label(&self.sheet) {
            lines.push(Message::SubmitNamed.render_with(self.lang, [describe::brief(label)]));
        }
        lines.push(Message::ReviewHow.plain(self.lang).to_owned());
        lines.push(Message::HintReview.plain(self.lang).to_owned());
        lines.join("\n")
    }
}
