//! Accessible prompt style: cooked lines, no colour, no box drawing, no timers. Lines of an agent begin with a gutter,
//! so that they cannot pass for ours; within our own sentences its text is short and on one line.

mod choice;
mod page;
mod read;
mod scalar;

use crate::action::{Part, parts};
use crate::asked::{self, Looks};
use crate::manner::{Heard, Manner, Partial, Scene};
use crate::recap;
use jiff::Zoned;
use page::Page;
use sayso_core::{Action, Kind, Lang, Message, Offer, Question, Rules, words};

/// Plain prompt style in one language.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain {
    /// Language of our own messages.
    pub lang: Lang,
    /// Local date and time for relative days; without it these are refused.
    pub now: Option<fn() -> Zoned>,
}

impl Plain {
    fn page(self, scene: &Scene<'_>) -> Page {
        Page::new(self.lang, scene)
    }

    /// Returns the asker, its folder and the age of the ask.
    fn asked_by(self, scene: &Scene<'_>) -> String {
        let asker = scene.ask.request.shown_asker();
        let name = recap::asker(&asker, str::to_owned, self.lang);
        let age = recap::age(scene.age, self.lang);
        match recap::folder(&asker, "") {
            Some(folder) => Message::AskedByAgoIn.say(self.lang, [name, folder, age]),
            None => Message::AskedByAgo.say(self.lang, [name, age]),
        }
    }

    /// Appends the heading of a section, if the question is its first active one.
    fn section(self, page: &mut Page, scene: &Scene<'_>, index: usize, question: &Question) {
        let Some(section) =
            asked::section(scene.sheet, index, question, self.lang).filter(|section| section.begins)
        else {
            return;
        };
        page.line(&section.line);
        section.detail.iter().for_each(|detail| page.foreign(detail));
        if section.optional {
            page.say(Message::SectionOptional);
        }
        page.line("");
    }
}

fn show_action(page: &mut Page, action: &Action) {
    page.line(&Message::ActionHead.say(page.lang, [recap::brief(&action.tool)]));
    for part in parts(&action.act) {
        match part {
            Part::Ours(message) => page.say(message),
            Part::Exactly(text) => page.exact(&text),
        }
    }
}

impl Manner for Plain {
    fn intro(&self, scene: &Scene<'_>) -> String {
        let questionnaire = scene.sheet.questionnaire();
        let asked = self.asked_by(scene);
        let count = recap::counted(
            Message::QuestionCountOne,
            Message::QuestionCount,
            scene.sheet.progress().total as u64,
            self.lang,
        );
        let title = questionnaire.title.as_deref().filter(|title| !title.trim().is_empty());
        let title = title
            .map(|title| recap::sentence(title, self.lang) + recap::between(self.lang))
            .unwrap_or_default();
        let mut page = self.page(scene);
        page.line(&format!("{title}{asked}{}{count}", recap::between(self.lang)));
        questionnaire.context.iter().for_each(|context| page.foreign(context));
        questionnaire.action.iter().for_each(|action| show_action(&mut page, action));
        if let Some(summary) = scene.ask.feedback().and_then(|feedback| feedback.summary.as_ref()) {
            page.line(&recap::wants_changes(scene.ask, scene.sheet, self.lang));
            page.foreign(summary);
        }
        page.text
    }

    fn render(&self, scene: &Scene<'_>, index: usize) -> String {
        let Some(question) = scene.sheet.questions().get(index) else { return String::new() };
        let mut page = self.page(scene);
        page.line("");
        self.section(&mut page, scene, index, question);
        page.head(scene.sheet, index, question);
        page.foreign(&question.prompt);
        question.detail.iter().for_each(|detail| page.foreign(detail));
        for (_, error) in
            scene.ask.feedback().iter().flat_map(|f| &f.errors).filter(|(id, _)| *id == question.id)
        {
            page.line(&recap::says_here(scene.ask, scene.sheet, index, self.lang));
            page.foreign(error);
        }
        let looks = Looks::of(question, self.lang);
        looks.warnings.iter().for_each(|said| page.line(said));
        page.answerable(question, &looks, &scene.sheet.questionnaire().rules);
        page.so_far(scene.sheet, index, question);
        page.text.push_str(page::hint(question, self.lang));
        page.text
    }

    fn preview(&self, scene: &Scene<'_>, index: usize, number: Option<usize>) -> Option<String> {
        let Kind::Choice(choice) = &scene.sheet.questions().get(index)?.kind else { return None };
        let mut page = self.page(scene);
        let numbered = (1..).zip(choice.offers()).filter_map(|(number, offer)| match offer {
            Offer::Option(option) => Some((number, option)),
            Offer::Own => None,
        });
        let wanted = numbered.filter(|(at, option)| match number {
            Some(number) => *at == number,
            None => option.preview.is_some(),
        });
        wanted.for_each(|(number, option)| page.preview(number, option));
        (!page.text.is_empty()).then_some(page.text)
    }

    fn read_line(&self, question: &Question, rules: &Rules, partial: Partial, line: &str) -> Heard {
        read::line(question, rules, partial, line, *self)
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

/// Returns the names of yes and no, each with true for yes.
fn confirm_words(question: &Question, lang: Lang) -> [(bool, String); 2] {
    [true, false].map(|confirmed| (confirmed, words::confirm(question, confirmed, lang).into_owned()))
}

#[cfg(test)]
mod tests;
