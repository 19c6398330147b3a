//! The list of dialects, and what each of them reads and writes.

pub(crate) mod limits;

pub use limits::DialectLimits;

use crate::format::cli_output::CliOutput;
use crate::format::parsed_request::ParsedRequest;
use crate::format::submitted_answers::SubmittedAnswers;
use crate::format::{WireFormat, request_problem};
use crate::sayso::plain_answer::PlainAnswer;
use crate::sayso::plain_words;
use crate::schema::formats::{SchemaFormat, SchemaPart};
use crate::{ask_user_question, auq, interaction, interrupt, questionnaire, sayso, schema};
use sayso_core::i18n::{foreign, own};
use sayso_core::model::ask::AskRequest;
use sayso_core::wire::json::JsonSource;
use sayso_core::{
    Ask, AskId, Lang, Message, Outcome, Problem, ProblemCode, Questionnaire, Replies, Reply, Sheet,
};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// A wire format that askers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Our own: the canonical questionnaire and outcome as JSON, lossless for all.
    Sayso,
    /// The Questionnaire API: five types of question, answers by id.
    Questionnaire,
    /// The `AskUserQuestion` shell command.
    AskUserQuestion,
    /// AUQ: choices of a few options, answers as text for a model.
    Auq,
    /// Interaction requests with an input schema: forms of fields, answers as an object.
    Interaction,
    /// Interrupts of a thread, resumed with a decision or a list of strings.
    Interrupt,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 6] = [
        Self::Sayso,
        Self::Questionnaire,
        Self::AskUserQuestion,
        Self::Auq,
        Self::Interaction,
        Self::Interrupt,
    ];

    /// Returns its name on the command line and in a stored ask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sayso => sayso::NAME,
            Self::Questionnaire => questionnaire::spec::NAME,
            Self::AskUserQuestion => ask_user_question::spec::NAME,
            Self::Auq => auq::spec::NAME,
            Self::Interaction => interaction::spec::NAME,
            Self::Interrupt => interrupt::spec::NAME,
        }
    }

    /// Returns the format. The limits apply to those that have some.
    fn format(self, limits: &DialectLimits) -> Box<dyn WireFormat> {
        match self {
            Self::Sayso => Box::new(sayso::SaysoFormat),
            Self::Questionnaire => Box::new(questionnaire::QuestionnaireFormat),
            Self::AskUserQuestion => {
                Box::new(ask_user_question::AskUserQuestionFormat(limits.ask_user_question))
            }
            Self::Auq => Box::new(auq::AuqFormat(limits.auq)),
            Self::Interaction => Box::new(interaction::InteractionFormat),
            Self::Interrupt => Box::new(interrupt::InterruptFormat),
        }
    }

    /// Returns the format for what does not depend on limits.
    pub(crate) fn usual_format(self) -> Box<dyn WireFormat> {
        self.format(&DialectLimits::default())
    }

    /// Returns the dialect of a stored ask. The asks of hosts' hooks and those in plain words have a name of their own,
    /// and are in our dialect.
    ///
    /// # Errors
    /// Returns a problem if its name is unknown.
    pub fn of_ask(ask: &Ask) -> Result<Self, Problem> {
        match ask.request.dialect.as_str() {
            AskRequest::HOOK_DIALECT | plain_words::NAME => Ok(Self::Sayso),
            name => Self::from_name(name),
        }
    }

    /// Returns the dialect with this name.
    ///
    /// # Errors
    /// Returns a problem with the known names if there is none.
    pub fn from_name(name: &str) -> Result<Self, Problem> {
        for dialect in Self::ALL {
            if dialect.name() == name {
                return Ok(dialect);
            }
        }
        let names = Self::ALL.map(Self::name).join(", ");
        let message = Message::FormatUnknown.with([foreign(name), own(names)]);
        Err(Problem::new(ProblemCode::UnknownDialect, message))
    }

    /// Parses the answers to an ask, in the form of its dialect. Returns the replies, and the original text for an
    /// asker that gets it verbatim.
    ///
    /// # Errors
    /// Returns one problem that sums up the others.
    pub fn parse_answers(ask: &Ask, text: &str) -> Result<(Replies, Option<Value>), Problem> {
        let questionnaire = &ask.request.questionnaire;
        let dialect = Self::of_ask(ask)?;
        let answers = match dialect.read_answers(questionnaire, &dialect.wrap_bare_answers(text)) {
            Ok(answers) => answers,
            Err(mut problems) => {
                if let Some(syntax_error) =
                    problems.pop_if(|problem| problem.code == ProblemCode::InvalidJson)
                {
                    return Err(syntax_error);
                }
                let message = Message::AnswersNeedAttention.with([problems.len()]);
                return Err(Problem::new(ProblemCode::InvalidAnswers, message).with_causes(problems));
            }
        };
        let (replies, as_sent) = answers.into_replies(questionnaire)?;
        // An asker that judges itself gets the original text. Insufficient answers go without it, so that the desk
        // reports their problems, and keeps it.
        let suffices = !ask.request.needs_verdict
            || Sheet::new(questionnaire.clone(), replies.clone()).submission().is_ok();
        let as_sent = if suffices { as_sent } else { None };
        Ok((replies, as_sent))
    }

    /// Returns whether the original answers match these replies, so that an asker who gets them verbatim gets the
    /// judged ones.
    pub fn matches_replies(ask: &Ask, as_sent: &Value, replies: &Replies) -> bool {
        let Ok(dialect) = Self::of_ask(ask) else { return false };
        // No format but ours has a person's notes in its answers.
        let mut answers = replies.clone();
        answers.retain(|_, reply| reply.note.take().is_none() || *reply != Reply::unanswered());
        dialect.usual_format().matches_replies(&ask.request.questionnaire, as_sent, &answers)
    }

    /// Returns whether a person's notes reach the asker of an ask. Other formats have no place for them, so they stay in
    /// the desk's record.
    pub fn carries_notes(ask: &Ask) -> bool {
        match Self::of_ask(ask).unwrap_or(Self::Sayso) {
            Self::Sayso => ask.request.dialect != plain_words::NAME,
            Self::Auq => true,
            Self::Interrupt => interrupt::is_approval(&ask.request.questionnaire),
            Self::Questionnaire | Self::AskUserQuestion | Self::Interaction => false,
        }
    }

    /// Wraps answers in the member `answers` of the dialect, if only its content was given.
    fn wrap_bare_answers(self, text: &str) -> Cow<'_, str> {
        if !self.usual_format().has_answers_member() {
            return text.into();
        }
        let members: Option<HashMap<Cow<'_, str>, IgnoredAny>> = serde_json::from_str(text).ok();
        let is_bare = match members {
            Some(members) => !members.is_empty() && !members.contains_key("answers"),
            None => serde_json::from_str::<Vec<IgnoredAny>>(text).is_ok(),
        };
        if is_bare { format!("{{\"answers\":{text}}}").into() } else { text.into() }
    }

    /// Returns the output for the asker of a settled ask, in the dialect of its request.
    pub fn settled_output(ask: &Ask) -> CliOutput {
        if ask.request.dialect == plain_words::NAME {
            return PlainAnswer::Value.write(ask);
        }
        let dialect = Self::of_ask(ask).unwrap_or(Self::Sayso);
        match ask.outcome() {
            Some(outcome) => dialect.write(ask.id, &ask.request.questionnaire, outcome),
            None => CliOutput { exit: 1, ..CliOutput::default() },
        }
    }

    /// Returns whether its askers refer to an ask by the first characters of its id, so that these must be unique.
    pub const fn uses_short_ids(self) -> bool {
        matches!(self, Self::Auq)
    }

    /// Reads a request. The limits apply to the dialects that have some.
    ///
    /// # Errors
    /// Returns all problems of the request, each with its place.
    pub fn read<'t>(
        self,
        json: impl Into<JsonSource<'t>>,
        limits: &DialectLimits,
    ) -> Result<ParsedRequest, Vec<Problem>> {
        self.format(limits).read(json.into())
    }

    /// Returns the output for an outcome.
    pub fn write(self, ask: AskId, questionnaire: &Questionnaire, outcome: &Outcome) -> CliOutput {
        self.usual_format().write(ask, questionnaire, outcome)
    }

    /// Returns the output for an asker that does not wait.
    pub fn pending_output(self, ask: AskId, questionnaire: &Questionnaire) -> CliOutput {
        self.usual_format().write_pending(ask, questionnaire)
    }

    /// Returns the output for an invalid request.
    pub fn refuse(self, problems: &[Problem], lang: Lang) -> CliOutput {
        self.usual_format().refuse(problems, lang)
    }

    /// Wraps the problems of a request read in this dialect into one, or returns the only problem of a missing request.
    pub fn request_problem(self, problems: Vec<Problem>) -> Problem {
        request_problem(self.name(), problems)
    }

    /// Returns the schema of a request or an outcome in a format. The limits apply to the dialects that have some.
    /// `None` if the dialect lacks it: a tool is a request, and an `OpenAPI` document describes both and exists once.
    pub fn schema(self, part: SchemaPart, form: SchemaFormat, limits: &DialectLimits) -> Option<String> {
        schema::text(&*self.format(limits), self.name(), part, form)
    }

    /// Generates the schema that is committed and that [`Self::schema`] returns without limits of an operator.
    pub fn generate_schema(self, part: SchemaPart, form: SchemaFormat) -> Option<String> {
        schema::generate(&*self.usual_format(), self.name(), part, form)
    }

    /// Returns the arguments of `sayso schema` that print a part in a format.
    pub fn schema_arguments(self, part: SchemaPart, form: SchemaFormat) -> String {
        schema::arguments(self.name(), part, form)
    }

    /// Reads answers given as data, in the dialect's own form. The sheet judges whether they suffice.
    ///
    /// # Errors
    /// Returns all problems if the text is not such a document.
    pub fn read_answers(
        self,
        questionnaire: &Questionnaire,
        text: &str,
    ) -> Result<SubmittedAnswers, Vec<Problem>> {
        self.usual_format().read_answers(questionnaire, text)
    }
}
