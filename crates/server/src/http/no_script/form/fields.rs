//! Form fields of one question: the values that show a reply, and the reply that values are.

use super::form_data::FormData;
use sayso_core::model::value::datetime::{DatetimeValue, parse_date, parse_time};
use sayso_core::{
    Answer, ChoiceQuestion, Digest, Number, Pick, Question, QuestionKind, RatingQuestion, Reply, ReplyContent,
};

/// Value of the own answer of a choice.
pub(crate) const OWN: &str = "own";
/// Values of a yes and a no.
pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";
/// Steps up to which each has a radio button.
const SHOWN_STEPS: i64 = 11;
/// Digits of a fingerprint.
const FINGERPRINT_DIGITS: usize = 16;

/// Values of the fields of one question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldValues {
    /// Checked items.
    pub(crate) picks: Vec<String>,
    /// Own answer of a choice, picked or not.
    pub(crate) own: String,
    /// Typed text.
    pub(crate) text: String,
    /// Note to the asker.
    pub(crate) note: String,
}

/// Returns the name of a question's field.
pub(crate) fn field_name(at: usize, part: &str) -> String {
    if part.is_empty() { format!("q{at}") } else { format!("q{at}.{part}") }
}

/// Returns the value of an option.
pub(crate) fn option_value(index: usize) -> String {
    format!("o{index}")
}

/// Returns whether each step of a rating has a radio button.
pub(crate) fn has_step_buttons(rating: &RatingQuestion) -> bool {
    i64::from(rating.max) - i64::from(rating.min) < SHOWN_STEPS
}

impl FieldValues {
    /// Returns the values that show a reply.
    pub(crate) fn from_reply(question: &Question, reply: &Reply) -> Self {
        let mut values = Self { note: reply.note.clone().unwrap_or_default(), ..Self::default() };
        values.own = reply.unused_other.clone().unwrap_or_default();
        match (&question.kind, reply.answer()) {
            (QuestionKind::Choice(choice), Some(Answer::Picks(picks))) => values.show_picks(choice, picks),
            (QuestionKind::Confirm(_), Some(Answer::Confirm(confirmed))) => {
                values.picks.push(if *confirmed { YES } else { NO }.to_owned());
            }
            (QuestionKind::Rating(rating), Some(Answer::Rating(step))) if has_step_buttons(rating) => {
                values.picks.push(step.to_string());
            }
            (_, Some(Answer::Text(text))) => values.text.clone_from(text),
            (_, Some(Answer::Rating(step))) => values.text = step.to_string(),
            (_, Some(Answer::Number(number))) => values.text = number.to_string(),
            (_, Some(Answer::Date(date))) => values.text = date.to_string(),
            (_, Some(Answer::Time(time))) => values.text = time.to_string(),
            (_, Some(Answer::Datetime(moment))) => values.text = moment.to_string(),
            (_, Some(Answer::Picks(_) | Answer::Confirm(_)) | None) => {}
        }
        values
    }

    fn show_picks(&mut self, choice: &ChoiceQuestion, picks: &[Pick]) {
        for pick in picks {
            match pick {
                Pick::Option(id) => {
                    let index = choice.options.iter().position(|option| option.id == *id);
                    self.picks.extend(index.map(option_value));
                }
                Pick::Other(text) => {
                    self.picks.push(OWN.to_owned());
                    self.own.clone_from(text);
                }
            }
        }
    }

    /// Reads the values of a question from a form; `None` if the form does not show it.
    pub(crate) fn from_form(form: &FormData, at: usize) -> Option<(Self, &str)> {
        let shown = form.find(&field_name(at, "was"))?;
        let text = |part| form.text(&field_name(at, part)).to_owned();
        let picks = form.all(&field_name(at, "")).into_iter().filter(|value| !value.is_empty());
        let picks = picks.map(str::to_owned).collect();
        Some((Self { picks, own: text("own"), text: text("text"), note: text("note") }, shown))
    }

    /// Returns the fingerprint, by which a posted form shows what was changed in it.
    pub(crate) fn fingerprint(&self) -> String {
        let mut picks: Vec<_> = self.picks.iter().map(String::as_str).collect();
        picks.sort_unstable();
        picks.dedup();
        let parts =
            [&picks.join(" "), &self.own, &self.text, &self.note].map(|part| part.replace("\r\n", "\n"));
        let text = parts.map(|part| format!("{}:{part}", part.len())).concat();
        Digest::compute(text.as_bytes()).to_string().chars().take(FINGERPRINT_DIGITS).collect()
    }

    /// Returns the reply that the values are; `before` is the one that they replace.
    pub(crate) fn into_reply(self, question: &Question, before: &Reply) -> Reply {
        let shown = Self::from_reply(question, before);
        let Self { mut picks, own, text, note } = self;
        if own != shown.own && !own.is_empty() && !picks.iter().any(|pick| pick == OWN) {
            let is_multi = question.choice().is_some_and(|choice| choice.multi);
            // Typed into the box, and nothing else picked since: the own answer is meant.
            if is_multi || picks.is_empty() || picks == shown.picks {
                picks.retain(|_| is_multi);
                picks.push(OWN.to_owned());
            }
        }
        let is_own_picked = picks.iter().any(|pick| pick == OWN);
        let answer = match &question.kind {
            QuestionKind::Choice(choice) => read_picks(choice, &picks, &shown.picks, &own),
            QuestionKind::Confirm(_) => match picks.first().map(String::as_str) {
                Some(YES) => Some(Answer::Confirm(true)),
                Some(NO) => Some(Answer::Confirm(false)),
                _ => None,
            },
            QuestionKind::Rating(rating) if has_step_buttons(rating) => {
                picks.first().and_then(|step| step.parse().ok()).map(Answer::Rating)
            }
            kind => (!text.is_empty()).then(|| read_text(kind, text)),
        };
        let content = answer.map_or(ReplyContent::Unanswered, ReplyContent::Answered);
        let reply = Reply { content, ..Reply::default() };
        reply.with_note(Some(note)).with_unused_other(Some(own).filter(|_| !is_own_picked))
    }
}

/// Returns the picks: those from before in their order, then the new ones in the order of the options.
fn read_picks(choice: &ChoiceQuestion, picks: &[String], before: &[String], own: &str) -> Option<Answer> {
    let kept = before.iter().filter(|value| picks.contains(value));
    let new = picks.iter().filter(|value| !before.contains(value));
    let pick = |value: &String| {
        if value == OWN {
            return choice.other.then(|| Pick::Other(own.to_owned()));
        }
        let index: usize = value.strip_prefix('o')?.parse().ok()?;
        choice.options.get(index).map(|option| Pick::Option(option.id.clone()))
    };
    let picked: Vec<Pick> = kept.chain(new).filter_map(pick).collect();
    (!picked.is_empty()).then(|| Answer::Picks(picked.into()))
}

/// Reads a typed text. What is no value of the kind stays as typed, and the sheet reports it.
fn read_text(kind: &QuestionKind, text: String) -> Answer {
    let read = match kind {
        QuestionKind::Rating(_) => text.trim().parse().ok().map(Answer::Rating),
        QuestionKind::Number(_) => Number::parse(text.trim()).map(Answer::Number),
        QuestionKind::Date => parse_date(&text).map(Answer::Date),
        QuestionKind::Time => parse_time(&text).map(Answer::Time),
        QuestionKind::Datetime => DatetimeValue::parse(&text).map(Answer::Datetime),
        QuestionKind::Choice(_) | QuestionKind::Text(_) | QuestionKind::Confirm(_) => None,
    };
    read.unwrap_or(Answer::Text(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_core::{ChoiceOption, ConfirmQuestion, NumberQuestion, TextQuestion};

    fn choice(multi: bool) -> Question {
        let options = ["a", "b", "c"].map(|id| ChoiceOption::new(id, id)).into();
        Question::new(
            "q",
            "?",
            QuestionKind::Choice(ChoiceQuestion { options, multi, other: true, ..Default::default() }),
        )
    }

    fn values(picks: &[&str], own: &str, text: &str) -> FieldValues {
        let picks = picks.iter().map(|pick| (*pick).to_owned()).collect();
        FieldValues { picks, own: own.to_owned(), text: text.to_owned(), note: String::new() }
    }

    fn option(id: &str) -> Pick {
        Pick::Option(id.into())
    }

    #[test]
    fn fields_round_trip_replies() {
        let text = |kind| Question::new("q", "?", kind);
        let cases = [
            (choice(false), Reply::from_picks([option("b")])),
            (choice(true), Reply::from_picks([option("c"), Pick::Other("x\ny".to_owned()), option("a")])),
            (
                choice(false),
                Reply::from_picks([option("a")])
                    .with_unused_other(Some("mine".to_owned()))
                    .with_note(Some("n".to_owned())),
            ),
            (
                text(QuestionKind::Confirm(ConfirmQuestion::default())),
                Reply::from_answer(Answer::Confirm(false)),
            ),
            (text(QuestionKind::Rating(RatingQuestion::default())), Reply::from_answer(Answer::Rating(4))),
            (
                text(QuestionKind::Rating(RatingQuestion { max: 50, ..Default::default() })),
                Reply::from_answer(Answer::Rating(44)),
            ),
            (text(QuestionKind::Text(TextQuestion { long: true })), Reply::from_text("  a\n<b> ")),
            (
                text(QuestionKind::Number(NumberQuestion::default())),
                Reply::from_answer(Answer::Number(Number::parse("1.5").unwrap())),
            ),
            (text(QuestionKind::Number(NumberQuestion::default())), Reply::from_text("one")),
            (text(QuestionKind::Date), Reply::from_answer(Answer::Date(parse_date("2026-03-01").unwrap()))),
            (text(QuestionKind::Time), Reply::from_answer(Answer::Time(parse_time("14:05").unwrap()))),
            (
                text(QuestionKind::Datetime),
                Reply::from_answer(Answer::Datetime(DatetimeValue::parse("2026-03-01T14:00+02:00").unwrap())),
            ),
            (text(QuestionKind::Date), Reply::unanswered()),
        ];
        for (question, reply) in cases {
            let shown = FieldValues::from_reply(&question, &reply);
            assert_eq!(shown.clone().into_reply(&question, &reply), reply);
            assert_eq!(shown.clone().into_reply(&question, &Reply::unanswered()).note, reply.note);
            let reread = FieldValues::from_reply(&question, &shown.clone().into_reply(&question, &reply));
            assert_eq!(reread.fingerprint(), shown.fingerprint());
        }
    }

    #[test]
    fn typed_own_answer_is_picked() {
        let own = |text: &str| Pick::Other(text.to_owned());
        let before = Reply::from_picks([option("a")]);
        let (single, multi) = (choice(false), choice(true));
        let read = |values: FieldValues, question: &Question| values.into_reply(question, &before);
        assert_eq!(read(values(&["o0"], "mine", ""), &single), Reply::from_picks([own("mine")]));
        assert_eq!(read(values(&[], "mine", ""), &single), Reply::from_picks([own("mine")]));
        // Another option was picked: both are kept, and the review shows which one is not sent.
        let aside = Reply::from_picks([option("b")]).with_unused_other(Some("mine".to_owned()));
        assert_eq!(read(values(&["o1"], "mine", ""), &single), aside);
        assert_eq!(
            read(values(&["o0", "o2"], "mine", ""), &multi),
            Reply::from_picks([option("a"), option("c"), own("mine")])
        );
        assert_eq!(read(values(&["o9", "x"], "", ""), &multi), Reply::unanswered());
    }

    #[test]
    fn fingerprint_tells_fields_apart() {
        let all =
            [values(&["a"], "", ""), values(&[], "a", ""), values(&[], "", "a"), values(&["a", "b"], "", "")];
        for (at, one) in all.iter().enumerate() {
            assert!(all.iter().skip(at + 1).all(|other| other.fingerprint() != one.fingerprint()));
        }
        assert_eq!(values(&["a", "b"], "", "").fingerprint(), values(&["b", "a"], "", "").fingerprint());
    }
}
