//! The commands that begin with a slash, the same at every prompt.

use crate::session::{End, Place, Session, Step};
use sayso_core::{Message, Problem, Reply};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Order {
    Help,
    Back,
    Next,
    Skip,
    Clear,
    Review,
    Submit,
    /// With the reason, where one was given.
    Decline(Option<String>),
    Quit,
}

impl Order {
    /// A line that is exactly a command; only declining takes words.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let line = line.trim_end();
        let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words = words.trim();
        let order = match name.to_ascii_lowercase().as_str() {
            "/decline" => return Some(Self::Decline((!words.is_empty()).then(|| words.to_owned()))),
            "/help" => Self::Help,
            "/back" => Self::Back,
            "/next" => Self::Next,
            "/skip" => Self::Skip,
            "/clear" => Self::Clear,
            "/review" => Self::Review,
            "/submit" => Self::Submit,
            "/quit" => Self::Quit,
            _ => return None,
        };
        words.is_empty().then_some(order)
    }

    /// Whether it ends the ask, so that it must not happen by accident.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Submit | Self::Decline(_))
    }
}

impl Session<'_> {
    /// Does what a command says, at a question or (with none) at the review. Nothing comes next where it only spoke.
    pub(crate) fn obey(&mut self, order: Order, at: Option<usize>) -> Result<Option<Step>, Problem> {
        self.save_lines()?;
        match order {
            Order::Help => self.say_help().map(|()| None),
            Order::Back => self.back(at),
            Order::Next => self.next(at),
            Order::Skip => self.skip(at),
            Order::Clear => self.clear(at),
            Order::Review => Ok(Some(Step::Go(Place::Review))),
            Order::Submit => self.send().map(Some),
            Order::Decline(reason) => self.decline(reason, at),
            Order::Quit => Ok(Some(Step::End(End::Left))),
        }
    }

    pub(crate) fn say_help(&mut self) -> Result<(), Problem> {
        let lines = [
            Message::HelpBack,
            Message::HelpNext,
            Message::HelpSkip,
            Message::HelpClear,
            Message::HelpReview,
            Message::HelpSubmit,
            Message::HelpDecline,
            Message::HelpQuit,
        ];
        // The manner that takes commands literally has neither long texts nor literal slashes.
        let done = (!self.manner.strict_commands()).then_some(Message::HelpDone);
        lines.into_iter().chain(done).try_for_each(|line| self.voice.say_message(line))
    }

    fn back(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let at = at.unwrap_or(self.sheet.questions().len());
        let Some(before) = at.checked_sub(1) else {
            return self.voice.say_message(Message::FirstQuestion).map(|()| None);
        };
        Ok(Some(Step::Go(Place::Question(before))))
    }

    fn next(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let total = self.sheet.questions().len();
        match at {
            Some(index) if index + 1 < total => Ok(Some(Step::Go(Place::Question(index + 1)))),
            Some(_) if self.manner.reviews() && total > 1 => Ok(Some(Step::Go(Place::Review))),
            _ => self.voice.say_message(Message::LastQuestion).map(|()| None),
        }
    }

    fn skip(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = at.and_then(|index| Some((index, self.question(index)?))) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        if question.required {
            return self.voice.say_message(Message::CannotSkip).map(|()| None);
        }
        self.settle_on(index, &question, &Reply::Skipped).map(Some)
    }

    fn clear(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = at.and_then(|index| Some((index, self.question(index)?))) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        if self.keep(&question.id, Reply::Unanswered)? {
            self.voice.say_message(Message::ClearedNow)?;
        }
        Ok(Some(Step::Go(Place::Question(index))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_exact_and_case_does_not_matter() {
        assert_eq!(Order::parse("/BACK "), Some(Order::Back));
        assert_eq!(Order::parse("/decline"), Some(Order::Decline(None)));
        assert_eq!(Order::parse("/Decline not now "), Some(Order::Decline(Some("not now".into()))));
        for line in ["back", " /back", "/back to the roots", "//back", "/backs", "/", "", "/done"] {
            assert_eq!(Order::parse(line), None, "{line}");
        }
    }
}
