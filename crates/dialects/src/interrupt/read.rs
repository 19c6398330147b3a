//! Reading of requests: the data of an interrupt event, the event itself, or the arguments of `ask_user` (the spec's
//! "interrupt event" and "use of the tool").

use super::approval::{self, Labelled};
use super::kept::{Custom, Further, Kept};
use super::{CUSTOM, act};
use crate::Read;
use crate::judge::{self, Issue, Judge, Place};
use crate::loose::{self, Expected, List, Loose, Members, Words, members};
use crate::names;
use crate::told::{self, Told};
use sayso_core::message::Message;
use sayso_core::{Choice, Code, Kind, Opt, Path, Problem, Question, QuestionId, Questionnaire, limits};
use serde::Deserialize as _;
use serde::de::MapAccess;
use serde_json::{Map, Value};

/// Name of the event.
const EVENT: &str = "interrupt";

#[derive(Default)]
struct Request<'t> {
    event: Loose<Words<'t>>,
    interrupt: Interrupt<'t>,
}

#[derive(Default)]
struct Interrupt<'t> {
    info: Loose<String>,
    task_name: Loose<String>,
    data: Loose<Value>,
    options: Loose<List<Value>>,
    questions: Loose<List<Item<'t>>>,
}

#[derive(Default, PartialEq)]
struct Item<'t> {
    question: Loose<String>,
    options: Loose<List<Entry<'t>>>,
}

#[derive(Default, PartialEq)]
struct Entry<'t> {
    label: Loose<String>,
    value: Loose<Words<'t>>,
    allow_custom: Loose<bool>,
}

impl<'t> Members<'t> for Request<'t> {
    fn member<A: MapAccess<'t>>(&mut self, name: &str, object: &mut A) -> Result<bool, A::Error> {
        if name != "event" {
            return self.interrupt.member(name, object);
        }
        self.event = object.next_value()?;
        Ok(true)
    }
}

members!(Interrupt<'t> {
    "info" => info,
    "taskName" => task_name,
    "data" => data,
    "options" => options,
    "questions" => questions,
});

members!(Item<'t> { "question" => question, "options" => options });

members!(Entry<'t> { "label" => label, "value" => value, "allow_custom" => allow_custom });

/// Treats a null member as missing.
fn nullable<T>(value: Loose<T>) -> Loose<T> {
    if matches!(value, Loose::Wrong("null")) { Loose::Missing } else { value }
}

/// Reads a value as the expected type.
fn within<'t, T: Expected<'t>>(value: Value) -> Loose<T> {
    Loose::deserialize(value).unwrap_or_default()
}

/// Reads a request. Without questions it is an approval, which asks whether to continue.
///
/// # Errors
/// Returns all problems of the request, each with its path: no question, a question without options, several actions in
/// one interrupt (see [`split`](super::split)).
pub fn read(text: &str) -> Result<Read, Vec<Problem>> {
    if text.trim().is_empty() {
        return Err(vec![Problem::new(Code::MissingRequest, Message::RequestEmpty)]);
    }
    let request = loose::read::<Request<'_>>(text).map_err(|problem| vec![problem])?;
    let mut reading =
        Reading { judge: Judge::new(judge::plain), warnings: Told::default(), kept: Kept::default() };
    let questionnaire = reading.request(request);
    reading.judge.verdict()?;
    Ok(Read { warnings: reading.warnings.all(), ..Read::of(questionnaire.unwrap_or_default()) })
}

struct Reading {
    judge: Judge,
    warnings: Told,
    kept: Kept,
}

/// Tool call of an agent, if an interrupt contains one.
struct Call {
    tool: String,
    args: Map<String, Value>,
}

impl Reading {
    fn request(&mut self, request: Loose<Request<'_>>) -> Option<Questionnaire> {
        let request = self.judge.expect(request, &Path::root)?;
        if let Loose::Missing = request.event {
            return Some(self.interrupt(request.interrupt, &Path::root()));
        }
        let place = || Path::root().then("event");
        let event = self.judge.expect(request.event, &place)?;
        if event != EVENT {
            self.judge.issue(&Issue::NoneOf { allowed: &[EVENT], found: &event }, &place);
        }
        let place = || Path::root().then("data");
        let data = match request.interrupt.data {
            Loose::Value(value) => within(value),
            Loose::Missing => Loose::Missing,
            Loose::Wrong(found) => Loose::Wrong(found),
        };
        let interrupt = self.judge.expect::<Interrupt<'_>>(data, &place)?;
        Some(self.interrupt(interrupt, &place()))
    }

    fn interrupt(&mut self, interrupt: Interrupt<'_>, at: &Path) -> Questionnaire {
        let context = self.judge.allow(nullable(interrupt.info), &|| at.then("info"));
        let title = self.judge.allow(nullable(interrupt.task_name), &|| at.then("taskName"));
        let call = self.data(interrupt.data, &|| at.then("data"));
        let mut asked = Questionnaire { title, context, ..Questionnaire::default() };
        let items = nullable(interrupt.questions);
        match call {
            Some(call) if !approval::asks(&call.tool) => {
                asked.action = Some(act::action(&call.tool, &call.args));
            }
            Some(mut call) => {
                let own = call.args.remove("questions").map(within).unwrap_or_default();
                // The questions in the call's arguments count if the interrupt itself has none.
                if is_none(&items) {
                    let args = || at.then("data").then("action_requests").then(0).then("args");
                    self.kept.drop_questions();
                    self.questions(&mut asked, own, &|| args().then("questions"));
                    return self.kept(asked, at);
                }
                if own == items {
                    self.kept.drop_questions();
                }
            }
            None => {}
        }
        if is_none(&items) {
            self.options(interrupt.options, at);
            // Members with errors may contain all that the interrupt asks.
            if !self.judge.is_clean() {
                return asked;
            }
            if let Some(question) = approval::question(&asked, &self.kept) {
                self.warn_of_labels(&question, at);
                asked.questions.push(question);
                return self.kept(asked, at);
            }
        }
        self.questions(&mut asked, items, &|| at.then("questions"));
        self.kept(asked, at)
    }

    fn warn_of_labels(&mut self, question: &Question, at: &Path) {
        let Kind::Confirm(confirm) = &question.kind else { return };
        for (is_yes, label) in confirm.turned_labels() {
            let place = at.then("options").then(usize::from(!is_yes));
            self.warnings.add(|| told::turned_label(is_yes, label).at(place));
        }
    }

    fn kept(&mut self, mut asked: Questionnaire, at: &Path) -> Questionnaire {
        if let Some((member, most)) = self.kept.too_deep() {
            let said = Message::RequestTooDeep.with([most]);
            self.judge.note(Code::TooDeep, said, &|| at.then(member));
            return asked;
        }
        asked.rules.reserved = self.kept.reserved(&asked.questions);
        Questionnaire { beside: self.kept.beside(), ..asked }
    }

    /// Reads the tool call; all other members of `data` are stored.
    fn data(&mut self, data: Loose<Value>, at: Place<'_>) -> Option<Call> {
        let mut data = match self.judge.allow(data, at)? {
            Value::Null => return None,
            Value::Object(members) => members,
            other => {
                let found = loose::type_name(&other);
                self.judge.issue(&Issue::Wrong { expected: "object", found }, at);
                return None;
            }
        };
        let at = || at().then("action_requests");
        let requests = data.remove("action_requests");
        self.kept.data = data;
        let requests = requests.map(within::<List<Value>>).unwrap_or_default();
        let mut requests = self.judge.allow(nullable(requests), &at)?;
        if requests.count > 1 {
            let said = Message::SeveralActions.with([requests.count]);
            self.judge.note(Code::TooBig, said, &at);
            return None;
        }
        let Loose::Value(request) = requests.items.pop()? else { return None };
        self.call(request, &at().then(0))
    }

    fn call(&mut self, request: Value, at: &Path) -> Option<Call> {
        let whole = request.clone();
        let Value::Object(mut members) = request else {
            let found = loose::type_name(&request);
            self.judge.issue(&Issue::Wrong { expected: "object", found }, &|| at.clone());
            return None;
        };
        let name = members.remove("name").map(within::<String>).unwrap_or_default();
        let tool = self.judge.expect(name, &|| at.then("name"))?;
        let args = match members.remove("args") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(args)) => args,
            Some(other) => {
                let found = loose::type_name(&other);
                self.judge.issue(&Issue::Wrong { expected: "object", found }, &|| at.then("args"));
                return None;
            }
        };
        if approval::asks(&tool) {
            self.kept.data.insert("action_requests".to_owned(), Value::Array(vec![whole]));
        } else {
            self.kept.request = members;
        }
        Some(Call { tool, args })
    }

    /// Reads the options of an approval.
    fn options(&mut self, options: Loose<List<Value>>, at: &Path) {
        let place = || at.then("options");
        let Some(options) = self.judge.allow(nullable(options), &place) else { return };
        if options.count > limits::OPTIONS {
            self.judge.issue(&Issue::LongList(limits::OPTIONS), &place);
        }
        let mut labelled = Vec::new();
        for (index, option) in options.items.into_iter().enumerate() {
            let Loose::Value(option) = option else { continue };
            match Labelled::of(&option) {
                Some(option) if option.has_name() => labelled.push(option),
                Some(_) => self.judge.note(Code::Required, Message::NeedsLabel, &|| place().then(index)),
                None => {
                    let found = loose::type_name(&option);
                    let expected = "string or {label, value?}";
                    self.judge.issue(&Issue::Wrong { expected, found }, &|| place().then(index));
                }
            }
            self.kept.options.push(option);
        }
        if labelled.is_empty() || labelled.len() < self.kept.options.len() {
            return;
        }
        if let Err(count) = approval::going_on(&labelled) {
            self.judge.tell(|| {
                let said = Problem::new(Code::InvalidValue, Message::OptionsAgree.with([count]));
                said.hint(Message::OptionsAgreeHow).at(place())
            });
        }
    }

    fn questions(&mut self, asked: &mut Questionnaire, items: Loose<List<Item<'_>>>, at: Place<'_>) {
        let items = self.judge.list(nullable(items), (1, limits::QUESTIONS), at);
        asked.questions.reserve_exact(items.len());
        for (index, item) in items.into_iter().enumerate() {
            asked.questions.extend(self.question(index, item, &|| at().then(index)));
        }
    }

    fn question(&mut self, index: usize, item: Loose<Item<'_>>, at: &dyn Fn() -> Path) -> Option<Question> {
        let item = self.judge.expect(item, at)?;
        let prompt = self.judge.expect(item.question, &|| at().then("question"));
        let options = || at().then("options");
        let entries = self.judge.list(item.options, (1, limits::OPTIONS), &options);
        let (mut choice, mut custom) = (Choice::default(), Custom::default());
        choice.options.reserve_exact(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let place = || options().then(index);
            let Some(entry) = self.judge.expect(entry, &place) else { continue };
            let label = self.judge.expect(entry.label, &|| place().then("label"));
            let value = self.judge.expect(entry.value, &|| place().then("value"));
            let is_own = self.judge.allow(entry.allow_custom, &|| place().then("allow_custom"));
            let (Some(label), Some(value)) = (label, value) else { continue };
            if is_own != Some(true) {
                choice.options.push(Opt::new(value, label));
            } else if choice.other {
                let warning = || Problem::new(Code::InvalidValue, Message::SecondOwn);
                self.warnings.add(|| warning().at(place().then("allow_custom")));
                custom.more.push(Further { at: choice.options.len(), label, value: value.into_owned() });
            } else {
                let at = choice.options.len();
                (choice.other, choice.other_label, choice.other_at) = (true, Some(label), Some(at));
                custom.value = Some(value).filter(|value| value != CUSTOM).map(Words::into_owned);
            }
        }
        choice.other_at = choice.other_at.filter(|at| *at < choice.options.len());
        names::of_options(&mut choice.options, []);
        let question = Question::new(QuestionId::numbered('q', index), prompt?, Kind::Choice(choice));
        if custom != Custom::default() {
            self.kept.custom.insert(question.id.clone(), custom);
        }
        Some(question)
    }
}

fn is_none<T>(list: &Loose<List<T>>) -> bool {
    match list {
        Loose::Missing => true,
        Loose::Value(list) => list.count == 0,
        Loose::Wrong(_) => false,
    }
}
