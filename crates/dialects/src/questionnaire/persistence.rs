//! Key by which a questionnaire is recognized when it is asked again.

use super::constraints::question_type;
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
    let lengths = KeyLengths::measure(questionnaire);
    if lengths.whole <= KEY_BYTES { full_key(questionnaire) } else { key_digest(questionnaire, &lengths) }
}

fn full_key(questionnaire: &Questionnaire) -> String {
    let mut paths: HashMap<&QuestionId, String> = HashMap::with_capacity(questionnaire.questions.len());
    let mut key = String::new();
    for question in &questionnaire.questions {
        let parent = question.parent.as_ref().and_then(|parent| paths.get(parent));
        let path = match parent {
            Some(parent) => format!("{parent}/{}", question.asker_key()),
            None => question.asker_key().to_owned(),
        };
        if !key.is_empty() {
            key.push('|');
        }
        key.push_str(&path);
        key.push(':');
        key.push_str(question_type(&question.kind));
        paths.insert(&question.id, path);
    }
    key
}

/// Lengths of a key and its paths, computed without building it.
struct KeyLengths<'q> {
    whole: usize,
    /// Length of the path to each question, and its depth.
    paths: HashMap<&'q QuestionId, (usize, usize)>,
}

impl<'q> KeyLengths<'q> {
    fn measure(questionnaire: &'q Questionnaire) -> Self {
        let mut lengths = Self { whole: 0, paths: HashMap::with_capacity(questionnaire.questions.len()) };
        for question in &questionnaire.questions {
            let parent = question.parent.as_ref().and_then(|parent| lengths.paths.get(parent));
            let (above, depth) = parent.map_or((0, 0), |(above, depth)| (above.saturating_add(1), depth + 1));
            let path_length = above.saturating_add(question.asker_key().len());
            let marks = 2 + question_type(&question.kind).len();
            lengths.whole = lengths.whole.saturating_add(path_length).saturating_add(marks);
            lengths.paths.insert(&question.id, (path_length, depth));
        }
        lengths
    }
}

/// Returns a digest of the names, types and depths of the questions in their order, which identify the same
/// questionnaires as the key.
fn key_digest(questionnaire: &Questionnaire, lengths: &KeyLengths<'_>) -> String {
    let mut digest_input = String::new();
    for question in &questionnaire.questions {
        let depth = lengths.paths.get(&question.id).map_or(0, |(_, depth)| *depth);
        let (key, kind) = (question.asker_key(), question_type(&question.kind));
        digest_input.push_str(&format!("{depth} {kind} {} {key}\n", key.len()));
    }
    format!("sha256:{}", Digest::compute(digest_input.as_bytes()))
}
