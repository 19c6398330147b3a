//! Mutations of documents in one place each.

use serde_json::{Value, json};

/// Returns replacements for a value.
fn replacements() -> Vec<Value> {
    let long = ["x".repeat(13), "x".repeat(201), "🦀".repeat(7), "🦀".repeat(150), "x".repeat(501)];
    let plain =
        json!([null, true, 0, 1, -1, 1.5, 6, 100, "", "x", "🦀", "1", " ", [], {}, [null], { "x": 1 }]);
    plain.as_array().into_iter().flatten().cloned().chain(long.map(Value::from)).collect()
}

/// Returns the document, and each mutation of it: one value replaced, removed, or repeated.
pub(super) fn changed(document: &Value) -> Vec<Value> {
    let mut places = Vec::new();
    collect(document, "", &mut places);
    let mut all = vec![document.clone()];
    for place in &places {
        for replacement in replacements() {
            let mut changed = document.clone();
            *changed.pointer_mut(place).unwrap() = replacement;
            all.push(changed);
        }
        let Some((parent, name)) = place.rsplit_once('/') else { continue };
        let mut changed = document.clone();
        match changed.pointer_mut(parent).unwrap() {
            Value::Object(members) => drop(members.remove(name)),
            Value::Array(items) => {
                let first = items[0].clone();
                items.resize(items.len() + 3, first);
            }
            other => panic!("nothing stands in {other}"),
        }
        all.push(changed);
    }
    all
}

fn collect(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| collect(item, &format!("{at}/{index}"), places));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| collect(member, &format!("{at}/{name}"), places));
        }
        _ => {}
    }
}
