//! The accessible look: cooked lines, no colour, no box drawing, no timers. Lines that an agent wrote begin with a
//! gutter, so that they cannot be taken for ours; inside a sentence of ours its words are short and on one line.

mod read;

use crate::manner::{Heard, Manner, Partial, Scene};
use crate::recap;
use sayso_core::ask::{Feedback, Phase};
use sayso_core::{Answer, Choice, Kind, Lang, Message, Question, Reply, TextEntry, display};
use std::fmt::Write as _;

/// Stands in front of every line that is not ours.
const GUTTER: &str = "| ";

/// The plain prompter, in one language.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain {
    /// The language of what we say ourselves.
    pub lang: Lang,
}

impl Plain {
    fn say(self, page: &mut String, message: Message) {
        push_line(page, message.plain(self.lang));
    }

    fn question_head(self, scene: &Scene<'_>, index: usize, question: &Question) -> String {
        let total = scene.sheet.questions().len();
        let place = Message::QuestionPlace.say(self.lang, [index + 1, total]);
        let kind = match &question.kind {
            Kind::Choice(choice) if choice.multi => Message::ChooseSeveral,
            Kind::Choice(_) => Message::ChooseOne,
            Kind::Text(text) if text.long => Message::LongText,
            Kind::Text(_) => Message::OneLineText,
        };
        let need = if question.required { Message::MustAnswer } else { Message::MaySkip };
        format!("{place} {} {}", kind.plain(self.lang), need.plain(self.lang))
    }

    fn options(self, page: &mut String, choice: &Choice) {
        for (index, option) in choice.options.iter().enumerate() {
            push_line(page, &format!("  {}. {}", index + 1, display::line(&option.label)));
            for line in option.description.iter().flat_map(|text| display::lines(text)) {
                push_line(page, &format!("     {GUTTER}{line}"));
            }
        }
        if choice.other {
            let other = Message::OtherOption.plain(self.lang);
            push_line(page, &format!("  {}. {other}", choice.options.len() + 1));
        }
    }

    fn text(self, page: &mut String, entry: &TextEntry, so_far: &Reply) {
        if let Some(example) = &entry.placeholder {
            self.say(page, Message::ForExample);
            push_foreign(page, example);
        }
        if !entry.long {
            return;
        }
        if let Some(Answer::Text(text)) = so_far.answer() {
            self.say(page, Message::TextSoFar);
            push_foreign(page, text);
        }
        self.say(page, Message::LongTextHow);
    }

    fn hint(self, question: &Question) -> &'static str {
        match &question.kind {
            Kind::Choice(choice) if choice.multi => Message::HintSeveral.plain(self.lang),
            Kind::Choice(_) => Message::HintChoice.plain(self.lang),
            Kind::Text(text) if text.long => read::LINE_PROMPT,
            Kind::Text(_) => Message::HintText.plain(self.lang),
        }
    }
}

fn push_line(page: &mut String, line: &str) {
    page.push_str(line);
    page.push('\n');
}

/// Words of others, each line behind the gutter.
fn push_foreign(page: &mut String, text: &str) {
    for line in display::lines(text) {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "{GUTTER}{line}");
    }
}

fn feedback<'a>(scene: &Scene<'a>) -> Option<&'a Feedback> {
    match &scene.ask.state.phase {
        Phase::Open { feedback, .. } => feedback.as_ref(),
        Phase::Submitted { .. } | Phase::Settled(_) => None,
    }
}

impl Manner for Plain {
    fn intro(&self, scene: &Scene<'_>) -> String {
        let questionnaire = scene.sheet.questionnaire();
        let asker = &scene.ask.request.asker;
        let name = match asker.name.trim() {
            "" => Message::SomeAsker.plain(self.lang).to_owned(),
            name => recap::brief(name),
        };
        let age = recap::age(scene.age, self.lang);
        let asked = match &asker.folder {
            Some(folder) => Message::AskedByAgoIn.say(self.lang, [name, recap::brief(folder), age]),
            None => Message::AskedByAgo.say(self.lang, [name, age]),
        };
        let questions = questionnaire.questions.len();
        let count = match questions {
            1 => Message::QuestionCountOne.plain(self.lang).to_owned(),
            _ => Message::QuestionCount.say(self.lang, [questions]),
        };
        let title = questionnaire.title.as_ref().map(|title| format!("{}. ", recap::brief(title)));
        let mut page = format!("{}{asked} {count}\n", title.unwrap_or_default());
        questionnaire.context.iter().for_each(|context| push_foreign(&mut page, context));
        if let Some(summary) = feedback(scene).and_then(|feedback| feedback.summary.as_ref()) {
            self.say(&mut page, Message::AskerWantsChanges);
            push_foreign(&mut page, summary);
        }
        page
    }

    fn render(&self, scene: &Scene<'_>, index: usize) -> String {
        let Some(question) = scene.sheet.questions().get(index) else { return String::new() };
        let mut page = String::from("\n");
        push_line(&mut page, &self.question_head(scene, index, question));
        push_foreign(&mut page, &question.prompt);
        question.detail.iter().for_each(|detail| push_foreign(&mut page, detail));
        for (_, error) in feedback(scene).iter().flat_map(|f| &f.errors).filter(|(id, _)| *id == question.id)
        {
            self.say(&mut page, Message::AskerSaysHere);
            push_foreign(&mut page, error);
        }
        let so_far = scene.sheet.reply(&question.id);
        match &question.kind {
            Kind::Choice(choice) => self.options(&mut page, choice),
            Kind::Text(entry) => self.text(&mut page, entry, so_far),
        }
        let is_long = matches!(&question.kind, Kind::Text(entry) if entry.long);
        if *so_far != Reply::Unanswered && !is_long {
            let words = recap::reply(question, so_far, self.lang);
            push_line(&mut page, &Message::ReplySoFar.say(self.lang, [words]));
        }
        page.push_str(self.hint(question));
        page
    }

    fn read_line(&self, question: &Question, partial: Partial, line: &str) -> Heard {
        read::line(question, partial, line, self.lang)
    }

    fn reviews(&self) -> bool {
        true
    }

    fn announces(&self) -> bool {
        true
    }

    fn strict_commands(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
