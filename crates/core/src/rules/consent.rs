//! Consent: words that agree or refuse, and the questions that take consent.

use crate::i18n::{LocalizedText, Message};
use crate::limits;
use crate::model::answer::Answer;
use crate::model::problem::{DocumentPath, Problem, ProblemCode};
use crate::model::question::{ChoiceOption, ConfirmQuestion, Question, QuestionKind};
use crate::model::questionnaire::Questionnaire;
use std::cell::LazyCell;
use unicode_normalization::UnicodeNormalization as _;

/// Words that agree, in lower case.
pub const AGREEING_WORDS: [&str; 34] = [
    "continue",
    "approve",
    "approved",
    "accept",
    "accepted",
    "allow",
    "allowed",
    "agree",
    "agreed",
    "confirm",
    "confirmed",
    "proceed",
    "go",
    "go ahead",
    "yes",
    "y",
    "yes please",
    "ok",
    "okay",
    "true",
    "继续",
    "批准",
    "同意",
    "允许",
    "确认",
    "接受",
    "确定",
    "通过",
    "可以",
    "好",
    "好的",
    "是",
    "是的",
    "对",
];
/// Words that refuse, in lower case.
pub const REFUSING_WORDS: [&str; 40] = [
    "cancel",
    "cancelled",
    "canceled",
    "reject",
    "rejected",
    "deny",
    "denied",
    "decline",
    "declined",
    "refuse",
    "refused",
    "disagree",
    "disallow",
    "abort",
    "aborted",
    "stop",
    "no",
    "n",
    "no thanks",
    "don't",
    "do not",
    "never",
    "false",
    "取消",
    "拒绝",
    "否决",
    "否",
    "不",
    "不是",
    "不要",
    "不同意",
    "不批准",
    "不允许",
    "不接受",
    "不可以",
    "停止",
    "中止",
    "终止",
    "放弃",
    "不行",
];
/// Separators of the first words of a label from the rest.
const LABEL_SEPARATORS: [char; 19] =
    [',', '.', ':', ';', '!', '?', '(', '[', '/', '|', '–', '—', '·', '，', '。', '：', '；', '！', '（'];

/// Returns whether these words agree, as a whole.
pub fn is_agreeing(words: &str) -> bool {
    AGREEING_WORDS.contains(&words.trim().to_lowercase().as_str())
}

/// Returns whether these words refuse, as a whole.
pub fn is_refusing(words: &str) -> bool {
    REFUSING_WORDS.contains(&words.trim().to_lowercase().as_str())
}

/// Returns whether a label clearly refuses: as a whole, by the words before its first punctuation mark, or because it
/// begins with "no".
pub fn clearly_refuses(label: &str) -> bool {
    opens_with(label, &REFUSING_WORDS, "no")
}

/// Returns whether a label clearly agrees, in the same sense; its first word would be "yes".
pub fn clearly_agrees(label: &str) -> bool {
    opens_with(label, &AGREEING_WORDS, "yes")
}

fn opens_with(label: &str, known: &[&str], first_word: &str) -> bool {
    let plain: String = label
        .chars()
        .take(limits::LABEL_COMPARED_CHARS)
        .nfkc()
        .map(|c| if c == '’' { '\'' } else { c })
        .collect();
    // Signs and quotation marks in front are decoration.
    let plain = plain.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let opening = plain.split(LABEL_SEPARATORS).next().unwrap_or_default();
    let opening = opening.split(" - ").next().unwrap_or_default();
    known.contains(&&*plain)
        || known.contains(&opening.trim())
        || plain.split_whitespace().next() == Some(first_word)
}

impl ConfirmQuestion {
    /// Returns the labels that contradict what they send: a yes that refuses, a no that agrees. Each comes with
    /// `true` if it is the label of yes.
    pub fn contrary_labels(&self) -> impl Iterator<Item = (bool, &str)> {
        let yes = self.yes.as_deref().filter(|label| clearly_refuses(label)).map(|label| (true, label));
        let no = self.no.as_deref().filter(|label| clearly_agrees(label)).map(|label| (false, label));
        yes.into_iter().chain(no)
    }
}

/// The questions of a questionnaire that take consent. Only a person gives it, so nothing is prefilled or suggested
/// in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentQuestions {
    /// None: it asks for something else.
    None,
    /// Each yes-or-no question.
    Confirms,
    /// Each choice: the questionnaire has an action, and no yes-or-no question.
    Choices,
}

impl ConsentQuestions {
    /// Returns the consent questions of a questionnaire.
    pub fn for_questionnaire(questionnaire: &Questionnaire) -> Self {
        let is_confirm = |question: &Question| matches!(question.kind, QuestionKind::Confirm(_));
        match (questionnaire.asks_consent(), questionnaire.questions.iter().any(is_confirm)) {
            (false, _) => Self::None,
            (true, true) => Self::Confirms,
            (true, false) => Self::Choices,
        }
    }

    /// Returns whether the answer to this question is consent.
    pub const fn includes(self, question: &Question) -> bool {
        match self {
            Self::None => false,
            Self::Confirms => matches!(question.kind, QuestionKind::Confirm(_)),
            Self::Choices => matches!(question.kind, QuestionKind::Choice(_)),
        }
    }

    /// Returns the asker's prefill of a question, unless that would be consent.
    pub fn prefill(self, question: &Question) -> Option<&Answer> {
        question.prefill.as_ref().filter(|_| !self.includes(question))
    }

    /// Returns whether the asker suggests an option, unless that would be consent.
    pub const fn recommends(self, question: &Question, option: &ChoiceOption) -> bool {
        option.recommended && !self.includes(question)
    }
}

/// Returns the problems of labels that contradict what they send, each with its path in the canonical form.
pub fn contrary_label_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = Vec::new();
    let places = LazyCell::new(|| questionnaire.question_paths());
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let QuestionKind::Confirm(confirm) = &question.kind else { continue };
        for (is_yes, label) in confirm.contrary_labels() {
            let member = if is_yes { "yes" } else { "no" };
            problems.push(contrary_label_problem(is_yes, label).at(place(&places, at).join(member)));
        }
    }
    problems
}

/// Returns the problem of one label that contradicts what it sends.
pub fn contrary_label_problem(is_yes: bool, label: &str) -> Problem {
    let (message, hint) = if is_yes {
        (Message::YesLabelRefuses, Message::YesLabelHow)
    } else {
        (Message::NoLabelAgrees, Message::NoLabelHow)
    };
    let short: String = label.chars().take(limits::LABEL_COMPARED_CHARS).collect();
    Problem::new(ProblemCode::ContraryLabel, message.with([short])).with_hint(hint)
}

/// Returns the problems of consent that the asker prefilled or recommended, each with its path in the canonical form.
pub fn preset_consent_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = Vec::new();
    let problem = |message: Message, at: DocumentPath| {
        Problem::new(ProblemCode::PresetConsent, LocalizedText::from(message)).at(at)
    };
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let places = LazyCell::new(|| questionnaire.question_paths());
    for (at, question) in questionnaire.questions.iter().enumerate() {
        if !consent.includes(question) {
            continue;
        }
        let place = || place(&places, at);
        if question.prefill.is_some() {
            let problem = problem(Message::ConsentPrefilled, place().join("prefill"));
            problems.push(problem.with_hint(Message::ConsentPrefilledHow));
        }
        let options = question.choice().map(|choice| choice.options.as_slice()).unwrap_or_default();
        for (number, _) in options.iter().enumerate().filter(|(_, option)| option.recommended) {
            let at = place().join("options").join(number).join("recommended");
            problems.push(problem(Message::ConsentRecommended, at).with_hint(Message::ConsentRecommendedHow));
        }
    }
    problems
}

fn place(places: &[DocumentPath], at: usize) -> DocumentPath {
    places.get(at).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_labels_are_recognized() {
        let refusing = [
            "No, cancel",
            "Cancel",
            " CANCEL ",
            "No",
            "no thanks",
            "Don't",
            "don’t: keep it",
            "取消",
            "不，取消",
            "Ｎｏ",
            "❌ No",
            "\"No\"",
            "Abort - now",
            "No way",
        ];
        for label in refusing {
            assert!(clearly_refuses(label), "{label}");
            assert!(!clearly_agrees(label), "{label}");
        }
        for label in ["Yes, keep", "OK", "Go ahead", "同意", "是的，保留", "✅ Yes", "Yes please"] {
            assert!(clearly_agrees(label), "{label}");
            assert!(!clearly_refuses(label), "{label}");
        }
        for label in ["Cancel the order", "Delete", "Not now", "Nothing", "取消订单", "Yesterday", "", "…"]
        {
            assert!(!clearly_refuses(label) && !clearly_agrees(label), "{label}");
        }
    }
}
