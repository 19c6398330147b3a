//! The review: every reply on a line, what is wrong, and nothing is sent before the person says so.

use crate::recap;
use crate::session::{Place, Session, Step, Word};
use sayso_core::{Message, Problem};

impl Session<'_> {
    pub(crate) fn review(&mut self) -> Result<Step, Problem> {
        self.from_review = false;
        self.pass_over_typed_ahead()?;
        let page = self.review_page();
        self.voice.prompt(&page)?;
        let total = self.sheet.questions().len();
        loop {
            match self.listen()? {
                Word::End(ended) => return Ok(Step::End(ended)),
                Word::Order(order) => {
                    if let Some(step) = self.obey(order, None)? {
                        return Ok(step);
                    }
                }
                Word::Line(line) => match line.trim().parse::<usize>() {
                    Ok(number @ 1..) if number <= total => {
                        self.from_review = true;
                        return Ok(Step::Go(Place::Question(number - 1)));
                    }
                    _ if line.trim().is_empty() => {}
                    _ => self.voice.say(&Message::ReviewUnknown.say(self.lang, [total]))?,
                },
            }
            self.voice.hint_again()?;
        }
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
        for (index, question) in self.sheet.questions().iter().enumerate() {
            let reply = recap::reply(question, self.sheet.reply(&question.id), self.lang);
            lines.push(format!("  {}. {}: {reply}", index + 1, recap::brief(question.name())));
        }
        lines.push(Message::ReviewHow.plain(self.lang).to_owned());
        lines.push(Message::HintReview.plain(self.lang).to_owned());
        lines.join("\n")
    }
}
