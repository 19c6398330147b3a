//! Yes or no.

use super::behavior::{ComparedQuestion, KindAliases, KindBehavior};
use super::input::QuestionInput;
use super::{Answer, KindName, QuestionKind};
use crate::i18n::{Lang, LocalizedText, Message, answer_words, foreign, own, spelling};
use crate::model::question::Question;
use crate::model::value::ComparisonValue;
use crate::problem::Problem;
use crate::wire::answers::ReadResult;
use crate::wire::questionnaire::question::QuestionEntry;
use crate::wire::questionnaire::text::WireText;
use std::borrow::Cow;

/// A yes or a no.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmQuestion {
    /// Label of yes; a label of the catalogue without it.
    pub yes: Option<String>,
    /// Label of no; a label of the catalogue without it.
    pub no: Option<String>,
    /// The asker's mark: true for consent, false for an ordinary value. Without it, the rest of the questionnaire
    /// decides.
    pub consent: Option<bool>,
}

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

    pub(super) fn take_from(entry: &mut QuestionEntry<'_>) -> Self {
        Self {
            yes: entry.yes.take().map(WireText::into_owned),
            no: entry.no.take().map(WireText::into_owned),
            consent: entry.consent,
        }
    }
}

impl From<ConfirmQuestion> for QuestionKind {
    fn from(confirm: ConfirmQuestion) -> Self {
        Self::Confirm(confirm)
    }
}

impl KindBehavior for ConfirmQuestion {
    fn name(&self) -> &'static str {
        "confirm"
    }

    fn aliases(&self) -> &'static [KindAliases] {
        &[KindAliases { flag: None, names: &["boolean", "bool", "yesno", "approval", "confirmation"] }]
    }

    fn input(&self) -> QuestionInput<'_> {
        QuestionInput::Toggle(self)
    }

    fn write<'q>(&'q self, entry: &mut QuestionEntry<'q>) {
        entry.kind = Some(KindName::Confirm);
        entry.yes = WireText::from_option(self.yes.as_ref());
        entry.no = WireText::from_option(self.no.as_ref());
        entry.consent = self.consent;
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
