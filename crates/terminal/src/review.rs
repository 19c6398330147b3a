//! Review: shows every reply and problem, and sends nothing before the person confirms.

use crate::recap;
use crate::session::{Place, Session, Step, Word};
use crate::typed;
use sayso_core::{Message, Problem, Question};

impl Session<'_> {
    pub(crate) fn review(&mut self) -> Result<Step, Problem> {
        self.from_review = false;
        self.brought_up.clear();
        self.pass_over_typed_ahead()?;
        let page = self.review_page();
        self.voice.prompt(&page)?;
        loop {
            let total = self.sheet.progress().total;
            match self.listen()? {
                Word::End(ended) => return Ok(Step::End(ended)),
                Word::Anew(place) => return Ok(Step::Go(place)),
                Word::Order(order) => {
                    if let Some(step) = self.obey(order, None)? {
                        return Ok(step);
                    }
                }
                Word::Line(line) => match typed::number(&line) {
                    Some(number) if self.sheet.numbered(number).is_some() => {
                        self.from_review = true;
                        let place = self.sheet.numbered(number).map_or(Place::Review, Place::Question);
                        return Ok(Step::Go(place));
                    }
                    _ if line.trim().is_empty() => {}
                    _ => self.voice.say(&Message::ReviewUnknown.say(self.lang, [total]))?,
                },
            }
            self.voice.hint_again()?;
        }
    }

    fn section_line(&self, question: &Question) -> Option<String> {
        let section = self.sheet.questionnaire().section(question.section.as_ref()?)?;
        section.title.as_deref().map(|title| format!("{}:", recap::brief(title)))
    }

    /// Returns lines for replies to inactive questions, which are not sent.
    fn dormant_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (place, question) in self.sheet.dormant() {
            if lines.is_empty() {
                lines.push(Message::ReviewDormant.plain(self.lang).to_owned());
            }
            let name = recap::brief(question.name());
            let reply = recap::reply_at(&self.sheet, place, question, self.lang);
            let because = self.sheet.because(place).map(|other| recap::brief(other.name()));
            let said = match because {
                Some(because) => Message::DormantBecause.say(self.lang, [name, reply, because]),
                None => format!("{name}: {reply}"),
            };
            lines.push(format!("  - {said}"));
        }
        lines
    }

    fn review_page(&self) -> String {
        let progress = self.sheet.progress();
        let head = Message::ReviewHead.say(self.lang, [progress.answered, progress.total]);
        let problems = recap::problems(&self.sheet, &self.sheet.problems(), self.lang);
        let mut lines = vec![String::new()];
        match problems.as_slice() {
            [] => lines.push(head),
            [one] => lines.push(format!("{head} {} {one}", Message::ReviewProblem.plain(self.lang))),
            several => {
                lines.push(format!("{head} {}", Message::ReviewProblems.say(self.lang, [several.len()])));
                lines.extend(several.iter().map(|problem| format!("- {problem}")));
            }
        }
        let mut section = None;
        for (number, (place, question)) in (1..).zip(self.sheet.asked()) {
            if question.section != section {
                section.clone_from(&question.section);
                lines.extend(self.section_line(question));
            }
            let reply = recap::reply_at(&self.sheet, place, question, self.lang);
            lines.push(format!("  {number}. {}", recap::named(question.name(), &reply)));
        }
        lines.extend(self.dormant_lines());
        lines.push(Message::ReviewHow.plain(self.lang).to_owned());
        lines.push(Message::HintReview.plain(self.lang).to_owned());
        lines.join("\n")
    }
}
