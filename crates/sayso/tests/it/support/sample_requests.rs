//! Sample requests.

use serde_json::{Value, json};

/// Returns a question in the format of `AskUserQuestion`.
pub(crate) fn question(header: &str, labels: &[&str], multi: bool) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": format!("about {label}") });
    let options: Vec<_> = labels.iter().map(option).collect();
    json!({ "question": format!("Which {header}?"), "header": header, "options": options, "multiSelect": multi })
}

/// Returns a request to `AskUserQuestion`.
pub(crate) fn request(questions: &[Value]) -> String {
    json!({ "questions": questions }).to_string()
}

/// Returns a request of two questions, each with two options.
pub(crate) fn two_questions() -> String {
    request(&[question("One", &["A", "B"], false), question("Two", &["C", "D"], false)])
}

/// Returns one question with three options, as a request to `AskUserQuestion`.
pub(crate) fn one(header: &str) -> String {
    request(&[question(header, &["A", "B", "C"], false)])
}

/// Two texts and a choice, in our own dialect.
pub(crate) fn release(title: &str) -> String {
    json!({
        "title": title,
        "questions": [
            { "id": "name", "prompt": "What is it called?" },
            { "id": "notes", "prompt": "What is new?" },
            { "id": "when", "prompt": "When?", "options": [{ "label": "Now" }, { "label": "Later" }] },
        ],
    })
    .to_string()
}

/// One text, in our own dialect.
pub(crate) fn text(title: &str) -> String {
    json!({ "title": title, "questions": [{ "id": "text", "prompt": "Say it." }] }).to_string()
}
