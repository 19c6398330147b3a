//! Yes or no.

use super::KindName;
use super::behavior::{ComparedQuestion, KindAliases, KindBehavior, ReadResult};
use super::input::QuestionInput;
use super::members::KindMembers;
use crate::i18n::{Lang, LocalizedText, Message, answer_words, foreign, own, spelling};
use crate::model::answer::Answer;
use crate::model::question::Question;
use crate::model::question::kind::ConfirmQuestion;
use crate::model::value::ComparisonValue;
use crate::problem::Problem;
use std::borrow::Cow;

impl ConfirmQuestion {
    /// Describes yes or no in our own word, followed by the asker's label as a quotation: the first word is never the
    /// asker's.
    pub fn describe(&self, confirmed: bool, lang: Lang) -> Cow<'_, str> {
        let ours = answer_words::yes_or_no(confirmed, lang);
        match self.label(confirmed, lang) {
            Some(label) => Cow::Owned(Message::Quotes.render_with(lang, [own(ours), foreign(label)])),
            None => Cow::Borrowed(ours),
        }
    }

    /// Returns the asker's label of yes or no, unless it is only our own word.
    pub fn label(&self, confirmed: bool, lang: Lang) -> Option<&str> {
        let label = if confirmed { &self.yes } else { &self.no }.as_deref()?;
        let is_ours = spelling::is_same_spelling(label, answer_words::yes_or_no(confirmed, lang));
        (!label.trim().is_empty() && !is_ours).then_some(label)
    }

    pub(super) fn take_from(members: &mut KindMembers<'_>) -> Self {
        Self {
            yes: members.yes.take().map(Cow::into_owned),
            no: members.no.take().map(Cow::into_owned),
            consent: members.consent,
        }
    }
}

impl KindBehavior for ConfirmQuestion {
    fn kind_name(&self) -> KindName {
        KindName::Confirm
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[KindAliases { flag: None, names: &["boolean", "bool", "yesno", "approval", "confirmation"] }]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Toggle(self)
    }

    fn write<'q>(&'q self, members: &mut KindMembers<'q>) {
        members.yes = self.yes.as_deref().map(Cow::Borrowed);
        members.no = self.no.as_deref().map(Cow::Borrowed);
        members.consent = self.consent;
    }

    fn expected_answer(&self) -> LocalizedText {
        Message::WantsConfirm.into()
    }

    fn answer_words(&self) -> LocalizedText {
        Message::YesOrNo.into()
    }

    fn line_hint(&self) -> Message {
        Message::HintConfirm
    }

    fn accepts(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Confirm(_))
    }

    fn answer_members(&self) -> &'static [&'static str] {
        &["confirm"]
    }

    fn read_bool(&self, value: bool) -> ReadResult<Answer> {
        Ok(Answer::Confirm(value))
    }

    fn comparison_problem(
        &self,
        compared: &ComparedQuestion<'_>,
        value: &ComparisonValue,
    ) -> Option<Problem> {
        match value {
            ComparisonValue::Bool(_) => None,
            ComparisonValue::Number(_) | ComparisonValue::Text(_) => {
                Some(compared.wrong_value(Message::ConditionWantsBool, value))
            }
        }
    }
}

/// Describes yes or no at a question.
pub(super) fn describe(question: &Question, confirmed: bool, lang: Lang) -> Cow<'_, str> {
    match question.input() {
        QuestionInput::Toggle(confirm) => confirm.describe(confirmed, lang),
        QuestionInput::Options(_) | QuestionInput::Scale(_) | QuestionInput::Line(_) => {
            Cow::Borrowed(answer_words::yes_or_no(confirmed, lang))
        }
    }
}
