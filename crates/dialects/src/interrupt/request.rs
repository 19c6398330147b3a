//! Writing of requests: a questionnaire as the data of an interrupt, or, if it only has questions, as the arguments of
//! `ask_user`.

use super::kept::{Custom, Kept};
use super::read::read;
use super::{CUSTOM_LABEL, act, approval};
use crate::translate::{Can, Says};
use crate::{Dialect, Lost, Translated};
use sayso_core::message::{Message, Text};
use sayso_core::wire::json;
use sayso_core::{Choice, Kind, Opt, Path, Question, Questionnaire, Rules, limits};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'q> {
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_name: Option<&'q str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    data: Map<String, Value>,
    #[serde(skip_serializing_if = "<[Value]>::is_empty")]
    options: &'q [Value],
    questions: Option<Vec<Item<'q>>>,
}

#[derive(Serialize)]
struct Item<'q> {
    question: &'q str,
    options: Vec<Entry<'q>>,
}

#[derive(Serialize)]
struct Entry<'q> {
    label: &'q str,
    value: &'q str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    allow_custom: bool,
}

/// Returns the capabilities of the format.
fn can(reserved: BTreeSet<String>) -> Can {
    Can {
        dialect: Dialect::Interrupt,
        title: true,
        context: true,
        action: |_, action| act::is_exact(action),
        sections: false,
        section_conditions: false,
        buttons: false,
        completed: false,
        question_ids: false,
        // Changed ids are detected when the request is read back.
        option_values: true,
        follow_ups: false,
        condition: |_, _, _| false,
        label: false,
        detail: false,
        placeholder: |_| false,
        prefill: false,
        unchecked: false,
        required: Says::Always,
        own_answer: Says::Either,
        own_label: true,
        own_place: true,
        description: false,
        constraint: |_, _| false,
        kind: |_| Vec::new(),
        rules: Rules { reserved, ..Rules::default() },
    }
}

/// Returns the reason that the spec cannot express a question. It takes one answer to each, so all but one of several
/// picks would be lost. The single question of an approval is always possible.
fn refuses(is_approval: bool, question: &Question) -> Option<Text> {
    match &question.kind {
        _ if is_approval => None,
        Kind::Choice(choice) if choice.multi => Some(Message::LostMulti.into()),
        Kind::Choice(_) => None,
        kind => Some(Message::LostKind.with([kind.name()])),
    }
}

/// Returns the questions that an interrupt asks, in their order.
pub(super) fn asked<'q>(questionnaire: &'q Questionnaire, extensions: &Kept) -> Vec<&'q Question> {
    let is_approval = approval::approved(questionnaire, extensions).is_some();
    let refuses = |question: &Question| refuses(is_approval, question);
    can(BTreeSet::new()).translate(questionnaire, &refuses, limits::QUESTIONS).0
}

/// Returns the questions that an interrupt cannot ask, in their order.
pub fn left_out(questionnaire: &Questionnaire) -> Vec<&Question> {
    let asked: HashSet<_> =
        asked(questionnaire, &Kept::of(questionnaire)).into_iter().map(|question| &question.id).collect();
    questionnaire.questions.iter().filter(|question| !asked.contains(&question.id)).collect()
}

/// Translates a questionnaire into a request. One with only a yes or no becomes an approval. Single choices are asked;
/// other questions are left out.
pub fn request(questionnaire: &Questionnaire) -> Translated {
    let extensions = Kept::of(questionnaire);
    let written = Written::of(questionnaire, &extensions);
    if let Some(translated) = written.faithful(questionnaire) {
        return translated;
    }
    // The stored extensions contradict the questionnaire.
    let nothing = Kept::default();
    let mut written = Written::of(questionnaire, &nothing);
    let place = Path::root().then("beside").then(Dialect::Interrupt.name());
    let what = Message::LostBeside.with([Dialect::Interrupt.name()]);
    written.lost.push(Lost { path: place, what, instead: None });
    let read = read(&written.text).map(|read| read.questionnaire);
    written.told(questionnaire, read.ok().as_ref())
}

/// Request, its questions, and the losses so far.
struct Written<'q> {
    text: String,
    questions: Vec<&'q Question>,
    lost: Vec<Lost>,
}

impl<'q> Written<'q> {
    fn of(questionnaire: &'q Questionnaire, extensions: &'q Kept) -> Self {
        let approved = approval::approved(questionnaire, extensions);
        let asked = asked(questionnaire, extensions);
        let can = can(extensions.reserved(asked));
        let refuses = |question: &Question| refuses(approved.is_some(), question);
        let (questions, lost) = can.translate(questionnaire, &refuses, limits::QUESTIONS);
        // With a title and no question it would become an approval, which the asker did not ask for.
        if questions.is_empty() {
            return Self::nothing(lost);
        }
        let mut data = extensions.data.clone();
        if let Some(action) = questionnaire.action.as_ref().filter(|action| !approval::asks(&action.tool)) {
            let mut request = extensions.request.clone();
            request.insert("name".to_owned(), Value::from(action.tool.as_str()));
            request.insert("args".to_owned(), Value::Object(act::arguments(action)));
            data.insert("action_requests".to_owned(), Value::Array(vec![Value::Object(request)]));
        }
        let items = || questions.iter().map(|question| item(question, extensions)).collect();
        let document = Document {
            info: match approved {
                Some(question) => approval::info(questionnaire, question),
                None => questionnaire.context.as_deref(),
            },
            task_name: questionnaire.title.as_deref(),
            data,
            options: match approved {
                Some(question) if approval::has_options(question, extensions) => &extensions.options,
                _ => &[],
            },
            questions: approved.is_none().then(items),
        };
        Self { text: json::write(&document), questions, lost }
    }

    /// Returns a request without questions, which every reader refuses.
    fn nothing(mut lost: Vec<Lost>) -> Self {
        let what = Message::NothingToAsk.with([Dialect::Interrupt.name()]);
        lost.push(Lost { path: Path::root().then("questions"), what, instead: None });
        Self { text: r#"{"questions":[]}"#.to_owned(), questions: Vec::new(), lost }
    }

    /// Returns the translation if the request reproduces the stored extensions.
    fn faithful(self, questionnaire: &Questionnaire) -> Option<Translated> {
        let name = Dialect::Interrupt.name();
        let back = read(&self.text).map(|read| read.questionnaire).ok();
        let beside = back.as_ref().and_then(|back| back.beside.get(name));
        (beside == questionnaire.beside.get(name)).then(|| self.told(questionnaire, back.as_ref()))
    }

    /// Returns the translation with all losses, found by reading it back.
    fn told(mut self, questionnaire: &Questionnaire, back: Option<&Questionnaire>) -> Translated {
        let Some(back) = back else { return Translated { text: self.text, lost: self.lost } };
        let places: HashMap<_, _> =
            questionnaire.questions.iter().map(|question| &question.id).zip(questionnaire.places()).collect();
        for (question, again) in self.questions.iter().zip(&back.questions) {
            let place = places.get(&question.id).cloned().unwrap_or_default();
            let is_told = question.prompt == again.prompt && questionnaire.context == back.context;
            let mut lose = |is_lost: bool, member: &str, what: Message, instead: Option<Text>| {
                if is_lost {
                    self.lost.push(Lost { path: place.then(member), what: what.into(), instead });
                }
            };
            lose(!is_told, "prompt", Message::LostPrompt, Some(Text::Verbatim(again.prompt.clone())));
            match (&question.kind, &again.kind) {
                (Kind::Confirm(one), Kind::Confirm(other)) => {
                    lose(one.yes != other.yes, "yes", Message::LostLabels, None);
                    lose(one.no != other.no, "no", Message::LostLabels, None);
                }
                (Kind::Choice(one), Kind::Choice(other)) => {
                    let label = other.other_label.clone().map(Text::Verbatim);
                    let is_lost = one.other_label != other.other_label;
                    lose(is_lost, "other_label", Message::LostOwnLabel, label);
                    lose(one.other_at != other.other_at, "other_at", Message::LostOwnPlace, None);
                    self.lost.extend(options(one, other, &place));
                }
                _ => {}
            }
        }
        Translated { text: self.text, lost: self.lost }
    }
}

/// Returns the losses of option ids and descriptions.
fn options(one: &Choice, other: &Choice, place: &Path) -> Vec<Lost> {
    let pairs = one.options.iter().zip(&other.options).enumerate();
    let lost = |(index, (one, other)): (usize, (&Opt, &Opt))| {
        let place = |member: &str| place.then("options").then(index).then(member);
        let is_empty = one.description.as_ref().is_some_and(String::is_empty);
        let (path, what) = if (&one.id, &one.value) != (&other.id, &other.value) {
            (place("id"), Message::LostId)
        } else if is_empty {
            (place("description"), Message::LostDescription)
        } else {
            return None;
        };
        Some(Lost { path, what: what.into(), instead: None })
    };
    pairs.filter_map(lost).collect()
}

/// Returns a question with its options; those for typed text are placed among the others.
fn item<'q>(question: &'q Question, extensions: &'q Kept) -> Item<'q> {
    let Kind::Choice(choice) = &question.kind else {
        return Item { question: &question.prompt, options: Vec::new() };
    };
    let custom = extensions.custom.get(&question.id);
    let value = custom.map_or(super::CUSTOM, Custom::value);
    let mut further = custom.map_or(&[][..], |custom| &custom.more).iter().peekable();
    let label = choice.other_label.as_deref().unwrap_or(CUSTOM_LABEL);
    let own_at = choice.other.then(|| choice.other_at.unwrap_or(choice.options.len()));
    let mut options = Vec::with_capacity(choice.offered());
    for at in 0..=choice.options.len() {
        if own_at == Some(at) {
            options.push(Entry { label, value, allow_custom: true });
        }
        while let Some(more) = further.next_if(|more| more.at <= at) {
            options.push(Entry { label: &more.label, value: &more.value, allow_custom: true });
        }
        options.extend(choice.options.get(at).map(|option| Entry {
            label: &option.label,
            value: option.sent(),
            allow_custom: false,
        }));
    }
    Item { question: &question.prompt, options }
}
