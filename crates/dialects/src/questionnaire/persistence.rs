//! Key by which a questionnaire is recognized when it is asked again.

use super::constraints::type_name_of;
use sayso_core::{Digest, QuestionId, Questionnaire};
use std::collections::HashMap;

/// Longest key that is spelled out, in bytes. Each question's path contains the names of all its parents, so a key can
/// be some hundred times as long as its request.
const KEY_BYTES: usize = 64 << 10;

/// Returns the key under which the same asker's draft is found when the same questionnaire is asked again. It is
/// `id:type` of every question, parents before their children, separated by bars, a child as `parent/child`:
/// `lang:select|lang/framework:select`. Wording and options do not count. A key of more than 64 KiB is replaced by a
/// digest: `sha256:` and 64 hex digits.
pub fn persistence_key(questionnaire: &Questionnaire) -> String {
    let lengths = Lengths::of(questionnaire);
    if lengths.whole <= KEY_BYTES { spelt_out(questionnaire) } else { digest(questionnaire, &lengths) }
}

fn spelt_out(questionnaire: &Questionnaire) -> String {
    let mut ways: HashMap<&QuestionId, String> = HashMap::with_capacity(questionnaire.questions.len());
    let mut key = String::new();
    for question in &questionnaire.questions {
        let parent = question.parent.as_ref().and_then(|parent| ways.get(parent));
        let way = match parent {
            Some(parent) => format!("{parent}/{}", question.key()),
            None => question.key().to_owned(),
        };
        if !key.is_empty() {
            key.push('|');
        }
        key.push_str(&way);
        key.push(':');
        key.push_str(type_name_of(&question.kind));
        ways.insert(&question.id, way);
    }
    key
}

/// Lengths of a key and its paths, computed without building it.
struct Lengths<'q> {
    whole: usize,
    /// Length of the path to each question, and its depth.
    ways: HashMap<&'q QuestionId, (usize, usize)>,
}

impl<'q> Lengths<'q> {
    fn of(questionnaire: &'q Questionnaire) -> Self {
        let mut lengths = Self { whole: 0, ways: HashMap::with_capacity(questionnaire.questions.len()) };
        for question in &questionnaire.questions {
            let parent = question.parent.as_ref().and_then(|parent| lengths.ways.get(parent));
            let (above, depth) = parent.map_or((0, 0), |(above, depth)| (above.saturating_add(1), depth + 1));
            let way = above.saturating_add(question.key().len());
            let marks = 2 + type_name_of(&question.kind).len();
            lengths.whole = lengths.whole.saturating_add(way).saturating_add(marks);
            lengths.ways.insert(&question.id, (way, depth));
        }
        lengths
    }
}

/// Returns a digest of the names, types and depths of the questions in their order, which identify the same
/// questionnaires as the key.
fn digest(questionnaire: &Questionnaire, lengths: &Lengths<'_>) -> String {
    let mut told = String::new();
    for question in &questionnaire.questions {
        let depth = lengths.ways.get(&question.id).map_or(0, |(_, depth)| *depth);
        let (key, kind) = (question.key(), type_name_of(&question.kind));
        told.push_str(&format!("{depth} {kind} {} {key}\n", key.len()));
    }
    format!("sha256:{}", Digest::of(told.as_bytes()))
}
