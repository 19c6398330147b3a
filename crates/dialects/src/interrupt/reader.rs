//! Reading of requests: the data of an interrupt event, the event itself, or the arguments of `ask_user` (the spec's
//! "interrupt event" and "use of the tool").

use super::actions;
use super::approval::{self, ApprovalOption};
use super::extensions::{CustomTextOptions, FurtherCustomOption, InterruptExtensions};
use super::spec::CUSTOM_VALUE;
use crate::format::parsed_request::ParsedRequest;
use crate::format::problem_list::{self, ProblemList};
use crate::lenient::validator::{LazyPlace, RequestValidator};
use crate::lenient::wording::{self, RequestIssue};
use crate::lenient::{self, CowText, JsonShape, Lenient, LenientList, ObjectMembers, lenient_objects};
use crate::names;
use sayso_core::Message;
use sayso_core::wire::json::JsonSource;
use sayso_core::{
    ChoiceOption, ChoiceQuestion, Problem, ProblemCode, Question, QuestionId, QuestionInput, Questionnaire,
    limits,
};
use serde::Deserialize as _;
use serde::de::MapAccess;
use serde_json::{Map, Value};

/// Name of the event.
const EVENT: &str = "interrupt";

#[derive(Default)]
struct InterruptRequestInput<'t> {
    event: Lenient<CowText<'t>>,
    interrupt: InterruptDataInput<'t>,
}

lenient_objects! {
    InterruptDataInput<'t> {
        info: "info" => String,
        task_name: "taskName" => String,
        data: "data" => Value,
        options: "options" => LenientList<Value>,
        questions: "questions" => LenientList<InterruptQuestionInput<'t>>,
    }

    #[derive(PartialEq)]
    InterruptQuestionInput<'t> {
        question: "question" => String,
        options: "options" => LenientList<InterruptOptionInput<'t>>,
    }

    #[derive(PartialEq)]
    InterruptOptionInput<'t> {
        label: "label" => String,
        value: "value" => CowText<'t>,
        allow_custom: "allow_custom" => bool,
    }
}

impl<'t> ObjectMembers<'t> for InterruptRequestInput<'t> {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        if name != "event" {
            return self.interrupt.member(name, object);
        }
        self.event = object.next_value()?;
        Ok(true)
    }
}

/// Reads a value as the expected type.
fn read_value<'t, T: JsonShape<'t>>(value: Value) -> Lenient<T> {
    Lenient::deserialize(value).unwrap_or_default()
}

/// Reads a request. Without questions it is an approval, which asks whether to continue.
///
/// # Errors
/// Returns all problems of the request, each with its path: no question, a question without options, several actions in
/// one interrupt (see [`split`](super::split_requests)).
pub(crate) fn read<'t>(json: impl Into<JsonSource<'t>>) -> Result<ParsedRequest, Vec<Problem>> {
    let request = lenient::read_request::<InterruptRequestInput<'_>>(json)?;
    let mut reading = InterruptReader {
        judge: RequestValidator::new(wording::own_wording),
        warnings: ProblemList::default(),
        extensions: InterruptExtensions::default(),
    };
    let questionnaire = reading.read_request(request);
    reading.judge.finish()?;
    Ok(ParsedRequest {
        warnings: reading.warnings.into_problems(),
        ..ParsedRequest::from_questionnaire(questionnaire.unwrap_or_default())
    })
}

struct InterruptReader {
    judge: RequestValidator,
    warnings: ProblemList,
    extensions: InterruptExtensions,
}

/// Tool call of an agent, if an interrupt contains one.
struct InterruptCall {
    tool: String,
    args: Map<String, Value>,
}

impl InterruptReader {
    fn read_request(&mut self, request: Lenient<InterruptRequestInput<'_>>) -> Option<Questionnaire> {
        let request = self.judge.required(request, LazyPlace::Root)?;
        if let Lenient::Missing = request.event {
            return Some(self.read_interrupt(request.interrupt, LazyPlace::Root));
        }
        let place = LazyPlace::Root.member("event");
        let event = self.judge.required(request.event, place)?;
        if event != EVENT {
            self.judge.report_issue(&RequestIssue::NoneOf { allowed: &[EVENT], found: &event }, place);
        }
        let place = LazyPlace::Root.member("data");
        let data = match request.interrupt.data {
            Lenient::Value(value) => read_value(value),
            Lenient::Missing => Lenient::Missing,
            Lenient::WrongType(found) => Lenient::WrongType(found),
        };
        let interrupt = self.judge.required::<InterruptDataInput<'_>>(data, place)?;
        Some(self.read_interrupt(interrupt, place))
    }

    fn read_interrupt(&mut self, interrupt: InterruptDataInput<'_>, place: LazyPlace<'_>) -> Questionnaire {
        let context = self.judge.optional(interrupt.info.null_as_missing(), place.member("info"));
        let title = self.judge.optional(interrupt.task_name.null_as_missing(), place.member("taskName"));
        let call = self.read_data(interrupt.data, place.member("data"));
        let mut asked = Questionnaire { title, context, ..Questionnaire::default() };
        let items = interrupt.questions.null_as_missing();
        match call {
            Some(call) if !approval::is_ask_user(&call.tool) => {
                asked.action = Some(actions::parse_action(&call.tool, &call.args));
            }
            Some(mut call) => {
                let own = call.args.remove("questions").map(read_value).unwrap_or_default();
                // The questions in the call's arguments count if the interrupt itself has none.
                if is_empty_list(&items) {
                    self.extensions.drop_questions();
                    let data = place.member("data");
                    let requests = data.member("action_requests");
                    let call = requests.element(0);
                    let args = call.member("args");
                    self.read_questions(&mut asked, own, args.member("questions"));
                    return self.attach_extensions(asked, place);
                }
                if own == items {
                    self.extensions.drop_questions();
                }
            }
            None => {}
        }
        if is_empty_list(&items) {
            self.read_options(interrupt.options, place.member("options"));
            // Members with errors may contain all that the interrupt asks.
            if !self.judge.is_clean() {
                return asked;
            }
            if let Some(question) = approval::approval_question(&asked, &self.extensions) {
                self.warn_of_swapped_labels(&question, place.member("options"));
                asked.questions.push(question);
                return self.attach_extensions(asked, place);
            }
        }
        self.read_questions(&mut asked, items, place.member("questions"));
        self.attach_extensions(asked, place)
    }

    fn warn_of_swapped_labels(&mut self, question: &Question, options: LazyPlace<'_>) {
        let QuestionInput::Toggle(confirm) = question.input() else { return };
        for (is_yes, label) in confirm.contrary_labels() {
            let place = options.element(usize::from(!is_yes));
            self.warnings.add(|| problem_list::contradicting_label(is_yes, label).at(place.path()));
        }
    }

    fn attach_extensions(&mut self, mut asked: Questionnaire, place: LazyPlace<'_>) -> Questionnaire {
        if let Some((member, most)) = self.extensions.too_deep_member() {
            let message = Message::RequestTooDeep.with([most]);
            self.judge.report(ProblemCode::TooDeep, message, place.member(member));
            return asked;
        }
        asked.rules.reserved = self.extensions.reserved_texts(&asked.questions);
        Questionnaire { extensions: self.extensions.to_beside(), ..asked }
    }

    /// Reads the tool call; all other members of `data` are stored.
    fn read_data(&mut self, data: Lenient<Value>, place: LazyPlace<'_>) -> Option<InterruptCall> {
        let mut data = match self.judge.optional(data, place)? {
            Value::Null => return None,
            Value::Object(members) => members,
            other => {
                let found = lenient::type_name(&other);
                self.judge.report_issue(&RequestIssue::WrongType { expected: "object", found }, place);
                return None;
            }
        };
        let place = place.member("action_requests");
        let requests = data.remove("action_requests");
        self.extensions.data = data;
        let requests = requests.map(read_value::<LenientList<Value>>).unwrap_or_default();
        let mut requests = self.judge.optional(requests.null_as_missing(), place)?;
        if requests.count > 1 {
            let message = Message::SeveralActions.with([requests.count]);
            self.judge.report(ProblemCode::TooBig, message, place);
            return None;
        }
        let Lenient::Value(request) = requests.items.pop()? else { return None };
        self.read_call(request, place.element(0))
    }

    fn read_call(&mut self, request: Value, place: LazyPlace<'_>) -> Option<InterruptCall> {
        let whole = request.clone();
        let Value::Object(mut members) = request else {
            let found = lenient::type_name(&request);
            self.judge.report_issue(&RequestIssue::WrongType { expected: "object", found }, place);
            return None;
        };
        let name = members.remove("name").map(read_value::<String>).unwrap_or_default();
        let tool = self.judge.required(name, place.member("name"))?;
        let args = match members.remove("args") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(args)) => args,
            Some(other) => {
                let found = lenient::type_name(&other);
                self.judge.report_issue(
                    &RequestIssue::WrongType { expected: "object", found },
                    place.member("args"),
                );
                return None;
            }
        };
        if approval::is_ask_user(&tool) {
            self.extensions.data.insert("action_requests".to_owned(), Value::Array(vec![whole]));
        } else {
            self.extensions.request = members;
        }
        Some(InterruptCall { tool, args })
    }

    /// Reads the options of an approval.
    fn read_options(&mut self, options: Lenient<LenientList<Value>>, place: LazyPlace<'_>) {
        let Some(options) = self.judge.optional(options.null_as_missing(), place) else { return };
        if options.count > limits::OPTIONS {
            self.judge.report_issue(&RequestIssue::LongList(limits::OPTIONS), place);
        }
        let mut named_options = Vec::new();
        for (index, option) in options.items.into_iter().enumerate() {
            let Lenient::Value(option) = option else { continue };
            match ApprovalOption::from_json(&option) {
                Some(option) if option.has_name() => named_options.push(option),
                Some(_) => {
                    self.judge.report(ProblemCode::Required, Message::NeedsLabel, place.element(index));
                }
                None => {
                    let found = lenient::type_name(&option);
                    let expected = "string or {label, value?}";
                    self.judge
                        .report_issue(&RequestIssue::WrongType { expected, found }, place.element(index));
                }
            }
            self.extensions.options.push(option);
        }
        if named_options.is_empty() || named_options.len() < self.extensions.options.len() {
            return;
        }
        if !approval::can_decide(&named_options) {
            let count = approval::continuing_option(&named_options).err().unwrap_or_default();
            self.judge.report_lazily(|| {
                let problem = Problem::new(ProblemCode::InvalidValue, Message::OptionsAgree.with([count]));
                problem.with_hint(Message::OptionsAgreeHow).at(place.path())
            });
        }
    }

    fn read_questions(
        &mut self,
        asked: &mut Questionnaire,
        items: Lenient<LenientList<InterruptQuestionInput<'_>>>,
        place: LazyPlace<'_>,
    ) {
        let items = self.judge.required_list(items.null_as_missing(), (1, limits::QUESTIONS), place);
        asked.questions.reserve_exact(items.len());
        for (index, item) in items.into_iter().enumerate() {
            asked.questions.extend(self.read_question(index, item, place.element(index)));
        }
    }

    fn read_question(
        &mut self,
        index: usize,
        item: Lenient<InterruptQuestionInput<'_>>,
        place: LazyPlace<'_>,
    ) -> Option<Question> {
        let item = self.judge.required(item, place)?;
        let prompt = self.judge.required(item.question, place.member("question"));
        let options_place = place.member("options");
        let entries = self.judge.required_list(item.options, (1, limits::OPTIONS), options_place);
        let mut choice = ChoiceQuestion::default();
        let mut custom = CustomTextOptions::default();
        choice.options.reserve_exact(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let place = options_place.element(index);
            let Some(entry) = self.judge.required(entry, place) else { continue };
            let label = self.judge.required(entry.label, place.member("label"));
            let value = self.judge.required(entry.value, place.member("value"));
            let is_own = self.judge.optional(entry.allow_custom, place.member("allow_custom"));
            let (Some(label), Some(value)) = (label, value) else { continue };
            if is_own != Some(true) {
                choice.options.push(ChoiceOption::new(value, label));
            } else if choice.other {
                self.warnings.add(|| {
                    let path = place.member("allow_custom").path();
                    Problem::new(ProblemCode::InvalidValue, Message::SecondOwn).at(path)
                });
                custom.more.push(FurtherCustomOption {
                    at: choice.options.len(),
                    label,
                    value: value.into_owned(),
                });
            } else {
                choice.other = true;
                choice.other_label = Some(label);
                choice.other_at = Some(choice.options.len());
                if value != CUSTOM_VALUE {
                    custom.value = Some(value.into_owned());
                }
            }
        }
        // The own answer comes last anyway.
        if choice.other_at == Some(choice.options.len()) {
            choice.other_at = None;
        }
        names::assign_option_ids(&mut choice.options, []);
        let question = Question::new(QuestionId::numbered('q', index), prompt?, choice);
        if custom != CustomTextOptions::default() {
            self.extensions.custom.insert(question.id.clone(), custom);
        }
        Some(question)
    }
}

fn is_empty_list<T>(list: &Lenient<LenientList<T>>) -> bool {
    match list {
        Lenient::Missing => true,
        Lenient::Value(list) => list.count == 0,
        Lenient::WrongType(_) => false,
    }
}
