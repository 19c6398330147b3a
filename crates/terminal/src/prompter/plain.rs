//! Accessible prompt style: cooked lines, no colour, no box drawing, no timers. Lines of an agent begin with a gutter,
//! so that they cannot pass for ours; within our own sentences its text is short and on one line.

mod choice;
mod line_parser;
mod page;
mod scalar;

use crate::describe::{self, ActionPart, SpoofingCheck, action_parts};
use crate::prompter::prompt_style::{ParsedLine, PartialAnswer, PromptContext, PromptStyle};
use jiff::Zoned;
use page::PlainPage;
use sayso_core::i18n::{foreign, own, own_prompt};
use sayso_core::{
    ChoiceItem, ConfirmQuestion, Lang, Message, ProposedAction, Question, QuestionInput, Rules,
};

/// Plain prompt style in one language.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainStyle {
    /// Language of our own messages.
    pub lang: Lang,
    /// Local date and time for relative days; without it these are refused.
    pub now: Option<fn() -> Zoned>,
}

impl PlainStyle {
    fn new_page<'a>(self, scene: &PromptContext<'a>) -> PlainPage<'a> {
        PlainPage::new(self.lang, scene)
    }

    /// Returns all that an ask shows, without hints and without the replies so far: for a person who hears it at the
    /// inbox and answers there.
    pub(crate) fn read_whole(self, scene: &PromptContext<'_>) -> String {
        let mut page = self.new_page(scene);
        push_title(&mut page, scene);
        push_claims(&mut page, scene);
        push_request(&mut page, scene);
        for (index, question) in scene.sheet.asked_questions() {
            let lists_answers = !is_bare_confirm(question, &scene.sheet.questionnaire().rules);
            push_question(&mut page, scene, index, question, lists_answers);
        }
        page.text
    }

    /// Returns the asker, its folder and the age of the ask.
    fn asker_line(self, scene: &PromptContext<'_>) -> String {
        let asker = scene.ask.request.shown_asker();
        let name = asker.name_in_sentence(self.lang);
        let age = describe::age_text(scene.age, self.lang);
        match describe::folder_in_sentence(&asker, "") {
            Some(folder) => Message::AskedByAgoIn
                .render_with(self.lang, [own(name), foreign(folder.into_owned()), own(age)]),
            None => Message::AskedByAgo.render_with(self.lang, [own(name), own(age)]),
        }
    }

    /// Appends the heading of a section, if the question is its first active one.
    fn push_section(
        self,
        page: &mut PlainPage<'_>,
        scene: &PromptContext<'_>,
        index: usize,
        question: &Question,
    ) {
        let Some(section) = describe::section_heading(scene.sheet, index, question, self.lang) else {
            return;
        };
        if !section.is_first {
            return;
        }
        if let Some(label) = describe::label_before(scene.sheet, index) {
            let next = [own(Message::NextSection.plain(self.lang)), foreign(describe::excerpt(label))];
            page.push_line(&Message::Quotes.render_with(self.lang, next));
        }
        page.push_line(&section.line);
        if let Some(title) = section.title {
            page.push_verbatim(title);
        }
        if let Some(detail) = section.detail {
            page.push_foreign(detail);
        }
        if section.optional {
            page.push_message(Message::SectionOptional);
        }
        page.push_line("");
    }
}

/// Appends the title, unless it is blank.
fn push_title(page: &mut PlainPage<'_>, scene: &PromptContext<'_>) {
    if let Some(title) = &scene.sheet.questionnaire().title
        && !title.trim().is_empty()
    {
        page.push_verbatim(title);
    }
}

/// Appends what the asker says about itself and a sentence of ours leaves out.
fn push_claims(page: &mut PlainPage<'_>, scene: &PromptContext<'_>) {
    for line in describe::asker_claims(&scene.ask.request.shown_asker(), scene.columns, page.lang) {
        page.push_line(&line);
    }
}

/// Appends what is above the questions: the context, the action and the changes that the asker wants.
fn push_request(page: &mut PlainPage<'_>, scene: &PromptContext<'_>) {
    let questionnaire = scene.sheet.questionnaire();
    if let Some(context) = &questionnaire.context {
        page.push_foreign(context);
    }
    if let Some(action) = &questionnaire.action {
        push_action(page, action);
    }
    if let Some(feedback) = scene.ask.feedback()
        && let Some(summary) = &feedback.summary
    {
        page.push_line(&describe::changes_heading(scene.ask, scene.sheet, page.lang));
        page.push_foreign(summary);
    }
}

/// Appends the text of a question, what the asker says about the last answer, and the possible answers if they are
/// listed.
fn push_question(
    page: &mut PlainPage<'_>,
    scene: &PromptContext<'_>,
    index: usize,
    question: &Question,
    lists_answers: bool,
) {
    match own_prompt(scene.sheet.questionnaire(), question, page.lang) {
        Some(prompt) => page.push_line(&prompt),
        None => page.push_foreign(&question.prompt),
    }
    if let Some(detail) = &question.detail {
        page.push_foreign(detail);
    }
    if let Some(feedback) = scene.ask.feedback() {
        for (id, error) in &feedback.errors {
            if *id == question.id {
                page.push_line(&describe::objection_heading(scene.ask, scene.sheet, index, page.lang));
                page.push_foreign(error);
            }
        }
    }
    let spoofing_check = SpoofingCheck::new(scene.sheet.questionnaire(), question, page.lang);
    for warning in &spoofing_check.warnings {
        page.push_line(warning);
    }
    if lists_answers {
        page.push_answers(question, &spoofing_check, &scene.sheet.questionnaire().rules);
    }
}

fn push_action(page: &mut PlainPage<'_>, action: &ProposedAction) {
    for part in action_parts(action) {
        match part {
            ActionPart::Sentence(message) => page.push_line(&message.render(page.lang)),
            ActionPart::ExactData(text) => page.push_exact(&text),
        }
    }
}

impl PromptStyle for PlainStyle {
    fn intro(&self, scene: &PromptContext<'_>) -> String {
        let asker = self.asker_line(scene);
        let total = scene.sheet.progress().total as u64;
        let one = Message::QuestionCountOne;
        let count = describe::count_message(one, Message::QuestionCount, total, self.lang);
        let mut page = self.new_page(scene);
        push_title(&mut page, scene);
        page.push_line(&format!("{asker}{}{count}", describe::sentence_separator(self.lang)));
        push_claims(&mut page, scene);
        push_request(&mut page, scene);
        page.text
    }

    fn render(&self, scene: &PromptContext<'_>, index: usize) -> String {
        let Some(question) = scene.sheet.questions().get(index) else { return String::new() };
        let mut page = self.new_page(scene);
        page.push_line("");
        self.push_section(&mut page, scene, index, question);
        page.push_head(scene.sheet, index, question);
        push_question(&mut page, scene, index, question, true);
        page.push_current_reply(scene.sheet, index, question);
        page.text.push_str(page::input_hint(question, self.lang));
        page.text
    }

    fn action(&self, scene: &PromptContext<'_>) -> String {
        let mut page = self.new_page(scene);
        if let Some(action) = &scene.sheet.questionnaire().action {
            push_action(&mut page, action);
        }
        page.text
    }

    fn preview(&self, scene: &PromptContext<'_>, index: usize, number: Option<usize>) -> Option<String> {
        let choice = scene.sheet.questions().get(index)?.choice()?;
        let mut page = self.new_page(scene);
        for (option_number, offer) in (1..).zip(choice.items()) {
            let ChoiceItem::Option(option) = offer else { continue };
            let is_requested = match number {
                Some(number) => option_number == number,
                None => option.preview.is_some(),
            };
            if is_requested {
                page.push_preview(option_number, option);
            }
        }
        if page.text.is_empty() { None } else { Some(page.text) }
    }

    fn read_line(
        &self,
        question: &Question,
        rules: &Rules,
        partial: PartialAnswer,
        line: &str,
    ) -> ParsedLine {
        line_parser::parse_line(question, rules, partial, line, *self)
    }

    fn has_review(&self) -> bool {
        true
    }

    fn announces_replies(&self) -> bool {
        true
    }

    fn has_strict_commands(&self) -> bool {
        false
    }
}

/// Returns true for a question of yes or no with nothing to add to these words.
fn is_bare_confirm(question: &Question, rules: &Rules) -> bool {
    let QuestionInput::Toggle(confirm) = question.input() else { return false };
    confirm.yes.is_none() && confirm.no.is_none() && question.prefill.is_none() && !rules.must_be_true
}

/// Returns the names of yes and no, each with true for yes.
fn confirm_words(confirm: &ConfirmQuestion, lang: Lang) -> [(bool, String); 2] {
    [true, false].map(|confirmed| (confirmed, confirm.describe(confirmed, lang).into_owned()))
}

#[cfg(test)]
mod tests;
