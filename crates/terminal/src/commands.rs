//! Slash commands, the same at every prompt.

use crate::session::{End, Place, Session, Step};
use crate::typed;
use crate::wish::Wish;
use sayso_core::{Message, Problem, Reply};

/// Command that a person types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Order {
    Help,
    Back,
    Next,
    Skip,
    Clear,
    /// Optional text of the note.
    Note(Option<String>),
    Edit,
    Wish(Wish),
    /// Optional number of the option.
    Preview(Option<usize>),
    Review,
    Submit,
    /// Optional reason.
    Decline(Option<String>),
    Quit,
}

impl Order {
    /// Parses a line that is exactly a command. Only `/decline` and `/note` take text, and `/preview` a number.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let line = line.trim_end();
        let (name, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words = words.trim();
        let order = match name.to_ascii_lowercase().as_str() {
            "/decline" => return Some(Self::Decline(some_words(words))),
            "/note" => return Some(Self::Note(some_words(words))),
            "/preview" if !words.is_empty() => return typed::number(words).map(|n| Self::Preview(Some(n))),
            "/preview" => Self::Preview(None),
            "/edit" => Self::Edit,
            "/explain" => Self::Wish(Wish::Explanation),
            "/rephrase" => Self::Wish(Wish::OtherWords),
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

    /// Returns true if the command ends the ask, so that it must not happen by accident.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Submit | Self::Decline(_))
    }
}

fn some_words(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_owned())
}

impl Session<'_> {
    /// Runs a command at a question or, without an index, at the review. Returns `None` if it only printed something.
    pub(crate) fn obey(&mut self, order: Order, at: Option<usize>) -> Result<Option<Step>, Problem> {
        self.save_lines()?;
        match order {
            Order::Help => self.say_help().map(|()| None),
            Order::Back => self.back(at),
            Order::Next => self.next(at),
            Order::Skip => self.skip(at),
            Order::Clear => self.clear(at),
            Order::Note(note) => self.note(note, at),
            Order::Edit => self.edit(at),
            Order::Wish(wish) => self.wish(wish, at),
            Order::Preview(number) => self.preview(number, at),
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
            Message::HelpNote,
            Message::HelpExplain,
            Message::HelpRephrase,
            Message::HelpEdit,
            Message::HelpPreview,
            Message::HelpReview,
            Message::HelpSubmit,
            Message::HelpDecline,
            Message::HelpQuit,
        ];
        let can_wish = (self.wishing)(Wish::Explanation, &self.ask, 0, None).is_some();
        let is_of_use =
            |line: &Message| can_wish || !matches!(line, Message::HelpExplain | Message::HelpRephrase);
        // A style with strict commands has neither long texts nor escaped slashes.
        let done = (!self.manner.strict_commands()).then_some(Message::HelpDone);
        lines.into_iter().filter(is_of_use).chain(done).try_for_each(|line| self.voice.say_message(line))
    }

    /// Returns the next active question after an index.
    pub(crate) fn next_asked(&self, after: usize) -> Option<usize> {
        self.sheet.asked().map(|(place, _)| place).find(|place| *place > after)
    }

    fn back(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let at = at.unwrap_or(self.sheet.questions().len());
        let before = self.sheet.asked().map(|(place, _)| place).rfind(|place| *place < at);
        match before {
            Some(before) => Ok(Some(Step::Go(Place::Question(before)))),
            None => self.voice.say_message(Message::FirstQuestion).map(|()| None),
        }
    }

    /// Moves on without changing the question. That accepts the asker's default.
    fn next(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        if let Some((index, question)) = self.question_at(at)
            && self.sheet.is_prefilled(index)
        {
            let reply = self.sheet.reply_at(index).clone();
            self.keep(&question.id, reply)?;
        }
        if let Some(index) = at.filter(|_| self.from_review) {
            self.brought_up.remove(&index);
            let next = self.brought_up.iter().copied().find(|place| self.sheet.is_open(*place));
            return Ok(Some(Step::Go(next.map_or(Place::Review, Place::Question))));
        }
        let next = at.and_then(|at| self.next_asked(at));
        match (at, next) {
            (_, Some(next)) => Ok(Some(Step::Go(Place::Question(next)))),
            (Some(_), None) if self.manner.reviews() && self.sheet.questions().len() > 1 => {
                Ok(Some(Step::Go(Place::Review)))
            }
            // A single question has no review: its current answer is sent.
            (Some(index), None) if self.manner.reviews() && !self.sheet.is_open(index) => {
                self.send().map(Some)
            }
            _ => self.voice.say_message(Message::LastQuestion).map(|()| None),
        }
    }

    fn skip(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        if self.sheet.is_needed(index) {
            return self.voice.say_message(Message::CannotSkip).map(|()| None);
        }
        if question.is_long_text() && self.sheet.reply_at(index).answer().is_some() {
            return self.voice.say_message(Message::SkipHasText).map(|()| None);
        }
        let note = self.sheet.reply_at(index).note.clone();
        self.settle_on(index, &question, &Reply::skipped().with_note(note)).map(Some)
    }

    fn clear(&mut self, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let Some((index, question)) = self.question_at(at) else {
            return self.voice.say_message(Message::NameAQuestion).map(|()| None);
        };
        let note = self.sheet.reply_at(index).note.clone();
        if self.keep(&question.id, Reply::unanswered().with_note(note))? {
            self.voice.say_message(Message::ClearedNow)?;
            self.tell_effect()?;
        }
        Ok(Some(Step::Go(Place::Question(index))))
    }

    fn preview(&mut self, number: Option<usize>, at: Option<usize>) -> Result<Option<Step>, Problem> {
        let shown = at.and_then(|index| self.manner.preview(&self.scene(), index, number));
        match shown {
            Some(shown) => self.voice.say(shown.trim_end_matches('\n')),
            None => self.voice.say_message(Message::NothingToPreview),
        }
        .map(|()| None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_exact_and_case_insensitive() {
        assert_eq!(Order::parse("/BACK "), Some(Order::Back));
        assert_eq!(Order::parse("/decline"), Some(Order::Decline(None)));
        assert_eq!(Order::parse("/note see above"), Some(Order::Note(Some("see above".into()))));
        assert_eq!(Order::parse("/rephrase"), Some(Order::Wish(Wish::OtherWords)));
        assert_eq!(Order::parse("/preview 2"), Some(Order::Preview(Some(2))));
        assert_eq!(Order::parse("/Decline not now "), Some(Order::Decline(Some("not now".into()))));
        for line in [
            "back",
            " /back",
            "/back to the roots",
            "//back",
            "/backs",
            "/",
            "",
            "/done",
            "/preview x",
            "/edit it",
        ] {
            assert_eq!(Order::parse(line), None, "{line}");
        }
    }
}
