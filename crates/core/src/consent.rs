//! Consent: words that agree or refuse, and the questions that take consent.

use crate::answer::Answer;
use crate::limits;
use crate::message::{Message, Text};
use crate::problem::{Code, Path, Problem};
use crate::question::{Confirm, Kind, Opt, Question};
use crate::questionnaire::Questionnaire;
use std::cell::LazyCell;
use unicode_normalization::UnicodeNormalization as _;

/// Words that agree, in lower case.
const AGREEING: [&str; 34] = [
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
const REFUSING: [&str; 40] = [
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
const SEPARATORS: [char; 19] =
    [',', '.', ':', ';', '!', '?', '(', '[', '/', '|', '–', '—', '·', '，', '。', '：', '；', '！', '（'];

/// Returns whether these words agree, as a whole.
pub fn is_agreeing(words: &str) -> bool {
    AGREEING.contains(&words.trim().to_lowercase().as_str())
}

/// Returns whether these words refuse, as a whole.
pub fn is_refusing(words: &str) -> bool {
    REFUSING.contains(&words.trim().to_lowercase().as_str())
}

/// Returns whether a label clearly refuses: as a whole, by the words before its first punctuation mark, or because it
/// begins with "no".
pub fn clearly_refuses(label: &str) -> bool {
    opens_with(label, is_refusing, "no")
}

/// Returns whether a label clearly agrees, in the same sense; its first word would be "yes".
pub fn clearly_agrees(label: &str) -> bool {
    opens_with(label, is_agreeing, "yes")
}

fn opens_with(label: &str, is_known: fn(&str) -> bool, first_word: &str) -> bool {
    let plain: String = label
        .chars()
        .take(limits::LABEL_COMPARED_CHARS)
        .nfkc()
        .map(|c| if c == '’' { '\'' } else { c })
        .collect();
    // Signs and quotation marks in front are decoration.
    let plain = plain.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let opening = plain.split(SEPARATORS).next().unwrap_or_default();
    let opening = opening.split(" - ").next().unwrap_or_default();
    is_known(&plain) || is_known(opening) || plain.split_whitespace().next() == Some(first_word)
}

impl Confirm {
    /// Returns the labels that contradict what they send: a yes that refuses, a no that agrees. Each comes with
    /// `true` if it is the label of yes.
    pub fn turned_labels(&self) -> impl Iterator<Item = (bool, &str)> {
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
    pub fn of(questionnaire: &Questionnaire) -> Self {
        let is_confirm = |question: &Question| matches!(question.kind, Kind::Confirm(_));
        match (questionnaire.asks_consent(), questionnaire.questions.iter().any(is_confirm)) {
            (false, _) => Self::None,
            (true, true) => Self::Confirms,
            (true, false) => Self::Choices,
        }
    }

    /// Returns whether the answer to this question is consent.
    pub const fn include(self, question: &Question) -> bool {
        match self {
            Self::None => false,
            Self::Confirms => matches!(question.kind, Kind::Confirm(_)),
            Self::Choices => matches!(question.kind, Kind::Choice(_)),
        }
    }

    /// Returns the asker's prefill of a question, unless that would be consent.
    pub fn prefill(self, question: &Question) -> Option<&Answer> {
        question.prefill.as_ref().filter(|_| !self.include(question))
    }

    /// Returns whether the asker suggests an option, unless that would be consent.
    pub const fn suggests(self, question: &Question, option: &Opt) -> bool {
        option.recommended && !self.include(question)
    }
}

/// Returns the problems of labels that contradict what they send, each with its path in the canonical form.
pub fn turned_labels(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = Vec::new();
    let places = LazyCell::new(|| questionnaire.places());
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let Kind::Confirm(confirm) = &question.kind else { continue };
        for (is_yes, label) in confirm.turned_labels() {
            let member = if is_yes { "yes" } else { "no" };
            problems.push(turned_label(is_yes, label).at(place(&places, at).then(member)));
        }
    }
    problems
}

/// Returns the problem of one label that contradicts what it sends.
pub fn turned_label(is_yes: bool, label: &str) -> Problem {
    let (message, hint) = if is_yes {
        (Message::YesLabelRefuses, Message::YesLabelHow)
    } else {
        (Message::NoLabelAgrees, Message::NoLabelHow)
    };
    let short: String = label.chars().take(limits::LABEL_COMPARED_CHARS).collect();
    Problem::new(Code::ContraryLabel, message.with([short])).hint(hint)
}

/// Returns the problems of consent that the asker prefilled or recommended, each with its path in the canonical form.
pub fn preset_consent(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = Vec::new();
    let problem = |message: Message, at: Path| Problem::new(Code::PresetConsent, Text::from(message)).at(at);
    let consent = ConsentQuestions::of(questionnaire);
    let places = LazyCell::new(|| questionnaire.places());
    for (at, question) in questionnaire.questions.iter().enumerate() {
        if !consent.include(question) {
            continue;
        }
        let place = || place(&places, at);
        if question.prefill.is_some() {
            let problem = problem(Message::ConsentPrefilled, place().then("prefill"));
            problems.push(problem.hint(Message::ConsentPrefilledHow));
        }
        let options = question.choice().map(|choice| choice.options.as_slice()).unwrap_or_default();
        for (number, _) in options.iter().enumerate().filter(|(_, option)| option.recommended) {
            let at = place().then("options").then(number).then("recommended");
            problems.push(problem(Message::ConsentRecommended, at).hint(Message::ConsentRecommendedHow));
        }
    }
    problems
}

fn place(places: &[Path], at: usize) -> Path {
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
