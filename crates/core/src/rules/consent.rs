//! Consent: the questions that take it, the replies that give it, and labels that could obtain it by deception.

mod shown_values;
pub mod words;

pub use shown_values::ShownValues;

use crate::i18n::{Message, foreign};
use crate::kinds::input::QuestionInput;
use crate::limits;
use crate::model::answer::{Answer, Pick, Replies, Reply, ReplyContent};
use crate::model::ask::{Ask, AskPhase, Submission};
use crate::model::outcome::Outcome;
use crate::model::question::Question;
use crate::model::question::choice::ChoiceOption;
use crate::model::question::kind::ConfirmQuestion;
use crate::model::questionnaire::Questionnaire;
use crate::model::validation_rules::UncheckedAnswers;
use crate::problem::{Problem, ProblemCode};
use crate::rules::question_places::QuestionPlaces;

impl ConfirmQuestion {
    /// Returns the labels that could obtain a wrong answer: a yes that refuses, a no that agrees, and mixes of
    /// alphabets that imitate each other. Each comes with `true` if it is the label of yes.
    pub fn contrary_labels(&self) -> impl Iterator<Item = (bool, &str)> {
        let mut labels = Vec::new();
        for (is_yes, label) in [(true, &self.yes), (false, &self.no)] {
            if let Some(label) = label
                && is_contrary_label(is_yes, label)
            {
                labels.push((is_yes, label.as_str()));
            }
        }
        labels.into_iter()
    }
}

fn is_contrary_label(is_yes: bool, label: &str) -> bool {
    if words::mixes_alphabets(label) {
        return true;
    }
    if is_yes { words::clearly_refuses(label) } else { words::clearly_agrees(label) }
}

/// The questions of a questionnaire that take consent. Only a person gives it, so nothing is prefilled in them,
/// and what an asker of another format suggests is only marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentQuestions {
    /// None: it asks for something else.
    None,
    /// The yes-or-no questions that the asker marked as consent.
    Marked,
    /// Each yes-or-no question, unless the asker marked it as an ordinary value.
    Confirms,
    /// Each choice: the questionnaire has an action, and no yes-or-no question that could take the consent.
    Choices,
}

impl ConsentQuestions {
    /// Returns the consent questions of a questionnaire: it asks for consent if it has an action, if all that must be
    /// answered is yes or no, or if the asker marked a question so.
    pub fn for_questionnaire(questionnaire: &Questionnaire) -> Self {
        let questions = &questionnaire.questions;
        let has_confirm = questions.iter().any(|question| Self::Confirms.includes(question));
        // If nothing is required, each question counts.
        let has_required = questions.iter().any(|question| question.required);
        let mut decisive = questions.iter().filter(|question| question.required || !has_required);
        let asks_nothing_else = has_confirm && decisive.all(|question| Self::Confirms.includes(question));
        if questionnaire.action.is_some() && !has_confirm {
            Self::Choices
        } else if questionnaire.action.is_some() || asks_nothing_else {
            Self::Confirms
        } else if questions.iter().any(|question| Self::Marked.includes(question)) {
            Self::Marked
        } else {
            Self::None
        }
    }

    /// Returns whether the answer to this question is consent.
    pub fn includes(self, question: &Question) -> bool {
        match (self, question.input()) {
            (Self::Marked, QuestionInput::Toggle(confirm)) => confirm.consent == Some(true),
            (Self::Confirms, QuestionInput::Toggle(confirm)) => confirm.consent != Some(false),
            (Self::Choices, QuestionInput::Options(_)) => true,
            _ => false,
        }
    }

    /// Returns the asker's prefill of a question, unless that would be consent.
    pub fn prefill(self, question: &Question) -> Option<&Answer> {
        if self.includes(question) { None } else { question.prefill.as_ref() }
    }

    /// Returns whether the asker suggests an option that a person can take over with others, unless that would be
    /// consent.
    pub fn recommends(self, question: &Question, option: &ChoiceOption) -> bool {
        option.recommended && !self.includes(question)
    }

    /// Returns whether an option has the mark of a suggestion. That of a consent question also has what the asker
    /// preset: formats other than our own keep it, and no surface picks it. The submission is the one that the asker
    /// refused in the last round: what it has is the person's, not a suggestion.
    pub fn suggests(self, question: &Question, option: &ChoiceOption, refused: Option<&Submission>) -> bool {
        if option.recommended {
            return true;
        }
        match self.preset(question, refused) {
            Some(Answer::Picks(picks)) => {
                picks.iter().any(|pick| matches!(pick, Pick::Option(id) if *id == option.id))
            }
            _ => false,
        }
    }

    /// Returns whether yes or no has the mark of a suggestion: the asker preset the answer to a consent question.
    pub fn suggests_confirm(
        self,
        question: &Question,
        confirmed: bool,
        refused: Option<&Submission>,
    ) -> bool {
        self.preset(question, refused) == Some(&Answer::Confirm(confirmed))
    }

    /// Returns what the asker preset in a consent question, unless that was submitted before.
    fn preset<'q>(self, question: &'q Question, refused: Option<&Submission>) -> Option<&'q Answer> {
        let preset = question.prefill.as_ref()?;
        if !self.includes(question) {
            return None;
        }
        if let Some(refused) = refused
            && let Some(reply) = refused.replies.get(&question.id)
            && reply.answer() == Some(preset)
        {
            return None;
        }
        Some(preset)
    }
}

impl Questionnaire {
    /// Returns true if it asks for consent. Consent is given once, to what is about to happen; an earlier answer to
    /// the same text is not valid again.
    pub fn asks_consent(&self) -> bool {
        ConsentQuestions::for_questionnaire(self) != ConsentQuestions::None
    }

    /// Returns true if an answer is rejected whose pattern exceeds the step budget: the asker demands it, or asks for
    /// consent.
    pub fn refuses_unchecked(&self) -> bool {
        self.unchecked == UncheckedAnswers::Refuse || self.asks_consent()
    }

    /// Returns whether these replies give the consent that was asked for; `None` if none was. One refusal refuses it
    /// all, since the program that acts cannot tell the parts apart.
    pub fn approval(&self, replies: &Replies) -> Option<bool> {
        let consent = ConsentQuestions::for_questionnaire(self);
        let mut is_asked = self.action.is_some();
        let mut is_approved = true;
        for question in self.questions.iter().filter(|question| consent.includes(question)) {
            let reply = replies.get(&question.id);
            if !matches!(reply, Some(Reply { content: ReplyContent::NotAsked { .. }, .. })) {
                is_asked = true;
                is_approved &= is_approved_by(question, reply.and_then(Reply::answer));
            }
        }
        if is_asked { Some(is_approved) } else { None }
    }
}

impl Ask {
    /// Returns whether the answer gives the consent that was asked for; `None` if none was, or without an answer.
    pub fn approval(&self) -> Option<bool> {
        let replies = match &self.state.phase {
            AskPhase::Submitted { submission, .. } => &submission.replies,
            AskPhase::Settled(Outcome::Answered { replies, .. }) => replies,
            AskPhase::Open { .. } | AskPhase::Settled(_) => return None,
        };
        self.request.questionnaire.approval(replies)
    }
}

/// Returns whether an answer to a consent question approves: a yes, or picks of which none clearly refuses.
fn is_approved_by(question: &Question, answer: Option<&Answer>) -> bool {
    match (question.input(), answer) {
        (QuestionInput::Options(choice), Some(Answer::Picks(picks))) => {
            for pick in picks.iter() {
                let words = match pick {
                    Pick::Option(id) => choice.option(id).map_or("", |option| &option.label),
                    Pick::Other(text) => text,
                };
                if words::clearly_refuses(words) {
                    return false;
                }
            }
            true
        }
        // An empty pick, where none is required, refuses nothing.
        (QuestionInput::Options(_), None) => true,
        _ => answer == Some(&Answer::Confirm(true)),
    }
}

/// Returns the problems of labels that could obtain a wrong answer, each with its path in the canonical form.
pub fn contrary_label_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = Vec::new();
    let places = QuestionPlaces::new(questionnaire);
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let QuestionInput::Toggle(confirm) = question.input() else { continue };
        for (is_yes, label) in confirm.contrary_labels() {
            let member = if is_yes { "yes" } else { "no" };
            problems.push(contrary_label_problem(is_yes, label).at(places.at(at).join(member)));
        }
    }
    problems
}

/// Returns the problem of one label that could obtain a wrong answer.
pub fn contrary_label_problem(is_yes: bool, label: &str) -> Problem {
    let (message, hint) = if words::mixes_alphabets(label) {
        (Message::LabelMixesAlphabets, Message::LabelMixesAlphabetsHow)
    } else if is_yes {
        (Message::YesLabelRefuses, Message::YesLabelHow)
    } else {
        (Message::NoLabelAgrees, Message::NoLabelHow)
    };
    let short: String = label.chars().take(limits::LABEL_COMPARED_CHARS).collect();
    Problem::new(ProblemCode::ContraryLabel, message.with([foreign(short)])).with_hint(hint)
}

/// Returns the problems of consent that the asker prefilled, recommended or marked as a value, each with its path in
/// the canonical form.
pub fn preset_consent_problems(questionnaire: &Questionnaire) -> Vec<Problem> {
    let mut problems = Vec::new();
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let places = QuestionPlaces::new(questionnaire);
    let takes_none = !questionnaire.questions.iter().any(|question| consent.includes(question));
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let is_confirm = matches!(question.input(), QuestionInput::Toggle(_));
        if questionnaire.action.is_some() && takes_none && is_confirm {
            let problem = Problem::new(ProblemCode::PresetConsent, Message::ActionNeedsConsent)
                .with_hint(Message::ActionNeedsConsentHow);
            problems.push(problem.at(places.at(at).join("consent")));
        }
        if !consent.includes(question) {
            continue;
        }
        if question.prefill.is_some() {
            let problem = Problem::new(ProblemCode::PresetConsent, Message::ConsentPrefilled)
                .with_hint(Message::ConsentPrefilledHow);
            problems.push(problem.at(places.at(at).join("prefill")));
        }
        let Some(choice) = question.choice() else { continue };
        for (number, option) in choice.options.iter().enumerate() {
            if option.recommended {
                let problem = Problem::new(ProblemCode::PresetConsent, Message::ConsentRecommended)
                    .with_hint(Message::ConsentRecommendedHow);
                let place = places.at(at).join("options").join(number).join("recommended");
                problems.push(problem.at(place));
            }
        }
    }
    problems
}

/// Returns remarks about yes-or-no questions that take no consent and are not marked: their asker may count on it.
pub fn unmarked_confirm_remarks(questionnaire: &Questionnaire) -> Vec<Problem> {
    let consent = ConsentQuestions::for_questionnaire(questionnaire);
    let places = QuestionPlaces::new(questionnaire);
    let mut remarks = Vec::new();
    for (at, question) in questionnaire.questions.iter().enumerate() {
        let QuestionInput::Toggle(confirm) = question.input() else { continue };
        if confirm.consent.is_none() && !consent.includes(question) {
            let remark = Problem::new(ProblemCode::UnmarkedConfirm, Message::ConfirmNotMarked)
                .with_hint(Message::ConfirmNotMarkedHow);
            remarks.push(remark.at(places.at(at).join("consent")));
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::actor::{AssuranceLevel, Person, Surface};
    use crate::model::id::QuestionId;
    use crate::model::outcome::Receipt;
    use jiff::Timestamp;

    #[test]
    fn contrary_labels_are_found() {
        let rows = [
            (true, "Nо, cancel", true),
            (true, "Don't approve", true),
            (true, "Refuse it", true),
            (true, "Non, annuler", true),
            (true, "否决它", true),
            (true, "Nein", true),
            (true, "No, cancelar", true),
            (false, "Yеs", true),
            (false, "Oui", true),
            (false, "Sure", true),
            (false, "Approve later", true),
            (false, "Don't approve", false),
            (false, "Not approved", false),
            (false, "Do not allow", false),
            (false, "否决它", false),
            (true, "Delete both", false),
            (true, "Да, удалить", false),
        ];
        for (is_yes, label, is_contrary) in rows {
            let given = Some(label.to_owned());
            let (yes, no) = if is_yes { (given, None) } else { (None, given) };
            let confirm = ConfirmQuestion { yes, no, consent: None };
            let found: Vec<_> = confirm.contrary_labels().collect();
            let expected = if is_contrary { vec![(is_yes, label)] } else { Vec::new() };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn submitted_preset_is_no_suggestion() {
        let mut question = Question::new("go", "?", ConfirmQuestion::default());
        question.prefill = Some(Answer::Confirm(true));
        let refused = |yes: bool| {
            let ada = Person {
                name: "ada".to_owned(),
                surface: Surface::Inbox,
                assurance: AssuranceLevel::Terminal,
                access: None,
            };
            let replies = Replies::from([(question.id.clone(), Reply::from_answer(Answer::Confirm(yes)))]);
            let shown = Questionnaire::default().digest();
            let receipt = Receipt::new(&ada, shown, Timestamp::UNIX_EPOCH);
            Submission { replies, as_sent: None, receipt, verdict_by: Timestamp::UNIX_EPOCH }
        };
        let suggests = |refused: Option<&Submission>| {
            ConsentQuestions::Confirms.suggests_confirm(&question, true, refused)
        };
        assert!(suggests(None) && suggests(Some(&refused(false))));
        assert!(!suggests(Some(&refused(true))));
    }

    #[test]
    fn approval_needs_each_yes() {
        let confirm = |id: &str, consent| {
            Question::new(id, "?", ConfirmQuestion { consent, ..ConfirmQuestion::default() })
        };
        let questions = [confirm("a", None), confirm("b", None), confirm("value", Some(false))];
        let form = Questionnaire {
            questions: questions.iter().take(2).cloned().collect(),
            ..Questionnaire::default()
        };
        let hidden = Reply { content: ReplyContent::NotAsked { decided_by: None }, ..Reply::default() };
        let says = |yes: bool| Reply::from_answer(Answer::Confirm(yes));
        let rows = [
            ([says(true), says(true)], Some(true)),
            ([says(true), says(false)], Some(false)),
            ([says(true), Reply::skipped()], Some(false)),
            ([says(true), hidden.clone()], Some(true)),
            ([hidden.clone(), hidden], None),
        ];
        for (replies, approved) in rows {
            let replies: Replies = ["a", "b"].map(QuestionId::new).into_iter().zip(replies).collect();
            assert_eq!(form.approval(&replies), approved, "{replies:?}");
        }
        let values = Questionnaire { questions: questions[2..].to_vec(), ..Questionnaire::default() };
        assert_eq!(values.approval(&Replies::from([(QuestionId::new("value"), says(false))])), None);
    }
}
