//! Where an option is named by its label, its id is meant: an option without an id is numbered, and who wrote down only its
//! label knows no other name for it.

use super::Mending;
use serde_json::{Map, Value};

/// The options of a question that stands before.
struct Known {
    id: String,
    /// The id and the label of each.
    options: Vec<(String, String)>,
}

impl Known {
    /// The question with this number, from 0.
    fn of(question: &Map<String, Value>, number: usize) -> Self {
        let text =
            |of: &Map<String, Value>, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
        let options = question.get("options").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let option = |(at, option): (usize, &Value)| {
            let option = option.as_object()?;
            Some((text(option, "id").unwrap_or_else(|| format!("o{}", at + 1)), text(option, "label")?))
        };
        Self {
            id: text(question, "id").unwrap_or_else(|| format!("q{number}")),
            options: options.iter().enumerate().filter_map(option).collect(),
        }
    }

    /// The id of the one option with this label, where none has it for its id.
    fn meant(&self, label: &str) -> Option<&str> {
        let mut named = self.options.iter().filter(|(_, named)| named == label).map(|(id, _)| id.as_str());
        let only = named.next().filter(|_| named.next().is_none())?;
        self.options.iter().all(|(id, _)| id != label).then_some(only)
    }
}

impl Mending {
    /// Puts ids in the place of labels in conditions and in what is filled in, of all questions in their order.
    pub(super) fn labels_for_ids(&mut self, given: &mut Map<String, Value>) {
        let mut known = Vec::new();
        self.in_questions(given, None, "", &mut known);
        if let Some(Value::Array(sections)) = given.get_mut("sections") {
            for (at, section) in sections.iter_mut().enumerate() {
                let Value::Object(section) = section else { continue };
                let place = format!("sections[{at}].");
                if let Some(condition) = section.get_mut("show_if") {
                    self.in_condition(condition, None, &known, &format!("{place}show_if"));
                }
                self.in_questions(section, None, &place, &mut known);
            }
        }
    }

    /// In the questions that stand in this, the follow-ups of the one that is known at this place.
    fn in_questions(
        &mut self,
        holder: &mut Map<String, Value>,
        parent: Option<usize>,
        above: &str,
        known: &mut Vec<Known>,
    ) {
        let member = if parent.is_some() { "children" } else { "questions" };
        let Some(Value::Array(questions)) = holder.get_mut(member) else { return };
        for (at, question) in questions.iter_mut().enumerate() {
            let place = format!("{above}{member}[{at}]");
            let Value::Object(question) = question else { continue };
            if let Some(condition) = question.get_mut("show_if") {
                self.in_condition(condition, parent, known, &format!("{place}.show_if"));
            }
            let number = known.len();
            let own = Known::of(question, number);
            let picks = question.get_mut("prefill").and_then(|answer| answer.get_mut("picks"));
            for pick in picks.and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(option) = pick.get_mut("option") {
                    self.in_value(option, &own, &format!("{place}.prefill"));
                }
            }
            known.push(own);
            self.in_questions(question, Some(number), &format!("{place}."), known);
        }
    }

    fn in_condition(&mut self, condition: &mut Value, parent: Option<usize>, known: &[Known], place: &str) {
        let Value::Object(condition) = condition else { return };
        let named = condition.get("question").and_then(Value::as_str).map(str::to_owned);
        let about = match named {
            Some(id) => known.iter().find(|question| question.id == id),
            None => parent.and_then(|parent| known.get(parent)),
        };
        for (name, value) in condition.iter_mut() {
            match (name.as_str(), value, about) {
                ("all" | "any", Value::Array(parts), _) => {
                    parts.iter_mut().for_each(|part| self.in_condition(part, parent, known, place));
                }
                ("not", part, _) => self.in_condition(part, parent, known, place),
                ("is", value, Some(about)) => self.in_value(value, about, place),
                ("any_of" | "all_of" | "none_of", Value::Array(values), Some(about)) => {
                    values.iter_mut().for_each(|value| self.in_value(value, about, place));
                }
                _ => {}
            }
        }
    }

    fn in_value(&mut self, value: &mut Value, about: &Known, place: &str) {
        let Value::String(text) = value else { return };
        if let Some(id) = about.meant(text) {
            self.note(place, &format!("{text} was read as the id of its option, {id}"));
            *text = id.to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mending;
    use serde_json::{Value, json};

    fn mended(given: Value) -> (Value, Vec<String>) {
        let Value::Object(given) = given else { panic!("no object") };
        let mut mending = Mending::default();
        let whole = mending.whole(given);
        (Value::Object(whole), mending.changes)
    }

    /// The conditions of the last question and its follow-up, where the first lets pick these.
    fn conditions(options: &Value) -> (Value, usize) {
        let (whole, changes) = mended(json!({ "questions": [
            { "id": "lang", "prompt": "In what?", "options": options,
              "prefill": { "picks": [{ "option": "rs" }] },
              "children": [{ "prompt": "On what?", "show_if": { "is": "rs" } }] },
            { "prompt": "Why?", "show_if": { "any": [
                { "not": { "question": "lang", "any_of": ["ts", "rs"] } }, { "question": "q1", "is": "rs" },
            ] } },
        ] }));
        let [first, last] = [&whole["questions"][0], &whole["questions"][1]];
        let all =
            [&first["prefill"]["picks"][0]["option"], &first["children"][0]["show_if"], &last["show_if"]];
        (json!(all), changes.len())
    }

    #[test]
    fn an_option_that_is_named_by_its_label_is_found_however_it_is_written() {
        let any = json!({ "any": [
            { "not": { "question": "lang", "any_of": ["o1", "o2"] } }, { "question": "q1", "is": "rs" },
        ] });
        let by_number = json!(["o2", { "is": "o2" }, any]);
        assert_eq!(conditions(&json!(["ts", "rs"])), (by_number.clone(), 4));
        assert_eq!(conditions(&json!([{ "label": "ts" }, { "label": "rs" }])), (by_number, 4));
    }

    #[test]
    fn an_id_is_an_id_and_of_two_with_one_label_none_is_meant() {
        let as_written = json!(["rs", { "is": "rs" }, { "any": [
            { "not": { "question": "lang", "any_of": ["ts", "rs"] } }, { "question": "q1", "is": "rs" },
        ] }]);
        let ids = json!([{ "id": "ts", "label": "rs" }, { "id": "rs", "label": "ts" }]);
        assert_eq!(conditions(&ids), (as_written.clone(), 0));
        assert_eq!(conditions(&json!([{ "label": "rs" }, { "label": "rs" }])), (as_written, 0));
    }
}
